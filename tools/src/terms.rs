//! The terms on which a journal must agree with the run that continues it.

use std::collections::BTreeMap;

/// Everything that determines results, by name: all of it must be the same when a run continues.
pub type Terms = BTreeMap<String, String>;

/// Terms that differ.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} was {was}, and is {is}")]
pub struct TermsError {
    /// The term.
    pub name: String,
    /// What it was.
    pub was: String,
    /// What it is.
    pub is: String,
}

/// Compares the terms of a journal with those of a run.
///
/// # Errors
/// The first term that differs.
pub fn compare(was: &Terms, is: &Terms) -> Result<(), TermsError> {
    let show = |term: Option<&String>| term.map_or("absent", |t| t).to_owned();
    for name in was.keys().chain(is.keys()) {
        let (was, is) = (was.get(name), is.get(name));
        if was != is {
            return Err(TermsError {
                name: name.clone(),
                was: show(was),
                is: show(is),
            });
        }
    }
    Ok(())
}
