//! Building that is bounded, stopped, and taken up again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hexmate_movegen::Glinski;
use hexmate_tablebases::{BuildError, Folder, Progress, Rules, TableError};
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

/// Only a table, or nothing, is replaced.
#[test]
fn a_file_of_somebody_else_is_not_replaced() {
    let place = TempDir::new().unwrap();
    let rules = Arc::new(Rules::of(Glinski));
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let rook = material(&rules, "KRK");
    let plan = folder.plan(std::slice::from_ref(&rook)).remove(0);
    let path = folder.path_of(&rook);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let stop = AtomicBool::new(false);
    for text in ["my notes on rook endings", "hex"] {
        std::fs::write(&path, text).unwrap();
        let built = folder.build(&plan, None, &stop, &|_| {});
        let error = built.expect_err("a file of the user's");
        assert!(
            matches!(&error, BuildError::Table(TableError::Occupied { path: named }) if *named == path),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    for text in ["", "hexmtb\r\ncut off"] {
        std::fs::write(&path, text).unwrap();
        folder.build(&plan, None, &stop, &|_| {}).unwrap();
        folder.verify(&rook, &|_| {}).unwrap();
    }
}

/// What a killed build has left goes with the next one; what another build is writing stays.
#[test]
fn what_killed_builds_leave_is_removed() {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built::<Glinski>(place.path(), &["KRK"]);
    let path = folder.path_of(&material(&rules, "KRK"));
    let names = [
        ".buildingAbC123",
        ".buildingDeF456",
        ".building notes",
        ".building-notes",
        ".buildings",
    ];
    let [left, held, notes @ ..] = names.map(|n| path.with_file_name(n));
    std::fs::write(&left, "half a table").unwrap();
    // The user's own.
    for path in &notes {
        std::fs::write(path, "mine").unwrap();
    }
    let writing = std::fs::File::create(&held).unwrap();
    writing.lock().unwrap();
    let plan = folder.plan(&[material(&rules, "KBK")]).remove(0);
    let stop = AtomicBool::new(false);
    folder.build(&plan, None, &stop, &|_| {}).unwrap();
    assert!(!left.exists() && held.exists());
    assert!(notes.iter().all(|path| path.exists()));
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
    let (tables, held) = (2, 1);
    assert_eq!(files.count(), tables + held + notes.len());
}
