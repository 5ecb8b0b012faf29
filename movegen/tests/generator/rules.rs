//! Facts that the rules pages state about boards, pieces, pawns and castling, one by one.
//! `endings.rs` has those about the ends of games.

use crate::common::{
    Rng, after, arranged, cell, is_legal, kind, known_positions, moves_from, position, with_rights,
};
use hexmate_movegen::{
    Bits, BuiltIn, Cell, Chromatic3, Chromatic4, EnPassant, Game, GameId, Glinski, Hexachess, KING,
    Kind, Mccooey, Move, PAWN, Piece, Position, PositionError, Setup, Side, for_each_game,
    with_game,
};

/// The names of a set, in the order of the alphabet.
fn names<G: BuiltIn>(set: G::Bits) -> Vec<String> {
    let board = &G::GAME.tables().board;
    let mut names: Vec<String> = set.cells().map(|c| board.name(c)).collect();
    names.sort();
    names
}

/// A list of names in the same order, each once.
fn listed(list: &str) -> Vec<String> {
    let mut names: Vec<String> = list.split_whitespace().map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// What a piece sees on an empty board.
fn sees<G: BuiltIn>(letter: char, from: &str) -> Vec<String> {
    let from = cell::<G>(from);
    names::<G>(
        G::GAME
            .tables()
            .attacks(kind::<G>(letter), from, G::Bits::EMPTY),
    )
}

// Boards.

#[test]
fn boards_have_their_cells_and_colours() {
    let counts = |game: GameId| -> Vec<u32> {
        with_game!(game, g => g.tables().colours.iter().map(|c| c.count()).collect())
    };
    for game in [GameId::Glinski, GameId::Hexachess, GameId::Mccooey] {
        assert_eq!(counts(game), [30, 31, 30], "{game}");
    }
    assert_eq!(counts(GameId::Chromatic3).iter().sum::<u32>(), 127);
    assert_eq!(counts(GameId::Chromatic4).iter().sum::<u32>(), 169);
    // The class of 31 is that of f6.
    let f6 = cell::<Glinski>("f6");
    assert!(Glinski.tables().colours[1].has(f6));
}

#[test]
fn cells_are_named_by_files_and_rows() {
    let board = &Glinski.tables().board;
    let lengths = "abcdefghikl"
        .chars()
        .zip([6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]);
    for (file, length) in lengths {
        let lowest = board.at(cell::<Glinski>(&format!("{file}1")));
        for rank in 1..=length {
            let at = board.at(cell::<Glinski>(&format!("{file}{rank}")));
            assert_eq!(at, (lowest.0, lowest.1 + rank - 1));
        }
        assert_eq!(board.parse_cell(&format!("{file}{}", length + 1)), None);
    }
    assert_eq!(board.parse_cell("j1"), None);
    assert_eq!(board.at(cell::<Glinski>("L6")), (10, 10));

    fn by_rows<G: BuiltIn>(columns: i8) {
        let board = &G::GAME.tables().board;
        for &c in board.cells() {
            let (a, y) = board.at(c);
            let letter = char::from(b'a' + a as u8);
            assert_eq!(board.name(c), format!("{letter}{}", y + 1));
            assert_eq!(board.parse_cell(&board.name(c).to_uppercase()), Some(c));
            assert!(a < columns && y < columns);
        }
    }
    by_rows::<Chromatic3>(13);
    by_rows::<Chromatic4>(15);
}

#[test]
fn chromatic_colours_are_those_of_the_appendix() {
    let colour3 = |name| Chromatic3.tables().board.colour(cell::<Chromatic3>(name));
    assert_eq!([colour3("a1"), colour3("b1"), colour3("a2")], [0, 1, 1]);
    let colour4 = |name| Chromatic4.tables().board.colour(cell::<Chromatic4>(name));
    assert_eq!(
        [
            colour4("a1"),
            colour4("b1"),
            colour4("a2"),
            colour4("h9"),
            colour4("g7")
        ],
        [0, 1, 2, 3, 2]
    );
}

// Pieces.

#[test]
fn pieces_of_the_files_board() {
    for (letter, count) in [('K', 12), ('Q', 42), ('R', 30), ('B', 12), ('N', 12)] {
        assert_eq!(sees::<Glinski>(letter, "f6").len(), count, "{letter}");
    }
    assert_eq!(sees::<Mccooey>('K', "a1"), listed("a2 b1 b2 b3 c2"));
}

#[test]
fn pieces_of_the_three_colour_board() {
    let counts = [
        ('R', 36),
        ('Q', 54),
        ('S', 33),
        ('B', 18),
        ('K', 12),
        ('N', 12),
    ];
    for (letter, count) in counts {
        assert_eq!(sees::<Chromatic3>(letter, "g7").len(), count, "{letter}");
    }
    let knight = listed("j9 j8 i10 h10 f9 e8 d6 d5 e4 f4 h5 i6");
    assert_eq!(sees::<Chromatic3>('N', "g7"), knight);
}

#[test]
fn pieces_of_the_four_colour_board() {
    assert_eq!(sees::<Chromatic4>('Q', "h8").len(), 60);
    let stairs = listed("i9 j9 j8 h10 g10 f10 g8 f7 f6 h10 i11 j12");
    assert_eq!(sees::<Chromatic4>('D', "h9"), stairs);
    let one_color = listed("e7 c6 a5 i9 k10 m11 o12 g10 g12 g14 g6 g4 g2");
    assert_eq!(sees::<Chromatic4>('B', "g8"), one_color);
    let column = "g1 g2 g3 g4 g5 g6 g8 g9 g10 g11 g12 g13 g14";
    let opposites = listed(&format!("e5 e7 i7 i9 {column}"));
    assert_eq!(sees::<Chromatic4>('T', "g7"), opposites);
}

#[test]
fn what_jumps_and_what_does_not() {
    // On the four-colour board a 1-color skips g9 and is stopped on g10; a 2-color jumps to e5.
    let around = "Kh1 kh15 Bg8 pg9 pg10";
    let board = position::<Chromatic4>(Side::White, around);
    assert!(is_legal(&board, "g8g10") && !is_legal(&board, "g8g12"));
    let board = position::<Chromatic4>(Side::White, "Kh1 kh15 Tg7 pf6 pg6 pf7 ph8 pg8");
    assert_eq!(
        moves_from(&board, "g7"),
        ["g7e5", "g7e7", "g7g6", "g7g8", "g7i7", "g7i9"]
    );
    // A bishop passes between two cells, occupied or not.
    let board = position::<Glinski>(Side::White, "Kf1 ka6 Bf6 pf7 pg6");
    assert!(is_legal(&board, "f6g7") && is_legal(&board, "f6h8"));
}

fn paths_lead_back<G: BuiltIn>() {
    let tables = G::GAME.tables();
    let cells = tables.board.cells();
    let mut rng = Rng(7);
    for _ in 0..60 {
        let one_in = 2 + rng.below(10);
        let mut occupied = G::Bits::EMPTY;
        for &c in cells.iter().filter(|_| rng.one_in(one_in)) {
            occupied |= G::Bits::of(c);
        }
        for kind in KING..G::SPEC.pieces.len() as Kind {
            for from in tables.stands_on[usize::from(kind)].cells() {
                for to in tables.attacks(kind, from, occupied).cells() {
                    let back = tables.attacks(kind, to, occupied);
                    assert!(back.has(from), "{} {kind} {from} {to} {occupied:?}", G::ID);
                }
            }
        }
    }
    for from in tables.all.cells() {
        for to in tables.all.cells() {
            let [white, black] =
                [(Side::White, from, to), (Side::Black, to, from)].map(|(side, from, to)| {
                    let piece = Piece { kind: PAWN, side };
                    tables.attacks_of(piece, from, G::Bits::EMPTY).has(to)
                });
            assert_eq!(white, black);
        }
    }
}

#[test]
fn what_is_attacked_attacks_back() {
    for_each_game!(G => paths_lead_back::<G>());
}

// Arrangements that name cells beyond the board.

fn cells_beyond_the_board_are_refused<G: BuiltIn>() {
    let start = Setup::<G>::from(&Position::<G>::start());
    let mut bits = (0..G::Bits::SIZE).map(|c| c as Cell);
    let beyond = bits.find(|c| !G::GAME.tables().board.cells().contains(c));
    let beyond = beyond.expect("each board leaves bits of its word free");
    let set = G::Bits::of(beyond);
    let refused = |change: &dyn Fn(&mut Setup<G>)| {
        let mut setup = start;
        change(&mut setup);
        let error = setup.build().unwrap_err();
        assert!(matches!(error, PositionError::OffBoard { .. }), "{error}");
    };
    refused(&|setup| setup.castling |= set);
    refused(&|setup| setup.moved |= set);
    refused(&|setup| setup.en_passant = Some(EnPassant::new(beyond, 0)));
    refused(&|setup| setup.en_passant = Some(EnPassant::new(0, Cell::MAX)));
    assert_eq!(start.get(Cell::MAX), None);
}

#[test]
fn no_arrangement_may_name_cells_beyond_the_board() {
    for_each_game!(G => cells_beyond_the_board_are_refused::<G>());
}

// The symmetry of the sides.

fn mirrored<G: BuiltIn>(position: &Position<G>) -> Position<G> {
    let tables = G::GAME.tables();
    let there = |c: Cell| tables.mirrored[usize::from(c)];
    let set = |s: G::Bits| {
        s.cells()
            .fold(G::Bits::EMPTY, |m, c| m | G::Bits::of(there(c)))
    };
    let mut setup = Setup::<G>::from(position);
    for &c in tables.board.cells() {
        let piece = position.piece_on(c).map(|p| Piece {
            kind: G::SPEC.mirrored_kind(p.kind),
            side: p.side.other(),
        });
        setup.set(there(c), piece);
    }
    setup.side = position.side_to_move().other();
    setup.castling = set(position.castling_rights());
    setup.moved = set(position.moved_pawns());
    setup.en_passant = position.en_passant().map(|ep| EnPassant {
        crossed: there(ep.crossed),
        crossed_last: there(ep.crossed_last),
        stands: there(ep.stands),
    });
    setup.build().unwrap()
}

fn sides_are_alike<G: BuiltIn>() {
    let start = Position::<G>::start();
    for &c in G::GAME.tables().board.cells() {
        let other = mirrored(&start).piece_on(c);
        assert_eq!(start.piece_on(c), other, "{}", G::ID);
    }
    let mirrored_move = |mv: Move| {
        let [from, to] = [mv.from, mv.to].map(|c| G::GAME.tables().mirrored[usize::from(c)]);
        let promotion = mv.promotion().map(|k| G::SPEC.mirrored_kind(k));
        promotion.map_or(Move::new(from, to), |k| Move::promoting(from, to, k))
    };
    for position in known_positions::<G>() {
        let other = mirrored(&position);
        assert_eq!(mirrored(&other), position);
        let moves = position.legal_moves().into_iter().map(mirrored_move);
        let mut moves: Vec<Move> = moves.collect();
        let mut expected = other.legal_moves();
        moves.sort();
        expected.sort();
        assert_eq!(moves, expected, "{position}");
    }
}

#[test]
fn black_plays_like_white() {
    for_each_game!(G => sides_are_alike::<G>());
}

// Pawns.

#[test]
fn double_step_after_a_capture_onto_a_start_cell() {
    let before = position::<Glinski>(Side::White, "Kl1 kl6 Pe4 pf5 pa4");
    let pawn = after(&before, "e4f5 a4a3");
    assert_eq!(moves_from(&pawn, "f5"), ["f5f6", "f5f7"]);
    // A cell further it is over.
    let pawn = after(&pawn, "f5f6 a3a2");
    assert_eq!(moves_from(&pawn, "f6"), ["f6f7"]);
}

#[test]
fn centre_pawn_of_mccooey_has_no_double_step() {
    let start = Position::<Mccooey>::start();
    assert_eq!(moves_from(&start, "f4"), ["f4f5"]);
    assert_eq!(moves_from(&start, "e3"), ["e3e4", "e3e5"]);
    let start = Position::<Hexachess>::start();
    assert_eq!(moves_from(&start, "f5"), ["f5f6"], "f7 is occupied");
    assert_eq!(moves_from(&start, "e4"), ["e4e5", "e4e6"]);
}

#[test]
fn pawns_capture_on_edges_or_vertices() {
    // Around f5: the forward edges e5 and g5, the forward vertices e6 and g6.
    let pieces = "Kl1 kl6 Pf5 pf6 ne5 ng5 ne6 ng6";
    let edges = ["f5e5", "f5g5"];
    assert_eq!(
        moves_from(&position::<Glinski>(Side::White, pieces), "f5"),
        edges
    );
    let vertices = ["f5e6", "f5g6"];
    assert_eq!(
        moves_from(&position::<Hexachess>(Side::White, pieces), "f5"),
        vertices
    );
    assert_eq!(
        moves_from(&position::<Mccooey>(Side::White, pieces), "f5"),
        vertices
    );
    // g7 on the chromatic boards: v1 is h9, v2 is f8, -v3 is i8.
    let pieces = "Ka1 km13 Pg7 pg8 ph8 nh9 nf8 ni8 nf7 nh7";
    let captures = ["g7f8", "g7h9", "g7i8"];
    assert_eq!(
        moves_from(&position::<Chromatic3>(Side::White, pieces), "g7"),
        captures
    );
    assert_eq!(
        moves_from(&position::<Chromatic4>(Side::White, pieces), "g7"),
        captures
    );
}

fn first_move_is_remembered<G: BuiltIn>() {
    let before = position::<G>(Side::White, "Kf1 kg12 Pb3 Pd4");
    assert_eq!(moves_from(&before, "b3"), ["b3b4", "b3b5", "b3c4", "b3d5"]);
    assert_eq!(moves_from(&before, "d4"), ["d4d5", "d4d6", "d4e5", "d4f6"]);
    let next = after(&before, "b3b4 g12g11");
    assert_eq!(moves_from(&next, "b4"), ["b4b5", "b4c5"]);
    assert_eq!(next.to_string().split(' ').nth(2), Some("~b4"));
    assert_eq!(moves_from(&next, "d4"), ["d4d5", "d4d6", "d4e5", "d4f6"]);
    // A capture from row 3 to row 4 is a move, too: d3 takes on f4 (along -v3).
    let before = position::<G>(Side::White, "Ka1 kg12 Pd3 nf4");
    let next = after(&before, "d3f4 g12g11");
    assert_eq!(moves_from(&next, "f4"), ["f4f5", "f4g5"]);
    // The mark goes when the pawn does.
    let gone = after(&next, "f4f5 g11g10");
    assert_eq!(gone.to_string().split(' ').nth(2), Some("-"));
    // An obstacle to either step stops the second.
    let blocked = position::<G>(Side::White, "Ka1 kg12 Pd3 nd4 nf5");
    assert_eq!(moves_from(&blocked, "d3"), ["d3e4"]);
}

#[test]
fn chromatic_pawns_remember_their_first_move() {
    first_move_is_remembered::<Chromatic3>();
    first_move_is_remembered::<Chromatic4>();
}

#[test]
fn en_passant_of_the_leaflet() {
    let before = position::<Glinski>(Side::Black, "Kl1 kl6 pc7 Pb5 Pd6");
    let doubled = after(&before, "c7c5");
    assert_eq!(doubled.en_passant().unwrap().crossed, cell::<Glinski>("c6"));
    for text in ["b5c6", "d6c6"] {
        let taken = after(&doubled, text);
        assert_eq!(taken.piece_on(cell::<Glinski>("c5")), None);
        assert_eq!(taken.halfmove_clock(), 0);
    }
    // Only in the very next move.
    let later = after(&doubled, "l1l2 l6l5");
    assert!(!is_legal(&later, "b5c6") && !is_legal(&later, "d6c6"));
    // Not after two single steps.
    let single = after(&before, "c7c6 l1l2 c6c5");
    assert!(!is_legal(&single, "b5c6"));
}

#[test]
fn en_passant_of_the_chromatic_boards() {
    // d3-f5 along e1 crosses e4.
    fn check<G: BuiltIn>() {
        let before = position::<G>(Side::White, "Ka1 kg12 Pd3 pf6 pg5 pd5");
        let doubled = after(&before, "d3f5");
        let ep = doubled.en_passant().unwrap();
        assert_eq!(ep.crossed, cell::<G>("e4"));
        assert_eq!(ep.stands, cell::<G>("f5"));
        // From f6 along -v1, from g5 along v3, from d5 along -v2.
        for text in ["f6e4", "g5e4", "d5e4"] {
            let taken = after(&doubled, text);
            assert_eq!(taken.piece_on(cell::<G>("f5")), None, "{text}");
        }
        assert!(doubled.to_string().contains(" e4f5 "));
    }
    check::<Chromatic3>();
    check::<Chromatic4>();
}

#[test]
fn en_passant_must_not_uncover_the_king() {
    // Along an edge line both pawns leave at once: a5 b5 c5 ... f5.
    let before = position::<Glinski>(Side::Black, "Ka5 kl6 Pb5 Pd6 pc7 rf5");
    let doubled = after(&before, "c7c5");
    assert!(!is_legal(&doubled, "b5c6"));
    assert!(is_legal(&doubled, "d6c6"), "b5 still stands between");
    // Along a vertex line that the double step itself opened: a3 b5 c7 d9.
    let before = position::<Glinski>(Side::Black, "Ka3 kl6 Pb5 Pd6 pc7 bd9");
    let doubled = after(&before, "c7c5");
    assert!(!is_legal(&doubled, "b5c6"));
    assert!(is_legal(&doubled, "d6c6"));
    // Along a vertex line on which the captured pawn alone stands: b3 c5 d7.
    let mut setup = arranged::<Glinski>(Side::White, "Kb3 kl6 Pb5 Pd6 pc5 bd7");
    setup.en_passant = Some(EnPassant::new(cell::<Glinski>("c6"), cell::<Glinski>("c5")));
    let doubled = setup.build().unwrap();
    assert!(!is_legal(&doubled, "b5c6") && !is_legal(&doubled, "d6c6"));
    // It may end the check that the double step gave.
    let before = position::<Glinski>(Side::Black, "Kb4 kl6 Pb5 pc7");
    let doubled = after(&before, "c7c5");
    assert!(doubled.in_check() && is_legal(&doubled, "b5c6"));
}

fn promotions<G: BuiltIn>(pieces: &str, from: &str, to: &str, letters: &str) {
    let board = position::<G>(Side::White, pieces);
    let found: Vec<String> = moves_from(&board, from)
        .into_iter()
        .filter(|t| t.starts_with(&format!("{from}{to}")))
        .collect();
    let expected: Vec<String> = letters.chars().map(|l| format!("{from}{to}{l}")).collect();
    assert_eq!(found, expected, "{}", G::ID);
}

#[test]
fn promotion_is_compulsory_and_bound_to_colours() {
    promotions::<Glinski>("Kf1 ka6 Pf10", "f10", "f11", "bnqr");
    promotions::<Glinski>("Kf1 ka6 Pf10 rg10", "f10", "g10", "bnqr");
    promotions::<Hexachess>("Kf1 kl6 Pa5", "a5", "a6", "bnqr");
    promotions::<Mccooey>("Kf1 ka6 Pk6", "k6", "k7", "bnqr");
    // h13 is a c2 cell, g13 a c1 cell.
    promotions::<Chromatic3>("Ka1 kg7 Pg12", "g12", "h13", "bnqrsu");
    promotions::<Chromatic3>("Ka1 kg7 Pg12", "g12", "g13", "bnqrst");
    // h15 is a c4 cell, i15 a c1 cell. v1 gains two rows.
    promotions::<Chromatic4>("Ka1 kh8 Ph14", "h14", "h15", "bdefnquwx");
    promotions::<Chromatic4>("Ka1 kh8 Ph14", "h14", "i15", "bcdenqstu");
    promotions::<Chromatic4>("Ka1 kh8 Ph13 ni15", "h13", "i15", "bcdenqstu");
}

// Castling.

/// Which of the two castling moves of the king on d1 are legal: to b1, to f1.
fn castles<G: BuiltIn>(pieces: &str, rights: &str) -> [bool; 2] {
    let board = with_rights::<G>(Side::White, pieces, rights);
    ["d1b1", "d1f1"].map(|text| is_legal(&board, text))
}

#[test]
fn castling_to_both_sides() {
    let both = castles::<Chromatic3>("Kd1 Ta1 Sg1 kk13", "a1 g1");
    assert_eq!(both, [true, true]);
    let board = with_rights::<Chromatic3>(Side::White, "Kd1 Ta1 Sg1 kk13", "a1 g1");
    let castled = after(&board, "d1b1").to_string();
    assert!(castled.contains("/1KT3S b - - 1 1"), "{castled}");
    let castled = after(&board, "d1f1").to_string();
    assert!(castled.contains("/T3SK1 b - - 1 1"), "{castled}");

    let both = castles::<Chromatic4>("Kd1 Ta1 Uh1 kh15", "a1 h1");
    assert_eq!(both, [true, true]);
    let board = with_rights::<Chromatic4>(Side::White, "Kd1 Ta1 Uh1 kh15", "a1 h1");
    let castled = after(&board, "d1f1").to_string();
    assert!(castled.contains("/T3UK2 b - - 1 1"), "{castled}");

    let black = with_rights::<Chromatic3>(Side::Black, "Ke1 kj13 tg13 sm13", "g13 m13");
    assert!(is_legal(&black, "j13h13") && is_legal(&black, "j13l13"));
    // It takes the right, not only the pieces.
    let one = castles::<Chromatic3>("Kd1 Ta1 Sg1 kk13", "g1");
    assert_eq!(one, [false, true]);
}

#[test]
fn castling_not_out_of_over_or_onto_an_attack() {
    // A piece on its column attacks what stands or would stand on row 1.
    let three = |attacker| {
        let pieces = format!("Kd1 Ta1 Sg1 kk13 {attacker}");
        castles::<Chromatic3>(&pieces, "a1 g1")
    };
    assert_eq!(three("rd7"), [false, false], "in check");
    assert_eq!(three("rc7"), [false, true], "over c1");
    assert_eq!(three("rb7"), [false, true], "onto b1");
    assert_eq!(three("re7"), [true, false], "over e1");
    assert_eq!(three("rf7"), [true, false], "onto f1");
    assert_eq!(three("ra7"), [true, true], "the partner may be attacked");
    assert_eq!(three("rg7"), [true, true], "the partner may be attacked");
    let four = |attacker| {
        let pieces = format!("Kd1 Ta1 Uh1 ko15 {attacker}");
        castles::<Chromatic4>(&pieces, "a1 h1")
    };
    assert_eq!(four("wd7"), [false, false], "in check");
    assert_eq!(four("tc7"), [false, true], "over c1");
    assert_eq!(four("wb7"), [false, true], "onto b1");
    assert_eq!(four("te7"), [true, false], "over e1");
    assert_eq!(four("wf7"), [true, false], "onto f1");
    assert_eq!(four("ta7"), [true, true], "the partner may be attacked");
}

#[test]
fn castling_needs_room_and_colours() {
    let three = castles::<Chromatic3>;
    let [full, free] = [[false, false], [true, false]];
    assert_eq!(three("Kd1 Ta1 kk13", "a1"), free);
    assert_eq!(three("Kd1 Ta1 Nb1 kk13", "a1"), full, "b1 is full");
    assert_eq!(three("Kd1 Ta1 Nc1 kk13", "a1"), full, "c1 is full");
    assert_eq!(three("Kd1 Ta1 nb1 kk13", "a1"), full, "b1 is full");
}

#[test]
fn castling_rights_need_king_and_partner_where_they_began() {
    let refused = |pieces, right| {
        let mut setup = arranged::<Chromatic3>(Side::White, pieces);
        setup.castling = Bits::of(cell::<Chromatic3>(right));
        setup.build().unwrap_err().to_string()
    };
    let moved = refused("Kc1 Ta1 kk13", "a1");
    assert!(
        moved.contains("with a1") && moved.contains("on d1"),
        "{moved}"
    );
    for (pieces, right) in [("Kd1 Sb1 kk13", "b1"), ("Kd1 Sa1 kk13", "a1")] {
        let other = refused(pieces, right);
        assert!(other.contains("'T' on a1, 'S' on g1"), "{other}");
    }
}

#[test]
fn castling_rights_end_with_moves_and_captures() {
    // The 1-color on c5 attacks both partners.
    let before = with_rights::<Chromatic3>(Side::White, "Kd1 Ta1 Sg1 kk13 bc5", "a1 g1");
    let rights = |texts: &str| names::<Chromatic3>(after(&before, texts).castling_rights());
    assert_eq!(rights("d1d2 k13k12 d2d1"), [""; 0], "there and back");
    assert_eq!(rights("g1g2 k13k12"), ["a1"]);
    assert_eq!(rights("g1g2 k13k12 g2g1"), ["a1"], "there and back");
    assert_eq!(rights("a1b2 c5g1"), [""; 0]);
    assert_eq!(rights("g1g2 c5a1"), [""; 0]);
    assert_eq!(rights("d1b1"), [""; 0]);
}

// Pins and checks on crooked lines.

#[test]
fn a_pinned_piece_moves_along_the_zigzag() {
    // The S on i11 looks at g7 by h10, h9, g8.
    let board = position::<Chromatic3>(Side::White, "Kg7 km13 si11 Rh9");
    assert_eq!(moves_from(&board, "h9"), ["h9g8", "h9h10"]);
    let board = position::<Chromatic3>(Side::White, "Kg7 km13 si11 Sh9");
    assert_eq!(moves_from(&board, "h9"), ["h9g8", "h9h10", "h9i11"]);
    let board = position::<Chromatic3>(Side::White, "Kg7 km13 si11 Nh9");
    assert_eq!(moves_from(&board, "h9"), [""; 0]);
    // Two between: neither is pinned.
    let board = position::<Chromatic3>(Side::White, "Kg7 km13 si11 Nh9 Ng8");
    assert!(!moves_from(&board, "h9").is_empty());
    // None between: the check ends on the line or by capture.
    let board = position::<Chromatic3>(Side::White, "Kg7 km13 si11 Nf7");
    assert!(board.in_check());
    assert_eq!(moves_from(&board, "f7"), ["f7h10"]);
    let board = position::<Chromatic3>(Side::White, "Kg7 km13 si11 Rf8");
    assert_eq!(moves_from(&board, "f8"), ["f8g8", "f8h10", "f8i11"]);
}
