//! Many boards on one page: what they share is written once, in a [`sheet`], and each [`diagram`] uses it. They look
//! as the element `<hexmate-board>` does, which takes their place where scripts may run.

use std::fmt::Write as _;

use hexmate_movegen::{AnyPosition, Board, Cell, GameId, KING, Kind, Move, Piece, Side};

use super::colours_matter;
use super::geometry::labels;
use super::svg::{Plan, Point, RIM, arrow_shape, escape, piece_shape, shape_id, tones};

/// The edge of a cell.
const EDGE: f64 = 50.0;
/// Room for the names of files and rows.
const AROUND: f64 = 1.05;

/// An arrow on a diagram.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// From and to.
    pub mv: Move,
    /// Its colour, as SVG has it.
    pub colour: &'static str,
    /// What it means.
    pub title: String,
}

/// What a diagram shows beside the pieces.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The move that led to the position.
    pub last_move: Option<Move>,
    /// Arrows, the last one on top.
    pub arrows: Vec<Arrow>,
    /// What the picture is called.
    pub label: String,
}

fn id_of(game: GameId) -> String {
    let plain = game
        .name()
        .chars()
        .map(|c| match c.is_ascii_alphanumeric() {
            true => c,
            false => '-',
        });
    format!("hexmate-{}", plain.collect::<String>())
}

fn scaled((x, y): Point) -> Point {
    (x * EDGE, y * EDGE)
}

/// What the diagrams of a game share: the empty board and the pieces. It shows nothing itself.
pub fn sheet(game: GameId) -> String {
    let position = AnyPosition::start(game);
    let (board, spec) = (position.board(), game.spec());
    let (plan, _) = Plan::tight(board);
    let id = id_of(game);
    let tones = tones(spec);
    let corners = plan.corners().map(scaled);
    let corners = corners.map(|(x, y)| format!("{x:.2},{y:.2}")).join(" ");
    let mut out = format!(
        "<svg class=\"sheet\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n<polygon id=\"{id}-cell\" points=\"{corners}\"/>\n"
    );
    for kind in 0..spec.pieces.len() as Kind {
        for side in Side::BOTH {
            out += &piece_shape(spec, &id, Piece { kind, side }, tones);
        }
    }
    let _ = writeln!(out, "<g id=\"{id}-board\" stroke-linejoin=\"round\">");
    let cells = |attributes: &str, chosen: &dyn Fn(Cell) -> bool| {
        let mut group = format!("<g {attributes}>\n");
        for &cell in board.cells().iter().filter(|&&cell| chosen(cell)) {
            group += &cell_shape(&plan, board, &id, cell);
        }
        group + "</g>\n"
    };
    let rim = format!("fill=\"{RIM}\" stroke=\"{RIM}\" stroke-width=\"11\"");
    out += &cells(&rim, &|_| true);
    for colour in 0..board.spec().colouring.count {
        let tone = tones[usize::from(colour)];
        let look = format!("fill=\"{tone}\" stroke=\"{RIM}\" stroke-width=\"0.9\"");
        out += &cells(&look, &|cell| board.colour(cell) == colour);
    }
    out += "<g class=\"edge-names\">\n";
    for label in labels(board, &plan) {
        let (x, y) = scaled((label.x, label.y));
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            y + 6.0,
            label.text
        );
    }
    out + "</g>\n</g>\n</defs></svg>\n"
}

fn cell_shape(plan: &Plan, board: &Board, id: &str, cell: Cell) -> String {
    let (x, y) = scaled(plan.centre(board, cell));
    format!("<use href=\"#{id}-cell\" x=\"{x:.1}\" y=\"{y:.1}\"/>\n")
}

/// A board with the pieces of a position, for a page that has the [`sheet`] of its game.
pub fn diagram(position: &AnyPosition, shown: &Diagram) -> String {
    let board = position.board();
    let (plan, (width, height)) = Plan::tight(board);
    let id = id_of(position.game());
    let label = escape(&shown.label);
    let (left, wide, high) = (
        -AROUND * EDGE,
        (width + 2.0 * AROUND) * EDGE,
        (height + 2.0 * AROUND) * EDGE,
    );
    let mut out = format!(
        "<svg class=\"board\" viewBox=\"{left:.1} {left:.1} {wide:.1} {high:.1}\" role=\"img\" aria-label=\"{label}\"><use href=\"#{id}-board\"/>\n"
    );
    let ring = |class: &str, cells: &[Cell]| {
        let cells = cells
            .iter()
            .map(|&cell| cell_shape(&plan, board, &id, cell));
        format!("<g class=\"{class}\">{}</g>\n", cells.collect::<String>())
    };
    if let Some(mv) = shown.last_move {
        let class = match colours_matter(position.spec()) {
            true => "last hues",
            false => "last",
        };
        out += &ring(class, &[mv.from, mv.to]);
    }
    if let Some(king) = checked_king(position) {
        out += &ring("check", &[king]);
    }
    for &cell in board.cells() {
        if let Some(piece) = position.piece_on(cell) {
            let (x, y) = scaled(plan.centre(board, cell));
            let name = shape_id(position.spec(), &id, piece);
            let (y, scale) = (y - 0.02 * EDGE, EDGE / 60.0);
            let _ = writeln!(
                out,
                "<use href=\"#{name}\" transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\"/>"
            );
        }
    }
    for arrow in &shown.arrows {
        let ends = [arrow.mv.from, arrow.mv.to].map(|cell| scaled(plan.centre(board, cell)));
        let title = escape(&arrow.title);
        out += &arrow_shape(ends[0], ends[1], EDGE, &title, arrow.colour);
    }
    out + "</svg>\n"
}

/// The cell of a king that is in check.
pub fn checked_king(position: &AnyPosition) -> Option<Cell> {
    let own = Piece {
        kind: KING,
        side: position.side_to_move(),
    };
    let mut cells = position.board().cells().iter().copied();
    cells.find(|&cell| position.in_check() && position.piece_on(cell) == Some(own))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_balanced;
    use super::*;

    #[test]
    fn diagrams_use_what_the_sheet_has() {
        for &game in GameId::shipped() {
            let start = AnyPosition::start(game);
            let sheet = sheet(game);
            let mv = start.legal_moves()[0];
            let arrow = Arrow {
                mv,
                colour: "#123456",
                title: "a < b".to_owned(),
            };
            let shown = Diagram {
                last_move: Some(mv),
                arrows: vec![arrow],
                label: "the \"start\"".to_owned(),
            };
            let picture = diagram(&start.after(mv), &shown);
            assert_balanced(&sheet);
            assert_balanced(&picture);
            for used in picture.split("href=\"#").skip(1) {
                let id = used.split('"').next().unwrap();
                assert_eq!(sheet.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
            }
            let cells = start.board().cells().iter();
            let pieces = cells.filter(|&&c| start.piece_on(c).is_some()).count();
            assert_eq!(picture.matches("transform=").count(), pieces);
        }
    }

    #[test]
    fn a_king_in_check_is_ringed() {
        let text = "k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1";
        let position = AnyPosition::from_fen(GameId::Glinski, text).unwrap();
        let king = checked_king(&position).unwrap();
        assert_eq!(position.board().name(king), "f11");
        assert!(diagram(&position, &Diagram::default()).contains("class=\"check\""));
        assert_eq!(checked_king(&AnyPosition::start(GameId::Glinski)), None);
    }
}
