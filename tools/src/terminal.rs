//! What the terminal can show, and wants to show.

use std::env::var_os;
use std::io::{IsTerminal, stderr, stdout};

/// Whether `TERM` says that nothing can be drawn.
pub fn is_dumb() -> bool {
    var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether progress can be drawn on standard error.
pub fn shows_progress() -> bool {
    stderr().is_terminal() && !is_dumb()
}

/// How many characters fit on a line of the terminal; `None` where standard output is none.
pub fn width() -> Option<usize> {
    const USUAL: usize = 80;
    let out = stdout();
    if !out.is_terminal() {
        return None;
    }
    #[cfg(unix)]
    let columns = rustix::termios::tcgetwinsize(&out).map_or(0, |size| size.ws_col);
    #[cfg(not(unix))]
    let columns = 0u16;
    Some(match columns {
        0 => USUAL,
        columns => columns.into(),
    })
}

/// Whether to print colours: on a terminal, unless `NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` forbids it; elsewhere
/// if `CLICOLOR_FORCE` asks for it.
pub fn wants_colours() -> bool {
    let variable = |name: &str| var_os(name).filter(|value| !value.is_empty());
    let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let unwanted = variable("CLICOLOR").is_some_and(|value| value == "0");
    if variable("NO_COLOR").is_some() {
        return false;
    }
    forced || stdout().is_terminal() && !is_dumb() && !unwanted
}
