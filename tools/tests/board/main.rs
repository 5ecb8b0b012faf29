//! `hexmate board` as a browser and as an attacker sees it.

mod attacks;
mod client;
mod command;
mod levels;
mod routes;
mod searches;
mod texts;
