//! Hexmate for Python. These are only bindings: all of it uses the same crates as the program. What needs no speed,
//! like the trees of games, is Python above them.
//!
//! `arguments` reads Python's values, `rules` knows games and their files, `position` and `drawn` are positions,
//! `waiting` lets Ctrl-C through, `perft` counts, `analyser` searches, `tables` probes and builds, `pgn` reads and
//! writes games, `review` judges their moves.

mod analyser;
mod arguments;
mod drawn;
mod perft;
mod pgn;
mod position;
mod review;
mod rules;
mod tables;
mod waiting;

use pyo3::prelude::*;

/// The native part of the package `hexmate`.
#[pymodule]
mod _native {
    use hexmate_movegen::{GameId, Simd};
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::analyser::Analyser;
    #[pymodule_export]
    use super::pgn::{PgnReader, pgn_text};
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::review::judge;
    #[pymodule_export]
    use super::rules::{Rules, load_game, load_text, loaded_games, use_games};
    #[pymodule_export]
    use super::tables::{Tables, build_tables};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // As the program does: whoever forces a backend means it.
        Simd::from_environment()
            .map_err(|error| PyImportError::new_err(format!("{}: {error}", Simd::VARIABLE)))?;
        let games: Vec<&str> = GameId::shipped().iter().map(|id| id.name()).collect();
        module.add("GAMES", pyo3::types::PyTuple::new(module.py(), games)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
