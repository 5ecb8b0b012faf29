//! Variants, positions, `d`, `eval` and `go perft`.

use std::collections::BTreeSet;

use hexmate_movegen::{BuiltIn, GameId, Position, Record, for_each_game, with_built_in};

use crate::driver::{Uci, after, last_info};

/// The value behind a line's name.
fn named<'l>(lines: &'l [String], name: &str) -> &'l str {
    let value = lines.iter().find_map(|l| l.strip_prefix(name));
    value
        .unwrap_or_else(|| panic!("no {name} in {lines:?}"))
        .trim()
}

fn fen(uci: &mut Uci) -> String {
    let lines = uci.ask("d");
    named(&lines, "Fen:").to_owned()
}

#[test]
fn every_game_begins_at_its_start() {
    let mut uci = Uci::new();
    assert_eq!(fen(&mut uci), start(GameId::Glinski));
    for &game in GameId::ALL {
        let name = game.name();
        let told = uci.answer(&format!("setoption name UCI_Variant value {name}"));
        let start = start(game);
        assert_eq!(told, format!("info string variant {name} startpos {start}"));
        assert_eq!(fen(&mut uci), start);
        let lines = uci.go("depth 2");
        let best = after(lines.last().unwrap(), "bestmove");
        with_built_in!(game, G => Position::<G>::start().parse_move(best).unwrap());
    }
    uci.send("quit");
    uci.end();
}

fn start(game: GameId) -> String {
    with_built_in!(game, G => Position::<G>::start().to_string())
}

#[test]
fn positions_with_and_without_moves() {
    fn check<G: BuiltIn>() {
        let mut uci = Uci::of(G::ID.name());
        let mut game = Record::new(Position::<G>::start());
        let mut moves = Vec::new();
        for ply in 0..6 {
            let legal = game.position().legal_moves();
            let mv = legal[(7 * ply + 3) % legal.len()];
            game.play(mv).unwrap();
            moves.push(mv.text(G::GAME));
            let list = moves.join(" ");
            let expected = game.position().to_string();
            uci.send(&format!("position startpos moves {list}"));
            assert_eq!(fen(&mut uci), expected);
            uci.send(&format!("position fen {expected}"));
            let lines = uci.ask("d");
            assert_eq!(named(&lines, "Fen:"), expected);
            let key = format!("{:016x}", game.position().key());
            assert_eq!(named(&lines, "Key:"), key);
        }
        uci.send(&format!("position fen {} moves {}", start(G::ID), moves[0]));
        assert!(fen(&mut uci).contains(" b "));
    }
    for_each_game!(G => check::<G>());
}

#[test]
fn checkers_are_named() {
    let mut uci = Uci::new();
    uci.send("position fen k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1");
    assert_eq!(named(&uci.ask("d"), "Checkers:"), "f6");
    uci.send("position startpos");
    assert_eq!(named(&uci.ask("d"), "Checkers:"), "");
}

/// The same position with the sides and the board turned is worth as much to the other side.
#[test]
fn eval_is_from_whites_side() {
    let mut uci = Uci::new();
    let worth = |uci: &mut Uci, fen: &str| {
        uci.send(&format!("position fen {fen}"));
        let lines = uci.ask("eval");
        let total = named(&lines, "Evaluation:");
        let total = total.split(' ').next().unwrap();
        total
            .parse::<i32>()
            .unwrap_or_else(|e| panic!("{e}: {lines:?}"))
    };
    for side in ["w", "b"] {
        let mut rook = |piece| {
            worth(
                &mut uci,
                &format!("k/3/5/7/9/2{piece}8/11/11/11/11/K10 {side} - - 0 1"),
            )
        };
        let (white, black) = (rook("R"), rook("r"));
        assert!(white > 100 && black < -100, "{side}: {white} {black}");
    }
}

/// Networks are not asked about bare kings, unless only pawns are against them, nor where a side has too little to
/// mate with.
#[test]
fn eval_says_which_evaluation_answered() {
    let mut uci = Uci::new();
    let mut by = |placement: &str| {
        uci.send(&format!("position fen {placement} w - - 0 1"));
        let lines = uci.ask("eval");
        let (_, by) = named(&lines, "Evaluation:")
            .split_once(", by the ")
            .expect("it says so");
        by.to_owned()
    };
    for placement in [
        "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1",
        "1/1k1/5/7/9/11/11/5P5/11/5K5/11",
    ] {
        let by = by(placement);
        assert!(by.starts_with("network; "), "{placement}: {by}");
    }
    for placement in [
        "1/1k1/5/7/9/11/11/11/11/5K5/5Q5",
        "1/1k1/2b2/7/9/11/11/4K6/3N7/11/11",
    ] {
        let by = by(placement);
        assert!(by.starts_with("handmade evaluation; "), "{placement}: {by}");
    }
}

#[test]
fn the_columns_of_eval_are_below_each_other() {
    for game in GameId::shipped() {
        let mut uci = Uci::of(game.name());
        let mut lines = uci.ask("eval");
        lines.pop();
        assert!(lines.len() > 10, "{lines:?}");
        let widths: BTreeSet<usize> = lines.iter().map(String::len).collect();
        assert_eq!(widths.len(), 1, "{game}: {lines:#?}");
    }
}

#[test]
fn perft_counts_by_move() {
    for (game, depth) in GameId::ALL.iter().zip([3, 3, 3, 3, 2]) {
        let mut uci = Uci::of(game.name());
        uci.send(&format!("go perft {depth}"));
        let lines = uci.until("Nodes searched:");
        let total: u64 = named(&lines, "Nodes searched:").parse().unwrap();
        let (moves, expected) = with_built_in!(*game, G => {
            let start = Position::<G>::start();
            (start.legal_moves().len(), hexmate_movegen::perft(&start, depth))
        });
        assert_eq!(total, expected);
        let counts = lines.iter().filter_map(|l| l.split_once(": "));
        let counts = counts.filter(|(name, _)| !name.contains(' '));
        let counts: Vec<u64> = counts.map(|(_, n)| n.parse().unwrap()).collect();
        assert_eq!(counts.len(), moves);
        assert_eq!(counts.iter().sum::<u64>(), expected);
    }
}

#[test]
fn perft_can_be_stopped() {
    let mut uci = Uci::new();
    uci.send("go perft 30");
    uci.send("stop");
    uci.until("info string perft was stopped");
    uci.send("go perft 30");
    let lines = uci.go("depth 1");
    assert!(lines[0].starts_with("info string perft was stopped"));
    uci.send("go perft 0");
    uci.until("Nodes searched: 1");
    uci.send("go perft 30");
    uci.send("quit");
    uci.end();
}

/// Checkmates and stalemates of all games, asked for in every way.
#[test]
fn a_game_that_is_over_has_no_best_move() {
    let hexagons = |mate: &str, stalemate: &str, worth: i32| {
        vec![
            (format!("{mate} b - - 0 1"), "score mate 0".to_owned()),
            (
                format!("{stalemate} b - - 0 1"),
                format!("score cp {worth}"),
            ),
        ]
    };
    let (mate, stalemate) = (
        "1/3/5/7/9/11/11/1N9/2K8/11/k10",
        "1/3/5/7/9/11/11/1Q9/11/11/k1K8",
    );
    let stuck3 = "7/8/9/10/11/12/13/12/11/1Q8/9/8/k1K4 b - - 0 1";
    let stuck4 = "8/9/10/11/12/13/14/15/14/13/12/1Q9/10/9/k1K5 b - - 0 1";
    let draw = || "score cp 0".to_owned();
    for (game, positions) in [
        ("glinski", hexagons(mate, stalemate, -191)),
        ("hexachess", hexagons(mate, stalemate, -191)),
        ("mccooey", hexagons(mate, stalemate, 0)),
        ("chromatic3", vec![(stuck3.to_owned(), draw())]),
        ("chromatic4", vec![(stuck4.to_owned(), draw())]),
    ] {
        let mut uci = Uci::of(game);
        for (fen, score) in positions {
            uci.send(&format!("position fen {fen}"));
            for limits in [
                "depth 5",
                "movetime 20",
                "nodes 100",
                "wtime 100 btime 100",
                "mate 2",
            ] {
                let lines = uci.go(limits);
                assert_eq!(lines.last().unwrap(), "bestmove 0000");
                assert!(last_info(&lines).contains(&score), "{game}: {lines:?}");
            }
            uci.send("go infinite");
            uci.send("stop");
            assert_eq!(uci.until("bestmove").last().unwrap(), "bestmove 0000");
        }
    }
}

/// The board says that a game is drawn by repetition, which its position does not show.
#[test]
fn repetitions_are_told() {
    let mut uci = Uci::new();
    let again = "d1b2 d9b6 b2d1 b6d9";
    uci.send(&format!("position startpos moves {again}"));
    assert!(uci.ask("d").contains(&"White to move".to_owned()));
    uci.send(&format!("position startpos moves {again} {again}"));
    let told = "White to move; draw: the position has occurred 3 times";
    assert!(uci.ask("d").contains(&told.to_owned()));
}
