//! One game of the engine against itself.

use anyhow::{Context, Result, anyhow};
use hexmate_engine::{Engine, Evaluated, Limits, Params, Sampling, Score, Table, is_mate};
use hexmate_movegen::{Bits, Game, Move, PAWN, Position, Record, Side};

use super::adjudication::Adjudicator;
use crate::eval_file::EvalFile;
use crate::random::SplitMix64;

/// Openings tried before giving up: no game needs as many.
const MOST_OPENINGS: usize = 1000;
/// Openings that leave a side farther ahead than this are not played.
const UNBALANCED: Score = 250;
/// One game in this many is played to the end, so that mates and stalemates occur, too.
const BITTER_END: u64 = 3;
/// A game that reaches this length is stopped and left out, since its result is not known.
pub const MOST_PLIES: usize = 1000;
/// Megabytes of each player's table.
pub const TABLE: usize = 4;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// What ends the search for a move.
    pub limits: Limits<'static>,
    /// An opening has this many random plies, or up to `spread - 1` more.
    pub random_plies: usize,
    pub spread: u64,
    /// All games are played out.
    pub to_the_end: bool,
    pub seed: u64,
}

/// One game.
pub struct Played<G: Game> {
    /// Where a move was searched, in the order of the game.
    pub turns: Vec<Turn<G>>,
    /// White's share of the point.
    pub quarters: u8,
}

/// A position of a game and what its search said.
pub struct Turn<G: Game> {
    pub position: Position<G>,
    /// Plies from the beginning of the game.
    pub ply: usize,
    /// From the side to move.
    pub score: Score,
    /// No check, and the best move neither captures nor promotes; the score is no mate.
    pub quiet: bool,
    /// Positions that the search met, if they are sampled.
    pub met: Vec<Evaluated<G>>,
}

/// Plays both sides, with a table and an engine that are like new for each game.
pub struct Player<G: Game> {
    game: G,
    engine: Engine<G>,
    table: Table,
    /// One position in this many that searches evaluate is kept.
    one_in: Option<u32>,
}

impl<G: Game> Player<G> {
    /// A player that evaluates by the file, if one is given.
    pub fn new(game: G, eval_file: Option<&EvalFile>) -> Result<Self> {
        Ok(Player {
            game,
            engine: engine(game, eval_file)?,
            table: Table::new(TABLE)?,
            one_in: None,
        })
    }

    /// A player whose searches look at every move, and that keeps some of the positions that they evaluate.
    pub fn sampling(game: G, eval_file: Option<&EvalFile>, one_in: u32) -> Result<Self> {
        let mut player = Player::new(game, eval_file)?;
        player.engine.set_params(every_move());
        player.one_in = Some(one_in);
        Ok(player)
    }

    /// Plays one game; `None` if it was stopped.
    pub fn play(&mut self, play: &Play, number: u64) -> Result<Option<Played<G>>> {
        let seed = SplitMix64::new(play.seed).next();
        // Almost surely different from the numbers of all other seeds and games.
        let mut random = SplitMix64::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        let mut record = self.opening(&mut random, play)?;
        let to_the_end = random.next().is_multiple_of(BITTER_END) || play.to_the_end;
        self.table.forget();
        self.engine.forget();
        if let Some(one_in) = self.one_in {
            let seed = random.next();
            self.engine.set_sampling(Some(Sampling { one_in, seed }));
        }
        let mut turns = Vec::new();
        let mut adjudicator = Adjudicator::default();
        let quarters = loop {
            if let Some(outcome) = record.outcome() {
                break outcome.quarters(self.game.spec())[0];
            }
            if record.moves().len() >= MOST_PLIES {
                return Ok(None);
            }
            self.table.new_search();
            let report = self
                .engine
                .analyse(&self.table, &record, play.limits, |_| {});
            let position = *record.position();
            let mv = report
                .best_move()
                .context("a game that is not over has a move")?;
            turns.push(Turn {
                position,
                ply: record.moves().len(),
                score: report.score(),
                quiet: !is_mate(report.score()) && is_quiet(&position, mv),
                met: self.engine.take_evaluated(),
            });
            let score = match position.side_to_move() {
                Side::White => report.score(),
                Side::Black => -report.score(),
            };
            if !to_the_end && let Some(quarters) = adjudicator.after(score, record.moves().len()) {
                break quarters;
            }
            record
                .play(mv)
                .map_err(|mv| anyhow!("{} is not legal", mv.display(self.game)))?;
        };
        Ok(Some(Played { turns, quarters }))
    }

    /// Random moves to a position that is not over and nearly level.
    fn opening(&mut self, random: &mut SplitMix64, play: &Play) -> Result<Record<G>> {
        self.engine.set_sampling(None);
        for _ in 0..MOST_OPENINGS {
            let mut record = Record::new(Position::start_of(self.game));
            let plies = play.random_plies + (random.next() % play.spread) as usize;
            for _ in 0..plies {
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
            self.table.forget();
            self.engine.forget();
            let report = self
                .engine
                .analyse(&self.table, &record, play.limits, |_| {});
            if report.score().abs() <= UNBALANCED {
                return Ok(record);
            }
        }
        Err(anyhow!(
            "no level opening was found in {MOST_OPENINGS} tries"
        ))
    }
}

/// Searches positions one by one for their scores.
pub struct Judge<G: Game> {
    engine: Engine<G>,
    table: Table,
    limits: Limits<'static>,
}

impl<G: Game> Judge<G> {
    /// A judge that evaluates by the file, if one is given.
    pub fn new(game: G, eval_file: Option<&EvalFile>, limits: Limits<'static>) -> Result<Self> {
        let mut engine = engine(game, eval_file)?;
        engine.set_params(every_move());
        Ok(Judge {
            engine,
            table: Table::new(TABLE)?,
            limits,
        })
    }

    /// Forgets what it has learnt from earlier games.
    pub fn forget(&mut self) {
        self.table.forget();
        self.engine.forget();
    }

    /// The score of a position from the side to move; `None` if it is no quiet position, a mate, or over.
    pub fn score(&mut self, position: &Position<G>) -> Option<Score> {
        let record = Record::new(*position);
        if record.outcome().is_some() {
            return None;
        }
        self.table.new_search();
        let report = self
            .engine
            .analyse(&self.table, &record, self.limits, |_| {});
        let mv = report.best_move()?;
        (!is_mate(report.score()) && is_quiet(position, mv)).then_some(report.score())
    }
}

/// An engine that evaluates by the file, if one is given.
fn engine<G: Game>(game: G, eval_file: Option<&EvalFile>) -> Result<Engine<G>> {
    let mut engine = Engine::of(game, 1);
    if let Some(file) = eval_file {
        engine.set_evaluation(file.evaluator(game)?);
    }
    Ok(engine)
}

/// Late moves are not pruned: that makes small searches think too well of the side that begins.
fn every_move() -> Params {
    Params {
        late_move_depth: 0,
        ..Params::default()
    }
}

/// Whether the static evaluation can be trusted: no check, and no capture or promotion to come at once.
fn is_quiet<G: Game>(position: &Position<G>, best: Move) -> bool {
    let en_passant = position
        .en_passant()
        .is_some_and(|ep| ep.crossed == best.to && position.kind(PAWN).has(best.from));
    !position.in_check()
        && position.piece_on(best.to).is_none()
        && best.promotion().is_none()
        && !en_passant
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::Glinski;

    use super::*;

    /// The scores of a game are those of a user who searches it move by move.
    #[test]
    fn the_table_grows_older_with_the_game() {
        let play = Play {
            limits: Limits {
                nodes: Some(300),
                ..Limits::default()
            },
            random_plies: 6,
            spread: 5,
            to_the_end: false,
            seed: 1,
        };
        let mut player = Player::new(Glinski, None).unwrap();
        for number in 0..2 {
            let played = player.play(&play, number).unwrap().unwrap();
            let (mut engine, mut table) = (Engine::of(Glinski, 1), Table::new(TABLE).unwrap());
            let mut record = Record::new(played.turns[0].position);
            for turn in &played.turns {
                assert_eq!(
                    record.position(),
                    &turn.position,
                    "game {number}, ply {}",
                    turn.ply
                );
                table.new_search();
                let report = engine.analyse(&table, &record, play.limits, |_| {});
                assert_eq!(
                    report.score(),
                    turn.score,
                    "game {number}, ply {}",
                    turn.ply
                );
                record.play(report.best_move().unwrap()).unwrap();
            }
        }
    }

    /// What the rules have ended has no score to be learnt.
    #[test]
    fn positions_that_are_over_have_no_score() {
        let limits = Limits {
            nodes: Some(200),
            ..Limits::default()
        };
        let mut judge = Judge::new(Glinski, None, limits).unwrap();
        let mut score = |clocks: &str| {
            let fen = format!("1/1k1/5/2p4/9/4p6/4P6/2P8/4N6/5K5/11 w - - {clocks}");
            judge.score(&fen.parse().unwrap())
        };
        assert!(score("0 80").is_some());
        assert_eq!(score("100 80"), None);
    }
}
