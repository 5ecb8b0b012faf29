//! Writing a position.

use std::fmt;

use crate::position::Position;
use crate::sets::Bits;
use crate::tables::Tabled;

/// Writes a position.
pub(crate) fn write<G: Tabled>(position: &Position<G>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let spec = position.spec();
    let board = &position.tables().board;
    for (i, row) in board.rows().iter().enumerate() {
        if i > 0 {
            f.write_str("/")?;
        }
        let mut empty = 0;
        for &cell in row {
            let Some(piece) = position.piece_on(cell) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            write!(f, "{}", spec.piece_letter(piece))?;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
    }
    write!(f, " {} ", position.pieces.side.letter())?;
    let names = |set: G::Word, prefix: &str| {
        let cells = set.cells().map(|c| format!("{prefix}{}", board.name(c)));
        let mut names: Vec<String> = cells.collect();
        names.sort();
        names
    };
    let mut rights = names(position.pieces.castling, "");
    rights.extend(names(position.pieces.moved, "~"));
    match rights.as_slice() {
        [] => f.write_str("-")?,
        rights => f.write_str(&rights.join(","))?,
    }
    match position.pieces.en_passant {
        None => f.write_str(" -")?,
        Some(ep) => {
            f.write_str(" ")?;
            for cell in ep.cells() {
                f.write_str(&board.name(cell))?;
            }
            if spec.pawn.en_passant_names_the_pawn() {
                f.write_str(&board.name(ep.stands))?;
            }
        }
    }
    write!(
        f,
        " {} {}",
        position.state.halfmove, position.state.fullmove
    )
}
