//! How the tables are built. Once for each game in a process: so what need not be compiled for each game is a function of
//! its own, generic over the word alone, and never inlined.

use std::sync::OnceLock;

use super::crooked::{CrookedPath, CrookedPaths};
use super::lanes;
use super::zobrist::Zobrist;
use super::{
    CastlingTable, CastlingWay, KindTable, LaneTables, PawnTable, PerCell, SetStep, Tables,
};
use crate::board::Board;
use crate::rules::spec::{
    ALL_DIRECTIONS, CastlingMove, CastlingSpec, CellRule, GameSpec, MOST_FIRST_STEPS, MOST_KINDS,
    Path, Step, UNLIMITED, neg, skips,
};
use crate::rules::{KING, Kind, PAWN, Plan, Rules, Side};
use crate::sets::{Bits, Cell, CellSet, Row};

impl<G: Rules> Tables<G> {
    /// Builds the tables of a game.
    ///
    /// # Panics
    /// If the data contradict themselves; each game's tests build it once.
    pub(crate) fn build(game: G) -> Self {
        let plan = game.plan();
        let spec = plan.rules;
        assert!(spec.pieces.len() <= MOST_KINDS, "kinds fit in four bits");
        assert_eq!(plan.leapers.get(0), KING, "a king leaps");
        let board = Board::new(&spec.board, G::Word::SIZE);
        let set = |f: &dyn Fn(Cell) -> bool| {
            let mut set = CellSet::ZERO;
            for &cell in board.cells() {
                set.set(usize::from(cell), f(cell));
            }
            G::Word::from_set(&set)
        };
        let colour_bit = |cell| 1u8 << board.colour(cell);
        let stands_on = (spec.pieces.iter())
            .map(|p| set(&|c| p.stands_on & colour_bit(c) != 0))
            .collect();
        let kinds: Vec<KindTable<G::Word>> = (0..spec.pieces.len())
            .map(|kind| kind_table(spec, &board, kind as Kind))
            .collect();
        let laid = lanes::lay::<G::Word>(
            plan,
            &board,
            &|kind, cell| leaps_of(spec, &board, kind, cell),
            &|cell, path| walk(&board, cell, path.steps, path.reach),
        );
        let rays = rays::<G::Word>(plan, &board);
        let reach = reach(plan, &rays);
        let promotions = (0..G::Word::SIZE)
            .map(|c| promotions_on(spec, &board, c as Cell))
            .collect();
        let castling = spec.castling.map(|c| CastlingTable {
            ways: castling_ways(spec, &c, &board),
            partners: (0..spec.pieces.len() as Kind)
                .filter(|&k| spec.pieces[usize::from(k)].castles)
                .collect(),
        });
        let last_class = |kind: Kind| {
            let classes = 0..plan.classes.len;
            classes.rev().find(|&c| plan.classes.get(c) == 1 << kind)
        };
        let leaps = leaps::<G::Word>(plan, &board);
        let of_leapers = |cell: usize, which: usize| leaps[cell].iter().map(|l| l[which]).collect();
        Tables {
            game,
            spec,
            all: set(&|_| true),
            colours: (0..spec.board.colouring.count)
                .map(|colour| set(&|c| board.colour(c) == colour))
                .collect(),
            stands_on,
            leaps: per_cell::<G, _, _>(|cell| of_leapers(cell, 0)),
            around: per_cell::<G, _, _>(|cell| of_leapers(cell, 1)),
            // Crooked classes come after the straight ones.
            crooked: (0..kinds.len() as Kind)
                .filter(|&k| !kinds[usize::from(k)].crooked.is_empty())
                .filter_map(|k| Some((k, last_class(k)?)))
                .collect(),
            reach: per_cell::<G, _, _>(|cell| reach[cell].clone()),
            between: between::<G::Word>(plan, &board),
            rays: per_cell::<G, _, _>(|cell| rays[cell].clone()),
            lanes: LaneTables::of(plan.lanes.words, &laid),
            pawns: pawn_tables(spec, &board),
            promotions,
            castling,
            start: OnceLock::new(),
            mirrored: (0..G::Word::SIZE)
                .map(|c| mirrored_cell(spec, &board, c as Cell))
                .collect(),
            returns: OnceLock::new(),
            zobrist: Zobrist::new(spec.name, spec.pieces.len(), G::Word::SIZE),
            kinds,
            board,
        }
    }
}

/// For each cell of a king all ways to castle from there.
#[inline(never)]
fn castling_ways<B: Bits>(
    spec: &GameSpec,
    castling: &CastlingSpec,
    board: &Board,
) -> Vec<Vec<CastlingWay<B>>> {
    let mut ways: Vec<Vec<CastlingWay<B>>> = (0..B::SIZE).map(|_| Vec::new()).collect();
    match *castling {
        CastlingSpec::Towards { directions, gap } => {
            for &king in board.cells() {
                for &direction in directions {
                    let row = walk(board, king, &[direction], UNLIMITED);
                    for gap in usize::from(gap)..row.len() {
                        ways[usize::from(king)].push(CastlingWay {
                            partner: row[gap],
                            between: set_of(&row[..gap]),
                            crossed: B::of(row[0]),
                            target: row[1],
                            partner_target: row[0],
                        });
                    }
                }
            }
        }
        CastlingSpec::Ways(moves) => {
            for castling in moves {
                for side in Side::BOTH {
                    let (king, way) = castling_way(spec, board, castling, side);
                    ways[usize::from(king)].push(way);
                }
            }
        }
    }
    ways
}

/// A way to castle that is given by names, for one side: the king's cell and the way.
///
/// # Panics
/// If its cells are not on one line: a mistake in a game's data, which is found when a game is read.
#[inline(never)]
fn castling_way<B: Bits>(
    spec: &GameSpec,
    board: &Board,
    castling: &CastlingMove,
    side: Side,
) -> (Cell, CastlingWay<B>) {
    let cell = |name| {
        let cell = board
            .parse_cell(name)
            .expect("castling names cells of its board");
        match side {
            Side::White => cell,
            Side::Black => mirrored_cell(spec, board, cell),
        }
    };
    let (king, target) = (cell(castling.king.0), cell(castling.king.1));
    let (partner, partner_target) = (cell(castling.partner.0), cell(castling.partner.1));
    let between = |from, to| {
        let rows = ALL_DIRECTIONS.map(|d| walk(board, from, &[d], UNLIMITED));
        let end = |row: &Vec<Cell>| row.iter().position(|&c| c == to);
        let row = rows.iter().find_map(|row| Some(&row[..end(row)?]));
        set_of(row.expect("castling goes along a line"))
    };
    let way = CastlingWay {
        partner,
        between: between(king, partner),
        crossed: between(king, target),
        target,
        partner_target,
    };
    (king, way)
}

fn set_of<B: Bits>(cells: &[Cell]) -> B {
    cells.iter().fold(B::EMPTY, |set, &c| set | B::of(c))
}

/// The counterpart of a cell; an index that is no cell is its own.
#[inline(never)]
fn mirrored_cell(spec: &GameSpec, board: &Board, cell: Cell) -> Cell {
    if !board.cells().contains(&cell) {
        return cell;
    }
    let (a, y) = board.at(cell);
    let (a, y) = spec.mirrored(a, y);
    board
        .cell(a, y)
        .expect("the mirror maps the board on itself")
}

#[inline(never)]
fn mirrored_set<B: Bits>(spec: &GameSpec, board: &Board, set: B) -> B {
    let mut out = B::EMPTY;
    for cell in set.cells() {
        out |= B::of(mirrored_cell(spec, board, cell));
    }
    out
}

/// The cells that a kind reaches over anything.
#[inline(never)]
fn leaps_of<B: Bits>(spec: &GameSpec, board: &Board, kind: Kind, cell: Cell) -> B {
    let piece = &spec.pieces[usize::from(kind)];
    if !board.cells().contains(&cell) || piece.stands_on >> board.colour(cell) & 1 == 0 {
        return B::EMPTY;
    }
    let here = |p: &&Path| p.is_leap() && p.from >> board.colour(cell) & 1 != 0;
    let targets = piece.paths.iter().filter(here);
    targets
        .filter_map(|p| board.step(cell, p.steps[0]))
        .fold(B::EMPTY, |set, c| set | B::of(c))
}

/// What is seen from a cell and from the king's steps from it.
#[inline(never)]
fn around<B: Bits>(spec: &GameSpec, board: &Board, cell: Cell, seen: &dyn Fn(Cell) -> B) -> B {
    let steps: B = leaps_of(spec, board, KING, cell);
    steps.cells().fold(seen(cell), |all, c| all | seen(c))
}

/// For each cell the rays of each axis.
#[inline(never)]
fn rays<B: Bits>(plan: &Plan, board: &Board) -> Vec<Vec<[B; 2]>> {
    let ray = |cell, step| {
        if !board.cells().contains(&cell) {
            return B::EMPTY;
        }
        set_of(&walk(board, cell, &[step], UNLIMITED))
    };
    let of_cell = |cell: usize| {
        let axes = (0..plan.axes.len).map(|axis| plan.axes.get(axis).0);
        axes.map(|step| [neg(step), step].map(|step| ray(cell as Cell, step)))
            .collect()
    };
    (0..B::SIZE).map(of_cell).collect()
}

/// For each cell and each class what the straight lines of a class reach.
#[inline(never)]
fn reach<B: Bits>(plan: &Plan, rays: &[Vec<[B; 2]>]) -> Vec<Vec<B>> {
    let of_cell = |rays: &Vec<[B; 2]>| {
        let mut reach = vec![B::EMPTY; plan.classes.len];
        for (axis, [lower, upper]) in rays.iter().enumerate() {
            let (step, class) = plan.axes.get(axis);
            if !skips(step) {
                reach[class] |= *lower | *upper;
            }
        }
        reach
    };
    rays.iter().map(of_cell).collect()
}

/// For each two cells those between them.
#[inline(never)]
fn between<B: Bits>(plan: &Plan, board: &Board) -> Box<B::PerCell<Box<B::PerCell<B>>>> {
    let axes = (0..plan.axes.len).map(|axis| plan.axes.get(axis).0);
    let steps: Vec<Step> = axes
        .filter(|&s| !skips(s))
        .flat_map(|s| [s, neg(s)])
        .collect();
    B::per_cell(|from| {
        let mut row = B::per_cell(|_| B::EMPTY);
        let here = board.cells().contains(&from);
        for step in steps.iter().filter(|_| here) {
            let mut passed = B::EMPTY;
            for cell in walk(board, from, &[*step], UNLIMITED) {
                *B::at_mut(&mut row, cell) = passed;
                passed |= B::of(cell);
            }
        }
        row
    })
}

/// For each cell and each leaper, what it reaches, and that together with what it reaches from the king's steps.
#[inline(never)]
fn leaps<B: Bits>(plan: &Plan, board: &Board) -> Vec<Vec<[B; 2]>> {
    let spec = plan.rules;
    let of_cell = |cell: usize| {
        let leapers = (0..plan.leapers.len).map(|place| plan.leapers.get(place));
        let both = |kind| {
            let leaps = |cell| leaps_of(spec, board, kind, cell);
            let cell = cell as Cell;
            [leaps(cell), around(spec, board, cell, &leaps)]
        };
        leapers.map(both).collect()
    };
    (0..B::SIZE).map(of_cell).collect()
}

/// A table of a few values for each cell. Where a list is shorter, the rest is empty.
fn per_cell<G: Rules, T: Copy + Default, R: Row<T>>(
    values: impl Fn(usize) -> Vec<T>,
) -> Box<PerCell<G, R>> {
    G::Word::per_cell(|cell| {
        let values = values(usize::from(cell));
        Row::from_fn(|i| values.get(i).copied().unwrap_or_default())
    })
}

/// The cells of a path from a cell, in walking order.
#[inline(never)]
fn walk(board: &Board, from: Cell, steps: &[Step], reach: u8) -> Vec<Cell> {
    let mut out = Vec::new();
    let mut cell = from;
    for &step in steps.iter().cycle().take(usize::from(reach)) {
        match board.step(cell, step) {
            Some(next) => cell = next,
            None => break,
        }
        out.push(cell);
    }
    out
}

#[inline(never)]
fn kind_table<B: Bits>(spec: &GameSpec, board: &Board, kind: Kind) -> KindTable<B> {
    let piece = &spec.pieces[usize::from(kind)];
    let mut table = KindTable {
        crooked: Vec::new(),
        reach: vec![B::EMPTY; B::SIZE],
    };
    let crooked = |p: &Path| !p.is_straight() && !p.is_leap();
    let mut all_crooked: Vec<Vec<CrookedPath<B>>> = (0..B::SIZE).map(|_| Vec::new()).collect();
    for &cell in board.cells() {
        let colour = 1 << board.colour(cell);
        if piece.stands_on & colour == 0 {
            continue;
        }
        let at = usize::from(cell);
        for path in piece.paths.iter().filter(|p| p.from & colour != 0) {
            let cells = walk(board, cell, path.steps, path.reach);
            let on_own_colours = |&c: &Cell| piece.stands_on >> board.colour(c) & 1 != 0;
            assert!(
                cells.iter().all(on_own_colours),
                "paths keep to their colours"
            );
            let walked = CrookedPath::new(cells);
            table.reach[at] |= walked.mask;
            if crooked(path) && !walked.cells.is_empty() {
                all_crooked[at].push(walked);
            }
        }
    }
    if piece.paths.iter().any(crooked) {
        table.crooked = all_crooked.into_iter().map(CrookedPaths::new).collect();
    }
    table
}

#[inline(never)]
fn pawn_tables<B: Bits>(spec: &GameSpec, board: &Board) -> [PawnTable<B>; 2] {
    let mut pawns = Side::each(|side| pawn_table(spec, board, side));
    let captors = Side::each(|side| captors(&pawns[side as usize], &pawns[side.other() as usize]));
    for (table, captors) in pawns.iter_mut().zip(captors) {
        table.captors = captors;
    }
    pawns
}

fn captors<B: Bits>(own: &PawnTable<B>, enemy: &PawnTable<B>) -> Box<B::PerCell<B>> {
    B::per_cell(|from| {
        let targets = B::at(&own.doubles, from).cells();
        let crossed = targets.filter_map(|to| own.crossed_between(from, to));
        crossed.fold(B::EMPTY, |set, (first, last)| {
            set | *B::at(&enemy.attackers, first) | *B::at(&enemy.attackers, last)
        })
    })
}

/// First moves of more than one step of a side's pawns.
struct LongSteps<'s, B> {
    board: &'s Board,
    steps: &'s [Step],
    /// Where two steps may begin, and where three.
    cells: [B; MOST_FIRST_STEPS as usize - 1],
}

impl<B: Bits> LongSteps<'_, B> {
    /// Where pawns come to by `times` steps from where they may go one further, for each step.
    fn crossed(&self, times: u8) -> Vec<B> {
        let from = self.cells[usize::from(times) - 1];
        let set = |&step: &Step| {
            let targets = from
                .cells()
                .filter_map(|cell| self.walks(cell, step, times));
            targets.fold(B::EMPTY, |set, to| set | B::of(to))
        };
        self.steps.iter().map(set).collect()
    }

    /// Where such moves from a cell end.
    fn targets(&self, cell: Cell) -> B {
        let mut targets = B::EMPTY;
        for (times, cells) in (2..).zip(self.cells) {
            if cells.has(cell) {
                let steps = self.steps.iter();
                let ends = steps.filter_map(|&s| self.walks(cell, s, times));
                targets |= ends.fold(B::EMPTY, |set, to| set | B::of(to));
            }
        }
        targets
    }

    fn walks(&self, cell: Cell, step: Step, times: u8) -> Option<Cell> {
        (0..times).try_fold(cell, |at, _| self.board.step(at, step))
    }
}

/// All of it but `captors`, for which the enemy's table is needed.
fn pawn_table<B: Bits>(spec: &GameSpec, board: &Board, side: Side) -> PawnTable<B> {
    let turned = |&step: &Step| match side {
        Side::White => step,
        Side::Black => neg(step),
    };
    let own_cells = |rule: &CellRule| {
        let cells = B::from_set(&board.set(rule));
        match side {
            Side::White => cells,
            Side::Black => mirrored_set(spec, board, cells),
        }
    };
    let steps: Vec<Step> = spec.pawn.steps.iter().map(turned).collect();
    let captures: Vec<Step> = spec.pawn.captures.iter().map(turned).collect();
    let first = spec.pawn.first.iter();
    let first: Vec<(B, u8, Vec<Step>)> = first
        .map(|f| {
            let captures = f.captures.iter().map(turned).collect();
            (own_cells(&f.cells), f.steps, captures)
        })
        .collect();
    let first_captures = first.iter().flat_map(|(cells, _, captures)| {
        let one = |&step: &Step| SetStep::from_cells(board, step, *cells);
        captures.iter().map(one).collect::<Vec<_>>()
    });
    let long = LongSteps {
        board,
        steps: &steps,
        cells: [2, MOST_FIRST_STEPS].map(|times| {
            let cells = first.iter().filter(|f| f.1 >= times);
            cells.fold(B::EMPTY, |all, f| all | f.0)
        }),
    };
    let doubles = |cell: Cell| match spec.pawn.en_passant {
        true => long.targets(cell),
        false => B::EMPTY,
    };
    let here = |cell: Cell| board.cells().contains(&cell);
    let attacks = |cell: Cell| {
        if !here(cell) {
            return B::EMPTY;
        }
        let extra = first.iter().filter(|f| f.0.has(cell)).flat_map(|f| &f.2);
        let targets = captures.iter().chain(extra);
        let targets = targets.filter_map(|&s| board.step(cell, s));
        targets.fold(B::EMPTY, |set, to| set | B::of(to))
    };
    let all_attacks: Box<B::PerCell<B>> = B::per_cell(attacks);
    let attackers = |cell: Cell| {
        let from = board.cells().iter();
        let from = from.filter(|&&from| B::at(&all_attacks, from).has(cell));
        from.fold(B::EMPTY, |set, &from| set | B::of(from))
    };
    let all_attackers: Box<B::PerCell<B>> = B::per_cell(attackers);
    let no_step = |cell: Cell| steps.iter().all(|&s| board.step(cell, s).is_none());
    let promotion_cells = match &spec.pawn.promotes_on {
        Some(rule) => own_cells(rule),
        None => {
            let cells = board.cells().iter().filter(|&&c| no_step(c));
            cells.fold(B::EMPTY, |set, &c| set | B::of(c))
        }
    };
    let ahead = |cell: Cell| {
        let cells = steps.iter().filter_map(|&s| board.step(cell, s));
        cells.fold(B::EMPTY, |set, to| set | B::of(to))
    };
    let before_promotion = board.cells().iter();
    let before_promotion = before_promotion
        .filter(|&&cell| ((ahead(cell) | attacks(cell)) & promotion_cells).any())
        .fold(B::EMPTY, |set, &cell| set | B::of(cell));
    assert!(
        !(before_promotion & first.iter().fold(B::EMPTY, |all, f| all | f.0)).any(),
        "pawns near promotion have no first moves"
    );
    let set_step = |&s: &Step| SetStep::new(board, s);
    PawnTable {
        crossed: long.crossed(1),
        crossed_twice: long.crossed(2),
        first_captures: first_captures.collect(),
        barring: if spec.pawn.blocked_by_enemy {
            let cells = 0..B::SIZE;
            cells
                .map(|c| {
                    if here(c as Cell) {
                        ahead(c as Cell)
                    } else {
                        B::EMPTY
                    }
                })
                .collect()
        } else {
            Vec::new()
        },
        steps: steps.iter().map(set_step).collect(),
        captures: captures.iter().map(set_step).collect(),
        around: B::per_cell(|cell| around(spec, board, cell, &|c| *B::at(&all_attackers, c))),
        attackers: all_attackers,
        attacks: all_attacks,
        doubles: B::per_cell(doubles),
        captors: B::per_cell(|_| B::EMPTY),
        double_cells: long.cells[0],
        triple_cells: long.cells[1],
        before_promotion,
        promotion_cells,
    }
}

#[inline(never)]
fn promotions_on(spec: &GameSpec, board: &Board, cell: Cell) -> Vec<Kind> {
    if !board.cells().contains(&cell) {
        return Vec::new();
    }
    let stands = |k: &Kind| {
        let piece = &spec.pieces[usize::from(*k)];
        piece.promotes && piece.stands_on >> board.colour(cell) & 1 != 0
    };
    let kinds = 0..spec.pieces.len() as Kind;
    kinds
        .filter(|k| *k != PAWN && *k != KING && stands(k))
        .collect()
}
