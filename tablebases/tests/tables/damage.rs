//! Files that are not what they should be.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hexmate_movegen::{Glinski, Mccooey, Position};
use hexmate_tablebases::{Folder, Random, Rules, Table, TableError, Tablebases};
use tempfile::TempDir;

use crate::{built, material};

/// Where the categories begin, see docs/tablebases.md.
const PAGE: usize = 4096;
/// The bytes that share a checksum.
const CHUNK: usize = 1 << 16;

struct Case {
    place: TempDir,
    rules: Arc<Rules>,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Case {
    /// A table of king and rook against king.
    fn new() -> Case {
        let place = TempDir::new().unwrap();
        let (rules, folder) = built::<Glinski>(place.path(), &["KRK"]);
        let path = folder.path_of(&material(&rules, "KRK"));
        let bytes = fs::read(&path).unwrap();
        Case {
            place,
            rules,
            path,
            bytes,
        }
    }

    /// The error of opening the file with other bytes.
    fn opened_with(&self, bytes: &[u8]) -> TableError {
        fs::write(&self.path, bytes).unwrap();
        let mapped = Table::open(&self.rules, &self.path).expect_err("a table with a fault");
        let read = Table::read(&self.rules, &self.path).expect_err("a table with a fault");
        assert_eq!(mapped.to_string(), read.to_string());
        assert!(mapped.to_string().contains("KRK"), "{mapped}");
        // The others are used all the same.
        let (tables, faults) = Tablebases::open(&self.rules, self.place.path()).unwrap();
        assert!(tables.is_empty() && faults.len() == 1);
        assert_eq!(faults[0].to_string(), mapped.to_string());
        mapped
    }

    /// The file with something else in its header, which is as long, and its checksum right.
    fn with_header(&self, from: &str, to: &str) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json = String::from_utf8(bytes[20..20 + length].to_vec()).unwrap();
        let changed = json.replace(from, to);
        assert_ne!(changed, json);
        bytes[20..20 + length].copy_from_slice(changed.as_bytes());
        bytes[16..20].copy_from_slice(&crc32fast::hash(changed.as_bytes()).to_le_bytes());
        bytes
    }

    fn changed(&self, at: usize) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[at] ^= 0x10;
        bytes
    }
}

#[test]
fn foreign_and_damaged_files_are_refused_with_the_reason() {
    let case = Case::new();
    let size = case.bytes.len();
    assert!(matches!(case.opened_with(b""), TableError::Foreign { .. }));
    assert!(matches!(
        case.opened_with(b"KQK"),
        TableError::Foreign { .. }
    ));
    assert!(matches!(
        case.opened_with(&case.changed(0)),
        TableError::Foreign { .. }
    ));
    assert!(matches!(
        case.opened_with(&case.changed(8)),
        TableError::Format { .. }
    ));
    for at in [12, 16, 20, 60] {
        assert!(
            matches!(
                case.opened_with(&case.changed(at)),
                TableError::Header { .. }
            ),
            "{at}"
        );
    }
    let cut = &case.bytes[..PAGE - 1];
    assert!(matches!(case.opened_with(cut), TableError::Header { .. }));
    let cut = &case.bytes[..size - 1];
    assert!(matches!(case.opened_with(cut), TableError::Length { .. }));
    let longer = [&case.bytes[..], &[0]].concat();
    assert!(matches!(
        case.opened_with(&longer),
        TableError::Length { .. }
    ));
    for at in [size - 1, size - 5] {
        let error = case.opened_with(&case.changed(at));
        assert!(matches!(error, TableError::Checksums { .. }), "{error}");
    }
}

#[test]
fn what_is_no_file_is_no_table() {
    let case = Case::new();
    fs::remove_file(&case.path).unwrap();
    fs::create_dir(&case.path).unwrap();
    for opened in [
        Table::open(&case.rules, &case.path),
        Table::read(&case.rules, &case.path),
    ] {
        let error = opened.expect_err("a folder");
        assert!(matches!(error, TableError::NoFile { .. }), "{error}");
    }
    let (tables, faults) = Tablebases::open(&case.rules, case.place.path()).unwrap();
    assert!(tables.is_empty() && faults.len() == 1);
}

#[test]
fn a_table_of_other_rules_or_material_is_refused() {
    let case = Case::new();
    let other = case.path.with_file_name("KQK.hxtb");
    fs::copy(&case.path, &other).unwrap();
    let error = Table::open(&case.rules, &other).expect_err("named after other material");
    assert!(matches!(error, TableError::OtherMaterial { .. }), "{error}");
    fs::remove_file(&other).unwrap();
    let rules = Rules::of(Mccooey);
    let error = Table::open(&rules, &case.path).expect_err("of another game");
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    let number = case.rules.fingerprint().to_string();
    let error = case.opened_with(&case.with_header(&number, &"1".repeat(number.len())));
    assert!(matches!(error, TableError::OtherRules { .. }), "{error}");
}

/// A changed byte anywhere behind the header is found, and until then no wrong value is told.
#[test]
fn damaged_parts_are_not_answered_from() {
    let case = Case::new();
    let sound = Table::read(&case.rules, &case.path).unwrap();
    let end = case.bytes.len() - 4 * (1 + (case.bytes.len() - PAGE).div_ceil(CHUNK));
    let mut random = Random::new(2);
    for _ in 0..12 {
        let at = PAGE + random.below(end - PAGE);
        fs::write(&case.path, case.changed(at)).unwrap();
        let (tables, faults) = Tablebases::open(&case.rules, case.place.path()).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        let (mut silent, mut same) = (0, 0);
        for _ in 0..3_000 {
            let Some((position, value)) = sound.random(Glinski, &case.rules, &mut random) else {
                continue;
            };
            match tables.probe(&position) {
                Some(found) => {
                    assert_eq!(found, value, "byte {at}: {position}");
                    same += 1;
                }
                None => silent += 1,
            }
        }
        assert!(silent > 0, "byte {at}: {same} positions answered");
        let error = verified(&case).expect_err("a damaged table");
        assert!(matches!(error, TableError::Damaged { .. }), "{error}");
    }
}

/// Damage inside a table is met by probes, told once, and repaired by building.
#[test]
fn damage_that_probes_meet_is_told_once() {
    let case = Case::new();
    let mut bytes = case.bytes.clone();
    bytes[PAGE..PAGE + CHUNK].iter_mut().for_each(|b| *b ^= 1);
    fs::write(&case.path, &bytes).unwrap();
    let (tables, faults) = Tablebases::open(&case.rules, case.place.path()).unwrap();
    assert!(faults.is_empty() && tables.new_damage().is_empty());
    let won = "1/3/2k2/7/9/11/11/4K6/11/11/R10 w - - 0 1";
    let won = won.parse::<Position<Glinski>>().unwrap();
    for _ in 0..2 {
        assert_eq!(tables.probe(&won), None);
    }
    let told = tables.new_damage();
    assert!(
        matches!(&told[..], [TableError::Damaged { bytes, .. }] if *bytes == (PAGE as u64..(PAGE + CHUNK) as u64)),
        "{told:?}"
    );
    assert_eq!(tables.probe(&won), None);
    assert!(tables.new_damage().is_empty());
    let mut folder = Folder::new(Arc::clone(&case.rules), case.place.path());
    let plans = folder.plan(&[material(&case.rules, "KRK")]);
    // Windows replaces no file that somebody still reads.
    drop(tables);
    let built = folder.build(&plans[0], None, &AtomicBool::new(false), &|_| {});
    assert!(plans.len() == 1 && built.is_ok(), "{built:?}");
    assert_eq!(fs::read(&case.path).unwrap(), case.bytes);
}

fn verified(case: &Case) -> Result<Arc<Table>, TableError> {
    let mut folder = Folder::new(Arc::clone(&case.rules), case.place.path());
    folder.verify(&material(&case.rules, "KRK"), &|_| {})
}

/// A wrong value with right checksums is found by its successors.
#[test]
fn a_wrong_value_contradicts_its_moves() {
    let case = Case::new();
    verified(&case).unwrap();
    let mut random = Random::new(9);
    for _ in 0..12 {
        let mut bytes = case.bytes.clone();
        let categories = 3 * 115_206 / 8;
        bytes[PAGE + random.below(categories)] ^= 1 << random.below(8);
        let end = bytes.len() - 4 * (1 + (bytes.len() - PAGE).div_ceil(CHUNK));
        let sums: Vec<u8> = (bytes[PAGE..end].chunks(CHUNK))
            .flat_map(|chunk| crc32fast::hash(chunk).to_le_bytes())
            .collect();
        let end = bytes.len() - 4 - sums.len();
        bytes[end..end + sums.len()].copy_from_slice(&sums);
        let last = bytes.len() - 4;
        bytes[last..].copy_from_slice(&crc32fast::hash(&sums).to_le_bytes());
        fs::write(&case.path, &bytes).unwrap();
        let error = verified(&case).expect_err("a wrong value");
        assert!(matches!(error, TableError::Wrong { .. }), "{error}");
    }
}

/// What the header tells of the values is compared with them.
#[test]
fn wrong_counts_are_found() {
    let case = Case::new();
    let bytes = case.with_header("\"win\":488220", "\"win\":488221");
    fs::write(&case.path, bytes).unwrap();
    let error = verified(&case).expect_err("a wrong count");
    assert!(matches!(error, TableError::Counts { .. }), "{error}");
}

#[cfg(not(windows))] // there files that are read are not changed
#[test]
fn a_table_that_needs_another_says_which() {
    let place = TempDir::new().unwrap();
    let (rules, folder) = built::<Glinski>(place.path(), &["KPK"]);
    let queen = folder.path_of(&material(&rules, "KQK"));
    fs::remove_file(queen).unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let error = folder
        .verify(&material(&rules, "KPK"), &|_| {})
        .expect_err("KQK is gone");
    assert!(error.to_string().contains("KPK") && error.to_string().contains("needs the table KQK"));
    let missing = Path::new("nowhere");
    let mut folder = Folder::new(rules.clone(), missing);
    assert!(folder.list().unwrap().is_empty());
    folder
        .table(&material(&rules, "KQK"))
        .expect_err("no folder");
}

/// What a table was verified by must itself be right: the fault is that of the other table, which is named.
#[cfg(not(windows))] // there files that are read are not changed
#[test]
fn a_table_that_needs_a_damaged_one_is_not_called_wrong() {
    let place = TempDir::new().unwrap();
    let (rules, folder) = built::<Glinski>(place.path(), &["KPK"]);
    let queen = folder.path_of(&material(&rules, "KQK"));
    let sound = fs::read(&queen).unwrap();
    // Inside, and where it cannot even be opened.
    for at in [PAGE + 5, 0] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&queen, bytes).unwrap();
        let mut folder = Folder::new(Arc::clone(&rules), place.path());
        let error = folder.verify(&material(&rules, "KPK"), &|_| {});
        let error = error.expect_err("KQK is damaged");
        assert!(matches!(error, TableError::Needed { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("KPK.hxtb: needs the table KQK") && text.contains("KQK.hxtb: "),
            "{text}"
        );
    }
    fs::write(&queen, sound).unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    folder.verify(&material(&rules, "KPK"), &|_| {}).unwrap();
}

/// A copy under another spelling, or named after the material with colours exchanged, is not a second table.
#[cfg(target_os = "linux")] // elsewhere it may be the same file
#[test]
fn names_of_tables_are_exact() {
    let case = Case::new();
    for name in ["krk.hxtb", "KKR.hxtb"] {
        fs::copy(&case.path, case.path.with_file_name(name)).unwrap();
    }
    let folder = Folder::new(Arc::clone(&case.rules), case.place.path());
    assert_eq!(folder.list().unwrap(), [material(&case.rules, "KRK")]);
}
