//! The searches that a review needs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hexmate_movegen::Letters;
use indicatif::ProgressBar;
use rayon::ThreadPool;

use super::about;
use super::judge::{self, About, Review, Unread};
use crate::analyse::{
    Answer, Body, Broken, Item, Origin, Parts, Request, Ticket, Worker, positions_of,
};
use crate::game_names::GameNames;
use crate::inputs;
use crate::terminal::plain;

/// The review of a record, as far as its game can be read. The pool has a thread for each worker.
///
/// # Errors
/// If nothing of it can be reviewed.
pub fn review(
    pool: &ThreadPool,
    workers: &mut [Worker],
    item: &Item,
    letters: &Letters,
    bar: &ProgressBar,
) -> Result<Review, Box<Unread>> {
    let mut about = about::of_tags(&item.tags);
    let reviewed = review_about(&mut about, pool, workers, item, letters, bar);
    reviewed.map_err(|error| {
        Box::new(Unread {
            about,
            error: inputs::naming_letters(&error),
        })
    })
}

/// The same; fills in what the record says of its game.
fn review_about(
    about: &mut About,
    pool: &ThreadPool,
    workers: &mut [Worker],
    item: &Item,
    letters: &Letters,
    bar: &ProgressBar,
) -> Result<Review, String> {
    let origin = &item.origin;
    let fault = |error: &dyn std::fmt::Display| fault_at(origin, error);
    let request = match &item.body {
        Body::Fault { error, .. } => return Err(fault(error)),
        Body::Request(request) => {
            // A row of a table has its columns.
            if item.tags.is_empty() {
                *about = about::of_fields(&request.fields);
            }
            (**request).clone()
        }
        Body::Text(text) => {
            *about = about::of_line(text);
            Request::parse(text, &origin.unnamed()).map_err(|(_, error)| fault(&error))?
        }
    };
    // What stands behind the moves counts.
    if request.result != "*" {
        about.result = Some(request.result.to_owned());
    }
    if !request.is_game() {
        let what = "no \"moves\"; expected a game: moves alone, an object or a row with \"moves\", \
                    or PGN (a file named .pgn is read as PGN, whatever is in it)";
        return Err(fault(&what));
    }
    let game = request
        .game(&GameNames::default(), item.game)
        .map_err(|e| fault(&e))?;
    let Parts {
        moves,
        positions,
        broken,
    } = positions_of(&request, game, letters).map_err(|e| fault(&e))?;
    if let Some(broken) = broken.as_ref().filter(|_| positions.len() <= 1) {
        // There is nothing to be reviewed.
        return Err(fault_in(origin, broken));
    }
    let request = request.with_moves(moves);
    let item_of = |request: Request| Item {
        body: Body::Request(Box::new(request)),
        ..item.clone()
    };
    let after = |plies: usize| request.broken_off(positions[plies].1, 0.into());
    let items: Vec<Item> = (0..positions.len()).map(|i| item_of(after(i))).collect();
    let [white, black] = about.names();
    bar.set_message(plain(&format!("{white} – {black}")));
    bar.reset();
    bar.set_length(items.len() as u64);
    let before = answers(pool, workers, &items, bar);
    let played: Vec<&str> = request.moves().split_whitespace().collect();
    // A move that is not the best is searched alone, so that both scores are of the same position.
    let others: Vec<usize> = (1..before.len())
        .map(|i| i - 1)
        .filter(|&i| !judge::is_best(&before[i], played[i]))
        .collect();
    let items: Vec<Item> = others
        .iter()
        .map(|&i| item_of(after(i).only(played[i])))
        .collect();
    bar.inc_length(items.len() as u64);
    let alone: BTreeMap<usize, Answer> = others
        .into_iter()
        .zip(answers(pool, workers, &items, bar))
        .collect();
    // An answer says itself where its record is.
    let mut review = Review::of(&request.id, game, about.clone(), &played, &before, &alone)?;
    let judged = (0..review.moves.len()).filter(|&i| review.moves[i].judgement.is_some());
    let judged: Vec<usize> = judged.collect();
    bar.inc_length(judged.len() as u64);
    let explanations = in_parallel(pool, workers, judged.len(), |worker, n| {
        let i = judged[n];
        let explanation = match (&before[i], alone.get(&i)) {
            (Answer::Analysis(before), Some(Answer::Analysis(alone))) => {
                worker.explain(&after(i), item.game, &before.found, &alone.found)
            }
            _ => None,
        };
        bar.inc(1);
        explanation
    });
    for (i, explanation) in judged.into_iter().zip(explanations) {
        review.moves[i].explain(explanation, game);
    }
    review.error = broken.map(|broken| inputs::naming_letters(&fault_in(origin, &broken)));
    Ok(review)
}

/// What is wrong within a game, and where.
fn fault_in(origin: &Origin, broken: &Broken) -> String {
    let origin = Origin {
        line: broken.line.unwrap_or(origin.line),
        ..origin.clone()
    };
    fault_at(&origin, &broken.error)
}

/// What is wrong with a record, and where.
fn fault_at(origin: &Origin, error: &dyn std::fmt::Display) -> String {
    match Answer::fault(None, origin, None, error) {
        Answer::Error(fault) => fault.error,
        Answer::Analysis(_) => unreachable!("a fault is one"),
    }
}

/// The answers to all positions of a game.
fn answers(
    pool: &ThreadPool,
    workers: &mut [Worker],
    items: &[Item],
    bar: &ProgressBar,
) -> Vec<Answer> {
    // The answer to a position for which one worker waits may come from another.
    let slots: Vec<Mutex<Option<Answer>>> = items.iter().map(|_| Mutex::default()).collect();
    in_parallel(pool, workers, items.len(), |worker, i| {
        let ticket = Ticket {
            place: i as u64,
            hash: 0,
        };
        worker.work(ticket, &items[i], &mut |ticket, answer, _| {
            put(&slots[ticket.place as usize], answer);
            bar.inc(1);
        });
    });
    taken(slots)
}

/// Does something for each number below `count`, and gives the results in order.
fn in_parallel<T: Send>(
    pool: &ThreadPool,
    workers: &mut [Worker],
    count: usize,
    work: impl Fn(&mut Worker, usize) -> T + Sync,
) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    pool.in_place_scope(|scope| {
        for worker in workers {
            let (slots, next, work) = (&slots, &next, &work);
            scope.spawn(move |_| {
                while let Some(slot) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    slots.get(i).map(|slot| (i, slot))
                } {
                    put(slot.1, work(worker, slot.0));
                }
            });
        }
    });
    taken(slots)
}

fn put<T>(slot: &Mutex<Option<T>>, value: T) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
}

fn taken<T>(slots: Vec<Mutex<Option<T>>>) -> Vec<T> {
    let taken = slots.into_iter().map(|slot| {
        let slot = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        slot.expect("every place is filled")
    });
    taken.collect()
}
