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
//! let rules = Arc::new(Rules::of::<Glinski>());
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
//! 1. `random`, `value`, `counts`: numbers
//! 2. `geometry`, `symmetry`, `rules`: a game as plain numbers, and what maps it on itself
//! 3. `material`, `layout`: which tables there are, and the number of each position
//! 4. `format`, `table`: the file and its reader
//! 5. `moves`, `solve`: working backwards from the ends
//! 6. `blocks`, `rows`, `backward`, `blockwise`, `proof`: the same for tables without pawns, row by row
//! 7. `stats`, `survey`: counting
//! 8. `folder`, `probe`: all tables of a game, built and asked
//! 9. `perpetual`, `check`: perpetual check, and tables compared with a plain search
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
pub use folder::{BuildError, Folder, Plan};
pub use format::{Header, TableError};
pub use material::{MOST_MEN, Material, MaterialError};
pub use perpetual::Held;
pub use probe::Tablebases;
pub use random::Random;
pub use rules::Rules;
pub use solve::Progress;
pub use survey::{Found, Place, Survey};
pub use table::Table;
pub use value::{Category, Value};

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
