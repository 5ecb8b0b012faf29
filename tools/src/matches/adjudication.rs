//! Adjudication by the engines' scores, or by the length of a game.

use hexmate_engine::{MATE_IN_MAX, Score, Shown, Wdl, men_left};
use hexmate_movegen::{Game, Position, Side};

use super::game_record::GameResult;
use super::options::{DrawRule, Lost, Options, Resign};
use super::player::side_index;
use crate::outcome::side_name;

/// Watches the scores of a game.
pub struct Adjudicator {
    resign: Option<Resign>,
    draw: Option<DrawRule>,
    max_plies: Option<u64>,
    plies: u64,
    /// Consecutive moves for which White, or Black, considered itself lost.
    lost: [u32; 2],
    /// Consecutive moves for which White, or Black, considered itself won.
    won: [u32; 2],
    level: u32,
}

impl Adjudicator {
    /// By the rules of a match.
    pub fn new(options: &Options) -> Self {
        Adjudicator {
            resign: options.resign,
            draw: options.draw,
            max_plies: options.maxmoves.map(|moves| 2 * u64::from(moves)),
            plies: 0,
            lost: [0; 2],
            won: [0; 2],
            level: 0,
        }
    }

    /// Takes a move into account: who made it, its score from the mover's side, and the position after it.
    pub fn moved<G: Game>(&mut self, side: Side, score: Option<Shown>, after: &Position<G>) {
        self.plies += 1;
        let (cp, mate) = match score {
            // Any score that an engine may write can be negated.
            Some(Shown::Centipawns(cp)) => (Some(i64::from(cp)), 0),
            Some(Shown::Mate(n)) => (None, if n > 0 { 1 } else { -1 }),
            None => (None, 0),
        };
        if let Some(resign) = self.resign {
            let is_won = |cp: i64| match resign.lost {
                Lost::Score(least) => cp >= i64::from(least),
                Lost::Chance(percent) => {
                    let most = i64::from(MATE_IN_MAX) - 1;
                    let cp = cp.clamp(-most, most) as Score;
                    let [won, _, _] = Wdl::of(after.game()).chances(cp, men_left(after));
                    won * 100.0 >= f64::from(percent)
                }
            };
            let beyond = |sign: i64| mate == sign || cp.is_some_and(|cp| is_won(sign * cp));
            let side = side_index(side);
            count(&mut self.lost[side], beyond(-1));
            count(&mut self.won[side], beyond(1));
        }
        if let Some(draw) = self.draw {
            if after.halfmove_clock() == 0 {
                self.level = 0;
            } else {
                let level = cp.is_some_and(|cp| cp.abs() <= i64::from(draw.score));
                count(&mut self.level, level);
            }
        }
    }

    /// The result and its reason, if the game is to be adjudicated now.
    pub fn verdict<G: Game>(&self, position: &Position<G>) -> Option<(GameResult, String)> {
        let draw = |why: &str| Some((GameResult::of_white(2), format!("Draw by {why}")));
        if let Some(resign) = self.resign {
            for winner in [Side::White, Side::Black] {
                let (own, other) = (side_index(winner), side_index(winner.other()));
                let agreed = !resign.twosided || self.won[own] >= resign.movecount;
                if self.lost[other] >= resign.movecount && agreed {
                    let quarters = if winner == Side::White { 4 } else { 0 };
                    let reason = format!("{} wins by adjudication", side_name(winner));
                    return Some((GameResult::of_white(quarters), reason));
                }
            }
        }
        if let Some(rule) = self.draw
            && u32::from(position.fullmove_number()) >= rule.movenumber
            && self.level >= rule.movecount.saturating_mul(2)
        {
            return draw("adjudication");
        }
        match self.max_plies {
            Some(most) if self.plies >= most => draw("adjudication (maxmoves)"),
            _ => None,
        }
    }
}

fn count(row: &mut u32, goes_on: bool) {
    *row = if goes_on { *row + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::Glinski;

    use super::super::dialect;
    use super::*;

    /// The options of a match with these rules.
    fn options(rules: &str) -> Options {
        let words = "-engine cmd=internal name=a -engine cmd=internal name=b -each nodes=1 ";
        let words = words.to_owned() + rules;
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        dialect::options(&dialect::groups(&words).unwrap()).unwrap()
    }

    /// The start after other moves: its last two numbers are these.
    fn position(numbers: &str) -> Position<Glinski> {
        let fen = Position::<Glinski>::start().to_string();
        fen.replace("0 1", numbers).parse().unwrap()
    }

    /// Each word of a rule counts: what White and Black told, where, and the quarters for White.
    #[test]
    fn rules_mean_what_they_say() {
        let resign = "-resign movecount=1 score=500";
        let both = "-resign movecount=1 score=500 twosided=true";
        let draw = "-draw movenumber=4 movecount=1 score=10";
        let (cp, mate) = (Shown::Centipawns, Shown::Mate);
        for (rules, scores, numbers, quarters) in [
            (resign, [cp(0), cp(-499)], "6 4", None),
            (resign, [cp(0), cp(-500)], "6 4", Some(4)),
            (resign, [cp(-500), cp(0)], "6 4", Some(0)),
            (resign, [cp(0), mate(-9)], "6 4", Some(4)),
            (resign, [mate(9), cp(0)], "6 4", None),
            // The winner must agree where both are asked.
            (both, [cp(499), cp(-500)], "6 4", None),
            (both, [cp(500), cp(-500)], "6 4", Some(4)),
            (both, [mate(-9), mate(9)], "6 4", Some(0)),
            (draw, [cp(10), cp(-10)], "6 4", Some(2)),
            (draw, [cp(10), cp(-11)], "6 4", None),
            (draw, [cp(0), mate(9)], "6 4", None),
            (draw, [cp(10), cp(-10)], "6 3", None),
            // A capture or a pawn's move begins the count anew.
            (draw, [cp(10), cp(-10)], "0 4", None),
        ] {
            let mut adjudicator = Adjudicator::new(&options(rules));
            let position = position(numbers);
            for (side, score) in [Side::White, Side::Black].into_iter().zip(scores) {
                adjudicator.moved(side, Some(score), &position);
            }
            let result = adjudicator.verdict(&position).map(|(result, _)| result);
            let case = format!("{rules}: {scores:?} at {numbers}");
            assert_eq!(result, quarters.map(GameResult::of_white), "{case}");
        }
    }

    /// A score that wins nearly every game by the measured chances ends it, a smaller one does not.
    #[test]
    fn chances_that_were_measured() {
        let options = options("-resign movecount=2 chance=98");
        let start = Position::<Glinski>::start();
        let chance = |cp| Wdl::of(Glinski).chances(cp, 1.0)[0];
        let enough = (1..).find(|&cp| chance(cp) >= 0.98).unwrap();
        for (cp, ends) in [(enough - 1, false), (enough, true)] {
            let mut adjudicator = Adjudicator::new(&options);
            for _ in 0..2 {
                adjudicator.moved(Side::White, Some(Shown::Centipawns(cp)), &start);
                adjudicator.moved(Side::Black, Some(Shown::Centipawns(-cp)), &start);
            }
            assert_eq!(adjudicator.verdict(&start).is_some(), ends, "{cp}");
        }
    }

    /// The extreme scores are accepted.
    #[test]
    fn scores_without_measure() {
        let options =
            options("-resign movecount=1 score=500 -draw movenumber=1 movecount=1 score=10");
        for (cp, winner) in [(i32::MIN, 0), (i32::MAX, 4)] {
            let mut adjudicator = Adjudicator::new(&options);
            // The move number has been reached before.
            let position = position("6 4");
            adjudicator.moved(Side::White, Some(Shown::Centipawns(cp)), &position);
            let other = Some(Shown::Centipawns(!cp));
            adjudicator.moved(Side::Black, other, &position);
            let (result, _) = adjudicator.verdict(&position).expect("somebody gives up");
            assert_eq!(result, GameResult::of_white(winner), "{cp}");
        }
    }
}
