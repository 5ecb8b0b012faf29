//! Where a piece goes on an empty board, as a small SVG picture.

use std::fmt::Write as _;

use hexmate_movegen::{AnyPosition, Cell, GameId, PAWN, Piece, Side, WayOfGoing, reach, with_game};

use super::svg::{Plan, Point, RIM, escape, piece_shape, shape_id, tones};

/// The edge of a cell.
const EDGE: f64 = 24.0;
/// The rim around the board.
const AROUND: f64 = 4.0;
/// Where a piece goes.
const GOES: &str = "#b3390a";
/// Where pawns are promoted.
const PROMOTES: &str = "#1668c7";

/// The picture of a piece of White's on a cell, of the paths that it walks, and for pawns of the cells of promotion.
/// It is called `title`.
pub fn movement(game: GameId, kind: u8, from: Cell, title: &str) -> String {
    let side = Side::White;
    let piece = Piece { kind, side };
    let position = AnyPosition::start(game);
    let (spec, board) = (game.spec(), position.board());
    let (plan, (width, height)) = Plan::tight(board);
    let at = |cell| {
        let (x, y) = plan.centre(board, cell);
        (x * EDGE + AROUND, y * EDGE + AROUND)
    };
    let (wide, high) = (
        (width * EDGE + 2.0 * AROUND).ceil(),
        (height * EDGE + 2.0 * AROUND).ceil(),
    );
    let id = format!("hexmate-{}", spec.name);
    let tones = tones(spec);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" role=\"img\">\n\
         <title>{}</title>\n<defs>\n{}",
        escape(title),
        piece_shape(spec, &id, piece, tones),
    );
    let corners = plan.corners().map(|(x, y)| (x * EDGE, y * EDGE));
    // The rim is all cells with a broad edge, behind those that are seen.
    let colours = 0..board.spec().colouring.count;
    for colour in colours.clone() {
        let cells = board.cells().iter().copied();
        let of = cells.filter(|&cell| board.colour(cell) == colour);
        let of: Vec<Point> = of.map(at).collect();
        let _ = writeln!(
            out,
            "<path id=\"{id}-{colour}\" d=\"{}\"/>",
            hexagons(&of, &corners)
        );
    }
    let _ = writeln!(
        out,
        "</defs>\n<g stroke=\"{RIM}\" stroke-linejoin=\"round\">"
    );
    for colour in colours.clone() {
        let _ = writeln!(out, "<use href=\"#{id}-{colour}\" stroke-width=\"6\"/>");
    }
    for colour in colours {
        let tone = tones[usize::from(colour)];
        let _ = writeln!(
            out,
            "<use href=\"#{id}-{colour}\" fill=\"{tone}\" stroke-width=\".6\"/>"
        );
    }
    if kind == PAWN {
        let of: Vec<Point> = promotion_cells(game).into_iter().map(at).collect();
        let _ = writeln!(
            out,
            "<path fill=\"{PROMOTES}\" fill-opacity=\".45\" stroke-width=\".6\" d=\"{}\"/>",
            hexagons(&of, &corners)
        );
    }
    out += "</g>\n";
    out += &paths(&position, piece, from, &at);
    let (x, y) = at(from);
    let name = shape_id(spec, &id, piece);
    let _ = writeln!(
        out,
        "<use href=\"#{name}\" transform=\"translate({x:.1} {y:.1}) scale({:.2})\"/>",
        EDGE / 60.0
    );
    out + "</svg>\n"
}

/// Hexagons around these middles, as the data of a path.
fn hexagons(middles: &[Point], corners: &[Point; 6]) -> String {
    let mut data = String::new();
    for (x, y) in middles {
        let _ = write!(data, "M{:.1} {:.1}", x + corners[0].0, y + corners[0].1);
        for pair in corners.windows(2) {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let _ = write!(data, "l{dx:.1} {dy:.1}");
        }
        data.push('z');
    }
    data
}

/// Lines along paths of several cells, dots on the cells, crosses where a pawn captures.
fn paths(position: &AnyPosition, piece: Piece, from: Cell, at: &dyn Fn(Cell) -> Point) -> String {
    let (mut lines, mut crosses) = (String::new(), String::new());
    let mut dots: Vec<Cell> = Vec::new();
    for path in reach(position, piece, from) {
        match path.way {
            WayOfGoing::EnPassant => {}
            WayOfGoing::Capture => {
                let (x, y) = at(path.cells[0]);
                let arm = 0.26 * EDGE;
                let _ = write!(
                    crosses,
                    "M{:.1} {:.1}l{:.1} {:.1}m0-{:.1}l-{:.1} {:.1}",
                    x - arm,
                    y - arm,
                    2.0 * arm,
                    2.0 * arm,
                    2.0 * arm,
                    2.0 * arm,
                    2.0 * arm
                );
            }
            WayOfGoing::Move | WayOfGoing::Step => {
                if path.cells.len() > 1 {
                    let (x, y) = at(from);
                    let _ = write!(lines, "M{x:.1} {y:.1}");
                    for &cell in &path.cells {
                        let (x, y) = at(cell);
                        let _ = write!(lines, "L{x:.1} {y:.1}");
                    }
                }
                dots.extend(path.cells);
            }
        }
    }
    dots.sort_unstable();
    dots.dedup();
    let mut out = String::new();
    if !lines.is_empty() {
        let _ = writeln!(
            out,
            "<path fill=\"none\" stroke=\"{GOES}\" stroke-width=\"2.4\" stroke-opacity=\".55\" stroke-linejoin=\"round\" d=\"{lines}\"/>"
        );
    }
    let _ = writeln!(
        out,
        "<g fill=\"{GOES}\" stroke=\"#fff\" stroke-width=\"1.4\">"
    );
    for cell in dots {
        let (x, y) = at(cell);
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.6\"/>");
    }
    out += "</g>\n";
    if !crosses.is_empty() {
        for (colour, width) in [("#fff", 6.5), (GOES, 4.0)] {
            let _ = writeln!(
                out,
                "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" d=\"{crosses}\"/>"
            );
        }
    }
    out
}

/// Where White's pawns are promoted.
fn promotion_cells(game: GameId) -> Vec<Cell> {
    use hexmate_movegen::{Bits, Game};
    with_game!(game, game => game.tables().promotion_cells(Side::White).cells().collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_balanced;
    use super::*;

    fn picture(game: &str, letter: u8, cell: &str) -> String {
        let game: GameId = game.parse().unwrap();
        let kind = game.spec().kind_of_letter(letter).unwrap();
        let start = AnyPosition::start(game);
        let from = start.board().parse_cell(cell).unwrap();
        let picture = movement(game, kind, from, "a < b");
        assert_balanced(&picture);
        picture
    }

    #[test]
    fn a_dot_for_each_cell_that_a_piece_reaches() {
        let dots = |letter, cell| {
            picture("glinski", letter, cell)
                .matches("r=\"5.6\"")
                .count()
        };
        assert_eq!(
            [b'K', b'Q', b'R', b'B', b'N'].map(|l| dots(l, "f6")),
            [12, 42, 30, 12, 12]
        );
        // Zigzags of one start share their first cells.
        let dots = |cell| {
            picture("chromatic3", b'S', cell)
                .matches("r=\"5.6\"")
                .count()
        };
        assert!(dots("g7") > 12);
    }

    #[test]
    fn a_pawn_has_steps_captures_and_promotions() {
        let pawn = picture("glinski", b'P', "e4");
        assert_eq!(pawn.matches("r=\"5.6\"").count(), 2);
        // Two crosses of two strokes each, drawn twice.
        assert_eq!(pawn.matches("m0-").count(), 4);
        assert!(pawn.contains(PROMOTES));
        assert!(!picture("glinski", b'N', "f6").contains(PROMOTES));
    }
}
