//! `hexmate board` as a browser and as an attacker sees it.

mod attacks;
mod client;
mod command;
mod endgame_tables;
mod levels;
mod routes;
mod searches;
mod texts;
