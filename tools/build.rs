//! Tells the program which engine it is built with: a hash over everything that can change an answer.
//! Journals and caches of another engine are not gone on with.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

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
