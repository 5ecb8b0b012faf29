//! Reviews as games in PGN: a glyph for each bad move, why another one was better, and how it goes on.

use hexmate_movegen::AnyPosition;

use super::judge::{Judged, Judgement, Review};
use super::text::breaks_off;
use crate::pgn::{ReadGame, ReadLine, ReadMove, result_of, write};

/// The game with what is said of its moves.
pub fn pgn(review: &Review) -> String {
    let about = &review.about;
    let result = about.result.as_deref().and_then(result_of).unwrap_or("*");
    let mut game = ReadGame {
        result,
        ..ReadGame::default()
    };
    let [white, black] = &about.players;
    for (name, value) in [
        ("Event", &about.event),
        ("Site", &about.site),
        ("Date", &about.date),
        ("Round", &about.round),
        ("White", white),
        ("Black", black),
    ] {
        // As PGN writes what is not known.
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        game.set_tag(name, value.as_deref().unwrap_or(unknown));
    }
    game.set_tag("Result", result);
    for (name, rating) in ["WhiteElo", "BlackElo"].iter().zip(&about.ratings) {
        if let Some(rating) = rating {
            game.set_tag(name, rating);
        }
    }
    game.set_tag("Variant", review.game);
    if review.fen != AnyPosition::start(review.rules).to_string() {
        game.set_tag("FEN", &review.fen);
    }
    game.set_tag("Annotator", "hexmate");
    game.main.moves = review.moves.iter().map(told).collect();
    if let Some(last) = game.main.moves.last_mut() {
        // A brace would end the comment: the error names what it expected.
        let words =
            breaks_off(review).map(|words| words.replace("expected }", "expected a closing brace"));
        last.comments.extend(words);
    }
    write::text(&game, &review.fen)
}

/// A move with what is said of it.
fn told(one: &Judged) -> ReadMove {
    let Some(judgement) = one.judgement else {
        return plain(&one.san);
    };
    let glyph = match judgement {
        Judgement::Inaccuracy => 6,
        Judgement::Mistake => 2,
        Judgement::Blunder => 4,
    };
    let words = one.explanation.as_ref().map(|why| why.words.clone());
    ReadMove {
        glyphs: vec![glyph],
        comments: words.into_iter().collect(),
        variations: vec![ReadLine {
            moves: one.told_line().iter().map(|san| plain(san)).collect(),
            ..ReadLine::default()
        }],
        ..plain(&one.san)
    }
}

fn plain(san: &str) -> ReadMove {
    ReadMove {
        text: san.to_owned(),
        ..ReadMove::default()
    }
}
