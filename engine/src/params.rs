//! The numbers of the search in one table, each with its range.

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
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal;)*) => {
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
        }
    };
}

params! {
    /// Half the width of the first aspiration window, in centipawns.
    aspiration_window = 18, 5..=200;
    /// Reverse futility: the deepest node it is tried at, in plies.
    reverse_futility_depth = 8, 0..=20;
    /// Reverse futility: centipawns for each ply by which the evaluation must be above the window.
    reverse_futility_margin = 80, 20..=300;
    /// Razoring: the deepest node it is tried at; 0: never.
    razoring_depth = 3, 0..=10;
    /// Razoring: centipawns for each ply by which the evaluation must be below the window.
    razoring_margin = 240, 50..=800;
    /// Null move: the shallowest node it is tried at; 99: never.
    null_move_depth = 3, 1..=99;
    /// Null move: plies less for the search after it.
    null_move_base = 3, 1..=8;
    /// Null move: plies of depth for another ply less.
    null_move_divisor = 4, 1..=16;
    /// Null move: centipawns above the window for another ply less.
    null_move_margin = 200, 50..=800;
    /// Internal iterative reduction: the shallowest node it is done at; 99: never.
    internal_reduction_depth = 4, 2..=99;
    /// Late-move pruning: moves tried at depth 0.
    late_move_count = 8, 1..=99;
    /// Late-move pruning: hundredths of a move more for the square of the depth.
    late_move_square = 250, 0..=2000;
    /// Late-move pruning: the deepest node it is done at; 0: never.
    late_move_depth = 8, 0..=20;
    /// Futility: the deepest reduced depth it is done at; 0: never.
    futility_depth = 8, 0..=20;
    /// Futility: centipawns that a quiet move may win at depth 0.
    futility_base = 90, 0..=500;
    /// Futility: centipawns more for each ply.
    futility_margin = 90, 10..=400;
    /// History pruning: the deepest reduced depth it is done at; 0: never.
    history_depth = 4, 0..=20;
    /// History pruning: quiet moves with a history below minus this, times the depth, are left out.
    history_margin = 3000, 500..=16000;
    /// SEE pruning: the deepest node it is done at; 0: never.
    see_depth = 8, 0..=20;
    /// SEE pruning: centipawns that a quiet move may lose, times the square of the reduced depth.
    see_quiet_margin = 25, 5..=200;
    /// SEE pruning: centipawns that a capture may lose for each ply.
    see_noisy_margin = 90, 10..=300;
    /// Singular extension: the shallowest node it is tried at; 99: never.
    singular_depth = 7, 4..=99;
    /// Singular extension: half centipawns for each ply by which all other moves must be worse.
    singular_margin = 4, 1..=20;
    /// Singular extension: centipawns by which they must be worse for a second ply.
    double_margin = 24, 0..=400;
    /// Late-move reductions: the least, in hundredths of a ply.
    reduction_base = 60, 0..=300;
    /// Late-move reductions: hundredths by which log(depth) * log(moves) is divided.
    reduction_divisor = 220, 80..=600;
    /// Late-move reductions: history for a ply less.
    reduction_history = 9000, 1000..=40000;
    /// Order of quiet moves: history that a centipawn of better standing is worth.
    order_standing = 20, 0..=100;
    /// Order of quiet moves: history that leaving a cell which a pawn attacks is worth, and entering one costs.
    order_threat = 4000, 0..=16000;
    /// Order of quiet moves: history that a check which no pawn can answer by capture is worth.
    order_check = 6000, 0..=16000;
    /// Check extension: 1 searches a move that gives a safe check a ply deeper.
    check_extension = 0, 0..=1;
    /// History bonus for each ply of depth.
    history_bonus = 160, 10..=600;
    /// The largest history bonus.
    history_bonus_most = 1600, 200..=8000;
    /// Correction history: percent of the correction that is applied; 0: none.
    correction_weight = 100, 0..=200;
    /// Delta pruning in quiescence: centipawns that a capture may win beyond its victim.
    delta_margin = 150, 0..=600;
}
