//! Which 64-bit word of path space holds the paths of which class.

use crate::board::Board;
use crate::game_text::compile::class_cells;
use crate::rules::spec::{GameSpec, skips};
use crate::rules::{LANE_BITS, LanePlan};

/// Gives each class of paths the first word that has room for its paths on every cell; `None` where there is no such word,
/// and the game cannot be compiled. The words are those of `tables/lanes.rs`.
pub fn plan(spec: &GameSpec) -> Option<LanePlan> {
    let board = Board::new(&spec.board, 256);
    let (classes, needs) = (spec.classes(), class_cells(spec, &board));
    if needs.iter().flatten().any(|&need| need > LANE_BITS) {
        return None;
    }
    let mut plan = LanePlan::NONE;
    let mut used: Vec<Vec<usize>> = Vec::new();
    for (class, need) in needs.iter().enumerate() {
        let fits = |used: &Vec<usize>| used.iter().zip(need).all(|(u, n)| u + n <= LANE_BITS);
        let word = used.iter().position(fits).unwrap_or_else(|| {
            used.push(vec![0; need.len()]);
            used.len() - 1
        });
        for (used, need) in used[word].iter_mut().zip(need) {
            *used += need;
        }
        let users = classes.get(class);
        plan.class_words[class] = word;
        let held = &mut plan.word_classes[word];
        if held.count < held.classes.len() {
            held.classes[held.count] = class;
            held.class_users[held.count] = users;
        }
        held.users |= users;
        held.count += 1;
        for (kind, words) in plan.kind_words.iter_mut().enumerate() {
            *words |= (users >> kind & 1) << word;
        }
    }
    plan.words = used.len();
    for (split, held) in plan.split.iter_mut().zip(&plan.word_classes) {
        let is_half = |&class: &usize| is_half(spec, class, &needs[class]);
        *split = held.count == 2 && held.classes.iter().all(is_half);
    }
    Some(plan)
}

/// Whether a class may have half a word to itself: its paths always fit, and every kind that uses them counts all of their
/// cells, as is so for straight lines that touch every cell on their way.
fn is_half(spec: &GameSpec, class: usize, needs: &[usize]) -> bool {
    let axes = spec.axes();
    let axes = (0..axes.len).map(|place| axes.get(place));
    let mut lines = axes.filter(|axis| axis.1 == class).peekable();
    lines.peek().is_some()
        && lines.all(|(step, _)| !skips(step))
        && needs.iter().all(|&need| need <= LANE_BITS / 2)
}
