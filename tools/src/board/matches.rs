//! `/api/match`: a match by its journal, also while it is being played.

use std::collections::BTreeSet;
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
use crate::matches::repetitions::Repetitions;
use crate::matches::schedule::{Planned, Schedule};
use crate::matches::standing::{self, Standing};
use crate::matches::text;

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
    /// In the order in which they ended.
    games: Vec<GameRecord>,
    standings: Vec<Value>,
    /// Which of the games are not in all figures, in words.
    notes: Vec<String>,
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
        // In the order in which they ended: new ones come last, so that a page can ask for those after the ones it has.
        let (terms, games) = journal::games(&self.path)?;
        let games_each = terms.get("-games").and_then(|games| games.parse().ok());
        // A match counts its games in the order of their numbers.
        let mut counted: Vec<&GameRecord> = games.iter().collect();
        counted.sort_by_key(|game| game.game);
        let (standings, notes) = standings(&counted, games_each.unwrap_or(1));
        let game = terms
            .get("-variant")
            .map(|name| name.trim_matches('"').to_owned());
        let held = Arc::new(Match {
            game,
            games,
            standings,
            notes,
        });
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
        "standings": held.standings,
        "notes": held.notes,
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

/// Who scored what, best first, and what is to be said of it: by the rules of the match itself, with so many games each
/// time that two engines meet.
fn standings(games: &[&GameRecord], games_each: usize) -> (Vec<Value>, Vec<String>) {
    let names = games.iter().flat_map(|game| [&game.white, &game.black]);
    let names: Vec<&String> = BTreeSet::from_iter(names).into_iter().collect();
    let schedule = Schedule::of_any(names.len(), games_each);
    let mut standing = Standing::new(names.len(), &schedule);
    let mut repetitions = Repetitions::default();
    // No match has an engine that plays itself.
    for game in games.iter().filter(|game| game.white != game.black) {
        let place = |name| names.binary_search(&name).expect("all names are there");
        let players = [place(&game.white), place(&game.black)];
        let planned = Planned {
            number: game.game,
            round: game.round,
            pairing: schedule.pairing_of(players),
            players,
            opening: game.opening,
        };
        let repeated = repetitions.of(game).is_some();
        standing.add(&schedule, &planned, game.result, repeated);
    }
    let row = |engine: usize| {
        let [losses, one_quarter, draws, three_quarters, wins] = standing.total(engine);
        let samples = standing.engine(engine);
        let elo = samples.elo();
        let known = elo.value.is_finite() && elo.error.is_finite() && samples.samples() > 1;
        json!({
            "name": names[engine],
            "games": standing::games(standing.total(engine)),
            "points": standing::points(standing.total(engine)),
            "wins": wins,
            "three_quarters": three_quarters,
            "draws": draws,
            "one_quarter": one_quarter,
            "losses": losses,
            "others": three_quarters + one_quarter,
            "elo": known.then_some(elo.value),
            "error": (known && samples.vary()).then_some(elo.error),
        })
    };
    let notes = [
        text::waiting_line(&standing, false),
        text::left_out_line(&standing),
    ];
    (
        standing.ranking().into_iter().map(row).collect(),
        notes.into_iter().flatten().collect(),
    )
}
