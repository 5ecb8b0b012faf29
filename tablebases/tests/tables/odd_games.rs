//! Games from files whose rules tables could miss: a king that may not stand everywhere, bare kings that play on, long
//! steps without en passant.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hexmate_movegen::{
    Chromatic3, Game, GameId, Glinski, KING, Piece, Setup, Side, SmallGame, with_game,
};
use hexmate_tablebases::{Category, Folder, Random, Rules, TableError, Tablebases, Value};
use tempfile::TempDir;

use crate::{built_of, material, opened};

fn game(text: &str) -> SmallGame {
    match GameId::from_text(text) {
        Ok(GameId::SmallGame(game)) => game,
        other => panic!("{other:?}\n{text}"),
    }
}

/// Builds tables, and compares them with the move generator.
fn check(game: SmallGame, names: &[&str]) -> (TempDir, Tablebases) {
    let place = TempDir::new().unwrap();
    let (rules, mut folder) = built_of(game, place.path(), names);
    let tables = opened(&rules, place.path());
    for name in tables.names() {
        let table = folder.verify(&material(&rules, name), &|_| {});
        let table = table.unwrap_or_else(|e| panic!("{e}"));
        let checked = tables.check_moves(game, &table, 20_000, &mut Random::new(5));
        checked.unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    (place, tables)
}

/// The king keeps to one colour of three.
#[test]
fn kings_stand_where_they_may() {
    let bound = game(
        "format = 1\nname = \"bound\"\ntitle = \"Kings of one colour\"\n\
         [board]\nhexagon = 4\nother_side = \"reflection\"\n\
         [pieces]\nK = { name = \"king\", leaps = [\"vertices\"], on = [1] }\n\
         B = { name = \"bishop\", slides = [\"vertices\"], on = [1] }\n\
         R = { name = \"rook\", slides = [\"edges\"] }\n\
         [pawn]\nsteps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n\
         [start]\nwhite = \"Kd1\"\n",
    );
    let (_place, tables) = check(bound, &["KBK", "KRK"]);
    assert_eq!(tables.names(), ["KBK", "KRK"]);
}

/// On one row of cells pawns are promoted everywhere: their table has no positions.
#[test]
fn a_table_without_positions() {
    let line = game(
        "format = 1\nname = \"line\"\ntitle = \"A line\"\n\
         [board]\nrows = [\"a-h\"]\nother_side = \"half turn\"\n\
         [pieces]\nK = { name = \"king\", leaps = [\"edges\"] }\n\
         R = { name = \"rook\", slides = [\"edges\"] }\n\
         [pawn]\nsteps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n\
         [start]\nwhite = \"Ka1 Rb1\"\n",
    );
    let (place, tables) = check(line, &["KPK"]);
    assert_eq!(tables.names(), ["KPK", "KRK"]);
    let (rules, mut folder) = built_of(line, place.path(), &[]);
    let table = folder.table(&material(&rules, "KPK")).unwrap();
    assert_eq!(table.header().positions, 0);
    let searched = tables.check_search(line, &table, 100, &mut Random::new(5));
    searched.unwrap_or_else(|e| panic!("{e}"));
}

/// Mini hexchess, whose bare kings play on; what a stalemate is worth.
fn on(stalemate: &str) -> SmallGame {
    game(&format!(
        "format = 1\nbase = \"minihexchess\"\nname = \"on\"\ntitle = \"Bare kings play on\"\n\
         [ends]\nbare_kings = \"play on\"\nstalemate = \"{stalemate}\"\n"
    ))
}

/// White's king before the corner of Black's: if it is Black's turn, that is a stalemate.
fn cornered(game: SmallGame, tables: &Tablebases, side: Side) -> Option<Value> {
    let board = &game.tables().board;
    let mut setup = Setup::new(game);
    for (name, side) in [("d7", Side::Black), ("d5", Side::White)] {
        let cell = board.parse_cell(name).unwrap();
        setup.set(cell, Some(Piece { kind: KING, side }));
    }
    setup.side = side;
    tables.probe(&setup.build().unwrap())
}

#[test]
fn bare_kings_that_play_on_are_drawn_where_a_stalemate_is() {
    let game = on("1/2");
    let (_place, tables) = check(game, &["KNK"]);
    assert_eq!(tables.names(), ["KNK"]);
    let value = cornered(game, &tables, Side::Black);
    assert_eq!(value, Some(Value::DRAW));
}

/// Where a king alone can stalemate the other, and that costs something, bare kings have a table.
#[test]
fn bare_kings_that_stalemate_each_other_have_a_table() {
    let game = on("3/4-1/4");
    let (_place, tables) = check(game, &["KNK"]);
    assert_eq!(tables.names(), ["KK", "KNK"]);
    let category = |side| cornered(game, &tables, side).map(|value| value.category);
    assert_eq!(category(Side::Black), Some(Category::Stalemated));
    assert!(category(Side::White).is_some());
}

/// A small board whose pawns have such a `first` move.
fn narrow(first: &str, en_passant: bool) -> SmallGame {
    game(&format!(
        "format = 1\nname = \"narrow\"\ntitle = \"A narrow board\"\n\
         [board]\nrows = [\"a1-c1\", \"a2-c2\", \"a3-c3\", \"a4-c4\", \"a5-c5\"]\nother_side = \"half turn\"\n\
         [pieces]\nK = {{ name = \"king\", leaps = [\"edges\"] }}\n\
         R = {{ name = \"rook\", slides = [\"edges\"] }}\n\
         [pawn]\nsteps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n\
         first = [{first}]\nen_passant = {en_passant}\n\
         [start]\nwhite = \"Ka1\"\n"
    ))
}

/// Two steps.
const DOUBLE: &str = "{ rows = [2], steps = 2 }";

/// Both sides have pawns that make double steps, with and without en passant.
#[test]
fn pawns_are_captured_en_passant_only_where_the_game_says_so() {
    for en_passant in [false, true] {
        let game = narrow(DOUBLE, en_passant);
        let (place, _) = check(game, &["KPKP"]);
        let (rules, mut folder) = built_of(game, place.path(), &[]);
        // Perpetual checks are counted where every position is in the table.
        let held = folder.held(&material(&rules, "KPKP"), Side::White).unwrap();
        assert_eq!(held.is_none(), en_passant);
    }
}

/// Tables that were built with en passant are not those of the game without it.
#[test]
fn en_passant_is_among_the_rules_that_a_table_knows() {
    let place = TempDir::new().unwrap();
    built_of(narrow(DOUBLE, true), place.path(), &["KRK"]);
    let rules = Arc::new(Rules::of(narrow(DOUBLE, false)));
    let (tables, faults) = Tablebases::open(&rules, place.path()).unwrap();
    assert!(tables.is_empty());
    assert!(
        matches!(&faults[..], [TableError::OtherRules { .. }]),
        "{faults:?}"
    );
    // Without long steps the word means nothing.
    let fingerprint = |en_passant| Rules::of(narrow("", en_passant)).fingerprint();
    assert_eq!(fingerprint(true), fingerprint(false));
}

/// Mini hexchess has fewer kinds, and pawns of Chromatic chess remember their first moves.
#[test]
fn material_of_another_game_is_refused() {
    let glinski = Rules::of(Glinski);
    let mini: GameId = "minihexchess".parse().unwrap();
    let mini = with_game!(mini, game => Rules::of(game));
    for (rules, name) in [(mini, "KNK"), (Rules::of(Chromatic3), "KPK")] {
        let place = TempDir::new().unwrap();
        let mut folder = Folder::new(Arc::new(rules), place.path());
        let wanted = [material(&glinski, name)];
        let planned = catch_unwind(AssertUnwindSafe(|| folder.plan(&wanted).len()));
        let fault = planned.unwrap_err();
        let told = fault.downcast_ref::<String>().unwrap();
        assert!(told.contains("has no table in"), "{told}");
    }
}
