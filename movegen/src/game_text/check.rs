//! Whether what was read is a game: sides alike, paths that lead back, pawns that get on.

use super::error::{GameFault, Log};
use super::geometry::Geometry;
use super::tree::{Entry, place_of};
use super::words::{cells_of, name_of, names_of};
use crate::rules::spec::{GameSpec, MOST_CLASSES, Path, Step, neg};
use crate::rules::{KING, Kind, PAWN};
use crate::sets::Cell;

/// The most directions of straight lines: the lists of a game have 32 places.
const MOST_DIRECTIONS: usize = 24;

/// Where to note a fault of the game as a whole.
pub(super) struct Places<'n> {
    pub log: &'n Log,
    pub entries: &'n [Entry],
}

impl Places<'_> {
    /// Notes a fault at a key, named from the outside in.
    pub fn fault(&self, path: &[&str], fault: GameFault, message: impl Into<String>) {
        let at = place_of(self.entries, path).unwrap_or_default();
        let mut key = String::new();
        for part in path {
            if part.bytes().all(|b| b.is_ascii_digit()) {
                key.push_str(&format!("[{part}]"));
            } else {
                key.push_str(if key.is_empty() { "" } else { "." });
                key.push_str(part);
            }
        }
        self.log.add(at, &key, fault, message);
    }

    /// Notes that the parts of the game contradict each other.
    pub fn contradiction(&self, path: &[&str], message: impl Into<String>) {
        self.fault(path, GameFault::Contradiction, message);
    }
}

/// Checks the pieces and the pawn.
pub(super) fn check(game: &Geometry<'_>, places: &Places<'_>) {
    if !directions_fit(game.spec, places) {
        return;
    }
    let mut kinds = KING..game.spec.pieces.len() as Kind;
    // One fault of this sort is enough: it mostly has others in its wake.
    if kinds.all(|kind| piece_fits(game, kind, places)) {
        sides_are_alike(game, places);
    }
    pawns_fit(game, places);
}

/// Whether the straight lines are few enough, and each has its opposite.
fn directions_fit(spec: &GameSpec, places: &Places<'_>) -> bool {
    let mut all: Vec<(Step, u16)> = Vec::new();
    for (kind, piece) in spec.pieces.iter().enumerate() {
        let straight: Vec<Step> = piece
            .paths
            .iter()
            .filter(|p| p.is_straight())
            .map(|p| p.steps[0])
            .collect();
        for &step in &straight {
            if !straight.contains(&neg(step)) {
                places.contradiction(
                    &["pieces", letter(spec, kind as Kind)],
                    format!(
                        "slides along {} but not back along {}; a piece must be able to go back the way it came",
                        name_of(step),
                        name_of(neg(step))
                    ),
                );
                return false;
            }
            match all.iter_mut().find(|(s, _)| *s == step) {
                Some((_, users)) => *users |= 1 << kind,
                None => all.push((step, 1 << kind)),
            }
        }
    }
    if all.len() > MOST_DIRECTIONS {
        places.fault(
            &["pieces"],
            GameFault::Limit,
            format!(
                "the pieces slide along {} directions in all; at most {MOST_DIRECTIONS} are possible",
                all.len()
            ),
        );
        return false;
    }
    let mut classes: Vec<u16> = all.iter().map(|(_, users)| *users).collect();
    classes.sort_unstable();
    classes.dedup();
    let crooked = |p: &Path| !p.is_straight() && !p.is_leap();
    let crooked = spec.pieces.iter().filter(|p| p.paths.iter().any(crooked));
    let classes = classes.len() + crooked.count();
    if classes > MOST_CLASSES {
        places.fault(
            &["pieces"],
            GameFault::Limit,
            format!(
                "the pieces share their slides in {classes} different ways, crooked ones counted each; at most \
                 {MOST_CLASSES} are possible"
            ),
        );
    }
    classes <= MOST_CLASSES
}

/// The letter of a kind, as its key.
pub(super) fn letter(spec: &GameSpec, kind: Kind) -> &'static str {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let place = usize::from(spec.pieces[usize::from(kind)].letter.wrapping_sub(b'A'));
    LETTERS.get(place..=place).unwrap_or("")
}

/// Whether the paths of a piece are such as can be walked both ways.
fn piece_fits(game: &Geometry<'_>, kind: Kind, places: &Places<'_>) -> bool {
    let spec = game.spec;
    let board = game.board;
    let key = letter(spec, kind);
    let path = ["pieces", key];
    let name = |cell: Cell| board.name(cell);
    let piece = &spec.pieces[usize::from(kind)];
    if kind == KING && !piece.paths.iter().all(Path::is_leap) {
        places.contradiction(
            &path,
            "the king only leaps: give it 'leaps', or paths with 'reach = 1'",
        );
        return false;
    }
    let walks: Vec<Vec<(&Path, Vec<Cell>)>> = (0..=Cell::MAX)
        .map(|cell| match board.cells().binary_search(&cell) {
            Ok(_) => game.walks(kind, cell),
            Err(_) => Vec::new(),
        })
        .collect();
    if walks.iter().all(Vec::is_empty) {
        places.contradiction(&path, "the piece cannot move from any cell");
        return false;
    }
    for &from in board.cells() {
        for (leaper, cells) in &walks[usize::from(from)] {
            if let Some(&off) = cells.iter().find(|&&c| !game.stands(kind, c)) {
                places.contradiction(
                    &path,
                    format!(
                        "from {} a path comes to {}, a cell of colour {}, where the piece may not stand",
                        name(from),
                        name(off),
                        board.colour(off) + 1
                    ),
                );
                return false;
            }
            let again = |(i, c): (usize, &Cell)| *c == from || cells[..i].contains(c);
            if cells.iter().enumerate().any(again) {
                places.contradiction(
                    &path,
                    format!(
                        "a path from {} comes to a cell twice; give it a 'reach'",
                        name(from)
                    ),
                );
                return false;
            }
            for end in 0..cells.len() {
                let back = cells[..end].iter().rev().chain([&from]);
                let mut others = walks[usize::from(cells[end])].iter();
                if !others.any(|(_, other)| other.iter().take(end + 1).eq(back.clone())) {
                    let over: Vec<String> = cells[..end].iter().map(|&c| name(c)).collect();
                    let over = match &over[..] {
                        [] => String::new(),
                        over => format!(" over {}", over.join(", ")),
                    };
                    places.contradiction(
                        &path,
                        format!(
                            "goes from {} to {}{over}, but not back the same way; a piece must be able to go \
                             back the way it came",
                            name(from),
                            name(cells[end])
                        ),
                    );
                    return false;
                }
            }
            if leaper.is_leap() {
                let onto = cells[0];
                let mut others = walks[usize::from(from)]
                    .iter()
                    .filter(|(p, _)| !p.is_leap());
                if others.any(|(_, cells)| cells.contains(&onto)) {
                    places.fault(
                        &path,
                        GameFault::Limit,
                        format!(
                            "a leap from {} to {} ends on a cell of another path; such a move would be \
                             found twice, so leaps must reach what paths do not",
                            name(from),
                            name(onto)
                        ),
                    );
                    return false;
                }
            }
        }
    }
    true
}

/// Whether each piece does for White what its counterpart does for Black.
fn sides_are_alike(game: &Geometry<'_>, places: &Places<'_>) {
    let spec = game.spec;
    for kind in KING..spec.pieces.len() as Kind {
        let other = spec.mirrored_kind(kind);
        let key = letter(spec, kind);
        let path = ["pieces", key];
        if (kind == KING) != (other == KING) {
            places.contradiction(
                &["board", "other_side"],
                "the king exchanges its part with no other piece",
            );
            return;
        }
        let promotes = |kind: Kind| spec.pieces[usize::from(kind)].promotes;
        if promotes(kind) != promotes(other) {
            places.contradiction(
                &["pawn", "promotes_to"],
                format!(
                    "'{key}' and '{}' exchange their parts, so pawns become both or neither",
                    letter(spec, other)
                ),
            );
        }
        for &cell in game.board.cells() {
            let Some(there) = game.mirrored(cell) else {
                continue;
            };
            let name = game.board.name(cell);
            if game.stands(kind, cell) != game.stands(other, there) {
                places.contradiction(
                    &path,
                    format!(
                        "sides differ: {name} is {} for Black's side, and only one of both may stand there, as their \
                         colours differ; choose another 'other_side', or name pairs of pieces in its 'exchanges'",
                        game.board.name(there)
                    ),
                );
                return;
            }
            let turned = game.walks(kind, cell).into_iter().map(|(_, cells)| {
                let cells = cells.iter().filter_map(|&c| game.mirrored(c));
                cells.collect::<Vec<Cell>>()
            });
            let mut turned: Vec<Vec<Cell>> = turned.collect();
            let theirs = game.walks(other, there);
            let mut theirs: Vec<Vec<Cell>> = theirs.into_iter().map(|(_, cells)| cells).collect();
            turned.sort();
            theirs.sort();
            turned.dedup();
            theirs.dedup();
            let lacks = |all: &[Vec<Cell>], one: &&Vec<Cell>| !all.contains(*one);
            let lost = turned.iter().find(|one| lacks(&theirs, one));
            let lost = lost.or_else(|| theirs.iter().find(|one| lacks(&turned, one)));
            if let Some(lost) = lost {
                let last = lost
                    .last()
                    .map_or_else(String::new, |&c| game.board.name(c));
                places.contradiction(
                    &path,
                    format!(
                        "sides differ: {name} is {} for Black's side, and from there the way to {last} is only one \
                         side's; give the piece every direction that the map makes of its own, choose another \
                         'other_side', or name pairs of pieces in its 'exchanges'",
                        game.board.name(there)
                    ),
                );
                return;
            }
        }
    }
}

/// Whether pawns make progress, and become something.
fn pawns_fit(game: &Geometry<'_>, places: &Places<'_>) {
    if !pawn_directions_fit(game, places) {
        return;
    }
    let promotions = game.promotion_cells();
    let fits = |&cell: &Cell| pawn_fits_on(game, cell, &promotions, places);
    if !game.board.cells().iter().all(fits) || !en_passant_fits(game, &promotions, places) {
        return;
    }
    if turns_in_a_circle(game) {
        places.contradiction(
            &["pawn", "steps"],
            "a pawn could come back by its own steps and walk for ever; let all steps lead forward",
        );
    }
    promotions_fit(game, &promotions, places);
}

/// Whether Black's pawns go the opposite way.
fn pawn_directions_fit(game: &Geometry<'_>, places: &Places<'_>) -> bool {
    let pawn = &game.spec.pawn;
    let fits = |path: &[&str], steps: &[Step]| {
        let fault = not_opposite(game, path.contains(&"steps"), steps);
        if let Some(fault) = &fault {
            places.contradiction(path, fault);
        }
        fault.is_none()
    };
    let mut first = pawn.first.iter().enumerate();
    fits(&["pawn", "steps"], pawn.steps)
        && fits(&["pawn", "captures"], pawn.captures)
        && first.all(|(i, first)| {
            let path = ["pawn", "first", &i.to_string(), "captures"];
            fits(&path, first.captures)
        })
}

/// What is wrong with directions of White's pawn that the map to Black's side does not turn into the opposite ones, and
/// what would be right.
fn not_opposite(game: &Geometry<'_>, are_steps: bool, steps: &[Step]) -> Option<String> {
    let turned: Vec<Step> = steps.iter().map(|&s| game.turned(s)).collect();
    if steps.iter().all(|&s| turned.contains(&neg(s))) {
        return None;
    }
    let opposite: Vec<Step> = steps.iter().map(|&s| neg(s)).collect();
    let mut lacking: Vec<Step> = turned.iter().map(|&s| neg(s)).collect();
    lacking.retain(|s| !steps.contains(s));
    // With a step and its opposite a pawn would walk for ever.
    let helps =
        !lacking.is_empty() && (!are_steps || lacking.iter().all(|s| !opposite.contains(s)));
    let add = match helps {
        true => format!("add {}, or ", names_of(&lacking)),
        false => String::new(),
    };
    Some(format!(
        "sides differ: Black's pawns go the exact opposite ways, {}, but the map to Black's side turns these \
         directions into {}; {add}choose another 'other_side'",
        names_of(&opposite),
        names_of(&turned)
    ))
}

/// Whether the moves of White's pawn on a cell are told apart by where they end, and a first move is far from promotion.
fn pawn_fits_on(game: &Geometry<'_>, cell: Cell, promotions: &[Cell], places: &Places<'_>) -> bool {
    let (board, pawn) = (game.board, &game.spec.pawn);
    let name = board.name(cell);
    let mut firsts = pawn.first.iter();
    let first = firsts.position(|f| game.rule_has(&f.cells, cell));
    let Some(targets) = pawn_targets(game, cell, first, places) else {
        return false;
    };
    let captures = game.captures(cell);
    if let Some(i) = (0..captures.len()).find(|&i| captures[..i].contains(&captures[i])) {
        places.contradiction(
            &["pawn", "captures"],
            format!(
                "a pawn on {name} captures on {} in two ways",
                board.name(captures[i])
            ),
        );
        return false;
    }
    let both = captures.iter().find(|c| targets.contains(c));
    if let Some(&both) = both.filter(|_| pawn.en_passant) {
        places.contradiction(
            &["pawn", "en_passant"],
            format!(
                "a pawn on {name} both steps to and captures on {}: after en passant nobody could tell which; leave \
                 en passant out, or let pawns step and capture on different cells",
                board.name(both)
            ),
        );
        return false;
    }
    let mut reached = targets.iter().chain(&captures);
    let near = reached.find(|c| promotions.contains(c));
    if let (Some(first), Some(&near)) = (first, near) {
        places.fault(
            &["pawn", "first", &first.to_string()],
            GameFault::Limit,
            format!(
                "a pawn on {name} has a first move and could be promoted on {} at once; pawns near promotion can have \
                 no first moves",
                board.name(near)
            ),
        );
        return false;
    }
    true
}

/// Whether no capture en passant ends on a promotion cell: neither generator nor tables promote there.
fn en_passant_fits(game: &Geometry<'_>, promotions: &[Cell], places: &Places<'_>) -> bool {
    let (board, pawn) = (game.board, &game.spec.pawn);
    if !pawn.en_passant {
        return true;
    }
    let before = board.cells().iter().filter(|c| !promotions.contains(c));
    let mut reached: Vec<Cell> = before.flat_map(|&c| game.captures(c)).collect();
    reached.retain(|c| promotions.contains(c));
    reached.sort_unstable();
    reached.dedup();
    // What White's pawns reach, Black's reach on the mirrored board.
    let promotes = |&c: &Cell| game.mirrored(c).is_some_and(|c| reached.contains(&c));
    for (i, first) in pawn.first.iter().enumerate() {
        for cell in cells_of(board, &first.cells) {
            let mut crossed = pawn.steps.iter().flat_map(|&step| {
                let walk = (1..=first.steps).map_while(move |times| game.after(cell, step, times));
                let walk: Vec<Cell> = walk.collect();
                // A move does not cross the cell on which it ends.
                let before_end = walk.len().saturating_sub(1);
                walk.into_iter().take(before_end)
            });
            if let Some(over) = crossed.find(promotes) {
                places.fault(
                    &["pawn", "first", &i.to_string()],
                    GameFault::Limit,
                    format!(
                        "a pawn on {} steps over {}, and one that captures it en passant would be promoted there; \
                         leave en passant out, or let first moves keep off the other side's promotion cells",
                        board.name(cell),
                        board.name(over)
                    ),
                );
                return false;
            }
        }
    }
    true
}

/// Where White's pawn may step from a cell, whose first move is `first`.
fn pawn_targets(
    game: &Geometry<'_>,
    cell: Cell,
    first: Option<usize>,
    places: &Places<'_>,
) -> Option<Vec<Cell>> {
    let pawn = &game.spec.pawn;
    let most = first.map_or(1, |f| pawn.first[f].steps);
    let mut targets: Vec<Cell> = Vec::new();
    for &step in pawn.steps {
        for times in 1..=most {
            let Some(to) = game.after(cell, step, times) else {
                break;
            };
            if targets.contains(&to) {
                let [from, to] = [cell, to].map(|c| game.board.name(c));
                places.contradiction(
                    &["pawn", "steps"],
                    format!("a pawn comes from {from} to {to} in two ways"),
                );
                return None;
            }
            targets.push(to);
        }
    }
    Some(targets)
}

/// Whether there is something to become on every promotion cell.
fn promotions_fit(game: &Geometry<'_>, promotions: &[Cell], places: &Places<'_>) {
    let spec = game.spec;
    let kinds = PAWN + 1..spec.pieces.len() as Kind;
    for &cell in promotions {
        let becomes = |k: Kind| spec.pieces[usize::from(k)].promotes && game.stands(k, cell);
        if !kinds.clone().any(becomes) {
            places.contradiction(
                &["pawn", "promotes_to"],
                format!(
                    "on the promotion cell {} a pawn could become nothing; name a piece that may stand there",
                    game.board.name(cell)
                ),
            );
            return;
        }
    }
}

/// Whether the steps of a pawn lead back to where it was.
fn turns_in_a_circle(game: &Geometry<'_>) -> bool {
    let cells = game.board.cells();
    let mut open: Vec<Cell> = cells.to_vec();
    // Takes away cells from which no step leads to another one that is left, until nothing changes.
    loop {
        let leads_on = |&cell: &Cell| {
            let steps = game.spec.pawn.steps.iter();
            let mut targets = steps.filter_map(|&s| game.board.step(cell, s));
            targets.any(|to| open.contains(&to))
        };
        let left: Vec<Cell> = open.iter().copied().filter(leads_on).collect();
        if left.len() == open.len() {
            return !left.is_empty();
        }
        open = left;
    }
}
