//! The games of the report, each to be stepped through.

use hexmate_movegen::{AnyPosition, Move};
use time::OffsetDateTime;

use crate::explain::numbered_line;
use crate::matches::game_record::GameRecord;
use crate::matches::options::Options;
use crate::pages::{self, Shown};
use crate::plots::{escape, isolated};

/// The day of a time in seconds since 1970: `2026-11-22`.
pub fn date(seconds: u64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(seconds as i64);
    let day = time.unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
    day.to_string()
}

/// The first position and the moves of a game; those that cannot be read end it.
fn played(options: &Options, game: &GameRecord) -> Option<(AnyPosition, Vec<Move>)> {
    let first = AnyPosition::from_fen(options.variant, &game.fen).ok()?;
    let mut position = first;
    let mut moves = Vec::new();
    for text in game.moves.split_whitespace() {
        let Ok(mv) = position.parse_move(text) else {
            break;
        };
        position = position.after(mv);
        moves.push(mv);
    }
    Some((first, moves))
}

/// An opening by its moves: `1. e5 e6 2. Qc3`; one without moves by its position.
pub fn opening_line(options: &Options, game: &GameRecord) -> String {
    let Some((first, moves)) = played(options, game) else {
        return String::new();
    };
    if game.book_plies == 0 {
        return match first == AnyPosition::start(options.variant) {
            true => "the starting position".to_owned(),
            false => game.fen.clone(),
        };
    }
    let mut moves = moves.into_iter().take(game.book_plies);
    numbered_line(&first, |_| moves.next())
}

/// A game as a part of the page, closed at first; what its opening is called is HTML.
pub fn section(options: &Options, game: &GameRecord, opening: &str, picture: bool) -> String {
    let label = format!("game {}, {} against {}", game.game, game.white, game.black);
    let viewer = played(options, game).map_or_else(String::new, |(first, moves)| {
        pages::viewer(&Shown {
            id: "",
            first,
            moves: &moves,
            marks: &[],
            best: &[],
            start: moves.len(),
            picture,
            label: &label,
        })
    });
    let fault = match game.blame {
        Some(_) => " class=\"blunder\"",
        None => "",
    };
    format!(
        "<details class=\"game\" id=\"game-{0}\"><summary>{0}. {1} – {2} <span class=\"result\">{3}</span> <span{fault}>{4}</span> <span class=\"quiet\">· {5} plies · round {6}</span></summary>\n<p class=\"note\" style=\"padding:0 .8rem\">Opening: {7}</p>\n{viewer}</details>\n",
        game.game,
        isolated(&game.white),
        isolated(&game.black),
        game.result.text(),
        escape(&game.reason),
        game.plies(),
        game.round,
        opening
    )
}
