//! What one thread keeps from search to search: counters and memory.

use hexmate_movegen::{Game, Move};

use crate::eval::Evaluation;
use crate::history::{Context, CorrectionKeys, History};
use crate::known_evals::KnownEvals;
use crate::params::Params;
use crate::picker::MoveBuffer;
use crate::sampling::Sampler;
use crate::score::{MAX_PLY, Score};

/// What a search knows about one ply of the line it looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StackEntry {
    /// The static evaluation, corrected; [`NO_EVAL`](crate::score::NO_EVAL) in check.
    pub eval: Score,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The context of the move made here; `None` for a null move.
    pub context: Option<Context>,
    /// The move left out while it is found out whether it is singular.
    pub excluded: Option<Move>,
    /// The quiet move that last refuted a line here.
    pub killer: Option<Move>,
    /// How often moves failed high two plies on.
    pub cutoffs: u32,
    /// Where the errors of the evaluation are found for positions like this one.
    pub correction: CorrectionKeys,
}

/// One thread's counters and memory.
pub(crate) struct ThreadData<G: Game, E: Evaluation<G>> {
    pub history: History<G>,
    /// What the evaluation remembers.
    pub eval: E::State,
    /// Evaluations of positions met before.
    pub known: KnownEvals,
    pub stack: Vec<StackEntry>,
    pub buffers: Vec<MoveBuffer>,
    /// The best line from each ply on.
    pub lines: Vec<Vec<Move>>,
    /// Quiet and noisy moves tried at each ply, to be taught if another one is best.
    pub tried: Vec<[Vec<Move>; 2]>,
    /// Keeps some of the positions that are evaluated, if they are wanted.
    pub sampler: Option<Sampler<G>>,
}

impl<G: Game, E: Evaluation<G>> ThreadData<G, E> {
    pub fn new(game: G, evaluation: &E) -> Self {
        ThreadData {
            history: History::new(game),
            eval: evaluation.new_state(),
            known: KnownEvals::new(),
            stack: vec![StackEntry::default(); MAX_PLY + 4],
            buffers: vec![MoveBuffer::default(); 2 * MAX_PLY + 2],
            lines: vec![Vec::new(); MAX_PLY + 2],
            tried: vec![<[Vec<Move>; 2]>::default(); 2 * MAX_PLY + 2],
            sampler: None,
        }
    }

    /// Evaluates by this from now on.
    pub fn set_evaluation(&mut self, evaluation: &E) {
        self.eval = evaluation.new_state();
        self.known = KnownEvals::new();
    }

    /// Forgets everything, so that the next search depends on nothing but its position.
    pub fn clear(&mut self) {
        self.history.clear();
        self.stack.fill(StackEntry::default());
    }
}

/// By how many plies late moves are reduced, by depth and number.
#[derive(Clone, Debug)]
pub(crate) struct Reductions(Vec<[i32; Self::MOVES]>);

impl Reductions {
    const DEPTHS: usize = 64;
    const MOVES: usize = 64;

    pub fn of_params(params: &Params) -> Self {
        Self::new(params.reduction_base, params.reduction_divisor)
    }

    fn new(base: i32, divisor: i32) -> Self {
        let plies = |depth: usize, number: usize| {
            if depth == 0 || number == 0 {
                return 0;
            }
            let product = (depth as f64).ln() * (number as f64).ln();
            (f64::from(base) / 100.0 * 1024.0 + product * 102_400.0 / f64::from(divisor)) as i32
        };
        let row = |depth| std::array::from_fn(|number| plies(depth, number));
        Reductions((0..Self::DEPTHS).map(row).collect())
    }

    /// In 1/1024 of a ply.
    #[inline]
    pub fn of(&self, depth: i32, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(Self::DEPTHS - 1);
        self.0[depth][number.min(Self::MOVES - 1)]
    }
}
