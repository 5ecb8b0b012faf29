//! A plain walk over the rules of any game: slow, and without anything that the generator has. It reads rules and board
//! cell by cell, makes every move and looks whether the king can be taken. Tests and `hexmate games check` compare the
//! generator with it.

use crate::board::Board;
use crate::rules::spec::{
    ALL_DIRECTIONS, CastlingSpec, GameSpec, MOST_FIRST_STEPS, Step, UNLIMITED, neg,
};
use crate::rules::{KING, Kind, PAWN, Piece, Side};
use crate::sets::Cell;

/// A plain generator for one game.
#[derive(Debug)]
pub struct Walk {
    /// The rules.
    pub spec: &'static GameSpec,
    board: Board,
}

/// A position of a [`Walk`].
#[derive(Clone, Debug)]
pub struct PlainPosition {
    cells: Vec<Option<Piece>>,
    side: Side,
    /// Pieces that may still castle.
    rights: Vec<Cell>,
    /// Pawns that have moved.
    moved: Vec<Cell>,
    /// The cells that a pawn has just crossed, and where it stands.
    crossed: Option<(Vec<Cell>, Cell)>,
}

/// A move of a [`Walk`].
#[derive(Clone, Debug)]
pub struct PlainMove {
    from: Cell,
    to: Cell,
    promotion: Option<Kind>,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Plain,
    /// A pawn's first move of several steps, and the cells that it crosses.
    First(Vec<Cell>),
    /// The cell of the pawn that is captured.
    EnPassant(Cell),
    /// From where to where the partner goes.
    Castling(Cell, Cell),
}

impl PlainMove {
    /// How rare such a move is: 0 for most.
    pub fn rarity(&self) -> u8 {
        match self.what {
            What::EnPassant(_) | What::Castling(..) => 3,
            _ if self.promotion.is_some() => 2,
            What::First(_) => 1,
            What::Plain => 0,
        }
    }

    /// Whether it captures en passant.
    pub fn is_en_passant(&self) -> bool {
        matches!(self.what, What::EnPassant(_))
    }

    /// Counts it among long first steps, en passant, castling, promotions.
    pub fn count(&self, seen: &mut [usize; 4]) {
        match self.what {
            What::First(_) => seen[0] += 1,
            What::EnPassant(_) => seen[1] += 1,
            What::Castling(..) => seen[2] += 1,
            What::Plain => seen[3] += usize::from(self.promotion.is_some()),
        }
    }
}

impl Walk {
    /// For a game whose rules are consistent.
    pub fn new(spec: &'static GameSpec) -> Self {
        Walk {
            spec,
            board: Board::new(&spec.board, 256),
        }
    }

    /// The first position, from its text.
    pub fn start(&self) -> PlainPosition {
        let fields: Vec<&str> = self.spec.start.split(' ').collect();
        let mut cells = vec![None; 256];
        for (row, text) in self.board.rows().iter().zip(fields[0].split('/')) {
            let (mut place, mut run) = (0, 0);
            for c in text.chars() {
                if let Some(digit) = c.to_digit(10) {
                    run = 10 * run + digit as usize;
                    continue;
                }
                place += run;
                run = 0;
                let letter = c.to_ascii_uppercase();
                let kind = self
                    .spec
                    .pieces
                    .iter()
                    .position(|p| char::from(p.letter) == letter);
                let side = if c == letter {
                    Side::White
                } else {
                    Side::Black
                };
                let kind = kind.unwrap() as Kind;
                cells[usize::from(row[place])] = Some(Piece { kind, side });
                place += 1;
            }
        }
        let rights = fields[2].split(',').filter(|r| *r != "-");
        PlainPosition {
            cells,
            side: Side::White,
            rights: rights
                .map(|name| self.board.parse_cell(name).unwrap())
                .collect(),
            moved: Vec::new(),
            crossed: None,
        }
    }

    /// A cell as the side sees it: itself, or its counterpart.
    fn seen_by(&self, side: Side, cell: Cell) -> Cell {
        let (a, y) = self.board.at(cell);
        match side {
            Side::White => cell,
            Side::Black => {
                let (a, y) = self.spec.mirrored(a, y);
                self.board.cell(a, y).unwrap()
            }
        }
    }

    fn forward(side: Side, step: Step) -> Step {
        match side {
            Side::White => step,
            Side::Black => neg(step),
        }
    }

    /// The steps and captures of a pawn's first move, if it has one.
    fn first(&self, position: &PlainPosition, side: Side, cell: Cell) -> (u8, &'static [Step]) {
        if self.spec.pawn.remembers_first_move && position.moved.contains(&cell) {
            return (1, &[]);
        }
        let cell = usize::from(self.seen_by(side, cell));
        let mut rules = self.spec.pawn.first.iter();
        let rule = rules.find(|f| self.board.set(&f.cells)[cell]);
        rule.map_or((1, &[]), |f| (f.steps, f.captures))
    }

    fn pawn_captures(&self, position: &PlainPosition, side: Side, cell: Cell) -> Vec<Cell> {
        let (_, extra) = self.first(position, side, cell);
        let steps = self.spec.pawn.captures.iter().chain(extra);
        let targets = steps.filter_map(|&s| self.board.step(cell, Self::forward(side, s)));
        targets.collect()
    }

    /// Where a piece other than a pawn goes, own pieces included.
    fn reached(&self, position: &PlainPosition, kind: Kind, cell: Cell) -> Vec<Cell> {
        let mut found = Vec::new();
        let colour = 1 << self.board.colour(cell);
        for path in self.spec.pieces[usize::from(kind)].paths {
            if path.from & colour == 0 {
                continue;
            }
            let mut at = cell;
            for &step in path
                .steps
                .iter()
                .cycle()
                .take(usize::from(path.reach.min(UNLIMITED - 1)))
            {
                let Some(next) = self.board.step(at, step) else {
                    break;
                };
                at = next;
                if !found.contains(&at) {
                    found.push(at);
                }
                if position.cells[usize::from(at)].is_some() {
                    break;
                }
            }
        }
        found
    }

    fn attacked(&self, position: &PlainPosition, target: Cell, by: Side) -> bool {
        self.board
            .cells()
            .iter()
            .any(|&cell| match position.cells[usize::from(cell)] {
                Some(piece) if piece.side == by && piece.kind == PAWN => {
                    self.pawn_captures(position, by, cell).contains(&target)
                }
                Some(piece) if piece.side == by => {
                    self.reached(position, piece.kind, cell).contains(&target)
                }
                _ => false,
            })
    }

    fn king(&self, position: &PlainPosition, side: Side) -> Cell {
        let king = Some(Piece { kind: KING, side });
        let mut cells = self.board.cells().iter();
        *cells
            .find(|&&c| position.cells[usize::from(c)] == king)
            .unwrap()
    }

    /// All legal moves.
    pub fn legal(&self, position: &PlainPosition) -> Vec<PlainMove> {
        let mut moves = Vec::new();
        for &cell in self.board.cells() {
            match position.cells[usize::from(cell)] {
                Some(piece) if piece.side == position.side && piece.kind == PAWN => {
                    self.pawn_moves(position, cell, &mut moves);
                }
                Some(piece) if piece.side == position.side => {
                    for to in self.reached(position, piece.kind, cell) {
                        if position.cells[usize::from(to)].is_none_or(|p| p.side != position.side) {
                            moves.push(PlainMove {
                                from: cell,
                                to,
                                promotion: None,
                                what: What::Plain,
                            });
                        }
                    }
                }
                _ => {}
            }
        }
        self.castling(position, &mut moves);
        moves.retain(|mv| {
            let next = self.after(position, mv);
            !self.attacked(&next, self.king(&next, position.side), next.side)
        });
        moves
    }

    fn pawn_moves(&self, position: &PlainPosition, cell: Cell, moves: &mut Vec<PlainMove>) {
        let pawn = &self.spec.pawn;
        let side = position.side;
        let at = |c: Cell| position.cells[usize::from(c)];
        let mut push = |to: Cell, what: What| {
            let seen = self.seen_by(side, to);
            let promotes = match &pawn.promotes_on {
                Some(rule) => self.board.set(rule)[usize::from(seen)],
                None => pawn
                    .steps
                    .iter()
                    .all(|&s| self.board.step(seen, s).is_none()),
            };
            if !promotes {
                moves.push(PlainMove {
                    from: cell,
                    to,
                    promotion: None,
                    what,
                });
                return;
            }
            for kind in KING + 1..self.spec.pieces.len() as Kind {
                let piece = &self.spec.pieces[usize::from(kind)];
                if piece.promotes && piece.stands_on >> self.board.colour(to) & 1 != 0 {
                    moves.push(PlainMove {
                        from: cell,
                        to,
                        promotion: Some(kind),
                        what: What::Plain,
                    });
                }
            }
        };
        for to in self.pawn_captures(position, side, cell) {
            match &position.crossed {
                Some((crossed, stands)) if crossed.contains(&to) => {
                    push(to, What::EnPassant(*stands));
                }
                _ if at(to).is_some_and(|p| p.side != side) => push(to, What::Plain),
                _ => {}
            }
        }
        let directions: Vec<Step> = pawn.steps.iter().map(|&s| Self::forward(side, s)).collect();
        let mut ahead = directions.iter().filter_map(|&d| self.board.step(cell, d));
        if pawn.blocked_by_enemy && ahead.any(|c| at(c).is_some_and(|p| p.side != side)) {
            return;
        }
        let (most, _) = self.first(position, side, cell);
        assert!(most <= MOST_FIRST_STEPS);
        for direction in directions {
            let (mut to, mut crossed) = (cell, Vec::new());
            for _ in 0..most {
                match self.board.step(to, direction).filter(|&c| at(c).is_none()) {
                    Some(next) => to = next,
                    None => break,
                }
                push(
                    to,
                    if crossed.is_empty() {
                        What::Plain
                    } else {
                        What::First(crossed.clone())
                    },
                );
                crossed.push(to);
            }
        }
    }

    fn castling(&self, position: &PlainPosition, moves: &mut Vec<PlainMove>) {
        let king = self.king(position, position.side);
        let enemy = position.side.other();
        let mut ways: Vec<[Cell; 3]> = Vec::new();
        match self.spec.castling {
            None => return,
            Some(CastlingSpec::Ways(list)) => {
                for way in list {
                    let cell =
                        |name| self.seen_by(position.side, self.board.parse_cell(name).unwrap());
                    if cell(way.king.0) == king {
                        ways.push([cell(way.king.1), cell(way.partner.0), cell(way.partner.1)]);
                    }
                }
            }
            Some(CastlingSpec::Towards { directions, gap }) => {
                for &direction in directions {
                    let row = self.line(king, direction);
                    for &partner in row.iter().skip(usize::from(gap)) {
                        ways.push([row[1], partner, row[0]]);
                    }
                }
            }
        }
        for [to, partner, partner_to] in ways {
            let Some(piece) =
                position.cells[usize::from(partner)].filter(|p| p.side == position.side)
            else {
                continue;
            };
            let lines = ALL_DIRECTIONS.iter().map(|&d| self.line(king, d));
            let row = lines
                .into_iter()
                .find(|row| row.contains(&partner))
                .unwrap();
            let end = |cell| row.iter().position(|&c| c == cell).unwrap();
            let stands_on = self.spec.pieces[usize::from(piece.kind)].stands_on;
            if position.rights.contains(&partner)
                && row[..end(partner)]
                    .iter()
                    .all(|&c| position.cells[usize::from(c)].is_none())
                && !self.attacked(position, king, enemy)
                && !row[..=end(to)]
                    .iter()
                    .any(|&c| self.attacked(position, c, enemy))
                && stands_on >> self.board.colour(partner_to) & 1 != 0
            {
                let what = What::Castling(partner, partner_to);
                moves.push(PlainMove {
                    from: king,
                    to,
                    promotion: None,
                    what,
                });
            }
        }
    }

    fn line(&self, from: Cell, direction: Step) -> Vec<Cell> {
        let next = |&c: &Cell| self.board.step(c, direction);
        std::iter::successors(next(&from), next).collect()
    }

    /// The position after a move.
    pub fn after(&self, position: &PlainPosition, mv: &PlainMove) -> PlainPosition {
        let mut next = position.clone();
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let mut piece = next.cells[from].take().unwrap();
        next.moved.retain(|&c| c != mv.from && c != mv.to);
        next.rights.retain(|&c| c != mv.from && c != mv.to);
        if piece.kind == KING {
            let own =
                |c: &Cell| position.cells[usize::from(*c)].is_some_and(|p| p.side == position.side);
            next.rights.retain(|c| !own(c));
        }
        if piece.kind == PAWN && mv.promotion.is_none() {
            next.moved.push(mv.to);
        }
        next.crossed = None;
        match &mv.what {
            What::Plain => {}
            What::First(crossed) => {
                let kept = self.spec.pawn.en_passant.then(|| (crossed.clone(), mv.to));
                next.crossed = kept;
            }
            What::EnPassant(stands) => {
                next.cells[usize::from(*stands)] = None;
                next.moved.retain(|c| c != stands);
            }
            What::Castling(partner, partner_to) => {
                next.cells[usize::from(*partner_to)] = next.cells[usize::from(*partner)].take();
            }
        }
        if let Some(kind) = mv.promotion {
            piece.kind = kind;
        }
        next.cells[to] = Some(piece);
        next.side = position.side.other();
        next
    }

    /// The leaves of the tree of moves.
    pub fn leaves(&self, position: &PlainPosition, depth: u32) -> u64 {
        let moves = self.legal(position);
        if depth <= 1 {
            return moves.len() as u64;
        }
        let next = moves
            .iter()
            .map(|m| self.leaves(&self.after(position, m), depth - 1));
        next.sum()
    }

    /// The texts of all legal moves.
    pub fn texts(&self, position: &PlainPosition) -> Vec<String> {
        self.legal(position).iter().map(|m| self.text(m)).collect()
    }

    /// The text of a move.
    pub fn text(&self, mv: &PlainMove) -> String {
        let name = |cell| self.board.name(cell);
        let letter = mv
            .promotion
            .map(|k| char::from(self.spec.pieces[usize::from(k)].letter));
        let letter = letter.map_or(String::new(), |l| l.to_ascii_lowercase().to_string());
        format!("{}{}{letter}", name(mv.from), name(mv.to))
    }
}
