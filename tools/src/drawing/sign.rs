//! Signs for pieces without a picture: how a piece moves, drawn around its letter.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hexmate_movegen::spec::{
    ALL_DIRECTIONS, EDGES, GameSpec, KNIGHT_LEAPS, Path, Step, UNLIMITED, VERTICES,
};
use hexmate_movegen::{KING, Kind, PAWN};

/// Whether a piece moves as pieces of its letter usually do, so that their picture says what it is.
pub fn is_usual(spec: &GameSpec, kind: Kind) -> bool {
    let piece = &spec.pieces[usize::from(kind)];
    let moves = |steps: &[Step], reach: u8| {
        let known =
            |p: &Path| p.reach == reach && p.steps.len() == 1 && steps.contains(&p.steps[0]);
        piece.paths.len() == steps.len() && piece.paths.iter().all(known)
    };
    match piece.letter {
        b'Q' => moves(&ALL_DIRECTIONS, UNLIMITED),
        b'R' => moves(&EDGES, UNLIMITED),
        b'B' => moves(&VERTICES, UNLIMITED),
        b'N' => moves(&KNIGHT_LEAPS, 1),
        b'K' => kind == KING && moves(&ALL_DIRECTIONS, 1),
        b'P' => kind == PAWN,
        _ => true,
    }
}

/// Where a step leads on the picture, as a vector of length 1; y goes down.
fn direction(spec: &GameSpec, (a, y): Step) -> (f64, f64) {
    let (a, y) = (f64::from(a), f64::from(y));
    let (right, up) = if spec.board.upright_files {
        (1.5 * a, (y - a / 2.0) * 3f64.sqrt())
    } else {
        ((a - y / 2.0) * 3f64.sqrt(), 1.5 * y)
    };
    let length = right.hypot(up).max(1e-9);
    (right / length, -up / length)
}

/// How a piece moves, as shapes between the radii 18 and 27.
#[derive(Clone, PartialEq, Debug)]
pub struct Sign {
    /// Rays for slides, bent rays for crooked paths: the data of an SVG path, to be stroked 3 wide.
    pub lines: String,
    /// Dots of radius 2.3 for leaps.
    pub dots: Vec<(f64, f64)>,
}

impl Sign {
    /// The sign of a kind.
    pub fn of(spec: &GameSpec, kind: Kind) -> Sign {
        let piece = &spec.pieces[usize::from(kind)];
        // Paths of different colours may look alike.
        let (mut lines, mut dots) = (BTreeSet::new(), BTreeSet::new());
        for path in piece.paths {
            let (x, y) = direction(spec, path.steps[0]);
            if path.reach == 1 {
                let tenths = |v: f64| (240.0 * v).round() as i32;
                dots.insert((tenths(x), tenths(y)));
                continue;
            }
            let mut at = (18.5 * x, 18.5 * y);
            let mut line = format!("M{:.1} {:.1}", at.0, at.1);
            let straight = path.steps.len() == 1;
            let (parts, length) = match (straight, path.reach) {
                (true, UNLIMITED) => (1, 8.5),
                (true, _) => (1, 4.5),
                (false, _) => (path.steps.len().min(3), 4.6),
            };
            for &step in path.steps.iter().cycle().take(parts) {
                let (x, y) = direction(spec, step);
                at = (at.0 + length * x, at.1 + length * y);
                let _ = write!(line, "L{:.1} {:.1}", at.0, at.1);
            }
            lines.insert(line);
        }
        let dots = dots.into_iter();
        Sign {
            lines: lines.into_iter().collect(),
            dots: dots
                .map(|(x, y)| (f64::from(x) / 10.0, f64::from(y) / 10.0))
                .collect(),
        }
    }

    /// The sign as a part of a picture.
    pub fn svg(&self, ink: &str) -> String {
        let lines = &self.lines;
        let dots = self.dots.iter();
        let dots: String = dots
            .map(|(x, y)| format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="2.3"/>"#))
            .collect();
        format!(
            r#"<path d="{lines}" fill="none" stroke="{ink}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><g fill="{ink}">{dots}</g>"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::GameId;

    fn count(game: &str, letter: u8, what: &str) -> usize {
        let game: GameId = game.parse().unwrap();
        let kind = game.spec().kind_of_letter(letter).unwrap();
        Sign::of(game.spec(), kind)
            .svg("#000")
            .matches(what)
            .count()
    }

    #[test]
    fn a_sign_tells_how_a_piece_moves() {
        assert_eq!(count("glinski", b'Q', "M"), 12);
        assert_eq!(count("glinski", b'N', "circle"), 12);
        assert_eq!(
            (
                count("chromatic3", b'S', "M"),
                count("chromatic3", b'S', "L")
            ),
            (12, 24)
        );
        for game in GameId::ALL {
            for kind in 2..game.spec().pieces.len() as Kind {
                let sign = Sign::of(game.spec(), kind).svg("#000");
                assert!(
                    !sign.contains("NaN") && sign.contains("M") | sign.contains("circle"),
                    "{game}"
                );
            }
        }
        let spec = GameId::Glinski.spec();
        assert!((0..spec.pieces.len() as Kind).all(|kind| is_usual(spec, kind)));
        let spec = GameId::Chromatic4.spec();
        assert!(!is_usual(spec, spec.kind_of_letter(b'B').unwrap()));
        // Pieces that have the letters of others.
        let text = "format = 1\nbase = 'glinski'\nname = 'letters'\ntitle = 'Letters'\n[pieces]\n\
                    Q = { name = 'emperor', leaps = ['all'], royal = true }\n\
                    K = { name = 'guard', leaps = ['all'] }\n\
                    P = { name = 'prince', leaps = ['edges'] }\n[pawn]\nletter = 'S'\n\
                    [start]\nwhite = 'Qe1 Kf2 Pg3 b1'\n";
        let spec = GameId::from_text(text).unwrap().spec();
        for letter in *b"QKP" {
            assert!(!is_usual(spec, spec.kind_of_letter(letter).unwrap()));
        }
    }
}
