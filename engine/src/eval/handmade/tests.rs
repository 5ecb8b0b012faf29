use hexmate_movegen::{
    Bits, BuiltIn, Chromatic4, GameId, Glinski, KING, Move, Piece, Setup, Simd, Unchecked,
    for_each_game,
};

use super::taper::PHASES;
use super::*;
use crate::score::MATE_IN_MAX;

/// Positions of a game played by a fixed rule; `speed` makes different games.
fn game<G: BuiltIn>(speed: usize) -> Vec<Position<G>> {
    let mut position = Position::<G>::start();
    let mut out = vec![position];
    for ply in 0..150 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let captures: Vec<Move> = moves
            .iter()
            .filter(|m| position.piece_on(m.to).is_some())
            .copied()
            .collect();
        // Now and then a capture, or no end game would ever come.
        let list = if captures.is_empty() || ply % 3 > 0 {
            moves
        } else {
            captures
        };
        position.play_unchecked(list[ply * speed % list.len()]);
        out.push(position);
    }
    out
}

/// The same position seen from the other side.
fn mirrored<G: BuiltIn>(position: &Position<G>) -> Position<G> {
    let tables = G::GAME.tables();
    let mut setup = Setup::<G>::default();
    setup.side = position.side_to_move().other();
    for cell in position.occupied().cells() {
        let piece = position.piece_on(cell).map(|p| Piece {
            kind: G::SPEC.mirrored_kind(p.kind),
            side: p.side.other(),
        });
        setup.set(tables.mirrored[usize::from(cell)], piece);
    }
    setup.build().unwrap()
}

/// Weights that are all different, so that no term can stand in for another.
fn odd_weights<G: BuiltIn>() -> Weights<G> {
    let untuned = Weights::untuned(G::GAME);
    let values = untuned.values().iter().zip(1..);
    let odd = values.map(|([m, e], i)| [m + i * 37 % 101 - 50, e - i * 53 % 89 + 44]);
    untuned.with_values(odd.collect::<Vec<_>>())
}

#[test]
fn both_sides_are_evaluated_alike() {
    for_each_game!(G => {
        let evaluator = Handmade::<G>::new(&odd_weights());
        for position in game::<G>(7) {
            let other = mirrored(&position);
            let scores = [&position, &other].map(|p| evaluator.evaluate(p));
            assert_eq!(scores[0], scores[1], "{position}");
        }
    });
}

#[test]
fn every_form_evaluates_alike() {
    for_each_game!(G => {
        let mut evaluator = Handmade::<G>::new(&odd_weights());
        for position in game::<G>(11) {
            let score = evaluator.evaluate(&position);
            for simd in Simd::available() {
                evaluator.simd = simd;
                assert_eq!(evaluator.evaluate(&position), score, "{simd}: {position}");
            }
        }
    });
}

#[test]
fn the_trace_times_the_weights_is_the_evaluation() {
    for_each_game!(G => {
        let weights = odd_weights::<G>();
        let evaluator = Handmade::<G>::new(&weights);
        for position in game::<G>(13) {
            let trace = evaluator.trace(&position);
            let score = from_side_to_move(&position, trace.score(&weights));
            assert_eq!(evaluator.evaluate(&position), score, "{position}");
            rows_add_up(&evaluator, &position);
        }
    });
}

fn rows_add_up<G: BuiltIn>(evaluator: &Handmade<G>, position: &Position<G>) {
    let rows = evaluator.explain(position);
    let explained: Score = rows.iter().map(|(_, white, black)| white - black).sum();
    let score = from_side_to_move(position, evaluator.evaluate(position));
    assert_eq!(explained, score, "{position}: {rows:?}");
}

/// What is rounded is not put down to a side that has nothing of a term: only who is to move has a tempo.
#[test]
fn who_has_nothing_of_a_term_gets_nothing() {
    for_each_game!(G => {
        let evaluator = Handmade::<G>::new(&odd_weights());
        for position in game::<G>(13) {
            let rows = evaluator.explain(&position);
            let (_, white, black) = rows.iter().find(|(name, ..)| *name == "tempo").unwrap();
            let other = match position.side_to_move() {
                Side::White => black,
                Side::Black => white,
            };
            assert_eq!(*other, 0, "{position}: {rows:?}");
        }
    });
}

#[test]
fn the_rows_of_a_mirrored_position_are_mirrored() {
    for_each_game!(G => {
        let evaluator = Handmade::<G>::new(&odd_weights());
        for position in game::<G>(13) {
            let other = mirrored(&position);
            // Kinds that the mirror exchanges may have other parts of the phase.
            if evaluator.trace(&position).phase != evaluator.trace(&other).phase {
                assert_eq!(G::ID, GameId::Chromatic4);
                continue;
            }
            let rows = evaluator.explain(&position);
            let other = evaluator.explain(&other);
            let mirrored: Vec<_> = other.into_iter().map(|(name, w, b)| (name, b, w)).collect();
            assert_eq!(rows, mirrored, "{position}");
        }
    });
}

/// Against a bare king the evaluation is not the sum of weights alone; rows and traces say so.
#[test]
fn mop_up_is_told() {
    let weights = odd_weights::<Glinski>();
    let evaluator = Handmade::new(&weights);
    for (fen, replaces) in [
        ("1/1k1/5/7/9/11/11/4K6/3N7/11/11 w - - 0 1", true),
        ("1/1K1/5/7/9/11/11/4k6/3n7/11/11 w - - 0 1", true),
        ("1/1k1/5/7/9/11/11/4K6/3Q7/11/11 b - - 0 1", false),
    ] {
        let position: Position<Glinski> = fen.parse().unwrap();
        let trace = evaluator.trace(&position);
        assert_eq!(
            matches!(trace.mop_up, MopUp::Replaces(_)),
            replaces,
            "{fen}"
        );
        assert_ne!(trace.mop_up, MopUp::None, "{fen}");
        let score = from_side_to_move(&position, trace.score(&weights));
        assert_eq!(evaluator.evaluate(&position), score, "{fen}");
        rows_add_up(&evaluator, &position);
    }
}

/// Two bishops cannot mate, nor can bishop and knight: ahead or not, that is no advantage. Two knights can.
#[test]
fn what_cannot_mate_is_no_advantage() {
    let evaluator = Handmade::<Glinski>::default();
    let against = |white: &str| {
        let fen = format!("1/1k1/5/7/9/11/5n5/4K6/3{white}/11/11 w - - 0 1");
        let position: Position<Glinski> = fen.parse().unwrap();
        rows_add_up(&evaluator, &position);
        let score = evaluator.evaluate(&position);
        // The same for Black.
        assert_eq!(evaluator.evaluate(&mirrored(&position)), score, "{white}");
        (evaluator.trace(&position).mop_up, score)
    };
    let hopeless = [true, true];
    for white in ["B1B5", "B1N5"] {
        let (mop_up, score) = against(white);
        assert_eq!(mop_up, MopUp::Damps(hopeless), "{white}");
        assert!((1..80).contains(&score), "{white}: {score}");
    }
    let (mop_up, score) = against("N1N5");
    assert_eq!(mop_up, MopUp::Damps([false, true]));
    assert!(score > 200, "{score}");
    let (mop_up, score) = against("Q7");
    assert_eq!(mop_up, MopUp::Damps([false, true]));
    assert!(score > 500, "{score}");
}

/// A knight cannot mate a bare king, but may stalemate him, which is worth something in Gliński's chess: the nearer he
/// is to the edge, the more.
#[test]
fn who_may_give_stalemate_is_ahead() {
    let evaluator = Handmade::<Glinski>::default();
    let ahead = |fen: &str| {
        let position: Position<Glinski> = fen.parse().unwrap();
        let score = evaluator.evaluate(&position);
        assert_eq!(evaluator.evaluate(&mirrored(&position)), score, "{fen}");
        score
    };
    let bare_at_the_edge = "k/3/5/1K1N3/9/11/11/11/11/11/11";
    let bare_in_the_middle = "1/3/5/7/9/5k5/11/11/11/11/NK9";
    let [edge, middle] = [bare_at_the_edge, bare_in_the_middle].map(|men| {
        let scores = [
            ahead(&format!("{men} w - - 0 1")),
            ahead(&format!("{men} b - - 0 1")),
        ];
        assert_eq!(scores[0], -scores[1], "{men}");
        scores[0]
    });
    assert!(0 < middle && middle < edge, "{middle} {edge}");
}

/// Wherever the kings stand on the largest board, it is worth something to drive the bare one.
#[test]
fn mop_up_never_runs_out() {
    let evaluator = Handmade::<Chromatic4>::default();
    let adds = |fen: &str| {
        let position: Position<Chromatic4> = fen.parse().unwrap();
        match evaluator.mop_up(&position) {
            MopUp::Adds(score) => score,
            other => panic!("{other:?} in {fen}"),
        }
    };
    let middle = adds("7K/9/10/11/12/13/14/7k7/14/13/12/11/10/Q8/8 b - - 0 1");
    let edge = adds("7K/9/10/11/12/13/14/15/14/13/12/11/10/Q7k/8 b - - 0 1");
    let near = adds("8/9/10/11/12/13/14/15/14/13/7K4/11/10/Q7k/8 b - - 0 1");
    assert!(
        0 < middle && middle < edge && edge < near,
        "{middle} {edge} {near}"
    );
}

/// The board full of queens is evaluated at the bound of what is no mate; its rows add up, too.
#[test]
fn rows_add_up_at_the_bound() {
    let evaluator = Handmade::<Glinski>::default();
    rows_add_up(&evaluator, &full_of_queens());
}

#[test]
fn every_weight_can_be_taken_by_some_position() {
    // Of the tables of all kinds together at least one place each, by games at random.
    for_each_game!(G => {
        let evaluator = Handmade::<G>::default();
        let positions: Vec<_> = (1..60).flat_map(|i| game::<G>(2 * i + 3)).collect();
        let mut taken = vec![false; evaluator.layout.len];
        for position in &positions {
            for (place, _) in evaluator.trace(position).terms {
                taken[usize::from(place)] = true;
            }
        }
        for group in &evaluator.layout.groups {
            let places = &taken[group.start..group.start + group.len];
            assert!(places.contains(&true), "{}: {group:?}", G::ID);
        }
    });
}

#[test]
fn clocks_do_not_matter() {
    let evaluator = Handmade::<Glinski>::default();
    let start = Glinski::SPEC.start;
    let score = |fen: &str| evaluator.evaluate(&fen.parse().unwrap());
    assert_eq!(score(start), score(&start.replace("0 1", "99 80")));
}

#[test]
fn the_first_array_is_of_the_first_phase_and_bare_kings_of_the_last() {
    for_each_game!(G => {
        let evaluator = Handmade::<G>::default();
        let start = Position::<G>::start();
        assert_eq!(evaluator.trace(&start).phase, PHASES);
        let mut setup = Setup::<G>::default();
        for side in Side::BOTH {
            setup.set(start.king(side), Some(Piece { kind: KING, side }));
        }
        let kings = setup.build().unwrap();
        assert_eq!(evaluator.trace(&kings).phase, 0);
    });
}

fn full_of_queens() -> Position<Glinski> {
    let mut setup = Setup::<Glinski>::default();
    for &cell in Glinski.tables().board.cells() {
        setup.set(
            cell,
            Some(Piece {
                kind: 2,
                side: Side::White,
            }),
        );
    }
    let cell = |name| Glinski.tables().board.parse_cell(name).unwrap();
    setup.set(
        cell("a1"),
        Some(Piece {
            kind: KING,
            side: Side::Black,
        }),
    );
    setup.set(
        cell("f11"),
        Some(Piece {
            kind: KING,
            side: Side::White,
        }),
    );
    setup.side = Side::Black;
    setup.build().unwrap()
}

#[test]
fn scores_of_boards_full_of_queens_are_no_mates() {
    let score = Handmade::<Glinski>::default().evaluate(&full_of_queens());
    assert_eq!(score, 1 - MATE_IN_MAX);
}

#[test]
fn pieces_are_worth_what_players_expect() {
    for weights in [Weights::untuned(Glinski), Weights::default()] {
        let e = Handmade::<Glinski>::new(&weights);
        let value = |letter| e.value(Glinski::SPEC.kind_of_letter(letter).unwrap());
        assert!(value(b'N') < value(b'R') && value(b'B') < value(b'R'));
        assert!(value(b'R') < value(b'Q') && value(b'P') < value(b'N'));
        assert_eq!(value(b'K'), 0);
    }
}

/// Whether pawns are known already or not, the evaluation is the same, also where one structure takes
/// another's place in the memory.
#[test]
fn known_pawns_change_nothing() {
    for_each_game!(G => {
        let evaluator = Handmade::<G>::new(&odd_weights());
        let mut known = PawnTable::new();
        for speed in 1..12 {
            for position in game::<G>(speed) {
                let fresh = evaluator.score(&position, None);
                for _ in 0..2 {
                    let again = evaluator.score(&position, Some(&mut known));
                    assert_eq!(again, fresh, "{position}");
                }
            }
        }
    });
}
