use super::*;
use hexmate_movegen::GameId;

fn words(game: &str, letter: u8) -> String {
    let game: GameId = GameId::shipped()
        .iter()
        .copied()
        .find(|g| g.name() == game)
        .unwrap();
    let of_letter = game.spec().kind_of_letter(letter).unwrap();
    kind(game.spec(), &game.spec().pieces[usize::from(of_letter)])
}

#[test]
fn worth_is_in_pawns_of_the_game() {
    assert_eq!(worth(&[107, 0, 320, 1200], PAWN), 1.0);
    assert_eq!(worth(&[107, 0, 320, 1200], 2), 3.0);
    assert_eq!(worth(&[100, 0, 320, 1200], 3), 12.0);
    // A pawn of nothing, in a game of which little is known, makes nobody infinite.
    assert_eq!(worth(&[0, 0, 320], 2), 0.0);
    for &game in GameId::shipped() {
        let values = hexmate_movegen::with_game!(game, game => values(game));
        assert_eq!(worth(&values, PAWN), 1.0, "{}", game.name());
    }
}

#[test]
fn usual_pieces() {
    assert_eq!(
        words("glinski", b'R'),
        "Slides any distance through the sides of cells (six directions)."
    );
    assert_eq!(
        words("glinski", b'B'),
        "Slides any distance through the corners of cells (six diagonals)."
    );
    assert_eq!(
        words("glinski", b'K'),
        "Goes one cell in any of the twelve directions."
    );
    assert!(words("glinski", b'N').starts_with("Leaps over anything to the twelve"));
    let pawn = pawn(GameId::Glinski.spec());
    assert!(
        pawn.starts_with(
            "Steps one cell forward in one direction; captures one cell ahead in two directions."
        ),
        "{pawn}"
    );
    assert!(
        pawn.contains("From cells where pawns begin it may go two cells."),
        "{pawn}"
    );
}

fn game_of(pieces: &str, pawn: &str) -> &'static GameSpec {
    let text = format!(
        "format = 1\nname = 'words'\ntitle = 'Words'\n[board]\nhexagon = 5\nother_side = 'half turn'\n\
         [pieces]\nK = {{ name = 'king', leaps = ['edges'] }}\n{pieces}\n[pawn]\n{pawn}\n\
         [start]\nwhite = 'Ke1 a2'\n"
    );
    match GameId::from_text(&text) {
        Ok(game) => game.spec(),
        Err(error) => panic!("{error}"),
    }
}

const ROOK: &str = "R = { name = 'rook', slides = ['edges'] }";
const PAWN_KEYS: &str = "steps = ['e2']\ncaptures = ['e1', 'e3']";

#[test]
fn directions_are_told_apart() {
    let spec = game_of(
        "Q = { name = 'queen', slides = ['(2, 0)', '(-2, 0)', '(0, 3)', '(0, -3)', 'e3', '-e3'] }\n\
         R = { name = 'rook', slides = ['vertices', 'e1', '-e1', '(3, 1)', '(-3, -1)'] }",
        PAWN_KEYS,
    );
    let words = |letter| {
        let of_letter = spec.kind_of_letter(letter).unwrap();
        kind(spec, &spec.pieces[usize::from(of_letter)])
    };
    assert_eq!(
        words(b'Q'),
        "Slides any distance through sides of cells in two directions and skipping every other cell in two \
         directions and skipping two cells each time in two directions."
    );
    assert_eq!(
        words(b'R'),
        "Slides any distance through the corners of cells (six diagonals) and along other lines in two \
         directions and through sides of cells in two directions."
    );
}

#[test]
fn zigzags_of_different_reach_are_told_apart() {
    let spec = game_of(
        "Q = { name = 'queen', paths = ['e1 v2', '-e1 -v2', 'v2 e1', '-v2 -e1', \
         { along = ['e3 -v1', '-e3 v1', '-v1 e3', 'v1 -e3'], reach = 2 }] }",
        PAWN_KEYS,
    );
    let queen = spec.kind_of_letter(b'Q').unwrap();
    assert_eq!(
        kind(spec, &spec.pieces[usize::from(queen)]),
        "Goes any distance in zigzags (4 ways); or goes up to 2 cells in zigzags (4 ways)."
    );
}

#[test]
fn pawns_that_leap_or_capture_aside() {
    let text = pawn(game_of(ROOK, "steps = ['(0, 2)']\ncaptures = ['(0, 3)']"));
    assert!(
        text.starts_with(
            "Leaps forward in one direction; captures by leaps ahead in one direction."
        ),
        "{text}"
    );
    let text = pawn(game_of(ROOK, "steps = ['e2']\ncaptures = ['e3', '-e3']"));
    assert!(
        text.starts_with(
            "Steps one cell forward in one direction; captures one cell away in two directions."
        ),
        "{text}"
    );
    let text = pawn(game_of(ROOK, "steps = ['e2']\ncaptures = ['e3', '(0, 3)']"));
    assert!(
        text.contains("; captures one cell away or by a leap in two directions."),
        "{text}"
    );
}

#[test]
fn what_pawns_cannot_do_is_not_said() {
    let steps = "steps = ['e2']\nen_passant = true\n";
    let first = "first = [{ cells = 'b2', steps = 2 }]";
    let text = pawn(game_of(ROOK, &format!("{steps}captures = []\n{first}")));
    let begin = "Steps one cell forward in one direction; ";
    assert!(
        text.starts_with(&format!("{begin}never captures. From cells")),
        "{text}"
    );
    assert!(!text.contains("en passant"), "{text}");
    let text = pawn(game_of(ROOK, &format!("{steps}captures = ['e1', 'e3']")));
    assert!(!text.contains("en passant"), "{text}");
    let first = "first = [{ cells = 'b2', steps = 2, captures = ['e1', 'e3'] }]";
    let text = pawn(game_of(ROOK, &format!("{steps}captures = []\n{first}")));
    assert!(
        text.starts_with(&format!("{begin}captures only from some cells. "))
            && text
                .contains("it may go two cells, and it may capture in two directions. A pawn that"),
        "{text}"
    );
}

#[test]
fn first_moves_are_told_once_and_pawns_by_name() {
    let text = pawn(game_of(
        ROOK,
        "name = 'infantryman'\nsteps = ['e2']\ncaptures = ['e1', 'e3']\nen_passant = true\n\
         first = [{ cells = 'b1', captures = ['v2'] }, { cells = 'c2', steps = 2 }, \
         { cells = 'g2', steps = 2 }, { cells = 'e4', steps = 2, captures = ['v2'] }]",
    ));
    let told = "From cells where pawns begin it may capture in another direction. \
                From others it may go two cells. \
                From still others it may go two cells, and it may capture in another direction. \
                An infantryman that has just gone";
    assert!(text.contains(told), "{text}");
}

fn castling_of(name: &str) -> String {
    let game = GameId::shipped().iter().find(|g| g.name() == name).unwrap();
    hexmate_movegen::with_game!(*game, game => castling(game)).unwrap()
}

#[test]
fn castling_says_where_with_what_and_how_black_does_it() {
    let text = castling_of("chromatic3");
    let start = "The king goes two cells through sides of cells in two directions (White's from d1 to b1 or f1, \
                 Black's from j13 to h13 or l13) towards a piece with which it may castle (S, T or U), at least 3 cells away, and that piece";
    assert!(text.starts_with(start), "{text}");
    let text = castling_of("brusky");
    let start = "White's ways to castle: king f1-h1, partner i1-g1; king f1-c1, partner a1-d1; \
                 Black's: king g8-e8, partner d8-f8; king g8-j8, partner l8-i8; neither may have moved";
    assert!(text.starts_with(start), "{text}");
    // Where the sides do not face each other in a mirror that leaves left where it is.
    let text = castling_of("shafran");
    assert!(text.contains("; Black's: king e10-"), "{text}");
    assert!(!text.contains("mirror"), "{text}");
}

#[test]
fn every_kind_of_every_game_has_words() {
    for game in GameId::shipped() {
        let spec = game.spec();
        for piece in &spec.pieces[1..] {
            let text = kind(spec, piece);
            assert!(
                text.len() > 10 && text.ends_with('.'),
                "{game} {}: {text}",
                piece.name
            );
            assert!(!text.starts_with("Does not"), "{game} {}", piece.name);
        }
        let castling = hexmate_movegen::with_game!(*game, game => castling(game));
        assert_eq!(castling.is_some(), spec.castling.is_some());
    }
}
