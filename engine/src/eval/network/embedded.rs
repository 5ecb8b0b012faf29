//! The networks that come with the program. A network is added when a match has accepted it (`docs/networks.md`): its
//! file goes into `engine/networks/`, and a line into this list.

/// The game's name and the file. All files together have at most 4 MB.
const NETWORKS: &[(&str, &[u8])] = &[
    (
        "chromatic3",
        include_bytes!("../../../networks/chromatic3.net"),
    ),
    (
        "chromatic4",
        include_bytes!("../../../networks/chromatic4.net"),
    ),
    ("glinski", include_bytes!("../../../networks/glinski.net")),
    (
        "hexachess",
        include_bytes!("../../../networks/hexachess.net"),
    ),
    ("mccooey", include_bytes!("../../../networks/mccooey.net")),
];

/// The network of a game.
pub(super) fn of(game: &str) -> Option<&'static [u8]> {
    NETWORKS
        .iter()
        .find(|(name, _)| *name == game)
        .map(|&(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Network;
    use hexmate_movegen::{GameId, with_game};

    #[test]
    fn embedded_networks_are_whole_and_small() {
        let bytes: usize = NETWORKS.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes <= 4_000_000, "{bytes}");
        for (name, _) in NETWORKS {
            let id: GameId = name.parse().expect("a game that ships");
            with_game!(id, game => assert!(Network::embedded(game).is_some()));
        }
    }
}
