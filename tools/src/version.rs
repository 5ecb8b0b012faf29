//! What this program is: version, commit, form of the build, processor features, games.

use std::sync::LazyLock;

use hexmate_movegen::{GameId, Simd};

/// For `-V`.
pub fn short() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("HEXMATE_COMMIT"), ")")
}

/// For `--version`: what was built, and what this machine makes of it.
pub fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let all: Vec<String> = Simd::available().map(|simd| simd.to_string()).collect();
        format!(
            "{}\nsliding attacks by {} (this processor has {})",
            of_build(),
            Simd::chosen(),
            all.join(", ")
        )
    });
    &TEXT
}

/// The same on every machine.
pub fn of_build() -> &'static str {
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
        let features = [
            ("board", cfg!(feature = "board")),
            ("cache", cfg!(feature = "cache")),
            ("old-processors", cfg!(feature = "old-processors")),
            ("parquet", cfg!(feature = "parquet")),
        ];
        let with = |wanted: bool| -> Vec<&str> {
            let named = features.iter().filter(|(_, there)| *there == wanted);
            named.map(|(name, _)| *name).collect()
        };
        let features = match (with(true).join(", "), with(false).join(", ")) {
            (with, without) if without.is_empty() => with,
            (with, without) if with.is_empty() => format!("without {without}"),
            (with, without) => format!("{with}; without {without}"),
        };
        format!(
            "{}\nbuilt {}\nfeatures: {features}\ncompiled games: {}\ngames from files: {}",
            short(),
            env!("HEXMATE_FORM"),
            names(GameId::ALL),
            names(&from_files)
        )
    });
    &TEXT
}
