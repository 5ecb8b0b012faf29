//! Answers for people: the best move, the score in words, the line in standard algebraic notation.

use std::fmt::Write as _;

use hexmate_engine::Report;
use hexmate_movegen::{AnyPosition, GameId, Side, san, with_position};

use super::row::text_of;
use crate::analyse::answer::{Analysis, Answer, Score};
use crate::analyse::fields::{self, Fields};
use crate::drawing::{self, Marks};

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether the board is drawn; else a line names the record.
    pub board: bool,
    /// Whether the board is drawn in colours.
    pub colour: bool,
    /// The game of the command, which may be from a file: then its name alone does not tell it.
    pub game: Option<GameId>,
}

/// An answer as text, with an empty line at its end.
pub fn text(answer: &Answer, style: Style) -> String {
    let analysis = match answer {
        Answer::Analysis(analysis) => analysis,
        Answer::Error(fault) => {
            let own = own(&fault.fields);
            return format!("{}\n{own}\n", fault.error);
        }
    };
    let usual = style.game.filter(|game| game.name() == analysis.game);
    let game = usual.or_else(|| analysis.game.parse().ok());
    let position = game.and_then(|game| AnyPosition::from_fen(game, &analysis.fen).ok());
    let Some(position) = position else {
        // The record named a file: its game is not known here.
        return format!("{}\n\n", answer.json());
    };
    let mut text = String::new();
    if style.board {
        let marks = Marks::default();
        text = with_position!(&position, p => drawing::terminal(p, &marks, style.colour));
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push('\n');
    } else {
        let side = name(position.side_to_move());
        let _ = writeln!(
            text,
            "{} ({}), {side} to move",
            text_of(&analysis.id),
            analysis.game
        );
    }
    text += &own(&analysis.fields);
    text += &findings(analysis, &position);
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

fn findings(analysis: &Analysis, position: &AnyPosition) -> String {
    let found = &analysis.found;
    let side = position.side_to_move();
    let mut text = String::new();
    match &*found.status {
        "checkmate" => {
            let _ = writeln!(text, "{} is checkmated.", name(side));
            return text;
        }
        "stalemate" => {
            let _ = writeln!(text, "{} is stalemated.", name(side));
            return text;
        }
        "draw" => return "The game is a draw.\n".to_owned(),
        _ => {}
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
        assert_eq!(
            text(&answer("", rest), Style::default()),
            "a (glinski), White to move\nBest is 1. Qc3: White is better, by 1.30 pawns.\n   +1.30  1. Qc3 Qc6 2. b2\nDepth 2, 1,234,567 positions in 1.50 s.\n\n"
        );
        let board = Style {
            board: true,
            ..Style::default()
        };
        assert!(text(&answer("", rest), board).contains("White to move"));
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
    fn ends_and_errors() {
        let over = r#""status":"checkmate","bestmove":null,"score":{"mate":0},"depth":0,"nodes":0,"pv":[]"#;
        assert!(text(&answer("", over), Style::default()).contains("White is checkmated."));
        let fault =
            r#"{"id":1,"line":1,"game":null,"status":"error","error":"line 1, no position"}"#;
        let fault = Answer::of_json(fault).unwrap();
        assert_eq!(text(&fault, Style::default()), "line 1, no position\n\n");
    }
}
