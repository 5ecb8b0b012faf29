//! Requests that nobody should send: refused, each with an error object, and none harms the server.

use serde_json::{Value, json};

use crate::client::{Answer, Board};

/// Numbers by chance, the same each time (an xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Some bytes changed, dropped or doubled.
    fn spoil(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = self.below(bytes.len());
            match self.below(5) {
                0 => bytes[at] = self.next() as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"\"{}[],:0-9e\\\x00\xff"[self.below(14)]),
                3 => bytes.truncate(at),
                _ => {
                    let part = bytes[at..].to_vec();
                    bytes.extend(part);
                }
            }
        }
        bytes
    }
}

/// Good questions that end at once.
fn questions() -> Vec<(&'static str, Value)> {
    let game = "glinski";
    let fen = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1";
    vec![
        ("hello", json!({})),
        ("games", json!({})),
        (
            "position",
            json!({"game": game, "fen": fen, "moves": ["e4e5", "e6"]}),
        ),
        ("reach", json!({"game": game, "cell": "f3", "piece": "Q"})),
        ("explain", json!({"game": "shafran", "moves": []})),
        ("tables", json!({"game": game})),
        (
            "read",
            json!({"game": game, "text": "[Variant \"mccooey\"]\n\n1. b2 (1. f3 {x} f9) b5 $3 1-0"}),
        ),
        ("read", json!({"game": game, "text": fen})),
        (
            "write",
            json!({"game": game, "main": {"intro": ["x"], "moves": [{"move": "e5", "glyphs": [1], "variations": [{"moves": []}]}]}, "tags": [["A", "b"]]}),
        ),
        (
            "setup",
            json!({"game": "chromatic3", "pieces": {"g1": "K", "g13": "k", "a1": "T"}, "castling": ["a1"], "moved": [], "en_passant": "d4", "halfmove": 3}),
        ),
        ("analyse", json!({"game": game, "depth": 0})),
        ("match", json!({"after": 3})),
        ("opened", json!({})),
    ]
}

/// Refused, in our words or in those of the HTTP library, or not even answered.
fn assert_refused(answer: &Answer, bytes: &[u8]) {
    let told = String::from_utf8_lossy(bytes);
    assert!(
        answer.status == 0 || (400..500).contains(&answer.status),
        "{answer:?}: {told}"
    );
    if !answer.body.is_empty() {
        answer.error();
    }
}

#[test]
fn ten_thousand_bad_requests() {
    let board = Board::start(&[]);
    let questions = questions();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut refused = 0;
    for i in 0..10_000 {
        let (name, fields) = &questions[random.below(questions.len())];
        let good = board.post(name, &fields.to_string());
        let text = String::from_utf8(good.clone()).unwrap();
        let host = board.host();
        let bytes = match i % 5 {
            // Another token, or none.
            0 => {
                let token: String = match random.below(4) {
                    0 => String::new(),
                    1 => board.token[..random.below(32)].to_owned(),
                    2 => format!(
                        "{:032x}",
                        u128::from(random.next()) << 64 | u128::from(random.next())
                    ),
                    _ => board.token.clone() + "0",
                };
                text.replace(&board.token, &token).into_bytes()
            }
            // Another host: the name of a site that was bound to this machine.
            1 => {
                let hosts = [
                    "evil.example",
                    "127.0.0.1",
                    "127.0.0.1:1",
                    "localhost.evil.example",
                    "",
                    "[::1]",
                ];
                let other = hosts[random.below(hosts.len())].to_owned();
                let other = match random.below(2) {
                    0 => other,
                    _ => format!("{other}:{}", board.port),
                };
                if other == host {
                    text.replace(&format!("Host: {host}\r\n"), "").into_bytes()
                } else {
                    text.replace(&format!("Host: {host}"), &format!("Host: {other}"))
                        .into_bytes()
                }
            }
            // A page of another site.
            2 => {
                let lines = [
                    "Origin: http://evil.example",
                    "Origin: null",
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Site: same-site",
                    "Origin: https://127.0.0.1",
                    "Origin: http://127.0.0.1:1",
                ];
                let line = lines[random.below(lines.len())];
                text.replace("\r\nContent-Type", &format!("\r\n{line}\r\nContent-Type"))
                    .into_bytes()
            }
            // Bodies that are nearly right; no search is asked for.
            3 => {
                let body = random.spoil(fields.to_string().as_bytes());
                let head = text.split("\r\n\r\n").next().unwrap();
                let head = head.replace(
                    &format!("Content-Length: {}", fields.to_string().len()),
                    &format!("Content-Length: {}", body.len()),
                );
                [head.as_bytes(), b"\r\n\r\n", &body].concat()
            }
            // Anything at all; without the token, lest a search begin.
            _ => random.spoil(text.replace(&board.token, "0").as_bytes()),
        };
        let answer = board.send(&bytes);
        if i % 5 == 3 && answer.status == 200 {
            // What was spoilt may still mean something.
            continue;
        }
        assert_refused(&answer, &bytes);
        refused += 1;
    }
    assert!(refused > 8000, "{refused}");
    assert_eq!(board.running(), 0);
    assert_eq!(
        board.good("position", &json!({"game": "glinski"}))["fullmove"],
        1
    );
}

#[test]
fn a_page_of_another_site_gets_nothing() {
    let board = Board::start(&[]);
    let good = String::from_utf8(board.post("hello", "{}")).unwrap();
    assert_eq!(board.send_whole(good.as_bytes()).status, 200);
    let with = |old: &str, new: &str| {
        let answer = board.send_whole(good.replace(old, new).as_bytes());
        assert_eq!(answer.status, 403);
        assert!(!answer.head.contains("access-control"));
        answer.error()["code"].as_str().unwrap().to_owned()
    };
    let host = format!("Host: {}", board.host());
    assert_eq!(
        with(&host, &format!("Host: evil.example:{}", board.port)),
        "host"
    );
    assert_eq!(
        with(&host, &format!("{host}\r\nOrigin: http://evil.example")),
        "origin"
    );
    assert_eq!(
        with(&host, &format!("{host}\r\nSec-Fetch-Site: cross-site")),
        "origin"
    );
    assert_eq!(with(&board.token, "wrong"), "token");
    // A browser asks first whether it may send such a request; nothing says that it may.
    let asks = format!(
        "OPTIONS /api/hello HTTP/1.1\r\n{host}\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-hexmate-token\r\nConnection: close\r\n\r\n"
    );
    let answer = board.send_whole(asks.as_bytes());
    assert_eq!(answer.status, 405);
    assert!(!answer.head.contains("access-control"));
    // Nor can its images and frames show the page.
    let image = format!(
        "GET / HTTP/1.1\r\n{host}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(board.send_whole(image.as_bytes()).status, 403);
}

/// Texts that are as large and as deep as they may be.
#[test]
fn large_and_deep_texts() {
    let board = Board::start(&[]);
    let ask = |name: &str, body: &str| {
        let answer = board.send_whole(&board.post(name, body));
        assert!(
            answer.status == 200 || (400..500).contains(&answer.status),
            "{answer:?}"
        );
    };
    let deep = format!(
        "{{\"game\": {}1{}}}",
        "[".repeat(500_000),
        "]".repeat(500_000)
    );
    ask("position", &deep);
    let text = |text: String| json!({"game": "glinski", "text": text}).to_string();
    ask(
        "read",
        &text("1. e5 ".to_owned() + &"(1. d4 ".repeat(100_000)),
    );
    ask("read", &text("[".repeat(900_000)));
    ask("read", &text("e5 ".repeat(300_000)));
    ask("read", &text("[Event \"x\"]\n\n1. e5 *\n\n".repeat(30_000)));
    ask("read", &text("/".repeat(900_000)));
    ask(
        "write",
        &json!({"game": "glinski", "main": {"moves": vec![json!({"move": "e5"}); 30_000]}})
            .to_string(),
    );
    assert_eq!(board.running(), 0);
}
