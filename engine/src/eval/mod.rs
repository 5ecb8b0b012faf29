//! Static evaluation: a sum of weights, blended from middle game to end game.
//!
//! Nothing here names a game: which terms there are, what is alike and what a pawn can reach follow from
//! the rules (`layout`, `symmetry`, `geometry`); only the weights are data of their own (`weights`), and
//! where there are none they are worked out (`untuned`). The evaluation is written once, in `terms`.

mod geometry;
mod hunt;
mod layout;
mod pawns;
mod symmetry;
mod taper;
mod terms;
mod trace;
mod untuned;
mod weights;

use std::marker::PhantomData;

use hexmate_movegen::spec::MOST_KINDS;
use hexmate_movegen::{Bits, Game, KING, Kind, Move, PAWN, Position, Side, Simd, observe};

pub use self::hunt::Hunt;
pub(crate) use self::pawns::PawnTable;
pub use self::trace::Trace;
pub use self::weights::{Weights, WeightsError};

use self::geometry::Geometry;
use self::layout::{Idea, Layout, NOTHING};
use self::taper::{PHASES, Tapered};
use self::terms::{Judgement, Look, Silent, Sink};
use self::untuned::Sights;
use crate::compiled;
use crate::score::{MATE_IN_MAX, Score};

/// The evaluation of one game: built once, read-only after, shared by threads.
#[derive(Clone, Debug)]
pub struct Evaluator<G: Game> {
    weights: Vec<Tapered>,
    /// For each side, kind and cell (row by row) all weights of standing there together.
    standing: [Vec<Tapered>; 2],
    values: Vec<Score>,
    layout: Layout,
    geometry: Geometry<G>,
    phases: Phases,
    order: Order,
    /// The kind that sees farthest: what it would see from the king's cell are the ways to the king.
    lookout: Kind,
    /// Kinds that never leave their colour.
    colour_bound: Vec<Kind>,
    /// Kinds that see at most half as far again as a king, pawns apart.
    short_sighted: [bool; MOST_KINDS],
    sights: Sights,
    simd: Simd,
}

impl<G: Game> Default for Evaluator<G> {
    /// With the tuned weights, if the game has any.
    fn default() -> Self {
        Evaluator::new(&Weights::default())
    }
}

impl<G: Game> Evaluator<G> {
    /// An evaluation by these weights.
    pub fn new(weights: &Weights<G>) -> Self {
        let sights = Sights::new::<G>();
        let geometry = Geometry::new();
        let layout = Layout::new::<G>(&geometry);
        let weights: Vec<Tapered> = (weights.values().iter())
            .map(|&[middle, end]| Tapered::new(middle, end))
            .collect();
        let kinds = 2..G::SPEC.pieces.len() as Kind;
        let standing = Side::BOTH.map(|side| {
            let rows = layout.standing[side as usize].iter();
            let sum = |places: &[u16; 4]| {
                let places = places.iter().filter(|&&p| p != NOTHING);
                places.fold(Tapered::default(), |s, &p| s + weights[usize::from(p)])
            };
            rows.map(sum).collect()
        });
        let mut evaluator = Evaluator {
            values: Vec::new(),
            phases: Phases::new::<G>(&sights),
            order: Order::new::<G>(&sights),
            lookout: (kinds.clone().rev())
                .filter(|&k| G::tables().stands_on[usize::from(k)] == G::tables().all)
                .max_by_key(|&k| geometry::most_seen::<G>(k))
                .unwrap_or(KING),
            colour_bound: kinds
                .filter(|&k| geometry::is_colour_bound::<G>(k))
                .collect(),
            short_sighted: std::array::from_fn(|kind| {
                let piece = 2..G::SPEC.pieces.len();
                piece.contains(&kind)
                    && 2 * geometry::most_seen::<G>(kind as Kind)
                        <= 3 * geometry::most_seen::<G>(KING)
            }),
            sights,
            simd: Simd::chosen(),
            weights,
            standing,
            layout,
            geometry,
        };
        let kinds = 0..G::SPEC.pieces.len() as Kind;
        evaluator.values = kinds.map(|k| evaluator.worth(k)).collect();
        evaluator
    }

    /// The worth of a kind in centipawns, for exchanges and for ordering moves; the king has none.
    #[inline(always)]
    pub fn value(&self, kind: Kind) -> Score {
        self.values[usize::from(kind)]
    }

    /// The weights of standing somewhere in a position, for its side to move.
    #[inline]
    pub(crate) fn standing_of(&self, position: &Position<G>) -> StandingOf<'_, G> {
        let kinds = 2..G::SPEC.pieces.len() as Kind;
        let counts = kinds.map(|k| self.phases.of_kind[usize::from(k)] * position.kind(k).count());
        StandingOf {
            standing: &self.standing[position.side_to_move() as usize],
            phase: self.phases.of_pieces(counts.sum()),
            game: PhantomData,
        }
    }

    /// The position in centipawns from the side to move, where the expected score is
    /// 1 / (1 + 10^(-cp/400)). Never a mate. Clocks and rights do not matter.
    pub fn evaluate(&self, position: &Position<G>) -> Score {
        compiled::evaluate(G::ID, self, position)
    }

    /// The same for the search, which is compiled here, with a memory for pawns.
    #[inline]
    pub(crate) fn static_eval(
        &self,
        position: &Position<G>,
        known: Option<&mut PawnTable<G>>,
    ) -> Score {
        let judgement = self.judge(position, &mut Silent, known);
        let score = self.final_score(position, judgement.score());
        from_side_to_move(position, score)
    }

    /// From White's side, with what is not a sum of weights.
    #[inline(always)]
    fn final_score(&self, position: &Position<G>, sum: Score) -> Score {
        let score = self.hunt(position).applied_to(sum);
        score.clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    /// How the evaluation of a position comes about: for each idea its name and what it gives White
    /// and Black, in centipawns. White's part less Black's, of all rows together, is the evaluation from
    /// White's side.
    pub fn explain(&self, position: &Position<G>) -> Vec<(&'static str, Score, Score)> {
        compiled::explain(G::ID, self, position)
    }

    pub(crate) fn parts(&self, position: &Position<G>) -> Vec<(&'static str, Score, Score)> {
        let mut parts = Parts {
            evaluator: self,
            sums: [[Tapered::default(); 2]; Idea::ALL.len()],
        };
        let judgement = self.judge(position, &mut parts, None);
        let mut before = Tapered::default();
        let ideas = Idea::ALL.iter().zip(&parts.sums);
        let rows = ideas.map(|(idea, &[white, black])| {
            let after = before + white - black;
            // Rounded in such a way that the rows add up.
            let [so_far, now] = [before, after].map(|sum| sum.blend(judgement.phase));
            before = after;
            let white = white.blend(judgement.phase);
            (idea.name(), white, white - (now - so_far))
        });
        let mut rows: Vec<_> = rows.collect();
        let sum = judgement.score();
        let hunt = self.final_score(position, sum) - sum;
        rows.push((Hunt::NAME, hunt.max(0), (-hunt).max(0)));
        rows
    }

    fn judge<T: Sink>(
        &self,
        position: &Position<G>,
        sink: &mut T,
        known: Option<&mut PawnTable<G>>,
    ) -> Judgement {
        let look = Look {
            evaluator: self,
            position,
            sink,
            known,
        };
        observe(self.simd, look)
    }

    /// The mean worth of a kind over its cells, of both sides, when it sees what is usual.
    fn worth(&self, kind: Kind) -> Score {
        if kind == KING {
            return 0;
        }
        let cells = G::tables().stands_on[usize::from(kind)];
        let mut sum = 0;
        for side in Side::BOTH {
            let row = usize::from(kind) * G::Bits::SIZE;
            let standing = &self.standing[side as usize][row..];
            let values = cells.cells().map(|c| standing[usize::from(c)]);
            sum += values.map(|v| v.blend(PHASES / 2)).sum::<Score>() / cells.count() as Score;
            if kind != PAWN {
                // On a board three tenths full a third of what is seen is taken, or not safe.
                let moves = (self.sights.of(kind) * 2.0 / 3.0).round() as usize;
                let places = self.layout.kinds[side as usize][usize::from(kind)];
                sum += self.weights[places.mobility + moves].blend(PHASES / 2);
            }
        }
        (sum / 2).max(1)
    }
}

/// What standing somewhere is worth to one side at one phase of the game.
pub(crate) struct StandingOf<'e, G: Game> {
    standing: &'e [Tapered],
    phase: i32,
    game: PhantomData<G>,
}

impl<G: Game> StandingOf<'_, G> {
    /// The centipawns by which a kind stands better where a move takes it.
    #[inline]
    pub fn gain(&self, kind: Kind, mv: Move) -> Score {
        let row = &self.standing[usize::from(kind) * G::Bits::SIZE..];
        (row[usize::from(mv.to)] - row[usize::from(mv.from)]).blend(self.phase)
    }
}

impl Judgement {
    /// From White's side.
    #[inline(always)]
    fn score(&self) -> Score {
        (self.sums[0] - self.sums[1]).blend(self.phase)
    }
}

#[inline(always)]
fn from_side_to_move<G: Game>(position: &Position<G>, score: Score) -> Score {
    match position.side_to_move() {
        Side::White => score,
        Side::Black => -score,
    }
}

/// Sums up idea by idea.
struct Parts<'e, G: Game> {
    evaluator: &'e Evaluator<G>,
    sums: [[Tapered; 2]; Idea::ALL.len()],
}

impl<G: Game> Sink for Parts<'_, G> {
    fn note(&mut self, side: Side, place: usize, times: i32) {
        let groups = &self.evaluator.layout.groups;
        let group = groups.iter().rfind(|g| g.start <= place);
        if let Some(group) = group {
            let weight = self.evaluator.weights[place];
            self.sums[group.idea as usize][side as usize] += weight * times;
        }
    }
}

/// How far the game has gone, by the pieces that are left.
#[derive(Clone, Copy, Debug)]
struct Phases {
    /// What one piece of a kind counts; the first array counts 2^16.
    of_kind: [u32; MOST_KINDS],
}

impl Phases {
    fn new<G: Game>(sights: &Sights) -> Self {
        let start = Position::<G>::start();
        let kinds = 2..G::SPEC.pieces.len() as Kind;
        let value = |kind| sights.value(kind) as u32;
        let all = kinds.clone().map(|k| value(k) * start.kind(k).count());
        let all = all.sum::<u32>().max(1);
        let mut of_kind = [0; MOST_KINDS];
        for kind in kinds {
            of_kind[usize::from(kind)] = (value(kind) << 16).div_ceil(all);
        }
        Phases { of_kind }
    }

    /// The phase: [`PHASES`] with all pieces of the first array or more, 0 with none.
    #[inline(always)]
    fn of_pieces(&self, sum: u32) -> i32 {
        ((sum >> 8) as i32).min(PHASES)
    }
}

/// The kinds by worth.
#[derive(Clone, Debug)]
struct Order {
    /// All but king and pawn, the heaviest first.
    kinds: Vec<Kind>,
    /// For each kind how many of them are clearly heavier: the first so many.
    heavier: [usize; MOST_KINDS],
}

impl Order {
    fn new<G: Game>(sights: &Sights) -> Self {
        let mut kinds: Vec<Kind> = (2..G::SPEC.pieces.len() as Kind).collect();
        // A kind of the other side plays another part in some games: both parts count.
        let value = |&kind: &Kind| sights.value(kind) + sights.value(G::SPEC.mirrored_kind(kind));
        kinds.sort_by_key(|k| std::cmp::Reverse(value(k)));
        let mut heavier = [0; MOST_KINDS];
        for kind in &kinds {
            let clearly = |other: &&Kind| 5 * value(other) > 6 * value(kind);
            heavier[usize::from(*kind)] = kinds.iter().filter(clearly).count();
        }
        Order { kinds, heavier }
    }
}

#[cfg(test)]
mod tests;
