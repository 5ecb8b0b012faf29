//! The paths of the numbers as a drawing: how many of its steps each has gone.

use std::fmt::Write as _;

use super::optimise::Knob;
use crate::plots::escape;

const WIDTH: f64 = 900.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 46.0;
/// The room for names at the right.
const RIGHT: f64 = 250.0;
/// The least height, and what a name takes.
const LEAST_HEIGHT: f64 = 420.0;
const NAME: f64 = 15.0;
/// The most points of a path.
const MOST_POINTS: usize = 400;

/// Colours that can be told apart, and dashes for when they are used again: as many pairs as the search has numbers.
const COLOURS: [&str; 8] = [
    "#1f6fb4", "#c2571a", "#2f7d4f", "#8a3b8f", "#a08a12", "#b3344a", "#3a3a3a", "#2a9aa0",
];
const DASHES: [&str; 6] = ["", "6 3", "2 3", "12 3", "8 3 2 3", "8 2 2 2 2 2"];

/// An SVG of the paths: the values after so many pairs.
pub fn svg(title: &str, knobs: &[Knob], path: &[(u64, Vec<f64>)]) -> String {
    let names = knobs.len() as f64 * NAME;
    let height = LEAST_HEIGHT.max(TOP + names + BOTTOM);
    let gone = |(knob, value): (&Knob, &f64)| (value - knob.start) / knob.step;
    let all = path
        .iter()
        .flat_map(|(_, values)| knobs.iter().zip(values).map(gone));
    let (low, high) = all.fold((-1.0, 1.0), |(low, high): (f64, f64), gone| {
        (low.min(gone), high.max(gone))
    });
    let last = path.last().map_or(1, |point| point.0.max(1)) as f64;
    let (right, bottom) = (WIDTH - RIGHT, height - BOTTOM);
    let x = |pairs: u64| LEFT + (right - LEFT) * pairs as f64 / last;
    let y = |gone: f64| TOP + (bottom - TOP) * (high - gone) / (high - low);
    let title = escape(title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{title}</text>\n\
         <text x=\"{LEFT}\" y=\"40\" fill=\"#444444\">steps from the start</text>\n"
    );
    let step = even((high - low) / 6.0);
    for i in (low / step).ceil() as i32..=(high / step).floor() as i32 {
        let gone = f64::from(i) * step;
        let colour = if i == 0 { "#888888" } else { "#e4e4e4" };
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"{colour}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{gone:+}</text>",
            LEFT - 8.0,
            y(gone) + 4.0,
            at = y(gone)
        );
    }
    for i in 0..=4 {
        let pairs = (last * f64::from(i) / 4.0).round() as u64;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444444\">{pairs}</text>",
            x(pairs),
            bottom + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444444\">pairs of games</text>",
        (LEFT + right) / 2.0,
        height - 8.0
    );
    let every = path.len().div_ceil(MOST_POINTS).max(1);
    let kept = |i: &usize| i.is_multiple_of(every) || i + 1 == path.len();
    let kept: Vec<&(u64, Vec<f64>)> = (0..path.len()).filter(kept).map(|i| &path[i]).collect();
    // Names stand in the order in which the paths end, the highest first.
    let end = |knob: usize| {
        path.last()
            .map_or(0.0, |(_, values)| gone((&knobs[knob], &values[knob])))
    };
    let mut order: Vec<usize> = (0..knobs.len()).collect();
    order.sort_by(|&a, &b| end(b).total_cmp(&end(a)));
    for (row, &i) in order.iter().enumerate() {
        let knob = &knobs[i];
        let colour = COLOURS[i % COLOURS.len()];
        let dashes = match DASHES[i / COLOURS.len() % DASHES.len()] {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        let points: Vec<String> = (kept.iter())
            .map(|(pairs, values)| format!("{:.1},{:.1}", x(*pairs), y(gone((knob, &values[i])))))
            .collect();
        let at = TOP + NAME * row as f64;
        let value = path.last().map_or(knob.start, |(_, values)| values[i]);
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes}/>\n\
             <path d=\"M{} {at:.1}h20\" stroke=\"{colour}\" stroke-width=\"2.4\"{dashes}/>\
             <text x=\"{}\" y=\"{:.1}\">{} {value:.1}</text>",
            points.join(" "),
            right + 14.0,
            right + 40.0,
            at + 4.0,
            escape(&knob.name)
        );
    }
    out + "</svg>\n"
}

/// The least of 1, 2, 5, 10, 20, ... and 0.5, 0.2, 0.1, ... that is not below a number.
fn even(least: f64) -> f64 {
    let tens = libm::pow(10.0, least.log10().floor());
    let all = [1.0, 2.0, 5.0].map(|times| times * tens);
    all.into_iter()
        .find(|&step| step >= least)
        .unwrap_or(10.0 * tens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_path_and_a_name() {
        let knob = |name: &str| Knob {
            name: name.to_owned(),
            start: 10.0,
            min: 0.0,
            max: 20.0,
            step: 2.0,
            rate: 0.002,
        };
        let knobs = [knob("a<b"), knob("c")];
        for path in [
            vec![(0, vec![10.0, 10.0])],
            vec![(0, vec![10.0, 10.0]), (8, vec![12.5, 4.0])],
        ] {
            let svg = svg("title & more", &knobs, &path);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("<title>title &amp; more</title>") && svg.contains(">a&lt;b "));
            assert_eq!(svg.matches("<polyline").count(), 2);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn no_two_numbers_of_the_search_look_alike() {
        let knob = |info: &hexmate_engine::ParamInfo| Knob {
            name: info.name.to_owned(),
            start: 1.0,
            min: 0.0,
            max: 2.0,
            step: 1.0,
            rate: 0.002,
        };
        let knobs: Vec<Knob> = hexmate_engine::Params::ALL.iter().map(knob).collect();
        let svg = svg("title", &knobs, &[(0, vec![1.0; knobs.len()])]);
        let paths = svg.lines().filter(|line| line.starts_with("<polyline"));
        let styles = paths.map(|line| line.split("fill=").nth(1).unwrap());
        let styles: std::collections::BTreeSet<&str> = styles.collect();
        assert_eq!(styles.len(), knobs.len(), "{styles:?}");
    }

    #[test]
    fn lines_are_few_however_far_a_number_has_gone() {
        for (least, step) in [
            (0.34, 0.5),
            (1.0, 1.0),
            (1.1, 2.0),
            (30.0, 50.0),
            (70.0, 100.0),
        ] {
            assert!(
                (even(least) - step).abs() < 1e-9,
                "{least}: {}",
                even(least)
            );
        }
        let knob = Knob {
            name: "a".to_owned(),
            start: 10.0,
            min: 0.0,
            max: 200.0,
            step: 1e-9,
            rate: 0.002,
        };
        let svg = svg("title", &[knob], &[(0, vec![10.0]), (8, vec![200.0])]);
        assert!(svg.matches("<path d=\"M64 ").count() <= 7, "{svg}");
    }
}
