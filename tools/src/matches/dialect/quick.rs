//! `-quick cmd=A cmd=B book=FILE`: the usual match of two engines in a few words, as `fastchess` has it.

use super::{DialectError, Group, refuse};

/// The groups with what `-quick` stands for in its place. Options after it change what it says.
///
/// # Errors
/// If it has not just two engines.
pub(super) fn expanded(groups: &[Group]) -> Result<Vec<Group>, DialectError> {
    let mut all = Vec::new();
    for group in groups {
        match group.name.as_str() {
            "quick" => all.extend(of(group)?),
            _ => all.push(group.clone()),
        }
    }
    Ok(all)
}

fn of(group: &Group) -> Result<Vec<Group>, DialectError> {
    let (mut engines, mut book) = (Vec::new(), None);
    for (key, value) in group.all_pairs()? {
        match key {
            "cmd" => engines.push(value),
            "book" if book.is_some() => {
                return refuse("-quick: 'book' is given twice; expected it once");
            }
            "book" => book = Some(value),
            _ => return group.unknown(key, "cmd book"),
        }
    }
    let [first, second] = engines[..] else {
        return refuse(format!(
            "-quick: {} engines are given; expected cmd=A cmd=B",
            engines.len()
        ));
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let say = |text: String| {
        let mut words = text.split('\n').map(str::to_owned);
        Group {
            name: words.next().unwrap_or_default(),
            words: words.collect(),
        }
    };
    let file = |cmd: &str| cmd.rsplit(['/', '\\']).next().unwrap_or(cmd).to_owned();
    let alike = file(first) == file(second) && first != "internal";
    let engine = |number: usize, cmd: &str| match alike {
        true => say(format!("engine\ncmd={cmd}\nname={}{number}", file(cmd))),
        false => say(format!("engine\ncmd={cmd}")),
    };
    let mut all = vec![
        engine(1, first),
        engine(2, second),
        say("each\ntc=10+0.1".to_owned()),
        say("rounds\n25000".to_owned()),
        say("games\n2".to_owned()),
        say(format!(
            "concurrency\n{}",
            processors.saturating_sub(2).max(1)
        )),
        say("recover".to_owned()),
        say("draw\nmovenumber=30\nmovecount=8\nscore=8".to_owned()),
        say("output\nformat=cutechess".to_owned()),
    ];
    if let Some(book) = book {
        all.push(say(format!("openings\nfile={book}\norder=random")));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::{groups, options};
    use crate::matches::options::{Options, Output};

    fn read(words: &str) -> Result<Options, String> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let groups = groups(&words).map_err(|e| e.to_string())?;
        options(&groups).map_err(|e| e.to_string())
    }

    #[test]
    fn few_words_for_the_usual_match() {
        let quick = read("-quick cmd=a/x cmd=b/x book=b.epd").unwrap();
        let names: Vec<&str> = quick.engines.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["x1", "x2"]);
        assert_eq!((quick.rounds, quick.games), (25_000, 2));
        assert!(quick.recover && quick.openings.random_order);
        assert_eq!(quick.output, Output::Cutechess);
        assert_eq!(quick.engines[0].limits.to_string(), "10+0.1");
        // What is said after it counts.
        let other = read("-quick cmd=a cmd=internal -rounds 3 -each nodes=9").unwrap();
        assert_eq!((other.rounds, other.openings.file), (3, None));
        assert_eq!(other.engines[1].limits.to_string(), "9 nodes");
        assert_eq!(other.engines[1].name, "internal2");
        for (words, part) in [
            ("cmd=a", "1 engines"),
            ("cmd=a cmd=b bok=c", "did you mean book?"),
        ] {
            let error = read(&format!("-quick {words}")).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
