//! A program that speaks UCI as a player.

use std::path::{Path, absolute, is_separator};
use std::process::Command as Program;
use std::time::{Duration, Instant};

use hexmate_engine::Shown;
use hexmate_movegen::{Game, GameId, Position};

use super::declared::{DeclaredOption, Kind, wrong_option};
use super::log::Log;
use super::options::{Command, EngineSpec};
use super::player::{Fault, NoLine, Player, Thought, Turn};
use super::process::Process;
use super::surroundings::Surroundings;

/// How long an engine that is late may take to answer `stop`.
const STOP_PATIENCE: Duration = Duration::from_secs(1);

/// How long a trial move may take before the engine is told to stop.
const TRIAL: Duration = Duration::from_secs(2);

/// A running engine.
pub struct UciPlayer<'s> {
    process: Process<'s>,
    spec: &'s EngineSpec,
    log: &'s Log,
}

impl<'s> UciPlayer<'s> {
    /// Starts an engine and sets its options. A game from a file comes with its path.
    ///
    /// # Errors
    /// If it cannot be started, does not answer, or does not play the game.
    pub fn start(
        spec: &'s EngineSpec,
        game: (GameId, Option<&Path>),
        cpus: &[usize],
        around: Surroundings<'s>,
    ) -> Result<Self, Fault> {
        let mut player = Self::spawn(spec, cpus, around)?;
        let (name, declared) = player.greet().map_err(cannot_start("uciok"))?;
        let ready = player.prepare(game, name.as_deref(), &declared);
        ready.map_err(cannot_start("readyok"))?;
        Ok(player)
    }

    /// Starts an engine for a trial: whether it can be started, has the options that it is to be given, and plays
    /// the game. Gives the name by which it calls itself, if it does.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn tried<G: Game>(
        spec: &'s EngineSpec,
        game: G,
        file: Option<&Path>,
        around: Surroundings<'s>,
    ) -> Result<Option<String>, Fault> {
        let mut player = Self::spawn(spec, &[], around)?;
        let (name, declared) = player.greet().map_err(cannot_start("uciok"))?;
        for (option, value) in &spec.options {
            if let Some(wrong) = wrong_option(&declared, option, value) {
                return Err(Fault::CannotStart(wrong));
            }
        }
        let ready = player.prepare((game.id(), file), name.as_deref(), &declared);
        ready.map_err(cannot_start("readyok"))?;
        if !declared.iter().any(|o| o.name == "UCI_Variant") {
            player.try_a_move(game)?;
        }
        Ok(name)
    }

    /// Has it make a move from the start: an engine that does not know `UCI_Variant` may know another game only.
    fn try_a_move<G: Game>(&mut self, game: G) -> Result<(), Fault> {
        self.send("ucinewgame")?;
        self.wait_until_ready()?;
        self.send("position startpos")?;
        self.send("go depth 1")?;
        let mut thought = Thought::default();
        let answer = match self.best_move(Instant::now() + TRIAL, &mut thought) {
            Err(NoLine::Timeout) => {
                self.send("stop")?;
                self.best_move(Instant::now() + STOP_PATIENCE, &mut thought)
            }
            answer => answer,
        };
        // Whether it answers at all is for the match to see.
        let text = match answer {
            Ok(text) => text,
            Err(NoLine::Fault(Fault::Interrupted)) => return Err(Fault::Interrupted),
            Err(_) => return Ok(()),
        };
        match Position::start_of(game).parse_move(&text) {
            Ok(_) => Ok(()),
            Err(_) => Err(Fault::CannotStart(format!(
                "it does not play {}: it has no UCI_Variant, and its first move {text} is not legal",
                game.id().name()
            ))),
        }
    }

    fn spawn(
        spec: &'s EngineSpec,
        cpus: &[usize],
        around: Surroundings<'s>,
    ) -> Result<Self, Fault> {
        let Command::Program { path, args, dir } = &spec.command else {
            return Err(Fault::CannotStart("it is not a program".to_owned()));
        };
        let mut program = match dir {
            // There the system would look for it in the folder of the match.
            Some(dir) if cfg!(windows) && path.contains(is_separator) => {
                Program::new(absolute(dir.join(path)).unwrap_or_else(|_| path.into()))
            }
            _ => Program::new(path),
        };
        program.args(args).stderr(around.log.stderr());
        if let Some(dir) = dir {
            program.current_dir(dir);
        }
        let process = Process::start(program, around.stop, around.guard)?;
        super::affinity::bind(Some(process.id()), cpus);
        Ok(UciPlayer {
            process,
            spec,
            log: around.log,
        })
    }

    /// Its own name, if it says one, and the options that it declares.
    fn greet(&mut self) -> Result<(Option<String>, Vec<DeclaredOption>), Fault> {
        self.send("uci")?;
        let mut name = None;
        let mut declared = Vec::new();
        let deadline = Instant::now() + self.spec.patience;
        loop {
            let line = self.line(deadline)?;
            if line.trim() == "uciok" {
                return Ok((name, declared));
            }
            if let Some(own) = line.trim().strip_prefix("id name ") {
                name = Some(own.trim().to_owned());
            }
            declared.extend(DeclaredOption::parse(&line));
        }
    }

    /// Chooses the game and sets its options; `own` is the name by which it calls itself.
    fn prepare(
        &mut self,
        (game, file): (GameId, Option<&Path>),
        own: Option<&str>,
        declared: &[DeclaredOption],
    ) -> Result<(), Fault> {
        let variant = declared.iter().find(|o| o.name == "UCI_Variant");
        let reads = declared.iter().find(|o| o.name == "VariantPath");
        if let (Some(file), Some(_)) = (file, reads) {
            // The engine may run in another folder.
            let file = absolute(file).unwrap_or_else(|_| file.to_owned());
            self.send(&format!(
                "setoption name VariantPath value {}",
                file.display()
            ))?;
        } else if let Some(variant) = variant
            && !variant.choices().is_empty()
            && !variant.choices().iter().any(|c| c == game.name())
        {
            let reason = format!("it does not play {}", game.name());
            return Err(Fault::CannotStart(reason));
        }
        self.send(&format!("setoption name UCI_Variant value {}", game.name()))?;
        for (name, value) in &self.spec.options {
            let known = declared
                .iter()
                .find(|o| o.name.eq_ignore_ascii_case(name.as_str()));
            match known {
                None => self.log.line(&format!(
                    "Warning; {} has no option {name}; it is set anyway",
                    self.spec.name
                )),
                Some(option) if option.kind == Kind::Button => {
                    if value == "true" {
                        self.send(&format!("setoption name {name}"))?;
                    }
                    continue;
                }
                Some(_) => {}
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        // Other programs may say so of what they accept.
        let is_hexmate = own.is_some_and(|name| name.starts_with("Hexmate"));
        match self.ready_or_refusal()? {
            // It would play all the same, but not as it was told to.
            Some(words) if is_hexmate => {
                Err(Fault::CannotStart(format!("it refuses an option: {words}")))
            }
            _ => Ok(()),
        }
    }

    /// Waits until it has done what it was told. Whatever it says before that does not answer the next
    /// command.
    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.ready_or_refusal().map(|_| ())
    }

    /// The same; gives the words of the first refusal of an option, as Hexmate writes it.
    fn ready_or_refusal(&mut self) -> Result<Option<String>, Fault> {
        self.send("isready")?;
        let deadline = Instant::now() + self.spec.patience;
        let mut refusal = None;
        loop {
            let line = self.line(deadline)?;
            if refusal.is_none() {
                refusal = refused_option(&line).map(str::to_owned);
            }
            match line.split_whitespace().next() {
                Some("readyok") => return Ok(refusal),
                Some("bestmove") => self.log.line(&format!(
                    "Warning; {} writes '{line}' without being asked; it is ignored",
                    self.spec.name
                )),
                _ => {}
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.log.said(&self.spec.name, self.process.id(), '<', line);
        self.process.send(line)
    }

    /// A line, where silence is a stall.
    fn line(&mut self, deadline: Instant) -> Result<String, Fault> {
        self.line_until(deadline).map_err(|none| match none {
            NoLine::Timeout => Fault::Stalls,
            NoLine::Fault(fault) => fault,
        })
    }

    fn line_until(&mut self, deadline: Instant) -> Result<String, NoLine> {
        let line = self.process.line(deadline)?;
        self.log
            .said(&self.spec.name, self.process.id(), '>', &line);
        Ok(line)
    }

    /// The move of the next `bestmove`; `thought` keeps what was said before it.
    fn best_move(&mut self, deadline: Instant, thought: &mut Thought) -> Result<String, NoLine> {
        loop {
            let line = self.line_until(deadline)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => take_info(words, thought),
                Some("bestmove") => return Ok(words.next().unwrap_or("").to_owned()),
                _ => {}
            }
        }
    }
}

impl<G: Game> Player<G> for UciPlayer<'_> {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn think(&mut self, turn: &Turn<'_, G>) -> Result<Thought, Fault> {
        self.send(turn.position)?;
        self.wait_until_ready()?;
        self.send(&go_command(turn))?;
        let start = Instant::now();
        let mut thought = Thought::default();
        let allowed = turn.late_after.unwrap_or(self.spec.patience);
        match self.best_move(start + allowed, &mut thought) {
            Ok(text) => {
                thought.text = text;
                thought.elapsed = start.elapsed();
                Ok(thought)
            }
            Err(NoLine::Fault(fault)) => Err(fault),
            Err(NoLine::Timeout) if turn.late_after.is_none() => Err(Fault::Stalls),
            Err(NoLine::Timeout) => {
                self.send("stop")?;
                match self.best_move(Instant::now() + STOP_PATIENCE, &mut thought) {
                    Ok(_) => Err(Fault::Late(start.elapsed())),
                    Err(NoLine::Timeout) => Err(Fault::Stalls),
                    Err(NoLine::Fault(fault)) => Err(fault),
                }
            }
        }
    }
}

/// The meaning of an engine's crash before its first word.
fn cannot_start(word: &str) -> impl Fn(Fault) -> Fault {
    move |fault| match fault {
        Fault::Interrupted | Fault::CannotStart(_) => fault,
        Fault::Stalls => Fault::CannotStart(format!("no {word}")),
        other => Fault::CannotStart(format!("{other} before {word}")),
    }
}

/// What Hexmate says of an option that it does not accept.
fn refused_option(line: &str) -> Option<&str> {
    line.trim().strip_prefix("info string setoption: ")
}

fn go_command<G: Game>(turn: &Turn<'_, G>) -> String {
    let mut go = "go".to_owned();
    if turn.limits.tc.is_some() {
        let mut add = |word: &str, n: u128| go += &format!(" {word} {n}");
        for (clock, [time, increment]) in turn
            .clocks
            .iter()
            .zip([["wtime", "winc"], ["btime", "binc"]])
        {
            if let Some(clock) = clock {
                add(time, clock.remaining.as_millis().max(1));
                add(increment, clock.increment.as_millis());
            }
        }
        if let Some(moves) = turn.own_clock().and_then(|c| c.moves_to_go) {
            add("movestogo", moves.into());
        }
    }
    if let Some(time) = turn.limits.st {
        go += &format!(" movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = turn.limits.nodes {
        go += &format!(" nodes {nodes}");
    }
    if let Some(depth) = turn.limits.depth {
        go += &format!(" depth {depth}");
    }
    go
}

/// Stores what an info line says about the best line.
fn take_info<'w>(mut words: impl Iterator<Item = &'w str>, thought: &mut Thought) {
    let mut new = thought.clone();
    while let Some(word) = words.next() {
        match word {
            // What follows is text.
            "string" => return,
            "pv" => break,
            // Only the best line counts.
            "multipv" if words.next() != Some("1") => return,
            "score" => {
                let kind = words.next();
                let value = words.next().and_then(|n| n.parse().ok());
                new.score = match (kind, value) {
                    (Some("cp"), Some(n)) => Some(Shown::Centipawns(n)),
                    (Some("mate"), Some(n)) => Some(Shown::Mate(n)),
                    _ => new.score,
                };
            }
            "depth" => set(&mut new.depth, words.next()),
            "seldepth" => set(&mut new.seldepth, words.next()),
            "nodes" => set(&mut new.nodes, words.next()),
            "time" => {
                let millis = words.next().and_then(|n| n.parse().ok());
                new.claimed = millis.map(Duration::from_millis).or(new.claimed);
            }
            _ => {}
        }
    }
    *thought = new;
}

fn set<T: std::str::FromStr>(value: &mut T, word: Option<&str>) {
    if let Some(new) = word.and_then(|w| w.parse().ok()) {
        *value = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information() {
        let mut thought = Thought::default();
        let mut info = |line: &str| {
            take_info(line.split_whitespace().skip(1), &mut thought);
            thought.clone()
        };
        let said =
            info("info depth 5 seldepth 9 multipv 1 score cp -31 nodes 12345 nps 9 time 7 pv e4e5");
        assert_eq!((said.depth, said.seldepth, said.nodes), (5, 9, 12345));
        assert_eq!(said.score, Some(Shown::Centipawns(-31)));
        assert_eq!(said.claimed, Some(Duration::from_millis(7)));
        assert_eq!(info("info depth 6 multipv 2 score cp 99 pv d4d5"), said);
        assert_eq!(info("info string depth 99 score mate 1"), said);
        assert_eq!(info("info depth many score cp x nodes"), said);
        let mate = info("info depth 7 score mate -3 upperbound");
        assert_eq!((mate.depth, mate.score), (7, Some(Shown::Mate(-3))));
    }
}
