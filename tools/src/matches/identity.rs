//! What decides the games of a match: a journal is gone on with only where all of it is the same.

use super::options::Options;
use crate::terms::Terms;

/// The terms of a match.
pub fn terms(options: &Options) -> Terms {
    let mut terms = Terms::new();
    let mut say = |name: &str, what: &dyn std::fmt::Debug| {
        terms.insert(name.to_owned(), format!("{what:?}"));
    };
    say("-variant", &options.variant.name());
    say("-tournament", &options.tournament);
    say("-games", &options.games);
    say("-srand", &options.seed);
    say("-openings", &options.openings);
    say("-resign", &options.resign);
    say("-draw", &options.draw);
    say("-maxmoves", &options.maxmoves);
    for (i, engine) in options.engines.iter().enumerate() {
        say(&format!("-engine {}", i + 1), engine);
    }
    terms
}
