//! The hunt for a bare king: what the ordinary terms are blind to.

use hexmate_movegen::{Bits, Game, KING, PAWN, Position, Side};

use super::Evaluator;
use crate::score::{Score, score_of_quarters};

/// What becomes of the sum of weights where a bare king is hunted, from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Hunt {
    /// Nothing: no king is hunted.
    #[default]
    None,
    /// This is added.
    Adds(Score),
    /// This takes its place.
    Replaces(Score),
}

impl Hunt {
    /// The name in explanations.
    pub(super) const NAME: &str = "hunt";

    /// The evaluation where the weights come to `sum`.
    #[inline(always)]
    pub fn applied_to(self, sum: Score) -> Score {
        match self {
            Hunt::None => sum,
            Hunt::Adds(more) => sum + more,
            Hunt::Replaces(score) => score,
        }
    }
}

impl<G: Game> Evaluator<G> {
    /// Against a bare king there is one plan: little room for him, the edge, the own king near. A side
    /// that cannot mate plays for what a stalemate is worth.
    pub(super) fn hunt(&self, position: &Position<G>) -> Hunt {
        const BARE: Score = 1000;
        const EDGE: Score = 80;
        const KINGS: Score = 12;
        const ROOM: Score = 5;
        let hunted = Side::BOTH.map(|side| position.side(side).count() == 1);
        if hunted[0] == hunted[1] {
            return Hunt::None;
        }
        let (side, sign) = if hunted[0] {
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
            return Hunt::Replaces(sign * (most / 2 - driven / 32));
        }
        let pawns = position.pieces(PAWN, side.other());
        if position.side(side.other()).count() == pawns.count() + 1 {
            // First one of them has to get through.
            return Hunt::None;
        }
        Hunt::Adds(sign * (BARE - driven).max(0))
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
