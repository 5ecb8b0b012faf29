//! The program: reading its command line and running a command.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::Write as _;
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hexmate_movegen::Simd;
use tracing::level_filters::LevelFilter;

#[cfg(feature = "board")]
use crate::board;
use crate::exit::{Exit, told};
use crate::{
    analyse, bench, convert, datagen, games, interrupt, log, manual, matches, moves, perft, review,
    show, spsa, stdout, suite, tb, train, tune, uci, version, wdl,
};

/// Analysis engine for chess on hexagonal boards.
#[derive(Parser)]
#[command(version = version::short(), long_version = version::long(), about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// How much to log on standard error: off, error, warn, info, debug or trace; HEXMATE_LOG does the same
    /// [default: warn]
    #[arg(long, global = true, value_name = "LEVEL")]
    log_level: Option<LevelFilter>,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Arguments),
    #[cfg(feature = "board")]
    Board(board::Arguments),
    Perft(perft::Arguments),
    Suite(suite::Arguments),
    Moves(moves::Arguments),
    Show(show::Arguments),
    Analyse(Box<analyse::Arguments>),
    Merge(analyse::merge::Arguments),
    Review(review::Arguments),
    Convert(convert::Arguments),
    Match(matches::Arguments),
    Openings(matches::book::Arguments),
    Replay(matches::replay::Arguments),
    Uci(uci::Arguments),
    Bench(bench::Arguments),
    Datagen(datagen::Arguments),
    Tune(tune::Arguments),
    Spsa(spsa::Arguments),
    Train(train::Arguments),
    Wdl(wdl::Arguments),
    Tb(tb::Arguments),
    Completions(manual::Completions),
    Man(manual::Man),
}

impl Command {
    /// Whether standard input is all that it reads.
    fn reads(&self) -> bool {
        match self {
            Command::Analyse(arguments) => arguments.reads(),
            Command::Convert(arguments) => arguments.reads(),
            Command::Uci(_) => true,
            _ => false,
        }
    }

    /// Whether it has results that go to standard output.
    fn prints(&self) -> bool {
        match self {
            Command::Analyse(arguments) => arguments.prints(),
            Command::Merge(arguments) => arguments.prints(),
            Command::Convert(arguments) => arguments.prints(),
            Command::Openings(arguments) => arguments.prints(),
            Command::Show(arguments) => arguments.prints(),
            Command::Datagen(arguments) => arguments.prints(),
            Command::Man(arguments) => arguments.prints(),
            // What they print otherwise is how it goes on.
            Command::Train(_) => false,
            Command::Tune(arguments) => arguments.prints(),
            _ => true,
        }
    }
}

/// Runs the program with its command-line arguments; `stdin` and `stdout` are the states of standard input and output
/// at its start.
pub fn main(stdin: stdout::AtStart, stdout: stdout::AtStart) -> ExitCode {
    interrupt::survive_size_limits();
    let arguments = match read_arguments() {
        Ok(arguments) => arguments,
        // Which backend it would choose is a part of the version.
        Err(error) if error.kind() == ErrorKind::DisplayVersion && !backend_is_known() => {
            return Exit::BadInput.into();
        }
        Err(error) => return told_by_clap(&error, stdout),
    };
    let prints = arguments.command.prints();
    let reads = arguments.command.reads();
    let can_print = if prints {
        stdout::check(stdout)
    } else {
        Ok(())
    };
    let can_read = if reads {
        stdout::check_input(stdin)
    } else {
        Ok(())
    };
    if let Err(error) = can_print.and(can_read) {
        eprintln!("hexmate: {}", told(&error));
        return Exit::BadInput.into();
    }
    if !backend_is_known() {
        return Exit::BadInput.into();
    }
    if let Err(error) = log::begin(arguments.log_level) {
        eprintln!("hexmate: {}", told(&error));
        return Exit::BadInput.into();
    }
    let result = match arguments.command {
        Command::Games(arguments) => games::run(&arguments),
        #[cfg(feature = "board")]
        Command::Board(arguments) => board::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Moves(arguments) => moves::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Merge(arguments) => analyse::merge::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Match(arguments) => matches::run(&arguments),
        Command::Openings(arguments) => matches::book::run(&arguments),
        Command::Replay(arguments) => matches::replay::run(&arguments),
        Command::Uci(arguments) => uci::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Datagen(arguments) => datagen::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Spsa(arguments) => spsa::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Wdl(arguments) => wdl::run(&arguments),
        Command::Tb(arguments) => tb::run(&arguments),
        Command::Completions(arguments) => {
            manual::complete(&arguments, matches::with_options(Arguments::command()))
        }
        Command::Man(arguments) => {
            manual::write(&arguments, matches::with_help(Arguments::command()))
        }
    };
    match result {
        Ok(exit) => exit.into(),
        // Whoever reads has seen enough, like `head`.
        Err(error) if prints && stdout::is_closed_pipe(&error) => Exit::Success.into(),
        Err(error) => {
            eprintln!("hexmate: {}", told(&error));
            Exit::BadInput.into()
        }
    }
}

/// Whether there is a backend for sliding attacks. Tells why if there is none.
fn backend_is_known() -> bool {
    let found = Simd::from_environment();
    if let Err(error) = &found {
        eprintln!("hexmate: {}: {error}", Simd::VARIABLE);
    }
    found.is_ok()
}

/// Reads the command line.
fn read_arguments() -> Result<Arguments, clap::Error> {
    let words: Vec<_> = std::env::args_os().collect();
    let read = Arguments::command().try_get_matches_from(&words);
    read.map_err(|error| without_help(&words, &error).unwrap_or(error))
        .and_then(|matches| Arguments::from_arg_matches(&matches))
        .map_err(|mut error| {
            let tip = match error.kind() {
                ErrorKind::InvalidUtf8 => Some(not_utf8(&words)),
                _ if is_no_number(&error) => {
                    Some("expected a whole number in digits alone, as in 100000".to_owned())
                }
                _ => None,
            };
            if let Some(tip) = tip {
                let tip = ContextValue::StyledStrs(vec![tip.into()]);
                error.insert(ContextKind::Suggested, tip);
            }
            if error.kind() == ErrorKind::UnknownArgument {
                // To pass an option's name as the name of a file is what nobody means.
                error.remove(ContextKind::Suggested);
            }
            error
        })
}

/// Whether a value has other signs than digits where a number is wanted, or none.
fn is_no_number(error: &clap::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    cause.is_some_and(|cause: &ParseIntError| {
        matches!(
            cause.kind(),
            IntErrorKind::InvalidDigit | IntErrorKind::Empty
        )
    })
}

/// Which words are not UTF-8. Names of files may be something else in some places only, so all are told.
fn not_utf8(words: &[OsString]) -> String {
    let words = words.iter().skip(1).filter(|word| word.to_str().is_none());
    let told: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    let (verb, what) = match told.len() {
        1 => ("is", "expected words and names that are"),
        _ => ("are", "one of them stands where only UTF-8 is read"),
    };
    format!("{} {verb} not UTF-8; {what}", told.join(", "))
}

/// What is wrong with a command that is no command without `help` before it: only then clap knows a similar one.
fn without_help(words: &[OsString], error: &clap::Error) -> Option<clap::Error> {
    let is_wrong = |error: &clap::Error| error.kind() == ErrorKind::InvalidSubcommand;
    let help = words.iter().position(|word| word == "help")?;
    let mut words = words.to_vec();
    words.remove(help);
    let read = is_wrong(error).then(|| Arguments::command().try_get_matches_from(words));
    read?.err().filter(is_wrong)
}

/// Tells what is wrong with the command line, or prints what it asks for, such as the help.
fn told_by_clap(error: &clap::Error, stdout: stdout::AtStart) -> ExitCode {
    let printed = match error.use_stderr() {
        // Where that cannot be told, the exit code still says it.
        true => {
            let _ = error.print();
            Ok(())
        }
        false => stdout::check(stdout).and_then(|()| {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            printed.context(stdout::CANNOT_PRINT)
        }),
    };
    match printed {
        Err(fault) if !stdout::is_closed_pipe(&fault) => {
            eprintln!("hexmate: {}", told(&fault));
            Exit::BadInput.into()
        }
        _ => ExitCode::from(error.exit_code() as u8),
    }
}
