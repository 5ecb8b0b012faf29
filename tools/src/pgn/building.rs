//! A game while it is read.

use super::words::{is_move_like, without_number};
use super::{PgnError, ReadGame, ReadLine, numbers, result_of};

/// A game on the way.
#[derive(Debug)]
pub struct Building {
    pub game: ReadGame,
    /// The open lines: that of the game, and variations within variations, with the places where they begin.
    pub open: Vec<(ReadLine, usize, usize)>,
    /// Whether anything but comments came after the tags.
    pub begun: bool,
    /// A result within a variation: that of the variation, if this is closed next, else that of the game.
    pub pending: Option<&'static str>,
    pub result: Option<&'static str>,
    /// The results in its heading. A single one is that of the game, if no other place has it.
    pub headed: Vec<&'static str>,
    pub moves: usize,
    pub comments: usize,
}

impl Building {
    /// Nothing yet of a game that begins on this line.
    pub fn at(line: usize) -> Building {
        Building {
            game: ReadGame {
                line,
                ..ReadGame::default()
            },
            open: vec![(ReadLine::default(), line, 1)],
            begun: false,
            pending: None,
            result: None,
            headed: Vec::new(),
            moves: 0,
            comments: 0,
        }
    }

    /// Closes a variation; whether there was one.
    pub fn close(&mut self) -> bool {
        if self.open.len() > 1
            && let Some((line, ..)) = self.open.pop()
            && let Some((outer, ..)) = self.open.last_mut()
            && let Some(mv) = outer.moves.last_mut()
        {
            mv.variations.push(line);
            return true;
        }
        false
    }

    /// The game as far as it was read, and its result; `None` for a result or a comment between games.
    pub fn ended(mut self, is_list: bool) -> Option<ReadGame> {
        if let [_, .., (_, line, column)] = self.open[..]
            && self.game.fault.is_none()
        {
            let problem = "the variation that begins here has no end; expected )";
            self.game.fault = Some(fault(line, Some(column), problem));
        }
        while self.open.len() > 1 {
            self.close();
        }
        let mut game = self.game;
        game.main = self.open.pop().map(|(line, ..)| line).unwrap_or_default();
        if game.tags.is_empty() && game.main.moves.is_empty() && game.fault.is_none() {
            return None;
        }
        if game.main.moves.is_empty() && game.fault.is_none() && are_names_moves(&game) {
            let problem = "the moves of each side stand as the name of its player; expected them in turn, \
                           like '1. e5 e6 2. d5 d6'";
            game.fault = Some(fault(game.line, None, problem));
        }
        numbers::check(&mut game, is_list);
        let tag = game.tag("Result").and_then(result_of);
        let result = self.result.or(self.pending).or(tag);
        let headed = match self.headed[..] {
            [only] => Some(only),
            _ => None,
        };
        game.result = result.or(headed).unwrap_or("*");
        let told = game
            .tag("Result")
            .filter(|told| told.contains(char::is_alphanumeric));
        if let Some(told) = told.filter(|_| result.is_none()) {
            let problem = format!(
                "the tag Result says '{told}', which is no result; expected one like 1-0 or 1/2-1/2"
            );
            let slip = fault(game.line, None, &problem);
            game.slips.push(slip);
        }
        Some(game)
    }
}

/// Whether the names of the players are nothing but moves: `White: e5, Nc3`. One that looks like a move may be a name.
fn are_names_moves(game: &ReadGame) -> bool {
    let names = ["White", "Black"]
        .into_iter()
        .filter_map(|tag| game.tag(tag));
    let words = names.flat_map(|name| name.split([' ', ',', ';', '\t']));
    let words: Vec<&str> = words
        .filter(|word| !without_number(word).1.is_empty())
        .collect();
    words.len() > 1 && words.iter().all(|word| is_move_like(word))
}

/// What is wrong at this place.
pub fn fault(line: usize, column: Option<usize>, problem: &str) -> PgnError {
    PgnError {
        line,
        column,
        ply: None,
        problem: problem.to_owned(),
    }
}
