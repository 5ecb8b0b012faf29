//! What a stalemate is worth decides the right move: given where there is no more than a draw else, not
//! given where there is a win, and avoided by who has a draw. In mccooey it is a draw itself.

use crate::oracle::{after, position, search, to_nodes};
use crate::three_men::{ThreeMen, turned};
use hexmate_engine::Shown;
use hexmate_movegen::{BuiltIn, Glinski, Hexachess, Mccooey, Position, Setup, Side};

/// Found by `engine/examples/stalemates.rs`.
const SET: &str = include_str!("../data/stalemates.epd");

/// The positions, and White's quarters in this game.
fn set<G: BuiltIn>() -> Vec<(&'static str, u8)> {
    let lines = SET.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let of_game = |line: &'static str| {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap();
        let quarters = fields.find_map(|f| f.strip_prefix(G::SPEC.name))?;
        Some((fen, quarters.trim().parse().unwrap()))
    };
    lines.filter_map(of_game).collect()
}

/// The plies left to the draw by the count, where more than a draw is at stake: a stalemate can be given in
/// fewer, and all that is put off is a draw soon. So the search can see what the choice is.
const LEFT: u16 = 6;

/// The position as the engine gets it.
fn posed<G: BuiltIn>(start: &Position<G>, quarters: u8) -> Position<G> {
    let mut setup = Setup::from(start);
    let decided_by_stalemate =
        start.side_to_move() == Side::White && quarters == 3 || quarters == 2;
    if decided_by_stalemate {
        setup.halfmove = G::SPEC.no_progress_plies - LEFT;
    }
    setup.build().unwrap()
}

/// The engine plays a move that keeps what the position is worth, for either colour.
fn lost<G: BuiltIn>(solved: &ThreeMen<G>, start: &Position<G>, quarters: u8) -> Vec<String> {
    let mut lost = Vec::new();
    for (black, nodes) in [(false, 30_000), (true, 60_000)] {
        let now = posed(start, quarters);
        let now = if black { turned(&now) } else { now };
        let report = search(&now, to_nodes(nodes));
        let mv = report.best_move().unwrap();
        let next = after(&now, mv);
        let left = solved.quarters(&if black { turned(&next) } else { next });
        if left != quarters {
            let (text, shown) = (mv.text(G::GAME), Shown::from(report.score()));
            let id = G::ID;
            lost.push(format!(
                "{id} {now}, {nodes} nodes: {text} leaves {left} of {quarters} quarters, {shown:?}"
            ));
        }
    }
    lost
}

fn right_choice<G: BuiltIn>() {
    let solved = ThreeMen::<G>::pawn();
    let mut all = Vec::new();
    for (fen, expected) in set::<G>() {
        let start: Position<G> = position(fen);
        assert_eq!(solved.quarters(&start), expected, "{} {fen}", G::ID);
        all.extend(lost(solved, &start, expected));
    }
    assert!(all.is_empty(), "{} times:\n{}", all.len(), all.join("\n"));
}

#[test]
fn right_choice_in_glinski() {
    right_choice::<Glinski>();
}

#[test]
fn right_choice_in_hexachess() {
    right_choice::<Hexachess>();
}

#[test]
fn right_choice_in_mccooey() {
    right_choice::<Mccooey>();
}

/// The set has something to choose in every position and game where it matters, of each sort.
#[test]
fn the_set_is_varied() {
    for (side, quarters, least) in [
        (Side::White, 3, 6),
        (Side::White, 4, 6),
        (Side::Black, 3, 2),
        (Side::Black, 2, 4),
    ] {
        let of_sort = set::<Glinski>()
            .into_iter()
            .filter(|&(fen, q)| position::<Glinski>(fen).side_to_move() == side && q == quarters);
        let count = of_sort.count();
        assert!(
            count >= least,
            "{count} with {side:?} to move worth {quarters}"
        );
    }
    let different = |(a, b): &((&str, u8), (&str, u8))| a.1 != b.1;
    let pairs = set::<Glinski>().into_iter().zip(set::<Mccooey>());
    assert!(pairs.filter(different).count() >= 6);
}
