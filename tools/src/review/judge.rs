//! The judgement of a game's moves. No input or output.
//!
//! A move is judged by two numbers: the expected score of its side before it, from the search of the
//! position, and the expected score after it, from a search of the same position restricted to this move. If
//! the latter is greater, the first search was wrong: then the move was the best, and both are the greater
//! number. Loss, accuracy, judgement and everything else that is shown follow from these two.

use std::collections::BTreeMap;

use hexmate_movegen::{AnyPosition, GameId, san};
use serde::Serialize;
use serde_json::Value;

use crate::analyse::{Analysis, Answer};
use crate::chances::expected;
use crate::explain::Explanation;

/// How many moves of a better line are told, unless its explanation quotes a later one.
const MOST_OF_LINE: usize = 8;

/// A reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The record's id.
    pub id: Value,
    /// The game.
    pub game: &'static str,
    /// The same.
    #[serde(skip)]
    pub rules: GameId,
    /// Who played, where and when.
    #[serde(flatten)]
    pub about: About,
    /// The position before the first move.
    pub fen: String,
    /// White's expected score before the first move.
    pub expected: Share,
    /// White's summary.
    pub white: Sum,
    /// Black's.
    pub black: Sum,
    /// All moves.
    pub moves: Vec<Judged>,
    /// Why the game breaks off after them, and where; `None` if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A game of which nothing could be reviewed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// Who was to play.
    pub about: About,
    /// What is wrong with it, and where.
    pub error: String,
}

/// What a record says of its game, beside the moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct About {
    /// Who had White, and who Black.
    pub players: [Option<String>; 2],
    /// Their ratings, for games in PGN.
    #[serde(skip)]
    pub ratings: [Option<String>; 2],
    /// The tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Where it was played, for games in PGN.
    #[serde(skip)]
    pub site: Option<String>,
    /// The day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

/// The summary of a side's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Sum {
    /// How many moves it made.
    pub moves: usize,
    /// The mean accuracy of its moves in per cent; `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean loss of its moves in points; `None` without moves.
    pub loss: Option<f64>,
    /// Moves of this kind.
    pub inaccuracies: usize,
    /// Moves of this kind.
    pub mistakes: usize,
    /// Moves of this kind.
    pub blunders: usize,
}

/// A reviewed move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judged {
    /// The number of the move.
    pub number: usize,
    /// Whether White made it.
    pub white: bool,
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The same in standard algebraic notation.
    pub san: String,
    /// The best move.
    pub best: Option<String>,
    /// How the game might have gone on with the best move, in standard algebraic notation.
    pub best_line: Vec<String>,
    /// The position before it.
    pub fen: String,
    /// White's expected score before it.
    pub before: Share,
    /// The same after it.
    pub after: Share,
    /// What the mover lost by it: the difference.
    pub loss: Share,
    /// Its accuracy in per cent.
    pub accuracy: f64,
    /// The judgement, if any.
    pub judgement: Option<Judgement>,
    /// What separates the best move from it, if it was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A share of the point, in thousandths: displayed values are those used in calculations. In JSON from 0 to
/// 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(into = "f64")]
pub struct Share(u32);

impl Share {
    const WHOLE: u32 = 1000;
    /// Half of the point.
    const HALF: Share = Share(Self::WHOLE / 2);

    fn of(points: f64) -> Share {
        Share((points.clamp(0.0, 1.0) * f64::from(Self::WHOLE)).round() as u32)
    }

    /// What is left for the opponent.
    fn others(self) -> Share {
        Share(Self::WHOLE - self.0)
    }

    /// In points, from 0 to 1.
    pub fn points(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> f64 {
        share.points()
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3}", self.points())
    }
}

/// The name of a bad move, by its loss in points: the thresholds of lichess.org, which are 0.1, 0.2 and 0.3
/// on a scale from -1 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// At least 0.05.
    Inaccuracy,
    /// At least 0.1.
    Mistake,
    /// At least 0.15.
    Blunder,
}

impl Judgement {
    fn of(loss: Share) -> Option<Judgement> {
        match loss.0 {
            150.. => Some(Judgement::Blunder),
            100.. => Some(Judgement::Mistake),
            50.. => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }

    /// The sign of a move of this kind.
    pub fn sign(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// The accuracy of a move in per cent, by the formula of lichess.org/page/accuracy for a loss in points.
fn accuracy(loss: Share) -> f64 {
    (103.1668 * (-0.04354 * 100.0 * loss.points()).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The expected score of the side to move.
fn outlook(game: GameId, analysis: &Analysis) -> Share {
    let found = &analysis.found;
    match &*found.status {
        "draw" => Share::HALF,
        _ => Share::of(expected(game, &analysis.fen, &found.score, &found.pv)),
    }
}

/// The analysis in an answer.
fn analysis(answer: &Answer) -> Result<&Analysis, String> {
    match answer {
        Answer::Analysis(analysis) => Ok(analysis),
        Answer::Error(fault) => Err(fault.error.clone()),
    }
}

/// Whether a search would have made this move.
pub fn is_best(answer: &Answer, played: &str) -> bool {
    let best = analysis(answer)
        .ok()
        .and_then(|a| a.found.bestmove.as_deref());
    best.is_some_and(|best| best.eq_ignore_ascii_case(played))
}

impl Review {
    /// Judges the moves by the answers to all positions of the game (one more than moves, or fewer if the
    /// game stops early), and by the answers to each move that is not the best, by its place.
    ///
    /// # Errors
    /// If a position could not be analysed: what the answer says.
    pub fn of(
        id: &Value,
        game: GameId,
        about: About,
        played: &[&str],
        answers: &[Answer],
        alone: &BTreeMap<usize, Answer>,
    ) -> Result<Review, String> {
        let analyses = answers
            .iter()
            .map(analysis)
            .collect::<Result<Vec<_>, _>>()?;
        let mut moves = Vec::new();
        // After each position but the last a move was made.
        let made = analyses.split_last().map_or(&[][..], |(_, before)| before);
        for (i, (position, played)) in made.iter().zip(played).enumerate() {
            let alone = alone.get(&i).map(analysis).transpose()?;
            moves.push(Judged::of(game, position, played, alone));
        }
        let first = || {
            analyses
                .first()
                .map_or(Share::HALF, |a| of_white(a, outlook(game, a)))
        };
        Ok(Review {
            id: id.clone(),
            game: game.name(),
            rules: game,
            about,
            fen: analyses.first().map(|a| a.fen.clone()).unwrap_or_default(),
            expected: moves.first().map_or_else(first, |m| m.before),
            white: Sum::of(moves.iter().filter(|m| m.white)),
            black: Sum::of(moves.iter().filter(|m| !m.white)),
            moves,
            error: None,
        })
    }
}

fn is_whites_turn(analysis: &Analysis) -> bool {
    analysis.fen.split(' ').nth(1) == Some("w")
}

/// White's share, given that of the side to move.
fn of_white(analysis: &Analysis, own: Share) -> Share {
    if is_whites_turn(analysis) {
        own
    } else {
        own.others()
    }
}

impl Judged {
    /// The judgement of a move by the search of its position, and by that of the move alone unless it is the
    /// best.
    pub fn of(game: GameId, position: &Analysis, played: &str, alone: Option<&Analysis>) -> Judged {
        let played = played.to_ascii_lowercase();
        let mut before = outlook(game, position);
        let mut after = alone.map_or(before, |alone| outlook(game, alone));
        // Of equal scores one may be told by a line that goes on to a stalemate, and the other not.
        if alone.is_some_and(|alone| alone.found.score == position.found.score) {
            after = after.max(before);
        }
        let mut best = position.found.bestmove.clone();
        let mut line = &position.found.pv;
        if after > before {
            before = after;
            best = Some(played.clone());
            line = alone.map_or(line, |alone| &alone.found.pv);
        }
        let best_line = in_san(game, &position.fen, line);
        let own = in_san(game, &position.fen, std::slice::from_ref(&played));
        let loss = Share(before.0 - after.0);
        let number = position.fen.rsplit(' ').next().and_then(|n| n.parse().ok());
        Judged {
            number: number.unwrap_or(0),
            white: is_whites_turn(position),
            san: own.into_iter().next().unwrap_or_else(|| played.clone()),
            played,
            best,
            best_line,
            fen: position.fen.clone(),
            before: of_white(position, before),
            after: of_white(position, after),
            loss,
            accuracy: accuracy(loss),
            judgement: Judgement::of(loss),
            explanation: None,
        }
    }

    /// Says what separates the best move from it. The words quote the line of the explanation, which goes on with
    /// captures: so does the better line.
    pub fn explain(&mut self, explanation: Option<Explanation>, game: GameId) {
        if let Some(why) = &explanation {
            let line = in_san(game, &self.fen, &why.best.line);
            if line.starts_with(&self.best_line) {
                self.best_line = line;
            }
        }
        self.explanation = explanation;
    }

    /// The better line as far as it is told: what its explanation quotes is in it.
    pub fn told_line(&self) -> &[String] {
        let quoted = self.explanation.iter().flat_map(|why| {
            let plies = [why.best.material.won_at, why.best.material.lost_at];
            let is_quoted = |&ply: &usize| {
                let san = ply.checked_sub(1).and_then(|at| self.best_line.get(at));
                san.is_some_and(|san| why.words.contains(san.as_str()))
            };
            plies.into_iter().filter(is_quoted)
        });
        let told = quoted.fold(MOST_OF_LINE, usize::max);
        &self.best_line[..told.min(self.best_line.len())]
    }
}

/// A line of moves in standard algebraic notation, as far as it can be played.
fn in_san(game: GameId, fen: &str, line: &[String]) -> Vec<String> {
    let Ok(mut position) = AnyPosition::from_fen(game, fen) else {
        return Vec::new();
    };
    let mut moves = Vec::new();
    for cells in line {
        let Ok(mv) = position.parse_move(cells) else {
            break;
        };
        moves.push(san(&position, mv));
        position = position.after(mv);
    }
    moves
}

impl Sum {
    /// The summary of these moves.
    pub fn of<'m>(moves: impl Iterator<Item = &'m Judged>) -> Sum {
        let mut sum = Sum::default();
        let (mut accuracy, mut loss) = (0.0, 0.0);
        for one in moves {
            sum.moves += 1;
            accuracy += one.accuracy;
            loss += one.loss.points();
            match one.judgement {
                Some(Judgement::Inaccuracy) => sum.inaccuracies += 1,
                Some(Judgement::Mistake) => sum.mistakes += 1,
                Some(Judgement::Blunder) => sum.blunders += 1,
                None => {}
            }
        }
        let mean = |total: f64| (sum.moves > 0).then(|| total / sum.moves as f64);
        Sum {
            accuracy: mean(accuracy),
            loss: mean(loss),
            ..sum
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Score;

    /// An answer with this side to move, score and best move.
    fn answer(side: char, number: u32, score: &str, best: &str, status: &str) -> Answer {
        let json = format!(
            r#"{{"id":1,"game":"glinski","fen":"x {side} - - 0 {number}","status":"{status}","bestmove":"{best}","score":{score},"depth":1,"seldepth":1,"nodes":1,"time_ms":0,"pv":[]}}"#
        );
        Answer::of_json(&json).unwrap()
    }

    /// The expected score of the side to move in such an answer.
    fn share(cp: i32) -> Share {
        Share::of(expected(GameId::Glinski, "x", &Score::Cp(cp), &[]))
    }

    #[test]
    fn losses_of_both_sides() {
        let answers = [
            answer('w', 1, r#"{"cp":0}"#, "a1a2", "ok"),
            // White played the best move; that the score fell is due to the search.
            answer('b', 1, r#"{"cp":100}"#, "b7b6", "ok"),
            // Black threw away a good position.
            answer('w', 2, r#"{"cp":191}"#, "c1c2", "ok"),
            answer('b', 2, r#"{"mate":0}"#, "", "checkmate"),
        ];
        // By itself, Black's move leaves Black a quarter of the point.
        let alone = BTreeMap::from([(1, answer('b', 1, r#"{"cp":-191}"#, "b7b5", "ok"))]);
        let played = ["a1a2", "b7b5", "C1C2"];
        assert!(is_best(&answers[2], "C1C2") && !is_best(&answers[1], "b7b5"));
        let review = Review::of(
            &7.into(),
            GameId::Glinski,
            About::default(),
            &played,
            &answers,
            &alone,
        )
        .unwrap();
        let losses: Vec<u32> = review.moves.iter().map(|m| m.loss.0).collect();
        let (before, after) = (share(100).0, share(-191).0);
        assert!(before > 600 && after < 300, "{before}, {after}");
        assert_eq!(losses, [0, before - after, 0]);
        let shares: Vec<_> = review
            .moves
            .iter()
            .map(|m| (m.before.0, m.after.0))
            .collect();
        // White's; those of the best moves are the scores of their positions.
        let (before, after) = (1000 - before, 1000 - after);
        assert_eq!(shares, [(500, 500), (before, after), (after, after)]);
        assert_eq!(review.expected, review.moves[0].before);
        assert_eq!(review.moves[1].judgement, Some(Judgement::Blunder));
        assert_eq!((review.black.blunders, review.white.blunders), (1, 0));
        assert!(review.white.accuracy.unwrap() > 99.9);
        assert!(review.black.accuracy.unwrap() < 20.0);
        assert_eq!((review.white.moves, review.black.moves), (2, 1));
    }

    /// The search underestimated a move that on its own turns out better than its best one.
    #[test]
    fn a_move_that_is_better_than_the_best_loses_nothing() {
        let answers = [
            answer('b', 7, r#"{"cp":-100}"#, "a1a2", "ok"),
            answer('w', 8, r#"{"cp":300}"#, "b1b2", "ok"),
        ];
        let alone = BTreeMap::from([(0, answer('b', 7, r#"{"cp":20}"#, "a1a3", "ok"))]);
        let review = Review::of(
            &1.into(),
            GameId::Glinski,
            About::default(),
            &["A1A3"],
            &answers,
            &alone,
        )
        .unwrap();
        let one = &review.moves[0];
        assert_eq!((one.loss, one.judgement), (Share(0), None));
        let better = share(20).others();
        assert_eq!((one.before, one.after), (better, better));
        assert_eq!(one.best.as_deref(), Some("a1a3"));
        assert_eq!(review.expected, one.before);
    }

    /// Of equal scores only one is told by a line that goes on to the stalemate.
    #[test]
    fn a_move_of_the_same_score_loses_nothing() {
        let json = |best: &str| {
            let json = format!(
                r#"{{"id":1,"game":"glinski","fen":"1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1","status":"ok","bestmove":"{best}","score":{{"cp":191}},"depth":1,"seldepth":1,"nodes":1,"time_ms":0,"pv":["{best}"]}}"#
            );
            match Answer::of_json(&json).unwrap() {
                Answer::Analysis(analysis) => *analysis,
                Answer::Error(_) => panic!("{json}"),
            }
        };
        let (stalemates, goes_on) = (json("c4b4"), json("c4c3"));
        for (best, played) in [(&stalemates, &goes_on), (&goes_on, &stalemates)] {
            let mv = played.found.bestmove.as_deref().unwrap();
            let judged = Judged::of(GameId::Glinski, best, mv, Some(played));
            assert_eq!((judged.loss, judged.judgement), (Share(0), None));
            assert_eq!(judged.after, Share(750));
        }
    }

    /// A move into a stalemate is worth what the stalemate gives, not what its score promises elsewhere.
    #[test]
    fn a_move_that_gives_stalemate() {
        let json = |best: &str, score: i32, pv: &str| {
            let json = format!(
                r#"{{"id":1,"game":"glinski","fen":"1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1","status":"ok","bestmove":"{best}","score":{{"cp":{score}}},"depth":1,"seldepth":1,"nodes":1,"time_ms":0,"pv":["{pv}"]}}"#
            );
            Answer::of_json(&json).unwrap()
        };
        let answers = [
            json("c4c3", 191, "c4c3"),
            answer('b', 1, r#"{"cp":-191}"#, "", "stalemate"),
        ];
        let alone = BTreeMap::from([(0, json("c4b4", 191, "c4b4"))]);
        let review = Review::of(
            &1.into(),
            GameId::Glinski,
            About::default(),
            &["c4b4"],
            &answers,
            &alone,
        )
        .unwrap();
        let one = &review.moves[0];
        assert_eq!((one.after, one.loss), (Share(750), Share(0)));
        assert_eq!(one.best.as_deref(), Some("c4b4"));
    }

    #[test]
    fn lines_are_told_in_san() {
        let start = AnyPosition::start(GameId::Glinski).to_string();
        let line = ["e1c3", "e7e6", "x", "c3c2"].map(str::to_owned);
        assert_eq!(in_san(GameId::Glinski, &start, &line), ["Qc3", "e6"]);
        assert!(in_san(GameId::Glinski, "x", &line).is_empty());
    }

    #[test]
    fn a_game_without_moves() {
        let answers = [answer('w', 1, r#"{"cp":0}"#, "a1a2", "ok")];
        let review = Review::of(
            &1.into(),
            GameId::Glinski,
            About::default(),
            &[],
            &answers,
            &BTreeMap::new(),
        )
        .unwrap();
        assert_eq!((review.moves.len(), review.white.accuracy), (0, None));
    }

    #[test]
    fn accuracies() {
        assert!((accuracy(Share(0)) - 100.0).abs() < 1e-3);
        assert!(accuracy(Share(100)) > accuracy(Share(200)));
        assert_eq!(accuracy(Share(Share::WHOLE)), 0.0);
    }
}
