//! Which 64-bit word of path space holds the paths of which class.

use super::derived::Direction;
use super::lane_plan::{LANE_BITS, LanePlan, WordClasses};
use super::spec::{Colours, GameSpec, Path, Step, UNLIMITED, skips};

/// A cell's coordinates (a, y).
type At = (i8, i8);

/// Gives each class of paths the first word that has room for its paths on every cell. The words are those of
/// `tables/lanes.rs`; a game whose classes do not fit is refused before.
pub fn plan(spec: &GameSpec) -> LanePlan {
    let (classes, cells) = (spec.classes(), cells(spec));
    let needs: Vec<Vec<usize>> = (0..classes.len)
        .map(|class| (cells.iter()).map(|&at| need(spec, class, at)).collect())
        .collect();
    let mut plan = LanePlan::NONE;
    let mut used: Vec<Vec<usize>> = Vec::new();
    for (class, need) in needs.iter().enumerate() {
        let fits = |used: &Vec<usize>| (used.iter().zip(need)).all(|(u, n)| u + n <= LANE_BITS);
        let word = used.iter().position(fits).unwrap_or_else(|| {
            used.push(vec![0; cells.len()]);
            used.len() - 1
        });
        for (used, need) in used[word].iter_mut().zip(need) {
            *used += need;
        }
        let users = classes.get(class);
        plan.class_words[class] = word;
        let held = &mut plan.word_classes[word];
        if held.count < 2 {
            held.classes[held.count] = class;
            held.class_users[held.count] = users;
        }
        held.users |= users;
        held.count += 1;
        for (kind, words) in plan.kind_words.iter_mut().enumerate() {
            *words |= (users >> kind & 1) << word;
        }
    }
    plan.words = used.len();
    for (split, held) in plan.split.iter_mut().zip(&plan.word_classes) {
        let WordClasses { count, classes, .. } = *held;
        *split = count == 2 && classes.iter().all(|&c| is_half(spec, c, &needs[c]));
    }
    plan
}

/// Whether a class may have half a word to itself: its paths always fit, and every kind that uses them counts all of their
/// cells, as is so for straight lines that touch every cell on their way.
fn is_half(spec: &GameSpec, class: usize, needs: &[usize]) -> bool {
    let axes = spec.axes();
    let mut lines = (0..axes.len)
        .map(|axis| axes.get(axis))
        .filter(|a| a.1 == class)
        .peekable();
    lines.peek().is_some()
        && lines.all(|(step, _)| !skips(step))
        && needs.iter().all(|&need| need <= LANE_BITS / 2)
}

fn cells(spec: &GameSpec) -> Vec<At> {
    let (width, height) = spec.board.extent();
    let places = (0..height as i8).flat_map(|y| (0..width as i8).map(move |a| (a, y)));
    places.filter(|&(a, y)| spec.board.has(a, y)).collect()
}

/// The number of cells on all paths of a class from a cell.
fn need(spec: &GameSpec, class: usize, at: At) -> usize {
    let (classes, directions) = (spec.classes(), spec.directions());
    let here: Colours = 1 << spec.board.colour(at.0, at.1);
    // The paths of all that may stand here.
    let pieces = spec.pieces.iter().enumerate();
    let standing = pieces.filter(|(_, piece)| piece.stands_on & here != 0);
    let paths = standing.flat_map(|(kind, piece)| piece.paths.iter().map(move |path| (kind, path)));
    let paths: Vec<(usize, &Path)> = paths.filter(|(_, path)| path.from & here != 0).collect();
    let mut need = 0;
    for Direction { step, users } in (0..directions.len).map(|d| directions.get(d)) {
        let goes = |path: &Path| path.is_straight() && path.steps == [step];
        if classes.first(users) == class && paths.iter().any(|(_, path)| goes(path)) {
            need += length(spec, at, &[step], UNLIMITED);
        }
    }
    // Crooked paths come after the straight ones in the list of classes, those of each kind by themselves.
    let is_last =
        |kind: usize| (0..classes.len).rfind(|&c| classes.get(c) == 1 << kind) == Some(class);
    let crooked = paths
        .iter()
        .filter(|(kind, path)| is_crooked(path) && is_last(*kind));
    need + crooked
        .map(|(_, path)| length(spec, at, path.steps, path.reach))
        .sum::<usize>()
}

fn is_crooked(path: &Path) -> bool {
    !path.is_straight() && !path.is_leap()
}

/// The number of cells on a path before it leaves the board.
fn length(spec: &GameSpec, from: At, steps: &[Step], reach: u8) -> usize {
    let cells = steps.iter().cycle().scan(from, |at, step| {
        *at = (at.0 + step.0, at.1 + step.1);
        spec.board.has(at.0, at.1).then_some(())
    });
    cells.take(usize::from(reach)).count()
}
