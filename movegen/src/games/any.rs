//! A position and a record of any game, for code that learns only at run time which game it is.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Game, GameId};
use crate::board::Board;
use crate::play::{Compiled, Outcome, Record, Trusted, divide, perft};
use crate::position::Position;
use crate::rules::spec::GameSpec;
use crate::rules::{EnPassant, KING, Move, Piece, Side};
use crate::sets::{Bits, Cell};
use crate::text::{FenError, MoveError};

/// Defines the types that have one variant for each game, and the macros that look into them.
macro_rules! any_game {
    ($($game:ident,)*) => {
        /// A position of any game.
        ///
        /// ```
        /// use hexmate_movegen::{AnyPosition, GameId};
        ///
        /// let game: GameId = "mccooey".parse().unwrap();
        /// let mut position = AnyPosition::start(game);
        /// assert_eq!(position.perft(2), 947);
        /// let first = position.move_texts().remove(0);
        /// position.play(&first).unwrap();
        /// let again = AnyPosition::from_fen(game, &position.to_string()).unwrap();
        /// assert_eq!(again, position);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(clippy::large_enum_variant)] // all are large; see `Position` about copies
        pub enum AnyPosition {
            $(#[doc = concat!("A position of the game [`", stringify!($game), "`](super::", stringify!($game), ").")]
            $game(Position<super::$game>),)*
        }

        /// A record of any game.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant)] // as above
        pub enum AnyRecord {
            $(#[doc = concat!("A record of the game [`", stringify!($game), "`](super::", stringify!($game), ").")]
            $game(Record<super::$game>),)*
        }

        /// Evaluates an expression with the [`Position`](crate::Position) in an
        /// [`AnyPosition`](crate::AnyPosition): `with_position!(any, p => p.legal_moves())`.
        #[macro_export]
        macro_rules! with_position {
            ($any:expr, $position:ident => $body:expr) => {
                match $any {
                    $($crate::AnyPosition::$game($position) => $body,)*
                }
            };
        }

        /// Evaluates an expression with the [`Record`](crate::Record) in an
        /// [`AnyRecord`](crate::AnyRecord): `with_record!(&any, r => r.moves().len())`.
        #[macro_export]
        macro_rules! with_record {
            ($any:expr, $record:ident => $body:expr) => {
                match $any {
                    $($crate::AnyRecord::$game($record) => $body,)*
                }
            };
        }

        $(
            impl Erase for super::$game {
                fn any_position(position: Position<Self>) -> AnyPosition {
                    AnyPosition::$game(position)
                }
                fn position_in(any: &AnyPosition) -> Option<&Position<Self>> {
                    match any {
                        AnyPosition::$game(position) => Some(position),
                        _ => None,
                    }
                }
                fn any_record(record: Record<Self>) -> AnyRecord {
                    AnyRecord::$game(record)
                }
                fn record_in(any: &AnyRecord) -> Option<&Record<Self>> {
                    match any {
                        AnyRecord::$game(record) => Some(record),
                        _ => None,
                    }
                }
            }
        )*
    };
}

// Generated from the one list of games.
list_games!(any_game);

/// From the types of one game to those of any game, and back.
#[doc(hidden)]
pub trait Erase: Compiled {
    fn any_position(position: Position<Self>) -> AnyPosition;
    fn position_in(any: &AnyPosition) -> Option<&Position<Self>>;
    fn any_record(record: Record<Self>) -> AnyRecord;
    fn record_in(any: &AnyRecord) -> Option<&Record<Self>>;
}

impl<G: Game> From<Position<G>> for AnyPosition {
    fn from(position: Position<G>) -> Self {
        G::any_position(position)
    }
}

impl<G: Game> From<Record<G>> for AnyRecord {
    fn from(record: Record<G>) -> Self {
        G::any_record(record)
    }
}

impl AnyPosition {
    /// The first position of a game.
    pub fn start(game: GameId) -> Self {
        with_game!(game, g => Position::start_of(g).into())
    }

    /// Reads a position of a game.
    ///
    /// # Errors
    /// As `Position::from_str`: what is wrong, and where.
    pub fn from_fen(game: GameId, text: &str) -> Result<Self, FenError> {
        with_game!(game, g => Position::from_fen(g, text).map(Self::from))
    }

    /// Which game it is.
    pub fn game(&self) -> GameId {
        with_position!(self, p => game_of(p))
    }

    /// The position as one of the game `G`, if it is one.
    pub fn of<G: Game>(&self) -> Option<&Position<G>> {
        G::position_in(self)
    }

    /// The rules of its game.
    pub fn spec(&self) -> &GameSpec {
        self.game().spec()
    }

    /// The board: cells and their names.
    pub fn board(&self) -> &Board {
        with_position!(self, p => board_of(p))
    }

    /// Makes sure that the board has a cell.
    pub(crate) fn assert_cell(&self, cell: Cell) {
        let game = self.game();
        assert!(
            self.board().cells().contains(&cell),
            "the board of {game} has no cell {cell}"
        );
    }

    /// The piece on a cell of the board.
    ///
    /// # Panics
    /// If the number of the cell is beyond the bits of the board's word.
    pub fn piece_on(&self, cell: Cell) -> Option<Piece> {
        with_position!(self, p => p.piece_on(cell))
    }

    /// The pawn's first move of two or three steps that was just made, if its pawn may be captured en passant.
    pub fn en_passant(&self) -> Option<EnPassant> {
        with_position!(self, p => p.en_passant())
    }

    /// Whether a pawn stands on this cell that has lost its first move although it stands where it could have begun.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn is_moved_pawn(&self, cell: Cell) -> bool {
        self.assert_cell(cell);
        with_position!(self, p => p.moved_pawns().has(cell))
    }

    /// A cell as a side sees it: itself for White, its counterpart for Black.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn seen_by(&self, side: Side, cell: Cell) -> Cell {
        self.assert_cell(cell);
        match side {
            Side::White => cell,
            Side::Black => with_position!(self, p => p.tables().mirrored[usize::from(cell)]),
        }
    }

    /// The number of the full move, from 1.
    pub fn fullmove_number(&self) -> u16 {
        with_position!(self, p => p.fullmove_number())
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        with_position!(self, p => p.side_to_move())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        with_position!(self, p => p.in_check())
    }

    /// The 64-bit key, see [`Position::key`]; the keys of different games differ, too.
    pub fn key(&self) -> u64 {
        with_position!(self, p => p.key())
    }

    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> Vec<Move> {
        with_position!(self, p => p.legal_moves())
    }

    /// The texts of all legal moves, sorted.
    pub fn move_texts(&self) -> Vec<String> {
        let moves = self.legal_moves();
        let mut texts: Vec<String> = moves.into_iter().map(|mv| self.text(mv)).collect();
        texts.sort_unstable();
        texts
    }

    /// The text of a move of this game.
    ///
    /// # Panics
    /// As [`Move::text`].
    pub fn text(&self, mv: Move) -> String {
        text_of(self.game(), mv)
    }

    /// Reads a move and checks that it is legal here.
    ///
    /// # Errors
    /// As [`Position::parse_move`].
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        with_position!(self, p => p.parse_move(text))
    }

    /// Reads a move and plays it.
    ///
    /// # Errors
    /// As [`AnyPosition::parse_move`]; the position stays as it was.
    pub fn play(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.parse_move(text)?;
        with_position!(self, p => Compiled::play(p, mv, Trusted::LEGAL));
        Ok(mv)
    }

    /// Whether a move, wherever it comes from, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        with_position!(self, p => p.is_legal(mv))
    }

    /// The position after a legal move.
    ///
    /// ```
    /// use hexmate_movegen::{AnyPosition, GameId};
    ///
    /// let start = AnyPosition::start(GameId::Glinski);
    /// let mv = start.parse_move("e4e5").unwrap();
    /// let next = start.after(mv);
    /// assert_eq!(next.piece_on(mv.to), start.piece_on(mv.from));
    /// assert!(!start.is_capture(mv) && !next.in_check());
    /// ```
    ///
    /// # Panics
    /// If the move is not legal.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        with_position!(&mut next, p => p.play(mv)).expect("the move is legal");
        next
    }

    /// The position after the null move, see [`Position::null_move`].
    pub fn null_move(&self) -> Option<Self> {
        with_position!(self, p => p.null_move().map(Self::from))
    }

    /// Whether the piece on one cell attacks another: what it could capture if an enemy stood there and its own
    /// king did not matter.
    ///
    /// # Panics
    /// If the board lacks one of the cells.
    pub fn attacks(&self, from: Cell, to: Cell) -> bool {
        self.assert_cell(from);
        self.assert_cell(to);
        self.piece_on(from)
            .is_some_and(|piece| with_position!(self, p => p.attackers(to, piece.side).has(from)))
    }

    /// Whether a legal move captures, also en passant.
    ///
    /// # Panics
    /// On some moves that are not legal.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.piece_on(mv.to).is_some() || self.is_en_passant(mv)
    }

    /// Whether a legal move is a capture en passant.
    ///
    /// # Panics
    /// On some moves that are not legal.
    pub fn is_en_passant(&self, mv: Move) -> bool {
        let enemy = self.side_to_move().other();
        let enemies = |any: &AnyPosition| with_position!(any, p => p.side(enemy).count());
        self.piece_on(mv.to).is_none() && enemies(&self.after(mv)) < enemies(self)
    }

    /// Whether a legal move castles: the king moves, and another piece of its side with it.
    ///
    /// # Panics
    /// On some moves that are not legal.
    pub fn is_castling(&self, mv: Move) -> bool {
        let side = self.side_to_move();
        if self.piece_on(mv.from).is_none_or(|p| p.kind != KING) {
            return false;
        }
        let next = self.after(mv);
        self.board().cells().iter().any(|&cell| {
            let own = |any: &AnyPosition| any.piece_on(cell).filter(|p| p.side == side);
            cell != mv.from && cell != mv.to && own(self) != own(&next)
        })
    }

    /// The end of the game, if this position alone is one, see [`Position::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        with_position!(self, p => p.outcome())
    }

    /// The number of legal move sequences of `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        with_position!(self, p => perft(p, depth))
    }

    /// Perft for each first move, in no particular order.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        with_position!(self, p => divide(p, depth))
    }
}

/// The canonical text.
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, p => p.fmt(f))
    }
}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        with_position!(self, p => p.hash(state));
    }
}

impl AnyRecord {
    /// A game that begins at this position.
    pub fn new(first: AnyPosition) -> Self {
        with_position!(first, p => Record::new(p).into())
    }

    /// Which game it is.
    pub fn game(&self) -> GameId {
        with_record!(self, r => game_of(r.position()))
    }

    /// The record as one of the game `G`, if it is one.
    pub fn of<G: Game>(&self) -> Option<&Record<G>> {
        G::record_in(self)
    }

    /// The first position.
    pub fn first(&self) -> AnyPosition {
        with_record!(self, r => (*r.first()).into())
    }

    /// The position now.
    pub fn position(&self) -> AnyPosition {
        with_record!(self, r => (*r.position()).into())
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        with_record!(self, r => r.moves())
    }

    /// The texts of the moves so far.
    pub fn move_texts(&self) -> Vec<String> {
        let texts = self.moves().iter().map(|&mv| text_of(self.game(), mv));
        texts.collect()
    }

    /// Reads a move and plays it.
    ///
    /// # Errors
    /// As [`Position::parse_move`]; the record stays as it was.
    pub fn play(&mut self, text: &str) -> Result<Move, MoveError> {
        with_record!(self, r => {
            let mv = r.position().parse_move(text)?;
            r.play(mv).expect("a move that was read is legal");
            Ok(mv)
        })
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Gives the move back if it is not legal.
    pub fn play_move(&mut self, mv: Move) -> Result<(), Move> {
        with_record!(self, r => r.play(mv))
    }

    /// How often the position has occurred in this game, this time included.
    pub fn occurrences(&self) -> usize {
        with_record!(self, r => r.occurrences())
    }

    /// The end of the game, if it has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        with_record!(self, r => r.outcome())
    }
}

fn game_of<G: Game>(position: &Position<G>) -> GameId {
    position.game().id()
}

fn board_of<G: Game>(position: &Position<G>) -> &'static Board {
    &position.tables().board
}

fn text_of(game: GameId, mv: Move) -> String {
    with_game!(game, g => mv.text(g))
}
