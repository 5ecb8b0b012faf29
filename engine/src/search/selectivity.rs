//! What is looked at less deeply, more deeply or not at all: pruning, reductions and extensions.

use hexmate_movegen::{Game, Move, Position, Unchecked};
use hexmate_tt::Bound;

use super::node::{Beside, Node, NodeKind};
use super::{Search, may_be_stalemate, officers, table_key};
use crate::eval::Evaluation;
use crate::history::Rows;
use crate::score::{DRAW, MATE_IN_MAX, Score, from_table, is_mate};
use crate::see::{is_out_of_reach, see_at_least};

impl<G: Game, E: Evaluation<G>> Search<'_, G, E> {
    /// Reasons not to look at any move; the score if there is one.
    pub(super) fn prune_node(&mut self, position: &Position<G>, node: &Node) -> Option<Score> {
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
            return Some(self.no_legal_move(position, false, ply));
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
        let spare = 2 - u32::from(position.spec().stalemate_quarters).min(2);
        if depth < params.null_move_depth
            || eval < beta
            || self.data.stack[ply].eval < beta - params.null_move_static * depth
            || beta <= -MATE_IN_MAX
            || ply < self.null_from
            || (ply > 0 && self.data.stack[ply - 1].context.is_none())
            || officers(position) <= spare
        {
            return None;
        }
        let above = ((eval - beta) / params.null_move_margin).min(3);
        let reduction = params.null_move_base + depth / params.null_move_divisor + above;
        let mut next = *position;
        next.play_null_unchecked();
        self.shared.table.prefetch(table_key(&next));
        self.data.stack[ply].context = None;
        // The side that passes is not in check, and passing gives none.
        self.data.stack[ply + 1].in_check = false;
        self.data.stack[ply + 1].correction = self.data.stack[ply].correction;
        self.push(position, None);
        let unbroken = std::mem::replace(&mut self.unbroken, self.keys.len());
        let score = -self.node::<Beside>(
            &next,
            depth - reduction,
            ply + 1,
            -beta,
            1 - beta,
            !node.cut,
        );
        self.unbroken = unbroken;
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

    /// Late-move reduction of the search depth in plies, by experience with such moves (`history`).
    pub(super) fn reduction<N: NodeKind>(
        &self,
        node: &Node,
        mv: Move,
        number: usize,
        quiet: bool,
        history: i32,
    ) -> i32 {
        const PLY: i32 = 1024;
        let params = self.shared.params;
        let hundredths = |number: i32| number * PLY / 100;
        let mut reduction = self.shared.reductions.of(node.depth, number);
        if node.cut {
            reduction += hundredths(params.reduction_cut);
        }
        if !node.improving {
            reduction += hundredths(params.reduction_worsening);
        }
        if N::PV {
            reduction -= hundredths(params.reduction_pv);
        }
        if self.data.stack[node.ply + 1].cutoffs > 3 {
            reduction += hundredths(params.reduction_cutoffs);
        }
        if quiet {
            reduction -= history * PLY / params.reduction_history;
            if self.data.stack[node.ply].killer == Some(mv) {
                reduction -= hundredths(params.reduction_killer);
            }
        } else {
            reduction -=
                hundredths(params.reduction_noisy) + history * PLY / params.reduction_history;
        }
        reduction / PLY
    }

    /// After so many moves no quiet one will do (late-move pruning).
    pub(super) fn enough_moves(&self, node: &Node) -> usize {
        let params = self.shared.params;
        let depth = node.depth;
        if depth > params.late_move_depth {
            return usize::MAX;
        }
        let enough = params.late_move_count + params.late_move_square * depth * depth / 100;
        // Early iterations have little to order quiet moves by.
        let before = (params.late_move_settled - self.root_depth).max(0);
        let enough = enough * (100 + params.late_move_early * before) / 100;
        (enough / (2 - i32::from(node.improving))).max(0) as usize
    }

    /// Whether a quiet move, and all after it, come too late in the order to be any good: after `enough` moves, or because
    /// none wins so much (futility).
    #[inline]
    pub(super) fn is_too_late(
        &self,
        node: &Node,
        (number, enough): (usize, usize),
        alpha: Score,
        reduction: i32,
    ) -> bool {
        if node.in_check {
            return false;
        }
        if number > enough {
            return true;
        }
        let params = self.shared.params;
        let reduced = reduced(node, reduction);
        let reached = node.eval + params.futility_base + params.futility_margin * reduced;
        reduced < params.futility_depth && reached <= alpha
    }

    /// Reasons not to look at a quiet move, unless it gives check, for no evaluation sees a mate: it comes too
    /// `late`, or has failed too often.
    pub(super) fn is_unpromising(
        &self,
        node: &Node,
        late: bool,
        reduction: i32,
        history: i32,
    ) -> bool {
        let params = self.shared.params;
        let reduced = reduced(node, reduction);
        late || (reduced < params.history_depth && history < -params.history_margin * (reduced + 1))
    }

    /// SEE pruning: what loses more than the depth may win back.
    pub(super) fn loses_too_much(
        &self,
        position: &Position<G>,
        node: &Node,
        (mv, quiet): (Move, bool),
        rows: &Rows<G>,
        reduction: i32,
    ) -> bool {
        let params = self.shared.params;
        // Most quiet moves are known to lose nothing.
        if node.depth > params.see_depth || (quiet && is_out_of_reach(rows.attacked(position), mv))
        {
            return false;
        }
        let reduced = reduced(node, reduction);
        let loss = if quiet {
            params.see_quiet_margin * reduced * reduced
        } else {
            params.see_noisy_margin * node.depth
        };
        !see_at_least(position, self.shared.evaluation, mv, -loss)
    }

    /// Singular extension: how many plies deeper the table's move is searched since all others are
    /// worse (or less deep, if they are not); or the score, if several moves are good enough to end
    /// the node ("multicut").
    pub(super) fn singular(
        &mut self,
        position: &Position<G>,
        node: &Node,
        mv: Move,
    ) -> Result<i32, Score> {
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
        self.data.stack[ply].excluded = Some(mv);
        let others = self.node::<Beside>(position, (depth - 1) / 2, ply, goal - 1, goal, node.cut);
        self.data.stack[ply].excluded = None;
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
}

/// The plies that a move is searched to after its reduction.
fn reduced(node: &Node, reduction: i32) -> i32 {
    (node.depth - 1 - reduction.max(0)).max(0)
}
