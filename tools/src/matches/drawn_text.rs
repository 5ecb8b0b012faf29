//! The tables of Swiss tournaments and knockouts as text.

use std::fmt::Write as _;

use super::fixtures::Table;
use super::knockout::Tie;
use super::options::Options;
use super::text::{name_width, point_text};
use crate::terminal::padded;

/// What a Swiss table says if an engine was out: points that the standing does not have.
pub const POINTS_OF_UNPLAYED: &str = "Points include those of byes, and of games that were not played \
     because an engine was out: its opponent has won them";

/// Such a table as text, and whether it has points of games that were not played.
pub fn text(options: &Options, table: &Table, some_unplayed: bool) -> String {
    let name = |engine: usize| options.engines[engine].name.as_str();
    let mut text = String::new();
    match table {
        Table::Swiss(rows) => {
            let width = name_width(options);
            let _ = writeln!(
                text,
                "Swiss {:width$} {:>7} {:>5} {:>9}",
                "Name", "Points", "Byes", "Buchholz"
            );
            for (rank, row) in rows.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "{:5} {} {:>7} {:5} {:>9}",
                    rank + 1,
                    padded(name(row.engine), width),
                    point_text(row.quarters as f64 / 4.0),
                    row.byes,
                    point_text(row.buchholz as f64 / 4.0),
                );
            }
            if some_unplayed {
                let _ = writeln!(text, "{POINTS_OF_UNPLAYED}");
            }
        }
        Table::Knockout(rounds, winner) => {
            for (number, ties) in rounds.iter().enumerate() {
                let _ = writeln!(text, "{}:", round_name(number, ties.len()));
                for tie in ties {
                    let words = tie_words(tie, |engine| name(engine).to_owned());
                    let _ = writeln!(text, "  {words}");
                }
            }
            if let Some(winner) = winner {
                let _ = writeln!(text, "Winner: {}", name(*winner));
            }
        }
    }
    text
}

/// What a round with so many ties is called.
pub fn round_name(number: usize, ties: usize) -> String {
    match ties {
        1 => "Final".to_owned(),
        2 => "Semifinals".to_owned(),
        4 => "Quarterfinals".to_owned(),
        _ => format!("Round {}", number + 1),
    }
}

/// A tie in words: `a 2.5 : 1.5 b, a wins`.
pub fn tie_words(tie: &Tie, name: impl Fn(usize) -> String) -> String {
    let [Some(a), Some(b)] = tie.players else {
        let alone = tie.players[0].map_or_else(|| "nobody".to_owned(), name);
        return format!("{alone} has a bye");
    };
    let [first, second] = tie.quarters.map(|q| point_text(q as f64 / 4.0));
    let mut text = format!("{} {first} : {second} {}", name(a), name(b));
    match (tie.tie_breaks, tie.winner) {
        (0, _) => {}
        (n, None) => {
            let _ = write!(text, ", in tie-break {n}");
        }
        (1, Some(_)) => text += " after a tie-break",
        (n, Some(_)) => {
            let _ = write!(text, " after {n} tie-breaks");
        }
    }
    if let Some(winner) = tie.winner {
        let _ = write!(text, ", {} wins", name(winner));
    }
    if tie.by_seed {
        text += " as the better seed";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tie that is not decided yet is not "after" its tie-break.
    #[test]
    fn ties_in_words() {
        for (tie_breaks, winner, words) in [
            (0, None, "e0 1.0 : 1.0 e1"),
            (1, None, "e0 1.0 : 1.0 e1, in tie-break 1"),
            (1, Some(1), "e0 1.0 : 1.0 e1 after a tie-break, e1 wins"),
            (3, Some(0), "e0 1.0 : 1.0 e1 after 3 tie-breaks, e0 wins"),
        ] {
            let tie = Tie {
                players: [Some(0), Some(1)],
                quarters: [4, 4],
                tie_breaks,
                winner,
                by_seed: false,
            };
            assert_eq!(tie_words(&tie, |engine| format!("e{engine}")), words);
        }
    }
}
