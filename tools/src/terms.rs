//! What a journal must agree on with the run that goes on with it.

use std::collections::BTreeMap;

/// What decides results, by name: all of it must be the same when a run goes on.
pub type Terms = BTreeMap<String, String>;

/// Terms that are not the same.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} was {was}, and is {is}")]
pub struct TermsError {
    name: String,
    was: String,
    is: String,
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
