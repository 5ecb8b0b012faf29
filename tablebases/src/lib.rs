//! Endgame tables: what every position of a few men is worth, and how many plies away the end is.
//!
//! [`Rules`] turns a game into plain numbers, [`Folder`] builds and checks its tables, [`Tablebases`]
//! answers for positions. Nothing here is a matter of one game: symmetries, pawns and the worth of a stalemate
//! are found in the game's data. docs/tablebases.md tells how the tables are made and stored.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//! use hexmate_movegen::{Glinski, Position};
//! use hexmate_tablebases::{Folder, Material, Outcome, Rules, Tablebases};
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
//! assert_eq!(tables.probe(&position).unwrap().outcome, Outcome::Win);
//! # std::fs::remove_dir_all(place).unwrap();
//! ```

#![deny(unsafe_code)]

mod backward;
mod blocks;
mod blockwise;
mod check;
mod folder;
mod format;
mod layout;
mod material;
mod moves;
mod perpetual;
mod probe;
mod proof;
mod rows;
mod rules;
mod solve;
mod stats;
mod survey;
mod symmetry;
mod table;
mod value;

pub use check::{CheckError, Random, shortest_mate};
pub use folder::{BuildError, Folder, Plan};
pub use format::{Header, TableError};
pub use material::{MOST_MEN, Material, MaterialError};
pub use perpetual::Held;
pub use probe::Tablebases;
pub use rules::Rules;
pub use solve::Progress;
pub use stats::Counts;
pub use survey::{Found, Place, Survey};
pub use table::Table;
pub use value::{Outcome, Value};
