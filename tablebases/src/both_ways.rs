//! Tests that tables solved block by block equal those solved position by position, and that the proof of the
//! former finds errors.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hexmate_movegen::{Bits, BuiltIn, Game, GameId, Side, for_each_game};
use tempfile::TempDir;

use crate::blocks::Blocks;
use crate::blockwise::BlockSolver;
use crate::folder::Folder;
use crate::material::Material;
use crate::proof::contradiction;
use crate::random::Random;
use crate::rules::Rules;
use crate::solve::Solver;
use crate::value::{DRAW, ILLEGAL};

/// Compares tables solved block by block and position by position.
fn agree(rules: Rules, materials: &[Material]) {
    let rules = Arc::new(rules);
    let place = TempDir::new().unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let never = AtomicBool::new(false);
    for material in materials {
        build(&mut folder, &material.needs(&rules));
        let game = folder.game(material).unwrap();
        let blocks = Blocks::new(&game).unwrap();
        let fast = BlockSolver::new(&blocks, &never).unwrap();
        let plain = Solver::new(&game, &never);
        // Not compared by the macro, which would print millions of numbers.
        let same = fast.run(&|_| {}).unwrap() == plain.run(&|_| {}).unwrap();
        assert!(same, "{} of {}", material.name(&rules), rules.name());
    }
}

fn build(folder: &mut Folder, materials: &[Material]) {
    let never = AtomicBool::new(false);
    for plan in folder.plan(materials) {
        folder.build(&plan, None, &never, &|_| {}).unwrap();
    }
}

/// A game of 37 cells: four men have a 36th of the arrangements that they have on 91.
fn small() -> Rules {
    match "minihexchess".parse() {
        Ok(GameId::SmallGame(game)) => Rules::of(game),
        other => panic!("{other:?}"),
    }
}

#[test]
fn three_men_are_solved_as_position_by_position() {
    for_each_game!(G => {
        let rules = Rules::of(G::GAME);
        let all = Material::all(&rules, 3).into_iter();
        let all = all.filter(|m| !m.has_pawns());
        // The ten pieces of the largest board are much alike and would take most of the time.
        let every = if G::GAME.tables().all.count() > 128 { 5 } else { 1 };
        agree(rules, &all.step_by(every).collect::<Vec<_>>());
    });
}

/// Rows may be made of several groups, or of none, as in larger tables, and of groups of both sides.
#[test]
fn it_does_not_matter_where_rows_end_and_columns_begin() {
    let rules = Arc::new(small());
    let place = TempDir::new().unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let never = AtomicBool::new(false);
    for name in ["KBKN", "KNNK"] {
        let material = Material::parse(&rules, name).unwrap();
        build(&mut folder, &material.needs(&rules));
        let game = folder.game(&material).unwrap();
        let plain = Solver::new(&game, &never).run(&|_| {}).unwrap();
        for rows in 0..=game.layout.groups().len() {
            let blocks = Blocks::split(&game, game.layout.groups().to_vec(), rows);
            let solver = BlockSolver::new(&blocks, &never).unwrap();
            let same = solver.run(&|_| {}).unwrap() == plain;
            assert!(same, "{name} {rows}");
            let wrong = contradiction(&blocks, plain.clone(), &|_| {});
            assert_eq!(wrong, None, "{name} {rows}");
        }
    }
}

#[test]
fn four_men_are_solved_as_position_by_position() {
    let rules = small();
    let mut all = Material::all(&rules, 4);
    all.retain(|m| !m.has_pawns());
    agree(rules, &all);
}

/// In a table with a pair of identical men, which the proof tells apart.
#[test]
fn a_wrong_code_is_found() {
    let rules = Arc::new(small());
    let place = TempDir::new().unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let material = Material::parse(&rules, "KBBK").unwrap();
    build(&mut folder, std::slice::from_ref(&material));
    let codes = folder.table(&material).unwrap().codes();
    let game = folder.game(&material).unwrap();
    let blocks = Blocks::new(&game).unwrap();
    assert_eq!(contradiction(&blocks, codes.clone(), &|_| {}), None);
    let mut random = Random::new(4);
    for side in Side::BOTH {
        for (right, wrong) in [(DRAW, 2), (DRAW, ILLEGAL), (ILLEGAL, DRAW)] {
            let mut codes = codes.clone();
            let code = std::iter::repeat_with(|| random.below(codes[0].len()));
            let mut code = code.filter(|&at| codes[side as usize][at] == right);
            let at = code.next().unwrap();
            codes[side as usize][at] = wrong;
            assert!(
                contradiction(&blocks, codes, &|_| {}).is_some(),
                "{side:?} {at}"
            );
        }
    }
}
