//! Moves as people write them: written and read back, and what cannot be read.

use crate::common::Rng;
use hexmate_movegen::{
    AnyPosition, AnyRecord, GameId, Letters, LettersError, Move, NotationError, PAWN, Side, Why,
    read_move, san,
};

fn position(game: GameId, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(game, fen).unwrap()
}

/// A position after moves from the start, as people write them.
fn after(game: GameId, moves: &str) -> AnyPosition {
    let mut position = AnyPosition::start(game);
    for text in moves.split_whitespace() {
        position = position.after(read(&position, text).unwrap());
    }
    position
}

fn read(position: &AnyPosition, text: &str) -> Result<Move, NotationError> {
    read_move(position, text, &Letters::Own)
}

/// What a text means, as cells, or the error.
fn cells(position: &AnyPosition, text: &str) -> String {
    match read(position, text) {
        Ok(mv) => position.text(mv),
        Err(error) => error.to_string(),
    }
}

/// The reason why a text is not legal.
fn why(position: &AnyPosition, text: &str) -> Why {
    match read(position, text) {
        Err(NotationError::Illegal { why, .. }) => *why,
        other => panic!("{text}: {other:?}"),
    }
}

/// How often each form was written.
#[derive(Default, Debug)]
struct Seen {
    by_file: u32,
    by_rank: u32,
    by_both: u32,
    promotions: u32,
    castlings: u32,
    en_passant: u32,
    checks: u32,
    mates: u32,
}

impl Seen {
    fn note(&mut self, position: &AnyPosition, mv: Move, text: &str) {
        let body = text.trim_end_matches(['+', '#']);
        let piece = position.piece_on(mv.from).unwrap();
        if piece.kind != PAWN && !body.starts_with("O-O") {
            let to = position.board().name(mv.to);
            let told_apart = body[1..]
                .strip_suffix(&to)
                .unwrap()
                .trim_end_matches(['x', ':']);
            match (
                told_apart.contains(|c: char| c.is_ascii_lowercase()),
                told_apart.contains(|c: char| c.is_ascii_digit()),
            ) {
                (true, false) => self.by_file += 1,
                (false, true) => self.by_rank += 1,
                (true, true) => self.by_both += 1,
                (false, false) => {}
            }
        }
        self.promotions += u32::from(text.contains('='));
        self.castlings += u32::from(text.starts_with("O-O"));
        self.en_passant += u32::from(position.is_en_passant(mv));
        self.checks += u32::from(text.ends_with('+'));
        self.mates += u32::from(text.ends_with('#'));
    }
}

/// Writes a move and reads it back, as it is and with other signs.
fn there_and_back(position: &AnyPosition, mv: Move, seen: &mut Seen) {
    let text = san(position, mv);
    assert_eq!(read(position, &text), Ok(mv), "{text} in {position}");
    let dots = match position.side_to_move() {
        Side::White => ".",
        Side::Black => "...",
    };
    let signed = format!("12{dots}{text}!?");
    assert_eq!(read(position, &signed), Ok(mv), "{signed} in {position}");
    let cells = position.text(mv);
    assert_eq!(read(position, &cells), Ok(mv), "{cells} in {position}");
    seen.note(position, mv, &text);
}

/// A random game in which rare moves are played when they can be.
fn random_game(game: GameId, rng: &mut Rng, seen: &mut Seen) {
    let mut record = AnyRecord::new(AnyPosition::start(game));
    for ply in 0..160 {
        if record.outcome().is_some() {
            break;
        }
        let here = record.position();
        let legal = here.legal_moves();
        let is_rare =
            |&mv: &Move| mv.promotion().is_some() || here.is_castling(mv) || here.is_en_passant(mv);
        let rare: Vec<Move> = match rng.one_in(2) {
            true => legal.iter().copied().filter(is_rare).collect(),
            false => Vec::new(),
        };
        let mv = match &rare[..] {
            [] => rng.pick(&legal),
            rare => rng.pick(rare),
        };
        there_and_back(&here, mv, seen);
        if ply % 20 == 19 {
            let mut texts: Vec<String> = legal.iter().map(|&mv| san(&here, mv)).collect();
            for &mv in &legal {
                there_and_back(&here, mv, seen);
            }
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), legal.len(), "{here}");
        }
        record.play_move(mv).unwrap();
    }
}

/// `HEXMATE_SAN_GAMES` random games of each game; 20 without it.
#[test]
fn what_is_written_is_read_back() {
    let games = std::env::var("HEXMATE_SAN_GAMES").map_or(20, |n| n.parse().unwrap());
    let mut all = [0; 7];
    for &game in GameId::ALL {
        let (mut rng, mut seen) = (Rng(7), Seen::default());
        for _ in 0..games {
            random_game(game, &mut rng, &mut seen);
        }
        println!("{game}: {games} games, {seen:?}");
        let Seen {
            by_file,
            by_rank,
            promotions,
            castlings,
            en_passant,
            checks,
            mates,
            by_both: _,
        } = seen;
        let counts = [
            by_file, by_rank, promotions, castlings, en_passant, checks, mates,
        ];
        all = std::array::from_fn(|i| all[i] + counts[i]);
    }
    assert!(all.iter().all(|&count| count > 0), "{all:?}");
}

/// A board of 37 cells, one of whose files has the name of a sign.
const FILE_X: &str = r#"
format = 1
name = "file-x"
title = "Files t to z"

[board]
hexagon = 4
files = "tuvwxyz"

[pieces]
K = { name = "king", leaps = ["all"] }
R = { name = "rook", slides = ["edges"] }

[pawn]
steps = ["e2"]
captures = ["e1", "e3"]

[start]
white = "Kw1 Rv1 Rx1 u2 v3 w3 x3 y2"
"#;

/// A file may be called x: then captures have another sign.
#[test]
fn captures_are_read_back_where_a_file_is_called_x() {
    let game = GameId::from_text(FILE_X).unwrap();
    let (mut rng, mut seen) = (Rng(7), Seen::default());
    for _ in 0..20 {
        random_game(game, &mut rng, &mut seen);
    }
    assert!(seen.by_file > 0, "{seen:?}");
}

#[test]
fn forms_that_people_write() {
    let start = AnyPosition::start(GameId::Glinski);
    for (texts, expected) in [
        (
            "e4e5 E4E5 E4e5 e4-e5 e4–e5 e5 Pe5 Pe4-e5 1.e5 12.e5 e5! e5+?? e5++ ♙e5 ♟e4-e5 ♟\u{fe0e}e5 e5N e4-e5!N",
            "e4e5",
        ),
        ("Qc3 Qe1c3 Qe1-c3 QE1-C3 ♕c3 ♛c3 qc3 e1-c3 Qc3!?", "e1c3"),
        (
            "Ndf4 Nd1f4 Nd1-f4 ♘df4 d1f4 ndf4 Ndf4N Ndf4+N Ndf4N!",
            "d1f4",
        ),
    ] {
        for text in texts.split(' ') {
            assert_eq!(cells(&start, text), expected, "{text}");
        }
    }
    let mating = after(GameId::Glinski, "Qc3 Qc6 b2 b6 Bb1 e6?");
    for text in "Qxf9 Qxf9# c3xf9 c3:f9 c3×f9 c3f9# Qc3xBf9++ Qxf9mate Qf9 c3f9xB".split(' ') {
        assert_eq!(cells(&mating, text), "c3f9", "{text}");
    }
    assert_eq!(san(&mating, mating.parse_move("c3f9").unwrap()), "Qxf9#");
    // A piece that is told apart by more than is necessary.
    assert_eq!(cells(&start, "Nd1-f4+"), "d1f4");
    assert_eq!(cells(&start, "nd1f4"), "d1f4");
}

/// An N right behind a move says that it is new, unless a pawn may become a knight there.
#[test]
fn an_n_behind_a_move_that_promotes_is_a_knight() {
    let fen = "1/1P1/5/7/9/11/11/11/11/k10/10K w - - 0 1";
    let here = position(GameId::Glinski, fen);
    assert_eq!(cells(&here, "f11N"), "f10f11n");
    for text in ["f11!N", "f11+N"] {
        assert!(read_move(&here, text, &Letters::Own).is_err(), "{text}");
    }
    assert_eq!(cells(&here, "Kl2N"), "l1l2");
}

/// Also in upper case, where a first letter may be a piece's as well as a file's.
#[test]
fn two_cells_in_one_case_are_these_cells() {
    let devasa = |row2: &str| {
        let fen = format!(
            "rnbkbqbnr/9/pp1pp1pp1/1P2p3p/6P2/9/1PPPPP1PP/{row2}/RNBQBKBNR w a1,a9,i1,i9 - 0 4"
        );
        position("devasa".parse().unwrap(), &fen)
    };
    let here = devasa("9");
    for text in "b1a3 b1-a3 Nb1-a3 B1A3 B1-A3 B1–A3 B1A3! 4.B1-A3+".split(' ') {
        assert_eq!(cells(&here, text), "b1a3", "{text}");
    }
    // Not a move of the bishop, though one would be legal.
    let why_not = Why::CannotReach("knight".to_owned(), Side::White, "i4".to_owned());
    assert_eq!(why(&here, "B1-I4"), why_not);
    assert_eq!(cells(&here, "B1i4"), "c1i4");
    let capturing = devasa("4n4");
    for text in "b1xe2 B1xE2 B1XE2 B1:E2 B1E2".split(' ') {
        assert_eq!(cells(&capturing, text), "b1e2", "{text}");
    }
    assert_eq!(cells(&capturing, "Bxe2"), "c1e2");
    let kings = "1/3/r3k/7/4r4/9p1/1pb4N1P1/1P4B4/11/8KR1/5n1N3 w - - 1 71";
    let kings = position(GameId::Glinski, kings);
    for text in "k2k1 K2K1 K2-K1 k2-k1".split(' ') {
        assert_eq!(cells(&kings, text), "k2k1", "{text}");
    }
}

/// From web pages and typesetters come signs that nobody sees, and hyphens of all kinds.
#[test]
fn signs_that_look_like_nothing_or_like_a_hyphen() {
    let start = AnyPosition::start(GameId::Glinski);
    let invisible = "\u{200b}\u{2060}\u{ad}\u{200e}\u{200f}\u{feff}\u{fe0e}\u{fe0f}";
    for sign in invisible.chars() {
        assert_eq!(cells(&start, &format!("{sign}e{sign}5{sign}")), "e4e5");
        assert_eq!(cells(&start, &format!("♘{sign}f4?")), cells(&start, "♘f4?"));
    }
    assert_eq!(cells(&start, "♕\u{fe0e}c3"), "e1c3");
    for hyphen in "-‐‑‒–—−⁃﹣－".chars() {
        assert_eq!(cells(&start, &format!("e4{hyphen}e5")), "e4e5", "{hyphen}");
    }
    assert_eq!(cells(&start, "e5$1"), "e4e5");
}

/// Two dots or more before a move say that it is Black's.
#[test]
fn dots_say_whose_move_it_is() {
    let start = AnyPosition::start(GameId::Glinski);
    for text in ["1...e5", "12… e5", "...e5", "1..e5"] {
        let error = read(&start, text).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("a move of Black, but White is to move"),
            "{error}"
        );
    }
    for text in ["1.e5", "7. e5", "e5..."] {
        assert_eq!(cells(&start, text), "e4e5", "{text}");
    }
    let after = after(GameId::Glinski, "e5");
    for text in ["1...e6", "7.e6", "…e6"] {
        assert_eq!(cells(&after, text), "e7e6", "{text}");
    }
}

#[test]
fn captures_promotions_and_en_passant() {
    let promoting = position(GameId::Glinski, "1/1P1/5/7/k8/11/11/11/11/11/5K5 w - - 0 1");
    for text in "f11=Q f11Q f11(Q) f11/Q f10f11q f11q f11=Q+ f10-f11=Q".split(' ') {
        assert!(
            read(&promoting, text).is_ok(),
            "{text}: {}",
            cells(&promoting, text)
        );
    }
    assert_eq!(
        cells(&promoting, "f11"),
        format!(
            "'f11' is ambiguous in {promoting}: it could be f10f11b, f10f11n, f10f11q, f10f11r"
        )
    );
    assert_eq!(why(&promoting, "f11=K"), Why::NoPromotion("f11".to_owned()));
}

/// The letter of a piece may be a sign of capture elsewhere.
#[test]
fn promotions_to_a_piece_called_x() {
    let fen = "4k3/1P7/10/11/12/13/14/15/14/13/12/11/10/9/3K4 w - - 0 1";
    let promoting = position(GameId::Chromatic4, fen);
    for text in
        "h14h15x h14h15x! h14h15x+ h14-h15x h14-h15X h15X h15x h15=X h15(x) Ph15X#".split(' ')
    {
        assert_eq!(cells(&promoting, text), "h14h15x", "{text}");
    }
    // Elsewhere it is the sign.
    let pawn = position(GameId::Glinski, "1/1P1/5/7/k8/11/11/11/11/11/5K5 w - - 0 1");
    assert_eq!(why(&pawn, "f11x"), Why::NothingToCapture("f11".to_owned()));
}

#[test]
fn en_passant_is_a_capture_by_a_pawn() {
    let fen = "b/3/n4/rb3k1/pp1pppppp/4P6/1r1p1Pb4/5RP4/1PNP1B1P3/2q1BBR1P2/1Q3K1N1P1 b - e5 0 18";
    let here = position(GameId::Glinski, fen);
    assert_eq!(san(&here, here.parse_move("d5e5").unwrap()), "dxe5");
    for text in [
        "dxe5",
        "dxe5 e.p.",
        "dxe5ep.",
        "d5xe5(ep)",
        "d5e5",
        "de5",
        "dxe",
        "d5xe5 e.p.+",
    ] {
        assert_eq!(cells(&here, text), "d5e5", "{text}");
    }
    assert_eq!(why(&here, "Rxb3 e.p."), Why::NotEnPassant);
    assert_eq!(why(&here, "d5d4 e.p."), Why::NotEnPassant);
}

/// People leave out the sign of a capture, but not where it tells two moves apart.
#[test]
fn a_sign_of_capture_tells_two_moves_apart() {
    let crossing = |black: &str| {
        let fen = format!("3k5/9/9/9/{black}/9/4P4/9/5K3 w - - 0 1");
        let here = position("devasa".parse().unwrap(), &fen);
        here.after(read(&here, "e3e5").unwrap())
    };
    // One pawn steps to e4, the other captures there en passant.
    let both = crossing("3p1p3");
    assert!(both.is_en_passant(both.parse_move("d5e4").unwrap()));
    for (text, expected) in [("e4", "f5e4"), ("xe4", "d5e4"), ("e4 e.p.", "d5e4")] {
        assert_eq!(cells(&both, text), expected, "{text}");
    }
    // Where there is nothing to tell apart, or the sign would not do it.
    assert_eq!(cells(&crossing("3p5"), "e4"), "d5e4");
    for text in ["e4", "xe4"] {
        let ambiguous = cells(&crossing("3p2p2"), text);
        assert!(ambiguous.ends_with("it could be d5e4, g5e4"), "{ambiguous}");
    }
}

#[test]
fn castling_towards_either_side() {
    let last = "trbk2s/snbuuqrt/ppppp1p2/2pp1npp1p/2B4ppp1/1pp1P1p5/7bP4/9P2/1P3P2NP1/NPP2P3P/PPPPPPPPP/SB1UUQST/TR1KBR1 \
        b a1,g13,m13,~j10,~k10,~m10 - 2 17";
    let here = position(GameId::Chromatic3, last);
    for text in [
        "O-O", "0-0", "o-o!", "O–O", "O‑O", "Kl13", "Kj13-l13", "j13l13",
    ] {
        assert_eq!(cells(&here, text), "j13l13", "{text}");
    }
    assert_eq!(why(&here, "O-O-O"), Why::CannotCastle);
    assert_eq!(
        why(&AnyPosition::start(GameId::Glinski), "0-0"),
        Why::NoCastling
    );
    let first = "1rbkb1s/s2uu1rt/pp1tppqpp/p1p5p1/3p1pppp2/1b1p2B2p2/1n6Pp1n1/6P2Q2/2N2PP2P1/PPPP3PPP/PPPUPPPP1/SRBBUS1T/T2K1R1 \
        w a1,m13,~j4 - 3 26";
    let here = position(GameId::Chromatic3, first);
    assert_eq!(san(&here, here.parse_move("d1b1").unwrap()), "O-O-O");
    assert_eq!(cells(&here, "O-O-O"), "d1b1");
}

/// Pieces are told apart by file, else rank, else both.
#[test]
fn pieces_are_told_apart() {
    let here = position(
        GameId::Glinski,
        "1/3/5/7/k8/11/11/11/3Q7/3Q7/3Q2K4 w - - 0 1",
    );
    let mv = here.parse_move("d3e3").unwrap();
    assert_eq!(san(&here, mv), "Q3e3");
    let queens = position(
        GameId::Glinski,
        "1/3/5/7/k8/11/11/3Q7/11/3Q1Q5/6K4 w - - 0 1",
    );
    let both = queens.legal_moves().into_iter().find(|&mv| {
        let cells = queens.text(mv);
        san(&queens, mv).starts_with(&format!("Q{cells}"))
    });
    let both = both.expect("a queen that needs file and rank");
    assert_eq!(read(&queens, &san(&queens, both)), Ok(both));
}

#[test]
fn errors_say_what_is_wrong() {
    let start = AnyPosition::start(GameId::Glinski);
    let message = |text: &str| cells(&start, text);
    assert!(
        message("")
            .starts_with("'' is not a move: expected two cells, or a piece and a cell, like '")
    );
    assert!(message("--").starts_with("'--' is not a move"));
    // A terminal obeys some characters; they are not repeated to it.
    assert!(message("e4\u{1b}[2Je5").starts_with("'e4\u{fffd}[2Je5' is not a move"));
    assert_eq!(
        message("Hhi3"),
        "'Hhi3' is not a move: H is no piece; the letters are K, Q, R, B, N (name those of another language)"
    );
    // What looks right is named.
    assert_eq!(
        message("\u{435}5"),
        "'\u{435}5' is not a move: its \u{435} (U+0435) is not the Latin e that it looks like; expected that"
    );
    for (text, sign, looks_like) in [
        ("N\u{441}3", '\u{441}', 'c'),
        ("\u{41d}c3", '\u{41d}', 'H'),
        ("\u{41e}-\u{41e}", '\u{41e}', 'O'),
        ("e\u{ff15}", '\u{ff15}', '5'),
    ] {
        match read(&start, text) {
            Err(NotationError::LookAlike {
                sign: found,
                looks_like: latin,
                ..
            }) => assert_eq!((found, latin), (sign, looks_like), "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    // Words are no moves, and letters that stand for pieces are meant.
    for text in ["\u{441}\u{43b}\u{43e}\u{432}\u{43e}", "\u{43b}5", "\u{441}"] {
        assert!(
            matches!(read(&start, text), Err(NotationError::Syntax { .. })),
            "{text}"
        );
    }
    let russian: Letters = "\u{41a}\u{424}\u{41b}\u{421}\u{41d}".parse().unwrap();
    let knight = read_move(&start, "\u{41d}hi3", &russian).unwrap();
    assert_eq!(start.text(knight), "h1i3");
    // A capital letter that is a file is not taken for one.
    assert!(matches!(
        read(&start, "Fxg5"),
        Err(NotationError::Letter { letter: 'F', .. })
    ));
    assert_eq!(
        message("Nj5"),
        "'Nj5' is not a move: the board has no cell j5; the letters of its cells are abcdefghikl"
    );
    assert_eq!(
        message("e4e12"),
        "'e4e12' is not a move: the board has no cell e12; there are e1 to e10"
    );
    for (text, expected) in [
        ("Nf5", Why::Own("f5".to_owned())),
        ("e5e6", Why::Empty("e5".to_owned())),
        ("e7e6", Why::Opponents("e7".to_owned())),
        (
            "Qd1c3",
            Why::OtherPiece("d1".to_owned(), "knight".to_owned(), "queen".to_owned()),
        ),
        ("e4xe5", Why::NothingToCapture("e5".to_owned())),
        ("Nc3=Q", Why::NoPromotion("c3".to_owned())),
    ] {
        assert_eq!(why(&start, text), expected, "{text}");
    }
    let error = read(&start, "Nf4").unwrap_err();
    assert!(
        error.to_string().ends_with("it could be d1f4, h1f4"),
        "{error}"
    );
    let mated = after(GameId::Glinski, "Qc3 Qc6 b2 b6 Bb1 e6 Qxf9#");
    assert_eq!(why(&mated, "e5"), Why::GameOver);
    let long = "x".repeat(1 << 20);
    assert!(message(&long).len() < 200);
}

#[test]
fn lists_of_letters() {
    assert_eq!(
        "K, H, W, G, S".parse(),
        Ok(Letters::Listed("KHWGS".chars().collect()))
    );
    assert!(matches!(
        "klingon".parse::<Letters>(),
        Err(LettersError::Unknown { .. })
    ));
    assert_eq!("KVBFK".parse::<Letters>(), Err(LettersError::Twice('K')));
}

#[test]
fn moves_in_the_letters_of_a_language() {
    let polish: Letters = "Polish".parse().unwrap();
    let start = AnyPosition::start(GameId::Glinski);
    for (theirs, own) in [
        ("Kg2", "Kg2"),
        ("He2", "Qe2"),
        ("Wd2", "Rd2"),
        ("Ge3", "Be3"),
        ("Sb2", "Nb2"),
        ("Pe5", "e5"),
        ("♞b2", "Nb2"),
    ] {
        let read = |text: &str, letters| read_move(&start, text, letters);
        let expected = read(own, &Letters::Own).unwrap();
        assert_eq!(read(theirs, &polish), Ok(expected), "{theirs}");
    }
    let error = read_move(&start, "Qe2", &polish).unwrap_err();
    assert!(error.to_string().contains("Q is no piece"), "{error}");
}

#[test]
fn letters_are_for_games_with_such_pieces() {
    let hungarian: Letters = "hungarian".parse().unwrap();
    assert_eq!(hungarian.check(GameId::Mccooey.spec()), Ok(()));
    let error = hungarian.check(GameId::Chromatic3.spec()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the letters hungarian do not fit chromatic3, whose pieces besides the pawn are KQRBNSTU"
    );
    let listed: Letters = "KQRBNXYZ".parse().unwrap();
    assert_eq!(listed.check(GameId::Chromatic3.spec()), Ok(()));
    assert!(listed.check(GameId::Glinski.spec()).is_err());
}

#[test]
fn the_piece_that_a_pawn_becomes_may_stand_apart() {
    let promoting = position(GameId::Glinski, "1/1P1/5/7/9/11/11/11/11/k10/10K w - - 0 1");
    for text in [
        "f11 N",
        "f10-f11 N",
        "1. f11 N",
        "f11= N!",
        "f10f11 N",
        "f11 N+",
        "f11 \u{2658}",
    ] {
        assert_eq!(cells(&promoting, text), "f10f11n", "{text}");
    }
    assert_eq!(cells(&promoting, "f11 Q"), "f10f11q");
    let german: Letters = "german".parse().unwrap();
    let rook = read_move(&promoting, "f11 T", &german).unwrap();
    assert_eq!(promoting.text(rook), "f10f11r");
    // Elsewhere an N says that the move is new, and other letters say nothing.
    let start = AnyPosition::start(GameId::Glinski);
    assert_eq!(cells(&start, "e5 N"), "e4e5");
    assert_eq!(cells(&start, "N c3"), "d1c3");
    assert_eq!(cells(&start, "1. N d5"), "d3d5");
    let novelty = read_move(&start, "N d5", &german).unwrap();
    assert_eq!(start.text(novelty), "d3d5");
    let error = read_move(&start, "N d9", &Letters::Own)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("'Nd9' is not legal"), "{error}");
    assert!(matches!(why(&start, "e5 Q"), Why::NoPromotion(_)));
}
