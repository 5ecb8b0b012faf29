//! Endgame tables: the value of every position with few pieces, and the distance to the end in plies.
//!
//! [`Rules`] turns a game into plain numbers, [`Folder`] builds and verifies its tables, [`Tablebases`] probes
//! positions. Nothing here depends on one game: symmetries, pawns and the value of a stalemate come from the
//! game's data. docs/tablebases.md describes how tables are made and stored.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//! use hexmate_movegen::{Glinski, Position};
//! use hexmate_tablebases::{Folder, Material, Category, Rules, Tablebases};
//!
//! let rules = Arc::new(Rules::of(Glinski));
//! let place = std::env::temp_dir().join(format!("hexmate-doc-{}", std::process::id()));
//! let mut folder = Folder::new(Arc::clone(&rules), &place);
//! let wanted = Material::parse(&rules, "KQK").unwrap();
//! for plan in folder.plan(&[wanted]) {
//!     folder.build(&plan, None, &AtomicBool::new(false), &|_| {}).unwrap();
//! }
//! let (tables, faults) = Tablebases::open(&rules, &place).unwrap();
//! assert!(faults.is_empty());
//! let position: Position<Glinski> = "1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - 0 1".parse().unwrap();
//! assert_eq!(tables.probe(&position).unwrap().category, Category::Win);
//! # std::fs::remove_dir_all(place).unwrap();
//! ```
//!
//! # Layers
//!
//! The modules, from the bottom up. Each uses only those above it in this list; `.ci/layers` checks that.
//!
//! 1. `random`, `parallel`: random numbers for checks; work on all threads
//! 2. `value`: the value of a position, and the code that stands for it while a table is built
//! 3. `counts`: how many positions there are of each category
//! 4. `geometry`: board, paths and pawns as plain numbers
//! 5. `symmetry`: which maps of the board to itself keep the rules
//! 6. `rules`: the rules of a game: geometry, symmetries, fingerprint
//! 7. `material`: which pieces a table is for, and which tables are the same
//! 8. `layout`: how positions are numbered
//! 9. `format`: the file of a table: header, sections, writing
//! 10. `table`: a table's file, opened and read
//! 11. `moves`: moves and unmoves within a table, and links to the tables of fewer pieces
//! 12. `solve`: retrograde analysis, position by position
//! 13. `blocks`: the positions of a pair of kings as a matrix
//! 14. `rows`: moves of whole rows of such matrices
//! 15. `backward`: unmoves of whole rows
//! 16. `blockwise`: retrograde analysis, matrix by matrix
//! 17. `proof`: the check of every value, matrix by matrix
//! 18. `stats`: counts of a table's positions
//! 19. `survey`: distances, zugzwangs, examples
//! 20. `folder`: a folder of tables: planning, building, verifying
//! 21. `probe`: all tables of a game, and what they say about a position
//! 22. `perpetual`: draws held by perpetual check
//! 23. `check`: comparison with the move generator and a plain search
//!
//! Above all of them, `both_ways` tests the two solvers against each other.

#![deny(unsafe_code)]

mod backward;
mod blocks;
mod blockwise;
#[cfg(test)]
mod both_ways;
mod check;
mod counts;
mod folder;
mod format;
mod geometry;
mod layout;
mod material;
mod moves;
mod parallel;
mod perpetual;
mod probe;
mod proof;
mod random;
mod rows;
mod rules;
mod solve;
mod stats;
mod survey;
mod symmetry;
mod table;
mod value;

pub use check::{CheckError, shortest_mate};
pub use counts::Counts;
pub use folder::{BuildError, EXTENSION, Folder, Plan};
pub use format::{Header, TableError};
pub use material::{MOST_MEN, Material, MaterialError};
pub use perpetual::Held;
pub use probe::{NeverCovered, Tablebases};
pub use random::Random;
pub use rules::{Rules, TooLarge};
pub use solve::Progress;
pub use survey::{Found, Place, Survey};
pub use table::Table;
pub use value::{Category, Value};

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
