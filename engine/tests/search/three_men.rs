//! King and one more piece against king, solved backwards from the ends of the game: for each position
//! what White, who has the piece, gets in quarters of a point, and in how many plies. Only the rule of
//! 50 moves is left out: lines are far shorter.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::OnceLock;

use hexmate_movegen::spec::Step;
use hexmate_movegen::{
    Bits, BuiltIn, Cell, GameId, KING, Kind, PAWN, Piece, Position, Setup, Side, Unchecked,
};

/// Never reached.
const NEVER: u8 = u8::MAX;

/// What one side tries to reach against every defence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// White mates.
    Mate,
    /// White stalemates or mates, where stalemating is worth more than a draw.
    Stalemate,
    /// Black stalemates White, likewise.
    StalemateByBlack,
}

impl Goal {
    const ALL: [Goal; 3] = [Goal::Mate, Goal::Stalemate, Goal::StalemateByBlack];

    fn side(self) -> Side {
        match self {
            Goal::Mate | Goal::Stalemate => Side::White,
            Goal::StalemateByBlack => Side::Black,
        }
    }

    /// Whether an end that gives White so many quarters is what is wanted.
    fn is_met(self, quarters: u8) -> bool {
        match self {
            Goal::Mate => quarters >= 4,
            Goal::Stalemate => quarters >= 3,
            Goal::StalemateByBlack => quarters <= 1,
        }
    }
}

/// All positions of one piece with its king against the other king.
pub struct ThreeMen<G: BuiltIn> {
    kind: Kind,
    /// For each goal and each position the plies until it is reached.
    plies: [Vec<u8>; 3],
    /// For a pawn: the tables of what it may become.
    promoted: Vec<ThreeMen<G>>,
    /// The number of a cell, counted without gaps.
    numbers: [usize; 256],
    game: PhantomData<G>,
}

/// What the move generator says of all positions, before anything is solved.
struct Graph {
    /// How many legal moves there are; `None` where the position is not valid.
    moves: Vec<Option<u8>>,
    /// Positions in which the game is over, and White's quarters there.
    ends: Vec<(usize, u8)>,
    /// Positions with a promotion, by the number of the promoted table and the position in it.
    promotions: Vec<(usize, usize, usize)>,
}

impl<G: BuiltIn> ThreeMen<G> {
    /// King and pawn against king, solved once for all tests of the game.
    pub fn pawn() -> &'static Self {
        static SOLVED: [OnceLock<Box<dyn Any + Send + Sync>>; GameId::ALL.len()] =
            [const { OnceLock::new() }; GameId::ALL.len()];
        let place = GameId::ALL.iter().position(|&id| id == G::ID);
        let place = place.expect("a built-in game");
        let solved = SOLVED[place].get_or_init(|| Box::new(Self::solve(b'P')));
        solved.downcast_ref().expect("one game, one type")
    }

    /// The ending of the piece with this letter, which a pawn may become.
    pub fn promoted_to(&self, letter: u8) -> &Self {
        let kind = G::SPEC.kind_of_letter(letter);
        let mut tables = self.promoted.iter();
        let table = tables.find(|t| Some(t.kind) == kind);
        table.expect("a pawn becomes that")
    }

    /// Solves the ending of the piece with this letter.
    fn solve(letter: u8) -> Self {
        let kind = G::SPEC.kind_of_letter(letter).expect("a piece of the game");
        let letters: &[u8] = if kind == PAWN { b"QRBN" } else { b"" };
        let mut numbers = [0; 256];
        for (number, &cell) in G::GAME.tables().board.cells().iter().enumerate() {
            numbers[usize::from(cell)] = number;
        }
        let mut table = ThreeMen {
            kind,
            plies: Default::default(),
            promoted: letters.iter().map(|&l| Self::solve(l)).collect(),
            numbers,
            game: PhantomData,
        };
        let graph = table.graph();
        // Where stalemate is a draw, it is nobody's goal.
        let is_wanted = |goal| goal == Goal::Mate || G::SPEC.stalemate_quarters != 2;
        table.plies = Goal::ALL.map(|goal| match is_wanted(goal) {
            true => table.reach(&graph, goal),
            false => vec![NEVER; table.positions()],
        });
        table
    }

    /// White's quarters if both play their best.
    pub fn quarters(&self, position: &Position<G>) -> u8 {
        if position.is_dead() {
            return 2;
        }
        let reached = |goal| self.plies(position, goal).is_some();
        match () {
            () if reached(Goal::Mate) => 4,
            () if reached(Goal::Stalemate) => 3,
            () if reached(Goal::StalemateByBlack) => 1,
            () => 2,
        }
    }

    /// The plies until the goal is reached, if it can be reached against every defence.
    pub fn plies(&self, position: &Position<G>, goal: Goal) -> Option<u8> {
        if position.is_dead() {
            return None;
        }
        let all = position.side(Side::White) & !position.kind(KING);
        let cell = all.first();
        let kind = position.piece_on(cell).expect("White has a piece").kind;
        let mut tables = self.promoted.iter().chain([self]);
        let table = tables.find(|t| t.kind == kind).expect("solved");
        let [white, black] = Side::BOTH.map(|side| position.king(side));
        let at = table.index(position.side_to_move(), white, black, cell);
        Some(table.plies[goal as usize][at]).filter(|&plies| plies != NEVER)
    }

    /// The longest way to the goal, in plies, with White to move.
    pub fn longest(&self, goal: Goal) -> u8 {
        let white_to_move = &self.plies[goal as usize][..self.positions() / 2];
        let reached = white_to_move.iter().filter(|&&p| p != NEVER);
        reached.copied().max().unwrap_or(0)
    }

    /// The positions with White to move from which the goal is so many plies away.
    pub fn won(&self, goal: Goal, plies: u8) -> Vec<Position<G>> {
        let white_to_move = 0..self.positions() / 2;
        let wanted = white_to_move.filter(|&at| self.plies[goal as usize][at] == plies);
        wanted
            .filter_map(|at| {
                let (_, [white, black, piece]) = self.at(at);
                let mut setup = Setup::from(&self.position(white, black, piece)?);
                setup.side = Side::White;
                setup.build().ok()
            })
            .collect()
    }

    fn positions(&self) -> usize {
        2 * G::GAME.tables().board.cells().len().pow(3)
    }

    fn index(&self, side: Side, white: Cell, black: Cell, piece: Cell) -> usize {
        let cells = G::GAME.tables().board.cells().len();
        [white, black, piece].iter().fold(side as usize, |at, &c| {
            at * cells + self.numbers[usize::from(c)]
        })
    }

    /// The inverse of `index`.
    fn at(&self, mut index: usize) -> (Side, [Cell; 3]) {
        let cells = G::GAME.tables().board.cells();
        let mut men = [0; 3];
        for man in men.iter_mut().rev() {
            *man = cells[index % cells.len()];
            index /= cells.len();
        }
        (Side::BOTH[index], men)
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph {
            moves: vec![None; self.positions()],
            ends: Vec::new(),
            promotions: Vec::new(),
        };
        let cells = G::GAME.tables().board.cells();
        let mut moves = Vec::new();
        for &white in cells {
            for &black in cells.iter().filter(|&&c| c != white) {
                for &piece in cells.iter().filter(|&&c| c != white && c != black) {
                    let Some(position) = self.position(white, black, piece) else {
                        continue;
                    };
                    self.note(&mut graph, &position, [white, black, piece], &mut moves);
                    if !position.in_check() {
                        let mut passed = position;
                        passed.play_null_unchecked();
                        self.note(&mut graph, &passed, [white, black, piece], &mut moves);
                    }
                }
            }
        }
        graph
    }

    /// The position with Black to move, if it is valid.
    fn position(&self, white: Cell, black: Cell, piece: Cell) -> Option<Position<G>> {
        let mut setup = Setup::<G>::default();
        setup.side = Side::Black;
        let men = [
            (white, KING, Side::White),
            (black, KING, Side::Black),
            (piece, self.kind, Side::White),
        ];
        for (cell, kind, side) in men {
            setup.set(cell, Some(Piece { kind, side }));
        }
        setup.build().ok()
    }

    fn note(
        &self,
        graph: &mut Graph,
        position: &Position<G>,
        [white, black, piece]: [Cell; 3],
        moves: &mut Vec<hexmate_movegen::Move>,
    ) {
        let at = self.index(position.side_to_move(), white, black, piece);
        moves.clear();
        position.add_legal(moves);
        graph.moves[at] = Some(moves.len() as u8);
        if moves.is_empty() {
            let end = position.outcome().map(|end| end.quarters(G::SPEC));
            let [quarters, _] = end.expect("without a move the game is over");
            graph.ends.push((at, quarters));
        }
        for mv in moves.iter().filter(|mv| mv.promotion().is_some()) {
            let mut tables = self.promoted.iter();
            let table = tables.position(|t| Some(t.kind) == mv.promotion());
            let table = table.expect("a table for each promotion");
            let to = self.promoted[table].index(Side::Black, white, black, mv.to);
            graph.promotions.push((at, table, to));
        }
    }

    /// Works backwards from the ends that meet the goal: one move into what is reached is enough for the
    /// side that wants it, the other side must have no other move.
    fn reach(&self, graph: &Graph, goal: Goal) -> Vec<u8> {
        let mut plies = vec![NEVER; self.positions()];
        let mut left = graph.moves.clone();
        // Positions from which one more move is known to reach the goal, by the plies it takes.
        let mut queue: Vec<Vec<usize>> = vec![Vec::new(); usize::from(NEVER) + 1];
        for &(at, _) in graph.ends.iter().filter(|(_, q)| goal.is_met(*q)) {
            plies[at] = 0;
            queue[1].extend(self.before(at));
        }
        for &(at, table, to) in &graph.promotions {
            let after = self.promoted[table].plies[goal as usize][to];
            if after != NEVER {
                queue[usize::from(after) + 1].push(at);
            }
        }
        for now in 1..usize::from(NEVER) {
            for at in std::mem::take(&mut queue[now]) {
                let Some(moves) = &mut left[at] else {
                    continue;
                };
                *moves -= 1;
                let (side, _) = self.at(at);
                if plies[at] == NEVER && (side == goal.side() || *moves == 0) {
                    plies[at] = now as u8;
                    queue[now + 1].extend(self.before(at));
                }
            }
        }
        plies
    }

    /// Where the last move, no capture, may have come from. Not all of them are valid positions.
    fn before(&self, at: usize) -> Vec<usize> {
        let (side, [white, black, piece]) = self.at(at);
        let tables = G::GAME.tables();
        let occupied = G::Bits::of(white) | G::Bits::of(black) | G::Bits::of(piece);
        let king_from = |king| (tables.attacks(KING, king, occupied) & !occupied).cells();
        if side == Side::White {
            let from = king_from(black);
            return from
                .map(|c| self.index(Side::Black, white, c, piece))
                .collect();
        }
        let from = king_from(white);
        let kings = from.map(|c| self.index(Side::White, c, black, piece));
        let from = if self.kind == PAWN {
            self.pawn_from(piece, occupied)
        } else {
            tables.attacks(self.kind, piece, occupied) & !occupied
        };
        let pieces = from
            .cells()
            .map(|c| self.index(Side::White, white, black, c));
        kings.chain(pieces).collect()
    }

    /// Where a white pawn's last step may have come from.
    fn pawn_from(&self, pawn: Cell, occupied: G::Bits) -> G::Bits {
        let board = &G::GAME.tables().board;
        let double_cells = G::GAME.tables().double_step_cells(Side::White);
        let mut from = G::Bits::EMPTY;
        for &(a, y) in G::SPEC.pawn.steps {
            let back: Step = (-a, -y);
            let free = |c: &Cell| !occupied.has(*c);
            let one = board.step(pawn, back).filter(free);
            let two = one.and_then(|c| board.step(c, back)).filter(free);
            let two = two.filter(|&c| double_cells.has(c));
            for cell in one.into_iter().chain(two) {
                from |= G::Bits::of(cell);
            }
        }
        from
    }
}

/// The same position for the other side: colours exchanged, the board turned by half.
pub fn turned<G: BuiltIn>(position: &Position<G>) -> Position<G> {
    let mut setup = Setup::from(position);
    let cells = G::GAME.tables().board.cells();
    for (&cell, &opposite) in cells.iter().zip(cells.iter().rev()) {
        let mut piece = position.piece_on(opposite);
        if let Some(piece) = &mut piece {
            piece.side = piece.side.other();
        }
        setup.set(cell, piece);
    }
    setup.side = setup.side.other();
    setup
        .build()
        .expect("the games are the same for both sides")
}
