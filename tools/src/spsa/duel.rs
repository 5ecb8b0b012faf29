//! Pairs of games between two settings of the search.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use hexmate_engine::{Engine, Limits, Params, Score, Table};
use hexmate_movegen::{Game, Position, Record, Side};

use crate::datagen::adjudication::Adjudicator;
use crate::random::SplitMix64;

/// An opening has this many random plies, or up to `SPREAD - 1` more.
const PLIES: usize = 6;
const SPREAD: usize = 5;
/// Openings that leave a side farther ahead than this are not played.
const UNBALANCED: Score = 150;
/// The nodes that judge it.
const JUDGED_BY: u64 = 1500;
/// Openings tried before giving up: no game needs as many.
const MOST_OPENINGS: usize = 1000;
/// A game that reaches this length is drawn.
const MOST_PLIES: usize = 800;

/// Two engines that play pairs of games.
pub struct Duel<G: Game> {
    game: G,
    engines: [Engine<G>; 2],
    tables: [Table; 2],
    limits: Limits<'static>,
    /// The numbers of the search that openings are judged by.
    usual: Params,
}

impl<G: Game> Duel<G> {
    /// Engines with tables of so many megabytes.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(game: G, limits: Limits<'static>, megabytes: usize, usual: Params) -> Result<Self> {
        let table = || Table::new(megabytes).context("--hash");
        Ok(Duel {
            game,
            engines: [(); 2].map(|()| Engine::of(game, 1)),
            tables: [table()?, table()?],
            limits,
            usual,
        })
    }

    /// Plays two games from one opening, with both colours: the quarters of a point that the first setting scores more
    /// than the second, from -8 to 8. With limits of nodes or depth it depends on the arguments alone. `None` if `stop`
    /// was set meanwhile.
    ///
    /// # Errors
    /// If no level opening is found.
    pub fn pair(
        &mut self,
        settings: [Params; 2],
        seed: u64,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Option<i32>> {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let opening = self.opening(seed, number)?;
        for (engine, params) in self.engines.iter_mut().zip(settings) {
            engine.set_params(params);
        }
        let mut ahead = 0;
        for white in [0, 1] {
            let Some(of_white) = self.play(&opening, white, stop)?.map(i32::from) else {
                return Ok(None);
            };
            let of_first = if white == 0 { of_white } else { 4 - of_white };
            ahead += 2 * of_first - 4;
        }
        Ok(Some(ahead))
    }

    /// A game; `white` is the engine that has White. Gives White's quarters, `None` if it was stopped.
    fn play(&mut self, opening: &Record<G>, white: usize, stop: &AtomicBool) -> Result<Option<u8>> {
        self.tables.iter_mut().for_each(Table::forget);
        self.engines.iter_mut().for_each(Engine::forget);
        let mut record = opening.clone();
        let mut adjudicator = Adjudicator::default();
        loop {
            if let Some(outcome) = record.outcome() {
                return Ok(Some(outcome.quarters(self.game.spec())[0]));
            }
            if record.moves().len() >= MOST_PLIES {
                return Ok(Some(2));
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let side = record.position().side_to_move();
            let player = match side {
                Side::White => white,
                Side::Black => 1 - white,
            };
            self.tables[player].new_search();
            let table = &self.tables[player];
            let report = self.engines[player].analyse(table, &record, self.limits, |_| {});
            let mv = report
                .best_move()
                .context("a game that is not over has a move")?;
            let score = match side {
                Side::White => report.score(),
                Side::Black => -report.score(),
            };
            if let Some(quarters) = adjudicator.after(score, record.moves().len()) {
                return Ok(Some(quarters));
            }
            record
                .play(mv)
                .map_err(|mv| anyhow!("{} is not legal", mv.display(self.game)))?;
        }
    }

    /// A random opening that is nearly level.
    fn opening(&mut self, seed: u64, number: u64) -> Result<Record<G>> {
        let seed = SplitMix64::new(seed).next();
        let mut random = SplitMix64::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        self.engines[0].set_params(self.usual);
        for _ in 0..MOST_OPENINGS {
            let mut record = Record::new(Position::start_of(self.game));
            for _ in 0..PLIES + random.below(SPREAD) {
                let Some(mv) = random.legal_move(record.position()) else {
                    break;
                };
                record
                    .play(mv)
                    .map_err(|mv| anyhow!("{} is not legal", mv.display(self.game)))?;
            }
            if record.outcome().is_some() {
                continue;
            }
            self.tables[0].forget();
            self.engines[0].forget();
            let limits = Limits {
                nodes: Some(JUDGED_BY),
                ..Limits::default()
            };
            let report = self.engines[0].analyse(&self.tables[0], &record, limits, |_| {});
            if report.score().abs() <= UNBALANCED {
                return Ok(record);
            }
        }
        Err(anyhow!(
            "no level opening was found in {MOST_OPENINGS} tries"
        ))
    }
}
