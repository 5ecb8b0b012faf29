//! The tables of Swiss tournaments and knockouts for the report.

use std::fmt::Write as _;

use super::drawn_text::{POINTS_OF_UNPLAYED, round_name, tie_words};
use super::fixtures::Table;
use super::options::Options;
use super::text::point_text;
use crate::plots::{escape, isolated};

/// Such a table as a part of a page, and whether it has points of games that were not played.
pub fn section(options: &Options, table: &Table, some_unplayed: bool) -> String {
    match table {
        Table::Swiss(rows) => {
            let points = match some_unplayed {
                true => POINTS_OF_UNPLAYED,
                false => "Points include those of byes",
            };
            let mut page = format!(
                "<h2>Swiss table</h2>\n<p class=\"note\">{points}; Buchholz is the sum of the opponents’ points. The standing is in the order of this table.</p>\n<div class=\"scroll\"><table>\n<tr><th>#<th class=\"name\">Engine<th>Points<th>Byes<th>Buchholz</tr>\n"
            );
            for (rank, row) in rows.iter().enumerate() {
                let _ = writeln!(
                    page,
                    "<tr><td>{}<td class=\"name\">{}<td>{}<td>{}<td>{}</tr>",
                    rank + 1,
                    escape(&options.engines[row.engine].name),
                    point_text(row.quarters as f64 / 4.0),
                    row.byes,
                    point_text(row.buchholz as f64 / 4.0),
                );
            }
            page + "</table></div>\n"
        }
        Table::Knockout(rounds, winner) => {
            let mut page = "<h2>Knockout</h2>\n".to_owned();
            if let Some(winner) = winner {
                let name = escape(&options.engines[*winner].name);
                let _ = writeln!(page, "<p><strong>Winner: {name}</strong></p>");
            }
            for (number, ties) in rounds.iter().enumerate() {
                let _ = writeln!(page, "<h3>{}</h3>\n<ul>", round_name(number, ties.len()));
                for tie in ties {
                    let words = tie_words(tie, |engine| isolated(&options.engines[engine].name));
                    let _ = writeln!(page, "<li>{words}");
                }
                page += "</ul>\n";
            }
            page
        }
    }
}
