//! Gathering by byte shuffles of 256 bits.

use std::arch::x86_64::*;
use std::sync::OnceLock;

use super::backend::Kernel;
use super::lanes::{Gather, LaneBackend};
use crate::sets::Vectors;
use crate::tables::{Lanes, SetStep};

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        // Asked for each list of moves: one look at one byte.
        static FOUND: OnceLock<bool> = OnceLock::new();
        let has = *FOUND.get_or_init(|| {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        });
        has.then_some(Avx2(()))
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn compiled<B: Vectors, T: Kernel<B>>(kernel: T, backend: Avx2) -> T::Output {
    kernel.run(LaneBackend(backend))
}

impl<B: Vectors> Gather<B> for Avx2 {
    type Set = B::Avx2;
    type Two = [B::Avx2; 2];
    const HALVES: bool = true;

    #[inline(always)]
    fn set(self, bits: B) -> B::Avx2 {
        // SAFETY: `self` proves AVX2.
        unsafe { bits.load_avx2() }
    }

    #[inline(always)]
    fn two(self, first: B::Avx2, second: B::Avx2) -> [B::Avx2; 2] {
        [first, second]
    }

    #[inline(always)]
    fn gather(self, lanes: &Lanes, set: B::Avx2) -> u64 {
        Gather::<B>::gather_halves(self, lanes, [set; 2])
    }

    #[inline(always)]
    fn gather_halves(self, lanes: &Lanes, sets: [B::Avx2; 2]) -> u64 {
        // SAFETY: `self` proves AVX2.
        let low = unsafe { half::<B>(lanes, sets[0], 0) };
        // SAFETY: as above.
        let high = unsafe { half::<B>(lanes, sets[1], 1) };
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn gather_half(self, lanes: &Lanes, at: usize, sets: [B::Avx2; 2]) -> [u32; 2] {
        // SAFETY: `self` proves AVX2.
        let first = unsafe { half::<B>(lanes, sets[0], at) };
        // SAFETY: as above.
        let second = unsafe { half::<B>(lanes, sets[1], at) };
        [first, second]
    }

    #[inline(always)]
    fn carry(self, table: &SetStep<B>, up: bool, set: B) -> B {
        // SAFETY: `self` proves BMI2.
        let carried = unsafe { set.carry(table.staying, table.changing, up) };
        match carried {
            Some(carried) => carried,
            None => table.apply_parts(set),
        }
    }

    #[inline(always)]
    fn dispatch<T: Kernel<B>>(self, kernel: T) -> T::Output {
        // SAFETY: `self` proves every feature that `compiled` is compiled for.
        unsafe { compiled(kernel, self) }
    }
}

/// The lower or the upper 32 bits of a word, as `half` is even or odd.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
#[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
unsafe fn half<B: Vectors>(lanes: &Lanes, set: B::Avx2, half: usize) -> u32 {
    let at = half % 2 * 32;
    // SAFETY: the caller has AVX2; from 0 and from 32 both arrays have 32 readable bytes, aligned to 32
    // because the structure is aligned to 64 and they begin on multiples of 64.
    unsafe {
        let index = _mm256_load_si256(lanes.byte.as_ptr().add(at).cast());
        let bit = _mm256_load_si256(lanes.bit.as_ptr().add(at).cast());
        let hit = _mm256_and_si256(B::bytes_avx2(set, index), bit);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(hit, bit)) as u32
    }
}
