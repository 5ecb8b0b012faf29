//! One function for each kind of text or file that comes from outside, given any bytes.
//!
//! Each panics where something is wrong: the program would have panicked, or what was read does not come back
//! when it is written and read again. `fuzz/` feeds them new bytes; the tests feed them `fuzz/corpus/`.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use hexmate_engine::{Features, Handmade, Network, NetworkWeights, Numbers, Weights};
use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{
    AnyPosition, GAME_TEXTS, Game, GameId, Letters, Position, Record, compile_limits, perft,
    read_game, read_move, san, with_game,
};
use hexmate_tablebases::{Folder, Material, Rules, Survey, Table};
use hexmate_training::packed::Codec;

use crate::analyse::journal::{Existing, Journal};
use crate::analyse::{Settings, Ticket, Worker};
use crate::bounded::TextLines;
use crate::lines::{Line, Lines};
use crate::matches;
use crate::pgn::{self, Games, Notation};
use crate::samples::{Block, Header, Reader, Writer};
use crate::terms::Terms;
use crate::train;
use crate::uci;

/// A function that takes any bytes, and its name.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 14] = [
    ("positions", positions),
    ("moves", moves),
    ("suites", suites),
    ("records", records),
    ("pgn", pgn),
    ("uci", uci),
    ("endgame_tables", endgame_tables),
    ("analysis_journals", analysis_journals),
    ("match_journals", match_journals),
    ("weights", weights),
    ("games", games),
    ("packed_positions", packed_positions),
    ("packed_files", packed_files),
    ("networks", networks),
];

/// The game that the first byte chooses, and the other bytes.
fn chosen(data: &[u8]) -> Option<(GameId, &[u8])> {
    let (first, rest) = data.split_first()?;
    // Letters, so that a corpus can be written by hand: `a` is the first game.
    let number = usize::from(first.wrapping_sub(b'a')) % GameId::ALL.len();
    Some((GameId::ALL[number], rest))
}

/// A game and the text of a position.
pub fn positions(data: &[u8]) {
    if let Some((game, Ok(text))) = chosen(data).map(|(game, rest)| (game, str::from_utf8(rest))) {
        with_game!(game, game => position(game, text));
    }
}

fn position<G: Game>(game: G, text: &str) {
    let Ok(position) = Position::from_fen(game, text) else {
        return;
    };
    let written = position.to_string();
    let again = Position::from_fen(game, &written).expect("what was written can be read");
    assert_eq!(again, position, "{written}");
    let moves = position.legal_moves();
    assert_eq!(perft(&position, 1), moves.len() as u64, "{written}");
    for mv in moves {
        let text = mv.text(game);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {written}");
        let any = AnyPosition::from(position);
        let text = san(&any, mv);
        let read = read_move(&any, &text, &Letters::Own);
        assert_eq!(read, Ok(mv), "{text} in {written}");
        let mut next = position;
        next.play(mv).expect("listed as legal");
        let again = Position::from_fen(game, &next.to_string());
        let again = again.expect("a legal move was made");
        assert_eq!(again.key(), next.key(), "{text} in {written}");
    }
}

/// A game and moves from its start: words of a line, each a move, or else a number that chooses one.
pub fn moves(data: &[u8]) {
    if let Some((game, rest)) = chosen(data) {
        let text = String::from_utf8_lossy(rest);
        with_game!(game, game => line(game, &text));
    }
}

fn line<G: Game>(game: G, text: &str) {
    let mut record = Record::new(Position::start_of(game));
    for word in text.split_whitespace().take(500) {
        let here = record.position();
        let legal = here.legal_moves();
        let Some(number) = word.bytes().reduce(u8::wrapping_add) else {
            return;
        };
        let strict = here.parse_move(word);
        let read = read_move(&AnyPosition::from(*here), word, &Letters::Own);
        if let (Ok(cells), false) = (&strict, word.bytes().any(|b| b.is_ascii_uppercase())) {
            assert_eq!(read.as_ref(), Ok(cells), "{word} in {here}");
        }
        let mv = match read {
            Ok(mv) => mv,
            Err(_) if legal.is_empty() => return,
            Err(_) => legal[usize::from(number) % legal.len()],
        };
        assert!(legal.contains(&mv), "{word} in {here}");
        record.play(mv).expect("listed as legal");
    }
    position(game, &record.position().to_string());
}

/// Lines of a perft suite; in each the first letter of the position chooses the game, and the rest is read as one of
/// that game.
pub fn suites(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    for line in text.lines() {
        if let Ok(Some(case)) = SuiteCase::parse(line) {
            assert!(!case.counts.is_empty(), "{line}");
            positions(case.fen.as_bytes());
        }
    }
}

/// Lines of `hexmate analyse`: each has one answer, and it is JSON.
pub fn records(data: &[u8]) {
    let settings = Settings {
        nodes: Some(30),
        hash_megabytes: 1,
        ..Settings::default()
    };
    let mut worker = Worker::new(settings.clone()).expect("a megabyte");
    let mut again = Worker::new(Settings {
        nodes: Some(1),
        ..settings
    })
    .expect("a megabyte");
    let mut lines = Lines::new(BufReader::new(data));
    while let Ok(Some(line)) = lines.next_line() {
        if line.text.as_deref().is_ok_and(is_costly) {
            continue;
        }
        let json = worker.answer(&line).json();
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert!(value["status"].is_string(), "{json}");
        // Answers are records themselves, so that one run can be fed to the next.
        let answer = again.answer(&Line {
            number: 1,
            text: Ok(json),
        });
        serde_json::from_str::<serde_json::Value>(&answer.json()).expect("JSON");
    }
}

/// Whether a text has so large a number that obeying it takes memory or time.
fn is_costly(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| number.len() > 2)
}

/// A file of games: what can be made of it is the same when it is written and read again.
pub fn pgn(data: &[u8]) {
    let mut games = Games::new(TextLines::new(data));
    while let Ok(Some(mut game)) = games.next_game() {
        let default = GameId::Glinski;
        let Ok(played) = game.rewrite(default, &Letters::Own, Notation::San) else {
            continue;
        };
        let record = played.record;
        let text = pgn::write::text(&game, &record.first().to_string());
        let mut again = Games::new(TextLines::new(text.as_bytes()));
        let again = again.next_game().expect("what was written is text");
        // A game without tags, moves and result is none.
        if let Some(mut again) = again {
            let played = again.rewrite(default, &Letters::Own, Notation::San);
            let played = played.expect("its game is known");
            assert_eq!(played.record.moves(), record.moves(), "{text}");
        }
    }
}

/// What a chess program says to the engine: each `go` before `quit` is answered once.
pub fn uci(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // Options that take memory or threads, files, and searches that wait for a clock.
    let lines = text.lines().filter(|line| {
        let lower = line.to_ascii_lowercase();
        let bad = ["hash", "threads", "tb", "file", "bench", "perft"];
        !bad.iter().any(|word| lower.contains(word)) && !is_costly(&lower)
    });
    let text = lines.take(50).collect::<Vec<_>>().join("\n");
    let answers = uci::answers(&text);
    // The engine passes over a byte order mark, too.
    let said = text.strip_prefix('\u{feff}').unwrap_or(&text).lines();
    let first_words = said.filter_map(|line| line.split_whitespace().next());
    let obeyed = first_words.take_while(|word| !word.eq_ignore_ascii_case("quit"));
    let asked = obeyed
        .filter(|word| word.eq_ignore_ascii_case("go"))
        .count();
    let best = answers.lines().filter(|line| line.starts_with("bestmove"));
    assert_eq!(best.count(), asked, "{answers}");
}

/// A file with these bytes for as long as `read` looks at it.
fn with_file(name: &str, data: &[u8], read: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join(name);
    fs::write(&path, data).expect("a temporary file");
    read(&path);
    assert!(path.exists(), "the file is still there");
}

/// A file of an endgame table, of Gliński's king and knight against king; and a sound one with bytes changed and
/// checksums that are right.
pub fn endgame_tables(data: &[u8]) {
    static RULES: LazyLock<Arc<Rules>> =
        LazyLock::new(|| Arc::new(Rules::of(hexmate_movegen::Glinski)));
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let place = tempfile::tempdir().expect("a folder for temporary files");
        let mut folder = Folder::new(Arc::clone(&RULES), place.path());
        let material = Material::parse(&RULES, TABLE).expect("material");
        let plan = folder.plan(&[material]).pop().expect("it is not there yet");
        let built = folder.build(&plan, None, &AtomicBool::new(false), &|_| {});
        built.expect("it is small");
        let file = place.path().join("glinski").join(TABLE_FILE);
        fs::read(file).expect("it was written")
    });
    let read = |bytes: &[u8]| {
        with_file(TABLE_FILE, bytes, |path| {
            if let Ok(table) = Table::read(&RULES, path)
                && table.check_sums().is_ok()
            {
                Survey::of(&table);
            }
        });
    };
    read(data);
    let mut changed = SOUND.clone();
    for change in data.chunks_exact(4) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        let place = place % changed.len();
        changed[place] = change[3];
    }
    seal_table(&mut changed);
    read(&changed);
}

const TABLE: &str = "KNK";
const TABLE_FILE: &str = "KNK.hxtb";

/// Puts the checksums right of a table that has less than 64 KiB; docs/tablebases.md describes them.
fn seal_table(bytes: &mut [u8]) {
    let header = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    if let Some(header) = bytes.get(20..).and_then(|b| b.get(..header)) {
        let sum = crc32fast::hash(header).to_le_bytes();
        bytes[16..20].copy_from_slice(&sum);
    }
    let end = bytes.len() - 8;
    let sum = crc32fast::hash(&bytes[4096..end]).to_le_bytes();
    bytes[end..end + 4].copy_from_slice(&sum);
    bytes[end + 4..].copy_from_slice(&crc32fast::hash(&sum).to_le_bytes());
}

/// A journal of `hexmate analyse`.
pub fn analysis_journals(data: &[u8]) {
    let terms = Terms::from([("--depth".to_owned(), "3".to_owned())]);
    with_file("analysis.journal", data, |path| {
        let Ok((_journal, mut kept)) = Journal::open(path, &terms, Existing::Resume) else {
            return;
        };
        for place in 0..kept.len() + 1 {
            if kept.take(Ticket { place, hash: 1 }).is_err() {
                return;
            }
        }
    });
}

/// A journal of `hexmate match`.
pub fn match_journals(data: &[u8]) {
    let terms = Terms::from([("variant".to_owned(), "glinski".to_owned())]);
    with_file("match.journal", data, |path| {
        if let Ok((journal, games)) =
            matches::journal::Journal::open(path, terms.clone(), true, Default::default())
        {
            drop(journal);
            let again = matches::journal::Journal::open(path, terms, true, Default::default());
            let (_, read) = again.expect("it was opened before");
            assert_eq!(read.len(), games.len());
        }
    });
}

/// A game and a file of weights.
pub fn weights(data: &[u8]) {
    let Some((game, Ok(text))) = chosen(data).map(|(game, rest)| (game, str::from_utf8(rest)))
    else {
        return;
    };
    with_game!(game, game => {
        if let Ok(weights) = Weights::parse(game, text) {
            let again = Weights::parse(game, &weights.to_text("")).expect("what was written can be read");
            assert_eq!(again.values(), weights.values());
            Handmade::new(&weights).evaluate(&Position::start_of(game));
        }
    });
}

/// The text of a game, which may inherit from those that ship.
pub fn games(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match read_game(text, GAME_TEXTS) {
        Ok(game) => {
            compile_limits(&game);
        }
        Err(errors) => assert!(errors.faults().iter().all(|f| f.line > 0), "{errors}"),
    }
}

/// A game and packed training positions.
pub fn packed_positions(data: &[u8]) {
    let Some((game, mut rest)) = chosen(data) else {
        return;
    };
    with_game!(game, game => {
        let codec = Codec::new(game);
        while let Some(packed) = codec.format().first(rest) {
            if let Some(Ok(sample)) = codec.unpack(rest) {
                let mut again = Vec::new();
                codec.write(&sample, &mut again);
                let read = codec.unpack(&again).expect("what was written can be read");
                assert_eq!(read.as_ref(), Ok(&sample));
            }
            rest = &rest[packed.bytes.len()..];
        }
    });
}

/// A game and a file of packed training positions; and the same bytes as the games of a file that is sound otherwise:
/// for each its size, a number of records, and the records.
pub fn packed_files(data: &[u8]) {
    let Some((game, rest)) = chosen(data) else {
        return;
    };
    with_game!(game, game => {
        with_file("positions.hxd", rest, |path| {
            if let Ok(mut reader) = Reader::open(game, path) {
                while let Ok(Some(_)) = reader.next_block() {}
            }
            let _ = train::Positions::read(game, &[path.to_owned()]);
        });
        with_file("positions.hxd", &[], |path| {
            let written = blocks(rest);
            Writer::discard(path).expect("nobody writes it");
            let header = Header::of(game, "fuzzing");
            let mut writer = Writer::create(path, &header).expect("a new file");
            for block in &written {
                writer.write(block).expect("a temporary file");
            }
            drop(writer);
            let mut read = Vec::new();
            let resumed = Writer::resume(game, path, &header, |block| read.push(block));
            resumed.expect("what was written can be continued");
            assert_eq!(read, written);
            // Either all of it are positions, or it says where one is not.
            let _ = train::Positions::read(game, &[path.to_owned()]);
        });
    });
}

/// The bytes as games: a size, a number of records, and so many bytes of records.
fn blocks(mut data: &[u8]) -> Vec<Block> {
    let mut blocks = Vec::new();
    while let [size, count, rest @ ..] = data {
        let (records, after) = rest.split_at(rest.len().min(usize::from(*size)));
        blocks.push(Block {
            game: blocks.len() as u64,
            count: (*count).into(),
            records: records.to_vec(),
        });
        data = after;
    }
    blocks
}

/// A network file; and a game and changes to a sound network of it: for each a place in the file in three bytes, from
/// its beginning or, above half of what three bytes hold, from its end, and what stands there.
pub fn networks(data: &[u8]) {
    let Some((game, changes)) = chosen(data) else {
        return;
    };
    with_game!(game, game => {
        let _ = NetworkWeights::game(data);
        let _ = NetworkWeights::parse(game, data);
        let mut bytes = small_network(game);
        for change in changes.chunks_exact(4) {
            let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
            let place = match place < 1 << 23 {
                true => place % bytes.len(),
                false => bytes.len() - 1 - (0xff_ffff - place) % bytes.len(),
            };
            bytes[place] = change[3];
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        let Ok(weights) = NetworkWeights::parse(game, &bytes) else {
            return;
        };
        assert_eq!(weights.to_bytes(), bytes);
        let start = Position::start_of(game);
        let network = Network::parse(game, &bytes).expect("it was just read");
        network.evaluate(&start);
        for (_, next) in start.children().take(3) {
            network.evaluate(&next);
        }
    });
}

/// A network with all sorts of weights, without the checksum at its end.
fn small_network<G: Game>(game: G) -> Vec<u8> {
    let (size, inputs) = (32, Features::new(game).count());
    let weight = |i: usize| (i * 37 % 101) as f32 / 400.0 - 0.125;
    let numbers = Numbers {
        size,
        buckets: 2,
        hidden: (0..size * inputs).map(weight).collect(),
        hidden_bias: (0..size).map(weight).collect(),
        output: (0..4 * size).map(weight).collect(),
        output_bias: vec![0.25, -0.25],
    };
    let weights = NetworkWeights::round(game, &numbers, "for fuzzing").expect("small weights");
    let mut bytes = weights.to_bytes();
    bytes.truncate(bytes.len() - 8);
    bytes
}

/// What a network file ends with: FNV-1a of all before.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
