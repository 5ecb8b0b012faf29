//! Reviews as text for people.

use std::fmt::Write as _;

use super::graph::{move_words, number, points};
use super::judge::{Judged, Review, Sum, Unread};
use crate::analyse::text_of;
use crate::terminal::{self, cut, padded, plain, wrapped};

/// The widest graph, the narrowest, what stands beside it on its lines, and how many these are.
const COLUMNS: usize = 64;
const LEAST_COLUMNS: usize = 16;
const BESIDE: usize = 13;
const LINES: usize = 4;
/// The heading of the summaries after the names.
const SUMS: &str = "  accuracy  inaccuracies  mistakes  blunders";
/// Names are not cut off to less than this in a table: where there is no room for so much, it is no table.
const LEAST_NAME: usize = 12;
/// A blank at which no line ends.
const TOGETHER: char = '\u{a0}';

/// A review: players, the summaries, a graph, then the moves that lost something; on lines of this width, if there is
/// one.
pub fn text(review: &Review, columns: Option<usize>) -> String {
    let names = review.about.names().map(plain);
    let [white, black] = &names;
    let result = review.about.result.as_deref().unwrap_or("");
    let title = match &review.about.players {
        [None, None] => format!("Game {}", text_of(&review.id)),
        _ => format!("{white} – {black}"),
    };
    let title = format!("{title}  {result}");
    let mut text = wrapped(plain(&title).trim_end(), columns, "", "");
    let occasion = review.about.occasion();
    let about = [
        occasion,
        review.rules.spec().title.to_owned(),
        plies(review),
    ];
    let about: Vec<String> = about.into_iter().filter(|part| !part.is_empty()).collect();
    text += &wrapped(&plain(&about.join(" · ")), columns, "", "");
    if let Some(words) = breaks_off(review) {
        text += &wrapped(&plain(&words), columns, "", "");
    }
    text.push('\n');
    text += &summaries([(white, &review.white), (black, &review.black)], columns);
    if review.moves.len() > 1 {
        text.push('\n');
        text += &graph(review, columns);
    }
    let bad: Vec<&Judged> = review
        .moves
        .iter()
        .filter(|m| m.judgement.is_some())
        .collect();
    if !bad.is_empty() {
        text.push('\n');
    }
    let widest = bad.iter().map(|one| move_words(one).chars().count()).max();
    let widest = widest.unwrap_or(0);
    for one in bad {
        let words = format!(
            "{}, {}; better: {}",
            one.judgement.map_or("", |judgement| judgement.name()),
            shares(one),
            better(one),
        );
        let (first, others) = (
            format!("{:widest$}  ", move_words(one)),
            " ".repeat(widest + 2),
        );
        text += &wrapped(&words, columns, &first, &others);
        if let Some(explanation) = &one.explanation {
            text += &wrapped(&explanation.words, columns, &others, &others);
        }
    }
    text.push('\n');
    text
}

/// A game that could not be reviewed: players, and why.
pub fn unread(unread: &Unread, columns: Option<usize>) -> String {
    let names = unread.about.names().join(" – ");
    let mut text = wrapped(&plain(&names), columns, "", "");
    let words = format!("Not reviewed: {}", unread.error);
    text += &wrapped(&plain(&words), columns, "", "");
    text.push('\n');
    text
}

/// Where and why a game breaks off, if it does.
pub fn breaks_off(review: &Review) -> Option<String> {
    let error = review.error.as_ref()?;
    let after = review
        .moves
        .last()
        .map(|last| format!(" after {} {}", number(last), last.san));
    Some(format!(
        "The game breaks off{}: {error}",
        after.unwrap_or_default()
    ))
}

/// How well each side played: a table, or on narrow terminals some lines for each.
fn summaries(sides: [(&str, &Sum); 2], columns: Option<usize>) -> String {
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(SUMS.len()));
    let longest = sides.map(|(name, _)| terminal::columns(name));
    let longest = longest.into_iter().max().unwrap_or(0);
    let mut text = String::new();
    if longest.min(LEAST_NAME) > room {
        for (name, sum) in sides {
            let words = format!(
                "accuracy {}, {}, {}, {}",
                accuracy(sum),
                counted(sum.inaccuracies, "inaccuracy", "inaccuracies"),
                counted(sum.mistakes, "mistake", "mistakes"),
                counted(sum.blunders, "blunder", "blunders")
            );
            text += &cut(name, columns.unwrap_or(usize::MAX));
            text.push('\n');
            text += &wrapped(&words, columns, "  ", "  ").replace(TOGETHER, " ");
        }
        return text;
    }
    let width = longest.min(room);
    let _ = writeln!(text, "{:width$}{SUMS}", "");
    for (name, sum) in sides {
        let _ = writeln!(
            text,
            "{}  {:>8}  {:>12}  {:>8}  {:>8}",
            padded(&cut(name, width), width),
            accuracy(sum),
            sum.inaccuracies,
            sum.mistakes,
            sum.blunders
        );
    }
    text
}

fn counted(number: usize, one: &str, many: &str) -> String {
    let word = if number == 1 { one } else { many };
    format!("{number}{TOGETHER}{word}")
}

/// The length of a game in words.
pub fn plies(review: &Review) -> String {
    match review.moves.len() {
        1 => "1 ply".to_owned(),
        n => format!("{n} plies"),
    }
}

/// The accuracy of a side; a dash without moves.
pub fn accuracy(sum: &Sum) -> String {
    sum.accuracy
        .map_or_else(|| "–".to_owned(), |share| format!("{share:.1} %"))
}

/// How White's expectation changed: `White 0.61 → 0.42`.
pub fn shares(one: &Judged) -> String {
    format!("White {} → {}", one.before, one.after)
}

/// The better line with its numbers: `12. Nd5 Rb3 13. Qc3`.
pub fn better(one: &Judged) -> String {
    let mut words = Vec::new();
    let (mut count, mut white) = (one.number, one.white);
    for (i, san) in one.told_line().iter().enumerate() {
        words.push(match (white, i) {
            (true, 0) | (false, 0) => format!("{} {san}", number(one)),
            (true, _) => format!("{count}. {san}"),
            (false, _) => san.clone(),
        });
        count += usize::from(!white);
        white = !white;
    }
    words.join(" ")
}

/// What White expects, as columns of blocks.
fn graph(review: &Review, width: Option<usize>) -> String {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let plies = review.moves.len();
    let room = width.map_or(COLUMNS, |width| width.saturating_sub(BESIDE));
    let columns = plies.min(room.clamp(LEAST_COLUMNS, COLUMNS));
    let all = points(review);
    // After the moves of each column.
    let shares: Vec<f64> = (1..=columns)
        .map(|column| {
            let ply = (column * plies / columns) as f64;
            let at = all.iter().rev().find(|point| point.0 <= ply);
            at.map_or(0.5, |point| point.1)
        })
        .collect();
    let mut text = String::new();
    for line in (0..LINES).rev() {
        let label = match line {
            0 => "Black wins",
            _ if line == LINES - 1 => "White wins",
            _ => "",
        };
        let blocks = shares.iter().map(|share| {
            let eighths = (share * (8 * LINES) as f64).round() as usize;
            BLOCKS[eighths.saturating_sub(8 * line).min(8)]
        });
        let blocks: String = blocks.collect();
        let _ = writeln!(text, "{label:>10} │{blocks}│");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(inaccuracies: usize) -> Sum {
        Sum {
            moves: 9,
            accuracy: Some(93.06),
            inaccuracies,
            ..Sum::default()
        }
    }

    fn lines(names: [&str; 2], columns: Option<usize>) -> Vec<String> {
        let (first, second) = (sum(1), sum(2));
        let text = summaries([(names[0], &first), (names[1], &second)], columns);
        text.lines().map(str::to_owned).collect()
    }

    fn widest(lines: &[String]) -> usize {
        lines
            .iter()
            .map(|line| terminal::columns(line))
            .max()
            .unwrap()
    }

    #[test]
    fn names_take_the_room_there_is() {
        let names = ["A name of just thirty-six characters", "hexmate-new"];
        let table = lines(names, Some(80));
        assert_eq!(widest(&table), 80);
        assert!(
            table[1].starts_with(&format!("{}    93.1 %", names[0])),
            "{table:?}"
        );
        assert_eq!(table, lines(names, None));
        // What is cut off is marked.
        let table = lines(names, Some(60));
        assert!(
            table[1].starts_with("A name of just …    93.1 %"),
            "{table:?}"
        );
        assert_eq!(widest(&table), 60);
    }

    #[test]
    fn wide_letters_do_not_shift_the_numbers() {
        let table = lines(["王皓", "Béla"], Some(80));
        assert_eq!(table[1], "王皓    93.1 %             1         0         0");
        assert_eq!(table[2], "Béla    93.1 %             2         0         0");
    }

    #[test]
    fn a_narrow_terminal_has_no_table() {
        let names = ["hexmate-old", "hexmate-new"];
        assert_eq!(
            lines(names, Some(40)),
            [
                "hexmate-old",
                "  accuracy 93.1 %, 1 inaccuracy,",
                "  0 mistakes, 0 blunders",
                "hexmate-new",
                "  accuracy 93.1 %, 2 inaccuracies,",
                "  0 mistakes, 0 blunders",
            ]
        );
        for columns in 24..80 {
            let lines = lines(names, Some(columns));
            assert!(widest(&lines) <= columns, "{columns}: {lines:?}");
            for name in names {
                let told = lines.iter().any(|line| line.starts_with(name));
                assert!(told, "{columns}: {lines:?}");
            }
        }
    }
}
