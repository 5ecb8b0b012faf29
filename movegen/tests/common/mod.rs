//! What several tests need: a small random generator, the suites' positions, random positions.

#![allow(dead_code)] // each test uses a part

use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{
    Bits, BuiltIn, Cell, EnPassant, GameId, KING, Kind, Move, PAWN, Piece, Position, Setup, Side,
};

/// SplitMix64: the same numbers in every run.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The position texts of a game's suite.
pub fn suite_texts(game: GameId) -> Vec<String> {
    let path = format!("{}/suites/{game}.epd", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let cases = text
        .lines()
        .filter_map(|line| SuiteCase::parse(line).unwrap());
    cases.map(|case| case.fen.to_owned()).collect()
}

/// The start position and those of the suite.
pub fn known_positions<G: BuiltIn>() -> Vec<Position<G>> {
    let suite = suite_texts(G::ID);
    let suite = suite.iter().map(|text| text.parse().unwrap());
    std::iter::once(Position::start()).chain(suite).collect()
}

/// The cell of a name.
pub fn cell<G: BuiltIn>(name: &str) -> Cell {
    let cell = G::GAME.tables().board.parse_cell(name);
    cell.unwrap_or_else(|| panic!("no cell {name}"))
}

/// The kind of a letter.
pub fn kind<G: BuiltIn>(letter: char) -> Kind {
    G::SPEC.kind_of_letter(letter as u8).unwrap()
}

/// Puts pieces such as `Kc3` (White's) and `ka1` (Black's) on an empty board.
pub fn arranged<G: BuiltIn>(side: Side, pieces: &str) -> Setup<G> {
    let mut setup = Setup::default();
    setup.side = side;
    for piece in pieces.split_whitespace() {
        let letter = piece.chars().next().unwrap();
        let side = if letter.is_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        let kind = kind::<G>(letter);
        setup.set(cell::<G>(&piece[1..]), Some(Piece { kind, side }));
    }
    setup
}

/// The position of such an arrangement.
pub fn position<G: BuiltIn>(side: Side, pieces: &str) -> Position<G> {
    arranged(side, pieces).build().unwrap()
}

/// The texts of moves, sorted.
pub fn sorted_texts<G: BuiltIn>(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(|m| m.text(G::GAME)).collect();
    texts.sort();
    texts
}

/// The texts of all legal moves, sorted.
pub fn move_texts<G: BuiltIn>(position: &Position<G>) -> Vec<String> {
    sorted_texts::<G>(&position.legal_moves())
}

/// The texts of the moves that begin with a cell's name.
pub fn moves_from<G: BuiltIn>(position: &Position<G>, from: &str) -> Vec<String> {
    let from = cell::<G>(from);
    let mut moves = position.legal_moves();
    moves.retain(|m| m.from == from);
    sorted_texts::<G>(&moves)
}

/// Whether a text is a legal move.
pub fn is_legal<G: BuiltIn>(position: &Position<G>, text: &str) -> bool {
    position.parse_move(text).is_ok()
}

/// The position after moves with blanks between them.
pub fn after<G: BuiltIn>(position: &Position<G>, texts: &str) -> Position<G> {
    let mut next = *position;
    for text in texts.split_whitespace() {
        let mv = next.parse_move(text).unwrap_or_else(|e| panic!("{e}"));
        next.play(mv).unwrap();
    }
    next
}

/// A position with castling rights.
pub fn with_rights<G: BuiltIn>(side: Side, pieces: &str, rights: &str) -> Position<G> {
    let mut setup = arranged::<G>(side, pieces);
    for name in rights.split_whitespace() {
        setup.castling |= G::Bits::of(cell::<G>(name));
    }
    setup.build().unwrap()
}

/// A valid position with randomly thrown pieces, far from anything that play would reach: many checks, pins and
/// pins within pins.
pub fn thrown_position<G: BuiltIn>(rng: &mut Rng) -> Position<G> {
    loop {
        let setup = thrown_setup::<G>(rng);
        if let Ok(position) = setup.build() {
            return position;
        }
        // An impossible en passant cell is the most common fault.
        let mut without = setup;
        without.en_passant = None;
        if let Ok(position) = without.build() {
            return position;
        }
    }
}

fn thrown_setup<G: BuiltIn>(rng: &mut Rng) -> Setup<G> {
    let tables = G::GAME.tables();
    let cells = tables.board.cells();
    let rows = tables.board.rows();
    let mut setup = Setup::<G>::default();
    setup.side = rng.pick(&Side::BOTH);
    let at_home = rng.one_in(2);
    let start = Position::<G>::start();
    for side in Side::BOTH {
        let home = match side {
            Side::White => &rows[rows.len() - 1],
            Side::Black => &rows[0],
        };
        let mut king = rng.pick(if at_home { home } else { cells });
        if at_home && G::SPEC.castling.is_some() {
            king = start.king(side);
        }
        setup.set(king, Some(Piece { kind: KING, side }));
    }
    if at_home {
        for at in start.castling_rights().cells() {
            if !rng.one_in(3) {
                setup.set(at, start.piece_on(at));
                setup.castling |= G::Bits::of(at);
            }
        }
    }
    for _ in 0..3 + rng.below(cells.len() / 4) {
        let at = rng.pick(cells);
        let kinds = G::SPEC.pieces.len();
        let kind = if rng.one_in(3) {
            PAWN
        } else {
            rng.below(kinds) as Kind
        };
        let side = rng.pick(&Side::BOTH);
        if setup.get(at).is_none() && kind != KING && tables.stands_on[usize::from(kind)].has(at) {
            setup.set(at, Some(Piece { kind, side }));
        }
    }
    if G::SPEC.has_rights() {
        for &at in cells {
            let Some(Piece { kind, side }) = setup.get(at) else {
                continue;
            };
            let row = tables.board.row_number(at);
            let last = rows.len() as u8;
            let home = if side == Side::White {
                row
            } else {
                last + 1 - row
            };
            if kind == PAWN && (home == 3 || home == 4) && rng.one_in(2) {
                setup.moved |= G::Bits::of(at);
            }
        }
    }
    setup.en_passant = thrown_en_passant(rng, &setup);
    setup
}

/// Some pawn of the side not to move that may just have made a double step.
fn thrown_en_passant<G: BuiltIn>(rng: &mut Rng, setup: &Setup<G>) -> Option<EnPassant> {
    let board = &G::GAME.tables().board;
    let them = setup.side.other();
    let pawn = Piece {
        kind: PAWN,
        side: them,
    };
    let mut found = Vec::new();
    for &stands in board
        .cells()
        .iter()
        .filter(|&&c| setup.get(c) == Some(pawn))
    {
        for &(a, y) in G::SPEC.pawn.steps {
            let back = if them == Side::White {
                (-a, -y)
            } else {
                (a, y)
            };
            let Some(crossed) = board.step(stands, back) else {
                continue;
            };
            let ep = EnPassant::new(crossed, stands);
            let mut tried = *setup;
            tried.en_passant = Some(ep);
            if tried.build().is_ok_and(|p| p.en_passant().is_some()) {
                found.push(ep);
            }
        }
    }
    (!found.is_empty()).then(|| rng.pick(&found))
}
