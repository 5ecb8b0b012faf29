//! The sight of every backend against the plain walk in board space.

use crate::common::Rng;
use hexmate_movegen::spec::neg;
use hexmate_movegen::{
    Bits, BuiltIn, Cell, Kind, Observer, PAWN, Position, Side, Sight, Simd, for_each_game, observe,
};

/// All answers about one position and a set of cells, to be compared with the plain walk.
struct Look<'p, G: BuiltIn>(&'p Position<G>, G::Bits);

impl<G: BuiltIn> Observer<G> for Look<'_, G> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<G>>(self, sight: S) {
        let Look(position, some) = self;
        let (tables, occupied) = (G::GAME.tables(), position.occupied());
        let ready = [sight.set(tables.all), sight.set(some)];
        for cell in occupied.cells() {
            let Some(piece) = position.piece_on(cell) else {
                unreachable!("the cell is occupied");
            };
            if piece.kind == PAWN {
                continue;
            }
            let seen = tables.attacks(piece.kind, cell, occupied);
            let counts = sight.counts(piece.kind, cell, sight.set(occupied), ready);
            assert_eq!(counts, [seen.count(), (seen & some).count()]);
        }
        for side in Side::BOTH {
            for pawns in [position.pieces(PAWN, side), some] {
                let one_by_one = |of: &dyn Fn(Cell) -> G::Bits| {
                    pawns.cells().fold(G::Bits::EMPTY, |set, c| set | of(c))
                };
                let attacks = one_by_one(&|c| tables.pawn_attacks(side, c));
                assert_eq!(sight.pawn_attacks(side, pawns), attacks);
                let steps = one_by_one(&|c| {
                    let turned = |&s| if side == Side::White { s } else { neg(s) };
                    let next = G::SPEC.pawn.steps.iter().map(turned);
                    next.filter_map(|s| tables.board.step(c, s))
                        .fold(G::Bits::EMPTY, |set, c| set | G::Bits::of(c))
                });
                assert_eq!(sight.pawn_steps(side, pawns), steps);
            }
        }
    }
}

fn all_backends_agree<G: BuiltIn>() {
    let mut position = Position::<G>::start();
    let mut rng = Rng(3);
    for ply in 0..100 {
        let cells = G::GAME.tables().board.cells().iter();
        let some = cells.filter(|_| !rng.one_in(3));
        let some = some.fold(G::Bits::EMPTY, |set, &c| set | G::Bits::of(c));
        for simd in Simd::available() {
            observe(G::GAME, simd, Look(&position, some));
        }
        let tables = G::GAME.tables();
        for &cell in tables.board.cells() {
            let of_kinds = tables.attacks_of_kinds(cell, position.occupied());
            for kind in (0..tables.kinds() as Kind).filter(|&kind| kind != PAWN) {
                let alone = tables.attacks(kind, cell, position.occupied());
                assert_eq!(of_kinds.as_ref()[usize::from(kind)], alone, "{kind} {cell}");
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[ply * 13 % moves.len()];
        position.play(mv).expect("it is one of the legal moves");
    }
}

#[test]
fn every_backend_sees_what_a_plain_walk_sees() {
    for_each_game!(G => all_backends_agree::<G>());
}
