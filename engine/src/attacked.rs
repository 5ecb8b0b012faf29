//! The cells that a side attacks.

use hexmate_movegen::{Bits, Game, Position, Side};

/// The cells that the men of a side attack; those of its own men that it protects are among them.
#[inline]
pub(crate) fn attacked_by<G: Game>(position: &Position<G>, side: Side) -> G::Bits {
    let tables = position.tables();
    let occupied = position.occupied();
    let men = position.side(side).cells();
    men.fold(G::Bits::EMPTY, |attacked, cell| {
        match position.piece_on(cell) {
            Some(piece) => attacked | tables.attacks_of(piece, cell, occupied),
            None => attacked,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Unchecked, for_each_game};

    fn attacked_cells_have_attackers<G: BuiltIn>() {
        let mut position = Position::<G>::start();
        for ply in 0..120 {
            for side in Side::BOTH {
                let attacked = attacked_by(&position, side);
                for cell in position.tables().all.cells() {
                    let attackers = position.attackers(cell, side);
                    assert_eq!(attacked.has(cell), attackers.any(), "{cell} in {position}");
                }
            }
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
                break;
            };
            position.play_unchecked(mv);
        }
    }

    #[test]
    fn attacked_cells_are_those_that_have_attackers() {
        for_each_game!(G => attacked_cells_have_attackers::<G>());
    }
}
