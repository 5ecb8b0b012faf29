//! The graph of what White may expect, move by move, as SVG.

use std::fmt::Write as _;

use super::judge::{Judged, Review};
use crate::plots::escape;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 264.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// The points of the graph: plies played, and what White expects. Each move goes from the score before it to the score
/// after it. Between two moves the line may step, since the next search sees one ply more.
pub fn points(review: &Review) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, review.expected.points())];
    for (i, one) in review.moves.iter().enumerate() {
        points.push((i as f64, one.before.points()));
        points.push(((i + 1) as f64, one.after.points()));
    }
    points.dedup();
    points
}

/// The graph; the dots of mistakes are links if `link` gives the name of their places.
pub fn graph(review: &Review, link: impl Fn(usize) -> Option<String>) -> String {
    let plies = review.moves.len().max(1) as f64;
    let x = |ply: f64| LEFT + ply / plies * (WIDTH - LEFT - RIGHT);
    let y = |share: f64| HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    let black = review.about.names()[1];
    let white = match &review.about.players[0] {
        Some(name) => format!("{name} with White"),
        None => "White".to_owned(),
    };
    let label = escape(&format!("What {white} may expect against {black}"));
    // To a screen reader an image is one thing: links in it would be lost.
    let mut bad = (0..review.moves.len()).filter(|&i| review.moves[i].judgement.is_some());
    let role = match bad.any(|i| link(i).is_some()) {
        true => "group",
        false => "img",
    };
    let mut svg = format!(
        "<svg class=\"plot broad\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"{role}\" aria-label=\"{label}\">\n\
<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"#54493f\"/>\n",
        WIDTH - LEFT - RIGHT,
        HEIGHT - TOP - BOTTOM
    );
    let line: Vec<(f64, f64)> = points(review)
        .into_iter()
        .map(|(px, py)| (x(px), y(py)))
        .collect();
    let place = |(px, py): &(f64, f64)| format!("{px:.1},{py:.1}");
    let places: Vec<String> = line.iter().map(place).collect();
    let end = line.last().map_or(LEFT, |last| last.0);
    let bottom = HEIGHT - BOTTOM;
    let _ = writeln!(
        svg,
        "<polygon points=\"{LEFT},{bottom} {} {end:.1},{bottom}\" fill=\"#f7f1e4\"/>\n\
<polyline points=\"{0}\" fill=\"none\" stroke=\"#2f6db5\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        places.join(" ")
    );
    let middle = y(0.5);
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\" stroke=\"#9a8f83\" stroke-dasharray=\"5 5\"/>",
        WIDTH - RIGHT
    );
    for (share, text, down) in [
        (1.0, "White", 14.0),
        (0.5, "level", 5.0),
        (0.0, "Black", 0.0),
    ] {
        let _ = writeln!(
            svg,
            "<text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            LEFT - 8.0,
            y(share) + down
        );
    }
    svg += &numbers(review, &x);
    for (i, one) in review.moves.iter().enumerate() {
        let Some(judgement) = one.judgement else {
            continue;
        };
        let (cx, cy) = (x((i + 1) as f64), y(one.after.points()));
        let title = escape(&format!("{} {}", move_words(one), judgement.name()));
        let dot = format!(
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5.5\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"1.5\"><title>{title}</title></circle>",
            match judgement {
                super::judge::Judgement::Inaccuracy => "#c99a1a",
                super::judge::Judgement::Mistake => "#d9722e",
                super::judge::Judgement::Blunder => "#c2261d",
            }
        );
        let _ = match link(i) {
            Some(place) => writeln!(svg, "<a href=\"#{place}\" aria-label=\"{title}\">{dot}</a>"),
            None => writeln!(svg, "{dot}"),
        };
    }
    svg + "</svg>\n"
}

/// The numbers of moves below the graph.
fn numbers(review: &Review, x: &dyn Fn(f64) -> f64) -> String {
    let count = review.moves.len() / 2;
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let step = steps
        .into_iter()
        .find(|step| count / step <= 8)
        .unwrap_or(5000);
    let mut svg = String::new();
    for (i, one) in review.moves.iter().enumerate() {
        if one.white && one.number % step == 0 {
            let _ = writeln!(
                svg,
                "<text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(i as f64),
                HEIGHT - BOTTOM + 20.0,
                one.number
            );
        }
    }
    svg
}

/// A move with its number and its sign: `12... Nd5?`.
pub fn move_words(one: &Judged) -> String {
    let sign = one.judgement.map_or("", |judgement| judgement.sign());
    format!("{} {}{sign}", number(one), one.san)
}

/// The number of a move: `12.` or `12...`.
pub fn number(one: &Judged) -> String {
    format!("{}{}", one.number, if one.white { "." } else { "..." })
}
