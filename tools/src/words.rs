//! The rules of a game in words, from the game's data alone.

use hexmate_engine::Evaluator;
use hexmate_movegen::spec::{
    ANY, CastlingSpec, EDGES, GameSpec, KNIGHT_LEAPS, Path, PieceSpec, Step, UNLIMITED, VERTICES,
    skips,
};
use hexmate_movegen::{Game, KING, Kind, PAWN};

use crate::drawing::colour_name;

/// How a kind moves, as a sentence; pawns have [`pawn`].
pub fn kind(spec: &GameSpec, piece: &PieceSpec) -> String {
    let mut parts: Vec<String> = Vec::new();
    let of = |wanted: &dyn Fn(&Path) -> bool| {
        piece.paths.iter().filter(|p| wanted(p)).collect::<Vec<_>>()
    };
    let straight = |p: &Path| p.steps.len() == 1;
    let leaps = of(&|p| straight(p) && p.reach == 1);
    let slides = of(&|p| straight(p) && p.reach == UNLIMITED);
    let short = of(&|p| straight(p) && p.reach != 1 && p.reach != UNLIMITED);
    let crooked = of(&|p| !straight(p));
    if !slides.is_empty() {
        parts.push(format!("slides any distance {}", ways(spec, &slides)));
    }
    let mut reaches: Vec<u8> = short.iter().map(|p| p.reach).collect();
    reaches.sort_unstable();
    reaches.dedup();
    for reach in reaches {
        let paths: Vec<&Path> = short.iter().copied().filter(|p| p.reach == reach).collect();
        parts.push(format!("slides up to {reach} cells {}", ways(spec, &paths)));
    }
    if !leaps.is_empty() {
        parts.push(leaping(spec, &leaps));
    }
    if !crooked.is_empty() {
        parts.push(bent(spec, &crooked));
    }
    let mut text = capital(&parts.join("; or "));
    if text.is_empty() {
        text.push_str("Does not move");
    }
    text.push('.');
    let bound = colours(spec, piece.stands_on);
    if !bound.is_empty() {
        text += &format!(" Stands only on {bound} cells.");
    }
    text
}

/// The directions of straight paths.
fn ways(spec: &GameSpec, paths: &[&Path]) -> String {
    let steps = steps_of(paths);
    let has = |wanted: &[Step]| wanted.iter().all(|step| steps.contains(step));
    let (edges, vertices) = (has(&EDGES), has(&VERTICES));
    let rest = steps
        .iter()
        .filter(|step| !(edges && EDGES.contains(step) || vertices && VERTICES.contains(step)));
    let rest: Vec<&Step> = rest.collect();
    let mut parts = Vec::new();
    if edges {
        parts.push("through the sides of cells (six directions)".to_owned());
    }
    if vertices {
        parts.push("through the corners of cells (six diagonals)".to_owned());
    }
    if !rest.is_empty() {
        let what = match (
            rest.iter().any(|s| skips(**s)),
            rest.iter().all(|s| EDGES.contains(s)),
        ) {
            (true, _) => "skipping every other cell",
            (_, true) => "through sides of cells",
            _ if rest.iter().all(|s| VERTICES.contains(s)) => "through corners of cells",
            _ => "along other lines",
        };
        parts.push(format!("{what} in {} directions", number(rest.len())));
    }
    let mut text = parts.join(" and ");
    let from = from_colours(spec, paths);
    text += &from;
    text
}

fn leaping(spec: &GameSpec, paths: &[&Path]) -> String {
    let steps = steps_of(paths);
    let all =
        |wanted: &[Step]| steps.len() == wanted.len() && wanted.iter().all(|s| steps.contains(s));
    let near = |s: &Step| EDGES.contains(s) || VERTICES.contains(s);
    let from = from_colours(spec, paths);
    let text = if all(&KNIGHT_LEAPS) {
        "leaps over anything to the twelve cells that lie two steps straight on and one step aside"
            .to_owned()
    } else if all(&EDGES) {
        "goes one cell through any side".to_owned()
    } else if all(&VERTICES) {
        "goes one cell through any corner".to_owned()
    } else if steps.len() == 12 && steps.iter().all(near) {
        "goes one cell in any of the twelve directions".to_owned()
    } else if steps.iter().all(near) {
        format!("goes one cell in {} directions", number(steps.len()))
    } else {
        format!(
            "leaps over anything to {} cells around it",
            number(steps.len())
        )
    };
    text + &from
}

fn bent(spec: &GameSpec, paths: &[&Path]) -> String {
    let most = paths.iter().map(|p| p.reach).max().unwrap_or(0);
    let cells = match most {
        UNLIMITED => "any distance".to_owned(),
        most => format!("up to {most} cells"),
    };
    let mut forms: Vec<&[Step]> = paths.iter().map(|p| p.steps).collect();
    forms.sort_unstable();
    forms.dedup();
    let two = forms.iter().all(|steps| steps.len() == 2);
    let shape = if two {
        "in zigzags"
    } else {
        "along bent paths"
    };
    format!(
        "goes {cells} {shape} ({} ways){}",
        forms.len(),
        from_colours(spec, paths)
    )
}

/// The different first steps of paths.
fn steps_of(paths: &[&Path]) -> Vec<Step> {
    let mut steps: Vec<Step> = paths.iter().map(|p| p.steps[0]).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// What depends on the colour of the cell that the piece leaves.
fn from_colours(spec: &GameSpec, paths: &[&Path]) -> String {
    let first = paths.first().map_or(ANY, |p| p.from);
    if paths.iter().all(|p| p.from == first) {
        let names = colours(spec, first);
        return match names.as_str() {
            "" => String::new(),
            names => format!(" from {names} cells"),
        };
    }
    "; the ways depend on the colour of its cell".to_owned()
}

/// The names of colours; nothing if they are all.
fn colours(spec: &GameSpec, set: u8) -> String {
    let count = spec.board.colouring.count;
    let inside: Vec<&str> = (0..count)
        .filter(|c| set >> c & 1 != 0)
        .map(|c| colour_name(spec, c))
        .collect();
    if inside.len() == usize::from(count) {
        return String::new();
    }
    match inside.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "no".to_owned(),
    }
}

/// How pawns move.
pub fn pawn(spec: &GameSpec) -> String {
    let pawn = &spec.pawn;
    let ways = |steps: &[Step]| match steps.len() {
        1 => "one direction".to_owned(),
        n => format!("{} directions", number(n)),
    };
    let mut text = format!("Steps one cell forward in {}", ways(pawn.steps));
    text += &format!("; captures one cell ahead in {}.", ways(pawn.captures));
    let mut whence = if pawn.remembers_first_move {
        "On its first move, where pawns begin,"
    } else {
        "From cells where pawns begin"
    };
    for first in pawn.first {
        let mut more = Vec::new();
        match first.steps {
            2 => more.push("go two cells".to_owned()),
            3 => more.push("go up to three cells".to_owned()),
            _ => {}
        }
        match first.captures.len() {
            0 => {}
            1 => more.push("capture in another direction".to_owned()),
            n => more.push(format!("capture in {} other directions", number(n))),
        }
        if !more.is_empty() {
            text += &format!(" {whence} it may {}.", more.join(", and it may "));
            whence = "From others";
        }
    }
    if pawn.blocked_by_enemy {
        text.push_str(" An enemy piece on any cell one step ahead bars all its steps.");
    }
    if pawn.en_passant {
        text.push_str(
            " A pawn that has just gone more than one cell may be captured on a cell that it crossed (en passant).",
        );
    }
    let promotes: Vec<&str> = spec
        .pieces
        .iter()
        .filter(|p| p.promotes)
        .map(|p| p.name)
        .collect();
    if let Some((last, rest)) = promotes.split_last() {
        let list = match rest {
            [] => (*last).to_owned(),
            rest => format!("{} or {last}", rest.join(", ")),
        };
        let place = match pawn.promotes_on {
            Some(_) => "On the cells marked for it",
            None => "At the far edge",
        };
        text += &format!(" {place} it is promoted to {list}.");
    }
    text
}

/// How castling goes, if the game has it.
pub fn castling(spec: &GameSpec) -> Option<String> {
    const UNMOVED: &str = "neither may have moved, nothing may stand between them, and the king must not be in check, nor cross or reach an attacked cell";
    Some(match spec.castling? {
        CastlingSpec::Towards { gap, .. } => format!(
            "The king goes two cells towards a piece with which it may castle, at least {} cells away, and that piece goes to the cell that the king has crossed; {UNMOVED}.",
            gap + 1
        ),
        CastlingSpec::Ways(ways) => {
            let ways: Vec<String> = ways
                .iter()
                .map(|way| {
                    format!(
                        "king {}-{}, partner {}-{}",
                        way.king.0, way.king.1, way.partner.0, way.partner.1
                    )
                })
                .collect();
            format!(
                "White's ways to castle: {}; Black's are their mirror images; {UNMOVED}.",
                ways.join("; ")
            )
        }
    })
}

/// What a stalemate is worth.
pub fn stalemate(spec: &GameSpec) -> String {
    match spec.stalemate_quarters {
        0 => "a loss".to_owned(),
        2 => "a draw".to_owned(),
        4 => "a win for the stalemated side".to_owned(),
        own => format!(
            "{} to the side that gave it, {} to the other",
            quarters(4 - own),
            quarters(own)
        ),
    }
}

/// Quarters of a point.
pub fn quarters(quarters: u8) -> &'static str {
    ["0", "1/4", "1/2", "3/4", "1"][usize::from(quarters.min(4))]
}

/// What a game is, in a line.
pub fn line(spec: &GameSpec) -> String {
    let mut parts = vec![
        format!("{} cells", spec.board.cells()),
        format!("{} kinds of pieces", spec.pieces.len()),
    ];
    if spec.castling.is_some() {
        parts.push("castling".to_owned());
    }
    parts.push(format!("stalemate: {}", stalemate(spec)));
    parts.join(", ")
}

/// What each kind is worth to the evaluation at the start, in centipawns; 0 for the king.
pub fn values<G: Game>(game: G) -> Vec<i32> {
    let evaluator = Evaluator::of(game);
    let evaluation = evaluator.handmade();
    let value = |kind| match kind {
        KING => 0,
        _ => evaluation.value(kind),
    };
    (0..game.spec().pieces.len() as Kind).map(value).collect()
}

/// What a piece is worth in pawns of its game, to the nearest half: more would be the evaluation's secret, and change
/// with it. `values` are those of [`values`].
pub fn worth(values: &[i32], kind: Kind) -> f64 {
    let value = |kind: Kind| f64::from(values[usize::from(kind)]);
    match values[usize::from(PAWN)] {
        ..=0 => 0.0,
        _ => (value(kind) / value(PAWN) * 2.0).round() / 2.0,
    }
}

fn number(n: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words
        .get(n)
        .map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

/// With a capital letter in front.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::GameId;

    fn words(game: &str, letter: u8) -> String {
        let game: GameId = GameId::shipped()
            .iter()
            .copied()
            .find(|g| g.name() == game)
            .unwrap();
        let of_letter = game.spec().kind_of_letter(letter).unwrap();
        kind(game.spec(), &game.spec().pieces[usize::from(of_letter)])
    }

    #[test]
    fn worth_is_in_pawns_of_the_game() {
        assert_eq!(worth(&[107, 0, 320, 1200], PAWN), 1.0);
        assert_eq!(worth(&[107, 0, 320, 1200], 2), 3.0);
        assert_eq!(worth(&[100, 0, 320, 1200], 3), 12.0);
        // A pawn of nothing, in a game of which little is known, makes nobody infinite.
        assert_eq!(worth(&[0, 0, 320], 2), 0.0);
        for &game in GameId::shipped() {
            let values = hexmate_movegen::with_game!(game, game => values(game));
            assert_eq!(worth(&values, PAWN), 1.0, "{}", game.name());
        }
    }

    #[test]
    fn usual_pieces() {
        assert_eq!(
            words("glinski", b'R'),
            "Slides any distance through the sides of cells (six directions)."
        );
        assert_eq!(
            words("glinski", b'B'),
            "Slides any distance through the corners of cells (six diagonals)."
        );
        assert_eq!(
            words("glinski", b'K'),
            "Goes one cell in any of the twelve directions."
        );
        assert!(words("glinski", b'N').starts_with("Leaps over anything to the twelve"));
        let pawn = pawn(GameId::Glinski.spec());
        assert!(pawn.starts_with("Steps one cell forward in one direction; captures one cell ahead in two directions."), "{pawn}");
        assert!(
            pawn.contains("From cells where pawns begin it may go two cells."),
            "{pawn}"
        );
    }

    #[test]
    fn every_kind_of_every_game_has_words() {
        for game in GameId::shipped() {
            let spec = game.spec();
            for piece in &spec.pieces[1..] {
                let text = kind(spec, piece);
                assert!(
                    text.len() > 10 && text.ends_with('.'),
                    "{game} {}: {text}",
                    piece.name
                );
                assert!(!text.starts_with("Does not"), "{game} {}", piece.name);
            }
            assert_eq!(castling(spec).is_some(), spec.castling.is_some());
        }
    }
}
