//! What all players of a match share.

use std::sync::atomic::AtomicBool;

use super::guard::Guard;
use super::log::Log;

/// What players share.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    /// Set when the match is being ended.
    pub stop: &'s AtomicBool,
    /// Kills engines that outlive the match.
    pub guard: &'s Guard,
    /// Where faults, and all communication if requested, are logged.
    pub log: &'s Log,
}
