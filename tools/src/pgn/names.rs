//! Games by what people call them.

use hexmate_movegen::{GameId, UnknownGame};

/// What helps where a file of games or records names a game that is not known.
pub const GIVE_THE_FILE: &str =
    "if the game is from a file, give the file as well (--game FILE.toml)";

/// The game with this name or title, whatever its case, accents, blanks and signs: `glinski`, `Gliński`,
/// `Glinski's Hexagonal Chess`; also a longer text in which the name of just one game occurs.
///
/// # Errors
/// If no game, or no single one, is meant.
pub fn game_named(text: &str) -> Result<GameId, UnknownGame> {
    let wanted = folded(text);
    let names = |game: GameId| [folded(game.name()), folded(game.spec().title)];
    let all = || GameId::shipped().iter().copied();
    if let Some(game) = all().find(|&game| names(game).contains(&wanted)) {
        return Ok(game);
    }
    let inside: Vec<GameId> = all()
        .filter(|&game| wanted.contains(&names(game)[0]))
        .collect();
    match inside[..] {
        [game] => Ok(game),
        _ => Err(UnknownGame(text.chars().take(60).collect())),
    }
}

/// Whether a text is what any of the games may be called, so that it does not say which: `Hexagonal Chess`.
pub fn is_of_any(text: &str) -> bool {
    matches!(
        folded(text).as_str(),
        "hexagonal" | "hexagonalchess" | "chesshexagonal" | "hexchess"
    )
}

/// The letters and digits of a text, small and without accents; `y` is spelt `i`, as in `Glinsky`.
fn folded(text: &str) -> String {
    let plain = text.chars().map(|c| match c {
        'ą' | 'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'ć' | 'č' | 'ç' => 'c',
        'ę' | 'é' | 'è' | 'ê' | 'ë' | 'ě' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'y' | 'Y' | 'ý' => 'i',
        'ł' => 'l',
        'ń' | 'ň' | 'ñ' | 'Ń' => 'n',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ő' | 'ø' => 'o',
        'ś' | 'š' => 's',
        'ú' | 'ù' | 'û' | 'ü' | 'ű' => 'u',
        'ź' | 'ż' | 'ž' => 'z',
        other => other.to_ascii_lowercase(),
    });
    plain.filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_titles() {
        for (text, game) in [
            ("glinski", GameId::Glinski),
            ("Gliński", GameId::Glinski),
            ("GLIŃSKI", GameId::Glinski),
            // With the accent as a character of its own, and as Latin-2 read as Latin-1.
            ("Glin\u{301}ski", GameId::Glinski),
            ("Gliñski", GameId::Glinski),
            ("Glinsky's hexagonal chess", GameId::Glinski),
            ("Glinski's Hexagonal Chess", GameId::Glinski),
            ("Hexagonal chess (Gliński)", GameId::Glinski),
            ("McCooey", GameId::Mccooey),
            ("McCooey’s hexagonal chess", GameId::Mccooey),
            ("Chromatic chess, four colours", GameId::Chromatic4),
            ("chromatic-3", GameId::Chromatic3),
        ] {
            assert_eq!(game_named(text), Ok(game), "{text}");
        }
        for text in ["", "chess", "Hexagonal chess", "glinski or mccooey"] {
            assert!(game_named(text).is_err(), "{text}");
        }
    }
}
