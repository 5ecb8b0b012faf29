//! The games. A new one is a file beside the others and a line in the list below; no other module
//! knows how many there are.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::attacks::{self, Query};
use crate::bits::{B256, Bits, Cell, Row};
use crate::fen::{self, FenError};
use crate::form::{Simd, Words};
use crate::legal::{self, Wanted};
use crate::moves::Move;
use crate::perft;
use crate::piece::{Kind, Side};
use crate::position::Position;
use crate::setup::{PositionError, Setup};
use crate::spec::{ConstList, GameSpec, Step};
use crate::tables::Tables;

mod chromatic3;
mod chromatic4;
#[macro_use]
mod compiled;
mod files;

/// A game as a type, so that everything hot is compiled for it.
pub trait Game: Copy + Eq + fmt::Debug + Default + Send + Sync + 'static {
    /// The word that holds a set of cells of its board.
    type Bits: Bits + Words;
    /// One set of cells for each kind of piece.
    type PerKind: Copy
        + Eq
        + fmt::Debug
        + Default
        + Send
        + Sync
        + AsRef<[Self::Bits]>
        + AsMut<[Self::Bits]>;
    /// One value for each class of paths: those that the same kinds attack along.
    type PerClass<T: Copy>: Row<T>;
    /// One value for each axis of straight lines.
    type PerAxis<T: Copy>: Row<T>;
    /// One value for each kind that leaps.
    type PerLeaper<T: Copy>: Row<T>;
    /// One value for each word of lanes.
    type PerWord<T: Copy>: Row<T>;
    /// The difference of indices from one row to the next, where it is the same everywhere.
    const STRIDE: Option<i32> = Self::SPEC.board.stride(Self::Bits::SIZE);
    /// The kinds that leap.
    const LEAPERS: ConstList<Kind> = Self::SPEC.leapers();
    /// The axes of straight lines: direction and class.
    const AXES: ConstList<(Step, usize)> = Self::SPEC.axes();
    /// The classes of paths.
    const CLASSES: ConstList<u16> = Self::SPEC.classes();
    /// For each class the 64-bit word that holds its paths, see `lanes.rs`; checked when tables are
    /// built.
    const CLASS_WORDS: Self::PerClass<usize>;
    /// The number of those words.
    const WORDS: usize;
    /// Whether a word has two classes, the paths of one in its lower and of the other in its upper half.
    const SPLIT: Self::PerWord<bool>;
    /// What each of those words holds.
    const WORD_CLASSES: Self::PerWord<WordClasses>;
    /// Which game it is.
    const ID: GameId;
    /// Its rules.
    const SPEC: &'static GameSpec;

    /// Everything precomputed from the rules: built at first use, read-only afterwards.
    fn tables() -> &'static Tables<Self>;

    // What takes long to compile. A generic function is compiled anew in each crate that uses it; these
    // are functions of one game and compiled in this crate alone. `compiled.rs` says what they do.
    #[doc(hidden)]
    fn build_tables() -> Tables<Self>;
    #[doc(hidden)]
    fn list(p: &Position<Self>, simd: Simd, wanted: Wanted<Self::Bits>, moves: &mut Vec<Move>);
    #[doc(hidden)]
    fn count(p: &Position<Self>, simd: Simd) -> u32;
    #[doc(hidden)]
    fn perft(p: &Position<Self>, simd: Simd, depth: u32) -> u64;
    #[doc(hidden)]
    fn play(p: &mut Position<Self>, mv: Move);
    #[doc(hidden)]
    fn attackers(
        p: &Position<Self>,
        simd: Simd,
        cell: Cell,
        side: Side,
        occupied: Self::Bits,
    ) -> Self::Bits;
    #[doc(hidden)]
    fn in_check(p: &Position<Self>, simd: Simd) -> bool;
    #[doc(hidden)]
    fn slides(kind: Kind, cell: Cell, occupied: Self::Bits) -> Self::Bits;
    #[doc(hidden)]
    fn attacks_in(simd: Simd, query: Query<Self::Bits>) -> Self::Bits;
    #[doc(hidden)]
    fn count_slides_in(simd: Simd, kind: Kind, cell: Cell, occupancies: &[Self::Bits]) -> u64;
    #[doc(hidden)]
    fn build(setup: &Setup<Self>) -> Result<Position<Self>, PositionError>;
    #[doc(hidden)]
    fn parse(text: &str) -> Result<Position<Self>, FenError>;
    #[doc(hidden)]
    fn write(p: &Position<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// No game has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown game '{0}'; the games are {list}", list = GameId::names())]
pub struct UnknownGame(pub String);

macro_rules! games {
    ($($game:ident: $bits:ty, $spec:path, words $words:expr, split $split:expr;)*) => {
        /// A game chosen at run time; [`with_game!`](crate::with_game) turns it into a type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum GameId {
            $(#[doc = concat!("The game of the type [`", stringify!($game), "`].")] $game,)*
        }

        impl GameId {
            /// Every game, in the order of the documentation.
            pub const ALL: &'static [GameId] = &[$(GameId::$game),*];

            /// The rules of the game.
            pub const fn spec(self) -> &'static GameSpec {
                match self {
                    $(GameId::$game => &$spec,)*
                }
            }
        }

        $(
            #[doc = concat!("The game `", stringify!($game), "` as a type.")]
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
            pub struct $game;

            impl Game for $game {
                type Bits = $bits;
                type PerKind = [$bits; $spec.pieces.len()];
                type PerClass<T: Copy> = [T; $spec.classes().len];
                type PerAxis<T: Copy> = [T; $spec.axes().len];
                type PerLeaper<T: Copy> = [T; $spec.leapers().len];
                type PerWord<T: Copy> = [T; word_count(&$words)];
                const CLASS_WORDS: Self::PerClass<usize> = $words;
                const WORDS: usize = word_count(&$words);
                const SPLIT: Self::PerWord<bool> = $split;
                const WORD_CLASSES: Self::PerWord<WordClasses> =
                    word_classes(&$words, $spec.classes());
                const ID: GameId = GameId::$game;
                const SPEC: &'static GameSpec = &$spec;

                #[inline]
                fn tables() -> &'static Tables<Self> {
                    static TABLES: OnceLock<Tables<$game>> = OnceLock::new();
                    TABLES.get_or_init(Self::build_tables)
                }

                compiled!();
            }
        )*

        /// Evaluates an expression with a game type in place of a run-time [`GameId`](crate::GameId):
        /// `with_game!(id, G => perft::<G>(...))`.
        #[macro_export]
        macro_rules! with_game {
            ($id:expr, $g:ident => $body:expr) => {
                match $id {
                    $($crate::GameId::$game => {
                        type $g = $crate::$game;
                        $body
                    })*
                }
            };
        }
    };
}

const fn word_count(words: &[usize]) -> usize {
    let mut most = 0;
    let mut i = 0;
    while i < words.len() {
        if words[i] > most {
            most = words[i];
        }
        i += 1;
    }
    most + 1
}

/// The classes of paths that share a word of lanes.
#[derive(Clone, Copy, Debug)]
pub struct WordClasses {
    /// How many they are.
    pub(crate) count: usize,
    /// The kinds of all of them, bit k for kind k.
    pub(crate) users: u16,
    /// The first and the second of them, and their kinds (0 where there is none).
    pub(crate) classes: [usize; 2],
    pub(crate) class_users: [u16; 2],
}

const fn word_classes<const WORDS: usize>(
    words: &[usize],
    classes: ConstList<u16>,
) -> [WordClasses; WORDS] {
    let none = WordClasses {
        count: 0,
        users: 0,
        classes: [0; 2],
        class_users: [0; 2],
    };
    let mut out = [none; WORDS];
    let mut class = 0;
    while class < words.len() {
        let word = &mut out[words[class]];
        if word.count < 2 {
            word.classes[word.count] = class;
            word.class_users[word.count] = classes.get(class);
        }
        word.users |= classes.get(class);
        word.count += 1;
        class += 1;
    }
    out
}

games! {
    Glinski: u128, files::GLINSKI, words [0, 0], split [true];
    Hexachess: u128, files::HEXACHESS, words [0, 0], split [true];
    Mccooey: u128, files::MCCOOEY, words [0, 0], split [true];
    Chromatic3: u128, chromatic3::CHROMATIC3, words [0, 0, 1, 2, 3], split [false; 4];
    Chromatic4: B256, chromatic4::CHROMATIC4, words [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2], split [false; 3];
}

impl GameId {
    /// The name that commands and files use.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// All names, with commas between them.
    pub fn names() -> String {
        let names: Vec<_> = Self::ALL.iter().map(|g| g.name()).collect();
        names.join(", ")
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL
            .iter()
            .find(|g| g.name().eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| UnknownGame(name.to_owned()))
    }
}
