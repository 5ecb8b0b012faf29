//! Whether what endgame tables promise comes before the rule of no progress draws the game. The tables count
//! plies to the end, but not when a capture or a pawn move begins the count anew: that takes a search.

use std::collections::HashMap;

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Bits, Game, PAWN, Position, Unchecked};
use hexmate_tablebases::{Category, Tablebases, Value};

use crate::limits::Limits;
use crate::order::in_order;

/// The positions that one search may ask the tables about: a tenth of a second.
const PROBES: usize = 200_000;

/// Whether the stronger side can force an end in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InTime {
    Yes,
    No,
    /// Not found out.
    Open,
}

/// Whether an end so far away comes in time even if the count never begins anew; a mate on the last ply of the
/// count counts.
pub(super) fn is_certain(rules: &GameSpec, value: Value, clock: u16) -> bool {
    value.plies == 0 || clock.saturating_add(value.plies) <= rules.no_progress_plies
}

/// Whether nothing but one officer is left beside the kings: the count never begins anew before the end.
fn is_lone_officer<G: Game>(position: &Position<G>) -> bool {
    position.occupied().count() <= 3 && !position.kind(PAWN).any()
}

/// What is known of a position with any count. More of it never helps the stronger side.
struct Known {
    /// It can be forced up to this count.
    forced: Option<u16>,
    /// It cannot from this one on.
    lost: u16,
    /// Unknown at this count and this many plies of search.
    open: (u16, u16),
}

impl Default for Known {
    fn default() -> Self {
        Known {
            forced: None,
            lost: u16::MAX,
            open: (0, 0),
        }
    }
}

impl Known {
    fn answer(&self, clock: u16, plies: u16) -> Option<InTime> {
        if self.forced >= Some(clock) {
            Some(InTime::Yes)
        } else if clock >= self.lost {
            Some(InTime::No)
        } else {
            (self.open.0 == clock && self.open.1 >= plies).then_some(InTime::Open)
        }
    }

    fn note(&mut self, clock: u16, plies: u16, answer: InTime) {
        match answer {
            InTime::Yes => self.forced = self.forced.max(Some(clock)),
            InTime::No => self.lost = self.lost.min(clock),
            InTime::Open => self.open = (clock, plies),
        }
    }
}

/// A search for an end that is at least worth so much to the stronger side.
struct Race<'t> {
    tables: &'t Tablebases,
    limits: &'t Limits<'t>,
    least: Category,
    probes: usize,
    known: HashMap<u64, Known>,
}

/// For each of these positions of one side to move, whether the stronger side can force an end in time that is
/// worth at least `least` to it. It is `attacks` that tells whether that side is to move. Looks deeper and
/// deeper, and ends where one has the answer that is `enough`: of ways to reach it those are found that need the
/// fewest plies until it is certain, so that who always takes one of them gets on.
pub(super) fn ends_in_time<G: Game>(
    (tables, limits): (&Tablebases, &Limits<'_>),
    positions: &[(Position<G>, Value)],
    (least, enough): (Category, InTime),
    attacks: bool,
    deepest: u16,
) -> Vec<InTime> {
    let mut race = Race {
        tables,
        limits,
        least,
        probes: PROBES,
        known: HashMap::new(),
    };
    let mut answers = vec![InTime::Open; positions.len()];
    for plies in 0..=deepest {
        for (answer, (position, value)) in answers.iter_mut().zip(positions) {
            if *answer == InTime::Open {
                *answer = race.look(position, *value, attacks, plies);
            }
        }
        if answers.contains(&enough) || !answers.contains(&InTime::Open) || race.probes == 0 {
            break;
        }
    }
    answers
}

impl Race<'_> {
    /// The answer that `plies` plies of search find for a position of this value.
    fn look<G: Game>(
        &mut self,
        position: &Position<G>,
        value: Value,
        attacks: bool,
        plies: u16,
    ) -> InTime {
        let promised = if attacks {
            value.category
        } else {
            value.category.reversed()
        };
        let clock = position.halfmove_clock();
        if promised < self.least {
            return InTime::No;
        }
        if is_certain(position.spec(), value, clock) {
            return InTime::Yes;
        }
        // The end is still to come, so there is a move.
        if position.is_without_progress() || (promised == self.least && is_lone_officer(position)) {
            return InTime::No;
        }
        if plies == 0 {
            return InTime::Open;
        }
        let known = self.known.get(&position.key());
        if let Some(answer) = known.and_then(|known| known.answer(clock, plies)) {
            return answer;
        }
        let answer = self.look_on(position, attacks, plies);
        let known = self.known.entry(position.key()).or_default();
        known.note(clock, plies, answer);
        answer
    }

    fn is_interrupted(&self) -> bool {
        self.limits.is_told_to_stop() || self.limits.is_out_of_time()
    }

    /// The answer by the moves.
    fn look_on<G: Game>(&mut self, position: &Position<G>, attacks: bool, plies: u16) -> InTime {
        let moves = position.legal_moves();
        let look = self.probes.is_multiple_of(64);
        if self.probes < moves.len() || (look && self.is_interrupted()) {
            self.probes = 0;
            return InTime::Open;
        }
        self.probes -= moves.len();
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut next = *position;
            next.play_unchecked(mv);
            let Some(value) = self.tables.probe(&next) else {
                return InTime::Open;
            };
            children.push((next, value));
        }
        // What is certain already first, then the fastest win or the longest defence.
        let order = in_order(children.len(), &mut |child| {
            let (next, value) = &children[child];
            let certain = is_certain(next.spec(), *value, next.halfmove_clock());
            (!(attacks && certain), -value.before().rank())
        });
        let (decides, mut answer) = if attacks {
            (InTime::Yes, InTime::No)
        } else {
            (InTime::No, InTime::Yes)
        };
        for child in order {
            let (next, value) = &children[child];
            let after = self.look(next, *value, !attacks, plies - 1);
            if after == decides {
                return after;
            }
            if after == InTime::Open {
                answer = after;
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever was found out last, no less is known than before.
    #[test]
    fn what_is_known_of_one_count_serves_others() {
        let mut known = Known::default();
        for (clock, answer) in [
            (30, InTime::Yes),
            (20, InTime::Yes),
            (60, InTime::No),
            (70, InTime::No),
        ] {
            known.note(clock, 5, answer);
        }
        known.note(45, 3, InTime::Open);
        for (clock, plies, answer) in [
            (0, 9, Some(InTime::Yes)),
            (30, 9, Some(InTime::Yes)),
            (31, 1, None),
            (45, 2, Some(InTime::Open)),
            (45, 3, Some(InTime::Open)),
            // Deeper, or at another count, it has yet to be found out.
            (45, 4, None),
            (44, 3, None),
            (59, 1, None),
            (60, 9, Some(InTime::No)),
            (99, 9, Some(InTime::No)),
        ] {
            assert_eq!(known.answer(clock, plies), answer, "{clock}, {plies} plies");
        }
    }
}
