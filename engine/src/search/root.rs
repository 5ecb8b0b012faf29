//! Iterative deepening with aspiration windows over the moves of the first position.

use hexmate_movegen::{Game, Move, Position, Unchecked};
use hexmate_tt::Bound;

use super::Search;
use super::node::Root;
use crate::eval::Evaluation;
use crate::history::CorrectionKeys;
use crate::limits::{Line, Report};
use crate::order::sort_moves;
use crate::score::{DRAW, INFINITE, MATE, MATE_IN_MAX, Score, is_mate};
use crate::see::see_at_least;
use crate::time::Stability;

/// The longest mates that are looked for in every line, in moves.
const MOST_MATE: u32 = 60;

/// A move of the first position and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// The score at the depth being searched; `-INFINITE` if it is only known not to be best.
    score: Score,
    bound: Bound,
    /// The last one before that. Bound, depth and line belong to the later of the two.
    before: Score,
    depth: u32,
    seldepth: u32,
    pv: Vec<Move>,
    /// Nodes spent on the move, at all depths.
    nodes: u64,
}

// Functions of their own, so that they are not compiled for each game.

/// Sorts by score; equals keep their order.
fn best_first(moves: &mut [RootMove]) {
    moves.sort_by_key(|m| std::cmp::Reverse(m.score));
}

/// Moves that no search has come to the end of go first: they may be better than those that lose.
fn unsearched_first(moves: &mut [RootMove]) {
    moves.sort_by_key(|m| m.nodes > 0);
}

/// The lines of a depth that was cut short, the best move first. Where it only knows of another that it is no
/// better than a bound, the line of the last finished depth takes its place.
fn with_finished(mut lines: Vec<Line>, finished: &[Line]) -> Vec<Line> {
    let others = lines.iter_mut().skip(1);
    for line in others.filter(|line| line.bound == Bound::Upper) {
        let same_move = |before: &&Line| before.pv.first() == line.pv.first();
        if let Some(before) = finished.iter().find(same_move) {
            *line = before.clone();
        }
    }
    if let Some((_, others)) = lines.split_first_mut() {
        others.sort_by_key(|line| std::cmp::Reverse(line.score));
    }
    lines
}

/// Keeps the moves that are wanted: all, if none are named.
fn keep(moves: &mut Vec<Move>, wanted: &[Move]) {
    moves.retain(|mv| wanted.is_empty() || wanted.contains(mv));
}

/// Moves of the first position, of which no more is known than what the position is worth.
fn unsearched(moves: &[Move], score: Score) -> Vec<RootMove> {
    let unsearched = |&mv: &Move| RootMove {
        mv,
        score,
        bound: Bound::Exact,
        before: score,
        depth: 0,
        seldepth: 0,
        pv: vec![mv],
        nodes: 0,
    };
    moves.iter().map(unsearched).collect()
}

/// Lines as they stand; with `draws`, each is known to be a draw.
fn lines_of(best: &[RootMove], draws: bool) -> Vec<Line> {
    let line = |m: &RootMove| Line {
        score: if draws { DRAW } else { m.score_known() },
        bound: if draws { Bound::Exact } else { m.bound },
        depth: m.depth,
        seldepth: m.seldepth,
        pv: m.pv.clone(),
    };
    best.iter().map(line).collect()
}

/// Where one thread's search ended.
#[derive(Default)]
pub(crate) struct ThreadResult {
    /// The last depth searched to its end.
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    pub lines: Vec<Line>,
    /// The mate search has proven that there is none in this many moves.
    pub no_mate_in: Option<u32>,
}

impl<G: Game, E: Evaluation<G>> Search<'_, G, E> {
    /// Makes the lines whole that another thread found; `nodes` were visited by this one before.
    pub fn finish(mut self, root: &Position<G>, nodes: u64, lines: &mut [Line]) -> u64 {
        self.nodes = nodes;
        self.shared.give_back_nodes();
        self.share_end = nodes;
        // Any depth but the first: the clock counts.
        self.root_depth = 2;
        self.make_whole(root, lines);
        self.nodes
    }

    /// Searches deeper and deeper until a limit is reached; calls `progress` after each depth.
    pub fn run(mut self, root: &Position<G>, progress: &mut dyn FnMut(&Report)) -> ThreadResult {
        self.list_root_moves(root);
        let settled = self.ask_root(root);
        self.data.stack[0].in_check = root.in_check();
        self.data.stack[0].correction = CorrectionKeys::default();
        let mut result = ThreadResult::default();
        if self.root_moves.is_empty() {
            if root.has_legal_move() {
                // None of those that were asked for.
                return result;
            }
            result.lines.push(Line {
                score: self.no_legal_move(root, root.in_check(), 0),
                bound: Bound::Exact,
                depth: 0,
                seldepth: 0,
                pv: Vec::new(),
            });
            return result;
        }
        let lines = self.shared.limits.multipv.clamp(1, self.root_moves.len());
        let mut stability = Stability::default();
        for depth in 1..=self.shared.limits.last_depth() {
            self.root_depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.before = root_move.score_known();
                root_move.score = -INFINITE;
            }
            for line in 0..lines {
                self.line = line;
                self.seldepth = 0;
                self.aspire(root, depth as i32, |search| {
                    if search.thread == 0 {
                        let lines = search.whole_lines(root, lines);
                        progress(&search.report(depth - 1, lines));
                    }
                });
                // Lines found later may be better; the order among equals stays.
                best_first(&mut self.root_moves[..=line]);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            result.depth = depth;
            if self.thread > 0 {
                result.lines = self.lines(lines);
            } else {
                result.lines = self.whole_lines(root, lines);
                progress(&self.report(depth, result.lines.clone()));
            }
            // Depth 1 comes first: whatever ends the mate search, there is a move that was searched.
            if depth == 1
                && let Some(moves) = self.shared.limits.mate
            {
                if let Some(plies) = self.find_mates(root, moves, lines, progress) {
                    result.depth = plies;
                    result.lines = self.whole_lines(root, lines);
                    break;
                }
                if self.stopped {
                    break;
                }
                // Of moves that were left out nothing is proven.
                if self.root_moves.len() == root.legal_moves().len() {
                    result.no_mate_in = Some(moves.min(MOST_MATE));
                }
                if self.shared.limits.only_mate() {
                    break;
                }
            }
            let known = settled && self.shared.limits.depth.is_none();
            if self.thread == 0 && (known || self.is_enough(depth, &mut stability)) {
                break;
            }
            // The first depth may have gone on beyond the time.
            let limits = &self.shared.limits;
            let ended = limits.is_told_to_stop() || limits.is_out_of_time();
            if self.thread == 0 && (ended || limits.has_enough_nodes(self.shared.nodes())) {
                break;
            }
        }
        // A depth that was cut short counts for what it found, but not for what it had yet to refute.
        let best = &self.root_moves[0];
        let lost = best.score_known() <= -MATE_IN_MAX;
        let found = best.score != -INFINITE && best.bound != Bound::Upper && !lost;
        if result.lines.is_empty() || (self.stopped && found) {
            if lost {
                unsearched_first(&mut self.root_moves);
            }
            result.lines = with_finished(self.lines(lines), &result.lines);
            if self.thread == 0 {
                self.make_whole(root, &mut result.lines);
            }
        }
        result.nodes = self.nodes;
        result.seldepth = result.lines.iter().map(|l| l.seldepth).max().unwrap_or(0);
        result
    }

    fn list_root_moves(&mut self, root: &Position<G>) {
        let wanted = self.shared.limits.searchmoves;
        let mut moves = root.legal_moves();
        keep(&mut moves, wanted);
        // Before any move has a score, the best one known is what looks best at sight.
        sort_moves(&mut moves, &mut |mv| -self.at_sight(root, mv));
        let score = self.static_eval(root);
        self.root_moves = unsearched(&moves, score);
    }

    /// What a move of the first position looks like without a search: the evaluation after it, less what it
    /// leaves to be taken.
    fn at_sight(&mut self, root: &Position<G>, mv: Move) -> Score {
        let mut next = *root;
        next.play_unchecked(mv);
        if !next.has_legal_move() {
            return -self.no_legal_move(&next, next.in_check(), 1);
        }
        let evaluation = self.shared.evaluation;
        let lost = match root.piece_on(mv.from) {
            Some(piece) if !see_at_least(root, evaluation, mv, 0) => {
                evaluation.value(mv.promotion().unwrap_or(piece.kind))
            }
            _ => 0,
        };
        self.push(root, Some(mv));
        let eval = self.static_eval(&next);
        self.unplay();
        -eval - lost
    }

    /// Mate search: the shortest mates within `moves` moves, one for each line as far as there are so many, every
    /// defence searched; gives the plies of the first.
    fn find_mates(
        &mut self,
        root: &Position<G>,
        moves: u32,
        lines: usize,
        progress: &mut dyn FnMut(&Report),
    ) -> Option<u32> {
        let most = 2 * moves.min(MOST_MATE);
        self.proving = most as Score;
        self.proof = true;
        // The scores of the first depth, which the other lines keep.
        let before: Vec<(Move, Score)> = self.root_moves.iter().map(|m| (m.mv, m.score)).collect();
        let mut first = None;
        let mut plies = 1;
        let mut found = 0;
        while found < lines && plies < most {
            self.line = found;
            self.root_depth = plies as i32;
            // Nothing but a mate in exactly this many plies is within the window: a shorter one was looked
            // for before.
            let mate = MATE - plies as Score;
            let score = self.node::<Root>(root, plies as i32, 0, mate - 1, mate, false);
            if self.stopped {
                break;
            }
            if score < mate {
                plies += 2;
                continue;
            }
            best_first(&mut self.root_moves[found..]);
            self.root_moves[found].bound = Bound::Exact;
            found += 1;
            first = first.or(Some(plies));
            // Further mates may take long to find.
            if found == 1 && lines > 1 && self.thread == 0 {
                let lines = self.whole_lines(root, 1);
                progress(&self.report(plies, lines));
            }
        }
        for root_move in &mut self.root_moves[found..] {
            if let Some(&(_, score)) = before.iter().find(|(mv, _)| *mv == root_move.mv) {
                root_move.score = score;
            }
        }
        best_first(&mut self.root_moves[found..]);
        // What was proven also leads the line of the mate to its end.
        self.proof = first.is_some();
        first
    }

    /// Searches one line to one depth, with a window around the score of the depth before that is
    /// widened for as long as the score falls outside ("aspiration window").
    fn aspire(&mut self, root: &Position<G>, depth: i32, mut outside: impl FnMut(&mut Self)) {
        /// Below this depth scores jump about.
        const FROM_DEPTH: i32 = 4;
        let expected = self.root_moves[self.line].before;
        let mut width = self.shared.params.aspiration_window;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= FROM_DEPTH && !is_mate(expected) {
            alpha = expected - width;
            beta = expected + width;
        }
        let mut less = 0;
        loop {
            let depth = (depth - less).max(1);
            let score = self.node::<Root>(root, depth, 0, alpha, beta, false);
            let line = self.line;
            best_first(&mut self.root_moves[line..]);
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                less = 0;
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                // A move better than expected: find out fast how much.
                less = (less + 1).min(3);
            } else {
                return;
            }
            width += width / 2;
            if is_mate(score) || width > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.nodes > 1_000_000 {
                outside(self);
            }
        }
    }

    /// Whether a move of the first position is still to be searched for the present line.
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.root_moves[self.line..].iter().any(|m| m.mv == mv)
    }

    /// Notes what a move of the first position came to. `raised` if its line is worth keeping.
    pub(super) fn note_root_score(
        &mut self,
        mv: Move,
        (score, alpha, beta): (Score, Score, Score),
        first: bool,
        nodes: u64,
    ) {
        let (depth, seldepth) = (self.root_depth as u32, self.seldepth as u32);
        let Some(root_move) = self.root_moves.iter_mut().find(|m| m.mv == mv) else {
            return;
        };
        root_move.nodes += nodes;
        if score <= alpha && (!first || is_mate(alpha)) {
            // Not best: its place among the others stays as it was.
            root_move.before = root_move.score_known();
            root_move.score = -INFINITE;
            return;
        }
        root_move.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.score = score;
        root_move.depth = depth;
        root_move.seldepth = seldepth;
        let follows = &self.data.lines[1];
        // A bound mostly comes without a line: what was thought to follow before is the best guess.
        if root_move.bound == Bound::Exact || !follows.is_empty() || is_mate(score) {
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(follows);
        }
    }

    /// The best lines, made whole as far as can be.
    fn whole_lines(&mut self, root: &Position<G>, count: usize) -> Vec<Line> {
        let mut lines = self.lines(count);
        self.make_whole(root, &mut lines);
        lines
    }

    /// The best lines as they stand.
    fn lines(&self, count: usize) -> Vec<Line> {
        let best = self.root_moves.len().min(count);
        lines_of(&self.root_moves[..best], self.draws)
    }

    fn report(&self, depth: u32, lines: Vec<Line>) -> Report {
        Report {
            depth,
            seldepth: lines.iter().map(|l| l.seldepth).max().unwrap_or(0),
            nodes: self.shared.nodes(),
            tbhits: self.shared.table_hits(),
            no_mate_in: None,
            lines,
        }
    }

    /// Whether the next depth need not be begun.
    fn is_enough(&self, depth: u32, stability: &mut Stability) -> bool {
        let limits = &self.shared.limits;
        let best = &self.root_moves[0];
        let score = best.score;
        let plies = MATE - score.abs();
        if is_mate(score) {
            // Mates in three or fewer are looked for in every line; reductions and pruning may hide one a
            // little longer, or a defence that lasts, for some depths, but hardly for this many.
            let proven = if plies <= 5 {
                plies + 2
            } else {
                3 * plies + 16
            };
            let short = limits
                .mate
                .is_none_or(|moves| score > 0 && (plies + 1) / 2 <= moves as Score);
            let asked = limits.mate.is_some() && short;
            // A depth that was asked for is searched all the same.
            let settled = proven <= depth as Score && limits.depth.is_none() && limits.multipv <= 1;
            if asked || (settled && short) {
                return true;
            }
        }
        let effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let factor = stability.factor(best.mv, score, effort);
        let only = self.root_moves.len() == 1;
        limits.time.is_some_and(|budget| {
            !limits.is_pondering() && budget.is_spent(limits.elapsed(), factor, only)
        })
    }
}

impl RootMove {
    /// Whether it has a score at the depth being searched.
    pub(super) fn is_searched(&self) -> bool {
        self.score != -INFINITE
    }

    /// The score of the present depth, or else the last one before.
    fn score_known(&self) -> Score {
        if self.score == -INFINITE {
            self.before
        } else {
            self.score
        }
    }
}
