//! Whether the numbers before moves agree with the moves.
//!
//! Dots tell Black's moves: that is seen where the moves are made, as `1...e6` is read for Black only. Here the numbers
//! of a line are compared with each other, since what is missing between two of them would be read wrongly without
//! anyone being told.

use super::words::{glyph, is_no_move, without_number};
use super::{PgnError, ReadGame, ReadLine, ReadMove, write};

/// A number before a move: `12.`, `12`, `12...`, `...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MoveNumber {
    /// The number itself, if it is there.
    pub value: Option<usize>,
    /// How many dots follow; two or more stand before a move of Black's.
    pub dots: usize,
}

impl MoveNumber {
    /// The number at the beginning of a word; `before` is what stands before the move itself.
    pub fn of(before: &str) -> Option<MoveNumber> {
        let rest = before.trim_start_matches(|c: char| c.is_ascii_digit());
        let dots = |c| if c == '…' { 3 } else { 1 };
        (!before.is_empty()).then(|| MoveNumber {
            value: before[..before.len() - rest.len()].parse().ok(),
            dots: rest.chars().map(dots).sum(),
        })
    }

    /// Several words make a number where the later ones are dots: `1 ... e6`.
    pub fn followed_by(earlier: Option<MoveNumber>, later: MoveNumber) -> MoveNumber {
        match (earlier, later.value) {
            (Some(earlier), None) => MoveNumber {
                value: earlier.value,
                dots: earlier.dots + later.dots,
            },
            _ => later,
        }
    }

    /// As the text of a move begins where it is Black's, else nothing.
    pub fn of_black(self) -> String {
        match self.is_blacks() {
            true => {
                self.value
                    .map_or_else(String::new, |value| value.to_string())
                    + "..."
            }
            false => String::new(),
        }
    }

    /// Whether it stands before a move of Black's.
    pub fn is_blacks(self) -> bool {
        self.dots > 1
    }
}

/// Ends the game, or a variation, before a move whose number says that a move is missing. Variations whose number is
/// White's come to stand where White moves.
pub fn check(game: &mut ReadGame, is_list: bool) {
    let first = match game.tag("FEN") {
        Some(fen) => Some(write::first_number(fen).1),
        // What a list begins with is known elsewhere.
        None => (!is_list).then_some(false),
    };
    let mut main = std::mem::take(&mut game.main);
    let counting = Counting::of(&main, first);
    if let Some(fault) = counting.line(&mut main, 0, &mut game.slips) {
        game.fault = Some(fault);
    }
    game.main = main;
}

/// How the moves of a line are numbered.
#[derive(Clone, Copy)]
struct Counting {
    /// Whether a number and one dot stand before the odd plies of the line, from 0, and not before the even ones.
    odd: bool,
    /// Whether each ply has its own.
    by_plies: bool,
    /// What the number is greater by than the pairs of plies before it.
    ahead: Option<i64>,
}

impl Counting {
    /// How a line is numbered; `black_first` if it is known who moves first.
    fn of(line: &ReadLine, black_first: Option<bool>) -> Counting {
        let numbers = || {
            line.moves
                .iter()
                .enumerate()
                .filter_map(|(i, mv)| Some((i, mv.number?)))
        };
        // Where Black moves first, some count pairs from that move.
        let plain = numbers().find(|(i, number)| *i > 0 && !number.is_blacks());
        let odd = match black_first {
            Some(false) => false,
            Some(true) => plain.is_none_or(|(i, _)| i % 2 == 1),
            None => numbers()
                .next()
                .is_some_and(|(i, number)| (i % 2 == 1) != number.is_blacks()),
        };
        let values = line.moves.iter().map(|mv| {
            let number = mv.number.filter(|number| !number.is_blacks())?;
            number.value
        });
        let values: Vec<Option<usize>> = values.collect();
        let goes_up = |pair: &[Option<usize>]| match pair {
            [Some(a), Some(b)] => a.checked_add(1) == Some(*b),
            _ => false,
        };
        Counting {
            odd,
            by_plies: values.len() > 1 && values.windows(2).all(goes_up),
            ahead: None,
        }
    }

    fn pair(&self, ply: usize) -> i64 {
        (ply as i64 + i64::from(self.odd)) / 2
    }

    /// How far a number is ahead of the pairs of plies.
    fn ahead(&self, ply: usize, mv: &ReadMove) -> Option<i64> {
        let value = i64::try_from(mv.number?.value?).ok()?;
        Some(value.saturating_sub(self.pair(ply)))
    }

    /// Checks a line that begins after so many plies, and its variations; gives what ends it.
    fn line(
        mut self,
        line: &mut ReadLine,
        plies: usize,
        slips: &mut Vec<PgnError>,
    ) -> Option<PgnError> {
        let mut fault = None;
        for i in 0..line.moves.len() {
            if let Some(problem) = self.problem(&line.moves, i) {
                fault = Some(line.moves[i].told(plies + i + 1, problem));
                line.moves.truncate(i);
                break;
            }
            self.variations(line, i, plies, slips);
        }
        fault
    }

    /// What the number of a move says against those before it.
    fn problem(&mut self, moves: &[ReadMove], i: usize) -> Option<String> {
        let text = without_number(&moves[i].text).1;
        if text.starts_with('$') && glyph(text).is_none() {
            return Some(format!(
                "'{text}' is no glyph: expected a number from 0 to 255 right behind the $"
            ));
        }
        let number = moves[i].number?;
        match text {
            "" => {
                let problem = "a move seems to be missing: the cell behind the number is empty; expected White's move";
                return Some(problem.to_owned());
            }
            sign if is_no_move(sign) => {
                return Some(format!(
                    "a move seems to be missing: '{sign}' stands where it should be; expected the move before the sign"
                ));
            }
            _ => {}
        }
        let (value, ahead) = (number.value?, self.ahead(i, &moves[i])?);
        if self.by_plies {
            return None;
        }
        let is_whites_turn = (i % 2 == 1) == self.odd;
        if is_whites_turn && number.is_blacks() {
            // Told where the move is made.
            return None;
        }
        if !is_whites_turn && !number.is_blacks() {
            // The number of the pair may be there twice; the first move may be Black's.
            let begins = i == 0 || self.ahead.is_none_or(|before| before == ahead);
            let anew = value == 1 && i > 1;
            return (!begins).then(|| match anew {
                true => "'1.' is White's number, but Black is to move: the numbers begin anew; expected Black's move, \
                         or a new line where another game begins"
                    .to_owned(),
                false => format!(
                    "'{value}.' is White's number, but Black is to move: a move seems to be missing before this one; \
                     expected it, or a number with three dots ('{value}...')"
                ),
            });
        }
        let before = *self.ahead.get_or_insert(ahead);
        if ahead == before {
            return None;
        }
        // A slip, if the next number goes on as before.
        let next = (i + 1..moves.len()).find_map(|j| self.ahead(j, &moves[j]));
        if next == Some(before) {
            return None;
        }
        if ahead < before {
            self.ahead = Some(ahead);
            return None;
        }
        let expected = before.saturating_add(self.pair(i));
        Some(format!(
            "a move seems to be missing before this one: its number is {value}; expected {expected}"
        ))
    }

    /// Checks the variations of a move, and puts those of White's to White's move before.
    fn variations(&self, line: &mut ReadLine, i: usize, plies: usize, slips: &mut Vec<PgnError>) {
        let is_blacks = (i % 2 == 1) != self.odd;
        let own = line.moves[i]
            .number
            .filter(|number| !number.is_blacks())
            .and_then(|number| number.value);
        let number = self.ahead.unwrap_or(1).saturating_add(self.pair(i));
        let mut earlier = Vec::new();
        let mut kept = Vec::new();
        for mut variation in std::mem::take(&mut line.moves[i].variations) {
            let first = variation.moves.first();
            let first = first
                .and_then(|mv| mv.number)
                .filter(|number| !number.is_blacks());
            let whites = first.and_then(|number| number.value);
            let is_whites = is_blacks && !self.by_plies && whites.is_some() && whites != own;
            let moves_to =
                is_whites && i > 0 && whites.and_then(|n| i64::try_from(n).ok()) == Some(number);
            if is_whites && !moves_to {
                let problem = "its number is White's, but the variation stands behind a move of Black's; expected \
                     three dots after the number, or the variation behind White's move";
                slips.push(variation.moves[0].told(plies + i + 1, problem.to_owned()));
                continue;
            }
            let at = i - usize::from(moves_to);
            let counting = Counting::of(&variation, Some(is_blacks && !moves_to));
            let fault = counting.line(&mut variation, plies + at, slips);
            slips.extend(fault);
            match moves_to {
                true => earlier.push(variation),
                false => kept.push(variation),
            }
        }
        line.moves[i].variations = kept;
        if i > 0 {
            line.moves[i - 1].variations.extend(earlier);
        }
    }
}

impl ReadMove {
    fn told(&self, ply: usize, problem: String) -> PgnError {
        PgnError {
            line: self.line,
            column: Some(self.column),
            ply: Some(ply),
            problem,
        }
    }
}
