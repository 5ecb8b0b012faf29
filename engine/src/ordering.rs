//! Which moves to try first: table move, captures, killers, history.

use hexmate_movegen::{Bits, Game, Kind, Move, PAWN, Piece, Position, Side};

use crate::eval::Evaluator;

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 28;
const PROMOTION: i32 = 1 << 27;
const KILLER: i32 = 1 << 26;
/// No history counter leaves this range, so that it never outweighs a killer.
const HISTORY_MAX: i32 = 1 << 14;

/// What the search has learnt about quiet moves.
#[derive(Clone, Debug)]
pub(crate) struct Heuristics<G: Game> {
    history: Vec<i32>,
    killers: Vec<[Option<Move>; 2]>,
    game: std::marker::PhantomData<G>,
}

impl<G: Game> Heuristics<G> {
    pub fn new(plies: usize) -> Self {
        Heuristics {
            history: vec![0; 2 * G::Bits::SIZE * G::Bits::SIZE],
            killers: vec![[None; 2]; plies],
            game: std::marker::PhantomData,
        }
    }

    /// Forgets everything, so that the next search depends on nothing but its position.
    pub fn clear(&mut self) {
        self.history.fill(0);
        self.killers.fill([None; 2]);
    }

    fn index(side: Side, mv: Move) -> usize {
        let row = side as usize * G::Bits::SIZE + usize::from(mv.from);
        row * G::Bits::SIZE + usize::from(mv.to)
    }

    /// A quiet move refuted a line: it goes up, those tried before it go down.
    pub fn reward(&mut self, side: Side, ply: usize, depth: i32, best: Move, tried: &[Move]) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(best) {
            *second = *first;
            *first = Some(best);
        }
        let bonus = (16 * depth * depth).min(HISTORY_MAX / 4);
        self.nudge(side, best, bonus);
        for &mv in tried {
            self.nudge(side, mv, -bonus);
        }
    }

    /// Moves a counter towards its bound, the more slowly the nearer it is ("history gravity").
    fn nudge(&mut self, side: Side, mv: Move, bonus: i32) {
        let value = &mut self.history[Self::index(side, mv)];
        *value += bonus - *value * bonus.abs() / HISTORY_MAX;
    }
}

/// The moves of one node with their places in the order; kept from node to node for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveList {
    moves: Vec<Move>,
    scores: Vec<i32>,
}

impl MoveList {
    fn list(&mut self, add: impl FnOnce(&mut Vec<Move>)) {
        self.moves.clear();
        add(&mut self.moves);
    }

    fn score(&mut self, score: impl FnMut(Move) -> i32) {
        self.scores.clear();
        self.scores.extend(self.moves.iter().copied().map(score));
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Brings the best of the moves from `at` on to `at`; equal ones keep a fixed order, so that a
    /// search is repeatable.
    pub fn pick(&mut self, at: usize) -> Move {
        let mut best = at;
        for i in at + 1..self.scores.len() {
            if self.scores[i] > self.scores[best] {
                best = i;
            }
        }
        self.moves.swap(at, best);
        self.scores.swap(at, best);
        self.moves[at]
    }
}

/// Fills `moves` with all legal moves, scored.
pub(crate) fn score_all<G: Game>(
    position: &Position<G>,
    evaluator: &Evaluator<G>,
    heuristics: &Heuristics<G>,
    ply: usize,
    table_move: Option<Move>,
    moves: &mut MoveList,
) {
    moves.list(|list| position.add_legal(list));
    let side = position.side_to_move();
    let killers = heuristics.killers[ply];
    moves.score(|mv| {
        if Some(mv) == table_move {
            TABLE_MOVE
        } else if let Some(score) = noisy_score(position, evaluator, mv) {
            score
        } else if killers.contains(&Some(mv)) {
            KILLER
        } else {
            heuristics.history[Heuristics::<G>::index(side, mv)]
        }
    });
}

/// Fills `moves` with the legal captures, scored.
pub(crate) fn score_captures<G: Game>(
    position: &Position<G>,
    evaluator: &Evaluator<G>,
    moves: &mut MoveList,
) {
    moves.list(|list| position.add_captures(list));
    moves.score(|mv| noisy_score(position, evaluator, mv).unwrap_or(0));
}

/// Most valuable victim, least valuable attacker; then promotions. `None` for a quiet move.
fn noisy_score<G: Game>(position: &Position<G>, evaluator: &Evaluator<G>, mv: Move) -> Option<i32> {
    let gain = mv.promotion().map_or(0, |k| evaluator.value(k));
    if let Some(victim) = captured(position, mv) {
        let attacker = position.piece_on(mv.from).map_or(PAWN, |p| p.kind);
        return Some(CAPTURE + 16 * (evaluator.value(victim) + gain) - evaluator.value(attacker));
    }
    (gain > 0).then_some(PROMOTION + gain)
}

/// The kind that a legal move captures, en passant included.
pub(crate) fn captured<G: Game>(position: &Position<G>, mv: Move) -> Option<Kind> {
    if let Some(Piece { kind, .. }) = position.piece_on(mv.to) {
        return Some(kind);
    }
    let ep = position.en_passant().filter(|ep| ep.crossed == mv.to)?;
    let side = position.side_to_move();
    let takes = position.pieces(PAWN, side).has(mv.from)
        && G::tables().pawn_attacks(side, mv.from).has(ep.crossed);
    takes.then_some(PAWN)
}
