//! Answers for people: the best move, the score in words, the line in standard algebraic notation.

use std::fmt::Write as _;

use hexmate_engine::Report;
use hexmate_movegen::{AnyPosition, GameId, Side, san, with_position};

use super::row::text_of;
use crate::analyse::answer::{Analysis, Answer, Score};
use crate::analyse::fields::{self, Fields};
use crate::drawing::{self, Marks};
use crate::terminal::wrapped;

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
}

/// The columns of the lines: record, best move, score, words for it.
const WIDTHS: [usize; 4] = [30, 12, 7, 21];

/// Fewer characters than this of a line of play say nothing.
const LEAST: usize = 16;

/// What stands above the lines of many records.
pub fn heading(style: Style) -> String {
    let cells = ["position", "best", "score", "in words", "goes on"].map(str::to_owned);
    match style.board {
        true => String::new(),
        false => line_of(&cells, style.width),
    }
}

/// Cells as a line; only the last one may be cut off.
fn line_of(cells: &[String; 5], width: Option<usize>) -> String {
    let [record, best, score, words, rest] = cells;
    let [first, second, third, fourth] = WIDTHS;
    let record = cut(record, first);
    let line = format!("{record:<first$} {best:<second$} {score:>third$}  {words:<fourth$} ");
    let room = width.map(|width| width.saturating_sub(line.chars().count()));
    let rest = match room {
        None => rest.clone(),
        Some(..LEAST) => String::new(),
        Some(room) => cut(rest, room),
    };
    (line + &rest).trim_end().to_owned() + "\n"
}

/// The beginning of a text that is too long.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let begin: String = text.chars().take(width.saturating_sub(1)).collect();
    begin + "…"
}

/// An answer as a line, with others for further lines of play and for the record's own fields.
fn lines(analysis: &Analysis, position: &AnyPosition, style: Style) -> String {
    let found = &analysis.found;
    let side = position.side_to_move();
    let id = text_of(&analysis.id);
    let mut text = String::new();
    let mut line = |id: &str, score: &Score, words: String, pv: &[String]| {
        let (best, rest) = pv.split_at(pv.len().min(1));
        let after = best.first().and_then(|mv| position.parse_move(mv).ok());
        let rest = after.map(|mv| numbered(&position.after(mv), rest));
        let score = match pv {
            [] => String::new(),
            _ => short(score, side),
        };
        let best = numbered(position, best);
        let cells = [id.to_owned(), best, score, words, rest.unwrap_or_default()];
        text += &line_of(&cells, style.width);
    };
    match over(&found.status, side) {
        Some(words) => line(&id, &found.score, words, &[]),
        None => match found.lines.as_deref() {
            Some([first, others @ ..]) => {
                line(&id, &first.score, briefly(&first.score, side), &first.pv);
                for other in others {
                    line("", &other.score, briefly(&other.score, side), &other.pv);
                }
            }
            _ => line(&id, &found.score, briefly(&found.score, side), &found.pv),
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
        for (width, end) in [(80, "better\n"), (79 + 8, "better\n"), (0, "better\n")] {
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
            assert!(briefly(&score, Side::White).len() <= WIDTHS[3]);
        }
        assert_eq!(cut("Gliński", 5), "Gliń…");
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
