//! The page and its files: inside the program; in a debug build read from the folder `tools/board` each time, so that
//! whoever works on the page need not build again.

use std::borrow::Cow;

/// Names, with `/` between folders, and contents.
type File = (&'static str, &'static [u8]);

include!(concat!(env!("OUT_DIR"), "/board_files.rs"));

/// A file of the page by its name.
pub fn file(name: &str) -> Option<Cow<'static, [u8]>> {
    if cfg!(debug_assertions) && is_plain(name) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/board/").to_owned() + name;
        if let Ok(content) = std::fs::read(path) {
            return Some(content.into());
        }
    }
    let file = FILES.iter().find(|(known, _)| *known == name);
    file.map(|(_, content)| Cow::Borrowed(*content))
}

/// Whether a name cannot lead out of the folder.
fn is_plain(name: &str) -> bool {
    name.split('/').all(|part| {
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !part.is_empty() && !part.starts_with('.') && part.chars().all(known)
    })
}

/// The media type of a file.
pub fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for name in [
            "../Cargo.toml",
            "a/../../b",
            "",
            "/etc/passwd",
            "a//b",
            ".hidden",
            "a\\b",
            "a\0",
        ] {
            assert!(!is_plain(name), "{name}");
            assert!(file(name).is_none(), "{name}");
        }
        assert!(is_plain("vendor/lit-html.js"));
        assert!(file("index.html").is_some());
        assert_eq!(media_type("a/b.js"), "text/javascript; charset=utf-8");
    }
}
