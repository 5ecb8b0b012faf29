//! What separates the best move from another one, in numbers and in words.
//!
//! `find` compares the lines of the two moves where they come to rest: mates, draws by rule, material, and the terms of
//! the handmade evaluation, whatever evaluated the search. `terms` sums these up into ideas that have a name at the
//! board. `words` says it. Every claim is one of the numbers of an [`Explanation`], which can be checked by replaying
//! its lines; where they do not account for the scores, nothing more is said than that.

mod find;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use serde::{Deserialize, Serialize};

use crate::score::{Bound, Score};
pub use find::{Line, Question, explain, worth};
pub(crate) use words::numbered_line;

/// What separates the best move from another one. Scores and centipawns are those of the side to move.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Explanation {
    /// All of it in words.
    pub words: String,
    /// The best move.
    pub best: Way,
    /// The other one: the move played, or the second best; `None` if there is only one legal move, or only one to
    /// search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Way>,
    /// The centipawns by which the best move has the better score, unless one of them is a mate. Not exact if
    /// one is a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<i32>,
    /// The same of the handmade evaluation at the ends of both lines, idea by idea, the greatest first. They add up to
    /// the difference of [`Way::eval`]. Empty if a line has no end at rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Part>,
    /// If every other move (of those to search) would be a blunder by review's measure: the best of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
    /// What the opponent would do if the side to move passed, if that costs it much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threat: Option<Threat>,
    /// What the side to move would do after the best move if the opponent passed, if that gains much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threatens: Option<Threat>,
}

/// A move and what it leads to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Way {
    /// The move in cells.
    #[serde(rename = "move")]
    pub first: String,
    /// Its score.
    pub score: Score,
    /// Which bound the score is, if a limit has cut the search short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The line with the captures after which it is at rest, in cells.
    pub line: Vec<String>,
    /// How it ends.
    pub end: End,
    /// The handmade evaluation of the end, if that is at rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<i32>,
    /// The material that changes hands.
    #[serde(flatten)]
    pub material: Material,
}

/// How a line ends.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Nothing hangs, and no check is to be answered.
    Rest,
    /// Somewhere.
    Open,
    /// Checkmate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// An earlier position is there again.
    Repetition,
    /// The side to move can bring an earlier position back, and the score is that of a draw.
    Return,
    /// Drawn for want of progress.
    Progress,
    /// Only the kings are left.
    Kings,
}

/// The material that changes hands in a line, what is traded for its like left out.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Material {
    /// The letters of the kinds that the side to move wins, the most valuable first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wins: String,
    /// The same that it loses.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub loses: String,
    /// The letters of the kinds that its pawns become.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub promotes: String,
    /// The same of the opponent's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub concedes: String,
    /// What all of this is worth.
    pub worth: i32,
    /// The ply of the line, from 1, that takes (or becomes) the most valuable of what is won; 0: nothing is.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub won_at: usize,
    /// The same for what is lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_at: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// An idea of the evaluation and what it counts for.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name in `terms`.
    pub term: String,
    /// The centipawns by which the best move's line is better.
    pub cp: i32,
}

/// The best of all other moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Next {
    /// The move in cells.
    #[serde(rename = "move")]
    pub first: String,
    /// Its score, from the side to move.
    pub score: Score,
    /// As in [`Way`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
}

/// What a side would do if the other passed.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Threat {
    /// The move in cells.
    #[serde(rename = "move")]
    pub first: String,
    /// The score, from the side to move of the explained position.
    pub score: Score,
    /// As in [`Way`], from the same side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The line with the captures after which it is at rest, in cells, beginning after the pass.
    pub line: Vec<String>,
    /// The material that changes hands, from the side that threatens.
    #[serde(flatten)]
    pub material: Material,
}
