//! What is known of a quiet move before any search: where its piece stands better, what a pawn would take,
//! what gives check. It orders the moves until the history counters know more.

use hexmate_movegen::{Bits, Cell, Game, Kind, PAWN, Position};

use crate::eval::Standing;
use crate::params::Params;

/// Judges the quiet moves of one position, on the scale of the history counters.
pub(crate) struct Prior<'a, G: Game, S> {
    params: &'a Params,
    /// How much better a kind stands after a move.
    standing: S,
    /// The cells that the opponent's pawns attack.
    barred: G::Bits,
    /// For each kind the cells from which it gives check.
    checks: &'a G::PerKind,
}

impl<'a, G: Game, S: Standing> Prior<'a, G, S> {
    pub fn new(
        position: &Position<G>,
        params: &'a Params,
        standing: S,
        checks: &'a G::PerKind,
    ) -> Self {
        let them = position.side_to_move().other();
        let pawns = position.pieces(PAWN, them);
        Prior {
            params,
            standing,
            barred: pawns.cells().fold(G::Bits::EMPTY, |barred, cell| {
                barred | position.tables().pawn_attacks(them, cell)
            }),
            checks,
        }
    }

    /// Judges the quiet moves of one piece, by the cells that they enter.
    #[inline(always)]
    pub fn quiets(&self, kind: Kind, from: Cell) -> impl Fn(Cell) -> i32 {
        let params = self.params;
        let (threat, check) = (params.order_threat, params.order_check);
        let pawn = kind == PAWN;
        let escapes = i32::from(!pawn && self.barred.has(from)) * threat;
        let entering = if pawn { 0 } else { threat };
        let checks = &self.checks.as_ref()[usize::from(kind)];
        let gains = self.standing.gains(kind, from);
        move |to| {
            let enters = self.barred.has(to);
            // No branch: what a move enters cannot be foreseen.
            let checks = checks.has(to) & !enters;
            gains(to) * params.order_standing + escapes - i32::from(enters) * entering
                + i32::from(checks) * check
        }
    }
}
