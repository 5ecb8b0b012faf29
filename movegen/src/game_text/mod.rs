//! Games as text: reads the format that `docs/game-files.md` describes into a [`GameSpec`].
//!
//! The same code runs in three places: in this crate's build script, which makes the constants of the compiled games
//! from `games/*.toml`; in the program, for games that users write; and in tests. It panics on no text.

mod castling;
mod check;
pub mod compile;
mod error;
mod geometry;
mod outline;
mod pieces;
mod start;
mod tree;
mod words;

pub use compile::compile_limits;
pub use error::{GameFault, GameTextError, GameTextErrors};

use check::Places;
use error::{Log, nearest};
use geometry::Geometry;
use tree::{At, Entry, Item, Section, Value, inherit, parse, place_of};

use crate::board::Board;
use crate::quoted::abridged;
use crate::rules::spec::{GameSpec, PieceSpec, Reading};

/// The version of the format.
const FORMAT: i64 = 1;
/// The longest text of a game, in bytes.
const LONGEST_TEXT: usize = 1 << 18;
/// The longest chain of bases.
const MOST_BASES: usize = 8;
/// The longest name of a game.
const LONGEST_NAME: usize = 32;
/// The longest title, source or reading.
const LONGEST_LINE: usize = 2000;
/// The limits of numbers in `ends`.
const MOST_REPETITIONS: i64 = 10;
const MOST_NO_PROGRESS: i64 = 500;
/// The most leaf counts.
const MOST_COUNTS: usize = 12;

/// Reads a game from the text of its file. `bases` are games that it may inherit from, each with its name and text.
///
/// What the game is made of lives as long as the process: a [`GameSpec`] has `'static` parts, and a game that was read
/// at run time is used until the end. So does the little that a refused text leaves behind. Read a file once.
///
/// # Errors
/// Everything that is wrong with the text, with lines and keys.
///
/// ```
/// use hexmate_movegen::{GAME_TEXTS, read_game};
///
/// let text = r#"
///     format = 1
///     base = "glinski"
///     name = "calm"
///     title = "Gliński's chess, stalemate a draw"
///     [ends]
///     stalemate = "1/2"
/// "#;
/// let calm = read_game(text, GAME_TEXTS).unwrap();
/// assert_eq!((calm.name, calm.stalemate_quarters), ("calm", 2));
///
/// let errors = read_game(&text.replace("1/2", "half"), GAME_TEXTS).unwrap_err();
/// assert_eq!(errors.faults()[0].line, 7);
/// assert_eq!(errors.faults()[0].key, "ends.stalemate");
/// ```
pub fn read_game(text: &str, bases: &[(&str, &str)]) -> Result<GameSpec, GameTextErrors> {
    let log = Log::default();
    let game = texts(&log, text, bases).and_then(|entries| game(&log, &entries));
    match game {
        Some(game) if log.is_clean() => Ok(game),
        _ => {
            if log.is_clean() {
                log.add(
                    At::default(),
                    "",
                    GameFault::Contradiction,
                    "this is no game",
                );
            }
            Err(log.into_errors())
        }
    }
}

/// What is wrong with the text of a game whose name is that of another one.
pub(crate) fn taken_name(text: &str, name: &str) -> GameTextErrors {
    let log = Log::default();
    let entries = parse(&log, log.source(None, text), text);
    let entry = entries.iter().flatten().find(|e| e.key == "name");
    let at = entry.map_or_else(At::default, |entry| entry.at);
    let message = format!(
        "the name '{name}' is that of another game, with other rules, title or names of pieces; expected a name of \
         its own"
    );
    log.add(at, "name", GameFault::BadValue, message);
    log.into_errors()
}

/// The keys of a game laid over those of its bases.
fn texts(log: &Log, text: &str, bases: &[(&str, &str)]) -> Option<Vec<Entry>> {
    let source = log.source(None, text);
    if text.len() > LONGEST_TEXT {
        let message = format!("{} bytes; a game has at most {LONGEST_TEXT}", text.len());
        log.add(At::default(), "", GameFault::Limit, message);
        return None;
    }
    let mut layers = vec![parse(log, source, text)?];
    loop {
        let entries = layers.last()?;
        let Some(base) = entries.iter().find(|e| e.key == "base") else {
            break;
        };
        let item = Item {
            log,
            key: "base".to_owned(),
            node: &base.node,
        };
        let name = item.text()?;
        let Some(&(name, text)) = bases.iter().find(|(known, _)| *known == name) else {
            let known = bases.iter().map(|b| b.0);
            let names: Vec<&str> = known.clone().collect();
            item.bad(match nearest(name, known) {
                Some(known) => format!(
                    "there is no game '{}'; did you mean '{known}'?",
                    abridged(name)
                ),
                None if names.is_empty() => "there is no game to inherit from here".to_owned(),
                None => format!(
                    "there is no game '{}'; the games are {}",
                    abridged(name),
                    names.join(", ")
                ),
            });
            return None;
        };
        if layers.len() > MOST_BASES {
            let message =
                format!("more than {MOST_BASES} bases of bases; do they inherit from each other?");
            item.fault(GameFault::Limit, message);
            return None;
        }
        let source = log.source(Some(name), text);
        layers.push(parse(log, source, text)?);
    }
    let mut merged = layers.pop()?;
    while let Some(game) = layers.pop() {
        merged = inherit(merged, game);
    }
    Some(merged)
}

/// Reads the game from its keys.
fn game(log: &Log, entries: &[Entry]) -> Option<GameSpec> {
    let mut root = Section::new(log, "", At::default(), entries);
    let format = root.need("format", "this program reads 'format = 1'");
    root.get("base");
    let name = root.need("name", "what commands call the game, like \"shafran\"");
    let title = root.need("title", "the game's full name");
    let source = root.get("source");
    let board = root.need("board", "the table of the board, '[board]'");
    let pieces = root.need("pieces", "the table of pieces, '[pieces]'");
    let pawn = root.need("pawn", "the table of the pawn, '[pawn]'");
    let castling = root.get("castling");
    let start = root.need("start", "the table of the first position, '[start]'");
    let ends = root.get("ends");
    let readings = root.get("reading");
    let proof = root.get("proof");
    root.finish();

    if let Some(item) = &format
        && !matches!(item.node.value, Value::Number(FORMAT))
    {
        item.bad("this program reads 'format = 1' only");
        return None;
    }
    let name = name.and_then(|item| short_name(&item));
    let title = title.and_then(|item| line(&item));
    let source = source.map_or(Some(""), |item| line(&item));
    let ends = ends.map_or(Some(Ends::default()), |item| Ends::read(item.section()?));
    let readings = readings.map_or(Some(Vec::new()), |item| read_readings(&item));
    let proof = proof.map_or(Some(Vec::new()), |item| read_proof(item.section()?));

    let board_section = board.and_then(|item| item.section());
    let pieces_section = pieces.and_then(|item| item.section());
    let outline = board_section.and_then(outline::read);
    // The pieces' faults are reported although the board has some.
    let colours = (outline.as_ref()).map_or(outline::MOST_COLOURS, |(o, _)| o.colouring.count);
    let officers = pieces_section.and_then(|s| pieces::read(&s, colours));
    let (outline, other_side) = outline?;
    let board = Board::new(&outline, outline::MOST_CELLS);
    let places = Places { log, entries };
    outline::check_map(&board, &other_side.mirror, &places)?;
    let pawn = pawn
        .and_then(|item| item.section())
        .and_then(|s| pieces::read_pawn(s, &board));
    let castling = castling.map(|item| castling::read(&item, &board));
    let (officers, pawn) = (officers?, pawn?);
    letters_fit(&officers, pawn.piece.letter, &other_side.exchanges, &places)?;
    let mut all = vec![pawn.piece];
    all.extend(officers);
    let mut mirror = other_side.mirror;
    mirror.exchanges = kept(other_side.exchanges);
    pieces::mark_promotions(&mut all, pawn.promotes_to.as_ref())?;
    let start = start
        .and_then(|item| item.section())
        .and_then(|s| start::read(s, &board, &all, &mirror))?;
    let castling = match castling {
        None => None,
        Some(castling) => {
            let castling = castling?;
            castling::mark_partners(&mut all, &castling, &board, &start.array)?;
            Some(castling.spec)
        }
    };
    let (ends, name, title) = (ends?, name?, title?);
    let mut spec = GameSpec {
        name,
        title,
        source: source?,
        board: outline,
        pieces: kept(all),
        pawn: pawn.spec,
        castling,
        mirror,
        start: "",
        stalemate_quarters: ends.stalemate,
        repetitions: ends.repetitions,
        no_progress_plies: 2 * ends.no_progress,
        bare_kings_draw: ends.bare_kings_draw,
        readings: kept(readings?),
        proof: kept(proof?),
    };
    let geometry = Geometry {
        spec: &spec,
        board: &board,
    };
    check::check(&geometry, &places);
    if !log.is_clean() {
        return None;
    }
    start::check(&geometry, &start, &places);
    castling::check(&geometry, &start.array, &places);
    let text = start::text(&geometry, &start.array);
    spec.start = kept_text(&text);
    Some(spec)
}

/// Whether the pawn has a letter of its own, and the pieces that exchange their parts are there.
fn letters_fit(
    officers: &[PieceSpec],
    pawn: u8,
    exchanges: &[(u8, u8)],
    places: &Places<'_>,
) -> Option<()> {
    let known = |letter: u8| officers.iter().any(|p| p.letter == letter);
    if known(pawn) {
        let letter = char::from(pawn).to_string();
        let place = |path: &[&str]| place_of(places.entries, path);
        let (piece, table) = (place(&["pieces", &letter]), place(&["pawn"]));
        let said = place(&["pawn", "letter"]).filter(|at| Some(*at) != table);
        // At the one that this text says; of the other its author may know nothing.
        let is_pawn = said.is_some_and(|at| piece.is_none_or(|piece| at.source <= piece.source));
        let (path, is): ([&str; 2], _) = match is_pawn {
            true => (["pawn", "letter"], "a piece as well"),
            false => (["pieces", &letter], "the pawn's letter as well"),
        };
        places.contradiction(
            &path,
            format!("'{letter}' is {is}; give the pawn or the piece another letter"),
        );
        return None;
    }
    if let Some(&(one, other)) = exchanges.iter().find(|p| !known(p.0) || !known(p.1)) {
        let [one, other] = [one, other].map(char::from);
        let message = format!("'{one}{other}': both letters must be pieces, not the pawn");
        places.contradiction(&["board", "other_side"], message);
        return None;
    }
    Some(())
}

/// What commands and files call the game.
fn short_name(item: &Item<'_>) -> Option<&'static str> {
    let text = item.text()?;
    let first = text.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
    let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    if !first || !text.bytes().all(good) || text.len() > LONGEST_NAME {
        item.bad(format!(
            "expected a letter of a to z, then letters, digits, '-' or '_', {LONGEST_NAME} at most"
        ));
        return None;
    }
    Some(kept_text(text))
}

/// A text on one line.
fn line(item: &Item<'_>) -> Option<&'static str> {
    let text = item.text()?;
    if !words::is_line(text, LONGEST_LINE) {
        item.bad(format!(
            "expected a text of 1 to {LONGEST_LINE} bytes on one line, without marks of the direction of writing"
        ));
        return None;
    }
    Some(kept_text(text))
}

/// The table `ends`.
struct Ends {
    stalemate: u8,
    repetitions: u8,
    no_progress: u16,
    bare_kings_draw: bool,
}

impl Default for Ends {
    fn default() -> Self {
        Ends {
            stalemate: 2,
            repetitions: 3,
            no_progress: 50,
            bare_kings_draw: true,
        }
    }
}

impl Ends {
    fn read(section: Section<'_>) -> Option<Ends> {
        let mut section = section;
        let stalemate = section.get("stalemate");
        let repetitions = section.get("repetitions");
        let no_progress = section.get("no_progress");
        let bare_kings = section.get("bare_kings");
        section.finish();
        let default = Ends::default();
        let stalemate = stalemate.map_or(Some(default.stalemate), |item| {
            outline::choice(&item, &[("1/2", 2), ("3/4-1/4", 1)])
        });
        let repetitions = repetitions.map_or(Some(default.repetitions), |item| {
            item.number(2, MOST_REPETITIONS).map(|n| n as u8)
        });
        let no_progress = no_progress.map_or(Some(default.no_progress), |item| {
            item.number(1, MOST_NO_PROGRESS).map(|n| n as u16)
        });
        let bare_kings = bare_kings.map_or(Some(default.bare_kings_draw), |item| {
            outline::choice(&item, &[("draw", true), ("play on", false)])
        });
        Some(Ends {
            stalemate: stalemate?,
            repetitions: repetitions?,
            no_progress: no_progress?,
            bare_kings_draw: bare_kings?,
        })
    }
}

fn read_readings(item: &Item<'_>) -> Option<Vec<Reading>> {
    let mut found = Vec::new();
    if let Value::Table(_) = item.node.value {
        let message =
            "expected a list of tables, found one table; write '[[reading]]', with double brackets";
        item.fault(GameFault::WrongType, message);
        return None;
    }
    for entry in item.list("tables")? {
        let mut section = entry.section()?;
        let about = section.need("about", "the rule that is read");
        let text = section.need("text", "how it is read, and why");
        let reconstruction = section.get("reconstruction");
        section.finish();
        found.push(Reading {
            about: line(&about?)?,
            reconstruction: reconstruction.map_or(Some(false), |item| item.truth())?,
            text: line(&text?)?,
        });
    }
    Some(found)
}

fn read_proof(section: Section<'_>) -> Option<Vec<u64>> {
    let mut section = section;
    let perft = section.need(
        "perft",
        "the leaf counts from depth 1 upwards, like [51, 2586]",
    );
    section.finish();
    let perft = perft?;
    let items = perft.list("leaf counts")?;
    if items.len() > MOST_COUNTS {
        let message = format!("{} counts; at most {MOST_COUNTS} are possible", items.len());
        perft.fault(GameFault::Limit, message);
        return None;
    }
    let counts = items.iter().map(|item| item.number(0, i64::MAX));
    counts.map(|n| n.map(|n| n as u64)).collect()
}

/// Keeps a list as long as the process lives.
fn kept<T>(items: Vec<T>) -> &'static [T] {
    if items.is_empty() {
        return &[];
    }
    Box::leak(items.into_boxed_slice())
}

/// Keeps a text as long as the process lives.
fn kept_text(text: &str) -> &'static str {
    if text.is_empty() {
        return "";
    }
    Box::leak(text.to_owned().into_boxed_str())
}
