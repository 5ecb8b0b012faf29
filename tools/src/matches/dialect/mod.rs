//! The command line of `hexmate match`: the dialect of `fastchess`.
//!
//! An option is a word that begins with `-`; the words after it, up to the next option, belong to it: values,
//! or `key=value`. A TOML file has the same options ([`super::config`]). Every word is either understood or
//! refused with the name of its option.

mod endings;
mod openings;
mod outputs;
mod quick;
pub mod suggest;
mod words;

use std::time::Duration;

use hexmate_movegen::GameId;

use super::engine_words::EngineWords;
use super::options::{Command, OpeningOptions, Options, Output, Tournament};
use super::schedule::Schedule;
use crate::analyse::is_stdout;
use crate::inputs;
use suggest::did_you_mean;
pub use words::{DialectError, Group, check_once, groups, number, refuse, seconds, truth};

/// The known options, as listed in the message for an unknown one.
pub const KNOWN: &str = "-engine -each -quick -variant -rounds -games -repeat -noswap -reverse \
-concurrency -wait -openings -srand -sprt -resign -draw -tb -maxmoves -recover -tournament -seeds -pgnout \
-epdout -jsonl -report -output -journal --resume -log -ratinginterval -use-affinity -config -event -site \
-help";

/// Those that may be given several times; of files of options the later one counts.
const REPEATABLE: [&str; 3] = ["engine", "each", "config"];

/// The names of the known options, without dashes.
pub fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.split_whitespace().map(|w| w.trim_start_matches('-'))
}

/// Whether an option may be given several times.
pub fn is_repeatable(name: &str) -> bool {
    REPEATABLE.contains(&name)
}

/// No match has more games, no encounter more of them, and no more are played at once.
const MOST_GAMES: usize = u32::MAX as usize;
const MOST_OF_ENCOUNTER: usize = 1_000_000;
const MOST_AT_ONCE: usize = 10_000;

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
        rounds: 0,
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
        noswap: false,
        reverse: false,
        wait: Duration::ZERO,
        output: Output::default(),
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
    let mut seeds = None;
    let mut tables = None;
    let groups = quick::expanded(groups)?;
    for group in &groups {
        match group.name.as_str() {
            "engine" => engines.push(EngineWords::parse(group)?),
            "each" => each = EngineWords::parse(group)?.or(each),
            "tb" => tables = Some(group.word("a folder of endgame tables")?),
            "seeds" => seeds = Some(group.count(1..=usize::MAX)?),
            _ => apply(group, &mut options)?,
        }
    }
    if let Some(seeds) = seeds {
        let Tournament::Gauntlet(one) = &mut options.tournament else {
            return refuse("-seeds: is for -tournament gauntlet");
        };
        *one = seeds;
    }
    for (i, words) in engines.into_iter().enumerate() {
        let mut engine = words.or(each.clone()).finish(i + 1)?;
        let own = engine.option("TablebasePath").is_some();
        if let (Command::Internal, false, Some(folder)) = (&engine.command, own, tables) {
            let option = ("TablebasePath".to_owned(), folder.to_owned());
            engine.options.push(option);
        }
        options.engines.push(engine);
    }
    set_rounds(&mut options)?;
    check(&options)?;
    Ok(options)
}

const TOURNAMENTS: &str = "roundrobin, gauntlet, swiss or knockout";

/// The number of rounds, if it was not given: as many as a Swiss tournament needs to have one winner.
fn set_rounds(options: &mut Options) -> Result<(), DialectError> {
    let engines = options.engines.len().max(2);
    let enough = (engines as f64).log2().ceil() as usize;
    match options.tournament {
        Tournament::Knockout if options.rounds > 0 => {
            return refuse(
                "-rounds: a knockout has as many as it needs; expected -games for the games of each tie",
            );
        }
        _ if options.rounds > 0 => {}
        Tournament::Swiss | Tournament::Knockout => options.rounds = enough,
        Tournament::RoundRobin | Tournament::Gauntlet(_) => options.rounds = 2,
    }
    Ok(())
}

fn apply(group: &Group, options: &mut Options) -> Result<(), DialectError> {
    match group.name.as_str() {
        "variant" => {
            let game = inputs::game_and_file(group.word("a game")?);
            (options.variant, options.variant_file) =
                game.map_err(|e| DialectError(format!("-variant: {e}")))?;
        }
        "rounds" => options.rounds = group.count(1..=MOST_GAMES)?,
        "games" => options.games = group.count(1..=MOST_OF_ENCOUNTER)?,
        "repeat" => {
            // As in `cutechess`, a number may follow; both mean pairs with one opening.
            options.games = if group.words.is_empty() {
                options.games.max(2)
            } else {
                group.count(2..=MOST_OF_ENCOUNTER)?
            };
        }
        "concurrency" => options.concurrency = group.count(1..=MOST_AT_ONCE)?,
        "srand" => options.seed = group.count(0..=u64::MAX)?,
        "maxmoves" => options.maxmoves = Some(group.count(1..=u32::MAX)?),
        "ratinginterval" => options.rating_interval = group.count(0..=usize::MAX)?,
        "noswap" => {
            group.no_words()?;
            options.noswap = true;
        }
        "reverse" => {
            group.no_words()?;
            options.reverse = true;
        }
        "wait" => {
            let milliseconds: u32 = group.count(0..=u32::MAX)?;
            options.wait = Duration::from_millis(milliseconds.into());
        }
        "output" => options.output = outputs::format(group)?,
        "recover" => {
            group.no_words()?;
            options.recover = true;
        }
        "resume" => {
            group.no_words()?;
            options.resume = true;
        }
        "tournament" => {
            options.tournament = match group.word(TOURNAMENTS)? {
                "roundrobin" => Tournament::RoundRobin,
                "gauntlet" => Tournament::Gauntlet(1),
                "swiss" => Tournament::Swiss,
                "knockout" => Tournament::Knockout,
                other => {
                    let names = TOURNAMENTS.split([',', ' ']).filter(|w| w.len() > 2);
                    return refuse(format!(
                        "-tournament: '{other}'{}; expected {TOURNAMENTS}",
                        did_you_mean(other, "", names)
                    ));
                }
            };
        }
        "openings" => options.openings = openings::openings(group)?,
        "sprt" => options.sprt = Some(endings::sprt(group)?),
        "resign" => options.resign = Some(endings::resign(group)?),
        "draw" => options.draw = Some(endings::draw(group)?),
        "pgnout" => options.pgnout = Some(outputs::pgn(group)?),
        "log" => options.log = Some(outputs::log(group)?),
        "epdout" => options.epdout = Some(outputs::games_file(group)?),
        "jsonl" => options.jsonl = Some(outputs::games_file(group)?),
        "report" => options.report = Some(group.path()?),
        "journal" => options.journal = Some(outputs::journal(group)?),
        "use-affinity" => options.affinity = Some(outputs::affinity(group)?),
        "event" => options.event = Some(group.text()?),
        "site" => options.site = Some(group.text()?),
        name if name == "log-level" || name.starts_with("log-level=") => {
            return refuse(
                "--log-level: is no option of a match; expected hexmate --log-level LEVEL match ...",
            );
        }
        other => {
            let near = did_you_mean(other, "-", names());
            return refuse(format!(
                "'-{other}' is unknown{near}; expected one of {KNOWN}"
            ));
        }
    }
    Ok(())
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
    if Schedule::new(options)
        .checked_len()
        .is_none_or(|games| games > MOST_GAMES)
    {
        return refuse(format!(
            "-rounds {} -games {}: these are too many games; expected at most {MOST_GAMES}",
            options.rounds, options.games
        ));
    }
    if options.sprt.is_some() && engines.len() != 2 {
        return refuse(format!(
            "-sprt: {} engines are given; expected two",
            engines.len()
        ));
    }
    if let (Tournament::Swiss | Tournament::Knockout, Some(_)) = (options.tournament, &options.sprt)
    {
        return refuse("-sprt: is for round robins and gauntlets; expected another -tournament");
    }
    let printed = [
        options.pgnout.as_ref().map(|p| &p.file),
        options.jsonl.as_ref().map(|g| &g.file),
        options.epdout.as_ref().map(|g| &g.file),
        options.report.as_ref(),
    ];
    if printed
        .into_iter()
        .flatten()
        .filter(|path| is_stdout(path))
        .count()
        > 1
    {
        return refuse("standard output is named twice; expected - for one file only");
    }
    if options.resume && options.journal.is_none() {
        return refuse("--resume: expected -journal file=NAME");
    }
    endings::check_scores(options)
}
