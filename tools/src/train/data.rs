//! Training positions in memory: packed as they were in their files, and taken apart when they are needed.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hexmate_engine::{Features, Score};
use hexmate_movegen::{Cell, Game, KING, Side};
use twox_hash::XxHash3_64;

use crate::random::SplitMix64;
use crate::samples::{Codec, Origin, Piece, Reader};

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

/// A position as a network sees it.
pub struct Inputs {
    /// The inputs that are on, as the side to move sees it and as the other one does.
    pub on: [Vec<u16>; 2],
    /// From the side to move, in centipawns.
    pub score: Score,
    /// The share of the side to move, 0 to 1.
    pub result: f32,
    /// Where it is from.
    pub origin: Origin,
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            on: Default::default(),
            score: 0,
            result: 0.0,
            origin: Origin::Game,
        }
    }
}

/// Makes inputs of packed positions.
pub struct Eyes<G: Game> {
    codec: Codec<G>,
    features: Features<G>,
    cells: &'static [Cell],
}

impl<G: Game> Eyes<G> {
    /// For a game.
    pub fn new(game: G) -> Self {
        Eyes {
            codec: Codec::new(game),
            features: Features::new(game),
            cells: game.tables().board.cells(),
        }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.features.count()
    }

    /// Takes a record apart; `false` if it is none, or not each side has one king.
    #[inline]
    pub fn look(&self, record: &[u8], out: &mut Inputs) -> bool {
        let none = Piece {
            place: 0,
            kind: 0,
            side: Side::White,
        };
        let mut pieces = [none; 256];
        let mut men = 0;
        let mut kings = [None; 2];
        let mut too_many = false;
        let packed = self.codec.read(record, |piece| {
            pieces[men] = piece;
            men += 1;
            if piece.kind == KING {
                too_many |= kings[piece.side as usize].replace(piece.place).is_some();
            }
        });
        let Some(packed) = packed else {
            return false;
        };
        let ([Some(white), Some(black)], false) = (kings, too_many) else {
            return false;
        };
        let kings = [white, black].map(|place| self.cells[usize::from(place)]);
        for (side, on) in [packed.side, packed.side.other()]
            .into_iter()
            .zip(&mut out.on)
        {
            let view = self.features.view(side, kings[side as usize]);
            on.clear();
            on.extend(pieces[..men].iter().map(|piece| {
                let cell = self.cells[usize::from(piece.place)];
                self.features.input(view, piece.side, piece.kind, cell) as u16
            }));
        }
        out.score = packed.score;
        out.result = f32::from(packed.quarters) / 4.0;
        out.origin = packed.origin;
        true
    }
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
        let eyes = Eyes::new(game);
        let mut hasher = XxHash3_64::with_seed(0);
        for file in files {
            positions.add(&eyes, game, file, &mut hasher)?;
        }
        positions.identity = hasher.finish();
        if positions.train.is_empty() || positions.held_out.is_empty() {
            bail!(
                "{} games are too few to learn from and to hold some out",
                positions.games
            );
        }
        let mut random = SplitMix64::new(1);
        random.shuffle(&mut positions.held_out);
        positions.held_out.truncate(MOST_HELD_OUT);
        Ok(positions)
    }

    fn add<G: Game>(
        &mut self,
        eyes: &Eyes<G>,
        game: G,
        file: &Path,
        hasher: &mut XxHash3_64,
    ) -> Result<()> {
        let mut reader = Reader::open(game, file)?;
        let of_file = XxHash3_64::oneshot(reader.header.terms.as_bytes());
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
                let record = &self.bytes[begin..];
                let size = eyes
                    .codec
                    .read(record, |_| {})
                    .map(|packed| packed.bytes.len());
                let size = size.filter(|_| eyes.look(record, &mut inputs));
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

    /// The record at a place.
    #[inline]
    pub fn record(&self, place: u64) -> &[u8] {
        &self.bytes[place as usize..]
    }
}
