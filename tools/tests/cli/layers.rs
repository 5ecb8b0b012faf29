//! `.ci/layers` finds what refers upwards, however it is written.

use std::fs;
use std::path::Path;
use std::process::Command;

const LIB: &str =
    "//! # Layers\n//!\n//! 1. `low`: one.\n//! 2. `high`: two.\nmod high;\nmod low;\n";

/// What the script says of a crate whose lower module is this text, in a file of this name.
fn said(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("src").join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(folder.path().join("src/lib.rs"), LIB).unwrap();
    fs::write(folder.path().join("src/high.rs"), "pub struct High;\n").unwrap();
    fs::write(&file, text).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/layers");
    let output = Command::new(script).arg(folder.path()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.success(), said.is_empty(), "{text}: {said}");
    said
}

#[test]
fn what_refers_upwards_is_found() {
    for (name, text) in [
        ("low.rs", "use crate::high::High;\n"),
        (
            "low.rs",
            "use crate::{\n    low::Low,\n    high::High,\n};\n",
        ),
        ("low.rs", "use super::high::High;\n"),
        ("low.rs", "use super::{low, high::High};\n"),
        ("low.rs", "use super::{\n    low,\n    high,\n};\n"),
        ("low/deep.rs", "use super::super::{high, low};\n"),
        ("low.rs", "fn f(a: super::high::A, b: crate::low::B) {}\n"),
        (
            "low.rs",
            "#[cfg(test)]\nmod tests;\n\nuse crate::high::High;\n",
        ),
        (
            "low.rs",
            "#[cfg(test)]\nmod tests {\n    use x;\n}\n\nuse crate::high::High;\n",
        ),
    ] {
        let said = said(name, text);
        assert!(said.contains("refers upwards to `high`"), "{text}: {said}");
    }
}

#[test]
fn the_crate_has_no_other_name() {
    for (name, text) in [
        ("low.rs", "use crate as all;\n"),
        ("low.rs", "use crate::{self as all};\n"),
        ("low.rs", "use super as all;\n"),
        ("low.rs", "use super::*;\n"),
        ("low/deep.rs", "use super::super as all;\n"),
        ("low.rs", "extern crate self as all;\n"),
    ] {
        assert_ne!(said(name, text), "", "{text}");
    }
}

#[test]
fn tests_and_the_own_module_may_be_used() {
    for (name, text) in [
        ("low.rs", "use crate::low::Low;\n// crate::high\n"),
        (
            "low/deep.rs",
            "use super::{high, Low};\nuse super as all;\nuse super::*;\n",
        ),
        (
            "low.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::high::High;\n}\n",
        ),
        (
            "low.rs",
            "#[cfg(test)]\nuse crate::high::High;\n\nfn f() {}\n",
        ),
        (
            "low.rs",
            "#[cfg(all(test, unix))]\nmod tests {\n    use super::*;\n}\n",
        ),
    ] {
        assert_eq!(said(name, text), "", "{text}");
    }
}
