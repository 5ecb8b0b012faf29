//! The judgement of a game's moves. No input or output.

use std::collections::BTreeMap;

use hexmate_movegen::GameId;
use serde::Serialize;
use serde_json::Value;

use crate::analyse::{Analysis, Answer, Score};
use crate::wdl::expected;

/// A game judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The record's id.
    pub id: Value,
    /// The game.
    pub game: &'static str,
    /// White's share of the point that was to be expected before the first move, from 0 to 1.
    pub expected: f64,
    /// White's sum.
    pub white: Sum,
    /// Black's.
    pub black: Sum,
    /// All moves.
    pub moves: Vec<Judged>,
}

/// What a side's moves come to.
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

/// A move judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judged {
    /// The number of the move.
    pub number: usize,
    /// Whether White made it.
    pub white: bool,
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The move that the search would have made.
    pub best: Option<String>,
    /// White's share of the point that is to be expected after it, from 0 to 1.
    pub expected: f64,
    /// What the mover lost by it, in points.
    pub loss: f64,
    /// Its accuracy in per cent.
    pub accuracy: f64,
    /// What is to be said of it, if anything.
    pub judgement: Option<Judgement>,
}

/// A bad move's name, by the points that it loses: those of lichess.org, which counts 0.1, 0.2 and 0.3 on a
/// scale from -1 to 1.
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
    fn of(loss: f64) -> Option<Judgement> {
        match loss {
            l if l >= 0.15 => Some(Judgement::Blunder),
            l if l >= 0.1 => Some(Judgement::Mistake),
            l if l >= 0.05 => Some(Judgement::Inaccuracy),
            _ => None,
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
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * 100.0 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The share of the point that the side to move may expect, and whether it is White.
fn outlook(analysis: &Analysis) -> (f64, bool) {
    let white = analysis.fen.split(' ').nth(1) == Some("w");
    let expected = match analysis.found.score {
        Score::Cp(_) if analysis.found.status == "draw" => 0.5,
        Score::Cp(cp) => expected(cp),
        // 0: it is mated now.
        Score::Mate(moves) => f64::from(u8::from(moves > 0)),
    };
    (expected, white)
}

/// The analysis of an answer.
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
    /// Judges the moves by the answers to the positions before, between and after them (one more than
    /// moves, or fewer if the game breaks off), and to each move, by its place, that is not the best.
    ///
    /// # Errors
    /// If a position could not be analysed: what the answer says.
    pub fn of(
        id: &Value,
        game: GameId,
        played: &[&str],
        answers: &[Answer],
        alone: &BTreeMap<usize, Answer>,
    ) -> Result<Review, String> {
        let analyses = answers
            .iter()
            .map(analysis)
            .collect::<Result<Vec<_>, _>>()?;
        let of_white = |(share, white): (f64, bool)| if white { share } else { 1.0 - share };
        let mut moves = Vec::new();
        for (i, (pair, played)) in analyses.windows(2).zip(played).enumerate() {
            let (best, white) = outlook(pair[0]);
            let loss = match alone.get(&i) {
                Some(answer) => (best - outlook(analysis(answer)?).0).max(0.0),
                None => 0.0,
            };
            let number = pair[0].fen.rsplit(' ').next().and_then(|n| n.parse().ok());
            moves.push(Judged {
                number: number.unwrap_or(0),
                white,
                played: played.to_ascii_lowercase(),
                best: pair[0].found.bestmove.clone(),
                expected: of_white(outlook(pair[1])),
                loss,
                accuracy: accuracy(loss),
                judgement: Judgement::of(loss),
            });
        }
        Ok(Review {
            id: id.clone(),
            game: game.name(),
            expected: analyses
                .first()
                .map_or(0.5, |first| of_white(outlook(first))),
            white: Sum::of(moves.iter().filter(|m| m.white)),
            black: Sum::of(moves.iter().filter(|m| !m.white)),
            moves,
        })
    }
}

impl Sum {
    fn of<'m>(moves: impl Iterator<Item = &'m Judged>) -> Sum {
        let mut sum = Sum::default();
        let (mut accuracy, mut loss) = (0.0, 0.0);
        for one in moves {
            sum.moves += 1;
            accuracy += one.accuracy;
            loss += one.loss;
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

    /// An answer with this side to move, score and best move.
    fn answer(side: char, number: u32, score: &str, best: &str, status: &str) -> Answer {
        let json = format!(
            r#"{{"id":1,"game":"glinski","fen":"x {side} - - 0 {number}","status":"{status}","bestmove":"{best}","score":{score},"depth":1,"seldepth":1,"nodes":1,"time_ms":0,"pv":[]}}"#
        );
        Answer::of_json(&json).unwrap()
    }

    #[test]
    fn losses_of_both_sides() {
        let answers = [
            answer('w', 1, r#"{"cp":0}"#, "a1a2", "ok"),
            // White played the best move; that the score fell is the search's affair.
            answer('b', 1, r#"{"cp":100}"#, "b7b6", "ok"),
            // Black threw away a good position.
            answer('w', 2, r#"{"cp":191}"#, "c1c2", "ok"),
            answer('b', 2, r#"{"mate":0}"#, "", "checkmate"),
        ];
        // By itself, Black's move leaves Black a quarter of the point.
        let alone = BTreeMap::from([(1, answer('b', 1, r#"{"cp":-191}"#, "b7b5", "ok"))]);
        let played = ["a1a2", "b7b5", "C1C2"];
        assert!(is_best(&answers[2], "C1C2") && !is_best(&answers[1], "b7b5"));
        let review = Review::of(&7.into(), GameId::Glinski, &played, &answers, &alone).unwrap();
        let losses: Vec<f64> = review.moves.iter().map(|m| m.loss).collect();
        assert_eq!((losses[0], losses[2]), (0.0, 0.0));
        // 0.64 expected before, 0.25 after.
        let expected = 1.0 / (1.0 + 10f64.powf(-0.25)) - 0.25;
        assert!((losses[1] - expected).abs() < 1e-3, "{losses:?}");
        assert_eq!(review.moves[1].judgement, Some(Judgement::Blunder));
        assert_eq!((review.black.blunders, review.white.blunders), (1, 0));
        assert_eq!(review.moves[2].expected, 1.0);
        assert!(review.white.accuracy.unwrap() > 99.9);
        assert!(review.black.accuracy.unwrap() < 20.0);
        assert_eq!((review.white.moves, review.black.moves), (2, 1));
    }

    #[test]
    fn a_game_without_moves() {
        let answers = [answer('w', 1, r#"{"cp":0}"#, "a1a2", "ok")];
        let review =
            Review::of(&1.into(), GameId::Glinski, &[], &answers, &BTreeMap::new()).unwrap();
        assert_eq!((review.moves.len(), review.white.accuracy), (0, None));
    }

    #[test]
    fn accuracies() {
        assert!((accuracy(0.0) - 100.0).abs() < 1e-3);
        assert!(accuracy(0.1) > accuracy(0.2));
        assert_eq!(accuracy(1.0), 0.0);
    }
}
