//! Gathering by byte shuffles of 256 bits.

use std::arch::x86_64::*;

use super::Task;
use super::paths::{Gather, InPathSpace, Vectors};
use crate::bits::B256;
use crate::lanes::Lanes;
use crate::tables::SetStep;

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Avx2(()))
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn compiled<B: Vectors, T: Task<B>>(task: T, form: Avx2) -> T::Output {
    task.run(InPathSpace(form))
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
        unsafe { set.carry(table, up) }
    }

    #[inline(always)]
    fn enter<T: Task<B>>(self, task: T) -> T::Output {
        // SAFETY: `self` proves every feature that `compiled` is compiled for.
        unsafe { compiled(task, self) }
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

impl Vectors for u128 {
    type Avx2 = __m256i;

    // A step keeps the order of cells: the n-th source goes to the n-th target. So sources are packed
    // and unpacked onto the targets, whatever the differences of indices are.
    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // three bit extractions and deposits, one reason
    unsafe fn carry(self, table: &SetStep<u128>, up: bool) -> u128 {
        let ([from, to], [away, there]) = (table.staying, table.changing);
        let (low, high) = (self as u64, (self >> 64) as u64);
        // SAFETY: the caller has BMI2.
        unsafe {
            let mut new_low = _pdep_u64(_pext_u64(low, from as u64), to as u64);
            let mut new_high = _pdep_u64(_pext_u64(high, (from >> 64) as u64), (to >> 64) as u64);
            if up {
                new_high |= _pdep_u64(_pext_u64(low, away as u64), (there >> 64) as u64);
            } else {
                new_low |= _pdep_u64(_pext_u64(high, (away >> 64) as u64), there as u64);
            }
            u128::from(new_low) | u128::from(new_high) << 64
        }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    unsafe fn load_avx2(self) -> __m256i {
        // SAFETY: the caller has AVX2.
        unsafe {
            let word = _mm_set_epi64x((self >> 64) as i64, self as i64);
            _mm256_broadcastsi128_si256(word)
        }
    }

    #[inline(always)]
    unsafe fn bytes_avx2(set: __m256i, index: __m256i) -> __m256i {
        // SAFETY: the caller has AVX2.
        unsafe { _mm256_shuffle_epi8(set, index) }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    unsafe fn load_avx512(self) -> __m512i {
        // SAFETY: the caller has AVX-512 F.
        unsafe {
            let word = _mm_set_epi64x((self >> 64) as i64, self as i64);
            _mm512_broadcast_i32x4(word)
        }
    }

    #[inline(always)]
    unsafe fn bytes_avx512(set: __m512i, index: __m512i) -> __m512i {
        // SAFETY: the caller has AVX-512 BW.
        unsafe { _mm512_shuffle_epi8(set, index) }
    }

    #[inline(always)]
    unsafe fn bytes_of_two_avx512(sets: __m512i, index: __m512i) -> __m512i {
        // SAFETY: the caller has AVX-512 BW.
        unsafe { _mm512_shuffle_epi8(sets, index) }
    }
}

impl Vectors for B256 {
    #[inline(always)]
    unsafe fn carry(self, table: &SetStep<B256>, _: bool) -> B256 {
        table.apply_parts(self)
    }

    /// The lower and the upper 16 bytes, each twice.
    type Avx2 = [__m256i; 2];

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    unsafe fn load_avx2(self) -> [__m256i; 2] {
        let [a, b, c, d] = self.0;
        // SAFETY: the caller has AVX2.
        unsafe {
            [
                _mm256_broadcastsi128_si256(_mm_set_epi64x(b as i64, a as i64)),
                _mm256_broadcastsi128_si256(_mm_set_epi64x(d as i64, c as i64)),
            ]
        }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    unsafe fn bytes_avx2(set: [__m256i; 2], index: __m256i) -> __m256i {
        // A shuffle gives 0 where the sign bit of the index is set: each half sees only its own.
        // SAFETY: the caller has AVX2.
        unsafe {
            let lower = _mm256_shuffle_epi8(set[0], _mm256_add_epi8(index, _mm256_set1_epi8(0x70)));
            let upper = _mm256_shuffle_epi8(set[1], _mm256_sub_epi8(index, _mm256_set1_epi8(16)));
            _mm256_or_si256(lower, upper)
        }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    unsafe fn load_avx512(self) -> __m512i {
        // SAFETY: the caller has AVX-512 F; the array is 32 readable bytes.
        unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(self.0.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn bytes_avx512(set: __m512i, index: __m512i) -> __m512i {
        // SAFETY: the caller has AVX-512 VBMI.
        unsafe { _mm512_permutexvar_epi8(index, set) }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    unsafe fn bytes_of_two_avx512(sets: __m512i, index: __m512i) -> __m512i {
        // SAFETY: the caller has AVX-512 VBMI.
        unsafe {
            let upper = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi8(32), 1);
            _mm512_permutexvar_epi8(_mm512_or_si512(index, upper), sets)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chromatic3, Game};
    use crate::spec::{leads_up, neg};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packing_moves_cells_as_shifts_do(set: u128) {
            prop_assume!(is_x86_feature_detected!("bmi2"));
            let pawn = Chromatic3::SPEC.pawn;
            for (side, table) in Chromatic3::tables().pawns.iter().enumerate() {
                let steps = table.steps.iter().zip(pawn.steps);
                for (step, &direction) in steps.chain(table.captures.iter().zip(pawn.captures)) {
                    let up = leads_up(if side == 0 { direction } else { neg(direction) });
                    // SAFETY: BMI2 was detected.
                    let carried = unsafe { set.carry(step, up) };
                    prop_assert_eq!(carried, step.apply_parts(set));
                }
            }
        }
    }
}
