//! `hexmate match`, `openings` and `replay` as their users see them.

mod faults;
mod openings;
mod play;
mod resume;
mod roles;
mod run;
mod words;
