//! Quiescence: captures and promotions until the position is quiet; in check, every move.

use hexmate_movegen::{Game, Position};
use hexmate_tt::Bound;

use super::{Search, decides, may_be_stalemate};
use crate::eval::Evaluation;
use crate::picker::Picker;
use crate::score::{DRAW, INFINITE, MATE_IN_MAX, MAX_PLY, NO_EVAL, Score, from_table};
use crate::see::{gain, is_quiet, see_at_least};

/// Plies beyond the depth of the search after which quiescence looks at less.
const FAR: i32 = 8;
/// Positions of one quiescence after which it looks at less, and after as many again at nothing more: hundreds do
/// nearly always, but on a crowded board where everything attacks everything millions would not.
const MANY: u64 = 10_000;

impl<G: Game, E: Evaluation<G>> Search<'_, G, E> {
    /// The score of a position when only captures and promotions are looked at. The caller has noted
    /// whether the side to move is in check.
    #[inline]
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.many = self.nodes + MANY;
        self.quieten::<PV>(position, ply, alpha, beta)
    }

    /// The same within a quiescence that has begun.
    fn quieten<const PV: bool>(
        &mut self,
        position: &Position<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if PV {
            self.data.lines[ply].clear();
        }
        let in_check = self.data.stack[ply].in_check;
        if ply > 0
            && let Some(score) = self.drawn_by_rule(position, in_check, ply)
        {
            return if self.visit(ply) { score } else { DRAW };
        }
        // A draw in hand: nothing less is taken.
        if ply > 0 && alpha < DRAW && self.may_repeat(position) {
            if beta <= DRAW {
                self.visit(ply);
                return DRAW;
            }
            return self.settle::<PV>(position, ply, DRAW, beta).max(DRAW);
        }
        self.settle::<PV>(position, ply, alpha, beta)
    }

    /// The same for a position that is not drawn by rule.
    fn settle<const PV: bool>(
        &mut self,
        position: &Position<G>,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let in_check = self.data.stack[ply].in_check;
        if !self.visit(ply) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.static_eval(position);
        }

        if let Some(score) = self.table_score(position, ply) {
            return score;
        }
        let known = self.shared.table.probe(self.key(position));
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            if !PV && decides(entry.bound, score, alpha, beta) {
                return score;
            }
        }

        // Without an end, chains of captures and checks run to millions of nodes on the large boards: far
        // out only what wins material at once is tried, and a check is answered by a look at the board.
        let far = ply as i32 > self.root_depth + FAR || self.nodes > self.many;
        let evading = in_check && !far;
        let original_alpha = alpha;
        let mut raw = NO_EVAL;
        let mut best = -INFINITE;
        if !evading {
            if (in_check || may_be_stalemate(position)) && !position.has_legal_move() {
                return self.no_legal_move(position, in_check, ply);
            }
            if in_check {
                return self.static_eval(position);
            }
            raw = self.raw_eval(position, known);
            best = self.corrected(position, ply, raw);
            // The table may know better than the evaluation.
            if let Some(entry) = known {
                let score = from_table(entry.score, ply);
                if score.abs() < MATE_IN_MAX && decides(entry.bound, score, best, best) {
                    best = score;
                }
            }
            if self.nodes > self.many + MANY {
                return best;
            }
            if best >= beta {
                if known.is_none() {
                    self.store(position, 0, ply, (best, Bound::Lower), raw, None);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let futile = best + self.shared.params.delta_margin;

        let table_move = known
            .and_then(|e| hexmate_movegen::Move::from_bits(e.mv))
            .filter(|&mv| {
                in_check || mv.promotion().is_some() || position.piece_on(mv.to).is_some()
            });
        let buffer = std::mem::take(&mut self.data.buffers[ply]);
        let mut picker = if in_check {
            Picker::new(buffer, table_move, None)
        } else {
            Picker::noisy(buffer, table_move)
        };
        let mut best_move = None;
        let mut tried = 0;
        let rows = self.rows(position, ply);
        while let Some(mv) = picker.next(position, &self.ordering(&rows)) {
            tried += 1;
            let prunes = best > -MATE_IN_MAX;
            if prunes {
                if in_check {
                    // One way out is known: of the others only captures may be better.
                    if tried > 1 && is_quiet(position, mv) {
                        picker.skip_quiets();
                        continue;
                    }
                } else {
                    // Delta pruning: even with its victim the side stays below the window.
                    let evaluation = self.shared.evaluation;
                    let reached = futile + gain(position, evaluation, mv);
                    if reached <= alpha {
                        best = best.max(reached);
                        continue;
                    }
                }
            }
            self.announce(position, mv);
            let good = !far && picker.is_known_good();
            if prunes
                && !good
                && !see_at_least(position, self.shared.evaluation, mv, i32::from(far))
            {
                continue;
            }
            let mut next = *position;
            self.play(position, &mut next, mv, ply);
            let score = -self.quieten::<PV>(&next, ply + 1, -beta, -alpha);
            self.unplay();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if PV {
                        self.note_line(ply, mv);
                    }
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.data.buffers[ply] = picker.into_buffer();
        if self.stopped {
            return DRAW;
        }
        if in_check && tried == 0 {
            return self.no_legal_move(position, true, ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha && PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(position, 0, ply, (best, bound), raw, best_move);
        best
    }
}
