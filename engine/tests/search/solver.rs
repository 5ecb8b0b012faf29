//! Forced mates by trying everything: an AND-OR search from the move generator alone, without
//! evaluation, pruning or extension, so that what it says is proven.
//!
//! Only the order of the replies is chosen with care, since one refutation is enough; and what was
//! solved is remembered by the position's 64-bit key. Draws by repetition and by the count of plies
//! are not looked for: they cannot come into a mate of a few moves from a fresh count.

use std::collections::HashMap;

use hexmate_movegen::{BuiltIn, Move, Position, Unchecked};

/// What was solved so far.
#[derive(Default)]
pub struct Solver {
    /// Whether the side to move mates within so many moves.
    solved: HashMap<(u64, u32), bool>,
    /// How often a reply has refuted something.
    refuted: HashMap<Move, u32>,
}

impl Solver {
    /// The first moves that mate in at most `moves` moves, whatever the replies.
    pub fn keys<G: BuiltIn>(&mut self, position: &Position<G>, moves: u32) -> Vec<Move> {
        let mut keys = position.legal_moves();
        keys.retain(|&mv| self.is_mated(&after(position, mv), moves - 1));
        keys
    }

    /// Whether the side to move can mate in at most `moves` moves.
    pub fn mates<G: BuiltIn>(&mut self, position: &Position<G>, moves: u32) -> bool {
        if moves < 2 {
            return moves == 1 && mates_at_once(position);
        }
        let entry = (position.key(), moves);
        if let Some(&known) = self.solved.get(&entry) {
            return known;
        }
        let mut next: Vec<Position<G>> = position
            .legal_moves()
            .iter()
            .map(|&mv| after(position, mv))
            .collect();
        next.sort_by_key(|p| !p.in_check());
        let found = next.iter().any(|p| self.is_mated(p, moves - 1));
        self.solved.insert(entry, found);
        found
    }

    /// Whether the side to move is mated now, or whatever it plays after at most `moves` moves.
    pub fn is_mated<G: BuiltIn>(&mut self, position: &Position<G>, moves: u32) -> bool {
        if moves == 0 {
            return is_checkmate(position);
        }
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return position.in_check();
        }
        replies.sort_by_cached_key(|mv| std::cmp::Reverse(self.refuted.get(mv).copied()));
        for reply in replies {
            if !self.mates(&after(position, reply), moves) {
                *self.refuted.entry(reply).or_default() += 1;
                return false;
            }
        }
        true
    }
}

fn mates_at_once<G: BuiltIn>(position: &Position<G>) -> bool {
    let mut moves = position.legal_moves().into_iter();
    moves.any(|mv| is_checkmate(&after(position, mv)))
}

/// Whether the side to move is checkmated.
pub fn is_checkmate<G: BuiltIn>(position: &Position<G>) -> bool {
    position.in_check() && !position.has_legal_move()
}

/// The position after a legal move.
fn after<G: BuiltIn>(position: &Position<G>, mv: Move) -> Position<G> {
    let mut next = *position;
    next.play_unchecked(mv);
    next
}
