//! What endgame tables say within a search. Without tables none of this is reached.

use hexmate_movegen::{Bits, Game, Move, Position};
use hexmate_tablebases::{Outcome, Tablebases, Value};

use super::Search;
use crate::score::{DRAW, MATE, MAX_PLY, Score, mated_in, score_of_quarters};

/// The score of a value `ply` plies from the root, with `clock` plies since the last progress; `None` if
/// the end may come too late for the rule of no progress. The table does not say when the clock begins
/// anew, so it is taken never to; a mate on the last ply of the count counts.
fn score_of<G: Game>(value: Value, clock: u16, ply: usize) -> Option<Score> {
    let plies = usize::from(value.plies);
    let in_time = clock.saturating_add(value.plies) <= G::SPEC.no_progress_plies;
    if value.outcome != Outcome::Draw && (!in_time || plies > MAX_PLY) {
        return None;
    }
    let stalemated = || score_of_quarters(G::SPEC.stalemate_quarters);
    Some(match value.outcome {
        Outcome::Win => MATE - (ply + plies) as Score,
        Outcome::GivesStalemate => -stalemated(),
        Outcome::Draw => DRAW,
        Outcome::Stalemated => stalemated(),
        Outcome::Loss => mated_in(ply + plies),
    })
}

/// The value after a move, for the side that makes it.
fn after<G: Game>(tables: &Tablebases, position: &Position<G>, mv: Move) -> Option<(Value, u16)> {
    let mut next = *position;
    next.play_unchecked(mv);
    let value = tables.probe(&next)?;
    Some((value.before(), next.halfmove_clock()))
}

impl<G: Game> Search<'_, G> {
    /// The exact score of a position, if a table has it.
    #[inline]
    pub(super) fn table_score(&mut self, position: &Position<G>, ply: usize) -> Option<Score> {
        let tables = self.shared.tables?;
        if position.occupied().count() as usize > tables.most_men() {
            return None;
        }
        let value = tables.probe(position)?;
        let score = score_of::<G>(value, position.halfmove_clock(), ply)?;
        self.shared.note_table_hit();
        Some(score)
    }

    /// Asks about the moves of the first position. Where all of them are known exactly, one ply of search
    /// is enough (`true`). Where scores do not tell which one is best, only those are kept that hurry, or
    /// delay, most: an end that may come too late for the rule of no progress, and a stalemate.
    pub(super) fn ask_root(&mut self, root: &Position<G>) -> bool {
        let Some(tables) = self.shared.tables else {
            return false;
        };
        let moves = self.root_moves.iter();
        let values: Option<Vec<(Value, u16)>> = moves.map(|m| after(tables, root, m.mv)).collect();
        let Some(values) = values else {
            return false;
        };
        let exact = |&(value, clock): &(Value, u16)| {
            let left = Value {
                plies: value.plies.saturating_sub(1),
                ..value
            };
            score_of::<G>(left, clock, 0).is_some()
        };
        let Some(best) = values.iter().max_by_key(|(value, _)| value.rank()) else {
            return false;
        };
        // The score of a stalemate does not tell how far away it is.
        let hurried = match best.0.outcome {
            Outcome::Draw => false,
            Outcome::GivesStalemate | Outcome::Stalemated => true,
            Outcome::Win | Outcome::Loss => !exact(best),
        };
        if hurried && self.shared.limits.multipv <= 1 {
            let mut ranks = values.iter().map(|(value, _)| value.rank());
            let rank = best.0.rank();
            self.root_moves.retain(|_| ranks.next() == Some(rank));
        }
        values.iter().all(exact)
    }

    /// Leads a line that ends where tables know more to the mate or stalemate that they promise.
    pub(super) fn complete_line(&self, root: &Position<G>, line: &mut Vec<Move>) {
        let Some(tables) = self.shared.tables else {
            return;
        };
        let mut position = *root;
        for &mv in &*line {
            position.play_unchecked(mv);
        }
        let exact = tables
            .probe(&position)
            .and_then(|value| score_of::<G>(value, position.halfmove_clock(), 0));
        if exact.is_some() {
            line.extend(tables.line(&position, MAX_PLY - line.len().min(MAX_PLY)));
        }
    }
}
