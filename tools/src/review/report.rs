//! Reviews as text, plot and page. No input or output.

use std::fmt::Write as _;

use super::judge::{Review, Sum};
use crate::analyse::text_of;
use crate::matches::svg::{self, STYLE, Series, escape};

/// A review as text: the summaries, then the moves that lost something.
pub fn text(review: &Review) -> String {
    let mut text = format!(
        "game {} ({}, {} plies)\n{:8}{:>10}{:>11}{:>14}{:>10}{:>10}\n",
        text_of(&review.id),
        review.game,
        review.moves.len(),
        "",
        "accuracy",
        "mean loss",
        "inaccuracies",
        "mistakes",
        "blunders"
    );
    for (name, sum) in [("White", &review.white), ("Black", &review.black)] {
        let [accuracy, loss] = means(sum);
        let _ = writeln!(
            text,
            "{name:8}{accuracy:>10}{loss:>11}{:>14}{:>10}{:>10}",
            sum.inaccuracies, sum.mistakes, sum.blunders
        );
    }
    for row in bad_moves(review) {
        let [number, played, loss, name, best, shares] = row;
        let _ = writeln!(
            text,
            "  {number:>5} {played:8} lost {loss} ({name}); best {best}; White expects {shares}"
        );
    }
    text.push('\n');
    text
}

fn means(sum: &Sum) -> [String; 2] {
    let shown = |value: Option<f64>, unit: &str, digits| {
        value.map_or_else(|| "-".to_owned(), |v| format!("{v:.digits$}{unit}"))
    };
    [shown(sum.accuracy, " %", 1), shown(sum.loss, "", 3)]
}

/// Number, move, loss, name, best move, and how White's expectation changed.
fn bad_moves(review: &Review) -> Vec<[String; 6]> {
    let bad = review.moves.iter().filter_map(|one| {
        Some([
            format!("{}{}", one.number, if one.white { "." } else { "..." }),
            one.played.clone(),
            one.loss.to_string(),
            one.judgement?.name().to_owned(),
            one.best.clone().unwrap_or_default(),
            format!("{} -> {}", one.before, one.after),
        ])
    });
    bad.collect()
}

/// The plot of White's expected score, for a page: each move goes from the score before it to the score after
/// it. Between two moves the line may step, since the next search sees one ply more.
fn plot(review: &Review) -> String {
    let mut points = vec![(0.0, review.expected.points())];
    for (i, one) in review.moves.iter().enumerate() {
        points.push((i as f64, one.before.points()));
        points.push(((i + 1) as f64, one.after.points()));
    }
    points.dedup();
    let series = Series {
        name: "White expects".to_owned(),
        points,
        band: Vec::new(),
    };
    let marks = [
        (0.0, "Black wins".to_owned()),
        (0.5, "level".to_owned()),
        (1.0, "White wins".to_owned()),
    ];
    let label = format!("What White may expect in game {}", text_of(&review.id));
    svg::lines(&label, "plies", &[series], &marks)
}

/// The plot as a file.
pub fn picture(review: &Review) -> String {
    svg::standalone(&plot(review))
}

/// The beginning of a page of reviews.
pub fn begin_page() -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>Review of games</title>\n<style>{STYLE}</style>\n<h1>Review of games</h1>\n"
    )
}

/// The end of a page.
pub const END_OF_PAGE: &str = "</html>\n";

/// A review as a part of a page.
pub fn section(review: &Review) -> String {
    let mut page = format!(
        "<h2>Game {} ({}, {} plies)</h2>\n<figure>{}</figure>\n<table>\n<tr><th><th>accuracy<th>mean loss<th>inaccuracies<th>mistakes<th>blunders\n",
        escape(&text_of(&review.id)),
        review.game,
        review.moves.len(),
        plot(review)
    );
    for (name, sum) in [("White", &review.white), ("Black", &review.black)] {
        let [accuracy, loss] = means(sum);
        let _ = writeln!(
            page,
            "<tr><td class=\"name\">{name}<td>{accuracy}<td>{loss}<td>{}<td>{}<td>{}",
            sum.inaccuracies, sum.mistakes, sum.blunders
        );
    }
    page += "</table>\n";
    let bad = bad_moves(review);
    if !bad.is_empty() {
        page += "<table>\n<tr><th>move<th><th>lost<th><th>best<th>White expects\n";
        for row in bad {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| format!("<td>{}", escape(cell)))
                .collect();
            let _ = writeln!(page, "<tr>{}", cells.concat());
        }
        page += "</table>\n";
    }
    page
}
