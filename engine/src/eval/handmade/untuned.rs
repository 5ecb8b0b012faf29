//! Weights for a game that was never tuned: worked out from how its pieces move.
//!
//! They are also where tuning begins, and what seldom seen terms stay near to.

use hexmate_movegen::spec::MOST_KINDS;
use hexmate_movegen::{Bits, Game, KING, Kind, PAWN};

use super::layout::{Group, Layout, Term};
use crate::score::Score;

/// A pawn, the unit of all values.
const PAWN_VALUE: Score = 100;
/// The worth of a piece for each cell that it sees on a board three tenths full.
const VALUE_OF_SIGHT: f64 = 35.0;
/// For each cell that a piece may safely go to.
const MOBILITY: i32 = 4;
/// For a pawn one step from promotion; shared out by the number of steps. The same again if it has
/// passed all enemy pawns.
const PROMOTION_NEAR: i32 = 100;
/// Middle game bonus by the number of attackers of the enemy king's zone, and by the hits of each.
const ATTACKERS: [i32; 8] = [0, 0, 15, 40, 70, 95, 115, 130];
const KING_HITS: [i32; 6] = [0, 4, 8, 12, 15, 18];

/// The weights of a game, in the order of its layout: middle game and end game.
pub(super) fn weights(layout: &Layout, sights: &Sights) -> Vec<[i32; 2]> {
    let mut out = Vec::with_capacity(layout.len);
    for group in &layout.groups {
        let sight = group.part.map_or(0.0, |part| sights.of(part as Kind));
        out.extend((0..group.len).map(|i| weight(group, i, sight)));
    }
    out
}

/// The weight at place `i` of a group; `sight` is how far the kind sees on average.
fn weight(group: &Group, i: usize, sight: f64) -> [i32; 2] {
    let pawn = group.part == Some(usize::from(PAWN));
    let n = i as i32;
    match group.term {
        Term::Material if pawn => [PAWN_VALUE; 2],
        Term::Material => [value_of_sight(sight); 2],
        Term::Ahead if pawn => [PROMOTION_NEAR / n.max(1) / 2, PROMOTION_NEAR / n.max(1)],
        Term::Mobility => [MOBILITY * (n - sight as i32); 2],
        Term::Threat => [8, 8],
        Term::PawnThreat => [40, 40],
        Term::Colours => [6 * n * (n - 1); 2],
        Term::KingHits => [KING_HITS[i.min(KING_HITS.len() - 1)], 0],
        Term::Attackers => [ATTACKERS[i.min(ATTACKERS.len() - 1)], 0],
        Term::PawnHits => [6 * n, 0],
        Term::Shelter => [5 * n, 0],
        Term::Guards => [4 * n, 0],
        Term::Exposure => [-n, 0],
        Term::Doubled => [-6, -12],
        Term::Isolated => [-6, -8],
        Term::Chained => [5, 4],
        Term::Blocked => [-3, -6],
        Term::Passed => [PROMOTION_NEAR / n.max(1) / 2, PROMOTION_NEAR / n.max(1)],
        Term::PassedFree => [0, PROMOTION_NEAR / n.max(1) / 4],
        Term::PassedKing => [0, -4 * n],
        Term::PassedEnemyKing => [0, 6 * n],
        Term::Tempo => [10, 10],
        Term::Inside | Term::Ahead | Term::Cell | Term::PassedChained => [0, 0],
    }
}

fn value_of_sight(sight: f64) -> Score {
    (VALUE_OF_SIGHT * sight).round() as Score
}

/// How many cells each kind sees on average, over all its cells and boards three tenths full; 0 for the
/// pawn. To find out takes tens of thousands of looks, so it is done once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sights([f64; MOST_KINDS]);

impl Sights {
    pub fn new<G: Game>(game: G) -> Self {
        let boards = boards(game);
        Sights(std::array::from_fn(|kind| {
            if kind == usize::from(PAWN) || kind >= game.spec().pieces.len() {
                return 0.0;
            }
            sight(game, kind as Kind, &boards)
        }))
    }

    pub fn of(&self, kind: Kind) -> f64 {
        self.0[usize::from(kind)]
    }

    /// The untuned worth of a kind: what the phase and the order of worth are measured by, so that these do
    /// not change with tuning.
    pub fn value(&self, kind: Kind) -> Score {
        match kind {
            PAWN => PAWN_VALUE,
            KING => 0,
            _ => value_of_sight(self.of(kind)),
        }
    }
}

/// The occupied cells of some boards three tenths full.
fn boards<G: Game>(game: G) -> Vec<G::Bits> {
    const BOARDS: usize = 16;
    let tables = game.tables();
    let mut state = 0x243f_6a88_85a3_08d3_u64;
    let mut next = move || {
        // Xorshift (Marsaglia 2003): any spread of blockers will do.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut board = || {
        let cells = tables.board.cells().iter().filter(|_| next() % 10 < 3);
        cells.fold(G::Bits::EMPTY, |set, &cell| set | G::Bits::of(cell))
    };
    (0..BOARDS).map(|_| board()).collect()
}

fn sight<G: Game>(game: G, kind: Kind, boards: &[G::Bits]) -> f64 {
    let tables = game.tables();
    let (mut seen, mut places) = (0u64, 0u64);
    for &occupied in boards {
        for cell in tables.stands_on[usize::from(kind)].cells() {
            seen += u64::from(tables.attacks(kind, cell, occupied).count());
            places += 1;
        }
    }
    seen as f64 / places as f64
}
