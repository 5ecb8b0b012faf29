//! The material that lines win and lose, in words.

use std::borrow::Cow;

use super::{Teller, by_how_much};
use crate::explain::find::SOME_MATERIAL;
use crate::explain::{Material, Way};

impl Teller<'_> {
    /// The material that the lines win and lose, if that is what separates them.
    pub(super) fn material(&self, other: &Way, b: &str, o: &str, by: i32) -> Option<String> {
        let best = &self.explanation.best;
        let [mine, theirs] = [best, other].map(|way| way.material.worth);
        let difference = mine - theirs;
        let evals = best.eval? - other.eval?;
        // It must account for most of the score, and the evaluation of the ends must not contradict.
        if difference < SOME_MATERIAL || 2 * difference < by || 2 * evals < by {
            return None;
        }
        let is_shared = share_promotions(&best.material, &other.material);
        let told = |way: &Way, gains: bool| {
            let material = own(&way.material, is_shared);
            let place = match gains {
                true => material.won_at,
                false => material.lost_at,
            };
            let promotes = way.line.get(place.saturating_sub(1));
            let promotes = promotes.is_some_and(|cells| cells.ends_with(char::is_alphabetic));
            let concedes = promotes && !material.concedes.is_empty();
            let word = if gains || concedes { "with" } else { "to" };
            let how = match place {
                0 | 1 => String::new(),
                _ if is_shared && promotes => String::new(),
                _ => format!(" {word} {}", self.at(&way.line, place)),
            };
            let what = self.gains(&material, gains)?;
            Some(format!("{what}{how}{}", self.against(&material, gains)))
        };
        let wins = |way: &Way| told(way, true);
        let loses = |way: &Way| told(way, false);
        let about_even = |way: &Way| self.about_even(&own(&way.material, is_shared));
        let reason = match (mine >= SOME_MATERIAL, theirs <= -SOME_MATERIAL) {
            (true, true) => format!("{b} {}, {o} {}", wins(best)?, loses(other)?),
            (true, false) if theirs >= SOME_MATERIAL => {
                format!("{b} {}; {o} only {}", wins(best)?, wins(other)?)
            }
            (true, false) => format!("{b} {}; {o} {}", wins(best)?, about_even(other)),
            (false, true) if mine <= -SOME_MATERIAL => {
                format!("{o} {}; {b} only {}", loses(other)?, loses(best)?)
            }
            (false, true) => format!("{o} {}; {b} {}", loses(other)?, about_even(best)),
            (false, false) => return None,
        };
        let how_much = by_how_much(by, best.bound, other.bound);
        Some(format!("{reason} (better {how_much})."))
    }

    /// What a line does that wins and loses about as much. What is traded for its like is nothing.
    fn about_even(&self, material: &Material) -> String {
        let Material {
            wins,
            loses,
            promotes,
            concedes,
            ..
        } = material;
        let told = match (promotes.is_empty(), concedes.is_empty()) {
            (true, true) if !wins.is_empty() && !loses.is_empty() => Some(format!(
                "only trades {} for {}",
                self.pieces(loses),
                self.pieces(wins)
            )),
            (true, true) if wins.is_empty() => self.gains(material, false),
            (true, false) => self.gains(material, false),
            (_, true) => self.gains(material, true),
            (false, false) => self
                .gains(material, true)
                .map(|gains| format!("{gains} and lets a pawn become {}", self.pieces(concedes))),
        };
        told.unwrap_or_else(|| "does not".to_owned())
    }

    /// What a line wins, or loses: `wins a knight for a pawn`.
    pub(super) fn gains(&self, material: &Material, wins: bool) -> Option<String> {
        let (gained, given, queens, verb, promotes) = match wins {
            true => (
                &material.wins,
                &material.loses,
                &material.promotes,
                "wins",
                "gets",
            ),
            false => (
                &material.loses,
                &material.wins,
                &material.concedes,
                "loses",
                "lets a pawn become",
            ),
        };
        let mut parts = Vec::new();
        let mut price = match given.is_empty() {
            true => String::new(),
            false => format!(" for {}", self.pieces(given)),
        };
        if !gained.is_empty() {
            parts.push(format!("{verb} {}{price}", self.pieces(gained)));
            price.clear();
        }
        if !queens.is_empty() {
            let by = if wins { " by promotion" } else { "" };
            parts.push(format!("{promotes} {}{by}{price}", self.pieces(queens)));
        }
        (!parts.is_empty()).then(|| parts.join(" and "))
    }

    /// The promotions that [`Teller::gains`] leaves out: those of the side that loses, or of the opponent of the one
    /// that wins.
    pub(super) fn against(&self, material: &Material, wins: bool) -> String {
        let Material {
            promotes, concedes, ..
        } = material;
        match wins {
            true if !concedes.is_empty() => {
                format!(" but lets a pawn become {}", self.pieces(concedes))
            }
            false if !promotes.is_empty() => {
                format!(" but gets {} by promotion", self.pieces(promotes))
            }
            _ => String::new(),
        }
    }

    /// Letters of kinds as `a knight and two pawns`.
    fn pieces(&self, letters: &str) -> String {
        let mut groups: Vec<(char, usize)> = Vec::new();
        for letter in letters.chars() {
            match groups.last_mut() {
                Some((last, count)) if *last == letter => *count += 1,
                _ => groups.push((letter, 1)),
            }
        }
        let words: Vec<String> = groups
            .into_iter()
            .map(|(letter, count)| self.pieces_of(letter, count))
            .collect();
        match words.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => words.concat(),
        }
    }

    fn pieces_of(&self, letter: char, count: usize) -> String {
        let spec = self.position.spec();
        let kind = spec
            .pieces
            .iter()
            .find(|piece| char::from(piece.letter) == letter);
        let name = kind.map_or("", |piece| piece.name);
        // The chromatic games name pieces by their colours: there the letter says more.
        let is_word = !name.is_empty() && name.chars().all(char::is_alphabetic);
        let name = if is_word {
            name.to_owned()
        } else {
            letter.to_string()
        };
        let vowel = match is_word {
            true => name.starts_with(|first: char| "aeiouáàâäéèêëíîïóôöúûü".contains(first)),
            false => "AEFHILMNORSX".contains(letter),
        };
        let number = ["no", "one", "two", "three", "four", "five", "six"].get(count);
        match count {
            1 if vowel => format!("an {name}"),
            1 => format!("a {name}"),
            _ => format!(
                "{} {name}s",
                number.map_or_else(|| count.to_string(), |n| (*n).to_owned())
            ),
        }
    }
}

/// Whether both sides promote, and to the same pieces in both lines: that separates nothing and is worth nothing.
fn share_promotions(best: &Material, other: &Material) -> bool {
    let all = [
        &best.promotes,
        &best.concedes,
        &other.promotes,
        &other.concedes,
    ];
    let [first, rest @ ..] = all.map(|letters| {
        let mut letters: Vec<char> = letters.chars().collect();
        letters.sort_unstable();
        letters
    });
    !first.is_empty() && rest.iter().all(|letters| *letters == first)
}

/// The material of a line without shared promotions.
fn own(material: &Material, is_shared: bool) -> Cow<'_, Material> {
    match is_shared {
        true => Cow::Owned(Material {
            promotes: String::new(),
            concedes: String::new(),
            ..material.clone()
        }),
        false => Cow::Borrowed(material),
    }
}
