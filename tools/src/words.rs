//! The rules of a game in words, from the game's data alone.

use std::collections::BTreeMap;

use hexmate_engine::Evaluator;
use hexmate_movegen::spec::{
    ANY, CastlingMove, CastlingSpec, EDGES, GameSpec, KNIGHT_LEAPS, Path, PieceSpec, Step,
    UNLIMITED, VERTICES,
};
use hexmate_movegen::{Cell, Game, KING, Kind, PAWN, Position, Side};

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
    if let Some(list) = any_of(&promotes) {
        let place = match pawn.promotes_on {
            Some(_) => "On the cells marked for it",
            None => "At the far edge",
        };
        text += &format!(" {place} it is promoted to {list}.");
    }
    text
}

/// Any one of these, in words; nothing if there is none.
fn any_of<S: AsRef<str>>(all: &[S]) -> Option<String> {
    let all: Vec<&str> = all.iter().map(AsRef::as_ref).collect();
    let (last, rest) = all.split_last()?;
    Some(match rest {
        [] => (*last).to_owned(),
        rest => format!("{} or {last}", rest.join(", ")),
    })
}

/// How castling goes, if the game has it.
pub fn castling<G: Game>(game: G) -> Option<String> {
    const UNMOVED: &str = "neither may have moved, nothing may stand between them, and the king must not be in check, nor cross or reach an attacked cell";
    let (spec, tables) = (game.spec(), game.tables());
    let board = &tables.board;
    Some(match spec.castling? {
        CastlingSpec::Towards { directions, gap } => {
            let path = |steps| Path {
                from: ANY,
                steps,
                reach: UNLIMITED,
            };
            let paths: Vec<Path> = directions.chunks(1).map(path).collect();
            let ways = ways(spec, &paths.iter().collect::<Vec<_>>());
            // The directions themselves, as they look from where the kings begin.
            let start = Position::start_of(game);
            let king = start.king(Side::White);
            let target = |&step: &Step| board.step(board.step(king, step)?, step);
            let targets: Vec<Cell> = directions.iter().filter_map(target).collect();
            let seen = |of: &dyn Fn(Cell) -> Cell| {
                let names: Vec<String> = targets.iter().map(|&to| board.name(of(to))).collect();
                Some(format!(
                    "from {} to {}",
                    board.name(of(king)),
                    any_of(&names)?
                ))
            };
            let white = seen(&|cell| cell);
            let counterpart = |cell: Cell| tables.mirrored[usize::from(cell)];
            let black = seen(&counterpart).filter(|_| counterpart(king) == start.king(Side::Black));
            let black = black.map_or_else(String::new, |black| format!(", Black's {black}"));
            let seen = white.map(|white| format!(" (White's {white}{black})"));
            let partners = spec.pieces.iter().filter(|p| p.castles);
            let letters: Vec<String> = partners.map(|p| char::from(p.letter).into()).collect();
            format!(
                "The king goes two cells {ways}{} towards a piece with which it may castle ({}), at least {} cells \
                 away, and that piece goes to the cell that the king has crossed; {UNMOVED}.",
                seen.unwrap_or_default(),
                any_of(&letters)?,
                gap + 1
            )
        }
        CastlingSpec::Ways(ways) => {
            let of_side = |cell: &dyn Fn(&str) -> Option<String>| {
                let way = |way: &CastlingMove| {
                    Some(format!(
                        "king {}-{}, partner {}-{}",
                        cell(way.king.0)?,
                        cell(way.king.1)?,
                        cell(way.partner.0)?,
                        cell(way.partner.1)?
                    ))
                };
                let ways: Option<Vec<String>> = ways.iter().map(way).collect();
                Some(ways?.join("; "))
            };
            let white = of_side(&|name| Some(name.to_owned()))?;
            let counterpart = |name: &str| {
                let cell = board.parse_cell(name)?;
                Some(board.name(tables.mirrored[usize::from(cell)]))
            };
            let black = of_side(&counterpart)?;
            format!("White's ways to castle: {white}; Black's: {black}; {UNMOVED}.")
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
mod tests;
