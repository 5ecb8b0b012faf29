//! The tables `pieces` and `pawn`.

use super::error::GameFault;
use super::tree::{Item, Section, Value};
use super::words::{cells, cells_of, colours, directions, is_line, path_steps, rows};
use super::{kept, kept_text};
use crate::board::Board;
use crate::rules::spec::{
    ANY, CellRule, FirstMove, MOST_FIRST_STEPS, MOST_KINDS, MOST_PAWN_STEPS, Path, PawnSpec,
    PieceSpec, Step, UNLIMITED,
};

/// The most kinds of a game, the pawn included: one number of [`MOST_KINDS`] stands for none.
const MOST_PIECES: usize = MOST_KINDS - 1;
/// The most paths of a piece, and the most steps of one before they repeat.
const MOST_PATHS: usize = 48;
const MOST_STEPS: usize = 8;
/// The longest path that has a limit; none on a board of 26 files and 32 rows is longer.
const LONGEST_PATH: i64 = 32;
/// The longest name.
const LONGEST_NAME: usize = 40;

/// Reads the table of pieces: all but the pawn, the king first.
pub(super) fn read(section: &Section<'_>, colours: u8) -> Option<Vec<PieceSpec>> {
    let mut pieces = Vec::new();
    let mut royal: Vec<u8> = Vec::new();
    let mut good = true;
    for entry in section.entries {
        let item = section.item(entry);
        let letter = match *entry.key.as_bytes() {
            [letter] if letter.is_ascii_uppercase() => letter,
            _ => {
                let message = section.misplaced(&entry.key).unwrap_or_else(|| {
                    "a piece is named by its letter in position texts, one of A to Z".to_owned()
                });
                let fault = GameFault::UnknownKey;
                section.log.add(entry.at, &item.key, fault, message);
                good = false;
                continue;
            }
        };
        match piece(&item, letter, colours) {
            Some((piece, is_royal)) => {
                royal.extend(is_royal.then_some(letter));
                pieces.push(piece);
            }
            None => good = false,
        }
    }
    let fault = |fault, message: String| {
        section.log.add(section.at, "pieces", fault, message);
    };
    if !good {
        return None;
    }
    if pieces.len() >= MOST_PIECES {
        let message = format!(
            "{} kinds besides the pawn; at most {} are possible",
            pieces.len(),
            MOST_PIECES - 1
        );
        fault(GameFault::Limit, message);
        return None;
    }
    let king = match royal[..] {
        [king] => king,
        [] => b'K',
        [first, second, ..] => {
            fault(
                GameFault::Contradiction,
                format!(
                    "both '{}' and '{}' are royal; each side has one king",
                    char::from(first),
                    char::from(second)
                ),
            );
            return None;
        }
    };
    let Some(place) = pieces.iter().position(|p| p.letter == king) else {
        fault(
            GameFault::Contradiction,
            "there is no king: give a piece 'K', or say 'royal = true' of the one that is mated"
                .to_owned(),
        );
        return None;
    };
    let king = pieces.remove(place).unpromoted();
    pieces.insert(0, king);
    Some(pieces)
}

fn piece(item: &Item<'_>, letter: u8, count: u8) -> Option<(PieceSpec, bool)> {
    if let Value::Truth(false) = item.node.value {
        item.bad("there is no such piece in the base that could be left out");
        return None;
    }
    let mut section = item.section()?;
    let name = section.need("name", "what the piece is called");
    let slides = section.get("slides");
    let leaps = section.get("leaps");
    let paths = section.get("paths");
    let on = section.get("on");
    let royal = section.get("royal");
    section.finish();

    let name = name.and_then(|item| called(&item));
    let slides = slides.map_or(Some(Vec::new()), |i| directions(&i, MOST_PATHS));
    let leaps = leaps.map_or(Some(Vec::new()), |i| directions(&i, MOST_PATHS));
    let paths = paths.map_or(Some(Vec::new()), |i| crooked(&i, count));
    let on = on.map_or(Some(ANY), |i| colours(&i, count));
    let royal = royal.map_or(Some(false), |i| i.truth());
    let (name, slides, leaps, paths) = (name?, slides?, leaps?, paths?);

    let one = |step, reach| Path {
        from: ANY,
        steps: kept(vec![step]),
        reach,
    };
    let mut all: Vec<Path> = slides.iter().map(|&s| one(s, UNLIMITED)).collect();
    // A leap onto the first cell of a slide adds nothing.
    let leaps = leaps.iter().filter(|s| !slides.contains(s));
    all.extend(leaps.map(|&s| one(s, 1)));
    all.extend(paths);
    if all.is_empty() {
        item.bad("the piece cannot move: give it 'leaps', 'slides' or 'paths'");
        return None;
    }
    if all.len() > MOST_PATHS {
        let message = format!("{} paths; a piece has at most {MOST_PATHS}", all.len());
        item.fault(GameFault::Limit, message);
        return None;
    }
    let mut piece = PieceSpec::new(letter, name, kept(all));
    piece.stands_on = on?;
    Some((piece, royal?))
}

/// A name for people.
fn called(item: &Item<'_>) -> Option<&'static str> {
    let text = item.text()?;
    if !is_line(text, LONGEST_NAME) {
        item.bad(format!(
            "expected a name of 1 to {LONGEST_NAME} bytes on one line, without marks of the direction of writing"
        ));
        return None;
    }
    Some(kept_text(text))
}

/// Paths that are written out: `["e1 v2", { along = ["e2 e1"], from = [1], reach = 3 }]`.
fn crooked(item: &Item<'_>, count: u8) -> Option<Vec<Path>> {
    let mut paths = Vec::new();
    for entry in item.list("paths")? {
        if entry.text_if_any().is_some() {
            let steps = path_steps(&entry, MOST_STEPS)?;
            paths.push(path(steps, ANY, UNLIMITED));
            continue;
        }
        let Value::Table(_) = entry.node.value else {
            entry.fault(
                GameFault::WrongType,
                format!(
                    "expected the steps of a path, like \"e1 v2\", or a table like \
                     {{ along = [\"e1 v2\"], reach = 2 }}, found {}",
                    entry.node.value.kind()
                ),
            );
            return None;
        };
        let mut section = entry.section()?;
        let along = section.need("along", "a list of paths, each the text of its steps");
        let from = section.get("from");
        let reach = section.get("reach");
        section.finish();
        let from = from.map_or(Some(ANY), |i| colours(&i, count))?;
        let reach = match reach {
            Some(item) => item.number(1, LONGEST_PATH)? as u8,
            None => UNLIMITED,
        };
        for steps in along?.list("paths")? {
            paths.push(path(path_steps(&steps, MOST_STEPS)?, from, reach));
        }
    }
    Some(paths)
}

/// A path in its simplest form.
fn path(mut steps: Vec<Step>, from: u8, reach: u8) -> Path {
    if reach == 1 || steps.iter().all(|s| *s == steps[0]) {
        steps.truncate(1);
    }
    // A straight line of unlimited reach starts from every cell; one that does not is a short path that is long.
    let reach = if reach == UNLIMITED && steps.len() == 1 && from != ANY {
        LONGEST_PATH as u8
    } else {
        reach
    };
    Path {
        from,
        steps: kept(steps),
        reach,
    }
}

/// The pawn: itself as a piece, how it moves, and the letters of what it may become, with the item that says so.
pub(super) struct Pawn<'n> {
    pub piece: PieceSpec,
    pub spec: PawnSpec,
    pub promotes_to: Option<Item<'n>>,
}

/// Reads the table of the pawn.
pub(super) fn read_pawn<'n>(section: Section<'n>, board: &Board) -> Option<Pawn<'n>> {
    let mut section = section;
    let letter = section.get("letter");
    let name = section.get("name");
    let steps = section.need(
        "steps",
        "where a pawn goes without capturing, like [\"e2\"]",
    );
    let captures = section.need("captures", "where a pawn captures, like [\"e1\", \"e3\"]");
    let first = section.get("first");
    let remembers_item = section.get("remembers_first_move");
    let en_passant = section.get("en_passant");
    let blocked = section.get("blocked_by_enemy");
    let promotes_to = section.get("promotes_to");
    let promotes_on = section.get("promotes_on");
    let steps_key = section.full("steps");
    let (log, at) = (section.log, section.at);
    section.finish();

    let letter = letter.map_or(Some(b'P'), |item| match *item.text()?.as_bytes() {
        [letter] if letter.is_ascii_uppercase() => Some(letter),
        _ => {
            item.bad("expected one letter of A to Z");
            None
        }
    });
    let name = name.map_or(Some("pawn"), |item| called(&item));
    let truth = |item: Option<Item<'_>>| item.map_or(Some(false), |i| i.truth());
    let steps = steps.and_then(|i| directions(&i, MOST_PAWN_STEPS));
    let captures = captures.and_then(|i| directions(&i, MOST_PAWN_STEPS));
    let first = first.map_or(Some(Vec::new()), |i| first_moves(&i, board));
    let [remembers, en_passant, blocked] = [remembers_item.clone(), en_passant, blocked].map(truth);
    let promotes_on = match promotes_on {
        None => Some(None),
        Some(item) => cell_rule(&item, board).map(Some),
    };
    if remembers == Some(true)
        && let Some(item) = &remembers_item
        && first.iter().flatten().any(|f| !f.captures.is_empty())
    {
        item.fault(
            GameFault::Limit,
            "captures of a first move are those of every pawn on its cell: with 'captures' in 'first', pawns cannot \
             remember whether they have moved",
        );
        return None;
    }
    let steps = steps?;
    if steps.is_empty() {
        let message = "no step; a pawn that cannot step is promoted everywhere. A game without pawns \
                       still describes one, and leaves it out of the start";
        log.add(at, &steps_key, GameFault::BadValue, message);
        return None;
    }
    Some(Pawn {
        piece: PieceSpec::new(letter?, name?, &[]).unpromoted(),
        spec: PawnSpec {
            steps: kept(steps),
            captures: kept(captures?),
            first: kept(first?),
            remembers_first_move: remembers?,
            en_passant: en_passant?,
            blocked_by_enemy: blocked?,
            promotes_on: promotes_on?,
        },
        promotes_to,
    })
}

fn first_moves(item: &Item<'_>, board: &Board) -> Option<Vec<FirstMove>> {
    let mut found: Vec<FirstMove> = Vec::new();
    for entry in item.list("tables like { cells = \"b1 c2\", steps = 2 }")? {
        let mut section = entry.section()?;
        let cells_item = section.get("cells");
        let rows_item = section.get("rows");
        let steps = section.get("steps");
        let captures = section.get("captures");
        section.finish();
        let rule = match (cells_item, rows_item) {
            (Some(item), None) => cell_names(&item, board)?,
            (None, Some(item)) => CellRule::Rows(kept(rows(&item, board)?)),
            _ => {
                entry.bad("give either 'cells', like \"b1 c2\", or 'rows', like [3, 4]");
                return None;
            }
        };
        let steps = match steps {
            Some(item) => item.number(1, i64::from(MOST_FIRST_STEPS))? as u8,
            None => 1,
        };
        let captures = captures.map_or(Some(Vec::new()), |i| directions(&i, MOST_PAWN_STEPS))?;
        if steps == 1 && captures.is_empty() {
            entry.bad("adds nothing to the pawn's moves: give 'steps' of 2 or 3, or 'captures'");
            return None;
        }
        let cells = cells_of(board, &rule);
        for other in &found {
            let others = cells_of(board, &other.cells);
            if let Some(&cell) = cells.iter().find(|c| others.contains(c)) {
                let name = board.name(cell);
                entry.bad(format!(
                    "{name} is in two of the entries; put each cell in one"
                ));
                return None;
            }
        }
        found.push(FirstMove {
            cells: rule,
            steps,
            captures: kept(captures),
        });
    }
    Some(found)
}

/// Cells by name as a rule, the names as the board writes them.
fn cell_names(item: &Item<'_>, board: &Board) -> Option<CellRule> {
    let names: Vec<String> = cells(item, board)?.iter().map(|&c| board.name(c)).collect();
    Some(CellRule::Names(kept_text(&names.join(" "))))
}

/// Cells by name, or `{ rows = [13] }`.
fn cell_rule(item: &Item<'_>, board: &Board) -> Option<CellRule> {
    if let Value::Table(entries) = &item.node.value {
        if entries.iter().any(|e| e.key == "cells") {
            item.bad("cells are given as a text, without a table: promotes_on = \"c6 d6\"");
            return None;
        }
        let mut section = item.section()?;
        let numbers = section.need("rows", "the numbers of rows, like [13]");
        section.finish();
        return Some(CellRule::Rows(kept(rows(&numbers?, board)?)));
    }
    cell_names(item, board)
}

/// Marks the kinds that a pawn may become.
pub(super) fn mark_promotions(
    pieces: &mut [PieceSpec],
    promotes_to: Option<&Item<'_>>,
) -> Option<()> {
    let Some(item) = promotes_to else {
        return Some(());
    };
    let text = item.text()?;
    let good = pieces.iter().skip(2).map(|p| char::from(p.letter));
    let good: Vec<char> = good.collect();
    for (i, letter) in text.char_indices() {
        if !good.contains(&letter) || text[..i].contains(letter) {
            let known: String = good.iter().collect();
            item.bad(format!(
                "'{letter}' is no piece that a pawn could become, or is given twice; the letters are {known}"
            ));
            return None;
        }
    }
    for piece in pieces.iter_mut().skip(2) {
        piece.promotes = text.contains(char::from(piece.letter));
    }
    Some(())
}
