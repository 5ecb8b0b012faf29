//! What this program is: version, commit, form of the build, processor features, games.

use std::sync::LazyLock;

use hexmate_movegen::{GameId, Simd};

/// For `-V`.
pub fn short() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("HEXMATE_COMMIT"), ")")
}

/// For `--version`.
pub fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let names = |games: &[GameId]| {
            let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
            names.join(", ")
        };
        let from_files: Vec<GameId> = GameId::shipped()
            .iter()
            .filter(|game| game.is_from_file())
            .copied()
            .collect();
        let simd = match Simd::from_environment() {
            Ok(simd) => {
                let all: Vec<String> = Simd::available().map(|simd| simd.to_string()).collect();
                format!("{simd} (this processor has {})", all.join(", "))
            }
            Err(error) => format!("{}: {error}", Simd::VARIABLE),
        };
        format!(
            "{}\nbuilt {}\nsliding attacks by {simd}\ncompiled games: {}\ngames from files: {}",
            short(),
            env!("HEXMATE_FORM"),
            names(GameId::ALL),
            names(&from_files)
        )
    });
    &TEXT
}
