//! Games of all kinds with random interruptions: stops, ends, new positions and options while a search
//! runs, absurd limits. Every best move must be legal, there must be exactly one for each `go`, every
//! best line must be playable, and the memory must not grow.
//!
//! It runs for six seconds, or for as many minutes as `HEXMATE_UCI_MINUTES` says; `HEXMATE_UCI_SEED`
//! chooses another course.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use hexmate_movegen::{BuiltIn, GameId, Move, Position, Record, with_built_in};

use crate::driver::{Uci, pv};

/// Splitmix64: any seed will do.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Waits for a moment, often for none.
    fn pause(&mut self) {
        if self.chance(60) {
            std::thread::sleep(Duration::from_micros(self.next() % 25_000));
        }
    }
}

/// What was done.
#[derive(Default, Debug)]
struct Tally {
    games: usize,
    searches: usize,
    interrupted: usize,
    restarts: usize,
}

/// A `go` that was sent and has no best move yet.
struct Pending<G: BuiltIn> {
    position: Position<G>,
    searchmoves: Vec<Move>,
    /// It means nothing: the answer is no move.
    refused: bool,
}

/// One game in one program.
struct Play<'t, G: BuiltIn> {
    uci: &'t mut Uci,
    random: &'t mut Random,
    tally: &'t mut Tally,
    game: Record<G>,
    pending: VecDeque<Pending<G>>,
    /// The last best move.
    best: Option<Move>,
}

/// Limits that end a search by themselves within a moment.
const ENDING: &[&str] = &[
    "depth 0",
    "depth 1",
    "depth 3",
    "depth -7",
    "nodes 0",
    "nodes 1",
    "nodes 500",
    "nodes 20000",
    "nodes -1",
    "movetime 0",
    "movetime 1",
    "movetime 15",
    "movetime -100",
    "wtime 1 btime 1",
    "wtime 0 btime 0 winc 0 binc 0",
    "wtime -20 btime -20 winc -1 binc -1",
    "wtime 300 btime 300 winc 5 binc 5",
    "wtime 100 btime 100 movestogo 1",
    "wtime 100 btime 100 movestogo 0",
    "wtime 500 btime 500 movestogo 99999999999999999999",
    "depth 99999999999999999999 nodes 1000",
    "nodes 99999999999999999999 movetime 5",
    "depth 2 wtime 99999999999999999999 btime 99999999999999999999",
    "mate 1 nodes 3000",
    "mate -5 movetime 5",
];

/// Limits that are far away: such a search has to be stopped.
const ENDLESS: &[&str] = &[
    "infinite",
    "",
    "depth 200",
    "nodes 9999999999999",
    "movetime 99999999999999999999",
    "wtime 99999999999 btime 99999999999",
    "infinite depth 1",
    "infinite wtime 1 btime 1",
    "mate 200",
];

/// Said at any time; none of it ends a search.
const QUESTIONS: &[&str] = &[
    "isready",
    "uci",
    "d",
    "eval",
    "help",
    "joho",
    "debug on",
    "",
    "ponderhit now",
    "position? no",
];

/// Said at any time; these end a search first.
const ORDERS: &[&str] = &[
    "ucinewgame",
    "position startpos moves e4e99",
    "position fen 1/2/3 w - - 0 1",
    "setoption name Clear Hash",
    "setoption name Hash value 1",
    "setoption name Hash value 8",
    "setoption name Hash value 0",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 3",
    "setoption name Threads value lots",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 4",
    "setoption name Move Overhead value 0",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name nothing value 1",
    "go depth x",
    "go perft 4",
    "bench 3",
    "go searchmoves a1a1",
];

impl<G: BuiltIn> Play<'_, G> {
    /// Plays; `true` if the program ended on the way.
    fn run(mut self, may_end: bool) -> bool {
        let variant = format!("setoption name UCI_Variant value {}", G::ID.name());
        self.uci.send(&variant);
        let plies = 1 + self.random.below(60);
        for _ in 0..plies {
            if self.game.position().outcome().is_some() && self.random.chance(70) {
                break;
            }
            self.send_position();
            if may_end && self.random.chance(2) {
                self.go_and_end();
                return true;
            }
            self.turn();
            self.settle();
            let legal = self.game.position().legal_moves();
            let Some(&some) = legal.first() else { break };
            let mv = if self.random.chance(50) {
                self.best.filter(|m| legal.contains(m)).unwrap_or(some)
            } else {
                *self.random.pick(&legal)
            };
            self.game.play(mv).expect("legal");
        }
        // The options are the next game's as they were this one's before it.
        for option in ["Threads value 1", "MultiPV value 1", "Hash value 4"] {
            self.uci.send(&format!("setoption name {option}"));
        }
        self.settle();
        self.tally.games += 1;
        false
    }

    fn send_position(&mut self) {
        let text = if self.random.chance(70) {
            let moves = self.game.moves().iter().map(|m| m.text(G::GAME));
            let moves: Vec<String> = moves.collect();
            format!("position startpos moves {}", moves.join(" "))
        } else {
            format!("position fen {}", self.game.position())
        };
        self.uci.send(&text);
    }

    /// Sends a `go` and notes that it is to be answered.
    fn go(&mut self, limits: &str) {
        let mut searchmoves = Vec::new();
        let mut text = format!("go {limits}");
        let legal = self.game.position().legal_moves();
        if self.random.chance(10) && !legal.is_empty() {
            text += " searchmoves";
            for _ in 0..1 + self.random.below(3) {
                let mv = *self.random.pick(&legal);
                searchmoves.push(mv);
                text += &format!(" {}", mv.text(G::GAME));
            }
        }
        self.uci.send(&text);
        self.tally.searches += 1;
        self.pending.push_back(Pending {
            position: *self.game.position(),
            searchmoves,
            refused: false,
        });
    }

    /// Sends one of the commands that end a search; a `go` among them that means nothing is answered, too.
    fn order(&mut self) {
        let order = *self.random.pick(ORDERS);
        self.uci.send(order);
        if order.starts_with("go ") && !order.starts_with("go perft") {
            self.pending.push_back(Pending {
                position: *self.game.position(),
                searchmoves: Vec::new(),
                refused: true,
            });
        }
    }

    /// One search or more at the present position, interrupted in some way or not.
    fn turn(&mut self) {
        let ending = *self.random.pick(ENDING);
        let endless = *self.random.pick(ENDLESS);
        let way = self.random.below(10);
        if way >= 3 {
            self.tally.interrupted += 1;
        }
        match way {
            0..3 => self.go(ending),
            3 => {
                self.go(endless);
                self.random.pause();
                self.uci.send("stop");
            }
            4 => {
                self.go(&format!("ponder {ending}"));
                self.random.pause();
                self.uci
                    .send(self.random.pick::<&str>(&["ponderhit", "stop"]));
            }
            5 => {
                self.go(&format!("ponder {endless}"));
                self.random.pause();
                self.uci.send("ponderhit");
                self.random.pause();
                self.uci.send("stop");
            }
            6 => {
                self.go(endless);
                for _ in 0..self.random.below(5) {
                    self.random.pause();
                    self.uci.send(self.random.pick::<&str>(QUESTIONS));
                }
                self.uci.send("stop");
            }
            7 => {
                let limits = *self.random.pick(&[endless, ending]);
                self.go(limits);
                self.random.pause();
                self.order();
                self.uci.send("stop");
            }
            8 => {
                // Another position while the search runs, and back.
                self.go(endless);
                self.random.pause();
                let here = self.game.clone();
                let legal = here.position().legal_moves();
                if !legal.is_empty() {
                    self.game.play(*self.random.pick(&legal)).expect("legal");
                }
                self.send_position();
                self.go(endless);
                self.random.pause();
                self.game = here;
                self.send_position();
                self.go(ending);
            }
            _ => {
                // Without waiting for anything.
                for _ in 0..self.random.below(20) {
                    let limits = *self.random.pick(&[endless, ending]);
                    self.go(limits);
                    if self.random.chance(40) {
                        self.uci.send("stop");
                    }
                }
                self.uci.send("stop");
            }
        }
    }

    /// Ends the program while it searches.
    fn go_and_end(&mut self) {
        let endless = *self.random.pick(ENDLESS);
        self.go(endless);
        self.random.pause();
        self.tally.restarts += 1;
        if self.random.chance(50) {
            self.uci.send("quit");
        } else {
            self.uci.close();
        }
    }

    /// Waits until nothing is pending, and asserts that nothing more comes.
    fn settle(&mut self) {
        while !self.pending.is_empty() {
            let line = self.uci.line();
            self.hear(&line);
        }
        // Answers to earlier questions may still be on the way, so a mark of our own.
        self.uci.send("go depth settled");
        loop {
            let line = self.uci.line();
            if line.contains("'settled' after 'depth'") {
                assert_eq!(self.uci.line(), "bestmove 0000");
                break;
            }
            self.hear(&line);
        }
    }

    fn hear(&mut self, line: &str) {
        if line.contains("fault of hexmate") {
            self.uci.fail("found a fault of its own");
        }
        if line.starts_with("bestmove ") {
            let Some(pending) = self.pending.pop_front() else {
                self.uci.fail("gave a best move that nobody asked for");
            };
            self.hear_best_move(line, &pending);
        } else if line.contains(" score ") {
            let Some(pending) = self.pending.front() else {
                self.uci.fail("tells of a search that nobody asked for");
            };
            let mut position = pending.position;
            for text in pv(line) {
                let played = position.parse_move(text).map(|mv| position.play(mv));
                if !matches!(played, Ok(Ok(()))) {
                    self.uci
                        .fail(&format!("has {text} in a line from {position}: {line}"));
                }
            }
        }
    }

    fn hear_best_move(&mut self, line: &str, pending: &Pending<G>) {
        let words: Vec<&str> = line.split(' ').collect();
        let mut position = pending.position;
        if pending.refused || !position.has_legal_move() {
            if words != ["bestmove", "0000"] {
                self.uci.fail(&format!("moves in {position}: {line}"));
            }
            return;
        }
        let Ok(best) = position.parse_move(words[1]) else {
            self.uci
                .fail(&format!("has an illegal best move in {position}: {line}"));
        };
        if !pending.searchmoves.is_empty() && !pending.searchmoves.contains(&best) {
            self.uci
                .fail(&format!("plays what it should not look at: {line}"));
        }
        position.play(best).expect("legal");
        if let ["ponder", answer] = words[2..]
            && position.parse_move(answer).is_err()
        {
            self.uci.fail(&format!("ponders an illegal move: {line}"));
        }
        self.best = Some(best);
    }
}

fn play<G: BuiltIn>(uci: &mut Uci, random: &mut Random, tally: &mut Tally, may_end: bool) -> bool {
    let play = Play {
        uci,
        random,
        tally,
        game: Record::new(Position::<G>::start()),
        pending: VecDeque::new(),
        best: None,
    };
    play.run(may_end)
}

/// The same work in every game, after which the program holds what it holds whenever it rests.
fn exercise(uci: &mut Uci) -> Option<u64> {
    uci.send("setoption name Hash value 8");
    uci.send("setoption name Threads value 3");
    uci.send("setoption name MultiPV value 4");
    for game in GameId::ALL {
        uci.send(&format!("setoption name UCI_Variant value {}", game.name()));
        uci.go("nodes 100000");
    }
    uci.send("setoption name Threads value 1");
    uci.send("setoption name MultiPV value 1");
    uci.ask("setoption name Hash value 4");
    uci.memory()
}

fn minutes() -> f64 {
    let minutes = std::env::var("HEXMATE_UCI_MINUTES").ok();
    minutes.map_or(0.05, |m| {
        m.parse().unwrap_or_else(|e| {
            panic!("HEXMATE_UCI_MINUTES is {m}: {e}; expected a number, like 60")
        })
    })
}

#[test]
fn random_interruptions() {
    let seed = std::env::var("HEXMATE_UCI_SEED").map_or(1, |s| s.parse().expect("a number"));
    let mut random = Random(seed);
    let mut tally = Tally::default();
    // One program lasts, and its memory is watched; the other is ended and begun again.
    let mut lasting = Uci::new();
    let before = (0..3).map(|_| exercise(&mut lasting)).max().flatten();
    let mut passing = Uci::new();
    // However slow the machine is, something is interrupted.
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes());
    let mut told = Instant::now();
    while Instant::now() < end || tally.games == 0 || tally.interrupted == 0 {
        let game = *random.pick(GameId::ALL);
        let lasts = random.chance(60);
        let uci = if lasts { &mut lasting } else { &mut passing };
        let ended = with_built_in!(game, G => play::<G>(uci, &mut random, &mut tally, !lasts));
        if ended {
            std::mem::replace(&mut passing, Uci::new()).end();
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            let memory = lasting.memory();
            println!("{tally:?}, {memory:?} KiB held, {before:?} at first");
        }
    }
    let after = exercise(&mut lasting);
    println!("{tally:?}, {after:?} KiB held, {before:?} at first");
    if let (Some(before), Some(after)) = (before, after) {
        assert!(
            after < before + before / 4 + 16_384,
            "{after} KiB held, {before} KiB at first: memory is lost"
        );
    }
    for mut uci in [lasting, passing] {
        uci.send("quit");
        uci.end();
    }
    assert!(tally.games > 0 && tally.interrupted > 0, "{tally:?}");
}
