use hexmate_movegen::GameId;

use super::*;
use crate::explain::Material;

/// All legal moves were searched.
const EVERYTHING: Scope = Scope {
    all: true,
    other: true,
    alone: true,
    proven: false,
};

fn way(cells: &[&str], score: Score, end: End, eval: Option<i32>) -> Way {
    Way {
        first: cells[0].to_owned(),
        score,
        bound: None,
        line: cells.iter().map(|&text| text.to_owned()).collect(),
        end,
        eval,
        material: Material::default(),
    }
}

/// A way that ends at rest, and what it wins, loses, promotes and concedes.
fn with_material(cells: &[&str], score: i32, material: [&str; 4], worth: i32) -> Way {
    let [wins, loses, promotes, concedes] = material.map(str::to_owned);
    let mut way = way(cells, Score::Cp(score), End::Rest, Some(score));
    way.material = Material {
        wins,
        loses,
        promotes,
        concedes,
        worth,
        won_at: 1,
        lost_at: 1,
    };
    way
}

/// The words for an explanation of the start in Gliński's chess.
fn told(best: Way, other: Way, parts: &[(&str, i32)]) -> String {
    let by = match (&best.score, &other.score) {
        (Score::Cp(best), Score::Cp(other)) => Some(best - other),
        _ => None,
    };
    let part = |&(term, cp): &(&str, i32)| Part {
        term: term.to_owned(),
        cp,
    };
    let explanation = Explanation {
        words: String::new(),
        best,
        other: Some(other),
        by,
        terms: parts.iter().map(part).collect(),
        next: None,
        threat: None,
        threatens: None,
    };
    words(
        &explanation,
        &AnyPosition::start(GameId::Glinski),
        EVERYTHING,
    )
}

#[test]
fn sentences() {
    let cp = Score::Cp;
    let rest = |cells: &[&str], score: i32, eval: i32| way(cells, cp(score), End::Rest, Some(eval));
    let queen = || rest(&["e1c3", "e10c6"], 41, 30);
    assert_eq!(
        told(
            queen(),
            rest(&["b1b2"], 0, -11),
            &[("threats", 28), ("their-mobility", 13)]
        ),
        "Qc3 is better by 0.41 than b2: more threats +0.28, less mobility for Black +0.13."
    );
    assert_eq!(
        told(
            queen(),
            rest(&["b1b2"], -9, -18),
            &[("mobility", 60), ("king-safety", -20), ("tempo", 8)]
        ),
        "Qc3 is better by 0.50 than b2: more mobility +0.60, a less safe king for White −0.20, all else +0.08."
    );
    assert_eq!(
        told(
            queen(),
            rest(&["b1b2"], -9, -20),
            &[("mobility", 20), ("tempo", 30)]
        ),
        "Qc3 is better by 0.50 than b2; no single reason stands out."
    );
    assert_eq!(
        told(queen(), rest(&["b1b2"], -9, 90), &[("mobility", -60)]),
        "Qc3 is better by 0.50 than b2; what decides lies beyond the ends of the lines."
    );
    assert_eq!(
        told(queen(), rest(&["b1b2"], 36, 25), &[("mobility", 5)]),
        "Qc3 and b2 are about equal: the difference of 0.05 is within the search’s own uncertainty."
    );
    let searched = told(queen(), rest(&["b1b2"], 100, 80), &[("mobility", -50)]);
    assert!(
        searched.starts_with("Searched by itself, b2 comes out better than Qc3 by 0.59"),
        "{searched}"
    );
    let mated = way(&["b1b2", "e10c6"], Score::Mate(-2), End::Mate, None);
    assert_eq!(
        told(queen(), mated, &[]),
        "After b2 Black mates in 2 moves; Qc3 avoids it."
    );
    let repeats = way(&["b1b2"], cp(0), End::Repetition, None);
    assert_eq!(
        told(queen(), repeats, &[]),
        "b2 leads to a draw by repetition; Qc3 is better by 0.41."
    );
    let returns = way(&["b1b2"], cp(0), End::Return, None);
    assert_eq!(
        told(queen(), returns, &[]),
        "After b2 the line ends where Black can repeat the position; Qc3 is better by 0.41."
    );
    let stalemate = way(&["b1b2"], cp(191), End::Stalemate, None);
    let mates = || way(&["e1c3"], Score::Mate(1), End::Mate, None);
    assert_eq!(
        told(mates(), rest(&["b1b2"], 0, 0), &[]),
        "Qc3 is mate; b2 is not."
    );
    assert_eq!(
        told(mates(), stalemate, &[]),
        "Qc3 is mate; after b2 Black is stalemated, which gives White 3/4 of the point."
    );
}

/// A search may have overlooked a shorter mate, and of one that a limit has cut off little is known.
#[test]
fn of_a_mate_no_more_is_said_than_its_line_shows() {
    let b2 = |mate, end| way(&["b1b2"], Score::Mate(mate), end, None);
    let queen = |mate, end| way(&["e1c3"], Score::Mate(mate), end, None);
    let level = |cells: &[&str]| way(cells, Score::Cp(0), End::Rest, Some(0));
    let (shown, open) = (End::Mate, End::Open);
    for (best, other, said) in [
        (
            queen(3, shown),
            b2(7, open),
            "Qc3 mates in 3 moves at most; b2 also mates.",
        ),
        (
            queen(2, shown),
            b2(4, shown),
            "Qc3 mates in 2 moves, b2 in 4 moves at most.",
        ),
        (
            queen(2, shown),
            b2(2, shown),
            "Qc3 and b2 both mate in 2 moves.",
        ),
        (queen(2, open), b2(4, shown), "Qc3 and b2 both mate."),
        (
            queen(-4, open),
            b2(-3, shown),
            "Black mates after Qc3 and after b2.",
        ),
        (
            queen(-4, shown),
            b2(-2, shown),
            "Black mates in any case: in 4 moves at most after Qc3, in 2 moves after b2.",
        ),
        (
            queen(5, shown),
            b2(4, shown),
            "Qc3 mates in 5 moves at most; searched by itself, b2 even in 4 moves at most.",
        ),
        (
            queen(-2, shown),
            b2(-4, shown),
            "Black mates in any case: in 2 moves after Qc3; searched by itself, b2 seems to last longer: in 4 moves at most.",
        ),
        (
            queen(4, open),
            level(&["b1b2"]),
            "Qc3 mates; after b2 no mate was found.",
        ),
        (
            queen(4, open),
            b2(-5, open),
            "Qc3 mates; after b2 Black mates.",
        ),
        (
            level(&["e1c3"]),
            b2(-4, shown),
            "After b2 Black mates in 4 moves at most; Qc3 avoids it.",
        ),
        (
            level(&["e1c3"]),
            b2(-4, open),
            "After b2 Black mates; Qc3 avoids it.",
        ),
    ] {
        assert_eq!(told(best, other, &[]), said);
    }
}

/// What a limit has cut short may yet come out the other way.
#[test]
fn of_scores_that_are_bounds_no_exact_difference_is_told() {
    let (lower, upper) = (Some(Bound::Lower), Some(Bound::Upper));
    let queen = |score, bound| Way {
        bound,
        ..way(&["e1c3"], score, End::Open, None)
    };
    let b2 = |score, bound| Way {
        bound,
        ..way(&["b1b2"], score, End::Open, None)
    };
    let cp = Score::Cp;
    let unfinished = "b2 comes out better than Qc3 so far; the search of Qc3 was not finished, and only more nodes can tell.";
    let ends = "; what decides lies beyond the ends of the lines.";
    for (best, other, said) in [
        (
            queen(cp(100), lower),
            b2(cp(400), None),
            format!("Searched by itself, {unfinished}"),
        ),
        (
            queen(cp(3290), lower),
            b2(Score::Mate(4), None),
            format!("Searched by itself, {unfinished}"),
        ),
        (
            queen(cp(100), lower),
            b2(cp(400), upper),
            "Searched by itself, b2 comes out better than Qc3 so far; neither search was finished, and only more nodes can tell.".to_owned(),
        ),
        (
            queen(cp(100), upper),
            b2(cp(400), None),
            "Searched by itself, b2 comes out better than Qc3 by at least 3.00: the searches disagree, and only more nodes can tell.".to_owned(),
        ),
        (
            queen(cp(100), None),
            b2(cp(100), lower),
            "Qc3 and b2 have about equal scores so far; the search of b2 was not finished, and only more nodes can tell.".to_owned(),
        ),
        (
            queen(cp(100), lower),
            b2(cp(20), None),
            format!("Qc3 is better by at least 0.80 than b2{ends}"),
        ),
        (
            queen(cp(100), None),
            b2(cp(20), lower),
            format!("Qc3 is better so far than b2{ends}"),
        ),
    ] {
        assert_eq!(told(best, other, &[]), said);
    }
}

/// Promotions of both sides are told of both lines, or of neither where they are the same.
#[test]
fn what_both_lines_have_is_no_contrast() {
    let with = |cells: &[&str], material, worth| with_material(cells, worth, material, worth);
    for (best, other, said) in [
        (
            with(&["e1c3"], ["B", "", "Q", "Q"], 300),
            with(&["b1b2"], ["", "", "Q", "Q"], 0),
            "Qc3 wins a bishop; b2 does not (better by 3.00).",
        ),
        (
            with(&["e1c3"], ["", "", "Q", "R"], 300),
            with(&["b1b2"], ["", "", "R", "R"], 0),
            "Qc3 gets a queen by promotion but lets a pawn become a rook; b2 gets a rook by promotion and lets a pawn become a rook (better by 3.00).",
        ),
        (
            with(&["e1c3"], ["", "", "", ""], 0),
            with(&["b1b2"], ["", "", "R", "Q"], -300),
            "b2 lets a pawn become a queen but gets a rook by promotion; Qc3 does not (better by 3.00).",
        ),
    ] {
        assert_eq!(told(best, other, &[]), said);
    }
}

/// A line that is even in the end has its captures, too.
#[test]
fn a_line_that_trades_unequal_pieces_is_not_said_to_do_nothing() {
    let best = |material, worth| with_material(&["e1c3"], 300, material, worth);
    let other = |material, worth| with_material(&["b1b2"], 0, material, worth);
    let wins = || best(["B", "", "", ""], 320);
    let loses = || other(["", "N", "", ""], -320);
    for (best, other, said) in [
        (
            wins(),
            other(["NB", "R", "", ""], -5),
            "Qc3 wins a bishop; b2 only trades a rook for a knight and a bishop",
        ),
        (
            wins(),
            other(["", "", "", ""], 0),
            "Qc3 wins a bishop; b2 does not",
        ),
        (
            wins(),
            other(["", "P", "", ""], -50),
            "Qc3 wins a bishop; b2 loses a pawn",
        ),
        (
            wins(),
            other(["", "NR", "Q", ""], 0),
            "Qc3 wins a bishop; b2 gets a queen by promotion for a knight and a rook",
        ),
        (
            wins(),
            other(["", "", "Q", "Q"], 0),
            "Qc3 wins a bishop; b2 gets a queen by promotion and lets a pawn become a queen",
        ),
        (
            best(["B", "N", "", ""], -5),
            loses(),
            "b2 loses a knight; Qc3 only trades a knight for a bishop",
        ),
        (
            best(["P", "", "", ""], 50),
            loses(),
            "b2 loses a knight; Qc3 wins a pawn",
        ),
        (
            best(["RB", "", "", "Q"], 0),
            loses(),
            "b2 loses a knight; Qc3 lets a pawn become a queen for a rook and a bishop",
        ),
        (
            best(["", "", "", ""], 0),
            loses(),
            "b2 loses a knight; Qc3 does not",
        ),
    ] {
        assert_eq!(told(best, other, &[]), format!("{said} (better by 3.00)."));
    }
}

/// A threat that the other line begins with, but that does not come true there, is not said to be carried out.
#[test]
fn threats_that_are_prevented() {
    let material = |wins: &str, loses: &str, worth| Material {
        wins: wins.to_owned(),
        loses: loses.to_owned(),
        worth,
        ..Material::default()
    };
    let goes_on = "; b2 does not prevent it.";
    for (threat, score, lost, expected) in [
        (Score::Mate(-2), Score::Mate(-3), material("", "", 0), true),
        (Score::Mate(-2), Score::Cp(-30), material("", "", 0), false),
        (Score::Mate(-2), Score::Mate(4), material("", "", 0), false),
        (
            Score::Cp(-400),
            Score::Cp(-400),
            material("", "N", -320),
            true,
        ),
        (
            Score::Cp(-400),
            Score::Cp(-100),
            material("", "P", -100),
            false,
        ),
        (
            Score::Cp(-400),
            Score::Cp(10),
            material("Q", "N", 500),
            false,
        ),
    ] {
        let mut other = way(&["b1b2", "e10c6"], score, End::Open, None);
        other.material = lost;
        let explanation = Explanation {
            words: String::new(),
            best: way(&["e1c3"], Score::Cp(20), End::Open, None),
            other: Some(other),
            by: None,
            terms: Vec::new(),
            next: None,
            threat: Some(Threat {
                first: "e10c6".to_owned(),
                score: threat.clone(),
                bound: None,
                line: vec!["e10c6".to_owned()],
                material: material("N", "", 320),
            }),
            threatens: None,
        };
        let words = words(
            &explanation,
            &AnyPosition::start(GameId::Glinski),
            EVERYTHING,
        );
        assert!(words.contains("Black threatens Qc6, which "), "{words}");
        assert_eq!(words.ends_with(goes_on), expected, "{words}");
    }
}

/// A shorter search has looked for the next best move, so that only a mate is certain.
#[test]
fn the_only_good_move_is_called_so_with_care() {
    for (best, score, said) in [
        (
            20,
            Score::Cp(-200),
            "It seems the only good move: the next best, b2, is worse by 2.20.",
        ),
        (
            -200,
            Score::Cp(-500),
            "Every other move seems worse still: the next best, b2, is worse by 3.00.",
        ),
        (
            20,
            Score::Mate(-2),
            "It is the only good move: even after b2 Black mates.",
        ),
    ] {
        let explanation = Explanation {
            words: String::new(),
            best: way(&["e1c3"], Score::Cp(best), End::Open, None),
            other: None,
            by: None,
            terms: Vec::new(),
            next: Some(Next {
                first: "b1b2".to_owned(),
                score,
                bound: None,
            }),
            threat: None,
            threatens: None,
        };
        let start = AnyPosition::start(GameId::Glinski);
        let words = words(&explanation, &start, EVERYTHING);
        assert!(words.ends_with(said), "{words}");
    }
}

/// What a promotion alone costs is told.
#[test]
fn the_price_of_a_promotion() {
    let mut best = way(&["e1c3"], Score::Cp(900), End::Rest, Some(900));
    best.material = Material {
        loses: "N".to_owned(),
        promotes: "Q".to_owned(),
        worth: 600,
        won_at: 1,
        ..Material::default()
    };
    let other = way(&["b1b2"], Score::Cp(100), End::Rest, Some(100));
    let words = told(best, other, &[]);
    let what = "Qc3 gets a queen by promotion for a knight;";
    assert!(words.contains(what), "{words}");
}

/// How many moves a threatened mate takes is told only if no limit has cut it off.
#[test]
fn a_threatened_mate_is_counted_as_far_as_it_is_known() {
    for (bound, says) in [
        (None, "which mates in 3 moves at most."),
        (Some(Bound::Upper), "which mates in 3 moves at most."),
        (Some(Bound::Lower), "which mates."),
    ] {
        let explanation = Explanation {
            words: String::new(),
            best: way(&["e1c3"], Score::Cp(20), End::Open, None),
            other: None,
            by: None,
            terms: Vec::new(),
            next: None,
            threat: Some(Threat {
                first: "e10c6".to_owned(),
                score: Score::Mate(-3),
                bound,
                line: vec!["e10c6".to_owned(); 5],
                material: Material::default(),
            }),
            threatens: None,
        };
        let start = AnyPosition::start(GameId::Glinski);
        let words = words(&explanation, &start, EVERYTHING);
        assert!(words.ends_with(says), "{bound:?}: {words}");
    }
}

/// That there is no shorter mate is told where it is proven, of the best move only.
#[test]
fn a_proven_mate_is_no_mate_at_most() {
    let mate = |cells: &[&str], moves| way(cells, Score::Mate(moves), End::Mate, None);
    let explanation = Explanation {
        words: String::new(),
        best: mate(&["e1c3"], 3),
        other: Some(mate(&["b1b2"], 4)),
        by: None,
        terms: Vec::new(),
        next: None,
        threat: None,
        threatens: None,
    };
    let scope = Scope {
        proven: true,
        ..EVERYTHING
    };
    let words = words(&explanation, &AnyPosition::start(GameId::Glinski), scope);
    assert_eq!(words, "Qc3 mates in 3 moves, b2 in 4 moves at most.");
}
