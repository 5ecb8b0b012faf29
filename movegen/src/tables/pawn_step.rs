//! A step of all cells of a set at once, as shifts that are known when the code is compiled.

use std::marker::PhantomData;

use super::SetStep;
use crate::rules::Rules;
use crate::rules::spec::{BoardSpec, Step, neg};
use crate::sets::Bits;

/// Cells of a set whose indices change by the same difference.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// The set, 64 bits a word.
    pub from: [u64; 4],
    pub difference: i32,
}

/// A step as shifts, one for each difference of indices: one alone where the numbering is regular.
#[derive(Clone, Copy)]
pub(crate) struct Shifts {
    pub parts: [Part; 16],
    pub len: usize,
}

impl Shifts {
    const fn new(board: &BoardSpec, capacity: usize, step: Step) -> Self {
        let none = Part {
            from: [0; 4],
            difference: 0,
        };
        let mut shifts = Shifts {
            parts: [none; 16],
            len: 0,
        };
        let (width, height) = board.extent();
        let mut place = 0;
        while place < width * height {
            let (a, y) = ((place % width) as i8, (place / width) as i8);
            let from = board.index(capacity, a, y);
            let to = board.index(capacity, a + step.0, y + step.1);
            if let (Some(from), Some(to)) = (from, to) {
                shifts.add(from, to as i32 - from as i32);
            }
            place += 1;
        }
        shifts
    }

    const fn add(&mut self, from: usize, difference: i32) {
        let mut part = 0;
        while part < self.len && self.parts[part].difference != difference {
            part += 1;
        }
        if part == self.len {
            self.parts[part].difference = difference;
            self.len += 1;
        }
        self.parts[part].from[from / 64] |= 1 << (from % 64);
    }
}

/// The step or capture number `PLACE` of a side's pawns.
pub(crate) struct PawnStep<G, const WHITE: bool, const CAPTURE: bool, const PLACE: usize>(
    PhantomData<G>,
);

impl<G: Rules, const WHITE: bool, const CAPTURE: bool, const PLACE: usize>
    PawnStep<G, WHITE, CAPTURE, PLACE>
{
    pub const STEP: Step = {
        let pawn = G::PLAN.rules.pawn;
        let steps = if CAPTURE { pawn.captures } else { pawn.steps };
        // `unrolled` names even the places that it leaves out.
        let step = if PLACE < steps.len() {
            steps[PLACE]
        } else {
            (0, 0)
        };
        if WHITE { step } else { neg(step) }
    };

    const SHIFTS: Shifts = Shifts::new(&G::PLAN.rules.board, G::Word::SIZE, Self::STEP);

    /// All cells of a set after the step; those that leave the board are lost.
    #[inline(always)]
    pub fn apply(table: &SetStep<G::Word>, set: G::Word) -> G::Word {
        if !G::FIXED {
            return table.apply_parts(set);
        }
        if G::PLAN.stride.is_some() {
            // One shift for all. The mask comes from the table: as constants in the code, masks of 256 bits cost
            // chromatic4 a tenth of its speed.
            let moving = set & table.sources;
            return shifted(moving, const { Self::SHIFTS.parts[0].difference });
        }
        let mut out = G::Word::EMPTY;
        unrolled_constant!(Self::SHIFTS.len, i => {
            let Part { from, difference } = const { Self::SHIFTS.parts[i] };
            out |= shifted(set & G::Word::from_words(from), difference);
        });
        out
    }
}

/// All cells of a set at indices that are larger by a difference.
#[inline(always)]
fn shifted<B: Bits>(set: B, difference: i32) -> B {
    if difference > 0 {
        set.shift_up(difference as u32)
    } else {
        set.shift_down(-difference as u32)
    }
}
