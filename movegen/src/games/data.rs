//! The games of `games/*.toml`, as the build script writes them down.

use crate::rules::spec::*;

include!(concat!(env!("OUT_DIR"), "/games.rs"));
