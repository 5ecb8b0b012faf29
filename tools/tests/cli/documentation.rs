//! Every command of the README and of `docs/` runs, unless it is marked. A page's blocks of `sh` run in order, each in a
//! new shell that ends at the first failure, in one folder with the files of [`FILES`]. `hexmate board` opens no
//! browser, and ends when it has told its address.
//!
//! Comments right before a block say what a reader need not see:
//!
//! * `<!-- run with: A → B -->`: run it with B in place of A, which must occur in it. So a test takes seconds where the
//!   reader's run takes hours.
//! * `<!-- not run: REASON -->`: it cannot be run here.
//! * `<!-- file: NAME -->`, before a block of any language: its text is added to this file of the folder.
//! * `<!-- printed by: COMMAND -->`, before a block of another language: the command prints the lines of the block, in
//!   this order; it may print more. `…` is any text.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::run::{hexmate, root};

/// Files that pages name and do not make, with their contents.
const FILES: [(&str, &str); 8] = [
    ("game.pgn", GAME),
    ("games.pgn", GAMES),
    ("games/1.pgn", GAME),
    ("games/2.pgn", GAMES),
    ("positions.epd", POSITIONS),
    ("positions.jsonl", LINES),
    ("openings.epd", POSITIONS),
    ("endings.epd", ENDING),
];
const GAME: &str = "[White \"Anna\"]\n[Black \"Bela\"]\n\n1. e5 e6 2. Qc3 d6 *\n";
const GAMES: &str = "[White \"Anna\"]\n\n1. e5 e6 *\n\n[White \"Bela\"]\n\n1. d5 e6 *\n";
const POSITIONS: &str = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1\n\
    1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - 0 1\n";
const ENDING: &str = "1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - 0 1\n";
const LINES: &str = "{\"moves\": \"e5 e6\"}\n{\"moves\": \"d5\"}\n";
/// What of the repository the commands may use, and spoil: these are copies.
const SHARED: [&str; 3] = ["examples", "examples/games", "movegen/suites"];

/// What is found as `hexmate`.
const PROGRAM: &str = r#"#!/usr/bin/env bash
if [ "${1-}" = board ]; then
  exec 3< <(exec 'PROGRAM' board --no-open "${@:2}")
  board=$!
  read -r -u 3 address && kill "$board"
  wait "$board"
  exit
fi
exec 'PROGRAM' "$@"
"#;

/// A fenced block of a page.
struct Block {
    line: usize,
    language: String,
    text: String,
    /// The comments right before it.
    notes: Vec<String>,
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/games"] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}

/// The blocks of a page. A note that stands before no block is a mistake.
fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let (mut blocks, mut notes) = (Vec::new(), Vec::new());
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let note = line
            .strip_prefix("<!-- ")
            .and_then(|l| l.strip_suffix(" -->"))
            .filter(|l| {
                ["run with:", "not run:", "file:", "printed by:"]
                    .iter()
                    .any(|w| l.starts_with(w))
            });
        if let Some(note) = note {
            notes.push(note.to_owned());
        } else if let Some(language) = line.strip_prefix("```") {
            let text = lines.by_ref().map(|(_, line)| line);
            let text = text.take_while(|line| !line.starts_with("```"));
            blocks.push(Block {
                line: number + 1,
                language: language.to_owned(),
                text: text.flat_map(|line| [line, "\n"]).collect(),
                notes: std::mem::take(&mut notes),
            });
        } else if let Some(note) = notes.first() {
            return Err(format!("line {}: no block follows '{note}'", number + 1));
        }
    }
    Ok(blocks)
}

/// What is to be run of a block of commands: nothing if it cannot be, with a reason.
fn script(block: &Block) -> Result<Option<String>, String> {
    // The program is there already.
    let mut text = block
        .text
        .replace("cargo run --release -p hexmate --", "hexmate");
    for note in &block.notes {
        if let Some(reason) = note.strip_prefix("not run:") {
            return match reason.trim() {
                "" => Err("'not run' without a reason".to_owned()),
                _ => Ok(None),
            };
        }
        let Some(changes) = note.strip_prefix("run with:") else {
            continue;
        };
        let (old, new) = changes
            .split_once('→')
            .ok_or_else(|| format!("'{changes}' is not A → B"))?;
        let (old, new) = (old.trim(), new.trim());
        if old.is_empty() || !text.contains(old) {
            return Err(format!("'run with': the block has no '{old}'"));
        }
        text = text.replace(old, new);
    }
    Ok(Some(text))
}

/// A folder to run a page's blocks in.
struct Place {
    folder: TempDir,
    /// Where the program is found, and what it takes for the user's home.
    outside: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in FILES {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        for name in SHARED {
            let to = folder.path().join(name);
            fs::create_dir_all(&to).unwrap();
            for entry in fs::read_dir(root().join(name)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
                }
            }
        }
        let outside = tempfile::tempdir().unwrap();
        let program = outside.path().join("hexmate");
        fs::write(
            &program,
            PROGRAM.replace("PROGRAM", env!("CARGO_BIN_EXE_hexmate")),
        )
        .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Place { folder, outside }
    }

    fn add(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, before + text).unwrap();
    }

    /// Runs commands; what they printed, or what they said if they failed.
    fn run(&self, script: &str) -> Result<String, String> {
        let outside = self.outside.path();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", script])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", outside.display()))
            .env("HOME", outside)
            .env_remove("XDG_DATA_HOME")
            .env_remove("HEXMATE_TABLES")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("bash: {e}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
        said += &String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said.lines().collect();
        let last = lines[lines.len().saturating_sub(12)..].join("\n    ");
        Err(format!("{}\n    {last}", output.status))
    }
}

/// Whether a command's output has the lines of a block, in their order.
fn compare(block: &str, printed: &str) -> Result<(), String> {
    let mut lines = printed.lines();
    for wanted in block.lines().filter(|line| !line.trim().is_empty()) {
        if !lines.any(|line| fits(wanted.trim_end(), line.trim_end())) {
            let now = printed.lines().collect::<Vec<_>>().join("\n    ");
            return Err(format!(
                "'{wanted}' is not printed, or not there; what is:\n    {now}"
            ));
        }
    }
    Ok(())
}

/// Whether a line is this one, in which `…` stands for any text.
fn fits(wanted: &str, line: &str) -> bool {
    let Some((front, rest)) = wanted.split_once('…') else {
        return wanted == line;
    };
    let Some(line) = line.strip_prefix(front) else {
        return false;
    };
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    ends.into_iter().any(|at| fits(rest, &line[at..]))
}

/// Runs a page's commands: how many blocks there were, and how many of them were run.
fn run(page: &str) -> Result<(usize, usize), String> {
    let place = Place::new();
    let (mut there, mut done) = (0, 0);
    let mut faults = String::new();
    for block in blocks(page)? {
        let language = block.language.as_str();
        let files = block.notes.iter().filter_map(|n| n.strip_prefix("file:"));
        for name in files {
            place.add(name.trim(), &block.text);
        }
        let printed_by = block.notes.iter();
        let printed_by = printed_by.filter_map(|n| n.strip_prefix("printed by:"));
        for command in printed_by {
            let compared = match language {
                "sh" => Err("'printed by' stands before a block of another language".to_owned()),
                _ => place
                    .run(command)
                    .and_then(|printed| compare(&block.text, &printed)),
            };
            if let Err(fault) = compared {
                let _ = write!(faults, "\n  line {}: {fault}", block.line);
            }
        }
        let fault = match language {
            "sh" => {
                there += 1;
                match script(&block) {
                    Ok(Some(script)) => {
                        done += 1;
                        place.run(&script).err()
                    }
                    Ok(None) => None,
                    Err(fault) => Some(fault),
                }
            }
            "bash" | "shell" | "console" => Some(format!("write ```sh, not ```{language}")),
            _ => None,
        };
        if let Some(fault) = fault {
            let _ = write!(faults, "\n  line {}: {fault}", block.line);
        }
    }
    match faults.as_str() {
        "" => Ok((there, done)),
        _ => Err(faults),
    }
}

#[test]
fn every_command_runs() {
    let (mut there, mut done, mut faults) = (0, 0, String::new());
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        match run(&page) {
            Ok((blocks, ran)) => (there, done) = (there + blocks, done + ran),
            Err(fault) => {
                let _ = write!(faults, "\n{name}:{fault}");
            }
        }
    }
    assert!(
        faults.is_empty(),
        "commands of the documentation fail:{faults}"
    );
    // The others are marked, with the reason.
    assert!(
        done * 3 > there * 2 && done > 30,
        "{done} of {there} blocks were run"
    );
}

#[test]
fn what_fails_and_what_is_badly_marked_is_told() {
    let fault = |page: &str| run(page).unwrap_err();
    assert!(fault("```sh\nhexmate nonsense\n```\n").contains("exit status: 2"));
    // Also in the middle of a block, and of a pipe.
    assert!(fault("```sh\nfalse\ntrue\n```\n").contains("exit status: 1"));
    assert!(fault("```sh\nfalse | true\n```\n").contains("exit status: 1"));
    assert!(fault("<!-- run with: 5 → 6 -->\n```sh\ntrue\n```\n").contains("no '5'"));
    assert!(fault("<!-- not run: -->\n```sh\nfalse\n```\n").contains("without a reason"));
    assert!(fault("<!-- not run: why -->\n\n```sh\nfalse\n```\n").contains("no block follows"));
    assert!(fault("```bash\ntrue\n```\n").contains("```sh"));
    assert_eq!(run("```sh\nhexmate board\n```\n"), Ok((1, 1)));
    assert!(fault("```sh\nhexmate board --game nonsense\n```\n").contains("exit status: 2"));
    assert_eq!(
        run("<!-- not run: why -->\n```sh\nfalse\n```\n"),
        Ok((1, 0))
    );
    assert_eq!(
        run("<!-- run with: false → true -->\n```sh\nfalse\n```\n"),
        Ok((1, 1))
    );
    let page = "<!-- file: a -->\n```text\nhello\n```\n```sh\ngrep -q hello a\n```\n";
    assert_eq!(run(page), Ok((1, 1)));
    let printed = |text: &str| {
        run(&format!(
            "<!-- printed by: seq 9 12 -->\n```text\n{text}```\n"
        ))
    };
    assert_eq!(printed("9\n\n11\n1…2\n"), Ok((0, 0)));
    for other in ["13\n", "1\n", "10\n9\n", "…3\n", "1…20\n"] {
        assert!(printed(other).is_err(), "{other}");
    }
    let page = "<!-- printed by: false -->\n```text\n```\n";
    assert!(fault(page).contains("exit status: 1"));
}

/// A command's name, its options and those of the commands below it, by what `--help` says.
fn options(command: &[&str]) -> Vec<(String, String)> {
    let help = hexmate(&[command, &["--help"]].concat()).success();
    let words =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let mut found = Vec::new();
    let mut lines = help.lines();
    for line in lines.by_ref().take_while(|line| *line != "Commands:") {
        let words = words(line);
        let option = match &words[..] {
            [first, ..] if first.starts_with("--") => first,
            [short, second, ..] if short.len() == 3 && second.starts_with("--") => second,
            _ => continue,
        };
        found.push((command.join(" "), option.clone()));
    }
    // Their descriptions go on further to the right.
    let below = lines.take_while(|line| !line.is_empty());
    for line in below.filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        match words(line).first().map(String::as_str) {
            None | Some("help") => {}
            Some(name) => found.extend(options(&[command, &[name]].concat())),
        }
    }
    found
}

#[test]
fn every_option_is_on_some_page() {
    let pages: String = pages()
        .iter()
        .map(|page| fs::read_to_string(page).unwrap())
        .collect();
    let is_there = |option: &str| {
        let mut after = pages.split(option).skip(1);
        after.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let all = options(&[]);
    // As many as there are at least: the help was understood.
    assert!(all.len() > 150, "{all:?}");
    let absent: Vec<&(String, String)> = all
        .iter()
        .filter(|(_, option)| option != "--help" && !is_there(option))
        .collect();
    assert!(absent.is_empty(), "on no page: {absent:?}");
}

/// The pages of the games are what the program writes: `hexmate games pages --output docs/games --force` brings them up
/// to date.
#[test]
fn the_pages_of_the_games_are_up_to_date() {
    let place = tempfile::tempdir().unwrap();
    let new = place.path().join("games");
    let arguments = ["games", "pages", "--output", new.to_str().unwrap()];
    assert_eq!(hexmate(&arguments).success(), "");
    let files = |folder: &Path| {
        let mut names: Vec<String> = ["", "pictures"]
            .iter()
            .flat_map(|inner| {
                let entries = fs::read_dir(folder.join(inner)).unwrap();
                let paths = entries.map(|entry| entry.unwrap().path());
                paths.filter(|path| path.is_file()).collect::<Vec<_>>()
            })
            .map(|path| path.strip_prefix(folder).unwrap().display().to_string())
            .collect();
        names.sort();
        names
    };
    let old = root().join("docs/games");
    assert_eq!(files(&new), files(&old), "the files of docs/games");
    for name in files(&new) {
        let same = fs::read(new.join(&name)).unwrap() == fs::read(old.join(&name)).unwrap();
        assert!(
            same,
            "docs/games/{name}: run `hexmate games pages --output docs/games --force`"
        );
    }
    // What is there stays, and a game of one's own has a page, too.
    assert!(hexmate(&arguments).refused().contains("--force"));
    let own = root().join("examples/games/nightriders.toml");
    let own = own.to_str().unwrap();
    let output = place.path().join("own");
    let run = hexmate(&["games", "pages", own, "--output", output.to_str().unwrap()]);
    assert_eq!(run.success(), "");
    let page = fs::read_to_string(output.join("nightriders.md")).unwrap();
    assert!(
        page.contains("### Nightrider (H)") && page.contains("pictures/nightriders-H.svg"),
        "{page}"
    );
    // A game that is named twice is listed once.
    let twice = place.path().join("twice");
    let words = ["games", "pages", "glinski", own, "glinski", own, "--output"];
    hexmate(&[&words[..], &[twice.to_str().unwrap()]].concat()).success();
    let list = fs::read_to_string(twice.join("README.md")).unwrap();
    assert_eq!(list.matches("\n## [").count(), 2, "{list}");
}
