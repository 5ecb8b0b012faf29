//! Words below or between the moves that are none: remarks, faulty moves, or the heading of the next game.

use hexmate_movegen::HYPHENS;

use super::Reader;
use crate::pgn::words::{
    is_move_like, is_remark, is_sign, is_slip, without_number, word as first_word,
};
use crate::pgn::{ReadGame, results};

/// No remark has more words.
const MOST_LOOSE: usize = 1000;

/// A word that may be part of a remark.
#[derive(Debug)]
pub(super) struct Loose {
    pub(super) text: String,
    pub(super) line: usize,
    pub(super) column: usize,
    /// Whether it begins a line after a blank one, and with it perhaps the heading of the next game.
    pub(super) starts: bool,
    /// The result that it is.
    pub(super) result: Option<&'static str>,
}

impl Reader {
    /// Whether a word begins another game in a file without tags: the numbers start over. Within a line it is White's
    /// turn then. `rest` is behind the word.
    pub(super) fn starts_over(&self, word: &str, rest: &str, is_first: bool) -> bool {
        let (number, text) = without_number(word);
        let main = self.game.as_ref().and_then(|game| game.open.first());
        let plies = main.map_or(0, |(line, ..)| line.moves.len());
        if number != Some(1) || plies == 0 {
            return false;
        }
        let dots = word[..word.len() - text.len()].trim_start_matches(|c: char| c.is_ascii_digit());
        let is_blacks =
            dots.len() > 1 || text.is_empty() && rest.trim_start().starts_with(['.', '…']);
        let is_below = self.after_blank || self.loose.iter().any(|loose| loose.starts);
        if is_first && is_below {
            // Behind White's first move alone, and its variations, Black's goes on with the game.
            return plies > 1 || !is_blacks;
        }
        let behind = rest.trim_start();
        let next = behind.trim_start_matches(|c: char| c.is_whitespace() || ".);".contains(c));
        let next = if text.is_empty() {
            first_word(next)
        } else {
            text
        };
        let is_whites = dots.len() < 2 && !behind.starts_with("..") && !behind.starts_with('…');
        let may_end = is_first || plies.is_multiple_of(2) && self.loose.is_empty();
        let is_open = self.game.as_ref().is_some_and(|game| game.open.len() > 1);
        plies > 1 && is_whites && may_end && !is_open && is_move_like(next)
    }

    /// Whether a word may be part of a remark behind the moves; numbers are only within one.
    pub(super) fn is_loose(&self, text: &str) -> bool {
        if self.strict {
            return false;
        }
        let within = !self.loose.is_empty();
        let game = self.game.as_ref().filter(|game| game.game.fault.is_none());
        let open = game.and_then(|game| game.open.last());
        let after_move = open.is_some_and(|(line, ..)| !line.moves.is_empty());
        match text.is_empty() {
            true => within,
            false => {
                let begins = || !is_sign(text) && !text.starts_with('$');
                after_move && !is_move_like(text) && (within || begins())
            }
        }
    }

    /// Brackets, with what is in them, that go on with a remark; `None` where they may be a variation.
    pub(super) fn remark_in_brackets<'l>(&self, text: &'l str) -> Option<&'l str> {
        if self.loose.is_empty() {
            return None;
        }
        let whole = &text[..=text.find(')')?];
        let mut words = whole[1..whole.len() - 1].split_whitespace();
        (!words.any(is_move_like)).then_some(whole)
    }

    pub(super) fn hold(
        &mut self,
        line: usize,
        column: usize,
        text: &str,
        starts: bool,
        games: &mut Vec<ReadGame>,
    ) {
        if self.loose.len() >= MOST_LOOSE {
            self.settle(false, games);
        }
        self.loose.push(Loose {
            text: text.to_owned(),
            line,
            column,
            starts,
            result: None,
        });
    }

    /// Reads a result. In a line below the moves that has words before it, it may be that of the next game, whose
    /// heading this is: then it waits with the words.
    pub(super) fn found_result(
        &mut self,
        (line, column): (usize, usize),
        text: &str,
        result: &'static str,
        games: &mut Vec<ReadGame>,
    ) {
        let has_words = self.loose.last().is_some_and(|last| last.line == line);
        let is_heading = has_words
            && self.loose.iter().any(|loose| loose.starts)
            && is_remark(self.loose.iter().map(|loose| loose.text.as_str()));
        if !is_heading {
            self.settle(true, games);
            return self.result(line, result, games);
        }
        self.hold(line, column, text, false, games);
        if let Some(last) = self.loose.last_mut() {
            last.result = Some(result);
        }
    }

    /// A comment above the moves, and the result in it if that is theirs.
    pub(super) fn heading(&mut self, number: usize, text: &str, is_theirs: bool) {
        let game = self.building(number);
        if is_theirs {
            game.headed.extend(results::in_heading(text));
        }
        self.add_comment(number, text);
    }

    /// Ends the loose words: where the line of moves ends, too, they may be a remark on the last move, unless the first
    /// of them is a move with a slip. Else they are moves.
    pub(super) fn settle(&mut self, at_end: bool, games: &mut Vec<ReadGame>) {
        let loose = std::mem::take(&mut self.loose);
        let Some(first) = loose.first() else { return };
        let number = without_number(&first.text);
        let is_numbered = self.number.is_some() || number.1.len() < first.text.len();
        let next = loose.get(1).map(|loose| loose.text.as_str());
        let is_slip = is_slip(&first.text, next, is_numbered);
        if at_end && !is_slip && is_remark(loose.iter().map(|loose| loose.text.as_str())) {
            self.number = None;
            let mut kept = &loose[..];
            if let Some(result) = loose.iter().rev().find_map(|loose| loose.result) {
                kept = match loose.split_last() {
                    Some((last, before)) if last.result.is_some() => before,
                    _ => kept,
                };
                self.told_below(result, &loose);
            }
            let words: Vec<&str> = kept.iter().map(|loose| loose.text.as_str()).collect();
            return self.add_comment(first.line, &words.join(" "));
        }
        for word in &loose {
            if let Some(result) = word.result {
                self.told_below(result, &loose);
                continue;
            }
            let text = without_number(&word.text).1;
            let before = word.text.chars().count() - text.chars().count();
            self.numbered(&word.text);
            if !text.is_empty() {
                self.end_at_pending(games);
                self.add(word.line, word.column + before, text);
            }
        }
    }

    /// A result in a remark below the moves is theirs. Only where one stood above them already and the remark names two
    /// players, it may be the heading of a game that is not there.
    fn told_below(&mut self, result: &'static str, remark: &[Loose]) {
        let may_head = names_players(remark) && !tells_end(remark);
        let game = self.game.as_mut();
        if let Some(game) = game.filter(|game| game.headed.is_empty() || !may_head) {
            game.result = Some(result);
        }
    }

    /// Ends a game where the next one has begun, perhaps with lines above its tags and moves. A line with a result is
    /// the heading of what stands right below it. Else it is rather a remark on the game above, unless that has its
    /// result above its moves, or the line names two players: between blank lines its result is then given to neither.
    pub(super) fn finish_before_heading(&mut self, games: &mut Vec<ReadGame>) {
        let at = self.loose.iter().position(|loose| loose.starts);
        let mut remark = self.loose.split_off(at.unwrap_or(self.loose.len()));
        let is_headed = self.game.as_ref().is_some_and(|g| !g.headed.is_empty());
        // The lines with no blank one between them and the moves.
        let near = remark.iter().rfind(|word| word.starts && !self.after_blank);
        let near = near.map_or(usize::MAX, |word| word.line);
        let last = remark.last().map(|word| word.line);
        let is_theirs = |line: &[Loose]| {
            let (first, is_told) = (line[0].line, tells_end(line));
            let is_last = first >= near && Some(first) == last;
            is_last || !is_told && (is_headed || first >= near && names_players(line))
        };
        let mut end = 0;
        let mut seen = 0;
        for line in remark.chunk_by(|a, b| a.line == b.line) {
            seen += line.len();
            let has_result = line.iter().any(|word| word.result.is_some());
            if has_result && !is_theirs(line) && (tells_end(line) || !names_players(line)) {
                end = seen;
            }
        }
        let heading = remark.split_off(end);
        self.loose.append(&mut remark);
        self.finish(games);
        for line in heading.chunk_by(|a, b| a.line == b.line) {
            let words: Vec<&str> = line.iter().map(|word| word.text.as_str()).collect();
            self.heading(line[0].line, &words.join(" "), is_theirs(line));
        }
    }
}

/// Whether a dash stands between words, as between the names of two players.
fn names_players(words: &[Loose]) -> bool {
    let is_dash = |word: &Loose| word.text.trim_matches(HYPHENS).is_empty();
    let is_between = |three: &[Loose]| is_dash(&three[1]) && three[2].result.is_none();
    words.windows(3).any(is_between)
        || words.iter().any(|word| {
            let mut parts = word.text.split(HYPHENS);
            let is_name = |part: &str| part.contains(char::is_alphabetic);
            parts.clone().count() == 2 && parts.all(is_name)
        })
}

/// Whether words tell how a game ended.
fn tells_end(words: &[Loose]) -> bool {
    words.iter().any(|word| results::is_of_end(&word.text))
}
