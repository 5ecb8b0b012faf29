//! Whole searches, compared with slow and simple solvers.

mod any;
mod claims;
mod draws;
mod endings;
mod first_moves;
mod limits;
mod lines;
mod mates;
mod no_progress;
mod oracle;
mod problems;
mod running;
mod settle;
mod solver;
mod solving;
mod stalemates;
mod tables;
mod threads;
mod three_men;
mod whole_lines;
