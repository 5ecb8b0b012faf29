//! How long the program takes for a move beyond its time: plays games against itself by `go movetime` and
//! measures, outside of the program, the time from `go` to `bestmove`.
//!
//! `cargo run --release -p hexmate --example latency -- target/release/hexmate [GAME [MOVETIME_MS]]`
//!
//! For tables of 16 and of 1024 MB it plays two games of up to 200 moves together, so that the second one
//! begins with a table that was full, and prints the median, the 99th percentile and the largest of what the
//! moves took beyond the time they were given. Let nothing else run meanwhile.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Moves for each size of the table, shared out among the games.
const MOVES: usize = 200;
const GAMES: usize = 2;

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str) -> Result<Engine> {
        let mut child = Command::new(program)
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{program} cannot be started"))?;
        let input = child.stdin.take().context("no pipe to it")?;
        let output = child.stdout.take().context("no pipe from it")?;
        Ok(Engine {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// The next line that begins so.
    fn wait(&mut self, front: &str) -> Result<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("it has ended; expected '{front}'");
            }
            if line.starts_with(front) {
                return Ok(line.trim().to_owned());
            }
        }
    }

    fn ready(&mut self) -> Result<()> {
        self.send("isready")?;
        self.wait("readyok").map(drop)
    }
}

/// What each move of the games took beyond its time, the least first.
fn overruns(program: &str, game: &str, megabytes: u32, time: Duration) -> Result<Vec<Duration>> {
    let mut engine = Engine::start(program)?;
    engine.send(&format!("setoption name UCI_Variant value {game}"))?;
    engine.send(&format!("setoption name Hash value {megabytes}"))?;
    engine.send("setoption name Move Overhead value 0")?;
    let mut overruns = Vec::new();
    for _ in 0..GAMES {
        engine.send("ucinewgame")?;
        let mut moves = String::new();
        for _ in 0..MOVES / GAMES {
            engine.send(&format!("position startpos moves{moves}"))?;
            engine.ready()?;
            let begin = Instant::now();
            engine.send(&format!("go movetime {}", time.as_millis()))?;
            let answer = engine.wait("bestmove")?;
            overruns.push(begin.elapsed().saturating_sub(time));
            match answer.split(' ').nth(1) {
                Some(best) if best != "0000" => moves += &format!(" {best}"),
                _ => break,
            }
        }
    }
    engine.send("quit")?;
    engine.child.wait()?;
    overruns.sort_unstable();
    Ok(overruns)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let program = arguments.first().context("expected the program's path")?;
    let game = arguments.get(1).map_or("glinski", String::as_str);
    let time = arguments.get(2).map_or(Ok(20), |ms| ms.parse());
    let time = Duration::from_millis(time.context("MOVETIME_MS is a whole number")?);
    for megabytes in [16, 1024] {
        let overruns = overruns(program, game, megabytes, time)?;
        let at = |part: f64| overruns[((overruns.len() - 1) as f64 * part) as usize];
        println!(
            "Hash {megabytes}: {} moves, beyond {time:?}: median {:?}, 99 % {:?}, largest {:?}",
            overruns.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    Ok(())
}
