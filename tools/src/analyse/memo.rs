//! Equal positions of one run are searched once, also while the search is going on.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use dashmap::{DashMap, Entry};

use super::answer::{Findings, Head};
use super::records::Origin;
use super::worker::Ticket;

/// Positions kept; the oldest go first. A position takes about 400 bytes.
const MOST: usize = 1 << 15;

/// A record that waits for a search of its position.
pub struct Waiter {
    /// Where its answer goes.
    pub ticket: Ticket,
    /// What its answer begins with.
    pub head: Head,
    /// Where it comes from.
    pub origin: Origin,
}

enum Slot {
    /// Somebody searches it, and these wait.
    Claimed(Vec<Waiter>),
    /// What was found, as JSON: that is small.
    Known(Box<str>),
}

/// What is to be done with a position.
pub enum Claim {
    /// Nothing: this was found.
    Known(Head, Findings),
    /// Nothing: who searches it will send the answer.
    Waiting,
    /// It is to be searched and settled by who asked.
    Mine(Head),
}

/// What is known of positions, and who searches which.
pub struct Memo {
    slots: DashMap<u128, Slot>,
    /// Known positions, oldest first.
    known: Mutex<VecDeque<u128>>,
    terms: String,
}

impl Memo {
    /// Nothing is known yet. `terms` is what decides results beside the position.
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

    /// Asks for a position.
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

    /// Tells what was found, if it is to be kept; gives back who waited for it.
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
            // Only what is known is in the list, and each of them once.
            self.slots.remove(&oldest);
        }
    }
}
