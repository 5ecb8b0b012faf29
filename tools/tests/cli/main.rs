//! The program as its users see it: arguments and input in; output, messages and exit codes out.

mod analyse;
mod bad_input;
mod bad_positions;
mod commands;
mod run;
