//! What `hexmate train` and `hexmate tune` compute: packed positions, networks and weights while they learn. Files are
//! the program's.
//!
//! It is a crate of its own so that it is compiled with full optimisation, which the program is not; so what is called
//! for each position is not generic.
//!
//! From the bottom up: [`packed`] has positions in a few dozen bytes, [`inputs`] takes the inputs of a network out of
//! them, [`floats`] is arithmetic on rows of numbers, [`model`] is a network with its gradient and its steps;
//! [`tuning`] is the same for the weights of the handmade evaluation.

#![forbid(unsafe_code)]

pub mod floats;
pub mod inputs;
pub mod model;
pub mod packed;
pub mod tuning;
