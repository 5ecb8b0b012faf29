//! Arithmetic on 32 numbers of 16 bits at once. It is plain code: within `observe` it is compiled for each backend, and
//! the compiler makes vector instructions of it. Whole numbers, so all backends come to the same.

/// Numbers in a lane.
pub(super) const LANE: usize = 32;

/// Numbers side by side, as long as the longest vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Lane(pub [i16; LANE]);

/// Numbers as lanes; what does not fill one is lost.
pub(super) fn of(values: &[i16]) -> Vec<Lane> {
    let lane = |values: &[i16]| Lane(values.try_into().expect("as many as a lane has"));
    values.chunks_exact(LANE).map(lane).collect()
}

/// Sums with some inputs more and some fewer: `weights` has the lanes of each input.
#[inline(always)]
pub(super) fn update(
    sums: &mut [Lane],
    from: &[Lane],
    weights: &[Lane],
    added: &[u16],
    removed: &[u16],
) {
    let lanes = sums.len();
    for (place, (sum, from)) in sums.iter_mut().zip(from).enumerate() {
        let mut lane = from.0;
        for &input in added {
            let weights = &weights[usize::from(input) * lanes + place].0;
            for i in 0..LANE {
                lane[i] = lane[i].wrapping_add(weights[i]);
            }
        }
        for &input in removed {
            let weights = &weights[usize::from(input) * lanes + place].0;
            for i in 0..LANE {
                lane[i] = lane[i].wrapping_sub(weights[i]);
            }
        }
        sum.0 = lane;
    }
}

/// The sum of the squares of clamped sums, weighted.
#[inline(always)]
pub(super) fn output(sums: &[Lane], weights: &[Lane]) -> i32 {
    let mut totals = [0i32; LANE / 2];
    for (sum, weight) in sums.iter().zip(weights) {
        let mut clamped = [0i16; LANE];
        let mut products = [0i16; LANE];
        for i in 0..LANE {
            clamped[i] = sum.0[i].clamp(0, 255);
            products[i] = clamped[i].wrapping_mul(weight.0[i]);
        }
        // Pairs, since there is an instruction for two products and their sum. Unchecked, or builds with overflow checks
        // would have no vectors here: weights that could overflow are refused when they are read.
        for (i, total) in totals.iter_mut().enumerate() {
            let product = |i| i32::from(clamped[i]) * i32::from(products[i]);
            *total = total.wrapping_add(product(2 * i).wrapping_add(product(2 * i + 1)));
        }
    }
    totals.iter().copied().fold(0, i32::wrapping_add)
}
