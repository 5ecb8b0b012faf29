//! An explanation in sentences. Nothing is said here that is not one of its numbers.

use hexmate_movegen::{AnyPosition, Move, Side, san};

use super::find::SOME_MATERIAL;
use super::{End, Explanation, Next, Part, Threat, Way, terms};
use crate::outcome::{self, side_name};
use crate::score::Score;

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
        match (&best.score, &next.score) {
            (Score::Cp(best), Score::Cp(next)) if !is_told => {
                let by = pawns(best - next);
                format!("{begin}: the next best, {second}, is worse by {by}.")
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
        let moves = (1..=line.len()).map(|ply| {
            let text = self.at(line, ply);
            match text.split_once("... ") {
                Some((_, text)) if ply > 1 => text.to_owned(),
                _ => text,
            }
        });
        moves.collect::<Vec<_>>().join(" ")
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
            Score::Mate(mate) if mate > 0 => format!("{begin}, and mates in {}.", moves(mate)),
            Score::Mate(mate) => format!("{begin}; {} mates in {}.", self.them, moves(mate)),
            Score::Cp(_) => begin + ".",
        }
    }

    /// What separates the two moves.
    fn compared(&self, other: &Way) -> String {
        let best = &self.explanation.best;
        let (b, o, them) = (self.best(), self.san(&other.first), self.them);
        match (&best.score, &other.score) {
            (Score::Mate(n), Score::Mate(m)) if *n > 0 && *m > 0 => match n == m {
                true => format!("{b} and {o} both mate in {}.", moves(*n)),
                false => format!("{b} mates in {}, {o} in {}.", moves(*n), moves(*m)),
            },
            (Score::Mate(n), Score::Mate(m)) if *n < 0 && *m < 0 => match n == m {
                true => format!("{them} mates in {} after {b} and after {o}.", moves(*n)),
                false => format!(
                    "{them} mates in any case: in {} after {b}, in {} after {o}.",
                    moves(*n),
                    moves(*m)
                ),
            },
            (Score::Mate(n), score) if *n > 0 => {
                let how = match best.line.len() {
                    1 => format!("{b} is mate"),
                    2..=SHORT_MATE if best.end == End::Mate => {
                        format!("{b} mates in {} ({})", moves(*n), self.line(&best.line))
                    }
                    _ => format!("{b} mates in {}", moves(*n)),
                };
                match (score, other.end) {
                    (Score::Mate(m), _) => {
                        format!("{how}; after {o} {them} mates in {}.", moves(*m))
                    }
                    (_, End::Stalemate) => format!("{how}; {}.", self.drawn(&o, other)),
                    _ if best.line.len() == 1 => format!("{how}; {o} is not."),
                    // No proof that there is none: that is not what was searched for.
                    _ => format!("{how}; after {o} no mate was found."),
                }
            }
            (_, Score::Mate(m)) if *m < 0 => {
                let how = match (*m, other.line.len()) {
                    (-1, 2..) => format!("After {o} {them} mates with {}", self.at(&other.line, 2)),
                    (_, 3..) => format!(
                        "After {o} {them} mates in {}, beginning with {}",
                        moves(*m),
                        self.at(&other.line, 2)
                    ),
                    _ => format!("After {o} {them} mates in {}", moves(*m)),
                };
                format!("{how}; {b} avoids it.")
            }
            _ => self.by_centipawns(other, &b, &o),
        }
    }

    /// Two moves without mates, or of which the other one has the better mate.
    fn by_centipawns(&self, other: &Way, b: &str, o: &str) -> String {
        let best = &self.explanation.best;
        // Without a difference one of them is a mate, and it is in favour of the other move.
        let by = self.explanation.by;
        if by.is_none_or(|by| by <= -UNCERTAIN) {
            let much = by.map_or_else(String::new, |by| format!(" by {}", pawns(by)));
            if !self.scope.other {
                return format!(
                    "Searched by itself, {o}, which is not among the moves to search, comes out better than {b}{much}."
                );
            }
            if !self.scope.alone {
                // Lines are in order when a depth is finished.
                return format!(
                    "Earlier in the search {o} came out better than {b}{much}; its last depth was not finished, and only more nodes can tell."
                );
            }
            return format!(
                "Searched by itself, {o} comes out better than {b}{much}: the searches disagree, and only more nodes can tell.",
            );
        }
        let by = by.unwrap_or(0);
        if by < UNCERTAIN {
            return match by {
                0 => format!("{b} and {o} are about equal."),
                _ => format!(
                    "{b} and {o} are about equal: the difference of {} is within the search’s own uncertainty.",
                    pawns(by)
                ),
            };
        }
        let better = format!("better by {}", pawns(by));
        let is_drawn = |way: &Way| !matches!(way.end, End::Rest | End::Open | End::Mate);
        match (is_drawn(best), is_drawn(other)) {
            (_, true) if other.end == best.end => {}
            (_, true) => return format!("{}; {b} is {better}.", capital(&self.drawn(o, other))),
            (true, false) => {
                return format!(
                    "{}; {o} is worse by {}.",
                    capital(&self.drawn(b, best)),
                    pawns(by)
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

    /// The material that the lines win and lose, if that is what separates them.
    fn material(&self, other: &Way, b: &str, o: &str, by: i32) -> Option<String> {
        let best = &self.explanation.best;
        let [mine, theirs] = [best, other].map(|way| way.material.worth);
        let difference = mine - theirs;
        let evals = best.eval? - other.eval?;
        // It must account for most of the score, and the evaluation of the ends must not contradict.
        if difference < SOME_MATERIAL || 2 * difference < by || 2 * evals < by {
            return None;
        }
        let how = |way: &Way, gains: bool| {
            let (place, word) = match gains {
                true => (way.material.won_at, "with"),
                false => (way.material.lost_at, "to"),
            };
            match place {
                0 | 1 => String::new(),
                _ => format!(" {word} {}", self.at(&way.line, place)),
            }
        };
        let wins = |way: &Way| {
            self.gains(way, true)
                .map(|what| format!("{what}{}", how(way, true)))
        };
        let loses = |way: &Way| {
            self.gains(way, false)
                .map(|what| format!("{what}{}", how(way, false)))
        };
        let reason = match (mine >= SOME_MATERIAL, theirs <= -SOME_MATERIAL) {
            (true, true) => format!("{b} {}, {o} {}", wins(best)?, loses(other)?),
            (true, false) if theirs >= SOME_MATERIAL => {
                format!("{b} {}; {o} only {}", wins(best)?, wins(other)?)
            }
            (true, false) => format!("{b} {}; {o} does not", wins(best)?),
            (false, true) if mine <= -SOME_MATERIAL => {
                format!("{o} {}; {b} only {}", loses(other)?, loses(best)?)
            }
            (false, true) => format!("{o} {}; {b} does not", loses(other)?),
            (false, false) => return None,
        };
        Some(format!("{reason} (better by {}).", pawns(by)))
    }

    /// What a line wins, or loses: `wins a knight for a pawn`.
    fn gains(&self, way: &Way, wins: bool) -> Option<String> {
        let material = &way.material;
        let (gained, given, queens, verb, promotes) = match wins {
            true => (
                &material.wins,
                &material.loses,
                &material.promotes,
                "wins",
                "gets",
            ),
            false => (
                &material.loses,
                &material.wins,
                &material.concedes,
                "loses",
                "lets a pawn become",
            ),
        };
        let mut parts = Vec::new();
        let mut price = match given.is_empty() {
            true => String::new(),
            false => format!(" for {}", self.pieces(given)),
        };
        if !gained.is_empty() {
            parts.push(format!("{verb} {}{price}", self.pieces(gained)));
            price.clear();
        }
        if !queens.is_empty() {
            let by = if wins { " by promotion" } else { "" };
            parts.push(format!("{promotes} {}{by}{price}", self.pieces(queens)));
        }
        (!parts.is_empty()).then(|| parts.join(" and "))
    }

    /// Letters of kinds as `a knight and two pawns`.
    fn pieces(&self, letters: &str) -> String {
        let mut groups: Vec<(char, usize)> = Vec::new();
        for letter in letters.chars() {
            match groups.last_mut() {
                Some((last, count)) if *last == letter => *count += 1,
                _ => groups.push((letter, 1)),
            }
        }
        let words: Vec<String> = groups
            .into_iter()
            .map(|(letter, count)| self.pieces_of(letter, count))
            .collect();
        match words.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => words.concat(),
        }
    }

    fn pieces_of(&self, letter: char, count: usize) -> String {
        let spec = self.position.spec();
        let kind = spec
            .pieces
            .iter()
            .find(|piece| char::from(piece.letter) == letter);
        let name = kind.map_or("", |piece| piece.name);
        // The chromatic games name pieces by their colours: there the letter says more.
        let is_word = !name.is_empty() && name.chars().all(char::is_alphabetic);
        let name = if is_word {
            name.to_owned()
        } else {
            letter.to_string()
        };
        let vowel = match is_word {
            true => name.starts_with(|first: char| "aeiouáàâäéèêëíîïóôöúûü".contains(first)),
            false => "AEFHILMNORSX".contains(letter),
        };
        let number = ["no", "one", "two", "three", "four", "five", "six"].get(count);
        match count {
            1 if vowel => format!("an {name}"),
            1 => format!("a {name}"),
            _ => format!(
                "{} {name}s",
                number.map_or_else(|| count.to_string(), |n| (*n).to_owned())
            ),
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
            return match mate.abs() {
                1 => "is mate".to_owned(),
                n => format!("mates in {n} moves"),
            };
        }
        let way = Way {
            first: threat.first.clone(),
            score: threat.score.clone(),
            line: threat.line.clone(),
            end: End::Open,
            eval: None,
            material: threat.material.clone(),
        };
        self.gains(&way, true).unwrap_or_default()
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
