//! The tables of Swiss tournaments and knockouts as text.

use std::fmt::Write as _;

use super::fixtures::Table;
use super::knockout::Tie;
use super::options::Options;
use super::text::{name_width, point_text};

/// Such a table as text.
pub fn text(options: &Options, table: &Table) -> String {
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
                    "{:5} {:width$} {:>7} {:5} {:>9}",
                    rank + 1,
                    name(row.engine),
                    point_text(row.quarters as f64 / 4.0),
                    row.byes,
                    point_text(row.buchholz as f64 / 4.0),
                );
            }
        }
        Table::Knockout(rounds, winner) => {
            for (number, ties) in rounds.iter().enumerate() {
                let _ = writeln!(text, "{}:", round_name(number, ties.len()));
                for tie in ties {
                    let _ = writeln!(text, "  {}", tie_words(options, tie));
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
pub fn tie_words(options: &Options, tie: &Tie) -> String {
    let name = |engine: usize| options.engines[engine].name.as_str();
    let [Some(a), Some(b)] = tie.players else {
        let alone = tie.players[0].map_or("nobody", name);
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
    use super::super::schedule::tests::options;
    use super::*;

    /// A tie that is not decided yet is not "after" its tie-break.
    #[test]
    fn ties_in_words() {
        let options = options(2, "-tournament knockout");
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
            assert_eq!(tie_words(&options, &tie), words);
        }
    }
}
