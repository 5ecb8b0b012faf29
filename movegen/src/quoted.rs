//! Input, as messages quote it.

/// The beginning of a text: an input may be megabytes long.
pub(crate) fn abridged(text: &str) -> String {
    const MOST: usize = 40;
    let mut front: String = text.chars().take(MOST).map(shown).collect();
    if text.chars().nth(MOST).is_some() {
        front.push('…');
    }
    front
}

/// A character, or a sign in place of one that a terminal would obey.
pub(crate) fn shown(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}
