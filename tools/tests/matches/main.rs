//! `hexmate match`, `openings` and `replay` as their users see them.

mod faults;
mod files;
mod openings;
mod play;
mod report;
mod resume;
mod roles;
mod run;
mod tournaments;
mod words;
