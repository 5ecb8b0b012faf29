//! Answers for people: the best move, the score in words, the line in standard algebraic notation.

use std::cmp::Reverse;
use std::fmt::Write as _;

use hexmate_engine::Report;
use hexmate_movegen::{AnyPosition, GameId, Side, with_position};

use super::row::text_of;
use crate::analyse::answer::{Analysis, Answer, BestLine, Bound, Findings, Score, first_bound};
use crate::analyse::fields::{self, Fields};
use crate::chances::stalemate_of;
use crate::drawing::{self, Marks};
use crate::explain::numbered_line;
use crate::outcome::{self, side_name};
use crate::terminal::{columns, cut, padded, plain, wrapped};

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether it is one position, with its board and all that was found; else there is a line for each record.
    pub board: bool,
    /// How many characters fit on a line.
    pub width: Option<usize>,
    /// Whether the board is drawn in colours.
    pub colour: bool,
    /// The game of the command, which may be from a file: then its name alone does not tell it.
    pub game: Option<GameId>,
    /// Whether chances are reported.
    pub wdl: bool,
}

/// What a line says.
#[derive(Default)]
struct Cells {
    record: String,
    best: String,
    score: String,
    /// Only where chances are reported.
    chances: String,
    words: String,
    rest: String,
}

/// A score, and which bound it is if it is not exact.
type Known<'a> = (&'a Score, Option<Bound>);

/// How wide the cells are.
const RECORD: usize = 30;
const BEST: usize = 12;
const SCORE: usize = 7;
const CHANCES: usize = 8;
const WORDS: usize = 21;

/// Where not even this much of a record's name has room beside what was found, that has a line of its own.
const LEAST_RECORD: usize = 12;

/// Fewer characters than this of a line of play say nothing.
const LEAST: usize = 16;

/// What stands above the lines of many records.
pub fn heading(style: Style) -> String {
    if style.board {
        return String::new();
    }
    let cells = Cells {
        record: "position".to_owned(),
        best: "best".to_owned(),
        score: "score".to_owned(),
        chances: "W/D/L %".to_owned(),
        words: "in words".to_owned(),
        rest: "goes on".to_owned(),
    };
    line_of(&cells, style)
}

/// Cells as a line; on narrow terminals as two.
fn line_of(cells: &Cells, style: Style) -> String {
    let Cells { best, score, .. } = cells;
    let words = padded(&cells.words, WORDS);
    let chances = match style.wdl {
        true => format!("  {:>CHANCES$}", cells.chances),
        false => String::new(),
    };
    // The same for all lines, however long a move is.
    let least = LEAST_RECORD + 1 + BEST + 1 + SCORE + columns(&chances) + 2 + WORDS;
    if style.width.is_some_and(|width| width < least) {
        return two_lines_of(cells, style);
    }
    let found = format!(" {best:<BEST$} {score:>SCORE$}{chances}  {words}");
    let room = style
        .width
        .map_or(usize::MAX, |width| width.saturating_sub(columns(&found)));
    let record = room.min(RECORD);
    let line = padded(&cut(&cells.record, record), record) + &found + " ";
    let rest = match style
        .width
        .map(|width| width.saturating_sub(columns(&line)))
    {
        None => cells.rest.clone(),
        Some(..LEAST) => String::new(),
        Some(room) => cut(&cells.rest, room),
    };
    (line + &rest).trim_end().to_owned() + "\n"
}

/// The record, and below it what was found, without columns.
fn two_lines_of(cells: &Cells, style: Style) -> String {
    let mut text = String::new();
    if !cells.record.is_empty() {
        text += &cut(&cells.record, style.width.unwrap_or(usize::MAX));
        text.push('\n');
    }
    let chances = if style.wdl { &*cells.chances } else { "" };
    let found = [&cells.best, &cells.score, chances, &cells.words];
    let found: Vec<&str> = found.into_iter().filter(|cell| !cell.is_empty()).collect();
    text + &wrapped(&found.join(" "), style.width, "  ", "  ")
}

/// An answer as a line, with others for further lines of play and for the record's own fields.
fn lines(analysis: &Analysis, position: &AnyPosition, style: Style) -> String {
    let found = &analysis.found;
    let side = position.side_to_move();
    let id = plain(&text_of(&analysis.id));
    let mut text = String::new();
    // A stalemate that is no draw has a worth, but no such chances.
    let wdl = found
        .wdl
        .filter(|_| stalemate(&found.score, position, &found.pv).is_none());
    let chances = wdl.map_or_else(String::new, |wdl| in_per_cent(wdl, side));
    let head = [&*id, &chances];
    let mut line = |[id, chances]: [&str; 2], score: Known<'_>, words: String, pv: &[String]| {
        let (best, rest) = pv.split_at(pv.len().min(1));
        let after = best.first().and_then(|mv| position.parse_move(mv).ok());
        let rest = after.map(|mv| numbered(&position.after(mv), rest));
        let score = match pv {
            [] => String::new(),
            _ => short(score, side),
        };
        let best = numbered(position, best);
        let cells = Cells {
            record: id.to_owned(),
            best,
            score,
            chances: chances.to_owned(),
            words,
            rest: rest.unwrap_or_default(),
        };
        text += &line_of(&cells, style);
    };
    let words = |score: Known<'_>, pv: &[String]| briefly(&told(score, position, pv));
    let first_words = |score: Known<'_>, pv: &[String]| match (score.0, found.no_mate_in) {
        (Score::Cp(_), Some(moves)) => format!("no mate in {moves}"),
        _ => words(score, pv),
    };
    match over(&found.status, side) {
        Some(words) => line(head, best_known(found), words, &[]),
        None => match found.lines.as_deref() {
            Some([first, others @ ..]) => {
                let score = known(first);
                line(head, score, first_words(score, &first.pv), &first.pv);
                for other in others {
                    let score = known(other);
                    line(["", ""], score, words(score, &other.pv), &other.pv);
                }
            }
            _ => {
                let score = best_known(found);
                line(head, score, first_words(score, &found.pv), &found.pv);
            }
        },
    }
    if let Some(explanation) = &found.explanation {
        text += &wrapped(&explanation.words, style.width, "  ", "  ");
    }
    let own = own(&analysis.fields);
    if !own.is_empty() {
        text += "  ";
        text += &own;
    }
    text
}

/// White's chances of a win, a draw and a loss, in per cent: 100 in all, so what is cut off most is rounded up.
fn in_per_cent([win, draw, loss]: [u32; 3], side: Side) -> String {
    let wdl = match side {
        Side::White => [win, draw, loss],
        Side::Black => [loss, draw, win],
    };
    let mut parts = wdl.map(|thousandths| thousandths / 10);
    let mut most_cut_off = [0, 1, 2];
    most_cut_off.sort_by_key(|&i| Reverse(wdl[i] % 10));
    let missing = 100_u32.saturating_sub(parts.iter().sum());
    for &i in most_cut_off.iter().take(missing as usize) {
        parts[i] += 1;
    }
    parts.map(|part| part.to_string()).join("/")
}

/// How a game ended, if it did.
fn over(status: &str, side: Side) -> Option<String> {
    match status {
        "checkmate" => Some(format!("{} is checkmated", side_name(side))),
        "stalemate" => Some(format!("{} is stalemated", side_name(side))),
        "draw" => Some("the game is a draw".to_owned()),
        _ => None,
    }
}

/// What is said of a score, in few words.
fn briefly(words: &str) -> String {
    let words = words.split_once(", ").map_or(words, |(words, _)| words);
    match words.strip_suffix(" moves").or(words.strip_suffix(" move")) {
        Some(mate) => mate.to_owned(),
        None => words.replace("the position is ", "").replace(" is ", " "),
    }
}

/// An answer as text.
pub fn text(answer: &Answer, style: Style) -> String {
    let analysis = match answer {
        Answer::Analysis(analysis) => analysis,
        Answer::Error(fault) => {
            let own = own(&fault.fields);
            let own = if own.is_empty() {
                own
            } else {
                format!("  {own}")
            };
            return wrapped(&plain(&fault.error), style.width, "", "  ") + &own;
        }
    };
    let usual = style.game.filter(|game| game.name() == analysis.game);
    let game = usual.or_else(|| analysis.game.parse().ok());
    let position = game.and_then(|game| AnyPosition::from_fen(game, &analysis.fen).ok());
    let Some(position) = position else {
        // The record named a file: its game is not known here.
        return format!("{}\n", answer.json());
    };
    if !style.board {
        return lines(analysis, &position, style);
    }
    let marks = Marks::default();
    let mut text = with_position!(&position, p => drawing::terminal(p, &marks, style.colour));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text += &own(&analysis.fields);
    text += &findings(analysis, &position, style.width);
    text.push('\n');
    text
}

/// A record's own fields, on a line.
fn own(own: &Fields) -> String {
    let present = own.iter().filter(|(_, value)| !value.is_null());
    let fields: Vec<String> = present
        .map(|(name, value)| plain(&format!("{name}: {}", fields::text_of(value))))
        .collect();
    match fields.as_slice() {
        [] => String::new(),
        fields => fields.join("; ") + "\n",
    }
}

fn findings(analysis: &Analysis, position: &AnyPosition, width: Option<usize>) -> String {
    let found = &analysis.found;
    let side = position.side_to_move();
    let mut text = String::new();
    if let Some(words) = over(&found.status, side) {
        let mut letters = words.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        return first.into_iter().chain(letters).collect::<String>() + ".\n";
    }
    let best = numbered(position, &found.pv[..found.pv.len().min(1)]);
    let score = told(best_known(found), position, &found.pv);
    let _ = writeln!(text, "Best is {best}: {score}.");
    match found.lines.as_deref() {
        Some(lines) if lines.len() > 1 => {
            for line in lines {
                let _ = writeln!(
                    text,
                    "{:>8}  {}",
                    short(known(line), side),
                    numbered(position, &line.pv)
                );
            }
        }
        _ => {
            let _ = writeln!(
                text,
                "{:>8}  {}",
                short(best_known(found), side),
                numbered(position, &found.pv)
            );
        }
    }
    if let Some(moves) = found.no_mate_in {
        let plural = if moves == 1 { "" } else { "s or fewer" };
        let _ = writeln!(
            text,
            "{} has no mate in {moves} move{plural}.",
            side_name(side)
        );
    }
    if let Some(explanation) = &found.explanation {
        text += &wrapped(&explanation.words, Some(width.unwrap_or(80)), "", "");
    }
    let stalemate = stalemate(&found.score, position, &found.pv);
    if let (Some([win, draw, loss]), None) = (found.wdl, stalemate) {
        let share = |thousandths: u32| f64::from(thousandths) / 10.0;
        let _ = writeln!(
            text,
            "{} wins {:.1} %, draws {:.1} %, loses {:.1} %.",
            side_name(side),
            share(win),
            share(draw),
            share(loss)
        );
    }
    let _ = writeln!(
        text,
        "Depth {}, {} positions in {:.2} s.",
        found.depth,
        grouped(found.nodes),
        found.time_ms as f64 / 1000.0
    );
    text
}

/// What is known of the best line's score.
fn best_known(found: &Findings) -> Known<'_> {
    (&found.score, found.bound)
}

/// What is known of a line's score.
fn known(line: &BestLine) -> Known<'_> {
    (&line.score, line.bound)
}

/// A score and its line, in words.
fn told(score: Known<'_>, position: &AnyPosition, line: &[String]) -> String {
    stalemate(score.0, position, line).unwrap_or_else(|| words(score, position.side_to_move()))
}

/// The stalemate that a score stands for, where that is no draw.
fn stalemate(score: &Score, position: &AnyPosition, line: &[String]) -> Option<String> {
    let stalemated = stalemate_of(score, position, line)?;
    outcome::stalemate(stalemated, position.spec())
}

/// A score of the side to move, in words.
fn words((score, bound): Known<'_>, side: Side) -> String {
    // Whether it is at least as good as that for a side.
    let at_least = |better| bound.map(|bound| (bound == Bound::Lower) == (better == side));
    let (better, amount) = match *score {
        Score::Cp(cp) if cp < 0 => (side.other(), -cp),
        Score::Cp(cp) => (side, cp),
        Score::Mate(moves) => {
            let winner = if moves > 0 { side } else { side.other() };
            let number = moves.unsigned_abs();
            let plural = if number == 1 { "" } else { "s" };
            let name = side_name(winner);
            return match at_least(winner) {
                None => format!("{name} mates in {number} move{plural}"),
                Some(true) => format!("{name} mates, in {number} move{plural} or fewer"),
                Some(false) => format!("{name} may mate, in {number} move{plural} or more"),
            };
        }
    };
    let (may_be, or_what) = match at_least(better) {
        None => (false, ""),
        Some(true) => (false, " or more"),
        // Then the other side may be better.
        Some(false) => (true, " at most"),
    };
    let is = if may_be { "may be" } else { "is" };
    let pawns = format!("{}.{:02} pawns{or_what}", amount / 100, amount % 100);
    let better = side_name(better);
    match amount {
        ..25 => match bound {
            None => "the position is about level".to_owned(),
            Some(bound) => {
                let side = if bound == Bound::Lower {
                    side
                } else {
                    side.other()
                };
                format!(
                    "the position is about level, or better for {}",
                    side_name(side)
                )
            }
        },
        25..100 if !may_be => format!("{better} is slightly better, by {pawns}"),
        25..300 => format!("{better} {is} better, by {pawns}"),
        _ => format!("{better} {is} winning, by {pawns}"),
    }
}

/// A score as White sees it, in a few characters. At a mate, ≤ and ≥ are about the number of moves: `-#≤5`.
fn short((score, bound): Known<'_>, side: Side) -> String {
    let sign = match side {
        Side::White => 1,
        Side::Black => -1,
    };
    let bound_of = |turned: bool| match bound {
        None => "",
        Some(bound) if (bound == Bound::Lower) != turned => "≥",
        Some(_) => "≤",
    };
    match *score {
        Score::Cp(cp) => {
            let bound = bound_of(side == Side::Black);
            format!("{bound}{:+.2}", f64::from(sign * cp) / 100.0)
        }
        Score::Mate(moves) => {
            // Fewer moves are better for the side that mates.
            let bound = bound_of(moves > 0);
            let sign = if sign * moves < 0 { "-" } else { "+" };
            format!("{sign}#{bound}{}", moves.abs())
        }
    }
}

/// What a search has found so far, on one line.
pub fn so_far(position: &AnyPosition, report: &Report) -> String {
    let score = report.score().into();
    let score = short((&score, first_bound(report)), position.side_to_move());
    let moves: Vec<String> = report.pv().iter().map(|&mv| position.text(mv)).collect();
    let line = numbered(position, &moves);
    format!("depth {}  {score}  {line}", report.depth)
}

/// Moves in standard algebraic notation with their numbers.
fn numbered(first: &AnyPosition, moves: &[String]) -> String {
    let mut moves = moves.iter();
    numbered_line(first, |position| position.parse_move(moves.next()?).ok())
}

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
