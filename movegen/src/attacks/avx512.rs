//! Gathering by byte permutations and bit tests of 512 bits.

use std::arch::x86_64::*;
use std::sync::OnceLock;

use super::backend::Kernel;
use super::lanes::{Gather, LaneBackend};
use crate::sets::Vectors;
use crate::tables::{Lanes, SetStep};

/// Proof that the processor has AVX-512 F, BW, VL, VBMI and VPOPCNTDQ, and what the 256-bit backend needs.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        // Asked for each list of moves: one look at one byte.
        static FOUND: OnceLock<bool> = OnceLock::new();
        let has = *FOUND.get_or_init(|| {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        });
        has.then_some(Avx512(()))
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn compiled<B: Vectors, T: Kernel<B>>(kernel: T, backend: Avx512) -> T::Output {
    kernel.run(LaneBackend(backend))
}

impl<B: Vectors> Gather<B> for Avx512 {
    type Set = __m512i;
    type Two = __m512i;
    const HALVES: bool = false;

    #[inline(always)]
    fn set(self, bits: B) -> __m512i {
        // SAFETY: `self` proves AVX-512 F and BW.
        unsafe { bits.load_avx512() }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    fn gather(self, lanes: &Lanes, set: __m512i) -> u64 {
        // SAFETY: `self` proves AVX-512 F, BW and VBMI; both arrays are 64 readable bytes, aligned
        // because the structure is and they begin on multiples of 64.
        unsafe {
            let index = _mm512_load_si512(lanes.byte.as_ptr().cast());
            let bit = _mm512_load_si512(lanes.bit.as_ptr().cast());
            _mm512_test_epi8_mask(B::bytes_avx512(set, index), bit)
        }
    }

    #[inline(always)]
    fn two(self, first: __m512i, second: __m512i) -> __m512i {
        // A set is repeated: its lower half has all of it.
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_shuffle_i64x2(first, second, 0b01_00_01_00) }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    fn gather_halves(self, lanes: &Lanes, sets: __m512i) -> u64 {
        // SAFETY: as in `gather`.
        unsafe {
            let index = _mm512_load_si512(lanes.byte.as_ptr().cast());
            let bit = _mm512_load_si512(lanes.bit.as_ptr().cast());
            _mm512_test_epi8_mask(B::bytes_of_two_avx512(sets, index), bit)
        }
    }

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // one chain of vector instructions, one reason
    fn gather_half(self, lanes: &Lanes, half: usize, sets: __m512i) -> [u32; 2] {
        let at = half % 2 * 32;
        // SAFETY: `self` proves AVX-512 F, BW and VBMI; from 0 and from 32 both arrays have 32 readable
        // bytes, aligned because the structure is and they begin on multiples of 64.
        let hits = unsafe {
            let index = _mm256_load_si256(lanes.byte.as_ptr().add(at).cast());
            let bit = _mm256_load_si256(lanes.bit.as_ptr().add(at).cast());
            let bytes = B::bytes_of_two_avx512(sets, _mm512_broadcast_i64x4(index));
            _mm512_test_epi8_mask(bytes, _mm512_broadcast_i64x4(bit))
        };
        [hits as u32, (hits >> 32) as u32]
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
