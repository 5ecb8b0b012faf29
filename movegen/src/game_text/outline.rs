//! The table `board`: outline, names, colours, and how Black sees it.

use super::check::Places;
use super::error::GameFault;
use super::geometry::counterpart;
use super::tree::{Item, Section};
use crate::board::Board;
use crate::rules::spec::{BoardSpec, Colouring, EDGES, Mirror, Naming, Shape};
use crate::sets::Cell;

/// The most cells of a board.
pub(super) const MOST_CELLS: usize = 256;
/// The most rows, and one more than the most files: there are 26 letters.
const MOST_ROWS: usize = 32;
/// The longest side of a regular hexagon: 217 cells.
const LONGEST_SIDE: i64 = 9;
/// The most colours.
pub(super) const MOST_COLOURS: u8 = 8;
/// The constants of the map to the other side.
const FARTHEST: i64 = 64;

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

/// The other side's view of the board.
pub(super) struct OtherSide {
    /// The map, without the pieces that it exchanges.
    pub mirror: Mirror,
    /// The pairs of letters to exchange, to be read when the pieces are known.
    pub exchanges: Vec<(u8, u8)>,
}

/// Reads the table.
pub(super) fn read(section: Section<'_>) -> Option<(BoardSpec, OtherSide)> {
    let mut section = section;
    let hexagon = section.get("hexagon");
    let rows = section.get("rows");
    let files = section.get("files");
    let numbers = section.get("numbers");
    let upright = section.get("upright");
    let colours = section.get("colours");
    let other_side = section.get("other_side");

    let by_files = match &numbers {
        Some(item) => choice(item, &[("files", true), ("rows", false)]),
        None => Some(rows.is_none()),
    };
    let upright_files = match &upright {
        Some(item) => choice(item, &[("files", true), ("rows", false)]),
        None => Some(true),
    };
    let letters = match &files {
        Some(item) => letters(item),
        None => Some(ALPHABET),
    };
    let colouring = match &colours {
        Some(item) => colouring(item),
        None => Some(Colouring {
            count: 3,
            factor: 1,
        }),
    };
    let shape = match (&hexagon, &rows) {
        (Some(item), None) => item
            .number(2, LONGEST_SIDE)
            .map(|n| Shape::Hexagon(n as u8)),
        (None, Some(item)) => letters.and_then(|l| rows_shape(item, l, by_files?)),
        (Some(_), Some(item)) => {
            item.bad(
                "a board is either a hexagon or a list of rows; leave one of the two keys out",
            );
            None
        }
        (None, None) => {
            section.log.add(
                section.at,
                &section.full("hexagon"),
                GameFault::MissingKey,
                "is missing: the length of a side of a regular hexagon, like 6; or give 'rows'",
            );
            None
        }
    };
    let (log, at, files_key) = (section.log, section.at, section.full("files"));
    section.finish();

    let (shape, by_files, letters) = (shape?, by_files?, letters?);
    let mut spec = BoardSpec {
        shape,
        naming: Naming::Rows(letters),
        colouring: colouring?,
        upright_files: upright_files?,
    };
    let (width, _) = spec.extent();
    let letters = if files.is_none() && width <= letters.len() {
        &letters[..width]
    } else {
        letters
    };
    if letters.len() != width {
        let at = files.map_or(at, |item| item.node.at);
        let message = format!(
            "{} letters, but the board has {width} files; give one letter for each, from left to right",
            letters.len()
        );
        log.add(at, &files_key, GameFault::BadValue, message);
        return None;
    }
    spec.naming = if by_files {
        Naming::Files(letters)
    } else {
        Naming::Rows(letters)
    };
    let mirror = match &other_side {
        Some(item) => other_side_of(item, &spec),
        None => Some(OtherSide {
            mirror: reflection(&spec),
            exchanges: Vec::new(),
        }),
    };
    Some((spec, mirror?))
}

/// One of several words.
pub(super) fn choice<T: Copy>(item: &Item<'_>, words: &[(&str, T)]) -> Option<T> {
    let text = item.text()?;
    let found = words.iter().find(|(word, _)| *word == text);
    if found.is_none() {
        let known: Vec<String> = words.iter().map(|(w, _)| format!("'{w}'")).collect();
        item.bad(format!(
            "'{text}' is not known here; write {}",
            known.join(" or ")
        ));
    }
    found.map(|(_, value)| *value)
}

fn letters(item: &Item<'_>) -> Option<&'static str> {
    let text = item.text()?;
    let good = |(i, l): (usize, u8)| l.is_ascii_lowercase() && !text.as_bytes()[..i].contains(&l);
    if text.is_empty() || !text.bytes().enumerate().all(good) {
        item.bad(
            "expected the letters of the files, from left to right, each of a to z and none twice",
        );
        return None;
    }
    Some(super::kept_text(text))
}

fn colouring(item: &Item<'_>) -> Option<Colouring> {
    let mut section = item.section()?;
    let count = section.need("count", "the number of colours");
    let factor = section.get("factor");
    section.finish();
    let count = count?.number(1, i64::from(MOST_COLOURS))?;
    let factor = match factor {
        Some(item) => item.number(0, count - 1)?,
        None => 1 % count,
    };
    Some(Colouring {
        count: count as u8,
        factor: factor as u8,
    })
}

/// Rows from White's edge, each by its first and last file: `a-e`, or `a1-e1` where rows are numbered.
fn rows_shape(item: &Item<'_>, letters: &str, by_files: bool) -> Option<Shape> {
    let items = item.list("rows")?;
    if items.is_empty() || items.len() > MOST_ROWS {
        let message = format!("{} rows; a board has from 1 to {MOST_ROWS}", items.len());
        item.fault(GameFault::Limit, message);
        return None;
    }
    let mut rows: Vec<(u8, u8)> = Vec::new();
    for (y, row) in items.iter().enumerate() {
        let text = row.text()?;
        let end = |end: &str| {
            let letter = end.chars().next()?;
            let number = &end[letter.len_utf8()..];
            let expected = (y + 1).to_string();
            let good = number.is_empty() || (!by_files && number == expected);
            good.then(|| letters.find(letter)).flatten()
        };
        let ends = text
            .split_once('-')
            .and_then(|(first, last)| Some((end(first)?, end(last)?)));
        let Some((first, last)) = ends.filter(|(first, last)| first <= last) else {
            let (l, r) = (&letters[..1], &letters[letters.len() - 1..]);
            let number = if by_files {
                String::new()
            } else {
                (y + 1).to_string()
            };
            row.bad(format!(
                "'{text}' is no row; write its first and last cell, like '{l}{number}-{r}{number}' \
                 (row {} from White's edge, files {letters})",
                y + 1
            ));
            return None;
        };
        rows.push((first as u8, (last - first + 1) as u8));
    }
    let cells: usize = rows.iter().map(|r| usize::from(r.1)).sum();
    if cells > MOST_CELLS {
        let message = format!("{cells} cells; a board has at most {MOST_CELLS}");
        item.fault(GameFault::Limit, message);
        return None;
    }
    let width = rows.iter().map(|r| r.0 + r.1).max().unwrap_or(0);
    let empty = (0..width).find(|a| !rows.iter().any(|r| (r.0..r.0 + r.1).contains(a)));
    if let Some(a) = empty {
        let letter = &letters[usize::from(a)..=usize::from(a)];
        item.bad(format!(
            "no row has a cell on the file '{letter}'; leave the letter out"
        ));
        return None;
    }
    Some(Shape::Rows(super::kept(rows)))
}

/// How Black sees the board: a word, or a table with `by` and `exchanges`.
fn other_side_of(item: &Item<'_>, spec: &BoardSpec) -> Option<OtherSide> {
    if item.node.value.kind() != "a table" {
        return Some(OtherSide {
            mirror: by_name(item, spec)?,
            exchanges: Vec::new(),
        });
    }
    let mut section = item.section()?;
    let by = section.get("by");
    let a = section.get("a");
    let y = section.get("y");
    let exchanges = section.get("exchanges");
    section.finish();
    let mirror = match (by, a, y) {
        (Some(by), None, None) => by_name(&by, spec)?,
        (None, Some(a), Some(y)) => Mirror {
            a: coefficients(&a)?,
            y: coefficients(&y)?,
            exchanges: &[],
        },
        (None, None, None) => reflection(spec),
        _ => {
            item.bad(
                "give either 'by' (\"reflection\" or \"half turn\") or both 'a' and 'y', three numbers each",
            );
            return None;
        }
    };
    let edge = |(da, dy): (i8, i8)| {
        let turned = |m: (i8, i8, i8)| m.0 * da + m.1 * dy;
        (turned(mirror.a), turned(mirror.y))
    };
    if !EDGES.iter().all(|&e| EDGES.contains(&edge(e))) {
        item.bad("the map does not lead neighbouring cells to neighbouring cells");
        return None;
    }
    let mut pairs: Vec<(u8, u8)> = Vec::new();
    if let Some(exchanges) = exchanges {
        for pair in exchanges.list("pairs of letters")? {
            let text = pair.text()?;
            let known = |l| pairs.iter().any(|p| p.0 == l || p.1 == l);
            match *text.as_bytes() {
                [x, y]
                    if x != y
                        && x.is_ascii_uppercase()
                        && y.is_ascii_uppercase()
                        && !known(x)
                        && !known(y) =>
                {
                    pairs.push((x, y));
                }
                _ => {
                    pair.bad(format!(
                        "'{text}' is no pair of letters of pieces that stand in no other pair, like 'SV'"
                    ));
                    return None;
                }
            }
        }
    }
    Some(OtherSide {
        mirror,
        exchanges: pairs,
    })
}

fn by_name(item: &Item<'_>, spec: &BoardSpec) -> Option<Mirror> {
    let half = choice(item, &[("reflection", false), ("half turn", true)])?;
    Some(if half {
        half_turn(spec)
    } else {
        reflection(spec)
    })
}

fn coefficients(item: &Item<'_>) -> Option<(i8, i8, i8)> {
    let items = item.list("three numbers")?;
    let [first, second, constant] = &items[..] else {
        item.bad("expected three numbers: [1, -1, 6] stands for a - y + 6");
        return None;
    };
    Some((
        first.number(-1, 1)? as i8,
        second.number(-1, 1)? as i8,
        constant.number(-FARTHEST, FARTHEST)? as i8,
    ))
}

/// The middle of the board becomes itself, everything else its opposite.
fn half_turn(spec: &BoardSpec) -> Mirror {
    let (width, height) = spec.extent();
    Mirror {
        a: (-1, 0, width as i8 - 1),
        y: (0, -1, height as i8 - 1),
        exchanges: &[],
    }
}

/// The picture upside down, left remaining left: each file with files upright, else row by row.
fn reflection(spec: &BoardSpec) -> Mirror {
    let (_, height) = spec.extent();
    let height = height as i8;
    if spec.upright_files {
        let mut file = (0..height).filter(|&y| spec.has(0, y));
        let low = file.next().unwrap_or(0);
        let high = file.next_back().unwrap_or(low);
        Mirror {
            a: (1, 0, 0),
            y: (1, -1, low + high),
            exchanges: &[],
        }
    } else {
        let first = |y: i8| (0..i8::MAX).find(|&a| spec.has(a, y)).unwrap_or(0);
        Mirror {
            // (first(0), 0) becomes (first(top), top).
            a: (1, -1, first(height - 1) - first(0)),
            y: (0, -1, height - 1),
            exchanges: &[],
        }
    }
}

/// Notes a cell that the map to the other side does not lead to a cell, or from which it does not lead back.
pub(super) fn check_map(board: &Board, mirror: &Mirror, places: &Places<'_>) -> Option<()> {
    let image = |cell: Cell| counterpart(board, mirror, cell);
    let lost = |c: &&Cell| image(**c).and_then(image) != Some(**c);
    let Some(&cell) = board.cells().iter().find(lost) else {
        return Some(());
    };
    let what = match image(cell) {
        Some(_) => "does not lead back to",
        None => "leads off the board from",
    };
    places.contradiction(
        &["board", "other_side"],
        format!(
            "the map to Black's side {what} {}; choose \"reflection\", \"half turn\" or numbers that fit, or \
             change the outline",
            board.name(cell)
        ),
    );
    None
}
