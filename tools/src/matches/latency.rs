//! The accuracy of the clocks: the time lost between players and referee. No input or output.

use super::game_record::GameRecord;
use super::options::EngineSpec;

/// The measurements of one engine.
#[derive(Clone, Debug, Default)]
pub struct Latency {
    /// Times of moves beyond what the engine says it used, in microseconds.
    lags: Vec<i64>,
    /// Times of moves beyond `st=`, in microseconds; only of those that were late.
    late: Vec<i64>,
    moves: usize,
}

impl Latency {
    /// Adds the answers that an engine gave in a game.
    pub fn add(&mut self, spec: &EngineSpec, game: &GameRecord) {
        // White made the moves with even numbers if it made the first one.
        let black_begins = game.fen.split_whitespace().nth(1) == Some("b");
        let first = usize::from((game.white == spec.name) == black_begins);
        for (i, note) in game.notes.iter().enumerate() {
            if (i + game.book_plies) % 2 != first {
                continue;
            }
            self.lags.extend(note.lag);
            self.answered(spec, note.micros);
        }
        // The answer by which it lost on time is no move of the game.
        if let Some(micros) = game.late.filter(|_| game.at_fault() == Some(&spec.name)) {
            self.answered(spec, micros);
        }
    }

    fn answered(&mut self, spec: &EngineSpec, micros: u64) {
        self.moves += 1;
        if let Some(st) = spec.limits.st {
            let late = micros as i64 - st.as_micros() as i64;
            self.late.extend((late > 0).then_some(late));
        }
    }

    /// One line: median, 99 % and maximum of the time lost and, where a move's time is fixed, of the
    /// lateness.
    pub fn line(&mut self, spec: &EngineSpec) -> Option<String> {
        if self.moves == 0 {
            return None;
        }
        let moves = match self.moves {
            1 => "1 move".to_owned(),
            n => format!("{n} moves"),
        };
        let mut text = format!("Latency of {} in {moves}: ", spec.name);
        text += &match self.lags.is_empty() {
            true => "it reports no times".to_owned(),
            false => spread(&mut self.lags),
        };
        if spec.limits.st.is_some() {
            let share = 100.0 * self.late.len() as f64 / self.moves as f64;
            text += &format!("; later than its time: {share:.2} %");
            if !self.late.is_empty() {
                text += &format!(", by {}", spread(&mut self.late));
            }
        }
        Some(text)
    }
}

fn spread(micros: &mut [i64]) -> String {
    micros.sort_unstable();
    let at = |share: f64| micros[((micros.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
    format!(
        "median {:.1} ms, 99 % {:.1} ms, most {:.1} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also of a single move whose time the engine does not report.
    #[test]
    fn lines() {
        let mut spec = crate::matches::schedule::tests::options(2, "")
            .engines
            .remove(0);
        spec.limits.st = Some(std::time::Duration::from_millis(10));
        let mut latency = Latency {
            moves: 1,
            ..Latency::default()
        };
        let told = "Latency of e0 in 1 move: it reports no times; later than its time: 0.00 %";
        assert_eq!(latency.line(&spec).unwrap(), told);
        latency.moves = 2;
        latency.lags = vec![0, 2000];
        latency.late = vec![2000];
        let told = "Latency of e0 in 2 moves: median 0.0 ms, 99 % 0.0 ms, most 2.0 ms; later than its \
                    time: 50.00 %, by median 2.0 ms, 99 % 2.0 ms, most 2.0 ms";
        assert_eq!(latency.line(&spec).unwrap(), told);
    }

    #[test]
    fn spreads() {
        let mut micros: Vec<i64> = (0..=100).rev().map(|i| i * 1000).collect();
        assert_eq!(
            spread(&mut micros),
            "median 50.0 ms, 99 % 99.0 ms, most 100.0 ms"
        );
        assert_eq!(
            spread(&mut [-500]),
            "median -0.5 ms, 99 % -0.5 ms, most -0.5 ms"
        );
    }
}
