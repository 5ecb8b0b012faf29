//! The habits of the shell: help, completions, manual pages, versions, colours, files that stay, `-`.

use serde_json::Value;

use crate::batch::Folder;
use crate::run::{GLINSKI, Run, command, hexmate, hexmate_reading};

#[test]
fn help_of_a_command() {
    for words in [&["help", "analyse"][..], &["analyse", "--help"]] {
        let text = hexmate(words).success();
        assert!(text.contains("Usage: hexmate analyse"), "{text}");
    }
    assert!(
        hexmate(&["help", "tb", "probe"])
            .success()
            .contains("--json")
    );
    let error = hexmate(&["help", "nonsense"]).refused();
    assert!(error.contains("nonsense"), "{error}");
}

#[test]
fn help_knows_what_a_mistyped_command_was_meant_to_be() {
    for (words, meant) in [
        (&["help", "analyze"][..], "'analyse'"),
        (&["help", "tb", "prob"], "'probe'"),
        (&["tb", "help", "prob"], "'probe'"),
    ] {
        let error = hexmate(words).refused();
        let says = format!("a similar subcommand exists: {meant}");
        assert!(error.contains(&says), "{words:?}: {error}");
    }
}

#[test]
fn completions() {
    for (shell, says) in [
        ("bash", "complete -F _hexmate"),
        ("zsh", "#compdef hexmate"),
        ("fish", "complete -c hexmate"),
    ] {
        let script = hexmate(&["completions", shell]).success();
        assert!(script.contains(says), "{shell}");
        for word in [
            "analyse",
            "probe",
            "multipv",
            "use-affinity",
            "minihexchess",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let bash = hexmate(&["completions", "bash"]).success();
    let offered = |command: &str| -> Vec<&str> {
        let (_, after) = bash
            .split_once(&format!("hexmate__subcmd__{command})\n"))
            .unwrap();
        let line = after.lines().next().unwrap();
        line.split(['"', ' ']).collect()
    };
    for (command, word, is_offered) in [
        ("match", "-engine", true),
        ("match", "--log-level", false),
        ("games", "shafran", true),
        ("perft", "glinski", true),
        ("perft", "--log-level", true),
        ("tb__subcmd__probe", "--log-level", true),
    ] {
        let words = offered(command);
        assert_eq!(words.contains(&word), is_offered, "{command}: {words:?}");
    }
    assert!(hexmate(&["completions", "cmd"]).refused().contains("zsh"));
}

#[test]
fn completions_offer_files_of_games_beside_their_names() {
    let zsh = hexmate(&["completions", "zsh"]).success();
    let fish = hexmate(&["completions", "fish"]).success();
    let with_names = |line: &&str| line.contains("glinski hexachess");
    for line in zsh.lines().filter(with_names) {
        assert!(line.contains(r#"" "files\:file\:_files"}'"#), "{line}");
    }
    for says in [
        "':game -- The game:{_alternative ",
        "'*::games -- The files, or names of games:{_alternative ",
        "'::name -- Show this game in full:{_alternative ",
        // A number.
        "'--games=[How many games to play]:N:_default'",
    ] {
        assert!(zsh.contains(says), "{says}");
    }
    assert!(fish.contains(r#" -r -F -a "glinski"#), "{fish}");
    for line in fish.lines().filter(|line| line.contains(r#" -a "glinski"#)) {
        assert!(!line.contains(" -f "), "{line}");
    }
    for command in [
        "perft",
        "games",
        "tb; and __fish_seen_subcommand_from probe",
    ] {
        let says = format!(r#" -n "__fish_hexmate_using_subcommand {command}" -a "glinski "#);
        assert!(fish.contains(&says), "{says}");
    }
}

#[test]
fn completions_offer_the_words_that_options_take() {
    let script = |shell| hexmate(&["completions", shell]).success();
    let [bash, zsh, fish] = ["bash", "zsh", "fish"].map(script);
    // The name of an option, and how it ends in the script: by its words.
    for says in [
        "--log-level)\n                    COMPREPLY=($(compgen -W \"off error warn",
        "--letters)\n                    COMPREPLY=($(compgen -W \"hungarian polish",
        " -variant|--variant)\n                    COMPREPLY=($(compgen -W \"glinski ",
    ] {
        assert!(bash.contains(says), "{says}");
    }
    for says in [
        "]:LEVEL:(off error warn info debug trace)'",
        "]:LETTERS:(hungarian polish",
        "{-variant,--variant}'[]:GAME:{_alternative ",
    ] {
        assert!(zsh.contains(says), "{says}");
    }
    let options = |name: &str| {
        let end = format!(" -{name} ");
        let lines = fish.lines().filter(move |line| line.contains(&end));
        lines.collect::<Vec<_>>()
    };
    for (name, says) in [
        ("l log-level", " -r -f -a \"off"),
        ("l letters", " -r -f -a \"hungarian"),
        ("o variant -l variant", " -r -F -a \"glinski"),
    ] {
        let lines = options(name);
        assert!(!lines.is_empty(), "{name}");
        assert!(lines.iter().all(|line| line.contains(says)), "{lines:?}");
    }
    // Before a command an option that has no value yet is no reason to give up.
    assert!(
        fish.contains("-- $cmd '' 2>/dev/null\n    or return\n"),
        "{fish}"
    );
    // `help` is on the line, and is no command of which help was asked.
    let of_help = |line: &&str| line.contains("using_subcommand help; and not ");
    let lines: Vec<&str> = fish.lines().filter(of_help).collect();
    assert!(lines.len() > 20, "{lines:?}");
    for line in lines {
        let (condition, _) = line.split_once("\" -f ").unwrap();
        assert!(!condition.ends_with(" help"), "{line}");
    }
}

#[test]
fn completions_of_match_have_one_dash() {
    for (shell, says) in [
        ("bash", " -rounds "),
        ("zsh", "'-rounds[]'"),
        ("fish", " -o rounds\n"),
        ("elvish", "cand -rounds "),
        ("powershell", "'-rounds', '-rounds'"),
    ] {
        let script = hexmate(&["completions", shell]).success();
        assert!(script.contains(says), "{shell}");
        for wrong in ["--rounds", "--use-affinity", " -l rounds"] {
            assert!(!script.contains(wrong), "{shell}: {wrong}");
        }
        // Those of other commands keep both.
        assert!(
            script.contains("--multipv") || script.contains(" -l multipv"),
            "{shell}"
        );
    }
    // Options are offered after other words, too.
    let zsh = hexmate(&["completions", "zsh"]).success();
    assert!(zsh.contains("'*:words -- Options of the match"), "{zsh}");
}

#[test]
fn manual_pages() {
    let page = hexmate(&["man"]).success();
    assert!(
        page.contains(".TH hexmate 1") && page.contains("hexmate\\-analyse(1)"),
        "{page}"
    );
    let folder = Folder::new();
    let pages = folder.text("pages");
    assert_eq!(hexmate(&["man", &pages]).success(), "");
    let analyse = folder.read("pages/hexmate-analyse.1");
    assert!(analyse.contains("multipv") && analyse.contains(".TH hexmate-analyse 1"));
    assert!(folder.path("pages/hexmate-tb-probe.1").exists());
    let of_match = folder.read("pages/hexmate-match.1");
    assert!(
        of_match.contains("\n\\-use\\-affinity [CPUS]   bind games"),
        "{of_match}"
    );
    // It is no option of a match, but stands before the command.
    assert!(analyse.contains("\\-\\-log\\-level") && !of_match.contains("[\\fB\\-\\-log"));
    // What is packed is the same wherever it was made.
    let mut portable = command(&["man"]);
    portable.env("HEXMATE_SIMD", "portable");
    assert_eq!(Run::new(portable.output().unwrap()).success(), page);
    assert!(
        page.contains("features: ") && !page.contains("processor has"),
        "{page}"
    );
    for name in ["hexmate", "hexmate-tb", "hexmate-games"] {
        let page = folder.read(&format!("pages/{name}.1"));
        assert!(!page.contains("\\-help(1)"), "{page}");
    }
    let error = hexmate(&["man", &pages]).refused();
    assert!(
        error.contains("hexmate.1") && error.contains("--force"),
        "{error}"
    );
    assert_eq!(hexmate(&["man", &pages, "--force"]).success(), "");
}

/// A file where a folder is wanted is named, with what is wrong with it.
#[test]
fn a_file_is_no_folder() {
    let folder = Folder::new();
    folder.write("g.pgn", "1. e5 e6 *\n");
    let (games, file) = (folder.text("g.pgn"), folder.text("file"));
    folder.write("file", "precious");
    let within = format!("{file}/within");
    for words in [
        &["man", &file][..],
        &["man", &within],
        &["review", &games, "--nodes", "5", "--svg", &file],
        &["games", "pages", "glinski", "--output", &file],
        &["tb", "build", "minihexchess", "KRK", "--tb", &file],
    ] {
        let error = hexmate(words).refused();
        let says = format!("{file}: it is a file; expected a folder\n");
        assert!(error.ends_with(&says), "{words:?}: {error}");
    }
    assert_eq!(folder.read("file"), "precious");
}

#[test]
fn versions() {
    let short = hexmate(&["-V"]).success();
    let long = hexmate(&["--version"]).success();
    let version = concat!("hexmate ", env!("CARGO_PKG_VERSION"), " (");
    assert!(
        short.starts_with(version) && short.lines().count() == 1,
        "{short}"
    );
    assert!(long.starts_with(&short), "{long}");
    for says in ["built ", "portable", "glinski", "brusky"] {
        assert!(long.contains(says), "{says}: {long}");
    }
    let mut command = command(&["--version"]);
    let forced = command.env("HEXMATE_SIMD", "portable").output().unwrap();
    let forced = String::from_utf8(forced.stdout).unwrap();
    assert!(forced.contains("sliding attacks by portable"), "{forced}");
    for words in ["--version", "-V"] {
        let mut command = crate::run::command(&[words]);
        let wrong = command.env("HEXMATE_SIMD", "bogus").output().unwrap();
        let says = Run::new(wrong).refused();
        assert!(
            says.starts_with("hexmate: HEXMATE_SIMD: 'bogus' is not"),
            "{says}"
        );
    }
}

/// Every command that writes a file: it stays as it is, unless it may be overwritten.
#[test]
fn files_that_exist_stay() {
    let folder = Folder::new();
    let positions = folder.write("in.epd", GLINSKI);
    let games = folder.write("in.pgn", "1. e5 e6 *\n");
    let out = folder.text("out");
    for words in [
        &[
            "analyse", "--depth", "1", &positions, "--quiet", "--output", &out,
        ][..],
        &[
            "analyse", "--depth", "1", &positions, "--quiet", "--stats", &out,
        ],
        &["convert", &games, "--output", &out],
        &[
            "openings", "glinski", "--count", "1", "--plies", "2", "--output", &out,
        ],
        &[
            "datagen", "glinski", "--games", "1", "--nodes", "10", "--output", &out,
        ],
        &["show", "glinski", "--svg", &out],
    ] {
        folder.write("out", "precious");
        let message = hexmate(words).refused();
        let says = format!("{out}: the file exists");
        assert!(
            message.contains(&says) && message.contains("--force"),
            "{words:?}: {message}"
        );
        assert_eq!(folder.read("out"), "precious", "{words:?}");
        let run = hexmate(&[words, &["--force"]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        assert_ne!(folder.read("out"), "precious", "{words:?}");
        // A file that holds nothing has nothing to lose.
        folder.write("out", "");
        assert_eq!(hexmate(words).code, 0, "{words:?}");
        // Nor is one overwritten that has the temporary name.
        folder.write("out", "");
        folder.write("out.part", "precious");
        let message = hexmate(words).refused();
        let says = "out.part until it is complete, and that file exists";
        assert!(
            message.contains(says) && message.contains("--force"),
            "{words:?}: {message}"
        );
        assert_eq!(folder.read("out.part"), "precious", "{words:?}");
        assert_eq!(hexmate(&[words, &["--force"]].concat()).code, 0);
        assert!(!folder.path("out.part").exists(), "{words:?}");
    }
}

/// Pages are written at once, so nothing is lost under the name that others have until they are complete.
#[test]
fn pages_have_no_temporary_names() {
    let folder = Folder::new();
    let pages = folder.text("pages");
    std::fs::create_dir(&pages).unwrap();
    for (words, name) in [
        (&["man", &pages][..], "hexmate.1"),
        (
            &["games", "pages", "glinski", "--output", &pages],
            "glinski.md",
        ),
    ] {
        let part = format!("pages/{name}.part");
        folder.write(&part, "precious");
        hexmate(words).success();
        assert_eq!(folder.read(&part), "precious", "{words:?}");
        assert!(folder.path(&format!("pages/{name}")).exists(), "{words:?}");
    }
}

/// `-` is never the name of a file.
#[test]
fn a_hyphen_is_a_stream() {
    let folder = Folder::new();
    let run = |words: &[&str], input: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hexmate"));
        command.args(words).current_dir(folder.path(""));
        command.stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped());
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        use std::io::Write;
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let analyse = ["analyse", "-", "--depth", "1", "--output", "-", "--quiet"];
    assert!(run(&analyse, GLINSKI).contains("bestmove"));
    assert!(run(&["show", "glinski", "--svg", "-"], "").starts_with("<svg"));
    let book = [
        "openings", "glinski", "--count", "2", "--plies", "2", "--output", "-",
    ];
    assert_eq!(run(&book, "").lines().count(), 2);
    let suite = format!("{GLINSKI} ;D1 51\n");
    assert_eq!(
        run(&["suite", "-", "--game", "glinski"], &suite),
        "1 passed, 0 failed\n"
    );
    assert!(run(&["convert", "-", "--output", "-"], "1. e5 e6 *").contains("e4e5"));
    let game = "[Result \"1-0\"]\n\n1. e5 e6 1-0\n";
    assert!(run(&["replay", "-"], game).contains("\"moves\":\"e4e5 e7e6\""));
    let data = [
        "datagen", "glinski", "--games", "24", "--nodes", "20", "--output", "-",
    ];
    let data = run(&data, "");
    assert!(data.starts_with("# hexmate datagen glinski"));
    assert!(run(&["wdl", "glinski", "--data", "-"], &data).contains("held out"));
    let tune = [
        "tune", "glinski", "--data", "-", "--output", "-", "--epochs", "1",
    ];
    let weights = run(&tune, &data);
    assert!(
        weights.starts_with("hexmate-weights 1\n[glinski]"),
        "{weights}"
    );
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn errors_are_told_once_and_plainly() {
    let error = hexmate(&["perft", "glinski", "2", "--hash", "1000000"]).refused();
    assert_eq!(error.matches("cannot allocate").count(), 1, "{error}");
    let error = hexmate(&["show", "glinski", "--moves", "1. e4"]).refused();
    assert_eq!(error.matches("is not legal").count(), 1, "{error}");
    let error = hexmate(&["suite", "nofile.epd"]);
    assert!(
        error
            .err
            .contains("nofile.epd: cannot be read: No such file"),
        "{error:?}"
    );
    // No advice to pass an option as a file.
    let error = hexmate(&["suite", "--fen", "x"]).refused();
    assert!(
        error.contains("--fen") && !error.contains("-- --fen"),
        "{error}"
    );
}

/// Who asks for colours gets them, also in a pipe; who asks for none does not.
#[test]
fn colours() {
    let shown = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = command(&[&["show", "glinski"], words].concat());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!shown(&[], &[]));
    assert!(shown(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!shown(&[("CLICOLOR_FORCE", "0")], &[]));
    assert!(!shown(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(shown(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!shown(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

/// Mismatches name file and line, and there is an object for each line.
#[test]
fn suites_say_where() {
    let folder = Folder::new();
    let lines = format!("# a suite\n{GLINSKI} ;D1 51 ;D2 2586\n{GLINSKI} ;D1 50\n8/8 w\n");
    let path = folder.write("glinski.epd", lines);
    let run = hexmate(&["suite", &path]);
    assert_eq!(run.code, 2, "{run:?}");
    let says = format!("{path}, line 3: glinski depth 1: expected 50, found 51: {GLINSKI}\n");
    assert!(run.out.starts_with(&says), "{run:?}");
    assert!(run.err.contains(&format!("{path}, line 4: ")), "{run:?}");
    let run = hexmate(&["suite", &path, "--json"]);
    let objects = run.answers();
    assert_eq!((run.code, run.err.as_str(), objects.len()), (2, "", 4));
    assert_eq!(objects[0]["status"], "passed");
    let failed = serde_json::json!([{"depth": 1, "expected": 50, "found": 51}]);
    assert_eq!(
        (&objects[1]["line"], &objects[1]["counts"]),
        (&3.into(), &failed)
    );
    assert_eq!(objects[2]["status"], "error");
    let totals = serde_json::json!({"passed": 2, "failed": 1, "unreadable": 1, "skipped": 0});
    assert_eq!(objects[3], totals);
}

/// One bad game does not hide the others.
#[test]
fn replay_goes_on() {
    let games = "[Result \"1-0\"]\n\n1. e5 e6 1-0\n\n[Result \"1-0\"]\n\n1. e5 Qxb7 1-0\n\n[Result \"1-0\"]\n\n1. f6 1-0\n";
    let run = hexmate_reading(&["replay", "-"], games);
    assert_eq!(run.code, 1, "{run:?}");
    let moves: Vec<Value> = run
        .answers()
        .iter()
        .map(|game| game["moves"].clone())
        .collect();
    assert_eq!(moves, ["e4e5 e7e6", "f5f6"]);
    assert!(
        run.err.contains("line 7") && run.err.contains("Qxb7"),
        "{run:?}"
    );
    assert!(
        run.err.contains("1 of 3 games could not be replayed"),
        "{run:?}"
    );
}

/// Help says what is read: games however they were written, and every language by name.
#[test]
fn help_names_what_is_read() {
    for command in ["analyse", "convert", "review", "show"] {
        let help = hexmate(&[command, "--help"]).success();
        let words: Vec<&str> = help.split_whitespace().collect();
        let help = words.join(" ");
        assert!(help.contains("french, spanish, english, or"), "{help}");
    }
    let help = hexmate(&["analyse", "--help"]).success();
    assert!(
        help.contains("Games in PGN, as people write them"),
        "{help}"
    );
}
