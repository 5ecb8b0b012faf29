//! What engines did wrong, by engine. No input or output.

use super::game_record::{GameRecord, Termination};
use super::player::Fault;

/// The kinds of faults, in one and in many.
pub const KINDS: [[&str; 2]; 4] = [
    ["crash", "crashes"],
    ["stall", "stalls"],
    ["loss on time", "losses on time"],
    ["illegal move", "illegal moves"],
];

/// How often one engine was at fault, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults([u64; 4]);

impl Faults {
    /// Notes what ended a game in which the engine was to blame.
    pub fn add(&mut self, game: &GameRecord) {
        let kind = match game.termination {
            Termination::Abandoned if game.reason.ends_with("stalls") => 1,
            Termination::Abandoned => 0,
            Termination::TimeForfeit => 2,
            Termination::IllegalMove => 3,
            Termination::Normal | Termination::Adjudication => return,
        };
        self.0[kind] += 1;
    }

    /// How often, by kind.
    pub fn counts(&self) -> [u64; 4] {
        self.0
    }

    /// In words: `2 crashes, 1 illegal move`; nothing if there were none.
    pub fn words(&self) -> Option<String> {
        let each = self.0.iter().zip(KINDS);
        let words = each.filter(|(n, _)| **n > 0).map(|(&n, [one, many])| {
            let what = if n == 1 { one } else { many };
            format!("{n} {what}")
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// The fault by which a player broke down, from the reason that the referee gave for the end of the game.
pub fn breakdown(reason: &str) -> Option<Fault> {
    let mut sides = ["White", "Black"].into_iter();
    let did = sides.find_map(|side| reason.strip_prefix(side))?;
    match did {
        " disconnects" => Some(Fault::Disconnects),
        " disconnects (closes its input)" => Some(Fault::Deaf),
        " disconnects (floods its output)" => Some(Fault::Floods),
        "'s connection stalls" => Some(Fault::Stalls),
        _ => {
            let why = did.strip_prefix(" disconnects (cannot start, ")?;
            Some(Fault::CannotStart(why.strip_suffix(')')?.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_in_words() {
        assert_eq!(Faults::default().words(), None);
        assert_eq!(
            Faults([2, 0, 1, 1]).words().unwrap(),
            "2 crashes, 1 loss on time, 1 illegal move"
        );
    }
}
