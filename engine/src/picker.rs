//! The staged move picker: moves are generated and scored only when the search gets to them.
//!
//! Order: the table's move; captures and promotions that do not lose material, the most valuable victim first; the killer;
//! quiet moves by history and by what is known before it; captures that lose material. Each legal move comes exactly once.

use hexmate_movegen::{Bits, Game, Move, Observer, PAWN, Position, Sight, Simd, Wanted, observe};

use crate::eval::Evaluation;
use crate::history::{History, Rows, kind_of};
use crate::params::Params;
use crate::quiets::{Boards, QuietScores, check_cells};
use crate::see::{captured, is_quiet, see_at_least};

/// What the picker looks at beside the position.
pub(crate) struct MoveOrdering<'a, G: Game, E> {
    pub evaluation: &'a E,
    pub params: &'a Params,
    pub history: &'a History<G>,
    /// Where the counters of quiet moves are.
    pub rows: &'a Rows<G>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    Table,
    ListNoisy,
    GoodNoisy,
    Killer,
    ListQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Memory for the moves of one node, kept from node to node.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveBuffer {
    moves: Vec<Move>,
    /// The key of each move, and [`NO_KEY`] up to a multiple of [`ABREAST`].
    keys: Vec<i64>,
    bad: Vec<Move>,
    boards: Boards,
}

/// Yields the legal moves of one position.
pub(crate) struct Picker<G: Game> {
    stage: Stage,
    table_move: Option<Move>,
    killer: Option<Move>,
    /// But for the table's move only captures and promotions that do not lose material.
    noisy_only: bool,
    skip_quiets: bool,
    only_checks: bool,
    /// For each kind the cells from which it gives check, once that was asked.
    checks: Option<G::PerKind>,
    buffer: MoveBuffer,
    at: usize,
    /// The key of the move last picked: those above it were given out.
    last: i64,
}

impl<G: Game> Picker<G> {
    /// All legal moves. `table_move` and `killer` need not be legal here.
    pub fn new(buffer: MoveBuffer, table_move: Option<Move>, killer: Option<Move>) -> Self {
        Picker {
            stage: Stage::Table,
            table_move,
            killer: killer.filter(|&k| Some(k) != table_move),
            noisy_only: false,
            skip_quiets: false,
            only_checks: false,
            checks: None,
            buffer,
            at: 0,
            last: i64::MAX,
        }
    }

    /// The table's move, then only captures and promotions that do not lose material.
    pub fn noisy(buffer: MoveBuffer, table_move: Option<Move>) -> Self {
        Picker {
            noisy_only: true,
            ..Picker::new(buffer, table_move, None)
        }
    }

    /// Gives the memory back.
    pub fn into_buffer(self) -> MoveBuffer {
        self.buffer
    }

    /// Quiet moves are not wanted any more.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Of the quiet moves only direct checks are wanted any more.
    pub fn only_checks(&mut self) {
        self.only_checks = true;
    }

    /// Whether the move last given is one of those captures and promotions of which it is known that they do not lose
    /// material.
    pub fn is_known_good(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// Whether a move of the piece itself gives check; what it uncovers does not count.
    pub fn is_direct_check(&mut self, position: &Position<G>, mv: Move) -> bool {
        let checks = self.checks.get_or_insert_with(|| check_cells(position));
        gives_check(position, checks, mv)
    }

    /// The next move.
    pub fn next<E: Evaluation<G>>(
        &mut self,
        position: &Position<G>,
        ordering: &MoveOrdering<'_, G, E>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListNoisy;
                    self.buffer.bad.clear();
                    if let Some(mv) = self.table_move {
                        if self.is_legal(position, mv) {
                            return Some(mv);
                        }
                        self.table_move = None;
                    }
                }
                Stage::ListNoisy => {
                    self.list_noisy(position, ordering);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some(mv) = self.pick(position) else {
                        self.stage = if self.noisy_only {
                            Stage::Done
                        } else {
                            Stage::Killer
                        };
                        continue;
                    };
                    if Some(mv) == self.table_move {
                        continue;
                    }
                    if see_at_least(position, ordering.evaluation, mv, 0) {
                        return Some(mv);
                    }
                    self.buffer.bad.push(mv);
                }
                Stage::Killer => {
                    self.stage = Stage::ListQuiet;
                    if let Some(mv) = self.killer {
                        let wanted = !self.skip_quiets
                            && (!self.only_checks || self.is_direct_check(position, mv));
                        let fits = wanted && self.is_legal(position, mv);
                        if fits && is_quiet(position, mv) {
                            return Some(mv);
                        }
                        self.killer = None;
                    }
                }
                Stage::ListQuiet => {
                    if self.skip_quiets {
                        self.begin_bad_noisy();
                        continue;
                    }
                    if self.only_checks {
                        self.list_checks(position);
                    } else {
                        self.list_quiet(position);
                    }
                    self.score_quiets(position, ordering);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    let next = if self.skip_quiets {
                        None
                    } else {
                        self.pick(position)
                    };
                    let Some(mv) = next else {
                        self.begin_bad_noisy();
                        continue;
                    };
                    if Some(mv) != self.table_move && Some(mv) != self.killer {
                        return Some(mv);
                    }
                }
                Stage::BadNoisy => {
                    if let Some(&mv) = self.buffer.bad.get(self.at) {
                        self.at += 1;
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn begin_bad_noisy(&mut self) {
        self.stage = Stage::BadNoisy;
        self.at = 0;
    }

    // What follows runs once for a node or less, `next` for every move. It is not inlined, or what moves have in common
    // would be worked out whenever one is asked for.

    #[inline(never)]
    fn is_legal(&mut self, position: &Position<G>, mv: Move) -> bool {
        // Asked before anything is listed, or between two lists: the memory is free.
        position.is_legal_with(mv, &mut self.buffer.moves)
    }

    #[inline(never)]
    fn list_noisy<E: Evaluation<G>>(
        &mut self,
        position: &Position<G>,
        ordering: &MoveOrdering<'_, G, E>,
    ) {
        let moves = &mut self.buffer.moves;
        moves.clear();
        position.add_captures(moves);
        let tables = position.tables();
        let side = position.side_to_move();
        let near = position.pieces(PAWN, side) & tables.before_promotion(side);
        if near.any() {
            let captures = moves.len();
            let wanted = Wanted {
                from: near,
                to: tables.promotion_cells(side) & !position.occupied(),
            };
            position.add_wanted(Simd::chosen(), wanted, moves);
            // Of the moves onto empty cells only promotions are new: en passant is there already.
            let mut kept = captures;
            for i in captures..moves.len() {
                if moves[i].promotion().is_some() && captured(position, moves[i]).is_none() {
                    moves[kept] = moves[i];
                    kept += 1;
                }
            }
            moves.truncate(kept);
        }
        self.score(|mv| noisy_score(position, ordering, mv));
    }

    #[inline(never)]
    fn list_quiet(&mut self, position: &Position<G>) {
        self.list_quiets_to(position, position.tables().all);
    }

    /// Only the quiet moves that give check by themselves.
    #[inline(never)]
    fn list_checks(&mut self, position: &Position<G>) {
        let checks = *self.checks.get_or_insert_with(|| check_cells(position));
        let cells =
            (checks.as_ref().iter()).fold(G::Bits::EMPTY, |cells, &of_kind| cells | of_kind);
        self.list_quiets_to(position, cells);
        (self.buffer.moves).retain(|&mv| gives_check(position, &checks, mv));
    }

    /// The quiet moves onto some cells.
    #[inline(always)]
    fn list_quiets_to(&mut self, position: &Position<G>, cells: G::Bits) {
        let moves = &mut self.buffer.moves;
        moves.clear();
        let tables = position.tables();
        let side = position.side_to_move();
        let wanted = Wanted {
            to: cells & !position.occupied() & tables.all,
            ..Wanted::all(tables)
        };
        position.add_wanted(Simd::chosen(), wanted, moves);
        // Onto empty cells only pawns make moves that are not quiet.
        let near = tables.before_promotion(side) & position.pieces(PAWN, side);
        if near.any() || position.en_passant().is_some() {
            moves.retain(|&mv| is_quiet(position, mv));
        }
    }

    fn score(&mut self, mut score: impl FnMut(Move) -> i32) {
        self.begin_picking();
        let MoveBuffer { moves, keys, .. } = &mut self.buffer;
        keys.extend(moves.iter().map(|&mv| key(score(mv), mv, false)));
        keys.resize(keys.len().next_multiple_of(ABREAST), NO_KEY);
    }

    #[inline(never)]
    fn score_quiets<E: Evaluation<G>>(
        &mut self,
        position: &Position<G>,
        ordering: &MoveOrdering<'_, G, E>,
    ) {
        self.begin_picking();
        let MoveBuffer {
            moves,
            keys,
            boards,
            ..
        } = &mut self.buffer;
        keys.resize(moves.len().next_multiple_of(ABREAST), NO_KEY);
        let mut place = keys.iter_mut();
        let scores = QuietScores {
            position,
            params: ordering.params,
            history: ordering.history,
            rows: ordering.rows,
            standing: ordering.evaluation.standing(position),
            checks: self.checks.get_or_insert_with(|| check_cells(position)),
            moves,
            boards,
            give: |mv, score, check| {
                if let Some(place) = place.next() {
                    *place = key(score, mv, check);
                }
            },
        };
        observe(position.game(), Simd::chosen(), scores);
    }

    fn begin_picking(&mut self) {
        self.at = 0;
        self.last = i64::MAX;
        self.buffer.keys.clear();
    }

    /// The best of the moves that are left, of checks alone if only they are wanted. The whole list is looked through each
    /// time, without a branch; few moves are asked for.
    fn pick(&mut self, position: &Position<G>) -> Option<Move> {
        let highest = Highest {
            keys: &self.buffer.keys,
            below: self.last,
            marks: i64::from(self.only_checks && self.stage == Stage::Quiet),
        };
        self.last = observe(position.game(), Simd::chosen(), highest);
        if self.last == NO_KEY {
            return None;
        }
        move_of(self.last)
    }
}

/// So many maxima are kept side by side, as none has to wait for another: as many as the longest vector holds.
const ABREAST: usize = 8;

/// The key of no move: below all others.
const NO_KEY: i64 = i64::MIN;

/// Finds the highest key below another one, [`NO_KEY`] if there is none. It asks nothing about the board, but is
/// compiled for each backend's vectors.
struct Highest<'k> {
    keys: &'k [i64],
    below: i64,
    /// The key has all of these bits.
    marks: i64,
}

impl<G: Game> Observer<G> for Highest<'_> {
    type Output = i64;

    #[inline(always)]
    fn observe<S: Sight<G>>(self, _: S) -> i64 {
        let mut best = [NO_KEY; ABREAST];
        for keys in self.keys.as_chunks::<ABREAST>().0 {
            for (best, &key) in best.iter_mut().zip(keys) {
                let wanted = key < self.below && key & self.marks == self.marks;
                let key = if wanted { key } else { NO_KEY };
                *best = key.max(*best);
            }
        }
        let mut highest = NO_KEY;
        for key in best {
            highest = highest.max(key);
        }
        highest
    }
}

/// Whether a move of a piece gives check by itself, by the cells from which its kind does.
#[inline(always)]
fn gives_check<G: Game>(position: &Position<G>, checks: &G::PerKind, mv: Move) -> bool {
    checks.as_ref()[usize::from(kind_of(position, mv))].has(mv.to)
}

/// A score above the bits of its move, and in the last bit whether a quiet move gives check: no two moves have the same
/// key, so that the order is the same on every machine, in whatever order a form of sliding attacks lists them.
#[inline(always)]
fn key(score: i32, mv: Move, check: bool) -> i64 {
    i64::from(score) << 25 | i64::from(MOVE_MASK - mv.to_bits()) << 1 | i64::from(check)
}

fn move_of(key: i64) -> Option<Move> {
    Move::from_bits(MOVE_MASK - ((key >> 1) as u32 & MOVE_MASK))
}

/// Moves have 24 bits.
const MOVE_MASK: u32 = (1 << 24) - 1;

/// Most valuable victim first; among equals what has served before.
fn noisy_score<G: Game, E: Evaluation<G>>(
    position: &Position<G>,
    ordering: &MoveOrdering<'_, G, E>,
    mv: Move,
) -> i32 {
    let gain = crate::see::gain(position, ordering.evaluation, mv);
    16 * gain + ordering.history.noisy(position, mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Handmade;
    use hexmate_movegen::{BuiltIn, Glinski, Unchecked, for_each_game, perft};

    fn picked<G: Game>(
        position: &Position<G>,
        table_move: Option<Move>,
        killer: Option<Move>,
    ) -> Vec<Move> {
        let picker = Picker::new(MoveBuffer::default(), table_move, killer);
        given_by(picker, position)
    }

    fn given_by<G: Game>(mut picker: Picker<G>, position: &Position<G>) -> Vec<Move> {
        let history = History::new(position.game());
        let ordering = MoveOrdering {
            evaluation: &Handmade::of(position.game()),
            params: &Params::default(),
            history: &history,
            rows: &history.rows(position.side_to_move(), [None; 3]),
        };
        std::iter::from_fn(|| picker.next(position, &ordering)).collect()
    }

    fn picker_perft<G: Game>(position: &Position<G>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = position.legal_moves();
        // Any move may be suggested by a table or a killer, legal or not.
        let suggested = [moves.first().copied(), moves.last().copied()];
        let foreign = Move::from_bits(position.key() as u32 & 0xff_ffff);
        let mut count = 0;
        let mut seen = Vec::new();
        for mv in picked(position, suggested[depth as usize % 2], suggested[1]) {
            let mut next = *position;
            next.play_unchecked(mv);
            count += picker_perft(&next, depth - 1);
            seen.push(mv);
        }
        let mut legal = moves;
        legal.sort_unstable();
        seen.sort_unstable();
        assert_eq!(seen, legal, "{position}");
        let mut again = picked(position, foreign, foreign);
        again.sort_unstable();
        assert_eq!(again, legal, "{position}, with {foreign:?} suggested");
        count
    }

    /// The positions of the game's perft suite.
    fn positions<G: BuiltIn>() -> Vec<Position<G>> {
        let file = format!("../movegen/suites/{}.epd", G::SPEC.name);
        let text = std::fs::read_to_string(file).unwrap();
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        let fens = lines.filter_map(|l| Some(l.split(';').next()?.trim()));
        let fens = fens.filter(|fen| !fen.is_empty());
        fens.map(|fen| fen.parse().unwrap()).collect()
    }

    fn suite<G: BuiltIn>() {
        for position in positions::<G>() {
            assert_eq!(
                picker_perft(&position, 1),
                perft(&position, 1),
                "{position}"
            );
        }
        let start = Position::<G>::start();
        assert_eq!(picker_perft(&start, 2), perft(&start, 2));
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        for_each_game!(G => suite::<G>());
    }

    /// What comes where the search wants only checks of the quiet moves, and in quiescence.
    fn wanted_only<G: BuiltIn>() {
        let mut checks = 0;
        for position in positions::<G>() {
            let legal = position.legal_moves();
            let given = |picker| {
                let mut moves = given_by(picker, &position);
                moves.sort_unstable();
                moves
            };
            let wanted = |wanted: &dyn Fn(Move) -> bool| {
                let mut moves: Vec<Move> = legal.iter().copied().filter(|&m| wanted(m)).collect();
                moves.sort_unstable();
                moves
            };
            let is_check = |mv: Move| {
                let mut next = position;
                next.play_unchecked(mv);
                let king = next.king(next.side_to_move());
                let side = position.side_to_move();
                next.attackers_through(king, side, next.occupied())
                    .has(mv.to)
            };
            let killer = legal.iter().copied().find(|&mv| is_quiet(&position, mv));
            for killer in [None, killer] {
                let mut picker = Picker::new(MoveBuffer::default(), None, killer);
                picker.only_checks();
                let expected = wanted(&|mv| !is_quiet(&position, mv) || is_check(mv));
                assert_eq!(given(picker), expected, "{position}");
            }
            checks += wanted(&|mv| is_quiet(&position, mv) && is_check(mv)).len();
            let evaluation = Handmade::of(position.game());
            let good = wanted(&|mv| {
                !is_quiet(&position, mv) && see_at_least(&position, &evaluation, mv, 0)
            });
            assert_eq!(
                given(Picker::noisy(MoveBuffer::default(), None)),
                good,
                "{position}"
            );
        }
        assert!(checks > 0, "no position of {} tells", G::SPEC.name);
    }

    #[test]
    fn only_checks_and_good_captures_come_where_no_others_are_wanted() {
        for_each_game!(G => wanted_only::<G>());
    }

    #[test]
    fn the_suggested_moves_come_in_their_places() {
        let position = Position::<Glinski>::start();
        let moves = position.legal_moves();
        let order = picked(&position, Some(moves[20]), Some(moves[7]));
        assert_eq!(order[..2], [moves[20], moves[7]]);
    }
}
