//! An engine of a game that is known at run time only.

use hexmate_engine::{AnyEngine, Engine, Limits, Table, WrongGame};
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
