//! Static exchange evaluation: what a series of captures on one cell comes to.

use hexmate_movegen::{Bits, Cell, Game, KING, Kind, Move, PAWN, Piece, Position};

use crate::eval::Evaluation;
use crate::score::Score;

/// What capturing the king would be worth in an exchange: more than everything else.
const KING_VALUE: Score = 20_000;

/// The kind that a legal move captures, en passant included.
#[inline]
pub(crate) fn captured<G: Game>(position: &Position<G>, mv: Move) -> Option<Kind> {
    if let Some(Piece { kind, .. }) = position.piece_on(mv.to) {
        return Some(kind);
    }
    en_passant_victim(position, mv).map(|_| PAWN)
}

/// Whether a legal move captures nothing and promotes nothing.
#[inline]
pub(crate) fn is_quiet<G: Game>(position: &Position<G>, mv: Move) -> bool {
    mv.promotion().is_none() && captured(position, mv).is_none()
}

/// The cell of the pawn that a legal move captures in passing.
#[inline]
fn en_passant_victim<G: Game>(position: &Position<G>, mv: Move) -> Option<Cell> {
    let ep = position.en_passant().filter(|ep| ep.crosses(mv.to))?;
    let side = position.side_to_move();
    let takes = position.pieces(PAWN, side).has(mv.from)
        && position.tables().pawn_attacks(side, mv.from).has(mv.to);
    takes.then_some(ep.stands)
}

/// What a legal move wins at once, before any answer.
pub(crate) fn gain<G: Game>(
    position: &Position<G>,
    evaluation: &impl Evaluation<G>,
    mv: Move,
) -> Score {
    let victim = captured(position, mv).map_or(0, |kind| evaluation.value(kind));
    let promoted = mv
        .promotion()
        .map_or(0, |kind| evaluation.value(kind) - evaluation.value(PAWN));
    victim + promoted
}

/// Whether a legal move wins at least `threshold` if both sides then capture on its target with their
/// least valuable piece, as long as that pays. Pins are ignored.
pub(crate) fn see_at_least<G: Game>(
    position: &Position<G>,
    evaluation: &impl Evaluation<G>,
    mv: Move,
    threshold: Score,
) -> bool {
    let value = |kind: Kind| {
        if kind == KING {
            KING_VALUE
        } else {
            evaluation.value(kind)
        }
    };
    // What the side that has just captured is ahead of its goal.
    let mut balance = gain(position, evaluation, mv) - threshold;
    if balance < 0 {
        return false;
    }
    let Some(mover) = position.piece_on(mv.from) else {
        return false;
    };
    balance -= value(mv.promotion().unwrap_or(mover.kind));
    // Good even if the piece is lost for nothing.
    if balance >= 0 {
        return true;
    }
    let target = G::Bits::of(mv.to);
    let mut occupied = (position.occupied() ^ G::Bits::of(mv.from)) | target;
    if let Some(victim) = en_passant_victim(position, mv) {
        occupied &= !G::Bits::of(victim);
    }
    let us = position.side_to_move();
    let mut side = us.other();
    loop {
        let attackers = position.attackers_through(mv.to, side, occupied) & occupied & !target;
        let Some((kind, cell)) = least_valuable(position, evaluation, attackers) else {
            break;
        };
        if kind == KING {
            // A king may not capture what is defended.
            let defenders = position.attackers_through(mv.to, side.other(), occupied);
            if (defenders & occupied & !target).any() {
                break;
            }
        }
        occupied ^= G::Bits::of(cell);
        side = side.other();
        balance = -balance - 1 - value(kind);
        if balance >= 0 {
            break;
        }
    }
    side != us
}

/// Whether nothing can capture what a legal quiet move has moved, so that no exchange follows: it entered none of the
/// cells that the opponent `attacked` before, and left none, so it opened no line to where it is now.
#[inline]
pub(crate) fn is_out_of_reach<B: Bits>(attacked: B, mv: Move) -> bool {
    !attacked.has(mv.from) && !attacked.has(mv.to)
}

/// The least valuable of some pieces, the king last.
fn least_valuable<G: Game>(
    position: &Position<G>,
    evaluation: &impl Evaluation<G>,
    pieces: G::Bits,
) -> Option<(Kind, Cell)> {
    if !pieces.any() {
        return None;
    }
    let pawns = pieces & position.kind(PAWN);
    if pawns.any() {
        return Some((PAWN, pawns.first()));
    }
    let mut best: Option<(Kind, Cell)> = None;
    for kind in 2..position.spec().pieces.len() as Kind {
        let of_kind = pieces & position.kind(kind);
        let cheaper = |(known, _): (Kind, Cell)| evaluation.value(kind) < evaluation.value(known);
        if of_kind.any() && best.is_none_or(cheaper) {
            best = Some((kind, of_kind.first()));
        }
    }
    best.or_else(|| Some((KING, pieces.first())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Handmade;
    use hexmate_movegen::{BuiltIn, Side, Unchecked, for_each_game};

    /// What the side to capture gains on the cell, by the definition: it may stop at any time.
    fn exchange<G: Game>(
        position: &Position<G>,
        evaluation: &Handmade<G>,
        cell: Cell,
        side: Side,
        occupied: G::Bits,
        standing: Score,
    ) -> Score {
        let reach = |side| position.attackers_through(cell, side, occupied) & occupied;
        let value = |kind| match kind {
            KING => KING_VALUE,
            kind => evaluation.value(kind),
        };
        let pieces = reach(side) & !G::Bits::of(cell);
        let kinds = pieces
            .cells()
            .filter_map(|c| Some((position.piece_on(c)?.kind, c)));
        let Some((kind, from)) = kinds.min_by_key(|&(kind, c)| (value(kind), kind, c)) else {
            return 0;
        };
        if kind == KING && (reach(side.other()) & !G::Bits::of(cell)).any() {
            return 0;
        }
        let left = occupied ^ G::Bits::of(from);
        let answer = exchange(position, evaluation, cell, side.other(), left, value(kind));
        (standing - answer).max(0)
    }

    /// The captures, and the quiet moves that are out of reach, in a game that is played.
    fn agrees<G: BuiltIn>() -> [usize; 2] {
        let evaluation = Handmade::<G>::default();
        let (mut captures, mut out_of_reach) = (0, 0);
        let mut position = Position::<G>::start();
        for ply in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let attacked = position.attacked_by(position.side_to_move().other());
            for &mv in moves.iter().filter(|mv| mv.promotion().is_none()) {
                let kind = position.piece_on(mv.from).unwrap().kind;
                let mut occupied =
                    (position.occupied() ^ G::Bits::of(mv.from)) | G::Bits::of(mv.to);
                if let Some(cell) = en_passant_victim(&position, mv) {
                    occupied ^= G::Bits::of(cell);
                }
                let standing = if kind == KING {
                    KING_VALUE
                } else {
                    evaluation.value(kind)
                };
                let them = position.side_to_move().other();
                let lost = exchange(&position, &evaluation, mv.to, them, occupied, standing);
                let sum = gain(&position, &evaluation, mv) - lost;
                for threshold in [sum - 1, sum, sum + 1, 0, -100] {
                    let found = see_at_least(&position, &evaluation, mv, threshold);
                    let text = mv.text(G::GAME);
                    assert_eq!(
                        found,
                        sum >= threshold,
                        "{text} {threshold} {sum}: {position}"
                    );
                }
                let quiet = is_quiet(&position, mv);
                captures += usize::from(!quiet);
                if quiet && is_out_of_reach(attacked, mv) {
                    out_of_reach += 1;
                    assert_eq!(lost, 0, "{}: {position}", mv.text(G::GAME));
                }
            }
            // Captures first, so that all kinds come to meet.
            let mut next: Vec<_> = moves
                .iter()
                .filter(|&&mv| !is_quiet(&position, mv))
                .collect();
            if ply % 3 > 0 || next.is_empty() {
                next = moves.iter().collect();
            }
            position.play_unchecked(*next[ply * 31 % next.len()]);
        }
        [captures, out_of_reach]
    }

    #[test]
    fn exchanges_are_what_the_definition_says() {
        for_each_game!(G => {
            let [captures, out_of_reach] = agrees::<G>();
            assert!(captures > 50, "{}: {captures}", G::ID);
            assert!(out_of_reach > 500, "{}: {out_of_reach}", G::ID);
        });
    }
}
