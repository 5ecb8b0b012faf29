//! `/api/review`: the judgement of each move of a game, told as it is found.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use hexmate_engine::STACK_BYTES;
use hexmate_movegen::{AnyPosition, AnyRecord, Move, san};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::server::Telling;
use super::shared::{MOST_DEPTH, MOST_REVIEW_NODES, Shared};
use crate::analyse::{Answer, Bound, DEFAULT_HASH_MEGABYTES, Request, Score, Settings, Worker};
use crate::lines::Line;
use crate::review::judge::{Judged, Judgement, Sum, is_best};

/// How often it is asked whether anybody still listens.
const LOOK: Duration = Duration::from_millis(15);

/// A request that can be carried out.
#[derive(Debug)]
pub struct Order {
    record: AnyRecord,
    settings: Settings,
    jobs: usize,
}

/// What is known of a move: its judgement, and the best line with its score and what bound that is.
type Judgements = (Judged, Vec<String>, Score, Option<Bound>);

impl Order {
    /// Reads it.
    ///
    /// # Errors
    /// If a field cannot be used.
    pub fn read(shared: &Shared, mut fields: Fields) -> Result<Order, ApiError> {
        let record = place::record(&mut fields, shared)?;
        let nodes = fields.number("nodes", 1..=MOST_REVIEW_NODES)?;
        let depth = fields.number("depth", 1..=MOST_DEPTH)?;
        let jobs = fields.number("threads", 1..=shared.most_threads() as u64)?;
        fields.end()?;
        let settings = Settings {
            game: record.game(),
            // However deep: each search ends by itself.
            nodes: nodes.or(depth.map(|_| MOST_REVIEW_NODES)),
            depth: depth.map(|depth| depth as u32),
            hash_megabytes: DEFAULT_HASH_MEGABYTES,
            ..Settings::default()
        };
        Ok(Order {
            record,
            settings: settings.bounded(),
            jobs: jobs.unwrap_or(1) as usize,
        })
    }

    /// Reviews the game.
    ///
    /// # Errors
    /// If there is no memory or no thread, or a position cannot be analysed.
    pub fn run(&self, telling: &Telling) -> Result<(), ApiError> {
        let played: Vec<String> = self.record.move_texts();
        telling.line(&json!({"type": "begin", "plies": played.len()}));
        let stop = Arc::new(AtomicBool::new(false));
        let next = AtomicUsize::new(0);
        let (sender, found) = channel();
        let mut judged: Vec<Judged> = Vec::new();
        let workers = (0..self.jobs.min(played.len().max(1))).map(|_| {
            let worker = Worker::new(self.settings.clone());
            let worker = worker.map_err(|error| ApiError::fault(error.to_string()))?;
            Ok(worker.stopped_by(Arc::clone(&stop)))
        });
        let workers = workers.collect::<Result<Vec<_>, ApiError>>()?;
        let result = std::thread::scope(|scope| {
            for mut worker in workers {
                let (sender, next, played, stop) = (sender.clone(), &next, &played, &stop);
                let work = move || {
                    while !stop.load(Ordering::Relaxed) {
                        let ply = next.fetch_add(1, Ordering::Relaxed);
                        if ply >= played.len()
                            || sender
                                .send((ply, self.judge(&mut worker, played, ply)))
                                .is_err()
                        {
                            return;
                        }
                    }
                };
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                let started = thread.spawn_scoped(scope, work);
                started.map_err(|error| {
                    stop.store(true, Ordering::Relaxed);
                    ApiError::fault(error.to_string())
                })?;
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut before = self.record.first();
            loop {
                match found.recv_timeout(LOOK) {
                    Ok((ply, judgement)) => {
                        early.insert(ply, judgement);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                if telling.is_gone() {
                    stop.store(true, Ordering::Relaxed);
                }
                while let Some(judgement) = early.remove(&judged.len()) {
                    let judgement =
                        judgement.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                    let mv = self.record.moves()[judged.len()];
                    telling.line(&move_line(judged.len() + 1, &before, mv, &judgement));
                    before = before.after(mv);
                    judged.push(judgement.0);
                }
            }
        });
        result?;
        let expected = judged.first().map_or(0.5, |first| first.before.points());
        telling.line(&json!({
            "type": "done",
            "expected": expected,
            "white": Sum::of(judged.iter().filter(|one| one.white)),
            "black": Sum::of(judged.iter().filter(|one| !one.white)),
        }));
        Ok(())
    }

    /// Searches the position before a move, and the move alone if it is not the best.
    fn judge(
        &self,
        worker: &mut Worker,
        played: &[String],
        ply: usize,
    ) -> Result<Judgements, ApiError> {
        let record = json!({
            "fen": self.record.first().to_string(),
            "moves": played[..ply].join(" "),
        });
        let mut answer = |searchmoves: Option<&str>| {
            let mut object = record.clone();
            if let Some(mv) = searchmoves {
                object["searchmoves"] = json!(mv);
            }
            worker.answer(&Line {
                number: 1,
                text: Ok(object.to_string()),
            })
        };
        let before = answer(None);
        let alone = (!is_best(&before, &played[ply])).then(|| answer(Some(&played[ply])));
        let fault = |answer: &Answer| match answer {
            Answer::Error(fault) => Some(ApiError::fault(fault.error.clone())),
            Answer::Analysis(_) => None,
        };
        if let Some(error) = fault(&before).or(alone.as_ref().and_then(fault)) {
            return Err(error);
        }
        let analysis = |answer| match answer {
            Answer::Analysis(analysis) => Some(analysis),
            Answer::Error(_) => None,
        };
        let before = analysis(before).expect("faults are told above");
        let alone = alone.and_then(analysis);
        let mut judged = Judged::of(self.record.game(), &before, &played[ply], alone.as_deref());
        if judged.judgement.is_some()
            && let Some(alone) = &alone
            && let Ok(request) = Request::parse(&record.to_string(), &Value::Null)
        {
            let game = self.record.game();
            let explanation = worker.explain(&request, game, &before.found, &alone.found);
            judged.explain(explanation, game);
        }
        // What turned out best.
        let best = match alone {
            Some(alone) if judged.best.as_deref() == Some(judged.played.as_str()) => alone,
            _ => before,
        };
        let pv = &best.found.pv;
        // What its explanation quotes is in it.
        let why = judged.explanation.as_ref().map(|why| &why.best.line);
        let line = why.filter(|line| line.starts_with(pv)).unwrap_or(pv);
        let told = line.iter().take(judged.told_line().len());
        let (line, score) = (told.cloned().collect(), best.found.score.clone());
        Ok((judged, line, score, best.found.bound))
    }
}

/// A judged move as a line.
fn move_line(
    ply: usize,
    before: &AnyPosition,
    mv: Move,
    (judged, line, score, bound): &Judgements,
) -> Value {
    let moves: Vec<Move> = {
        let mut position = *before;
        let legal = line.iter().map_while(|text| {
            let mv = position.parse_move(text).ok()?;
            position = position.after(mv);
            Some(mv)
        });
        legal.collect()
    };
    let (line, line_san) = place::line(before, &moves);
    let san_of = san(before, mv);
    let best_san = judged
        .best
        .as_deref()
        .and_then(|best| before.parse_move(best).ok());
    let best_san = best_san.map(|best| san(before, best));
    let sign = if judged.white { 1 } else { -1 };
    let score = match score {
        Score::Cp(cp) => json!({"cp": sign * cp}),
        Score::Mate(moves) => json!({"mate": sign * moves}),
    };
    // White's, as the score is.
    let bound = bound.map_or("exact", |bound| match (judged.white, bound) {
        (true, bound) => bound.name(),
        (false, Bound::Lower) => Bound::Upper.name(),
        (false, Bound::Upper) => Bound::Lower.name(),
    });
    let glyph = judged.judgement.map(|judgement| match judgement {
        Judgement::Inaccuracy => 6,
        Judgement::Mistake => 2,
        Judgement::Blunder => 4,
    });
    let words = match (judged.judgement, &best_san) {
        (None, Some(best)) if *best == san_of => "The best move.".to_owned(),
        (None, _) => "A good move.".to_owned(),
        (Some(judgement), best) => {
            let loss = (judged.loss.points() * 100.0).round();
            let better = best
                .as_ref()
                .map_or(String::new(), |best| format!("; {best} was better"));
            let name = match judgement {
                Judgement::Inaccuracy => "An inaccuracy",
                Judgement::Mistake => "A mistake",
                Judgement::Blunder => "A blunder",
            };
            let why = judged
                .explanation
                .as_ref()
                .map(|why| format!(" {}", why.words));
            format!(
                "{name}: it loses {loss} % of the point{better}.{}",
                why.unwrap_or_default()
            )
        }
    };
    json!({
        "type": "move",
        "ply": ply,
        "number": judged.number,
        "side": if judged.white { "w" } else { "b" },
        "move": judged.played,
        "san": san_of,
        "best": judged.best,
        "best_san": best_san,
        "line": line,
        "line_san": line_san,
        "score": score,
        "bound": bound,
        "before": judged.before,
        "after": judged.after,
        "loss": judged.loss,
        "accuracy": judged.accuracy,
        "judgement": judged.judgement,
        "glyph": glyph,
        "words": words,
    })
}
