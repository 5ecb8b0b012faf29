//! Answers for people: the best move, the score in words, the line in standard algebraic notation.

use std::fmt::Write as _;

use hexmate_engine::Report;
use hexmate_movegen::{AnyPosition, GameId, Side, san, with_position};

use super::row::text_of;
use crate::analyse::answer::{Analysis, Answer, Score};
use crate::analyse::fields::{self, Fields};
use crate::drawing::{self, Marks};
use crate::terminal::{columns, cut, padded, wrapped};

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
    let found = format!(" {best:<BEST$} {score:>SCORE$}{chances}  {words}");
    let room = style
        .width
        .map_or(usize::MAX, |width| width.saturating_sub(columns(&found)));
    if room < LEAST_RECORD {
        return two_lines_of(cells, style);
    }
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
    let id = text_of(&analysis.id);
    let mut text = String::new();
    let chances = found
        .wdl
        .map_or_else(String::new, |wdl| in_per_cent(wdl, side));
    let head = [&*id, &chances];
    let mut line = |[id, chances]: [&str; 2], score: &Score, words: String, pv: &[String]| {
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
    let first_words = |score: &Score| match (score, found.no_mate_in) {
        (Score::Cp(_), Some(moves)) => format!("no mate in {moves}"),
        _ => briefly(score, side),
    };
    match over(&found.status, side) {
        Some(words) => line(head, &found.score, words, &[]),
        None => match found.lines.as_deref() {
            Some([first, others @ ..]) => {
                line(head, &first.score, first_words(&first.score), &first.pv);
                for other in others {
                    line(
                        ["", ""],
                        &other.score,
                        briefly(&other.score, side),
                        &other.pv,
                    );
                }
            }
            _ => line(head, &found.score, first_words(&found.score), &found.pv),
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

/// White's chances of a win, a draw and a loss, in per cent.
fn in_per_cent(wdl: [u32; 3], side: Side) -> String {
    let [win, draw, loss] = wdl.map(|thousandths| (thousandths + 5) / 10);
    match side {
        Side::White => format!("{win}/{draw}/{loss}"),
        Side::Black => format!("{loss}/{draw}/{win}"),
    }
}

/// How a game ended, if it did.
fn over(status: &str, side: Side) -> Option<String> {
    match status {
        "checkmate" => Some(format!("{} is checkmated", name(side))),
        "stalemate" => Some(format!("{} is stalemated", name(side))),
        "draw" => Some("the game is a draw".to_owned()),
        _ => None,
    }
}

/// A score of the side to move, in few words.
fn briefly(score: &Score, side: Side) -> String {
    let words = words(score, side);
    let words = words.split_once(", by").map_or(&*words, |(words, _)| words);
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
            return format!("{}\n{own}", fault.error);
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
        .map(|(name, value)| format!("{name}: {}", fields::text_of(value)))
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
    let _ = writeln!(text, "Best is {best}: {}.", words(&found.score, side));
    match found.lines.as_deref() {
        Some(lines) if lines.len() > 1 => {
            for line in lines {
                let _ = writeln!(
                    text,
                    "{:>8}  {}",
                    short(&line.score, side),
                    numbered(position, &line.pv)
                );
            }
        }
        _ => {
            let _ = writeln!(
                text,
                "{:>8}  {}",
                short(&found.score, side),
                numbered(position, &found.pv)
            );
        }
    }
    if let Some(moves) = found.no_mate_in {
        let plural = if moves == 1 { "" } else { "s or fewer" };
        let _ = writeln!(text, "{} has no mate in {moves} move{plural}.", name(side));
    }
    if let Some(explanation) = &found.explanation {
        text += &wrapped(&explanation.words, Some(width.unwrap_or(80)), "", "");
    }
    if let Some([win, draw, loss]) = found.wdl {
        let share = |thousandths: u32| f64::from(thousandths) / 10.0;
        let _ = writeln!(
            text,
            "{} wins {:.1} %, draws {:.1} %, loses {:.1} %.",
            name(side),
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

fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// A score of the side to move, in words.
fn words(score: &Score, side: Side) -> String {
    let (better, amount) = match *score {
        Score::Cp(cp) if cp < 0 => (side.other(), -cp),
        Score::Cp(cp) => (side, cp),
        Score::Mate(moves) => {
            let winner = if moves > 0 { side } else { side.other() };
            let number = moves.unsigned_abs();
            let plural = if number == 1 { "" } else { "s" };
            return format!("{} mates in {number} move{plural}", name(winner));
        }
    };
    let pawns = format!("{}.{:02} pawns", amount / 100, amount % 100);
    let better = name(better);
    match amount {
        ..25 => "the position is about level".to_owned(),
        25..100 => format!("{better} is slightly better, by {pawns}"),
        100..300 => format!("{better} is better, by {pawns}"),
        _ => format!("{better} is winning, by {pawns}"),
    }
}

/// A score as White sees it, in a few characters.
fn short(score: &Score, side: Side) -> String {
    let sign = match side {
        Side::White => 1,
        Side::Black => -1,
    };
    match *score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(sign * cp) / 100.0),
        Score::Mate(moves) => {
            let moves = sign * moves;
            format!("{}#{}", if moves < 0 { "-" } else { "+" }, moves.abs())
        }
    }
}

/// What a search has found so far, on one line.
pub fn so_far(position: &AnyPosition, report: &Report) -> String {
    let score = short(&report.score().into(), position.side_to_move());
    let moves: Vec<String> = report.pv().iter().map(|&mv| position.text(mv)).collect();
    let line = numbered(position, &moves);
    format!("depth {}  {score}  {line}", report.depth)
}

/// Moves in standard algebraic notation with their numbers.
fn numbered(first: &AnyPosition, moves: &[String]) -> String {
    let mut position = *first;
    let mut words = Vec::new();
    for (i, cells) in moves.iter().enumerate() {
        let Ok(mv) = position.parse_move(cells) else {
            break;
        };
        let number = position.fullmove_number();
        let text = san(&position, mv);
        words.push(match (position.side_to_move(), i) {
            (Side::White, _) => format!("{number}. {text}"),
            (Side::Black, 0) => format!("{number}... {text}"),
            (Side::Black, _) => text,
        });
        position = position.after(mv);
    }
    words.join(" ")
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
mod tests {
    use super::*;

    fn answer(fen: &str, rest: &str) -> Answer {
        let start = GameId::Glinski.spec().start;
        let fen = if fen.is_empty() { start } else { fen };
        let json = format!(
            r#"{{"id":"a","game":"glinski","fen":"{fen}","seldepth":3,"time_ms":1500,{rest}}}"#
        );
        Answer::of_json(&json).unwrap()
    }

    #[test]
    fn scores_in_words() {
        let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":130},"depth":2,"nodes":1234567,"pv":["e1c3","e10c6","b1b2"]"#;
        let board = Style {
            board: true,
            ..Style::default()
        };
        let found = "Best is 1. Qc3: White is better, by 1.30 pawns.\n   +1.30  1. Qc3 Qc6 2. b2\nDepth 2, 1,234,567 positions in 1.50 s.\n\n";
        let whole = text(&answer("", rest), board);
        assert!(
            whole.contains("White to move") && whole.ends_with(found),
            "{whole}"
        );
        for (score, side, expected) in [
            (
                Score::Cp(-40),
                Side::White,
                "Black is slightly better, by 0.40 pawns",
            ),
            (
                Score::Cp(-900),
                Side::Black,
                "White is winning, by 9.00 pawns",
            ),
            (Score::Cp(3), Side::White, "the position is about level"),
            (Score::Mate(1), Side::Black, "Black mates in 1 move"),
            (Score::Mate(-4), Side::Black, "White mates in 4 moves"),
        ] {
            assert_eq!(words(&score, side), expected);
        }
        assert_eq!(short(&Score::Mate(-4), Side::Black), "+#4");
        assert_eq!(short(&Score::Cp(40), Side::Black), "-0.40");
    }

    #[test]
    fn many_records_have_a_line_each() {
        let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":130},"depth":2,"nodes":7,"pv":["e1c3","e10c6"],"note":"my own""#;
        let style = Style {
            width: Some(100),
            ..Style::default()
        };
        let line = text(&answer("", rest), style);
        let best =
            "a                              1. Qc3         +1.30  White better          1... Qc6\n";
        assert_eq!(line, format!("{best}  note: my own\n"));
        for (width, end) in [(80, "better\n"), (79 + 8, "better\n"), (57, "better\n")] {
            let width = Some(width);
            let line = text(&answer("", rest), Style { width, ..style });
            assert!(
                line.lines().next().is_some_and(|l| l.ends_with(end.trim())),
                "{line}"
            );
        }
        assert_eq!(heading(style).find("score"), line.find("+1.30"));
        let black = |score| briefly(&score, Side::Black);
        assert_eq!(black(Score::Mate(1)), "Black mates in 1");
        assert_eq!(black(Score::Mate(-3)), "White mates in 3");
        assert_eq!(black(Score::Cp(3)), "about level");
        assert_eq!(black(Score::Cp(-50)), "White slightly better");
        for score in [Score::Mate(-120), Score::Cp(-50), Score::Cp(900)] {
            assert!(briefly(&score, Side::White).len() <= WORDS);
        }
    }

    #[test]
    fn narrow_terminals_have_two_lines_for_a_record() {
        let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":2,"nodes":7,"pv":["e1c3","e10c6"],"wdl":[310,520,170]"#;
        let answer = answer("", rest)
            .json()
            .replace(r#""id":"a""#, r#""id":"王皓 – Béla""#);
        let answer = Answer::of_json(&answer).unwrap();
        for wdl in [false, true] {
            for width in 30..120 {
                let style = Style {
                    width: Some(width),
                    wdl,
                    ..Style::default()
                };
                for line in (heading(style) + &text(&answer, style)).lines() {
                    assert!(columns(line) <= width, "{width}: {line}");
                }
            }
        }
        let style = Style {
            width: Some(40),
            ..Style::default()
        };
        assert_eq!(heading(style), "position\n  best score in words\n");
        let narrow = text(&answer, style);
        assert_eq!(
            narrow,
            "王皓 – Béla\n  1. Qc3 +0.30 White slightly better\n"
        );
        // Letters of two columns shift nothing.
        let style = Style::default();
        let wide = text(&answer, style);
        let (before, _) = wide.split_once("1. Qc3").unwrap();
        assert_eq!(Some(columns(before)), heading(style).find("best"));
    }

    #[test]
    fn chances_have_a_column() {
        let found = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":2,"nodes":7,"pv":["e1c3"],"wdl":[310,516,174]"#;
        let style = Style {
            wdl: true,
            ..Style::default()
        };
        let line = text(&answer("", found), style);
        assert!(
            line.contains("  +0.30  31/52/17  White slightly better\n"),
            "{line}"
        );
        assert_eq!(heading(style).find("in words"), line.find("White"));
        // As White sees them, like the score.
        let black = GameId::Glinski.spec().start.replace(" w ", " b ");
        let found = found.replace("e1c3", "e10c6");
        let line = text(&answer(&black, &found), style);
        assert!(line.contains("  -0.30  17/52/31  Black"), "{line}");
        let narrow = text(
            &answer("", &found.replace("e10c6", "e1c3")),
            Style {
                width: Some(40),
                ..style
            },
        );
        assert_eq!(
            narrow,
            "a\n  1. Qc3 +0.30 31/52/17 White slightly\n  better\n"
        );
    }

    #[test]
    fn that_there_is_no_mate_is_said() {
        let found = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":1,"nodes":7,"pv":["e1c3"],"no_mate_in":2"#;
        let line = text(&answer("", found), Style::default());
        assert!(line.ends_with("+0.30  no mate in 2\n"), "{line}");
        let board = Style {
            board: true,
            ..Style::default()
        };
        let whole = text(&answer("", found), board);
        assert!(
            whole.contains("\nWhite has no mate in 2 moves or fewer.\n"),
            "{whole}"
        );
        // A longer one is what there is to say.
        let line = text(
            &answer("", &found.replace(r#""cp":30"#, r#""mate":5"#)),
            Style::default(),
        );
        assert!(line.ends_with("White mates in 5\n"), "{line}");
    }

    #[test]
    fn ends_and_errors() {
        let over = r#""status":"checkmate","bestmove":null,"score":{"mate":0},"depth":0,"nodes":0,"pv":[]"#;
        let board = Style {
            board: true,
            ..Style::default()
        };
        assert!(text(&answer("", over), board).contains("White is checkmated."));
        assert_eq!(
            text(&answer("", over), Style::default()),
            format!("{:<53}White is checkmated\n", "a")
        );
        let fault =
            r#"{"id":1,"line":1,"game":null,"status":"error","error":"line 1, no position"}"#;
        let fault = Answer::of_json(fault).unwrap();
        assert_eq!(text(&fault, Style::default()), "line 1, no position\n");
    }
}
