//! Drawings of a position: a hexagonal board as text and as an SVG picture.
//!
//! Both follow the data of the game alone (outline, colours, letters, bound pieces), so that a new game is
//! drawn without any change here.

use hexmate_movegen::spec::{Colours, GameSpec};
use hexmate_movegen::{Cell, Game, KING, Kind, Move, Outcome, Position, Record};

mod diagram;
mod geometry;
mod movement;
mod sign;
mod svg;
mod terminal;

use crate::outcome::{self, side_name};

pub use diagram::{Arrow, Diagram, checked_king, diagram, sheet};
pub use geometry::geometry;
pub use movement::movement;
pub(crate) use sign::Sign;
#[cfg(feature = "board")]
pub(crate) use svg::paint;
pub(crate) use svg::{Plan, escape, glyph, segments, tones};
pub use svg::{View, svg, svg_in};
pub use terminal::{map, terminal};

/// The most colours that the cells of a game have.
const MOST_COLOURS: usize = Colours::BITS as usize;

/// What is drawn: a position alone, or that of a game, which may have ended by repetition.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'p, G: Game> {
    position: &'p Position<G>,
    outcome: Option<Outcome>,
}

impl<'p, G: Game> From<&'p Position<G>> for Drawn<'p, G> {
    fn from(position: &'p Position<G>) -> Self {
        let outcome = position.outcome();
        Drawn { position, outcome }
    }
}

impl<'p, G: Game> From<&'p Record<G>> for Drawn<'p, G> {
    fn from(game: &'p Record<G>) -> Self {
        let (position, outcome) = (game.position(), game.outcome());
        Drawn { position, outcome }
    }
}

/// What to mark on a drawing. All moves must be of the position's board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The move that led to the position: its two cells are marked.
    pub last_move: Option<Move>,
    /// Moves to draw as arrows; the text drawing lists them below the board.
    pub arrows: Vec<Move>,
}

impl Marks {
    /// Whether the last move left or entered a cell.
    fn touches(&self, cell: Cell) -> bool {
        self.last_move
            .is_some_and(|m| m.from == cell || m.to == cell)
    }
}

/// Whose turn it is, and check or the end of the game if there is one.
fn status<G: Game>(Drawn { position, outcome }: Drawn<'_, G>) -> String {
    let mut text = format!("{} to move", side_name(position.side_to_move()));
    match outcome {
        Some(Outcome::Checkmate { .. }) => text.push_str(", checkmated"),
        Some(Outcome::Stalemate { .. }) => text.push_str(", stalemated"),
        Some(Outcome::BareKings) => {
            let king = position.spec().pieces[usize::from(KING)].name;
            text += &format!("; draw: {king} against {king}");
        }
        Some(outcome @ (Outcome::NoProgress | Outcome::Repetition)) => {
            text += &format!("; draw: {}", outcome::words(outcome, position.spec()));
        }
        None if position.in_check() => text.push_str(", in check"),
        None => {}
    }
    text
}

/// The colours that a piece is bound to, none if it may stand anywhere.
pub(crate) fn bound_to(spec: &GameSpec, kind: Kind) -> Vec<u8> {
    let count = spec.board.colouring.count;
    let all = ((1u16 << count) - 1) as Colours;
    let bound = spec.pieces[usize::from(kind)].stands_on & all;
    if bound == all {
        return Vec::new();
    }
    (0..count).filter(|c| bound >> c & 1 != 0).collect()
}

/// Whether the rules of the game refer to colours: such a board is drawn in clearly different hues, any other
/// in quiet wood tones.
pub(crate) fn colours_matter(spec: &GameSpec) -> bool {
    (0..spec.pieces.len()).any(|kind| !bound_to(spec, kind as Kind).is_empty())
}

/// What people call a colour of a game's cells.
pub(crate) fn colour_name(spec: &GameSpec, colour: u8) -> &'static str {
    let names: [&str; MOST_COLOURS] = if colours_matter(spec) {
        [
            "yellow", "green", "grey", "white", "blue", "red", "violet", "brown",
        ]
    } else {
        [
            "medium", "dark", "light", "darkest", "reddish", "greenish", "purplish", "golden",
        ]
    };
    names[usize::from(colour)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Bits, BuiltIn, Chromatic3, Chromatic4, Glinski, for_each_game};

    #[test]
    fn the_status_tells_check_and_the_end() {
        let told = |fen: &str| {
            let position: Position<Glinski> = fen.parse().unwrap();
            status((&position).into())
        };
        let start = Position::<Glinski>::start();
        assert_eq!(status((&start).into()), "White to move");
        let mut game = start;
        for text in ["e1b4", "g10h8", "f3h2", "h8i6", "b4k4"] {
            let mv = game.parse_move(text).unwrap();
            game.play(mv).unwrap();
        }
        assert_eq!(status((&game).into()), "Black to move, checkmated");
        assert_eq!(
            told("k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1"),
            "Black to move, in check"
        );
        assert_eq!(
            told("k/3/5/7/9/11/11/11/11/11/5K5 b - - 0 1"),
            "Black to move; draw: king against king"
        );
        let fen = start.to_string().replace(" 0 1", " 100 60");
        assert_eq!(
            told(&fen),
            "White to move; draw: 50 moves of each side without a capture or a pawn move"
        );
        let mut game = Record::new(start);
        for text in ["d1b2", "d9b6", "b2d1", "b6d9"].repeat(2) {
            game.play(game.position().parse_move(text).unwrap())
                .unwrap();
        }
        // The position alone does not say it, the game does.
        assert_eq!(status(game.position().into()), "White to move");
        assert_eq!(
            status((&game).into()),
            "White to move; draw: the position has occurred 3 times"
        );
        for drawing in [
            svg(&game, &Marks::default()),
            terminal(&game, &Marks::default(), false),
        ] {
            let told = "White to move; draw: the position has occurred 3 times";
            assert!(drawing.contains(told), "{drawing}");
        }
    }

    #[test]
    fn colours_matter_where_pieces_are_bound_to_them() {
        assert!(!colours_matter(Glinski::SPEC));
        assert!(colours_matter(Chromatic3::SPEC));
        let bound = |letter| {
            let kind = Chromatic4::SPEC.kind_of_letter(letter).unwrap();
            bound_to(Chromatic4::SPEC, kind)
        };
        assert_eq!(bound(b'Q'), Vec::<u8>::new());
        assert_eq!(bound(b'W'), [1, 3]);
        assert_eq!(bound(b'E'), [0, 2, 3]);
    }

    /// Every tag is closed in the order in which it was opened, and no text has a bare `&` or `<`.
    pub(super) fn assert_balanced(text: &str) {
        let mut open = Vec::new();
        for part in text.split('<').skip(1) {
            let (tag, between) = part.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!between.contains('>'), "{between}");
            for entity in between.split('&').skip(1) {
                let name = entity.split(';').next().unwrap();
                assert!(["amp", "lt", "gt", "quot"].contains(&name), "{between}");
            }
            let name = tag.split([' ', '/']).next().unwrap();
            match tag.strip_prefix('/') {
                Some(closed) => assert_eq!(open.pop(), Some(closed)),
                None if tag.ends_with('/') => {}
                None => open.push(name),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn the_picture_has_every_cell_and_every_piece_once() {
        fn check<G: BuiltIn>() {
            let position = Position::<G>::start();
            let text = svg(&position, &Marks::default());
            assert_balanced(&text);
            let board = &G::GAME.tables().board;
            for &cell in board.cells() {
                let name = format!(">{}</text>", board.name(cell));
                assert_eq!(text.matches(&name).count(), 1);
            }
            let (_, cells) = text.split_once(r#"class="cells""#).unwrap();
            assert_eq!(cells.matches("-cell\"").count(), board.cells().len());
            let pieces = text.matches("transform=").count();
            assert_eq!(pieces, position.occupied().count() as usize);
            // What is used is defined, and once.
            for used in text.split("href=\"#").skip(1) {
                let id = used.split('"').next().unwrap();
                assert_eq!(text.matches(&format!("id=\"{id}\"")).count(), 1);
            }
        }
        for_each_game!(G => check::<G>());
    }

    #[test]
    fn marks_are_drawn() {
        let mut position = Position::<Glinski>::start();
        let last = position.parse_move("e4e6").unwrap();
        position.play(last).unwrap();
        let marks = Marks {
            last_move: Some(last),
            arrows: vec![position.parse_move("f7e6").unwrap()],
        };
        let picture = svg(&position, &marks);
        assert_balanced(&picture);
        let cells = |text: &str| text.matches("-cell\"").count();
        let unmarked = svg(&position, &Marks::default());
        assert_eq!(cells(&picture), cells(&unmarked) + 2);
        assert_eq!(picture.matches(r#"class="arrow""#).count(), 1);
        assert!(picture.contains("Black to move</title>"));

        let text = terminal(&position, &marks, false);
        assert!(text.contains("[P]"));
        assert_eq!(text.matches('[').count(), 2);
        assert!(text.contains("\nBlack to move\nLast move: e4e6\nArrows: f7e6\n"));
        assert!(text.ends_with(&format!("\n{position}\n")));
        let unmarked = terminal(&position, &Marks::default(), true);
        assert_ne!(terminal(&position, &marks, true), unmarked);
    }

    #[test]
    fn a_board_is_turned_around_and_scaled() {
        let position = Position::<Glinski>::start();
        let view = View {
            flipped: true,
            width: Some(400),
        };
        let turned = svg_in(&position, &Marks::default(), view);
        assert_balanced(&turned);
        let usual = svg(&position, &Marks::default());
        assert!(turned.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" "#));
        let place = |picture: &str, cell: &str| {
            let line = picture
                .lines()
                .find(|l| l.ends_with(&format!(">{cell}</text>")));
            let numbers = line.unwrap().split('"').filter_map(|n| n.parse().ok());
            numbers.collect::<Vec<f64>>()
        };
        // The middle stays; opposite corners change places.
        assert_eq!(place(&turned, "f6"), place(&usual, "f6"));
        assert_eq!(place(&turned, "f1"), place(&usual, "f11"));
        assert_eq!(place(&turned, "a6"), place(&usual, "l1"));
    }
}
