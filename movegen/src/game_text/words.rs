//! The small languages inside values: directions, sets of them, colours, cells.

use super::error::GameFault;
use super::tree::Item;
use crate::board::Board;
use crate::quoted::abridged;
use crate::rules::spec::{
    ALL_DIRECTIONS, ANY, CellRule, Colours, E1, E2, E3, EDGES, KNIGHT_LEAPS, Step, V1, V2, V3,
    VERTICES, neg,
};
use crate::sets::Cell;

/// The longest step along either coordinate.
const LONGEST_STEP: i8 = 9;

/// What a direction may be, for messages.
const DIRECTION: &str =
    "e1, e2, e3, v1, v2, v3, each also with '-' before it, or a vector like (3, 1)";

/// A set of directions that has a name.
fn named_set(name: &str) -> Option<&'static [Step]> {
    match name {
        "edges" => Some(&EDGES),
        "vertices" => Some(&VERTICES),
        "all" => Some(&ALL_DIRECTIONS),
        "knight" => Some(&KNIGHT_LEAPS),
        _ => None,
    }
}

/// One direction: `e1`, `-v2`, `(3, 1)`.
fn direction(text: &str) -> Option<Step> {
    if let Some(pair) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let (a, y) = pair.split_once(',')?;
        let number = |n: &str| {
            let n: i8 = n.trim().parse().ok()?;
            (n.unsigned_abs() <= LONGEST_STEP as u8).then_some(n)
        };
        let step = (number(a)?, number(y)?);
        return (step != (0, 0)).then_some(step);
    }
    let (name, negative) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text, false),
    };
    let step = match name {
        "e1" => E1,
        "e2" => E2,
        "e3" => E3,
        "v1" => V1,
        "v2" => V2,
        "v3" => V3,
        _ => return None,
    };
    Some(if negative { neg(step) } else { step })
}

/// The words of a text; blanks in parentheses do not part them.
fn words(text: &str) -> Vec<&str> {
    let mut inside = false;
    let parts = text.split(|c: char| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            _ => {}
        }
        c.is_whitespace() && !inside
    });
    parts.filter(|w| !w.is_empty()).collect()
}

/// A list of directions and sets of them, none twice; `most` is the limit.
pub(super) fn directions(item: &Item<'_>, most: usize) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    for word in item.list("directions")? {
        let text = word.text()?;
        let one = direction(text).map(|step| vec![step]);
        let Some(found) = named_set(text).map(<[Step]>::to_vec).or(one) else {
            word.bad(format!(
                "'{text}' is no direction; write edges, vertices, all, knight, {DIRECTION} \
                 (numbers from -{LONGEST_STEP} to {LONGEST_STEP})"
            ));
            return None;
        };
        if let Some(twice) = found.iter().find(|s| steps.contains(s)) {
            word.bad(format!(
                "the direction {} is given twice; each may stand here once",
                name_of(*twice)
            ));
            return None;
        }
        steps.extend(found);
    }
    if steps.len() > most {
        let message = format!("{} directions; at most {most} are possible", steps.len());
        item.fault(GameFault::Limit, message);
        return None;
    }
    Some(steps)
}

/// The steps of one path, in turn.
pub(super) fn path_steps(item: &Item<'_>, most: usize) -> Option<Vec<Step>> {
    let text = item.text()?;
    let mut steps = Vec::new();
    for word in words(text) {
        let Some(step) = direction(word) else {
            item.bad(format!(
                "'{word}' is no direction; the steps of a path are {DIRECTION}, with blanks between them"
            ));
            return None;
        };
        steps.push(step);
    }
    if steps.is_empty() {
        item.bad("no step; a path needs at least one direction");
        return None;
    }
    if steps.len() > most {
        let message = format!(
            "{} steps; a path has at most {most}, which repeat",
            steps.len()
        );
        item.fault(GameFault::Limit, message);
        return None;
    }
    Some(steps)
}

/// What a direction is called.
pub(super) fn name_of(step: Step) -> String {
    let names = [
        ("e1", E1),
        ("e2", E2),
        ("e3", E3),
        ("v1", V1),
        ("v2", V2),
        ("v3", V3),
    ];
    for (name, named) in names {
        if step == named {
            return name.to_owned();
        }
        if step == neg(named) {
            return format!("-{name}");
        }
    }
    format!("({}, {})", step.0, step.1)
}

/// The same for several.
pub(super) fn names_of(steps: &[Step]) -> String {
    let names: Vec<String> = steps.iter().map(|&s| name_of(s)).collect();
    names.join(", ")
}

/// A list of colours, counted from 1.
pub(super) fn colours(item: &Item<'_>, count: u8) -> Option<Colours> {
    let mut set: Colours = 0;
    for one in item.list("colours")? {
        let colour = one.number(1, i64::from(count))?;
        let bit = 1 << (colour - 1);
        if set & bit != 0 {
            one.bad(format!("the colour {colour} is given twice"));
            return None;
        }
        set |= bit;
    }
    if set == 0 {
        item.bad("no colour; leave the key out for every colour");
        return None;
    }
    let every = ANY >> (8 - count);
    Some(if set == every { ANY } else { set })
}

/// The cell of a name, which must be on the board.
pub(super) fn cell(item: &Item<'_>, board: &Board, name: &str) -> Option<Cell> {
    let found = board.parse_cell(name);
    if found.is_none() {
        let cells = board.cells();
        let example = cells.first().map_or_else(String::new, |&c| board.name(c));
        let last = cells.last().map_or_else(String::new, |&c| board.name(c));
        item.bad(format!(
            "'{}' is no cell of the board, whose cells are named like '{example}' and '{last}'",
            abridged(name)
        ));
    }
    found
}

/// Cells by name, with blanks between them, none twice.
pub(super) fn cells(item: &Item<'_>, board: &Board) -> Option<Vec<Cell>> {
    let mut found = Vec::new();
    for name in item.text()?.split_whitespace() {
        let cell = cell(item, board, name)?;
        if found.contains(&cell) {
            item.bad(format!("the cell {} is given twice", board.name(cell)));
            return None;
        }
        found.push(cell);
    }
    if found.is_empty() {
        item.bad("no cell; name cells with blanks between them, like 'b1 c2'");
        return None;
    }
    Some(found)
}

/// The cells of a rule that has been read.
pub(super) fn cells_of(board: &Board, rule: &CellRule) -> Vec<Cell> {
    match rule {
        CellRule::Names(names) => {
            let names = names.split_whitespace();
            names.filter_map(|n| board.parse_cell(n)).collect()
        }
        CellRule::Rows(numbers) => {
            let cells = board.cells().iter().copied();
            cells
                .filter(|&c| numbers.contains(&board.row_number(c)))
                .collect()
        }
    }
}

/// Numbers of rows, as in the names of cells, none twice.
pub(super) fn rows(item: &Item<'_>, board: &Board) -> Option<Vec<u8>> {
    let top = board.rows().len() as i64;
    let mut found = Vec::new();
    for one in item.list("row numbers")? {
        let row = one.number(1, top)? as u8;
        if found.contains(&row) {
            one.bad(format!("the row {row} is given twice"));
            return None;
        }
        found.push(row);
    }
    if found.is_empty() {
        item.bad("no row; give the numbers of rows, like [3, 4]");
        return None;
    }
    Some(found)
}

/// Whether a text is shown on one line, letter after letter: neither empty nor long, without characters that break
/// lines or turn the direction of writing.
pub(super) fn is_line(text: &str, longest: usize) -> bool {
    let turns = |c: char| {
        let marks = matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}');
        marks || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    !text.trim().is_empty() && text.len() <= longest && !text.contains(|c| breaks(c) || turns(c))
}
