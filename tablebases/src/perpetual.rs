//! The draws that a side holds by perpetual check.
//!
//! No rule mentions perpetual check, but published figures do. A drawn position is counted here if the
//! defender cannot convert it into fewer men, but can give check at every move from now on, until the
//! attacker lets the draw go into fewer men. Both are found by retrograde analysis.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use hexmate_movegen::Side;

use crate::folder::Folder;
use crate::format::TableError;
use crate::material::Material;
use crate::moves::{Child, Game, Lookup};
use crate::parallel;
use crate::solve::PIECE;
use crate::table::Table;
use crate::value::{Code, DRAW, ILLEGAL};

/// The position is drawn, and not known to be convertible into fewer men.
const LASTING: u8 = 1;
/// Its side to move, the attacker, is in check.
const CHECK: u8 = 2;
/// The striving side has reached its goal.
const REACHED: u8 = 4;
/// It has just reached it at this step.
const NEW: u8 = 8;
/// To be examined.
const CANDIDATE: u8 = 16;

/// What moves lead to: not lasting, or lasting with these flags.
const SETTLED: Code = 0x100;

/// The flags of all positions.
struct Flags([Vec<AtomicU8>; 2]);

impl Flags {
    fn get(&self, side: Side, index: usize) -> u8 {
        self.0[side as usize][index].load(Ordering::Relaxed)
    }

    fn add(&self, side: Side, index: usize, flag: u8) {
        self.0[side as usize][index].fetch_or(flag, Ordering::Relaxed);
    }

    fn each(&self, side: Side, f: impl Fn(usize, &AtomicU8) + Sync) {
        let flags = &self.0[side as usize];
        parallel::each(flags.len().div_ceil(PIECE), &|piece| {
            let first = piece * PIECE;
            for (i, flag) in flags[first..].iter().take(PIECE).enumerate() {
                f(first + i, flag);
            }
        });
    }

    /// Calls `f` for the lasting positions in which nothing is reached yet.
    fn each_open(&self, side: Side, f: impl Fn(usize, &AtomicU8) + Sync) {
        self.each(side, |index, flag| {
            if is_open(flag.load(Ordering::Relaxed)) {
                f(index, flag);
            }
        });
    }
}

fn is_open(flags: u8) -> bool {
    flags & (LASTING | REACHED) == LASTING
}

/// As seen by [`Game::children`].
struct View<'f> {
    flags: &'f Flags,
    table: &'f Table,
}

impl Lookup for View<'_> {
    fn at(&self, side: Side, index: usize) -> Code {
        let flags = self.flags.get(side, index);
        if flags & LASTING != 0 {
            return flags.into();
        }
        match self.table.code_at(side, index) {
            ILLEGAL => ILLEGAL,
            _ => SETTLED,
        }
    }
}

struct Analysis<'f> {
    game: &'f Game,
    view: View<'f>,
    defender: Side,
}

impl Analysis<'_> {
    /// Whether the defender, to move, has a draw with fewer men at once, or is stalemated.
    fn has_exit(&self, index: usize) -> bool {
        let (mut moves, mut exit) = (false, false);
        self.children(self.defender, index, |child| {
            moves |= !matches!(child, Child::Within(ILLEGAL) | Child::Beyond(ILLEGAL));
            exit |= matches!(child, Child::Beyond(DRAW));
            !exit
        });
        exit || !moves
    }

    /// Whether every move of the attacker that keeps the lasting draw leads to where the defender has reached
    /// its goal.
    fn must_allow(&self, index: usize) -> bool {
        self.children(self.defender.other(), index, |child| match child {
            Child::Within(ILLEGAL | SETTLED) | Child::Beyond(_) => true,
            Child::Within(flags) => flags as u8 & REACHED != 0,
        })
    }

    /// Whether every check of the defender that keeps the draw leads to where the attacker can escape the
    /// checks.
    fn runs_out_of_checks(&self, index: usize) -> bool {
        self.children(self.defender, index, |child| match child {
            Child::Within(ILLEGAL | SETTLED) | Child::Beyond(_) => true,
            Child::Within(flags) => flags as u8 & (CHECK | REACHED) != CHECK,
        })
    }

    fn children(&self, side: Side, index: usize, visit: impl FnMut(Child) -> bool) -> bool {
        let cells = self.game.layout.cells(index);
        self.game.children(&self.view, side, &cells, visit)
    }

    /// Marks as reached whatever `striver` can force: where it has the goal at once, where any of its moves
    /// leads to it, and where the other side is `caught` by what is marked.
    fn reach(
        &self,
        striver: Side,
        at_once: impl Fn(usize) -> bool + Sync,
        caught: impl Fn(usize) -> bool + Sync,
    ) {
        let (flags, other) = (self.view.flags, striver.other());
        flags.each_open(striver, |index, flag| {
            if at_once(index) {
                flag.fetch_or(REACHED | NEW, Ordering::Relaxed);
            }
        });
        flags.each_open(other, |_, flag| {
            flag.fetch_or(CANDIDATE, Ordering::Relaxed);
        });
        let changed = AtomicBool::new(true);
        while changed.swap(false, Ordering::Relaxed) {
            self.tell(striver, |index| {
                if is_open(flags.get(other, index)) {
                    flags.add(other, index, CANDIDATE);
                }
            });
            flags.each(other, |index, flag| {
                if flag.load(Ordering::Relaxed) & CANDIDATE != 0 {
                    flag.fetch_and(!CANDIDATE, Ordering::Relaxed);
                    if caught(index) {
                        flag.fetch_or(REACHED | NEW, Ordering::Relaxed);
                    }
                }
            });
            self.tell(other, |index| {
                if is_open(flags.get(striver, index)) {
                    flags.add(striver, index, REACHED | NEW);
                    changed.store(true, Ordering::Relaxed);
                }
            });
        }
    }

    /// Calls `f` for the predecessors of the new positions of a side to move, and makes these old.
    fn tell(&self, side: Side, f: impl Fn(usize) + Sync) {
        self.view.flags.each(side, |index, flag| {
            if flag.load(Ordering::Relaxed) & NEW != 0 {
                flag.fetch_and(!NEW, Ordering::Relaxed);
                let cells = self.game.layout.cells(index);
                self.game.before(side, &cells, |earlier| {
                    if let Some(index) = self.game.layout.index(earlier) {
                        f(index);
                    }
                });
            }
        });
    }

    /// The positions as they stand on the board, with White and with Black to move, in which nothing was
    /// reached.
    fn open(&self) -> [u64; 2] {
        let layout = &self.game.layout;
        let positions = layout.positions();
        Side::each(|side| {
            let weights = parallel::all(positions.div_ceil(PIECE), &|piece| {
                let indices = piece * PIECE..((piece + 1) * PIECE).min(positions);
                let open = indices.filter(|&i| is_open(self.view.flags.get(side, i)));
                open.map(|i| layout.weight(i, &layout.cells(i)) as u64)
                    .sum::<u64>()
            });
            weights.iter().sum()
        })
    }
}

/// How a side holds drawn positions, counted as they stand on the board, with White and with Black to move.
/// Sides are those of the table itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Those that it cannot convert into a draw with fewer men, or a stalemate.
    pub lasting: [u64; 2],
    /// Of those, the ones in which it can give check at every move for as long as the draw lasts.
    pub perpetual: [u64; 2],
}

impl Folder {
    /// How a side holds the drawn positions of some material. `None` where pawns may be captured en passant,
    /// since positions with such a chance are not in the table.
    ///
    /// # Errors
    ///
    /// If a table does not exist or cannot be used.
    pub fn held(
        &mut self,
        material: &Material,
        defender: Side,
    ) -> Result<Option<Held>, TableError> {
        let material = material.canonical(self.rules());
        if material.has_en_passant(self.rules()) {
            return Ok(None);
        }
        let table = self.table(&material)?;
        let game = self.game(&material)?;
        let layout = &game.layout;
        let flags = Flags(Side::each(|side| {
            parallel::all(layout.positions(), &|index| {
                if table.code_at(side, index) != DRAW {
                    return AtomicU8::new(0);
                }
                let attacked = side != defender && game.in_check(side, &layout.cells(index));
                AtomicU8::new(LASTING | if attacked { CHECK } else { 0 })
            })
        }));
        let analysis = Analysis {
            game: &game,
            view: View {
                flags: &flags,
                table: &table,
            },
            defender,
        };
        analysis.reach(
            defender,
            |index| analysis.has_exit(index),
            |index| analysis.must_allow(index),
        );
        let lasting = analysis.open();
        for side in Side::BOTH {
            flags.each(side, |_, flag| {
                if flag.load(Ordering::Relaxed) & REACHED != 0 {
                    flag.store(0, Ordering::Relaxed);
                }
            });
        }
        // The attacker's goal: a position without another check.
        analysis.reach(
            defender.other(),
            |_| false,
            |index| analysis.runs_out_of_checks(index),
        );
        Ok(Some(Held {
            lasting,
            perpetual: analysis.open(),
        }))
    }
}
