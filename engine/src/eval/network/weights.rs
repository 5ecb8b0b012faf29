//! The numbers of a network, and the file that they are kept in.
//!
//! `docs/networks.md` describes the file. Reading checks that no sum can overflow, whatever stands on the board, so
//! that the arithmetic needs no checks.

use hexmate_movegen::{Game, GameId, Position, with_game};

use super::features::{Features, Fnv, shape_of};
use super::lanes::{self, LANE, Lane};
use crate::score::{MATE_IN_MAX, Score};

const MAGIC: &[u8; 8] = b"HEXMNETW";
const VERSION: u16 = 1;

/// What a sum of the hidden layer of 1 is as a whole number; sums are clamped to 0 up to this.
pub(super) const ONE_HIDDEN: i32 = 255;
/// What an output weight of 1 is as a whole number.
const ONE_OUTPUT: i32 = 64;
/// Centipawns for an output of 1.
const CENTIPAWNS: i32 = 400;

/// The largest hidden layer.
const MOST_HIDDEN: usize = 1024;
/// The longest comment, in bytes: the file has its length in 16 bits.
const MOST_COMMENT: usize = u16::MAX as usize;
/// The most output buckets.
const MOST_BUCKETS: usize = 16;
/// No output weight is farther from zero: its product with a clamped sum has 16 bits.
const MOST_OUTPUT: i32 = 127;
/// No bias of the output is farther from zero.
const MOST_BIAS: i32 = 1 << 24;

/// Where a bucket begins, by the men on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Buckets {
    count: usize,
    /// Men in the first array.
    men: usize,
}

impl Buckets {
    #[inline(always)]
    fn of(self, men: usize) -> usize {
        (men.saturating_sub(2) * self.count / self.men.max(2).saturating_sub(1)).min(self.count - 1)
    }
}

/// A network as plain numbers, before it is rounded or after it was read.
///
/// A hidden sum is `hidden_bias[i]` plus the `hidden[input * size + i]` of all inputs that are on. Sums are clamped to
/// 0 to 1 and squared; the output is `output_bias[b]` plus their sum weighted by `output[2 * size * b ..]`, where the
/// view of the side to move comes first, in the bucket `b` of the number of men. An output of 1 is 400 centipawns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Numbers {
    /// The size of the hidden layer: a multiple of 32.
    pub size: usize,
    /// How many output buckets there are.
    pub buckets: usize,
    /// For each input its weights.
    pub hidden: Vec<f32>,
    /// The biases of the hidden layer.
    pub hidden_bias: Vec<f32>,
    /// For each bucket the weights of both views.
    pub output: Vec<f32>,
    /// For each bucket.
    pub output_bias: Vec<f32>,
}

impl Numbers {
    /// Weights are kept within this, so that they can be rounded.
    pub const MOST: f32 = MOST_OUTPUT as f32 / ONE_OUTPUT as f32;

    /// No hidden sum may come to more than this, whatever stands on a board of so many cells: then it does not either
    /// once its terms are rounded, each by half a step.
    pub fn most_sum(cells: usize) -> f32 {
        (f32::from(i16::MAX) - (cells + 1) as f32) / ONE_HIDDEN as f32
    }

    /// What hidden weights and biases, output weights, and output biases are rounded to: parts of 1.
    pub const STEPS: [i32; 3] = [ONE_HIDDEN, ONE_OUTPUT, ONE_HIDDEN * ONE_OUTPUT];

    /// Checks that the arrays are as long as the sizes say, for so many inputs, and that all numbers are finite.
    fn check(&self, expected: usize) -> Result<(), NetworkError> {
        let (size, buckets, inputs) = (self.size, self.buckets, self.hidden.len());
        NetworkWeights::check_sizes(size, buckets)?;
        if inputs.is_multiple_of(size) && inputs != expected * size {
            let found = inputs / size;
            return Err(NetworkError::Inputs { found, expected });
        }
        for (what, numbers, expected) in [
            ("hidden weights", &self.hidden, expected * size),
            ("hidden biases", &self.hidden_bias, size),
            ("output weights", &self.output, 2 * size * buckets),
            ("output biases", &self.output_bias, buckets),
        ] {
            let found = numbers.len();
            if found != expected {
                return Err(NetworkError::Length {
                    what,
                    found,
                    expected,
                });
            }
            if let Some(place) = numbers.iter().position(|v| !v.is_finite()) {
                return Err(NetworkError::NotFinite { what, place });
            }
        }
        Ok(())
    }

    /// Which bucket positions with so many men are evaluated by.
    ///
    /// # Panics
    /// If there are no buckets.
    pub fn bucket<G: Game>(game: G, buckets: usize) -> impl Fn(usize) -> usize + Copy {
        assert!(buckets > 0, "no output buckets; expected at least 1");
        let buckets = Buckets {
            count: buckets,
            men: men_at_start(game),
        };
        move |men| buckets.of(men)
    }
}

fn men_at_start<G: Game>(game: G) -> usize {
    use hexmate_movegen::Bits;
    Position::start_of(game).occupied().count() as usize
}

/// What the networks of a game have in common.
struct Frame {
    shape: u64,
    name: &'static str,
    inputs: usize,
    cells: usize,
    men: usize,
}

impl Frame {
    fn of<G: Game>(game: G) -> Self {
        let features = Features::new(game);
        Frame {
            shape: shape_of(game),
            name: game.spec().name,
            inputs: features.count(),
            cells: features.cells(),
            men: men_at_start(game),
        }
    }
}

/// The whole numbers of a network of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights {
    /// Which shape its game has.
    shape: u64,
    /// The name of its game, and how the network was made.
    name: String,
    comment: String,
    /// Lanes of the hidden layer.
    pub(super) lanes: usize,
    pub(super) hidden: Vec<Lane>,
    pub(super) hidden_bias: Vec<Lane>,
    output: Vec<Lane>,
    output_bias: Vec<i32>,
    buckets: Buckets,
}

/// Why bytes are not a network of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum NetworkError {
    #[error("this is no network; expected a file by `hexmate train`")]
    NotANetwork,
    #[error("a network of version {found}; expected version {VERSION}")]
    OtherVersion { found: u16 },
    #[error("the network is damaged: {0}")]
    Damaged(&'static str),
    #[error("a network of {found}; expected one of {expected}")]
    OtherGame { found: String, expected: String },
    #[error(
        "the network is of {0} of another shape; expected the board, pieces, moves, first array and score of a \
         stalemate that this program has"
    )]
    OtherRules(String),
    #[error("a hidden layer of {0}; expected a multiple of {LANE} from {LANE} to {MOST_HIDDEN}")]
    HiddenSize(usize),
    #[error("{0} output buckets; expected 1 to {MOST_BUCKETS}")]
    Buckets(usize),
    #[error("{found} inputs; expected {expected}")]
    Inputs { found: usize, expected: usize },
    #[error("{found} {what}; expected {expected}")]
    Length {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("number {place} of the {what} is infinite or none; expected finite numbers")]
    NotFinite { what: &'static str, place: usize },
    #[error("a comment of {0} bytes; expected at most {MOST_COMMENT}")]
    Comment(usize),
    #[error("hidden sum {place} could come to {sum}; expected {least} to {most}", least = i16::MIN, most = i16::MAX)]
    HiddenOverflow { place: usize, sum: i64 },
    #[error("an output weight of {0}; expected -{MOST_OUTPUT} to {MOST_OUTPUT}")]
    OutputWeight(i32),
    #[error("the sum of bucket {bucket} could come to {sum}; expected at most {most}", most = i32::MAX)]
    OutputOverflow { bucket: usize, sum: i64 },
    #[error("an output bias of {0}; expected -{MOST_BIAS} to {MOST_BIAS}")]
    OutputBias(i32),
}

// A door, see `door`.

fn frame(id: GameId) -> Frame {
    with_game!(id, game => Frame::of(game))
}

impl NetworkWeights {
    /// Whether bytes begin like a network.
    pub fn is_network(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The size of the hidden layer.
    pub fn size(&self) -> usize {
        self.lanes * LANE
    }

    /// How many output buckets there are.
    pub fn buckets(&self) -> usize {
        self.buckets.count
    }

    /// How it was made.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Rounds numbers.
    ///
    /// # Errors
    /// If the arrays do not fit the game, a number is not finite, the comment is too long, or sums could overflow.
    pub fn round<G: Game>(game: G, numbers: &Numbers, comment: &str) -> Result<Self, NetworkError> {
        Self::rounded(&frame(game.id()), numbers, comment)
    }

    fn rounded(game: &Frame, numbers: &Numbers, comment: &str) -> Result<Self, NetworkError> {
        numbers.check(game.inputs)?;
        if comment.len() > MOST_COMMENT {
            return Err(NetworkError::Comment(comment.len()));
        }
        let lanes_of = |values: &[f32], one: i32| {
            let values: Vec<i16> = values
                .iter()
                .map(|v| (v * one as f32).round() as i16)
                .collect();
            lanes::of(&values)
        };
        let bias = |v: &f32| (v * (ONE_HIDDEN * ONE_OUTPUT) as f32).round() as i32;
        let weights = NetworkWeights {
            shape: game.shape,
            name: game.name.to_owned(),
            comment: comment.to_owned(),
            lanes: numbers.size / LANE,
            hidden: lanes_of(&numbers.hidden, ONE_HIDDEN),
            hidden_bias: lanes_of(&numbers.hidden_bias, ONE_HIDDEN),
            output: lanes_of(&numbers.output, ONE_OUTPUT),
            output_bias: numbers.output_bias.iter().map(bias).collect(),
            buckets: Buckets {
                count: numbers.buckets,
                men: game.men,
            },
        };
        weights.check(game)?;
        Ok(weights)
    }

    /// The numbers again, rounded as they are.
    pub fn numbers(&self) -> Numbers {
        let plain = |lanes: &[Lane], one: i32| {
            let values = lanes.iter().flat_map(|lane| lane.0);
            values.map(|v| f32::from(v) / one as f32).collect()
        };
        let bias = |&v: &i32| v as f32 / (ONE_HIDDEN * ONE_OUTPUT) as f32;
        Numbers {
            size: self.size(),
            buckets: self.buckets.count,
            hidden: plain(&self.hidden, ONE_HIDDEN),
            hidden_bias: plain(&self.hidden_bias, ONE_HIDDEN),
            output: plain(&self.output, ONE_OUTPUT),
            output_bias: self.output_bias.iter().map(bias).collect(),
        }
    }

    /// Writes a network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(self.shape.to_le_bytes());
        for text in [&self.name, &self.comment] {
            out.extend((text.len() as u16).to_le_bytes());
            out.extend(text.as_bytes());
        }
        out.extend((self.size() as u16).to_le_bytes());
        out.extend((self.buckets.count as u16).to_le_bytes());
        out.extend(((self.hidden.len() / self.lanes.max(1)) as u32).to_le_bytes());
        let values = self.hidden.iter().chain(&self.hidden_bias);
        out.extend(values.flat_map(|lane| lane.0).flat_map(i16::to_le_bytes));
        let output = self.output.iter().flat_map(|lane| lane.0);
        out.extend(output.map(|w| w as i8 as u8));
        out.extend(self.output_bias.iter().flat_map(|b| b.to_le_bytes()));
        let mut check = Fnv::default();
        check.add(&out);
        out.extend(check.0.to_le_bytes());
        out
    }

    /// The name of the game that the bytes are a network of.
    ///
    /// # Errors
    /// If they are no network of this version, or damaged.
    pub fn game_name(bytes: &[u8]) -> Result<String, NetworkError> {
        Ok(Parser::begin(bytes)?.name)
    }

    /// The built-in or shipped game that the bytes are a network of, if there is one.
    ///
    /// # Errors
    /// As [`game_name`](Self::game_name).
    pub fn game(bytes: &[u8]) -> Result<Option<GameId>, NetworkError> {
        Ok(Self::game_name(bytes)?.parse().ok())
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the bytes are not exactly a network of this game, or its sums could overflow.
    pub fn parse<G: Game>(game: G, bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::parsed(&frame(game.id()), bytes)
    }

    fn parsed(game: &Frame, bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut parser = Parser::begin(bytes)?;
        if parser.shape != game.shape {
            let (found, expected) = (parser.name, game.name.to_owned());
            return Err(if found == expected {
                NetworkError::OtherRules(found)
            } else {
                NetworkError::OtherGame { found, expected }
            });
        }
        let comment = parser.text()?;
        let size = usize::from(parser.word()?);
        let buckets = usize::from(parser.word()?);
        let inputs = parser.number()? as usize;
        check_sizes(size, buckets, inputs, game.inputs)?;
        let mut halves = |count: usize| -> Result<Vec<Lane>, NetworkError> {
            let bytes = parser.take(2 * count)?;
            let values = bytes
                .chunks_exact(2)
                .map(|b| i16::from_le_bytes([b[0], b[1]]));
            Ok(lanes::of(&values.collect::<Vec<_>>()))
        };
        let hidden = halves(inputs * size)?;
        let hidden_bias = halves(size)?;
        let output = parser.take(2 * size * buckets)?;
        let output: Vec<i16> = output.iter().map(|&b| i16::from(b as i8)).collect();
        let output_bias = parser.take(4 * buckets)?.chunks_exact(4);
        let output_bias = output_bias.map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let output_bias = output_bias.collect();
        if !parser.rest.is_empty() {
            return Err(NetworkError::Damaged("it is longer than its sizes say"));
        }
        let weights = NetworkWeights {
            shape: game.shape,
            name: parser.name,
            comment,
            lanes: size / LANE,
            hidden,
            hidden_bias,
            output: lanes::of(&output),
            output_bias,
            buckets: Buckets {
                count: buckets,
                men: game.men,
            },
        };
        weights.check(game)?;
        Ok(weights)
    }

    /// Checks the sizes of a network before there is memory for one: of its hidden layer, and the number of output
    /// buckets.
    ///
    /// # Errors
    /// If no network has such a size.
    pub fn check_sizes(hidden: usize, buckets: usize) -> Result<(), NetworkError> {
        if !(LANE..=MOST_HIDDEN).contains(&hidden) || !hidden.is_multiple_of(LANE) {
            return Err(NetworkError::HiddenSize(hidden));
        }
        if !(1..=MOST_BUCKETS).contains(&buckets) {
            return Err(NetworkError::Buckets(buckets));
        }
        Ok(())
    }

    /// Checks that no sum overflows.
    ///
    /// A hidden sum is a bias and at most one weight for each cell of the board, since no two pieces share a cell: so
    /// it is at most the bias and the sum, over the cells, of the largest weight of any piece there. The steps of an
    /// update wrap around, and its end is right if it is within 16 bits. A clamped sum is at most 255, its product
    /// with an output weight of at most 127 has 16 bits, and the sum over the layer is at most 255 * 255 times the sum
    /// of the weights.
    fn check(&self, game: &Frame) -> Result<(), NetworkError> {
        let inputs = self.hidden.len() / self.lanes.max(1);
        check_sizes(self.size(), self.buckets.count, inputs, game.inputs)?;
        let cells = game.cells;
        for place in 0..self.size() {
            let (lane, i) = (place / LANE, place % LANE);
            let weight = |input: usize| i64::from(self.hidden[input * self.lanes + lane].0[i]);
            let bias = i64::from(self.hidden_bias[lane].0[i]);
            let (mut least, mut most) = (bias, bias);
            for cell in 0..cells {
                let weights = (cell..inputs).step_by(cells).map(weight);
                let (low, high) = weights.fold((0, 0), |(l, h), w| (w.min(l), w.max(h)));
                least += low;
                most += high;
            }
            if most > i16::MAX.into() || least < i16::MIN.into() {
                let sum = if most > -least { most } else { least };
                return Err(NetworkError::HiddenOverflow { place, sum });
            }
        }
        for bucket in 0..self.buckets.count {
            let mut sum = 0;
            for lane in self.of_bucket(bucket) {
                for weight in lane.0.map(i32::from) {
                    if weight.abs() > MOST_OUTPUT {
                        return Err(NetworkError::OutputWeight(weight));
                    }
                    sum += i64::from(weight.abs() * ONE_HIDDEN * ONE_HIDDEN);
                }
            }
            if sum > i32::MAX.into() {
                return Err(NetworkError::OutputOverflow { bucket, sum });
            }
        }
        let mut biases = self.output_bias.iter().copied();
        match biases.find(|b| b.unsigned_abs() > MOST_BIAS as u32) {
            Some(bias) => Err(NetworkError::OutputBias(bias)),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn of_bucket(&self, bucket: usize) -> &[Lane] {
        let length = 2 * self.lanes;
        &self.output[bucket * length..(bucket + 1) * length]
    }

    /// The score for sums of the hidden layer, as the side to move and the other one see the board.
    #[inline(always)]
    pub(super) fn output(&self, sums: [&[Lane]; 2], men: usize) -> Score {
        let bucket = self.buckets.of(men);
        let (own, other) = self.of_bucket(bucket).split_at(self.lanes);
        let sum = lanes::output(sums[0], own) + lanes::output(sums[1], other);
        self.score(sum, bucket)
    }

    #[inline(always)]
    fn score(&self, sum: i32, bucket: usize) -> Score {
        let sum = i64::from(sum / ONE_HIDDEN + self.output_bias[bucket]);
        let score = sum * i64::from(CENTIPAWNS) / i64::from(ONE_HIDDEN * ONE_OUTPUT);
        score.clamp((1 - MATE_IN_MAX).into(), (MATE_IN_MAX - 1).into()) as Score
    }

    /// The score for these inputs, by plain arithmetic: what all other ways have to come to.
    pub fn score_of(&self, inputs: &[Vec<usize>; 2]) -> Score {
        let bucket = self.buckets.of(inputs[0].len());
        let mut sum = 0;
        for (view, inputs) in inputs.iter().enumerate() {
            let weights = &self.of_bucket(bucket)[view * self.lanes..];
            for place in 0..self.size() {
                let (lane, i) = (place / LANE, place % LANE);
                let on = inputs
                    .iter()
                    .map(|n| i32::from(self.hidden[n * self.lanes + lane].0[i]));
                let hidden = i32::from(self.hidden_bias[lane].0[i]) + on.sum::<i32>();
                let hidden = hidden.clamp(0, ONE_HIDDEN);
                sum += hidden * hidden * i32::from(weights[lane].0[i]);
            }
        }
        self.score(sum, bucket)
    }
}

fn check_sizes(
    size: usize,
    buckets: usize,
    inputs: usize,
    expected: usize,
) -> Result<(), NetworkError> {
    NetworkWeights::check_sizes(size, buckets)?;
    if inputs != expected {
        return Err(NetworkError::Inputs {
            found: inputs,
            expected,
        });
    }
    Ok(())
}

/// Takes bytes apart.
struct Parser<'b> {
    rest: &'b [u8],
    shape: u64,
    name: String,
}

impl<'b> Parser<'b> {
    /// Checks the frame: what it begins with and the checksum at its end.
    fn begin(bytes: &'b [u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::NotANetwork)?;
        let mut parser = Parser {
            rest,
            shape: 0,
            name: String::new(),
        };
        let found = parser.word()?;
        if found != VERSION {
            return Err(NetworkError::OtherVersion { found });
        }
        let end = bytes.len() - 8;
        let mut check = Fnv::default();
        check.add(&bytes[..end]);
        if bytes[end..] != check.0.to_le_bytes() {
            return Err(NetworkError::Damaged("its checksum is another one"));
        }
        parser.rest = &parser.rest[..parser.rest.len().saturating_sub(8)];
        let shape = parser.take(8)?;
        parser.shape = u64::from_le_bytes(shape.try_into().expect("eight bytes"));
        parser.name = parser.text()?;
        Ok(parser)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], NetworkError> {
        let (taken, rest) = (self.rest.split_at_checked(count))
            .ok_or(NetworkError::Damaged("it is shorter than its sizes say"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u16, NetworkError> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    fn text(&mut self) -> Result<String, NetworkError> {
        let length = usize::from(self.word()?);
        let text = String::from_utf8(self.take(length)?.to_vec());
        text.map_err(|_| NetworkError::Damaged("a text in it is not UTF-8"))
    }
}
