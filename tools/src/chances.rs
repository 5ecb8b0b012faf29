//! Chances of winning, drawing and losing, as they are shown to users.

use hexmate_engine::{Chances, MATE, Score, Wdl, men_left, score_of_quarters};
use hexmate_movegen::{
    AnyPosition, Game, GameId, Move, Outcome, Position, Side, with_game, with_position,
};

use crate::score::Score as Shown;

/// Win, draw and loss in thousandths for a score of the side to move and the line that leads to it; together 1000.
pub fn wdl<G: Game>(score: Score, position: &Position<G>, line: &[Move]) -> [u32; 3] {
    Wdl::thousandths(chances(score, position, line))
}

/// The same for a score as answers have it, without its line. A mate is certain.
pub fn wdl_of(score: &Shown, position: &AnyPosition) -> [u32; 3] {
    with_position!(position, p => wdl(plain(score), p, &[]))
}

/// The same if the side to move is stalemated.
pub fn stalemated<G: Game>(game: G) -> [u32; 3] {
    Wdl::thousandths(of_quarters(game.spec().stalemate_quarters))
}

/// The expected score of the side to move.
pub fn share<G: Game>(score: &Shown, position: &Position<G>, line: &[Move]) -> f64 {
    Wdl::expected(chances(plain(score), position, line))
}

/// The same where position and line are texts; by the definition of scores if there is no such position.
pub fn expected(game: GameId, fen: &str, score: &Shown, line: &[String]) -> f64 {
    fn of<G: Game>(game: G, fen: &str, score: &Shown, line: &[String]) -> Option<f64> {
        let position = Position::from_fen(game, fen).ok()?;
        Some(share(score, &position, &moves(&position, line)))
    }
    with_game!(game, game => of(game, fen, score, line))
        .unwrap_or_else(|| Wdl::expected(Wdl::UNMEASURED.chances(plain(score), 1.0)))
}

/// The moves of a line of cells, as far as they are legal.
fn moves<G: Game>(position: &Position<G>, line: &[String]) -> Vec<Move> {
    let mut end = *position;
    let moves = line.iter().map_while(|text| {
        let mv = end.parse_move(text).ok()?;
        end.play(mv).ok()?;
        Some(mv)
    });
    moves.collect()
}

/// A score as searches have it, how long a mate takes left aside.
fn plain(score: &Shown) -> Score {
    match *score {
        Shown::Cp(cp) => cp,
        Shown::Mate(moves) if moves > 0 => MATE,
        Shown::Mate(_) => -MATE,
    }
}

/// The chances behind a score: as they were measured, unless its line says that it stands for a stalemate.
fn chances<G: Game>(score: Score, position: &Position<G>, line: &[Move]) -> Chances {
    let certain = of_stalemate(score, position, line);
    certain.unwrap_or_else(|| Wdl::of(position.game()).chances(score, men_left(position)))
}

/// The chances if the line ends in a stalemate, and the score is what that is worth.
fn of_stalemate<G: Game>(score: Score, position: &Position<G>, line: &[Move]) -> Option<Chances> {
    let stalemated = stalemate(score, position, line)?;
    let quarters = position.spec().stalemate_quarters;
    Some(of_quarters(match position.side_to_move() == stalemated {
        true => quarters,
        false => 4 - quarters,
    }))
}

/// Who is stalemated at the end of the line, if the score is what that is worth.
fn stalemate<G: Game>(score: Score, position: &Position<G>, line: &[Move]) -> Option<Side> {
    let worth = score_of_quarters(position.spec().stalemate_quarters);
    if ![worth, -worth].contains(&score) {
        return None;
    }
    let mut end = *position;
    for &mv in line {
        end.play(mv).ok()?;
    }
    let Some(Outcome::Stalemate { stalemated }) = end.outcome() else {
        return None;
    };
    let own = position.side_to_move() == stalemated;
    (score == if own { worth } else { -worth }).then_some(stalemated)
}

/// The same where the line is a text.
pub fn stalemate_of(score: &Shown, position: &AnyPosition, line: &[String]) -> Option<Side> {
    with_position!(position, p => {
        stalemate(plain(score), p, &moves(p, line))
    })
}

/// Where a stalemate is worth 3/4 to one side and 1/4 to the other, it is neither a win nor a draw: it is shown as half
/// of each, which has this mean.
fn of_quarters(quarters: u8) -> Chances {
    let half = f64::from(quarters) / 2.0;
    let [win, loss] = [half - 1.0, 1.0 - half].map(|chance| chance.max(0.0));
    [win, 1.0 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Glinski, Mccooey};

    #[test]
    fn a_stalemate_keeps_its_worth() {
        assert_eq!(stalemated(Glinski), [0, 500, 500]);
        assert_eq!(stalemated(Mccooey), [0, 1000, 0]);
    }

    #[test]
    fn shares_depend_on_game_and_position() {
        let start = Position::<Glinski>::start();
        let text = start.to_string();
        let of = |game, fen: &str, cp| expected(game, fen, &Shown::Cp(cp), &[]);
        let share = of(GameId::Glinski, &text, 80);
        let [win, draw, loss] = wdl(80, &start, &[]).map(f64::from);
        assert!((share * 1000.0 - win - draw / 2.0).abs() < 1.0);
        assert_eq!(win + draw + loss, 1000.0);
        let any = AnyPosition::from(start);
        assert_eq!(
            wdl_of(&Shown::Cp(80), &any).map(f64::from),
            [win, draw, loss]
        );
        assert_eq!(wdl_of(&Shown::Mate(3), &any), [1000, 0, 0]);
        assert_eq!(wdl_of(&Shown::Mate(0), &any), [0, 0, 1000]);
        assert_ne!(share, of(GameId::Chromatic4, &text, 80));
        assert_eq!(of(GameId::Glinski, "no position", 0), 0.5);
    }

    /// A score that a line turns into a stalemate is certain; the same score without it is as good as such scores are.
    #[test]
    fn a_line_into_a_stalemate() {
        let fen = "1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1";
        let before = fen.parse::<Position<Glinski>>().unwrap();
        let line = vec!["c4b4".to_owned()];
        let moves = [before.parse_move("c4b4").unwrap()];
        assert_eq!(wdl(191, &before, &moves), [500, 500, 0]);
        let of = |score, line: &[String]| expected(GameId::Glinski, fen, &Shown::Cp(score), line);
        assert_eq!(of(191, &line), 0.75);
        let mut after = before;
        after.play(moves[0]).unwrap();
        assert_eq!(wdl(-191, &after, &[]), [0, 500, 500]);
        assert_eq!(
            wdl_of(&Shown::Cp(-191), &AnyPosition::from(after)),
            [0, 500, 500]
        );
        // Another score, the other side's, or another line.
        assert_ne!(wdl(190, &before, &moves), [500, 500, 0]);
        assert_ne!(wdl(-191, &before, &moves), [0, 500, 500]);
        assert_ne!(wdl(191, &before, &[]), [500, 500, 0]);
        assert!(of(191, &[]) < 0.7 && of(191, &["c4c3".to_owned()]) < 0.7);
    }
}
