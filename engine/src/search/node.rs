//! One node of the principal variation search, step by step.

use hexmate_movegen::{Game, Move, Position};
use hexmate_tt::{Bound, Entry};

use super::{NO_EVAL, Search, decides, may_be_stalemate, officers};
use crate::picker::Picker;
use crate::score::{
    DRAW, INFINITE, MATE, MATE_IN_MAX, MAX_PLY, Score, from_table, is_mate, mated_in,
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
struct Node {
    depth: i32,
    ply: usize,
    alpha: Score,
    beta: Score,
    /// Expected to fail high, by its place in the tree.
    cut: bool,
    in_check: bool,
    improving: bool,
    /// Nothing is pruned or reduced: the no-progress count is nearly full, or a short mate is to be proven.
    whole: bool,
    raw_eval: Score,
    eval: Score,
    excluded: Option<Move>,
    known: Option<Entry>,
    table_move: Option<Move>,
}

impl<G: Game> Search<'_, G> {
    /// The score of a position to `depth` plies within a window. The caller has noted in the frame
    /// whether the side to move is in check.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        position: &Position<G>,
        mut depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
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
            self.worker.lines[ply].clear();
        }
        let in_check = self.worker.frames[ply].in_check;
        let excluded = self.worker.frames[ply].excluded;
        if !N::ROOT {
            if let Some(score) = self.drawn_by_rule(position, in_check, ply) {
                return if self.visit(ply) { score } else { DRAW };
            }
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
        self.worker.frames[ply + 2].cutoffs = 0;
        self.worker.frames[ply + 1].killer = None;

        // Near the end of the no-progress count neither table nor evaluation can be trusted.
        let overdue = position.halfmove_clock() + 10 >= G::SPEC.no_progress_plies;
        let whole = overdue || self.is_proving(alpha, beta, ply);

        // Transposition table cut-off.
        let known = match excluded {
            None => self.shared.table.probe(position.key()),
            Some(_) => None,
        };
        if let Some(entry) = known
            && !N::PV
            && i32::from(entry.depth) >= depth
            && !overdue
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

        let (raw_eval, eval) = self.judge(position, ply, known);
        let earlier = ply
            .checked_sub(2)
            .map_or(NO_EVAL, |p| self.worker.frames[p].eval);
        let improving = !in_check && earlier != NO_EVAL && self.worker.frames[ply].eval > earlier;

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
        let asked = self
            .shared
            .limits
            .mate
            .map_or(0, |moves| 2 * moves as Score);
        mate_plies(alpha, beta, ply).is_some_and(|plies| plies <= PLIES.max(asked - ply as Score))
    }

    /// The static evaluation as the table has it, and the best guess at the node's score.
    fn judge(
        &mut self,
        position: &Position<G>,
        ply: usize,
        known: Option<Entry>,
    ) -> (Score, Score) {
        let frame = &self.worker.frames[ply];
        if frame.in_check {
            self.worker.frames[ply].eval = NO_EVAL;
            return (NO_EVAL, NO_EVAL);
        }
        if frame.excluded.is_some() {
            // Found by the same node a moment ago, and not stored by this one.
            return (NO_EVAL, frame.eval);
        }
        let raw = self.raw_eval(position, known);
        let corrected = self.corrected(position, raw);
        self.worker.frames[ply].eval = corrected;
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let better = decides(entry.bound, score, corrected, corrected);
            if better && score.abs() < MATE_IN_MAX {
                return (raw, score);
            }
        }
        (raw, corrected)
    }

    /// Reasons not to look at any move; the score if there is one.
    fn prune_node(&mut self, position: &Position<G>, node: &Node) -> Option<Score> {
        let params = self.shared.params;
        let &Node {
            depth,
            ply,
            alpha,
            beta,
            eval,
            improving,
            ..
        } = node;

        // Razoring: so far below that only captures can help.
        if depth <= params.razoring_depth && eval + params.razoring_margin * depth <= alpha {
            let score = self.quiescence::<false>(position, ply, alpha, alpha + 1);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }

        // A side that cannot move does not win by what it has.
        if may_be_stalemate(position) && !position.has_legal_move() {
            return Some(self.no_legal_move(false, ply));
        }

        // Reverse futility: so far above that one move will not change it.
        let margin = params.reverse_futility_margin * (depth - i32::from(improving));
        if depth <= params.reverse_futility_depth && eval - margin >= beta && !is_mate(beta) {
            return Some((eval + beta) / 2);
        }
        self.null_move(position, node)
    }

    /// Null move: if passing is good enough, some move is.
    fn null_move(&mut self, position: &Position<G>, node: &Node) -> Option<Score> {
        /// From this depth on the result is checked by a search without null moves.
        const VERIFIED_FROM: i32 = 12;
        let params = self.shared.params;
        let &Node {
            depth,
            ply,
            beta,
            eval,
            ..
        } = node;
        // Zugzwang lives where a side has little to move, the more so if stalemate costs it.
        let spare = 2 - u32::from(G::SPEC.stalemate_quarters).min(2);
        if depth < params.null_move_depth
            || eval < beta
            || self.worker.frames[ply].eval < beta - 20 * depth
            || beta <= -MATE_IN_MAX
            || ply < self.null_from
            || (ply > 0 && self.worker.frames[ply - 1].context.is_none())
            || officers(position) <= spare
        {
            return None;
        }
        let above = ((eval - beta) / params.null_move_margin).min(3);
        let reduction = params.null_move_base + depth / params.null_move_divisor + above;
        let mut next = *position;
        next.play_null();
        self.shared.table.prefetch(next.key());
        self.worker.frames[ply].context = None;
        // The side that passes is not in check, and passing gives none.
        self.worker.frames[ply + 1].in_check = false;
        self.keys.push(position.key());
        let score = -self.node::<Beside>(
            &next,
            depth - reduction,
            ply + 1,
            -beta,
            1 - beta,
            !node.cut,
        );
        self.unplay();
        if self.stopped {
            return Some(DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate found by passing is not proven.
        let score = if is_mate(score) { beta } else { score };
        if depth < VERIFIED_FROM || self.null_from > 0 {
            return Some(score);
        }
        self.null_from = ply + (depth - reduction).max(1) as usize * 3 / 4;
        let verified = self.node::<Beside>(position, depth - reduction, ply, beta - 1, beta, false);
        self.null_from = 0;
        (verified >= beta || self.stopped).then_some(score)
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
        let buffer = std::mem::take(&mut self.worker.buffers[slot]);
        let mut tried = std::mem::take(&mut self.worker.tried[slot]);
        tried.iter_mut().for_each(Vec::clear);
        let killer = self.worker.frames[ply].killer;
        let mut picker = Picker::new(buffer, node.table_move, killer);

        let mut alpha = node.alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.advice(ply)) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_move(mv)) {
                continue;
            }
            number += 1;
            let quiet = is_quiet(position, mv);
            let whole = node.whole || self.is_proving(alpha, beta, ply);
            let reduction = if whole {
                0
            } else {
                self.reduction::<N>(position, node, mv, number, quiet)
            };
            if !N::ROOT && best > -MATE_IN_MAX && !whole {
                match self.prune_move(position, node, mv, number, quiet, alpha, reduction) {
                    Pruned::No => {}
                    Pruned::Move => continue,
                    Pruned::Quiets => {
                        picker.only_checks(position);
                        continue;
                    }
                }
            }
            let mut extension = 0;
            if !N::ROOT && Some(mv) == node.table_move && excluded.is_none() {
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
            let next = self.play(position, mv, ply);
            if self.shared.params.check_extension > 0
                && extension == 0
                && self.worker.frames[ply + 1].in_check
                && see_at_least(position, self.shared.evaluator, mv, 0)
            {
                extension = 1;
            }
            // Only mate on the spot is within the window, and that is a check.
            if alpha >= MATE - ply as Score - 3 && !self.worker.frames[ply + 1].in_check {
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
                    self.worker.frames[ply].cutoffs += 1;
                    break;
                }
            }
            tried[usize::from(!quiet)].push(mv);
        }
        self.worker.buffers[slot] = picker.into_buffer();
        if self.stopped {
            self.worker.tried[slot] = tried;
            return DRAW;
        }
        if best == -INFINITE {
            self.worker.tried[slot] = tried;
            // Nothing but the excluded move, or nothing at all.
            return if excluded.is_some() {
                node.alpha
            } else {
                self.no_legal_move(node.in_check, ply)
            };
        }
        if best >= beta
            && let Some(mv) = best_move
        {
            self.teach(position, node, mv, &tried);
        }
        self.worker.tried[slot] = tried;
        if excluded.is_none() {
            self.remember(position, node, best, best_move);
        }
        best
    }

    /// Late-move reduction of the search depth in plies, by experience with such moves.
    fn reduction<N: NodeKind>(
        &self,
        position: &Position<G>,
        node: &Node,
        mv: Move,
        number: usize,
        quiet: bool,
    ) -> i32 {
        const PLY: i32 = 1024;
        let params = self.shared.params;
        let mut reduction = self.shared.reductions.of(node.depth, number);
        reduction += if node.cut { 2 * PLY } else { 0 };
        reduction += if node.improving { 0 } else { PLY * 3 / 4 };
        reduction -= if N::PV { PLY * 3 / 4 } else { 0 };
        if self.worker.frames[node.ply + 1].cutoffs > 3 {
            reduction += PLY;
        }
        if quiet {
            let contexts = self.contexts(node.ply);
            let history = self.worker.history.quiet(position, mv, &contexts);
            reduction -= history * PLY / params.reduction_history;
            if self.worker.frames[node.ply].killer == Some(mv) {
                reduction -= PLY;
            }
        } else {
            let history = self.worker.history.noisy(position, mv);
            reduction -= PLY + history * PLY / params.reduction_history;
        }
        reduction / PLY
    }

    /// Reasons not to look at one move.
    #[allow(clippy::too_many_arguments)]
    fn prune_move(
        &mut self,
        position: &Position<G>,
        node: &Node,
        mv: Move,
        number: usize,
        quiet: bool,
        alpha: Score,
        reduction: i32,
    ) -> Pruned {
        let params = self.shared.params;
        let evaluator = self.shared.evaluator;
        let depth = node.depth;
        let reduced = (depth - 1 - reduction.max(0)).max(0);
        if quiet && !node.in_check {
            // Late-move pruning: after so many moves, none will do.
            let enough = (params.late_move_count + depth * depth) / (2 - i32::from(node.improving));
            if depth <= params.late_move_depth && number as i32 > enough {
                return Pruned::Quiets;
            }
            // Futility: a quiet move does not win so much.
            let reached = node.eval + params.futility_base + params.futility_margin * reduced;
            if reduced < params.futility_depth && reached <= alpha {
                return Pruned::Quiets;
            }
        }
        if quiet && reduced < params.history_depth {
            let contexts = self.contexts(node.ply);
            let history = self.worker.history.quiet(position, mv, &contexts);
            if history < -params.history_margin * (reduced + 1) {
                return Pruned::Move;
            }
        }
        if depth <= params.see_depth {
            let loss = if quiet {
                params.see_quiet_margin * reduced * reduced
            } else {
                params.see_noisy_margin * depth
            };
            if !see_at_least(position, evaluator, mv, -loss) {
                return Pruned::Move;
            }
        }
        Pruned::No
    }

    /// Singular extension: how many plies deeper the table's move is searched since all others are
    /// worse (or less deep, if they are not); or the score, if several moves are good enough to end
    /// the node ("multicut").
    fn singular(&mut self, position: &Position<G>, node: &Node, mv: Move) -> Result<i32, Score> {
        let params = self.shared.params;
        let &Node { depth, ply, .. } = node;
        let Some(entry) = node.known else {
            return Ok(0);
        };
        let score = from_table(entry.score, ply);
        if depth < params.singular_depth
            || i32::from(entry.depth) < depth - 3
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || is_mate(score)
            || ply as i32 >= 2 * self.root_depth
        {
            return Ok(0);
        }
        let goal = score - params.singular_margin * depth / 2;
        self.worker.frames[ply].excluded = Some(mv);
        let others = self.node::<Beside>(position, (depth - 1) / 2, ply, goal - 1, goal, node.cut);
        self.worker.frames[ply].excluded = None;
        if self.stopped {
            return Ok(0);
        }
        if others < goal {
            let twice = node.beta - node.alpha == 1 && others < goal - params.double_margin;
            return Ok(1 + i32::from(twice));
        }
        if goal >= node.beta && !is_mate(goal) {
            return Err(goal);
        }
        if score >= node.beta {
            return Ok(-2);
        }
        Ok(if node.cut { -1 } else { 0 })
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
            self.worker.lines[ply + 1].clear();
        }
        let full = if depth >= 2 && number > 1 + usize::from(N::ROOT) {
            let gives_check = self.worker.frames[ply + 1].in_check;
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
    fn teach(&mut self, position: &Position<G>, node: &Node, mv: Move, tried: &[Vec<Move>; 2]) {
        let params = self.shared.params;
        let bonus = (params.history_bonus * node.depth).min(params.history_bonus_most);
        let contexts = self.contexts(node.ply);
        let worker = &mut *self.worker;
        if is_quiet(position, mv) {
            worker.frames[node.ply].killer = Some(mv);
            worker.history.nudge_quiet(position, mv, &contexts, bonus);
            for &other in &tried[0] {
                worker
                    .history
                    .nudge_quiet(position, other, &contexts, -bonus);
            }
        } else {
            worker.history.nudge_noisy(position, mv, bonus);
        }
        for &other in &tried[1] {
            worker.history.nudge_noisy(position, other, -bonus);
        }
    }

    /// Stores the result, and what it says about the static evaluation.
    fn remember(&mut self, position: &Position<G>, node: &Node, best: Score, mv: Option<Move>) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let judged = self.worker.frames[node.ply].eval;
        let quiet = mv.is_none_or(|mv| is_quiet(position, mv));
        let known_better = match bound {
            Bound::Lower => best <= judged,
            Bound::Upper => best >= judged,
            _ => false,
        };
        if !node.in_check && quiet && !known_better && !is_mate(best) {
            let error = best - node.raw_eval;
            self.worker.history.correct(position, node.depth, error);
        }
        // At the root, other lines were left out: what is best of the rest says nothing.
        if self.line == 0 || node.ply > 0 {
            let (depth, raw) = (node.depth, node.raw_eval);
            self.store(position, depth, node.ply, (best, bound), raw, mv);
        }
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

/// Whether a move is left out.
enum Pruned {
    No,
    Move,
    /// This one, and all quiet moves after it.
    Quiets,
}
