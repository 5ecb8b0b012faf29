//! Every backend of sliding attacks against a plain walk along the paths: every piece, every cell, ten
//! thousand occupancies of each board.

use hexmate_movegen::{
    Bits, BuiltIn, Cell, Chromatic3, Chromatic4, KING, Kind, Position, Simd, attacks_in,
    count_slides_in, perft_anywhere, perft_in, test_each_game,
};

const OCCUPANCIES: usize = 5_000;

/// Xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A random set: each cell is in it with a probability of `tenths` in ten.
    fn set<G: BuiltIn>(&mut self, tenths: u64) -> G::Bits {
        let cells = G::GAME.tables().board.cells().iter();
        let chosen = cells.filter(|_| self.next() % 10 < tenths);
        chosen.fold(G::Bits::EMPTY, |set, &c| set | G::Bits::of(c))
    }
}

/// The paths of a piece from a cell, walked by the rules, each within its reach.
fn paths<G: BuiltIn>(kind: Kind, from: Cell) -> Vec<Vec<Cell>> {
    let board = &G::GAME.tables().board;
    let colour = 1 << board.colour(from);
    let piece = &G::SPEC.pieces[usize::from(kind)];
    let mut out = Vec::new();
    for path in piece.paths.iter().filter(|p| p.from & colour != 0) {
        let mut cells = Vec::new();
        let mut at = from;
        for &step in path.steps.iter().cycle().take(usize::from(path.reach)) {
            match board.step(at, step) {
                Some(next) => at = next,
                None => break,
            }
            cells.push(at);
        }
        out.push(cells);
    }
    out
}

/// What a walk sees: all of it, and what is seen along paths of more than one cell.
fn walk<G: BuiltIn>(paths: &[Vec<Cell>], leaps: &[bool], occupied: G::Bits) -> [G::Bits; 2] {
    let (mut all, mut slides) = (G::Bits::EMPTY, G::Bits::EMPTY);
    for (path, leap) in paths.iter().zip(leaps) {
        for &cell in path {
            all |= G::Bits::of(cell);
            if !leap {
                slides |= G::Bits::of(cell);
            }
            if occupied.has(cell) {
                break;
            }
        }
    }
    [all, slides]
}

fn equals_the_walk<G: BuiltIn>() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let occupancies: Vec<G::Bits> = (0..OCCUPANCIES)
        .map(|i| random.set::<G>(i as u64 % 10))
        .collect();
    let to = random.set::<G>(7);
    let tables = G::GAME.tables();
    for kind in KING..G::SPEC.pieces.len() as Kind {
        let spec = &G::SPEC.pieces[usize::from(kind)];
        for from in tables.stands_on[usize::from(kind)].cells() {
            let colour = 1 << tables.board.colour(from);
            let here = spec.paths.iter().filter(|p| p.from & colour != 0);
            let leaps: Vec<bool> = here.map(|p| p.reach == 1).collect();
            let paths = paths::<G>(kind, from);
            let mut slides = 0;
            for &occupied in &occupancies {
                let [expected, along] = walk::<G>(&paths, &leaps, occupied);
                slides += u64::from(along.count());
                assert_eq!(tables.attacks(kind, from, occupied), expected);
                for simd in Simd::available() {
                    let found = attacks_in(G::GAME, simd, kind, from, occupied, to);
                    assert_eq!(
                        found,
                        expected & to,
                        "{simd} {} kind {kind} on {from}",
                        G::ID
                    );
                }
            }
            for simd in Simd::available() {
                let found = count_slides_in(G::GAME, simd, kind, from, &occupancies);
                assert_eq!(found, slides, "{simd} {} kind {kind} on {from}", G::ID);
            }
        }
    }
}

test_each_game!(equals_the_walk);

fn counts_the_same<G: BuiltIn>() {
    let start = Position::<G>::start();
    let counts: Vec<u64> = Simd::available().map(|s| perft_in(s, &start, 3)).collect();
    assert!(
        counts.iter().all(|&c| c == counts[0]),
        "{}: {counts:?}",
        G::ID
    );
}

test_each_game!(counts_the_same);

/// Move sequences of three plies from the start, as in the suites, with either word.
#[test]
fn the_oldest_processors_count_the_same() {
    assert_eq!(perft_anywhere(&Position::<Chromatic3>::start(), 3), 87_524);
    assert_eq!(perft_anywhere(&Position::<Chromatic4>::start(), 3), 99_400);
}

#[test]
fn names_of_backends_are_read_back() {
    for simd in Simd::ALL {
        assert_eq!(simd.to_string().parse(), Ok(simd));
    }
    assert!("sse".parse::<Simd>().is_err());
    assert!(Simd::available().any(|s| s == Simd::Portable));
}
