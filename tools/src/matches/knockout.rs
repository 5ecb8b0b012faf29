//! The ties of a knockout. No input or output.
//!
//! The order of the engines is their seeding: the first two can meet in the final only, and if their number is not
//! a power of two, the first ones have a bye in the first round. A tie that is level after its games goes on with
//! pairs of games, each with a new opening, until one of them decides.

/// After so many pairs without a decision the better seed goes on.
pub const MOST_TIE_BREAKS: u32 = 8;

/// Two engines of which one goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The engines, the better seed first; the second is absent where the first has a bye.
    pub players: [Option<usize>; 2],
    /// The quarters that each scored.
    pub quarters: [u64; 2],
    /// Pairs of games played to break it.
    pub tie_breaks: u32,
    /// Who goes on, once that is decided.
    pub winner: Option<usize>,
    /// Whether only the seeding decided it.
    pub by_seed: bool,
}

/// What a stage has to play: engines of which the first begins with White, and how many games.
pub type Encounter = ([usize; 2], usize);

/// The state of a knockout.
#[derive(Clone, Debug)]
pub struct Knockout {
    games: usize,
    rounds: Vec<Vec<Tie>>,
    begun: bool,
}

impl Knockout {
    /// A knockout of so many engines, with so many games in each tie.
    pub fn new(engines: usize, games: usize) -> Self {
        let size = engines.next_power_of_two();
        let seats = bracket(size);
        let seat = |seed: usize| (seed < engines).then_some(seed);
        let ties = seats.chunks(2).map(|pair| {
            let [a, b] = [pair[0], pair[1]];
            tie([seat(a.min(b)), seat(a.max(b))])
        });
        Knockout {
            games,
            rounds: vec![ties.collect()],
            begun: false,
        }
    }

    /// The ties, round by round, as far as they are known.
    pub fn rounds(&self) -> &[Vec<Tie>] {
        &self.rounds
    }

    /// The engine that has won it all.
    pub fn winner(&self) -> Option<usize> {
        match self.rounds.last().map(Vec::as_slice) {
            Some([last]) => last.winner,
            _ => None,
        }
    }

    /// What is played next, when all that was to be played has its result; empty if there is a winner.
    pub fn next_stage(&mut self) -> Vec<Encounter> {
        let begun = std::mem::replace(&mut self.begun, true);
        let round = self.rounds.last_mut().expect("there is a first round");
        if begun {
            let mut level = Vec::new();
            for tie in round.iter_mut().filter(|tie| tie.winner.is_none()) {
                decide(tie);
                if let (None, [Some(a), Some(b)]) = (tie.winner, tie.players) {
                    tie.tie_breaks += 1;
                    level.push(([a, b], 2));
                }
            }
            if !level.is_empty() {
                return level;
            }
            if round.len() == 1 {
                return Vec::new();
            }
            let winners: Vec<Option<usize>> = round.iter().map(|tie| tie.winner).collect();
            let next = winners.chunks(2).map(|pair| tie([pair[0], pair[1]]));
            let next: Vec<Tie> = next.collect();
            self.rounds.push(next);
        }
        let number = self.rounds.len();
        let round = self.rounds.last().expect("there is a round");
        let played = round.iter().filter_map(|tie| match tie.players {
            // The better seed begins with White in every other round.
            [Some(a), Some(b)] if number % 2 == 1 => Some(([a, b], self.games)),
            [Some(a), Some(b)] => Some(([b, a], self.games)),
            _ => None,
        });
        played.collect()
    }

    /// Adds the quarters that two engines scored against each other.
    pub fn add(&mut self, players: [usize; 2], quarters: [u64; 2]) {
        let round = self.rounds.last_mut().expect("there is a round");
        for tie in round {
            for (player, scored) in players.into_iter().zip(quarters) {
                let of = |p: usize| tie.players.contains(&Some(p));
                if players.iter().all(|&p| of(p)) {
                    let place = usize::from(tie.players[1] == Some(player));
                    tie.quarters[place] += scored;
                }
            }
        }
    }

    /// The engines, those first that came furthest, then by seed.
    pub fn ranking(&self, engines: usize) -> Vec<usize> {
        let wins = |engine: usize| {
            let ties = self.rounds.iter().flatten();
            ties.filter(|tie| tie.winner == Some(engine)).count()
        };
        let reached = |engine: usize| {
            let rounds = self.rounds.iter();
            rounds
                .filter(|ties| ties.iter().any(|t| t.players.contains(&Some(engine))))
                .count()
        };
        let mut order: Vec<usize> = (0..engines).collect();
        order.sort_by_key(|&engine| std::cmp::Reverse((reached(engine), wins(engine))));
        order
    }
}

fn tie(players: [Option<usize>; 2]) -> Tie {
    let [a, b] = players;
    // The better seed first.
    let players = if a.is_some() && b.is_some() {
        [a.min(b), a.max(b)]
    } else {
        [a.or(b), None]
    };
    Tie {
        players,
        quarters: [0; 2],
        tie_breaks: 0,
        winner: if players[1].is_none() {
            players[0]
        } else {
            None
        },
        by_seed: false,
    }
}

/// Decides a tie by its points, or, after too many pairs, by the seeding.
fn decide(tie: &mut Tie) {
    let [a, b] = tie.quarters;
    tie.winner = match a.cmp(&b) {
        std::cmp::Ordering::Greater => tie.players[0],
        std::cmp::Ordering::Less => tie.players[1],
        std::cmp::Ordering::Equal if tie.tie_breaks >= MOST_TIE_BREAKS => {
            tie.by_seed = true;
            tie.players[0]
        }
        std::cmp::Ordering::Equal => None,
    };
}

/// Seeds in the order of the bracket: neighbours meet, and so do their winners.
fn bracket(size: usize) -> Vec<usize> {
    let mut seats = vec![0];
    while seats.len() < size {
        let all = 2 * seats.len();
        seats = seats.into_iter().flat_map(|s| [s, all - 1 - s]).collect();
    }
    seats
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The better seed wins everything.
    fn played(engines: usize) -> (Knockout, usize) {
        let mut knockout = Knockout::new(engines, 2);
        let mut games = 0;
        loop {
            let stage = knockout.next_stage();
            if stage.is_empty() {
                return (knockout, games);
            }
            for (players, n) in stage {
                games += n;
                let best = players[0].min(players[1]);
                let quarters = players.map(|p| if p == best { 6 } else { 2 });
                knockout.add(players, quarters);
            }
        }
    }

    #[test]
    fn brackets_and_byes() {
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        for engines in 2..=17 {
            let (knockout, games) = played(engines);
            assert_eq!(knockout.winner(), Some(0), "{engines}");
            // Everyone but the winner loses one tie.
            assert_eq!(games, 2 * (engines - 1), "{engines}");
            let rounds = engines.next_power_of_two().trailing_zeros() as usize;
            assert_eq!(knockout.rounds().len(), rounds);
            let byes: Vec<usize> = knockout.rounds()[0]
                .iter()
                .filter(|tie| tie.players[1].is_none())
                .filter_map(|tie| tie.players[0])
                .collect();
            assert_eq!(byes.len(), engines.next_power_of_two() - engines);
            assert!(byes.iter().all(|&seed| seed < byes.len()), "{byes:?}");
            let order = knockout.ranking(engines);
            assert_eq!(order[..2], [0, 1], "the two best meet in the final");
        }
    }

    #[test]
    fn the_better_seed_begins_with_white_in_every_other_round() {
        let mut knockout = Knockout::new(4, 2);
        assert_eq!(knockout.next_stage(), [([0, 3], 2), ([1, 2], 2)]);
        knockout.add([0, 3], [6, 2]);
        knockout.add([1, 2], [6, 2]);
        assert_eq!(knockout.next_stage(), [([1, 0], 2)]);
    }

    #[test]
    fn level_ties_go_on() {
        let mut knockout = Knockout::new(2, 2);
        assert_eq!(knockout.next_stage(), [([0, 1], 2)]);
        knockout.add([0, 1], [4, 4]);
        assert_eq!(knockout.next_stage(), [([0, 1], 2)]);
        knockout.add([1, 0], [5, 3]);
        assert!(knockout.next_stage().is_empty());
        let tie = knockout.rounds()[0][0];
        assert_eq!((tie.quarters, tie.tie_breaks), ([7, 9], 1));
        assert_eq!((knockout.winner(), tie.by_seed), (Some(1), false));
    }

    /// Engines that never beat each other do not play for ever.
    #[test]
    fn the_seed_decides_at_last() {
        let mut knockout = Knockout::new(2, 2);
        let mut stages = 0;
        while !knockout.next_stage().is_empty() {
            knockout.add([0, 1], [4, 4]);
            stages += 1;
        }
        assert_eq!(stages, 1 + MOST_TIE_BREAKS);
        assert_eq!(knockout.winner(), Some(0));
        assert!(knockout.rounds()[0][0].by_seed);
    }
}
