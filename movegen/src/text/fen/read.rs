//! Reading a position.

use super::error::{FenError, FenProblem, Field};
use crate::board::Board;
use crate::position::{Position, PositionError, Setup};
use crate::quoted::abridged;
use crate::rules::spec::{GameSpec, neg};
use crate::rules::{EnPassant, Piece, Side};
use crate::sets::{Bits, Cell};
use crate::tables::{Start, Tabled};

/// A field of the text as it was read: where it begins, and its characters.
#[derive(Clone, Copy)]
struct Token<'t> {
    offset: usize,
    text: &'t str,
}

impl Token<'_> {
    fn error(self, field: Field, problem: FenProblem) -> FenError {
        FenError {
            field,
            offset: self.offset,
            problem,
        }
    }

    fn is_number(self) -> bool {
        self.text.bytes().all(|b| b.is_ascii_digit())
    }
}

/// Reads a position.
pub(crate) fn parse<G: Tabled>(game: G, text: &str) -> Result<Position<G>, FenError> {
    let mut parser = Parser::of(game, text);
    let fields = parser.read(text)?;
    let built = parser.setup.checked(start(game));
    built.map_err(|problem| parser.located(&fields, problem))
}

/// The first position, read without checking its castling rights against itself.
///
/// # Panics
/// If a game's data have no readable start, which its tests find.
pub(crate) fn start<G: Tabled>(game: G) -> &'static Start<G> {
    let tables = game.lookup();
    tables.start.get_or_init(|| {
        let mut parser = Parser::of(game, tables.spec.start);
        let read = parser.read(tables.spec.start);
        read.expect("the start can be read");
        parser.setup.as_start()
    })
}

/// The fields at which a rule of validity may find fault.
struct Fields<'t> {
    placement: Token<'t>,
    rights: Option<Token<'t>>,
    en_passant: Token<'t>,
    fullmove: Option<Token<'t>>,
}

struct Parser<G: Tabled> {
    setup: Setup<G>,
    spec: &'static GameSpec,
    /// For each cell, where in the text its piece stands.
    offsets: Vec<usize>,
    board: &'static Board,
    end: usize,
}

impl<G: Tabled> Parser<G> {
    fn of(game: G, text: &str) -> Self {
        let tables = game.lookup();
        Parser {
            setup: Setup::new(game),
            spec: tables.spec,
            offsets: vec![0; G::Word::SIZE],
            board: &tables.board,
            end: text.trim_end().len(),
        }
    }

    fn read<'t>(&mut self, text: &'t str) -> Result<Fields<'t>, FenError> {
        // No position has more words than this; the rest of a huge line is not split.
        let mut tokens = text.split_ascii_whitespace().take(8).map(|word| Token {
            offset: word.as_ptr() as usize - text.as_ptr() as usize,
            text: word,
        });
        let end = self.end;
        let missing = |field, expected| FenError {
            field,
            offset: end,
            problem: FenProblem::Missing(expected),
        };
        let placement = tokens
            .next()
            .ok_or_else(|| missing(Field::Placement, "the rows of the board"))?;
        let side = tokens
            .next()
            .ok_or_else(|| missing(Field::Side, "'w' or 'b'"));
        let rest: Vec<Token<'_>> = tokens.collect();
        let mut rest = rest.as_slice();
        let no_rights = missing(Field::Rights, "the rights, or '-'");
        let no_en_passant = missing(Field::EnPassant, "the en passant cell, or '-'");

        self.placement(placement)?;
        self.side(side?)?;
        // Without rights in the game, their field may be missing: then a number follows the next one.
        let five_fields = !self.spec.has_rights() && rest.get(1).is_none_or(|t| t.is_number());
        let mut noted = None;
        if !five_fields {
            let (rights, after) = rest.split_first().ok_or(no_rights)?;
            self.rights(*rights)?;
            noted = Some(*rights);
            rest = after;
        }
        let (en_passant, counters) = rest.split_first().ok_or(no_en_passant)?;
        self.en_passant(*en_passant)?;
        if let Some(token) = counters.first() {
            self.setup.halfmove = counter(*token, Field::Halfmove)?;
        }
        if let Some(token) = counters.get(1) {
            self.setup.fullmove = counter(*token, Field::Fullmove)?;
        }
        if let Some(token) = counters.get(2) {
            let problem = FenProblem::Trailing(abridged(token.text));
            return Err(token.error(Field::End, problem));
        }
        Ok(Fields {
            placement,
            rights: noted,
            en_passant: *en_passant,
            fullmove: counters.get(1).copied(),
        })
    }

    /// A rule that is broken, with the place in the text that breaks it.
    fn located(&self, fields: &Fields<'_>, problem: PositionError) -> FenError {
        let (field, offset) = match &problem {
            PositionError::CastlingRight { name, .. } => {
                (Field::Rights, offset_of(fields.rights, name))
            }
            PositionError::MovedPawn { name, .. } => {
                (Field::Rights, offset_of(fields.rights, &format!("~{name}")))
            }
            PositionError::EnPassant { .. } => (Field::EnPassant, fields.en_passant.offset),
            PositionError::FullMoveZero => {
                (Field::Fullmove, fields.fullmove.map_or(0, |t| t.offset))
            }
            other => (
                Field::Placement,
                other
                    .cell()
                    .map_or(fields.placement.offset, |c| self.offsets[usize::from(c)]),
            ),
        };
        FenError {
            field,
            offset,
            problem: FenProblem::Position(problem),
        }
    }

    fn placement(&mut self, token: Token<'_>) -> Result<(), FenError> {
        let rows = self.board.rows();
        let found = token.text.bytes().filter(|&b| b == b'/').count() + 1;
        if found != rows.len() {
            let problem = FenProblem::RowCount {
                found,
                expected: rows.len(),
            };
            return Err(token.error(Field::Placement, problem));
        }
        let mut offset = token.offset;
        for (cells, text) in rows.iter().zip(token.text.split('/')) {
            self.row(cells, Token { offset, text })?;
            offset += text.len() + 1;
        }
        Ok(())
    }

    fn row(&mut self, cells: &[Cell], token: Token<'_>) -> Result<(), FenError> {
        let row = usize::from(self.board.row_number(cells[0]));
        let fault = |at: usize, problem| FenError {
            field: Field::Placement,
            offset: token.offset + at,
            problem,
        };
        let too_long = |at| {
            let expected = cells.len();
            fault(at, FenProblem::RowTooLong { row, expected })
        };
        let mut place = 0;
        let mut at = 0;
        while let Some(letter) = token.text[at..].chars().next() {
            let digits = token.text[at..]
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            if digits > 0 {
                let run = &token.text[at..at + digits];
                if run.starts_with('0') {
                    return Err(fault(at, FenProblem::EmptyRun(abridged(run))));
                }
                // A number too large for the type is too large for the row.
                let empty: usize = run.parse().map_err(|_| too_long(at))?;
                if empty > cells.len() - place {
                    return Err(too_long(at));
                }
                place += empty;
                at += digits;
                continue;
            }
            let byte = if letter.is_ascii() { letter as u8 } else { 0 };
            let Some(kind) = self.spec.kind_of_letter(byte) else {
                let known: String = self
                    .spec
                    .pieces
                    .iter()
                    .map(|p| char::from(p.letter))
                    .collect();
                return Err(fault(at, FenProblem::UnknownLetter { letter, known }));
            };
            let Some(&cell) = cells.get(place) else {
                return Err(too_long(at));
            };
            let side = if letter.is_ascii_uppercase() {
                Side::White
            } else {
                Side::Black
            };
            self.setup.set(cell, Some(Piece { kind, side }));
            self.offsets[usize::from(cell)] = token.offset + at;
            place += 1;
            at += 1;
        }
        if place < cells.len() {
            let problem = FenProblem::RowTooShort {
                row,
                found: place,
                expected: cells.len(),
            };
            return Err(fault(at, problem));
        }
        Ok(())
    }

    fn side(&mut self, token: Token<'_>) -> Result<(), FenError> {
        self.setup.side = match token.text {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(token.error(Field::Side, FenProblem::Side(abridged(other)))),
        };
        Ok(())
    }

    fn rights(&mut self, token: Token<'_>) -> Result<(), FenError> {
        if token.text == "-" {
            return Ok(());
        }
        let error = |problem: fn(String) -> FenProblem, text: &str, offset| FenError {
            field: Field::Rights,
            offset,
            problem: problem(abridged(text)),
        };
        if !self.spec.has_rights() {
            return Err(error(FenProblem::NoRights, token.text, token.offset));
        }
        let mut offset = token.offset;
        for item in token.text.split(',') {
            let (set, name) = match item.strip_prefix('~') {
                Some(name) => (&mut self.setup.moved, name),
                None => (&mut self.setup.castling, item),
            };
            let cell = self
                .board
                .parse_cell(name)
                .ok_or_else(|| error(FenProblem::Right, item, offset))?;
            if set.has(cell) {
                return Err(error(FenProblem::RepeatedRight, item, offset));
            }
            *set |= G::Word::of(cell);
            offset += item.len() + 1;
        }
        Ok(())
    }

    fn en_passant(&mut self, token: Token<'_>) -> Result<(), FenError> {
        if token.text == "-" {
            return Ok(());
        }
        let pawn = &self.spec.pawn;
        let all_cells = pawn.en_passant_names_the_pawn();
        let expected = if all_cells {
            "the crossed cell and the pawn's, like 'd5d6'"
        } else {
            "the crossed cell"
        };
        let parsed = (|| {
            let (crossed, mut rest) = self.board.parse_cell_prefix(token.text)?;
            if all_cells {
                let mut cells = Vec::new();
                while !rest.is_empty() {
                    let (cell, after) = self.board.parse_cell_prefix(rest)?;
                    cells.push(cell);
                    rest = after;
                }
                return match cells[..] {
                    [stands] => Some(EnPassant::new(crossed, stands)),
                    [crossed_last, stands] if pawn.most_first_steps() > 2 => Some(EnPassant {
                        crossed,
                        crossed_last,
                        stands,
                    }),
                    _ => None,
                };
            }
            if !rest.is_empty() {
                return None;
            }
            // With only one way forward the pawn's cell follows; a cell at the edge has none.
            let step = pawn.steps[0];
            let step = match self.setup.side.other() {
                Side::White => step,
                Side::Black => neg(step),
            };
            let stands = self.board.step(crossed, step)?;
            Some(EnPassant::new(crossed, stands))
        })();
        let error = || {
            token.error(
                Field::EnPassant,
                FenProblem::EnPassant(abridged(token.text), expected),
            )
        };
        self.setup.en_passant = Some(parsed.ok_or_else(error)?);
        Ok(())
    }
}

/// Where one of several rights begins.
fn offset_of(rights: Option<Token<'_>>, right: &str) -> usize {
    let Some(Token { mut offset, text }) = rights else {
        return 0;
    };
    for item in text.split(',') {
        if item.eq_ignore_ascii_case(right) {
            break;
        }
        offset += item.len() + 1;
    }
    offset
}

fn counter(token: Token<'_>, field: Field) -> Result<u16, FenError> {
    let value = token.is_number().then(|| token.text.parse().ok()).flatten();
    // A full move of 0 is a number that can be read; the position refuses it.
    let least = u16::from(field == Field::Fullmove);
    value.ok_or_else(|| token.error(field, FenProblem::Counter(abridged(token.text), least)))
}
