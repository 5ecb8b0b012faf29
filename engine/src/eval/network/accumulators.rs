//! The sums of the hidden layer along the line that is searched, updated as late as possible.
//!
//! Pushing a move only makes a ply unknown. When a position is evaluated, it is compared with the nearest earlier
//! ply whose sums are known, and what differs is added and taken away. So nothing here depends on how moves change
//! positions: castling, promotions and null moves are differences like all others. Where a king went to the other half
//! of the board, or nothing is known, the sums of the last position seen in the same way are the ones to begin with.

use hexmate_movegen::{Bits, Cell, Game, KING, Piece, Placement, Position, Side};

use super::features::{Features, View};
use super::lanes::{self, Lane};
use super::weights::NetworkWeights;

/// Plies back that are looked at for sums to begin with.
const REACH: usize = 6;
/// As many pieces may come or go at once; no board has more cells.
const MOST_CHANGES: usize = 256;

/// One ply of the line.
#[derive(Clone, Copy, Debug)]
struct Ply<G: Game> {
    known: bool,
    /// For each side, whether its view is reflected.
    reflected: [bool; 2],
    men: Placement<G::Bits>,
}

/// The pieces by which a board differs from another one, and the inputs that they are in one view.
struct Changes {
    /// Those that came, then those that went: the piece and its cell.
    men: [[(Piece, Cell); MOST_CHANGES]; 2],
    inputs: [[u16; MOST_CHANGES]; 2],
    counts: [usize; 2],
}

impl Changes {
    const NOBODY: Piece = Piece {
        kind: KING,
        side: Side::White,
    };
    const NONE: Self = Changes {
        men: [[(Self::NOBODY, 0); MOST_CHANGES]; 2],
        inputs: [[0; MOST_CHANGES]; 2],
        counts: [0; 2],
    };

    /// Notes the pieces by which two boards differ.
    #[inline(always)]
    fn between<B: Bits>(&mut self, old: &Placement<B>, new: &Placement<B>) {
        self.counts = [0; 2];
        new.differing(old, |cell| {
            for (which, board) in [new, old].into_iter().enumerate() {
                if let Some(piece) = board.piece_on(cell) {
                    self.men[which][self.counts[which] % MOST_CHANGES] = (piece, cell);
                    self.counts[which] += 1;
                }
            }
        });
    }

    /// The inputs that are to be added and to be taken away in a view.
    #[inline(always)]
    fn inputs<G: Game>(&mut self, features: &Features<G>, view: View) -> [&[u16]; 2] {
        for which in 0..2 {
            let count = self.counts[which].min(MOST_CHANGES);
            let men = self.men[which][..count].iter();
            for (input, &(piece, cell)) in self.inputs[which].iter_mut().zip(men) {
                *input = features.input(view, piece.side, piece.kind, cell) as u16;
            }
        }
        let [added, removed] = &self.inputs;
        let [more, fewer] = self.counts.map(|count| count.min(MOST_CHANGES));
        [&added[..more], &removed[..fewer]]
    }
}

/// The sums of one thread.
pub(crate) struct Accumulators<G: Game> {
    plies: Vec<Ply<G>>,
    /// For each ply and side the sums.
    sums: Vec<Lane>,
    /// Lanes of one side's sums.
    lanes: usize,
    /// The ply that the search is at.
    top: usize,
    /// For each of the four views the position seen in that way last, and its sums.
    last: [(Placement<G::Bits>, Vec<Lane>); 4],
    changes: Box<Changes>,
}

impl<G: Game> Accumulators<G> {
    /// Of a network.
    pub fn new(weights: &NetworkWeights) -> Self {
        let mut new = Accumulators {
            plies: Vec::new(),
            sums: Vec::new(),
            lanes: weights.lanes,
            top: 0,
            last: std::array::from_fn(|_| (Placement::EMPTY, weights.hidden_bias.clone())),
            changes: Box::new(Changes::NONE),
        };
        new.reset();
        new
    }

    /// Nothing is known of the line.
    pub fn reset(&mut self) {
        self.top = 0;
        self.forget_top();
    }

    /// One ply on.
    #[inline(always)]
    pub fn push(&mut self) {
        self.top += 1;
        self.forget_top();
    }

    /// One ply back.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    #[inline(always)]
    fn forget_top(&mut self) {
        if self.top < self.plies.len() {
            self.plies[self.top].known = false;
        } else {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let unknown = Ply {
            known: false,
            reflected: [false; 2],
            men: Placement::EMPTY,
        };
        self.plies.push(unknown);
        let lanes = 2 * self.lanes * self.plies.len();
        self.sums.resize(lanes, Lane([0; lanes::LANE]));
    }

    /// The sums of the position at the top, as its side to move and the other side see it.
    #[inline(always)]
    pub fn of(
        &mut self,
        position: &Position<G>,
        features: &Features<G>,
        weights: &NetworkWeights,
    ) -> [&[Lane]; 2] {
        if !self.plies[self.top].known {
            self.find_out(position, features, weights);
        }
        let seen_by = |side| {
            let begin = self.begin(self.top, side);
            &self.sums[begin..begin + self.lanes]
        };
        let own = position.side_to_move();
        [seen_by(own), seen_by(own.other())]
    }

    #[inline(always)]
    fn begin(&self, ply: usize, side: Side) -> usize {
        (2 * ply + side as usize) * self.lanes
    }

    #[inline(always)]
    fn find_out(
        &mut self,
        position: &Position<G>,
        features: &Features<G>,
        weights: &NetworkWeights,
    ) {
        let men = position.placement();
        let mut reflected = [false; 2];
        let mut noted = None;
        for side in [Side::White, Side::Black] {
            let view = features.view(side, position.king(side));
            reflected[side as usize] = view.reflected;
            let nearest = self.nearest(view);
            // Mostly both views begin with the same ply.
            if nearest.is_none() || nearest != noted {
                let old = match nearest {
                    Some(ply) => &self.plies[ply].men,
                    None => &self.last[view.number()].0,
                };
                self.changes.between(old, &men);
                noted = nearest;
            }
            let [added, removed] = self.changes.inputs(features, view);
            let begin = (2 * self.top + side as usize) * self.lanes;
            let (before, sums) = self.sums.split_at_mut(begin);
            let sums = &mut sums[..self.lanes];
            match nearest {
                Some(ply) => {
                    let from = &before[(2 * ply + side as usize) * self.lanes..][..self.lanes];
                    lanes::update(sums, from, &weights.hidden, added, removed);
                }
                None => {
                    let (last, from) = &mut self.last[view.number()];
                    lanes::update(sums, from, &weights.hidden, added, removed);
                    from.copy_from_slice(sums);
                    *last = men;
                }
            }
        }
        self.plies[self.top] = Ply {
            known: true,
            reflected,
            men,
        };
    }

    /// The nearest ply before the top whose sums are known in this view.
    #[inline(always)]
    fn nearest(&self, view: View) -> Option<usize> {
        let same = |ply: &Ply<G>| ply.known && ply.reflected[view.side as usize] == view.reflected;
        let earlier = (0..self.top).rev().take(REACH);
        earlier.into_iter().find(|&ply| same(&self.plies[ply]))
    }
}
