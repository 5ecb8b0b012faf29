//! What tables say, against the move generator, a plain search, and published figures.

use std::path::Path;

use hexmate_movegen::{
    Bits, BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, KING, Kind, Mccooey, PAWN, Piece,
    Position, Setup, Side, for_each_game,
};
use hexmate_tablebases::{
    Category, Counts, Folder, Held, MOST_MEN, Material, Random, Rules, Value,
};
use tempfile::TempDir;

use crate::{built, material, opened};

/// Builds all tables of three men and checks each: whole by its own moves, at random by the move generator
/// and by a plain search.
fn three_men<G: BuiltIn>(samples: usize, searches: usize) {
    let rules = Rules::of(G::GAME);
    let all = Material::all(&rules, 3);
    let names: Vec<String> = all.iter().map(|m| m.name(&rules)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    checked::<G>(&names, samples, searches);
}

fn checked<G: BuiltIn>(names: &[&str], samples: usize, searches: usize) {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built::<G>(place.path(), names);
    let tables = opened(&rules, place.path());
    assert_eq!(tables.len(), names.len());
    let mut random = Random::new(7);
    for name in names {
        let table = folder.verify(&material(&rules, name), &|_| {});
        let table = table.unwrap_or_else(|e| panic!("{e}"));
        let checked = tables.check_moves(G::GAME, &table, samples, &mut random);
        checked.unwrap_or_else(|e| panic!("{name}: {e}"));
        let checked = tables.check_search(G::GAME, &table, searches, &mut random);
        checked.unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn three_men_of_glinski() {
    three_men::<Glinski>(10_000, 2_000);
}

#[test]
fn three_men_of_hexachess() {
    three_men::<Hexachess>(10_000, 500);
}

#[test]
fn three_men_of_mccooey() {
    three_men::<Mccooey>(10_000, 500);
}

#[test]
fn three_men_of_chromatic3() {
    three_men::<Chromatic3>(5_000, 200);
}

#[test]
fn three_men_of_chromatic4() {
    // One of each sort; `hexmate tb verify chromatic4` checks those that are built.
    checked::<Chromatic4>(&["KBK", "KSK", "KCK"], 2_000, 100);
}

/// The positions of one more man of White that [`Setup`] takes, counted one by one.
fn legal<G: BuiltIn>(kind: Kind) -> [u64; 2] {
    let cells = G::GAME.tables().board.cells();
    Side::BOTH.map(|side| {
        let mut count = 0;
        for &white in cells {
            for &black in cells.iter().filter(|&&c| c != white) {
                for &third in cells.iter().filter(|&&c| c != white && c != black) {
                    let mut setup = Setup::<G>::default();
                    let men = [
                        (white, KING, Side::White),
                        (black, KING, Side::Black),
                        (third, kind, Side::White),
                    ];
                    for (cell, kind, side) in men {
                        setup.set(cell, Some(Piece { kind, side }));
                    }
                    setup.side = side;
                    count += u64::from(setup.build().is_ok());
                }
            }
        }
        count
    })
}

fn counts(folder: &mut Folder, name: &str) -> [Counts; 2] {
    let material = material(folder.rules(), name);
    let table = folder.table(&material).unwrap();
    folder.counts(&material, &table)
}

#[test]
fn positions_are_counted_as_they_stand_on_the_board() {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built::<Glinski>(place.path(), &["KQK", "KPK"]);
    for name in ["KQK", "KPK", "KRK", "KBK"] {
        let kind = rules.kind(name.as_bytes()[1]).unwrap();
        let [white, black] = legal::<Glinski>(kind);
        let found = counts(&mut folder, name).map(|c| c.legal);
        assert_eq!(found, [white, black], "{name}");
        // The same with the sides exchanged.
        let exchanged = format!("KK{}", char::from(name.as_bytes()[1]));
        let found = counts(&mut folder, &exchanged).map(|c| c.legal);
        assert_eq!(found, [black, white], "{exchanged}");
    }
    for name in ["KQK", "KPK"] {
        for side in counts(&mut folder, name) {
            let sum = side.win + side.draw + side.loss + side.gives_stalemate + side.stalemated;
            assert_eq!(side.legal, sum, "{name}");
        }
    }
}

#[test]
fn colours_bind_pieces_and_are_counted_right() {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built::<Chromatic3>(place.path(), &["KSK"]);
    let [white, black] = legal::<Chromatic3>(rules.kind(b'T').unwrap());
    // The table of KSK serves KTK, which a turn of the board makes of it.
    assert_eq!(counts(&mut folder, "KTK").map(|c| c.legal), [white, black]);
}

#[test]
fn longest_mates_are_those_that_were_published() {
    let place = TempDir::new().unwrap();
    let (_, mut folder) = built::<Mccooey>(place.path(), &["KQK", "KRK"]);
    for (name, moves) in [("KQK", 9), ("KRK", 20)] {
        let [white, black] = counts(&mut folder, name);
        assert_eq!(white.longest_win_plies.div_ceil(2), moves, "{name}");
        assert_eq!((white.draw, white.loss, black.win), (0, 0, 0), "{name}");
    }
}

/// What both sides to move together have of a category, in percent.
fn pooled(counts: &[Counts; 2], of: impl Fn(&Counts) -> u64) -> f64 {
    let sum = |of: &dyn Fn(&Counts) -> u64| counts.iter().map(of).sum::<u64>() as f64;
    100.0 * sum(&of) / sum(&|c| c.legal)
}

/// A rook does not beat a knight in 0.0019 % of the positions, for it is checked for ever.
#[test]
fn knights_check_rooks_for_ever() {
    let place = TempDir::new().unwrap();
    let (_, mut folder) = built::<Mccooey>(place.path(), &["KRKN"]);
    let checked = held(&mut folder, "KRKN");
    assert_eq!(checked.perpetual, checked.lasting);
    let share = pooled_share(&mut folder, "KRKN", checked.perpetual);
    assert!((share - 0.0019).abs() < 0.00005, "{share}");
    // Bare kings never give check, and nobody can lose.
    let (_, mut folder) = built::<Mccooey>(place.path(), &["KNK"]);
    let bare = held(&mut folder, "KNK");
    assert!(bare.lasting.iter().all(|&n| n > 0), "{bare:?}");
    assert_eq!(bare.perpetual, [0, 0]);
}

/// How Black holds what is drawn.
fn held(folder: &mut Folder, name: &str) -> Held {
    let material = material(folder.rules(), name);
    folder.held(&material, Side::Black).unwrap().unwrap()
}

/// How many of all legal positions these are, in percent.
fn pooled_share(folder: &mut Folder, name: &str, held: [u64; 2]) -> f64 {
    let legal: u64 = counts(folder, name).iter().map(|c| c.legal).sum();
    100.0 * held.iter().sum::<u64>() as f64 / legal as f64
}

/// The percentages that were published for the board of 91 cells, from the counts of tables that are there:
/// `hexmate tb build mccooey KQKR KBNK --tb DIR`.
#[test]
#[ignore = "needs HEXMATE_TB"]
fn published_percentages() {
    let place = std::env::var("HEXMATE_TB").expect("HEXMATE_TB names a folder of tables");
    let rules = std::sync::Arc::new(Rules::of(Mccooey));
    let mut folder = Folder::new(rules, Path::new(&place));
    let queen = counts(&mut folder, "KQKR");
    assert!((pooled(&queen, |c| c.draw) - 46.5).abs() < 0.05);
    // The draws that last are 4.3 % by perpetual check and 37.2 % by fortresses.
    let checked = held(&mut folder, "KQKR");
    let share = pooled_share(&mut folder, "KQKR", checked.perpetual);
    assert!((share - 4.3).abs() < 0.05, "{share}");
    let rest = pooled_share(&mut folder, "KQKR", checked.lasting) - share;
    assert!((rest - 37.2).abs() < 0.05, "{rest}");
    let knight = counts(&mut folder, "KBNK");
    assert!((pooled(&knight, |c| c.win + c.loss) - 0.5).abs() < 0.01);
}

#[test]
fn a_stalemate_is_a_category_of_its_own_only_where_it_counts() {
    let place = TempDir::new().unwrap();
    let (_, mut folder) = built::<Glinski>(place.path(), &["KNK"]);
    let [white, black] = counts(&mut folder, "KNK");
    assert!(white.gives_stalemate > 0 && black.stalemated > 0);
    let (_, mut folder) = built::<Mccooey>(place.path(), &["KNK"]);
    let [white, black] = counts(&mut folder, "KNK");
    assert_eq!((white.gives_stalemate, black.stalemated), (0, 0));
    assert!(white.win > 0 && black.loss > 0);
}

/// A table of four men on a small scale of time: pieces on both sides, captures, exchanged sides.
#[test]
fn four_men() {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built::<Glinski>(place.path(), &["KBKN"]);
    let tables = opened(&rules, place.path());
    let table = folder.verify(&material(&rules, "KNKB"), &|_| {}).unwrap();
    let mut random = Random::new(3);
    tables
        .check_moves(Glinski, &table, 50_000, &mut random)
        .unwrap();
    tables
        .check_search(Glinski, &table, 2_000, &mut random)
        .unwrap();
}

/// A random arrangement of kings and some kinds, if it is a position.
fn arranged<G: BuiltIn>(random: &mut Random, kinds: &[(Kind, Side)]) -> Option<Position<G>> {
    let cells = G::GAME.tables().board.cells();
    let mut setup = Setup::<G>::default();
    let kings = Side::BOTH.map(|side| (KING, side));
    for &(kind, side) in kings.iter().chain(kinds) {
        let cell = cells[random.below(cells.len())];
        if setup.get(cell).is_some() {
            return None;
        }
        setup.set(cell, Some(Piece { kind, side }));
    }
    setup.side = Side::BOTH[random.below(2)];
    setup.build().ok()
}

#[test]
fn all_that_is_the_same_by_symmetry_has_the_same_value() {
    for_each_game!(G => mirrored_is_the_same::<G>());
}

fn mirrored_is_the_same<G: BuiltIn>() {
    let place = TempDir::new().unwrap();
    let letter = if G::SPEC.kind_of_letter(b'S').is_some() {
        "KSK"
    } else {
        "KPK"
    };
    let (rules, _) = built::<G>(place.path(), &[letter]);
    let tables = opened(&rules, place.path());
    let kind = rules.kind(letter.as_bytes()[1]).unwrap();
    let mut random = Random::new(11);
    let mut seen = 0;
    while seen < 1_000 {
        let Some(position) = arranged::<G>(&mut random, &[(kind, Side::White)]) else {
            continue;
        };
        let mut setup = Setup::<G>::default();
        for cell in position.occupied().cells() {
            let mut piece = position.piece_on(cell).unwrap();
            piece.kind = G::SPEC.mirrored_kind(piece.kind);
            piece.side = piece.side.other();
            setup.set(G::GAME.tables().mirrored[usize::from(cell)], Some(piece));
        }
        setup.side = position.side_to_move().other();
        let mirrored = setup.build().unwrap();
        assert!(tables.probe(&position).is_some(), "{position}");
        assert_eq!(
            tables.probe(&position),
            tables.probe(&mirrored),
            "{position}"
        );
        seen += 1;
    }
}

#[test]
fn what_no_table_has_is_not_answered() {
    let place = TempDir::new().unwrap();
    let (rules, _) = built::<Glinski>(place.path(), &["KQK"]);
    let tables = opened(&rules, place.path());
    assert_eq!(tables.probe(&Position::<Glinski>::start()), None);
    let mut random = Random::new(5);
    let rook = rules.kind(b'R').unwrap();
    let mut seen = 0;
    while seen < 100 {
        if let Some(position) = arranged::<Glinski>(&mut random, &[(rook, Side::White)]) {
            assert_eq!(tables.probe(&position), None, "{position}");
            seen += 1;
        }
        if let Some(bare) = arranged::<Glinski>(&mut random, &[]) {
            assert_eq!(tables.probe(&bare), Some(Value::DRAW), "{bare}");
        }
    }
}

/// The tables of four men with pawns take minutes to build: this asks those of a folder named by
/// `HEXMATE_TB`, which `hexmate tb build glinski KPKP --tb DIR` makes.
#[test]
#[ignore = "needs HEXMATE_TB"]
fn chances_to_capture_en_passant_are_told_apart() {
    let place = std::env::var("HEXMATE_TB").expect("HEXMATE_TB names a folder of tables");
    let place = Path::new(&place);
    en_passant::<Glinski>(place);
    for game in ["hexachess", "mccooey"] {
        match game {
            _ if !place.join(game).join("KPKP.hxtb").is_file() => println!("{game}: not built"),
            "hexachess" => en_passant::<Hexachess>(place),
            _ => en_passant::<Mccooey>(place),
        }
    }
}

fn en_passant<G: BuiltIn>(place: &Path) {
    let rules = std::sync::Arc::new(Rules::of(G::GAME));
    let tables = opened(&rules, place);
    let mut random = Random::new(23);
    let pawns = Side::BOTH.map(|side| (PAWN, side));
    let (mut seen, mut other) = (0, 0);
    while seen < 2_000 {
        let Some(position) = arranged::<G>(&mut random, &pawns) else {
            continue;
        };
        for (_, next) in position.children() {
            if next.en_passant().is_none() {
                continue;
            }
            let mut setup = Setup::from(&next);
            setup.en_passant = None;
            let without = setup.build().unwrap();
            let (with, without) = (tables.probe(&next), tables.probe(&without));
            assert!(with.is_some() && without.is_some(), "{next}");
            // One more move never makes it worse, but for one that must be made.
            other += usize::from(with != without);
            if without.unwrap().category == Category::Win {
                assert_eq!(with.unwrap().category, Category::Win, "{next}");
            }
            seen += 1;
        }
    }
    assert!(other > 0, "the chance never mattered");
}

/// With fewer men there are no kings, with more no table.
#[test]
fn no_material_has_a_table_with_too_few_or_too_many_men() {
    let rules = Rules::of(Glinski);
    for men in [0, 1, 2, MOST_MEN + 1, usize::MAX] {
        assert_eq!(Material::all(&rules, men), [], "{men}");
    }
}
