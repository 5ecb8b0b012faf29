//! `/api/match`: a match by its journal, also while it is being played.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::StatusCode;
use hexmate_movegen::{AnyPosition, GameId};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::shared::Shared;
use super::{games, place};
use crate::matches::game_record::GameRecord;
use crate::matches::journal;
use crate::matches::live::{self, RunningGame, Seen};
use crate::matches::stats::Distribution;

/// Games of one answer.
const MOST_GAMES: usize = 200;

/// The journal of a match, and what it held when it was last looked at.
#[derive(Debug)]
pub struct Followed {
    path: PathBuf,
    seen: Mutex<Option<(u64, Arc<Match>)>>,
    /// The games that were being played.
    running: Mutex<Vec<RunningGame>>,
}

/// What a journal holds.
#[derive(Debug)]
struct Match {
    game: Option<String>,
    games: Vec<GameRecord>,
}

impl Followed {
    /// The journal of this path.
    ///
    /// # Errors
    /// If it cannot be read, or is no journal.
    pub fn open(path: PathBuf) -> anyhow::Result<Followed> {
        let followed = Followed {
            path,
            seen: Mutex::default(),
            running: Mutex::default(),
        };
        followed.look()?;
        Ok(followed)
    }

    /// What it holds now.
    fn look(&self) -> anyhow::Result<Arc<Match>> {
        let length = std::fs::metadata(&self.path).map(|data| data.len());
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some((then, held)), Ok(now)) = (&*seen, &length)
            && then == now
        {
            return Ok(Arc::clone(held));
        }
        let (terms, mut games) = journal::games(&self.path)?;
        // In the order in which they ended, so that new ones come last.
        games.sort_by_key(|game| (1000 * game.began + game.millis, game.game));
        let game = terms
            .get("-variant")
            .map(|name| name.trim_matches('"').to_owned());
        let held = Arc::new(Match { game, games });
        if let Ok(length) = length {
            *seen = Some((length, Arc::clone(&held)));
        }
        Ok(held)
    }

    /// The games that are being played now; `None` if nobody plays.
    fn running(&self) -> Option<Vec<RunningGame>> {
        let mut before = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        match live::look(&self.path) {
            Seen::Nothing => {
                before.clear();
                return None;
            }
            Seen::Unclear => {}
            Seen::Games(games) => *before = games,
        }
        Some(before.clone())
    }
}

/// The answer.
pub fn answer(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let after = fields
        .number("after", 0..=u64::from(u32::MAX))?
        .unwrap_or(0) as usize;
    fields.end()?;
    let none = |message: String| ApiError::new(StatusCode::NOT_FOUND, "match", message);
    let followed = shared.journal.as_ref();
    let followed = followed.ok_or_else(|| {
        none("no match is followed; hexmate board --match names its journal".to_owned())
    })?;
    let held = followed
        .look()
        .map_err(|error| none(format!("{error:#}")))?;
    let name = followed
        .path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let games = held.games.iter().skip(after).take(MOST_GAMES);
    let id = held.game.as_deref();
    let id = id.and_then(|name| shared.games.iter().find(|game| game.name() == name));
    let running = followed.running();
    let boards = running.iter().flatten().filter(|running| {
        // One that has come to its end since is among the others.
        !held.games.iter().any(|game| game.game == running.game)
    });
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_millis() as u64);
    Ok(json!({
        "name": name,
        "game": held.game,
        "total": held.games.len(),
        "going_on": running.is_some(),
        "running": boards.map(|game| running_object(game, id.copied(), now)).collect::<Vec<_>>(),
        "standings": standings(&held.games),
        "games": games.map(game_object).collect::<Vec<_>>(),
    }))
}

fn game_object(game: &GameRecord) -> Value {
    json!({
        "number": game.game,
        "round": game.round,
        "white": game.white,
        "black": game.black,
        "result": game.result.text(),
        "reason": game.reason,
        "plies": game.plies(),
        "fen": game.fen,
        "moves": game.moves.split_whitespace().collect::<Vec<_>>(),
        "book_plies": game.book_plies,
        "scores": game.notes.iter().map(|note| note.score.as_str()).collect::<Vec<_>>(),
        "final_fen": game.final_fen,
    })
}

/// A game that is being played, `now` in milliseconds since 1970.
fn running_object(game: &RunningGame, id: Option<GameId>, now: u64) -> Value {
    let moves: Vec<&str> = game.moves.split_whitespace().collect();
    let mut object = json!({
        "number": game.game,
        "round": game.round,
        "white": game.white,
        "black": game.black,
        "fen": game.fen,
        "moves": moves,
        "book_plies": game.book_plies,
        "scores": game.scores,
        "clocks": {"w": game.clocks[0], "b": game.clocks[1]},
        "since": now.saturating_sub(game.moved),
    });
    let known = id.and_then(|id| {
        let (mut position, mut last) = (AnyPosition::from_fen(id, &game.fen).ok()?, Value::Null);
        for (i, text) in moves.iter().enumerate() {
            let mv = position.parse_move(text).ok()?;
            if i + 1 == moves.len() {
                last = place::move_object(&position, mv);
            }
            position = position.after(mv);
        }
        Some((games::standing(&position), last))
    });
    let (position, last) = known.unwrap_or_default();
    object["position"] = position;
    object["last"] = last;
    object
}

/// Who scored what, best first.
fn standings(games: &[GameRecord]) -> Vec<Value> {
    let mut scores: BTreeMap<&str, Distribution> = BTreeMap::new();
    for game in games {
        for (name, quarters) in [
            (&game.white, game.result.white()),
            (&game.black, game.result.black()),
        ] {
            scores
                .entry(name)
                .or_insert_with(Distribution::of_games)
                .add(quarters);
        }
    }
    let mut rows: Vec<(&str, Distribution)> = scores.into_iter().collect();
    rows.sort_by(|a, b| b.1.mean().total_cmp(&a.1.mean()).then(a.0.cmp(b.0)));
    let row = |(name, score): &(&str, Distribution)| {
        let counts = score.counts();
        let elo = score.elo();
        let known = elo.value.is_finite() && elo.error.is_finite() && score.samples() > 1;
        json!({
            "name": name,
            "games": score.samples(),
            "points": score.mean() * score.samples() as f64,
            "wins": counts[4],
            "draws": counts[2],
            "losses": counts[0],
            "others": counts[1] + counts[3],
            "elo": known.then_some(elo.value),
            "error": known.then_some(elo.error),
        })
    };
    rows.iter().map(row).collect()
}
