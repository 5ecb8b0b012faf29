//! With which material a bare king can be mated.

use hexmate_movegen::spec::{GameSpec, MOST_KINDS};
use hexmate_movegen::{Bits, Game, KING, Kind, PAWN, Position, Side};

/// Facts from endgame tables, one line or several for each game.
const NO_MATE: &str = include_str!("../../../weights/no_mate.txt");

/// Material of one or two pieces that cannot mate. Nothing is known of three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoMate {
    /// For each side the kinds that cannot mate alone, bit k for kind k.
    lone: [u16; 2],
    /// For each side and kind the kinds that cannot mate together with it.
    pairs: [[u16; MOST_KINDS]; 2],
}

impl NoMate {
    /// What the tables of the game say; where there are none, kinds alone that `guessed` names.
    pub fn new(spec: &GameSpec, guessed: &dyn Fn(Kind) -> bool) -> Self {
        let mut out = NoMate {
            lone: [0; 2],
            pairs: [[0; MOST_KINDS]; 2],
        };
        let lines = NO_MATE.lines().filter(|line| !line.starts_with('#'));
        let of_game = lines.filter_map(|line| line.strip_prefix(spec.name)?.strip_prefix(' '));
        let mut known = false;
        for material in of_game.flat_map(str::split_whitespace) {
            known = true;
            let mut kinds = material.bytes().filter_map(|l| spec.kind_of_letter(l));
            if let Some(first) = kinds.next() {
                out.add(spec, first, kinds.next());
            }
        }
        if !known {
            let kinds = 2..spec.pieces.len() as Kind;
            kinds
                .filter(|&k| guessed(k))
                .for_each(|k| out.add(spec, k, None));
        }
        out
    }

    /// Adds White's material; for Black the kinds that play its part.
    fn add(&mut self, spec: &GameSpec, first: Kind, second: Option<Kind>) {
        for side in Side::BOTH {
            let of_side = |kind| match side {
                Side::White => kind,
                Side::Black => spec.mirrored_kind(kind),
            };
            let first = of_side(first);
            match second.map(of_side) {
                None => self.lone[side as usize] |= 1 << first,
                Some(second) => {
                    let pairs = &mut self.pairs[side as usize];
                    pairs[usize::from(first)] |= 1 << second;
                    pairs[usize::from(second)] |= 1 << first;
                }
            }
        }
    }

    /// Whether a side has at most two pieces beside its king, no pawn, and cannot mate with them.
    #[inline]
    pub fn holds<G: Game>(&self, position: &Position<G>, side: Side) -> bool {
        let pieces = position.side(side) & !position.kind(KING);
        if pieces.count() > 2 || (pieces & position.kind(PAWN)).any() {
            return false;
        }
        let mut kinds = pieces.cells().filter_map(|cell| position.piece_on(cell));
        let has = |kinds: u16, kind: Kind| kinds >> kind & 1 != 0;
        match (kinds.next(), kinds.next()) {
            (None, _) => true,
            (Some(lone), None) => has(self.lone[side as usize], lone.kind),
            (Some(first), Some(second)) => {
                let with_first = self.pairs[side as usize][usize::from(first.kind)];
                has(with_first, second.kind)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Chromatic4, Glinski, for_each_game};

    #[test]
    fn every_word_of_the_file_is_material_of_its_game() {
        let lines = NO_MATE.lines().filter(|line| !line.starts_with('#'));
        let mut words: Vec<(&str, &str)> = Vec::new();
        for line in lines {
            let (game, materials) = line.split_once(' ').unwrap();
            words.extend(materials.split_whitespace().map(|m| (game, m)));
        }
        let mut found = 0;
        for_each_game!(G => {
            for (_, material) in words.iter().filter(|(game, _)| *game == G::SPEC.name) {
                assert!(matches!(material.len(), 1 | 2), "{material}");
                let kinds = material.bytes().map(|l| G::SPEC.kind_of_letter(l).unwrap());
                assert!(kinds.min().unwrap() > PAWN, "{material}");
                found += 1;
            }
        });
        assert_eq!(found, words.len());
    }

    #[test]
    fn material_is_told_apart() {
        fn holds<G: BuiltIn>(text: &str) -> bool {
            let position: Position<G> = text.parse().unwrap();
            NoMate::new(G::SPEC, &|_| false).holds(&position, position.side_to_move())
        }
        // Bishop and knight, two knights, a rook, a pawn.
        assert!(holds::<Glinski>(
            "1/1k1/5/7/9/11/11/6K4/11/2B1N6/11 w - - 0 80"
        ));
        assert!(!holds::<Glinski>(
            "1/1k1/5/7/9/11/11/6K4/11/2N1N6/11 w - - 0 80"
        ));
        assert!(!holds::<Glinski>(
            "1/1k1/5/7/9/11/11/6K4/11/2R8/11 w - - 0 80"
        ));
        assert!(!holds::<Glinski>(
            "1/1k1/5/7/9/11/11/6K4/11/2P8/11 w - - 0 80"
        ));
        assert!(holds::<Glinski>(
            "1/1k1/5/7/9/11/11/6K4/11/11/2b1n6 b - - 0 80"
        ));
        // c1 and c3 change places for Black, and with them S (c1, c2) and V (c2, c3).
        let white = NoMate::new(Chromatic4::SPEC, &|_| false);
        let kind = |letter| Chromatic4::SPEC.kind_of_letter(letter).unwrap();
        let pair =
            |side: Side, a, b| white.pairs[side as usize][usize::from(kind(a))] >> kind(b) & 1;
        assert_eq!(
            [pair(Side::White, b'S', b'T'), pair(Side::Black, b'V', b'T')],
            [1, 1]
        );
        assert_eq!(
            [pair(Side::White, b'S', b'V'), pair(Side::Black, b'S', b'V')],
            [0, 0]
        );
    }

    #[test]
    fn where_no_table_tells_it_is_guessed() {
        let facts = NoMate::new(Glinski::SPEC, &|_| true);
        assert_eq!(facts, NoMate::new(Glinski::SPEC, &|_| false));
        assert_ne!(facts.lone, [0; 2]);
    }
}
