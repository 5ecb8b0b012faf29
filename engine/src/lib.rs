//! Search and evaluation for hexagonal chess.
//!
//! An [`Engine`] is a value: many live in one process, and none does input or output. It is given a
//! game record, [`Limits`] and a callback, and returns a [`Report`].
//!
//! ```
//! use hexmate_engine::{Engine, Limits, Shown, Table};
//! use hexmate_movegen::{Glinski, Position, Record};
//!
//! let mut game = Record::new(Position::<Glinski>::start());
//! for mv in ["e1b4", "g10h8", "f3h2", "h8i6"] {
//!     let mv = game.position().parse_move(mv).unwrap();
//!     game.play(mv).unwrap();
//! }
//! let table = Table::new(1).unwrap();
//! let mut engine = Engine::<Glinski>::default();
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let report = engine.analyse(&table, &game, limits, |_| {});
//! assert_eq!(Shown::from(report.score()), Shown::Mate(1));
//! ```
//!
//! # Layers
//!
//! The modules, from the bottom up. Each uses only those above it in this list; `.ci/layers` checks that.
//!
//! 1. `door`, `mix`: how generic code is compiled once; keys of parts of a position
//! 2. `score`, `order`: centipawns, mates, and what the table keeps of them; sorting
//! 3. `params`: the numbers of the search that are tuned, each with its range
//! 4. `wdl`: what a score is worth in games
//! 5. `time`: the time for one move
//! 6. `limits`: what bounds a search, and what it reports
//! 7. `eval`: static evaluation
//! 8. `sampling`: evaluated positions, kept for training
//! 9. `see`: exchanges
//! 10. `settle`: where a line comes to rest
//! 11. `history`: what has been learnt about moves
//! 12. `known_evals`: static evaluations of positions met before
//! 13. `quiets`: the scores of quiet moves
//! 14. `picker`: the moves of a position, the most promising first
//! 15. `thread_data`: what one thread remembers
//! 16. `search`: the search of one thread
//! 17. `smp`: several threads and their vote
//! 18. `engine`: all of it for one game
//! 19. `any`: the same for a game known only at run time
//! 20. `running`: a search on a thread of its own

#![forbid(unsafe_code)]

mod any;
mod door;
mod engine;
mod eval;
mod history;
mod known_evals;
mod limits;
mod mix;
mod order;
mod params;
mod picker;
mod quiets;
mod running;
mod sampling;
mod score;
mod search;
mod see;
mod settle;
mod smp;
mod thread_data;
mod time;
mod wdl;

pub use any::AnyEngine;
pub use engine::{Engine, WrongGame};
pub use eval::{
    Evaluator, Features, Handmade, MopUp, Network, NetworkError, NetworkWeights, Numbers, Trace,
    View, Weights, WeightsError, WeightsFile, shape_of,
};
pub use hexmate_tt::{Bound, Table, TtError};
pub use limits::{Limits, Line, Report};
pub use params::{ParamError, ParamInfo, Params};
pub use running::{Event, Found, Hold, RunningSearch, SearchFault, StartError, run_search};
pub use sampling::{Evaluated, Sampling};
pub use score::{DRAW, MATE, MATE_IN_MAX, MAX_PLY, Score, Shown, is_mate, score_of_quarters};
pub use smp::STACK_BYTES;
pub use time::{Budget, Clock};
pub use wdl::{Chances, Wdl, WdlError, men_left};

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
