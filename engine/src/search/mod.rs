//! The search of one thread: what it shares with others, when it stops, which positions are drawn.
//!
//! [`root`] deepens, [`lines`] makes lines whole, [`node`] searches the principal variation and everything
//! beside it, [`quiescence`] settles captures at the leaves, [`tables`] knows what endgame tables say,
//! [`in_time`] whether that comes in time.

mod in_time;
mod lines;
mod node;
mod quiescence;
mod root;
mod selectivity;
mod tables;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hexmate_movegen::{Bits, Game, KING, Move, PAWN, Position, Record, Unchecked};
use hexmate_tablebases::Tablebases;
use hexmate_tt::{Bound, Entry, Table};

use crate::eval::Evaluation;
use crate::history::{Context, Rows};
use crate::limits::Limits;
use crate::params::Params;
use crate::picker::MoveOrdering;
use crate::score::{DRAW, MATE_IN_MAX, NO_EVAL, Score, mated_in, score_of_quarters, to_table};
use crate::thread_data::{Reductions, ThreadData};

pub(crate) use root::{RootMove, ThreadResult};

/// How often the clock is looked at, in nodes; a power of two.
const CLOCK_INTERVAL: u64 = 512;
/// The most nodes that a thread takes at once of those that all may visit.
const MOST_SHARE: u64 = CLOCK_INTERVAL;
/// The first depth is searched to its end whatever the time, unless it takes more nodes than this.
const LONG_FIRST_DEPTH: u64 = 20_000;

/// What all threads of one search share.
pub(crate) struct SharedState<'e, E> {
    pub table: &'e Table,
    pub evaluation: &'e E,
    pub params: &'e Params,
    pub reductions: &'e Reductions,
    pub limits: Limits<'e>,
    pub tables: Option<&'e Tablebases>,
    pub table_hits: AtomicU64,
    /// Set by the first thread once the search must end.
    pub stop: AtomicBool,
    /// Nodes visited by each thread; each on a cache line of its own.
    pub counters: Vec<NodeCounter>,
    /// What no thread has taken yet of the nodes that all together may visit.
    pub nodes_left: AtomicU64,
}

/// A counter that one thread writes and others may read, a little late.
#[repr(align(128))]
#[derive(Default)]
pub(crate) struct NodeCounter(AtomicU64);

impl<E> SharedState<'_, E> {
    /// Takes some of the nodes that may still be visited; 0 if there are none. No thread visits a node that it has not
    /// taken, so that all together keep the limit. The fewer are left, the fewer a thread takes; the first one takes as
    /// many as it can, since it is to get through the first depth.
    #[cold]
    fn take_nodes(&self, thread: usize) -> u64 {
        let most = |left: u64| match thread {
            0 => MOST_SHARE,
            _ => (left / (4 * self.counters.len() as u64)).clamp(1, MOST_SHARE),
        };
        let share = |left: u64| most(left).min(left);
        let less = |left: u64| (left > 0).then(|| left - share(left));
        let left = (self.nodes_left).fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        left.map_or(0, share)
    }

    /// Once all threads have ended: what they took and did not visit is there again.
    fn give_back_nodes(&self) {
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let left = most.saturating_sub(self.nodes());
        self.nodes_left.store(left, Ordering::Relaxed);
    }

    /// The nodes of all threads, as far as they have told.
    pub fn nodes(&self) -> u64 {
        let counts = self.counters.iter().map(|c| c.0.load(Ordering::Relaxed));
        counts.sum()
    }

    /// How often a table told the score of a position.
    pub fn table_hits(&self) -> u64 {
        self.table_hits.load(Ordering::Relaxed)
    }

    fn note_table_hit(&self) {
        self.table_hits.fetch_add(1, Ordering::Relaxed);
    }
}

/// One search of one position by one thread.
pub(crate) struct Search<'e, G: Game, E: Evaluation<G>> {
    shared: &'e SharedState<'e, E>,
    data: &'e mut ThreadData<G, E>,
    /// 0 is the one that watches the limits and reports.
    thread: usize,
    nodes: u64,
    /// At this count of nodes it needs more of those that all threads may visit.
    share_end: u64,
    seldepth: usize,
    stopped: bool,
    /// Keys of the positions before the current one, the game's own first.
    keys: Vec<u64>,
    /// How many of them are from before the root.
    game_keys: usize,
    root_moves: Vec<RootMove>,
    /// Which of the best lines is searched; the root moves before it are settled.
    line: usize,
    root_depth: i32,
    /// Mates of up to this many plies from the root are looked for in every line.
    proving: Score,
    /// A mate is being proven or refuted: what the table has from other searches, which leave lines out, does
    /// not count.
    proof: bool,
    /// The part that runs ends at this count of nodes, the search itself does not.
    ceiling: u64,
    /// The quiescence that runs looks at less beyond this count of nodes.
    many: u64,
    /// The nodes that went into completing lines.
    completing: u64,
    /// No null move by the side of this parity before this ply: a null move is being verified.
    null_from: usize,
    /// The first of `keys` that no null move separates from the current position.
    unbroken: usize,
    /// All moves of the first position draw, as tables know: that is the score, whatever the search finds.
    draws: bool,
}

impl<'e, G: Game, E: Evaluation<G>> Search<'e, G, E> {
    pub fn new(
        shared: &'e SharedState<'e, E>,
        data: &'e mut ThreadData<G, E>,
        thread: usize,
        game: &Record<G>,
    ) -> Self {
        let keys = game.earlier_keys().to_vec();
        shared.evaluation.reset(&mut data.eval, game.position());
        Search {
            shared,
            data,
            thread,
            nodes: 0,
            share_end: shared.take_nodes(thread),
            seldepth: 0,
            stopped: false,
            game_keys: keys.len(),
            keys,
            root_moves: Vec::new(),
            line: 0,
            root_depth: 0,
            proving: 0,
            proof: false,
            ceiling: u64::MAX,
            many: u64::MAX,
            completing: 0,
            null_from: 0,
            unbroken: 0,
            draws: false,
        }
    }

    /// Whether the search must end; once it must, it stays so.
    #[inline]
    fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        let look = self.nodes.is_multiple_of(CLOCK_INTERVAL);
        if self.nodes >= self.share_end {
            self.share_end = self.nodes + self.shared.take_nodes(self.thread);
        }
        let spent = self.nodes >= self.share_end;
        let ended = if self.thread == 0 {
            spent || (look && self.is_interrupted())
        } else {
            spent || self.shared.stop.load(Ordering::Relaxed)
        };
        if ended && self.thread == 0 {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.stopped = ended || self.nodes >= self.ceiling;
        self.stopped
    }

    /// Whether the flag or the clock ends the search. The clock waits for the first depth, so that there is
    /// always a move that was searched; if that takes very long, for the first such move. Whoever wants to know is told
    /// how far the search is.
    fn is_interrupted(&self) -> bool {
        let limits = &self.shared.limits;
        limits.count(|| self.shared.nodes());
        let searched = self.root_depth > 1
            || self.line > 0
            || (self.nodes > LONG_FIRST_DEPTH && self.root_moves.iter().any(RootMove::is_searched));
        limits.is_told_to_stop() || (searched && limits.is_out_of_time())
    }

    /// Counts a node; `false` if there is none left, and the search must end.
    #[inline]
    fn visit(&mut self, ply: usize) -> bool {
        if self.must_stop() {
            return false;
        }
        self.nodes += 1;
        let counter = &self.shared.counters[self.thread].0;
        counter.store(self.nodes, Ordering::Relaxed);
        self.seldepth = self.seldepth.max(ply);
        true
    }

    /// The score of a position in which the side to move has no legal move.
    fn no_legal_move(&self, position: &Position<G>, in_check: bool, ply: usize) -> Score {
        if in_check {
            mated_in(ply)
        } else {
            score_of_quarters(position.spec().stalemate_quarters)
        }
    }

    /// Whether the position is a draw by repetition: once within the search is enough, since what was
    /// possible once is possible again; of positions before the root the rule's own number is needed.
    fn is_repeated(&self, position: &Position<G>) -> bool {
        let key = position.key();
        let unbroken = self.keys.len() - self.unbroken;
        let reach = usize::from(position.halfmove_clock()).min(unbroken);
        let mut before_root = 1;
        // Only every other position has the same side to move, and two plies do not lead back.
        let mut back = 4;
        while back <= reach {
            let place = self.keys.len() - back;
            back += 2;
            if self.keys[place] != key {
                continue;
            }
            if place >= self.game_keys {
                return true;
            }
            before_root += 1;
            if before_root >= usize::from(position.spec().repetitions) {
                return true;
            }
        }
        false
    }

    /// Whether the side to move can repeat a position at once, so that it has a draw in hand; of positions
    /// before the root only those count that occurred often enough.
    fn may_repeat(&self, position: &Position<G>) -> bool {
        let counts = |place: usize| {
            let place = self.unbroken + place;
            let key = self.keys[place];
            let occurred = || self.keys[..=place].iter().filter(|&&k| k == key).count();
            place >= self.game_keys || occurred() + 1 >= usize::from(position.spec().repetitions)
        };
        let earlier = &self.keys[self.unbroken..];
        position.return_to(earlier, counts).is_some()
    }

    /// A draw by rule, if the position is one; the root itself is searched whatever it is.
    #[inline]
    fn drawn_by_rule(&self, position: &Position<G>, in_check: bool, ply: usize) -> Option<Score> {
        if position.is_dead() || self.is_repeated(position) {
            return Some(DRAW);
        }
        if position.is_without_progress() {
            // Mate or stalemate by the last move comes first.
            return Some(if position.has_legal_move() {
                DRAW
            } else {
                self.no_legal_move(position, in_check, ply)
            });
        }
        None
    }

    fn static_eval(&mut self, position: &Position<G>) -> Score {
        let evaluation = self.shared.evaluation;
        let ThreadData { eval, known, .. } = &mut *self.data;
        let score = known.of(position.key(), || evaluation.static_eval(eval, position));
        if let Some(sampler) = &mut self.data.sampler {
            sampler.note(position, score);
        }
        score
    }

    /// The static evaluation, from the table if that has it.
    fn raw_eval(&mut self, position: &Position<G>, known: Option<Entry>) -> Score {
        match known {
            Some(entry) if Score::from(entry.eval) != NO_EVAL => entry.eval.into(),
            _ => self.static_eval(position),
        }
    }

    /// The static evaluation less the error that it had in positions like this one, and the nearer to
    /// nothing, the nearer the game is to a draw for want of progress.
    fn corrected(&mut self, position: &Position<G>, ply: usize, raw: Score) -> Score {
        let params = self.shared.params;
        let data = &mut *self.data;
        let keys = &mut data.stack[ply].correction;
        let correction = data.history.correction(position, keys) * params.correction_weight / 100;
        let faded = fade(
            raw + correction,
            position.halfmove_clock(),
            position.spec().no_progress_plies,
        );
        faded.clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    /// Contexts of the moves one, two and four plies before `ply`.
    #[inline]
    fn contexts(&self, ply: usize) -> [Option<Context>; 3] {
        let stack = &self.data.stack;
        let before = |plies| match ply.checked_sub(plies) {
            Some(earlier) => stack[earlier].context,
            None => None,
        };
        [before(1), before(2), before(4)]
    }

    /// Where the counters of the quiet moves at `ply` are.
    #[inline]
    fn rows(&self, position: &Position<G>, ply: usize) -> Rows<G> {
        (self.data.history).rows(position.side_to_move(), self.contexts(ply))
    }

    #[inline]
    fn ordering<'s>(&'s self, rows: &'s Rows<G>) -> MoveOrdering<'s, G, E> {
        MoveOrdering {
            evaluation: self.shared.evaluation,
            params: self.shared.params,
            history: &self.data.history,
            rows,
        }
    }

    /// Has the table's memory brought near that the position after a legal move will ask for: the earlier
    /// the better.
    #[inline]
    fn announce(&self, position: &Position<G>, mv: Move) {
        self.shared.table.prefetch(position.key_after(mv));
    }

    /// Makes the move on `next`, a copy of the position, and notes what the node after it has to know.
    #[inline]
    fn play(&mut self, position: &Position<G>, next: &mut Position<G>, mv: Move, ply: usize) {
        next.play_unchecked(mv);
        self.shared.table.prefetch(table_key(next));
        let [here, after] = &mut self.data.stack[ply..ply + 2] else {
            unreachable!("two entries")
        };
        here.context = Some(Context::of(position, mv));
        after.correction = here.correction.after(position, mv);
        after.in_check = next.in_check();
        self.push(position, Some(mv));
    }

    /// Notes that a move was made in the position, or none (a null move).
    #[inline]
    fn push(&mut self, position: &Position<G>, mv: Option<Move>) {
        self.keys.push(position.key());
        let evaluation = self.shared.evaluation;
        evaluation.push(&mut self.data.eval, position, mv);
    }

    /// Takes back what was pushed last.
    #[inline]
    fn unplay(&mut self) {
        self.keys.pop();
        self.shared.evaluation.pop(&mut self.data.eval);
    }

    /// Notes `mv` as the best at `ply`, with the line that follows it.
    fn note_line(&mut self, ply: usize, mv: Move) {
        let (front, back) = self.data.lines.split_at_mut(ply + 1);
        front[ply].clear();
        front[ply].push(mv);
        front[ply].extend_from_slice(&back[0]);
    }

    fn store(
        &self,
        position: &Position<G>,
        depth: i32,
        ply: usize,
        (score, bound): (Score, Bound),
        raw_eval: Score,
        mv: Option<Move>,
    ) {
        let entry = Entry {
            mv: mv.map_or(0, Move::to_bits),
            score: to_table(score, ply),
            eval: raw_eval as i16,
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.shared.table.store(self.key(position), entry);
    }

    /// The key of a position in the table for a node of this search.
    #[inline]
    fn key(&self, position: &Position<G>) -> u64 {
        let key = table_key(position);
        if self.proof { proof_key(key) } else { key }
    }
}

/// How many plies before a draw for want of progress an entry of the table holds for one count only.
const OVERDUE: u16 = 10;

/// The key of a position in the table. Near a draw for want of progress the count is part of it: what is true
/// of the same pieces at a younger count would not be true here.
#[inline]
fn table_key<G: Game>(position: &Position<G>) -> u64 {
    /// Odd, and its bits are as good as random: the golden ratio in 64 bits.
    const COUNT: u64 = 0x9e37_79b9_7f4a_7c15;
    let key = position.key();
    if is_overdue(position) {
        key ^ COUNT.wrapping_mul(u64::from(position.halfmove_clock()) + 1)
    } else {
        key
    }
}

/// The key under which the table has what was proven of a position in a search for a mate. It differs in a low
/// bit: that is in the same bucket, so memory is brought near for both.
#[inline]
fn proof_key(key: u64) -> u64 {
    key ^ 1 << 20
}

/// Whether the no-progress count is nearly full, so that the evaluation cannot be trusted.
#[inline]
fn is_overdue<G: Game>(position: &Position<G>) -> bool {
    position.halfmove_clock().saturating_add(OVERDUE) >= position.spec().no_progress_plies
}

/// An evaluation after `clock` plies without progress: all of it for two fifths of the count, half at its end.
#[inline]
fn fade(score: Score, clock: u16, limit: u16) -> Score {
    let (clock, limit) = (Score::from(clock), Score::from(limit));
    let begin = limit * 2 / 5;
    score - score * (clock.min(limit) - begin).max(0) / (2 * (limit - begin))
}

/// The pieces of the side to move beside king and pawns.
fn officers<G: Game>(position: &Position<G>) -> u32 {
    let own = position.side(position.side_to_move());
    (own & !position.kind(PAWN) & !position.kind(KING)).count()
}

/// Whether so little is left that having no move is worth looking for: the look costs as much as an
/// evaluation, and with many pieces it never succeeds.
fn may_be_stalemate<G: Game>(position: &Position<G>) -> bool {
    const FEW: u32 = 6;
    position.side(position.side_to_move()).count() <= FEW
}

/// Whether a table entry settles a node with this window.
#[inline]
fn decides(bound: Bound, score: Score, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
        Bound::None => false,
    }
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{BuiltIn, Glinski, Setup};

    use super::*;

    /// Near the limit each count has a key of its own; before that all have the same.
    #[test]
    fn the_table_knows_positions_near_the_limit_by_their_count() {
        let keys = |counts: std::ops::RangeInclusive<u16>| {
            let mut keys: Vec<u64> = counts
                .map(|count| table_key(&at::<Glinski>(count)))
                .collect();
            keys.sort_unstable();
            keys.dedup();
            keys.len()
        };
        let first = Glinski::SPEC.no_progress_plies - OVERDUE;
        assert_eq!(keys(0..=first - 1), 1);
        assert_eq!(
            keys(0..=Glinski::SPEC.no_progress_plies),
            1 + 1 + usize::from(OVERDUE)
        );
    }

    fn at<G: BuiltIn>(count: u16) -> Position<G> {
        let mut setup = Setup::from(&Position::<G>::start());
        setup.halfmove = count;
        setup.build().unwrap()
    }
}
