//! What endgame tables say within a search. Without tables none of this is reached.

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Bits, Game, Move, Position, Unchecked};
use hexmate_tablebases::{Category, Tablebases, Value};

use super::Search;
use super::in_time::{InTime, ends_in_time, is_certain};
use crate::eval::Evaluation;
use crate::limits::Limits;
use crate::score::{DRAW, MATE, MAX_PLY, Score, mated_in, score_of_quarters};

/// The score of a value `ply` plies from the root, with `clock` plies since the last progress; `None` if
/// the end may come too late for the rule of no progress.
fn score_of(rules: &GameSpec, value: Value, clock: u16, ply: usize) -> Option<Score> {
    let plies = usize::from(value.plies);
    if value.category != Category::Draw && (!is_certain(rules, value, clock) || plies > MAX_PLY) {
        return None;
    }
    let stalemated = || score_of_quarters(rules.stalemate_quarters);
    Some(match value.category {
        Category::Win => MATE - (ply + plies) as Score,
        Category::GivesStalemate => -stalemated(),
        Category::Draw => DRAW,
        Category::Stalemated => stalemated(),
        Category::Loss => mated_in(ply + plies),
    })
}

/// What tables say of a move of the first position.
#[derive(Clone, Copy)]
struct Known<G: Game> {
    /// After the move.
    next: Position<G>,
    /// Of that position, for its side to move.
    after: Value,
    /// Of the move, for the side that makes it.
    value: Value,
}

impl<G: Game> Known<G> {
    fn of(tables: &Tablebases, root: &Position<G>, mv: Move) -> Option<Self> {
        let mut next = *root;
        next.play_unchecked(mv);
        let after = tables.probe(&next)?;
        let value = after.before();
        Some(Known { next, after, value })
    }

    fn is_exact(&self) -> bool {
        score_of(self.next.spec(), self.after, self.next.halfmove_clock(), 0).is_some()
    }
}

/// How much a move deserves to be searched: a class, and a number within it. Only the best are.
type Merit = (u8, i32);

/// The merits of moves that win, or lose, where it is not certain that the end comes before the rule of no
/// progress draws the game.
fn merits_near_the_limit<G: Game>(
    rules: &GameSpec,
    tables: (&Tablebases, &Limits<'_>),
    clock: u16,
    moves: &[Known<G>],
    winning: bool,
) -> Vec<Merit> {
    /// So near the limit the search sees it, and chooses where nothing is proven.
    const NEAR: u16 = 20;
    /// Farther away only what is near is looked for.
    const SHALLOW: u16 = 4;
    let left = rules.no_progress_plies.saturating_sub(clock);
    let deepest = if left <= NEAR { left } else { SHALLOW };
    let positions: Vec<(Position<G>, Value)> = moves.iter().map(|m| (m.next, m.after)).collect();
    let enough = if winning { InTime::Yes } else { InTime::No };
    // The stronger side moves next where the moves are the weaker one's.
    let ask = |least| ends_in_time(tables, &positions, (least, enough), !winning, deepest);
    let mated = ask(Category::Win);
    let stalemated = if rules.stalemate_quarters == 2 || winning && mated.contains(&enough) {
        mated.clone()
    } else {
        ask(Category::GivesStalemate)
    };
    let answers = mated.into_iter().zip(stalemated);
    let merit = |(answers, known): ((InTime, InTime), &Known<G>)| {
        let class = match (winning, answers) {
            (true, (InTime::Yes, _)) => 5,
            (true, (_, InTime::Yes)) => 4,
            (true, (InTime::Open, _) | (_, InTime::Open)) => 3,
            (true, _) => u8::from(known.value.category > Category::Draw),
            (false, (_, InTime::No)) => 5,
            (false, (_, InTime::Open)) => 3,
            (false, (InTime::No, _)) => 2,
            (false, (InTime::Open, _)) => 1,
            (false, (InTime::Yes, _)) => 0,
        };
        // Where neither proof nor search helps, the opponent may: hurry, or delay.
        let by_search = class == 5 || class == 3 && left <= NEAR;
        let within = if by_search { 0 } else { known.value.rank() };
        (class, within)
    };
    answers.zip(moves).map(merit).collect()
}

/// What moves deserve to be searched; `None`: all of them.
fn merits<G: Game>(
    tables: (&Tablebases, &Limits<'_>),
    root: &Position<G>,
    moves: &[Known<G>],
) -> Option<Vec<Merit>> {
    let best = moves.iter().max_by_key(|m| m.value.rank())?;
    let certain = match best.value.category {
        Category::Draw => {
            let drawn = |m: &Known<G>| (u8::from(m.value.category == Category::Draw), 0);
            return Some(moves.iter().map(drawn).collect());
        }
        Category::Win | Category::GivesStalemate => best.is_exact(),
        Category::Loss | Category::Stalemated => moves.iter().all(Known::is_exact),
    };
    if !certain {
        let (clock, winning) = (root.halfmove_clock(), best.value.category > Category::Draw);
        return Some(merits_near_the_limit(
            root.spec(),
            tables,
            clock,
            moves,
            winning,
        ));
    }
    // The score of a stalemate does not tell how far away it is: it is hurried, or delayed.
    let stalemate = !matches!(best.value.category, Category::Win | Category::Loss);
    stalemate.then(|| moves.iter().map(|m| (0, m.value.rank())).collect())
}

impl<G: Game, E: Evaluation<G>> Search<'_, G, E> {
    /// The exact score of a position, if a table has it.
    #[inline]
    pub(super) fn table_score(&mut self, position: &Position<G>, ply: usize) -> Option<Score> {
        let tables = self.shared.tables?;
        if position.occupied().count() as usize > tables.most_men() {
            return None;
        }
        let value = tables.probe(position)?;
        if self.draws && value.category == Category::Draw {
            return None;
        }
        let score = score_of(position.spec(), value, position.halfmove_clock(), ply)?;
        self.shared.note_table_hit();
        Some(score)
    }

    /// Asks about the moves of the first position, and keeps those that deserve to be searched, if they are
    /// enough for the lines that are wanted. `true`: one ply of search is enough, since all are known exactly.
    ///
    /// Where all of them draw, that is known, and does not tell which one is best: the search looks for it as if
    /// there were no tables for draws.
    pub(super) fn ask_root(&mut self, root: &Position<G>) -> bool {
        let Some(tables) = self.shared.tables else {
            return false;
        };
        let moves = self.root_moves.iter();
        let known: Option<Vec<Known<G>>> = moves.map(|m| Known::of(tables, root, m.mv)).collect();
        let Some(mut known) = known else {
            return false;
        };
        if let Some(merits) = merits((tables, &self.shared.limits), root, &known) {
            let best = merits.iter().max();
            let count = merits.iter().filter(|&m| Some(m) == best).count();
            if count >= self.shared.limits.multipv {
                let mut each = merits.iter();
                self.root_moves.retain(|_| each.next() == best);
                let mut each = merits.iter();
                known.retain(|_| each.next() == best);
                self.draws = known.iter().all(|m| m.value.category == Category::Draw);
            }
        }
        let exact = known.iter().all(Known::is_exact);
        if self.draws {
            self.shared.note_table_hit();
        }
        exact && (known.len() == 1 || !self.draws)
    }

    /// Leads a line that ends where tables know more to the mate or stalemate that they promise.
    pub(super) fn complete_line(&self, root: &Position<G>, line: &mut Vec<Move>) {
        let Some(tables) = self.shared.tables else {
            return;
        };
        let mut position = *root;
        for &mv in &*line {
            position.play_unchecked(mv);
        }
        let exact = tables
            .probe(&position)
            .and_then(|value| score_of(position.spec(), value, position.halfmove_clock(), 0));
        if exact.is_some() {
            line.extend(tables.line(&position, MAX_PLY - line.len().min(MAX_PLY)));
        }
    }
}
