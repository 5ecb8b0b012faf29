//! Pages that need nothing else: one HTML file with its style, its scripts and its boards.
//!
//! Boards are pictures inside of `<hexmate-board>`; where scripts may run, the element takes their place and games can
//! be stepped through.

mod viewer;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hexmate_movegen::GameId;

use crate::drawing::{geometry, sheet};
use crate::plots::{STYLE, escape};

pub use viewer::{Mark, Shown, Still, still, viewer};

/// What wrote a page, as the page says.
const MARK: &str = "<meta name=\"generator\" content=\"hexmate\">";
/// The same for the report of a match. It is written again and again, so no other page may bear this mark.
pub const REPORT_MARK: &str = "<meta name=\"generator\" content=\"hexmate match\">";

/// No page has more games on boards: browsers would not open it.
pub const MOST_GAMES: usize = 5_000;

const PAGE: &str = include_str!("page.css");
const STEPPING: &str = include_str!("viewer.js");
/// In the order in which they use each other.
const BOARD: [&str; 4] = [
    include_str!("../../board/board-style.js"),
    include_str!("../../board/board-shapes.js"),
    include_str!("../../board/board-input.js"),
    include_str!("../../board/hexmate-board.js"),
];

/// The beginning of a page.
pub fn begin(title: &str) -> String {
    begin_marked(MARK, title)
}

/// The beginning of the report of a match.
pub fn begin_report(title: &str) -> String {
    begin_marked(REPORT_MARK, title)
}

fn begin_marked(mark: &str, title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n{mark}\n<title>{}</title>\n<style>{STYLE}{PAGE}</style>\n<main>\n",
        escape(title)
    )
}

/// The end of a page with boards of these games.
pub fn end(games: &[GameId]) -> String {
    let mut page = "</main>\n".to_owned();
    let mut all = BTreeMap::new();
    for &game in games {
        if all.insert(game.name(), geometry(game)).is_none() {
            page += &sheet(game);
        }
    }
    // In a script, "</" might end it.
    let geometries = serde_json::to_string(&all).expect("texts and numbers are JSON");
    let _ = writeln!(
        page,
        "<script type=\"application/json\" id=\"hexmate-geometry\">{}</script>\n<script>{}</script>\n</html>",
        geometries.replace("</", "<\\/"),
        script()
    );
    page
}

/// The element and what steps through games, as one script: modules cannot be loaded from a file.
fn script() -> String {
    let mut all = "(() => {\n\"use strict\";\n".to_owned();
    for line in BOARD.iter().flat_map(|part| part.lines()) {
        if !line.starts_with("import ") {
            all += line.strip_prefix("export ").unwrap_or(line);
            all.push('\n');
        }
    }
    all + STEPPING + "})();\n"
}

/// A list of facts; those without a value are left out.
pub fn facts(facts: &[(&str, Option<String>)]) -> String {
    let mut list = "<dl class=\"facts\">\n".to_owned();
    for (name, value) in facts {
        if let Some(value) = value {
            let _ = writeln!(list, "<dt>{}<dd>{}", escape(name), escape(value));
        }
    }
    list + "</dl>\n"
}

/// Bars one below the other, each with its name and number.
pub fn bars(rows: &[(String, u64)]) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    let mut list = "<div class=\"bars\">\n".to_owned();
    for (name, count) in rows {
        let share = 85.0 * *count as f64 / most;
        let _ = writeln!(
            list,
            "<span>{}</span><span class=\"bar-row\"><i style=\"width:{share:.1}%\"></i>{count}</span>",
            escape(name)
        );
    }
    list + "</div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page must not ask for anything from outside, and its scripts must not end early.
    #[test]
    fn a_page_is_whole() {
        let page = begin("a < b") + &end(&[GameId::Glinski, GameId::Glinski, GameId::Chromatic4]);
        assert!(page.contains("<title>a &lt; b</title>") && page.contains(MARK));
        assert!(bars(&[("a < b".to_owned(), 1)]).contains("<span>a &lt; b</span>"));
        assert_eq!(page.matches("class=\"sheet\"").count(), 2);
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        for line in script().lines() {
            assert!(
                !line.starts_with("import ") && !line.starts_with("export "),
                "{line}"
            );
        }
        for outside in ["src=", "@import", "url(", "<link"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
