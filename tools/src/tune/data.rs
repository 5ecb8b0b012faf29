//! Training data: what `hexmate datagen` wrote, as lines or packed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hexmate_engine::{Handmade, MopUp, Score};
use hexmate_movegen::{Game, Position, Side};
use hexmate_training::packed::{Codec, Origin};
use hexmate_training::tuning::{Curve, Sample};
use rayon::prelude::*;

use crate::lines::{self, Lines};
use crate::random::SplitMix64;
use crate::samples::{self, Reader};
use crate::whole;

/// Lines that are parsed at once.
const BATCH: usize = 1 << 14;

/// One game in this many is held out.
const HELD_OUT: u64 = 10;

/// All positions of some files.
#[derive(Default)]
pub struct Data {
    /// The training set, in random order.
    pub train: Vec<Sample>,
    /// The positions of held-out games.
    pub held_out: Vec<Sample>,
    /// How many games they are from.
    pub games: usize,
    /// Positions that were left out, since weights are not all that evaluates them: one king is bare, or a side has
    /// too little to mate with.
    pub left_out: usize,
    /// The file and the game of the last position.
    last: Option<(u64, u64)>,
}

/// How `datagen` begins the comment before its lines; the name of the game follows.
const HEADING: &[u8] = b"# hexmate datagen ";
/// The option in it that says that all games were played to their end.
const TO_THE_END: &[u8] = b"--to-the-end";

/// The lines of a text of positions. What the headings say that `datagen` wrote for another game is refused: most
/// positions of one game can be read as those of another.
pub struct TextLines<R> {
    lines: Lines<R>,
    game: &'static str,
    /// Whether a heading so far is of games that were not all played to their end.
    pub cut_short: bool,
}

impl<R: BufRead> TextLines<R> {
    /// The lines of `reader`, which are to be of this game.
    pub fn new(game: &'static str, reader: R) -> Self {
        let lines = Lines::new(reader);
        TextLines {
            lines,
            game,
            cut_short: false,
        }
    }

    /// The next line that is neither blank nor a comment; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read, or a heading before the line names another game.
    pub fn next_line(&mut self) -> Result<Option<lines::Line>> {
        let mut other = None;
        let line = self.lines.next_line_after(|number, comment| {
            let heading = comment.strip_prefix(HEADING);
            self.cut_short |= heading.is_some_and(|heading| {
                !heading
                    .split(u8::is_ascii_whitespace)
                    .any(|word| word == TO_THE_END)
            });
            let found = heading.and_then(first_word);
            if let Some(found) = found.filter(|found| *found != self.game) {
                other.get_or_insert((number, found.to_owned()));
            }
        })?;
        match other {
            Some((number, found)) => bail!(
                "line {number}: positions of {found}; expected {}",
                self.game
            ),
            None => Ok(line),
        }
    }
}

fn first_word(text: &[u8]) -> Option<&str> {
    str::from_utf8(text).ok()?.split_whitespace().next()
}

/// Whether the games of a packed file were not all played to their end.
///
/// # Errors
/// As [`packed`].
pub fn is_cut_short<G: Game>(game: G, file: &Path) -> Result<bool> {
    let terms = Reader::open(game, file)?.header.terms;
    let mut words = terms.split_whitespace().map(str::as_bytes);
    Ok(!words.any(|word| word == TO_THE_END))
}

/// One line.
pub struct Line<G: Game> {
    /// The number of its game.
    pub game: u64,
    pub position: Position<G>,
    /// The search score, from White's side.
    pub score: Score,
    /// White's share of the point.
    pub quarters: u8,
}

impl Data {
    /// Sets the target to `lambda` parts of the result and the rest of what the search score promises.
    pub fn mix(&mut self, lambda: f32, curve: Curve) {
        for sample in self.train.iter_mut().chain(&mut self.held_out) {
            sample.target =
                lambda * sample.result + (1.0 - lambda) * curve.expectation(sample.score);
        }
    }

    /// Reads files.
    ///
    /// # Errors
    /// If a file cannot be read or a line is not what `datagen` writes.
    pub fn read<G: Game>(files: &[PathBuf], evaluator: &Handmade<G>, seed: u64) -> Result<Data> {
        let mut data = Data::default();
        for (number, file) in (0..).zip(files) {
            data.add(file, number, evaluator, seed)
                .with_context(|| file.display().to_string())?;
        }
        if data.train.is_empty() || data.held_out.is_empty() {
            bail!(
                "{} games are too few to learn from and to hold some out",
                data.games
            );
        }
        let mut random = SplitMix64::new(seed);
        for i in (1..data.train.len()).rev() {
            let other = random.next() % (i as u64 + 1);
            data.train.swap(i, other as usize);
        }
        Ok(data)
    }

    fn add<G: Game>(
        &mut self,
        file: &Path,
        number: u64,
        evaluator: &Handmade<G>,
        seed: u64,
    ) -> Result<()> {
        if file.as_os_str() != "-" && samples::is_packed(file)? {
            return packed(evaluator.game(), file, |lines| {
                let of_line = |line: &Line<G>| (line.game, sample_of(line, evaluator));
                self.take(lines.par_iter().map(of_line).collect(), number, seed);
            });
        }
        let file = BufReader::new(whole::open_or_stdin(file)?);
        let mut lines = TextLines::new(evaluator.game().id().name(), file);
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH
                && let Some(line) = lines.next_line()?
            {
                batch.push(line);
            }
            if batch.is_empty() {
                return Ok(());
            }
            let samples = batch.par_iter().map(|line| {
                sample(line, evaluator).with_context(|| format!("line {}", line.number))
            });
            self.take(samples.collect::<Result<Vec<_>>>()?, number, seed);
        }
    }

    /// Adds positions with the numbers of their games.
    fn take(&mut self, samples: Vec<(u64, Sample)>, number: u64, seed: u64) {
        for (game, sample) in samples {
            if self.last != Some((number, game)) {
                self.games += 1;
                self.last = Some((number, game));
            }
            if sample.trace.mop_up != MopUp::None {
                self.left_out += 1;
                continue;
            }
            // By game, since the positions of one game share its result.
            let lot = SplitMix64::new(seed ^ number << 48 ^ game).next() % HELD_OUT;
            if lot == 0 {
                self.held_out.push(sample);
            } else {
                self.train.push(sample);
            }
        }
    }
}

/// Calls `each` with the positions of every game of a packed file that were on the board: the others have no result.
///
/// # Errors
/// If the file cannot be read, is damaged or of another game.
pub fn packed<G: Game>(game: G, file: &Path, mut each: impl FnMut(Vec<Line<G>>)) -> Result<()> {
    let mut reader = Reader::open(game, file)?;
    let codec = Codec::new(game);
    while let Some(block) = reader.next_block()? {
        let mut lines = Vec::new();
        let mut records = &block.records[..];
        for number in 0..block.count {
            let place = || format!("game {}: record {number}", block.game);
            let packed = codec.format().first(records).context("no position");
            let (size, origin) = packed
                .map(|p| (p.bytes.len(), p.origin))
                .with_context(place)?;
            if origin == Origin::Game {
                let sample = codec
                    .unpack(records)
                    .context("no position")
                    .with_context(place)?;
                let sample = sample.with_context(place)?;
                let white = sample.position.side_to_move() == Side::White;
                lines.push(Line {
                    game: block.game,
                    position: sample.position,
                    score: if white { sample.score } else { -sample.score },
                    quarters: if white {
                        sample.quarters
                    } else {
                        4 - sample.quarters
                    },
                });
            }
            records = &records[size..];
        }
        each(lines);
    }
    Ok(())
}

/// The number of a line's game, and its position.
fn sample<G: Game>(line: &lines::Line, evaluator: &Handmade<G>) -> Result<(u64, Sample)> {
    let line = Line::read(evaluator.game(), line)?;
    Ok((line.game, sample_of(&line, evaluator)))
}

fn sample_of<G: Game>(line: &Line<G>, evaluator: &Handmade<G>) -> Sample {
    let result = f32::from(line.quarters) / 4.0;
    Sample {
        trace: evaluator.trace(&line.position),
        score: line.score as f32,
        result,
        target: result,
    }
}

impl<G: Game> Line<G> {
    /// Parses a line.
    ///
    /// # Errors
    ///
    /// If it was not written by `datagen`.
    pub fn read(game: G, line: &lines::Line) -> Result<Self> {
        let text = line.text.as_ref().map_err(|e| *e)?;
        Self::parse(game, text.trim_end_matches('\r'))
    }

    fn parse(of: G, line: &str) -> Result<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [game, fen, score, quarters] = fields[..] else {
            bail!(
                "{} fields; expected game, position, score and quarters with tabs between",
                fields.len()
            );
        };
        let number = |name, text: &str| {
            let value = text.parse::<i64>();
            value.map_err(|_| {
                anyhow!(
                    "'{}' is not a valid {name}",
                    text.chars().take(40).collect::<String>()
                )
            })
        };
        let quarters = number("share in quarters", quarters)?;
        if !(0..=4).contains(&quarters) {
            bail!("{quarters} quarters; expected 0 to 4");
        }
        let score = number("score", score)?;
        if !(-30_000..=30_000).contains(&score) {
            bail!("score {score}; expected -30000 to 30000");
        }
        Ok(Line {
            game: u64::try_from(number("game", game)?).context("the game's number is below 0")?,
            position: Position::from_fen(of, fen).context("the position")?,
            score: score as Score,
            quarters: quarters as u8,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::Glinski;

    /// A knight against a bare king, and against a bishop: weights are not all that evaluates these.
    #[test]
    fn positions_that_weights_alone_do_not_evaluate_are_left_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let start = Position::<Glinski>::start();
        let bare = "1/1k1/5/7/9/11/11/4K6/3N7/11/11 w - - 0 1";
        let few = "1/1k1/2b2/7/9/11/11/4K6/3N7/11/11 w - - 0 1";
        let lines = [(start.to_string().as_str(), 10), (bare, 0), (few, 0)]
            .map(|(fen, score)| format!("{fen}\t{score}\t2\n"));
        let games = (0..40).flat_map(|game| lines.each_ref().map(|l| format!("{game}\t{l}")));
        std::fs::write(file.path(), games.collect::<String>()).unwrap();
        let evaluator = Handmade::<Glinski>::default();
        let data = Data::read(&[file.path().to_owned()], &evaluator, 1).unwrap();
        assert_eq!((data.games, data.left_out), (40, 80));
        assert_eq!(data.train.len() + data.held_out.len(), 40);
        let samples = data.train.iter().chain(&data.held_out);
        assert!(samples.into_iter().all(|s| s.trace.mop_up == MopUp::None));
    }
}
