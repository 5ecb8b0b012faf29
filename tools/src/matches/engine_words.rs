//! The words after `-engine` and `-each`.

use std::time::Duration;

use super::dialect::{DialectError, Group, number, refuse, seconds, truth};
use super::options::{Command, EngineLimits, EngineSpec, TimeControl};

/// How long an engine may be silent while no clock of its own runs, unless `patience=` says otherwise.
const PATIENCE: Duration = Duration::from_secs(60);

const KEYS: &str =
    "cmd name args dir tc st nodes depth timemargin patience restart proto option.NAME";

/// The words for one engine, or for each.
#[derive(Clone, Debug, Default)]
pub struct EngineWords {
    name: Option<String>,
    cmd: Option<String>,
    args: Option<Vec<String>>,
    dir: Option<String>,
    options: Vec<(String, String)>,
    /// `Some(None)` is `tc=inf`.
    tc: Option<Option<TimeControl>>,
    st: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: Option<Duration>,
    patience: Option<Duration>,
    restart: Option<bool>,
}

impl EngineWords {
    /// Reads `key=value` words.
    ///
    /// # Errors
    /// If a key is unknown or a value cannot be used.
    pub fn parse(group: &Group) -> Result<Self, DialectError> {
        let mut words = EngineWords::default();
        for (key, value) in group.pairs()? {
            let whose = format!("-{} {key}", group.name);
            match key {
                "name" => words.name = Some(name(&whose, value)?),
                "cmd" => words.cmd = Some(value.to_owned()),
                "args" => match split(value) {
                    Some(args) => words.args = Some(args),
                    None => return refuse(format!("{whose}: '{value}': a quote is not closed")),
                },
                "dir" => words.dir = Some(value.to_owned()),
                "tc" => words.tc = Some(time_control(&whose, value)?),
                "st" => words.st = Some(positive(&whose, value)?),
                "nodes" => words.nodes = Some(number(&whose, value, 1..=u64::MAX)?),
                "depth" | "plies" => words.depth = Some(number(&whose, value, 1..=u32::MAX)?),
                "timemargin" => {
                    let milliseconds = number(&whose, value, 0..=u64::MAX)?;
                    words.margin = Some(Duration::from_millis(milliseconds));
                }
                "patience" => words.patience = Some(positive(&whose, value)?),
                "restart" => words.restart = Some(truth(&whose, value)?),
                "proto" if value == "uci" => {}
                "proto" => return refuse(format!("{whose}: '{value}': expected uci")),
                _ => match key.strip_prefix("option.") {
                    Some(option) if !option.is_empty() => {
                        words.options.push((option.to_owned(), value.to_owned()));
                    }
                    _ => return group.unknown(key, KEYS),
                },
            }
        }
        Ok(words)
    }

    /// These words, completed by others where these are silent. Any limit of its own replaces all limits of
    /// the others.
    #[must_use]
    pub fn or(mut self, others: EngineWords) -> EngineWords {
        let limited =
            self.tc.is_some() || self.st.is_some() || self.nodes.is_some() || self.depth.is_some();
        let mut options = others.options;
        options.retain(|(name, _)| {
            self.options
                .iter()
                .all(|(own, _)| !own.eq_ignore_ascii_case(name))
        });
        options.append(&mut self.options);
        EngineWords {
            name: self.name.or(others.name),
            cmd: self.cmd.or(others.cmd),
            args: self.args.or(others.args),
            dir: self.dir.or(others.dir),
            options,
            tc: self.tc.or(others.tc.filter(|_| !limited)),
            st: self.st.or(others.st.filter(|_| !limited)),
            nodes: self.nodes.or(others.nodes.filter(|_| !limited)),
            depth: self.depth.or(others.depth.filter(|_| !limited)),
            margin: self.margin.or(others.margin),
            patience: self.patience.or(others.patience),
            restart: self.restart.or(others.restart),
        }
    }

    /// The engine of these words, the `number`th.
    ///
    /// # Errors
    ///
    /// If it has no command, or no limit.
    pub fn finish(self, number: usize) -> Result<EngineSpec, DialectError> {
        let Some(cmd) = self.cmd else {
            return refuse(format!(
                "-engine {number}: expected cmd=internal or cmd=PATH"
            ));
        };
        let name = match self.name {
            Some(name) => name,
            None if cmd == "internal" => format!("internal{number}"),
            None => {
                let file = cmd.rsplit(['/', '\\']).next().unwrap_or(&cmd);
                file.split_whitespace().collect::<Vec<_>>().join("_")
            }
        };
        let limits = EngineLimits {
            tc: self.tc.flatten(),
            st: self.st,
            nodes: self.nodes,
            depth: self.depth,
        };
        if limits == EngineLimits::default() {
            return refuse(format!(
                "-engine name={name}: nothing bounds its thinking; expected tc=, st=, nodes= or depth="
            ));
        }
        let command = if cmd == "internal" {
            if self.args.is_some() || self.dir.is_some() {
                return refuse(format!(
                    "-engine name={name}: args= and dir= are for programs, not for cmd=internal"
                ));
            }
            Command::Internal
        } else {
            Command::Program {
                path: cmd,
                args: self.args.unwrap_or_default(),
                dir: self.dir.map(Into::into),
            }
        };
        Ok(EngineSpec {
            name,
            command,
            options: self.options,
            limits,
            margin: self.margin.unwrap_or_default(),
            patience: self.patience.unwrap_or(PATIENCE),
            restart: self.restart.unwrap_or(false),
        })
    }
}

/// Names appear in lines that other programs split into words.
fn name(whose: &str, text: &str) -> Result<String, DialectError> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || "\"()[]{}".contains(c);
    if text.is_empty() || text.contains(bad) {
        return refuse(format!(
            "{whose}: '{text}': expected a name without blanks, quotes and brackets"
        ));
    }
    Ok(text.to_owned())
}

fn positive(whose: &str, text: &str) -> Result<Duration, DialectError> {
    match seconds(whose, text)? {
        time if time.is_zero() => {
            refuse(format!("{whose}: '{text}': expected more than 0 seconds"))
        }
        time => Ok(time),
    }
}

/// As a shell would; but on Windows backslashes are in paths and have no other meaning.
fn split(args: &str) -> Option<Vec<String>> {
    match cfg!(windows) {
        true => shlex::split(&args.replace('\\', r"\\")),
        false => shlex::split(args),
    }
}

/// Parses `moves/minutes:seconds+increment`, of which only the seconds are required; `inf` is no clock.
fn time_control(whose: &str, text: &str) -> Result<Option<TimeControl>, DialectError> {
    if text == "inf" || text == "infinite" {
        return Ok(None);
    }
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(number(whose, moves, 1..=u32::MAX)?), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, seconds(whose, increment)?),
        None => (rest, Duration::ZERO),
    };
    let base = match base.split_once(':') {
        Some((minutes, rest)) => seconds(whose, minutes)? * 60 + seconds(whose, rest)?,
        None => seconds(whose, base)?,
    };
    if base.is_zero() && increment.is_zero() {
        return refuse(format!("{whose}: '{text}': expected more than 0 seconds"));
    }
    Ok(Some(TimeControl {
        moves,
        base: if base.is_zero() { increment } else { base },
        increment,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        let read = |text| time_control("tc", text).unwrap();
        let tc = |moves, base: f64, increment: f64| {
            Some(TimeControl {
                moves,
                base: Duration::from_secs_f64(base),
                increment: Duration::from_secs_f64(increment),
            })
        };
        assert_eq!(read("10+0.1"), tc(None, 10.0, 0.1));
        assert_eq!(read("40/1:30+2"), tc(Some(40), 90.0, 2.0));
        assert_eq!(read("0.5"), tc(None, 0.5, 0.0));
        assert_eq!(read("0+1"), tc(None, 1.0, 1.0));
        assert_eq!(read("inf"), None);
        for bad in ["", "x", "0", "1+", "/5", "0/5", "1:", "-3", "1e9"] {
            assert!(time_control("tc", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn arguments_are_split_as_by_a_shell() {
        let path = if cfg!(windows) {
            r"C:\nets\a.net"
        } else {
            "/nets/a.net"
        };
        let words = format!("uci --file {path} 'two words' \"{path}\"");
        let expected = ["uci", "--file", path, "two words", path];
        assert_eq!(split(&words).unwrap(), expected);
        assert_eq!(split("'open"), None);
    }

    #[test]
    fn own_words_come_before_those_of_each() {
        let words = |text: &str| {
            EngineWords::parse(&Group {
                name: "engine".to_owned(),
                words: text.split_whitespace().map(str::to_owned).collect(),
            })
            .unwrap()
        };
        let each = words("tc=10+1 option.Hash=8 option.Threads=2 timemargin=20 cmd=x/y");
        let engine = words("option.hash=1 nodes=5").or(each.clone()).finish(1);
        let engine = engine.unwrap();
        assert_eq!(engine.name, "y");
        assert_eq!((engine.limits.nodes, engine.limits.tc), (Some(5), None));
        assert_eq!(engine.margin, Duration::from_millis(20));
        let options = [("Threads", "2"), ("hash", "1")];
        assert_eq!(
            engine.options,
            options.map(|(k, v)| (k.to_owned(), v.to_owned()))
        );
        let other = words("").or(each).finish(2).unwrap();
        assert!(other.limits.timed());
    }
}
