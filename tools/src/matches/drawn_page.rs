//! The tables of Swiss tournaments and knockouts for the report.

use std::fmt::Write as _;

use super::drawn_text::{round_name, tie_words};
use super::fixtures::Table;
use super::options::Options;
use super::text::point_text;
use crate::plots::escape;

/// Such a table as a part of a page.
pub fn section(options: &Options, table: &Table) -> String {
    match table {
        Table::Swiss(rows) => {
            let mut page = "<h2>Swiss table</h2>\n<p class=\"note\">Points include those of byes; Buchholz is the sum of the opponents’ points.</p>\n<div class=\"scroll\"><table>\n<tr><th>#<th class=\"name\">Engine<th>Points<th>Byes<th>Buchholz</tr>\n".to_owned();
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
                    let _ = writeln!(page, "<li>{}", escape(&tie_words(options, tie)));
                }
                page += "</ul>\n";
            }
            page
        }
    }
}
