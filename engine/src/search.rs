//! Iterative deepening over a principal variation search with quiescence.

use hexmate_movegen::{Bits, Cell, Game, Move, Position, Record};
use hexmate_tt::{Bound, Entry, Table};

use crate::eval::Evaluator;
use crate::limits::{Limits, Report};
use crate::ordering::{Heuristics, MoveList, captured, score_all, score_captures};
use crate::score::{
    DRAW, INFINITE, MATE, MAX_PLY, Score, from_table, is_mate, mated_in, score_of_quarters,
    to_table,
};

/// How often the clock is looked at, in nodes; a power of two.
const CLOCK_INTERVAL: u64 = 1024;

/// How many plies of quiescence answer a check by every move; beyond, a position in check is judged like
/// any other. Without an end, chains of captures and checks run to millions of nodes on the large boards.
const EVASION_PLIES: usize = 2;
/// How many plies of quiescence try every capture; beyond, only those on the cell just entered.
const CAPTURE_PLIES: usize = 3;
/// A capture that leaves the score short of the window by more than this is not tried (delta pruning).
const DELTA: Score = 200;

/// One search of one position by one thread.
pub(crate) struct Search<'e, G: Game> {
    table: &'e Table,
    evaluator: &'e Evaluator<G>,
    heuristics: &'e mut Heuristics<G>,
    limits: Limits<'e>,
    nodes: u64,
    seldepth: usize,
    stopped: bool,
    /// Keys of the positions before the current one, the game's own first.
    keys: Vec<u64>,
    /// How many of them are from before the root.
    game_keys: usize,
    /// Move lists and best lines, one for each ply, kept for their memory.
    moves: Vec<MoveList>,
    lines: Vec<Vec<Move>>,
}

impl<'e, G: Game> Search<'e, G> {
    pub fn new(
        table: &'e Table,
        evaluator: &'e Evaluator<G>,
        heuristics: &'e mut Heuristics<G>,
        limits: Limits<'e>,
        game: &Record<G>,
    ) -> Self {
        let keys = game.earlier_keys().to_vec();
        Search {
            table,
            evaluator,
            heuristics,
            limits,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            game_keys: keys.len(),
            keys,
            moves: vec![MoveList::default(); MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Searches deeper and deeper until a limit is reached; calls `progress` after each depth.
    pub fn run(mut self, root: &Position<G>, mut progress: impl FnMut(&Report)) -> Report {
        let mut report = Report {
            score: self.evaluator.evaluate(root),
            depth: 0,
            seldepth: 0,
            nodes: 0,
            // Before any move has a score, any legal move is the best one known.
            pv: root.legal_moves().into_iter().min().into_iter().collect(),
        };
        if report.pv.is_empty() {
            report.score = self.no_legal_move(root, 0);
            return report;
        }
        for depth in 1..=self.limits.last_depth() {
            let score = self.node(root, depth as i32, 0, -INFINITE, INFINITE);
            // A depth that was cut short counts if its best move was searched: the first root move is
            // the last depth's best, so what stands in the line is no worse.
            if !self.lines[0].is_empty() {
                report.score = score;
                report.pv.clone_from(&self.lines[0]);
            }
            report.seldepth = self.seldepth as u32;
            report.nodes = self.nodes;
            if self.stopped {
                break;
            }
            report.depth = depth;
            progress(&report);
            // Every line to this depth was searched: no mate is shorter, and none is longer that could
            // be put off. A depth that was asked for is searched all the same.
            let plies = MATE - score.abs();
            if is_mate(score) && plies <= depth as Score && self.limits.depth.is_none() {
                break;
            }
        }
        report
    }

    /// Whether the search must end; once it must, it stays so.
    fn must_stop(&mut self) -> bool {
        if !self.stopped {
            self.stopped = self.limits.out_of_nodes(self.nodes)
                || (self.nodes.is_multiple_of(CLOCK_INTERVAL) && self.limits.interrupted());
        }
        self.stopped
    }

    /// Counts a node; `false` if there is none left, and the search must end.
    fn visit(&mut self, ply: usize) -> bool {
        if self.must_stop() {
            return false;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        true
    }

    /// The score of a position in which the side to move has no legal move.
    fn no_legal_move(&self, position: &Position<G>, ply: usize) -> Score {
        if position.in_check() {
            mated_in(ply)
        } else {
            score_of_quarters(G::SPEC.stalemate_quarters)
        }
    }

    /// Whether the position is a draw by repetition: once within the search is enough, since what was
    /// possible once is possible again; of positions before the root the rule's own number is needed.
    fn is_repeated(&self, position: &Position<G>) -> bool {
        let key = position.key();
        let reach = usize::from(position.halfmove_clock()).min(self.keys.len());
        let mut before_root = 1;
        for (i, &earlier) in self.keys.iter().enumerate().rev().take(reach) {
            if earlier != key {
                continue;
            }
            if i >= self.game_keys {
                return true;
            }
            before_root += 1;
            if before_root >= usize::from(G::SPEC.repetitions) {
                return true;
            }
        }
        false
    }

    /// A draw by rule, if the position is one; the root itself is searched whatever it is.
    fn drawn_by_rule(&self, position: &Position<G>, ply: usize) -> Option<Score> {
        if position.is_dead() || self.is_repeated(position) {
            return Some(DRAW);
        }
        if position.is_without_progress() {
            // Mate or stalemate by the last move comes first.
            return Some(if position.has_legal_move() {
                DRAW
            } else {
                self.no_legal_move(position, ply)
            });
        }
        None
    }

    /// Makes the move, searches the position after it and gives its score from this side.
    fn child(
        &mut self,
        position: &Position<G>,
        mv: Move,
        search: impl FnOnce(&mut Self, &Position<G>) -> Score,
    ) -> Score {
        let mut next = *position;
        next.play_unchecked(mv);
        self.table.prefetch(next.key());
        self.keys.push(position.key());
        let score = -search(self, &next);
        self.keys.pop();
        score
    }

    /// Notes `mv` as the best at `ply`, with the line that follows it.
    fn note_line(&mut self, ply: usize, mv: Move) {
        let (front, back) = self.lines.split_at_mut(ply + 1);
        front[ply].clear();
        front[ply].push(mv);
        front[ply].extend_from_slice(&back[0]);
    }

    /// Principal variation search: the score of a position to `depth` plies within a window.
    fn node(
        &mut self,
        position: &Position<G>,
        depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        self.lines[ply].clear();
        let root = ply == 0;
        if !root {
            if let Some(score) = self.drawn_by_rule(position, ply) {
                return if self.visit(ply) { score } else { DRAW };
            }
            // Mate distance pruning: no line from here can beat a shorter mate already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as Score - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();
        // Check extension: a check must not hide what comes after it.
        let depth = if in_check { depth + 1 } else { depth };
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(position, ply, 0, None, alpha, beta);
        }
        if !self.visit(ply) {
            return DRAW;
        }

        let wide = beta - alpha > 1;
        let known = self.table.probe(position.key());
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
                Bound::None => false,
            };
            if decides && !wide && i32::from(entry.depth) >= depth {
                return score;
            }
        }
        let table_move = known.and_then(|e| Move::from_bits(e.mv));

        let mut moves = std::mem::take(&mut self.moves[ply]);
        let (e, h) = (self.evaluator, &*self.heuristics);
        score_all(position, e, h, ply, table_move, &mut moves);
        let score = if moves.len() == 0 {
            self.no_legal_move(position, ply)
        } else {
            self.try_moves(position, depth, ply, alpha, beta, &mut moves)
        };
        self.moves[ply] = moves;
        score
    }

    /// Searches the moves of a node, the most promising first, and stores what came out.
    fn try_moves(
        &mut self,
        position: &Position<G>,
        depth: i32,
        ply: usize,
        original_alpha: Score,
        beta: Score,
        moves: &mut MoveList,
    ) -> Score {
        let mut alpha = original_alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut quiets: Vec<Move> = Vec::new();
        for i in 0..moves.len() {
            let mv = moves.pick(i);
            let score = if i == 0 {
                self.child(position, mv, |s, p| {
                    s.node(p, depth - 1, ply + 1, -beta, -alpha)
                })
            } else {
                let null_window = self.child(position, mv, |s, p| {
                    s.node(p, depth - 1, ply + 1, -alpha - 1, -alpha)
                });
                if null_window > alpha && null_window < beta {
                    self.child(position, mv, |s, p| {
                        s.node(p, depth - 1, ply + 1, -beta, -alpha)
                    })
                } else {
                    null_window
                }
            };
            if self.stopped {
                // At the root what is finished still counts; elsewhere it is lost.
                return if ply == 0 && best_move.is_some() {
                    best
                } else {
                    DRAW
                };
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    self.note_line(ply, mv);
                }
            }
            let quiet = captured(position, mv).is_none() && mv.promotion().is_none();
            if score >= beta {
                if quiet {
                    let side = position.side_to_move();
                    self.heuristics.reward(side, ply, depth, mv, &quiets);
                }
                break;
            }
            if quiet {
                quiets.push(mv);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(position, depth, ply, best, bound, best_move);
        best
    }

    fn store(
        &self,
        position: &Position<G>,
        depth: i32,
        ply: usize,
        score: Score,
        bound: Bound,
        mv: Option<Move>,
    ) {
        let entry = Entry {
            mv: mv.map_or(0, Move::to_bits),
            score: to_table(score, ply),
            eval: 0,
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.table.store(position.key(), entry);
    }

    /// Captures only, until the position is quiet; in check, every move. `far` counts the plies since
    /// the full search ended, `entered` is the cell that the last capture went to.
    fn quiescence(
        &mut self,
        position: &Position<G>,
        ply: usize,
        far: usize,
        entered: Option<Cell>,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        self.lines[ply].clear();
        if !self.visit(ply) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.evaluator.evaluate(position);
        }
        let in_check = position.in_check();
        let evading = in_check && far < EVASION_PLIES;
        let mut best = -INFINITE;
        let mut stand = -INFINITE;
        if !evading {
            if (in_check || may_be_stalemate(position)) && !position.has_legal_move() {
                return self.no_legal_move(position, ply);
            }
            stand = self.evaluator.evaluate(position);
            best = stand;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        if evading {
            let (e, h) = (self.evaluator, &*self.heuristics);
            score_all(position, e, h, ply, None, &mut moves);
            if moves.len() == 0 {
                best = mated_in(ply);
            }
        } else {
            score_captures(position, self.evaluator, &mut moves);
        }
        for i in 0..moves.len() {
            let mv = moves.pick(i);
            if !evading && far >= CAPTURE_PLIES && entered != Some(mv.to) {
                continue;
            }
            if !evading && stand + DELTA + self.gain(position, mv) <= alpha {
                continue;
            }
            let score = self.child(position, mv, |s, p| {
                s.quiet_child(p, ply + 1, far + 1, Some(mv.to), -beta, -alpha)
            });
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.note_line(ply, mv);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.moves[ply] = moves;
        best
    }

    /// What a capture wins at once.
    fn gain(&self, position: &Position<G>, mv: Move) -> Score {
        let value = |kind| self.evaluator.value(kind);
        captured(position, mv).map_or(0, value) + mv.promotion().map_or(0, value)
    }

    fn quiet_child(
        &mut self,
        position: &Position<G>,
        ply: usize,
        far: usize,
        entered: Option<Cell>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if let Some(score) = self.drawn_by_rule(position, ply) {
            self.lines[ply].clear();
            return if self.visit(ply) { score } else { DRAW };
        }
        self.quiescence(position, ply, far, entered, alpha, beta)
    }
}

/// Whether so little is left that having no move is worth looking for: the look costs as much as an
/// evaluation, and with many pieces it never succeeds.
fn may_be_stalemate<G: Game>(position: &Position<G>) -> bool {
    const FEW: u32 = 6;
    position.side(position.side_to_move()).count() <= FEW
}
