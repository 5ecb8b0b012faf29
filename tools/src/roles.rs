//! No file has two roles: a file that a command writes is not read or written in another role.
//!
//! Files are compared by identity and not by name, so links make no difference. A file that does not exist
//! yet is known by its folder and its name. Pipes and devices may be named any number of times: writing to
//! them destroys nothing. `-` means standard input or output and is not a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use std::os::unix::fs::MetadataExt;

/// More links in a row than this are a loop.
const MOST_LINKS: usize = 40;

/// The files of a run and their roles.
#[derive(Debug, Default)]
pub struct Roles {
    read: Vec<Role>,
    written: Vec<Role>,
}

#[derive(Debug)]
struct Role {
    name: String,
    path: PathBuf,
    identity: Identity,
}

/// The identity of a file, whatever it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Identity {
    /// An existing file, by device and inode.
    #[cfg(unix)]
    There(u64, u64),
    /// A file that does not exist yet, or whose folder cannot be read.
    Name(PathBuf),
}

/// A file that was given two roles, at least one of which would overwrite it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{first} {} and {second} {} name the same file; each needs its own",
    .first_path.display(),
    .second_path.display()
)]
pub struct SharedFile {
    /// The role that was named first.
    pub first: String,
    /// How it names the file.
    pub first_path: PathBuf,
    /// The other role.
    pub second: String,
    /// How that one names it.
    pub second_path: PathBuf,
}

impl Roles {
    /// No files yet.
    pub fn new() -> Roles {
        Roles::default()
    }

    /// A file that is read. Several roles may read one file.
    ///
    /// # Errors
    /// If the file is written, too.
    pub fn input(&mut self, role: &str, path: &Path) -> Result<(), SharedFile> {
        let Some(role) = Role::new(role, path) else {
            return Ok(());
        };
        role.check(&self.written)?;
        self.read.push(role);
        Ok(())
    }

    /// A file that is written, even if it is read as well: no other role may name it.
    ///
    /// # Errors
    /// If the file has a role already.
    pub fn output(&mut self, role: &str, path: &Path) -> Result<(), SharedFile> {
        let Some(role) = Role::new(role, path) else {
            return Ok(());
        };
        role.check(&self.read)?;
        role.check(&self.written)?;
        self.written.push(role);
        Ok(())
    }
}

impl Role {
    /// `None`: nothing that could be overwritten.
    fn new(name: &str, path: &Path) -> Option<Role> {
        Some(Role {
            name: name.to_owned(),
            path: path.to_owned(),
            identity: Identity::of(path)?,
        })
    }

    fn check(&self, others: &[Role]) -> Result<(), SharedFile> {
        let other = others.iter().find(|other| other.identity == self.identity);
        other.map_or(Ok(()), |other| {
            Err(SharedFile {
                first: other.name.clone(),
                first_path: other.path.clone(),
                second: self.name.clone(),
                second_path: self.path.clone(),
            })
        })
    }
}

impl Identity {
    /// `None` for pipes, devices, folders, and `-`.
    fn of(path: &Path) -> Option<Identity> {
        // Commands call their standard input and output by the names that these have on Unix.
        let streams = ["/dev/stdin", "/dev/stdout"].map(Path::new);
        if path == Path::new("-") || cfg!(windows) && streams.contains(&path) {
            return None;
        }
        match fs::metadata(path) {
            Ok(meta) if !meta.is_file() => None,
            #[cfg(unix)]
            Ok(meta) => Some(Identity::There(meta.dev(), meta.ino())),
            Err(_) if is_device(path) => None,
            _ => Some(Identity::Name(resolved(path))),
        }
    }
}

/// Whether there is something that is neither file nor folder: a pipe or device.
pub fn is_device(path: &Path) -> bool {
    /// What Windows says of devices such as `NUL`: that the function is wrong, or, in Wine, a parameter.
    const OF_DEVICES: [Option<i32>; 2] = [Some(1), Some(87)];
    match fs::metadata(path) {
        Ok(meta) => !meta.is_file() && !meta.is_dir(),
        Err(error) => cfg!(windows) && OF_DEVICES.contains(&error.raw_os_error()),
    }
}

/// Whether an open file still has this name.
#[cfg(unix)]
pub fn is_at(file: &fs::File, path: &Path) -> bool {
    let there = fs::metadata(path);
    let identity = |meta: &fs::Metadata| (meta.dev(), meta.ino());
    matches!((file.metadata(), there), (Ok(file), Ok(there)) if identity(&file) == identity(&there))
}

/// Whether an open file still has this name; elsewhere only whether any file has it can be known.
#[cfg(not(unix))]
pub fn is_at(_file: &fs::File, path: &Path) -> bool {
    path.exists()
}

/// The path with its folder resolved, and with links to files that do not exist yet followed. On Windows the case of
/// letters makes no difference.
fn resolved(path: &Path) -> PathBuf {
    let path = followed(path);
    match path.to_str() {
        Some(text) if cfg!(windows) => text.to_lowercase().into(),
        _ => path,
    }
}

fn followed(path: &Path) -> PathBuf {
    if let Ok(whole) = fs::canonicalize(path) {
        return whole;
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // A relative link is relative to its own folder.
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    let in_folder = || -> io::Result<PathBuf> {
        let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
        Ok(fs::canonicalize(folder_of(&path))?.join(name))
    };
    // Where there is no folder, nothing can be written.
    in_folder().unwrap_or(path)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with a file `book`, and the roles of a run that reads it and writes `new`.
    fn begun() -> (tempfile::TempDir, Roles) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("book"), "a").unwrap();
        let mut roles = Roles::new();
        roles
            .input("--book", &folder.path().join("book"))
            .and_then(|()| roles.output("--out", &folder.path().join("new")))
            .unwrap();
        (folder, roles)
    }

    #[test]
    fn a_file_that_is_read_is_not_written() {
        let (folder, mut roles) = begun();
        let book = folder.path().join("book");
        roles.input("the input", &book).unwrap();
        let error = roles.output("--stats", &book).unwrap_err();
        let expected = format!(
            "--book {0} and --stats {0} name the same file; each needs its own",
            book.display()
        );
        assert_eq!(error.to_string(), expected);
        // Whichever is named first.
        let new = folder.path().join("new");
        assert_eq!(roles.input("--more", &new).unwrap_err().first, "--out");
    }

    #[test]
    fn a_file_is_written_once() {
        let (folder, mut roles) = begun();
        let new = folder.path().join("new");
        let error = roles.output("--stats", &new).unwrap_err();
        assert_eq!((error.first.as_str(), &error.second_path), ("--out", &new));
        roles
            .output("--stats", &folder.path().join("other"))
            .unwrap();
    }

    #[cfg(windows)]
    #[test]
    fn the_case_of_letters_changes_nothing() {
        let (folder, mut roles) = begun();
        for name in ["BOOK", "New", r".\bOOk"] {
            assert!(
                roles.output("--stats", &folder.path().join(name)).is_err(),
                "{name}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_other_names_change_nothing() {
        let (folder, mut roles) = begun();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        symlink("book", at("soft")).unwrap();
        symlink(at("soft"), at("inner/twice")).unwrap();
        fs::hard_link(at("book"), at("hard")).unwrap();
        // Links to files that do not exist yet.
        symlink("new", at("to_new")).unwrap();
        symlink("../to_new", at("inner/to_new")).unwrap();
        symlink(".", at("here")).unwrap();
        let names = [
            "soft",
            "hard",
            "inner/twice",
            "inner/../book",
            "to_new",
            "inner/to_new",
            "inner/../new",
            "here/new",
            "here/here/book",
        ];
        for name in names {
            assert!(roles.output("--stats", &at(name)).is_err(), "{name}");
        }
        symlink("circle", at("circle")).unwrap();
        roles.output("--stats", &at("circle")).unwrap();
    }

    #[test]
    fn relative_names_are_seen_from_here() {
        let here = std::env::current_dir().unwrap();
        let mut roles = Roles::new();
        let name = "a file that nobody has made";
        roles.output("--a", Path::new(name)).unwrap();
        assert!(roles.output("--b", &here.join(name)).is_err());
        assert!(roles.output("--c", &Path::new(".").join(name)).is_err());
    }

    #[test]
    fn devices_and_folders_are_no_files() {
        let (folder, mut roles) = begun();
        let devices = match cfg!(windows) {
            true => &["-", "NUL", "/dev/stdout"][..],
            false => &["-", "/dev/null"],
        };
        for path in devices.iter().map(Path::new).chain([folder.path()]) {
            for role in ["--a", "--b"] {
                roles.input(role, path).unwrap();
                roles.output(role, path).unwrap();
            }
        }
    }
}
