//! What the referee expects of a player, whatever it is.

use std::time::Duration;

use hexmate_engine::Shown;
use hexmate_movegen::{Game, Record, Side};

use super::options::EngineLimits;

/// A side's clock when it is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockView {
    /// The time left.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// The moves until more time is given.
    pub moves_to_go: Option<u32>,
}

/// A player's turn.
pub struct Turn<'t, G: Game> {
    /// The game so far.
    pub record: &'t Record<G>,
    /// The game so far in UCI: `position startpos moves …`.
    pub position: &'t str,
    /// The limits of the player.
    pub limits: &'t EngineLimits,
    /// The clocks of White and Black; `None` for a side without one.
    pub clocks: [Option<ClockView>; 2],
    /// After this long the answer is late.
    pub late_after: Option<Duration>,
}

impl<G: Game> Turn<'_, G> {
    /// The clock of the side to move.
    pub fn own_clock(&self) -> Option<ClockView> {
        self.clocks[side_index(self.record.position().side_to_move())]
    }
}

/// White is 0, Black is 1.
pub const fn side_index(side: Side) -> usize {
    match side {
        Side::White => 0,
        Side::Black => 1,
    }
}

/// A player's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The move as the player wrote it; the referee judges it.
    pub text: String,
    /// Its score from its own side.
    pub score: Option<Shown>,
    /// Its depth, in plies.
    pub depth: u32,
    /// Its selective depth.
    pub seldepth: u32,
    /// Its nodes.
    pub nodes: u64,
    /// The time it reports.
    pub claimed: Option<Duration>,
    /// The time until its answer arrived.
    pub elapsed: Duration,
}

/// Why a player gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("cannot start ({0})")]
    CannotStart(String),
    /// Its process ended, or closed its output.
    #[error("disconnects")]
    Disconnects,
    /// It closed its input, and lives on.
    #[error("closes its input")]
    Deaf,
    /// It did not answer, not even to `stop`.
    #[error("stalls")]
    Stalls,
    /// It floods its output.
    #[error("floods")]
    Floods,
    /// It answered too late, or only to `stop`.
    #[error("late")]
    Late(Duration),
    /// The match is being ended: nobody's fault.
    #[error("interrupted")]
    Interrupted,
}

impl Fault {
    /// What the player did, said of it.
    pub fn words(&self) -> String {
        match self {
            Fault::CannotStart(why) => format!("cannot be started ({why})"),
            Fault::Disconnects => "ended, or closed its output".to_owned(),
            Fault::Deaf => "closed its input".to_owned(),
            Fault::Stalls => "does not answer".to_owned(),
            Fault::Floods => "floods its output".to_owned(),
            Fault::Late(_) | Fault::Interrupted => self.to_string(),
        }
    }

    /// Whether the player cannot continue as it is.
    pub fn breaks(&self) -> bool {
        !matches!(self, Fault::Late(_) | Fault::Interrupted)
    }
}

/// Why no line came from a player that is a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The time is up.
    Timeout,
    /// Something is wrong with the process, or the match is being ended.
    Fault(Fault),
}

/// A player of one game after another. Unusable after a fault that [`Fault::breaks`].
pub trait Player<G: Game> {
    /// Prepares for another game.
    ///
    /// # Errors
    ///
    /// If it cannot.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Searches a position.
    ///
    /// # Errors
    ///
    /// If there is no answer in time.
    fn think(&mut self, turn: &Turn<'_, G>) -> Result<Thought, Fault>;
}
