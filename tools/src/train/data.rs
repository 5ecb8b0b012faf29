//! Training positions in memory: packed as they were in their files, and taken apart when they are needed.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hexmate_movegen::Game;
use hexmate_training::inputs::{Eyes, Inputs};
use twox_hash::XxHash3_64;

use crate::random::SplitMix64;
use crate::samples::Reader;

/// One game in this many is held out.
const HELD_OUT: u64 = 20;
/// Of what is held out no more positions than this are looked at: more tell nothing new.
const MOST_HELD_OUT: usize = 200_000;

/// Positions of some files.
pub struct Positions {
    bytes: Vec<u8>,
    /// Where the records to learn from begin.
    pub train: Vec<u64>,
    /// Where those of held-out games begin.
    pub held_out: Vec<u64>,
    /// Games with positions.
    pub games: usize,
    /// A hash of all of it.
    pub identity: u64,
}

impl Positions {
    /// Reads files.
    ///
    /// # Errors
    /// If one cannot be read or is damaged, or there is too little.
    pub fn read<G: Game>(game: G, files: &[PathBuf]) -> Result<Self> {
        let mut positions = Positions {
            bytes: Vec::new(),
            train: Vec::new(),
            held_out: Vec::new(),
            games: 0,
            identity: 0,
        };
        let eyes = Eyes::new(game.id());
        let mut hasher = XxHash3_64::with_seed(0);
        for file in files {
            positions.add(&eyes, game, file, &mut hasher)?;
        }
        positions.identity = hasher.finish();
        let games = positions.games;
        if positions.train.is_empty() {
            bail!("{games} games leave none to learn from; expected more of them");
        }
        if positions.held_out.is_empty() {
            // Which are, depends on their numbers and on what made them.
            bail!(
                "none of the {games} games fell among those that are held out, about one in {HELD_OUT}; expected more games, a few times {HELD_OUT}"
            );
        }
        let mut random = SplitMix64::new(1);
        random.shuffle(&mut positions.held_out);
        positions.held_out.truncate(MOST_HELD_OUT);
        Ok(positions)
    }

    fn add<G: Game>(
        &mut self,
        eyes: &Eyes,
        game: G,
        file: &Path,
        hasher: &mut XxHash3_64,
    ) -> Result<()> {
        let mut reader = Reader::open(game, file)?;
        let of_file = XxHash3_64::oneshot(reader.header.arguments().as_bytes());
        let mut inputs = Inputs::default();
        while let Some(block) = reader.next_block()? {
            hasher.write(&block.records);
            // By game, since the positions of one game share its result and its pieces.
            let held_out = SplitMix64::new(of_file ^ block.game)
                .next()
                .is_multiple_of(HELD_OUT);
            let places = match held_out {
                true => &mut self.held_out,
                false => &mut self.train,
            };
            let mut begin = self.bytes.len();
            self.bytes.extend(&block.records);
            for number in 0..block.count {
                let size = eyes.look(&self.bytes[begin..], &mut inputs);
                let size = size.with_context(|| {
                    let (file, game) = (file.display(), block.game);
                    format!("{file}: game {game}: record {number} is no position")
                })?;
                places.push(begin as u64);
                begin += size;
            }
            self.games += usize::from(block.count > 0);
        }
        Ok(())
    }

    /// What begins with the record at a place.
    pub fn record(&self, place: u64) -> &[u8] {
        &self.bytes[place as usize..]
    }
}
