//! A problem: a position in which exactly one move mates in a number of moves, and what it shows.

use std::collections::HashSet;
use std::fmt;

use clap::ValueEnum;
use hexmate_movegen::spec::{Step, neg};
use hexmate_movegen::{Bits, BuiltIn, Move, PAWN, Position, Side, Unchecked};

use crate::solver::{Solver, is_checkmate};

/// Xorshift (Marsaglia 2003).
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }

    /// Any of these.
    pub fn any<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The steps of a side's pawns.
pub fn steps<G: BuiltIn>(side: Side) -> impl Iterator<Item = Step> {
    let steps = G::SPEC.pawn.steps.iter();
    steps.map(move |&step| if side == Side::White { step } else { neg(step) })
}

/// What a key can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Theme {
    /// No check, no capture, no promotion.
    Quiet,
    /// The piece moved can be taken, or it leaves check to be given later.
    Sacrifice,
    /// A pawn becomes a piece.
    Promotion,
    /// A pawn becomes something else than the strongest piece.
    Underpromotion,
    /// A pawn takes another in passing.
    EnPassant,
    /// A pawn makes a double step.
    DoubleStep,
    /// The king moves.
    King,
}

/// A position with one key.
pub struct Problem<G: BuiltIn> {
    pub position: Position<G>,
    pub moves: u32,
    pub key: Move,
    /// The different moves by which the replies to the key are answered, where there is only one.
    continuations: usize,
    replies: usize,
}

impl<G: BuiltIn> Problem<G> {
    /// The position as a problem, if exactly one move mates in `moves` and none faster.
    pub fn new(position: Position<G>, moves: u32) -> Option<Self> {
        let mut solver = Solver::default();
        if position.halfmove_clock() > 0 || solver.mates(&position, moves - 1) {
            return None;
        }
        let keys = solver.keys(&position, moves);
        let &[key] = keys.as_slice() else {
            return None;
        };
        let mut next = position;
        next.play_unchecked(key);
        let replies = next.legal_moves();
        let mut answers = HashSet::new();
        if moves > 1 {
            for &reply in &replies {
                let mut answered = next;
                answered.play_unchecked(reply);
                if let &[only] = solver.keys(&answered, moves - 1).as_slice() {
                    answers.insert(only);
                }
            }
        }
        Some(Problem {
            position,
            moves,
            key,
            continuations: answers.len(),
            replies: replies.len(),
        })
    }

    /// Whether the key is of this kind.
    pub fn shows(&self, theme: Theme) -> bool {
        let (p, mv) = (&self.position, self.key);
        let mut next = *p;
        next.play_unchecked(mv);
        let pawn = p.kind(PAWN).has(mv.from);
        let captures = p.occupied().has(mv.to);
        let strongest = G::SPEC.kind_of_letter(b'Q');
        match theme {
            Theme::Quiet => !captures && !next.in_check() && mv.promotion().is_none(),
            Theme::Sacrifice => {
                !captures
                    && !is_checkmate(&next)
                    && next.legal_moves().iter().any(|m| m.to == mv.to)
            }
            Theme::Promotion => mv.promotion().is_some(),
            Theme::Underpromotion => mv.promotion().is_some() && mv.promotion() != strongest,
            Theme::EnPassant => pawn && !captures && p.occupied().count() > next.occupied().count(),
            Theme::DoubleStep => {
                let board = &G::GAME.tables().board;
                let mut near = steps::<G>(p.side_to_move());
                pawn && !captures
                    && !p.attackers(mv.to, p.side_to_move()).has(mv.from)
                    && near.all(|step| board.step(mv.from, step) != Some(mv.to))
            }
            Theme::King => p.king(p.side_to_move()) == mv.from,
        }
    }

    /// How good it is: quiet keys, sacrifices, rare moves, many variations, few pieces.
    pub fn merit(&self) -> i32 {
        let weight = |theme| match theme {
            Theme::Quiet | Theme::Sacrifice => 40,
            Theme::Promotion | Theme::DoubleStep | Theme::King => 30,
            Theme::Underpromotion | Theme::EnPassant => 80,
        };
        let themes = Theme::value_variants().iter();
        let shown: i32 = themes.filter(|&&t| self.shows(t)).map(|&t| weight(t)).sum();
        let variations = 25 * self.continuations.min(6) as i32 + self.replies.min(12) as i32;
        shown + variations - 3 * self.position.occupied().count() as i32
    }
}

impl<G: BuiltIn> fmt::Display for Problem<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, key) = (G::SPEC.name, self.key.text(G::GAME));
        write!(
            f,
            "{} ; {game} ; mate {} ; key {key}",
            self.position, self.moves
        )?;
        let shown = Theme::value_variants().iter().filter(|&&t| self.shows(t));
        let shown: Vec<_> = shown.map(|t| format!("{t:?}")).collect();
        let (merit, lines) = (self.merit(), self.continuations);
        write!(f, " # {merit} {lines} lines, {}", shown.join(" "))
    }
}
