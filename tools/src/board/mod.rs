//! `hexmate board`: a board in the browser, served by this program. docs/board.md describes the API.
//!
//! `guard` says who may ask, `server` answers, `fields` and `error` are the two ends of every answer, `place` is the
//! position that a request is about, and `shared` what all requests have in common. Each of the other modules answers
//! one or a few questions.

mod error;
mod explain;
mod fields;
mod games;
mod guard;
mod levels;
mod matches;
mod page;
mod place;
mod play;
mod reach;
mod read;
mod review;
mod search;
mod server;
mod setup;
mod shared;
mod write;

use std::io::{IsTerminal, Write};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use hexmate_engine::STACK_BYTES;
use hexmate_movegen::{GameId, Letters};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::analyse::{MOST_THREADS, counted};
use crate::exit::Exit;
use crate::game_names::{GameNames, is_file};
use crate::inputs;
use crate::interrupt::on_interrupt;
use crate::stdout::CANNOT_PRINT;
use crate::tables;
use crate::utf16::text_of_any;
use guard::Guard;
use matches::Followed;
use shared::{Opened, Shared};

/// Files are shown up to this size.
const MOST_BYTES: u64 = 64 << 20;
/// To read more takes seconds, and the address comes only then.
const MANY_BYTES: u64 = 4 << 20;

/// Open a board in the browser, to play, analyse, review and learn.
///
/// The page is in the program, and the server listens on this machine only. The first line printed is the address.
/// docs/board.md describes it.
#[derive(clap::Args)]
pub struct Arguments {
    /// What to show first: a file of games or positions, a game's file (.toml), or a position text
    #[arg(value_name = "FILE|FEN")]
    what: Option<String>,
    /// The game of what does not name its own [default: glinski]
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    #[command(flatten)]
    letters: inputs::LettersArgument,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// A folder of endgame tables
    #[arg(long, value_name = "FOLDER")]
    tb: Option<PathBuf>,
    /// The journal of a match to follow
    #[arg(long = "match", value_name = "JOURNAL")]
    journal: Option<PathBuf>,
    /// Threads of a search, unless the page asks for another number [default: half of the processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)))]
    threads: Option<u16>,
    /// Megabytes of a search's transposition table, unless the page asks for another size
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()
        .context("the server cannot start")?;
    let port = arguments.port;
    let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
    let listener = listener.map_err(|error| {
        anyhow!("--port {port}: {error}; expected a free port, or 0 to take any")
    })?;
    let port = listener.local_addr()?.port();
    let shared = shared(arguments, Guard::new(port, guard::new_token()?))?;
    let address = shared.guard.address();
    let end = Arc::new(Notify::new());
    let told = Arc::clone(&end);
    on_interrupt(move || told.notify_one())?;
    let mut out = std::io::stdout();
    let told = writeln!(out, "{address}").and_then(|()| out.flush());
    told.context(CANNOT_PRINT)?;
    if !arguments.no_open && out.is_terminal() && !open(&address) {
        eprintln!("hexmate: no browser could be opened; open the address above");
    }
    let shared = Arc::new(shared);
    let first = Arc::clone(&shared);
    // While the browser begins to draw, what the first search needs gets ready. Without it, that search does it.
    let _ = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || first.warm_up());
    runtime.block_on(async {
        let server = tokio::spawn(server::serve(listener, shared));
        let end = async move { end.notified().await };
        first_of(server, end).await
    })?;
    // Searches need not be waited for.
    runtime.shutdown_background();
    Ok(Exit::Success)
}

/// Serves until the end is asked for.
async fn first_of(
    mut server: tokio::task::JoinHandle<std::io::Result<()>>,
    end: impl Future<Output = ()>,
) -> Result<()> {
    let mut end = std::pin::pin!(end);
    std::future::poll_fn(|context| {
        if end.as_mut().poll(context).is_ready() {
            return std::task::Poll::Ready(Ok(()));
        }
        let server = std::pin::Pin::new(&mut server);
        server
            .poll(context)
            .map(|result| Ok(result.context("the server broke")??))
    })
    .await
}

/// Everything that was said at the command line.
fn shared(arguments: &Arguments, guard: Guard) -> Result<Shared> {
    let mut usual = arguments.game.unwrap_or(GameId::Glinski);
    let mut games = GameId::shipped().to_vec();
    let mut add = |game: GameId| {
        if !games.iter().any(|known| known.name() == game.name()) {
            games.push(game);
        }
    };
    add(usual);
    let what = arguments.what.as_deref();
    if let Some(path) = what.filter(|what| is_file(what)) {
        usual = GameNames::default().find(path, usual)?;
        add(usual);
    }
    let letters = arguments.letters.get();
    letters.check(usual.spec()).context("--letters")?;
    let mut shared = Shared::new(guard, games, usual);
    shared.chosen = arguments.game.is_some() || what.is_some();
    shared.letters = arguments.letters.named().cloned();
    if let Some(threads) = arguments.threads {
        shared.threads = threads.into();
    }
    shared.hash = arguments.hash as usize;
    if let Some(folder) = &arguments.tb {
        let games = shared.games.iter().copied();
        let (all, faults) = tables::open_all(folder, games).context("--tb")?;
        tables::warn_if_none(folder).context("--tb")?;
        for fault in faults {
            eprintln!("hexmate: {fault}");
        }
        let lacking = arguments.game.filter(|game| !all.contains_key(game));
        if let Some(game) = lacking.filter(|_| !all.is_empty()) {
            eprintln!("hexmate: --tb: {}", tables::no_tables(game.name(), folder));
        }
        shared.tables = all;
    }
    if let Some(path) = &arguments.journal {
        shared.journal = Some(Followed::open(path.clone()).context("--match")?);
    }
    if let Some(what) = what.filter(|what| !is_file(what)) {
        shared.opened = Some(opened(&shared.games, what, usual, &letters)?);
        let game = shared.opened.as_ref().and_then(|opened| {
            let name = opened.content["games"][0]["game"].as_str()?;
            shared
                .games
                .iter()
                .copied()
                .find(|game| game.name() == name)
        });
        shared.usual = game.unwrap_or(usual);
    }
    Ok(shared)
}

/// What a file holds, or a position text.
fn opened(games: &[GameId], what: &str, usual: GameId, letters: &Letters) -> Result<Opened> {
    let path = Path::new(what);
    let is_position = !path.exists() && what.contains('/') && what.contains(' ');
    let (name, text) = if is_position {
        ("position".to_owned(), what.to_owned())
    } else {
        let name = path
            .file_name()
            .map_or(what.into(), |name| name.to_string_lossy());
        let size = std::fs::metadata(path)
            .with_context(|| what.to_owned())?
            .len();
        if size > MOST_BYTES {
            return Err(anyhow!(
                "{what}: has {size} bytes; the board shows at most {MOST_BYTES}"
            ));
        }
        if size > MANY_BYTES {
            eprintln!("hexmate: {what}: {} MiB are being read", size >> 20);
        }
        let bytes = std::fs::read(path).with_context(|| what.to_owned())?;
        (name.into_owned(), text_of_any(&bytes))
    };
    let ending = Path::new(&name)
        .extension()
        .and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default();
    let content = read::text_of_any_kind(games, &text, ending, usual, letters);
    let content = content.map_err(|error| {
        let message = error.object()["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        anyhow!("{what}: {message}")
    })?;
    for fault in content["faults"].as_array().into_iter().flatten() {
        let message = fault["message"].as_str().unwrap_or_default();
        eprintln!("hexmate: {what}: {message}");
    }
    if let Some(left_off) = content["left_off"].as_u64().filter(|&count| count > 0) {
        let thing = match content["kind"].as_str() {
            Some("position") => "position",
            _ => "game",
        };
        eprintln!(
            "hexmate: {what}: {} left off; the board shows the first {}",
            counted(left_off as usize, thing),
            read::MOST_GAMES
        );
    }
    Ok(Opened { name, content })
}

/// Opens the address in the browser that the system prefers.
fn open(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = Stdio::null;
    let mut command = Command::new(program);
    command.arg(address);
    command
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn()
        .is_ok()
}
