//! The scores of a position's quiet moves: what the search has learnt of them, and what is known before any search:
//! where a piece stands better, what a pawn would take, what gives check.
//!
//! But for one counter all of it depends only on the kind that moves and on the cells that it leaves and enters. So it is
//! worked out for all cells of a kind at once, several abreast in vectors, and looked up for each move.

use hexmate_movegen::{Bits, Game, KING, Kind, Move, Observer, PAWN, Position, Sight};

use crate::eval::Standing;
use crate::history::{History, Rows, kind_of};
use crate::params::Params;

/// So many cells are worked out abreast: the numbers of 16 bits that 256 bits hold.
const ABREAST: usize = 16;

/// Room for what is worked out for one position, kept from position to position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boards {
    /// For each kind and cell half of what entering it scores; the last bit tells whether it gives check.
    entering: Vec<i16>,
    /// For each cell half of what entering it costs a piece because a pawn attacks it.
    costs: Vec<i16>,
}

/// Scores the quiet moves of one position on the scale of the history counters. It is compiled for each backend.
pub(crate) struct QuietScores<'a, G: Game, F> {
    pub position: &'a Position<G>,
    pub params: &'a Params,
    pub history: &'a History<G>,
    /// Where the counters are.
    pub rows: &'a Rows<G>,
    pub standing: Option<Standing<'a>>,
    /// For each kind the cells from which it gives check.
    pub checks: &'a G::PerKind,
    pub moves: &'a [Move],
    pub boards: &'a mut Boards,
    /// Takes the score of each move and whether it gives check.
    pub give: F,
}

impl<G: Game, F: FnMut(Move, i32, bool)> Observer<G> for QuietScores<'_, G, F> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<G>>(mut self, sight: S) {
        let them = self.position.side_to_move().other();
        let barred = sight.pawn_attacks(them, self.position.pieces(PAWN, them));
        self.prepare(barred);
        let position = self.position;
        let kinds = (self.moves.iter()).fold(0u32, |kinds, &mv| kinds | 1 << kind_of(position, mv));
        for kind in 0..self.position.spec().pieces.len() as Kind {
            if kinds >> kind & 1 != 0 {
                self.fill(kind, barred);
            }
        }
        // One loop over all moves, without a branch: how many one piece has cannot be foreseen.
        let size = G::Bits::SIZE;
        // Exactly as much as entering it would gain.
        let standing = 2 * i32::from(half(self.params.order_standing));
        let attacked = self.rows.attacked(self.position);
        for &mv in self.moves {
            let (from, to) = (usize::from(mv.from), usize::from(mv.to) % size);
            let kind = kind_of(position, mv);
            let entering = i32::from(self.boards.entering[usize::from(kind) * size + to]);
            let escapes = i32::from(barred.has(mv.from)) & i32::from(kind != PAWN);
            let stands = match self.standing {
                Some(Standing { places }) => places[usize::from(kind) * size + from].into(),
                None => 0,
            };
            let score = 2 * entering + escapes * self.params.order_threat - stands * standing
                + self.history.butterfly(self.rows, attacked, mv);
            (self.give)(mv, score, entering & 1 != 0);
        }
    }
}

impl<G: Game, F> QuietScores<'_, G, F> {
    #[inline(always)]
    fn prepare(&mut self, barred: G::Bits) {
        let Boards { entering, costs } = &mut *self.boards;
        entering.resize(self.position.spec().pieces.len() * G::Bits::SIZE, 0);
        costs.clear();
        costs.resize(G::Bits::SIZE, 0);
        for cell in barred.cells() {
            costs[usize::from(cell)] = half(self.params.order_threat);
        }
    }

    /// Works out what entering each cell scores for a kind.
    #[inline(always)]
    fn fill(&mut self, kind: Kind, barred: G::Bits) {
        let Boards { entering, costs } = &mut *self.boards;
        let entering = &mut entering[usize::from(kind) * G::Bits::SIZE..][..G::Bits::SIZE];
        let [one, two, four] = self.history.continuations(self.rows, kind);
        let (one, two, four) = (lanes_of(one), lanes_of(two), lanes_of(four));
        let places = self
            .standing
            .map(|standing| lanes_of(row::<G, _>(standing.places, kind)));
        let gain = half(self.params.order_standing);
        let costs = lanes_of(costs);
        for (block, lanes) in entering.as_chunks_mut().0.iter_mut().enumerate() {
            // In memory of its own, so that it is seen that nothing read is written meanwhile.
            let mut sums = [0i16; ABREAST];
            // Half a counter is at most 2^13: the three do not leave the 16 bits, the rest might. What cannot overflow
            // is not checked, or builds with overflow checks would have no vectors here.
            add(&mut sums, &one[block], |counter| counter >> 1);
            add(&mut sums, &two[block], |counter| counter >> 1);
            add(&mut sums, &four[block], |counter| counter >> 1);
            if let Some(places) = places {
                add(&mut sums, &places[block], |place| place.wrapping_mul(gain));
            }
            if kind != PAWN {
                add(&mut sums, &costs[block], i16::wrapping_neg);
            }
            for sum in &mut sums {
                *sum &= !1;
            }
            *lanes = sums;
        }
        let check = half(self.params.order_check);
        for cell in self.checks.as_ref()[usize::from(kind)].cells() {
            let entering = &mut entering[usize::from(cell) % G::Bits::SIZE];
            let safe = i16::from(!barred.has(cell));
            *entering = entering.saturating_add(safe * check) | 1;
        }
    }
}

/// For each kind, the cells from which it would give check by itself. Pieces see what sees them, so these
/// are what the kind would attack from the king's cell.
pub(crate) fn check_cells<G: Game>(position: &Position<G>) -> G::PerKind {
    let tables = position.tables();
    let them = position.side_to_move().other();
    let king = position.king(them);
    let occupied = position.occupied();
    let mut cells = tables.attacks_of_kinds(king, occupied);
    cells.as_mut()[usize::from(PAWN)] = tables.pawns_attacking(them.other(), king);
    cells.as_mut()[usize::from(KING)] = G::Bits::EMPTY;
    cells
}

/// Half of a parameter that is small enough.
#[inline(always)]
fn half(param: i32) -> i16 {
    (param / 2) as i16
}

/// The row of a kind.
#[inline(always)]
fn row<G: Game, T>(rows: &[T], kind: Kind) -> &[T] {
    &rows[usize::from(kind) * G::Bits::SIZE..][..G::Bits::SIZE]
}

#[inline(always)]
fn add(sums: &mut [i16; ABREAST], values: &[i16; ABREAST], of: impl Fn(i16) -> i16) {
    for (sum, &value) in sums.iter_mut().zip(values) {
        *sum = sum.saturating_add(of(value));
    }
}

#[inline(always)]
fn lanes_of(values: &[i16]) -> &[[i16; ABREAST]] {
    values.as_chunks().0
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{BuiltIn, Simd, for_each_game, observe};

    use super::*;
    use crate::eval::{Evaluation, Handmade};
    use crate::history::Context;
    use crate::see::is_quiet;

    /// Scores moves in one backend.
    fn scores<G: Game>(
        simd: Simd,
        position: &Position<G>,
        history: &History<G>,
        rows: &Rows<G>,
        moves: &[Move],
    ) -> Vec<(i32, bool)> {
        let handmade = Handmade::of(position.game());
        let checks = check_cells(position);
        let mut found = Vec::new();
        let scores = QuietScores {
            position,
            params: &Params::default(),
            history,
            rows,
            standing: Evaluation::standing(&handmade, position),
            checks: &checks,
            moves,
            boards: &mut Boards::default(),
            give: |_, score, check| found.push((score, check)),
        };
        observe(position.game(), simd, scores);
        found
    }

    fn agree<G: BuiltIn>() {
        let mut position = Position::<G>::start();
        let mut history = History::new(G::GAME);
        let (mut contexts, mut plies) = ([None; 3], 0);
        for ply in 0..60 {
            let mut moves = position.legal_moves();
            moves.retain(|&mv| is_quiet(&position, mv));
            let Some(&mv) = moves.get(ply * 11 % moves.len().max(1)) else {
                break;
            };
            let rows = history.rows(position.side_to_move(), contexts);
            let before = scores(Simd::Portable, &position, &history, &rows, &moves);
            for simd in Simd::available() {
                let found = scores(simd, &position, &history, &rows, &moves);
                assert_eq!(found, before, "{simd}: {position}");
            }
            for (&mv, &(_, check)) in moves.iter().zip(&before) {
                let mut next = position;
                next.play(mv).unwrap();
                let us = position.side_to_move();
                let attackers = next.attackers_through(next.king(us.other()), us, next.occupied());
                assert_eq!(
                    check,
                    attackers.has(mv.to),
                    "{}: {position}",
                    mv.text(G::GAME)
                );
            }
            // What is learnt of one move is added to its score, up to what halving loses.
            let bonus = if ply % 2 == 0 { 3000 } else { -3000 };
            let learnt = history.quiet(&position, mv, &rows);
            history.nudge_quiet(&position, mv, &contexts, &rows, bonus);
            let learnt = history.quiet(&position, mv, &rows) - learnt;
            let after = scores(Simd::Portable, &position, &history, &rows, &moves);
            let place = moves.iter().position(|&other| other == mv).unwrap();
            let gained = after[place].0 - before[place].0;
            assert!((gained - learnt).abs() <= 8, "{gained} for {learnt}");
            assert_eq!(learnt.signum(), bonus.signum());
            contexts.rotate_right(1);
            contexts[0] = Some(Context::of(&position, mv));
            position.play(mv).unwrap();
            plies += 1;
        }
        assert_eq!(plies, 60, "the game was over too soon");
    }

    #[test]
    fn all_backends_score_alike_and_by_what_was_learnt() {
        for_each_game!(G => agree::<G>());
    }
}
