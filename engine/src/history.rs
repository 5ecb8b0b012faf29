//! What a search has learnt about moves: counters that go up when a move refutes a line and down when
//! it was tried in vain.

use std::cell::OnceCell;

use hexmate_movegen::{Bits, Cell, Game, KING, Kind, Move, PAWN, Piece, Position, Side};

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

/// The kind that a move moves.
#[inline(always)]
pub(crate) fn kind_of<G: Game>(position: &Position<G>, mv: Move) -> Kind {
    position.piece_on(mv.from).map_or(KING, |piece| piece.kind)
}

/// Where the counters are that score the quiet moves of a position.
#[derive(Clone, Debug)]
pub(crate) struct Rows<G: Game> {
    /// Those of the side to move in the butterfly table.
    quiet: usize,
    /// The cells that the opponent attacks, found when a quiet move is asked about: often none is.
    attacked: OnceCell<G::Bits>,
    /// Those of three earlier moves.
    continuation: [usize; 3],
}

impl<G: Game> Rows<G> {
    /// The cells that the opponent attacks.
    #[inline(always)]
    pub fn attacked(&self, position: &Position<G>) -> G::Bits {
        let them = position.side_to_move().other();
        *self.attacked.get_or_init(|| position.attacked_by(them))
    }
}

/// Counters of one thread.
#[derive(Clone, Debug)]
pub(crate) struct History<G: Game> {
    /// By side, whether the cell left is attacked, cell left, whether the cell entered is attacked, and cell entered
    /// ("butterfly").
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
            quiet: vec![0; 8 * G::Bits::SIZE * G::Bits::SIZE],
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

    /// Where the butterfly counter of a move is, by the cells that the opponent attacks.
    #[inline(always)]
    fn butterfly_index(rows: &Rows<G>, attacked: G::Bits, mv: Move) -> usize {
        let place =
            |cell: Cell| usize::from(attacked.has(cell)) * G::Bits::SIZE + usize::from(cell);
        rows.quiet + place(mv.from) * 2 * G::Bits::SIZE + place(mv.to)
    }

    #[inline(always)]
    fn column(kind: Kind, to: Cell) -> usize {
        usize::from(kind) * G::Bits::SIZE + usize::from(to)
    }

    #[inline]
    fn capture_index(&self, kind: Kind, mv: Move, victim: Kind) -> usize {
        Self::column(kind, mv.to) * self.kinds() + usize::from(victim)
    }

    /// Where the counters are that score the quiet moves of a side, in the contexts of the moves one, two and four plies
    /// ago.
    #[inline]
    pub fn rows(&self, side: Side, [one, two, four]: [Option<Context>; 3]) -> Rows<G> {
        let row = self.row();
        // An earlier move that is missing has the row that stays empty.
        let none = self.continuation.len() - row;
        let start = |context: Option<Context>| context.map_or(none, |c| c.0 * row);
        Rows {
            quiet: side as usize * 4 * G::Bits::SIZE * G::Bits::SIZE,
            attacked: OnceCell::new(),
            continuation: [start(one), start(two), start(four)],
        }
    }

    /// How promising a quiet move is.
    #[inline]
    pub fn quiet(&self, position: &Position<G>, mv: Move, rows: &Rows<G>) -> i32 {
        let column = Self::column(kind_of(position, mv), mv.to);
        let counters = rows.continuation.iter();
        let counters = counters.map(|start| i32::from(self.continuation[start + column]));
        self.butterfly(rows, rows.attacked(position), mv) + counters.sum::<i32>()
    }

    /// How promising a quiet move is by its cells alone.
    #[inline(always)]
    pub fn butterfly(&self, rows: &Rows<G>, attacked: G::Bits, mv: Move) -> i32 {
        self.quiet[Self::butterfly_index(rows, attacked, mv)].into()
    }

    /// The counters of a kind in its contexts, by the cell entered.
    #[inline(always)]
    pub fn continuations(&self, rows: &Rows<G>, kind: Kind) -> [&[i16]; 3] {
        let [one, two, four] = rows.continuation;
        let column = Self::column(kind, 0);
        let row = |start: usize| &self.continuation[start + column..][..G::Bits::SIZE];
        [row(one), row(two), row(four)]
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
        rows: &Rows<G>,
        bonus: i32,
    ) {
        let place = Self::butterfly_index(rows, rows.attacked(position), mv);
        nudge(&mut self.quiet[place], bonus);
        let column = Self::column(kind_of(position, mv), mv.to);
        for &Context(context) in contexts.iter().flatten() {
            if !std::mem::replace(&mut self.has_context[context], true) {
                self.contexts.push(context as u32);
            }
            let row = self.row();
            nudge(&mut self.continuation[context * row + column], bonus);
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
    pub fn correction(&self, position: &Position<G>, keys: &mut CorrectionKeys) -> i32 {
        self.correction.of(keys.slots(position))
    }

    /// The search found the static evaluation wrong by so much.
    pub fn correct(
        &mut self,
        position: &Position<G>,
        keys: &mut CorrectionKeys,
        depth: i32,
        error: i32,
    ) {
        self.correction.learn(keys.slots(position), depth, error);
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
    fn of(&self, slots: [usize; Self::SPECIES]) -> i32 {
        let sum: i32 = slots.iter().map(|&s| i32::from(self.tables[s])).sum();
        (sum / 2 / Self::GRAIN).clamp(-Self::MOST, Self::MOST)
    }

    fn learn(&mut self, slots: [usize; Self::SPECIES], depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        let target =
            (error * Self::GRAIN).clamp(-Self::MOST * Self::GRAIN, Self::MOST * Self::GRAIN);
        for slot in slots {
            let old = i32::from(self.tables[slot]);
            self.tables[slot] = ((old * (256 - weight) + target * weight) / 256) as i16;
        }
    }
}

/// Keys of what the correction history goes by: pawns, White's pieces, Black's pieces. They are kept up move by move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CorrectionKeys {
    keys: [u64; Correction::SPECIES],
    /// Whether they are those of the position.
    known: bool,
}

impl CorrectionKeys {
    /// Where the key of a piece's like is.
    #[inline(always)]
    fn species(piece: Piece) -> usize {
        if piece.kind == PAWN {
            0
        } else {
            1 + piece.side as usize
        }
    }

    #[inline(always)]
    fn toggle<G: Game>(&mut self, position: &Position<G>, piece: Piece, cell: Cell) {
        self.keys[Self::species(piece)] ^= position.key_of(piece, cell);
    }

    /// The keys after a legal move in the position. After the few that move or take something beside, they are not known
    /// until they are asked for.
    #[inline]
    pub fn after<G: Game>(mut self, position: &Position<G>, mv: Move) -> Self {
        if let Some(piece) = position.piece_on(mv.from) {
            let kind = mv.promotion().unwrap_or(piece.kind);
            self.toggle(position, piece, mv.from);
            self.toggle(position, Piece { kind, ..piece }, mv.to);
            let may_castle = piece.kind == KING && position.castling_rights().any();
            self.known &= !may_castle;
        }
        if let Some(victim) = position.piece_on(mv.to) {
            self.toggle(position, victim, mv.to);
        }
        let may_pass = (position.en_passant()).is_some_and(|ep| ep.crosses(mv.to));
        self.known &= !may_pass;
        self
    }

    /// The counters of the position.
    #[inline]
    fn slots<G: Game>(&mut self, position: &Position<G>) -> [usize; Correction::SPECIES] {
        if !self.known {
            *self = Self::found(position);
        }
        let side = position.side_to_move() as usize * Correction::SPECIES;
        let slot = |species: usize| {
            (side + species) * Correction::SLOTS
                + (self.keys[species] >> 40) as usize % Correction::SLOTS
        };
        [slot(0), slot(1), slot(2)]
    }

    #[inline(never)]
    fn found<G: Game>(position: &Position<G>) -> Self {
        let mut found = CorrectionKeys {
            known: true,
            ..CorrectionKeys::default()
        };
        for cell in position.occupied().cells() {
            if let Some(piece) = position.piece_on(cell) {
                found.toggle(position, piece, cell);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Unchecked, for_each_game};

    fn keys_follow<G: BuiltIn>() {
        let mut position = Position::<G>::start();
        let mut keys = CorrectionKeys::default();
        for ply in 0..300 {
            // Looked at now and then only, so that several moves are made up for at once.
            if ply % 3 == 0 {
                let fresh = CorrectionKeys::default().slots(&position);
                assert_eq!(keys.slots(&position), fresh, "{position}");
            }
            let moves = position.legal_moves();
            let noisy = |mv: &&Move| !crate::see::is_quiet(&position, **mv);
            let Some(&mv) = moves
                .iter()
                .filter(noisy)
                .nth(ply % 2)
                .or(moves.get(ply % 7))
            else {
                break;
            };
            keys = keys.after(&position, mv);
            position.play_unchecked(mv);
        }
    }

    #[test]
    fn keys_after_moves_are_those_of_the_position() {
        for_each_game!(G => keys_follow::<G>());
    }

    /// A move taught in one of the four cases says nothing of the others, nor of other moves.
    fn cases_are_apart<G: BuiltIn>() {
        let position = Position::<G>::start();
        let moves = position.legal_moves();
        let (mv, other) = (moves[0], moves[moves.len() - 1]);
        let side = position.side_to_move();
        let cases = [(false, false), (false, true), (true, false), (true, true)];
        let attacked = cases.map(|(leaves, enters)| {
            let cells = [(leaves, mv.from), (enters, mv.to)].into_iter();
            let cells = cells.filter(|&(attacked, _)| attacked);
            cells.fold(G::Bits::EMPTY, |set, (_, cell)| set | G::Bits::of(cell))
        });
        for taught in attacked {
            let mut history = History::new(position.game());
            let rows = |history: &History<G>, side, attacked| Rows {
                attacked: OnceCell::from(attacked),
                ..history.rows(side, [None; 3])
            };
            let of_taught = rows(&history, side, taught);
            history.nudge_quiet(&position, mv, &[], &of_taught, 100);
            for asked in attacked {
                let expected = if asked == taught { 100 } else { 0 };
                let own = rows(&history, side, asked);
                assert_eq!(history.quiet(&position, mv, &own), expected);
                assert_eq!(history.quiet(&position, other, &own), 0);
                let theirs = rows(&history, side.other(), asked);
                assert_eq!(history.quiet(&position, mv, &theirs), 0);
            }
        }
    }

    #[test]
    fn attacked_cells_have_counters_of_their_own() {
        for_each_game!(G => cases_are_apart::<G>());
    }
}
