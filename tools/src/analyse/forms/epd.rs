//! Position texts with operations.

use serde_json::Value;

use super::row::text_of;
use crate::analyse::answer::{Answer, Score};
use crate::analyse::fields::{self, Fields};
use crate::terminal;

/// The line of an answer. Operations are those of EPD: `bm` the best move, `ce` centipawns or `dm` moves to
/// mate from the side to move, `acd` depth, `acn` nodes, `pv` the line; `c0` what ended a game that is over; `c1` what
/// separates the best move from another one; `c2` the chances; `c3` that there is no mate; `c4` that the time was over;
/// `c5` that the score is a bound; `id` and `game` as analyse reads them, and the record's own fields. A record that
/// could not be used is a comment.
pub fn line(answer: &Answer) -> String {
    let analysis = match answer {
        Answer::Analysis(analysis) => analysis,
        Answer::Error(fault) => {
            let (error, id) = (plain(&fault.error), plain(&text_of(&fault.id)));
            let own = operations(&fault.fields);
            return format!("# error: {error}; id \"{id}\"{own}");
        }
    };
    let found = &analysis.found;
    let mut line = analysis.fen.clone() + " ;";
    let mut operation = |name: &str, value: &str| {
        line += &format!(" {name} {value};");
    };
    if let Some(best) = &found.bestmove {
        operation("bm", best);
    }
    match found.score {
        Score::Cp(cp) => operation("ce", &cp.to_string()),
        Score::Mate(moves) => operation("dm", &moves.to_string()),
    }
    if found.status == "ok" {
        operation("acd", &found.depth.to_string());
        operation("acn", &found.nodes.to_string());
        operation("pv", &found.pv.join(" "));
        if let Some(explanation) = &found.explanation {
            operation("c1", &format!("\"{}\"", plain(&explanation.words)));
        }
    } else {
        operation("c0", &format!("\"{}\"", found.status));
    }
    if let Some([win, draw, loss]) = found.wdl {
        operation("c2", &format!("\"wdl {win} {draw} {loss}\""));
    }
    if let Some(moves) = found.no_mate_in {
        operation("c3", &format!("\"no mate in {moves}\""));
    }
    if found.timeout == Some(true) {
        operation("c4", "\"timeout\"");
    }
    if let Some(bound) = found.bound {
        operation("c5", &format!("\"{} bound\"", bound.name()));
    }
    operation("id", &format!("\"{}\"", plain(&text_of(&analysis.id))));
    operation("game", &analysis.game);
    line.pop();
    line + &operations(&analysis.fields)
}

/// A record's own fields, each after a semicolon; in names only letters, digits and some signs stay, and
/// an empty one is `_`.
fn operations(own: &Fields) -> String {
    let name = |name: &str| -> String {
        if name.is_empty() {
            return "_".to_owned();
        }
        let stays = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        name.chars()
            .map(|c| if stays(c) { c } else { '_' })
            .collect()
    };
    let present = own.iter().filter(|(_, value)| !value.is_null());
    let one = |(n, value): (&str, &Value)| match fields::text_of(value) {
        // As an operation without a value is read.
        text if text.is_empty() => format!("; {}", name(n)),
        text => format!("; {} \"{}\"", name(n), plain(&text)),
    };
    present.map(one).collect()
}

/// Makes a text fit between quotation marks on one line.
fn plain(text: &str) -> String {
    terminal::plain(text).replace('"', "'")
}
