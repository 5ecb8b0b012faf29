//! Everything that determines the games of a match: a journal is continued only if all of it is the same.

use hexmate_movegen::Game;

use super::internal::InternalOptions;
use super::openings::Openings;
use super::options::{EngineSpec, OpeningOptions, Options};
use super::program;
use crate::bounded;
use crate::terms::Terms;

/// The terms of a match. Files count by their content: another book, other weights or a rebuilt engine under
/// the same name make another match.
pub fn terms<G: Game>(
    options: &Options,
    internal: &[Option<InternalOptions<G>>],
    openings: &Openings<G>,
) -> Terms {
    let mut terms = Terms::new();
    let mut say = |name: &str, what: &dyn std::fmt::Debug| {
        terms.insert(name.to_owned(), format!("{what:?}"));
    };
    // The referee, random openings, and built-in engines.
    say("hexmate", &env!("HEXMATE_ENGINE"));
    say("-variant", &options.variant.name());
    if options.variant.is_from_file() {
        say("the rules of -variant", &options.variant.fingerprint());
    }
    say("-tournament", &options.tournament);
    say("-games", &options.games);
    // Said only where they are given: journals of before they were terms stay valid.
    for (name, is_given) in [("-noswap", options.noswap), ("-reverse", options.reverse)] {
        if is_given {
            say(name, &is_given);
        }
    }
    say("-srand", &options.seed);
    say("-openings", &without_name(&options.openings));
    if let (Some((_, format)), Some(digest)) = (&options.openings.file, openings.digest()) {
        let what = format!("{format:?} {digest:016x}");
        say("what the file of -openings holds", &what);
    }
    say("-resign", &options.resign);
    say("-draw", &options.draw);
    say("-maxmoves", &options.maxmoves);
    for (i, (engine, internal)) in options.engines.iter().zip(internal).enumerate() {
        let name = format!("-engine {}", i + 1);
        say(&name, engine);
        match internal {
            Some(internal) => {
                for (option, what) in internal.contents() {
                    say(&format!("what option.{option} of {name} holds"), &what);
                }
            }
            None => say(&format!("the program of {name}"), &program_text(engine)),
        }
    }
    terms
}

/// The same book may have another name.
fn without_name(openings: &OpeningOptions) -> OpeningOptions {
    OpeningOptions {
        file: None,
        ..openings.clone()
    }
}

fn program_text(engine: &EngineSpec) -> String {
    let Some(path) = program::file_of(engine) else {
        return "absent".to_owned();
    };
    let digest = bounded::digest_of(&path);
    digest.map_or_else(|_| "unreadable".to_owned(), |hash| format!("{hash:016x}"))
}
