//! Whether files are the shares of one run, each of them once.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail};

use crate::analyse::forms::{Format, grouped};
use crate::analyse::output::Sum;
use crate::analyse::share::{OutputIdentity, RunIdentity, ShareFile};
use crate::{terms, whole};

/// A share.
#[derive(Clone, PartialEq, Debug)]
pub struct Share {
    /// Its output.
    pub path: PathBuf,
    /// What is known of it.
    pub file: ShareFile,
}

/// So many missing shares are named.
const MOST_NAMED: usize = 20;
/// Bytes read at a time.
const CHUNK: usize = 1 << 16;

/// The outputs that are meant: a pattern like `out.*` also matches the files beside them.
pub fn outputs(named: &[PathBuf]) -> Vec<PathBuf> {
    let beside = |path: &PathBuf| ShareFile::output_of(path).is_some_and(|o| named.contains(&o));
    let outputs = named.iter().filter(|path| !beside(path));
    outputs
        .map(|path| match ShareFile::output_of(path) {
            Some(output) if !path.exists() || ShareFile::is_one(path) => output,
            _ => path.clone(),
        })
        .collect()
}

/// The shares in their order.
///
/// # Errors
/// All that is wrong: files that are not shares of the run that most of them belong to, shares that are given twice or
/// missing, and outputs that have changed.
pub fn of_one_run(paths: &[PathBuf]) -> Result<Vec<Share>, Vec<Error>> {
    let mut faults = Vec::new();
    let mut shares = Vec::new();
    for path in paths {
        match share(path) {
            Ok(share) => shares.push(share),
            Err(error) => faults.push(error),
        }
    }
    let unreadable = !faults.is_empty();
    let shares = fitting(shares, unreadable, &mut faults);
    if faults.is_empty() {
        let changed = shares.iter().map(unchanged).filter_map(Result::err);
        faults.extend(changed);
    }
    match faults.is_empty() {
        true => Ok(shares),
        false => Err(faults),
    }
}

/// A share by the name of its output.
fn share(path: &Path) -> Result<Share> {
    let beside = ShareFile::path_of(path);
    if path.extension().is_some_and(|ending| ending == "journal") {
        bail!(
            "{}: is a journal: this share is not finished; analyse with --resume goes on with it",
            path.display()
        );
    }
    if !path.exists() {
        let mut journal = path.as_os_str().to_owned();
        journal.push(".journal");
        match Path::new(&journal).exists() {
            true => bail!(
                "{}: this share is not finished; analyse with --resume goes on with it",
                path.display()
            ),
            false => bail!("{}: there is no such file", path.display()),
        }
    }
    if !beside.exists() {
        bail!(
            "{}: is not known to be a share: there is no {} beside it, as analyse with --shard and --output writes it",
            path.display(),
            beside.display()
        );
    }
    let file = ShareFile::read(&beside)?;
    if file.run.format == Format::Text {
        bail!(
            "{}: is text for people, which is not merged; expected --format jsonl, csv, epd or parquet",
            path.display()
        );
    }
    let path = path.to_owned();
    Ok(Share { path, file })
}

/// The shares of one run in their order; what does not fit is a fault. If some could not be read, none is called
/// missing.
fn fitting(shares: Vec<Share>, unreadable: bool, faults: &mut Vec<Error>) -> Vec<Share> {
    let of_same_run = |a: &Share, b: &Share| difference(a, b).is_none();
    let group = |share: &Share| shares.iter().filter(|s| of_same_run(s, share)).count();
    // The run is what most of them belong to, the first if there is a draw.
    let Some(most) = shares.iter().map(group).max() else {
        return Vec::new();
    };
    let Some(first) = shares.iter().find(|share| group(share) == most).cloned() else {
        return Vec::new();
    };
    let mut fitting: Vec<Share> = Vec::new();
    for share in shares {
        if let Some(difference) = difference(&share, &first) {
            faults.push(anyhow!("{}: {difference}", share.path.display()));
        } else if let Some(twin) = fitting.iter().find(|s| s.file.share == share.file.share) {
            faults.push(anyhow!(
                "share {}/{} is given twice: {} and {}",
                share.file.share,
                share.file.of,
                twin.path.display(),
                share.path.display()
            ));
        } else {
            fitting.push(share);
        }
    }
    fitting.sort_by_key(|share| share.file.share);
    let has = |number: &u64| fitting.iter().any(|share| share.file.share == *number);
    let missing = first.file.of - fitting.len() as u64;
    if missing > 0 && !unreadable {
        let named = (1..=first.file.of).filter(|number| !has(number));
        let named: Vec<String> = named.take(MOST_NAMED).map(|n| n.to_string()).collect();
        faults.push(missing_shares(missing, &named, first.file.of));
    }
    fitting
}

/// So many shares are missing, and these are the first of them.
fn missing_shares(missing: u64, named: &[String], of: u64) -> Error {
    match named {
        [one] => anyhow!("share {one}/{of} is missing"),
        _ if missing > named.len() as u64 => anyhow!(
            "{} shares of {} are missing, the first are {}",
            grouped(missing),
            grouped(of),
            named.join(", ")
        ),
        _ => anyhow!("shares {} of {of} are missing", named.join(", ")),
    }
}

/// Why two shares are not of the same run, if they are not.
fn difference(share: &Share, other: &Share) -> Option<String> {
    let (a, b) = (&share.file, &other.file);
    let path = other.path.display();
    let RunIdentity {
        format,
        records,
        input,
        terms,
    } = &a.run;
    let than = "is a share of another run than";
    if let Err(error) = terms::compare(&b.run.terms, terms) {
        let (name, there, here) = (&error.name, &error.was, &error.is);
        return Some(format!(
            "{than} {path}: {name} is {here}, and {there} there"
        ));
    }
    if *records != b.run.records {
        return Some(format!(
            "is a share of another input than {path}: it has {} records, and {} there",
            grouped(*records),
            grouped(b.run.records)
        ));
    }
    if *input != b.run.input {
        return Some(format!(
            "is a share of another input than {path}: the records differ, or their order, or the names of the files"
        ));
    }
    if a.of != b.of {
        return Some(format!(
            "is share {}/{} of the run, and {path} is {}/{}; expected one division of it",
            a.share, a.of, b.share, b.of
        ));
    }
    let name = |format: Format| format.name();
    (*format != b.run.format)
        .then(|| format!("is {}, and {path} is {}", name(*format), name(b.run.format)))
}

/// Makes sure that an output is what was written.
fn unchanged(share: &Share) -> Result<()> {
    let read = || -> Result<Sum> {
        let mut sum = Sum::default();
        let mut file: File = whole::open(&share.path)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(sum),
                read => sum.add(&chunk[..read]),
            }
        }
    };
    let name = share.path.display();
    let sum = read().with_context(|| format!("{name}: cannot be read"))?;
    let written = &share.file.output;
    if OutputIdentity::from(&sum) == *written {
        return Ok(());
    }
    let how = match sum.bytes() == written.bytes {
        true => String::new(),
        false => format!(
            " ({} bytes, and {} were written)",
            grouped(sum.bytes()),
            grouped(written.bytes)
        ),
    };
    bail!("{name}: has changed since analyse wrote it{how}; restore it, or analyse it again")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn share(path: &str, share: u64, of: u64) -> Share {
        let file = json!({
            "hexmate_share": 1, "share": share, "of": of,
            "run": {"format": "jsonl", "records": 10, "input": "a", "terms": {"--nodes": "20"}},
            "output": {"bytes": 0, "hash": ""},
            "stats": {
                "engine": "", "host": null,
                "means": {"jobs": 1, "threads": 1, "megabytes_of_each_worker": 1},
                "seconds": 1.0, "processor_seconds": null, "peak_megabytes": null,
                "records": 5, "errors": 0, "statuses": {}, "timeouts": 0,
                "answers": {
                    "searched": 5, "from_memory": 0, "from_cache_file": 0, "at_once": 0, "from_journal": 0
                },
                "nodes": 100, "records_per_second": 5.0, "nodes_per_second": 100.0, "depths": {"2": 5}
            }
        });
        Share {
            path: path.into(),
            file: serde_json::from_value(file).unwrap(),
        }
    }

    /// What is wrong with these, and which numbers fit.
    fn told(shares: &[Share]) -> (Vec<String>, Vec<u64>) {
        let mut faults = Vec::new();
        let fitting = fitting(shares.to_vec(), false, &mut faults);
        (
            faults.iter().map(Error::to_string).collect(),
            fitting.iter().map(|share| share.file.share).collect(),
        )
    }

    #[test]
    fn all_in_any_order() {
        let shares = [share("c", 3, 3), share("a", 1, 3), share("b", 2, 3)];
        assert_eq!(told(&shares), (vec![], vec![1, 2, 3]));
    }

    #[test]
    fn missing_and_doubled() {
        let shares = [share("a", 1, 4), share("c", 3, 4), share("d", 3, 4)];
        let faults = [
            "share 3/4 is given twice: c and d",
            "shares 2, 4 of 4 are missing",
        ];
        assert_eq!(told(&shares).0, faults);
        assert_eq!(told(&[share("a", 1, 2)]).0, ["share 2/2 is missing"]);
        let many = told(&[share("a", 1, 100)]).0;
        assert!(many[0].starts_with("99 shares of 100 are missing, the first are 2, 3, "));
        // A run may have been divided into more shares than anybody could list.
        let many = told(&[share("a", 2, u64::MAX)]).0;
        assert!(
            many[0].starts_with("18,446,744,073,709,551,614 shares of ")
                && many[0].ends_with("the first are 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21"),
            "{many:?}"
        );
    }

    #[test]
    fn the_stranger_is_named_wherever_it_stands() {
        type Change = fn(&mut ShareFile);
        let changes: [(Change, &str); 5] = [
            (
                |file| {
                    file.run.terms.insert("--nodes".to_owned(), "21".to_owned());
                },
                "is a share of another run than b: --nodes is 21, and 20 there",
            ),
            (
                |file| file.run.records = 1011,
                "is a share of another input than b: it has 1,011 records, and 10 there",
            ),
            (
                |file| file.run.input = "b".to_owned(),
                "is a share of another input than b: the records differ, or their order, or the names of the files",
            ),
            (
                |file| file.of = 4,
                "is share 1/4 of the run, and b is 2/3; expected one division of it",
            ),
            (
                |file| file.run.format = Format::Csv,
                "is csv, and b is jsonl",
            ),
        ];
        for (change, expected) in changes {
            let mut stranger = share("a", 1, 3);
            change(&mut stranger.file);
            let shares = [stranger, share("b", 2, 3), share("c", 3, 3)];
            let (faults, fitting) = told(&shares);
            let missing = "share 1/3 is missing".to_owned();
            assert_eq!(faults, [format!("a: {expected}"), missing]);
            assert_eq!(fitting, [2, 3]);
        }
    }

    #[test]
    fn files_beside_shares_are_not_shares() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let named = paths(&["out.1", "out.1.share", "out.2.share", "out.2"]);
        assert_eq!(outputs(&named), paths(&["out.1", "out.2"]));
        assert_eq!(outputs(&paths(&["out.1.share"])), paths(&["out.1"]));
    }
}
