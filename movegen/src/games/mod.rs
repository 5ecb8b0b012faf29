//! The games. A new one is a file beside the others and a line in the list below; no other module
//! knows how many there are.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

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
        $(mod $file;)*

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
                    &Plan::of(&$file::$spec, <$bits as Bits>::SIZE, true);

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

// By file: the type of the game, the word of a set of its cells (`u128` below 128 cells, else `B256`), its data.
games! {
    files { Glinski: u128, GLINSKI; Hexachess: u128, HEXACHESS; Mccooey: u128, MCCOOEY; }
    chromatic3 { Chromatic3: u128, CHROMATIC3; }
    chromatic4 { Chromatic4: B256, CHROMATIC4; }
}

// After the list, whose macros it uses.
mod any;
mod loaded;

use any::Erase;
pub use any::{AnyPosition, AnyRecord};
pub use loaded::{LargeGame, SmallGame};

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the classes, and which words are split.
    fn lanes<G: BuiltIn>() -> (Vec<usize>, Vec<bool>) {
        let lanes = &G::PLAN.lanes;
        let (words, split) = (lanes.class_words, lanes.split);
        let words = words[..G::PLAN.classes.len].to_vec();
        assert_eq!(words.iter().max(), Some(&(lanes.words - 1)));
        (words, split[..lanes.words].to_vec())
    }

    #[test]
    fn paths_lie_in_few_words() {
        let halves = (vec![0, 0], vec![true]);
        assert_eq!(lanes::<Glinski>(), halves);
        assert_eq!(lanes::<Hexachess>(), halves);
        assert_eq!(lanes::<Mccooey>(), halves);
        assert_eq!(lanes::<Chromatic3>(), (vec![0, 0, 1, 2, 3], vec![false; 4]));
        let two_and_four = vec![0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2];
        assert_eq!(lanes::<Chromatic4>(), (two_and_four, vec![false; 3]));
    }
}
