//! An engine of a game that is known at run time only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use hexmate_engine::{AnyEngine, Budget, Engine, Evaluator, Limits, Table, WrongGame};
use hexmate_movegen::{
    AnyPosition, AnyRecord, BuiltIn, GAME_TEXTS, GameId, Position, Record, SmallGame,
    for_each_game, with_game,
};

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
        let shown = format!("AnyEngine {{ game: {:?}, threads: 1, .. }}", G::ID);
        assert_eq!(format!("{engine:?}"), shown);
        engine.typed::<G>().expect("it was made for G").set_threads(2);
        assert_eq!((engine.threads(), engine.game()), (2, G::ID));
        let engine = engine.into_typed::<G>().unwrap();
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

fn small(name: &str) -> SmallGame {
    match name.parse() {
        Ok(GameId::SmallGame(game)) => game,
        other => panic!("{other:?}"),
    }
}

/// What a panic says.
fn told(question: impl FnOnce()) -> String {
    let fault = catch_unwind(AssertUnwindSafe(question)).expect_err("it is refused");
    *fault.downcast().expect("a message")
}

/// Games from files share a type, so the compiler cannot tell them apart.
#[test]
fn one_game_from_a_file_is_not_taken_for_another() {
    let (mini, shafran) = (small("minihexchess"), small("shafran"));
    let table = Table::new(1).unwrap();
    let start = Position::start_of(shafran);
    let mut engine = Engine::of(mini, 1);
    let record = Record::new(start);
    let analysed = told(|| _ = engine.analyse(&table, &record, Limits::default(), |_| ()));
    let wrong = "the engine is for minihexchess, the game to analyse is shafran";
    assert_eq!(analysed, wrong);
    assert_eq!(
        told(|| engine.set_evaluation(Evaluator::of(shafran))),
        "an evaluation of shafran; the engine is for minihexchess"
    );
    assert_eq!(
        told(|| _ = Evaluator::of(mini).evaluate(&start)),
        "a position of shafran; the evaluation is for minihexchess"
    );
}

#[test]
fn games_of_one_name_are_told_apart() {
    let (_, text) = GAME_TEXTS.iter().find(|(n, _)| *n == "glinski").unwrap();
    let text = text.replacen("format", "# A copy.\nformat", 1);
    let read = GameId::from_text(&text).unwrap();
    let table = Table::new(1).unwrap();
    let calm = |rest: &str| {
        let head = "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'\n";
        GameId::from_text(&format!("{head}{rest}")).unwrap()
    };
    let calms = [calm(""), calm("[ends]\nstalemate = '1/2'")];
    for (engine, record, expected) in [
        (
            GameId::Glinski,
            read,
            "glinski as read from a file, not as built in",
        ),
        (
            read,
            GameId::Glinski,
            "glinski as built in, not as read from a file",
        ),
        (calms[0], calms[1], "calm of other rules"),
    ] {
        let record = AnyRecord::new(AnyPosition::start(record));
        let found = AnyEngine::of(engine, 1).analyse(&table, &record, Limits::default(), |_| ());
        let told = found.unwrap_err().to_string();
        let wrong = format!("the engine is for {engine}, the game to analyse is {expected}");
        assert_eq!(told, wrong);
    }
}
