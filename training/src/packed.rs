//! Training positions in a few dozen bytes each.
//!
//! A record is: flags, quarters (a byte each), score, ply, no-progress count, number of the full move (two bytes
//! each, little-endian), a bit for each cell of the board (in ascending order, from the lowest bit on), then for each
//! occupied cell its piece in as many bits as the game needs: `2 * kind + side`. Where the flags say so there follow
//! the cells of castling rights, those of pawns that have moved, and three cells of the double step just made.

use hexmate_engine::Score;
use hexmate_movegen::{Bits, Cell, EnPassant, Game, Kind, Position, PositionError, Setup, Side};

/// Where a position is from, and what its score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was on the board; the score is the search's.
    Game,
    /// A search met it; the score is that of a search of its own.
    Leaf,
    /// A search met it; the score is its static evaluation.
    Static,
}

/// One training position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample<G: Game> {
    /// The position.
    pub position: Position<G>,
    /// Its score in centipawns, from the side to move; a record has 16 bits for it.
    pub score: Score,
    /// What the side to move got in the game, in quarters of a point: 0 to 4. The position need not have been on the
    /// board.
    pub quarters: u8,
    /// Plies from the beginning of the game to the position; for one from a search, to the root.
    pub ply: u16,
    /// Where it is from.
    pub origin: Origin,
}

const BLACK_TO_MOVE: u8 = 1;
const FROM_SEARCH: u8 = 2;
const STATIC: u8 = 4;
const CASTLING: u8 = 8;
const MOVED: u8 = 16;
const EN_PASSANT: u8 = 32;
const FLAGS: u8 = 63;

/// Quarters of a point in a win.
const MOST_QUARTERS: u8 = 4;

/// Bytes before the cells.
const FRONT: usize = 10;

/// Packs positions of one game.
#[derive(Clone, Debug)]
pub struct Codec<G: Game> {
    game: G,
    /// The cells of the board; positions name a cell by its place in this list.
    cells: Vec<Cell>,
    /// For each cell its place.
    places: Vec<u8>,
    format: Format,
}

/// What of a game a packed position depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Cells of the board.
    cells: usize,
    kinds: u8,
    /// Bits for a piece.
    width: u32,
}

/// A piece of a packed position: the place of its cell among the board's, its kind and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The cell's place in the board's list of cells.
    pub place: u8,
    /// The kind.
    pub kind: Kind,
    /// The side.
    pub side: Side,
}

/// A packed position of which only the pieces were taken out.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'b> {
    /// All of it.
    pub bytes: &'b [u8],
    /// The side to move.
    pub side: Side,
    /// From the side to move, in centipawns.
    pub score: Score,
    /// The share of the side to move, in quarters.
    pub quarters: u8,
    /// Where it is from.
    pub origin: Origin,
}

impl<G: Game> Codec<G> {
    /// For a game.
    pub fn new(game: G) -> Self {
        let board = &game.tables().board;
        let cells = board.cells().to_vec();
        let mut places = vec![0; G::Bits::SIZE];
        for (place, &cell) in cells.iter().enumerate() {
            places[usize::from(cell)] = place as u8;
        }
        Codec {
            format: Format::of(game),
            game,
            cells,
            places,
        }
    }

    /// How its records are laid out.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Appends a record. A score beyond 16 bits, as no search gives, becomes the nearest that has them.
    ///
    /// # Panics
    /// If the sample has more than four quarters.
    pub fn write(&self, sample: &Sample<G>, out: &mut Vec<u8>) {
        let quarters = sample.quarters;
        assert!(
            quarters <= MOST_QUARTERS,
            "{quarters} quarters; expected at most {MOST_QUARTERS}"
        );
        let position = &sample.position;
        let set = |cells: G::Bits| cells.cells().map(|c| self.places[usize::from(c)]);
        let (castling, moved) = (position.castling_rights(), position.moved_pawns());
        let when = |condition, flag| if condition { flag } else { 0 };
        let origin = match sample.origin {
            Origin::Game => 0,
            Origin::Leaf => FROM_SEARCH,
            Origin::Static => FROM_SEARCH | STATIC,
        };
        out.push(
            origin
                | when(position.side_to_move() == Side::Black, BLACK_TO_MOVE)
                | when(castling.any(), CASTLING)
                | when(moved.any(), MOVED)
                | when(position.en_passant().is_some(), EN_PASSANT),
        );
        out.push(quarters);
        let score = sample.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        out.extend(score.to_le_bytes());
        out.extend(sample.ply.to_le_bytes());
        out.extend(position.halfmove_clock().to_le_bytes());
        out.extend(position.fullmove_number().to_le_bytes());
        let begin = out.len();
        out.resize(begin + self.format.occupancy_bytes(), 0);
        let mut bits = BitWriter::default();
        for cell in position.occupied().cells() {
            let place = usize::from(self.places[usize::from(cell)]);
            out[begin + place / 8] |= 1 << (place % 8);
            if let Some(piece) = position.piece_on(cell) {
                bits.push(
                    u32::from(piece.kind) << 1 | piece.side as u32,
                    self.format.width,
                    out,
                );
            }
        }
        bits.finish(out);
        for cells in [castling, moved] {
            if cells.any() {
                out.push(cells.count() as u8);
                out.extend(set(cells));
            }
        }
        if let Some(ep) = position.en_passant() {
            let cells = [ep.crossed, ep.crossed_last, ep.stands];
            out.extend(cells.map(|c| self.places[usize::from(c)]));
        }
    }

    /// The first record of `bytes` as a position again. `None` if it is no record of this game.
    pub fn unpack(&self, bytes: &[u8]) -> Option<Result<Sample<G>, PositionError>> {
        let mut setup = Setup::new(self.game);
        let place = |piece: Piece| {
            let man = hexmate_movegen::Piece {
                kind: piece.kind,
                side: piece.side,
            };
            setup.set(self.cells[usize::from(piece.place)], Some(man));
        };
        let packed = self.format.read(bytes, place)?;
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        setup.side = packed.side;
        setup.halfmove = word(6);
        setup.fullmove = word(8);
        let flags = bytes[0];
        let men: u32 = (0..self.format.occupancy_bytes())
            .map(|i| bytes[FRONT + i].count_ones())
            .sum();
        let codes = (men * self.format.width).div_ceil(8) as usize;
        let mut rest = &packed.bytes[FRONT + self.format.occupancy_bytes() + codes..];
        let cell = |place: &u8| self.cells.get(usize::from(*place)).copied();
        for flag in [CASTLING, MOVED] {
            if flags & flag == 0 {
                continue;
            }
            let (cells, after) = rest[1..].split_at(usize::from(rest[0]));
            let mut set = G::Bits::EMPTY;
            for place in cells {
                set |= G::Bits::of(cell(place)?);
            }
            rest = after;
            match flag {
                CASTLING => setup.castling = set,
                _ => setup.moved = set,
            }
        }
        if flags & EN_PASSANT != 0 {
            setup.en_passant = Some(EnPassant {
                crossed: cell(&rest[0])?,
                crossed_last: cell(&rest[1])?,
                stands: cell(&rest[2])?,
            });
        }
        let sample = |position: Position<G>| Sample {
            position,
            score: packed.score,
            quarters: packed.quarters,
            ply: word(4),
            origin: packed.origin,
        };
        Some(setup.build().map(sample))
    }
}

impl Format {
    /// Of a game.
    pub fn of<G: Game>(game: G) -> Self {
        let kinds = game.spec().pieces.len() as u8;
        Format {
            cells: game.tables().board.cells().len(),
            kinds,
            width: (2 * u32::from(kinds)).next_power_of_two().trailing_zeros(),
        }
    }

    fn occupancy_bytes(&self) -> usize {
        self.cells.div_ceil(8)
    }

    /// The first record of `bytes`; `None` if it is no record of this game.
    pub fn first<'b>(&self, bytes: &'b [u8]) -> Option<Packed<'b>> {
        self.read(bytes, |_| {})
    }

    /// The same, and calls `each` for every piece, cell by cell.
    #[inline]
    pub fn read<'b>(&self, bytes: &'b [u8], mut each: impl FnMut(Piece)) -> Option<Packed<'b>> {
        let flags = *bytes.first()?;
        let rest = bytes.get(FRONT..)?;
        let (occupancy, mut rest) = rest.split_at_checked(self.occupancy_bytes())?;
        let men: u32 = occupancy.iter().map(|b| b.count_ones()).sum();
        let size = (men * self.width).div_ceil(8) as usize;
        let codes = rest.get(..size)?;
        let mut bits = BitReader {
            bytes: codes,
            at: 0,
        };
        for (byte, &set) in occupancy.iter().enumerate() {
            let mut set = set;
            while set != 0 {
                let place = 8 * byte + set.trailing_zeros() as usize;
                set &= set - 1;
                let code = bits.next(self.width);
                let kind = (code >> 1) as Kind;
                if place >= self.cells || kind >= self.kinds {
                    return None;
                }
                let side = Side::BOTH[(code & 1) as usize];
                each(Piece {
                    place: place as u8,
                    kind,
                    side,
                });
            }
        }
        rest = &rest[size..];
        for flag in [CASTLING, MOVED] {
            if flags & flag != 0 {
                rest = rest.get(1 + usize::from(*rest.first()?)..)?;
            }
        }
        if flags & EN_PASSANT != 0 {
            rest = rest.get(3..)?;
        }
        let origin = match flags & (FROM_SEARCH | STATIC) {
            0 => Origin::Game,
            FROM_SEARCH => Origin::Leaf,
            STATIC => return None,
            _ => Origin::Static,
        };
        if flags & !FLAGS != 0 || bytes[1] > MOST_QUARTERS {
            return None;
        }
        Some(Packed {
            side: Side::BOTH[usize::from(flags & BLACK_TO_MOVE)],
            score: i16::from_le_bytes([bytes[2], bytes[3]]).into(),
            quarters: bytes[1],
            origin,
            bytes: &bytes[..bytes.len() - rest.len()],
        })
    }
}

/// What makes a record the same as another one: side to move, pieces and rights, not clocks, score or result.
///
/// # Panics
/// If the slice is shorter than any record is; [`Packed::bytes`] never is.
pub fn identity(record: &[u8]) -> u64 {
    let side = u64::from(record[0] & (BLACK_TO_MOVE | EN_PASSANT));
    twox_hash::XxHash3_64::oneshot_with_seed(side, &record[FRONT..])
}

#[derive(Default)]
struct BitWriter {
    pending: u32,
    bits: u32,
}

impl BitWriter {
    fn push(&mut self, value: u32, width: u32, out: &mut Vec<u8>) {
        self.pending |= value << self.bits;
        self.bits += width;
        while self.bits >= 8 {
            out.push(self.pending as u8);
            self.pending >>= 8;
            self.bits -= 8;
        }
    }

    fn finish(self, out: &mut Vec<u8>) {
        if self.bits > 0 {
            out.push(self.pending as u8);
        }
    }
}

struct BitReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl BitReader<'_> {
    #[inline]
    fn next(&mut self, width: u32) -> u32 {
        let byte = self.at / 8;
        let low = u32::from(self.bytes[byte]);
        let high = self.bytes.get(byte + 1).copied().unwrap_or(0);
        let value = (low | u32::from(high) << 8) >> (self.at % 8);
        self.at += width as usize;
        value & ((1 << width) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{GameId, Glinski, with_game};

    fn every_position_comes_back<G: Game>(game: G) {
        let codec = Codec::new(game);
        let mut state = 3_u64;
        // Knuth's generator ("The Art of Computer Programming" 3.3.4), of which the high bits are good.
        let mut below = |end: usize| {
            state = (state.wrapping_mul(6_364_136_223_846_793_005))
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end
        };
        let mut bytes = Vec::new();
        let mut samples = Vec::new();
        for _ in 0..6 {
            let mut position = Position::start_of(game);
            for ply in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[below(moves.len())]).unwrap();
                let sample = Sample {
                    position,
                    score: below(4000) as Score - 2000,
                    quarters: below(5) as u8,
                    ply,
                    origin: [Origin::Game, Origin::Leaf, Origin::Static][below(3)],
                };
                codec.write(&sample, &mut bytes);
                samples.push(sample);
            }
        }
        let mut rest = &bytes[..];
        for sample in samples {
            let packed = codec.format().first(rest).expect("a record");
            assert_eq!(codec.unpack(rest).expect("a record"), Ok(sample));
            assert_eq!(packed.score, sample.score);
            rest = &rest[packed.bytes.len()..];
        }
        assert!(rest.is_empty());
        // What is cut short is no record.
        let first = (codec.format())
            .first(&bytes)
            .map_or(0, |packed| packed.bytes.len());
        for end in 0..first {
            assert!(codec.format().first(&bytes[..end]).is_none(), "{end}");
        }
    }

    #[test]
    fn positions_of_all_games_come_back() {
        for &id in GameId::shipped() {
            with_game!(id, game => every_position_comes_back(game));
        }
    }

    fn start(score: Score, quarters: u8) -> Sample<Glinski> {
        Sample {
            position: Position::start(),
            score,
            quarters,
            ply: 0,
            origin: Origin::Game,
        }
    }

    #[test]
    fn scores_that_are_too_large_become_the_largest() {
        let codec = Codec::new(Glinski);
        for (score, expected) in [
            (32_000, 32_000),
            (40_000, 32_767),
            (-40_000, -32_768),
            (Score::MAX, 32_767),
        ] {
            let mut bytes = Vec::new();
            codec.write(&start(score, 2), &mut bytes);
            let packed = codec.format().first(&bytes).expect("a record");
            assert_eq!(packed.score, expected);
        }
    }

    #[test]
    #[should_panic(expected = "5 quarters; expected at most 4")]
    fn no_game_gives_five_quarters() {
        Codec::new(Glinski).write(&start(0, 5), &mut Vec::new());
    }
}
