//! Games that ship as files, and a user's own, against counts of an independent slow generator.

use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{AnyPosition, AnyRecord, GameId};

const NIGHTRIDERS: &str = include_str!("../../../examples/games/nightriders.toml");

/// More leaves than this are not counted from the start; the full counts are for `hexmate games check`.
const MOST_LEAVES: u64 = 4_000_000;

fn agrees(game: GameId, positions: &str) {
    let mut counted = 0;
    for line in positions.lines() {
        let Some(case) = SuiteCase::parse(line).unwrap() else {
            continue;
        };
        let mut record = AnyRecord::new(AnyPosition::start(game));
        for text in case.fen.split_whitespace() {
            record.play(text).unwrap_or_else(|e| panic!("{game}: {e}"));
        }
        let position = record.position();
        let text = position.to_string();
        assert_eq!(
            AnyPosition::from_fen(game, &text).unwrap(),
            position,
            "{text}"
        );
        for (depth, leaves) in case.counts {
            assert_eq!(position.perft(depth), leaves, "{game} {depth}: {text}");
            counted += 1;
        }
    }
    assert!(counted >= 50, "{game}: {counted}");
    let proof = game.spec().proof.iter().zip(1..);
    for (&leaves, depth) in proof.filter(|p| *p.0 <= MOST_LEAVES) {
        assert_eq!(
            AnyPosition::start(game).perft(depth),
            leaves,
            "{game} {depth}"
        );
    }
}

macro_rules! games {
    ($($game:ident)*) => {
        $(#[test]
        fn $game() {
            let game = stringify!($game).parse().unwrap();
            agrees(game, include_str!(concat!("data/", stringify!($game), ".txt")));
        })*
    };
}

games! { shafran devasa brusky minihexchess }

#[test]
fn nightriders() {
    let game = GameId::from_text(NIGHTRIDERS).unwrap();
    agrees(game, include_str!("data/nightriders.txt"));
}
