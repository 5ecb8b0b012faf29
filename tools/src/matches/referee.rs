//! The referee: plays a game between two players and enforces the rules.
//!
//! It checks every move and decides every end of the game; players only provide moves. Whatever a player does
//! wrong costs it this game and no other.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hexmate_engine::Shown;
use hexmate_movegen::{Game, Outcome, Position, Record, Side};

use super::adjudication::Adjudicator;
use super::game_record::{GameResult, MoveNote, Termination};
use super::openings::Opening;
use super::options::{EngineSpec, Options, TimeControl};
use super::player::{ClockView, Fault, Player, Thought, Turn, side_index};
use crate::outcome::side_name;

/// A finished game and how it ended.
#[derive(Clone, Debug)]
pub struct Played {
    /// The result.
    pub result: GameResult,
    /// Why, in the words of `fastchess`.
    pub reason: String,
    /// How it ended.
    pub termination: Termination,
    /// The player at fault, if any.
    pub blame: Option<Side>,
    /// The position before the first move.
    pub fen: String,
    /// The moves, separated by blanks.
    pub moves: String,
    /// How many of them belong to the opening.
    pub book_plies: usize,
    /// A note for each move after the opening.
    pub notes: Vec<MoveNote>,
    /// The position at the end.
    pub final_fen: String,
    /// When it started, in seconds since 1970.
    pub began: u64,
    /// How long it took.
    pub time: Duration,
    /// Why the player at fault gave no answer in time.
    pub fault: Option<Fault>,
}

/// A player's clock.
struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves_made: u32,
}

impl Clock {
    fn new(control: TimeControl) -> Self {
        Clock {
            control,
            remaining: control.base,
            moves_made: 0,
        }
    }

    fn view(&self) -> ClockView {
        let until = |moves| moves - self.moves_made % moves;
        ClockView {
            remaining: self.remaining,
            increment: self.control.increment,
            moves_to_go: self.control.moves.map(until),
        }
    }

    /// Deducts the time of a move, and adds what is due after it. An answer within the margin leaves at least
    /// zero.
    fn press(&mut self, elapsed: Duration) {
        self.remaining = self.remaining.saturating_sub(elapsed) + self.control.increment;
        self.moves_made += 1;
        if let Some(moves) = self.control.moves
            && self.moves_made.is_multiple_of(moves)
        {
            self.remaining += self.control.base;
        }
    }
}

/// A side: its player and its limits.
pub struct Seat<'p, G: Game> {
    /// The player, or why there is none.
    pub player: Result<&'p mut dyn Player<G>, Fault>,
    /// Its options.
    pub spec: &'p EngineSpec,
}

/// The end of a game.
struct End {
    result: GameResult,
    reason: String,
    termination: Termination,
    blame: Option<Side>,
    /// Why the player at fault gave no answer in time.
    fault: Option<Fault>,
}

/// A game being played.
struct Table<'t, 'p, G: Game> {
    seats: &'t mut [Seat<'p, G>; 2],
    record: Record<G>,
    clocks: [Option<Clock>; 2],
    notes: Vec<MoveNote>,
    moves: String,
    position: String,
    adjudicator: Adjudicator,
}

/// How a game stands.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'t> {
    /// The position before the first move.
    pub fen: &'t str,
    /// The moves, separated by blanks.
    pub moves: &'t str,
    /// How many they are.
    pub plies: usize,
    /// A note for each move after the opening.
    pub notes: &'t [MoveNote],
    /// What White and Black have left.
    pub clocks: [Option<Duration>; 2],
}

/// Plays a game, which `watch` is shown after the opening and after each move. `None` if the match is being ended and
/// the game does not count.
pub fn play<G: Game>(
    options: &Options,
    opening: &Opening<G>,
    mut seats: [Seat<'_, G>; 2],
    watch: &mut dyn FnMut(&Glance<'_>),
) -> Option<Played> {
    let began = SystemTime::now().duration_since(UNIX_EPOCH);
    let start = Instant::now();
    let fen = opening.start.to_string();
    let is_start = opening.start == Position::start_of(opening.start.game());
    let mut table = Table {
        record: Record::new(opening.start),
        clocks: [0, 1].map(|i: usize| seats[i].spec.limits.tc.map(Clock::new)),
        seats: &mut seats,
        notes: Vec::new(),
        moves: String::new(),
        position: match is_start {
            true => "position startpos".to_owned(),
            false => format!("position fen {fen}"),
        },
        adjudicator: Adjudicator::new(options),
    };
    for &mv in &opening.moves {
        table.make(mv);
    }
    let end = table.play(&mut |table| {
        watch(&Glance {
            fen: &fen,
            moves: &table.moves,
            plies: opening.moves.len() + table.notes.len(),
            notes: &table.notes,
            clocks: table
                .clocks
                .each_ref()
                .map(|c| c.as_ref().map(|c| c.remaining)),
        });
    })?;
    let Table {
        record,
        notes,
        moves,
        ..
    } = table;
    Some(Played {
        result: end.result,
        reason: end.reason,
        termination: end.termination,
        blame: end.blame,
        fault: end.fault,
        fen,
        moves,
        book_plies: opening.moves.len(),
        notes,
        final_fen: record.position().to_string(),
        began: began.map_or(0, |t| t.as_secs()),
        time: start.elapsed(),
    })
}

impl<G: Game> Table<'_, '_, G> {
    /// `None`: the match is being ended.
    fn play(&mut self, watch: &mut dyn FnMut(&Self)) -> Option<End> {
        for side in [Side::White, Side::Black] {
            let seat = &mut self.seats[side_index(side)];
            let ready = match &mut seat.player {
                Ok(player) => player.new_game(),
                Err(fault) => Err(fault.clone()),
            };
            if let Err(fault) = ready {
                return forfeit(side, fault);
            }
        }
        loop {
            watch(self);
            let side = self.record.position().side_to_move();
            if let Some(outcome) = self.record.outcome() {
                return Some(end_of(
                    outcome,
                    side,
                    outcome.quarters(self.record.position().spec())[0],
                ));
            }
            if let Some((result, reason)) = self.adjudicator.verdict(self.record.position()) {
                return Some(End {
                    result,
                    reason,
                    termination: Termination::Adjudication,
                    blame: None,
                    fault: None,
                });
            }
            let thought = match self.think(side) {
                Ok(thought) => thought,
                Err(fault) => return forfeit(side, fault),
            };
            let spec = self.seats[side_index(side)].spec;
            let clock = self.clocks[side_index(side)].as_mut();
            let allowed = allowed(clock.as_deref(), spec);
            if allowed.is_some_and(|allowed| thought.elapsed > allowed + spec.margin) {
                return forfeit(side, Fault::Late(thought.elapsed));
            }
            if let Some(clock) = clock {
                clock.press(thought.elapsed);
            }
            let Ok(mv) = self.record.position().parse_move(&thought.text) else {
                return Some(End {
                    result: loss(side),
                    reason: format!(
                        "{} makes an illegal move ({})",
                        side_name(side),
                        harmless(&thought.text)
                    ),
                    termination: Termination::IllegalMove,
                    blame: Some(side),
                    fault: None,
                });
            };
            self.make(mv);
            self.adjudicator
                .moved(side, thought.score, self.record.position());
            self.notes.push(MoveNote {
                score: score_text(thought.score),
                depth: thought.depth,
                seldepth: thought.seldepth,
                nodes: thought.nodes,
                micros: thought.elapsed.as_micros() as u64,
                lag: thought
                    .claimed
                    .map(|claimed| thought.elapsed.as_micros() as i64 - claimed.as_micros() as i64),
            });
        }
    }

    fn think(&mut self, side: Side) -> Result<Thought, Fault> {
        let Seat { player, spec } = &mut self.seats[side_index(side)];
        let clock = self.clocks[side_index(side)].as_ref();
        let allowed = allowed(clock, spec);
        let turn = Turn {
            record: &self.record,
            position: &self.position,
            limits: &spec.limits,
            clocks: self.clocks.each_ref().map(|c| c.as_ref().map(Clock::view)),
            late_after: allowed.map(|time| time + spec.margin),
        };
        match player {
            Ok(player) => player.think(&turn),
            Err(fault) => Err(fault.clone()),
        }
    }

    fn make(&mut self, mv: hexmate_movegen::Move) {
        let text = mv.text(self.record.position().game());
        self.position += if self.moves.is_empty() {
            " moves "
        } else {
            self.moves.push(' ');
            " "
        };
        self.position += &text;
        self.moves += &text;
        // Parsed moves and those of openings are legal.
        self.record.play(mv).expect("a legal move");
    }
}

/// The time for a move: what is left on the clock, but no more than a fixed time for each move.
fn allowed(clock: Option<&Clock>, spec: &EngineSpec) -> Option<Duration> {
    let remaining = clock.map(|clock| clock.remaining);
    remaining.into_iter().chain(spec.limits.st).min()
}

fn end_of(outcome: Outcome, to_move: Side, white_quarters: u8) -> End {
    let reason = match outcome {
        Outcome::Checkmate { winner } => format!("{} mates", side_name(winner)),
        Outcome::Stalemate { .. } if white_quarters == 2 => "Draw by stalemate".to_owned(),
        Outcome::Stalemate { .. } => format!("{} stalemates", side_name(to_move.other())),
        Outcome::BareKings => "Draw by insufficient mating material".to_owned(),
        Outcome::NoProgress => "Draw by fifty moves rule".to_owned(),
        Outcome::Repetition => "Draw by 3-fold repetition".to_owned(),
    };
    End {
        result: GameResult::of_white(white_quarters),
        reason,
        termination: Termination::Normal,
        blame: None,
        fault: None,
    }
}

/// The loss by a fault; `None` if the match is being ended.
fn forfeit(side: Side, fault: Fault) -> Option<End> {
    let name = side_name(side);
    let (reason, termination) = match &fault {
        Fault::Interrupted => return None,
        Fault::CannotStart(why) => (
            format!("{name} disconnects (cannot start, {})", harmless(why)),
            Termination::Abandoned,
        ),
        Fault::Disconnects => (format!("{name} disconnects"), Termination::Abandoned),
        Fault::Deaf => (
            format!("{name} disconnects (closes its input)"),
            Termination::Abandoned,
        ),
        Fault::Floods => (
            format!("{name} disconnects (floods its output)"),
            Termination::Abandoned,
        ),
        Fault::Stalls => (
            format!("{name}'s connection stalls"),
            Termination::Abandoned,
        ),
        Fault::Late(_) => (format!("{name} loses on time"), Termination::TimeForfeit),
    };
    Some(End {
        result: loss(side),
        reason,
        termination,
        blame: Some(side),
        fault: Some(fault),
    })
}

fn loss(side: Side) -> GameResult {
    GameResult::of_white(match side {
        Side::White => 0,
        Side::Black => 4,
    })
}

/// What an engine wrote, for a reason: shortened, and without characters that have a meaning in lines and
/// files.
fn harmless(text: &str) -> String {
    const MOST: usize = 60;
    let odd = |c: char| c.is_control() || "{}\":;[]".contains(c);
    let text: String = text
        .chars()
        .take(MOST)
        .map(|c| if odd(c) { ' ' } else { c })
        .collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return "none".to_owned();
    }
    text
}

/// A score in a PGN comment.
fn score_text(score: Option<Shown>) -> String {
    match score {
        None => "0.00".to_owned(),
        Some(Shown::Centipawns(cp)) => {
            let sign = ["-", "", "+"][(cp.signum() + 1) as usize];
            format!(
                "{sign}{}.{:02}",
                cp.unsigned_abs() / 100,
                cp.unsigned_abs() % 100
            )
        }
        Some(Shown::Mate(n)) if n > 0 => format!("+M{}", i64::from(n) * 2 - 1),
        Some(Shown::Mate(n)) => format!("-M{}", i64::from(n) * -2),
    }
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{BuiltIn, Glinski, Hexachess, Mccooey};

    use super::super::dialect;
    use super::super::faults::breakdown;
    use super::*;

    /// Plays its list of moves, then says nothing useful; each answer takes this long.
    struct Scripted(Vec<&'static str>, Duration);

    impl<G: BuiltIn> Player<G> for Scripted {
        fn new_game(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn think(&mut self, turn: &Turn<'_, G>) -> Result<Thought, Fault> {
            let text = match self.0.is_empty() {
                true => String::new(),
                false => self.0.remove(0).to_owned(),
            };
            assert!(turn.position.starts_with("position "), "{}", turn.position);
            Ok(Thought {
                text,
                elapsed: self.1,
                ..Thought::default()
            })
        }
    }

    fn options(words: &str) -> Options {
        let engine = "-engine cmd=internal name=";
        let words = format!("{engine}a {engine}b -each {words}");
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        dialect::options(&dialect::groups(&words).unwrap()).unwrap()
    }

    fn played<G: BuiltIn>(words: &str, fen: &str, moves: [&[&'static str]; 2], ms: u64) -> Played {
        let options = options(words);
        let opening = Opening::<G> {
            start: fen.parse().unwrap(),
            moves: Vec::new(),
            name: None,
        };
        let mut players = moves.map(|m| Scripted(m.to_vec(), Duration::from_millis(ms)));
        let [white, black] = players.each_mut();
        let seats =
            [(white, &options.engines[0]), (black, &options.engines[1])].map(|(player, spec)| {
                Seat {
                    player: Ok(player as &mut dyn Player<G>),
                    spec,
                }
            });
        let mut shown = Vec::new();
        let mut watch = |glance: &Glance<'_>| shown.push(glance.moves.to_owned());
        let end = play(&options, &opening, seats, &mut watch).expect("not interrupted");
        // After the opening, and after each move.
        assert_eq!(shown.len(), end.notes.len() + 1);
        assert_eq!(shown.last(), Some(&end.moves));
        end
    }

    const BEFORE_STALEMATE: &str = "1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1";

    /// The value of the same end depends on the game.
    #[test]
    fn stalemates() {
        let moves: [&[&str]; 2] = [&["c4b4"], &[]];
        let three_quarters = [
            played::<Glinski>("nodes=1", BEFORE_STALEMATE, moves, 0),
            played::<Hexachess>("nodes=1", BEFORE_STALEMATE, moves, 0),
        ];
        for end in three_quarters {
            assert_eq!(end.result.text(), "3/4-1/4");
            assert_eq!(end.reason, "White stalemates");
            assert_eq!(end.termination, Termination::Normal);
        }
        let draw = played::<Mccooey>("nodes=1", BEFORE_STALEMATE, moves, 0);
        assert_eq!(
            (draw.result.text(), draw.reason.as_str()),
            ("1/2-1/2", "Draw by stalemate")
        );
    }

    #[test]
    fn other_ends_by_the_rules() {
        // White's king captures the last piece.
        let bare = "1/3/5/7/9/5k5/11/11/11/1q9/K10 w - - 0 1";
        let end = played::<Glinski>("nodes=1", bare, [&["a1b2"], &[]], 0);
        assert_eq!(end.reason, "Draw by insufficient mating material");
        assert_eq!(end.final_fen, "1/3/5/7/9/5k5/11/11/11/1K9/11 b - - 0 1");
        let quiet = BEFORE_STALEMATE.replace("0 1", "98 80");
        let end = played::<Glinski>("nodes=1", &quiet, [&["c4c5"], &["a1a2"]], 0);
        assert_eq!(end.reason, "Draw by fifty moves rule");
        let there_and_back: [&[&str]; 2] = [
            &["c4c5", "c5c4", "c4c5", "c5c4"],
            &["a1a2", "a2a1", "a1a2", "a2a1"],
        ];
        let end = played::<Glinski>("nodes=1", BEFORE_STALEMATE, there_and_back, 0);
        assert_eq!(end.reason, "Draw by 3-fold repetition");
        assert_eq!(end.notes.len(), 8);
    }

    #[test]
    fn moves_that_are_none() {
        for text in ["", "e9e9", "c4", "a1a2", "resign", "c4b4q"] {
            let end = played::<Glinski>("nodes=1", BEFORE_STALEMATE, [&[text], &[]], 0);
            assert_eq!(end.result.text(), "0-1", "{text}");
            assert_eq!(end.termination, Termination::IllegalMove);
            assert_eq!(end.blame, Some(Side::White));
            assert!(end.fault.is_none(), "it may play on");
            assert!(end.reason.starts_with("White makes an illegal move ("));
        }
    }

    /// Late means later than clock and margin; an answer within the margin uses up the clock.
    #[test]
    fn late_moves() {
        let moves: [&[&str]; 2] = [&["c4c5"], &[]];
        let late = |words: &str, ms| {
            let end = played::<Glinski>(words, BEFORE_STALEMATE, moves, ms);
            let late = end.termination == Termination::TimeForfeit;
            assert_eq!(late, end.reason == "White loses on time");
            // How late is known, too.
            let answered = Fault::Late(Duration::from_millis(ms));
            assert_eq!(end.fault, late.then_some(answered));
            late
        };
        assert!(late("st=0.1", 101));
        assert!(!late("st=0.1", 100));
        assert!(!late("st=0.1 timemargin=10", 110));
        assert!(late("st=0.1 timemargin=10", 111));
        assert!(late("tc=0.1+1", 101));
        assert!(!late("tc=0.1+1 timemargin=5", 105));
        assert!(!late("nodes=1", 100_000));
        // The shorter of both.
        assert!(late("tc=10 st=0.1", 101));
        assert!(!late("tc=10 st=0.1", 100));
        assert!(late("tc=0.1 st=10", 101));
    }

    /// The fault by which a player broke down can be read from the reason.
    #[test]
    fn breakdowns() {
        let faults = [
            Fault::CannotStart("no (such) file".to_owned()),
            Fault::Disconnects,
            Fault::Deaf,
            Fault::Stalls,
            Fault::Floods,
            Fault::Late(Duration::ZERO),
        ];
        for fault in faults {
            for side in [Side::White, Side::Black] {
                let end = forfeit(side, fault.clone()).unwrap();
                let expected = fault.breaks().then(|| fault.clone());
                assert_eq!(breakdown(&end.reason), expected);
            }
        }
    }

    #[test]
    fn scores_as_comments() {
        let text = |score| score_text(Some(score));
        assert_eq!(text(Shown::Centipawns(0)), "0.00");
        assert_eq!(text(Shown::Centipawns(-7)), "-0.07");
        assert_eq!(text(Shown::Centipawns(1234)), "+12.34");
        assert_eq!(text(Shown::Centipawns(i32::MIN)), "-21474836.48");
        assert_eq!(text(Shown::Mate(2)), "+M3");
        assert_eq!(text(Shown::Mate(-2)), "-M4");
        assert_eq!(text(Shown::Mate(i32::MIN)), "-M4294967296");
    }

    #[test]
    fn what_engines_write_is_harmless() {
        assert_eq!(harmless("e4{e5}\u{7}\"x\""), "e4 e5 x");
        assert_eq!(harmless(" \t"), "none");
        assert_eq!(harmless(&"ä".repeat(1000)).chars().count(), 60);
    }

    #[test]
    fn clocks() {
        let second = Duration::from_secs(1);
        let mut clock = Clock::new(TimeControl {
            moves: Some(2),
            base: 10 * second,
            increment: second,
        });
        assert_eq!(clock.view().moves_to_go, Some(2));
        clock.press(4 * second);
        assert_eq!(clock.remaining, 7 * second);
        assert_eq!(clock.view().moves_to_go, Some(1));
        // Late, but within the margin: only the increment is left.
        clock.press(8 * second);
        assert_eq!(clock.remaining, 11 * second);
        assert_eq!(clock.view().moves_to_go, Some(2));
    }
}
