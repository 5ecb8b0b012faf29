//! The rows of the handmade evaluation, summed up into ideas.

use hexmate_movegen::Side;

use super::Part;

/// An idea: its name in JSON, and what is said if the side to move (of two) gains by it, or loses. `{us}` and `{them}`
/// stand for the sides.
struct Idea {
    name: &'static str,
    gains: &'static str,
    loses: &'static str,
}

const fn idea(name: &'static str, gains: &'static str, loses: &'static str) -> Idea {
    Idea { name, gains, loses }
}

/// The ideas.
const IDEAS: [Idea; 14] = [
    idea("material", "material", "material"),
    idea("placement", "better placed pieces", "worse placed pieces"),
    idea("mobility", "more mobility", "less mobility"),
    idea(
        "their-mobility",
        "less mobility for {them}",
        "more mobility for {them}",
    ),
    idea("threats", "more threats", "fewer threats"),
    idea(
        "their-threats",
        "fewer threats by {them}",
        "more threats by {them}",
    ),
    idea(
        "king-attack",
        "more pressure on {them}’s king",
        "less pressure on {them}’s king",
    ),
    idea(
        "king-safety",
        "a safer king for {us}",
        "a less safe king for {us}",
    ),
    idea(
        "pawn-structure",
        "the better pawn structure",
        "the worse pawn structure",
    ),
    idea(
        "passed-pawns",
        "stronger passed pawns",
        "weaker passed pawns",
    ),
    idea(
        "their-passed-pawns",
        "weaker passed pawns for {them}",
        "stronger passed pawns for {them}",
    ),
    idea("colours", "more colours covered", "fewer colours covered"),
    idea("tempo", "the move", "the move"),
    idea("mop-up", "a better hunted king", "a worse hunted king"),
];

/// The idea that a row belongs to, for the side that it is about and for the other one.
fn ideas_of(row: &str) -> [&'static str; 2] {
    match row {
        "material" => ["material"; 2],
        "inside" | "ahead" | "cell" => ["placement"; 2],
        "mobility" => ["mobility", "their-mobility"],
        "threat" | "pawn-threat" => ["threats", "their-threats"],
        "king-hits" | "attackers" | "pawn-hits" => ["king-attack", "king-safety"],
        "shelter" | "guards" | "exposure" => ["king-safety", "king-attack"],
        "colours" => ["colours"; 2],
        "tempo" => ["tempo"; 2],
        "mop-up" => ["mop-up"; 2],
        row if row.starts_with("passed") => ["passed-pawns", "their-passed-pawns"],
        _ => ["pawn-structure"; 2],
    }
}

/// An explanation of the evaluation: rows with their names, and what they give White and Black.
pub type Rows = Vec<(&'static str, i32, i32)>;

/// By how much each idea is better for `side` at one end than at the other, the greatest first. They add up to the
/// difference of the evaluations.
pub fn compare(side: Side, best: &Rows, other: &Rows) -> Vec<Part> {
    let mut sums = [0; IDEAS.len()];
    for (rows, sign) in [(best, 1), (other, -1)] {
        for &(row, white, black) in rows {
            let (own, enemy) = match side {
                Side::White => (white, black),
                Side::Black => (black, white),
            };
            let parts = [sign * own, -sign * enemy];
            for (name, part) in ideas_of(row).into_iter().zip(parts) {
                let place = IDEAS.iter().position(|idea| idea.name == name);
                sums[place.expect("every row belongs to an idea")] += part;
            }
        }
    }
    let mut parts: Vec<Part> = (IDEAS.iter().zip(sums))
        .filter(|&(_, cp)| cp != 0)
        .map(|(idea, cp)| Part {
            term: idea.name.to_owned(),
            cp,
        })
        .collect();
    parts.sort_by_key(|part| -part.cp.abs());
    parts
}

/// A part in words; `sides` are the names of the side to move and of the other.
pub fn words(part: &Part, sides: [&str; 2]) -> String {
    let idea = IDEAS.iter().find(|idea| idea.name == part.term);
    let text = idea.map_or(part.term.as_str(), |idea| {
        if part.cp > 0 { idea.gains } else { idea.loses }
    });
    text.replace("{us}", sides[0]).replace("{them}", sides[1])
}

#[cfg(test)]
mod tests {
    use hexmate_engine::Handmade;
    use hexmate_movegen::{Position, for_each_game};

    use super::*;

    /// Every row of every game belongs to an idea on purpose, and nothing gets lost.
    #[test]
    fn parts_add_up_to_the_difference() {
        for_each_game!(G => {
            let start = Position::<G>::start();
            let handmade = Handmade::of(start.game());
            for mv in start.legal_moves() {
                let mut next = start;
                next.play(mv).unwrap();
                let rows = [start, next].map(|p| handmade.explain(&p));
                for side in Side::BOTH {
                    let parts = compare(side, &rows[0], &rows[1]);
                    let sign = if side == Side::White { 1 } else { -1 };
                    // The side to move is White first, then Black.
                    let evals = [handmade.evaluate(&start), -handmade.evaluate(&next)];
                    let sum: i32 = parts.iter().map(|part| part.cp).sum();
                    assert_eq!(sum, sign * (evals[0] - evals[1]));
                    assert!(parts.is_sorted_by_key(|part| -part.cp.abs()));
                }
            }
            let known = [
                "doubled", "isolated", "chained", "blocked", "passed", "passed-free",
                "passed-chained", "passed-king", "passed-enemy-king",
            ];
            for (row, _, _) in handmade.explain(&start) {
                let ideas = ideas_of(row);
                let by_default = ideas[0] == "pawn-structure" || row.starts_with("passed");
                assert!(!by_default || known.contains(&row), "{row} has no idea of its own");
            }
        });
    }
}
