//! The command line of `hexmate match`: the dialect of `fastchess`.
//!
//! An option is a word that begins with `-`; the words after it, up to the next option, belong to it: values,
//! or `key=value`. A TOML file has the same options ([`super::config`]). Every word is either understood or
//! refused with the name of its option.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use hexmate_engine::{Wdl, score_of_quarters};
use hexmate_movegen::GameId;

use super::engine_words::EngineWords;
use super::options::{
    Affinity, BookFormat, Command, DrawRule, LogOptions, Lost, OpeningOptions, Options, PgnOptions,
    Resign, Tournament,
};
use super::sprt::{Model, Sprt};
use crate::inputs;
use crate::pgn::Notation;

/// An option and its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, without the dash.
    pub name: String,
    /// Its words.
    pub words: Vec<String>,
}

/// What is wrong with the words of a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DialectError(pub String);

/// Refuses something, with the reason.
pub fn refuse<T>(reason: impl Into<String>) -> Result<T, DialectError> {
    Err(DialectError(reason.into()))
}

/// The known options, as listed in the message for an unknown one.
pub const KNOWN: &str = "-engine -each -variant -rounds -games -repeat -concurrency -openings -srand \
-sprt -resign -draw -tb -maxmoves -recover -tournament -seeds -pgnout -epdout -jsonl -report -journal \
--resume -log -ratinginterval -use-affinity -config -event -site -help";

/// Splits words into groups: an option begins with a dash and a letter (or two dashes).
///
/// # Errors
/// If the first word is not an option.
pub fn groups(words: &[String]) -> Result<Vec<Group>, DialectError> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        match name.filter(|n| n.starts_with(|c: char| c.is_ascii_alphabetic())) {
            Some(name) => groups.push(Group {
                name: name.to_owned(),
                words: Vec::new(),
            }),
            None => match groups.last_mut() {
                Some(group) => group.words.push(word.clone()),
                None => {
                    return refuse(format!(
                        "'{word}' is not an option; expected one of {KNOWN}"
                    ));
                }
            },
        }
    }
    Ok(groups)
}

impl Group {
    /// The words as keys and values.
    ///
    /// # Errors
    /// If a word has no `=`.
    pub fn pairs(&self) -> Result<Vec<(&str, &str)>, DialectError> {
        let pair = |word| match str::split_once(word, '=') {
            Some(pair) => Ok(pair),
            None => refuse(format!("-{}: '{word}': expected key=value", self.name)),
        };
        self.words.iter().map(|w| pair(w.as_str())).collect()
    }

    fn no_words(&self) -> Result<(), DialectError> {
        match self.words.first() {
            Some(word) => refuse(format!("-{}: '{word}': expected nothing here", self.name)),
            None => Ok(()),
        }
    }

    fn word(&self, what: &str) -> Result<&str, DialectError> {
        match self.words.as_slice() {
            [word] => Ok(word),
            _ => refuse(format!(
                "-{}: expected {what}, found {} words",
                self.name,
                self.words.len()
            )),
        }
    }

    fn count<T>(&self, least: T) -> Result<T, DialectError>
    where
        T: FromStr + PartialOrd + Copy + std::fmt::Display,
    {
        let word = self.word("a number")?;
        number(&format!("-{}", self.name), word, least)
    }

    fn unknown<T>(&self, key: &str, known: &str) -> Result<T, DialectError> {
        refuse(format!(
            "-{}: '{key}' is not one of its keys; expected {known}",
            self.name
        ))
    }

    fn path(&self) -> Result<PathBuf, DialectError> {
        let word = self.word("file=NAME")?;
        Ok(word.strip_prefix("file=").unwrap_or(word).into())
    }
}

/// Reads a number that is at least `least`.
///
/// # Errors
/// If it is not a number, or less.
pub fn number<T>(whose: &str, text: &str, least: T) -> Result<T, DialectError>
where
    T: FromStr + PartialOrd + Copy + std::fmt::Display,
{
    match text.parse::<T>() {
        Ok(n) if n >= least => Ok(n),
        _ => refuse(format!(
            "{whose}: '{text}': expected a number from {least} on"
        )),
    }
}

/// Reads a time in seconds.
///
/// # Errors
/// If it is not a number, negative, or more than 1,000,000.
pub fn seconds(whose: &str, text: &str) -> Result<Duration, DialectError> {
    match text.parse::<f64>() {
        Ok(s) if (0.0..=1e6).contains(&s) => Ok(Duration::from_secs_f64(s)),
        _ => refuse(format!("{whose}: '{text}': expected seconds")),
    }
}

/// Reads a boolean.
///
/// # Errors
///
/// If it is not one.
pub fn truth(whose: &str, text: &str) -> Result<bool, DialectError> {
    match text {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => refuse(format!("{whose}: '{text}': expected true or false")),
    }
}

/// The options of a match from groups of words.
///
/// # Errors
///
/// If something is not understood, out of range or missing.
pub fn options(groups: &[Group]) -> Result<Options, DialectError> {
    let mut options = Options {
        variant: GameId::Glinski,
        variant_file: None,
        engines: Vec::new(),
        tournament: Tournament::RoundRobin,
        rounds: 2,
        games: 2,
        concurrency: 1,
        seed: 1,
        openings: OpeningOptions::default(),
        sprt: None,
        resign: None,
        draw: None,
        maxmoves: None,
        recover: false,
        rating_interval: 10,
        pgnout: None,
        epdout: None,
        jsonl: None,
        report: None,
        journal: None,
        resume: false,
        log: None,
        affinity: None,
        event: None,
        site: None,
    };
    let mut engines = Vec::new();
    let mut each = EngineWords::default();
    let mut seeds = 1;
    let mut tables = None;
    for group in groups {
        match group.name.as_str() {
            "engine" => engines.push(EngineWords::parse(group)?),
            "each" => each = EngineWords::parse(group)?.or(each),
            "tb" => tables = Some(group.word("a folder of endgame tables")?),
            "seeds" => seeds = group.count(1usize)?,
            _ => apply(group, &mut options)?,
        }
    }
    if let Tournament::Gauntlet(_) = options.tournament {
        options.tournament = Tournament::Gauntlet(seeds);
    }
    for (i, words) in engines.into_iter().enumerate() {
        let mut engine = words.or(each.clone()).finish(i + 1)?;
        let own = engine
            .options
            .iter()
            .any(|(name, _)| name == "TablebasePath");
        if let (Command::Internal, false, Some(folder)) = (&engine.command, own, tables) {
            let option = ("TablebasePath".to_owned(), folder.to_owned());
            engine.options.push(option);
        }
        options.engines.push(engine);
    }
    check(&options)?;
    Ok(options)
}

fn apply(group: &Group, options: &mut Options) -> Result<(), DialectError> {
    match group.name.as_str() {
        "variant" => {
            let game = inputs::game_and_file(group.word("a game")?);
            (options.variant, options.variant_file) =
                game.map_err(|e| DialectError(format!("-variant: {e}")))?;
        }
        "rounds" => options.rounds = group.count(1)?,
        "games" => options.games = group.count(1)?,
        "repeat" => {
            // As in `cutechess`, a number may follow; both mean pairs with one opening.
            options.games = if group.words.is_empty() {
                options.games.max(2)
            } else {
                group.count(2)?
            };
        }
        "concurrency" => options.concurrency = group.count(1)?,
        "srand" => options.seed = group.count(0)?,
        "maxmoves" => options.maxmoves = Some(group.count(1)?),
        "ratinginterval" => options.rating_interval = group.count(0)?,
        "recover" => {
            group.no_words()?;
            options.recover = true;
        }
        "resume" => {
            group.no_words()?;
            options.resume = true;
        }
        "tournament" => {
            options.tournament = match group.word("roundrobin or gauntlet")? {
                "roundrobin" => Tournament::RoundRobin,
                "gauntlet" => Tournament::Gauntlet(1),
                other => {
                    return refuse(format!(
                        "-tournament: '{other}': expected roundrobin or gauntlet"
                    ));
                }
            };
        }
        "openings" => options.openings = openings(group)?,
        "sprt" => options.sprt = Some(sprt(group)?),
        "resign" => options.resign = Some(resign(group)?),
        "draw" => options.draw = Some(draw(group)?),
        "pgnout" => options.pgnout = Some(pgn(group)?),
        "log" => options.log = Some(log(group)?),
        "epdout" => options.epdout = Some(group.path()?),
        "jsonl" => options.jsonl = Some(group.path()?),
        "report" => options.report = Some(group.path()?),
        "journal" => options.journal = Some(group.path()?),
        "use-affinity" => options.affinity = Some(affinity(group)?),
        "event" => options.event = Some(group.words.join(" ")),
        "site" => options.site = Some(group.words.join(" ")),
        other => return refuse(format!("'-{other}' is unknown; expected one of {KNOWN}")),
    }
    Ok(())
}

/// The format of a book by its extension, if none is given.
fn format_of(path: &str) -> Result<BookFormat, DialectError> {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("epd") => Ok(BookFormat::Epd),
        Some("txt") => Ok(BookFormat::Txt),
        Some("pgn") => Ok(BookFormat::Pgn),
        _ => refuse(format!(
            "-openings: '{path}': expected format=epd, txt or pgn"
        )),
    }
}

fn openings(group: &Group) -> Result<OpeningOptions, DialectError> {
    // Random lines have no format, no order, and no first one.
    let of_book = ["format", "order", "start"];
    let mut openings = OpeningOptions::default();
    let (mut file, mut format) = (None, None);
    for (key, value) in group.pairs()? {
        let whose = format!("-openings {key}");
        match key {
            "file" => file = Some(value),
            "format" => {
                format = Some(match value {
                    "epd" => BookFormat::Epd,
                    "txt" => BookFormat::Txt,
                    "pgn" => BookFormat::Pgn,
                    _ => return refuse(format!("{whose}: '{value}': expected epd, txt or pgn")),
                });
            }
            "order" => {
                openings.random_order = match value {
                    "random" => true,
                    "sequential" => false,
                    _ => {
                        return refuse(format!(
                            "{whose}: '{value}': expected random or sequential"
                        ));
                    }
                };
            }
            "plies" => openings.plies = Some(number(&whose, value, 0)?),
            "start" => openings.start = number(&whose, value, 1)?,
            "balance" => openings.balance = number(&whose, value, 1)?,
            _ => return group.unknown(key, "file format order plies start balance"),
        }
    }
    if let Some(path) = file {
        let format = match format {
            Some(format) => format,
            None => format_of(path)?,
        };
        openings.file = Some((path.into(), format));
    } else if let Some((key, _)) = group.pairs()?.iter().find(|(key, _)| of_book.contains(key)) {
        return refuse(format!(
            "-openings {key}=: is for a book; expected file=NAME, too (other random lines come with another -srand)"
        ));
    }
    Ok(openings)
}

fn real(whose: &str, text: &str) -> Result<f64, DialectError> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => refuse(format!("{whose}: '{text}': expected a number")),
    }
}

fn sprt(group: &Group) -> Result<Sprt, DialectError> {
    let mut sprt = Sprt {
        elo0: 0.0,
        elo1: 0.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Normalised,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-sprt {key}");
        match key {
            "elo0" => sprt.elo0 = real(&whose, value)?,
            "elo1" => sprt.elo1 = real(&whose, value)?,
            "alpha" => sprt.alpha = real(&whose, value)?,
            "beta" => sprt.beta = real(&whose, value)?,
            "model" => {
                sprt.model = match value {
                    "normalized" | "normalised" => Model::Normalised,
                    "logistic" => Model::Logistic,
                    _ => {
                        return refuse(format!(
                            "{whose}: '{value}': expected normalized or logistic"
                        ));
                    }
                };
            }
            _ => return group.unknown(key, "elo0 elo1 alpha beta model"),
        }
    }
    let chance = |p: f64| p > 0.0 && p < 1.0;
    if sprt.elo0 >= sprt.elo1 {
        return refuse(format!(
            "-sprt: elo0={} and elo1={}: expected elo0 below elo1",
            sprt.elo0, sprt.elo1
        ));
    }
    if !chance(sprt.alpha) || !chance(sprt.beta) || sprt.alpha + sprt.beta >= 1.0 {
        return refuse(format!(
            "-sprt: alpha={} and beta={}: expected chances between 0 and 1 with a sum below 1",
            sprt.alpha, sprt.beta
        ));
    }
    Ok(sprt)
}

fn resign(group: &Group) -> Result<Resign, DialectError> {
    let mut resign = Resign {
        movecount: 1,
        lost: Lost::Score(0),
        twosided: false,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-resign {key}");
        match key {
            "movecount" => resign.movecount = number(&whose, value, 1)?,
            "score" | "chance" if resign.lost != Lost::Score(0) => {
                return refuse("-resign: expected score=CENTIPAWNS or chance=PERCENT, not both");
            }
            "score" => resign.lost = Lost::Score(number(&whose, value, 1)?),
            "chance" => resign.lost = Lost::Chance(number(&whose, value, 1)?),
            "twosided" => resign.twosided = truth(&whose, value)?,
            _ => return group.unknown(key, "movecount score chance twosided"),
        }
    }
    match resign.lost {
        Lost::Score(0) => refuse("-resign: expected score=CENTIPAWNS or chance=PERCENT"),
        Lost::Chance(percent) if !(51..=99).contains(&percent) => refuse(format!(
            "-resign: chance={percent}; expected 51 to 99 per cent"
        )),
        _ => Ok(resign),
    }
}

fn draw(group: &Group) -> Result<DrawRule, DialectError> {
    let mut draw = DrawRule {
        movenumber: 0,
        movecount: 1,
        score: 0,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-draw {key}");
        match key {
            "movenumber" => draw.movenumber = number(&whose, value, 0)?,
            "movecount" => draw.movecount = number(&whose, value, 1)?,
            "score" => draw.score = number(&whose, value, 0)?,
            _ => return group.unknown(key, "movenumber movecount score"),
        }
    }
    Ok(draw)
}

fn pgn(group: &Group) -> Result<PgnOptions, DialectError> {
    let mut pgn = PgnOptions {
        file: PathBuf::new(),
        append: false,
        min: false,
        notation: Notation::Cells,
    };
    for word in &group.words {
        // A lone name is the file, as in `cutechess`.
        let (key, value) = word.split_once('=').unwrap_or(("file", word));
        let whose = format!("-pgnout {key}");
        match key {
            "file" => pgn.file = value.into(),
            "append" => pgn.append = truth(&whose, value)?,
            "min" => pgn.min = truth(&whose, value)?,
            "notation" => {
                pgn.notation = match value {
                    "uci" | "cells" => Notation::Cells,
                    "san" => Notation::San,
                    _ => return refuse(format!("{whose}: '{value}'; expected san or uci")),
                }
            }
            // Always written; the switches of other tournament managers are accepted.
            "nodes" | "seldepth" | "timeleft" | "nps" | "latency" => {
                truth(&whose, value)?;
            }
            _ => return group.unknown(key, "file append min notation nodes"),
        }
    }
    if pgn.file.as_os_str().is_empty() {
        return refuse("-pgnout: expected file=NAME");
    }
    Ok(pgn)
}

fn log(group: &Group) -> Result<LogOptions, DialectError> {
    let mut log = LogOptions {
        file: PathBuf::new(),
        engine: false,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-log {key}");
        match key {
            "file" => log.file = value.into(),
            "engine" => log.engine = truth(&whose, value)?,
            "level" if value == "trace" => log.engine = true,
            "level" if ["info", "warn", "err", "fatal"].contains(&value) => {}
            "level" => {
                return refuse(format!(
                    "{whose}: '{value}': expected trace info warn err fatal"
                ));
            }
            // Lines are always written at once.
            "realtime" => {
                truth(&whose, value)?;
            }
            _ => return group.unknown(key, "file engine level realtime"),
        }
    }
    if log.file.as_os_str().is_empty() {
        return refuse("-log: expected file=NAME");
    }
    Ok(log)
}

/// Processors as `3,5,7-11`; all of them if nothing is said.
fn affinity(group: &Group) -> Result<Affinity, DialectError> {
    const MOST: usize = 1024;
    if group.words.is_empty() {
        return Ok(Affinity::All);
    }
    let mut cpus = Vec::new();
    for part in group.word("processors like 3,5,7-11")?.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first = number("-use-affinity", first, 0usize)?;
        let last = number("-use-affinity", last, first)?;
        if last >= MOST {
            return refuse(format!(
                "-use-affinity: '{last}': expected less than {MOST}"
            ));
        }
        cpus.extend(first..=last);
    }
    Ok(Affinity::These(cpus))
}

/// Checks that concern several options.
fn check(options: &Options) -> Result<(), DialectError> {
    let engines = &options.engines;
    if engines.len() < 2 {
        return refuse(format!(
            "{} engines are given; expected two or more -engine",
            engines.len()
        ));
    }
    for (i, engine) in engines.iter().enumerate() {
        if engines[..i].iter().any(|e| e.name == engine.name) {
            return refuse(format!(
                "two engines are named '{}'; give each a name= of its own",
                engine.name
            ));
        }
    }
    if let Tournament::Gauntlet(seeds) = options.tournament
        && seeds >= engines.len()
    {
        return refuse(format!(
            "-seeds: {seeds} of {} engines; expected fewer",
            engines.len()
        ));
    }
    if options.sprt.is_some() && engines.len() != 2 {
        return refuse(format!(
            "-sprt: {} engines are given; expected two",
            engines.len()
        ));
    }
    if options.resume && options.journal.is_none() {
        return refuse("--resume: expected -journal file=NAME");
    }
    check_scores(options)
}

/// A stalemate may be worth 3/4 of the point: adjudication must treat it neither as a win nor as a draw.
fn check_scores(options: &Options) -> Result<(), DialectError> {
    let spec = options.variant.spec();
    if spec.stalemate_quarters == 2 {
        return Ok(());
    }
    let stalemate = score_of_quarters(4 - spec.stalemate_quarters).abs();
    match options.resign.map(|resign| resign.lost) {
        Some(Lost::Score(score)) if score <= stalemate => {
            return refuse(format!(
                "-resign: score={score}: in {} a stalemate is worth {stalemate} centipawns and no win; expected more",
                spec.name
            ));
        }
        Some(Lost::Chance(percent)) => {
            let model = Wdl::of_name(spec.name).unwrap_or(Wdl::UNMEASURED);
            let [few, all] = [0.0, 1.0].map(|men| model.chances(stalemate, men)[0] * 100.0);
            if f64::from(percent) <= few.max(all) {
                return refuse(format!(
                    "-resign: chance={percent}: in {} a stalemate is worth {stalemate} centipawns, which win {:.0} \
                     per cent of other games, and no win; expected more",
                    spec.name,
                    few.max(all)
                ));
            }
        }
        _ => {}
    }
    if let Some(draw) = options.draw.filter(|d| d.score >= stalemate) {
        return refuse(format!(
            "-draw: score={}: in {} a stalemate is worth {stalemate} centipawns and no draw; expected less",
            draw.score, spec.name
        ));
    }
    Ok(())
}
