//! `/api/play`: the engine's move against a person.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use hexmate_engine::{Budget, Clock, Evaluator};
use hexmate_movegen::{AnyRecord, Bits, Game, Move, Record, with_record};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::levels::{LEVELS, Level};
use super::place;
use super::search::{self, Order as Search};
use super::shared::Shared;
use crate::random::SplitMix64;

/// The time for a move if there is no clock.
const WITHOUT_CLOCK: Duration = Duration::from_secs(2);
/// What is lost between engine and page.
const OVERHEAD: Duration = Duration::from_millis(50);
/// A day: no clock has more.
const MOST_CLOCK: u64 = 86_400_000;

/// A request that can be carried out.
#[derive(Debug)]
pub struct Order {
    record: AnyRecord,
    level: &'static Level,
    time: Budget,
    search: Search,
    random: SplitMix64,
}

impl Order {
    /// Reads it.
    ///
    /// # Errors
    /// If a field cannot be used, or the game is over.
    pub fn read(shared: &Shared, mut fields: Fields) -> Result<Order, ApiError> {
        let record = place::record(&mut fields, shared)?;
        let mut search = Search::new(shared);
        search.take_size(&mut fields, shared)?;
        let number = fields.number("level", 1..=LEVELS.len() as u64)?;
        let level = number
            .and_then(Level::of)
            .ok_or_else(|| ApiError::field("level", "\"level\" is missing; expected 1 to 10"))?;
        let seed = fields.number("seed", 0..=u64::MAX)?;
        let time = match fields.object("clock")? {
            None => Budget::fixed(WITHOUT_CLOCK, Duration::ZERO),
            Some(mut clock) => {
                let remaining = clock.number("remaining", 0..=MOST_CLOCK)?.unwrap_or(0);
                let increment = clock.number("increment", 0..=MOST_CLOCK)?.unwrap_or(0);
                clock.end()?;
                let clock = Clock {
                    remaining: Duration::from_millis(remaining),
                    increment: Duration::from_millis(increment),
                    moves_to_go: None,
                };
                let men = with_record!(&record, r => r.position().occupied().count());
                Budget::of_clock(&clock, men, OVERHEAD)
            }
        };
        fields.end()?;
        place::not_over(&record)?;
        let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(Instant::now()));
        Ok(Order {
            record,
            level,
            time,
            search,
            random: SplitMix64::new(seed),
        })
    }

    /// The move.
    ///
    /// # Errors
    /// As [`search::run`].
    pub fn run(mut self, shared: &Shared, is_gone: &dyn Fn() -> bool) -> Result<Value, ApiError> {
        let begin = Instant::now();
        let record = self.record.clone();
        let mv = with_record!(&record, record => self.find(shared, record, is_gone))?;
        Ok(json!({
            "move": place::move_object(&self.record.position(), mv),
            "level": self.level.level,
            "time": begin.elapsed().as_millis() as u64,
        }))
    }

    fn find<G: Game>(
        &mut self,
        shared: &Shared,
        record: &Record<G>,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Move, ApiError> {
        let level = self.level;
        let position = self.record.position();
        let exact = level.is_exact();
        let noticed = level.noticed(&position, &mut self.random);
        let mut order = Search {
            depth: level.depth,
            nodes: level.nodes,
            // A clock holds for all levels; otherwise depth and nodes bound the weak ones.
            time: Some(self.time),
            // All moves that it looks at get a score.
            multipv: if exact {
                1
            } else {
                position.legal_moves().len()
            },
            searchmoves: noticed,
            tables: exact,
            fresh: !exact,
            ..self.search.clone()
        };
        if level.nodes.is_some() {
            (order.threads, order.megabytes) = (1, 8);
        }
        let found = search::run(shared, record, &order, is_gone, &mut |_| {})?;
        let lines = found.report.lines.iter();
        let scored: Vec<(Move, i32)> = lines
            .filter_map(|line| Some((*line.pv.first()?, line.score)))
            .collect();
        let chosen = if exact {
            found.report.best_move()
        } else {
            let evaluator = Evaluator::of(record.position().game());
            let evaluation = evaluator.handmade();
            let unanswered = |mv| {
                let mut after = *record.position();
                after.play(mv).expect("moves of the search are legal");
                -evaluation.evaluate(&after)
            };
            level.choose(&scored, unanswered, &mut self.random)
        };
        chosen.ok_or_else(|| ApiError::fault("the search has no move"))
    }
}
