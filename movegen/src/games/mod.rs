//! The games. A new one is a file in the folder `games` of this crate and, if the generator should be compiled for it, a
//! line in the list below; no other module knows how many there are.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::game_text::{GameTextErrors, read_game, taken_name};
use crate::play::Compiled;
use crate::rules::spec::GameSpec;
use crate::rules::{Plan, Rules, sealed};
use crate::sets::{B256, Bits};
use crate::tables::{Tabled, Tables};

/// A game. Its type is compiled for it, or for all games from files with words of the same size; its value tells which
/// game it is.
///
/// The games are those that [`GameId`] names; no other crate can add a type. Where the documentation of other items
/// has bounds like `G: Rules` or `G: Compiled`, every game will do, and `G::Word` is [`Game::Bits`].
///
/// ```
/// use hexmate_movegen::{Bits, Game, GameId, Glinski};
///
/// assert_eq!(Glinski.id(), GameId::Glinski);
/// assert_eq!(Glinski.spec().title, "Gliński's hexagonal chess");
/// assert_eq!(Glinski.tables().all.count(), 91);
/// ```
pub trait Game: Compiled + Erase + Rules<Word = <Self as Game>::Bits> {
    /// The word that holds a set of cells of the board.
    type Bits: Bits;

    /// Which game it is.
    fn id(self) -> GameId;

    /// Its rules.
    #[inline]
    fn spec(self) -> &'static GameSpec {
        self.plan().rules
    }

    /// Everything precomputed from the rules: built at first use, read-only afterwards.
    #[inline]
    fn tables(self) -> &'static Tables<Self> {
        self.lookup()
    }
}

/// A game that is compiled into the program: its type alone tells which one.
pub trait BuiltIn: Game + Default {
    /// The game.
    const GAME: Self;
    /// Which game it is.
    const ID: GameId;
    /// Its rules.
    const SPEC: &'static GameSpec = Self::PLAN.rules;
}

/// No game has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown game '{0}'; the games are {list}", list = GameId::names())]
pub struct UnknownGame(pub String);

macro_rules! games {
    ($($file:ident { $($game:ident: $bits:ty, $spec:ident;)* })*) => {
        /// A game chosen at run time; [`with_game!`](crate::with_game) turns it into a type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum GameId {
            $($(#[doc = concat!("The game of the type [`", stringify!($game), "`].")] $game,)*)*
            /// A game from a file, of at most 128 cells.
            SmallGame(SmallGame),
            /// A game from a file, of more cells.
            LargeGame(LargeGame),
        }

        impl GameId {
            /// Every built-in game, in the order of the documentation.
            pub const ALL: &'static [GameId] = &[$($(GameId::$game,)*)*];

            /// The rules of the game.
            pub const fn spec(self) -> &'static GameSpec {
                match self {
                    $($(GameId::$game => &$file::$spec,)*)*
                    GameId::SmallGame(game) => game.rules(),
                    GameId::LargeGame(game) => game.rules(),
                }
            }
        }

        $($(
            #[doc = concat!("The game `", stringify!($game), "` as a type.")]
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
            pub struct $game;

            impl sealed::Sealed for $game {}

            impl Rules for $game {
                type Word = $bits;
                type PerKind = [$bits; $file::$spec.pieces.len()];
                type PerClass<T: Copy> = [T; $file::$spec.classes().len];
                type PerAxis<T: Copy> = [T; $file::$spec.axes().len];
                type PerLeaper<T: Copy> = [T; $file::$spec.leapers().len];
                type PerLaneWord<T: Copy> = [T; <$game as Rules>::PLAN.lanes.words];
                const FIXED: bool = true;
                const PLAN: &'static Plan =
                    &Plan::of(&$file::$spec, <$bits as Bits>::SIZE, $file::lanes(&$file::$spec));

                #[inline(always)]
                fn plan(self) -> &'static Plan {
                    Self::PLAN
                }
            }

            impl Tabled for $game {
                #[inline]
                fn lookup(self) -> &'static Tables<Self> {
                    static TABLES: OnceLock<Tables<$game>> = OnceLock::new();
                    TABLES.get_or_init(|| self.build_tables())
                }
            }

            impl Compiled for $game {
                compiled!();
            }

            impl Game for $game {
                type Bits = $bits;

                fn id(self) -> GameId {
                    GameId::$game
                }
            }

            impl BuiltIn for $game {
                const GAME: Self = $game;
                const ID: GameId = GameId::$game;
            }
        )*)*

        /// Calls a macro with the types of all games, those from files last: `list_games!(name)` is `name!(Glinski,
        /// Hexachess, ...,)`.
        macro_rules! list_games {
            ($callback:ident) => {
                $callback!($($($game,)*)* SmallGame, LargeGame,);
            };
        }

        /// Calls a macro with the paths of the types of all games, those from files last:
        /// `with_game_types!(name)` is `name!(hexmate_movegen::Glinski, ...,)`.
        #[macro_export]
        macro_rules! with_game_types {
            ($callback:ident) => {
                $callback!($($($crate::$game,)*)* $crate::SmallGame, $crate::LargeGame,);
            };
        }

        /// Evaluates an expression for every built-in game, with the game's type in place of the name:
        /// `for_each_game!(G => check::<G>())`.
        ///
        /// ```
        /// use hexmate_movegen::{BuiltIn, Position, for_each_game};
        ///
        /// for_each_game!(G => {
        ///     let start = Position::<G>::start();
        ///     assert_eq!(start.to_string(), G::SPEC.start);
        /// });
        /// ```
        #[macro_export]
        macro_rules! for_each_game {
            ($g:ident => $body:expr) => {
                $($({
                    type $g = $crate::$game;
                    $body;
                })*)*
            };
        }

        /// Makes a test for each built-in game of a function that is generic over [`BuiltIn`](crate::BuiltIn): after
        /// `test_each_game!(check)` the tests `check::Glinski` and so on call `check::<Glinski>()`.
        #[macro_export]
        macro_rules! test_each_game {
            ($test:ident) => {
                #[cfg(test)]
                #[allow(non_snake_case)] // named after the games
                mod $test {
                    $($(#[test]
                    fn $game() {
                        super::$test::<$crate::$game>();
                    })*)*
                }
            };
        }

        /// Evaluates an expression with the type of a built-in game in place of a name, for tests and measurements:
        /// `with_built_in!(id, G => Position::<G>::start())`.
        ///
        /// # Panics
        /// If the game was read from a file.
        #[macro_export]
        macro_rules! with_built_in {
            ($id:expr, $g:ident => $body:expr) => {
                match $id {
                    $($($crate::GameId::$game => {
                        type $g = $crate::$game;
                        $body
                    })*)*
                    other => panic!("{other} is not built in"),
                }
            };
        }

        /// Evaluates an expression with the [`Game`](crate::Game) that a run-time [`GameId`](crate::GameId) names:
        /// `with_game!(id, game => perft(&Position::start_of(game), 3))`. It is compiled for each type of game.
        #[macro_export]
        macro_rules! with_game {
            ($id:expr, $value:ident => $body:expr) => {
                match $id {
                    $($($crate::GameId::$game => {
                        let $value = $crate::$game;
                        $body
                    })*)*
                    $crate::GameId::SmallGame($value) => $body,
                    $crate::GameId::LargeGame($value) => $body,
                }
            };
        }
    };
}

// The games for which the generator is compiled: the type of the game, the word of a set of its cells (`u128` below
// 128 cells, else `B256`), and its constant, which is named as its file in the folder `games` is.
games! {
    data {
        Glinski: u128, GLINSKI;
        Hexachess: u128, HEXACHESS;
        Mccooey: u128, MCCOOEY;
        Chromatic3: u128, CHROMATIC3;
        Chromatic4: B256, CHROMATIC4;
    }
}

// What makes these games fast: their paths lie in few words of lanes, of the smaller ones in one that is split.
const _: () = {
    assert!(Glinski::PLAN.lanes.words == 1 && Glinski::PLAN.lanes.split[0]);
    assert!(Hexachess::PLAN.lanes.words == 1 && Hexachess::PLAN.lanes.split[0]);
    assert!(Mccooey::PLAN.lanes.words == 1 && Mccooey::PLAN.lanes.split[0]);
    assert!(Chromatic3::PLAN.lanes.words == 4);
    assert!(Chromatic4::PLAN.lanes.words == 3);
};

// After the list, whose macros it uses.
mod any;
mod data;
mod loaded;

use any::Erase;
pub use any::{AnyPosition, AnyRecord};
pub use data::{GAME_TEXTS, SHIPPED_GAMES};
pub use loaded::{LargeGame, SmallGame};

impl GameId {
    /// The name that commands and files use.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// Every game that the program knows by name: the built-in ones, and those that ship as files.
    pub fn shipped() -> &'static [GameId] {
        static GAMES: OnceLock<Vec<GameId>> = OnceLock::new();
        GAMES.get_or_init(|| {
            let built_in = |name: &str| Self::ALL.iter().find(|g| g.name() == name);
            let others = SHIPPED_GAMES
                .iter()
                .filter(|spec| built_in(spec.name).is_none());
            let others = others.map(|&spec| GameId::from(spec));
            Self::ALL.iter().copied().chain(others).collect()
        })
    }

    /// Reads a game from the text of its file, as `docs/game-files.md` describes it; it may inherit from games that
    /// ship. What it is made of is never freed: read a file once.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with lines and keys; also the name of another game that ships,
    /// since weights, tables and results go by the name.
    ///
    /// ```
    /// use hexmate_movegen::{AnyPosition, GameId};
    ///
    /// let text = "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'\n[ends]\nstalemate = '1/2'";
    /// let calm = GameId::from_text(text).unwrap();
    /// assert_eq!(calm.name(), "calm");
    /// assert_eq!(AnyPosition::start(calm).perft(2), 2586);
    /// ```
    pub fn from_text(text: &str) -> Result<Self, GameTextErrors> {
        let rules = read_game(text, GAME_TEXTS)?;
        let namesake = Self::shipped().iter().find(|g| g.name() == rules.name);
        if namesake.is_some_and(|shipped| shipped.fingerprint() != fingerprint(&rules)) {
            return Err(taken_name(text, rules.name));
        }
        let rules: &'static GameSpec = Box::leak(Box::new(rules));
        Ok(GameId::from(rules))
    }

    /// Whether the game was read at run time.
    pub const fn is_from_file(self) -> bool {
        matches!(self, GameId::SmallGame(_) | GameId::LargeGame(_))
    }

    /// A hash of the rules, the title and the names of pieces: two games are the same if it is the same. It may change
    /// with the version of the program.
    ///
    /// The file of a built-in game makes the same game, but another value: its positions are of another type, and an
    /// engine of the one takes no records of the other.
    pub fn fingerprint(self) -> u64 {
        match self {
            GameId::SmallGame(game) => game.fingerprint(),
            GameId::LargeGame(game) => game.fingerprint(),
            built_in => fingerprint(built_in.spec()),
        }
    }

    /// All names, with commas between them.
    pub fn names() -> String {
        let names: Vec<_> = Self::shipped().iter().map(|g| g.name()).collect();
        names.join(", ")
    }
}

/// A hash of rules (FNV-1a of their debug text). What is said about them, and leaf counts, make no other game.
fn fingerprint(rules: &GameSpec) -> u64 {
    let rules = GameSpec {
        source: "",
        readings: &[],
        proof: &[],
        ..*rules
    };
    let text = format!("{rules:?}");
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Self, UnknownGame> {
        let found = Self::shipped().iter();
        let found = found.copied().find(|g| g.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownGame(name.to_owned()))
    }
}
