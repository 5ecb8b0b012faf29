//! Mop-up: how to drive a bare king to where he can be mated, to which the ordinary terms are blind.

use hexmate_movegen::{Bits, Game, KING, PAWN, Position, Side};

use super::model::Handmade;
use crate::score::{MATE_IN_MAX, Score, score_of_quarters};

/// What becomes of the sum of weights against a bare king, from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MopUp {
    /// Nothing: neither king is bare, or both are.
    #[default]
    None,
    /// This is added.
    Adds(Score),
    /// This takes its place.
    Replaces(Score),
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
    pub(super) fn mop_up(&self, position: &Position<G>) -> MopUp {
        const BARE: Score = 1000;
        const EDGE: Score = 80;
        const KINGS: Score = 12;
        const ROOM: Score = 5;
        let bare = Side::BOTH.map(|side| position.side(side).count() == 1);
        if bare[0] == bare[1] {
            return MopUp::None;
        }
        let (side, sign) = if bare[0] {
            (Side::White, -1)
        } else {
            (Side::Black, 1)
        };
        let king = position.king(side);
        let inside = Score::from(self.geometry.inside[usize::from(king)]);
        let apart = self.geometry.king_moves(king, position.king(side.other())) as Score;
        let room = self.room(position, side).count() as Score;
        let driven = EDGE * inside + KINGS * apart + ROOM * room;
        if self.cannot_mate(position, side.other()) {
            let most = -score_of_quarters(G::SPEC.stalemate_quarters);
            return MopUp::Replaces(sign * (most / 2 - driven / 32));
        }
        let pawns = position.pieces(PAWN, side.other());
        if position.side(side.other()).count() == pawns.count() + 1 {
            // First one of them has to get through.
            return MopUp::None;
        }
        MopUp::Adds(sign * (BARE - driven).max(0))
    }

    /// The cells that a bare king can get to if the other side only passes.
    fn room(&self, position: &Position<G>, side: Side) -> G::Bits {
        let tables = G::tables();
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

    /// A lone piece that sees little farther than a king does: no mate can be forced with it. True on the
    /// board of files, where the tables of three men say so; a good guess elsewhere.
    fn cannot_mate(&self, position: &Position<G>, side: Side) -> bool {
        let own = position.side(side) & !position.kind(KING);
        let lone = position.piece_on(own.first()).filter(|_| own.count() == 1);
        lone.is_some_and(|piece| self.short_sighted[usize::from(piece.kind)])
    }
}
