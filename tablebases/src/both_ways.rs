//! Tests that tables solved block by block equal those solved position by position, and that the proof of the
//! former finds errors.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hexmate_movegen::{BuiltIn, Glinski, Mccooey, Side, for_each_game};
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
fn agree<G: BuiltIn>(materials: impl Fn(&Rules) -> Vec<Material>) {
    let rules = Arc::new(Rules::of(G::GAME));
    let place = TempDir::new().unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let never = AtomicBool::new(false);
    for material in materials(&rules) {
        for plan in folder.plan(&material.needs(&rules)) {
            folder.build(&plan, None, &never, &|_| {}).unwrap();
        }
        let game = folder.game(&material).unwrap();
        let blocks = Blocks::new(&game).unwrap();
        let fast = BlockSolver::new(&blocks, &never).unwrap();
        let plain = Solver::new(&game, &never);
        // Not compared by the macro, which would print millions of numbers.
        let same = fast.run(&|_| {}).unwrap() == plain.run(&|_| {}).unwrap();
        assert!(same, "{} of {}", material.name(&rules), rules.name());
    }
}

fn named<G: BuiltIn>(names: &[&str]) {
    agree::<G>(|rules| {
        let parse = |name: &&str| Material::parse(rules, name).unwrap();
        names.iter().map(parse).collect()
    });
}

#[test]
fn three_men_are_solved_as_position_by_position() {
    for_each_game!(G => agree::<G>(|rules| {
        let mut all = Material::all(rules, 3);
        all.retain(|m| !m.has_pawns());
        all
    }));
}

/// Rows may be made of several groups, or of none, as in larger tables, and of groups of both sides.
#[test]
fn it_does_not_matter_where_rows_end_and_columns_begin() {
    let rules = Arc::new(Rules::of(Mccooey));
    let place = TempDir::new().unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let material = Material::parse(&rules, "KBKN").unwrap();
    let never = AtomicBool::new(false);
    for plan in folder.plan(&material.needs(&rules)) {
        folder.build(&plan, None, &never, &|_| {}).unwrap();
    }
    let game = folder.game(&material).unwrap();
    let plain = Solver::new(&game, &never).run(&|_| {}).unwrap();
    for rows in 0..=2 {
        let blocks = Blocks::split(&game, game.layout.groups().to_vec(), rows);
        let solver = BlockSolver::new(&blocks, &never).unwrap();
        let same = solver.run(&|_| {}).unwrap() == plain;
        assert!(same, "{rows}");
        let wrong = contradiction(&blocks, plain.clone(), &|_| {});
        assert_eq!(wrong, None, "{rows}");
    }
}

/// One table with men of both sides is compared above.
#[test]
fn four_men_are_solved_as_position_by_position() {
    named::<Glinski>(&["KNNK"]);
}

/// In a table with a pair of identical men, which the proof tells apart.
#[test]
fn a_wrong_code_is_found() {
    let rules = Arc::new(Rules::of(Glinski));
    let place = TempDir::new().unwrap();
    let mut folder = Folder::new(Arc::clone(&rules), place.path());
    let material = Material::parse(&rules, "KBBK").unwrap();
    for plan in folder.plan(std::slice::from_ref(&material)) {
        let never = AtomicBool::new(false);
        folder.build(&plan, None, &never, &|_| {}).unwrap();
    }
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
