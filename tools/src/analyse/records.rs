//! From inputs to records: lines, rows of tables, games and their positions.
//!
//! Whatever an input holds, reading continues: anything that cannot be used becomes a record with its fault.

use std::collections::VecDeque;
use std::fmt::Display;
use std::hash::Hasher;
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail};
use hexmate_movegen::{GameId, Letters, with_game};
use indicatif::ProgressBar;
use serde_json::Value;
use twox_hash::XxHash3_64;

use super::apart::{Broken, Parts, take_apart};
use super::forms::RunHeader;
use super::item::{Body, Item, Origin, numbered};
use super::parquet::Rows;
use super::request::{Label, Request};
use super::source::{Source, unreadable};
use super::table::{NoColumns, Table, TableError, separator};
use super::text_kind::{SpreadJson, TextKind};
use crate::game_names::GameNames;
use crate::lines::Lines;
use crate::pgn;
use crate::terms::Terms;
use crate::unpack::Text;

/// How to read an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum InputFormat {
    /// Position texts and JSON objects, one per line
    Lines,
    /// Comma-separated values; the first line names the columns
    Csv,
    /// A Parquet file with the columns of csv
    Parquet,
    /// Games in PGN, as people write them
    Pgn,
}

/// What to read, and which records are wanted.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The format of inputs; `None`: detected.
    pub format: Option<InputFormat>,
    /// The game of records that do not name one; `None`: that of the file's name, else glinski.
    pub game: Option<GameId>,
    /// In games, the positions before these moves, by move number.
    pub from_move: Option<u16>,
    /// The last of them.
    pub to_move: Option<u16>,
    /// In games, skip positions before this many plies.
    pub skip_book: Option<usize>,
    /// Games are whole records, not expanded into positions.
    pub whole_games: bool,
    /// Which share of all records, from 0, and of how many.
    pub shard: Option<(u64, u64)>,
    /// The letters of pieces in moves.
    pub letters: Letters,
    /// Where games are found by name.
    pub names: GameNames,
}

impl Selection {
    /// Adds everything that determines answers to the terms of a journal, by option name.
    pub fn add_terms(&self, terms: &mut Terms) {
        let shard = self.shard.map(|(share, of)| format!("{}/{of}", share + 1));
        for (name, what) in [
            ("--from-move", self.from_move.map(|n| n.to_string())),
            ("--to-move", self.to_move.map(|n| n.to_string())),
            ("--skip-book", self.skip_book.map(|n| n.to_string())),
            ("--shard", shard),
        ] {
            terms.insert(name.to_owned(), what.unwrap_or_else(|| "none".to_owned()));
        }
        if let Some(game) = self.game.filter(|game| game.is_from_file()) {
            // A file may come to hold another game.
            terms.insert(
                "the game's file".to_owned(),
                format!("{:x}", game.fingerprint()),
            );
        }
        if self.letters != Letters::Own {
            terms.insert("--letters".to_owned(), format!("{:?}", self.letters));
        }
    }

    /// Whether games are expanded everywhere, not just in files of games.
    fn takes_games_apart(&self) -> bool {
        !self.whole_games
            && (self.from_move.is_some() || self.to_move.is_some() || self.skip_book.is_some())
    }
}

/// The records of all inputs.
pub struct Records {
    sources: VecDeque<Source>,
    selection: Selection,
    progress: ProgressBar,
    /// Whether records are named after their file.
    several: bool,
    current: Option<Input>,
    waiting: VecDeque<Item>,
    /// Records so far, those of other shards included.
    seen: u64,
    /// Their hashes, if there are other shards.
    hash: XxHash3_64,
    header: RunHeader,
}

/// All records of a run, whichever shard they are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whole {
    /// How many there are.
    pub records: u64,
    /// The hash of their hashes, in order; only of runs that have shards.
    pub hash: u64,
}

/// An input that is being read.
struct Input {
    lines: Lines<Text>,
    form: Form,
    /// Its size, 0 if that is not known.
    bytes: u64,
    /// Its name, if there are several.
    file: Option<Arc<str>>,
    game: GameId,
    /// The game being expanded.
    apart: Option<Apart>,
    /// Games that were read and come after it: a line may hold several.
    found: VecDeque<pgn::ReadGame>,
    /// Whether its last line was read.
    ended: bool,
}

/// How an input is read.
enum Form {
    /// To be decided by its first lines.
    Undecided,
    Lines,
    /// A table, once its header is read, and what separates its columns if a line above has said so.
    Csv(Option<Table>, Option<u8>),
    Parquet(Box<Rows>),
    Pgn {
        reader: Box<pgn::Reader>,
        games: u64,
        /// Whether each line is a game.
        by_line: bool,
    },
}

impl Form {
    fn of(format: InputFormat) -> Form {
        Form::of_kind(match format {
            // Parquet is opened in another way; what is here is none.
            InputFormat::Lines | InputFormat::Parquet => TextKind::Lines,
            InputFormat::Csv => TextKind::Table,
            InputFormat::Pgn => TextKind::Games,
        })
    }

    fn of_kind(kind: TextKind) -> Form {
        match kind {
            TextKind::Lines => Form::Lines,
            TextKind::Table => Form::Csv(None, None),
            TextKind::Games | TextKind::GameLines => Form::Pgn {
                reader: Box::default(),
                games: 0,
                by_line: kind == TextKind::GameLines,
            },
        }
    }
}

/// A game being expanded.
struct Apart {
    request: Request,
    line: u64,
    /// For each wanted position: the plies before it and the length of their text.
    positions: VecDeque<(usize, usize)>,
    /// What is wrong with the game after that.
    broken: Option<Broken>,
}

impl Records {
    /// The records of these inputs; `progress` is given the bytes that are read.
    ///
    /// # Errors
    ///
    /// If none of the inputs can be opened.
    pub fn new(
        sources: Vec<Source>,
        selection: Selection,
        progress: ProgressBar,
    ) -> Result<Records> {
        let mut records = Records {
            several: sources.len() > 1,
            sources: sources.into(),
            selection,
            progress,
            current: None,
            waiting: VecDeque::new(),
            seen: 0,
            hash: XxHash3_64::default(),
            header: RunHeader::default(),
        };
        let mut failed = Vec::new();
        while records.current.is_none()
            && let Some(source) = records.sources.pop_front()
        {
            if let Err(error) = records.begin(&source) {
                failed.push(error);
            }
        }
        if records.current.is_none() && !failed.is_empty() {
            let all: Vec<String> = failed.iter().map(|e| format!("{e:#}")).collect();
            bail!("{}", all.join("; "));
        }
        Ok(records)
    }

    /// Starts an input; one that cannot be opened becomes a record with its fault.
    fn begin(&mut self, source: &Source) -> Result<()> {
        match self.open(source) {
            Ok(input) => self.current = Some(input),
            Err(error) => {
                self.waiting.push_back(Item {
                    origin: Origin {
                        file: Some(source.name()),
                        line: 0,
                    },
                    game: GameId::Glinski,
                    body: Body::Fault {
                        label: None,
                        error: without_name(&error, source),
                    },
                    tags: Vec::new(),
                });
                return Err(error);
            }
        }
        Ok(())
    }

    /// What tables have as columns once the first record was read.
    pub fn header(&self) -> RunHeader {
        self.header.clone()
    }

    /// What was read so far.
    pub fn whole(&self) -> Whole {
        Whole {
            records: self.seen,
            hash: self.hash.finish(),
        }
    }

    /// The next record of this shard; `None` at the end of the last input.
    ///
    /// # Errors
    ///
    /// If there is only one input, and not even its first line can be read.
    pub fn next_item(&mut self) -> Result<Option<Item>> {
        loop {
            let Some(item) = self.next_of_all()? else {
                return Ok(None);
            };
            let number = self.seen;
            self.seen += 1;
            if number == 0 {
                self.header.begin_with(&item.fields());
            }
            if self.selection.shard.is_some() {
                self.hash.write_u64(item.hash());
            }
            match self.selection.shard {
                Some((share, of)) if number % of != share => {}
                _ => return Ok(Some(item)),
            }
        }
    }

    fn next_of_all(&mut self) -> Result<Option<Item>> {
        loop {
            if let Some(item) = self.waiting.pop_front() {
                return Ok(Some(item));
            }
            if let Some(mut input) = self.current.take() {
                match input.read(&self.selection, &self.progress, &mut self.waiting) {
                    Ok(true) => self.current = Some(input),
                    Ok(false) => {}
                    // A single input that cannot be read is an error; with several inputs, or further on, it
                    // is a record.
                    Err(error) if self.seen == 0 && !self.several => return Err(error),
                    Err(error) => {
                        let line = input.next_number();
                        self.waiting
                            .push_back(input.fault(line, None, format!("{error:#}")));
                    }
                }
                continue;
            }
            let Some(source) = self.sources.pop_front() else {
                return Ok(None);
            };
            // A record reports what is wrong with it.
            let _ = self.begin(&source);
        }
    }

    fn open(&self, source: &Source) -> Result<Input> {
        let format = self.selection.format;
        let wanted = format == Some(InputFormat::Parquet);
        let (lines, form) = match source.parquet(wanted, format.is_none())? {
            Some(file) => {
                let rows = Rows::open(file).with_context(|| source.name().to_string())?;
                (Source::nothing(), Form::Parquet(Box::new(rows)))
            }
            None => {
                let ending = || TextKind::of_ending(source.ending());
                let form = match format {
                    Some(format) => Form::of(format),
                    None => ending().map_or(Form::Undecided, Form::of_kind),
                };
                (source.open(&self.progress)?, form)
            }
        };
        Ok(Input {
            lines: Lines::new(lines),
            form,
            bytes: source.bytes().unwrap_or(0),
            apart: None,
            found: VecDeque::new(),
            ended: false,
            file: self.several.then(|| source.name()),
            game: self
                .selection
                .game
                .or_else(|| source.game())
                .unwrap_or(GameId::Glinski),
        })
    }
}

impl Input {
    /// Reads on and queues records; `false` at the end.
    fn read(
        &mut self,
        selection: &Selection,
        progress: &ProgressBar,
        waiting: &mut VecDeque<Item>,
    ) -> Result<bool> {
        if let Some(apart) = self.apart.take() {
            self.next_of_game(apart, waiting);
            return Ok(true);
        }
        if let Some(game) = self.found.pop_front() {
            self.add_game(game, selection, waiting);
            return Ok(true);
        }
        if self.ended {
            return Ok(false);
        }
        if let Form::Parquet(rows) = &mut self.form {
            let file = self.file.as_deref();
            let before = rows.share();
            let row = rows.next_row(|number| numbered(file, number))?;
            let after = rows.share();
            progress.inc((self.bytes as f64 * after) as u64 - (self.bytes as f64 * before) as u64);
            return Ok(match row {
                Some((number, request)) => {
                    self.add_row(number, request, selection, waiting);
                    true
                }
                None => false,
            });
        }
        if matches!(self.form, Form::Undecided) {
            let lines = &mut self.lines;
            let kind = TextKind::of_lines(|n| lines.ahead(n), self.game, &selection.letters);
            let are_games = kind.is_none() && selection.whole_games;
            let unknown = match are_games && TextKind::says_something(|n| lines.ahead(n)) {
                true => TextKind::Games,
                false => TextKind::Lines,
            };
            self.form = Form::of_kind(kind.unwrap_or(unknown));
        }
        if matches!(self.form, Form::Lines)
            && self.lines.number() == 0
            && let Some(spread) = SpreadJson::of_lines(|n| self.lines.ahead(n))
        {
            bail!(spread);
        }
        let line = match self.form {
            Form::Pgn { .. } => self.lines.next_of_any(),
            Form::Csv(..) => self.lines.next_row(),
            _ => self.lines.next_line(),
        };
        let Some(line) = line.map_err(unreadable)? else {
            if let Form::Pgn { reader, .. } = &mut self.form {
                let mut found = Vec::new();
                reader.end(&mut found);
                self.found.extend(found);
            }
            self.ended = true;
            return Ok(true);
        };
        let number = line.number;
        let text = match line.text {
            Ok(text) => text,
            Err(error) if matches!(self.form, Form::Csv(None, _)) => {
                return self.without_columns(number, &error, waiting);
            }
            Err(error) => {
                waiting.push_back(self.fault(number, None, error.to_string()));
                return Ok(true);
            }
        };
        let unnamed = numbered(self.file.as_deref(), number);
        match &mut self.form {
            Form::Undecided | Form::Parquet(_) => unreachable!("decided above"),
            Form::Lines => {
                let game = selection
                    .takes_games_apart()
                    .then(|| Request::parse(&text, &unnamed));
                match game {
                    Some(Ok(request)) if request.is_game() => {
                        self.take_apart(request, number, selection, waiting);
                    }
                    _ => waiting.push_back(self.item(number, Body::Text(text))),
                }
            }
            Form::Csv(table @ None, said) => match (*said, separator(&text)) {
                (None, found @ Some(_)) => *said = found,
                _ => match Table::of_header(&text, *said) {
                    Ok(header) => *table = Some(header),
                    Err(error) => return self.without_columns(number, &error, waiting),
                },
            },
            Form::Csv(Some(table), _) => {
                let request = table.request(&text, &unnamed);
                self.add_row(number, request, selection, waiting);
            }
            Form::Pgn {
                reader, by_line, ..
            } => {
                let mut found = Vec::new();
                reader.line(number as usize, &text, &mut found);
                if *by_line {
                    reader.end_of_line(&mut found);
                }
                self.found.extend(found);
            }
        }
        Ok(true)
    }

    /// Ends a table whose header cannot be used: without its columns no row means anything.
    ///
    /// # Errors
    /// If it is the only input.
    fn without_columns(
        &self,
        line: u64,
        error: &dyn Display,
        waiting: &mut VecDeque<Item>,
    ) -> Result<bool> {
        if self.file.is_none() {
            let error = error.to_string();
            bail!(NoColumns { line, error });
        }
        waiting.push_back(self.fault(line, None, error.to_string()));
        Ok(false)
    }

    /// Queues the records of a row of a table.
    fn add_row(
        &mut self,
        number: u64,
        request: Result<Request, (Box<Label>, TableError)>,
        selection: &Selection,
        waiting: &mut VecDeque<Item>,
    ) {
        match request {
            Ok(request) if request.is_game() && selection.takes_games_apart() => {
                self.take_apart(request, number, selection, waiting);
            }
            Ok(request) => {
                waiting.push_back(self.item(number, Body::Request(Box::new(request))));
            }
            Err((label, error)) => {
                waiting.push_back(self.fault(number, Some(*label), error.to_string()));
            }
        }
    }

    /// Queues the record of a game that was read, or begins to expand it.
    fn add_game(
        &mut self,
        mut game: pgn::ReadGame,
        selection: &Selection,
        waiting: &mut VecDeque<Item>,
    ) {
        let Form::Pgn { games, .. } = &mut self.form else {
            return;
        };
        *games += 1;
        // What stands behind the moves counts, whatever the tag says.
        if game.result != "*" {
            game.set_tag("Result", game.result);
        }
        let id = numbered(self.file.as_deref(), *games);
        let line = game.line as u64;
        let request = Request::of_game(&game, id.clone(), self.game, &selection.letters);
        match request {
            Ok(request) if selection.whole_games => {
                let item = self.item(line, Body::Request(Box::new(request)));
                waiting.push_back(Item {
                    tags: game.tags,
                    ..item
                });
            }
            Ok(request) => self.take_apart(request, line, selection, waiting),
            Err(error) => waiting.push_back(self.fault(line, Some(id.into()), error)),
        }
    }

    /// The number of what is read next.
    fn next_number(&self) -> u64 {
        1 + match &self.form {
            Form::Parquet(rows) => rows.read(),
            _ => self.lines.number(),
        }
    }

    fn item(&self, line: u64, body: Body) -> Item {
        Item {
            origin: Origin {
                file: self.file.clone(),
                line,
            },
            game: self.game,
            body,
            tags: Vec::new(),
        }
    }

    fn fault(&self, line: u64, label: Option<Label>, error: String) -> Item {
        self.item(line, Body::Fault { label, error })
    }

    /// Finds the wanted positions of a game. A game that cannot even start is a record as it is.
    fn take_apart(
        &mut self,
        request: Request,
        line: u64,
        selection: &Selection,
        waiting: &mut VecDeque<Item>,
    ) {
        let apart = request
            .game(&selection.names, self.game)
            .and_then(|game| with_game!(game, game => take_apart(game, &request, selection)));
        match apart {
            Ok(Parts {
                moves,
                positions,
                broken,
            }) => {
                self.apart = Some(Apart {
                    request: request.with_moves(moves),
                    line,
                    positions,
                    broken,
                });
            }
            Err(_) => waiting.push_back(self.item(line, Body::Request(Box::new(request)))),
        }
    }

    /// The next record of the game being expanded.
    fn next_of_game(&mut self, mut apart: Apart, waiting: &mut VecDeque<Item>) {
        let id = |plies: usize| -> Value {
            match &apart.request.id {
                Value::String(id) => format!("{id}:{plies}").into(),
                id => format!("{id}:{plies}").into(),
            }
        };
        if let Some((plies, length)) = apart.positions.pop_front() {
            let is_whole = apart.broken.is_none() && length == apart.request.moves().len();
            let request = match is_whole {
                true => apart.request.named(id(plies)),
                false => apart.request.broken_off(length, id(plies)),
            };
            waiting.push_back(self.item(apart.line, Body::Request(Box::new(request))));
            self.apart = Some(apart);
        } else if let Some(broken) = apart.broken.take() {
            let line = broken.line.unwrap_or(apart.line);
            let label = Label {
                id: id(broken.plies),
                fields: apart.request.fields.clone(),
            };
            waiting.push_back(self.fault(line, Some(label), broken.error));
        }
    }
}

/// The error without the name of the input, which the record has.
fn without_name(error: &Error, source: &Source) -> String {
    let text = format!("{error:#}");
    let name = format!("{}: ", source.name());
    text.strip_prefix(&name).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests;
