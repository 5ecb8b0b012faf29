//! The numbers of an explanation. No search: the lines are given.

use hexmate_engine::Handmade;
use hexmate_movegen::{Bits, Game, Kind, Move, Outcome, PAWN, Position, Record, Side};

use super::words::{self, Scope};
use super::{End, Explanation, Material, Next, Threat, Way, terms};
use crate::chances::share;
use crate::score::{Bound, Score};

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its moves.
    pub moves: Vec<Move>,
    /// Its score, from the side that begins it.
    pub score: Score,
    /// Which bound that is, if a limit has cut the search short.
    pub bound: Option<Bound>,
}

/// What searches have found.
#[derive(Clone, Debug)]
pub struct Question {
    /// The best move's line.
    pub best: Line,
    /// The line of the move that it is compared with, if there is another move.
    pub other: Option<Line>,
    /// Whether that is the line of another search, rather than a further line of the same one.
    pub alone: bool,
    /// Whether the best line's mate is proven to be the shortest.
    pub proven: bool,
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
    let next = others.max_by_key(|line| worth(&line.score));
    let next = next.filter(|line| is_blunder(position, &question.best, line));
    let next = next.and_then(|line| {
        Some(Next {
            first: line.moves.first()?.text(position.game()),
            score: line.score.clone(),
            bound: line.bound,
        })
    });
    let passed = question.passed.as_ref().and_then(|line| {
        let at = position.null_move()?;
        let threat = threat(handmade, &at, &negated(line))?;
        let costs = worth(&best.score) - worth(&threat.score);
        let losing = matches!(best.score, Score::Mate(_));
        (costs >= MOST_OF_A_PAWN && !losing && is_told(&threat, -1)).then_some(threat)
    });
    let unanswered = question.unanswered.as_ref().and_then(|line| {
        let mut at = *position;
        at.play(*question.best.moves.first()?).ok()?;
        let at = at.null_move()?;
        let threat = threat(handmade, &at, line)?;
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
    let other = question.other.as_ref().and_then(|line| line.moves.first());
    let scope = Scope {
        all: position.legal_moves().iter().all(is_searched),
        other: other.is_none_or(is_searched),
        alone: question.alone,
        proven: question.proven,
    };
    explanation.words = words::words(&explanation, &(*position).into(), scope);
    explanation
}

/// Whether a threat is one that can be named: a mate, or material; `sign` is 1 if the side to move threatens.
fn is_told(threat: &Threat, sign: i32) -> bool {
    // Where a limit has cut the search off, it may win less than its line does.
    let may_be_less = match threat.bound {
        Some(Bound::Upper) => sign > 0,
        Some(Bound::Lower) => sign < 0,
        None => false,
    };
    match threat.score {
        Score::Mate(moves) => sign * moves > 0,
        Score::Cp(_) => {
            let material = &threat.material;
            material.worth >= SOME_MATERIAL && material.won_at > 0 && !may_be_less
        }
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

/// A line with its score from the other side.
fn negated(line: &Line) -> Line {
    Line {
        moves: line.moves.clone(),
        score: match line.score {
            Score::Cp(cp) => Score::Cp(-cp),
            Score::Mate(moves) => Score::Mate(-moves),
        },
        bound: line.bound.map(|bound| match bound {
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }),
    }
}

/// Whether the move of the second line would be a blunder, beside that of the first. Of equal scores one may be told by a
/// line that goes on to a stalemate, which has chances of its own, and the other not.
fn is_blunder<G: Game>(position: &Position<G>, best: &Line, other: &Line) -> bool {
    let share = |line: &Line| share(&line.score, position, &line.moves);
    best.score != other.score && share(best) - share(other) >= BLUNDER
}

/// A move, its line to the end, and the rows of the evaluation there.
fn way<G: Game>(
    handmade: &Handmade<G>,
    record: &Record<G>,
    line: &Line,
) -> (Way, Option<terms::Rows>) {
    let root = record.position();
    let score = &line.score;
    let mut game = record.clone();
    let mut end = End::Open;
    let mut played = Vec::new();
    for &mv in &line.moves {
        if end != End::Open || game.play(mv).is_err() {
            break;
        }
        played.push(mv);
        end = end_of(&game, score);
    }
    if end == End::Open && *score == Score::Cp(0) {
        let back = game.position().return_to(game.earlier_keys(), |_| true);
        end = back.map_or(End::Open, |_| End::Return);
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
        bound: line.bound,
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
fn threat<G: Game>(handmade: &Handmade<G>, at: &Position<G>, line: &Line) -> Option<Threat> {
    let first = line.moves.first()?.text(at.game());
    let (way, _) = way(handmade, &Record::new(*at), line);
    Some(Threat {
        first,
        score: way.score,
        bound: way.bound,
        line: way.line,
        material: way.material,
    })
}

/// A pawn's promotion within a line.
struct Promotion {
    ply: usize,
    /// Whether it is one of the side that is asked about.
    own: bool,
    kind: Kind,
    /// Where the piece stands by now.
    cell: u8,
}

/// The material that changes hands in a line, as `side` sees it.
fn material<G: Game>(
    handmade: &Handmade<G>,
    root: &Position<G>,
    line: &[Move],
    side: Side,
) -> Material {
    let kinds = 0..root.spec().pieces.len() as Kind;
    // Ply, whether `side` makes it, what is taken.
    let mut captures: Vec<(usize, bool, Kind)> = Vec::new();
    let mut promotions: Vec<Promotion> = Vec::new();
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
            // What was a pawn when the line began is lost as a pawn, and its promotion has given nothing.
            let promoted = promotions
                .iter()
                .position(|pawn| pawn.own != own && pawn.cell == mv.to);
            let kind = promoted.map_or(kind, |place| {
                promotions.remove(place);
                PAWN
            });
            captures.push((ply, own, kind));
        }
        for piece in promotions.iter_mut().filter(|p| p.cell == mv.from) {
            piece.cell = mv.to;
        }
        promotions.extend(mv.promotion().map(|kind| Promotion {
            ply,
            own,
            kind,
            cell: mv.to,
        }));
        position = next;
    }
    let mut net = vec![0i32; kinds.len()];
    for &(_, own, kind) in &captures {
        net[usize::from(kind)] += if own { 1 } else { -1 };
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
    let promoted = |own: bool| promotions.iter().filter(move |pawn| pawn.own == own);
    let became = |own: bool| promoted(own).map(|pawn| letter(pawn.kind)).collect();
    let sum = |own: bool| promoted(own).map(|pawn| becomes(pawn.kind)).sum::<i32>();
    let traded: i32 = by_value
        .iter()
        .map(|&kind| net[usize::from(kind)] * value(kind))
        .sum();
    // The ply from which on a side has won some of a kind; what it takes before is traded.
    let won_at = |kind: Kind, own: bool| {
        let (mut balance, mut at) = (0, 0);
        for &(ply, by, _) in captures.iter().filter(|capture| capture.2 == kind) {
            if by == own && balance == 0 {
                at = ply;
            }
            balance += if by == own { 1 } else { -1 };
        }
        at
    };
    // Where the most valuable of what changes hands does so.
    let place = |own: bool| {
        let sign = if own { 1 } else { -1 };
        let won = by_value
            .iter()
            .filter(|&&kind| sign * net[usize::from(kind)] > 0);
        let won = won.map(|&kind| (value(kind), won_at(kind, own)));
        let gains = won.chain(promoted(own).map(|pawn| (becomes(pawn.kind), pawn.ply)));
        let best = gains
            .filter(|gain| gain.0 > 0)
            .max_by_key(|&(gain, ply)| (gain, -(ply as i32)));
        best.map_or(0, |(_, ply)| ply)
    };
    Material {
        wins: letters(1),
        loses: letters(-1),
        promotes: became(true),
        concedes: became(false),
        worth: traded + sum(true) - sum(false),
        won_at: place(true),
        lost_at: place(false),
    }
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{BuiltIn, Glinski, Hexachess, Mccooey};

    use super::*;

    /// The way of a line of cells with its end.
    fn way_of<G: BuiltIn>(fen: &str, line: &str, cp: i32) -> Way {
        let root: Position<G> = fen.parse().unwrap();
        let mut end = root;
        let moves = line.split(' ').map(|text| {
            let mv = end.parse_move(text).unwrap();
            end.play(mv).unwrap();
            mv
        });
        let line = Line {
            moves: moves.collect(),
            score: Score::Cp(cp),
            bound: None,
        };
        let handmade = Handmade::of(root.game());
        way(&handmade, &Record::new(root), &line).0
    }

    fn won_and_lost(material: &Material) -> [&str; 4] {
        let Material {
            wins,
            loses,
            promotes,
            concedes,
            ..
        } = material;
        [wins, loses, promotes, concedes].map(|text| &**text)
    }

    #[test]
    fn a_promoted_piece_that_is_taken_counts_as_the_pawn_it_was() {
        let way = way_of::<Hexachess>(
            "1/1P1/5/7/9/11/5k5/r2R1p5/11/9K1/11 b - - 0 1",
            "a4d4 f10f11q d4f6 f11f6 f5f6",
            510,
        );
        assert_eq!(won_and_lost(&way.material), ["P", "", "", ""]);
        assert_eq!((way.material.won_at, way.material.lost_at), (5, 0));
        let loses = way_of::<Glinski>(
            "1/3/5/2k4/9/11/p7p2/p2B7/11/5p5/1K4R4 b - - 0 1",
            "f2f1q g1f1",
            -724,
        );
        assert_eq!(won_and_lost(&loses.material), ["", "P", "", ""]);
        assert_eq!(loses.material.lost_at, 2);
        // Only the one that was taken: the other queen stays.
        let both = way_of::<Glinski>(
            "1/3/5/7/9/11/10P/7K3/5b5/7p1N1/6k4 w - - 0 1",
            "h4h3 h2h1q k2h1 g1h1 l5l6q",
            1045,
        );
        assert_eq!(won_and_lost(&both.material), ["P", "N", "Q", ""]);
        assert_eq!((both.material.won_at, both.material.lost_at), (5, 4));
    }

    #[test]
    fn a_recapture_is_not_what_wins_or_loses() {
        let lost = way_of::<Mccooey>(
            "1/kb1/3b1/rbr1pnp/4p4/11/4P2P3/5PP4/2P4BR2/4NB3R1/2P2K2P2 w - - 1 27",
            "e5f7 g8f7 h3i4 f10i4 i3i4 c8c4 i4k4 e8k4 k2k4 c4f4",
            -15,
        );
        assert_eq!(won_and_lost(&lost.material), ["", "P", "", ""]);
        assert_eq!(lost.material.lost_at, 10);
        let won = way_of::<Glinski>(
            "1/1k1/1b3/4r2/3ppb3/1r5pp2/2pp1PPP1p1/1p3RB1P2/3P4PB1/2P3K2B1/1P9 w - - 0 32",
            "i4i5 k5i5 h5i5 g8h8 i5h6 i6h6 f4h2 f10g8 k3l4 g8f9 k2h6",
            -265,
        );
        assert_eq!(won_and_lost(&won.material), ["P", "", "", ""]);
        assert_eq!(won.material.won_at, 11);
    }

    /// A score of 0 where somebody could go back: nobody has to.
    #[test]
    fn a_line_that_could_be_repeated_has_not_been() {
        let fen = Glinski.spec().start;
        let line = "f1g2 d9c6 g2f1";
        let could = way_of::<Glinski>(fen, line, 0);
        assert_eq!(could.end, End::Return);
        let has = way_of::<Glinski>(fen, &format!("{line} c6d9"), 0);
        assert_eq!(has.end, End::Repetition);
        assert_ne!(way_of::<Glinski>(fen, line, 1).end, End::Return);
    }
}
