//! What is neither won nor lost is scored as the game scores it: stalemates, repetition, 50 moves.

use crate::oracle::{
    Random, Span, after, checks_for_ever, line, position, replies, search, search_game, span,
    to_depth, to_nodes,
};
use hexmate_engine::{DRAW, Handmade, Limits, Report, Shown};
use hexmate_movegen::{
    BuiltIn, Chromatic3, Chromatic4, Game, Glinski, Hexachess, Mccooey, Outcome, Position, Record,
    Setup,
};

/// What giving stalemate is worth in glinski and hexachess.
const STALEMATING: i32 = 191;

fn with_clock<G: BuiltIn>(fen: &str, halfmove: u16) -> Position<G> {
    let mut setup = Setup::from(&position::<G>(fen));
    setup.halfmove = halfmove;
    setup.build().unwrap()
}

/// The best move leads to a stalemate.
fn gives_stalemate<G: BuiltIn>(position: &Position<G>, report: &Report) -> bool {
    let next = after(position, report.best_move().unwrap());
    matches!(next.outcome(), Some(Outcome::Stalemate { .. }))
}

/// Positions in which every move ends the game at once or loses the last piece, so that stalemate or a
/// draw is all there is to have.
const STALEMATE_OR_DRAW: [&str; 6] = [
    "1/3/5/7/6K2/10k/10P/11/11/11/11 w - - 0 1",
    "1/3/5/7/9/11/11/4K6/11/11/5kP4 w - - 0 1",
    "1/3/5/7/9/11/11/11/11/3K2R4/k8B1 w - - 99 1",
    "1/3/5/7/9/11/11/11/2Q4K3/11/3k7 w - - 99 1",
    "1/3/2R2/7/9/11/11/11/1N8k/7K3/11 w - - 99 1",
    "1/3/1N3/7/9/k10/11/1K9/11/11/3B7 w - - 99 1",
];

fn stalemate_or_draw<G: BuiltIn>(expected: i32) {
    for fen in STALEMATE_OR_DRAW {
        let position: Position<G> = position(fen);
        assert_eq!(
            span(&position, 2),
            Span::exactly(expected),
            "{} {fen}",
            G::ID
        );
        for depth in 2..=4 {
            let report = search(&position, to_depth(depth));
            assert_eq!(report.score(), expected, "{} {fen}", G::ID);
            if expected > DRAW {
                assert!(gives_stalemate(&position, &report), "{} {fen}", G::ID);
            }
        }
    }
}

#[test]
fn stalemate_is_given_where_it_is_worth_more_than_a_draw() {
    stalemate_or_draw::<Glinski>(STALEMATING);
    stalemate_or_draw::<Hexachess>(STALEMATING);
    stalemate_or_draw::<Mccooey>(DRAW);
}

#[test]
fn mate_is_better_than_stalemate() {
    // Qk5-f1 and others mate on the hundredth ply; Qk5-i5 would be one of the stalemates.
    let position: Position<Glinski> = position("1/3/5/7/9/11/2N6Q1/11/8K2/11/10k w - - 99 1");
    let stalemates = replies(&position)
        .iter()
        .filter(|p| matches!(p.outcome(), Some(Outcome::Stalemate { .. })))
        .count();
    assert!(stalemates > 0, "there is something to choose from");
    let report = search(&position, to_depth(3));
    assert_eq!(Shown::from(report.score()), Shown::Mate(1));
}

/// Black may offer the queen and be stalemated, but checks for ever, which is worth more.
#[test]
fn a_draw_is_better_than_being_stalemated() {
    let glinski: Position<Glinski> = position("1/3/5/7/5R3/K9k/11/3q5Q1/11/11/11 b - - 0 1");
    assert_eq!(span(&glinski, 2).least, -STALEMATING);
    let report = search(&glinski, to_depth(18));
    assert_eq!(report.score(), DRAW, "{:?}", line::<Glinski>(&report));
}

/// Black is lost but for a piece that must be taken, and stalemates by it.
#[test]
fn the_lost_side_would_rather_be_stalemated_than_mated() {
    for fen in [
        "1/q2/5/7/9/11/2Q8/11/11/k10/2K5R2 b - - 0 1",
        "1/3/5/K6/9/10q/3Q7/k10/4R6/11/11 b - - 0 1",
        "1/2K/k4/7/9/2q8/11/8RQ1/11/11/11 b - - 0 1",
    ] {
        let glinski: Position<Glinski> = position(fen);
        assert_eq!(span(&glinski, 2).least, -STALEMATING, "{fen}");
        // A network must look a little deeper than the handmade evaluation: few of its lessons were so one-sided.
        let report = search(&glinski, to_depth(12));
        assert_eq!(report.score(), -STALEMATING, "{fen}");
        assert_eq!(
            report.pv().len(),
            2,
            "{fen}: {:?}",
            line::<Glinski>(&report)
        );
        let offered = after(&glinski, report.pv()[0]);
        let taken = after(&offered, report.pv()[1]);
        assert!(
            matches!(taken.outcome(), Some(Outcome::Stalemate { .. })),
            "{fen}"
        );

        let mccooey: Position<Mccooey> = position(fen);
        assert_eq!(search(&mccooey, to_depth(6)).score(), DRAW, "{fen}");
    }
}

/// On the 98th ply: one side moves, then the other, and it is over one way or another.
#[test]
fn two_plies_before_the_end_all_choices_are_exact() {
    // Some moves are mated on the last ply, the others stalemated.
    for fen in [
        "1/3/5/7/6K2/5B4R/10k/11/11/11/11 b - - 98 1",
        "1/3/5/7/k8/3R7/11/K10/3Q7/11/11 b - - 98 1",
        "1/3/K4/5k1/9/9R1/11/11/6Q4/11/11 b - - 98 1",
        "1/3/5/4Q2/9/11/11/9k1/10N/11/9K1 b - - 98 1",
    ] {
        exact_choices(fen, -STALEMATING);
    }
    // Some moves allow a stalemate, the others are drawn.
    for fen in [
        "1/3/5/2Q4/9/11/8K2/11/11/9k1/11 b - - 98 1",
        "1/3/4Q/7/9/11/10k/11/11/10K/11 b - - 98 1",
        "1/3/5/7/2K6/11/k10/11/11/11/4N3R2 b - - 98 1",
        "1/3/5/7/6K2/11/9k1/7R3/11/1N9/11 b - - 98 1",
    ] {
        exact_choices(fen, DRAW);
    }
}

fn exact_choices(fen: &str, glinski_score: i32) {
    let glinski: Position<Glinski> = position(fen);
    let replies = replies(&glinski);
    let worse = replies.iter().filter(|p| -span(p, 1).most < glinski_score);
    assert!(
        worse.count() > 0,
        "there is something to choose from: {fen}"
    );
    assert_eq!(span(&glinski, 2), Span::exactly(glinski_score), "{fen}");
    // Late moves are pruned for some depths where a capture begins the count anew.
    for depth in [6, 8] {
        let report = search(&glinski, to_depth(depth));
        assert_eq!(report.score(), glinski_score, "{fen}");
        let best = after(&glinski, report.best_move().unwrap());
        assert!(span(&best, 1).holds(-glinski_score), "{fen}");
    }
    let mccooey: Position<Mccooey> = position(fen);
    // A stalemate is no more than the draw that is near anyway.
    assert!(search(&mccooey, to_depth(6)).score().abs() < 50, "{fen}");
}

/// Black may take the last piece, or walk into a stalemate.
#[test]
fn the_defender_would_rather_draw_than_be_stalemated() {
    for fen in [
        "1/3/5/6k/1K6Q/11/11/11/11/11/11 b - - 0 1",
        "1/3/5/7/kR7/4K6/11/11/11/11/11 b - - 0 1",
        "1/3/5/7/1K7/11/11/11/1kQ8/11/11 b - - 0 1",
        "1/3/5/7/9/11/6K4/11/11/11/8Qk1 b - - 0 1",
    ] {
        let position: Position<Glinski> = position(fen);
        let replies = replies(&position);
        let walks_in = replies.iter().filter(|p| span(p, 1).least >= STALEMATING);
        assert!(
            walks_in.count() > 0,
            "there is something to choose from: {fen}"
        );
        let report = search(&position, to_depth(3));
        assert_eq!(report.score(), DRAW, "{fen}");
        let best = after(&position, report.best_move().unwrap());
        assert_eq!(best.outcome(), Some(Outcome::BareKings), "{fen}");
    }
}

/// The king takes the last piece, and the other king, in the corner, has no move left: bare kings are a
/// draw even so, and the search says what the rules say.
#[test]
fn a_capture_that_leaves_bare_kings_and_no_move() {
    let position: Position<Glinski> = position("1/3/5/7/9/11/11/3K7/2n8/11/k10 w - - 0 1");
    let next = after(&position, position.parse_move("d4c3").unwrap());
    assert!(!next.has_legal_move() && !next.in_check());
    assert_eq!(next.outcome(), Some(Outcome::BareKings));
    for depth in 1..=3 {
        let report = search(&position, to_depth(depth));
        assert!(report.score() < STALEMATING, "{report:?}");
    }
}

fn perpetual<G: BuiltIn>(fen: &str) {
    let position: Position<G> = position(fen);
    let eval = Handmade::<G>::default().evaluate(&position);
    assert!(
        eval < -700,
        "no need to be content with a draw ({eval}): {fen}"
    );
    assert!(
        checks_for_ever(&position, 5, &mut Vec::new()),
        "no perpetual: {fen}"
    );
    let report = search(&position, to_nodes(200_000));
    assert_eq!(report.score(), DRAW, "{} {fen}", G::ID);
    let checked = after(&position, report.best_move().unwrap());
    assert!(checked.in_check(), "{} {fen}", G::ID);
}

#[test]
fn a_perpetual_saves_a_lost_game() {
    perpetual::<Glinski>("1/3/5/7/8k/r10/7K3/11/1q4Q4/3r7/11 w - - 0 1");
    perpetual::<Glinski>("1/3/5/Q6/9/3r7/11/11/q5K4/1r8p/10k w - - 0 1");
    perpetual::<Mccooey>("1/3/5/7/6Q2/2q7k/2q8/r10/11/10K/11 w - - 0 1");
    perpetual::<Mccooey>("1/3/5/7/9/7K2k/11/10r/2Q8/11/8q1r w - - 0 1");
    perpetual::<Mccooey>("q/3/5/7/3Q5/11/11/10K/11/1r9/5q3k1 w - - 0 1");
}

/// Repetition in the game so far: the third occurrence is a draw, the second is not.
#[test]
fn positions_before_the_root_count_by_the_rule() {
    // Black, who is lost, shuttles with its king, White with its queen.
    let start: Position<Glinski> = position("1/3/5/7/9/11/11/11/2K8/9k1/Q10 b - - 0 1");
    let mut game = Record::new(start);
    let play = |game: &mut Record<Glinski>, moves: &str| {
        for text in moves.split(' ') {
            let mv = game.position().parse_move(text).unwrap();
            game.play(mv).unwrap();
        }
    };
    play(&mut game, "k2l2 a1b1 l2l3 b1a1");
    // Once more to l2, and the position was there twice.
    let once = search_game(&game, to_depth(1));
    assert_ne!(once.score(), DRAW);
    play(&mut game, "l3l2 a1b1 l2l3 b1a1");
    assert_eq!(game.outcome(), None);
    for depth in 1..=4 {
        let report = search_game(&game, to_depth(depth));
        assert_eq!(report.score(), DRAW, "depth {depth}");
        assert_eq!(line::<Glinski>(&report), ["l3l2"], "depth {depth}");
    }
    // The same position without its past is lost.
    let report = search(game.position(), to_depth(4));
    assert!(report.score() < -500, "{report:?}");
}

/// Who is winning does not repeat.
#[test]
fn the_winner_avoids_the_third_occurrence() {
    let start: Position<Glinski> = position("1/3/5/7/9/11/11/11/2K8/9k1/Q10 b - - 0 1");
    let mut game = Record::new(start);
    for text in "k2l2 a1b1 l2l3 b1a1 l3l2 a1b1 l2l3".split(' ') {
        let mv = game.position().parse_move(text).unwrap();
        game.play(mv).unwrap();
    }
    // Qb1-a1 and then Kl3-l2 would be the third time.
    let report = search_game(&game, to_depth(4));
    assert_ne!(line::<Glinski>(&report)[0], "b1a1");
    assert!(report.score() > 500, "{report:?}");
}

#[test]
fn mate_on_the_hundredth_ply_counts_and_nothing_later_does() {
    // Mates in one by a quiet move of a piece.
    for fen in [
        "1/3/5/7/9/11/2N6Q1/11/8K2/11/10k w - - 0 1",
        "1/3/5/7/9/11/1r1B6K/11/2Q8/5k5/11 w - - 0 1",
        "1/3/5/7/9/11/B1Q8/3K7/11/11/3k3r3 w - - 0 1",
    ] {
        let last: Position<Glinski> = with_clock(fen, 99);
        for depth in 1..=3 {
            let report = search(&last, to_depth(depth));
            assert_eq!(Shown::from(report.score()), Shown::Mate(1), "{fen}");
        }
    }
    // Mates in two, the mating move on ply 98 + 2 or 97 + 3.
    for fen in [
        "1/3/5/7/9/11/10k/11/11/2K5N2/9Q1 w - - 0 1",
        "1/3/5/7/9/8Q1K/11/3Q7/11/11/6k3n w - - 0 1",
        "1/3/5/6Q/9/11/9k1/11/2R8/11/K10 w - - 0 1",
        "1/3/5/7/7K1/11/11/11/6Q4/6N4/4k6 w - - 0 1",
    ] {
        for (clock, in_time) in [(0, true), (96, true), (97, true), (98, false), (99, false)] {
            let position: Position<Glinski> = with_clock(fen, clock);
            let report = search(&position, to_depth(12));
            let mates = Shown::from(report.score()) == Shown::Mate(2);
            assert_eq!(mates, in_time, "{position}: {report:?}");
        }
    }
}

/// A queen more is worth nothing if the next quiet move ends the game, and a pawn move begins anew.
#[test]
fn the_clock_is_seen() {
    let queen: Position<Mccooey> = position("1/3/5/7/9/2k8/11/11/8K2/11/5Q5 w - - 99 1");
    assert_eq!(search(&queen, to_depth(3)).score(), DRAW);
    let pawn: Position<Mccooey> = position("1/3/5/7/9/2k8/11/11/8K2/7P3/5Q5 w - - 99 1");
    let report = search(&pawn, to_depth(3));
    assert!(report.score() > 500, "{report:?}");
    let [from, _] = [report.pv()[0].from, report.pv()[0].to];
    assert_eq!(Mccooey.tables().board.name(from), "h2");
}

/// Nothing that a search says may contradict what is certain when all lines are played out. It prunes by its evaluation,
/// so it may need two plies more.
fn within_bounds<G: BuiltIn>(pieces: &[&str], seed: u64) {
    let mut random = Random(seed);
    let (mut tried, mut exact) = (0, 0);
    while tried < 80 {
        let clock = [0, 0, 96, 97, 98, 99][random.below(6)];
        let set = pieces[random.below(pieces.len())];
        let Some(position) = random.position::<G>(set, clock) else {
            continue;
        };
        if position.count_legal() > 30 {
            continue;
        }
        tried += 1;
        let most = if position.count_legal() > 16 { 2 } else { 3 };
        for depth in 1..=most {
            let bounds = span(&position, depth);
            exact += u32::from(bounds.least == bounds.most);
            let report = search(&position, to_depth(depth + 2));
            let (score, id) = (report.score(), G::ID);
            assert!(
                bounds.holds(score),
                "{id} depth {depth}: {score}, {bounds:?} in {position}"
            );
            assert_eq!(report.depth, depth + 2);
        }
    }
    assert!(exact > 10, "only {exact} exact values in {}", G::ID);
}

#[test]
fn small_positions_agree_with_playing_all_out() {
    const FILES: &[&str] = &[
        "KkP", "KkPp", "KkQ", "KkR", "KkBP", "KkNp", "KkRp", "KkBn", "KkPPp",
    ];
    within_bounds::<Glinski>(FILES, 0x1234_5678_9abc);
    within_bounds::<Hexachess>(FILES, 0x2345_6789_abcd);
    within_bounds::<Mccooey>(FILES, 0x3456_789a_bcde);
    within_bounds::<Chromatic3>(
        &["KkP", "KkPp", "KkS", "KkT", "KkBP", "KkNp"],
        0x4567_89ab_cdef,
    );
    within_bounds::<Chromatic4>(
        &["KkP", "KkPp", "KkS", "KkC", "KkBP", "KkNp"],
        0x5678_9abc_def1,
    );
}

/// White is a queen up and may choose whether Black can bring about a position for the third time.
#[test]
fn a_repetition_is_seen_before_it_is_played() {
    let start = position::<Glinski>("1/1k1/5/7/9/11/11/4Q6/11/5K5/11 w - - 0 1");
    let mut game = Record::new(start);
    let play = |game: &mut Record<Glinski>, moves: &[&str]| {
        for text in moves {
            let mv = game.position().parse_move(text).unwrap();
            game.play(mv).unwrap();
        }
    };
    play(&mut game, &["e4e3", "f10f9"]);
    // After it ...f9f10 would be the position of the start again.
    let careless = [game.position().parse_move("e3e4").unwrap()];
    let one_ply = |searchmoves| Limits {
        depth: Some(1),
        searchmoves,
        ..Limits::default()
    };
    // For the second time that is no draw yet.
    assert!(search_game(&game, one_ply(&careless)).score() > 500);
    play(&mut game, &["e3e4", "f9f10", "e4e3", "f10f9"]);
    assert_eq!(search_game(&game, one_ply(&careless)).score(), DRAW);
    assert!(search_game(&game, one_ply(&[])).score() > 500);
}

/// The longer nothing has happened, the less an advantage is worth.
#[test]
fn scores_fade_as_the_count_runs() {
    fn at<G: BuiltIn>(fen: &str, clock: u16) -> i32 {
        search(&with_clock::<G>(fen, clock), to_depth(2)).score()
    }
    fn fades<G: BuiltIn>(fen: &str) {
        let scores = [0, 30, 60, 75, 85].map(|clock| at::<G>(fen, clock));
        assert_eq!(scores[0], scores[1], "{}: {scores:?}", G::ID);
        let falling = scores[1..].windows(2).all(|pair| pair[1] < pair[0]);
        assert!(
            falling && scores[4] > scores[0] / 2,
            "{}: {scores:?}",
            G::ID
        );
    }
    // Nothing to win and no pawn to move, for either would start the count again.
    fades::<Glinski>("1/1k1/5/5r1/9/11/11/11/2RQ7/5K5/11 w - - 0 1");
    fades::<Mccooey>("1/1k1/5/7/9/11/11/11/2R8/5K5/11 w - - 0 1");
}

/// Near the limit nothing is pruned, and yet the tree stays small: moves are reduced, and a position met again at the
/// same count is known. Without either, this is a search of 12.8 million nodes; at a count of 0 it is one of 2,600.
#[test]
fn a_search_near_the_limit_stays_small() {
    let near = with_clock::<Glinski>("1/3/5/7/6p2/8pK1/9p1/9n1/4Q3b1k/11/11 w - - 0 121", 88);
    let report = search(&near, to_depth(8));
    assert_eq!(report.lines[0].depth, 8);
    assert!(report.nodes < 200_000, "{}", report.nodes);
}
