//! Moves as standard algebraic notation.

use crate::games::AnyPosition;
use crate::play::Outcome;
use crate::rules::{Move, PAWN};

/// A legal move in standard algebraic notation, with the letters of position texts; docs/formats.md defines it. A
/// move that is not legal is given as its cells.
///
/// # Panics
/// If the move names cells that the board does not have, or a kind that the game does not have.
///
/// ```
/// use hexmate_movegen::{AnyPosition, GameId, san};
///
/// let start = AnyPosition::start(GameId::Glinski);
/// let text = |cells: &str| san(&start, start.parse_move(cells).unwrap());
/// assert_eq!(text("e4e5"), "e5");
/// assert_eq!(text("e1c3"), "Qc3");
/// // Both knights can go to f4.
/// assert_eq!((text("d1f4"), text("h1f4")), ("Ndf4".to_owned(), "Nhf4".to_owned()));
/// ```
pub fn san(position: &AnyPosition, mv: Move) -> String {
    if !position.is_legal(mv) {
        return position.text(mv);
    }
    let next = position.after(mv);
    let sign = match next.outcome() {
        Some(Outcome::Checkmate { .. }) => "#",
        _ if next.in_check() => "+",
        _ => "",
    };
    castling(position, mv).unwrap_or_else(|| plain(position, mv)) + sign
}

/// `O-O` towards the last file, `O-O-O` towards the first. `None` for other moves, and where the king may castle in
/// two ways towards the same side: then its own move is written.
fn castling(position: &AnyPosition, mv: Move) -> Option<String> {
    position.spec().castling?;
    let towards = |mv: Move| castles_towards_last_file(position, mv);
    let right = towards(mv)?;
    let legal = position.legal_moves();
    let same = legal.iter().filter(|&&other| towards(other) == Some(right));
    let form = if right { "O-O" } else { "O-O-O" };
    (same.count() == 1).then(|| form.to_owned())
}

/// For castling, whether the king goes to a file after its own; `None` for other moves, and along a file.
pub(super) fn castles_towards_last_file(position: &AnyPosition, mv: Move) -> Option<bool> {
    let board = position.board();
    let (from, to) = (board.at(mv.from).0, board.at(mv.to).0);
    (from != to && position.is_castling(mv)).then_some(to > from)
}

fn plain(position: &AnyPosition, mv: Move) -> String {
    let (board, spec) = (position.board(), position.spec());
    let letter = |kind: u8| char::from(spec.pieces[usize::from(kind)].letter);
    let kind = position.piece_on(mv.from).map_or(PAWN, |piece| piece.kind);
    let captures = position.is_capture(mv);
    // Where other pieces of its kind that could go there as well come from.
    let legal = position.legal_moves();
    let others = legal.into_iter().filter(|other| {
        let same_kind = position
            .piece_on(other.from)
            .is_some_and(|p| p.kind == kind);
        same_kind
            && other.to == mv.to
            && other.from != mv.from
            && position.is_capture(*other) == captures
    });
    let others: Vec<_> = others.map(|other| other.from).collect();
    let file = |cell| board.name(cell)[..1].to_owned();
    let rank = |cell| board.row_number(cell);
    let by_file = others.iter().all(|&cell| file(cell) != file(mv.from));
    let by_rank = others.iter().all(|&cell| rank(cell) != rank(mv.from));
    let mut text = String::new();
    if kind != PAWN {
        text.push(letter(kind));
    }
    if kind == PAWN && captures || !others.is_empty() {
        text += &match (by_file, by_rank) {
            (true, _) => file(mv.from),
            (_, true) if kind != PAWN => rank(mv.from).to_string(),
            _ => board.name(mv.from),
        };
    }
    if captures {
        // Where a file is called x, that is what a reader takes it for.
        let is_file = board.letters().contains('x');
        text.push(if is_file { ':' } else { 'x' });
    }
    text += &board.name(mv.to);
    if let Some(kind) = mv.promotion() {
        text.push('=');
        text.push(letter(kind));
    }
    text
}
