//! Which draws one side holds only by giving check for ever.
//!
//! No rule knows a perpetual check; published figures do. A drawn position is counted here if the defender
//! cannot hold it otherwise: if he would lose once checks without end counted as a loss for him. So the
//! defender must be able to make a move that gives no check again and again, or to reach a draw of fewer
//! men or a stalemate (a Büchi game, solved by the nested fixed points of the textbooks).

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::folder::Folder;
use crate::format::TableError;
use crate::material::Material;
use crate::moves::{Child, Game, Lookup};
use crate::solve::PIECE;
use crate::table::Table;
use crate::value::{Code, DRAW, ILLEGAL};

/// The position is drawn.
const DRAWN: u8 = 1;
/// Its side to move is in check.
const CHECK: u8 = 2;
/// It was held in the round before.
const HELD: u8 = 4;
/// From it the defender reaches a move without check to what was held.
const REACHES: u8 = 8;
/// It has come to that at this step.
const NEW: u8 = 16;
/// To be looked at.
const CANDIDATE: u8 = 32;

/// What moves lead to: not drawn, or drawn with the flags.
const DECIDED: Code = 0x100;

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
        let pieces = self.0[side as usize].par_chunks(PIECE).enumerate();
        pieces.for_each(|(piece, flags)| {
            for (i, flag) in flags.iter().enumerate() {
                f(piece * PIECE + i, flag);
            }
        });
    }
}

/// As seen by [`Game::children`].
struct View<'f> {
    flags: &'f Flags,
    table: &'f Table,
}

impl Lookup for View<'_> {
    fn at(&self, side: Side, index: usize) -> Code {
        let flags = self.flags.get(side, index);
        if flags & DRAWN != 0 {
            return flags.into();
        }
        match self.table.code_at(side, index) {
            ILLEGAL => ILLEGAL,
            _ => DECIDED,
        }
    }
}

struct Analysis<'f> {
    game: &'f Game,
    view: View<'f>,
    defender: Side,
}

impl Analysis<'_> {
    /// Whether the defender, to move, can do without a check at once.
    fn is_free(&self, index: usize) -> bool {
        let cells = self.game.layout.cells(index);
        let (mut moves, mut free) = (false, false);
        self.game
            .children(&self.view, self.defender, &cells, |child| {
                let code = match child {
                    Child::Within(code) | Child::Beyond(code) => code,
                };
                moves |= code != ILLEGAL;
                free |= match child {
                    Child::Beyond(code) => code == DRAW,
                    Child::Within(ILLEGAL | DECIDED) => false,
                    Child::Within(flags) => flags as u8 & (CHECK | HELD) == HELD,
                };
                !free
            });
        // Stalemated: that is a draw without checks, too.
        free || !moves
    }

    /// Whether the attacker, to move, has no move but to where the defender has what he needs, to other
    /// draws, and to lost positions.
    fn is_caught(&self, index: usize) -> bool {
        let cells = self.game.layout.cells(index);
        self.game.children(
            &self.view,
            self.defender.other(),
            &cells,
            |child| match child {
                Child::Within(ILLEGAL | DECIDED) | Child::Beyond(_) => true,
                Child::Within(flags) => flags as u8 & REACHES != 0,
            },
        )
    }

    /// From where the defender can reach a free move, held ones as of the round before.
    fn reach(&self) {
        let (flags, attacker) = (self.view.flags, self.defender.other());
        let drawn = |flag: &AtomicU8| flag.load(Ordering::Relaxed) & (DRAWN | REACHES) == DRAWN;
        flags.each(self.defender, |index, flag| {
            if drawn(flag) && self.is_free(index) {
                flag.fetch_or(REACHES | NEW, Ordering::Relaxed);
            }
        });
        flags.each(attacker, |_, flag| {
            if drawn(flag) {
                flag.fetch_or(CANDIDATE, Ordering::Relaxed);
            }
        });
        let changed = AtomicBool::new(true);
        while changed.swap(false, Ordering::Relaxed) {
            self.tell(self.defender, |index| {
                if flags.get(attacker, index) & (DRAWN | REACHES) == DRAWN {
                    flags.add(attacker, index, CANDIDATE);
                }
            });
            flags.each(attacker, |index, flag| {
                if flag.load(Ordering::Relaxed) & CANDIDATE != 0 {
                    flag.fetch_and(!CANDIDATE, Ordering::Relaxed);
                    if self.is_caught(index) {
                        flag.fetch_or(REACHES | NEW, Ordering::Relaxed);
                    }
                }
            });
            self.tell(attacker, |index| {
                if flags.get(self.defender, index) & (DRAWN | REACHES) == DRAWN {
                    flags.add(self.defender, index, REACHES | NEW);
                    changed.store(true, Ordering::Relaxed);
                }
            });
        }
    }

    /// Calls `f` for what may come before the new positions of a side to move, and makes them old.
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

    /// Takes what was reached as what is held; whether that changed anything.
    fn next_round(&self) -> bool {
        let changed = AtomicBool::new(false);
        for side in Side::BOTH {
            self.view.flags.each(side, |_, flag| {
                let old = flag.load(Ordering::Relaxed);
                let held = if old & REACHES != 0 { HELD } else { 0 };
                if held != old & HELD {
                    changed.store(true, Ordering::Relaxed);
                }
                flag.store(old & (DRAWN | CHECK) | held, Ordering::Relaxed);
            });
        }
        changed.load(Ordering::Relaxed)
    }
}

/// How a side holds drawn positions, counted as they stand on the board, with White and with Black to move.
/// Sides are those of the table itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Those that it cannot lead into a draw of fewer men, or a stalemate.
    pub lasting: [u64; 2],
    /// Of those, the ones that it holds by giving check for ever and not otherwise.
    pub perpetual: [u64; 2],
}

impl Folder {
    /// How a side holds the drawn positions of some material. `None` where both sides have pawns: a chance
    /// to capture en passant is not in the table.
    ///
    /// # Errors
    /// If a table is not there or cannot be used.
    pub fn held(
        &mut self,
        material: &Material,
        defender: Side,
    ) -> Result<Option<Held>, TableError> {
        let material = material.canonical(self.rules());
        if material.has_en_passant() {
            return Ok(None);
        }
        let table = self.table(&material)?;
        let game = self.game(&material)?;
        let layout = &game.layout;
        let flags = Flags(Side::BOTH.map(|side| {
            let indices = (0..layout.positions()).into_par_iter();
            let first = indices.map(|index| {
                if table.code_at(side, index) != DRAW {
                    return AtomicU8::new(0);
                }
                let attacked = side != defender && game.in_check(side, &layout.cells(index));
                AtomicU8::new(DRAWN | if attacked { CHECK } else { 0 })
            });
            first.collect()
        }));
        let analysis = Analysis {
            game: &game,
            view: View {
                flags: &flags,
                table: &table,
            },
            defender,
        };
        let left = || {
            Side::BOTH.map(|side| {
                let indices = (0..layout.positions()).into_par_iter();
                let left = indices.filter(|&i| flags.get(side, i) & (DRAWN | HELD) == DRAWN);
                left.map(|i| layout.weight(i, &layout.cells(i)) as u64)
                    .sum()
            })
        };
        // With nothing held, only what leaves the table is free.
        analysis.reach();
        analysis.next_round();
        let lasting = left();
        for side in Side::BOTH {
            flags.each(side, |_, flag| {
                if flag.load(Ordering::Relaxed) & DRAWN != 0 {
                    flag.fetch_or(HELD, Ordering::Relaxed);
                }
            });
        }
        loop {
            analysis.reach();
            if !analysis.next_round() {
                break;
            }
        }
        Ok(Some(Held {
            lasting,
            perpetual: left(),
        }))
    }
}
