//! How many positions of a table there are of each category, and how far the ends are.

use serde::{Deserialize, Serialize};

use crate::value::{Category, Code, decode};

/// The positions of one side to move, as they stand on the board: what symmetry makes one in the table is
/// counted as often as it occurs. Categories are those of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // the words say it
pub struct Counts {
    pub legal: u64,
    pub win: u64,
    pub draw: u64,
    pub loss: u64,
    pub gives_stalemate: u64,
    pub stalemated: u64,
    pub longest_win_plies: u16,
    /// The longest of all: win, loss, and either kind of stalemate.
    pub longest_plies: [u16; 4],
}

impl Counts {
    /// The longest distance of a category.
    pub fn longest(&self, category: Category) -> u16 {
        let [win, loss, gives, stalemated] = self.longest_plies;
        match category {
            Category::Win => win,
            Category::Loss => loss,
            Category::GivesStalemate => gives,
            Category::Stalemated => stalemated,
            Category::Draw => 0,
        }
    }

    pub(crate) fn add(&mut self, code: Code, weight: u64) {
        let Some(value) = decode(code) else {
            return;
        };
        self.legal += weight;
        let [win, loss, gives, stalemated] = &mut self.longest_plies;
        let (count, longest) = match value.category {
            Category::Win => (&mut self.win, win),
            Category::Loss => (&mut self.loss, loss),
            Category::GivesStalemate => (&mut self.gives_stalemate, gives),
            Category::Stalemated => (&mut self.stalemated, stalemated),
            Category::Draw => {
                self.draw += weight;
                return;
            }
        };
        *count += weight;
        *longest = (*longest).max(value.plies);
        self.longest_win_plies = self.longest_plies[0];
    }

    pub(crate) fn sum(mut self, other: &Counts) -> Counts {
        self.legal += other.legal;
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.gives_stalemate += other.gives_stalemate;
        self.stalemated += other.stalemated;
        for (own, other) in self.longest_plies.iter_mut().zip(other.longest_plies) {
            *own = (*own).max(other);
        }
        self.longest_win_plies = self.longest_plies[0];
        self
    }
}
