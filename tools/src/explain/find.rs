//! The numbers of an explanation. No search: the lines are given.

use hexmate_engine::Handmade;
use hexmate_movegen::{Bits, Game, Kind, Move, Outcome, PAWN, Position, Record, Side};

use super::words::{self, Scope};
use super::{End, Explanation, Material, Next, Threat, Way, terms};
use crate::chances::share;
use crate::score::Score;

/// A line of play and its score from the side that begins it.
pub type Line = (Vec<Move>, Score);

/// What searches have found.
#[derive(Clone, Debug)]
pub struct Question {
    /// The best move's line.
    pub best: Line,
    /// The line of the move that it is compared with, if there is another move.
    pub other: Option<Line>,
    /// Whether that is the line of another search, rather than a further line of the same one.
    pub alone: bool,
    /// The best line without the best move.
    pub next: Option<Line>,
    /// The opponent's line if the side to move passes.
    pub passed: Option<Line>,
    /// The line of the side to move if the opponent passes after the best move.
    pub unanswered: Option<Line>,
    /// The moves that the best one was found among; empty: all.
    pub searchmoves: Vec<Move>,
}

/// Centipawns by which a threat must change the score.
const MOST_OF_A_PAWN: i32 = 100;
/// Centipawns of material that something must win to be told as winning material.
pub const SOME_MATERIAL: i32 = 60;
/// The loss of expected score at which a move is a blunder in reviews.
const BLUNDER: f64 = 0.15;

/// What separates the best move from the other one in the last position of a record.
pub fn explain<G: Game>(
    handmade: &Handmade<G>,
    record: &Record<G>,
    question: &Question,
) -> Explanation {
    let position = record.position();
    let side = position.side_to_move();
    let way = |line: &Line| way(handmade, record, line);
    let (best, best_rows) = way(&question.best);
    let other = question.other.as_ref().map(way);
    let by = other
        .as_ref()
        .and_then(|(other, _)| match (&best.score, &other.score) {
            (Score::Cp(best), Score::Cp(other)) => Some(best - other),
            _ => None,
        });
    let rows = other.as_ref().and_then(|(_, rows)| rows.as_ref());
    let terms = match (&best_rows, rows) {
        (Some(best), Some(other)) => terms::compare(side, best, other),
        _ => Vec::new(),
    };
    // The move that was played may have turned out better than the next best of a smaller search.
    let others = question.next.iter().chain(&question.other);
    let next = others.max_by_key(|line| worth(&line.1));
    let next = next.filter(|line| is_blunder(position, &question.best, line));
    let next = next.and_then(|(line, score)| {
        Some(Next {
            first: line.first()?.text(position.game()),
            score: score.clone(),
        })
    });
    let passed = question.passed.as_ref().and_then(|(line, score)| {
        let at = position.null_move()?;
        let threat = threat(handmade, &at, line, negated(score))?;
        let costs = worth(&best.score) - worth(&threat.score);
        let losing = matches!(best.score, Score::Mate(_));
        (costs >= MOST_OF_A_PAWN && !losing && is_told(&threat, -1)).then_some(threat)
    });
    let unanswered = question.unanswered.as_ref().and_then(|(line, score)| {
        let mut at = *position;
        at.play(*question.best.0.first()?).ok()?;
        let at = at.null_move()?;
        let threat = threat(handmade, &at, line, score.clone())?;
        let gains = worth(&threat.score) - worth(&best.score);
        let mates = matches!(best.score, Score::Mate(_));
        (gains >= MOST_OF_A_PAWN && !mates && is_told(&threat, 1)).then_some(threat)
    });
    let mut explanation = Explanation {
        words: String::new(),
        best,
        other: other.map(|(other, _)| other),
        by,
        terms,
        next,
        threat: passed,
        threatens: unanswered,
    };
    let is_searched =
        |mv: &Move| question.searchmoves.is_empty() || question.searchmoves.contains(mv);
    let other = question.other.as_ref().and_then(|(line, _)| line.first());
    let scope = Scope {
        all: position.legal_moves().iter().all(is_searched),
        other: other.is_none_or(is_searched),
        alone: question.alone,
    };
    explanation.words = words::words(&explanation, &(*position).into(), scope);
    explanation
}

/// Whether a threat is one that can be named: a mate, or material; `sign` is 1 if the side to move threatens.
fn is_told(threat: &Threat, sign: i32) -> bool {
    match threat.score {
        Score::Mate(moves) => sign * moves > 0,
        Score::Cp(_) => threat.material.worth >= SOME_MATERIAL && threat.material.won_at > 0,
    }
}

/// A score as a number to compare.
pub fn worth(score: &Score) -> i32 {
    match *score {
        Score::Cp(cp) => cp,
        Score::Mate(moves) if moves > 0 => 30_000 - moves,
        Score::Mate(moves) => -30_000 - moves,
    }
}

/// A score from the other side.
fn negated(score: &Score) -> Score {
    match *score {
        Score::Cp(cp) => Score::Cp(-cp),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}

/// Whether the move of the second line would be a blunder, beside that of the first.
fn is_blunder<G: Game>(position: &Position<G>, best: &Line, other: &Line) -> bool {
    let share = |(line, score): &Line| share(score, position, line);
    share(best) - share(other) >= BLUNDER
}

/// A move, its line to the end, and the rows of the evaluation there.
fn way<G: Game>(
    handmade: &Handmade<G>,
    record: &Record<G>,
    (line, score): &Line,
) -> (Way, Option<terms::Rows>) {
    let root = record.position();
    let mut game = record.clone();
    let mut end = End::Open;
    let mut played = Vec::new();
    for &mv in line {
        if end != End::Open || game.play(mv).is_err() {
            break;
        }
        played.push(mv);
        end = end_of(&game, score);
    }
    if end == End::Open && *score == Score::Cp(0) {
        let back = game.position().return_to(game.earlier_keys(), |_| true);
        end = back.map_or(End::Open, |_| End::Repetition);
    }
    if end == End::Open
        && matches!(score, Score::Cp(_))
        && let Some(captures) = handmade.settle(game.position())
    {
        for mv in captures {
            game.play(mv).expect("the moves of a line are legal");
            played.push(mv);
        }
        end = End::Rest;
    }
    let side = root.side_to_move();
    let rows = (end == End::Rest).then(|| handmade.explain(game.position()));
    let eval = rows.as_ref().map(|_| {
        let score = handmade.evaluate(game.position());
        if game.position().side_to_move() == side {
            score
        } else {
            -score
        }
    });
    let way = Way {
        first: played
            .first()
            .map_or_else(String::new, |mv| mv.text(root.game())),
        score: score.clone(),
        line: texts(root, &played),
        end,
        eval,
        material: material(handmade, root, &played, side),
    };
    (way, rows)
}

fn texts<G: Game>(root: &Position<G>, line: &[Move]) -> Vec<String> {
    line.iter().map(|mv| mv.text(root.game())).collect()
}

/// The end that a line of this score has come to.
fn end_of<G: Game>(game: &Record<G>, score: &Score) -> End {
    match game.outcome() {
        Some(Outcome::Checkmate { .. }) => End::Mate,
        Some(Outcome::Stalemate { .. }) => End::Stalemate,
        Some(Outcome::BareKings) => End::Kings,
        Some(Outcome::NoProgress) => End::Progress,
        Some(Outcome::Repetition) => End::Repetition,
        // A search takes the first return for a draw.
        None if *score == Score::Cp(0) && game.occurrences() > 1 => End::Repetition,
        None => End::Open,
    }
}

/// A threat by the side to move of this position, which the other one has allowed by passing.
fn threat<G: Game>(
    handmade: &Handmade<G>,
    at: &Position<G>,
    line: &[Move],
    score: Score,
) -> Option<Threat> {
    let first = line.first()?.text(at.game());
    let (way, _) = way(handmade, &Record::new(*at), &(line.to_vec(), score));
    Some(Threat {
        first,
        score: way.score,
        line: way.line,
        material: way.material,
    })
}

/// The material that changes hands in a line, as `side` sees it.
fn material<G: Game>(
    handmade: &Handmade<G>,
    root: &Position<G>,
    line: &[Move],
    side: Side,
) -> Material {
    let kinds = 0..root.spec().pieces.len() as Kind;
    let mut net = vec![0i32; kinds.len()];
    // Ply, whether `side` makes it, what is taken, what a pawn becomes.
    let mut events: Vec<(usize, bool, Option<Kind>, Option<Kind>)> = Vec::new();
    let mut position = *root;
    for (ply, &mv) in (1..).zip(line) {
        let mover = position.side_to_move();
        let mut next = position;
        next.play(mv).expect("a legal line");
        let enemies = |p: &Position<G>, kind| p.pieces(kind, mover.other()).count();
        let taken = kinds
            .clone()
            .find(|&kind| enemies(&next, kind) < enemies(&position, kind));
        let own = mover == side;
        if let Some(kind) = taken {
            net[usize::from(kind)] += if own { 1 } else { -1 };
        }
        if taken.is_some() || mv.promotion().is_some() {
            events.push((ply, own, taken, mv.promotion()));
        }
        position = next;
    }
    let value = |kind: Kind| handmade.value(kind);
    let becomes = |kind: Kind| value(kind) - value(PAWN);
    let mut by_value: Vec<Kind> = kinds.collect();
    by_value.sort_by_key(|&kind| -value(kind));
    let letter = |kind: Kind| char::from(root.spec().pieces[usize::from(kind)].letter);
    let letters = |sign: i32| -> String {
        let times = |kind: Kind| (sign * net[usize::from(kind)]).max(0) as usize;
        let all = by_value
            .iter()
            .flat_map(|&kind| std::iter::repeat_n(letter(kind), times(kind)));
        all.collect()
    };
    let promoted = |own: bool| {
        events
            .iter()
            .filter(move |event| event.1 == own)
            .filter_map(|e| e.3)
    };
    let sum = |own: bool| promoted(own).map(becomes).sum::<i32>();
    let traded: i32 = by_value
        .iter()
        .map(|&kind| net[usize::from(kind)] * value(kind))
        .sum();
    // Where the most valuable of what changes hands does so.
    let place = |own: bool| {
        let sign = if own { 1 } else { -1 };
        let gain = |taken: Option<Kind>, promotion: Option<Kind>| {
            let kept = taken.filter(|&kind| sign * net[usize::from(kind)] > 0);
            kept.map_or(0, value).max(promotion.map_or(0, becomes))
        };
        let own = events.iter().filter(|event| event.1 == own);
        let gains = own.map(|&(ply, _, taken, promotion)| (gain(taken, promotion), ply));
        let best = gains
            .filter(|gain| gain.0 > 0)
            .max_by_key(|&(gain, ply)| (gain, -(ply as i32)));
        best.map_or(0, |(_, ply)| ply)
    };
    Material {
        wins: letters(1),
        loses: letters(-1),
        promotes: promoted(true).map(letter).collect(),
        concedes: promoted(false).map(letter).collect(),
        worth: traded + sum(true) - sum(false),
        won_at: place(true),
        lost_at: place(false),
    }
}
