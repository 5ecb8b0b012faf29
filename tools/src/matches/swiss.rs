//! The pairings of a Swiss tournament. No input or output.
//!
//! In each round the engines are ranked by points. Everyone meets somebody close in points whom it has not met:
//! within a group of equal points the upper half meets the lower half. Nobody meets twice while that can be
//! avoided in the round as a whole. If their number is odd, the last one that has had no bye gets one: all points
//! of an encounter, without a game.

use std::collections::HashSet;

/// The state of a tournament.
#[derive(Clone, Debug)]
pub struct Swiss {
    engines: usize,
    rounds: usize,
    /// Games of an encounter.
    games: usize,
    /// The round that is paired next, from 0.
    round: usize,
    /// Quarters of points, those of byes included.
    points: Vec<u64>,
    byes: Vec<u32>,
    /// Who has the bye of the round that is being played.
    idle: Option<usize>,
    /// `met[a][b]`: in how many rounds they have a result against each other.
    met: Vec<Vec<u32>>,
    /// Encounters begun with White less those begun with Black.
    whites: Vec<i32>,
}

/// After so many dead ends a round is paired with one more rematch, avoidable or not.
const MOST_DEAD_ENDS: usize = 200_000;

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The engine.
    pub engine: usize,
    /// Its quarters of points, those of byes included.
    pub quarters: u64,
    /// Its byes.
    pub byes: u32,
    /// The quarters of all whom it has met.
    pub buchholz: u64,
}

impl Swiss {
    /// A tournament of so many engines, rounds, and games in each encounter.
    pub fn new(engines: usize, rounds: usize, games: usize) -> Self {
        Swiss {
            engines,
            rounds,
            games,
            round: 0,
            points: vec![0; engines],
            byes: vec![0; engines],
            idle: None,
            met: vec![vec![0; engines]; engines],
            whites: vec![0; engines],
        }
    }

    /// The pairings of the next round, the first of each with White in its first game; empty if there are no more
    /// rounds. The bye of the round before counts from now on.
    pub fn next_round(&mut self) -> Vec<[usize; 2]> {
        if let Some(idle) = self.idle.take() {
            self.byes[idle] += 1;
            self.points[idle] += 4 * self.games as u64;
        }
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let mut ranked: Vec<usize> = self.table().iter().map(|row| row.engine).collect();
        let (idle, pairs) = self.paired(&mut ranked);
        self.idle = idle;
        let with_colours = pairs.into_iter().enumerate();
        with_colours
            .map(|(board, pair)| self.note(board, pair))
            .collect()
    }

    /// Who has the bye, and the pairs of the others, from a ranking.
    fn paired(&self, ranked: &mut Vec<usize>) -> (Option<usize>, Vec<[usize; 2]>) {
        if ranked.len().is_multiple_of(2) {
            return (None, self.pairs(ranked, self.fewest_rematches(ranked)));
        }
        // The last of those with the fewest byes, if the others can then be paired without rematches.
        let mut candidates: Vec<usize> = ranked.iter().rev().copied().collect();
        candidates.sort_by_key(|&engine| self.byes[engine]);
        let fewest = self.byes[candidates[0]];
        candidates.retain(|&engine| self.byes[engine] == fewest);
        let rematches = |bye: usize| {
            let others: Vec<usize> = ranked.iter().copied().filter(|&e| e != bye).collect();
            self.fewest_rematches(&others)
        };
        let bye = candidates.into_iter().min_by_key(|&bye| rematches(bye));
        let bye = bye.expect("somebody has the fewest byes");
        ranked.retain(|&engine| engine != bye);
        (Some(bye), self.pairs(ranked, self.fewest_rematches(ranked)))
    }

    /// The fewest rematches with which these can be paired.
    fn fewest_rematches(&self, ranked: &[usize]) -> usize {
        let possible = |&n: &usize| self.search(ranked, n).is_some();
        (0..ranked.len() / 2)
            .find(possible)
            .unwrap_or(ranked.len() / 2)
    }

    fn pairs(&self, ranked: &[usize], rematches: usize) -> Vec<[usize; 2]> {
        self.search(ranked, rematches)
            .expect("with enough rematches anybody can be paired")
    }

    /// Pairs the ranked engines from the top with at most so many rematches; `None` if that cannot be done.
    fn search(&self, ranked: &[usize], rematches: usize) -> Option<Vec<[usize; 2]>> {
        let mut pairs = Vec::new();
        let mut dead = HashSet::new();
        self.complete(ranked.to_vec(), rematches, &mut pairs, &mut dead)
            .then_some(pairs)
    }

    fn complete(
        &self,
        left: Vec<usize>,
        rematches: usize,
        pairs: &mut Vec<[usize; 2]>,
        dead: &mut HashSet<(Vec<usize>, usize)>,
    ) -> bool {
        let Some((&first, others)) = left.split_first() else {
            return true;
        };
        if dead.len() > MOST_DEAD_ENDS && rematches < left.len() / 2
            || dead.contains(&(left.clone(), rematches))
        {
            return false;
        }
        for at in self.order(first, others) {
            let second = others[at];
            let again = usize::from(self.met[first][second] > 0);
            if again > rematches {
                continue;
            }
            let mut rest = others.to_vec();
            rest.remove(at);
            pairs.push([first, second]);
            if self.complete(rest, rematches - again, pairs, dead) {
                return true;
            }
            pairs.pop();
        }
        dead.insert((left, rematches));
        false
    }

    /// In which order the others are tried against the first: of those with as many points, from the middle of
    /// the group on, so that its upper half meets its lower half; then the rest, best first.
    fn order(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let same = |&e: &usize| self.points[e] == self.points[first];
        let group = others.iter().take_while(|e| same(e)).count();
        let middle = group.div_ceil(2).saturating_sub(1);
        let lower = middle..group;
        let upper = (0..middle).rev();
        lower.chain(upper).chain(group..others.len()).collect()
    }

    /// Decides the colours of a pair: White to the one that has had it less often, else by turns.
    fn note(&mut self, board: usize, [a, b]: [usize; 2]) -> [usize; 2] {
        let pair = match self.whites[a].cmp(&self.whites[b]) {
            std::cmp::Ordering::Less => [a, b],
            std::cmp::Ordering::Greater => [b, a],
            std::cmp::Ordering::Equal if (board + self.round).is_multiple_of(2) => [b, a],
            std::cmp::Ordering::Equal => [a, b],
        };
        self.whites[pair[0]] += 1;
        self.whites[pair[1]] -= 1;
        pair
    }

    /// Adds the quarters that two engines scored against each other in a round.
    pub fn add(&mut self, players: [usize; 2], quarters: [u64; 2]) {
        let [a, b] = players;
        self.met[a][b] += 1;
        self.met[b][a] += 1;
        for (engine, scored) in players.into_iter().zip(quarters) {
            self.points[engine] += scored;
        }
    }

    /// The table: by points, then by the points of the opponents, then in the order of the engines.
    pub fn table(&self) -> Vec<Row> {
        let row = |engine: usize| Row {
            engine,
            quarters: self.points[engine],
            byes: self.byes[engine],
            buchholz: (0..self.engines)
                .map(|other| u64::from(self.met[engine][other]) * self.points[other])
                .sum(),
        };
        let mut rows: Vec<Row> = (0..self.engines).map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.quarters, row.buchholz)));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Plays all rounds with random results; gives the pairings of each.
    fn played(
        engines: usize,
        rounds: usize,
        games: usize,
        seed: u64,
    ) -> (Swiss, Vec<Vec<[usize; 2]>>) {
        let mut random = SplitMix64::new(seed);
        let mut swiss = Swiss::new(engines, rounds, games);
        let mut all = Vec::new();
        loop {
            let pairs = swiss.next_round();
            if pairs.is_empty() {
                return (swiss, all);
            }
            for &pair in &pairs {
                let scored = random.below(4 * games + 1) as u64;
                swiss.add(pair, [scored, 4 * games as u64 - scored]);
            }
            all.push(pairs);
        }
    }

    /// Everyone plays once in a round or has a bye; nobody meets twice and no one has two byes while that can be
    /// avoided; colours stay balanced.
    #[test]
    fn rounds_of_all_sizes() {
        for engines in 2..=12 {
            for seed in 0..20 {
                let rounds = (engines - 1).min(7);
                let (swiss, all) = played(engines, rounds, 1, seed);
                let rematches = swiss.met.iter().flatten().filter(|&&n| n > 1).count();
                assert_eq!(all.len(), rounds);
                for pairs in &all {
                    let mut seen = vec![false; engines];
                    for engine in pairs.iter().flatten() {
                        assert!(!std::mem::replace(&mut seen[*engine], true));
                    }
                    let idle = seen.iter().filter(|&&s| !s).count();
                    assert_eq!(idle, engines % 2, "{engines}, {seed}");
                }
                assert!(swiss.byes.iter().all(|&n| n <= 1), "{:?}", swiss.byes);
                assert!(
                    swiss.whites.iter().all(|n| n.abs() <= 3),
                    "{:?}",
                    swiss.whites
                );
                // Half as many rounds as engines can always be paired anew.
                if rounds <= engines / 2 {
                    assert_eq!(rematches, 0, "{engines}, {seed}: {all:?}");
                }
            }
        }
    }

    /// Whether these can be paired without rematches, by trying all pairings.
    fn can_be_paired(met: &[Vec<u32>], left: &[usize]) -> bool {
        let Some((&first, others)) = left.split_first() else {
            return true;
        };
        others.iter().any(|&second| {
            let rest: Vec<usize> = others.iter().copied().filter(|&e| e != second).collect();
            met[first][second] == 0 && can_be_paired(met, &rest)
        })
    }

    /// A rematch is paired only where every pairing of the round has one.
    #[test]
    fn no_rematch_that_can_be_avoided() {
        let mut unavoidable = 0;
        for seed in 0..60 {
            let mut random = SplitMix64::new(seed);
            let mut swiss = Swiss::new(6, 5, 2);
            for _ in 0..5 {
                let before = swiss.met.clone();
                let pairs = swiss.next_round();
                let again = pairs.iter().any(|&[a, b]| before[a][b] > 0);
                let possible = can_be_paired(&before, &[0, 1, 2, 3, 4, 5]);
                assert_eq!(again, !possible, "{seed}: {pairs:?}");
                unavoidable += usize::from(again);
                for &pair in &pairs {
                    let scored = random.below(9) as u64;
                    swiss.add(pair, [scored, 8 - scored]);
                }
            }
        }
        assert!(unavoidable > 0, "the hard case occurs");
    }

    /// Of two with as many points the one is ranked first whose opponents scored more.
    #[test]
    fn stronger_opponents_rank_higher() {
        let mut swiss = Swiss::new(4, 2, 2);
        // What each engine scores in the two rounds: the leaders and the others meet in the second.
        for scored in [[3, 2, 5, 6], [5, 3, 3, 5]] {
            for pair in swiss.next_round() {
                swiss.add(pair, pair.map(|engine| scored[engine]));
            }
        }
        let rows = swiss.table().into_iter();
        let ranked: Vec<_> = rows.map(|row| (row.engine, row.quarters)).collect();
        assert_eq!(ranked, [(3, 11), (2, 8), (0, 8), (1, 5)]);
    }

    #[test]
    fn equal_points_meet_and_byes_score() {
        let mut swiss = Swiss::new(5, 3, 2);
        let first = swiss.next_round();
        // The last one of the list is idle; the upper half meets the lower.
        assert_eq!(first.iter().flatten().filter(|&&e| e == 4).count(), 0);
        let sets: Vec<usize> = first.iter().map(|[a, b]| a.abs_diff(*b)).collect();
        assert_eq!(sets, [2, 2]);
        for pair in first {
            let best = pair[0].min(pair[1]);
            swiss.add(pair, if pair[0] == best { [8, 0] } else { [0, 8] });
        }
        // The bye counts when its round is over.
        let bye = |swiss: &Swiss| swiss.table().into_iter().find(|row| row.engine == 4);
        let before = bye(&swiss).unwrap();
        assert_eq!((before.quarters, before.byes), (0, 0));
        // 0, 1 and 4 have won; two of them meet.
        let second = swiss.next_round();
        let table = swiss.table();
        assert_eq!((table[0].quarters, table[4].quarters), (8, 0));
        let after = bye(&swiss).unwrap();
        assert_eq!((after.quarters, after.byes), (8, 1));
        let winners = |pair: &[usize; 2]| pair.iter().all(|e| [0, 1, 4].contains(e));
        assert!(second.iter().any(winners), "{second:?}");
    }
}
