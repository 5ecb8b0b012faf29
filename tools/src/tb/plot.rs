//! A plot of the distribution of distances.

use std::fmt::Write as _;

use hexmate_tablebases::{Category, Survey};

use crate::plots::escape;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;

/// A curve: side to move, category, colour, and name.
const CURVES: [(u8, Category, &str, &str); 8] = [
    (0, Category::Win, "#1a7f37", "White to move wins"),
    (0, Category::Loss, "#cf222e", "White to move loses"),
    (1, Category::Win, "#0969da", "Black to move wins"),
    (1, Category::Loss, "#bc4c00", "Black to move loses"),
    (
        0,
        Category::GivesStalemate,
        "#8250df",
        "White to move stalemates",
    ),
    (
        0,
        Category::Stalemated,
        "#bf3989",
        "White to move is stalemated",
    ),
    (
        1,
        Category::GivesStalemate,
        "#57606a",
        "Black to move stalemates",
    ),
    (
        1,
        Category::Stalemated,
        "#9a6700",
        "Black to move is stalemated",
    ),
];

/// The number of positions by distance, on a logarithmic scale.
pub fn svg(material: &str, game: &str, survey: &Survey) -> String {
    let curves = CURVES.iter().filter_map(|curve| {
        let counts = survey.distances.get(&(curve.0, curve.1))?;
        Some((curve, counts))
    });
    let curves: Vec<_> = curves.collect();
    let most = curves.iter().flat_map(|(_, counts)| counts.iter()).max();
    let decades = most.map_or(1.0, |&m| (m as f64).log10().ceil().max(1.0));
    let plies = curves
        .iter()
        .map(|(_, counts)| counts.len())
        .max()
        .unwrap_or(1);
    let x = |ply: usize| LEFT + WIDTH * ply as f64 / plies.max(1) as f64;
    let y = |count: u64| TOP + HEIGHT * (1.0 - (count as f64).log10() / decades);
    let title = escape(&format!(
        "{material}, {game}: positions by plies to the end"
    ));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{title}</text>\n",
        LEFT + WIDTH + 230.0,
        TOP + HEIGHT + 50.0,
    );
    for decade in 0..=decades as u32 {
        let height = y(10u64.pow(decade));
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{height:.1}\" y2=\"{height:.1}\" stroke=\"#d0d7de\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">{decade}</tspan></text>",
            LEFT + WIDTH,
            LEFT - 6.0,
            height + 4.0,
        );
    }
    for ply in (0..=plies).step_by((plies / 10).max(1)) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{ply}</text>",
            x(ply),
            TOP + HEIGHT + 18.0,
        );
    }
    for (i, ((_, _, colour, name), counts)) in curves.iter().enumerate() {
        let points = counts.iter().enumerate().filter(|(_, c)| **c > 0);
        let points: Vec<_> = points.map(|(ply, &count)| (x(ply), y(count))).collect();
        let places = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
        let places = places.collect::<Vec<_>>().join(" ");
        if let [(x, y)] = points[..] {
            // No line can be seen.
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
        }
        let height = TOP + 16.0 * i as f64;
        let _ = writeln!(
            out,
            "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <text x=\"{}\" y=\"{height}\" fill=\"{colour}\">{name}</text>",
            LEFT + WIDTH + 12.0,
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_one_point_is_seen() {
        let mut survey = Survey::default();
        survey.distances.insert((0, Category::Win), vec![0, 5]);
        survey.distances.insert((1, Category::Loss), vec![9, 0, 7]);
        let svg = svg("KRK", "a game", &survey);
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 1, "{svg}");
        let dot = svg.lines().find(|line| line.starts_with("<circle"));
        assert!(dot.unwrap().contains("#1a7f37"), "{svg}");
        let title = "<title>KRK, a game: positions by plies to the end</title>";
        assert!(svg.contains(title), "{svg}");
    }
}
