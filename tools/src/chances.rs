//! Chances of winning, drawing and losing, as they are shown to users.

use hexmate_engine::{Chances, MATE, Score, Wdl, men_left};
use hexmate_movegen::{AnyPosition, Game, GameId, Position, with_game, with_position};

use crate::score::Score as Shown;

/// Win, draw and loss in thousandths for a score of the side to move; together 1000.
pub fn wdl<G: Game>(score: Score, position: &Position<G>) -> [u32; 3] {
    Wdl::thousandths(Wdl::of(position.game()).chances(score, men_left(position)))
}

/// The same for a score as answers have it. A mate is certain.
pub fn wdl_of(score: &Shown, position: &AnyPosition) -> [u32; 3] {
    let score = match *score {
        Shown::Cp(cp) => cp,
        Shown::Mate(moves) if moves > 0 => MATE,
        Shown::Mate(_) => -MATE,
    };
    with_position!(position, p => wdl(score, p))
}

/// The same if the side to move is stalemated. Where that is worth 3/4 to one side and 1/4 to the other, it
/// is neither a win nor a draw: it is shown as half of each, which has this mean.
pub fn stalemated<G: Game>(game: G) -> [u32; 3] {
    let quarters = u32::from(game.spec().stalemate_quarters);
    let [win, loss] = [quarters.saturating_sub(2), 2u32.saturating_sub(quarters)].map(|n| n * 500);
    [win, 1000 - win - loss, loss]
}

/// The expected score of the side to move for a score in centipawns; by the definition of scores if the text
/// is not a position of the game.
pub fn expected(game: &str, fen: &str, cp: i32) -> f64 {
    fn of<G: Game>(game: G, fen: &str, cp: i32) -> Option<Chances> {
        let position = Position::from_fen(game, fen).ok()?;
        Some(Wdl::of(game).chances(cp, men_left(&position)))
    }
    let game = game.parse::<GameId>().ok();
    let chances = game.and_then(|game| with_game!(game, game => of(game, fen, cp)));
    Wdl::expected(chances.unwrap_or_else(|| Wdl::UNMEASURED.chances(cp, 1.0)))
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
        let share = expected("glinski", &start.to_string(), 80);
        let [win, draw, loss] = wdl(80, &start).map(f64::from);
        assert!((share * 1000.0 - win - draw / 2.0).abs() < 1.0);
        assert_eq!(win + draw + loss, 1000.0);
        let any = AnyPosition::from(start);
        assert_eq!(
            wdl_of(&Shown::Cp(80), &any).map(f64::from),
            [win, draw, loss]
        );
        assert_eq!(wdl_of(&Shown::Mate(3), &any), [1000, 0, 0]);
        assert_eq!(wdl_of(&Shown::Mate(0), &any), [0, 0, 1000]);
        assert_ne!(share, expected("chromatic4", &start.to_string(), 80));
        assert_eq!(expected("glinski", "no position", 0), 0.5);
    }
}
