//! How strongly the engine plays against a person. docs/board.md says why it is done in this way.
//!
//! A weak player is not one that makes random moves: it plays for something, sees what lies near, and overlooks the
//! rest. So at a low level the engine looks only at some of the legal moves, captures rather than quiet ones, often
//! forgets that there is an answer to them, looks no further than some plies, and judges a little wrongly. Each level
//! up notices more, looks further, and judges better; the highest is the engine itself.

use hexmate_movegen::{AnyPosition, Move};
use serde_json::{Value, json};

use crate::random::SplitMix64;

/// How strongly to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// From 1.
    pub level: u64,
    /// What it is called.
    pub name: &'static str,
    /// What it does, for people.
    pub words: &'static str,
    /// The chance that a quiet move is looked at, in per cent.
    quiet: u64,
    /// The same for captures, promotions and checks.
    loud: u64,
    /// Plies that are looked ahead; `None`: as far as the other limits allow.
    pub depth: Option<u32>,
    /// Positions that may be looked at; `None`: the clock decides.
    pub nodes: Option<u64>,
    /// The chance that the answer to a move is overlooked, in per cent.
    blind: u64,
    /// How wrongly moves are judged: the standard deviation in centipawns.
    blur: f64,
}

/// Beyond this, in centipawns, a move wins or loses all the same.
const CLEAR: i32 = 1500;

/// All levels.
pub const LEVELS: [Level; 10] = [
    Level {
        quiet: 22,
        loud: 78,
        blind: 76,
        depth: Some(1),
        nodes: Some(20_000),
        blur: 300.0,
        ..level(
            1,
            "Newcomer",
            "knows how the pieces move, takes what can be taken, and rarely looks at the answer",
        )
    },
    Level {
        quiet: 36,
        loud: 85,
        blind: 45,
        depth: Some(1),
        nodes: Some(20_000),
        blur: 195.0,
        ..level(
            2,
            "Beginner",
            "takes what hangs, and often leaves something hanging",
        )
    },
    Level {
        quiet: 47,
        loud: 88,
        blind: 29,
        depth: Some(1),
        nodes: Some(20_000),
        blur: 148.0,
        ..level(
            3,
            "Learner",
            "sees half of its moves, and the answer to two of three",
        )
    },
    Level {
        quiet: 54,
        loud: 90,
        blind: 23,
        depth: Some(2),
        nodes: Some(40_000),
        blur: 132.0,
        ..level(4, "Casual", "looks a move ahead, with gaps")
    },
    Level {
        quiet: 61,
        loud: 92,
        blind: 17,
        depth: Some(2),
        nodes: Some(40_000),
        blur: 110.0,
        ..level(5, "Friend", "seldom leaves a piece to be taken")
    },
    Level {
        quiet: 70,
        loud: 94,
        blind: 11,
        depth: Some(2),
        nodes: Some(60_000),
        blur: 85.0,
        ..level(6, "Club", "sees short tactics, and errs in quiet positions")
    },
    Level {
        quiet: 79,
        loud: 96,
        blind: 6,
        depth: Some(3),
        nodes: Some(100_000),
        blur: 62.0,
        ..level(7, "Strong club", "looks further, and overlooks little")
    },
    Level {
        quiet: 88,
        loud: 97,
        blind: 3,
        depth: Some(4),
        nodes: Some(200_000),
        blur: 42.0,
        ..level(8, "Expert", "looks at nearly everything, four plies deep")
    },
    Level {
        nodes: Some(400_000),
        ..level(
            9,
            "Engine, a moment",
            "the engine, for a fraction of a second",
        )
    },
    level(10, "Engine", "the engine with all its time"),
];

/// The engine itself, under a name.
const fn level(level: u64, name: &'static str, words: &'static str) -> Level {
    Level {
        level,
        name,
        words,
        quiet: 100,
        loud: 100,
        blind: 0,
        depth: None,
        nodes: None,
        blur: 0.0,
    }
}

impl Level {
    /// The level of a number.
    pub fn of(number: u64) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.level == number)
    }

    /// As `/api/hello` lists it.
    pub fn object(&self) -> Value {
        json!({"level": self.level, "name": self.name, "words": self.words})
    }

    /// Whether it plays the best move that it finds.
    pub fn is_exact(&self) -> bool {
        self.blur == 0.0
    }

    /// The moves that it looks at, at least one; empty: all of them.
    pub fn noticed(&self, position: &AnyPosition, random: &mut SplitMix64) -> Vec<Move> {
        if self.quiet >= 100 {
            return Vec::new();
        }
        let mut legal = position.legal_moves();
        legal.sort_unstable();
        let in_check = position.in_check();
        let loud = |mv: Move| {
            position.is_capture(mv)
                || mv.promotion().is_some()
                || in_check
                || position.after(mv).in_check()
        };
        let noticed = |&mv: &Move| {
            let chance = if loud(mv) { self.loud } else { self.quiet };
            (random.below(100) as u64) < chance
        };
        let seen: Vec<Move> = legal.iter().copied().filter(noticed).collect();
        if seen.is_empty() && !legal.is_empty() {
            return vec![legal[random.below(legal.len())]];
        }
        seen
    }

    /// The move that it likes best, given the moves that it looked at and their scores, and what it thinks of a move
    /// whose answer it overlooks.
    pub fn choose(
        &self,
        scored: &[(Move, i32)],
        unanswered: impl Fn(Move) -> i32,
        random: &mut SplitMix64,
    ) -> Option<Move> {
        let mut liked = Vec::with_capacity(scored.len());
        for &(mv, score) in scored {
            let is_blind = (random.below(100) as u64) < self.blind;
            // Mate on the spot is seen by everybody.
            let score = match is_blind && score < CLEAR {
                true => unanswered(mv),
                false => score,
            };
            let score = f64::from(score.clamp(-CLEAR, CLEAR));
            liked.push((mv, score + self.blur * normal(random)));
        }
        let best = liked.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(mv, _)| mv)
    }
}

/// A number of the standard normal distribution, nearly: the sum of twelve uniform ones.
fn normal(random: &mut SplitMix64) -> f64 {
    let uniform = |random: &mut SplitMix64| (random.next() >> 11) as f64 / (1u64 << 53) as f64;
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::GameId;

    #[test]
    fn levels_are_in_order() {
        for (i, level) in LEVELS.iter().enumerate() {
            assert_eq!(level.level, i as u64 + 1);
        }
        for pair in LEVELS.windows(2) {
            assert!(pair[0].quiet <= pair[1].quiet && pair[0].loud <= pair[1].loud);
            assert!(pair[0].blur >= pair[1].blur && pair[0].blind >= pair[1].blind);
        }
        assert!(Level::of(0).is_none() && Level::of(11).is_none());
    }

    #[test]
    fn low_levels_overlook_moves_but_always_have_one() {
        let start = AnyPosition::start(GameId::Glinski);
        let mut random = SplitMix64::new(1);
        let seen: Vec<usize> = (0..200)
            .map(|_| LEVELS[0].noticed(&start, &mut random).len())
            .collect();
        let mean = seen.iter().sum::<usize>() as f64 / 200.0;
        assert!((10.0..16.0).contains(&mean), "{mean} of 51 quiet moves");
        assert!(seen.iter().all(|&n| n > 0));
        assert!(LEVELS[9].noticed(&start, &mut random).is_empty());
    }

    #[test]
    fn the_best_move_is_chosen_more_often_at_higher_levels() {
        let start = AnyPosition::start(GameId::Glinski);
        let legal = start.legal_moves();
        let scored: Vec<(Move, i32)> = legal
            .iter()
            .take(10)
            .zip(0..)
            .map(|(&mv, i)| (mv, -25 * i))
            .collect();
        let mut random = SplitMix64::new(7);
        let mut best = |level: &Level| {
            let chosen =
                (0..500).filter(|_| level.choose(&scored, |_| 0, &mut random) == Some(scored[0].0));
            chosen.count()
        };
        let counts = [
            best(&LEVELS[0]),
            best(&LEVELS[3]),
            best(&LEVELS[6]),
            best(&LEVELS[9]),
        ];
        assert!(
            counts.windows(2).all(|pair| pair[0] < pair[1]),
            "{counts:?}"
        );
        assert_eq!(counts[3], 500);
    }

    /// What stands to be taken a newcomer takes, protected or not; at higher levels the answer is seen.
    #[test]
    fn answers_are_overlooked_at_low_levels() {
        let start = AnyPosition::start(GameId::Glinski);
        let legal = start.legal_moves();
        // The first wins a queen for nothing, the second loses one that seems to win a rook, the third does neither.
        let scored = [(legal[0], 900), (legal[1], -400), (legal[2], 0)];
        let seems = |mv| if mv == legal[1] { 500 } else { 0 };
        let mut random = SplitMix64::new(11);
        let mut of = |level: &Level, scored: &[(Move, i32)], wanted: Move| {
            let chosen =
                (0..1000).filter(|_| level.choose(scored, seems, &mut random) == Some(wanted));
            chosen.count()
        };
        let falls = |level: usize| of(&LEVELS[level], &scored[1..], legal[1]);
        let fallen: Vec<usize> = (0..8).map(falls).collect();
        assert!(
            fallen.windows(2).all(|pair| pair[0] >= pair[1]),
            "{fallen:?}"
        );
        assert!(fallen[0] > 350 && fallen[7] < 40, "{fallen:?}");
    }

    #[test]
    fn normal_numbers() {
        let mut random = SplitMix64::new(3);
        let numbers: Vec<f64> = (0..4000).map(|_| normal(&mut random)).collect();
        let mean = numbers.iter().sum::<f64>() / 4000.0;
        let variance = numbers.iter().map(|n| n * n).sum::<f64>() / 4000.0;
        assert!(
            mean.abs() < 0.1 && (0.9..1.1).contains(&variance),
            "{mean} {variance}"
        );
    }
}
