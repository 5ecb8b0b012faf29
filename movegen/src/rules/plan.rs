//! What follows from the rules of a game, in one place: the compiler works it out for a game that is known when the
//! program is compiled, and the program itself for a game that it reads from a file.

use super::derived::ConstList;
use super::lane_plan::LanePlan;
use super::piece::Kind;
use super::spec::{GameSpec, MOST_KINDS, Step, skips};

/// The rules and what follows from them.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The game as data.
    pub rules: &'static GameSpec,
    /// The number of kinds of piece.
    pub kinds: usize,
    /// The number of steps and of captures that every pawn has.
    pub pawn_steps: usize,
    pub pawn_captures: usize,
    /// Whether any pawn has captures on its first move alone.
    pub first_captures: bool,
    /// Whether any pawn may make three steps at once.
    pub triple_steps: bool,
    /// The difference between the indices of neighbouring rows, where it is the same everywhere.
    pub stride: Option<i32>,
    /// The kinds that leap.
    pub leapers: ConstList<Kind>,
    /// The number of kinds that leap.
    pub leaper_count: usize,
    /// The kinds that leap except the king, bit k for kind k.
    pub leaping: u16,
    /// For each kind its place among the leapers.
    pub leaper_places: [usize; MOST_KINDS],
    /// The axes of straight lines: direction and class.
    pub axes: ConstList<(Step, usize)>,
    /// The number of axes.
    pub axis_count: usize,
    /// The axes whose lines pass over cells without touching them, bit a for axis a.
    pub skipping: u32,
    /// The classes of paths.
    pub classes: ConstList<u16>,
    /// The number of classes.
    pub class_count: usize,
    /// The number of classes of straight lines: they come before the others.
    pub straight_classes: usize,
    /// The kinds that have paths longer than a leap, bit k for kind k.
    pub sliding: u16,
    /// The kinds that have crooked or short paths, bit k for kind k.
    pub crooked: u16,
    /// The kinds with paths of different classes that may share cells, bit k for kind k.
    pub overlapping: u16,
    /// Where the paths of each class lie in path space, see `tables/lanes.rs`.
    pub lanes: LanePlan,
    /// The number of words of lanes.
    pub lane_words: usize,
}

impl Plan {
    /// What follows from the rules of a game whose sets of cells have `capacity` bits. Path space is planned only for the
    /// games of this library: others do without it.
    pub const fn of(rules: &'static GameSpec, capacity: usize, lanes: LanePlan) -> Self {
        let (leapers, axes, classes) = (rules.leapers(), rules.axes(), rules.classes());
        let mut straight_classes = 0;
        let (mut axis, mut skipping) = (0, 0u32);
        while axis < axes.len {
            let (step, class) = axes.get(axis);
            if class >= straight_classes {
                straight_classes = class + 1;
            }
            if skips(step) {
                skipping |= 1 << axis;
            }
            axis += 1;
        }
        let (mut leaping, mut leaper_places) = (0, [0; MOST_KINDS]);
        let mut place = 1;
        while place < leapers.len {
            leaping |= 1 << leapers.get(place);
            leaper_places[leapers.get(place) as usize] = place;
            place += 1;
        }
        Plan {
            rules,
            kinds: rules.pieces.len(),
            pawn_steps: rules.pawn.steps.len(),
            pawn_captures: rules.pawn.captures.len(),
            first_captures: rules.pawn.has_first_captures(),
            triple_steps: rules.pawn.most_first_steps() > 2,
            stride: rules.board.stride(capacity),
            leaper_count: leapers.len,
            leapers,
            leaping,
            leaper_places,
            axis_count: axes.len,
            axes,
            skipping,
            class_count: classes.len,
            classes,
            straight_classes,
            sliding: users(&classes, 0),
            crooked: users(&classes, straight_classes),
            overlapping: rules.overlapping(),
            lane_words: lanes.words,
            lanes,
        }
    }
}

/// The kinds that have paths of a class from `first` on, bit k for kind k.
const fn users(classes: &ConstList<u16>, first: usize) -> u16 {
    let (mut kinds, mut class) = (0, first);
    while class < classes.len {
        kinds |= classes.get(class);
        class += 1;
    }
    kinds
}
