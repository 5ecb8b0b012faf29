//! How games end, and how moves are read: the facts that the rules pages state, one by one.

use crate::common::{
    Rng, after, arranged, is_legal, known_positions, move_texts, position, with_rights,
};
use hexmate_movegen::{
    AnyPosition, AnyRecord, BuiltIn, Chromatic3, Chromatic4, GameId, Glinski, Hexachess, Mccooey,
    Move, MoveError, Outcome, Position, Record, Side, for_each_game,
};

#[test]
fn shortest_mates() {
    let mated = after(&Position::<Glinski>::start(), "e1b4 g10h8 f3h2 h8i6 b4k4");
    let winner = Side::White;
    assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner }));
    assert_eq!(mated.legal_moves(), []);
    let mated = after(&Position::<Mccooey>::start(), "e2f5 c8c7 f5i4 i8i7 i4h7");
    assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner }));
    let quarters = Outcome::Checkmate { winner }.quarters(Mccooey::SPEC);
    assert_eq!(quarters, [4, 0]);
}

#[test]
fn king_and_knight_can_mate() {
    let winner = Side::White;
    let mated = position::<Glinski>(Side::Black, "Kc3 Nb4 ka1");
    assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner }));
    // Mate on the hundredth quiet ply is still mate.
    let mut setup = arranged::<Glinski>(Side::White, "Kc3 Nc7 ka1");
    setup.halfmove = 99;
    let before = setup.build().unwrap();
    let mated = after(&before, "c7b4");
    assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner }));
    let other = after(&before, "c3d4");
    assert_eq!(other.outcome(), Some(Outcome::NoProgress));
}

fn bare_kings<G: BuiltIn>() {
    let bare = position::<G>(Side::White, "Ka1 kg7");
    assert_eq!(bare.outcome(), Some(Outcome::BareKings), "{}", G::ID);
    assert_eq!(Outcome::BareKings.quarters(G::SPEC), [2, 2]);
    for piece in ["Be4", "Ne4", "Pe4"] {
        let board = position::<G>(Side::Black, &format!("Ka1 kg7 {piece}"));
        assert_eq!(board.outcome(), None, "{} {piece}", G::ID);
    }
}

#[test]
fn only_bare_kings_are_dead() {
    for_each_game!(G => bare_kings::<G>());
}

/// Mini hexchess with other ends.
fn mini(ends: &str) -> GameId {
    let text = format!(
        "format = 1\nbase = 'minihexchess'\nname = 'ends'\ntitle = 'Other ends'\n[ends]\n{ends}\n"
    );
    GameId::from_text(&text).unwrap()
}

#[test]
fn bare_kings_play_on_where_the_game_says_so() {
    let [over, on] = ["bare_kings = 'draw'", "bare_kings = 'play on'"].map(mini);
    let outcome = |game, fen| AnyPosition::from_fen(game, fen).unwrap().outcome();
    let apart = "k/3/5/7/7/7/3K3 w - - 0 1";
    // Black cannot move.
    let cornered = "k/3/2K2/7/7/7/7 b - - 0 1";
    let without_progress = "k/3/5/7/7/7/3K3 w - - 100 90";
    let stalemated = Side::Black;
    for (fen, expected) in [
        (apart, None),
        (cornered, Some(Outcome::Stalemate { stalemated })),
        (without_progress, Some(Outcome::NoProgress)),
    ] {
        assert_eq!(outcome(on, fen), expected, "{fen}");
        assert_eq!(outcome(over, fen), Some(Outcome::BareKings), "{fen}");
    }
}

/// A game may be drawn by the second occurrence already, or only by a later one.
#[test]
fn positions_occur_as_often_as_the_game_says() {
    for repetitions in [2, 3, 4, 5] {
        let game = mini(&format!("repetitions = {repetitions}"));
        let mut record = AnyRecord::new(AnyPosition::start(game));
        for occurrences in 1..=repetitions {
            assert_eq!(record.occurrences(), occurrences);
            let drawn = (occurrences == repetitions).then_some(Outcome::Repetition);
            assert_eq!(record.outcome(), drawn, "{occurrences} of {repetitions}");
            for text in ["c1a2", "e6g3", "a2c1", "g3e6"] {
                record.play(text).unwrap();
            }
        }
    }
}

fn stalemate<G: BuiltIn>(quarters: u8) {
    for (side, pieces) in [(Side::Black, "Kc1 Qb4 ka1"), (Side::White, "kc1 qb4 Ka1")] {
        let outcome = position::<G>(side, pieces).outcome();
        let expected = Outcome::Stalemate { stalemated: side };
        assert_eq!(outcome, Some(expected), "{}", G::ID);
        let shares = expected.quarters(G::SPEC);
        assert_eq!(shares[side as usize], quarters, "{}", G::ID);
        assert_eq!(shares[side.other() as usize], 4 - quarters, "{}", G::ID);
    }
}

#[test]
fn stalemate_is_scored() {
    stalemate::<Glinski>(1);
    stalemate::<Hexachess>(1);
    stalemate::<Mccooey>(2);
    stalemate::<Chromatic3>(2);
    stalemate::<Chromatic4>(2);
}

fn play<G: BuiltIn>(record: &mut Record<G>, texts: &str) {
    for text in texts.split_whitespace() {
        let mv = record.position().parse_move(text).unwrap();
        record.play(mv).unwrap();
    }
}

#[test]
fn third_occurrence_is_a_draw() {
    let mut record = Record::new(Position::<Glinski>::start());
    play(&mut record, "d1c3 d9c6 c3d1 c6d9 d1c3 d9c6 c3d1");
    assert_eq!(record.outcome(), None);
    play(&mut record, "c6d9");
    assert_eq!(record.occurrences(), 3);
    assert_eq!(record.outcome(), Some(Outcome::Repetition));
    assert_eq!(record.moves().len(), 8);
    assert_eq!(Outcome::Repetition.quarters(Glinski::SPEC), [2, 2]);
}

#[test]
fn positions_with_en_passant_do_not_count_as_those_without() {
    let before = position::<Glinski>(Side::Black, "Kl1 kl6 pc7 Pb5");
    let mut record = Record::new(before);
    let round = "l1l2 l6l5 l2l1 l5l6";
    play(&mut record, "c7c5");
    // The same pieces with White to move, but without the capture.
    play(&mut record, round);
    play(&mut record, round);
    assert_eq!(record.occurrences(), 2);
    assert_eq!(record.outcome(), None);
    play(&mut record, round);
    assert_eq!(record.outcome(), Some(Outcome::Repetition));
}

#[test]
fn en_passant_that_no_pawn_may_capture_makes_no_difference() {
    // The rook on f10 pins the pawn on f6 against the king on f1.
    let text = "1/1r1/5/7/9/5P4k/6p4/11/11/11/N4K4P w - g6 0 1";
    let mut record = Record::new(text.parse::<Position<Glinski>>().unwrap());
    assert_eq!(record.position().en_passant(), None);
    let round = "a1d2 l6l5 d2a1 l5l6";
    play(&mut record, round);
    assert_eq!(record.occurrences(), 2);
    play(&mut record, round);
    assert_eq!(record.outcome(), Some(Outcome::Repetition));

    // The same where the double step is a move of the game: the rook on e5 looks through b5 and c5 at a5.
    let before = position::<Glinski>(Side::Black, "Ka5 kl6 Pb5 pc7 re5 Nl1");
    let mut record = Record::new(before);
    play(&mut record, "c7c5");
    assert_eq!(record.position().en_passant(), None);
    let text = record.position().to_string();
    assert!(text.contains(" w - - 0 "), "{text}");
    let round = "l1h2 l6l5 h2l1 l5l6";
    play(&mut record, round);
    play(&mut record, round);
    assert_eq!(record.outcome(), Some(Outcome::Repetition));
}

#[test]
fn keys_of_one_arrangement_differ_from_game_to_game() {
    fn keys<G: BuiltIn>() -> [u64; 2] {
        let [white, black] = Side::BOTH.map(|side| position::<G>(side, "Ka1 kg7 Pe4 pb5 Nc3"));
        // The side to move has a word of its own, too.
        [white.key(), white.key() ^ black.key()]
    }
    let mut found = Vec::new();
    for_each_game!(G => found.extend(keys::<G>()));
    let keys: Vec<u64> = found;
    let mut different = keys.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), keys.len(), "{keys:x?}");
}

#[test]
fn castling_rights_tell_positions_apart() {
    let board = with_rights::<Chromatic3>(Side::White, "Kd1 Ta1 kk13", "a1");
    let mut record = Record::new(board);
    play(&mut record, "d1e1 k13k12 e1d1 k12k13");
    assert_eq!(record.occurrences(), 1);
}

fn no_progress<G: BuiltIn>() {
    let mut setup = arranged::<G>(Side::White, "Ka1 kg7 Pe4");
    setup.halfmove = 98;
    let before = setup.build().unwrap();
    let mut record = Record::new(before);
    play(&mut record, "a1a2");
    assert_eq!(record.outcome(), None, "{}", G::ID);
    play(&mut record, "g7g8");
    assert_eq!(record.outcome(), Some(Outcome::NoProgress), "{}", G::ID);
    let mut record = Record::new(before);
    play(&mut record, "e4e5 g7g8");
    assert_eq!(record.outcome(), None, "{}", G::ID);
}

#[test]
fn hundred_quiet_plies_are_a_draw() {
    for_each_game!(G => no_progress::<G>());
}

// Move texts.

#[test]
fn move_texts_are_read_in_either_case() {
    for_each_game!(G => {
        for position in known_positions::<G>() {
            for mv in position.legal_moves() {
                let text = mv.text(G::GAME);
                assert_eq!(position.parse_move(&text), Ok(mv));
                assert_eq!(position.parse_move(&text.to_uppercase()), Ok(mv));
            }
        }
    });
}

#[test]
fn bad_move_texts_are_told_apart() {
    let start = Position::<Glinski>::start();
    let bad = [
        "", "e4", "e4e", "e4e5x", "e4e5qq", "e4 e5", "j1j2", "e4e12", "łe5", "e4e5ł", "0000",
    ];
    for text in bad {
        let error = start.parse_move(text).unwrap_err();
        assert!(matches!(error, MoveError::Syntax { .. }), "{text}: {error}");
    }
    for text in ["e4e7", "e5e6", "e4e5q", "e4e5k", "e10e9"] {
        let error = start.parse_move(text).unwrap_err();
        assert!(
            matches!(error, MoveError::Illegal { .. }),
            "{text}: {error}"
        );
    }
    assert_eq!(move_texts(&start).len(), 51);
}

/// A pawn does not promote to a pawn.
#[test]
fn the_pawn_s_letter_is_no_promotion() {
    assert!(!is_legal(&Position::<Glinski>::start(), "e4e5p"));
}

fn after_move<G: BuiltIn>(position: &Position<G>, mv: Move) -> Position<G> {
    let mut next = *position;
    next.play(mv).expect("a legal move");
    next
}

/// Plays back and forth and compares `return_to` with trying all moves.
fn returns_agree_with_all_moves<G: BuiltIn>() -> u32 {
    let mut random = Rng(7);
    let mut found = 0;
    for start in known_positions::<G>() {
        let mut record = Record::new(start);
        while record.outcome().is_none() && record.moves().len() < 40 {
            let position = *record.position();
            let earlier = record.earlier_keys();
            let moves = position.legal_moves();
            let keys: Vec<u64> = moves
                .iter()
                .map(|&mv| after_move(&position, mv).key())
                .collect();
            let latest = earlier.iter().rposition(|key| keys.contains(key));
            assert_eq!(position.return_to(earlier, |_| true), latest, "{position}");
            found += u32::from(latest.is_some());
            // An unwanted one does not hide another.
            let before = &earlier[..latest.unwrap_or(0)];
            let other = before.iter().rposition(|key| keys.contains(key));
            let wanted = |i| Some(i) != latest;
            assert_eq!(position.return_to(earlier, wanted), other, "{position}");

            let back = record.moves().len().checked_sub(2).map(|i| {
                let mv = record.moves()[i];
                Move::new(mv.to, mv.from)
            });
            let back = back.filter(|&mv| position.is_legal(mv) && random.one_in(2));
            let mv = back.unwrap_or_else(|| random.pick(&moves));
            record.play(mv).unwrap();
        }
    }
    found
}

#[test]
fn repetitions_are_seen_a_move_ahead() {
    for_each_game!(G => {
        let found = returns_agree_with_all_moves::<G>();
        assert!(found > 100, "{}: {found}", G::ID);
    });
}
