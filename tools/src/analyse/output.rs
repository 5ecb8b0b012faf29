//! Where answers go: standard output, a pipe, or a file that is complete or absent.

use std::fs::{self, File, OpenOptions};
use std::hash::Hasher;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf, is_separator};
use std::process::exit;

use anyhow::{Context, Error, Result, anyhow, bail};
use indicatif::ProgressBar;
use twox_hash::XxHash3_64;

use super::answer::Answer;
use super::forms::{Form, Format, RunHeader, Style};
use crate::exit::Exit;
use crate::interrupt::on_interrupt;
use crate::one_writer;
use crate::overwrite::{Force, holds_something, part_of, replaced};
use crate::roles::{Roles, SharedFile, is_at, is_device};
use crate::stdout::CANNOT_PRINT;

/// A file has appeared that would be lost. What was to be written is complete under its temporary name.
#[derive(Debug, thiserror::Error)]
#[error(
    "{path}: the file has appeared since this run began, and stays; what was to be written is {part}; rename one of them"
)]
pub struct Appeared {
    path: String,
    part: String,
}

/// The files of a run that stay under their temporary names, since others have appeared.
#[derive(Debug, Default)]
pub struct Refused(Vec<Error>);

impl Refused {
    /// Notes that a file has appeared, if that is what is wrong: the run goes on with its other files.
    ///
    /// # Errors
    /// What else is wrong.
    pub fn unless_appeared(&mut self, placed: Result<()>) -> Result<()> {
        match placed {
            Err(error) if error.is::<Appeared>() => {
                self.0.push(error);
                Ok(())
            }
            placed => placed,
        }
    }

    /// Tells of each of them, at the end.
    ///
    /// # Errors
    /// If there is one: the last, which is for the caller to tell.
    pub fn told(mut self) -> Result<()> {
        let last = self.0.pop();
        for error in &self.0 {
            eprintln!("hexmate: {error}");
        }
        last.map_or(Ok(()), Err)
    }
}

/// A file that is written under a temporary name and renamed when it is complete.
///
/// Until then it is `NAME.part`. A run that is killed leaves that behind; where its journal is there, too, the next run
/// overwrites it, otherwise only with `--force`.
#[derive(Debug)]
pub struct Aside {
    path: PathBuf,
    part: PathBuf,
    /// Whether a file that is there may be replaced; else it has appeared and is somebody else's.
    force: Force,
    /// `None` once it is renamed.
    file: Option<File>,
}

impl Aside {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written in its folder, or another run is writing it.
    pub fn create(path: &Path, force: Force) -> Result<Aside> {
        let cannot = || format!("{}: cannot be written", path.display());
        let last = path.as_os_str().as_encoded_bytes().last();
        if path.is_dir() || last.is_some_and(|&byte| is_separator(byte.into())) {
            return Err(anyhow!("it is a folder; expected a file")).with_context(cannot);
        }
        let path = replaced(path).with_context(cannot)?;
        let part = part_of(&path).with_context(cannot)?;
        let Some(file) = locked(&part).with_context(cannot)? else {
            bail!("{}: is being written by another run", path.display());
        };
        file.set_len(0).with_context(cannot)?;
        Ok(Aside {
            path,
            part,
            force,
            file: Some(file),
        })
    }

    fn has_appeared(&self) -> bool {
        !self.force.is_given() && holds_something(&self.path)
    }

    /// Syncs the file to disk and renames it.
    ///
    /// # Errors
    ///
    /// If it cannot be synced or renamed, or a file has appeared that would be lost; unless it cannot be synced, what
    /// was written is kept under its temporary name.
    pub fn complete(mut self) -> Result<()> {
        let file = self.file.take().expect("not yet in place");
        let cannot = || format!("{}: cannot be written", self.path.display());
        if let Err(error) = file.sync_all() {
            let _ = fs::remove_file(&self.part);
            return Err(error).with_context(cannot);
        }
        if self.has_appeared() {
            bail!(Appeared {
                path: self.path.display().to_string(),
                part: self.part.display().to_string(),
            });
        }
        // On Windows other programs can keep a file from being replaced for as long as they have it open.
        fs::rename(&self.part, &self.path).with_context(|| {
            format!(
                "{}: cannot be replaced; what was to be written is {}",
                self.path.display(),
                self.part.display()
            )
        })?;
        sync_folder_of(&self.path).with_context(cannot)
    }
}

/// Opens and locks a file, whose content stays; `None` if another run has it.
fn locked(part: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    loop {
        let Some(file) = one_writer::open(part, &mut options)? else {
            return Ok(None);
        };
        // Before it was locked, another run may have completed it, and it has another name now.
        if is_at(&file, part) {
            return Ok(Some(file));
        }
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Notes a file that [`Output`] or [`write_whole`] will write, and its temporary name.
///
/// # Errors
///
/// If one of the two has another role.
pub fn note(roles: &mut Roles, role: &str, path: &Path) -> Result<(), SharedFile> {
    roles.output(role, path)?;
    let part = replaced(path).ok().and_then(|path| part_of(&path));
    match part.filter(|_| is_replaceable(path)) {
        Some(part) => roles.output(&format!("{role} (while it is written)"), &part),
        None => Ok(()),
    }
}

/// Syncs a name to disk, by syncing its folder.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// What is not complete goes away.
impl Drop for Aside {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Writes a small file as a whole; `-` is standard output.
///
/// # Errors
/// If it cannot be written, or a file is there that must stay: [`Appeared`].
pub fn write_whole(path: &Path, text: &str, force: Force) -> Result<()> {
    if is_stdout(path) {
        return write!(stdout(), "{text}").context(CANNOT_PRINT);
    }
    if !is_replaceable(path) {
        return fs::write(path, text)
            .with_context(|| format!("{}: cannot be written", path.display()));
    }
    let mut file = Aside::create(path, force)?;
    file.write_all(text.as_bytes())
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    file.complete()
}

/// Makes sure that statistics can be written, and do not stand among answers that are printed.
///
/// # Errors
/// If they cannot, or would.
pub fn check_stats(path: Option<&Path>, prints: bool) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    if prints && is_stdout(path) {
        bail!("--stats -: the answers go to standard output; expected a file for one of the two");
    }
    check_writable(path).context("--stats")
}

/// Makes sure that [`write_whole`] will be able to write a file, before there is anything to write. Pipes and devices
/// are not touched: opening them may wait for another program.
///
/// # Errors
/// If it cannot be written.
pub fn check_writable(path: &Path) -> Result<()> {
    if is_stdout(path) || !is_replaceable(path) {
        return Ok(());
    }
    Aside::create(path, Force::OWN).map(drop)
}

/// Whether a path is a file or free: pipes and devices cannot be replaced.
pub fn is_replaceable(path: &Path) -> bool {
    !is_device(path)
}

/// The ending of the name of a file, in lower case, which people take for the kind of what is in it. There is none in
/// numbers (`out.7`), nor where the name cannot be chosen: pipes and devices.
pub fn ending(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let is_number = ending.bytes().all(|byte| byte.is_ascii_digit());
    (!is_number && is_replaceable(path)).then_some(ending)
}

/// Refuses the name of a compressed file: what is written is not compressed.
///
/// # Errors
/// If it is one.
pub fn refuse_compressed(path: &Path) -> Result<()> {
    match ending(path).as_deref() {
        Some(kind @ ("gz" | "zst" | "bz2" | "xz" | "zip")) => bail!(
            "--output {}: .{kind} means a compressed file, and output is not compressed; expected a name without .{kind}, or --output - and a program that compresses",
            path.display()
        ),
        _ => Ok(()),
    }
}

/// Where bytes go.
#[derive(Debug)]
pub enum Destination {
    /// Standard output.
    Stdout(io::Stdout),
    /// A pipe or device.
    Direct(File),
    /// A file.
    Aside(Aside),
}

impl Destination {
    /// The file of this name; `-` or none: standard output. Whether what the file holds may be lost was asked before;
    /// without `--force`, what has appeared since then stays.
    ///
    /// # Errors
    /// If the file cannot be written, or has appeared.
    pub fn create(path: Option<&Path>, force: Force) -> Result<Destination> {
        Ok(match path {
            None => Destination::Stdout(stdout()),
            Some(path) if is_stdout(path) => Destination::Stdout(stdout()),
            Some(path) if is_replaceable(path) => {
                let file = Aside::create(path, force)?;
                // By a run, for one, that had the lock and has completed it just now.
                if file.has_appeared() {
                    bail!(
                        "{}: the file has appeared since this run began, and stays; give another name, or --force to overwrite it",
                        path.display()
                    );
                }
                Destination::Aside(file)
            }
            Some(path) => {
                let file = OpenOptions::new().write(true).open(path);
                let cannot = || format!("{}: cannot be written", path.display());
                Destination::Direct(file.with_context(cannot)?)
            }
        })
    }

    /// Takes what is not complete away at Ctrl-C or a signal to end, and ends the process; for those who have no other
    /// end in order. The bar goes before the message.
    ///
    /// # Errors
    /// As [`on_interrupt`].
    pub fn leaves_nothing(&self, bar: &ProgressBar) -> Result<()> {
        let Destination::Aside(file) = self else {
            return Ok(());
        };
        let (path, part, bar) = (file.path.clone(), file.part.clone(), bar.clone());
        on_interrupt(move || {
            bar.finish_and_clear();
            // Otherwise it was complete just now.
            if fs::remove_file(&part).is_ok() {
                eprintln!("hexmate: interrupted; {} is not written", path.display());
            }
            exit(Exit::Interrupted.code().into());
        })
    }

    /// Flushes what was written; a file gets its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn complete(self) -> Result<()> {
        match self {
            Destination::Aside(file) => file.complete(),
            Destination::Stdout(mut out) => out.flush().context(CANNOT_PRINT),
            Destination::Direct(mut out) => out.flush().context("the output cannot be written"),
        }
    }
}

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::Stdout(out) => out.write(bytes),
            Destination::Direct(out) => out.write(bytes),
            Destination::Aside(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::Stdout(out) => out.flush(),
            Destination::Direct(out) => out.flush(),
            Destination::Aside(out) => out.flush(),
        }
    }
}

/// A destination, and what went there.
struct Summed {
    to: Destination,
    sum: Sum,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Length and hash of bytes.
#[derive(Clone, Default)]
pub struct Sum {
    bytes: u64,
    hash: XxHash3_64,
}

impl Sum {
    /// More bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.write(bytes);
    }

    /// How many there were.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Their hash.
    pub fn hash(&self) -> u64 {
        self.hash.finish()
    }
}

/// Answers in some format on their way to some place.
pub struct Output {
    form: Form<Summed>,
    name: String,
    /// The temporary name of a file.
    part: Option<PathBuf>,
}

impl Output {
    /// Starts the output; without a path, standard output. `header` is known by the first answer.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn create(
        path: Option<&Path>,
        force: Force,
        format: Format,
        style: Style,
        header: RunHeader,
    ) -> Result<Output> {
        let destination = Destination::create(path, force)?;
        let name = path.map_or_else(
            || "the output".to_owned(),
            |path| path.display().to_string(),
        );
        let part = match &destination {
            Destination::Aside(file) => Some(file.part.clone()),
            _ => None,
        };
        let to = Summed {
            to: destination,
            sum: Sum::default(),
        };
        let form = Form::begin(format, style, header, to)?;
        Ok(Output { form, name, part })
    }

    fn cannot(name: &str) -> impl FnOnce() -> String {
        let name = name.to_owned();
        move || format!("{name}: cannot be written")
    }

    /// Writes an answer; `json` is the same as a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&mut self, answer: &Answer, json: &str) -> Result<()> {
        let put = self.form.put(answer, json);
        put.with_context(Self::cannot(&self.name))
    }

    /// Flushes what can be flushed.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.form.flush().with_context(Self::cannot(&self.name))
    }

    /// Flushes what was printed, or removes the unfinished file: the process is about to end.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn abandon(&mut self) -> Result<()> {
        match &self.part {
            Some(part) => fs::remove_file(part).with_context(Self::cannot(&self.name)),
            None => self.flush(),
        }
    }

    /// Writes what is still to be written. The file does not have its name yet.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn end(self) -> Result<Written> {
        let end = self.form.end();
        let Summed { to, sum } = end.with_context(Self::cannot(&self.name))?;
        let name = self.name;
        Ok(Written { to, sum, name })
    }
}

/// An output to which nothing more is written.
pub struct Written {
    to: Destination,
    /// What was written.
    pub sum: Sum,
    name: String,
}

impl Written {
    /// The temporary name, if that is the name that the output will keep.
    pub fn stays_aside(&self) -> Option<&Path> {
        match &self.to {
            Destination::Aside(file) => file.has_appeared().then_some(&file.part),
            _ => None,
        }
    }

    /// Completes the output: a file gets its name.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn complete(self) -> Result<()> {
        match self.to {
            Destination::Aside(file) => file.complete(),
            mut other => other.flush().with_context(Output::cannot(&self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_renamed_is_no_longer_at_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let (path, part) = (folder.path().join("out"), folder.path().join("out.part"));
        let early = File::create(&part).unwrap();
        assert!(is_at(&early, &part));
        fs::rename(&part, &path).unwrap();
        assert!(!is_at(&early, &part));
        let _later = locked(&part).unwrap().unwrap();
        assert!(!is_at(&early, &part) && is_at(&early, &path));
        assert!(locked(&part).unwrap().is_none());
    }

    #[test]
    fn a_file_that_appears_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut aside = Aside::create(&path, Force::default()).unwrap();
        aside.write_all(b"ours").unwrap();
        fs::write(&path, "precious").unwrap();
        let refused = aside.complete().unwrap_err().to_string();
        assert!(refused.contains("has appeared"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        let part = folder.path().join("out.part");
        assert_eq!(fs::read_to_string(part).unwrap(), "ours");
        // So it is where nothing can take its place.
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        fs::write(path.join("inside"), "").unwrap();
        let mut aside = Aside::create(&folder.path().join("other"), Force::default()).unwrap();
        aside.write_all(b"ours").unwrap();
        aside.path.clone_from(&path);
        let refused = format!("{:#}", aside.complete().unwrap_err());
        let other = folder.path().join("other.part");
        let kept = format!("what was to be written is {}: ", other.display());
        assert!(refused.contains(&kept), "{refused}");
        assert_eq!(fs::read_to_string(other).unwrap(), "ours");
        fs::remove_dir_all(&path).unwrap();
        fs::write(&path, "precious").unwrap();
        // Also where it was there before anything was written, but nothing is kept then.
        let refused = Destination::create(Some(&path), Force::default()).unwrap_err();
        assert!(refused.to_string().contains("has appeared"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert!(!folder.path().join("out.part").exists());
        let refused = write_whole(&path, "small", Force::default()).unwrap_err();
        assert!(refused.is::<Appeared>(), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert_eq!(
            fs::read_to_string(folder.path().join("out.part")).unwrap(),
            "small"
        );
        // One that may be is replaced.
        let mut aside = Aside::create(&path, Force::OWN).unwrap();
        aside.write_all(b"new").unwrap();
        aside.complete().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
