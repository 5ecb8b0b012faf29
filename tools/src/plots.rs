//! Plots as SVG text, coloured by the classes of the page around them. No input or output.

use std::fmt::Write as _;

pub(crate) use crate::drawing::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// The styles of pages and pictures with plots.
pub const STYLE: &str = "
:root{color-scheme:light dark;--c0:#2563a8;--c1:#b4541a;--c2:#2f7d4f;--c3:#8a3b8f;--c4:#a08a12;--c5:#b3344a;--grid:#8884}
@media (prefers-color-scheme:dark){:root{--c0:#6aa5e8;--c1:#e8905a;--c2:#6cc48a;--c3:#cf8ad4;--c4:#d9c04a;--c5:#ee7d90}}
svg.plot{display:block;width:100%;height:auto;font-family:system-ui,sans-serif}
svg.plot text{font-size:12px;fill:currentColor}.end{text-anchor:end}.middle{text-anchor:middle}
@media (max-width:40rem){svg.plot text{font-size:21px}}
.grid{stroke:var(--grid)}.mark{stroke:currentColor;stroke-dasharray:6 4;opacity:.6}
.line{fill:none;stroke:var(--c);stroke-width:2}.band{fill:var(--c);opacity:.18}.bar{fill:var(--c)}
.legend{overflow-wrap:anywhere}.key{display:inline-block;max-width:100%;margin-right:1rem}.key svg{width:1.8rem;height:.5rem;margin-right:.35rem}
.d1{stroke-dasharray:8 4}.d2{stroke-dasharray:2 3}.d3{stroke-dasharray:14 4}.d4{stroke-dasharray:9 3 2 3}.d5{stroke-dasharray:5 2 2 2 2 2}
.c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}.c5{--c:var(--c5)}
";

/// A line of a plot.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, from left to right. Where a value is not finite, the line is broken.
    pub points: Vec<(f64, f64)>,
    /// The lower and upper edge of the band around each point, which may be infinite; empty: no band.
    pub band: Vec<(f64, f64)>,
}

/// A name as HTML: beside letters that run from right to left, numbers and other names keep their places.
pub fn isolated(name: &str) -> String {
    format!("<bdi>{}</bdi>", escape(name))
}

/// The classes of a line's colour and dashes: six colours, then the same ones with other dashes.
fn classes(line: usize) -> String {
    let colour = line % 6;
    match line / 6 % 6 {
        0 => format!("c{colour}"),
        dashes => format!("c{colour} d{dashes}"),
    }
}

/// Maps values to the page.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    /// The least distance of the numbers beside it.
    least_step: f64,
}

impl Frame {
    fn x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (HEIGHT - TOP - BOTTOM)
    }

    /// A value that can be drawn for one that may be infinite: well beyond the frame, which cuts it off.
    fn bounded(&self, y: f64) -> f64 {
        let height = self.y.1 - self.y.0;
        y.clamp(self.y.0 - height, self.y.1 + height)
    }

    fn begin(&self, label: &str, x_label: &str) -> String {
        let label = escape(label);
        let mut svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\n"
        );
        for tick in ticks(self.y, self.least_step) {
            let y = self.y(tick);
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
<text x=\"{:.1}\" y=\"{:.1}\" class=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                number(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 6.0,
            escape(x_label)
        );
        svg
    }

    fn x_ticks(&self) -> String {
        let mut svg = String::new();
        for tick in ticks(self.x, 0.0) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{}</text>",
                self.x(tick),
                HEIGHT - BOTTOM + 16.0,
                number(tick)
            );
        }
        svg
    }
}

/// A few round numbers within a range, no closer to each other than `least`.
fn ticks((low, high): (f64, f64), least: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
    let step = steps.into_iter().find(|&s| s >= rough);
    let step = step.unwrap_or(10.0 * power).max(least);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// A range that contains all values and is not empty.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|v| v.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
    if low > high {
        return (0.0, 1.0);
    }
    if high - low < 1e-9 {
        return (low - 1.0, high + 1.0);
    }
    (low, high)
}

/// Lines over a number of games; `marks` are horizontal lines with a name. The values of the last three
/// quarters determine the range, since the first ones vary wildly.
pub fn lines(label: &str, x_label: &str, series: &[Series], marks: &[(f64, String)]) -> String {
    let settled = |s: &Series| {
        let finite = |place: &usize| s.points[*place].1.is_finite();
        let places: Vec<usize> = (0..s.points.len()).filter(finite).collect();
        let late = places.iter().skip(places.len() / 4);
        let values = late.flat_map(|&place| {
            let (low, high) = s.band.get(place).copied().unwrap_or((f64::NAN, f64::NAN));
            [s.points[place].1, low, high]
        });
        values.collect::<Vec<_>>()
    };
    let values = series.iter().flat_map(settled);
    let frame = Frame {
        x: range(series.iter().flat_map(|s| s.points.iter().map(|p| p.0))),
        y: range(values.chain(marks.iter().map(|m| m.0))),
        least_step: 0.0,
    };
    let mut svg = frame.begin(label, x_label) + &frame.x_ticks();
    for (value, name) in marks {
        let y = frame.y(*value);
        // Above its line, where there is room.
        let beside = if y < TOP + 20.0 { y + 16.0 } else { y - 4.0 };
        let _ = writeln!(
            svg,
            "<line class=\"mark\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
<text x=\"{:.1}\" y=\"{:.1}\" class=\"end\">{}</text>",
            WIDTH - RIGHT,
            WIDTH - RIGHT - 4.0,
            beside,
            escape(name)
        );
    }
    // A picture in the picture cuts off what is beyond the frame.
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let _ = writeln!(
        svg,
        "<svg x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" viewBox=\"{LEFT} {TOP} {width} {height}\">"
    );
    for (i, one) in series.iter().enumerate() {
        svg += &line(&frame, one, &classes(i));
    }
    svg + "</svg>\n</svg>\n" + &legend(series)
}

/// A line and its band, in as many pieces as its values that are not finite leave.
fn line(frame: &Frame, one: &Series, classes: &str) -> String {
    let mut svg = String::new();
    let has_band = one.band.len() == one.points.len();
    let mut begin = 0;
    for piece in one.points.split(|point| !point.1.is_finite()) {
        let end = begin + piece.len();
        if has_band && !piece.is_empty() {
            let band = one.points[begin..end].iter().zip(&one.band[begin..end]);
            let edges = band.map(|(p, b)| ((p.0, frame.bounded(b.0)), (p.0, frame.bounded(b.1))));
            let (lower, upper): (Vec<_>, Vec<_>) = edges.unzip();
            let around: Vec<_> = upper.into_iter().chain(lower.into_iter().rev()).collect();
            let _ = writeln!(
                svg,
                "<polygon class=\"band {classes}\" points=\"{}\"/>",
                places(frame, &around)
            );
        }
        let _ = match piece {
            [] => Ok(()),
            // No line can be seen.
            [(x, y)] => writeln!(
                svg,
                "<circle class=\"bar {classes}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\"/>",
                frame.x(*x),
                frame.y(*y)
            ),
            _ => writeln!(
                svg,
                "<polyline class=\"line {classes}\" points=\"{}\"/>",
                places(frame, piece)
            ),
        };
        begin = end + 1;
    }
    svg
}

fn places(frame: &Frame, points: &[(f64, f64)]) -> String {
    let places = points
        .iter()
        .map(|p| format!("{:.1},{:.1}", frame.x(p.0), frame.y(p.1)));
    places.collect::<Vec<_>>().join(" ")
}

fn legend(series: &[Series]) -> String {
    if series.len() < 2 {
        return String::new();
    }
    let names = series.iter().enumerate();
    let names = names.map(|(i, s)| {
        format!(
            "<span class=\"key\"><svg viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path class=\"line {}\" d=\"M0 4h28\"/></svg>{}</span>",
            classes(i),
            isolated(&s.name)
        )
    });
    format!(
        "<p class=\"legend\">{}</p>\n",
        names.collect::<Vec<_>>().join(" ")
    )
}

/// Counts as columns side by side, each with a name below it if there is room.
pub fn columns(label: &str, x_label: &str, columns: &[(String, f64)]) -> String {
    let highest = columns.iter().map(|c| c.1).fold(0.0, f64::max);
    let frame = Frame {
        x: (0.0, columns.len().max(1) as f64),
        y: (0.0, if highest > 0.0 { highest } else { 1.0 }),
        least_step: 1.0,
    };
    let mut svg = frame.begin(label, x_label);
    let width = (WIDTH - LEFT - RIGHT) / columns.len().max(1) as f64;
    let every = columns.len().div_ceil(10).max(1);
    for (i, (name, value)) in columns.iter().enumerate() {
        let (x, y) = (frame.x(i as f64), frame.y(*value));
        let _ = writeln!(
            svg,
            "<rect class=\"bar c0\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}: {}</title></rect>",
            x + width * 0.1,
            width * 0.8,
            HEIGHT - BOTTOM - y,
            escape(name),
            number(*value)
        );
        if i % every == 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{}</text>",
                x + width / 2.0,
                HEIGHT - BOTTOM + 16.0,
                escape(name)
            );
        }
    }
    svg + "</svg>\n"
}

/// A plot as a separate file, whose title is the label of the plot.
pub fn standalone(plot: &str) -> String {
    let label = plot.split("aria-label=\"").nth(1).unwrap_or_default();
    let label = label.split('"').next().unwrap_or_default();
    let head = format!("\n<title>{label}</title>\n<style>{STYLE}</style>\n");
    let plot = plot.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    plot.replacen('\n', &head, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_ticks() {
        assert_eq!(ticks((0.0, 10.0), 0.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks((-0.3, 0.35), 0.0), [-0.2, 0.0, 0.2]);
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(12.5), "12.5");
    }

    /// There is no half of a game.
    #[test]
    fn counts_are_whole() {
        for highest in 1..=40 {
            let svg = columns("a", "b", &[("x".to_owned(), f64::from(highest))]);
            let beside = svg.split("class=\"end\">").skip(1);
            let numbers: Vec<&str> = beside.filter_map(|rest| rest.split('<').next()).collect();
            assert!(numbers.len() >= 2, "{highest}: {svg}");
            assert!(
                numbers.iter().all(|n| n.parse::<u32>().is_ok()),
                "{highest}: {numbers:?}"
            );
        }
    }

    #[test]
    fn nothing_to_plot_is_still_a_plot() {
        for svg in [lines("a", "b", &[], &[]), columns("a", "b", &[])] {
            assert!(svg.starts_with("<svg") && svg.contains("</svg>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    fn one(points: Vec<(f64, f64)>, band: Vec<(f64, f64)>) -> Series {
        let name = "a".to_owned();
        Series { name, points, band }
    }

    /// The heights of the points of the first element of a class.
    fn heights(svg: &str, class: &str) -> Vec<f64> {
        let begin = format!("class=\"{class} ");
        let element = svg.split(&begin).nth(1).expect("there is one");
        let points = element.split("points=\"").nth(1).unwrap();
        let points = points.split('"').next().unwrap().split(' ');
        let height = |point: &str| point.split(',').nth(1).unwrap().parse().unwrap();
        points.map(height).collect()
    }

    /// No line leads over a gap, and a lone value is a dot.
    #[test]
    fn lines_are_broken_where_there_is_no_value() {
        let values = [1.0, 2.0, f64::NEG_INFINITY, 3.0, f64::NAN, 2.0, 1.0];
        let points = values.iter().enumerate().map(|(i, &v)| (i as f64, v));
        let svg = lines("a", "b", &[one(points.collect(), Vec::new())], &[]);
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 1, "{svg}");
    }

    /// What is beyond the frame is cut off there, not drawn along its edge.
    #[test]
    fn values_beyond_the_frame_are_cut_off() {
        let points = (0..8).map(|i| (f64::from(i), if i < 1 { 900.0 } else { f64::from(i) }));
        let svg = lines("a", "b", &[one(points.collect(), Vec::new())], &[]);
        assert!(heights(&svg, "line")[0] < -TOP, "{svg}");
        let frame = "<svg x=\"64\" y=\"12\" width=\"560\" height=\"204\"";
        assert!(svg.contains(frame), "{svg}");
    }

    /// Where nothing bounds a value, its band fills the frame.
    #[test]
    fn a_band_without_bounds_fills_the_frame() {
        let points = vec![(1.0, 10.0), (2.0, 12.0), (3.0, 11.0)];
        let band = vec![(f64::NEG_INFINITY, f64::INFINITY); 3];
        let heights = heights(&lines("a", "b", &[one(points, band)], &[]), "band");
        assert!(heights[..3].iter().all(|&y| y <= TOP), "{heights:?}");
        let bottom = HEIGHT - BOTTOM;
        assert!(heights[3..].iter().all(|&y| y >= bottom), "{heights:?}");
    }

    #[test]
    fn no_two_lines_look_alike() {
        let all: std::collections::BTreeSet<String> = (0..36).map(classes).collect();
        assert_eq!(all.len(), 36);
        for class in all.iter().flat_map(|both| both.split(' ')) {
            assert!(STYLE.contains(&format!(".{class}{{")), "{class}");
        }
        let series = (0..7).map(|_| one(vec![(0.0, 1.0), (1.0, 2.0)], Vec::new()));
        let svg = lines("a", "b", &series.collect::<Vec<_>>(), &[]);
        // In the plot and in its legend.
        assert_eq!(svg.matches("class=\"line c0 d1\"").count(), 2, "{svg}");
    }

    #[test]
    fn a_plot_as_a_file_has_a_title() {
        let file = standalone(&lines("a & b", "x", &[], &[]));
        assert!(file.contains("\n<title>a &amp; b</title>\n"), "{file}");
    }

    #[test]
    fn values_beyond_all_bounds_leave_no_trace() {
        let series = Series {
            name: "<a>".to_owned(),
            points: vec![(1.0, f64::INFINITY), (2.0, 3.0), (3.0, f64::NAN)],
            band: vec![
                (f64::NAN, f64::INFINITY),
                (1.0, 5.0),
                (f64::NEG_INFINITY, 1.0),
            ],
        };
        let svg = lines("<label>", "games", &[series], &[(1.0, "m".to_owned())]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("&lt;label&gt;"));
    }
}
