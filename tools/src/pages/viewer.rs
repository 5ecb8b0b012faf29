//! Boards on pages: a game to step through, and single positions.

use std::fmt::Write as _;

use hexmate_movegen::{AnyPosition, Cell, Move, Side, san};

use crate::drawing::{Arrow, Diagram, checked_king, diagram};
use crate::plots::escape;

/// What is said of a move in the list of moves.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    /// A class of the style: `blunder`; empty: none.
    pub class: &'static str,
    /// A sign after the move: `??`.
    pub sign: &'static str,
}

/// A game to step through.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// Its name on the page, for links; empty: none.
    pub id: &'a str,
    /// The position before the first move.
    pub first: AnyPosition,
    /// Its legal moves.
    pub moves: &'a [Move],
    /// What is said of them; the rest has no marks.
    pub marks: &'a [Mark],
    /// The best move of each position, for arrows.
    pub best: &'a [Option<Move>],
    /// How many plies have been played on the board at first.
    pub start: usize,
    /// Whether there is a picture for readers without scripts.
    pub picture: bool,
    /// What the game is called.
    pub label: &'a str,
}

/// What stands where: `e1Q f1B`.
fn placement(position: &AnyPosition) -> String {
    let board = position.board();
    let piece = |&cell: &Cell| {
        let letter = position.spec().piece_letter(position.piece_on(cell)?);
        Some(format!("{}{letter}", board.name(cell)))
    };
    let pieces: Vec<String> = board.cells().iter().filter_map(piece).collect();
    pieces.join(" ")
}

/// A move as its two cells.
fn cells(position: &AnyPosition, mv: Move) -> String {
    let board = position.board();
    board.name(mv.from) + &board.name(mv.to)
}

/// What a move changes, for the script: `e4e5=e4-e5P!g10`.
fn ply(before: &AnyPosition, mv: Move, after: &AnyPosition) -> String {
    let board = before.board();
    let mut text = cells(before, mv) + "=";
    for &cell in board.cells() {
        let now = after.piece_on(cell);
        if now != before.piece_on(cell) {
            let letter = now.map_or('-', |piece| after.spec().piece_letter(piece));
            text += &board.name(cell);
            text.push(letter);
        }
    }
    if let Some(king) = checked_king(after) {
        text.push('!');
        text += &board.name(king);
    }
    text
}

/// A game with a board and its moves in standard algebraic notation.
pub fn viewer(game: &Shown<'_>) -> String {
    let mut position = game.first;
    let (mut plies, mut list, mut best) = (Vec::new(), String::new(), Vec::new());
    let mut pictured = (position, None);
    // The board is called after the game and the move that it shows.
    let name = game.label;
    let mut label = format!("{name} at the start");
    for (i, &mv) in game.moves.iter().enumerate() {
        let white = position.side_to_move() == Side::White;
        let number = position.fullmove_number();
        let dots = if white { "." } else { "..." };
        if white || i == 0 {
            let _ = write!(list, "<span class=\"no\">{number}{dots}</span>&nbsp;");
        }
        let none = Mark::default();
        let mark = game.marks.get(i).unwrap_or(&none);
        let text = san(&position, mv) + mark.sign;
        let words = format!("{number}{dots} {text}");
        let _ = write!(
            list,
            "<span class=\"{}\" data-ply=\"{}\" data-words=\"{}\">{}</span> ",
            format!("mv {}", mark.class).trim_end(),
            i + 1,
            escape(&words),
            escape(&text)
        );
        let after = position.after(mv);
        plies.push(ply(&position, mv, &after));
        position = after;
        if i + 1 == game.start {
            pictured = (position, Some(mv));
            label = format!("{name} after {words}");
        }
    }
    for (place, wanted) in game.best.iter().enumerate() {
        let here = (place <= game.moves.len()).then_some(*wanted).flatten();
        // Cells are those of the board, whatever the position.
        best.push(here.map_or_else(|| "-".to_owned(), |mv| cells(&game.first, mv)));
    }
    let picture = match game.picture {
        false => String::new(),
        true => diagram(
            &pictured.0,
            &Diagram {
                last_move: pictured.1,
                arrows: Vec::new(),
                label,
            },
        ),
    };
    let id = match game.id {
        "" => String::new(),
        id => format!(" id=\"{}\"", escape(id)),
    };
    let best = match best.is_empty() {
        true => String::new(),
        false => format!(" data-best=\"{}\"", best.join(" ")),
    };
    let check = checked_king(&game.first).map(|king| game.first.board().name(king));
    format!(
        "<div class=\"viewer\"{id} data-name=\"{}\" data-first=\"{}\" data-check=\"{}\" data-plies=\"{}\"{best} data-start=\"{}\">\n<div><hexmate-board data-game=\"{}\">{picture}</hexmate-board>\n\
<div class=\"steps\"><button data-step=\"first\" aria-label=\"to the start\">«</button><button data-step=\"back\" aria-label=\"one move back\">‹</button><output></output><button data-step=\"on\" aria-label=\"one move on\">›</button><button data-step=\"last\" aria-label=\"to the end\">»</button></div></div>\n\
<div class=\"moves\">{}</div>\n</div>\n",
        escape(name),
        placement(&game.first),
        check.unwrap_or_default(),
        plies.join(" "),
        game.start,
        escape(game.first.game().name()),
        list.trim_end()
    )
}

/// A position with the move that was played and, perhaps, a better one.
#[derive(Clone, Debug)]
pub struct Still<'a> {
    /// The position before the move.
    pub position: AnyPosition,
    /// The move that led to it.
    pub last_move: Option<Move>,
    /// The move that was played.
    pub played: Move,
    /// A better one.
    pub better: Option<Move>,
    /// What the picture is called.
    pub label: &'a str,
}

/// The colours of arrows in pictures, as the style has them for the element.
const PLAYED: &str = "#c2410c";
const BETTER: &str = "#1d7a3c";

/// A number that grows with the distance of two cells on the board.
fn length(position: &AnyPosition, mv: Move) -> i32 {
    let board = position.board();
    let (from, to) = (board.at(mv.from), board.at(mv.to));
    let (a, y) = (i32::from(to.0 - from.0), i32::from(to.1 - from.1));
    a * a - a * y + y * y
}

/// Such a position.
pub fn still(shown: &Still<'_>) -> String {
    let position = &shown.position;
    let mut moves = vec![(shown.played, PLAYED, "played", "played")];
    moves.extend(shown.better.map(|mv| (mv, BETTER, "better", "best")));
    // The shorter one last: it lies on top where both go the same way.
    moves.sort_by_key(|(mv, ..)| std::cmp::Reverse(length(position, *mv)));
    let arrows = moves.iter().map(|&(mv, colour, what, _)| Arrow {
        mv,
        colour,
        title: format!("{what}: {}", san(position, mv)),
    });
    let arrows: Vec<Arrow> = arrows.collect();
    let words = moves
        .iter()
        .map(|(mv, _, _, kind)| format!("{}:{kind}", cells(position, *mv)));
    let words: Vec<String> = words.collect();
    let last = shown.last_move.map(|mv| cells(position, mv));
    let check = checked_king(position).map(|king| position.board().name(king));
    format!(
        "<hexmate-board class=\"still\" data-game=\"{}\" data-pieces=\"{}\" data-last=\"{}\" data-check=\"{}\" data-arrows=\"{}\">{}</hexmate-board>\n",
        escape(position.game().name()),
        placement(position),
        last.unwrap_or_default(),
        check.unwrap_or_default(),
        words.join(" "),
        diagram(
            position,
            &Diagram {
                last_move: shown.last_move,
                arrows,
                label: shown.label.to_owned(),
            }
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::GameId;

    /// Two arrows on one line: the shorter one is drawn last, and can be seen.
    #[test]
    fn the_shorter_arrow_lies_on_top() {
        let position = AnyPosition::start(GameId::Glinski);
        let mv = |text: &str| position.parse_move(text).unwrap();
        for (played, better) in [("g4g5", "g4g6"), ("g4g6", "g4g5")] {
            let page = still(&Still {
                position,
                last_move: None,
                played: mv(played),
                better: Some(mv(better)),
                label: "",
            });
            let order = page.split("data-arrows=\"").nth(1).unwrap();
            let order = order.split('"').next().unwrap();
            let kind = |cells| if cells == played { "played" } else { "best" };
            let expected = format!("g4g6:{} g4g5:{}", kind("g4g6"), kind("g4g5"));
            assert_eq!(order, expected);
        }
    }

    /// The changes of all plies, made one after the other, give the last position.
    #[test]
    fn changes_lead_to_the_end() {
        for &game in GameId::shipped() {
            let first = AnyPosition::start(game);
            let mut random = crate::random::SplitMix64::new(5);
            let (mut position, mut moves) = (first, Vec::new());
            while moves.len() < 60 && !position.legal_moves().is_empty() {
                let legal = position.legal_moves();
                let mv = legal[random.below(legal.len())];
                moves.push(mv);
                position = position.after(mv);
            }
            let page = viewer(&Shown {
                id: "x",
                first,
                moves: &moves,
                marks: &[],
                best: &[],
                start: moves.len(),
                picture: true,
                label: "a game",
            });
            let value = |name: &str| {
                let rest = page.split(&format!("{name}=\"")).nth(1).unwrap();
                rest.split('"').next().unwrap().to_owned()
            };
            let split = |text: &str| {
                let mut all = Vec::new();
                let mut cell = String::new();
                for c in text.chars() {
                    // A cell ends with a digit, and a piece is one more character.
                    if cell.ends_with(|d: char| d.is_ascii_digit()) && !c.is_ascii_digit() {
                        all.push((std::mem::take(&mut cell), c));
                    } else {
                        cell.push(c);
                    }
                }
                all
            };
            let mut pieces = std::collections::BTreeMap::new();
            for word in value("data-first").split(' ') {
                pieces.extend(split(word));
            }
            for ply in value("data-plies").split(' ') {
                let (_, changes) = ply.split_once('=').unwrap();
                for (cell, letter) in split(changes.split('!').next().unwrap()) {
                    if letter == '-' {
                        pieces.remove(&cell);
                    } else {
                        pieces.insert(cell, letter);
                    }
                }
            }
            let now: std::collections::BTreeMap<_, _> =
                placement(&position).split(' ').flat_map(split).collect();
            assert_eq!(pieces, now, "{game}");
            assert_eq!(page.matches("data-ply=").count(), moves.len());
        }
    }
}
