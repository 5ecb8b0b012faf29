//! The numbers of the search that are tuned, in one table, each with its range.

/// A number of the search that may be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is unless set.
    pub default: i32,
    /// The least that makes sense.
    pub min: i32,
    /// The most that makes sense.
    pub max: i32,
    /// The least change that a few thousand games may show: by so much a tuner tries it up and down.
    pub step: i32,
}

/// No such number, or not within its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamError {
    /// There is no number of this name.
    Unknown(String),
    /// The value is outside of the range.
    OutOfRange(ParamInfo, i32),
}

impl std::fmt::Display for ParamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParamError::Unknown(name) => {
                write!(f, "'{name}' is no parameter of the search; expected one of")?;
                for info in Params::ALL {
                    write!(f, " {}", info.name)?;
                }
                Ok(())
            }
            ParamError::OutOfRange(p, value) => {
                let ParamInfo { name, min, max, .. } = p;
                write!(f, "{name} is {value}; expected {min} to {max}")
            }
        }
    }
}

impl std::error::Error for ParamError {}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal, $step:literal;)*) => {
        /// The numbers of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// Every number, in order.
            pub const ALL: &'static [ParamInfo] = &[$(ParamInfo {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            /// Sets a number by its name.
            ///
            /// # Errors
            /// If there is none of that name, or the value is outside of its range.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
                let unknown = || ParamError::Unknown(name.to_owned());
                let info = Self::ALL.iter().find(|p| p.name == name).ok_or_else(unknown)?;
                if !(info.min..=info.max).contains(&value) {
                    return Err(ParamError::OutOfRange(*info, value));
                }
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => {}
                }
                Ok(())
            }

            /// The same, but for numbers outside of their ranges: those are brought to the nearest that is within.
            #[must_use]
            pub fn clamped(self) -> Self {
                Params { $($name: self.$name.clamp($min, $max),)* }
            }

            /// A number by its name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Half the width of the first aspiration window, in centipawns.
    aspiration_window = 18, 5..=200, 5;
    /// Reverse futility: the deepest node it is tried at, in plies.
    reverse_futility_depth = 8, 0..=20, 1;
    /// Reverse futility: centipawns for each ply by which the evaluation must be above the window.
    reverse_futility_margin = 80, 20..=300, 12;
    /// Razoring: the deepest node it is tried at; 0: never.
    razoring_depth = 3, 0..=10, 1;
    /// Razoring: centipawns for each ply by which the evaluation must be below the window.
    razoring_margin = 240, 50..=800, 40;
    /// Null move: the shallowest node it is tried at; 99: never.
    null_move_depth = 3, 1..=99, 1;
    /// Null move: plies less for the search after it.
    null_move_base = 3, 1..=8, 1;
    /// Null move: plies of depth for another ply less.
    null_move_divisor = 4, 1..=16, 1;
    /// Null move: centipawns above the window for another ply less.
    null_move_margin = 200, 50..=800, 40;
    /// Null move: centipawns for each ply by which the static evaluation may be below the window.
    null_move_static = 20, 0..=100, 5;
    /// Internal iterative reduction: the shallowest node it is done at; 99: never.
    internal_reduction_depth = 4, 2..=99, 1;
    /// Late-move pruning: moves tried at depth 0.
    late_move_count = 3, 1..=99, 2;
    /// Late-move pruning: hundredths of a move more for the square of the depth.
    late_move_square = 100, 0..=2000, 50;
    /// Late-move pruning: the first iteration whose order of quiet moves can be trusted.
    late_move_settled = 8, 1..=40, 1;
    /// Late-move pruning: by how many hundredths more moves are tried for each iteration before that.
    late_move_early = 30, 0..=100, 5;
    /// Late-move pruning: the deepest node it is done at; 0: never.
    late_move_depth = 8, 0..=20, 1;
    /// Futility: done below this reduced depth, the plies that are left for a move after its reduction; 0: never.
    futility_depth = 8, 0..=20, 1;
    /// Futility: centipawns that a quiet move may win at reduced depth 0.
    futility_base = 90, 0..=500, 20;
    /// Futility: centipawns more for each ply of the reduced depth.
    futility_margin = 90, 10..=400, 15;
    /// History pruning: done below this reduced depth; 0: never.
    history_depth = 4, 0..=20, 1;
    /// History pruning: quiet moves with a history below minus this, times the reduced depth plus one, are left out.
    history_margin = 3000, 500..=16000, 600;
    /// SEE pruning: the deepest node it is done at; 0: never.
    see_depth = 8, 0..=20, 1;
    /// SEE pruning: centipawns that a quiet move may lose, times the square of the reduced depth.
    see_quiet_margin = 25, 5..=200, 6;
    /// SEE pruning: centipawns that a capture may lose for each ply.
    see_noisy_margin = 90, 10..=300, 15;
    /// Singular extension: the shallowest node it is tried at; 99: never.
    singular_depth = 7, 4..=99, 1;
    /// Singular extension: half centipawns for each ply by which all other moves must be worse.
    singular_margin = 4, 1..=20, 1;
    /// Singular extension: centipawns by which they must be worse for a second ply.
    double_margin = 24, 0..=400, 8;
    /// Late-move reductions: the least, in hundredths of a ply.
    reduction_base = 60, 0..=300, 15;
    /// Late-move reductions: hundredths by which log(depth) * log(moves) is divided.
    reduction_divisor = 220, 80..=600, 25;
    /// Late-move reductions: history for a ply less.
    reduction_history = 9000, 1000..=40000, 1500;
    /// Late-move reductions: hundredths of a ply more where a cut-off is expected.
    reduction_cut = 200, 0..=400, 25;
    /// Late-move reductions: hundredths of a ply more where the position is not improving.
    reduction_worsening = 75, 0..=200, 20;
    /// Late-move reductions: hundredths of a ply less in principal variations.
    reduction_pv = 75, 0..=300, 20;
    /// Late-move reductions: hundredths of a ply more if several cut-offs came a ply deeper.
    reduction_cutoffs = 100, 0..=300, 20;
    /// Late-move reductions: hundredths of a ply less for the killer.
    reduction_killer = 100, 0..=300, 20;
    /// Late-move reductions: hundredths of a ply less for captures and promotions.
    reduction_noisy = 100, 0..=300, 20;
    /// Order of quiet moves: history that a centipawn of better standing is worth.
    order_standing = 20, 0..=100, 5;
    /// Order of quiet moves: history that leaving a cell which a pawn attacks is worth, and entering one costs.
    order_threat = 4000, 0..=16000, 1000;
    /// Order of quiet moves: history that a check which no pawn can answer by capture is worth.
    order_check = 6000, 0..=16000, 1500;
    /// Check extension: 1 searches a move that gives a safe check a ply deeper.
    check_extension = 0, 0..=1, 1;
    /// History bonus for each ply of depth.
    history_bonus = 160, 10..=600, 30;
    /// The largest history bonus.
    history_bonus_most = 1600, 200..=8000, 300;
    /// Correction history: percent of the correction that is applied; 0: none.
    correction_weight = 100, 0..=200, 20;
    /// Delta pruning in quiescence: centipawns that a capture may win beyond its victim.
    delta_margin = 150, 0..=600, 30;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_set_and_read_by_its_name() {
        for info in Params::ALL {
            assert!((info.min..=info.max).contains(&info.default), "{info:?}");
            // A tuner must be able to go both ways from somewhere.
            assert!(
                info.step >= 1 && info.step <= info.max - info.min,
                "{info:?}"
            );
            let mut params = Params::default();
            assert_eq!(params.get(info.name), Some(info.default));
            let other = if info.default == info.max {
                info.min
            } else {
                info.max
            };
            params.set(info.name, other).unwrap();
            assert_eq!(params.get(info.name), Some(other));
            let others = Params::ALL.iter().filter(|other| other.name != info.name);
            for same in others {
                assert_eq!(params.get(same.name), Some(same.default));
            }
            let beyond = params.set(info.name, info.max + 1).unwrap_err();
            assert!(beyond.to_string().contains(&info.max.to_string()));
        }
        let beyond = Params {
            null_move_divisor: 0,
            late_move_count: i32::MAX,
            ..Params::default()
        };
        let expected = Params {
            null_move_divisor: 1,
            late_move_count: 99,
            ..Params::default()
        };
        assert_eq!(beyond.clamped(), expected);
        assert_eq!(Params::default().get("no such number"), None);
        let unknown = Params::default().set("lmr", 1).unwrap_err().to_string();
        assert!(unknown.contains("null_move_depth") && unknown.contains("delta_margin"));
    }
}
