//! Tells the program what it is built from: the engine, as a hash over everything that can change an answer (journals
//! and caches of another engine are not gone on with), the commit, and the form of the build. Lists the files of the
//! board's page, which become part of the program.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What decides answers, beside the options.
const SOURCES: [&str; 7] = [
    "../movegen/build",
    "../movegen/games",
    "../movegen/src",
    "../tt/src",
    "../engine/src",
    "../engine/weights",
    "../tablebases/src",
];

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    if std::env::var_os("CARGO_FEATURE_BOARD").is_some() {
        list_page(&root.join("board"));
    }
    let mut files = Vec::new();
    for folder in SOURCES {
        println!("cargo::rerun-if-changed={folder}");
        collect(&root.join(folder), &mut files);
    }
    // By name, since folders list their files in any order.
    files.sort();
    let mut hasher = twox_hash::XxHash3_64::with_seed(0);
    for path in files {
        let name = path.strip_prefix(&root).unwrap_or(&path);
        hasher.write(name.to_string_lossy().as_bytes());
        hasher.write(&std::fs::read(&path).expect("a source file can be read"));
    }
    println!(
        "cargo::rustc-env=HEXMATE_ENGINE={}-{:016x}",
        std::env::var("CARGO_PKG_VERSION").expect("set by cargo"),
        hasher.finish()
    );
    let commit = of_repository(&root).or_else(|| of_package(&root));
    let commit = commit.unwrap_or_else(|| "commit unknown".to_owned());
    println!("cargo::rustc-env=HEXMATE_COMMIT={commit}");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let form = match variable("PROFILE").as_str() {
        "release" => "optimised",
        _ => "for development",
    };
    println!(
        "cargo::rustc-env=HEXMATE_FORM={form}, {}",
        variable("TARGET")
    );
}

/// The commit that is checked out, by git.
fn of_repository(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // A repository of somebody else that this one was unpacked in says nothing.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.parent()?.canonicalize().ok()? {
        return None;
    }
    // Every commit and checkout is added to this file.
    let log = git(&[
        "rev-parse",
        "--path-format=absolute",
        "--git-path",
        "logs/HEAD",
    ])?;
    println!("cargo::rerun-if-changed={log}");
    let commit = git(&["rev-parse", "--short=9", "HEAD"])?;
    let date = git(&["show", "-s", "--format=%cs", "HEAD"])?;
    Some(format!("{commit} {date}"))
}

/// The commit that a package was made of, as cargo notes it.
fn of_package(root: &Path) -> Option<String> {
    let path = root.join(".cargo_vcs_info.json");
    println!("cargo::rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(path).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    Some(commit.get(..9)?.to_owned())
}

/// Writes a constant with the names and contents of all files that browsers can use.
fn list_page(folder: &Path) {
    const ENDINGS: [&str; 7] = ["html", "css", "js", "svg", "png", "json", "woff2"];
    println!("cargo::rerun-if-changed=board");
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.retain(|path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ENDINGS.contains(&ending))
    });
    files.sort();
    let mut list = String::from("const FILES: &[File] = &[\n");
    for path in files {
        let name = path.strip_prefix(folder).expect("it was found there");
        let name = name.to_string_lossy().replace('\\', "/");
        list += &format!("    ({name:?}, include_bytes!({path:?})),\n");
    }
    list += "];\n";
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    std::fs::write(out.join("board_files.rs"), list).expect("the folder for it exists");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
