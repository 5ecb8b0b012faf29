//! `hexmate match`, `openings` and `replay` as their users see them.

mod faults;
mod openings;
mod play;
mod resume;
mod run;
mod words;
