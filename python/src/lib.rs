//! Hexmate for Python. These are only bindings: positions are in [`position`], analysis in [`analyser`], and both
//! use the same crates as the program.

mod analyser;
mod position;

use pyo3::prelude::*;

/// The native part of the package `hexmate`.
#[pymodule]
mod _native {
    use hexmate_movegen::GameId;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::analyser::Analyser;
    #[pymodule_export]
    use super::position::Position;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let games: Vec<&str> = GameId::shipped().iter().map(|id| id.name()).collect();
        module.add("GAMES", pyo3::types::PyTuple::new(module.py(), games)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
