//! Questions to a position, and moves.

use super::{Compiled, Trusted};
use crate::attacks::Simd;
use crate::moves::Wanted;
use crate::position::Position;
use crate::rules::{Move, Side};
use crate::sets::{Bits, Cell};

/// Attacks.
impl<G: Compiled> Position<G> {
    /// The pieces of `side` that attack `cell`.
    ///
    /// # Panics
    /// If the number of the cell is beyond the bits of the board's word.
    #[inline]
    pub fn attackers(&self, cell: Cell, side: Side) -> G::Word {
        self.attackers_through(cell, side, self.occupied())
    }

    /// The pieces of `side` that would attack `cell` if the occupied cells were these; pieces of cells
    /// that are no longer occupied count as well, so mask them out.
    ///
    /// # Panics
    /// As [`attackers`](Self::attackers).
    #[inline]
    pub fn attackers_through(&self, cell: Cell, side: Side, occupied: G::Word) -> G::Word {
        self.attackers_in(Simd::chosen(), cell, side, occupied)
    }

    /// The same, computed by a given backend.
    ///
    /// # Panics
    /// As [`attackers`](Self::attackers).
    #[inline]
    pub fn attackers_in(&self, simd: Simd, cell: Cell, side: Side, occupied: G::Word) -> G::Word {
        assert!(
            usize::from(cell) < G::Word::SIZE,
            "{cell} is no cell of a board"
        );
        G::attackers(self, simd, cell, side, occupied)
    }

    /// The cells that `side` attacks; those of its own pieces that it protects are among them.
    ///
    /// ```
    /// use hexmate_movegen::{Bits, Glinski, Position, Side};
    ///
    /// let start = Position::<Glinski>::start();
    /// let attacked = start.attacked_by(Side::White);
    /// // A cell is attacked where it has an attacker.
    /// for cell in start.tables().all.cells() {
    ///     assert_eq!(attacked.has(cell), start.attackers(cell, Side::White).any());
    /// }
    /// ```
    #[inline]
    pub fn attacked_by(&self, side: Side) -> G::Word {
        self.attacked_by_in(Simd::chosen(), side)
    }

    /// The same, computed by a given backend.
    #[inline]
    pub fn attacked_by_in(&self, simd: Simd, side: Side) -> G::Word {
        G::attacked_by(self, simd, side)
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> G::Word {
        self.attackers(self.king(self.pieces.side), self.pieces.side.other())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.in_check_in(Simd::chosen())
    }

    /// The same, computed by a given backend.
    #[inline]
    pub fn in_check_in(&self, simd: Simd) -> bool {
        G::in_check(self, simd)
    }
}

/// Legal moves.
impl<G: Compiled> Position<G> {
    /// All legal moves, in no particular order.
    ///
    /// ```
    /// use hexmate_movegen::{Glinski, Position};
    ///
    /// let start = Position::<Glinski>::start();
    /// assert_eq!(start.legal_moves().len(), 51);
    /// assert_eq!(start.count_legal(), 51);
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(128);
        self.add_legal(&mut moves);
        moves
    }

    /// Appends all legal moves.
    #[inline]
    pub fn add_legal(&self, moves: &mut Vec<Move>) {
        self.add_wanted(Simd::chosen(), Wanted::all(self.tables()), moves);
    }

    /// Appends the legal captures, en passant included.
    #[inline]
    pub fn add_captures(&self, moves: &mut Vec<Move>) {
        let wanted = Wanted {
            to: self.side(self.side_to_move().other()),
            ..Wanted::all(self.tables())
        };
        self.add_wanted(Simd::chosen(), wanted, moves);
    }

    /// Appends the legal moves that are wanted, computed by a given backend.
    #[inline]
    pub fn add_wanted(&self, simd: Simd, wanted: Wanted<G::Word>, moves: &mut Vec<Move>) {
        G::list(self, simd, wanted, moves);
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub fn count_legal(&self) -> u64 {
        self.count_in(Simd::chosen())
    }

    /// The number of legal moves, computed by a given backend.
    #[inline]
    pub fn count_in(&self, simd: Simd) -> u64 {
        u64::from(G::count(self, simd))
    }

    /// Whether the side to move can move at all.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.has_legal_move_in(Simd::chosen())
    }

    /// The same, computed by a given backend.
    #[inline]
    pub fn has_legal_move_in(&self, simd: Simd) -> bool {
        G::any(self, simd)
    }

    /// Whether a move, wherever it comes from, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(mv, &mut Vec::new())
    }

    /// The same, using the caller's vector to list moves in.
    pub fn is_legal_with(&self, mv: Move, scratch: &mut Vec<Move>) -> bool {
        let tables = self.tables();
        let on_board = |cell: Cell| usize::from(cell) < G::Word::SIZE && tables.all.has(cell);
        let own = self.side(self.side_to_move());
        if !on_board(mv.from) || !on_board(mv.to) || !own.has(mv.from) || own.has(mv.to) {
            return false;
        }
        let wanted = Wanted {
            from: G::Word::of(mv.from),
            to: G::Word::of(mv.to),
        };
        scratch.clear();
        self.add_wanted(Simd::chosen(), wanted, scratch);
        scratch.contains(&mv)
    }

    /// Makes a legal move.
    ///
    /// ```
    /// use hexmate_movegen::{Glinski, Position};
    ///
    /// let start = Position::<Glinski>::start();
    /// let mut position = start;
    /// let mv = position.parse_move("e4e6").unwrap();
    /// position.play(mv).unwrap();
    /// // It is Black's turn: the same move is not legal again.
    /// assert_eq!(position.play(mv), Err(mv));
    /// // A position is a plain value: taking a move back is going on with the copy.
    /// assert_ne!(position, start);
    /// ```
    ///
    /// # Errors
    /// Gives the move back, and leaves the position as it was, if the move is not legal.
    pub fn play(&mut self, mv: Move) -> Result<(), Move> {
        if !self.is_legal(mv) {
            return Err(mv);
        }
        G::play(self, mv, Trusted::LEGAL);
        Ok(())
    }

    /// Every legal move with the position after it, in no particular order.
    ///
    /// ```
    /// use hexmate_movegen::{Game, Position};
    ///
    /// /// Perft without any of the generator's shortcuts.
    /// fn count<G: Game>(position: &Position<G>, depth: u32) -> usize {
    ///     match depth {
    ///         0 => 1,
    ///         _ => position.children().map(|(_, next)| count(&next, depth - 1)).sum(),
    ///     }
    /// }
    /// assert_eq!(count(&Position::<hexmate_movegen::Glinski>::start(), 2), 2586);
    /// ```
    pub fn children(&self) -> impl Iterator<Item = (Move, Self)> {
        let from = *self;
        self.legal_moves().into_iter().map(move |mv| {
            let mut next = from;
            G::play(&mut next, mv, Trusted::LEGAL);
            (mv, next)
        })
    }

    /// The position after the null move, by which the side to move passes; `None` in check, where it may not.
    ///
    /// ```
    /// use hexmate_movegen::{Glinski, Position, Side};
    ///
    /// let passed = Position::<Glinski>::start().null_move().unwrap();
    /// assert_eq!(passed.side_to_move(), Side::Black);
    /// ```
    pub fn null_move(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.pass();
        Some(next)
    }
}
