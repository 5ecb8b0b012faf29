//! An explanation in sentences. Nothing is said here that is not one of its numbers.

mod material;
#[cfg(test)]
mod tests;

use hexmate_movegen::{AnyPosition, Move, Side, san};

use super::find::SOME_MATERIAL;
use super::{End, Explanation, Next, Part, Threat, Way, terms};
use crate::outcome::{self, side_name};
use crate::score::{Bound, Score};

/// Differences below this are within what a search is uncertain of, in centipawns.
const UNCERTAIN: i32 = 20;
/// A part of the evaluation that is less than this is not told by itself.
const LEAST_PART: i32 = 5;
/// The most parts that are told.
const MOST_PARTS: usize = 4;
/// From this score on a position holds, in centipawns.
const HOLDS: i32 = -100;
/// The plies of a mate that are told move by move.
const SHORT_MATE: usize = 5;

/// What the best move was found among.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// All legal moves, or only some.
    pub all: bool,
    /// Whether the other move is one of them.
    pub other: bool,
    /// Whether the other move was searched by itself, rather than as a further line.
    pub alone: bool,
    /// Whether the best move's mate is proven to be the shortest.
    pub proven: bool,
}

/// The explanation of a position in words, a few sentences.
pub fn words(explanation: &Explanation, position: &AnyPosition, scope: Scope) -> String {
    let side = position.side_to_move();
    let teller = Teller {
        explanation,
        position,
        scope,
        us: side_name(side),
        them: side_name(side.other()),
    };
    teller.tell()
}

/// Centipawns in pawns.
fn pawns(cp: i32) -> String {
    format!("{:.2}", f64::from(cp.abs()) / 100.0)
}

fn moves(number: i32) -> String {
    match number.abs() {
        1 => "1 move".to_owned(),
        n => format!("{n} moves"),
    }
}

/// In how many moves a mate comes that a line of play shows. From three moves on the search may have overlooked a
/// shorter one, unless it is proven that there is none.
fn within(mate: i32, proven: bool) -> String {
    match mate.abs() {
        3.. if !proven => format!("in {} at most", moves(mate)),
        _ => format!("in {}", moves(mate)),
    }
}

/// Whether a limit has cut off a mate: then it may take many more moves.
fn may_be_slower(mate: i32, bound: Option<Bound>) -> bool {
    let slower = if mate > 0 { Bound::Upper } else { Bound::Lower };
    bound == Some(slower)
}

/// The same as [`within`] for a way; nothing where the number may be far from the truth.
fn mate_of(way: &Way, proven: bool) -> Option<String> {
    match way.score {
        Score::Mate(mate) if way.end == End::Mate && !may_be_slower(mate, way.bound) => {
            Some(within(mate, proven))
        }
        _ => None,
    }
}

/// That a way mates, and in how many moves if it is known.
fn mates(way: &Way, proven: bool) -> String {
    mate_of(way, proven).map_or_else(|| "mates".to_owned(), |within| format!("mates {within}"))
}

/// By how much one score is better than another, in words, as far as their bounds let it be known.
fn by_how_much(cp: i32, better: Option<Bound>, worse: Option<Bound>) -> String {
    match (better, worse) {
        (None, None) => format!("by {}", pawns(cp)),
        (None | Some(Bound::Lower), None | Some(Bound::Upper)) => {
            format!("by at least {}", pawns(cp))
        }
        _ => "so far".to_owned(),
    }
}

/// Why one line ends better than another.
enum Reasons {
    /// For many small things.
    None,
    /// For these.
    Parts(String),
}

struct Teller<'a> {
    explanation: &'a Explanation,
    position: &'a AnyPosition,
    scope: Scope,
    us: &'static str,
    them: &'static str,
}

impl Teller<'_> {
    fn tell(&self) -> String {
        let mut sentences = vec![match &self.explanation.other {
            None => self.only_one(),
            Some(other) => self.compared(other),
        }];
        let Explanation {
            next,
            threat,
            threatens,
            ..
        } = self.explanation;
        sentences.extend(next.as_ref().map(|next| self.only_good(next)));
        sentences.extend(threat.as_ref().map(|threat| self.threat(threat)));
        sentences.extend(threatens.as_ref().map(|threat| self.own_threat(threat)));
        sentences.join(" ")
    }

    /// The best move is the only good one.
    fn only_good(&self, next: &Next) -> String {
        let best = &self.explanation.best;
        let second = self.san(&next.first);
        let other = self.explanation.other.as_ref();
        let is_told = other.is_some_and(|other| other.first == next.first);
        // The others had a shorter search, which is sure of mates only.
        let is = match next.score {
            Score::Mate(mate) if mate < 0 => "is",
            _ => "seems",
        };
        let searched = |words| if self.scope.all { "" } else { words };
        let begin = match best.score {
            Score::Cp(cp) if cp < HOLDS => {
                format!("Every other move{} {is} worse still", searched(" searched"))
            }
            _ => format!(
                "It {is} the only good move{}",
                searched(" of those searched")
            ),
        };
        let bounds = (best.bound, next.bound);
        match (&best.score, &next.score) {
            (Score::Cp(best), Score::Cp(next)) if !is_told => {
                let by = by_how_much(best - next, bounds.0, bounds.1);
                format!("{begin}: the next best, {second}, is worse {by}.")
            }
            (_, Score::Mate(mate)) if *mate < 0 && !is_told => {
                format!("{begin}: even after {second} {} mates.", self.them)
            }
            _ => format!("{begin}."),
        }
    }

    /// A move of this position in standard algebraic notation.
    fn san(&self, cells: &str) -> String {
        let mv = self.position.parse_move(cells);
        mv.map_or_else(|_| cells.to_owned(), |mv| san(self.position, mv))
    }

    fn best(&self) -> String {
        self.san(&self.explanation.best.first)
    }

    /// The move at a ply of a line, from 1, with its number.
    fn at(&self, line: &[String], ply: usize) -> String {
        let mut position = *self.position;
        for cells in line.iter().take(ply.saturating_sub(1)) {
            if position.play(cells).is_err() {
                return String::new();
            }
        }
        let Some(cells) = line.get(ply.saturating_sub(1)) else {
            return String::new();
        };
        let text = position.parse_move(cells).map(|mv| san(&position, mv));
        numbered(&position, &text.unwrap_or_else(|_| cells.clone()))
    }

    /// A line with numbers.
    fn line(&self, line: &[String]) -> String {
        let mut cells = line.iter();
        numbered_line(self.position, |position| {
            position.parse_move(cells.next()?).ok()
        })
    }

    /// There is no other move to compare with.
    fn only_one(&self) -> String {
        let best = &self.explanation.best;
        let what = match self.scope.all {
            true => "the only legal move",
            false => "the only move searched",
        };
        let begin = format!("{} is {what}", self.best());
        match best.score {
            Score::Mate(mate) if mate > 0 => {
                format!("{begin}, and {}.", mates(best, self.scope.proven))
            }
            Score::Mate(_) => format!("{begin}; {} {}.", self.them, mates(best, self.scope.proven)),
            Score::Cp(_) => begin + ".",
        }
    }

    /// What separates the two moves.
    fn compared(&self, other: &Way) -> String {
        let best = &self.explanation.best;
        let (b, o, them) = (self.best(), self.san(&other.first), self.them);
        match (&best.score, &other.score) {
            (Score::Mate(n), Score::Mate(m)) if *n > 0 && *m > 0 => {
                match (mate_of(best, self.scope.proven), mate_of(other, false)) {
                    (Some(within), Some(_)) if n == m => format!("{b} and {o} both mate {within}."),
                    (Some(within), Some(others)) if n > m => {
                        format!("{b} mates {within}; {}{o} even {others}.", self.by_itself())
                    }
                    (Some(within), Some(others)) => format!("{b} mates {within}, {o} {others}."),
                    (Some(within), None) => format!("{b} mates {within}; {o} also mates."),
                    (None, _) => format!("{b} and {o} both mate."),
                }
            }
            (Score::Mate(n), Score::Mate(m)) if *n < 0 && *m < 0 => {
                match (mate_of(best, self.scope.proven), mate_of(other, false)) {
                    // The best move should be mated last.
                    (Some(within), Some(others)) if n > m => format!(
                        "{them} mates in any case: {within} after {b}; \
                         {}{o} seems to last longer: {others}.",
                        self.by_itself()
                    ),
                    (Some(within), Some(others)) if n != m => {
                        format!("{them} mates in any case: {within} after {b}, {others} after {o}.")
                    }
                    (Some(within), Some(_)) => {
                        format!("{them} mates {within} after {b} and after {o}.")
                    }
                    _ => format!("{them} mates after {b} and after {o}."),
                }
            }
            (Score::Mate(n), score) if *n > 0 => {
                let at_once = best.end == End::Mate && best.line.len() == 1;
                let is_short = best.end == End::Mate && best.line.len() <= SHORT_MATE;
                let how = if at_once {
                    format!("{b} is mate")
                } else if is_short {
                    format!(
                        "{b} {} ({})",
                        mates(best, self.scope.proven),
                        self.line(&best.line)
                    )
                } else {
                    format!("{b} {}", mates(best, self.scope.proven))
                };
                match (score, other.end) {
                    (Score::Mate(_), _) => {
                        format!("{how}; after {o} {them} {}.", mates(other, false))
                    }
                    (_, End::Stalemate) => format!("{how}; {}.", self.drawn(&o, other)),
                    _ if at_once => format!("{how}; {o} is not."),
                    // No proof that there is none: that is not what was searched for.
                    _ => format!("{how}; after {o} no mate was found."),
                }
            }
            (_, Score::Mate(m)) if *m < 0 => {
                let how = match (*m, other.line.len()) {
                    (-1, 2..) => format!("After {o} {them} mates with {}", self.at(&other.line, 2)),
                    (_, 3..) => format!(
                        "After {o} {them} {}, beginning with {}",
                        mates(other, false),
                        self.at(&other.line, 2)
                    ),
                    _ => format!("After {o} {them} {}", mates(other, false)),
                };
                format!("{how}; {b} avoids it.")
            }
            _ => self.by_centipawns(other, &b, &o),
        }
    }

    /// Where the other move's line comes from, before that line is told.
    fn by_itself(&self) -> &'static str {
        match self.scope.alone {
            true => "searched by itself, ",
            false => "",
        }
    }

    /// Which of the two searches a limit has cut short, if one was.
    fn unfinished(&self, other: &Way, b: &str, o: &str) -> Option<String> {
        match (self.explanation.best.bound, other.bound) {
            (None, None) => None,
            (Some(_), None) => Some(format!("the search of {b} was not finished")),
            (None, Some(_)) => Some(format!("the search of {o} was not finished")),
            (Some(_), Some(_)) => Some("neither search was finished".to_owned()),
        }
    }

    /// Two moves without mates, or of which the other one has the better mate.
    fn by_centipawns(&self, other: &Way, b: &str, o: &str) -> String {
        let best = &self.explanation.best;
        // Without a difference one of them is a mate, and it is in favour of the other move.
        let by = self.explanation.by;
        if by.is_none_or(|by| by <= -UNCERTAIN) {
            let is_open = best.bound == Some(Bound::Lower) || other.bound == Some(Bound::Upper);
            let much = match by {
                Some(by) if !is_open => format!(" {}", by_how_much(by, other.bound, best.bound)),
                _ => String::new(),
            };
            if !self.scope.other {
                let so_far = if is_open { " so far" } else { "" };
                return format!(
                    "Searched by itself, {o}, which is not among the moves to search, comes out better than {b}{much}{so_far}."
                );
            }
            if !self.scope.alone {
                // Lines are in order when a depth is finished.
                return format!(
                    "Earlier in the search {o} came out better than {b}{much}; its last depth was not finished, and only more nodes can tell."
                );
            }
            if is_open && let Some(unfinished) = self.unfinished(other, b, o) {
                return format!(
                    "Searched by itself, {o} comes out better than {b} so far; {unfinished}, \
                     and only more nodes can tell."
                );
            }
            return format!(
                "Searched by itself, {o} comes out better than {b}{much}: the searches disagree, and only more nodes can tell.",
            );
        }
        let by = by.unwrap_or(0);
        if by < UNCERTAIN {
            if let Some(unfinished) = self.unfinished(other, b, o) {
                return format!(
                    "{b} and {o} have about equal scores so far; {unfinished}, and only more nodes can tell."
                );
            }
            return match by {
                0 => format!("{b} and {o} are about equal."),
                _ => format!(
                    "{b} and {o} are about equal: the difference of {} is within the search’s own uncertainty.",
                    pawns(by)
                ),
            };
        }
        let how_much = by_how_much(by, best.bound, other.bound);
        let better = format!("better {how_much}");
        let is_drawn = |way: &Way| !matches!(way.end, End::Rest | End::Open | End::Mate);
        match (is_drawn(best), is_drawn(other)) {
            (_, true) if other.end == best.end => {}
            (_, true) => return format!("{}; {b} is {better}.", capital(&self.drawn(o, other))),
            (true, false) => {
                return format!(
                    "{}; {o} is worse {how_much}.",
                    capital(&self.drawn(b, best))
                );
            }
            _ => {}
        }
        if let Some(reason) = self.material(other, b, o, by) {
            return reason;
        }
        let begin = format!("{b} is {better} than {o}");
        match self.reasons(best, other, by) {
            Some(Reasons::Parts(parts)) => format!("{begin}: {parts}."),
            Some(Reasons::None) => format!("{begin}; no single reason stands out."),
            None => format!("{begin}; what decides lies beyond the ends of the lines."),
        }
    }

    /// A draw, a stalemate, or a line that could be repeated, in words.
    fn drawn(&self, what: &str, way: &Way) -> String {
        let spec = self.position.spec();
        let side = self.position.side_to_move();
        let to_move = match way.line.len() % 2 {
            0 => side,
            _ => side.other(),
        };
        match way.end {
            End::Repetition => format!("{what} leads to a draw by repetition"),
            End::Kings => format!("{what} leads to a draw: only the kings are left"),
            End::Progress => format!(
                "{what} leads to a draw: {} moves without a capture or a pawn move",
                spec.no_progress_plies / 2
            ),
            // Nobody has to, and a longer search may find that nobody should.
            End::Return => {
                let side = side_name(to_move);
                format!("after {what} the line ends where {side} can repeat the position")
            }
            _ => match outcome::stalemate(to_move, spec) {
                Some(worth) => format!("after {what} {worth}"),
                None => format!(
                    "{what} leads to a draw: {} is stalemated",
                    side_name(to_move)
                ),
            },
        }
    }

    /// The terms by which the best line is better, if they account for the scores.
    fn reasons(&self, best: &Way, other: &Way, by: i32) -> Option<Reasons> {
        let difference = best.eval? - other.eval?;
        let off = (difference - by).abs();
        if difference <= 0 || off > (by * 2 / 5).max(UNCERTAIN) {
            return None;
        }
        // Who is to move at the end of a line says nothing about the moves.
        let parts = self
            .explanation
            .terms
            .iter()
            .filter(|part| part.term != "tempo");
        let mut told: Vec<&Part> = Vec::new();
        let mut rest = difference;
        for part in parts.take(MOST_PARTS) {
            if part.cp.abs() < LEAST_PART || rest.abs() <= difference / 5 {
                break;
            }
            rest -= part.cp;
            told.push(part);
        }
        if rest.abs() > difference * 2 / 5 {
            return Some(Reasons::None);
        }
        // What speaks for it comes first.
        told.sort_by_key(|part| -part.cp);
        let signed = |cp: i32| format!("{}{}", if cp < 0 { '−' } else { '+' }, pawns(cp));
        let mut words: Vec<String> = (told.iter())
            .map(|part| {
                format!(
                    "{} {}",
                    terms::words(part, [self.us, self.them]),
                    signed(part.cp)
                )
            })
            .collect();
        if rest != 0 {
            words.push(format!("all else {}", signed(rest)));
        }
        Some(Reasons::Parts(words.join(", ")))
    }

    /// The opponent's threat.
    fn threat(&self, threat: &Threat) -> String {
        let text = san_after_pass(*self.position, threat);
        let does = self.threatened(threat);
        let begin = format!("{} threatens {text}, which {does}", self.them);
        let other = self.explanation.other.as_ref();
        match other.filter(|other| succeeds(threat, other)) {
            Some(other) => format!("{begin}; {} does not prevent it.", self.san(&other.first)),
            None => begin + ".",
        }
    }

    /// The threat of the best move.
    fn own_threat(&self, threat: &Threat) -> String {
        let mut at = *self.position;
        let text = match at.play(&self.explanation.best.first) {
            Ok(_) => san_after_pass(at, threat),
            Err(_) => threat.first.clone(),
        };
        let does = self.threatened(threat);
        format!("{} threatens {text}, which {does}.", self.best())
    }

    /// What a threat does.
    fn threatened(&self, threat: &Threat) -> String {
        if let Score::Mate(mate) = threat.score {
            // Such a line begins with the move that threatens.
            let plies = 2 * mate.unsigned_abs() as usize - 1;
            return match mate.abs() {
                1 => "is mate".to_owned(),
                _ if threat.line.len() == plies && !may_be_slower(mate, threat.bound) => {
                    format!("mates {}", within(mate, false))
                }
                _ => "mates".to_owned(),
            };
        }
        let gains = self.gains(&threat.material, true).unwrap_or_default();
        gains + &self.against(&threat.material, true)
    }
}

/// A move with the number that it has in this position.
fn numbered(position: &AnyPosition, text: &str) -> String {
    match position.side_to_move() {
        Side::White => format!("{}. {text}", position.fullmove_number()),
        Side::Black => format!("{}... {text}", position.fullmove_number()),
    }
}

/// Moves in standard algebraic notation with their numbers: `1. e5 e6 2. Qc3`. The next one is asked for with the
/// position before it.
pub(crate) fn numbered_line(
    first: &AnyPosition,
    mut next: impl FnMut(&AnyPosition) -> Option<Move>,
) -> String {
    let mut position = *first;
    let mut words = Vec::new();
    while let Some(mv) = next(&position) {
        let text = san(&position, mv);
        words.push(match position.side_to_move() {
            Side::Black if !words.is_empty() => text,
            _ => numbered(&position, &text),
        });
        position = position.after(mv);
    }
    words.join(" ")
}

/// Whether a line answers its first move with the threat, and this does there what it threatens.
fn succeeds(threat: &Threat, way: &Way) -> bool {
    if way.line.get(1) != Some(&threat.first) {
        return false;
    }
    if let Score::Mate(_) = threat.score {
        return matches!(way.score, Score::Mate(mate) if mate < 0);
    }
    let has = |all: &str, kinds: &str| {
        let count = |text: &str, kind| text.chars().filter(|&c| c == kind).count();
        kinds
            .chars()
            .all(|kind| count(all, kind) >= count(kinds, kind))
    };
    way.material.worth <= -SOME_MATERIAL
        && has(&way.material.loses, &threat.material.wins)
        && has(&way.material.concedes, &threat.material.promotes)
}

/// A threat in standard algebraic notation, made after a pass in this position.
fn san_after_pass(mut position: AnyPosition, threat: &Threat) -> String {
    let passed =
        hexmate_movegen::with_position!(&mut position, p => p.null_move().map(|next| *p = next));
    if passed.is_none() {
        return threat.first.clone();
    }
    let mv = position.parse_move(&threat.first);
    mv.map_or_else(|_| threat.first.clone(), |mv| san(&position, mv))
}

/// A clause as the beginning of a sentence. Pawn moves stay as they are: a capital would be a piece.
fn capital(text: &str) -> String {
    match text.strip_prefix("after ") {
        Some(rest) => format!("After {rest}"),
        None => text.to_owned(),
    }
}
