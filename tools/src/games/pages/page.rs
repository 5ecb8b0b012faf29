//! The page of a game, and the list of games.

use std::fmt::Write as _;

use hexmate_movegen::spec::{GameSpec, Naming, Shape};
use hexmate_movegen::{
    AnyPosition, Bits, Board, Cell, Game, GameId, KING, Kind, Move, PAWN, Piece, Position, Side,
    san,
};

use crate::analyse::grouped;
use crate::drawing::{self, Marks, colour_name, colours_matter, escape};
use crate::games::{moves_in_words, nearest};
use crate::words;

/// The folder of the pictures.
pub const PICTURES: &str = "pictures";

/// What stands at the top of each page: comments are not shown.
const MADE: &str = "<!-- Written by `hexmate games pages`: change the game's file or the program, not this page. -->\n\n";

/// The page and the pictures of a game: the names of the files, and what they hold.
pub fn files<G: Game>(game: G) -> Vec<(String, String)> {
    let (spec, id) = (game.spec(), game.id());
    let name = spec.name;
    let start = drawing::svg(&Position::start_of(game), &Marks::default());
    let mut files = vec![
        (format!("{name}.md"), page(game)),
        (picture_of(spec, None), start),
    ];
    for kind in 0..spec.pieces.len() as Kind {
        for (number, from) in places(game, kind).into_iter().enumerate() {
            let title = caption(game, kind, from);
            let picture = drawing::movement(id, kind, from, &title);
            files.push((picture_of(spec, Some((kind, number))), picture));
        }
    }
    files
}

/// Where a picture is: of the start, or of what a kind does, several of which are numbered from 0.
fn picture_of(spec: &GameSpec, kind: Option<(Kind, usize)>) -> String {
    let name = spec.name;
    let Some((kind, number)) = kind else {
        return format!("{PICTURES}/{name}.svg");
    };
    let letter = char::from(spec.pieces[usize::from(kind)].letter);
    match number {
        0 => format!("{PICTURES}/{name}-{letter}.svg"),
        number => format!("{PICTURES}/{name}-{letter}-{}.svg", number + 1),
    }
}

/// The list of the games.
pub fn list(games: &[GameId]) -> String {
    let mut text = format!("{MADE}# The games\n");
    for game in games {
        let spec = game.spec();
        let (name, title) = (spec.name, plain(spec.title));
        let _ = write!(
            text,
            "\n## [{title}]({name}.md)\n\n`{name}`: {}.\n\n<img src=\"{}\" width=\"420\" alt=\"{}: the start\">\n",
            words::line(spec),
            picture_of(spec, None),
            escape(spec.title),
        );
    }
    text
}

fn page<G: Game>(game: G) -> String {
    let (spec, board) = (game.spec(), &game.tables().board);
    let title = plain(spec.title);
    let king = spec.pieces[usize::from(KING)].name;
    let mut text = format!(
        "{MADE}# {title}\n\n`{}`: {}.\n\n<img src=\"{}\" width=\"640\" alt=\"{}: the start\">\n\n\
         Two sides move in turn, White first. Whoever checkmates the enemy {} wins: it is attacked, and no move saves it.\n",
        spec.name,
        words::line(spec),
        picture_of(spec, None),
        escape(spec.title),
        plain(king),
    );
    let _ = write!(text, "\n## The board\n\n{}\n", about_board(spec, board));
    let _ = write!(text, "\n## The pieces\n\n{}", table(game));
    text += "\nIn the pictures, dots are the cells to which a piece goes on an empty board. It captures what stands there.";
    text += " It goes over other pieces only if it leaps.\n";
    for kind in (1..spec.pieces.len() as Kind).chain([PAWN]) {
        text += &piece(game, kind);
    }
    if let Some(castling) = words::castling(game) {
        let _ = write!(text, "\n## Castling\n\n{castling}\n");
    }
    let _ = write!(text, "\n## The end of the game\n\n{}", ends(spec));
    text += &readings(spec);
    text += &commands(game);
    text
}

/// The shape of the board, and the names of cells.
fn about_board(spec: &GameSpec, board: &Board) -> String {
    let cells = board.cells().len();
    let mut text = match spec.board.shape {
        Shape::Hexagon(side) => {
            format!("A regular hexagon with {side} cells on each side, {cells} in all.")
        }
        Shape::Rows(rows) => format!("{cells} cells in {} rows.", rows.len()),
    };
    let count = spec.board.colouring.count;
    let neighbours = board.cells().iter().flat_map(|&cell| {
        let edges = hexmate_movegen::spec::EDGES;
        edges.map(|step| board.step(cell, step).map(|other| (cell, other)))
    });
    let apart = neighbours
        .flatten()
        .all(|(a, b)| board.colour(a) != board.colour(b));
    match count {
        1 => text += " All cells have the same colour.",
        count => {
            let apart = match apart {
                true => ", and neighbours always differ",
                false => "",
            };
            let _ = write!(text, " The cells have {count} colours{apart}.");
        }
    }
    if colours_matter(spec) {
        text += " Some pieces stand only on cells of certain colours.";
    }
    let (letters, counted) = match spec.board.naming {
        Naming::Files(letters) => (
            letters,
            "its number in the file, counted up from the lowest cell",
        ),
        Naming::Rows(letters) => (letters, "the number of its row"),
    };
    let _ = write!(
        text,
        " A cell is named by the letter of its file, {}, and {counted}",
        letters_in_words(letters)
    );
    if let Some(cell) = nearest(board, board.cells().iter().copied()) {
        let _ = write!(text, ": {} is in the middle", board.name(cell));
    }
    text + "."
}

/// Letters in order, with those that are passed over.
fn letters_in_words(letters: &str) -> String {
    let (Some(first), Some(last)) = (letters.chars().next(), letters.chars().last()) else {
        return String::new();
    };
    let missing: Vec<String> = (first..=last)
        .filter(|&letter| !letters.contains(letter))
        .map(String::from)
        .collect();
    match missing.as_slice() {
        [] => format!("{first} to {last}"),
        missing => format!("{first} to {last} without {}", missing.join(", ")),
    }
}

/// The pieces with their letters, numbers at the start and worth.
fn table<G: Game>(game: G) -> String {
    let (spec, board) = (game.spec(), &game.tables().board);
    let start = AnyPosition::start(game.id());
    let values = words::values(game);
    let counts = |kind| {
        Side::BOTH.map(|side| {
            let own = Some(Piece { kind, side });
            let cells = board.cells().iter();
            cells.filter(|&&c| start.piece_on(c) == own).count()
        })
    };
    let even = (0..spec.pieces.len() as Kind).all(|kind| {
        let [white, black] = counts(kind);
        white == black
    });
    let (sides, dashes) = match even {
        true => ("each side has", "--:"),
        false => ("White has | Black has", "--:|--:"),
    };
    let mut text =
        format!("| letter | piece | {sides} | worth, in pawns |\n|---|---|{dashes}|--:|\n");
    for kind in (1..spec.pieces.len() as Kind).chain([PAWN]) {
        let [white, black] = counts(kind);
        let count = match even {
            true => white.to_string(),
            false => format!("{white} | {black}"),
        };
        let worth = match kind {
            KING => "–".to_owned(),
            _ => words::worth(&values, kind).to_string(),
        };
        let piece = &spec.pieces[usize::from(kind)];
        let letter = char::from(piece.letter);
        let _ = writeln!(
            text,
            "| {letter} | {} | {count} | {worth} |",
            plain(piece.name)
        );
    }
    text
}

/// What a piece does, with its picture.
fn piece<G: Game>(game: G, kind: Kind) -> String {
    let spec = game.spec();
    let piece = &spec.pieces[usize::from(kind)];
    let heading = plain(&words::capital(piece.name));
    let words = plain(&moves_in_words(spec, kind));
    let mut text = format!("\n### {heading} ({})\n\n{words}", char::from(piece.letter));
    for (number, from) in places(game, kind).into_iter().enumerate() {
        let caption = caption(game, kind, from);
        let picture = picture_of(spec, Some((kind, number)));
        let _ = write!(
            text,
            "\n\n<img src=\"{picture}\" width=\"360\" alt=\"{}\">\n\n*{}*",
            escape(&caption),
            plain(&caption),
        );
    }
    text + "\n"
}

fn caption<G: Game>(game: G, kind: Kind, from: Cell) -> String {
    let (spec, board) = (game.spec(), &game.tables().board);
    let name = words::capital(spec.pieces[usize::from(kind)].name);
    let cell = board.name(from);
    if kind == PAWN {
        return format!(
            "{name} on {cell}. Dots are steps, crosses are captures, blue cells are those of promotion."
        );
    }
    match colours_decide(spec, kind) {
        true => {
            let colour = colour_name(spec, board.colour(from));
            format!("{name} on {cell}, a {colour} cell.")
        }
        false => format!("{name} on {cell}."),
    }
}

/// Whether a kind's paths depend on the colour of its cell.
fn colours_decide(spec: &GameSpec, kind: Kind) -> bool {
    let mut paths = spec.pieces[usize::from(kind)].paths.iter();
    let first = paths.next().map(|path| path.from);
    paths.any(|path| Some(path.from) != first)
}

/// Where a kind stands in its pictures: near the middle, a pawn where it has its longest first move. A kind whose paths
/// depend on colours has a picture for each.
fn places<G: Game>(game: G, kind: Kind) -> Vec<Cell> {
    let (spec, tables) = (game.spec(), game.tables());
    let board = &tables.board;
    let first = spec.pawn.first.iter().max_by_key(|first| first.steps);
    if let (PAWN, Some(first)) = (kind, first) {
        let set = board.set(&first.cells);
        let cells = board.cells().iter().copied();
        let cells = cells.filter(|&cell| set[usize::from(cell)]);
        return nearest(board, cells).into_iter().collect();
    }
    let stands = tables.stands_on[usize::from(kind)].cells();
    if !colours_decide(spec, kind) {
        return nearest(board, stands).into_iter().collect();
    }
    let stands: Vec<Cell> = stands.collect();
    let of = |colour| {
        let cells = stands.iter().copied();
        nearest(board, cells.filter(|&cell| board.colour(cell) == colour))
    };
    (0..spec.board.colouring.count).filter_map(of).collect()
}

fn ends(spec: &GameSpec) -> String {
    let mut text = format!(
        "* **Checkmate** wins.\n* **Stalemate**, when the side to move has no legal move and is not in check: {}.\n",
        words::stalemate(spec)
    );
    let moves = match spec.no_progress_plies / 2 {
        1 => "is one move".to_owned(),
        moves => format!("are {moves} moves"),
    };
    let _ = writeln!(
        text,
        "* A **draw** is the {} occurrence of a position, and so {moves} of each side without a capture or a pawn move.",
        ordinal(spec.repetitions),
    );
    if spec.bare_kings_draw {
        let king = plain(spec.pieces[usize::from(KING)].name);
        let _ = writeln!(
            text,
            "* {} against {king} is a draw, too.",
            words::capital(&king)
        );
    }
    text
}

fn ordinal(n: u8) -> String {
    match n {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        n => format!("{n}th"),
    }
}

/// Where the rules come from, and what was decided.
fn readings(spec: &GameSpec) -> String {
    let mut text = match (spec.source, spec.readings.is_empty()) {
        ("", true) => return String::new(),
        ("", false) => {
            "\n## Doubts\n\nWhere the rules leave something open, Hexmate plays like this:\n\n"
                .to_owned()
        }
        (source, settled) => format!(
            "\n## Sources and doubts\n\nThe rules come from: {}. {}",
            plain(source),
            match settled {
                true => "They leave nothing open.\n",
                false => "Where they leave something open, Hexmate plays like this:\n\n",
            }
        ),
    };
    for reading in spec.readings {
        let lost = if reading.reconstruction {
            " (the rule is lost; this is a reconstruction)"
        } else {
            ""
        };
        let about = plain(&words::capital(reading.about));
        let _ = writeln!(text, "* **{about}**{lost}: {}", plain(reading.text));
    }
    text
}

/// What to type, and what engines need to know.
fn commands<G: Game>(game: G) -> String {
    let spec = game.spec();
    let name = spec.name;
    let ships = GameId::shipped().iter().any(|game| game.name() == name);
    let (called, intro) = match ships {
        true => (name.to_owned(), String::new()),
        false => (
            format!("{name}.toml"),
            format!("With the game's file in the current folder, called `{name}.toml`:\n\n"),
        ),
    };
    let (ask, moves) = match first_move(game) {
        Some(first) => (
            "Ask what to play after a first move",
            format!("--moves \"{first}\""),
        ),
        None => ("Ask what to play", format!("--fen \"{}\"", spec.start)),
    };
    let mut text = format!(
        "\n## Play it\n\n{intro}```sh\nhexmate board --game {called}\n```\n\n\
         {ask}, or count positions:\n\n```sh\nhexmate analyse --game {called} {moves} --nodes 20000\n\
         hexmate perft {called} 3\n```\n"
    );
    let _ = write!(
        text,
        "\n## For programs\n\nThe name of the game is `{name}`; its first position is\n\n```text\n{}\n```\n",
        spec.start
    );
    if !spec.proof.is_empty() {
        text += "\nLeaf counts of perft from there:\n\n| depth | leaves |\n|--:|--:|\n";
        for (depth, &leaves) in (1..).zip(spec.proof) {
            let _ = writeln!(text, "| {depth} | {} |", grouped(leaves));
        }
    }
    text
}

/// White's first move with a pawn, towards the middle.
fn first_move<G: Game>(game: G) -> Option<String> {
    let start = AnyPosition::start(game.id());
    let board = start.board();
    let moves = start.legal_moves();
    let pawns = |mv: &&Move| start.piece_on(mv.from).is_some_and(|p| p.kind == PAWN);
    let targets: Vec<Cell> = moves.iter().filter(pawns).map(|mv| mv.to).collect();
    let to = nearest(board, targets);
    let chosen = moves.iter().filter(pawns).find(|mv| Some(mv.to) == to);
    chosen.or(moves.first()).map(|&mv| san(&start, mv))
}

/// A text of a game file so that Markdown shows it as it is.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '$' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}
