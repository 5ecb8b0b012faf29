//! One perft from the starting position, to be run under `valgrind --tool=callgrind`, with the backend that
//! `HEXMATE_SIMD` names. `one_perft [GAME] [DEPTH]`; see `benches/README.md`.

use anyhow::{Context, Result};
use hexmate_movegen::{BuiltIn, Glinski, Position, Simd, perft_in, with_built_in};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let game = args.next().map_or(Ok(Glinski::ID), |a| a.parse())?;
    let depth = args.next().map_or(Ok(4), |a| a.parse());
    let depth: u32 = depth.context("the depth is a number")?;
    let form = Simd::from_environment()?;
    with_built_in!(game, G => count::<G>(form, depth));
    Ok(())
}

fn count<G: BuiltIn>(form: Simd, depth: u32) {
    let start = Position::<G>::start();
    let leaves = measured(form, &start, depth);
    let parents = perft_in(form, &start, depth.saturating_sub(1));
    println!(
        "{} depth {depth}, {form}: {leaves} leaves of {parents} parents",
        G::ID
    );
}

/// The function for callgrind to measure: it must not be inlined.
#[inline(never)]
fn measured<G: BuiltIn>(form: Simd, start: &Position<G>, depth: u32) -> u64 {
    perft_in(form, start, depth)
}
