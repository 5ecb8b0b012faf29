//! A conversation about one game.

use std::io::BufRead;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use hexmate_engine::{Evaluator, Hold, Limits, Table};
use hexmate_movegen::{Bits, Game, GameId, Letters, Position, Record, Side};
use hexmate_tablebases::Tablebases;

use super::command::{Command, CommandError, NAMES, short};
use super::info;
use super::options::{self, Change, Options, described};
use super::order::Order;
use super::output::Output;
use super::running::{self, EngineAndTable, Job, NotStarted, Running, SearchJob};
use crate::drawing::{self, Marks};
use crate::eval_file::EvalFile;
use crate::game_names::GameNames;
use crate::inputs;
use crate::lines::{LineError, Lines};
use crate::stdout::CANNOT_PRINT;
use crate::tables;
use crate::threads::{NO_THREAD, check_memory, missing};

/// What outlasts a change of the game.
pub struct Shared {
    pub options: Options,
    pub output: Arc<Output>,
    /// The table, while no session has it.
    pub table: Option<Table>,
    /// The folder of endgame tables, if one was named.
    pub tables: Option<PathBuf>,
    /// The evaluation, if a file of one was named.
    pub eval_file: Option<EvalFile>,
    /// Games that a user has added, none of them one that ships.
    pub variants: Vec<GameId>,
    /// Whether the numbers of the search are shown among the options.
    pub tunable: bool,
}

/// Why a session ended.
pub enum Next {
    /// Another game was chosen.
    Game(GameId),
    /// Nothing more is asked for.
    Quit,
}

/// What is wrong after a `position` that was refused.
const NO_POSITION: &str = "no position, since the last one was refused; \
                           expected 'position startpos' or 'position fen FEN'";

/// A conversation about the game `G`.
pub struct Session<'s, G: Game> {
    shared: &'s mut Shared,
    variant: G,
    /// What is to be thought about; nothing after a `position` that was refused.
    game: Option<Record<G>>,
    /// Engine and table, while nothing runs.
    idle: Option<EngineAndTable<G>>,
    running: Option<Running<G>>,
    /// Endgame tables of this game.
    tables: Option<Arc<Tablebases>>,
    /// How this game is evaluated, by a file; `None`: as the program does.
    evaluator: Option<Evaluator<G>>,
}

impl<'s, G: Game> Session<'s, G> {
    /// A conversation that begins at the game's first position.
    pub fn new(variant: G, shared: &'s mut Shared) -> Self {
        let idle = shared.table.take().map(|table| EngineAndTable {
            engine: running::engine(variant, &shared.options, None, None),
            table,
        });
        let mut session = Session {
            shared,
            variant,
            game: Some(Record::new(Position::start_of(variant))),
            idle,
            running: None,
            tables: None,
            evaluator: None,
        };
        if session.shared.eval_file.is_some() {
            session.take_evaluation();
        }
        if session.shared.tables.is_some()
            && let Err(error) = session.open_tables()
        {
            session.inform(&format!("TablebasePath: {error:#}"));
        }
        session
    }

    /// Evaluates as the file says of this game; if it says nothing the search goes on by the evaluation of
    /// the program, and the user is told.
    fn take_evaluation(&mut self) {
        self.evaluator = None;
        if let Some(file) = &self.shared.eval_file {
            match file.evaluator(self.variant) {
                Ok(evaluator) => self.evaluator = Some(evaluator),
                Err(error) => self.inform(&format!(
                    "setoption: EvalFile: {error}; the weights of the program are used"
                )),
            }
        }
        let evaluation = self.evaluation();
        if let Some(idle) = &mut self.idle {
            idle.engine.set_evaluation(evaluation);
        }
    }

    /// The evaluation by which this game is played.
    fn evaluation(&self) -> Evaluator<G> {
        let evaluator = self.evaluator.clone();
        evaluator.unwrap_or_else(|| Evaluator::of(self.variant))
    }

    /// Opens the endgame tables of this game and tells what came of it.
    ///
    /// # Errors
    /// If there is no such folder, or it cannot be read; the tables are those from before.
    fn open_tables(&mut self) -> Result<()> {
        self.tables = match &self.shared.tables {
            Some(folder) => {
                let (tables, faults) = tables::open(self.variant, folder)?;
                for fault in faults {
                    self.inform(&format!("TablebasePath: {fault}; it is ignored"));
                }
                let (count, game) = (tables.len(), self.variant.id().name());
                self.inform(&format!("TablebasePath: {count} tables of {game}"));
                Some(tables)
            }
            None => None,
        };
        if let Some(idle) = &mut self.idle {
            idle.engine.set_tables(self.tables.clone());
        }
        Ok(())
    }

    /// Reads commands and obeys them.
    ///
    /// # Errors
    /// If the input or the output breaks, or there is no memory for a table.
    pub fn run<R: BufRead>(mut self, lines: &mut Lines<R>) -> Result<Next> {
        let next = self.converse(lines);
        // Also when something broke, what runs is stopped and says its last word.
        let threads = self.shared.options.threads;
        let table = self.settled().map(|idle| idle.table.clear(threads));
        self.shared.table = self.idle.take().map(|idle| idle.table);
        next.and_then(|next| table.map(|()| next))
    }

    fn converse<R: BufRead>(&mut self, lines: &mut Lines<R>) -> Result<Next> {
        while let Some(line) = lines.next_line().context("standard input cannot be read")? {
            let begin = Instant::now();
            match &line.text {
                Ok(text) => match Command::parse(text) {
                    Ok(Some(command)) => {
                        if let Some(next) = self.obey(command, begin)? {
                            return Ok(next);
                        }
                    }
                    Ok(None) => {}
                    Err(error) => self.refuse(&error)?,
                },
                // It may have been a position.
                Err(LineError::TooLong) => {
                    self.refuse_position("a line without end; expected a command");
                }
                Err(LineError::NotUtf8(at)) => {
                    self.refuse_position(&format!("offset {at}: not UTF-8"));
                }
            }
            if let Some(error) = self.shared.output.fault() {
                // Not as its cause: a closed pipe is no success here.
                anyhow::bail!("{CANNOT_PRINT}: {error}");
            }
        }
        Ok(Next::Quit)
    }

    fn say(&self, text: &str) {
        self.shared.output.say(text);
    }

    fn inform(&self, text: &str) {
        self.shared.output.inform(text);
    }

    /// Engine and table, after stopping what runs.
    fn settled(&mut self) -> Result<&mut EngineAndTable<G>> {
        if let Some(running) = self.running.take() {
            running.stop();
            self.idle = running.join();
            if let Some(idle) = &self.idle {
                let lacking = idle.engine.missing_threads();
                if lacking > 0 {
                    let told = missing(lacking, idle.engine.threads());
                    self.inform(&format!("Threads: {told}"));
                }
            }
        }
        if self.idle.is_none() {
            let idle = EngineAndTable::new(
                self.variant,
                &self.shared.options,
                self.tables.clone(),
                self.evaluator.as_ref(),
            );
            self.idle = Some(idle.context("no memory for the table")?);
        }
        Ok(self.idle.as_mut().expect("made above if it was missing"))
    }

    /// Tells what is wrong with a line. A `go` has its answer all the same, and a `position` that means nothing
    /// leaves nothing to search.
    fn refuse(&mut self, error: &CommandError) -> Result<()> {
        match error {
            CommandError::Go(_) => {
                self.settled()?;
                self.refuse_go(&error.to_string());
            }
            CommandError::Position(_) => {
                self.settled()?;
                self.refuse_position(&error.to_string());
            }
            _ => self.inform(&error.to_string()),
        }
        Ok(())
    }

    fn refuse_go(&self, error: &str) {
        self.inform(&format!("{error}; nothing is searched"));
        self.say(info::NO_MOVE);
    }

    fn refuse_position(&mut self, error: &str) {
        self.game = None;
        self.inform(&format!("{error}; no position is left to search"));
    }

    fn obey(&mut self, command: Command, begin: Instant) -> Result<Option<Next>> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if self.running.as_ref().is_none_or(Running::is_over) {
                    let options = self.shared.options;
                    self.settled()?.prepare(&options);
                }
                self.say("readyok");
            }
            Command::NewGame => {
                let threads = self.shared.options.threads;
                let idle = self.settled()?;
                idle.table.clear(threads);
                idle.engine.forget();
            }
            Command::Position { fen, moves } => {
                self.settled()?;
                self.set_position(fen.as_deref(), &moves);
            }
            Command::Go(order) => {
                self.settled()?;
                self.go(&order, begin)?;
            }
            Command::Stop => {
                if let Some(running) = &self.running {
                    running.stop();
                }
            }
            Command::PonderHit => {
                let hit = self.running.as_ref().is_some_and(Running::ponder_hit);
                if !hit {
                    self.inform("ponderhit: nothing is pondered; expected it after 'go ponder'");
                }
            }
            Command::SetOption { name, value } => {
                self.settled()?;
                return self.set_option(&name, value.as_deref());
            }
            Command::Draw => self.show(Self::drawing),
            Command::Eval => self.show(|game| self.explained(game)),
            Command::Bench(depth) => self.start(Job::Bench { depth })?,
            Command::Help => self.inform(&format!("the commands are {}", NAMES.join(", "))),
            Command::Nothing => {}
            Command::Quit => return Ok(Some(Next::Quit)),
        }
        Ok(None)
    }

    fn introduce(&self) {
        let mut lines = vec![
            concat!("id name Hexmate ", env!("CARGO_PKG_VERSION")).to_owned(),
            "id author the Hexmate founders".to_owned(),
        ];
        lines.extend(described(self.shared.tunable, &self.shared.variants));
        lines.push("uciok".to_owned());
        self.say(&lines.join("\n"));
    }

    /// Says something about the position, if there is one.
    fn show(&self, text: impl FnOnce(&Record<G>) -> String) {
        match &self.game {
            Some(game) => self.say(&text(game)),
            None => self.inform(NO_POSITION),
        }
    }

    /// Takes a position, or says why not; then there is none.
    fn set_position(&mut self, fen: Option<&str>, moves: &str) {
        let start = match fen {
            Some(fen) => Position::from_fen(self.variant, fen),
            None => Ok(Position::start_of(self.variant)),
        };
        match start {
            Ok(start) => match inputs::play(start, moves, &Letters::Own) {
                Ok(game) => self.game = Some(game),
                Err(error) => self.refuse_position(&format!("position: {error}")),
            },
            Err(error) => self.refuse_position(&format!("position: {error}")),
        }
    }

    fn go(&mut self, order: &Order, begin: Instant) -> Result<()> {
        for word in &order.unknown {
            let word = short(word);
            self.inform(&format!("go: '{word}' means nothing here; ignored"));
        }
        let job = match self.job(order, begin) {
            Ok(job) => job,
            Err(error) => {
                self.refuse_go(&format!("go: {error}"));
                return Ok(());
            }
        };
        self.start(job)
    }

    fn start(&mut self, job: Job<G>) -> Result<()> {
        self.settled()?;
        if let Some(idle) = self.idle.take() {
            let output = Arc::clone(&self.shared.output);
            match Running::start(idle, job, output) {
                Ok(running) => self.running = Some(running),
                Err(NotStarted { error, search }) => {
                    self.inform(&format!("{NO_THREAD}: {error}"));
                    if let Some(search) = search {
                        let (search, mut idle) = *search;
                        search.answer_at_once(&mut idle, &self.shared.output);
                        self.idle = Some(idle);
                    }
                }
            }
        }
        Ok(())
    }

    /// What a `go` means here.
    fn job(&self, order: &Order, begin: Instant) -> Result<Job<G>, String> {
        let game = self.game.as_ref().ok_or(NO_POSITION)?;
        let position = game.position();
        if let Some(depth) = order.perft {
            let position = *position;
            return Ok(Job::Perft { position, depth });
        }
        let options = self.shared.options;
        let men = position.occupied().count();
        let time = order.budget(position.side_to_move(), men, options.overhead);
        let mut searchmoves = Vec::new();
        for text in &order.searchmoves {
            let mv = position.parse_move(text);
            let mv = mv.map_err(|e| format!("searchmoves: {e}"))?;
            if !searchmoves.contains(&mv) {
                searchmoves.push(mv);
            }
        }
        Ok(Job::Search(Box::new(SearchJob {
            game: game.clone(),
            limits: Limits {
                depth: order.depth,
                nodes: order.nodes,
                mate: order.mate,
                begin: Some(begin),
                time: time.map_err(|e| e.to_string())?,
                multipv: options.multipv,
                ..Limits::default()
            },
            searchmoves,
            hold: Hold {
                until_stop: order.is_endless(),
                until_ponder_hit: order.ponder,
            },
            show_wdl: options.show_wdl,
            tables: self.tables.clone(),
        })))
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<Next>> {
        let added = self.shared.variants.iter().copied();
        let named = |game: &GameId| value.is_some_and(|v| v.eq_ignore_ascii_case(game.name()));
        if name.eq_ignore_ascii_case(options::VARIANT)
            && let Some(game) = added.rev().find(named)
        {
            return Ok(Some(Next::Game(game)));
        }
        let before = self.shared.options;
        let change = match self.shared.options.set(name, value) {
            Ok(change) => change,
            Err(error) => {
                self.inform(&format!("setoption: {error}"));
                return Ok(None);
            }
        };
        let options = self.shared.options;
        match change {
            Change::Kept => {}
            Change::Engine => {
                if let Err(error) = check_memory(options.threads, 0) {
                    self.shared.options = before;
                    self.inform(&format!(
                        "setoption: Threads: {error}; it is kept as it was"
                    ));
                    return Ok(None);
                }
                let engine = &mut self.settled()?.engine;
                engine.set_threads(options.threads);
                engine.set_params(options.params);
            }
            Change::Table(megabytes) => match Table::new(megabytes) {
                Ok(table) => {
                    let idle = self.settled()?;
                    idle.table = table;
                    idle.prepare(&options);
                }
                Err(error) => {
                    self.shared.options = before;
                    self.inform(&format!("setoption: Hash: {error}; it is kept as it was"));
                }
            },
            Change::Clear => self.settled()?.table.clear(options.threads),
            Change::Game(game) => return Ok(Some(Next::Game(game))),
            Change::Variants(path) => {
                let (mut games, faults) = match path.as_deref() {
                    Some(path) => GameNames::default().read_all(path),
                    None => (Vec::new(), Vec::new()),
                };
                // A name means one game, so the files of games that ship are these games.
                games.retain(|game| game.name().parse::<GameId>().is_err());
                for fault in faults {
                    self.inform(&format!("VariantPath: {fault}"));
                }
                self.say(&options::variants(&games));
                self.shared.variants = games;
            }
            Change::Tables(folder) => {
                self.settled()?;
                let before = mem::replace(&mut self.shared.tables, folder);
                if let Err(error) = self.open_tables() {
                    self.shared.tables = before;
                    self.inform(&format!(
                        "setoption: TablebasePath: {error:#}; it is kept as it was"
                    ));
                }
            }
            Change::EvalFile(path) => match path.as_deref().map(EvalFile::open).transpose() {
                Ok(file) => {
                    self.settled()?;
                    self.shared.eval_file = file;
                    self.take_evaluation();
                    // It holds evaluations by the old weights.
                    let idle = self.settled()?;
                    idle.table.clear(options.threads);
                    idle.engine.forget();
                }
                Err(error) => self.inform(&format!(
                    "setoption: EvalFile: {error}; it is kept as it was"
                )),
            },
        }
        Ok(None)
    }

    /// The board, and what cannot be seen on it.
    fn drawing(game: &Record<G>) -> String {
        let position = game.position();
        let marks = Marks {
            last_move: game.moves().last().copied(),
            arrows: Vec::new(),
        };
        let board = drawing::terminal(game, &marks, false);
        let fen = position.to_string();
        let board = board.trim_end().trim_end_matches(&fen);
        let names = position.checkers().cells();
        let names = names.map(|cell| position.tables().board.name(cell));
        let checkers: Vec<String> = names.collect();
        format!(
            "{board}Fen: {fen}\nKey: {:016x}\nCheckers: {}",
            position.key(),
            checkers.join(" ")
        )
    }

    /// What the position is worth at sight, and what each side gets for what.
    fn explained(&self, game: &Record<G>) -> String {
        let position = game.position();
        let evaluation = self.evaluation();
        let mut text = format!("{:<18}{:>7}{:>7}{:>7}\n", "", "White", "Black", "sum");
        for (idea, white, black) in evaluation.handmade().explain(position) {
            let sum = white - black;
            text += &format!("{idea:<18}{white:>7}{black:>7}{sum:>7}\n");
        }
        let score = evaluation.evaluate(position);
        let white = match position.side_to_move() {
            Side::White => score,
            Side::Black => -score,
        };
        let by = match evaluation.network() {
            Some(_) if evaluation.handmade().answers_for_networks(position) => {
                ", by the handmade evaluation; the network is not asked about this position"
            }
            Some(_) => ", by the network; the table is the handmade evaluation's",
            None => "",
        };
        format!("{text}Evaluation: {white} centipawns for White{by}")
    }
}
