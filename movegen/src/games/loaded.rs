//! Games that were read at run time: one type for all that need words of the same size.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use super::{Game, GameId, fingerprint};
use crate::play::Compiled;
use crate::rules::spec::{GameSpec, MOST_CLASSES, MOST_KINDS};
use crate::rules::{LanePlan, MOST_AXES, Plan, Rules, sealed};
use crate::sets::{B256, Bits};
use crate::tables::{Tabled, Tables};

/// What a game from a file points to. It is never freed: games are small, and positions of them are plain values.
struct Data<G: Rules> {
    plan: Plan,
    fingerprint: u64,
    tables: OnceLock<Tables<G>>,
}

macro_rules! loaded {
    ($(#[doc = $doc:literal] $game:ident: $bits:ty;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy)]
        pub struct $game(&'static Data<$game>);

        impl $game {
            /// Makes a game of rules that were found to be consistent.
            pub(super) fn new(rules: &'static GameSpec) -> Self {
                $game(Box::leak(Box::new(Data {
                    plan: Plan::of(rules, <$bits>::SIZE, LanePlan::NONE),
                    fingerprint: fingerprint(rules),
                    tables: OnceLock::new(),
                })))
            }

            pub(super) const fn fingerprint(self) -> u64 {
                self.0.fingerprint
            }

            pub(super) const fn rules(self) -> &'static GameSpec {
                self.0.plan.rules
            }
        }

        /// The same rules and names: a file that is read twice makes one game.
        impl PartialEq for $game {
            fn eq(&self, other: &Self) -> bool {
                self.fingerprint() == other.fingerprint()
            }
        }

        impl Eq for $game {}

        impl Hash for $game {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.fingerprint().hash(state);
            }
        }

        impl fmt::Debug for $game {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.rules().name)
            }
        }

        impl sealed::Sealed for $game {}

        impl Rules for $game {
            type Word = $bits;
            type PerKind = [$bits; MOST_KINDS];
            type PerClass<T: Copy> = [T; MOST_CLASSES];
            type PerAxis<T: Copy> = [T; MOST_AXES];
            type PerLeaper<T: Copy> = [T; MOST_KINDS];
            type PerLaneWord<T: Copy> = [T; 0];
            const FIXED: bool = false;
            const PLAN: &'static Plan = &Plan::of(&GameSpec::NONE, 0, LanePlan::NONE);

            #[inline(always)]
            fn plan(self) -> &'static Plan {
                &self.0.plan
            }
        }

        impl Tabled for $game {
            #[inline]
            fn lookup(self) -> &'static Tables<Self> {
                self.0.tables.get_or_init(|| self.build_tables())
            }
        }

        impl Compiled for $game {
            compiled!();
        }

        impl Game for $game {
            type Bits = $bits;

            fn id(self) -> GameId {
                GameId::$game(self)
            }
        }
    )*};
}

loaded! {
    #[doc = "A game that was read from a file, of at most 128 cells."]
    SmallGame: u128;
    #[doc = "A game that was read from a file, of at most 256 cells."]
    LargeGame: B256;
}

impl From<&'static GameSpec> for GameId {
    /// A game of rules that were read at run time. They must be consistent, as those are that a game file was
    /// accepted with, and their name must not be that of another game that ships ([`GameId::from_text`] checks that,
    /// too).
    fn from(rules: &'static GameSpec) -> Self {
        let cells = rules.board.cells();
        if cells <= <u128 as Bits>::SIZE {
            GameId::SmallGame(SmallGame::new(rules))
        } else {
            GameId::LargeGame(LargeGame::new(rules))
        }
    }
}
