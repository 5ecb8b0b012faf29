//! The rules of a game in words, from the game's data alone.

use std::collections::BTreeMap;

use hexmate_engine::Evaluator;
use hexmate_movegen::spec::{
    ANY, CastlingSpec, EDGES, GameSpec, KNIGHT_LEAPS, Path, PieceSpec, Step, UNLIMITED, VERTICES,
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
    for paths in by_reach(&short) {
        let reach = paths[0].reach;
        parts.push(format!("slides up to {reach} cells {}", ways(spec, &paths)));
    }
    if !leaps.is_empty() {
        parts.push(leaping(spec, &leaps));
    }
    for paths in by_reach(&crooked) {
        parts.push(bent(spec, &paths));
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
    let mut parts = Vec::new();
    if edges {
        parts.push("through the sides of cells (six directions)".to_owned());
    }
    if vertices {
        parts.push("through the corners of cells (six diagonals)".to_owned());
    }
    // What is left, by what it does.
    let mut rest: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    for step in &steps {
        let how = match *step {
            step if EDGES.contains(&step) && edges => continue,
            step if VERTICES.contains(&step) && vertices => continue,
            step if EDGES.contains(&step) => (1, "through sides of cells"),
            step if VERTICES.contains(&step) => (1, "through corners of cells"),
            step => match cells_of(step) {
                1 => (1, "along other lines"),
                cells => (cells, ""),
            },
        };
        *rest.entry(how).or_default() += 1;
    }
    for ((cells, lines), count) in rest {
        let what = match cells {
            1 => lines.to_owned(),
            2 => "skipping every other cell".to_owned(),
            cells => format!(
                "skipping {} cells each time",
                number(usize::from(cells) - 1)
            ),
        };
        parts.push(format!("{what} in {}", directions(count)));
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
    let from = from_colours(spec, paths);
    let text = if all(&KNIGHT_LEAPS) {
        "leaps over anything to the twelve cells that lie two steps straight on and one step aside"
            .to_owned()
    } else if all(&EDGES) {
        "goes one cell through any side".to_owned()
    } else if all(&VERTICES) {
        "goes one cell through any corner".to_owned()
    } else if steps.len() == 12 && all_near(&steps) {
        "goes one cell in any of the twelve directions".to_owned()
    } else if all_near(&steps) {
        format!("goes one cell in {}", directions(steps.len()))
    } else {
        match steps.len() {
            1 => "leaps over anything to one cell".to_owned(),
            n => format!("leaps over anything to {} cells around it", number(n)),
        }
    };
    text + &from
}

fn bent(spec: &GameSpec, paths: &[&Path]) -> String {
    let mut forms: Vec<&[Step]> = paths.iter().map(|p| p.steps).collect();
    forms.sort_unstable();
    forms.dedup();
    let cells = match paths.first().map_or(0, |p| p.reach) {
        UNLIMITED => "any distance".to_owned(),
        1 => "one cell".to_owned(),
        most => format!("up to {most} cells"),
    };
    let two = forms.iter().all(|steps| steps.len() == 2);
    let shape = if two {
        "in zigzags"
    } else {
        "along bent paths"
    };
    let ways = match forms.len() {
        1 => "one way".to_owned(),
        n => format!("{n} ways"),
    };
    format!("goes {cells} {shape} ({ways}){}", from_colours(spec, paths))
}

/// Groups of paths of the same reach, the longest first.
fn by_reach<'p>(paths: &[&'p Path]) -> impl Iterator<Item = Vec<&'p Path>> {
    let mut groups: BTreeMap<u8, Vec<&Path>> = BTreeMap::new();
    for path in paths {
        groups.entry(path.reach).or_default().push(path);
    }
    groups.into_values().rev()
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
    let ahead = |steps: &[Step]| steps.iter().all(|&step| is_ahead(spec, step));
    let near = all_near(pawn.steps);
    let steps = match near {
        true => "Steps one cell",
        false => "Leaps",
    };
    let forward = if ahead(pawn.steps) { " forward" } else { "" };
    let captures_first = pawn.first.iter().any(|first| !first.captures.is_empty());
    let captures = match (all_near(pawn.captures), ahead(pawn.captures)) {
        _ if pawn.captures.is_empty() && captures_first => "captures only from some cells",
        _ if pawn.captures.is_empty() => "never captures",
        (true, true) => "captures one cell ahead",
        (true, false) => "captures one cell away",
        _ if pawn.captures.iter().any(is_near) => "captures one cell away or by a leap",
        (false, true) => "captures by leaps ahead",
        (false, false) => "captures by leaps",
    };
    let mut text = format!(
        "{steps}{forward} in {}; {captures}",
        directions(pawn.steps.len())
    );
    // Captures besides those of every pawn.
    let mut others = ("a direction", "directions");
    if !pawn.captures.is_empty() {
        text += &format!(" in {}", directions(pawn.captures.len()));
        others = ("another direction", "other directions");
    }
    text.push('.');
    let begin = if pawn.remembers_first_move {
        "On its first move, where pawns begin,"
    } else {
        "From cells where pawns begin"
    };
    let mut told: Vec<String> = Vec::new();
    for first in pawn.first {
        let mut more = Vec::new();
        match (first.steps, near) {
            (2, true) => more.push("go two cells".to_owned()),
            (3, true) => more.push("go up to three cells".to_owned()),
            (2, false) => more.push("leap twice".to_owned()),
            (3, false) => more.push("leap up to three times".to_owned()),
            _ => {}
        }
        match first.captures.len() {
            0 => {}
            1 => more.push(format!("capture in {}", others.0)),
            n => more.push(format!("capture in {} {}", number(n), others.1)),
        }
        let more = more.join(", and it may ");
        if more.is_empty() || told.contains(&more) {
            continue;
        }
        let whence = match told.len() {
            0 => begin,
            1 => "From others",
            _ => "From still others",
        };
        text += &format!(" {whence} it may {more}.");
        told.push(more);
    }
    if pawn.blocked_by_enemy {
        text.push_str(" An enemy piece on any cell one step ahead bars all its steps.");
    }
    let captures = captures_first || !pawn.captures.is_empty();
    if pawn.en_passant && captures && pawn.first.iter().any(|first| first.steps > 1) {
        let name = spec.pieces[usize::from(PAWN)].name;
        let article = match name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) {
            true => "An",
            false => "A",
        };
        let further = match near {
            true => "gone more than one cell may be captured on a cell that it crossed",
            false => "leapt more than once may be captured on a cell in between where it touched",
        };
        text += &format!(" {article} {name} that has just {further} (en passant).");
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

/// Whether all steps go one cell through a side or a corner.
fn all_near(steps: &[Step]) -> bool {
    steps.iter().all(is_near)
}

fn is_near(step: &Step) -> bool {
    EDGES.contains(step) || VERTICES.contains(step)
}

/// Whether White's step leads up the board.
fn is_ahead(spec: &GameSpec, (a, y): Step) -> bool {
    let (a, y) = (i32::from(a), i32::from(y));
    if spec.board.upright_files {
        2 * y > a
    } else {
        y > 0
    }
}

/// How many cells of its line a step goes on at once: more than one if it skips some.
const fn cells_of((a, y): Step) -> u8 {
    let (mut a, mut b) = (a.unsigned_abs(), y.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn directions(n: usize) -> String {
    match n {
        1 => "one direction".to_owned(),
        n => format!("{} directions", number(n)),
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

    fn game_of(pieces: &str, pawn: &str) -> &'static GameSpec {
        let text = format!(
            "format = 1\nname = 'words'\ntitle = 'Words'\n[board]\nhexagon = 5\nother_side = 'half turn'\n\
             [pieces]\nK = {{ name = 'king', leaps = ['edges'] }}\n{pieces}\n[pawn]\n{pawn}\n\
             [start]\nwhite = 'Ke1 a2'\n"
        );
        match GameId::from_text(&text) {
            Ok(game) => game.spec(),
            Err(error) => panic!("{error}"),
        }
    }

    const ROOK: &str = "R = { name = 'rook', slides = ['edges'] }";
    const PAWN_KEYS: &str = "steps = ['e2']\ncaptures = ['e1', 'e3']";

    #[test]
    fn directions_are_told_apart() {
        let spec = game_of(
            "Q = { name = 'queen', slides = ['(2, 0)', '(-2, 0)', '(0, 3)', '(0, -3)', 'e3', '-e3'] }\n\
             R = { name = 'rook', slides = ['vertices', 'e1', '-e1', '(3, 1)', '(-3, -1)'] }",
            PAWN_KEYS,
        );
        let words = |letter| {
            let of_letter = spec.kind_of_letter(letter).unwrap();
            kind(spec, &spec.pieces[usize::from(of_letter)])
        };
        assert_eq!(
            words(b'Q'),
            "Slides any distance through sides of cells in two directions and skipping every other cell in two \
             directions and skipping two cells each time in two directions."
        );
        assert_eq!(
            words(b'R'),
            "Slides any distance through the corners of cells (six diagonals) and along other lines in two \
             directions and through sides of cells in two directions."
        );
    }

    #[test]
    fn zigzags_of_different_reach_are_told_apart() {
        let spec = game_of(
            "Q = { name = 'queen', paths = ['e1 v2', '-e1 -v2', 'v2 e1', '-v2 -e1', \
             { along = ['e3 -v1', '-e3 v1', '-v1 e3', 'v1 -e3'], reach = 2 }] }",
            PAWN_KEYS,
        );
        let queen = spec.kind_of_letter(b'Q').unwrap();
        assert_eq!(
            kind(spec, &spec.pieces[usize::from(queen)]),
            "Goes any distance in zigzags (4 ways); or goes up to 2 cells in zigzags (4 ways)."
        );
    }

    #[test]
    fn pawns_that_leap_or_capture_aside() {
        let text = pawn(game_of(ROOK, "steps = ['(0, 2)']\ncaptures = ['(0, 3)']"));
        assert!(
            text.starts_with(
                "Leaps forward in one direction; captures by leaps ahead in one direction."
            ),
            "{text}"
        );
        let text = pawn(game_of(ROOK, "steps = ['e2']\ncaptures = ['e3', '-e3']"));
        assert!(
            text.starts_with(
                "Steps one cell forward in one direction; captures one cell away in two directions."
            ),
            "{text}"
        );
        let text = pawn(game_of(ROOK, "steps = ['e2']\ncaptures = ['e3', '(0, 3)']"));
        assert!(
            text.contains("; captures one cell away or by a leap in two directions."),
            "{text}"
        );
    }

    #[test]
    fn what_pawns_cannot_do_is_not_said() {
        let steps = "steps = ['e2']\nen_passant = true\n";
        let first = "first = [{ cells = 'b2', steps = 2 }]";
        let text = pawn(game_of(ROOK, &format!("{steps}captures = []\n{first}")));
        let begin = "Steps one cell forward in one direction; ";
        assert!(
            text.starts_with(&format!("{begin}never captures. From cells")),
            "{text}"
        );
        assert!(!text.contains("en passant"), "{text}");
        let text = pawn(game_of(ROOK, &format!("{steps}captures = ['e1', 'e3']")));
        assert!(!text.contains("en passant"), "{text}");
        let first = "first = [{ cells = 'b2', steps = 2, captures = ['e1', 'e3'] }]";
        let text = pawn(game_of(ROOK, &format!("{steps}captures = []\n{first}")));
        assert!(
            text.starts_with(&format!("{begin}captures only from some cells. "))
                && text.contains(
                    "it may go two cells, and it may capture in two directions. A pawn that"
                ),
            "{text}"
        );
    }

    #[test]
    fn first_moves_are_told_once_and_pawns_by_name() {
        let text = pawn(game_of(
            ROOK,
            "name = 'infantryman'\nsteps = ['e2']\ncaptures = ['e1', 'e3']\nen_passant = true\n\
             first = [{ cells = 'b1', captures = ['v2'] }, { cells = 'c2', steps = 2 }, \
             { cells = 'g2', steps = 2 }, { cells = 'e4', steps = 2, captures = ['v2'] }]",
        ));
        let told = "From cells where pawns begin it may capture in another direction. \
                    From others it may go two cells. \
                    From still others it may go two cells, and it may capture in another direction. \
                    An infantryman that has just gone";
        assert!(text.contains(told), "{text}");
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
