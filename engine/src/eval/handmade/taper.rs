//! Middle game and end game in one number, and how much there is of each.

use std::ops::{Add, AddAssign, Mul, Sub};

use crate::score::Score;

/// The phase of the first array; 0 is that of bare kings and pawns.
pub(super) const PHASES: i32 = 256;

/// A value for the middle game and one for the end game, side by side in one word: one addition adds
/// both. The end game's is in the upper half, less a borrow where the other is negative.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tapered(i64);

impl Tapered {
    pub const fn new(middle: i32, end: i32) -> Self {
        Tapered(((end as i64) << 32) + middle as i64)
    }

    #[inline(always)]
    pub const fn middle(self) -> i32 {
        self.0 as i32
    }

    #[inline(always)]
    pub const fn end(self) -> i32 {
        ((self.0 - self.middle() as i64) >> 32) as i32
    }

    /// The score at a phase; the same with the other sign for the negative value.
    #[inline(always)]
    pub const fn blend(self, phase: i32) -> Score {
        let middle = self.middle() as i64 * phase as i64;
        let end = self.end() as i64 * (PHASES - phase) as i64;
        ((middle + end) / PHASES as i64) as Score
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Tapered(self.0 + o.0)
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        self.0 += o.0;
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Tapered(self.0 - o.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline(always)]
    fn mul(self, times: i32) -> Self {
        Tapered(self.0 * times as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_add_up_by_themselves() {
        let mut sum = Tapered::default();
        let (mut middle, mut end) = (0, 0);
        for i in -50..80 {
            let (m, e) = (37 * i, -511 * i + 9);
            sum += Tapered::new(m, e) * 3;
            sum = sum - Tapered::new(e, m);
            middle += 3 * m - e;
            end += 3 * e - m;
            assert_eq!((sum.middle(), sum.end()), (middle, end));
        }
    }

    #[test]
    fn blends_are_odd() {
        for phase in [0, 1, 100, 255, PHASES] {
            let (a, b) = (Tapered::new(33, -71), Tapered::new(-33, 71));
            assert_eq!(a.blend(phase), -b.blend(phase));
        }
        assert_eq!(Tapered::new(33, -71).blend(PHASES), 33);
        assert_eq!(Tapered::new(33, -71).blend(0), -71);
    }
}
