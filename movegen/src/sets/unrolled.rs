//! A loop that is written out.

/// Does something with each number below a constant. Not a loop: the number must be known when the code is
/// compiled, or what depends on it (kinds, classes, axes, words) is looked up at run time.
macro_rules! unrolled {
    ($count:expr, $i:ident => $body:expr) => {
        const { assert!($count <= 16, "one more number below for each further step") };
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
