//! Static evaluation: material, mobility, pawns' progress, the king's shelter.
//!
//! Nothing here names a game: the worth of a piece is derived from how far it sees on a half-empty
//! board of its own game.

use hexmate_movegen::{Bits, Cell, Game, KING, Kind, PAWN, Position, Side};

use crate::score::{MATE_IN_MAX, Score};

/// A pawn, the unit of all values.
const PAWN_VALUE: Score = 100;
/// The worth of a piece for each cell that it sees on a board three tenths full.
const VALUE_OF_SIGHT: f64 = 35.0;
/// For each cell that a piece attacks and its own side does not hold.
const MOBILITY: Score = 4;
/// For a pawn one step from promotion; shared out by the number of steps.
const PROMOTION_NEAR: Score = 100;
/// For each own piece beside the king.
const SHELTER: Score = 5;
/// For being on move.
const TEMPO: Score = 10;

/// The values of one game, built once.
#[derive(Clone, Debug)]
pub struct Evaluator<G: Game> {
    values: Vec<Score>,
    /// For each side and cell, the bonus of a pawn there.
    progress: [Vec<Score>; 2],
    game: std::marker::PhantomData<G>,
}

impl<G: Game> Default for Evaluator<G> {
    fn default() -> Self {
        let kinds = 0..G::SPEC.pieces.len() as Kind;
        let white = progress::<G>();
        let mirrored = &G::tables().mirrored;
        let black = (0..white.len()).map(|c| white[usize::from(mirrored[c])]);
        Evaluator {
            values: kinds.map(value_of::<G>).collect(),
            progress: [white.clone(), black.collect()],
            game: std::marker::PhantomData,
        }
    }
}

impl<G: Game> Evaluator<G> {
    /// The worth of a kind in centipawns; the king has none.
    #[inline(always)]
    pub fn value(&self, kind: Kind) -> Score {
        self.values[usize::from(kind)]
    }

    /// The position in centipawns from the side to move.
    pub fn evaluate(&self, position: &Position<G>) -> Score {
        let us = position.side_to_move();
        let score = self.side(position, us) - self.side(position, us.other()) + TEMPO;
        score.clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    fn side(&self, position: &Position<G>, side: Side) -> Score {
        let tables = G::tables();
        let own = position.side(side);
        let occupied = position.occupied();
        let mut score = 0;
        for cell in position.pieces(PAWN, side).cells() {
            score += PAWN_VALUE + self.progress[side as usize][usize::from(cell)];
        }
        let around = tables.attacks(KING, position.king(side), occupied);
        score += SHELTER * (around & own).count() as Score;
        for kind in 2..G::SPEC.pieces.len() as Kind {
            let value = self.value(kind);
            for cell in position.pieces(kind, side).cells() {
                let seen = tables.attacks(kind, cell, occupied) & !own;
                score += value + MOBILITY * seen.count() as Score;
            }
        }
        score
    }
}

/// How far a kind sees on average, over all its cells and boards three tenths full, times a factor.
fn value_of<G: Game>(kind: Kind) -> Score {
    const BOARDS: u64 = 16;
    match kind {
        PAWN => return PAWN_VALUE,
        KING => return 0,
        _ => {}
    }
    let tables = G::tables();
    let mut state = 0x243f_6a88_85a3_08d3_u64;
    let mut next = move || {
        // Xorshift (Marsaglia 2003): any spread of blockers will do.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut seen, mut places) = (0u64, 0u64);
    for _ in 0..BOARDS {
        let mut occupied = G::Bits::EMPTY;
        for &cell in tables.board.cells() {
            if next() % 10 < 3 {
                occupied |= G::Bits::of(cell);
            }
        }
        for cell in tables.stands_on[usize::from(kind)].cells() {
            seen += u64::from(tables.attacks(kind, cell, occupied).count());
            places += 1;
        }
    }
    (VALUE_OF_SIGHT * seen as f64 / places as f64).round() as Score
}

/// For each cell, what a white pawn there gains by its nearness to promotion.
fn progress<G: Game>() -> Vec<Score> {
    let board = &G::tables().board;
    let mut out = vec![0; G::Bits::SIZE];
    for &cell in board.cells() {
        let distance = steps_to_promotion::<G>(cell);
        if distance > 0 {
            out[usize::from(cell)] = PROMOTION_NEAR / distance;
        }
    }
    out
}

/// The steps of a white pawn to the nearest cell where it has none left.
fn steps_to_promotion<G: Game>(cell: Cell) -> Score {
    let board = &G::tables().board;
    let steps = G::SPEC.pawn.steps.iter();
    let next = steps.filter_map(|&s| board.step(cell, s));
    next.map(|c| 1 + steps_to_promotion::<G>(c))
        .min()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Piece, Setup};

    /// The same position seen from the other side.
    fn mirrored<G: Game>(position: &Position<G>) -> Position<G> {
        let tables = G::tables();
        let mut setup = Setup::<G>::default();
        setup.side = position.side_to_move().other();
        for cell in position.occupied().cells() {
            let piece = position.piece_on(cell).map(|p| Piece {
                kind: G::SPEC.mirrored_kind(p.kind),
                side: p.side.other(),
            });
            setup.set(tables.mirrored[usize::from(cell)], piece);
        }
        setup.build().unwrap()
    }

    fn symmetric<G: Game>() {
        let evaluator = Evaluator::<G>::default();
        let mut position = Position::<G>::start();
        for ply in 0..120 {
            let other = mirrored(&position);
            // Kinds that exchange their roles are valued by samples of cells: allow for the spread.
            let slack = if G::SPEC.mirror.exchanges.is_empty() {
                0
            } else {
                60
            };
            let difference = evaluator.evaluate(&position) - evaluator.evaluate(&other);
            assert!(difference.abs() <= slack, "{difference} in {position}");
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[ply * 7 % moves.len()]);
        }
    }

    #[test]
    fn both_sides_are_judged_alike() {
        symmetric::<Glinski>();
        symmetric::<Hexachess>();
        symmetric::<Mccooey>();
        symmetric::<Chromatic3>();
        symmetric::<Chromatic4>();
    }

    #[test]
    fn pieces_are_worth_what_players_expect() {
        let e = Evaluator::<Glinski>::default();
        let value = |letter| e.value(Glinski::SPEC.kind_of_letter(letter).unwrap());
        assert!(value(b'N') < value(b'R') && value(b'B') < value(b'R'));
        assert!(value(b'R') < value(b'Q') && value(b'P') < value(b'N'));
    }
}
