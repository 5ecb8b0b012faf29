//! What the evaluation of a game is made of: weights where they are looked up, masks, the order of kinds.

use std::any::Any;

use hexmate_movegen::spec::{GameSpec, MOST_KINDS};
use hexmate_movegen::{
    Bits, BuiltIn, Cell, Game, GameId, KING, Kind, PAWN, Position, Side, Simd, with_game,
};

use super::drive::Refuge;
use super::geometry::{self, Geometry};
use super::layout::{Layout, NOTHING};
use super::mating::NoMate;
use super::taper::{PHASES, Tapered};
use super::untuned::Sights;
use super::weights::Weights;
use crate::door::{made, through};
use crate::eval::Standing;
use crate::eval::facts::Facts;
use crate::score::Score;

/// The evaluation of one game: built once, read-only after, shared by threads.
#[derive(Clone, Debug)]
pub struct Handmade<G: Game> {
    pub(super) weights: Vec<Tapered>,
    /// For each side, kind and cell (row by row) all weights of standing there together.
    pub(super) standing: [Vec<Tapered>; 2],
    /// For each side what orders moves by where they lead, phase by phase: see [`Standing`].
    places: [Vec<Vec<i16>>; 2],
    pub(super) values: Vec<Score>,
    pub(super) layout: Layout,
    pub(super) game: G,
    pub(super) geometry: Geometry<G::Bits>,
    pub(super) phases: Phases,
    pub(super) order: Order,
    /// The kind that sees farthest: what it would see from the king's cell are the ways to the king.
    pub(super) lookout: Kind,
    /// Kinds that never leave their colour.
    pub(super) colour_bound: Vec<Kind>,
    /// Material that cannot mate.
    pub(super) no_mate: NoMate,
    /// What a bare king costs: as much as the best place is worth to him.
    pub(super) bare_king: Score,
    pub(super) sights: Sights,
    pub(super) simd: Simd,
}

impl<G: BuiltIn> Default for Handmade<G> {
    /// With the tuned weights, if the game has any.
    fn default() -> Self {
        Handmade::of(G::GAME)
    }
}

impl<G: Game> Handmade<G> {
    /// The evaluation of a game: with the tuned weights, if it has any.
    pub fn of(game: G) -> Self {
        Handmade::new(&Weights::of(game))
    }

    /// An evaluation by these weights.
    pub fn new(weights: &Weights<G>) -> Self {
        made(by_weights(weights.game().id(), weights))
    }

    fn by(weights: &Weights<G>) -> Self {
        let game = weights.game();
        let (facts, spec) = (Facts::of(game), game.spec());
        let sights = Sights::new(game);
        let geometry = Geometry::new(&facts);
        let layout = Layout::new(&facts, &geometry);
        let weights: Vec<Tapered> = (weights.values().iter())
            .map(|&[middle, end]| Tapered::new(middle, end))
            .collect();
        let kinds = 2..spec.pieces.len() as Kind;
        let standing = Side::each(|side| sums_of(&weights, &layout.standing[side as usize]));
        let mut evaluator = Handmade {
            game,
            values: Vec::new(),
            phases: Phases::new(game, &sights),
            order: Order::new(spec, &sights),
            lookout: (kinds.clone().rev())
                .filter(|&k| facts.stands_on[usize::from(k)] == facts.all)
                .max_by_key(|&k| geometry::most_seen(&facts, k))
                .unwrap_or(KING),
            colour_bound: kinds
                .filter(|&k| geometry::is_colour_bound(&facts, k))
                .collect(),
            // A guess: what sees less than half as far again as a king. A rook of a small board sees just so far.
            no_mate: NoMate::new(spec, &|kind| {
                2 * geometry::most_seen(&facts, kind) < 3 * geometry::most_seen(&facts, KING)
            }),
            bare_king: Refuge::best(facts.board.cells(), &geometry).worth(),
            sights,
            simd: Simd::chosen(),
            places: Side::each(|side| {
                let standing = &standing[side as usize];
                (0..=LEVELS)
                    .map(|level| places_of(facts.stands_on, standing, level * PHASES / LEVELS))
                    .collect()
            }),
            weights,
            standing,
            layout,
            geometry,
        };
        let kinds = 0..spec.pieces.len() as Kind;
        evaluator.values = kinds.map(|k| evaluator.worth(k)).collect();
        evaluator
    }

    /// The worth of a kind in centipawns, for exchanges and for ordering moves; the king has none.
    #[inline(always)]
    pub fn value(&self, kind: Kind) -> Score {
        self.values[usize::from(kind)]
    }

    /// Where the pieces of the side to move stand well.
    #[inline]
    pub(super) fn standing_of(&self, position: &Position<G>) -> Standing<'_> {
        let kinds = 2..position.spec().pieces.len() as Kind;
        let counts = kinds.map(|k| self.phases.of_kind[usize::from(k)] * position.kind(k).count());
        let phase = self.phases.of_pieces(counts.sum());
        let places = &self.places[position.side_to_move() as usize];
        Standing {
            places: &places[(phase * LEVELS / PHASES) as usize],
        }
    }

    /// The mean worth of a kind over its cells, of both sides, when it sees what is usual.
    fn worth(&self, kind: Kind) -> Score {
        if kind == KING {
            return 0;
        }
        let cells = self.game.tables().stands_on[usize::from(kind)];
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

/// The door of [`Handmade::new`].
fn by_weights(id: GameId, weights: &dyn Any) -> Box<dyn Any> {
    with_game!(id, game => by_weights_of(game, weights))
}

fn by_weights_of<G: Game>(_: G, weights: &dyn Any) -> Box<dyn Any> {
    Box::new(Handmade::<G>::by(through(weights)))
}

/// So many steps of the phase have an order of moves of their own.
const LEVELS: i32 = 16;

/// Where each kind stands better than on average in a phase, and by how much.
fn places_of<B: Bits>(stands_on: &[B], standing: &[Tapered], phase: i32) -> Vec<i16> {
    let mut places = vec![0; standing.len()];
    let rows = (places.chunks_mut(B::SIZE)).zip(standing.chunks(B::SIZE));
    for (&stands_on, (places, standing)) in stands_on.iter().zip(rows) {
        let of = |cell: Cell| standing[usize::from(cell)].blend(phase);
        let cells = stands_on.count().max(1) as Score;
        let mean = stands_on.cells().map(of).sum::<Score>() / cells;
        for cell in stands_on.cells() {
            let most = Score::from(Standing::MOST);
            places[usize::from(cell)] = (of(cell) - mean).clamp(-most, most) as i16;
        }
    }
    places
}

/// For each row of places the sum of their weights.
fn sums_of(weights: &[Tapered], rows: &[[u16; 4]]) -> Vec<Tapered> {
    let sum = |places: &[u16; 4]| {
        let places = places.iter().filter(|&&p| p != NOTHING);
        places.fold(Tapered::default(), |s, &p| s + weights[usize::from(p)])
    };
    rows.iter().map(sum).collect()
}

/// How far the game has gone, by the pieces that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phases {
    /// What one piece of a kind counts; the first array counts 2^16.
    pub of_kind: [u32; MOST_KINDS],
}

impl Phases {
    fn new<G: Game>(game: G, sights: &Sights) -> Self {
        let start = Position::start_of(game);
        let kinds = 2..game.spec().pieces.len() as Kind;
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
    pub fn of_pieces(&self, sum: u32) -> i32 {
        ((sum >> 8) as i32).min(PHASES)
    }
}

/// The kinds by worth.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// All but king and pawn, the heaviest first.
    pub kinds: Vec<Kind>,
    /// For each kind how many of them are clearly heavier; these come first.
    pub heavier: [usize; MOST_KINDS],
    /// One bit for each kind that goes farther than one cell along a path.
    pub slides: u32,
}

impl Order {
    fn new(spec: &GameSpec, sights: &Sights) -> Self {
        let mut kinds: Vec<Kind> = (2..spec.pieces.len() as Kind).collect();
        // A kind of the other side plays another part in some games: both parts count.
        let value = |&kind: &Kind| sights.value(kind) + sights.value(spec.mirrored_kind(kind));
        kinds.sort_by_key(|k| std::cmp::Reverse(value(k)));
        let mut heavier = [0; MOST_KINDS];
        for kind in &kinds {
            let clearly = |other: &&Kind| 5 * value(other) > 6 * value(kind);
            heavier[usize::from(*kind)] = kinds.iter().filter(clearly).count();
        }
        let paths = |kind: &&Kind| spec.pieces[usize::from(**kind)].paths.iter();
        let sliders = kinds.iter().filter(|kind| paths(kind).any(|p| p.reach > 1));
        Order {
            slides: sliders.fold(0, |slides, kind| slides | 1 << kind),
            kinds,
            heavier,
        }
    }
}
