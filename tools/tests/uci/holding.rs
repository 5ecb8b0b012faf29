//! Searches that end when they are told to, and commands that come while one runs.

use std::time::Duration;

use crate::driver::{Uci, after, count};

/// After this a search of one ply has long ended; were it held by mistake, the test would still pass.
const A_WHILE: Duration = Duration::from_millis(100);

/// Begins a search and asserts that no best move comes by itself.
fn held(uci: &mut Uci, go: &str) {
    uci.send(go);
    uci.until("info depth");
    std::thread::sleep(A_WHILE);
    let said = uci.ask("isready");
    assert_eq!(count(&said, "bestmove"), 0, "{go}: {said:?}");
}

/// Asserts that there is one best move and not a second.
fn one_best_move(uci: &mut Uci) -> String {
    let best = uci.until("bestmove").pop().unwrap();
    let more = uci.ask("stop");
    assert_eq!(count(&more, "bestmove"), 0, "{more:?}");
    best
}

#[test]
fn infinite_waits_for_stop() {
    let mut uci = Uci::new();
    for go in [
        "go infinite",
        "go",
        "go infinite depth 1",
        "go infinite nodes 10",
        "go infinite movetime 1",
        "go infinite wtime 1 btime 1",
        "go infinite mate 1",
        "go ponder infinite",
    ] {
        held(&mut uci, go);
        uci.send("stop");
        one_best_move(&mut uci);
    }
}

#[test]
fn ponder_waits_for_ponderhit_or_stop() {
    let mut uci = Uci::new();
    for limits in [
        "depth 1",
        "movetime 20",
        "nodes 10",
        "wtime 20 btime 20",
        "mate 1 movetime 5",
    ] {
        for release in ["ponderhit", "stop"] {
            held(&mut uci, &format!("go ponder {limits}"));
            uci.send(release);
            one_best_move(&mut uci);
        }
    }
    // After the hit an endless search is still endless.
    held(&mut uci, "go ponder infinite");
    let said = uci.ask("ponderhit");
    assert_eq!(count(&said, "bestmove"), 0);
    uci.send("stop");
    one_best_move(&mut uci);
    let said = uci.ask("ponderhit");
    assert!(said[0].starts_with("info string ponderhit: nothing is pondered"));
}

/// A command that changes what is searched ends the search that runs, whose answer is for its own
/// position, and is obeyed then.
#[test]
fn commands_while_searching() {
    let mut uci = Uci::new();
    for command in [
        "position startpos",
        "position fen nonsense",
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "setoption name Nonsense value 2",
        "ucinewgame",
        "setoption name UCI_Variant value glinski",
    ] {
        uci.send("position startpos moves e4e5");
        uci.send("go infinite");
        uci.until("info depth 1 ");
        let said = uci.ask(command);
        assert_eq!(count(&said, "bestmove"), 1, "{command}: {said:?}");
        let lines = uci.go("depth 1");
        assert_eq!(count(&lines, "bestmove"), 1);
    }
    // The answer of the first search is Black's, that of the second White's.
    uci.send("position startpos moves e4e5");
    uci.send("go infinite");
    uci.until("info depth 1 ");
    uci.send("position startpos");
    uci.send("go depth 1");
    let black = one(&uci.until("bestmove"));
    let white = one(&uci.until("bestmove"));
    assert!(legal("position startpos moves e4e5", &black) && legal("position startpos", &white));
    // One search after the other, and none of them forgotten.
    for _ in 0..10 {
        uci.send("go infinite");
    }
    let said = uci.ask("stop");
    let more = if count(&said, "bestmove") < 10 {
        uci.until("bestmove")
    } else {
        Vec::new()
    };
    assert_eq!(count(&said, "bestmove") + count(&more, "bestmove"), 10);
    uci.send("quit");
    assert_eq!(uci.end(), [""; 0]);
}

fn one(lines: &[String]) -> String {
    after(lines.last().unwrap(), "bestmove").to_owned()
}

fn legal(position: &str, mv: &str) -> bool {
    let mut uci = Uci::new();
    uci.send(position);
    uci.send(&format!("go depth 1 searchmoves {mv}"));
    !uci.line().starts_with("info string")
}

/// These are answered at once and leave the search alone.
#[test]
fn questions_while_searching() {
    let mut uci = Uci::new();
    uci.send("go infinite");
    for question in [
        "isready", "uci", "d", "eval", "help", "nonsense", "debug on", "",
    ] {
        let said = uci.ask(question);
        assert_eq!(count(&said, "bestmove"), 0, "{question}");
    }
    uci.send("stop");
    one_best_move(&mut uci);
}

#[test]
fn the_end_during_a_search() {
    for go in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go depth 200",
        "go perft 40",
    ] {
        for end in ["quit", ""] {
            let mut uci = Uci::new();
            uci.send(go);
            if end.is_empty() {
                uci.close();
            } else {
                uci.send(end);
            }
            let last = uci.end();
            assert!(count(&last, "bestmove") <= 1);
        }
    }
    let mut idle = Uci::new();
    idle.close();
    assert_eq!(idle.end(), [""; 0]);
}
