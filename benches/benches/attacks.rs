//! Attack queries of every kind of piece on the three boards: each backend against a walk on a byte board.
//! Time and rate are for one query: one piece on one cell of one random board of 36 pieces.

use std::hint::black_box;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use hexmate_benches::{Clock, criterion, occupancies};
use hexmate_movegen::spec::Path;
use hexmate_movegen::{
    Bits, BuiltIn, Cell, Chromatic3, Chromatic4, Glinski, Kind, PAWN, Side, Simd, count_slides_in,
};

/// Boards for each selection of the backend. With 64 of them the branch predictor learns the walk by heart,
/// and the short crooked pieces seem five times as fast as they are; with 1024 no figure differs from those
/// with 256.
const BOARDS: usize = 256;
const PIECES: usize = 36;

/// One path from one cell.
struct Line {
    cells: Box<[Cell]>,
    /// Whether an earlier path of the piece begins with the same cell, which counts once.
    again: bool,
}

/// The lines of a piece of `kind` on `cell` that `wanted` selects.
fn lines<G: BuiltIn>(kind: Kind, cell: Cell, wanted: impl Fn(&Path) -> bool) -> Vec<Line> {
    let board = &G::GAME.tables().board;
    let mut begun = Vec::new();
    let mut out = Vec::new();
    let paths = G::SPEC.pieces[usize::from(kind)].paths.iter();
    for path in paths.filter(|p| p.from >> board.colour(cell) & 1 != 0 && wanted(p)) {
        let mut cells = Vec::new();
        for &step in path.steps.iter().cycle().take(usize::from(path.reach)) {
            match board.step(cells.last().copied().unwrap_or(cell), step) {
                Some(next) => cells.push(next),
                None => break,
            }
        }
        if let Some(&first) = cells.first() {
            let again = begun.contains(&first);
            begun.push(first);
            out.push(Line {
                cells: cells.into(),
                again,
            });
        }
    }
    out
}

/// The cells that a white pawn attacks, as lines of one cell.
fn pawn_lines<G: BuiltIn>(cell: Cell) -> Vec<Line> {
    let captures = G::SPEC.pawn.captures.iter();
    let targets = captures.filter_map(|&s| G::GAME.tables().board.step(cell, s));
    let line = |c| Line {
        cells: [c].into(),
        again: false,
    };
    targets.map(line).collect()
}

/// The number of cells seen along the lines: the plain mailbox walk.
fn walk(lines: &[Line], board: &[u8]) -> u64 {
    let mut seen = 0;
    for line in lines {
        for &cell in &line.cells {
            seen += 1;
            if board[usize::from(cell)] != 0 {
                break;
            }
        }
        seen -= u64::from(line.again);
    }
    seen
}

fn as_bytes<B: Bits>(set: B) -> B::Bytes {
    let mut board = B::ZERO_BYTES;
    for cell in set.cells() {
        board.as_mut()[usize::from(cell)] = 1;
    }
    board
}

/// What is to be asked about one kind.
struct Queries<'b, G: BuiltIn> {
    name: &'static str,
    cells: Vec<Cell>,
    lines: Vec<Vec<Line>>,
    sets: &'b [G::Bits],
    boards: &'b [<G::Bits as Bits>::Bytes],
}

impl<G: BuiltIn> Queries<'_, G> {
    /// Measures all queries from each cell of the piece.
    fn measure<T>(
        &self,
        group: &mut BenchmarkGroup<'_, Clock>,
        method: &str,
        queries_from: impl Fn(usize) -> T,
    ) {
        let queries = self.cells.len() * self.sets.len();
        group.throughput(Throughput::Elements(queries as u64));
        group.bench_function(BenchmarkId::new(self.name, method), |b| {
            b.iter(|| {
                for place in 0..self.cells.len() {
                    black_box(queries_from(place));
                }
            });
        });
    }

    /// Checks the number of cells found from each cell of the piece.
    fn check(&self, method: &str, queries_from: impl Fn(usize) -> u64) {
        for place in 0..self.cells.len() {
            let (found, walked) = (queries_from(place), self.walk_from(place));
            assert_eq!(found, walked, "{} by {method} and by walk", self.name);
        }
    }

    fn walk_from(&self, place: usize) -> u64 {
        let lines = &self.lines[place];
        let boards = black_box(self.boards).iter();
        boards.map(|board| walk(lines, board.as_ref())).sum()
    }
}

fn on_board<G: BuiltIn>(c: &mut Criterion<Clock>) {
    let tables = G::GAME.tables();
    let sets = occupancies::<G>(1, BOARDS, PIECES);
    let boards: Vec<_> = sets.iter().map(|&set| as_bytes(set)).collect();
    let mut group = c.benchmark_group(format!("attacks-{}", tables.board.cells().len()));
    for (kind, piece) in G::SPEC.pieces.iter().enumerate() {
        let kind = kind as Kind;
        let slides = |p: &Path| !p.is_leap();
        let slider = piece.paths.iter().any(slides);
        let cells: Vec<Cell> = tables.stands_on[usize::from(kind)].cells().collect();
        let lines_from = |&cell: &Cell| match kind {
            PAWN => pawn_lines::<G>(cell),
            _ => lines::<G>(kind, cell, |p| slides(p) == slider),
        };
        let queries = Queries::<G> {
            name: piece.name,
            lines: cells.iter().map(lines_from).collect(),
            cells,
            sets: &sets,
            boards: &boards,
        };
        queries.measure(&mut group, "walk", |place| queries.walk_from(place));
        if slider {
            for form in Simd::available() {
                let count = |place: usize| {
                    let (cell, sets) = (queries.cells[place], black_box(queries.sets));
                    count_slides_in(G::GAME, form, kind, cell, sets)
                };
                queries.check(&form.to_string(), count);
                queries.measure(&mut group, &form.to_string(), count);
            }
            continue;
        }
        // Leapers are looked up, in every backend. The sets are not counted: outside the backends the
        // compiler may not use the instruction for it.
        let look_up = |place: usize| {
            let cell = queries.cells[place];
            let sets = black_box(queries.sets).iter();
            sets.map(move |&set| match kind {
                PAWN => tables.pawn_attacks(black_box(Side::White), cell),
                _ => tables.attacks(kind, cell, set),
            })
        };
        queries.check("table", |place| {
            look_up(place).map(|set| u64::from(set.count())).sum()
        });
        queries.measure(&mut group, "table", |place| {
            look_up(place).fold(G::Bits::EMPTY, |all, set| all ^ set)
        });
    }
    group.finish();
}

fn main() {
    let mut c = criterion();
    on_board::<Glinski>(&mut c);
    on_board::<Chromatic3>(&mut c);
    on_board::<Chromatic4>(&mut c);
    c.final_summary();
}
