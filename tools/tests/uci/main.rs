//! `hexmate uci` as the programs see it that talk to it through pipes.

mod bad_commands;
mod driver;
mod eval_file;
mod games;
mod holding;
mod interruptions;
mod limits;
mod options;
mod variant_path;
