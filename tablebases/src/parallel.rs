//! Work in numbered parts on all threads. The machinery is compiled once for each type of result, not for each use.

use rayon::prelude::*;

/// Does all parts of some work.
pub(crate) fn each(parts: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..parts).into_par_iter().for_each(work);
}

/// What comes of all parts, in their order.
pub(crate) fn all<T: Send>(parts: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..parts).into_par_iter().map(work).collect()
}

/// What the first part finds that finds anything. Later parts may not be looked at.
pub(crate) fn first<T: Send>(
    parts: usize,
    work: &(dyn Fn(usize) -> Option<T> + Sync),
) -> Option<T> {
    (0..parts).into_par_iter().find_map_first(work)
}
