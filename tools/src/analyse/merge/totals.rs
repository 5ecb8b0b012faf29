//! What the runs of all shares did together.

use std::collections::BTreeMap;

use serde::Serialize;

use super::shares::Share;
use crate::analyse::stats::{Answers, Figures};

/// The sums, and the figures of each share.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)] // see docs/scaling.md
pub struct Totals {
    pub engine: String,
    pub hosts: Vec<String>,
    pub seconds: f64,
    /// `None` if one of the systems did not tell.
    pub processor_seconds: Option<f64>,
    /// The most that one share took.
    pub peak_megabytes: Option<f64>,
    pub records: u64,
    pub errors: u64,
    pub statuses: BTreeMap<String, u64>,
    pub timeouts: u64,
    pub answers: Answers,
    pub nodes: u64,
    pub depths: BTreeMap<u32, u64>,
    pub shares: Vec<OfShare>,
}

/// The figures of a share.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)] // see docs/scaling.md
pub struct OfShare {
    pub share: u64,
    pub file: String,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Totals {
    /// Adds up the shares of a run.
    pub fn new(shares: &[Share]) -> Totals {
        let all = || shares.iter().map(|share| &share.file.stats);
        let sum = |of: fn(&Figures) -> u64| all().map(of).sum();
        let mut hosts: Vec<String> = all().filter_map(|f| f.host.clone()).collect();
        hosts.sort();
        hosts.dedup();
        let most = all().filter_map(|f| f.peak_megabytes).reduce(f64::max);
        let of_share = |share: &Share| OfShare {
            share: share.file.share,
            file: share.path.display().to_string(),
            figures: share.file.stats.clone(),
        };
        Totals {
            engine: shares[0].file.stats.engine.clone(),
            hosts,
            seconds: all().map(|f| f.seconds).sum(),
            processor_seconds: all().map(|f| f.processor_seconds).sum(),
            peak_megabytes: most,
            records: sum(|f| f.records),
            errors: sum(|f| f.errors),
            statuses: counts(all().map(|f| &f.statuses)),
            timeouts: sum(|f| f.timeouts),
            answers: Answers {
                searched: sum(|f| f.answers.searched),
                from_memory: sum(|f| f.answers.from_memory),
                from_cache_file: sum(|f| f.answers.from_cache_file),
                at_once: sum(|f| f.answers.at_once),
                from_journal: sum(|f| f.answers.from_journal),
            },
            nodes: sum(|f| f.nodes),
            depths: counts(all().map(|f| &f.depths)),
            shares: shares.iter().map(of_share).collect(),
        }
    }
}

/// Counts of the same thing added up.
fn counts<'c, K: Ord + Clone + 'c>(
    all: impl Iterator<Item = &'c BTreeMap<K, u64>>,
) -> BTreeMap<K, u64> {
    let mut sums = BTreeMap::new();
    for (thing, count) in all.flatten() {
        *sums.entry(thing.clone()).or_default() += count;
    }
    sums
}
