//! An engine of a game that is known at run time only.

use std::time::Duration;

use hexmate_engine::{AnyEngine, Budget, Engine, Limits, Table, WrongGame};
use hexmate_movegen::{AnyPosition, AnyRecord, BuiltIn, GameId, for_each_game, with_game};

#[test]
fn it_searches_as_the_engine_of_the_game_does_and_no_other_game() {
    let limits = || Limits {
        depth: Some(3),
        ..Limits::default()
    };
    let mut table = Table::new(1).unwrap();
    for &game in GameId::shipped() {
        let record = AnyRecord::new(AnyPosition::start(game));
        let mut engine = AnyEngine::of(game, 1);
        table.forget();
        let found = engine.analyse(&table, &record, limits(), |_| ()).unwrap();
        table.forget();
        let same = with_game!(game, game => {
            let record = record.of().expect("it is of this game");
            Engine::of(game, 1).analyse(&table, record, limits(), |_| ())
        });
        assert_eq!(
            (found.nodes, found.lines),
            (same.nodes, same.lines),
            "{game}"
        );
        for &other in GameId::shipped().iter().filter(|&&other| other != game) {
            let foreign = AnyRecord::new(AnyPosition::start(other));
            let refused = engine.analyse(&table, &foreign, limits(), |_| ());
            let wrong = WrongGame {
                engine: game,
                record: other,
            };
            assert_eq!(refused.unwrap_err(), wrong);
        }
    }
}

#[test]
fn a_rook_wins_on_the_smallest_board_too() {
    let game = GameId::shipped()
        .iter()
        .find(|g| g.to_string() == "minihexchess");
    let position = AnyPosition::from_fen(*game.unwrap(), "1/3/5/7/2k4/7/K2R3 w - - 0 1").unwrap();
    let limits = Limits {
        nodes: Some(2_000),
        ..Limits::default()
    };
    let table = Table::new(1).unwrap();
    let mut engine = AnyEngine::of(position.game(), 1);
    let found = engine.analyse(&table, &AnyRecord::new(position), limits, |_| ());
    let score = found.unwrap().lines[0].score;
    assert!(score > 500, "{score}");
}

#[test]
fn a_typed_engine_comes_back() {
    for_each_game!(G => {
        let mut engine = AnyEngine::of(G::ID, 1);
        engine.typed::<G>().expect("it was made for G").set_threads(2);
        assert_eq!((engine.threads(), engine.game()), (2, G::ID));
        let Ok(engine) = engine.into_typed::<G>() else {
            panic!("it was made for G");
        };
        assert_eq!(engine.threads(), 2);
    });
}

/// On a crowded board quiescence looks at less after some thousand positions, and a first depth that takes long is cut
/// short by the time.
#[test]
fn the_first_depth_is_bounded_on_a_crowded_board() {
    let crowded = GameId::from_text(include_str!("../data/crowded.toml")).unwrap();
    let mut record = AnyRecord::new(AnyPosition::start(crowded));
    for text in ["o2i4", "o5p2", "i3b4", "p2i2"] {
        let mv = record.position().parse_move(text).unwrap();
        record.play_move(mv).unwrap();
    }
    let mut table = Table::new(1).unwrap();
    let mut nodes = |time: Option<Budget>| {
        table.forget();
        let limits = Limits {
            depth: Some(1),
            time,
            ..Limits::default()
        };
        let mut engine = AnyEngine::of(crowded, 1);
        let report = engine.analyse(&table, &record, limits, |_| ()).unwrap();
        let best = report.best_move().unwrap();
        assert!(record.position().is_legal(best));
        report.nodes
    };
    let whole = nodes(None);
    assert!(whole < 2_000_000, "{whole}");
    let over = Budget {
        soft: None,
        hard: Duration::ZERO,
    };
    let cut_short = nodes(Some(over));
    assert!(cut_short < 60_000, "{cut_short}");
}
