//! A folder of tables: what exists, what is missing, building and verifying.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::blocks::Blocks;
use crate::blockwise::{self, BlockSolver};
use crate::counts::Counts;
use crate::format::{self, Header, TableError};
use crate::layout::Layout;
use crate::material::Material;
use crate::moves::{Game, Lookup};
use crate::proof;
use crate::rules::Rules;
use crate::solve::{self, Progress, Solver, Stopped};
use crate::stats;
use crate::symmetry::Symmetry;
use crate::table::Table;
use crate::value::{Code, decode};

/// The extension of a table's file name.
pub const EXTENSION: &str = "hxtb";

/// The tables of one game, in a folder with the game's name. They are opened when they are first needed.
pub struct Folder {
    rules: Arc<Rules>,
    path: PathBuf,
    open: HashMap<Material, Arc<Table>>,
    /// Those of them whose checksums are right: a table is needed by many others.
    whole: HashSet<Material>,
}

/// What building a table takes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which table.
    pub material: Material,
    /// Positions of both sides to move, valid or not.
    pub positions: u64,
    /// Bytes of memory needed to build it.
    pub memory: u64,
    /// Bytes of disk space at most.
    pub disk: u64,
}

/// Why a table was not built.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum BuildError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{material} needs {needed} MB of memory; {bound} MB are allowed")]
    Memory {
        material: String,
        needed: u64,
        bound: u64,
    },
    #[error("{material}: a distance of {plies} plies is more than a table can hold")]
    Distance { material: String, plies: u16 },
    #[error("stopped")]
    Stopped,
}

impl Folder {
    /// The tables of this game below `path`; there need not be any.
    pub fn new(rules: Arc<Rules>, path: &Path) -> Self {
        Folder {
            path: path.join(rules.name()),
            rules,
            open: HashMap::new(),
            whole: HashSet::new(),
        }
    }

    /// The game.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Where the table of some material belongs.
    pub fn path_of(&self, material: &Material) -> PathBuf {
        let name = material.canonical(&self.rules).name(&self.rules);
        self.path.join(format!("{name}.{EXTENSION}"))
    }

    /// The material of all files with the name of a table, in the order of building; other names are left
    /// out.
    pub fn list(&self) -> Result<Vec<Material>, TableError> {
        let mut found = Vec::new();
        let entries = match std::fs::read_dir(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
            entries => entries.map_err(TableError::io(&self.path))?,
        };
        for entry in entries {
            let path = entry.map_err(TableError::io(&self.path))?.path();
            let stem = path
                .file_stem()
                .and_then(|s| s.to_str())
                .unwrap_or_default();
            if path.extension().is_some_and(|e| e == EXTENSION)
                && let Ok(material) = Material::parse(&self.rules, stem)
                && material.canonical(&self.rules) == material
                // Another spelling is another file, which nobody opens.
                && material.name(&self.rules) == stem
            {
                found.push(material);
            }
        }
        found.sort_by_key(Material::order);
        Ok(found)
    }

    /// The table of some material, or of equal material by symmetry.
    ///
    /// # Errors
    ///
    /// If its file does not exist or cannot be used.
    pub fn table(&mut self, material: &Material) -> Result<Arc<Table>, TableError> {
        let canonical = material.canonical(&self.rules);
        if let Some(table) = self.open.get(&canonical) {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(Table::open(&self.rules, &self.path_of(&canonical))?);
        self.open.insert(canonical, Arc::clone(&table));
        Ok(table)
    }

    /// The same, its checksums verified: once, however often it is asked for.
    fn whole_table(&mut self, material: &Material) -> Result<Arc<Table>, TableError> {
        let table = self.table(material)?;
        if !self.whole.contains(table.material()) {
            table.check_sums()?;
            self.whole.insert(table.material().clone());
        }
        Ok(table)
    }

    /// What has to be built to have these tables, in order. Existing tables that can be used are left out: their
    /// checksums are verified, since a damaged table would be built upon.
    ///
    /// # Panics
    ///
    /// If there can be no table of some of the material in this game. Material has the numbers of kinds, and those of
    /// another game may stand for other pieces here, or for none.
    pub fn plan(&mut self, wanted: &[Material]) -> Vec<Plan> {
        wanted.iter().for_each(|m| m.assert_of(&self.rules));
        let mut seen: HashSet<Material> = HashSet::new();
        let wanted = wanted.iter().map(|m| m.canonical(&self.rules));
        let mut open: Vec<Material> = wanted.collect();
        while let Some(material) = open.pop() {
            if !seen.contains(&material) {
                open.extend(material.needs(&self.rules));
                seen.insert(material);
            }
        }
        let mut all: Vec<Material> = seen.into_iter().collect();
        all.sort_by_cached_key(Material::order);
        all.retain(|material| self.whole_table(material).is_err());
        all.into_par_iter().map(|m| self.plan_of(m)).collect()
    }

    fn plan_of(&self, material: Material) -> Plan {
        let layout = Layout::new(&self.rules, &material);
        let positions = 2 * layout.positions() as u64;
        // Categories, an entry for each block, and distances of at most ten bits.
        let disk = positions * 3 / 8 + positions / 32 + positions * 10 / 8 + (1 << 16);
        Plan {
            material,
            positions,
            memory: (positions * 2 + disk).max(blockwise::memory(&layout)) + (64 << 20),
            disk,
        }
    }

    /// Makes sure that building a table would replace nothing but a table of the same rules.
    ///
    /// # Errors
    ///
    /// If there is something else under its name.
    pub fn check_place(&self, material: &Material) -> Result<(), TableError> {
        let path = self.path_of(material);
        format::check_place(&path)?;
        match Table::open(&self.rules, &path) {
            // Two games from files may have one name, and so one folder.
            Err(TableError::OtherRules { .. } | TableError::OtherGame { .. }) => {
                let game = self.rules.name();
                Err(TableError::NotOwn { path, game })
            }
            _ => Ok(()),
        }
    }

    /// Builds a table and writes it. All tables that it depends on must exist.
    ///
    /// # Errors
    ///
    /// If it would take more than `memory` bytes, a table it depends on does not exist or is damaged, it cannot be
    /// written, there is something else under its name, or `stop` was set.
    ///
    /// # Panics
    ///
    /// As [`plan`](Self::plan).
    pub fn build(
        &mut self,
        plan: &Plan,
        memory: Option<u64>,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Arc<Table>, BuildError> {
        let material = &plan.material;
        material.assert_of(&self.rules);
        let name = material.name(&self.rules);
        if let Some(bound) = memory.filter(|&bound| plan.memory > bound) {
            return Err(BuildError::Memory {
                material: name,
                needed: plan.memory.div_ceil(1 << 20),
                bound: bound >> 20,
            });
        }
        self.check_place(material)?;
        let game = self.game(material)?;
        let codes = solve(&game, stop, progress).map_err(|_| BuildError::Stopped)?;
        let counts = stats::count(&game.layout, |side, index| codes.at(side, index));
        let longest = counts.iter().flat_map(|c| c.longest_plies).max();
        if let Some(plies) = longest.filter(|&p| p > 2 * format::MOST_HALF) {
            return Err(BuildError::Distance {
                material: name,
                plies,
            });
        }
        let header = Header {
            game: self.rules.name().to_owned(),
            rules: self.rules.fingerprint(),
            material: name,
            positions: game.layout.positions() as u64,
            category_bits: if self.rules.stalemate_counts() { 3 } else { 2 },
            distance_bytes: 0,
            counts,
        };
        // Windows replaces no file that is still mapped: a damaged table.
        self.open.remove(material);
        self.whole.remove(material);
        format::write(&self.path_of(material), header, &codes)?;
        Ok(self.table(material)?)
    }

    /// The counts of the table of some material, as White and Black of that material see it.
    pub fn counts(&self, material: &Material, table: &Table) -> [Counts; 2] {
        let mut counts = table.header().counts.clone();
        let canonical = table.material();
        let straight = |s: &Symmetry| material.image(s, false).as_ref() == Some(canonical);
        if !self.rules.symmetries.iter().any(straight) {
            counts.swap(0, 1);
        }
        counts
    }

    /// The men of some material with all tables that their moves may lead to, each of them whole: what is built upon a
    /// damaged table, or verified by one, is wrong.
    pub(crate) fn game(&mut self, material: &Material) -> Result<Game, TableError> {
        let mut tables = HashMap::new();
        for need in material.needs(&self.rules) {
            let table = self.whole_table(&need).map_err(|error| {
                let (path, material) = (self.path_of(material), need.name(&self.rules));
                match error {
                    TableError::Io { source, .. }
                        if source.kind() == std::io::ErrorKind::NotFound =>
                    {
                        TableError::Missing { path, material }
                    }
                    fault => TableError::Needed {
                        path,
                        material,
                        fault: Box::new(fault),
                    },
                }
            })?;
            tables.insert(need, table);
        }
        let find = |material: &Material| tables.get(material).cloned();
        Ok(Game::new(Arc::clone(&self.rules), material, &find))
    }

    /// Verifies a whole table: file, checksums, counts, and every stored value against the moves of its
    /// position. `tick` is called from time to time with the number of positions of a side that were checked.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn verify(
        &mut self,
        material: &Material,
        tick: &(dyn Fn(u64) + Sync),
    ) -> Result<Arc<Table>, TableError> {
        let canonical = material.canonical(&self.rules);
        let table = self.whole_table(&canonical)?;
        let game = self.game(&canonical)?;
        let codes = table.codes();
        let path = table.path().to_owned();
        let counts = stats::count(&game.layout, |side, index| codes.at(side, index));
        if let Some((side, index, expected)) = contradiction(&game, codes, tick) {
            let text = |code| match decode(code) {
                None => "no valid position".to_owned(),
                Some(value) => format!("{} in {} plies", value.category.name(), value.plies),
            };
            return Err(TableError::Wrong {
                path,
                side: match side {
                    Side::White => "White",
                    Side::Black => "Black",
                },
                index,
                found: text(table.code_at(side, index)),
                expected: text(expected),
            });
        }
        if counts != table.header().counts {
            return Err(TableError::Counts { path });
        }
        Ok(table)
    }
}

/// Solves a table, block by block if possible.
fn solve(
    game: &Game,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<[Vec<Code>; 2], Stopped> {
    let blocks = Blocks::new(game);
    match blocks
        .as_ref()
        .and_then(|blocks| BlockSolver::new(blocks, stop))
    {
        Some(solver) => solver.run(progress),
        None => Solver::new(game, stop).run(progress),
    }
}

/// The first position whose code does not follow from its moves, with the right code.
fn contradiction(
    game: &Game,
    codes: [Vec<Code>; 2],
    tick: &(dyn Fn(u64) + Sync),
) -> Option<(Side, usize, Code)> {
    match Blocks::new(game) {
        Some(blocks) => proof::contradiction(&blocks, codes, tick),
        None => solve::contradiction(game, &codes, tick),
    }
}
