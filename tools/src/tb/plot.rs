//! How distances are distributed, as a picture.

use std::fmt::Write as _;

use hexmate_tablebases::{Category, Survey};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;

/// A curve: side to move, category, colour, and what it is called.
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
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{material}, {game}: positions by plies to the end</text>\n",
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
        let points: String = points
            .map(|(ply, &count)| format!("{:.1},{:.1} ", x(ply), y(count)))
            .collect();
        let height = TOP + 16.0 * i as f64;
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <text x=\"{}\" y=\"{height}\" fill=\"{colour}\">{name}</text>",
            points.trim_end(),
            LEFT + WIDTH + 12.0,
        );
    }
    out.push_str("</svg>\n");
    out
}
