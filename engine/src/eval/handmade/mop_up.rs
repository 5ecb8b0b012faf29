//! Mop-up: how to drive a bare king to where he can be mated, to which the ordinary terms are blind; and what material
//! is worth that cannot mate.

use hexmate_movegen::{Bits, Game, KING, PAWN, Position, Side};

use super::drive::Refuge;
use super::model::Handmade;
use crate::score::{MATE_IN_MAX, Score, score_of_quarters};

/// What becomes of the sum of weights, from White's side, where there is a bare king or too little to mate with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MopUp {
    /// Nothing.
    #[default]
    None,
    /// This is added.
    Adds(Score),
    /// This takes its place.
    Replaces(Score),
    /// Of these sides an advantage counts next to nothing, for they could not even mate a bare king.
    Damps([bool; 2]),
}

impl MopUp {
    /// The name in explanations.
    pub(super) const NAME: &str = "mop-up";

    /// The evaluation where the weights come to `sum`.
    #[inline(always)]
    pub fn applied_to(self, sum: Score) -> Score {
        match self {
            MopUp::None => sum,
            MopUp::Adds(more) => sum + more,
            MopUp::Replaces(score) => score,
            MopUp::Damps([white, _]) if sum > 0 && white => sum / 8,
            MopUp::Damps([_, black]) if sum < 0 && black => sum / 8,
            MopUp::Damps(_) => sum,
        }
    }
}

impl<G: Game> Handmade<G> {
    /// From White's side, with what is not a sum of weights.
    #[inline(always)]
    pub(super) fn final_score(&self, position: &Position<G>, sum: Score) -> Score {
        let score = self.mop_up(position).applied_to(sum);
        score.clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    /// Against a bare king there is one plan: little room for him, the edge, the own king near. A side
    /// that cannot mate plays for what a stalemate is worth.
    pub(in crate::eval) fn mop_up(&self, position: &Position<G>) -> MopUp {
        if !has_few(position.side(Side::White)) && !has_few(position.side(Side::Black)) {
            return MopUp::None;
        }
        let bare = Side::each(|side| position.side(side).count() == 1);
        if bare[0] == bare[1] {
            let hopeless =
                |side| has_few(position.side(side)) && self.no_mate.holds(position, side);
            return match Side::each(hopeless) {
                [false, false] => MopUp::None,
                sides => MopUp::Damps(sides),
            };
        }
        let (side, sign) = if bare[0] {
            (Side::White, -1)
        } else {
            (Side::Black, 1)
        };
        let king = position.king(side);
        let hunters = position.side(side.other()) & !position.kind(KING);
        let away = |cell| self.geometry.king_moves(king, cell) as Score;
        let refuge = Refuge {
            inside: Score::from(self.geometry.inside[usize::from(king)]),
            apart: away(position.king(side.other())),
            away: hunters.cells().map(away).sum(),
            room: self.room(position, side).count() as Score,
        };
        let place = refuge.worth();
        if self.no_mate.holds(position, side.other()) {
            let most = -score_of_quarters(position.spec().stalemate_quarters);
            return MopUp::Replaces(sign * (most / 2 - place / 32));
        }
        let pawns = position.pieces(PAWN, side.other());
        if position.side(side.other()).count() == pawns.count() + 1 {
            // First one of them has to get through.
            return MopUp::None;
        }
        MopUp::Adds(sign * (self.bare_king - place).max(0))
    }

    /// The cells that a bare king can get to if the other side only passes.
    fn room(&self, position: &Position<G>, side: Side) -> G::Bits {
        let tables = position.tables();
        let king = G::Bits::of(position.king(side));
        let hunters = position.side(side.other());
        // The king does not hide the cells behind him.
        let occupied = position.occupied() & !king;
        let mut barred = G::Bits::EMPTY;
        for cell in hunters.cells() {
            if let Some(piece) = position.piece_on(cell) {
                barred |= tables.attacks_of(piece, cell, occupied);
            }
        }
        let (mut room, mut new) = (king, king);
        while new.any() {
            let steps = new.cells().fold(G::Bits::EMPTY, |steps, cell| {
                steps | tables.attacks(KING, cell, occupied)
            });
            new = steps & !barred & !room;
            room |= new;
        }
        room
    }
}

/// Whether a side has at most three men: with more it is neither bare nor without hope.
#[inline(always)]
fn has_few<B: Bits>(men: B) -> bool {
    !(men.without_first().without_first().without_first()).any()
}
