//! Sets of cells in vector registers.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
use super::B256;
use super::Bits;

/// Words that every backend can handle.
#[cfg(target_arch = "x86_64")]
pub trait Words: Vectors {}
#[cfg(target_arch = "x86_64")]
impl<B: Vectors> Words for B {}
/// Words that every backend can handle.
#[cfg(not(target_arch = "x86_64"))]
pub trait Words: Bits {}
#[cfg(not(target_arch = "x86_64"))]
impl<B: Bits> Words for B {}

/// How a set of cells lies in vector registers, for gathering its bits into lanes.
///
/// The methods are unsafe because they use instructions that the processor may lack.
#[cfg(target_arch = "x86_64")]
pub trait Vectors: Bits {
    /// The set as the 256-bit backend wants it.
    type Avx2: Copy;

    /// Loads a set.
    ///
    /// # Safety
    /// The processor must have AVX2.
    unsafe fn load_avx2(self) -> Self::Avx2;

    /// The bytes at 32 indices, each below the size of the set in bytes.
    ///
    /// # Safety
    /// The processor must have AVX2.
    unsafe fn bytes_avx2(set: Self::Avx2, index: __m256i) -> __m256i;

    /// Loads a set, repeated as often as it fits.
    ///
    /// # Safety
    /// The processor must have AVX-512 F and BW.
    unsafe fn load_avx512(self) -> __m512i;

    /// Moves all cells of a set by one step of a densely numbered board; `None` for a word that has no fast
    /// way to do it.
    ///
    /// A step keeps cells in order, so the n-th source goes to the n-th target: sources are packed and then
    /// unpacked onto the targets, whatever the differences between their indices. `staying` has the sources
    /// whose targets are in the same 64 bits and those targets, `changing` the others; `up` says whether the
    /// step leads to larger indices.
    ///
    /// # Safety
    /// The processor must have BMI2.
    unsafe fn carry(self, staying: [Self; 2], changing: [Self; 2], up: bool) -> Option<Self>;

    /// The bytes at 64 indices, each below the size of the set in bytes.
    ///
    /// # Safety
    /// The processor must have AVX-512 F, BW and VBMI.
    unsafe fn bytes_avx512(set: __m512i, index: __m512i) -> __m512i;

    /// The same of two sets: of one in the lower half, of the other in the upper.
    ///
    /// # Safety
    /// The processor must have AVX-512 F, BW and VBMI.
    unsafe fn bytes_of_two_avx512(sets: __m512i, index: __m512i) -> __m512i;
}

#[cfg(target_arch = "x86_64")]
impl Vectors for u128 {
    type Avx2 = __m256i;

    #[inline(always)]
    #[allow(clippy::multiple_unsafe_ops_per_block)] // three bit extractions and deposits, one reason
    unsafe fn carry(
        self,
        [from, to]: [u128; 2],
        [away, there]: [u128; 2],
        up: bool,
    ) -> Option<u128> {
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
            Some(u128::from(new_low) | u128::from(new_high) << 64)
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

#[cfg(target_arch = "x86_64")]
impl Vectors for B256 {
    #[inline(always)]
    unsafe fn carry(self, _: [B256; 2], _: [B256; 2], _: bool) -> Option<B256> {
        None
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
