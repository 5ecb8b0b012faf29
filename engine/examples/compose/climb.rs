//! Placements by chance, changed step by step as long as they become better problems.

use std::time::Instant;

use hexmate_movegen::{Bits, BuiltIn, Cell, EnPassant, KING, PAWN, Piece, Position, Setup, Side};

use crate::Args;
use crate::problem::{Problem, Random, Theme, steps};

/// Changes tried in vain before a problem counts as finished.
const PATIENCE: usize = 1_500;

/// A problem that none of the changes tried made better.
pub fn compose<G: BuiltIn>(args: &Args, random: &mut Random, end: Instant) -> Option<Problem<G>> {
    let us = random.any(&Side::BOTH);
    let throws = std::iter::repeat_with(|| placement::<G>(args, us, random));
    let wanted = |p: &Problem<G>| args.theme.is_none_or(|theme| p.shows(theme));
    let mut best = throws
        .take_while(|_| Instant::now() < end)
        .find_map(|position| Problem::new(position?, args.moves).filter(wanted))?;
    let mut vain = 0;
    while vain < PATIENCE && Instant::now() < end {
        vain += 1;
        let next = changed(&best.position, args, us, random);
        let next = next.and_then(|p| Problem::new(p, args.moves));
        if let Some(next) = next.filter(|p| wanted(p) && p.merit() > best.merit()) {
            best = next;
            vain = 0;
        }
    }
    Some(best)
}

/// A piece of the letters given, which have the side that mates in upper case.
fn piece<G: BuiltIn>(args: &Args, us: Side, random: &mut Random) -> Piece {
    let letter = random.any(args.pieces.as_bytes());
    let side = if letter.is_ascii_uppercase() {
        us
    } else {
        us.other()
    };
    let kind = G::SPEC.kind_of_letter(letter).unwrap_or(PAWN);
    Piece { kind, side }
}

fn empty_cell<G: BuiltIn>(setup: &Setup<G>, random: &mut Random) -> Cell {
    loop {
        let cell = random.any(G::GAME.tables().board.cells());
        if setup.get(cell).is_none() {
            return cell;
        }
    }
}

fn placement<G: BuiltIn>(args: &Args, us: Side, random: &mut Random) -> Option<Position<G>> {
    let mut setup = Setup::<G>::default();
    setup.side = us;
    for side in Side::BOTH {
        let cell = empty_cell(&setup, random);
        setup.set(cell, Some(Piece { kind: KING, side }));
    }
    for _ in 0..3 + random.below(args.most as usize - 2) {
        let cell = empty_cell(&setup, random);
        setup.set(cell, Some(piece::<G>(args, us, random)));
    }
    if args.theme == Some(Theme::EnPassant) {
        add_double_step(&mut setup, random);
    }
    setup.build().ok()
}

/// Puts two pawns so that one has just passed the other.
fn add_double_step<G: BuiltIn>(setup: &mut Setup<G>, random: &mut Random) {
    let (us, tables) = (setup.side, G::GAME.tables());
    let crossed = empty_cell(setup, random);
    let stands = steps::<G>(us.other())
        .next()
        .and_then(|step| tables.board.step(crossed, step));
    let takers: Vec<Cell> = tables.pawn_attacks(us.other(), crossed).cells().collect();
    let (Some(stands), false) = (stands, takers.is_empty()) else {
        return;
    };
    let pawn = |side| Some(Piece { kind: PAWN, side });
    setup.set(stands, pawn(us.other()));
    setup.set(random.any(&takers), pawn(us));
    setup.en_passant = Some(EnPassant::new(crossed, stands));
}

/// One piece moved, added, taken away or exchanged.
fn changed<G: BuiltIn>(
    position: &Position<G>,
    args: &Args,
    us: Side,
    random: &mut Random,
) -> Option<Position<G>> {
    let mut setup = Setup::from(position);
    let pieces: Vec<Cell> = position.occupied().cells().collect();
    let chosen = random.any(&pieces);
    let is_king = position.kind(KING).has(chosen);
    match random.below(4) {
        0 if pieces.len() < args.most as usize + 2 => {
            let cell = empty_cell(&setup, random);
            setup.set(cell, Some(piece::<G>(args, us, random)));
        }
        1 if !is_king => setup.set(chosen, None),
        2 if !is_king => setup.set(chosen, Some(piece::<G>(args, us, random))),
        _ => {
            let cell = empty_cell(&setup, random);
            setup.set(cell, setup.get(chosen));
            setup.set(chosen, None);
        }
    }
    setup.build().ok()
}
