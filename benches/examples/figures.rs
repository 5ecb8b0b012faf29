//! The figures that the benchmarks left under `target/criterion`, as the tables of `benches/README.md`:
//! medians for one element, in nanoseconds (perft: million leaves per second). `cargo run -p hexmate-benches
//! --example figures [FOLDER]`.

use std::collections::BTreeMap;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// Median nanoseconds for one element, by column.
type Row = BTreeMap<String, f64>;
/// Rows by name, of each group.
type Groups = BTreeMap<String, BTreeMap<String, Row>>;

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).map_or_else(default, PathBuf::from);
    let mut groups = Groups::new();
    collect(&folder, &mut groups)?;
    for (name, rows) in &groups {
        print(name, rows);
    }
    Ok(())
}

fn default() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    target.unwrap_or_else(beside).join("criterion")
}

/// Looks through all folders for the results of the last run.
fn collect(folder: &Path, groups: &mut Groups) -> Result<()> {
    let read = |file: &str| -> Result<Value> {
        Ok(serde_json::from_str(&read_to_string(folder.join(file))?)?)
    };
    if folder.ends_with("new") {
        let (bench, times) = (read("benchmark.json")?, read("estimates.json")?);
        let text = |key: &str| bench[key].as_str().unwrap_or("").to_owned();
        let median = times["median"]["point_estimate"].as_f64();
        let elements = bench["throughput"]["Elements"].as_f64();
        let rows = groups.entry(text("group_id")).or_default();
        let row = rows.entry(text("function_id")).or_default();
        let time = median.context("a median")? / elements.context("a number of elements")?;
        row.insert(text("value_str"), time);
        return Ok(());
    }
    let entries = read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, groups)?;
        }
    }
    Ok(())
}

fn print(group: &str, rows: &BTreeMap<String, Row>) {
    let mut columns: Vec<&String> = rows.values().flat_map(BTreeMap::keys).collect();
    columns.sort_by_key(|name| (place(name), *name));
    columns.dedup();
    let rate = group == "perft";
    print!("\n| {group} |");
    columns.iter().for_each(|c| print!(" {c} |"));
    print!("\n|---|");
    columns.iter().for_each(|_| print!("--:|"));
    for (name, row) in rows {
        print!("\n| {name} |");
        for &column in &columns {
            match row.get(column) {
                Some(time) if rate => print!(" {:.0} |", 1e3 / time),
                Some(time) if *time < 100.0 => print!(" {time:.1} |"),
                Some(time) => print!(" {time:.0} |"),
                None => print!(" |"),
            }
        }
    }
    println!();
}

/// The order of known columns: slow ones first.
fn place(column: &str) -> usize {
    let known = ["hexchess", "walk", "table", "portable", "avx2", "avx512"];
    let found = known.iter().position(|&k| k == column);
    found.unwrap_or(known.len())
}
