//! A game as Rust code.

use std::fmt::Write as _;

use crate::rules::LanePlan;
use crate::rules::spec::{
    CastlingSpec, CellRule, FirstMove, GameSpec, Naming, PawnSpec, PieceSpec, Shape,
};

/// Writes the constant of a game.
pub fn game(out: &mut String, constant: &str, spec: &GameSpec) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "/// {title}.
pub const {constant}: GameSpec = GameSpec {{
    name: {:?},
    title: {title:?},
    source: {:?},
    board: {},
    pieces: {},
    pawn: {},
    castling: {},
    mirror: Mirror {{ a: {:?}, y: {:?}, exchanges: &{:?} }},
    start: {:?},
    stalemate_quarters: {},
    repetitions: {},
    no_progress_plies: {},
    bare_kings_draw: {},
    readings: {},
    proof: &{:?},
}};
",
        spec.name,
        spec.source,
        board(spec),
        list(spec.pieces, piece),
        pawn(&spec.pawn),
        castling(spec.castling),
        spec.mirror.a,
        spec.mirror.y,
        spec.mirror.exchanges,
        spec.start,
        spec.stalemate_quarters,
        spec.repetitions,
        spec.no_progress_plies,
        spec.bare_kings_draw,
        // Their own form is Rust already.
        list(spec.readings, |reading| format!("{reading:?}")),
        spec.proof,
        title = spec.title,
    );
}

/// Writes the lists of all games, of their words of path space and of their texts.
pub fn lists(out: &mut String, constants: &[String], plans: &[Option<LanePlan>], names: &[&str]) {
    let _ = writeln!(
        out,
        "/// The games that are part of this library, compiled or not, in the order of the alphabet.
pub const SHIPPED_GAMES: &[&GameSpec] = &[&{}];
",
        constants.join(", &")
    );
    // Its own form is Rust already.
    let _ = writeln!(
        out,
        "/// Their words of path space, in the same order; none where there is no room.
const LANE_PLANS: &[Option<LanePlan>] = &{plans:?};
"
    );
    let texts: Vec<String> = (names.iter())
        .map(|name| {
            let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/games/{name}.toml\")");
            format!("({name:?}, include_str!({path}))")
        })
        .collect();
    let _ = writeln!(
        out,
        "/// The names and texts of these games, for other games to inherit from.
pub const GAME_TEXTS: &[(&str, &str)] = &[{}];",
        texts.join(", ")
    );
}

/// A slice.
fn list<T>(items: &[T], each: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(each).collect();
    format!("&[{}]", items.join(", "))
}

fn board(spec: &GameSpec) -> String {
    let board = &spec.board;
    let shape = match board.shape {
        Shape::Hexagon(side) => format!("Hexagon({side})"),
        Shape::Rows(rows) => format!("Rows(&{rows:?})"),
    };
    let naming = match board.naming {
        Naming::Files(letters) => format!("Files({letters:?})"),
        Naming::Rows(letters) => format!("Rows({letters:?})"),
    };
    format!(
        "BoardSpec {{ shape: Shape::{shape}, naming: Naming::{naming}, colouring: {:?}, upright_files: {} }}",
        board.colouring, board.upright_files
    )
}

fn piece(piece: &PieceSpec) -> String {
    let paths = list(piece.paths, |path| {
        let (from, steps, reach) = (path.from, path.steps, path.reach);
        format!("Path {{ from: {from}, steps: &{steps:?}, reach: {reach} }}")
    });
    format!(
        "PieceSpec {{ letter: {}, name: {:?}, stands_on: {}, paths: {paths}, promotes: {}, castles: {} }}",
        piece.letter, piece.name, piece.stands_on, piece.promotes, piece.castles
    )
}

fn cells(rule: &CellRule) -> String {
    match rule {
        CellRule::Names(names) => format!("CellRule::Names({names:?})"),
        CellRule::Rows(rows) => format!("CellRule::Rows(&{rows:?})"),
    }
}

fn pawn(pawn: &PawnSpec) -> String {
    let first = list(pawn.first, |first: &FirstMove| {
        let (steps, captures) = (first.steps, first.captures);
        let cells = cells(&first.cells);
        format!("FirstMove {{ cells: {cells}, steps: {steps}, captures: &{captures:?} }}")
    });
    let promotes_on = match &pawn.promotes_on {
        Some(rule) => format!("Some({})", cells(rule)),
        None => "None".to_owned(),
    };
    format!(
        "PawnSpec {{ steps: &{:?}, captures: &{:?}, first: {first}, remembers_first_move: {}, en_passant: {}, \
         blocked_by_enemy: {}, promotes_on: {promotes_on} }}",
        pawn.steps,
        pawn.captures,
        pawn.remembers_first_move,
        pawn.en_passant,
        pawn.blocked_by_enemy
    )
}

fn castling(castling: Option<CastlingSpec>) -> String {
    match castling {
        None => "None".to_owned(),
        Some(CastlingSpec::Towards { directions, gap }) => {
            format!("Some(CastlingSpec::Towards {{ directions: &{directions:?}, gap: {gap} }})")
        }
        Some(CastlingSpec::Ways(ways)) => {
            let ways = list(ways, |way| format!("{way:?}"));
            format!("Some(CastlingSpec::Ways({ways}))")
        }
    }
}
