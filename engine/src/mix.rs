//! Keys of sets of cells.

use hexmate_movegen::Bits;

/// Mixes a set into a key: each of its words is multiplied by an odd number with well spread bits (the
/// golden ratio's). The upper half of the key is the better one.
#[inline]
pub(crate) fn mix<B: Bits>(mut key: u64, set: B) -> u64 {
    for word in 0..B::SIZE / 64 {
        key = (key ^ set.word(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= key >> 29;
    }
    key
}
