//! The program as its users see it: arguments and input in; output, messages and exit codes out.

mod analyse;
mod analyse_more;
mod bad_input;
mod bad_positions;
mod batch;
mod bench;
mod commands;
#[cfg(unix)]
mod documentation;
mod eval_file;
mod explain;
mod game_files;
mod habits;
#[cfg(target_os = "linux")]
mod lacking;
#[cfg(unix)]
mod layers;
mod networks;
mod run;
mod spsa;
mod streams;
mod tables;
mod tables_of_files;
#[cfg(target_os = "linux")]
mod terminal;
mod tuning;
