//! Running the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub const GAMES: [&str; 5] = [
    "glinski",
    "hexachess",
    "mccooey",
    "chromatic3",
    "chromatic4",
];

/// The start positions, for text to be made faulty.
pub const GLINSKI: &str =
    "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1";
/// The start of chromatic4.
pub const CHROMATIC4: &str = "xdbqkbft/svebncbwu/pppppppppp/ppppppppppp/12/13/14/15/14/13/12/PPPPPPPPPPP/PPPPPPPPPP/XWBCNBESV/TDBKQBFU w a1,h1,h15,o15 - 0 1";
pub const CHROMATIC3: &str = "trbkbrs/snbuuqnt/ppppppppp/pppppppppp/11/12/13/12/11/PPPPPPPPPP/PPPPPPPPP/SNBUUQNT/TRBKBRS w a1,g1,g13,m13 - 0 1";

/// What a run of the program left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    /// Standard error without the summary.
    pub err: String,
    /// The line that `analyse` ends with.
    pub summary: String,
}

impl Run {
    pub fn new(output: Output) -> Run {
        let err = String::from_utf8_lossy(&output.stderr);
        let is_summary = |line: &&str| line.contains(" done") && line.contains(" bad, ");
        let (summary, err): (Vec<&str>, Vec<&str>) =
            err.split_inclusive('\n').partition(is_summary);
        let run = Run {
            code: output.status.code().expect("ended by itself"),
            out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            err: err.concat(),
            summary: summary.concat(),
        };
        assert!(!run.err.contains("panicked"), "{run:?}");
        run
    }

    /// Asserts that all was well, and gives the output.
    pub fn success(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        self.out
    }

    /// Asserts that the program refused its input as a whole, and gives the message.
    pub fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{self:?}");
        assert!(!self.err.is_empty());
        self.err
    }

    /// The answers, one for each line of the output.
    pub fn answers(&self) -> Vec<Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }

    /// The last line of the output.
    pub fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

/// A command that runs the program in the root of the workspace.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexmate"));
    command
        .args(arguments)
        .current_dir(root())
        .env_remove("HEXMATE_SIMD")
        .stdin(Stdio::null());
    command
}

/// Runs the program without input.
pub fn hexmate(arguments: &[&str]) -> Run {
    Run::new(command(arguments).output().expect("the program starts"))
}

/// Runs the program with a standard output that nobody reads any more: `| head`.
pub fn unread(arguments: &[&str]) -> Run {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command(arguments).stdout(writer).output();
    Run::new(output.expect("the program starts"))
}

/// Runs the program with this standard input.
pub fn hexmate_reading(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref();
    std::thread::scope(|scope| {
        // The program may end before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        Run::new(child.wait_with_output().expect("the program ends"))
    })
}

/// Analyses these lines to a small depth.
pub fn analyse(lines: impl AsRef<[u8]>) -> Run {
    hexmate_reading(
        &["analyse", "--depth", "1", "--jobs", "1", "--hash", "1"],
        lines,
    )
}

/// The answers to these lines, all of them good.
pub fn answers(lines: impl AsRef<[u8]>) -> Vec<Value> {
    let run = analyse(lines);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    run.answers()
}

/// The answer to this line, which is good.
pub fn answer(line: &str) -> Value {
    let mut answers = answers(line);
    assert_eq!(answers.len(), 1, "{line}: {answers:?}");
    answers.remove(0)
}

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

/// The lines of a game's perft suite that hold positions.
pub fn suite(game: &str) -> Vec<String> {
    let path = root().join(format!("movegen/suites/{game}.epd"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// A folder with one file in it; the folder goes when it is dropped.
pub struct TempFile {
    folder: TempDir,
    name: String,
}

impl TempFile {
    pub fn new(name: &str, content: impl AsRef<[u8]>) -> TempFile {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        let name = name.to_owned();
        TempFile { folder, name }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// The path as an argument.
    pub fn text(&self) -> String {
        self.path()
            .into_os_string()
            .into_string()
            .expect("a plain path")
    }
}

/// Analyses these lines with few nodes and more arguments.
pub fn analyse_with(arguments: &[&str], lines: &str) -> Run {
    let base = ["analyse", "--nodes", "300", "--jobs", "1", "--hash", "1"];
    hexmate_reading(&[&base[..], arguments].concat(), lines)
}
