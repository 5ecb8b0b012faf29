//! What a search has learnt about moves: counters that go up when a move refutes a line and down when
//! it was tried in vain.

use hexmate_movegen::{Bits, Cell, Game, KING, Kind, Move, PAWN, Position, Side};

use crate::mix::mix;
use crate::see::captured;

/// No counter leaves this range.
pub(crate) const HISTORY_MAX: i32 = 1 << 14;

/// Moves a counter towards its bound, the more slowly the nearer it is ("history gravity").
#[inline]
fn nudge(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    let bonus = bonus.clamp(-HISTORY_MAX, HISTORY_MAX);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// A piece of a side that came to a cell: the context that the next moves are scored in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context(usize);

impl Context {
    /// Of the move that is about to be made.
    #[inline]
    pub fn of<G: Game>(position: &Position<G>, mv: Move) -> Context {
        let kinds = position.spec().pieces.len();
        let kind = kind_of(position, mv);
        let row = position.side_to_move() as usize * kinds + usize::from(kind);
        Context(row * G::Bits::SIZE + usize::from(mv.to))
    }
}

#[inline]
fn kind_of<G: Game>(position: &Position<G>, mv: Move) -> Kind {
    position.piece_on(mv.from).map_or(KING, |piece| piece.kind)
}

/// Counters of one thread.
#[derive(Clone, Debug)]
pub(crate) struct History<G: Game> {
    /// By side, cell left and cell entered ("butterfly").
    quiet: Vec<i16>,
    /// By piece, cell entered and piece captured.
    capture: Vec<i16>,
    /// By the context of an earlier move, piece and cell entered.
    continuation: Vec<i16>,
    /// The contexts that have a counter, so that forgetting need not touch the others.
    contexts: Vec<u32>,
    has_context: Vec<bool>,
    correction: Correction,
    game: G,
}

impl<G: Game> History<G> {
    /// The number of kinds.
    #[inline(always)]
    fn kinds(&self) -> usize {
        self.game.spec().pieces.len()
    }

    /// The counters of one context: one for each kind and cell.
    #[inline(always)]
    fn row(&self) -> usize {
        self.kinds() * G::Bits::SIZE
    }

    pub fn new(game: G) -> Self {
        let kinds = game.spec().pieces.len();
        let row = kinds * G::Bits::SIZE;
        History {
            quiet: vec![0; 2 * G::Bits::SIZE * G::Bits::SIZE],
            capture: vec![0; row * kinds],
            // The last row is nobody's and stays empty.
            continuation: vec![0; (2 * row + 1) * row],
            contexts: Vec::new(),
            has_context: vec![false; 2 * row],
            correction: Correction::default(),
            game,
        }
    }

    /// Forgets everything, so that the next search depends on nothing but its position.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        let row = self.row();
        for context in self.contexts.drain(..) {
            let start = context as usize * row;
            self.continuation[start..start + row].fill(0);
            self.has_context[context as usize] = false;
        }
        self.correction.clear();
    }

    #[inline]
    fn quiet_index(side: Side, mv: Move) -> usize {
        let row = side as usize * G::Bits::SIZE + usize::from(mv.from);
        row * G::Bits::SIZE + usize::from(mv.to)
    }

    #[inline]
    fn column(kind: Kind, to: Cell) -> usize {
        usize::from(kind) * G::Bits::SIZE + usize::from(to)
    }

    #[inline]
    fn capture_index(&self, kind: Kind, mv: Move, victim: Kind) -> usize {
        Self::column(kind, mv.to) * self.kinds() + usize::from(victim)
    }

    /// How promising a quiet move is, in the contexts of the moves one, two and four plies ago.
    #[inline]
    pub fn quiet(&self, position: &Position<G>, mv: Move, contexts: &[Option<Context>; 3]) -> i32 {
        self.quiets(position, contexts)(mv)
    }

    /// The same for many moves of one position: the counters' rows are looked up once.
    #[inline]
    pub fn quiets<'h>(
        &'h self,
        position: &'h Position<G>,
        contexts: &[Option<Context>; 3],
    ) -> impl Fn(Move) -> i32 + 'h {
        let quiet = position.side_to_move() as usize * G::Bits::SIZE * G::Bits::SIZE;
        let quiet = &self.quiet[quiet..quiet + G::Bits::SIZE * G::Bits::SIZE];
        // An earlier move that is missing has the row that stays empty.
        let row = self.row();
        let rows = contexts.map(|context| {
            let start = context.map_or(self.continuation.len() - row, |c| c.0 * row);
            &self.continuation[start..start + row]
        });
        move |mv| {
            let column = Self::column(kind_of(position, mv), mv.to);
            let from_to = usize::from(mv.from) * G::Bits::SIZE + usize::from(mv.to);
            rows.iter().fold(i32::from(quiet[from_to]), |sum, row| {
                sum + i32::from(row[column])
            })
        }
    }

    /// How promising a capture or promotion is.
    #[inline]
    pub fn noisy(&self, position: &Position<G>, mv: Move) -> i32 {
        // A promotion that captures nothing is filed as the capture of a king, which does not occur.
        let victim = captured(position, mv).unwrap_or(KING);
        let kind = kind_of(position, mv);
        i32::from(self.capture[self.capture_index(kind, mv, victim)])
    }

    /// A quiet move proved good or bad.
    pub fn nudge_quiet(
        &mut self,
        position: &Position<G>,
        mv: Move,
        contexts: &[Option<Context>],
        bonus: i32,
    ) {
        nudge(
            &mut self.quiet[Self::quiet_index(position.side_to_move(), mv)],
            bonus,
        );
        let column = Self::column(kind_of(position, mv), mv.to);
        for context in contexts.iter().flatten() {
            if !std::mem::replace(&mut self.has_context[context.0], true) {
                self.contexts.push(context.0 as u32);
            }
            let row = self.row();
            nudge(&mut self.continuation[context.0 * row + column], bonus);
        }
    }

    /// A capture or promotion proved good or bad.
    pub fn nudge_noisy(&mut self, position: &Position<G>, mv: Move, bonus: i32) {
        let victim = captured(position, mv).unwrap_or(KING);
        let kind = kind_of(position, mv);
        let index = self.capture_index(kind, mv, victim);
        nudge(&mut self.capture[index], bonus);
    }

    /// What the static evaluation of positions like this one was wrong by, in centipawns.
    #[inline]
    pub fn correction(&self, position: &Position<G>) -> i32 {
        self.correction.of(position)
    }

    /// The search found the static evaluation wrong by so much.
    pub fn correct(&mut self, position: &Position<G>, depth: i32, error: i32) {
        self.correction.learn(position, depth, error);
    }
}

/// Correction history: the mean error of the static evaluation, by pawns and by each side's pieces.
#[derive(Clone, Debug)]
struct Correction {
    tables: Vec<i16>,
}

impl Default for Correction {
    fn default() -> Self {
        Correction {
            tables: vec![0; 2 * Self::SPECIES * Self::SLOTS],
        }
    }
}

impl Correction {
    const SLOTS: usize = 1 << 12;
    /// Pawns, White's pieces, Black's pieces.
    const SPECIES: usize = 3;
    /// Errors are kept in this part of a centipawn.
    const GRAIN: i32 = 64;
    /// No correction is larger, in centipawns.
    const MOST: i32 = 96;

    fn clear(&mut self) {
        self.tables.fill(0);
    }

    #[inline]
    fn slots<G: Game>(position: &Position<G>) -> [usize; Self::SPECIES] {
        let pawns = position.kind(PAWN);
        let mut keys = [mix(0, pawns & position.side(Side::White)), 1, 2];
        keys[0] = mix(keys[0], pawns & position.side(Side::Black));
        for kind in 1..position.spec().pieces.len() as Kind {
            let pieces = position.kind(kind);
            keys[1] = mix(keys[1], pieces & position.side(Side::White));
            keys[2] = mix(keys[2], pieces & position.side(Side::Black));
        }
        let side = position.side_to_move() as usize * Self::SPECIES;
        let slot = |species: usize, key: u64| {
            (side + species) * Self::SLOTS + (key >> 40) as usize % Self::SLOTS
        };
        [slot(0, keys[0]), slot(1, keys[1]), slot(2, keys[2])]
    }

    #[inline]
    fn of<G: Game>(&self, position: &Position<G>) -> i32 {
        let slots = Self::slots(position);
        let sum: i32 = slots.iter().map(|&s| i32::from(self.tables[s])).sum();
        (sum / 2 / Self::GRAIN).clamp(-Self::MOST, Self::MOST)
    }

    fn learn<G: Game>(&mut self, position: &Position<G>, depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        let target =
            (error * Self::GRAIN).clamp(-Self::MOST * Self::GRAIN, Self::MOST * Self::GRAIN);
        for slot in Self::slots(position) {
            let old = i32::from(self.tables[slot]);
            self.tables[slot] = ((old * (256 - weight) + target * weight) / 256) as i16;
        }
    }
}
