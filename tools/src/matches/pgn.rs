//! The games of a match in PGN style: tags, then moves as two cells with comments.

use hexmate_movegen::AnyPosition;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::game_record::{GameRecord, MoveNote};
use super::options::Options;
use crate::pgn::{Notation, write};

/// A game as text, followed by an empty line.
pub fn text(options: &Options, game: &GameRecord) -> String {
    let min = options.pgnout.as_ref().is_some_and(|p| p.min);
    let mut text = tags(options, game, min);
    text.push('\n');
    let notation = options
        .pgnout
        .as_ref()
        .map_or(Notation::Cells, |p| p.notation);
    text += &moves(game, min, &texts(options, game, notation));
    text.push('\n');
    text
}

fn tags(options: &Options, game: &GameRecord, min: bool) -> String {
    let begun = OffsetDateTime::from_unix_timestamp(game.began as i64)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| text += &write::tag(name, value);
    tag("Event", options.event.as_deref().unwrap_or("hexmate match"));
    tag("Site", options.site.as_deref().unwrap_or("?"));
    let (year, month, day) = (begun.year(), u8::from(begun.month()), begun.day());
    tag("Date", &format!("{year:04}.{month:02}.{day:02}"));
    tag("Round", &game.round.to_string());
    tag("White", &game.white);
    tag("Black", &game.black);
    tag("Result", game.result.text());
    tag("Variant", options.variant.name());
    tag("SetUp", "1");
    tag("FEN", &game.fen);
    tag("Game", &game.game.to_string());
    if min {
        return text;
    }
    tag("GameStartTime", &begun.format(&Rfc3339).unwrap_or_default());
    tag(
        "GameDuration",
        &format!("{:.3}", game.millis as f64 / 1000.0),
    );
    tag("PlyCount", &game.plies().to_string());
    tag("Termination", game.termination.text());
    let limits = |name: &String| {
        let engine = options.engines.iter().find(|e| e.name == *name);
        engine.map_or_else(|| "?".to_owned(), |e| e.limits.to_string())
    };
    match (limits(&game.white), limits(&game.black)) {
        (white, black) if white == black => tag("TimeControl", &white),
        (white, black) => {
            tag("WhiteTimeControl", &white);
            tag("BlackTimeControl", &black);
        }
    }
    text
}

/// The moves in some notation.
fn texts(options: &Options, game: &GameRecord, notation: Notation) -> Vec<String> {
    let cells = game.moves.split_whitespace();
    let first = AnyPosition::from_fen(options.variant, &game.fen).ok();
    let Some(mut position) = first.filter(|_| notation == Notation::San) else {
        return cells.map(str::to_owned).collect();
    };
    let text = |cells: &str| {
        let Ok(mv) = position.parse_move(cells) else {
            return cells.to_owned();
        };
        let text = notation.text(&position, mv);
        position = position.after(mv);
        text
    };
    cells.map(text).collect()
}

fn moves(game: &GameRecord, min: bool, moves: &[String]) -> String {
    let (mut number, mut black) = write::first_number(&game.fen);
    let mut words = Vec::new();
    for (i, mv) in moves.iter().enumerate() {
        let mut word = match (black, i) {
            (false, _) => format!("{number}. {mv}"),
            (true, 0) => format!("{number}... {mv}"),
            (true, _) => mv.clone(),
        };
        if !min {
            let note = i.checked_sub(game.book_plies).map(|n| &game.notes[n]);
            let end = (i + 1 == moves.len()).then_some(game.reason.as_str());
            word += &format!(" {{{}}}", comment(note, end));
        }
        words.push(word);
        number += usize::from(black);
        black = !black;
    }
    if moves.is_empty() && !min {
        words.push(format!("{{{}}}", game.reason));
    }
    words.push(game.result.text().to_owned());
    write::wrapped(&words)
}

/// Score and depth, seconds, nodes, selective depth; for the last move also the end of the game.
fn comment(note: Option<&MoveNote>, end: Option<&str>) -> String {
    let mut text = match note {
        None => "book".to_owned(),
        Some(note) => format!(
            "{}/{} {:.3}s, n={}, sd={}",
            note.score,
            note.depth,
            note.micros as f64 / 1e6,
            note.nodes,
            note.seldepth
        ),
    };
    if let Some(end) = end {
        text += ", ";
        text += end;
    }
    text
}
