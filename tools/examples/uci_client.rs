//! A tiny UCI client: starts an engine, plays a game of both sides with it and prints the moves.
//!
//! ```sh
//! cargo build --release -p hexmate
//! cargo run --release -p hexmate --example uci_client -- target/release/hexmate mccooey
//! ```

use std::io::{BufRead, BufReader, Error, Lines, Result, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

struct Engine {
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn say(&mut self, command: &str) -> Result<()> {
        writeln!(self.to, "{command}")
    }

    /// Reads up to the line that begins with a word, and gives what stands behind it.
    fn answer(&mut self, word: &str) -> Result<String> {
        for line in &mut self.from {
            let line = line?;
            if let Some(rest) = line.strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
        }
        Err(Error::other(format!("the engine ended without '{word}'")))
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().unwrap_or_else(|| "hexmate".to_owned());
    let game = arguments.next().unwrap_or_else(|| "glinski".to_owned());
    let mut child = Command::new(program)
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (to, from) = pipes.expect("both were asked for");
    let from = BufReader::new(from).lines();
    let mut engine = Engine { to, from };

    engine.say("uci")?;
    engine.answer("uciok")?;
    engine.say(&format!("setoption name UCI_Variant value {game}"))?;
    engine.say("ucinewgame")?;
    engine.say("isready")?;
    engine.answer("readyok")?;

    let mut moves = String::new();
    for number in 1..=20 {
        engine.say(&format!("position startpos moves{moves}"))?;
        engine.say("go nodes 2000")?;
        let answer = engine.answer("bestmove")?;
        let best = answer.split_whitespace().next().unwrap_or("0000");
        if best == "0000" {
            println!("the game is over");
            break;
        }
        println!("{number:2}. {best}");
        moves = format!("{moves} {best}");
    }
    engine.say("quit")?;
    child.wait()?;
    Ok(())
}
