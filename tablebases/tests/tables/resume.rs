//! Building that is bounded, stopped, and taken up again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hexmate_movegen::Glinski;
use hexmate_tablebases::{BuildError, Folder, Progress, Rules};
use tempfile::TempDir;

use crate::{built, material};

#[test]
fn what_is_there_is_kept() {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built::<Glinski>(place.path(), &["KQK", "KRK"]);
    assert!(folder.plan(&[material(&rules, "KQK")]).is_empty());
    let left = folder.plan(&[material(&rules, "KPK")]);
    let left: Vec<String> = left.iter().map(|p| p.material.name(&rules)).collect();
    assert_eq!(left, ["KBK", "KNK", "KPK"]);
    // A file that cannot be used is built anew.
    let path = folder.path_of(&material(&rules, "KRK"));
    std::fs::write(path, "not a table").unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    assert_eq!(folder.plan(&[material(&rules, "KRK")]).len(), 1);
}

#[test]
fn a_stopped_build_leaves_no_file_and_can_be_repeated() {
    let place = TempDir::new().unwrap();
    let rules = Arc::new(Rules::of(Glinski));
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let plan = folder.plan(&[material(&rules, "KRK")]).remove(0);
    let stop = AtomicBool::new(false);
    let stopper = |progress| {
        if progress == Progress::Mates(4) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let error = folder
        .build(&plan, None, &stop, &stopper)
        .expect_err("stopped");
    assert!(matches!(error, BuildError::Stopped));
    assert!(folder.list().unwrap().is_empty());
    built::<Glinski>(place.path(), &["KRK"]);
    assert_eq!(folder.list().unwrap().len(), 1);
}

#[test]
fn more_memory_than_allowed_is_not_taken() {
    let place = TempDir::new().unwrap();
    let rules = Arc::new(Rules::of(Glinski));
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let plan = folder.plan(&[material(&rules, "KRK")]).remove(0);
    let stop = AtomicBool::new(false);
    let error = folder
        .build(&plan, Some(1 << 20), &stop, &|_| {})
        .expect_err("too little");
    assert!(error.to_string().contains("KRK needs"), "{error}");
    assert!(folder.list().unwrap().is_empty());
}
