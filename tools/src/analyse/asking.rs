//! The searches behind an explanation: of the other move, of all moves but the best, and of what a side would do if the
//! other passed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hexmate_engine::{Budget, Engine, Limits, SearchFault, Table, run_search};
use hexmate_movegen::{Game, Move, Record};

use super::answer::{Bound, Findings, Score, first_bound};
use super::settings::Settings;
use crate::explain::{Explanation, Line, Question, explain, worth};

/// Of the nodes and the time of a search, those beside the two moves that are compared get this part; of the depth, all
/// but this part.
const PART: u32 = 4;
/// But no fewer nodes than this.
const LEAST_NODES: u64 = 1000;

/// What is searched with.
pub struct Asking<'w, G: Game> {
    pub engine: &'w mut Engine<G>,
    pub table: &'w mut Table,
    pub record: &'w Record<G>,
    pub settings: &'w Settings,
    pub stop: &'w AtomicBool,
}

/// What a search gave; `None`: it was stopped.
type Searched = Result<Option<Line>, SearchFault>;

impl<G: Game> Asking<'_, G> {
    /// Explains the best move of a search of the position: beside the move that was played, if there was another one
    /// (it need not be among `searchmoves`), or else beside the second best.
    ///
    /// # Errors
    /// If a search breaks.
    pub fn explanation(
        &mut self,
        found: &Findings,
        searchmoves: &[Move],
        played: Option<Move>,
    ) -> Result<Option<Box<Explanation>>, SearchFault> {
        let Some(best) = self.line(&found.pv, &found.score, found.bound) else {
            return Ok(None);
        };
        let others = self.all_but(best.moves[0], searchmoves);
        let played = played.filter(|mv| *mv != best.moves[0]);
        let lines = found.lines.iter().flatten().skip(1);
        let lines: Vec<Line> = lines
            .filter_map(|line| self.line(&line.pv, &line.score, line.bound))
            .collect();
        let asked = self.settings.mate.map_or(0, i64::from);
        let mates =
            |line: &Line| matches!(line.score, Score::Mate(n) if n > 0 && i64::from(n) <= asked);
        // Beside a mate that was asked for, lines without one are those of the first depth.
        let is_shallow = |line: &Line| mates(&best) && !mates(line);
        // The search for it looks for shorter ones first, and its depth is the plies to the mate.
        let proven = mates(&best) && best.score == Score::Mate(found.depth.div_ceil(2) as i32);
        let second = lines.first().filter(|line| !is_shallow(line));
        let alone = played.is_some() || second.is_none();
        let other = match (played, second) {
            (Some(mv), _) => self.search(self.record, &[mv], 1)?,
            (None, Some(line)) => Some(line.clone()),
            (None, None) if others.is_empty() => None,
            (None, None) => self.search(self.record, &others, 1)?,
        };
        if other.is_none() && (played.is_some() || !others.is_empty()) {
            return Ok(None);
        }
        let next = match played {
            // No moves to search would mean all of them.
            Some(_) if others.is_empty() => None,
            Some(_) => self.search(self.record, &others, PART)?,
            None => other.clone(),
        };
        // The lines of the answer may know of better moves than a smaller search.
        let next = next
            .into_iter()
            .chain(lines)
            .max_by_key(|line| worth(&line.score));
        self.ask(Question {
            best,
            other,
            alone,
            proven,
            next,
            passed: None,
            unanswered: None,
            searchmoves: searchmoves.to_vec(),
        })
    }

    /// The same for a move that was searched alone.
    ///
    /// # Errors
    /// As [`Asking::explanation`].
    pub fn explanation_of(
        &mut self,
        before: &Findings,
        alone: &Findings,
    ) -> Result<Option<Explanation>, SearchFault> {
        let lines = [before, alone].map(|found| self.line(&found.pv, &found.score, found.bound));
        let [Some(best), Some(other)] = lines else {
            return Ok(None);
        };
        let others = self.all_but(best.moves[0], &[]);
        let next = self.search(self.record, &others, PART)?;
        let explanation = self.ask(Question {
            best,
            other: Some(other),
            alone: true,
            proven: false,
            next,
            passed: None,
            unanswered: None,
            searchmoves: Vec::new(),
        })?;
        Ok(explanation.map(|explanation| *explanation))
    }

    /// Asks what the sides would do if the other passed, and explains.
    fn ask(&mut self, mut question: Question) -> Result<Option<Box<Explanation>>, SearchFault> {
        let position = *self.record.position();
        question.passed = self.if_passed(&Record::new(position))?;
        let mut after = Record::new(position);
        question.unanswered = match after.play(question.best.moves[0]) {
            Ok(()) => self.if_passed(&after)?,
            Err(_) => None,
        };
        if self.is_stopped() {
            return Ok(None);
        }
        let explanation = explain(self.engine.evaluation(), self.record, &question);
        Ok(Some(Box::new(explanation)))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The line of an answer as moves; `None` without moves.
    fn line(&self, pv: &[String], score: &Score, bound: Option<Bound>) -> Option<Line> {
        let mut position = *self.record.position();
        let mut moves = Vec::new();
        for text in pv {
            let Ok(mv) = position.parse_move(text) else {
                break;
            };
            if position.play(mv).is_err() {
                break;
            }
            moves.push(mv);
        }
        (!moves.is_empty()).then(|| Line {
            moves,
            score: score.clone(),
            bound,
        })
    }

    /// The moves beside the best one that may be made.
    fn all_but(&self, best: Move, searchmoves: &[Move]) -> Vec<Move> {
        let mut moves = self.record.position().legal_moves();
        moves.retain(|mv| *mv != best && (searchmoves.is_empty() || searchmoves.contains(mv)));
        moves.sort_unstable();
        moves
    }

    /// What the other side does if the side to move passes; `None` if that makes no sense.
    fn if_passed(&mut self, record: &Record<G>) -> Searched {
        let position = record.position();
        let passed = match position.null_move() {
            Some(passed) if position.outcome().is_none() => passed,
            _ => return Ok(None),
        };
        if passed.outcome().is_some() {
            return Ok(None);
        }
        self.search(&Record::new(passed), &[], PART)
    }

    /// Searches a position within a part of the limits.
    fn search(&mut self, record: &Record<G>, searchmoves: &[Move], part: u32) -> Searched {
        if self.is_stopped() {
            return Ok(None);
        }
        let settings = self.settings;
        let times = [settings.movetime, settings.timeout].into_iter().flatten();
        let time = times.min().map(|time| time / part);
        let less = |depth: u32| {
            if part > 1 {
                (depth - depth / 4).max(1)
            } else {
                depth
            }
        };
        let share = |nodes: u64| (nodes / u64::from(part)).max(nodes.min(LEAST_NODES));
        let limits = Limits {
            searchmoves,
            depth: settings.depth.map(less),
            nodes: settings.nodes_to_explain().map(share),
            time: time.map(|time| Budget::fixed(time, Duration::ZERO)),
            stop: Some(self.stop),
            ..Limits::default()
        };
        self.table.new_search();
        let found = run_search(self.engine, self.table, record, limits, |_| {})?;
        let report = found.report;
        if self.is_stopped() || report.depth == 0 {
            return Ok(None);
        }
        let moves = report.pv().to_vec();
        Ok((!moves.is_empty()).then(|| Line {
            moves,
            score: report.score().into(),
            bound: first_bound(&report),
        }))
    }
}
