//! Position texts with operations.

use super::row::text_of;
use crate::analyse::answer::{Answer, Score};

/// The line of an answer. Operations are those of EPD: `bm` the best move, `ce` centipawns or `dm` moves to
/// mate from the side to move, `acd` depth, `acn` nodes, `pv` the line; `c0` what ended a game that is over;
/// `id` and `game` as analyse reads them. A record that could not be used is a comment.
pub fn line(answer: &Answer) -> String {
    let analysis = match answer {
        Answer::Analysis(analysis) => analysis,
        Answer::Error(fault) => return format!("# error: {}", plain(&fault.error)),
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
    } else {
        operation("c0", &format!("\"{}\"", found.status));
    }
    operation("id", &format!("\"{}\"", plain(&text_of(&analysis.id))));
    operation("game", &analysis.game);
    line.pop();
    line
}

/// Makes a text fit between quotation marks on one line.
fn plain(text: &str) -> String {
    let plain = text.chars().map(|c| match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    });
    plain.collect()
}
