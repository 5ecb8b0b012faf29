//! Where a line comes to rest: the captures after which nothing more is won at once. It is for people who compare what
//! lines lead to; the search has a quiescence of its own.

use std::any::Any;

use hexmate_movegen::{Game, GameId, Move, Position, Unchecked, with_game};

use crate::door::through;
use crate::eval::Handmade;
use crate::order::sort_moves;
use crate::score::{INFINITE, MATE, Score, score_of_quarters};
use crate::see::{gain, is_quiet, see_at_least};

/// Positions that are looked at before a position counts as restless.
const MOST_NODES: u32 = 20_000;
/// Plies to which captures are followed.
const MOST_PLIES: usize = 32;

impl<G: Game> Handmade<G> {
    /// The captures and promotions by which a position comes to rest, by its best for both sides: each side may also
    /// leave things as they are, unless it is in check. Captures that lose material are not looked at. Empty for a
    /// position at rest; `None` if no end is found soon, or the end is a mate or a stalemate.
    ///
    /// ```
    /// use hexmate_engine::Handmade;
    /// use hexmate_movegen::{Glinski, Position};
    ///
    /// let start = Position::<Glinski>::start();
    /// assert_eq!(Handmade::of(Glinski).settle(&start), Some(Vec::new()));
    /// ```
    pub fn settle(&self, position: &Position<G>) -> Option<Vec<Move>> {
        settle(position.game().id(), self, position)
    }
}

/// The door of [`Handmade::settle`].
fn settle(id: GameId, evaluation: &dyn Any, position: &dyn Any) -> Option<Vec<Move>> {
    with_game!(id, game => settle_of(game, evaluation, position))
}

fn settle_of<G: Game>(_: G, evaluation: &dyn Any, position: &dyn Any) -> Option<Vec<Move>> {
    let mut settling = Settling {
        evaluation: through::<Handmade<G>>(evaluation),
        nodes: 0,
    };
    let position: &Position<G> = through(position);
    let (score, line) = settling.search(position, -INFINITE, INFINITE, 0)?;
    let mut end = *position;
    for &mv in &line {
        end.play_unchecked(mv);
    }
    let at_rest = score.abs() < MATE - MOST_PLIES as Score && end.has_legal_move();
    at_rest.then_some(line)
}

struct Settling<'e, G: Game> {
    evaluation: &'e Handmade<G>,
    nodes: u32,
}

impl<G: Game> Settling<'_, G> {
    /// The score from the side to move and the line to it; `None` if it takes too long.
    fn search(
        &mut self,
        position: &Position<G>,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Option<(Score, Vec<Move>)> {
        self.nodes += 1;
        if self.nodes > MOST_NODES || ply > MOST_PLIES {
            return None;
        }
        let in_check = position.in_check();
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            let score = match in_check {
                true => ply as Score - MATE,
                false => score_of_quarters(position.spec().stalemate_quarters),
            };
            return Some((score, Vec::new()));
        }
        let mut best = (-INFINITE, Vec::new());
        if !in_check {
            best.0 = self.evaluation.evaluate(position);
            if best.0 >= beta {
                return Some(best);
            }
            alpha = alpha.max(best.0);
            moves.retain(|&mv| {
                !is_quiet(position, mv) && see_at_least(position, self.evaluation, mv, 0)
            });
        }
        sort_moves(&mut moves, &mut |mv| -gain(position, self.evaluation, mv));
        for mv in moves {
            let mut next = *position;
            next.play_unchecked(mv);
            let (score, line) = self.search(&next, -beta, -alpha, ply + 1)?;
            if -score > best.0 {
                best = (-score, [vec![mv], line].concat());
                alpha = alpha.max(best.0);
                if alpha >= beta {
                    break;
                }
            }
        }
        Some(best)
    }
}
