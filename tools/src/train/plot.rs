//! The losses by epoch as a drawing.

use std::fmt::Write as _;

use super::checkpoint::Losses;
use crate::plots::escape;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 46.0;

/// The curves: their names and colours.
const CURVES: [(&str, &str); 3] = [
    ("training", "#888888"),
    ("held-out games", "#1f6fb4"),
    ("held-out anchor", "#c2571a"),
];

/// An SVG of the losses of each epoch; what is not a number is left out.
pub fn svg(title: &str, losses: &[Losses]) -> String {
    let all = || {
        losses
            .iter()
            .flatten()
            .copied()
            .filter(|l| l.is_finite() && *l > 0.0)
    };
    let least = all().fold(f64::INFINITY, f64::min).min(1.0).ln();
    let most = all().fold(1e-9, f64::max).ln();
    // Half a step of room, so that a flat curve is seen, too.
    let room = ((most - least) * 0.06).max(0.02);
    let (low, high) = (least - room, most + room);
    let x = |epoch: usize| {
        LEFT + (WIDTH - LEFT - RIGHT) * epoch as f64 / (losses.len().max(2) - 1) as f64
    };
    let y = |loss: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - loss.ln()) / (high - low);
    let title = escape(title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>\n"
    );
    for i in 0..=4 {
        let loss = (low + (high - low) * f64::from(i) / 4.0).exp();
        let at = y(loss);
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#dddddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{loss:.5}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#444444\">\
         loss, on a logarithmic scale</text>",
        (TOP + HEIGHT - BOTTOM) / 2.0
    );
    let last = losses.len().saturating_sub(1);
    let step = last.div_ceil(10).max(1);
    for epoch in (0..=last).step_by(step) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444444\">{epoch}</text>",
            x(epoch),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444444\">epochs</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0
    );
    let mut legend = LEFT;
    for (curve, (name, colour)) in CURVES.iter().enumerate() {
        let points = losses
            .iter()
            .enumerate()
            .map(|(epoch, l)| (epoch, l[curve]));
        let points: Vec<_> = points.filter(|(_, l)| l.is_finite() && *l > 0.0).collect();
        if points.is_empty() {
            continue;
        }
        if let [(epoch, loss)] = points[..] {
            // No line can be seen.
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                x(epoch),
                y(loss)
            );
        }
        let path: String = points
            .iter()
            .enumerate()
            .map(|(i, &(epoch, loss))| {
                format!(
                    "{}{:.1} {:.1}",
                    if i == 0 { "M" } else { "L" },
                    x(epoch),
                    y(loss)
                )
            })
            .collect();
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <path d=\"M{legend} 36h18\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"40\">{name}</text>",
            legend + 24.0
        );
        legend += 150.0;
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_for_what_there_is() {
        let losses = [
            [f64::NAN, 0.05, f64::NAN],
            [0.03, 0.04, f64::NAN],
            [0.02, 0.03, f64::NAN],
        ];
        let svg = svg("a <\"b\">", &losses);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(
            svg.contains("<title>a &lt;&quot;b&quot;&gt;</title>")
                && svg.contains("held-out games")
        );
        assert!(
            !svg.contains("held-out anchor") && !svg.contains("NaN"),
            "{svg}"
        );
        assert_eq!(svg.matches("fill=\"none\"").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 0);
        assert!(
            svg.contains(">loss, on a logarithmic scale</text>"),
            "{svg}"
        );
        // After the first epoch there is one loss of training.
        let svg = super::svg("", &losses[..2]);
        assert_eq!(svg.matches("<circle").count(), 1, "{svg}");
    }
}
