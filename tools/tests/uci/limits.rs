//! What `go` is limited by.

use hexmate_movegen::{Glinski, Position};

use crate::driver::{Uci, after, count, last_info, number, pv};

/// White mates in one: the shortest game's last position but one.
const MATE_IN_ONE: &str = "position startpos moves e1b4 g10h8 f3h2 h8i6";

#[test]
fn depth() {
    let mut uci = Uci::new();
    for depth in 1..=4 {
        let lines = uci.go(&format!("depth {depth}"));
        assert_eq!(number(last_info(&lines), "depth"), depth);
    }
}

/// Every field of an `info` line, and that they make sense.
#[test]
fn fields_of_info() {
    let mut uci = Uci::new();
    let lines = uci.go("depth 4");
    let infos: Vec<&String> = lines.iter().filter(|l| l.contains(" score ")).collect();
    assert!(infos.len() >= 4);
    let mut nodes = 0;
    for line in infos {
        for name in ["depth", "seldepth", "nodes", "nps", "hashfull", "time"] {
            assert!(number(line, name) >= 0, "{line}");
        }
        assert_eq!(number(line, "multipv"), 1);
        assert!(number(line, "hashfull") <= 1000);
        assert!(["cp", "mate"].contains(&after(line, "score")), "{line}");
        assert!(number(line, "nodes") >= nodes, "{line}");
        nodes = number(line, "nodes");
        let mut position = Position::<Glinski>::start();
        assert!(!pv(line).is_empty());
        for text in pv(line) {
            let mv = position.parse_move(text).unwrap();
            position.play(mv).unwrap();
        }
    }
    let best = lines.last().unwrap();
    let line = pv(last_info(&lines));
    assert_eq!(after(best, "bestmove"), line[0]);
    if let Some(&answer) = line.get(1) {
        assert_eq!(after(best, "ponder"), answer);
    }
}

#[test]
fn nodes() {
    let mut uci = Uci::new();
    for nodes in [0, 1, 10, 1_000, 20_000] {
        let lines = uci.go(&format!("nodes {nodes}"));
        let searched = number(last_info(&lines), "nodes");
        assert!(searched <= nodes.max(1), "{searched} of {nodes}");
    }
    let lines = uci.go("nodes 20000");
    assert!(number(last_info(&lines), "nodes") > 10_000);
}

#[test]
fn times() {
    let mut uci = Uci::new();
    for limits in [
        "movetime 30",
        "wtime 1000 btime 1000",
        "wtime 300 btime 5 winc 10 binc 10 movestogo 3",
        "wtime 1 btime 1",
        "wtime 0 winc 100",
        "wtime -500 btime -500",
    ] {
        let lines = uci.go(limits);
        assert!(!pv(last_info(&lines)).is_empty(), "{limits}: {lines:?}");
    }
    // Black's clock is its own.
    uci.send("position startpos moves e4e5");
    uci.go("wtime 100000000 btime 50");
}

#[test]
fn mate() {
    let mut uci = Uci::new();
    uci.send(MATE_IN_ONE);
    let lines = uci.go("mate 1");
    assert!(last_info(&lines).contains(" score mate 1 "), "{lines:?}");
    assert_eq!(after(lines.last().unwrap(), "bestmove"), "b4k4");
}

/// That there is no mate is an answer, too; without other limits nothing more is searched.
#[test]
fn no_mate() {
    let mut uci = Uci::new();
    let lines = uci.go("mate 1");
    let told = "info string go: no mate in 1 moves or fewer exists here";
    assert_eq!(count(&lines, told), 1, "{lines:?}");
    assert_ne!(lines.last().unwrap(), "bestmove 0000");
    let lines = uci.go("mate 1 depth 4");
    assert_eq!(number(last_info(&lines), "depth"), 4);
    assert_eq!(count(&lines, told), 1, "{lines:?}");
    // Of moves that were left out nothing is proven.
    let lines = uci.go("mate 1 searchmoves d3d5");
    assert_eq!(count(&lines, "no mate"), 0, "{lines:?}");
}

/// The line of a mate search ends with the mate.
#[test]
fn a_mate_is_told_with_its_line() {
    let mut uci = Uci::new();
    let fen = "1/3/5/7/9/11/6k4/11/8b2/2P6p1/8K2 b - - 1 54";
    uci.send(&format!("position fen {fen}"));
    let lines = uci.go("mate 2");
    let last = last_info(&lines);
    assert!(last.contains(" score mate 2 "), "{last}");
    let mut position: Position<Glinski> = fen.parse().unwrap();
    assert_eq!(pv(last).len(), 3, "{last}");
    for text in pv(last) {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    assert!(position.in_check() && !position.has_legal_move(), "{last}");
}

#[test]
fn searchmoves() {
    let mut uci = Uci::new();
    for moves in ["d3d5", "a1a1 ", "g4g5 d3d4"] {
        let legal = moves
            .split(' ')
            .all(|m| m.is_empty() || Position::<Glinski>::start().parse_move(m).is_ok());
        let limits = format!("searchmoves {moves} depth 3");
        if legal {
            let lines = uci.go(&limits);
            let best = after(lines.last().unwrap(), "bestmove");
            assert!(moves.split(' ').any(|m| m == best), "{lines:?}");
        } else {
            let told = uci.ask(&format!("go {limits}"));
            assert!(
                told[0].starts_with("info string go: searchmoves: 'a1a1'"),
                "{told:?}"
            );
            assert_eq!(told[1..], ["bestmove 0000"]);
        }
    }
    // The mating move may not be looked at.
    uci.send(MATE_IN_ONE);
    let lines = uci.go("depth 3 searchmoves e4e5");
    assert_eq!(after(lines.last().unwrap(), "bestmove"), "e4e5");
    assert!(!last_info(&lines).contains("mate 1 "));
    let lines = uci.go("depth 3");
    assert_eq!(after(lines.last().unwrap(), "bestmove"), "b4k4");
}

/// Any whole number is taken; what makes no sense becomes what does.
#[test]
fn absurd_numbers() {
    let mut uci = Uci::new();
    for limits in [
        "depth 0",
        "depth -3",
        "nodes -1",
        "movetime 0",
        "movetime -9999999999999999999999",
        "depth 99999999999999999999999 movetime 20",
        "nodes 99999999999999999999999 movetime 20",
        "depth 1 movetime 99999999999999999999999",
        "depth 1 wtime 99999999999999999999999 winc 99999999999999999999999",
        "depth 1 wtime 100 movestogo -5",
        "depth 1 wtime 100 movestogo 99999999999999999999999",
        "mate 0 movetime 20",
        "mate 99999999999999999999999 movetime 20",
    ] {
        let lines = uci.go(limits);
        let best = after(lines.last().unwrap(), "bestmove");
        let legal = Position::<Glinski>::start().parse_move(best);
        assert!(legal.is_ok(), "{limits}: {lines:?}");
    }
}

/// The fixed list as a command; it can be stopped, and is the same as the program's own.
#[test]
fn bench() {
    let mut uci = Uci::new();
    uci.send("bench 2");
    let lines = uci.until("40/40");
    assert_eq!(lines.len(), 40);
    let total = uci.line();
    let words: Vec<&str> = total.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{total}");
    uci.send("bench 200");
    uci.send("stop");
    uci.until("info string bench was stopped");
    uci.go("depth 1");
}
