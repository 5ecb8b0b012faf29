//! From an arrangement of pieces to a valid position: one named predicate for each rule of validity.

use super::{Pieces, Position, State, attackers};
use crate::attacks::Simd;
use crate::rules::spec::GameSpec;
use crate::rules::{EnPassant, KING, PAWN, Piece, Side, decode, encode};
use crate::sets::{Bits, Cell};
use crate::tables::{Start, Tabled, Tables};

/// An arrangement of pieces with everything else that makes a position, not yet known to be valid.
///
/// ```
/// use hexmate_movegen::{Game, Glinski, KING, Piece, PositionError, Setup, Side};
///
/// let board = &Glinski.tables().board;
/// let mut setup = Setup::<Glinski>::default();
/// let mut king = |side, name| {
///     setup.set(board.parse_cell(name).unwrap(), Some(Piece { kind: KING, side }));
/// };
/// king(Side::White, "f1");
/// assert!(matches!(setup.build(), Err(PositionError::NoKing { side: Side::Black, .. })));
/// setup.set(board.parse_cell("f11").unwrap(), Some(Piece { kind: KING, side: Side::Black }));
/// assert_eq!(setup.build().unwrap().to_string(), "k/3/5/7/9/11/11/11/11/11/5K5 w - - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup<G: Tabled> {
    game: G,
    cells: <G::Word as Bits>::Bytes,
    /// The side to move.
    pub side: Side,
    /// Pieces that may still castle.
    pub castling: G::Word,
    /// Pawns that stand on a double-step cell of their side but have moved.
    pub moved: G::Word,
    /// The pawn's first move of two or three steps that was just made.
    pub en_passant: Option<EnPassant>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// The number of the full move, from 1.
    pub fullmove: u16,
}

/// Why an arrangement is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum PositionError {
    #[error("{side:?} has no king: each side needs exactly one '{letter}'")]
    NoKing { side: Side, letter: char },
    #[error("{side:?} has {count} kings, the second on {name}: each side needs exactly one")]
    ManyKings {
        side: Side,
        count: u32,
        name: String,
        cell: Cell,
    },
    #[error(
        "the {side:?} pawn on {name} stands on a promotion cell, where it would have become another piece"
    )]
    PawnOnPromotionCell {
        side: Side,
        name: String,
        cell: Cell,
    },
    #[error(
        "'{letter}' ({piece}) on {name}, a cell of colour {colour}; it may stand only on {allowed}"
    )]
    OffColour {
        letter: char,
        piece: &'static str,
        name: String,
        colour: u8,
        allowed: String,
        cell: Cell,
    },
    #[error(
        "the side to move ({side:?}) could take the king on {name}: it must be the other side's turn"
    )]
    OpponentInCheck {
        side: Side,
        name: String,
        cell: Cell,
    },
    #[error("{what} names a cell that the board does not have")]
    OffBoard { what: &'static str },
    #[error("the right to castle with {name} is impossible: {why}")]
    CastlingRight { name: String, why: String },
    #[error("'~{name}' is impossible: {why}")]
    MovedPawn { name: String, why: &'static str },
    #[error("en passant on {name} is impossible: {why}")]
    EnPassant { name: String, why: &'static str },
    #[error("the number of the full move is 0: it counts from 1")]
    FullMoveZero,
}

impl PositionError {
    /// The cell of the piece at fault, if it is one piece.
    pub fn cell(&self) -> Option<Cell> {
        match self {
            PositionError::ManyKings { cell, .. }
            | PositionError::PawnOnPromotionCell { cell, .. }
            | PositionError::OffColour { cell, .. }
            | PositionError::OpponentInCheck { cell, .. } => Some(*cell),
            _ => None,
        }
    }
}

impl<G: Tabled + Default> Default for Setup<G> {
    fn default() -> Self {
        Setup::new(G::default())
    }
}

impl<G: Tabled> Setup<G> {
    /// An empty board of a game.
    pub fn new(game: G) -> Self {
        Setup {
            game,
            cells: G::Word::ZERO_BYTES,
            side: Side::White,
            castling: G::Word::EMPTY,
            moved: G::Word::EMPTY,
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

impl<G: Tabled> From<&Position<G>> for Setup<G> {
    fn from(position: &Position<G>) -> Self {
        Setup {
            game: position.game(),
            cells: position.state.cells,
            side: position.pieces.side,
            castling: position.pieces.castling,
            moved: position.pieces.moved,
            en_passant: position.pieces.en_passant,
            halfmove: position.state.halfmove,
            fullmove: position.state.fullmove,
        }
    }
}

impl<G: Tabled> Setup<G> {
    /// The game.
    pub fn game(&self) -> G {
        self.game
    }

    fn tables(&self) -> &'static Tables<G> {
        self.game.lookup()
    }

    fn spec(&self) -> &'static GameSpec {
        self.tables().spec
    }

    fn name(&self, cell: Cell) -> String {
        self.tables().board.name(cell)
    }

    /// The same as the first position of a game.
    pub(crate) fn as_start(&self) -> Start<G> {
        Start {
            cells: self.cells,
            castling: self.castling,
        }
    }

    /// Puts a piece on a cell, or empties it.
    ///
    /// # Panics
    /// If the board has no such cell or the game no such kind.
    pub fn set(&mut self, cell: Cell, piece: Option<Piece>) {
        assert!(self.tables().all.has(cell), "a cell of the board");
        assert!(piece.is_none_or(|p| usize::from(p.kind) < self.spec().pieces.len()));
        self.cells.as_mut()[usize::from(cell)] = piece.map_or(0, encode);
    }

    /// The piece on a cell; none, either, where the board has no such cell.
    pub fn get(&self, cell: Cell) -> Option<Piece> {
        let cells = self.cells.as_ref();
        cells.get(usize::from(cell)).and_then(|&code| decode(code))
    }

    fn holds(&self, cell: Cell, piece: Piece) -> bool {
        self.get(cell) == Some(piece)
    }

    /// The position, if no rule of validity is broken. `start` is the first position of the game.
    pub(crate) fn checked(&self, start: &Start<G>) -> Result<Position<G>, PositionError> {
        let (position, faults) = self.judged(start);
        match faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(position.expect("without a fault it is one")),
        }
    }

    /// The position, if no rule of validity is broken, and all rules that are. Whether a king could be taken is not
    /// asked while the pieces themselves are wrong.
    pub(crate) fn judged(&self, start: &Start<G>) -> (Option<Position<G>>, Vec<PositionError>) {
        let mut faults = Vec::new();
        let pieces = self.pieces();
        self.one_king_a_side(&pieces, &mut faults);
        self.pawns_off_promotion_cells(&pieces, &mut faults);
        self.pieces_on_their_colours(&pieces, &mut faults);
        let pieces_are_right = faults.is_empty();
        match self.cells_are_of_the_board() {
            Ok(()) => {
                self.castling_rights_have_their_pieces(start, &mut faults);
                self.moved_pawns_stand_on_double_step_cells(&mut faults);
                faults.extend(self.en_passant_follows_a_double_step().err());
            }
            Err(fault) => faults.push(fault),
        }
        faults.extend(self.counters_in_range().err());
        if !pieces_are_right {
            return (None, faults);
        }
        let setup = if faults.is_empty() {
            *self
        } else {
            // What stands where is right, if nothing else is.
            Setup {
                castling: G::Word::EMPTY,
                moved: G::Word::EMPTY,
                en_passant: None,
                ..*self
            }
        };
        let position = setup.assemble(&pieces);
        faults.extend(opponent_not_in_check(&position).err());
        (faults.is_empty().then_some(position), faults)
    }

    fn pieces(&self) -> Vec<(Cell, Piece)> {
        let cells = self.tables().board.cells();
        let mut pieces = Vec::with_capacity(cells.len());
        pieces.extend(cells.iter().filter_map(|&c| Some((c, self.get(c)?))));
        pieces
    }

    fn one_king_a_side(&self, pieces: &[(Cell, Piece)], faults: &mut Vec<PositionError>) {
        for side in Side::BOTH {
            let king = Piece { kind: KING, side };
            let mut kings = pieces.iter().filter(|(_, p)| *p == king);
            if kings.next().is_none() {
                let letter = self.spec().piece_letter(king);
                faults.push(PositionError::NoKing { side, letter });
            } else if let Some(&(cell, _)) = kings.next() {
                faults.push(PositionError::ManyKings {
                    side,
                    count: 2 + kings.count() as u32,
                    name: self.name(cell),
                    cell,
                });
            }
        }
    }

    fn pawns_off_promotion_cells(&self, pieces: &[(Cell, Piece)], faults: &mut Vec<PositionError>) {
        let on_last = |&(cell, piece): &(Cell, Piece)| {
            let table = &self.tables().pawns[piece.side as usize];
            piece.kind == PAWN && table.promotion_cells.has(cell)
        };
        let found = pieces.iter().copied().filter(on_last);
        faults.extend(
            found.map(|(cell, piece)| PositionError::PawnOnPromotionCell {
                side: piece.side,
                name: self.name(cell),
                cell,
            }),
        );
    }

    fn pieces_on_their_colours(&self, pieces: &[(Cell, Piece)], faults: &mut Vec<PositionError>) {
        let tables = self.tables();
        let off =
            |&(cell, piece): &(Cell, Piece)| !tables.stands_on[usize::from(piece.kind)].has(cell);
        for (cell, piece) in pieces.iter().copied().filter(off) {
            let spec = &self.spec().pieces[usize::from(piece.kind)];
            faults.push(PositionError::OffColour {
                letter: char::from(spec.letter),
                piece: spec.name,
                name: self.name(cell),
                colour: tables.board.colour(cell) + 1,
                allowed: self.spec().colours_of(piece.kind),
                cell,
            });
        }
    }

    /// Whether all that is noted beside the pieces can be asked about at all.
    fn cells_are_of_the_board(&self) -> Result<(), PositionError> {
        let tables = self.tables();
        let beyond = |set: G::Word| (set & !tables.all).any();
        let is_cell = |cell: Cell| tables.board.cells().contains(&cell);
        let what = match self.en_passant {
            _ if beyond(self.castling) => "castling",
            _ if beyond(self.moved) => "'~' for a moved pawn",
            Some(ep)
                if ![ep.crossed, ep.crossed_last, ep.stands]
                    .into_iter()
                    .all(is_cell) =>
            {
                "en passant"
            }
            _ => return Ok(()),
        };
        Err(PositionError::OffBoard { what })
    }

    fn castling_rights_have_their_pieces(&self, start: &Start<G>, faults: &mut Vec<PositionError>) {
        for cell in self.castling.cells() {
            if let Err(why) = self.may_castle_with(cell, start) {
                let name = self.name(cell);
                faults.push(PositionError::CastlingRight { name, why });
            }
        }
    }

    /// Whether king and partner may be unmoved; if not, why not.
    fn may_castle_with(&self, cell: Cell, start: &Start<G>) -> Result<(), String> {
        let castling = self.tables().castling.as_ref();
        let castling = castling.ok_or("the game has no castling")?;
        let piece = self.get(cell).ok_or("no piece stands there")?;
        if !castling.partners.contains(&piece.kind) {
            return Err("the piece there never castles".to_owned());
        }
        let at_start = |cell: Cell| decode(start.cells.as_ref()[usize::from(cell)]);
        let side = piece.side;
        if !start.castling.has(cell) || at_start(cell) != Some(piece) {
            let first = start.castling.cells();
            let first = first.filter_map(|c| Some((c, at_start(c).filter(|p| p.side == side)?)));
            let first: Vec<String> = first
                .map(|(c, p)| format!("'{}' on {}", self.spec().piece_letter(p), self.name(c)))
                .collect();
            return Err(format!(
                "its side castles only with what stands where the start has it: {}",
                first.join(", ")
            ));
        }
        let king = Piece { kind: KING, side };
        let mut cells = self.tables().board.cells().iter();
        match cells.find(|&&c| at_start(c) == Some(king)) {
            Some(&first) if !self.holds(first, king) => Err(format!(
                "its king has moved: at the start it stands on {}",
                self.name(first)
            )),
            _ => Ok(()),
        }
    }

    fn moved_pawns_stand_on_double_step_cells(&self, faults: &mut Vec<PositionError>) {
        let wrong = |cell| match self.get(cell) {
            _ if !self.spec().pawn.remembers_first_move => {
                Some("the game does not note moved pawns")
            }
            Some(Piece { kind: PAWN, side }) => {
                let table = &self.tables().pawns[side as usize];
                let stands = table.double_cells.has(cell);
                (!stands).then_some("its pawn is not on a double-step cell of its side")
            }
            _ => Some("no pawn stands there"),
        };
        let broken = self.moved.cells().filter_map(|c| Some((c, wrong(c)?)));
        faults.extend(broken.map(|(cell, why)| PositionError::MovedPawn {
            name: self.name(cell),
            why,
        }));
    }

    fn en_passant_follows_a_double_step(&self) -> Result<(), PositionError> {
        let Some(ep) = self.en_passant else {
            return Ok(());
        };
        let EnPassant {
            crossed, stands, ..
        } = ep;
        let tables = self.tables();
        let table = &tables.pawns[self.side.other() as usize];
        let pawn = Piece {
            kind: PAWN,
            side: self.side.other(),
        };
        let mut steps = table.steps.iter();
        let origin = steps.find_map(|step| {
            let last = step.source(stands).filter(|&c| c == ep.crossed_last)?;
            let first = if last == crossed {
                last
            } else {
                step.source(last).filter(|&c| c == crossed)?
            };
            step.source(first)
        });
        let begins = |origin| G::Word::at(&table.doubles, origin).has(stands);
        let why = match origin {
            _ if !self.holds(stands, pawn) => "no enemy pawn stands behind that cell",
            _ if ep.cells().any(|c| self.get(c).is_some()) => "the cell is occupied",
            None => "no double step crosses that cell",
            Some(origin) if !begins(origin) => "no double step begins behind it",
            Some(origin) if self.get(origin).is_some() => {
                "the cell where the double step began is occupied"
            }
            Some(_) => return Ok(()),
        };
        Err(PositionError::EnPassant {
            name: self.name(crossed),
            why,
        })
    }

    fn counters_in_range(&self) -> Result<(), PositionError> {
        if self.fullmove == 0 {
            return Err(PositionError::FullMoveZero);
        }
        Ok(())
    }

    fn assemble(&self, men: &[(Cell, Piece)]) -> Position<G> {
        let mut position = Position {
            pieces: Pieces {
                game: self.game,
                kinds: G::PerKind::default(),
                sides: [G::Word::EMPTY; 2],
                castling: self.castling,
                moved: self.moved,
                en_passant: None,
                // The side that made the double step, while that is recorded.
                side: self.side.other(),
            },
            state: State {
                cells: G::Word::ZERO_BYTES,
                key: 0,
                halfmove: self.halfmove,
                fullmove: self.fullmove,
            },
        };
        let Position { pieces, state } = &mut position;
        for &(cell, piece) in men {
            pieces.put(self.tables(), state, piece, cell);
        }
        if let Some(ep) = self.en_passant {
            pieces.set_en_passant(state, ep);
        }
        pieces.side = self.side;
        position.state.key = position.fresh_key();
        position
    }
}

fn opponent_not_in_check<G: Tabled>(position: &Position<G>) -> Result<(), PositionError> {
    let us = position.side_to_move();
    let cell = position.king(us.other());
    let attackers = attackers(position, Simd::chosen(), cell, us, position.occupied());
    if attackers.any() {
        return Err(PositionError::OpponentInCheck {
            side: us,
            name: position.tables().board.name(cell),
            cell,
        });
    }
    Ok(())
}
