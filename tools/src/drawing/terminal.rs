//! The board as text: plain ASCII, or hexagons in 256 colours made of quarter blocks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hexmate_movegen::spec::{E1, E3, NEG_E1, NEG_E2, NEG_E3};
use hexmate_movegen::{Board, Cell, Game, Piece, Position, Side};

use super::{Drawn, MOST_COLOURS, Marks, colours_matter, status};

/// Columns from one file, or one cell of a row, to the next.
const PITCH: i32 = 4;
/// What an empty cell of each colour looks like without colours.
const EMPTY: [char; MOST_COLOURS] = ['.', ':', '-', '+', '*', '=', '~', '%'];
/// Cell colours of the 256: tones of wood.
const WOOD: [u8; MOST_COLOURS] = [180, 137, 223, 95, 131, 101, 139, 178];
/// Cell colours of the 256: yellow, green, grey, white, blue, red, violet, brown.
const HUES: [u8; MOST_COLOURS] = [221, 107, 245, 253, 75, 167, 140, 130];
/// The cells of the last move.
const LAST_MOVE: u8 = 74;
/// The cell of a king in check.
const CHECK: u8 = 160;
/// Letters and numbers at the edge, readable on dark and on light.
const LABEL: u8 = 244;
const WHITE: u8 = 231;
const BLACK: u8 = 16;

/// A hexagon in quarters of a character: rows relative to the upper one of its middle line, and in
/// each how many quarters it has on either side. Neighbours fit together without a gap, and no
/// character ever has quarters of three cells.
type Outline = [(i32, i32)];
/// Flat above, for upright files: two lines high, five columns wide at the middle.
const FLAT: &Outline = &[(-1, 3), (0, 5), (1, 5), (2, 3)];
/// Pointed above, for level rows: three lines high with the points, four columns wide.
const POINTED: &Outline = &[(-2, 1), (-1, 3), (0, 4), (1, 4), (2, 3), (3, 1)];

/// How a character is written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Ink {
    text: Option<u8>,
    ground: Option<u8>,
    bold: bool,
}

/// One character of the drawing.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Colours of its quarters: upper left, upper right, lower left, lower right.
    quarters: [Option<u8>; 4],
    /// What stands on it.
    letter: Option<(char, Ink)>,
}

impl Place {
    /// The character and its ink; quarters become the block character of their pattern.
    fn shown(&self) -> (char, Ink) {
        /// Indexed by which quarters are inked, upper left the highest bit.
        const BLOCKS: [char; 16] = [
            ' ', '▗', '▖', '▄', '▝', '▐', '▞', '▟', '▘', '▚', '▌', '▙', '▀', '▜', '▛', '█',
        ];
        // What is bare, beyond the edge, can only be ground.
        let bare = self.quarters.contains(&None);
        let ground = self.quarters[3].filter(|_| !bare);
        if let Some((letter, ink)) = self.letter {
            let ground = ink.ground.or(ground);
            return (letter, Ink { ground, ..ink });
        }
        let text = self
            .quarters
            .into_iter()
            .flatten()
            .find(|&q| Some(q) != ground);
        let inked = |q: Option<u8>| usize::from(text.is_some() && q == text);
        let pattern = self.quarters.iter().fold(0, |p, &q| p << 1 | inked(q));
        let ink = Ink {
            text,
            ground,
            bold: false,
        };
        (BLOCKS[pattern], ink)
    }
}

/// Characters by line and column; both may be negative.
#[derive(Default)]
struct Canvas {
    places: BTreeMap<(i32, i32), Place>,
}

impl Canvas {
    fn at(&mut self, column: i32, line: i32) -> &mut Place {
        self.places.entry((line, column)).or_default()
    }

    fn write(&mut self, column: i32, line: i32, text: &str, ink: Ink) {
        for (column, letter) in (column..).zip(text.chars()) {
            self.at(column, line).letter = Some((letter, ink));
        }
    }

    /// Fills a hexagon around the middle of a character.
    fn fill(&mut self, (column, line): (i32, i32), outline: &Outline, colour: u8) {
        for &(row, half) in outline {
            let row = 2 * line + row;
            for quarter in 2 * column + 1 - half..2 * column + 1 + half {
                let place = self.at(quarter.div_euclid(2), row.div_euclid(2));
                let part = 2 * row.rem_euclid(2) + quarter.rem_euclid(2);
                place.quarters[part as usize] = Some(colour);
            }
        }
    }

    /// The lines, indented by two columns, with or without escape sequences.
    fn text(&self, colour: bool) -> String {
        let mut out = String::new();
        let lines = self.places.keys().map(|k| k.0);
        let left = self.places.keys().map(|k| k.1).min().unwrap_or(0) - 2;
        let (Some(top), Some(bottom)) = (lines.clone().min(), lines.max()) else {
            return out;
        };
        for line in top..=bottom {
            let (mut at, mut ink) = (left, Ink::default());
            for (&(_, column), place) in self.places.range((line, i32::MIN)..=(line, i32::MAX)) {
                let (letter, next) = place.shown();
                if at < column {
                    change(&mut out, &mut ink, Ink::default(), colour);
                    out.extend(std::iter::repeat_n(' ', (column - at) as usize));
                }
                change(&mut out, &mut ink, next, colour);
                out.push(letter);
                at = column + 1;
            }
            change(&mut out, &mut ink, Ink::default(), colour);
            out.push('\n');
        }
        out
    }
}

/// Writes the escape sequence for another ink, if it is another and colours are wanted.
fn change(out: &mut String, ink: &mut Ink, next: Ink, colour: bool) {
    if !colour || *ink == next {
        return;
    }
    out.push_str("\x1b[0");
    if next.bold {
        out.push_str(";1");
    }
    for (layer, colour) in [(38, next.text), (48, next.ground)] {
        if let Some(colour) = colour {
            let _ = write!(out, ";{layer};5;{colour}");
        }
    }
    out.push('m');
    *ink = next;
}

/// Column and line of a cell's letter. Level rows are two lines apart where hexagons are filled.
fn place(board: &Board, cell: Cell, colour: bool) -> (i32, i32) {
    let (a, y) = board.at(cell);
    let (a, y) = (i32::from(a), i32::from(y));
    if board.spec().upright_files {
        (PITCH * a, a - 2 * y)
    } else {
        (PITCH * a - PITCH / 2 * y, -y * lines_per_row(colour))
    }
}

const fn lines_per_row(colour: bool) -> i32 {
    if colour { 2 } else { 1 }
}

/// Letters of files or columns and numbers of rows, beside the cells at the edge.
fn label(canvas: &mut Canvas, board: &Board, cell: Cell, colour: bool) {
    let ink = Ink {
        text: Some(LABEL),
        ..Ink::default()
    };
    let far_below = (board.cells().iter())
        .map(|&c| place(board, c, colour).1 + 2)
        .max()
        .unwrap_or(0);
    let (column, line) = place(board, cell, colour);
    let upright = board.spec().upright_files;
    let ends = |step| board.step(cell, step).is_none();
    let number = board.row_number(cell).to_string();
    if ends(NEG_E2) {
        let letter: String = board.name(cell).chars().take(1).collect();
        // Plain letters must not look like black pieces: they go far below, or have a stroke along
        // the column before them.
        let (column, below, mark) = match (upright, colour) {
            (true, true) => (column, line + 2, ""),
            (true, false) => (column, far_below, ""),
            (false, true) => (column + PITCH / 2, line + 2, ""),
            (false, false) => (column + PITCH / 2 - 1, line + 1, "\\"),
        };
        canvas.write(column, below, &format!("{mark}{letter}"), ink);
    }
    // A rank of upright files is a V: it has its number at both ends, beside the outermost files and
    // above the slanting edges.
    let (aside, above) = (PITCH, PITCH - 1);
    if ends(E3) {
        let slant = upright && !ends(NEG_E1);
        let (away, line) = if slant {
            (above, line - 1)
        } else {
            (aside, line)
        };
        let start = column - away + 1 - number.len() as i32;
        canvas.write(start, line, &number, ink);
    }
    if upright && ends(E1) {
        let slant = !ends(NEG_E3);
        let (away, line) = if slant {
            (above, line - 1)
        } else {
            (aside, line)
        };
        canvas.write(column + away, line, &number, ink);
    }
}

/// A piece in colours: a chip in the colour of its side, so that it reads well on every cell.
const fn chip(piece: Piece) -> Ink {
    let (text, ground) = match piece.side {
        Side::White => (BLACK, WHITE),
        Side::Black => (WHITE, BLACK),
    };
    Ink {
        text: Some(text),
        ground: Some(ground),
        bold: true,
    }
}

/// Draws the position as text, followed by title, side to move, marked moves and FEN.
///
/// Without `colour` it is plain ASCII (except for a title that is not): upper case White, marks for empty
/// cells of each colour, brackets around the cells of the last move.
pub fn terminal<'p, G: Game>(
    drawn: impl Into<Drawn<'p, G>>,
    marks: &Marks,
    colour: bool,
) -> String {
    let drawn = drawn.into();
    pieces(drawn.position, marks, colour) + &caption(drawn, marks)
}

/// The board with its pieces.
fn pieces<G: Game>(position: &Position<G>, marks: &Marks, colour: bool) -> String {
    let board = &position.tables().board;
    let tones = if colours_matter(position.spec()) {
        HUES
    } else {
        WOOD
    };
    let outline = if board.spec().upright_files {
        FLAT
    } else {
        POINTED
    };
    let checked = position
        .in_check()
        .then(|| position.king(position.side_to_move()));
    let mut canvas = Canvas::default();
    for &cell in board.cells() {
        let at @ (column, line) = place(board, cell, colour);
        let piece = position.piece_on(cell);
        let tone = usize::from(board.colour(cell));
        label(&mut canvas, board, cell, colour);
        if colour {
            let ground = match cell {
                _ if checked == Some(cell) => CHECK,
                _ if marks.touches(cell) => LAST_MOVE,
                _ => tones[tone],
            };
            canvas.fill(at, outline, ground);
            if let Some(piece) = piece {
                let text = format!(" {} ", position.spec().piece_letter(piece));
                canvas.write(column - 1, line, &text, chip(piece));
            }
        } else {
            let letter = piece.map_or(EMPTY[tone], |piece| position.spec().piece_letter(piece));
            canvas.write(column, line, &letter.to_string(), Ink::default());
            if marks.touches(cell) {
                canvas.write(column - 1, line, "[", Ink::default());
                canvas.write(column + 1, line, "]", Ink::default());
            }
        }
    }
    canvas.text(colour)
}

/// Draws a board in plain characters, with up to three on each cell.
pub fn map(board: &Board, text: impl Fn(Cell) -> String) -> String {
    let mut canvas = Canvas::default();
    for &cell in board.cells() {
        let (column, line) = place(board, cell, false);
        canvas.write(column - 1, line, &text(cell), Ink::default());
    }
    canvas.text(false)
}

fn caption<G: Game>(drawn: Drawn<'_, G>, marks: &Marks) -> String {
    let position = drawn.position;
    let mut text = format!("\n{}\n{}\n", position.spec().title, status(drawn));
    if let Some(last) = marks.last_move {
        let _ = writeln!(text, "Last move: {}", last.text(position.game()));
    }
    if !marks.arrows.is_empty() {
        let arrows: Vec<String> = marks
            .arrows
            .iter()
            .map(|m| m.text(position.game()))
            .collect();
        let _ = writeln!(text, "Arrows: {}", arrows.join(" "));
    }
    let _ = writeln!(text, "{position}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Bits, BuiltIn, for_each_game};

    /// The drawing without the caption.
    fn drawing<G: BuiltIn>(position: &Position<G>, marks: &Marks, colour: bool) -> String {
        let text = terminal(position, marks, colour);
        let end = text.find(G::SPEC.title).unwrap();
        text[..end].to_owned()
    }

    /// Without the escape sequences.
    fn bare(text: &str) -> String {
        let mut parts = text.split("\x1b[");
        let mut out = parts.next().unwrap().to_owned();
        for part in parts {
            out.push_str(part.split_once('m').unwrap().1);
        }
        out
    }

    /// The letters of all pieces, sorted, and those of a drawing but for the column letters.
    fn letters_agree<G: BuiltIn>(colour: bool) {
        let position = Position::<G>::start();
        let text = bare(&drawing(&position, &Marks::default(), colour));
        let pieces = position.occupied().cells();
        let mut expected: Vec<char> = pieces
            .map(|c| G::SPEC.piece_letter(position.piece_on(c).unwrap()))
            .chain(G::GAME.tables().board.letters().chars())
            .collect();
        let mut found: Vec<char> = text.chars().filter(char::is_ascii_alphabetic).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn both_ways_of_drawing_have_every_piece_and_column() {
        for colour in [false, true] {
            for_each_game!(G => letters_agree::<G>(colour));
        }
    }

    #[test]
    fn the_plain_drawing_is_ascii_has_every_cell_and_fits() {
        fn check<G: BuiltIn>() {
            let position = Position::<G>::start();
            let text = drawing(&position, &Marks::default(), false);
            assert!(text.is_ascii());
            let empty = text.chars().filter(|c| EMPTY.contains(c)).count();
            let board = &G::GAME.tables().board;
            let occupied = position.occupied().count() as usize;
            assert_eq!(empty, board.cells().len() - occupied);
            for colour in [false, true] {
                let text = bare(&drawing(&position, &Marks::default(), colour));
                assert!(text.lines().all(|l| l.chars().count() < 80));
            }
        }
        for_each_game!(G => check::<G>());
    }

    #[test]
    fn hexagons_tile_the_board() {
        // Eight characters' worth of quarters each: none is painted over by a neighbour.
        fn check<G: BuiltIn>() {
            let board = &G::GAME.tables().board;
            let outline = if board.spec().upright_files {
                FLAT
            } else {
                POINTED
            };
            let mut canvas = Canvas::default();
            for &cell in board.cells() {
                canvas.fill(place(board, cell, true), outline, cell);
            }
            let places = canvas.places.values();
            let painted = places.clone().flat_map(|p| p.quarters).flatten().count();
            let each: i32 = outline.iter().map(|(_, half)| 2 * half).sum();
            assert_eq!(painted, board.cells().len() * each as usize);
            for place in places {
                let mut seen = place.quarters.to_vec();
                seen.sort_unstable();
                seen.dedup();
                assert!(seen.len() <= 2, "quarters of three cells in one character");
            }
        }
        for_each_game!(G => check::<G>());
    }
}
