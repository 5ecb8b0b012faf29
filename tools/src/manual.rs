//! `hexmate completions` and `hexmate man`: what shells and `man` want to know of the command line.

use std::any::TypeId;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;
use hexmate_movegen::{GameId, Letters};

use crate::exit::Exit;
use crate::overwrite::{Force, make_folder};
use crate::stdout::CANNOT_PRINT;
use crate::version;

/// Print a script that completes commands, options, games by name and files in a shell (elvish and powershell: commands
/// and options).
///
/// bash: hexmate completions bash > ~/.local/share/bash-completion/completions/hexmate
///
/// zsh: hexmate completions zsh > DIR/_hexmate, where DIR is in $fpath
///
/// fish: hexmate completions fish > ~/.config/fish/completions/hexmate.fish
#[derive(clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands into a folder.
#[derive(clap::Args)]
pub struct Man {
    /// The folder: hexmate.1, hexmate-analyse.1, ... [default: print hexmate.1]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl Man {
    /// Whether a page goes to standard output.
    pub fn prints(&self) -> bool {
        self.folder
            .as_deref()
            .is_none_or(|path| path.as_os_str() == "-")
    }
}

/// Runs `hexmate completions`.
pub fn complete(arguments: &Completions, command: Command) -> Result<Exit> {
    let shell = arguments.shell;
    let command = without_global_of_match(command);
    let names: Vec<&str> = GameId::shipped().iter().map(|game| game.name()).collect();
    // The library gives up where a pipe is closed, so the script is made in memory.
    let mut script = Vec::new();
    let mut named = with_words(with_games(command.clone(), &names));
    clap_complete::generate(shell, &mut named, "hexmate", &mut script);
    let mut script = with_files(String::from_utf8(script)?, &names.join(" "), shell);
    if shell == Shell::Fish {
        script = with_values_before_commands(&with_commands_after_help(&script));
        add_games_in_fish(&command, None, &names.join(" "), &mut script);
    }
    let script = with_one_dash(&script, &command, shell);
    std::io::stdout()
        .write_all(script.as_bytes())
        .context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}

/// Runs `hexmate man`.
pub fn write(arguments: &Man, mut command: Command) -> Result<Exit> {
    // What `help` prints has no pages of its own.
    command = without_help(without_global_of_match(command));
    // Pages are packed for other machines.
    command = command.long_version(version::of_build());
    command.build();
    let folder = match &arguments.folder {
        Some(folder) if !arguments.prints() => folder,
        _ => {
            let mut page = Vec::new();
            Page::new(command).render(&mut page)?;
            std::io::stdout().write_all(&page).context(CANNOT_PRINT)?;
            return Ok(Exit::Success);
        }
    };
    let mut pages = Vec::new();
    add_pages(&command, "hexmate", &mut pages);
    for (name, _) in &pages {
        arguments
            .force
            .check_whole("man", Some(&folder.join(name)))?;
    }
    make_folder(folder)?;
    for (name, page) in pages {
        let path = folder.join(name);
        let mut text = Vec::new();
        page.render(&mut text)?;
        // What follows the options is written in lines and columns.
        let text = String::from_utf8(text)?.replace(".SH EXTRA\n", ".SH EXTRA\n.nf\n.in 0\n");
        fs::write(&path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(Exit::Success)
}

/// Whether an argument is a game: its name or its file.
fn is_game(argument: &Arg) -> bool {
    argument.get_value_parser().type_id() == TypeId::of::<GameId>()
        // Of `games check`.
        || (argument.is_positional() && argument.get_id() == "games")
}

/// The same commands, with the names of games as values. Files are games, too: see [`with_files`].
fn with_games(command: Command, names: &[&'static str]) -> Command {
    let command = command.mut_args(|arg| match is_game(&arg) {
        true => arg.value_parser(PossibleValuesParser::new(names)),
        false => arg,
    });
    command.mut_subcommands(|below| with_games(below, names))
}

/// The words that an option takes, where they are no list to the program itself.
fn words_of(option: &str) -> Option<Vec<&'static str>> {
    match option {
        "log_level" => Some(vec!["off", "error", "warn", "info", "debug", "trace"]),
        // Or the letters themselves.
        "letters" => Some(Letters::languages().collect()),
        _ => None,
    }
}

/// The same commands, with such words as values.
fn with_words(command: Command) -> Command {
    let command = command.mut_args(|arg| match words_of(arg.get_id().as_str()) {
        Some(words) => arg.value_parser(PossibleValuesParser::new(words)),
        None => arg,
    });
    command.mut_subcommands(with_words)
}

/// A script for fish that offers commands after `help`. The library offers them unless one of them was seen, and counts
/// `help` itself among them.
fn with_commands_after_help(script: &str) -> String {
    let after_help = |line: &str| match line.contains("using_subcommand help; and not ") {
        true => line.replacen(" help\" -f ", "\" -f ", 1),
        false => line.to_owned(),
    };
    script.lines().map(|line| after_help(line) + "\n").collect()
}

/// A script for fish that offers values of options before the command. The library gives up where one lacks its value,
/// as the one that is being written does.
fn with_values_before_commands(script: &str) -> String {
    let parse = "argparse -s (__fish_hexmate_global_optspecs) -- $cmd 2>/dev/null\n    or ";
    let with_value = parse.replace("$cmd", "$cmd ''");
    script.replacen(parse, &format!("{parse}{with_value}"), 1)
}

/// A script that offers files beside the names of games. The library knows values or files, not both.
fn with_files(script: String, names: &str, shell: Shell) -> String {
    match shell {
        Shell::Zsh => {
            let both =
                format!(r#":{{_alternative "games\:game\:({names})" "files\:file\:_files"}}'"#);
            script.replace(&format!(":({names})'"), &both)
        }
        Shell::Fish => {
            let first = names.split(' ').next().unwrap_or_default();
            let games = |files| format!(" -r {files} -a \"{first}\\t''");
            script.replace(&games("-f"), &games("-F"))
        }
        // bash offers files where no name fits; the others complete no values.
        _ => script,
    }
}

/// Adds what the library leaves out for fish: values of arguments that are no options.
fn add_games_in_fish(command: &Command, outer: Option<&str>, names: &str, script: &mut String) {
    for below in command.get_subcommands() {
        let name = below.get_name();
        let condition = match outer {
            None => format!("__fish_hexmate_using_subcommand {name}"),
            Some(outer) => format!("{outer}; and __fish_seen_subcommand_from {name}"),
        };
        if below.get_positionals().any(is_game) {
            let line = format!("complete -c hexmate -n \"{condition}\" -a \"{names}\"\n");
            script.push_str(&line);
        }
        add_games_in_fish(below, Some(&condition), names, script);
    }
}

/// The script with the options of `match` as its help writes them: `-rounds`. The library knows only `--rounds`. The
/// one whose values are known has them behind two dashes, too.
fn with_one_dash(script: &str, command: &Command, shell: Shell) -> String {
    // Where the options are in the script.
    let (begin, end) = match shell {
        Shell::Bash => ("hexmate__subcmd__match)\n", "esac"),
        Shell::Zsh => ("(match)\n_arguments ", ";;"),
        Shell::Fish => ("using_subcommand match\" -l ", "using_subcommand help"),
        Shell::Elvish => ("&'hexmate;match'= {", "}"),
        _ => ("'hexmate;match' {", "}"),
    };
    let (Some(from), Some(of_match)) = (script.find(begin), command.find_subcommand("match"))
    else {
        return script.to_owned();
    };
    let (before, rest) = script.split_at(from);
    let (part, after) = rest.split_at(rest.find(end).unwrap_or(rest.len()));
    let names = of_match.get_arguments().filter_map(Arg::get_long);
    let part = names.fold(part.to_owned(), |part, name| match shell {
        Shell::Fish => ["\n", " -r"].iter().fold(part, |part, after| {
            part.replace(&format!(" -l {name}{after}"), &format!(" -o {name}{after}"))
        }),
        _ => part.replace(&format!("--{name}"), &format!("-{name}")),
    });
    // With two colons zsh completes no option after the first word. A value is a word of its own.
    let part = part.replace("'*::words -- ", "'*:words -- ");
    let part = part.replace("'-variant=[", "{-variant,--variant}'[");
    let part = match shell {
        Shell::Bash => part.replace(" -variant)\n", " -variant|--variant)\n"),
        Shell::Fish => part.replace(" -o variant -r", " -o variant -l variant -r"),
        _ => part,
    };
    [before, &part, after].concat()
}

/// The same commands, where options for all of them are options of each but of `match`: there they stand before it.
fn without_global_of_match(command: Command) -> Command {
    let all = |arg: &Arg| arg.is_global_set();
    let global: Vec<Arg> = command
        .get_arguments()
        .filter(|arg| all(arg))
        .cloned()
        .collect();
    let command = command.mut_args(|arg| arg.global(false));
    command.mut_subcommands(|below| with_arguments(below, &global))
}

fn with_arguments(command: Command, arguments: &[Arg]) -> Command {
    if command.get_name() == "match" {
        return command;
    }
    let command = command.args(arguments.iter().map(|arg| arg.clone().global(false)));
    command.mut_subcommands(|below| with_arguments(below, arguments))
}

/// The same commands, without those that print help.
fn without_help(command: Command) -> Command {
    command
        .disable_help_subcommand(true)
        .mut_subcommands(without_help)
}

/// The pages of a command and of those below it, by the names of their files.
fn add_pages(command: &Command, name: &str, pages: &mut Vec<(String, Page)>) {
    pages.push((format!("{name}.1"), Page::new(command.clone())));
    for below in command.get_subcommands() {
        add_pages(below, &format!("{name}-{}", below.get_name()), pages);
    }
}
