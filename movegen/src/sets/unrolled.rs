//! Loops over what a game has a few of.

/// Runs a block for each number below a count of a game's plan: `unrolled!(G, plan, class_count, i => ...)`. For a
/// fixed game the number is a constant in each copy of the block. In a loop, what depends on it (kinds, classes, axes,
/// words) would be looked up at run time, as it is for games from files.
macro_rules! unrolled {
    ($game:ty, $plan:expr, $count:ident, $i:ident => $body:expr) => {
        if const { <$game>::FIXED } {
            const { assert!(!<$game>::FIXED || <$game>::PLAN.$count <= 16, "more steps than numbers below") };
            unrolled!(@ $game, $count, $i => $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        } else {
            for $i in 0..$plan.$count {
                $body;
            }
        }
    };
    (@ $game:ty, $count:ident, $i:ident => $body:expr; $($number:literal)*) => {
        $(if const { <$game>::FIXED && <$game>::PLAN.$count > $number } {
            #[allow(non_upper_case_globals)]
            const $i: usize = $number;
            $body;
        })*
    };
}

/// The same for a small count, with the number also as an argument for types: `unrolled_few!(G, plan, pawn_steps, i,
/// PLACE => ...)`. For games from files that is always 0, and must be of no meaning.
macro_rules! unrolled_few {
    ($game:ty, $plan:expr, $count:ident, $i:ident, $place:ident => $body:expr) => {
        if const { <$game>::FIXED } {
            const { assert!(!<$game>::FIXED || <$game>::PLAN.$count <= 6, "more steps than numbers below") };
            unrolled_few!(@ $game, $count, $i, $place => $body; 0 1 2 3 4 5);
        } else {
            const $place: usize = 0;
            for $i in 0..$plan.$count {
                $body;
            }
        }
    };
    (@ $game:ty, $count:ident, $i:ident, $place:ident => $body:expr; $($number:literal)*) => {
        $(if const { <$game>::FIXED && <$game>::PLAN.$count > $number } {
            const $place: usize = $number;
            let $i = $place;
            $body;
        })*
    };
}

/// The same for a count that is a constant.
macro_rules! unrolled_constant {
    ($count:expr, $i:ident => $body:expr) => {
        const { assert!($count <= 16, "more steps than numbers below") };
        unrolled_constant!(@ $count, $i => $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    };
    (@ $count:expr, $i:ident => $body:expr; $($number:literal)*) => {
        $(if const { $count > $number } {
            #[allow(non_upper_case_globals)]
            const $i: usize = $number;
            $body;
        })*
    };
}
