//! What fuzzing starts from, and what it found once, in `fuzz/corpus`, is taken without a panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hexmate::fuzzing::TARGETS;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    entries.map(|entry| name(entry.unwrap().path())).collect()
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let targets = TARGETS.map(|(name, _)| name.to_owned());
    assert_eq!(names(&fuzz().join("fuzz_targets")), targets.clone().into());
    assert_eq!(names(&fuzz().join("corpus")), targets.into());
}

#[test]
fn every_file_of_the_corpora_is_taken() {
    for (name, target) in TARGETS {
        let folder = fuzz().join("corpus").join(name);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            target(&fs::read(&path).unwrap());
        }
    }
}
