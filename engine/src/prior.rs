//! What is known of a quiet move before any search: where its piece stands better, what a pawn would take,
//! what gives check. It orders the moves until the history counters know more.

use hexmate_movegen::{Bits, Game, KING, Kind, Move, PAWN, Position};

use crate::params::Params;
use crate::score::Score;

/// Judges the quiet moves of one position, on the scale of the history counters.
pub(crate) struct Prior<'a, G: Game, S> {
    position: &'a Position<G>,
    params: &'a Params,
    /// How much better a kind stands after a move.
    standing: S,
    /// The cells that the opponent's pawns attack.
    barred: G::Bits,
    /// For each kind the cells from which it gives check.
    checks: G::PerKind,
}

impl<'a, G: Game, S: Fn(Kind, Move) -> Score> Prior<'a, G, S> {
    pub fn new(
        position: &'a Position<G>,
        params: &'a Params,
        standing: S,
        checks: G::PerKind,
    ) -> Self {
        let them = position.side_to_move().other();
        let pawns = position.pieces(PAWN, them);
        Prior {
            position,
            params,
            standing,
            barred: pawns.cells().fold(G::Bits::EMPTY, |barred, cell| {
                barred | position.tables().pawn_attacks(them, cell)
            }),
            checks,
        }
    }

    #[inline]
    pub fn of(&self, mv: Move) -> i32 {
        let kind = self.position.piece_on(mv.from).map_or(KING, |p| p.kind);
        let mut prior = (self.standing)(kind, mv) * self.params.order_standing;
        let enters = self.barred.has(mv.to);
        if kind != PAWN {
            let escapes = i32::from(self.barred.has(mv.from));
            prior += (escapes - i32::from(enters)) * self.params.order_threat;
        }
        if !enters && self.checks.as_ref()[usize::from(kind)].has(mv.to) {
            prior += self.params.order_check;
        }
        prior
    }
}
