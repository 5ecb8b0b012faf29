//! One of the concurrent games: takes the next game, seats the players, has it refereed.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::Result;
use hexmate_movegen::{Game, Side};

use super::affinity;
use super::fixtures::Fixtures;
use super::game_record::GameRecord;
use super::internal::{Internal, InternalOptions};
use super::live::{self, Live};
use super::openings::Openings;
use super::options::{Command, EngineSpec, Options};
use super::player::{Fault, Player};
use super::referee::{self, Glance, Played, Seat};
use super::schedule::Planned;
use super::surroundings::Surroundings;
use super::uci_player::UciPlayer;

/// A worker's messages.
pub enum Event {
    /// A game starts.
    Started(Planned),
    /// A game is finished; whichever of its players is out from now on, for which fault.
    Finished(Planned, Box<GameRecord>, Option<(usize, Fault)>),
    /// A game is not played: White, or Black, is out, for this fault.
    Skipped(Planned, [Option<Fault>; 2]),
    /// Nothing more can be played.
    Failed(anyhow::Error),
}

/// What all workers share.
pub struct Shared<'s, G: Game> {
    /// The match.
    pub options: &'s Options,
    /// Its games.
    pub fixtures: &'s Fixtures<'s>,
    /// Its openings.
    pub openings: &'s Openings<G>,
    /// The options of internal engines, by engine.
    pub internal: &'s [Option<InternalOptions<G>>],
    /// White and Black of the games that were finished before, by number.
    pub done: &'s HashMap<usize, [String; 2]>,
    /// The faults of engines that are not restarted.
    pub out: Vec<OnceLock<Fault>>,
    /// Who watches.
    pub live: &'s Live,
    /// What engines share.
    pub around: Surroundings<'s>,
}

impl<G: Game> Shared<'_, G> {
    /// Whether a game was finished before. Where other games have come to another end since, its number may mean other
    /// players.
    fn is_done(&self, planned: &Planned) -> bool {
        let names = planned.players.map(|e| &self.options.engines[e].name);
        self.done
            .get(&planned.number)
            .is_some_and(|done| names == [&done[0], &done[1]])
    }
}

/// A player of either kind, kept from game to game.
type Seated<'s, G> = Box<dyn Player<G> + 's>;

/// Plays games until there are no more, or the match is being ended.
pub fn run<G: Game>(game: G, shared: &Shared<'_, G>, cpus: &[usize], events: &Sender<Event>) {
    affinity::bind(None, cpus);
    let mut players: HashMap<usize, Seated<'_, G>> = HashMap::new();
    let mut first = true;
    while let Some(planned) = shared.fixtures.take(shared.around.stop) {
        if shared.is_done(&planned) {
            continue;
        }
        if !std::mem::replace(&mut first, false) {
            rest(shared);
        }
        let event = match play(game, shared, cpus, &planned, &mut players, events) {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(error) => Event::Failed(error),
        };
        let failed = matches!(event, Event::Failed(_));
        // Nobody listens any more: the match is being ended.
        if events.send(event).is_err() || failed {
            break;
        }
    }
}

/// Waits between two games, as long as the match is not being ended.
fn rest<G: Game>(shared: &Shared<'_, G>) {
    const LOOK_UP: Duration = Duration::from_millis(100);
    let end = Instant::now() + shared.options.wait;
    while let Some(left) = end.checked_duration_since(Instant::now())
        && !shared.around.stop.load(Ordering::Relaxed)
    {
        std::thread::sleep(left.min(LOOK_UP));
    }
}

/// A game; `None` if the match is being ended.
fn play<'s, G: Game>(
    game: G,
    shared: &Shared<'s, G>,
    cpus: &[usize],
    planned: &Planned,
    players: &mut HashMap<usize, Seated<'s, G>>,
    events: &Sender<Event>,
) -> Result<Option<Event>> {
    let absent = planned
        .players
        .map(|engine| shared.out[engine].get().cloned());
    if absent.iter().any(Option::is_some) {
        return Ok(Some(Event::Skipped(*planned, absent)));
    }
    let opening = shared.openings.get(planned.opening)?;
    if events.send(Event::Started(*planned)).is_err() {
        return Ok(None);
    }
    let mut seated = planned.players.map(|engine| {
        let kept = players.remove(&engine);
        let player = kept.map_or_else(|| seat(game, shared, cpus, engine), Ok);
        (engine, player)
    });
    let seats = seated.each_mut().map(|(engine, player)| Seat {
        player: match player {
            Ok(player) => Ok(&mut **player as &mut dyn Player<G>),
            Err(fault) => Err(fault.clone()),
        },
        spec: &shared.options.engines[*engine],
    });
    let number = planned.number + 1;
    let names = planned
        .players
        .map(|e| shared.options.engines[e].name.clone());
    let mut running = live::begun(number, planned.round + 1, names);
    let mut watch = |glance: &Glance<'_>| {
        if shared.live.is_watched() {
            running.look(glance);
            shared.live.show(&running);
        }
    };
    let played = referee::play(shared.options, &opening, seats, &mut watch);
    shared.live.end(number);
    let Some(played) = played else {
        return Ok(None);
    };
    let mut out = None;
    for (i, (engine, player)) in seated.into_iter().enumerate() {
        let side = [Side::White, Side::Black][i];
        let fault = played.fault.as_ref();
        let fault = fault.filter(|fault| fault.breaks() && played.blame == Some(side));
        if let Some(fault) = fault.filter(|_| !shared.options.recover) {
            // The first says why it is out.
            shared.out[engine].get_or_init(|| fault.clone());
            out = Some((engine, fault.clone()));
        }
        if let Ok(player) = player
            && fault.is_none()
            && !shared.options.engines[engine].restart
        {
            players.insert(engine, player);
        }
    }
    Ok(Some(Event::Finished(
        *planned,
        Box::new(record(shared.options, planned, played)),
        out,
    )))
}

fn seat<'s, G: Game>(
    game: G,
    shared: &Shared<'s, G>,
    cpus: &[usize],
    engine: usize,
) -> Result<Seated<'s, G>, Fault> {
    let spec: &'s EngineSpec = &shared.options.engines[engine];
    match (&spec.command, &shared.internal[engine]) {
        (Command::Internal, Some(options)) => {
            Ok(Box::new(Internal::new(game, options, shared.around.stop)?))
        }
        _ => Ok(Box::new(UciPlayer::start(
            spec,
            (game.id(), shared.options.variant_file.as_deref()),
            cpus,
            shared.around,
        )?)),
    }
}

fn record(options: &Options, planned: &Planned, played: Played) -> GameRecord {
    let [white, black] = planned.players.map(|e| options.engines[e].name.clone());
    GameRecord {
        game: planned.number + 1,
        round: planned.round + 1,
        white,
        black,
        result: played.result,
        reason: played.reason,
        termination: played.termination,
        blame: played.blame.map(|side| match side {
            Side::White => 'w',
            Side::Black => 'b',
        }),
        late: match played.fault {
            Some(Fault::Late(elapsed)) => Some(elapsed.as_micros() as u64),
            _ => None,
        },
        opening: planned.opening,
        fen: played.fen,
        moves: played.moves,
        book_plies: played.book_plies,
        notes: played.notes,
        final_fen: played.final_fen,
        began: played.began,
        millis: played.time.as_millis() as u64,
    }
}
