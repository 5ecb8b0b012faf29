//! `-openings`.

use super::{DialectError, Group, number, refuse};
use crate::matches::options::{BookFormat, OpeningOptions};
use crate::unpack::name_unpacked;

/// The format of a book by its extension, if none is given.
pub(super) fn format_of(path: &str) -> Result<BookFormat, DialectError> {
    match name_unpacked(path)
        .rsplit_once('.')
        .map(|(_, ending)| ending)
    {
        Some("epd" | "fen") => Ok(BookFormat::Epd),
        Some("txt") => Ok(BookFormat::Txt),
        Some("pgn") => Ok(BookFormat::Pgn),
        _ => refuse(format!(
            "-openings: '{path}': expected format=epd, txt or pgn"
        )),
    }
}

pub(super) fn openings(group: &Group) -> Result<OpeningOptions, DialectError> {
    // Random lines have no format, no order, and no first one.
    let of_book = ["format", "order", "start"];
    let mut openings = OpeningOptions::default();
    let (mut file, mut format) = (None, None);
    for (key, value) in group.pairs()? {
        let whose = format!("-openings {key}");
        match key {
            "file" => file = Some(value),
            "format" => {
                format = Some(match value {
                    "epd" => BookFormat::Epd,
                    "txt" => BookFormat::Txt,
                    "pgn" => BookFormat::Pgn,
                    _ => return refuse(format!("{whose}: '{value}': expected epd, txt or pgn")),
                });
            }
            "order" => {
                openings.random_order = match value {
                    "random" => true,
                    "sequential" => false,
                    _ => {
                        return refuse(format!(
                            "{whose}: '{value}': expected random or sequential"
                        ));
                    }
                };
            }
            "plies" => openings.plies = Some(number(&whose, value, 0..=usize::MAX)?),
            "start" => openings.start = number(&whose, value, 1..=usize::MAX)?,
            "balance" => openings.balance = number(&whose, value, 1..=i32::MAX)?,
            _ => return group.unknown(key, "file format order plies start balance"),
        }
    }
    if let Some(path) = file {
        let format = match format {
            Some(format) => format,
            None => format_of(path)?,
        };
        let given = |key| {
            group
                .pairs()
                .is_ok_and(|all| all.iter().any(|(k, _)| *k == key))
        };
        if given("balance") {
            return refuse(
                "-openings balance=: is for random lines; expected no file=, or no balance=",
            );
        }
        if openings.plies.is_some() && format == BookFormat::Epd {
            return refuse(
                "-openings plies=: a book of positions has no plies; expected a book of moves (txt, pgn), or no plies=",
            );
        }
        openings.file = Some((path.into(), format));
    } else if let Some((key, _)) = group.pairs()?.iter().find(|(key, _)| of_book.contains(key)) {
        return refuse(format!(
            "-openings {key}=: is for a book; expected file=NAME, too (other random lines come with another -srand)"
        ));
    }
    Ok(openings)
}
