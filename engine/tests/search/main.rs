//! Whole searches, compared with slow and simple solvers.

mod draws;
mod limits;
mod mates;
mod oracle;
