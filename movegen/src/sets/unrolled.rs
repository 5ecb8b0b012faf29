//! An unrolled loop.

/// Runs a block for each number below a constant, with the number as a constant. In a loop, what depends on it
/// (kinds, classes, axes, words) would be looked up at run time.
macro_rules! unrolled {
    ($count:expr, $i:ident => $body:expr) => {
        const { assert!($count <= 16, "more steps than numbers below") };
        unrolled!(@ $count, $i => $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    };
    (@ $count:expr, $i:ident => $body:expr; $($number:literal)*) => {
        $(if const { $count > $number } {
            #[allow(non_upper_case_globals)]
            const $i: usize = $number;
            $body;
        })*
    };
}
