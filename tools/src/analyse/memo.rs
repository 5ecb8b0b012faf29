//! Equal positions of a run are searched once, even while the search is still running.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use dashmap::{DashMap, Entry};

use super::answer::{Findings, Head};
use super::item::Origin;
use super::worker::Ticket;

/// Positions remembered; the oldest go first. A position takes about 400 bytes.
const MOST: usize = 1 << 15;

/// A record that waits for a search of its position.
pub struct Waiter {
    /// The place of its answer.
    pub ticket: Ticket,
    /// The record's part of its answer.
    pub head: Head,
    /// Where it comes from.
    pub origin: Origin,
}

enum Slot {
    /// It is being searched, and these wait.
    Claimed(Vec<Waiter>),
    /// The findings as JSON, which is compact.
    Known(Box<str>),
}

/// What to do with a position.
pub enum Claim {
    /// Nothing: these are the findings.
    Known(Head, Findings),
    /// Nothing: whoever searches it will send the answer.
    Waiting,
    /// Search it and report the findings.
    Mine(Head),
}

/// The known positions, and who searches which.
pub struct Memo {
    slots: DashMap<u128, Slot>,
    /// Known positions, oldest first.
    known: Mutex<VecDeque<u128>>,
    terms: String,
}

impl Memo {
    /// An empty memo. `terms` is everything but the position that determines results.
    pub fn new(terms: String) -> Memo {
        Memo {
            slots: DashMap::new(),
            known: Mutex::default(),
            terms,
        }
    }

    /// See [`Memo::new`].
    pub fn terms(&self) -> &str {
        &self.terms
    }

    /// Looks up a position.
    pub fn claim(&self, key: u128, head: Head, ticket: Ticket, origin: &Origin) -> Claim {
        match self.slots.entry(key) {
            Entry::Vacant(slot) => {
                slot.insert(Slot::Claimed(Vec::new()));
                Claim::Mine(head)
            }
            Entry::Occupied(mut slot) => match slot.get_mut() {
                Slot::Known(json) => {
                    let found = serde_json::from_str(json).expect("written by settle");
                    Claim::Known(head, found)
                }
                Slot::Claimed(waiting) => {
                    waiting.push(Waiter {
                        ticket,
                        head,
                        origin: origin.clone(),
                    });
                    Claim::Waiting
                }
            },
        }
    }

    /// Stores the findings, if they are to be kept; returns the records that wait for them.
    pub fn settle(&self, key: u128, found: Option<&Findings>) -> Vec<Waiter> {
        let before = match found {
            None => self.slots.remove(&key).map(|(_, slot)| slot),
            Some(found) => {
                let again = Findings {
                    time_ms: 0,
                    ..found.clone()
                };
                let json = serde_json::to_string(&again).expect("texts and numbers are JSON");
                let before = self.slots.insert(key, Slot::Known(json.into()));
                self.forget_oldest(key);
                before
            }
        };
        match before {
            Some(Slot::Claimed(waiting)) => waiting,
            _ => Vec::new(),
        }
    }

    fn forget_oldest(&self, newest: u128) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.push_back(newest);
        let oldest = (known.len() > MOST).then(|| known.pop_front()).flatten();
        drop(known);
        if let Some(oldest) = oldest {
            // The list has only known positions, each of them once.
            self.slots.remove(&oldest);
        }
    }
}
