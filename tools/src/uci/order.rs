//! What `go` asks for.

use std::num::IntErrorKind;
use std::time::Duration;

use hexmate_engine::{Budget, Clock};
use hexmate_movegen::Side;

use super::command::short;
use crate::inputs::MOST_PERFT_DEPTH;

/// No time is longer: thirty years, and far from the end of what clocks count.
const MOST_MILLISECONDS: i64 = 1_000_000_000_000;

/// A `go`, its numbers brought into the ranges that make sense.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Order {
    /// Plies, at least 1.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Find a mate in so many moves, at least 1.
    pub mate: Option<u32>,
    /// The most time for this move, also where there is more on the clock.
    pub movetime: Option<Duration>,
    /// White's and Black's time.
    pub clocks: [Option<Duration>; 2],
    /// What White and Black get for each move.
    pub increments: [Duration; 2],
    /// Moves until there is more time.
    pub moves_to_go: Option<u32>,
    /// Answer only when told to.
    pub infinite: bool,
    /// Answer only when told to, and begin to heed the clock when the opponent has moved.
    pub ponder: bool,
    /// The only moves to look at; empty: all.
    pub searchmoves: Vec<String>,
    /// Do not search, but count the move sequences of so many plies.
    pub perft: Option<u32>,
    /// Words that mean nothing here; they do no harm.
    pub unknown: Vec<String>,
}

/// Why a `go` cannot be obeyed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum OrderError {
    #[error("no number after '{0}'; expected one, like '{0} 5'")]
    Missing(String),
    #[error("'{found}' after '{name}' is not a whole number; expected one, like '{name} 5'", found = short(.found))]
    NotANumber { name: String, found: String },
    #[error("no depth of 'perft'; expected 0 to {MOST_PERFT_DEPTH}")]
    PerftDepth,
    #[error("no move after 'searchmoves'; expected one or more")]
    NoMoves,
    #[error("{side} to move, but no '{name}'; expected it, or another limit")]
    NoClock {
        side: &'static str,
        name: &'static str,
    },
}

/// The words that may follow `go`.
const WORDS: &[&str] = &[
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

impl Order {
    /// Understands the words behind `go`. As a limit any whole number is taken, and the nearest one that makes
    /// sense is used.
    ///
    /// # Errors
    /// If a number is missing or none, `perft` has no depth, or there are no moves to search.
    pub fn parse(words: &[&str]) -> Result<Order, OrderError> {
        let mut order = Order::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let known = word.to_ascii_lowercase();
            let mut number = || number_after(&known, words.next());
            match known.as_str() {
                "depth" => order.depth = Some(clamped(number()?).max(1)),
                "nodes" => order.nodes = Some(number()?.max(0).unsigned_abs()),
                "mate" => order.mate = Some(clamped(number()?).max(1)),
                "movetime" => order.movetime = Some(milliseconds(number()?)),
                "wtime" => order.clocks[0] = Some(milliseconds(number()?)),
                "btime" => order.clocks[1] = Some(milliseconds(number()?)),
                "winc" => order.increments[0] = milliseconds(number()?),
                "binc" => order.increments[1] = milliseconds(number()?),
                "movestogo" => {
                    order.moves_to_go = Some(clamped(number()?)).filter(|&moves| moves > 0);
                }
                "perft" => order.perft = Some(perft_depth(number()?)?),
                "infinite" => order.infinite = true,
                "ponder" => order.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|w| !is_word(w)) {
                        order.searchmoves.push(mv.to_owned());
                    }
                    if order.searchmoves.is_empty() {
                        return Err(OrderError::NoMoves);
                    }
                }
                unknown => order.unknown.push(unknown.to_owned()),
            }
        }
        Ok(order)
    }

    /// The time for this move with so many men on the board, `overhead` of which is lost on the way; `None` if no time
    /// was set.
    ///
    /// # Errors
    /// If a clock is spoken of, but not the time of this side, and nothing else limits the search.
    pub fn budget(
        &self,
        side: Side,
        men: u32,
        overhead: Duration,
    ) -> Result<Option<Budget>, OrderError> {
        if self.infinite {
            return Ok(None);
        }
        let fixed = self.movetime.map(|time| Budget::fixed(time, overhead));
        let [own, other] = match side {
            Side::White => [0, 1],
            Side::Black => [1, 0],
        };
        if let Some(remaining) = self.clocks[own] {
            let clock = Clock {
                remaining,
                increment: self.increments[own],
                moves_to_go: self.moves_to_go,
            };
            let of_clock = Budget::of_clock(&clock, men, overhead);
            return Ok(Some(fixed.map_or(of_clock, |fixed| of_clock.within(fixed))));
        }
        let has_clock = self.clocks[other].is_some()
            || self.increments != [Duration::ZERO; 2]
            || self.moves_to_go.is_some();
        if has_clock && fixed.is_none() && !self.is_limited() {
            return Err(match side {
                Side::White => OrderError::NoClock {
                    side: "White",
                    name: "wtime",
                },
                Side::Black => OrderError::NoClock {
                    side: "Black",
                    name: "btime",
                },
            });
        }
        Ok(fixed)
    }

    /// Whether something other than a clock ends the search.
    fn is_limited(&self) -> bool {
        self.infinite || self.depth.is_some() || self.nodes.is_some() || self.mate.is_some()
    }

    /// Whether the answer waits for `stop`: asked for in so many words, or by naming no limit at all.
    pub fn is_endless(&self) -> bool {
        let timed = self.movetime.is_some() || self.clocks != [None; 2];
        self.infinite || !timed && !self.is_limited()
    }
}

fn number_after(name: &str, text: Option<&str>) -> Result<i64, OrderError> {
    let Some(text) = text else {
        return Err(OrderError::Missing(name.to_owned()));
    };
    match text.parse::<i64>() {
        Ok(number) => Ok(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Ok(i64::MAX),
            IntErrorKind::NegOverflow => Ok(i64::MIN),
            _ => Err(OrderError::NotANumber {
                name: name.to_owned(),
                found: text.to_owned(),
            }),
        },
    }
}

fn clamped(number: i64) -> u32 {
    number.clamp(0, i64::from(u32::MAX)) as u32
}

/// Not the nearest: a count of another depth is no answer.
fn perft_depth(number: i64) -> Result<u32, OrderError> {
    let depth = u32::try_from(number).ok();
    let depth = depth.filter(|&depth| depth <= MOST_PERFT_DEPTH);
    depth.ok_or(OrderError::PerftDepth)
}

fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.clamp(0, MOST_MILLISECONDS).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Order, OrderError> {
        Order::parse(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn every_word_is_understood_in_any_order() {
        let text = "searchmoves e4e5 d3d5 wtime 1000 winc -5 depth 7 nodes 99999999999999999999 \
                    what mate 0 movestogo 0 btime 2 binc 30 ponder infinite perft 3 movetime 8";
        let order = parse(text).unwrap();
        let ms = Duration::from_millis;
        let expected = Order {
            depth: Some(7),
            nodes: Some(i64::MAX as u64),
            mate: Some(1),
            movetime: Some(ms(8)),
            clocks: [Some(ms(1000)), Some(ms(2))],
            increments: [ms(0), ms(30)],
            moves_to_go: None,
            infinite: true,
            ponder: true,
            searchmoves: vec!["e4e5".to_owned(), "d3d5".to_owned()],
            perft: Some(3),
            unknown: vec!["what".to_owned()],
        };
        assert_eq!(order, expected);
        for word in WORDS {
            let known = parse(word).map_or(true, |order| order.unknown.is_empty());
            assert!(known, "{word}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, error) in [
            ("depth", "no number after 'depth'"),
            ("depth x nodes 3", "'x' after 'depth' is not a whole number"),
            ("wtime 1.5", "'1.5' after 'wtime' is not"),
            ("nodes depth 3", "'depth' after 'nodes' is not"),
            ("searchmoves depth 3", "no move after 'searchmoves'"),
            ("perft -1", "no depth of 'perft'; expected 0 to 40"),
            ("perft 41", "no depth of 'perft'"),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.starts_with(error), "{text}: {message}");
            assert!(message.contains("; expected "), "{message}");
        }
    }

    #[test]
    fn budgets_are_the_side_to_moves_own() {
        let budget = |text, side| parse(text).unwrap().budget(side, 36, Duration::ZERO);
        let clock = budget("wtime 60000 btime 10", Side::White)
            .unwrap()
            .unwrap();
        assert!(clock.soft.unwrap() > Duration::from_millis(100));
        let clock = budget("wtime 60000 btime 10", Side::Black)
            .unwrap()
            .unwrap();
        assert!(clock.hard < Duration::from_millis(10));
        let alike = "wtime 1000 btime 1000 winc 1000 binc 0";
        let [white, black] = [Side::White, Side::Black].map(|side| budget(alike, side).unwrap());
        assert!(white.unwrap().soft > black.unwrap().soft);
        let error = budget("wtime 60000", Side::Black).unwrap_err();
        assert!(error.to_string().contains("no 'btime'"));
        // A control or an increment alone is no time.
        for text in ["winc 9", "winc 9 binc 9", "binc 9", "ponder movestogo 5"] {
            let [white, black] = [Side::White, Side::Black].map(|side| budget(text, side));
            assert!(white.unwrap_err().to_string().contains("no 'wtime'"));
            assert!(black.unwrap_err().to_string().contains("no 'btime'"));
        }
        for text in ["winc 0 binc 0", "movestogo 0", "winc 9 nodes 5"] {
            assert_eq!(budget(text, Side::White), Ok(None), "{text}");
        }
        assert_eq!(budget("wtime 60000 depth 3", Side::Black), Ok(None));
        // Beside a clock, `movetime` is the most that a move takes, and the clock is minded.
        let fixed = budget("movetime 50", Side::White).unwrap().unwrap();
        let both = budget("movetime 50 wtime 60000 btime 10", Side::White);
        assert_eq!(both.unwrap().unwrap().hard, fixed.hard);
        let both = budget("movetime 50 wtime 60000 btime 10", Side::Black);
        assert!(both.unwrap().unwrap().hard < Duration::from_millis(10));
        assert_eq!(
            budget("movetime 50 wtime 60000", Side::Black),
            Ok(Some(fixed))
        );
        assert_eq!(budget("movetime 50 infinite", Side::Black), Ok(None));
        // The greatest and the least numbers leave the clock in order.
        for text in [
            "wtime 9223372036854775807 winc 9223372036854775807",
            "wtime -1",
        ] {
            let budget = budget(text, Side::White).unwrap().unwrap();
            assert!(std::time::Instant::now().checked_add(budget.hard).is_some());
        }
    }

    #[test]
    fn without_a_limit_a_search_is_endless() {
        for (text, endless) in [
            ("infinite depth 3", true),
            ("ponder", true),
            ("searchmoves e4e5", true),
            ("depth 3", false),
            ("mate 3", false),
            ("nodes 0", false),
            ("movetime 1", false),
            ("ponder wtime 1 btime 1", false),
        ] {
            assert_eq!(parse(text).unwrap().is_endless(), endless, "{text}");
        }
    }
}
