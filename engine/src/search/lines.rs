//! Whole lines: a mate is told with all its moves, and a line that the search has cut short is read on in the
//! transposition table.
//!
//! The search proves bounds without a line: a move that fails high is shown by itself. Nothing here changes a
//! score or a first move.

use hexmate_movegen::{Game, Move, Position, Unchecked};
use hexmate_tt::{Bound, Entry};

use super::node::Pv;
use super::{Search, proof_key, table_key};
use crate::eval::Evaluation;
use crate::limits::Line;
use crate::order::sort_moves;
use crate::score::{MATE, MAX_PLY, Score, from_table, is_mate};

impl<G: Game, E: Evaluation<G>> Search<'_, G, E> {
    /// Leads mates to their end, and other lines on as far as the table knows.
    pub(super) fn make_whole(&mut self, root: &Position<G>, lines: &mut [Line]) {
        let stopped = self.stopped;
        for line in lines {
            self.complete_line(root, &mut line.pv);
            if line.pv.is_empty() {
                continue;
            }
            if is_mate(line.score) {
                self.complete_mate(root, line);
            } else {
                self.read_on(root, line);
            }
        }
        // If a limit ended this, the next node will notice it, too.
        self.stopped = stopped;
    }

    /// Leads the line of a mate to the mate, by what the table knows or else by small searches. They count as
    /// nodes like any other and are together limited to a part of the search so far.
    fn complete_mate(&mut self, root: &Position<G>, line: &mut Line) {
        /// Enough for a mate in three on the largest board.
        const SOME_NODES: u64 = 20_000;
        let plies = (MATE - line.score.abs()) as usize;
        if line.pv.len() >= plies || plies > MAX_PLY {
            return;
        }
        let before = (
            self.root_depth,
            self.seldepth,
            self.proving,
            self.keys.len(),
        );
        self.root_depth = plies as i32;
        // The window is one wider than the mate.
        self.proving = self.proving.max(plies as Score + 1);
        let begin = self.nodes;
        let allowed = begin / 8 + SOME_NODES;
        self.ceiling = begin + allowed.saturating_sub(self.completing);
        let mut position = *root;
        for (ply, &mv) in line.pv.iter().enumerate() {
            let before = position;
            self.play(&before, &mut position, mv, ply);
        }
        let mut pv = line.pv.clone();
        while pv.len() < plies {
            let ply = pv.len();
            let score = if ply.is_multiple_of(2) {
                line.score
            } else {
                -line.score
            };
            let follows = match self.mate_in_table(&position, ply, score) {
                Some(mv) => vec![mv],
                None => self.mate_by_search(&position, ply, score),
            };
            if follows.is_empty() {
                break;
            }
            for mv in follows {
                let before = position;
                self.play(&before, &mut position, mv, pv.len());
                pv.push(mv);
            }
        }
        self.ceiling = u64::MAX;
        self.completing += self.nodes - begin;
        let earlier;
        (self.root_depth, self.seldepth, self.proving, earlier) = before;
        while self.keys.len() > earlier {
            self.unplay();
        }
        if pv.len() < plies || (pv.len() == plies && is_checkmate(&position)) {
            line.pv = pv;
        }
    }

    /// A move after which the table has the mate at the right distance, or that mates.
    fn mate_in_table(&mut self, position: &Position<G>, ply: usize, score: Score) -> Option<Move> {
        let mates = score == MATE - ply as Score - 1;
        let key = table_key(position);
        let known = [key, proof_key(key)].map(|key| self.shared.table.probe(key));
        let preferred = known
            .into_iter()
            .flatten()
            .find_map(|entry| Move::from_bits(entry.mv));
        let mut moves = position.legal_moves();
        sort_moves(&mut moves, &mut |mv| Score::from(Some(mv) != preferred));
        self.keys.push(position.key());
        let found = moves.into_iter().find(|&mv| {
            let next = after(position, mv);
            if mates {
                return is_checkmate(&next);
            }
            // The side that is mated gets no more than this, the other no less.
            let bound = if score > 0 {
                Bound::Upper
            } else {
                Bound::Lower
            };
            let told = |key| {
                self.shared.table.probe(key).is_some_and(|entry| {
                    from_table(entry.score, ply + 1) == -score
                        && (entry.bound == bound || entry.bound == Bound::Exact)
                })
            };
            let key = table_key(&next);
            (told(key) || told(proof_key(key))) && !self.is_over(&next, ply + 1)
        });
        self.keys.pop();
        found
    }

    /// The line by which a search comes to exactly this mate; empty if it does not.
    fn mate_by_search(&mut self, position: &Position<G>, ply: usize, score: Score) -> Vec<Move> {
        let left = MATE - score.abs() - ply as Score;
        self.data.stack[ply].in_check = position.in_check();
        self.data.stack[ply].excluded = None;
        let found = self.node::<Pv>(position, left, ply, score - 1, score + 1, false);
        if self.stopped || found != score {
            return Vec::new();
        }
        let mut line = self.data.lines[ply].clone();
        line.truncate(left as usize);
        line
    }

    /// Goes on with the moves that the table has, up to the depth that was searched. It ends before anything
    /// that contradicts the score: the end of the game, a mate, a position that the table judges otherwise.
    fn read_on(&mut self, root: &Position<G>, line: &mut Line) {
        let earlier = self.keys.len();
        let mut position = *root;
        let mut pv = Vec::with_capacity(line.pv.len());
        for &mv in &line.pv {
            let next = after(&position, mv);
            self.keys.push(position.key());
            // Of a bound, the line may be that of an earlier depth.
            let doubtful = line.bound != Bound::Exact && !pv.is_empty();
            if doubtful && self.is_over(&next, pv.len() + 1) {
                self.keys.pop();
                break;
            }
            position = next;
            pv.push(mv);
        }
        while pv.len() < line.depth as usize && !self.is_over(&position, pv.len()) {
            let score = if pv.len().is_multiple_of(2) {
                line.score
            } else {
                -line.score
            };
            let Some(mv) = self.move_in_table(&position, pv.len(), score) else {
                break;
            };
            let next = after(&position, mv);
            self.keys.push(position.key());
            if self.is_over(&next, pv.len() + 1) {
                break;
            }
            position = next;
            pv.push(mv);
        }
        self.keys.truncate(earlier);
        line.pv = pv;
    }

    /// The move that the table has for a position of this score. An answer to the first move may also be the
    /// one after which the table has the least for the other side.
    fn move_in_table(&self, position: &Position<G>, ply: usize, score: Score) -> Option<Move> {
        let mut moves = position.legal_moves();
        if let Some(entry) = self.shared.table.probe(table_key(position)) {
            if !fits(entry, ply, score) {
                return None;
            }
            let known = Move::from_bits(entry.mv).filter(|mv| moves.contains(mv));
            if known.is_some() {
                return known;
            }
        }
        if ply > 1 {
            return None;
        }
        moves.sort_unstable();
        let judged = moves.into_iter().filter_map(|mv| {
            let entry = self.shared.table.probe(table_key(&after(position, mv)))?;
            let refuted = matches!(entry.bound, Bound::Lower | Bound::Exact);
            let usable = refuted && fits(entry, ply + 1, -score);
            usable.then_some((mv, from_table(entry.score, ply + 1)))
        });
        judged.min_by_key(|&(_, theirs)| theirs).map(|(mv, _)| mv)
    }

    /// Whether the game is over, or a draw can be had at once.
    fn is_over(&self, position: &Position<G>, ply: usize) -> bool {
        let in_check = position.in_check();
        !position.has_legal_move() || self.drawn_by_rule(position, in_check, ply).is_some()
    }
}

/// Whether an entry can be of a line with this score at its position.
fn fits(entry: Entry, ply: usize, score: Score) -> bool {
    /// A pawn more or less is the same line still.
    const MARGIN: Score = 100;
    let found = from_table(entry.score, ply);
    let too_much = found > score + MARGIN && entry.bound != Bound::Upper;
    let too_little = found < score - MARGIN && entry.bound != Bound::Lower;
    entry.bound != Bound::None && !is_mate(found) && !too_much && !too_little
}

fn is_checkmate<G: Game>(position: &Position<G>) -> bool {
    position.in_check() && !position.has_legal_move()
}

fn after<G: Game>(position: &Position<G>, mv: Move) -> Position<G> {
    let mut next = *position;
    next.play_unchecked(mv);
    next
}
