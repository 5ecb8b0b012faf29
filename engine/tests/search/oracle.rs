//! Slow and simple solvers that searches are compared with, and positions to compare them on.

use hexmate_engine::{DRAW, Engine, Limits, MATE, Report, Score, Table, score_of_quarters};
use hexmate_movegen::{BuiltIn, Move, Piece, Position, Record, Setup, Side};

/// A position from its text.
pub fn position<G: BuiltIn>(fen: &str) -> Position<G> {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// The position after a legal move.
pub fn after<G: BuiltIn>(position: &Position<G>, mv: Move) -> Position<G> {
    let mut next = *position;
    next.play(mv).expect("a legal move");
    next
}

/// The positions after each legal move.
pub fn replies<G: BuiltIn>(position: &Position<G>) -> Vec<Position<G>> {
    let moves = position.legal_moves();
    moves.into_iter().map(|m| after(position, m)).collect()
}

/// Whether the side to move can mate in at most `moves` moves, by trying everything.
pub fn mates<G: BuiltIn>(position: &Position<G>, moves: u32) -> bool {
    moves > 0 && replies(position).iter().any(|p| is_mated(p, moves - 1))
}

/// Whether the side to move is mated, at the latest after `moves` moves of its own.
pub fn is_mated<G: BuiltIn>(position: &Position<G>, moves: u32) -> bool {
    if !position.has_legal_move() {
        return position.in_check();
    }
    moves > 0 && replies(position).iter().all(|p| mates(p, moves))
}

/// Whether the side to move can repeat a position by nothing but checks, whatever the replies.
///
/// `path` holds the keys of the positions on the way here.
pub fn checks_for_ever<G: BuiltIn>(
    position: &Position<G>,
    moves: u32,
    path: &mut Vec<u64>,
) -> bool {
    if moves == 0 {
        return false;
    }
    path.push(position.key());
    let found = replies(position).iter().any(|checked| {
        if !checked.in_check() {
            return false;
        }
        if path.contains(&checked.key()) {
            return true;
        }
        path.push(checked.key());
        let holds = replies(checked)
            .iter()
            .all(|next| path.contains(&next.key()) || checks_for_ever(next, moves - 1, path));
        path.pop();
        holds
    });
    path.pop();
    found
}

/// The bounds of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub least: Score,
    pub most: Score,
}

impl Span {
    pub const fn exactly(score: Score) -> Span {
        Span {
            least: score,
            most: score,
        }
    }

    pub fn holds(self, score: Score) -> bool {
        (self.least..=self.most).contains(&score)
    }
}

/// What is certain of a position's score when all lines of `depth` plies are played out and nothing is
/// known of what comes after them: a search to that depth may only answer within these bounds.
pub fn span<G: BuiltIn>(position: &Position<G>, depth: u32) -> Span {
    span_at(position, depth, &mut Vec::new())
}

fn span_at<G: BuiltIn>(position: &Position<G>, depth: u32, path: &mut Vec<u64>) -> Span {
    let ply = path.len() as Score;
    let next = replies(position);
    if next.is_empty() {
        let mated = position.in_check();
        let stalemate = score_of_quarters(G::SPEC.stalemate_quarters);
        return Span::exactly(if mated { ply - MATE } else { stalemate });
    }
    let repeated = path.contains(&position.key());
    let over = repeated || position.is_dead() || position.is_without_progress();
    if ply > 0 && over {
        return Span::exactly(DRAW);
    }
    if depth == 0 {
        // Not mated yet, so at the earliest in two plies; and mating in one.
        return Span {
            least: ply + 2 - MATE,
            most: MATE - ply - 1,
        };
    }
    path.push(position.key());
    let spans = next.iter().map(|p| span_at(p, depth - 1, path));
    let best = spans.fold(Span::exactly(-MATE), |best, s| Span {
        least: best.least.max(-s.most),
        most: best.most.max(-s.least),
    });
    path.pop();
    best
}

/// A search by a new engine with a new table.
pub fn search<G: BuiltIn>(position: &Position<G>, limits: Limits<'_>) -> Report {
    search_game(&Record::new(*position), limits)
}

/// The same for the last position of a game.
pub fn search_game<G: BuiltIn>(game: &Record<G>, limits: Limits<'_>) -> Report {
    let table = Table::new(4).unwrap();
    Engine::<G>::default().analyse(&table, game, limits, |_| {})
}

pub fn to_depth(depth: u32) -> Limits<'static> {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

pub fn to_nodes(nodes: u64) -> Limits<'static> {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// The texts of the moves of the best line.
pub fn line<G: BuiltIn>(report: &Report) -> Vec<String> {
    report.pv().iter().map(|m| m.text(G::GAME)).collect()
}

/// The positions of the game's perft suite.
pub fn suite<G: BuiltIn>() -> Vec<Position<G>> {
    let name = G::SPEC.name;
    let path = format!(
        "{}/../movegen/suites/{name}.epd",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let fens = text.lines().filter_map(|line| line.split(';').next());
    let fens = fens
        .map(str::trim)
        .filter(|f| !f.is_empty() && !f.starts_with('#'));
    fens.map(position).collect()
}

/// Xorshift (Marsaglia 2003), so that every run sees the same positions.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }

    /// A position with these pieces anywhere on the board, with a legal move and not over; `None` if
    /// this throw of the dice was none.
    pub fn position<G: BuiltIn>(&mut self, pieces: &str, halfmove: u16) -> Option<Position<G>> {
        let cells = G::GAME.tables().board.cells();
        let mut setup = Setup::<G>::default();
        setup.halfmove = halfmove;
        setup.side = Side::BOTH[self.below(2)];
        for letter in pieces.bytes() {
            let cell = loop {
                let cell = cells[self.below(cells.len())];
                if setup.get(cell).is_none() {
                    break cell;
                }
            };
            let side = if letter.is_ascii_uppercase() {
                Side::White
            } else {
                Side::Black
            };
            let kind = G::SPEC.kind_of_letter(letter).expect("a piece of the game");
            setup.set(cell, Some(Piece { kind, side }));
        }
        let position = setup.build().ok()?;
        position.outcome().is_none().then_some(position)
    }
}
