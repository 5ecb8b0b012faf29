//! One node of the principal variation search, step by step.

use hexmate_movegen::{Game, Move, Position};
use hexmate_tt::{Bound, Entry};

use super::{Search, decides, fade, is_overdue};
use crate::eval::Evaluation;
use crate::history::Rows;
use crate::picker::Picker;
use crate::score::{
    DRAW, INFINITE, MATE, MATE_IN_MAX, MAX_PLY, NO_EVAL, Score, from_table, is_mate, mated_in,
};
use crate::see::{is_quiet, see_at_least};

/// What kind of node it is: decided at compile time.
pub(super) trait NodeKind {
    /// The window is open: the line matters.
    const PV: bool;
    /// The position that was asked about.
    const ROOT: bool;
}

/// The position that was asked about.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node beside it, searched with a window of width one.
pub(super) struct Beside;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeKind for Beside {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node found out about itself before its moves are tried.
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Expected to fail high, by its place in the tree.
    pub(super) cut: bool,
    pub(super) in_check: bool,
    pub(super) improving: bool,
    /// Nothing is pruned: the no-progress count is nearly full.
    pub(super) overdue: bool,
    /// Nothing is pruned or reduced: a short mate is to be proven.
    pub(super) whole: bool,
    pub(super) raw_eval: Score,
    pub(super) eval: Score,
    pub(super) excluded: Option<Move>,
    pub(super) known: Option<Entry>,
    pub(super) table_move: Option<Move>,
}

impl<G: Game, E: Evaluation<G>> Search<'_, G, E> {
    /// The score of a position to `depth` plies within a window. The caller has noted in the stack
    /// whether the side to move is in check.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        position: &Position<G>,
        depth: i32,
        ply: usize,
        alpha: Score,
        beta: Score,
        cut: bool,
    ) -> Score {
        if depth <= 0 || ply >= MAX_PLY {
            return if N::PV {
                self.quiescence::<true>(position, ply, alpha, beta)
            } else {
                self.quiescence::<false>(position, ply, alpha, beta)
            };
        }
        if N::PV {
            self.data.lines[ply].clear();
        }
        let in_check = self.data.stack[ply].in_check;
        let excluded = self.data.stack[ply].excluded;
        if !N::ROOT {
            if let Some(score) = self.drawn_by_rule(position, in_check, ply) {
                return if self.visit(ply) { score } else { DRAW };
            }
            // A draw in hand: nothing less is taken.
            if alpha < DRAW && excluded.is_none() && self.may_repeat(position) {
                if beta <= DRAW {
                    self.visit(ply);
                    return DRAW;
                }
                let score = self.explore::<N>(position, depth, ply, DRAW, beta, cut);
                return score.max(DRAW);
            }
        }
        self.explore::<N>(position, depth, ply, alpha, beta, cut)
    }

    /// The score of a position that is not drawn by rule.
    fn explore<N: NodeKind>(
        &mut self,
        position: &Position<G>,
        mut depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        cut: bool,
    ) -> Score {
        let in_check = self.data.stack[ply].in_check;
        let excluded = self.data.stack[ply].excluded;
        if !N::ROOT {
            // Mate distance pruning: no line from here can beat a shorter mate already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as Score - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        if !self.visit(ply) {
            return DRAW;
        }
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.table_score(position, ply)
        {
            return score;
        }
        self.data.stack[ply + 2].cutoffs = 0;
        self.data.stack[ply + 1].killer = None;

        let overdue = is_overdue(position);
        let whole = self.is_proving(alpha, beta, ply);

        // Transposition table cut-off.
        let known = match excluded {
            None => self.shared.table.probe(self.key(position)),
            Some(_) => None,
        };
        if let Some(entry) = known
            && !N::PV
            && i32::from(entry.depth) >= depth
        {
            let score = from_table(entry.score, ply);
            if decides(entry.bound, score, alpha, beta) {
                return score;
            }
        }
        let table_move = if N::ROOT {
            self.root_moves.get(self.line).map(|m| m.mv)
        } else {
            known.and_then(|e| Move::from_bits(e.mv))
        };

        let (raw_eval, eval) = self.static_evals(position, ply, known);
        let improving = !in_check && self.is_improving(ply);

        // Internal iterative reduction: without a move to begin with, look less deep for one first.
        if !N::ROOT
            && !whole
            && excluded.is_none()
            && table_move.is_none()
            && depth >= self.shared.params.internal_reduction_depth
            && (N::PV || cut)
        {
            depth -= 1;
        }
        let node = Node {
            depth,
            ply,
            alpha,
            beta,
            cut,
            in_check,
            improving,
            overdue,
            whole,
            raw_eval,
            eval,
            excluded,
            known,
            table_move,
        };
        if !N::PV
            && !in_check
            && excluded.is_none()
            && !overdue
            && !whole
            && let Some(score) = self.prune_node(position, &node)
        {
            return score;
        }
        self.try_moves::<N>(position, &node)
    }

    /// Whether every line is looked at: a mate is asked for, or it is so short that mate distance pruning
    /// makes its proof cheap.
    fn is_proving(&self, alpha: Score, beta: Score, ply: usize) -> bool {
        /// Mates in three.
        const PLIES: Score = 5;
        let asked = self.proving - ply as Score;
        mate_plies(alpha, beta, ply).is_some_and(|plies| plies <= PLIES.max(asked))
    }

    /// Whether the side to move stands better than at its last turn, or the one before if it was in check
    /// then. Where there was no such turn nothing speaks against it.
    fn is_improving(&self, ply: usize) -> bool {
        let stack = &self.data.stack;
        let evals = [2, 4].map(|back| ply.checked_sub(back).map(|earlier| stack[earlier].eval));
        let earlier = evals.into_iter().flatten().find(|&eval| eval != NO_EVAL);
        earlier.is_none_or(|eval| stack[ply].eval > eval)
    }

    /// The static evaluation as the table has it, and the best guess at the node's score.
    fn static_evals(
        &mut self,
        position: &Position<G>,
        ply: usize,
        known: Option<Entry>,
    ) -> (Score, Score) {
        let entry = &self.data.stack[ply];
        if entry.in_check {
            self.data.stack[ply].eval = NO_EVAL;
            return (NO_EVAL, NO_EVAL);
        }
        if entry.excluded.is_some() {
            // Found by the same node a moment ago, and not stored by this one.
            return (NO_EVAL, entry.eval);
        }
        let raw = self.raw_eval(position, known);
        let corrected = self.corrected(position, ply, raw);
        self.data.stack[ply].eval = corrected;
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let better = decides(entry.bound, score, corrected, corrected);
            if better && score.abs() < MATE_IN_MAX {
                return (raw, score);
            }
        }
        (raw, corrected)
    }

    /// Searches the moves of a node, the most promising first, and stores what came out.
    fn try_moves<N: NodeKind>(&mut self, position: &Position<G>, node: &Node) -> Score {
        let &Node {
            depth,
            ply,
            beta,
            excluded,
            ..
        } = node;
        // The search for a singular move runs within its own node.
        let slot = if excluded.is_some() {
            MAX_PLY + 1 + ply
        } else {
            ply
        };
        let buffer = std::mem::take(&mut self.data.buffers[slot]);
        let mut tried = std::mem::take(&mut self.data.tried[slot]);
        tried.iter_mut().for_each(Vec::clear);
        let killer = self.data.stack[ply].killer;
        let mut picker = Picker::new(buffer, node.table_move, killer);

        let mut alpha = node.alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let rows = self.rows(position, ply);
        let enough = self.enough_moves(node);
        loop {
            let whole = node.whole || self.is_proving(alpha, beta, ply);
            let prunes = !N::ROOT && best > -MATE_IN_MAX && !whole && !node.overdue;
            // Known before any is listed: then only checks are.
            if prunes && self.is_too_late(node, (number + 1, enough), alpha, 0) {
                picker.only_checks();
            }
            let Some(mv) = picker.next(position, &self.ordering(&rows)) else {
                break;
            };
            if Some(mv) == excluded || (N::ROOT && !self.is_root_move(mv)) {
                continue;
            }
            self.announce(position, mv);
            number += 1;
            let quiet = is_quiet(position, mv);
            let (mut reduction, mut history) = (0, 0);
            // The first one is neither pruned nor reduced.
            if !whole && number > 1 {
                history = if quiet {
                    self.data.history.quiet(position, mv, &rows)
                } else {
                    self.data.history.noisy(position, mv)
                };
                reduction = self.reduction::<N>(node, mv, number, quiet, history);
            }
            if prunes {
                let late = quiet && self.is_too_late(node, (number, enough), alpha, reduction);
                if late {
                    picker.only_checks();
                }
                let mut checks = || picker.is_direct_check(position, mv);
                if quiet && self.is_unpromising(node, late, reduction, history) && !checks() {
                    continue;
                }
            }
            let good = picker.is_known_good();
            if prunes && !good && self.loses_too_much(position, node, (mv, quiet), &rows, reduction)
            {
                continue;
            }
            let mut extension = 0;
            if !N::ROOT && Some(mv) == node.table_move && excluded.is_none() && !self.proof {
                match self.singular(position, node, mv) {
                    Ok(plies) => extension = plies,
                    Err(score) => {
                        best = score;
                        best_move = None;
                        break;
                    }
                }
                if self.stopped {
                    break;
                }
            }
            let nodes_before = self.nodes;
            let mut next = *position;
            self.play(position, &mut next, mv, ply);
            if self.shared.params.check_extension > 0
                && extension == 0
                && self.data.stack[ply + 1].in_check
                && see_at_least(position, self.shared.evaluation, mv, 0)
            {
                extension = 1;
            }
            // Only mate on the spot is within the window, and that is a check.
            if alpha >= MATE - ply as Score - 3 && !self.data.stack[ply + 1].in_check {
                self.unplay();
                best = best.max(alpha);
                continue;
            }
            let new_depth = depth - 1 + extension;
            let score = self.child::<N>(&next, node, alpha, number, new_depth, reduction);
            self.unplay();
            if self.stopped {
                break;
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.note_root_score(mv, (score, alpha, beta), number == 1, nodes);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.note_line(ply, mv);
                    }
                }
                if score >= beta {
                    self.data.stack[ply].cutoffs += 1;
                    break;
                }
            }
            tried[usize::from(!quiet)].push(mv);
        }
        self.data.buffers[slot] = picker.into_buffer();
        if self.stopped {
            self.data.tried[slot] = tried;
            return DRAW;
        }
        if best == -INFINITE {
            self.data.tried[slot] = tried;
            // Nothing but the excluded move, or nothing at all.
            return if excluded.is_some() {
                node.alpha
            } else {
                self.no_legal_move(position, node.in_check, ply)
            };
        }
        if best >= beta
            && let Some(mv) = best_move
        {
            self.update_history(position, node, mv, &rows, &tried);
        }
        self.data.tried[slot] = tried;
        if excluded.is_none() {
            self.store_result(position, node, best, best_move);
        }
        best
    }

    /// The score of a move: reduced and with a window of width one first, in full only if that says so.
    fn child<N: NodeKind>(
        &mut self,
        next: &Position<G>,
        node: &Node,
        alpha: Score,
        number: usize,
        new_depth: i32,
        reduction: i32,
    ) -> Score {
        let &Node {
            depth,
            ply,
            beta,
            cut,
            ..
        } = node;
        let mut score = -INFINITE;
        if N::PV {
            // Unless the window is opened there is no line to show.
            self.data.lines[ply + 1].clear();
        }
        let full = if depth >= 2 && number > 1 + usize::from(N::ROOT) {
            let gives_check = self.data.stack[ply + 1].in_check;
            let reduction = reduction - i32::from(gives_check);
            let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth + 1);
            score = -self.node::<Beside>(next, reduced, ply + 1, -alpha - 1, -alpha, true);
            score > alpha && reduced < new_depth
        } else {
            !N::PV || number > 1
        };
        if full && !self.stopped {
            score = -self.node::<Beside>(next, new_depth, ply + 1, -alpha - 1, -alpha, !cut);
        }
        if N::PV && !self.stopped && (number == 1 || (score > alpha && (N::ROOT || score < beta))) {
            score = -self.node::<Pv>(next, new_depth, ply + 1, -beta, -alpha, false);
        }
        score
    }

    /// A move refuted the line: it and those tried before it in vain are taught.
    fn update_history(
        &mut self,
        position: &Position<G>,
        node: &Node,
        mv: Move,
        rows: &Rows<G>,
        tried: &[Vec<Move>; 2],
    ) {
        let params = self.shared.params;
        let bonus = (params.history_bonus * node.depth).min(params.history_bonus_most);
        let contexts = self.contexts(node.ply);
        let data = &mut *self.data;
        if is_quiet(position, mv) {
            data.stack[node.ply].killer = Some(mv);
            data.history
                .nudge_quiet(position, mv, &contexts, rows, bonus);
            for &other in &tried[0] {
                data.history
                    .nudge_quiet(position, other, &contexts, rows, -bonus);
            }
        } else {
            data.history.nudge_noisy(position, mv, bonus);
        }
        for &other in &tried[1] {
            data.history.nudge_noisy(position, other, -bonus);
        }
    }

    /// Stores the result, and what it says about the static evaluation.
    fn store_result(&mut self, position: &Position<G>, node: &Node, best: Score, mv: Option<Move>) {
        // Where moves were left out at the root, the best of the rest says nothing of the position.
        if node.ply == 0 && (self.line > 0 || !self.shared.limits.searchmoves.is_empty()) {
            return;
        }
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let eval = self.data.stack[node.ply].eval;
        let quiet = mv.is_none_or(|mv| is_quiet(position, mv));
        let known_better = match bound {
            Bound::Lower => best <= eval,
            Bound::Upper => best >= eval,
            _ => false,
        };
        if !node.in_check && quiet && !known_better && !is_mate(best) {
            let clock = position.halfmove_clock();
            let error = best - fade(node.raw_eval, clock, position.spec().no_progress_plies);
            let data = &mut *self.data;
            let keys = &mut data.stack[node.ply].correction;
            data.history.correct(position, keys, node.depth, error);
        }
        let (depth, raw) = (node.depth, node.raw_eval);
        self.store(position, depth, node.ply, (best, bound), raw, mv);
    }
}

/// The plies that are left for a mate, or for a defence against one, if that is all the window asks for.
fn mate_plies(alpha: Score, beta: Score, ply: usize) -> Option<Score> {
    let left = |bound: Score| MATE - ply as Score - bound;
    if is_mate(alpha) && alpha > 0 {
        Some(left(alpha))
    } else if is_mate(beta) && beta < 0 {
        Some(left(-beta))
    } else {
        None
    }
}
