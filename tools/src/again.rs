//! The command that goes on with a run.

use std::env;
use std::ffi::OsString;

/// The command of this process with `--resume`, to be pasted into a shell.
pub fn command() -> String {
    resumed(env::args_os())
}

fn resumed(words: impl Iterator<Item = OsString>) -> String {
    let mut words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    // Behind `--` there are no options, but names of files.
    let end = words.iter().position(|word| word == "--");
    let names = words.split_off(end.unwrap_or(words.len()));
    words.retain(|word| !matches!(word.as_str(), "--force" | "--restart" | "--resume"));
    words.push("--resume".to_owned());
    words.extend(names);
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

/// As shells take it for one word. Those of Windows have no backslash that makes letters plain, and not all know single
/// quotes.
fn quoted(word: &str) -> String {
    if cfg!(windows) {
        let is_plain = |c: char| c.is_alphanumeric() || "-_=+.:/\\".contains(c);
        return match !word.is_empty() && word.chars().all(is_plain) {
            true => word.to_owned(),
            false => format!("\"{word}\""),
        };
    }
    match shlex::try_quote(word) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_and_what_starts_again_is_left_out() {
        let words = [
            "hexmate",
            "analyse",
            "my games.pgn",
            "--force",
            "--output",
            "out",
        ];
        let quote = if cfg!(windows) { '"' } else { '\'' };
        assert_eq!(
            resumed(words.into_iter().map(OsString::from)),
            format!("hexmate analyse {quote}my games.pgn{quote} --output out --resume")
        );
    }

    #[test]
    fn what_stands_behind_two_hyphens_stays_there() {
        let words = "hexmate analyse --restart --output out -- in.epd --force";
        assert_eq!(
            resumed(words.split(' ').map(OsString::from)),
            "hexmate analyse --output out --resume -- in.epd --force"
        );
    }
}
