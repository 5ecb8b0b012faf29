//! The board as a self-contained SVG picture: no fonts, scripts or other files.
//!
//! Lengths are in units of the picture, 800 wide; pieces are drawn in a box of 100 by 100 around
//! their middle and scaled.

use std::f64::consts::PI;
use std::fmt::Write as _;

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Board, Cell, Game, Kind, Piece, Position, Side};

use super::sign::{Sign, is_usual};
use super::{Drawn, MOST_COLOURS, Marks, bound_to, colours_matter, side_name, status};
use crate::terminal::cut;

const WIDTH: f64 = 800.0;
const MARGIN: f64 = 24.0;
/// Height of the lines above the board.
const HEADING: f64 = 58.0;
/// So many columns of letters fit on these lines: on the first, which is a name, also of capitals.
const TITLE_COLUMNS: usize = 52;
const STATUS_COLUMNS: usize = 80;
const FONT: &str = "system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif";

/// The tone of each colour of cells.
pub type Tones = [&'static str; MOST_COLOURS];

/// Cell colours: tones of wood.
const WOOD: Tones = [
    "#e0b27a", "#bd8552", "#f4dfbc", "#93603a", "#c9705c", "#98a05e", "#a987b5", "#e0c02f",
];
/// Cell colours: yellow, green, grey, white, blue, red, violet, brown.
const HUES: Tones = [
    "#f3d562", "#8fbe73", "#a9afb6", "#f6f4ee", "#78b4ea", "#e07a68", "#bb92de", "#a57c56",
];

/// The board's rim and the lines between cells.
pub(super) const RIM: &str = "#4a3c31";

/// The colour of arrows.
const ARROW: &str = "#c2410c";

/// A piece's outline and the lines within it.
pub struct Glyph {
    letter: u8,
    /// Filled with the colour of the side and stroked.
    pub outline: &'static str,
    /// Stroked only.
    pub lines: &'static str,
}

/// Drawn for this program. Pieces of other letters, and those that move otherwise, are discs with signs.
const GLYPHS: &[Glyph] = &[
    Glyph {
        letter: b'P',
        outline: "M-28 42H28V35Q28 27 18 25Q9 14 9 1H16V-6H9A17 17 0 1 0 -9 -6H-16V1H-9Q-9 14 -18 25Q-28 27 -28 35Z",
        lines: "M-18 25H18M-9 1H9",
    },
    Glyph {
        letter: b'R',
        outline: "M-31 42H31V34Q31 28 23 27L18 -13L26 -20V-40H14V-32H6V-40H-6V-32H-14V-40H-26V-20L-18 -13L-23 27Q-31 28 -31 34Z",
        lines: "M-23 27H23M-18 -13H18",
    },
    Glyph {
        letter: b'N',
        outline: "M-24 42H30V35Q30 29 25 28Q27 4 20 -12Q12 -29 -5 -34L-9 -43L-16 -33Q-22 -28 -24 -20L-36 0Q-38 6 -33 10Q-28 14 -22 9L-9 3Q0 3 4 -3Q3 8 -8 15Q-17 21 -18 28Q-24 29 -24 35Z",
        lines: "M-18 28H25M-15 -22L-12 -20M-32 3L-30 2M4 -3Q6 -8 5 -13",
    },
    Glyph {
        letter: b'B',
        outline: "M-29 42H29V35Q29 28 15 27L11 14Q24 4 22 -10Q19 -23 4 -33A6 6 0 1 0 -4 -33Q-19 -23 -22 -10Q-24 4 -11 14L-15 27Q-29 28 -29 35Z",
        lines: "M-15 27H15M-11 14H11M0 -19V3M-9 -9H9",
    },
    Glyph {
        letter: b'Q',
        outline: "M-29 42H29V35Q29 29 21 27L35 -14A5 5 0 1 0 29 -17L18 -1L20 -27A5 5 0 1 0 14 -28L7 -5L3 -33A5 5 0 1 0 -3 -33L-7 -5L-14 -28A5 5 0 1 0 -20 -27L-18 -1L-29 -17A5 5 0 1 0 -35 -14L-21 27Q-29 29 -29 35Z",
        lines: "M-21 27Q0 20 21 27M-25 13Q0 4 25 13",
    },
    Glyph {
        letter: b'K',
        outline: "M-29 42H29V35Q29 29 21 27Q37 10 35 -4Q31 -20 15 -18Q7 -16 4 -10V-23H12V-31H4V-42H-4V-31H-12V-23H-4V-10Q-7 -16 -15 -18Q-31 -20 -35 -4Q-37 10 -21 27Q-29 29 -29 35Z",
        lines: "M-21 27Q0 20 21 27M0 17Q-1 0 -4 -10M0 17Q1 0 4 -10M-25 14Q0 6 25 14",
    },
];

/// Inside and outline of a side's pieces.
pub const fn paint(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::White => ("#ffffff", "#1f1b18"),
        Side::Black => ("#2a2623", "#f7f3ea"),
    }
}

pub(super) type Point = (f64, f64);

/// The colours of a game's cells, as `#rrggbb`.
pub fn tones(spec: &GameSpec) -> &'static Tones {
    if colours_matter(spec) { &HUES } else { &WOOD }
}

/// From where the board is seen, and how large.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct View {
    /// Whether Black sits below.
    pub flipped: bool,
    /// The width in pixels; `None`: 800. The height follows.
    pub width: Option<u32>,
}

/// Where things are.
pub struct Plan {
    upright: bool,
    flipped: bool,
    /// The edge of a cell.
    size: f64,
    /// Where the lattice's (0, 0) is.
    origin: Point,
    height: f64,
}

impl Plan {
    fn new(board: &Board, flipped: bool) -> Plan {
        let (unit, (width, height)) = Plan::seen(board, flipped);
        let size = (WIDTH - 2.0 * MARGIN) / width;
        let top = MARGIN + HEADING;
        Plan {
            size,
            origin: (MARGIN + unit.origin.0 * size, top + unit.origin.1 * size),
            height: top + height * size + MARGIN,
            ..unit
        }
    }

    /// The board alone, in units of a cell's edge, from (0, 0) on; and its width and height.
    pub fn tight(board: &Board) -> (Plan, Point) {
        Plan::seen(board, false)
    }

    fn seen(board: &Board, flipped: bool) -> (Plan, Point) {
        let mut unit = Plan {
            upright: board.spec().upright_files,
            flipped,
            size: 1.0,
            origin: (0.0, 0.0),
            height: 0.0,
        };
        let corners = board.cells().iter().flat_map(|&cell| {
            let (x, y) = unit.centre(board, cell);
            unit.corners().map(|(dx, dy)| (x + dx, y + dy))
        });
        let mut low = (f64::MAX, f64::MAX);
        let mut high = (f64::MIN, f64::MIN);
        for (x, y) in corners {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let extent = (high.0 - low.0, high.1 - low.1);
        (unit.origin, unit.height) = ((-low.0, -low.1), extent.1);
        (unit, extent)
    }

    /// The middle of a cell; y goes down.
    pub fn centre(&self, board: &Board, cell: Cell) -> Point {
        let (a, y) = board.at(cell);
        let (a, y) = (f64::from(a), f64::from(y));
        let (right, up) = if self.upright {
            (1.5 * a, (y - a / 2.0) * 3f64.sqrt())
        } else {
            ((a - y / 2.0) * 3f64.sqrt(), 1.5 * y)
        };
        let size = if self.flipped { -self.size } else { self.size };
        let (x, y) = self.origin;
        (x + right * size, y - up * size)
    }

    /// The corners of a cell, from its middle.
    pub fn corners(&self) -> [Point; 6] {
        let first = if self.upright { 0.0 } else { PI / 6.0 };
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|n| {
            let (sin, cos) = (first + n * PI / 3.0).sin_cos();
            (self.size * cos, self.size * sin)
        })
    }
}

/// Draws the position: coloured cells with their names, pieces, and what is marked.
///
/// The last move's cells and a king in check are ringed. Letters without a picture are discs whose
/// ring shows the colours that the piece is bound to.
pub fn svg<'p, G: Game>(drawn: impl Into<Drawn<'p, G>>, marks: &Marks) -> String {
    svg_in(drawn, marks, View::default())
}

/// The same, seen from either side and in any size.
pub fn svg_in<'p, G: Game>(drawn: impl Into<Drawn<'p, G>>, marks: &Marks, view: View) -> String {
    picture(drawn.into(), marks, view)
}

fn picture<G: Game>(drawn: Drawn<'_, G>, marks: &Marks, view: View) -> String {
    let position = drawn.position;
    let board = &position.tables().board;
    let plan = Plan::new(board, view.flipped);
    let id = format!("hexmate-{}", position.spec().name);
    let tones = tones(position.spec());
    let mut out = head(drawn, &plan, view.width) + "<defs>\n";
    let corners = plan.corners().map(|(x, y)| format!("{x:.2},{y:.2}"));
    let corners = corners.join(" ");
    let _ = writeln!(out, r#"<polygon id="{id}-cell" points="{corners}"/>"#);
    for kind in 0..position.spec().pieces.len() as Kind {
        for side in Side::BOTH {
            out += &piece_shape(position.spec(), &id, Piece { kind, side }, tones);
        }
    }
    out += "</defs>\n<g stroke-linejoin=\"round\">\n";
    out += &cells(position, marks, &plan, &id, tones);
    out += "</g>\n";
    out += &pieces(position, &plan, &id);
    for arrow in &marks.arrows {
        let (from, to) = (plan.centre(board, arrow.from), plan.centre(board, arrow.to));
        let title = arrow.text(position.game());
        out += &arrow_shape(from, to, plan.size, &title, ARROW);
    }
    // The names last, so that no arrow hides one.
    out + &names(board, &plan) + "</svg>\n"
}

/// A rim, the cells by colour, and rings around what is marked.
fn cells<G: Game>(
    position: &Position<G>,
    marks: &Marks,
    plan: &Plan,
    id: &str,
    tones: &Tones,
) -> String {
    let board = &position.tables().board;
    let group = |attributes: &str, chosen: &dyn Fn(Cell) -> bool| {
        let mut out = format!("<g {attributes}>\n");
        for &cell in board.cells().iter().filter(|&&c| chosen(c)) {
            let (x, y) = plan.centre(board, cell);
            let _ = writeln!(out, r##"<use href="#{id}-cell" x="{x:.1}" y="{y:.1}"/>"##);
        }
        out + "</g>\n"
    };
    // The rim is all cells with a broad edge, behind those that are seen.
    let width = 0.24 * plan.size;
    let rim = format!(r#"fill="{RIM}" stroke="{RIM}" stroke-width="{width:.1}""#);
    let mut out = group(&rim, &|_| true);
    for colour in 0..board.spec().colouring.count {
        let tone = tones[usize::from(colour)];
        let look = format!(r#"class="cells" fill="{tone}" stroke="{RIM}" stroke-width="0.8""#);
        out += &group(&look, &|cell| board.colour(cell) == colour);
    }
    let ring = |colour| {
        let width = 0.1 * plan.size;
        format!(
            r#"fill="{colour}" fill-opacity="0.18" stroke="{colour}" stroke-width="{width:.1}""#
        )
    };
    if marks.last_move.is_some() {
        out += &group(&ring("#1668c7"), &|cell| marks.touches(cell));
    }
    if position.in_check() {
        let king = position.king(position.side_to_move());
        out += &group(&ring("#d0211c"), &|cell| cell == king);
    }
    out
}

/// The opening tag, what the picture is called, the ground and the lines above the board.
fn head<G: Game>(drawn: Drawn<'_, G>, plan: &Plan, width: Option<u32>) -> String {
    let position = drawn.position;
    let title = escape(position.spec().title);
    let status = status(drawn);
    // Names of games from files, and of their kings, have any length.
    let shown_title = escape(&cut(position.spec().title, TITLE_COLUMNS));
    let shown_status = escape(&cut(&status, STATUS_COLUMNS));
    let status = escape(&status);
    let fen = escape(&position.to_string());
    let height = plan.height.ceil();
    let wide = width.map_or(WIDTH, f64::from);
    let high = (height * wide / WIDTH).round();
    let (fill, _) = paint(position.side_to_move());
    let (x, line1, line2) = (MARGIN, MARGIN + 15.0, MARGIN + 39.0);
    let (dot_x, dot_y, text_x) = (x + 7.0, line2 - 5.0, x + 22.0);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {WIDTH} {height}" role="img" font-family="{FONT}">
<title>{title}: {status}</title>
<desc>{fen}</desc>
<rect width="{WIDTH}" height="{height}" rx="10" fill="#fbfaf7"/>
<g fill="#2a2623">
<text x="{x}" y="{line1}" font-size="20" font-weight="bold">{shown_title}</text>
<text x="{text_x}" y="{line2}" font-size="15">{shown_status}</text>
</g>
<circle cx="{dot_x}" cy="{dot_y}" r="6.2" fill="{fill}" stroke="#2a2623" stroke-width="1.4"/>
"##
    )
}

/// The name of every cell, small, at its lower end.
fn names(board: &Board, plan: &Plan) -> String {
    let size = plan.size;
    // The lower end is an edge or a point.
    let (font, down) = if plan.upright {
        (0.25 * size, 0.79 * size)
    } else {
        (0.29 * size, 0.8 * size)
    };
    let mut out = format!(
        "<g font-size=\"{font:.1}\" text-anchor=\"middle\" fill=\"#33261b\" fill-opacity=\"0.85\">\n"
    );
    for &cell in board.cells() {
        let (x, y) = plan.centre(board, cell);
        let name = board.name(cell);
        let _ = writeln!(out, r#"<text x="{x:.1}" y="{:.1}">{name}</text>"#, y + down);
    }
    out + "</g>\n"
}

fn pieces<G: Game>(position: &Position<G>, plan: &Plan, id: &str) -> String {
    let board = &position.tables().board;
    let scale = plan.size / 72.0;
    let mut out = String::new();
    for &cell in board.cells() {
        if let Some(piece) = position.piece_on(cell) {
            let (x, y) = plan.centre(board, cell);
            let y = y - 0.14 * plan.size;
            let name = shape_id(position.spec(), id, piece);
            let _ = writeln!(
                out,
                r##"<use href="#{name}" transform="translate({x:.1} {y:.1}) scale({scale:.3})"/>"##
            );
        }
    }
    out
}

pub(super) fn shape_id(spec: &GameSpec, id: &str, piece: Piece) -> String {
    let letter = char::from(spec.pieces[usize::from(piece.kind)].letter);
    format!("{id}-{}{letter}", piece.side.letter())
}

/// The shape of a piece, for use on many cells.
pub(super) fn piece_shape(spec: &GameSpec, id: &str, piece: Piece, tones: &Tones) -> String {
    let piece_spec = &spec.pieces[usize::from(piece.kind)];
    let (fill, line) = paint(piece.side);
    let name = shape_id(spec, id, piece);
    let title = escape(&format!("{} {}", side_name(piece.side), piece_spec.name));
    let shape = match glyph(spec, piece.kind) {
        Some(Glyph { outline, lines, .. }) => format!(
            r#"<g stroke="{line}" stroke-width="3.4" stroke-linejoin="round" stroke-linecap="round"><path d="{outline}" fill="{fill}"/><path d="{lines}" fill="none" stroke-width="2.8"/></g>"#
        ),
        None => {
            let bound = bound_to(spec, piece.kind);
            let colours: Vec<&str> = bound.iter().map(|&c| tones[usize::from(c)]).collect();
            let sign = Sign::of(spec, piece.kind).svg(ink(piece.side));
            disc(char::from(piece_spec.letter), &colours, piece.side, &sign)
        }
    };
    format!("<g id=\"{name}\"><title>{title}</title>{shape}</g>\n")
}

/// The picture of a kind that moves as pieces of its letter do; others are discs with a [`Sign`].
pub fn glyph(spec: &GameSpec, kind: Kind) -> Option<&'static Glyph> {
    let letter = spec.pieces[usize::from(kind)].letter;
    let glyph = GLYPHS.iter().find(|glyph| glyph.letter == letter);
    glyph.filter(|_| is_usual(spec, kind))
}

/// The ring of a disc: for each colour its segment, as the data of an SVG path to be stroked 8 wide.
pub fn segments(colours: usize) -> Vec<String> {
    // A gap of some degrees keeps the segments apart; the first one begins below.
    let part = 2.0 * PI / colours as f64;
    let gap = 0.08;
    let segment = |n| {
        let from = PI / 2.0 + n as f64 * part + gap;
        let to = from + part - 2.0 * gap;
        let large = u8::from(to - from > PI);
        let at = |angle: f64| format!("{:.1} {:.1}", 34.5 * angle.cos(), 34.5 * angle.sin());
        format!("M{}A34.5 34.5 0 {large} 1 {}", at(from), at(to))
    };
    (0..colours).map(segment).collect()
}

/// What is drawn on the inside of a disc.
const fn ink(side: Side) -> &'static str {
    match side {
        Side::White => paint(Side::Black).0,
        Side::Black => paint(Side::Black).1,
    }
}

/// A letter in a disc with its sign, and around it a ring with a segment for each colour.
fn disc(letter: char, colours: &[&str], side: Side, sign: &str) -> String {
    let (fill, line) = paint(side);
    // The ring between segments is dark; a piece bound to no colour has none, lest White's look like Black's.
    let ring = match colours {
        [] => fill,
        _ => paint(Side::Black).0,
    };
    let mut out = format!(
        r#"<circle r="42" fill="{ring}" stroke="{line}" stroke-width="3"/><circle r="28" fill="{fill}"/>"#
    );
    for (colour, path) in colours.iter().zip(segments(colours.len())) {
        let _ = write!(
            out,
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="8"/>"#
        );
    }
    let ink = ink(side);
    let letter = escape(&letter.to_string());
    out + &format!(
        r#"{sign}<text y="9.5" font-size="26" font-weight="bold" text-anchor="middle" fill="{ink}">{letter}</text>"#
    )
}

/// An arrow from one centre to the other, starting a little aside so that the piece stays visible: as `arrowPoints` of
/// board-shapes.js has it, lest pictures and the element differ.
pub(super) fn arrow_shape(from: Point, to: Point, size: f64, title: &str, fill: &str) -> String {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < size {
        return String::new();
    }
    let at = |along: f64, aside: f64| {
        let (along, aside) = (along / length, aside * size / length);
        let x = from.0 + dx * along - dy * aside;
        let y = from.1 + dy * along + dx * aside;
        format!("{x:.1},{y:.1}")
    };
    // Half the widths of shaft and head, in edges.
    let (shaft, head) = (0.135, 0.3965);
    let (tail, tip) = (0.4 * size, length - 0.1 * size);
    let neck = tip - (0.16 + 1.5 * head) * size;
    let points = [
        at(tail, 0.7 * shaft),
        at(neck, shaft),
        at(neck, head),
        at(tip, 0.0),
        at(neck, -head),
        at(neck, -shaft),
        at(tail, -0.7 * shaft),
    ];
    let points = points.join(" ");
    format!(
        r##"<polygon class="arrow" points="{points}" fill="{fill}" fill-opacity="0.86" stroke="#ffffff" stroke-opacity="0.85" stroke-width="1.6" stroke-linejoin="round"><title>{title}</title></polygon>
"##
    )
}

/// The text as XML has it, also within quotes.
pub fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Chromatic4, Glinski, KING};

    #[test]
    fn a_disc_has_a_segment_for_each_colour() {
        let segments = |letter| {
            let kind = Chromatic4::SPEC.kind_of_letter(letter).unwrap();
            let side = Side::White;
            let shape = piece_shape(Chromatic4::SPEC, "x", Piece { kind, side }, &HUES);
            shape.matches("A34.5").count()
        };
        assert_eq!([segments(b'S'), segments(b'F'), segments(b'K')], [2, 3, 0]);
        let (kind, side) = (KING, Side::Black);
        let king = piece_shape(Glinski::SPEC, "x", Piece { kind, side }, &WOOD);
        assert!(king.contains("<title>Black king</title>"));
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("1&3 <\"a\">"), "1&amp;3 &lt;&quot;a&quot;&gt;");
    }
}
