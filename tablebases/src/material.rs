//! The material of a table: the pieces of each side.

use std::cmp::Reverse;
use std::fmt;

use hexmate_movegen::{KING, Kind, PAWN, Side};

use crate::rules::{Rules, TooLarge};
use crate::symmetry::Symmetry;

/// The most men in a table, kings and pawns included.
pub const MOST_MEN: usize = 6;

/// One man of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Man {
    pub side: Side,
    pub kind: Kind,
}

/// The men of each side other than its king, White first, each list in the order of `rank`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Material([Vec<Kind>; 2]);

/// Why a text does not name the material of a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum MaterialError {
    #[error(
        "'{text}' is not material: expected White's king and pieces, then Black's, like 'KQKR', with the letters {letters}"
    )]
    Syntax { text: String, letters: String },
    #[error("{text}: {men} pieces; tables have at most {most}, including kings and pawns")]
    TooMany {
        text: String,
        men: usize,
        most: usize,
    },
    #[error("{text}: bare kings are always drawn in this game; expected another piece")]
    Bare { text: String },
    #[error(
        "{text}: pawns of {game} remember whether they have moved, which tables do not store; expected material without pawns"
    )]
    Pawns { text: String, game: &'static str },
    #[error(transparent)]
    Board(#[from] TooLarge),
}

/// See [`Material::rank`].
fn rank(kind: Kind) -> u8 {
    Material::rank(kind)
}

impl Material {
    /// The place of a kind in a list: pieces in the order of the game's own list, pawns last.
    #[inline(always)]
    pub(crate) const fn rank(kind: Kind) -> u8 {
        if kind == PAWN { u8::MAX } else { kind }
    }

    pub(crate) fn new(mut sides: [Vec<Kind>; 2]) -> Self {
        for kinds in &mut sides {
            kinds.sort_by_key(|&k| rank(k));
        }
        Material(sides)
    }

    /// Parses material, letters in either case.
    ///
    /// # Errors
    ///
    /// If no table can be made of what the text names.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, MaterialError> {
        rules.check_size()?;
        let syntax = || MaterialError::Syntax {
            text: text.chars().take(40).collect(),
            letters: (0..rules.geometry.spec.pieces.len() as Kind)
                .map(|k| rules.letter(k))
                .collect(),
        };
        let kinds = text
            .bytes()
            .map(|letter| rules.geometry.spec.kind_of_letter(letter));
        let kinds: Vec<Kind> = kinds.collect::<Option<_>>().ok_or_else(syntax)?;
        let mut sides = kinds.split(|&k| k == KING);
        let before = sides.next();
        let (Some([]), Some(white), Some(black), None) =
            (before, sides.next(), sides.next(), sides.next())
        else {
            return Err(syntax());
        };
        let material = Material::new([white.to_vec(), black.to_vec()]);
        let text = material.name(rules);
        if material.men() > MOST_MEN {
            return Err(MaterialError::TooMany {
                text,
                men: material.men(),
                most: MOST_MEN,
            });
        }
        if !material.has_table(rules) {
            return Err(MaterialError::Bare { text });
        }
        if material.has_pawns() && rules.geometry.spec.pawn.remembers_first_move {
            let game = rules.name();
            return Err(MaterialError::Pawns { text, game });
        }
        Ok(material)
    }

    /// All material with this many men, kings included, that has its own table, in the order in which tables
    /// are best built; none of fewer men than the kings or more than [`MOST_MEN`], nor on a board that is too large
    /// for tables.
    pub fn all(rules: &Rules, men: usize) -> Vec<Material> {
        if !(2..=MOST_MEN).contains(&men) || rules.check_size().is_err() {
            return Vec::new();
        }
        let pawns = (!rules.geometry.spec.pawn.remembers_first_move).then_some(PAWN);
        let kinds: Vec<Kind> = rules.officers().chain(pawns).collect();
        let mut all = Vec::new();
        for white in 0..=men - 2 {
            let black = men - 2 - white;
            for white in multisets(&kinds, white) {
                for black in multisets(&kinds, black) {
                    let material = Material::new([white.clone(), black]);
                    if material.has_table(rules) && material.canonical(rules) == material {
                        all.push(material);
                    }
                }
            }
        }
        all.sort_by_key(Material::order);
        all
    }

    /// Promotion leads to fewer pawns and capture to fewer men, so in this order every table comes after
    /// those it needs.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        let ranks = self.0.each_ref().map(|s| s.iter().map(|&k| rank(k)));
        let ranks: Vec<Vec<u8>> = ranks.into_iter().map(Iterator::collect).collect();
        (self.men(), self.pawns(), ranks)
    }

    /// Its name: `KQKR`.
    pub fn name(&self, rules: &Rules) -> String {
        let king = rules.letter(KING);
        let side = |kinds: &[Kind]| kinds.iter().map(|&k| rules.letter(k)).collect::<String>();
        format!("{king}{}{king}{}", side(&self.0[0]), side(&self.0[1]))
    }

    /// How many men there are, kings included.
    pub fn men(&self) -> usize {
        2 + self.0[0].len() + self.0[1].len()
    }

    fn pawns(&self) -> usize {
        self.0.iter().flatten().filter(|&&k| k == PAWN).count()
    }

    /// Whether there are pawns.
    pub fn has_pawns(&self) -> bool {
        self.pawns() > 0
    }

    /// Whether a pawn may capture another en passant: both sides have pawns, and the game has the rule.
    pub(crate) fn has_en_passant(&self, rules: &Rules) -> bool {
        let rule = rules.geometry.spec.pawn.en_passant;
        rule && self.0.iter().all(|side| side.contains(&PAWN))
    }

    /// Makes sure that there can be a table of it in this game: it may have been read by the rules of another one.
    ///
    /// # Panics
    /// If there cannot.
    pub(crate) fn assert_of(&self, rules: &Rules) {
        let kinds = rules.geometry.spec.pieces.len();
        let known = self.0.iter().flatten().all(|&k| usize::from(k) < kinds);
        let moved = self.has_pawns() && rules.geometry.spec.pawn.remembers_first_move;
        assert!(
            known && !moved && self.has_table(rules) && rules.check_size().is_ok(),
            "{self} (kinds by number) has no table in {}; expected material that was read by the rules of this game",
            rules.name()
        );
    }

    /// Whether it needs a table: bare kings are a draw in nearly all games.
    pub(crate) fn has_table(&self, rules: &Rules) -> bool {
        self.men() > 2 || rules.bare_kings_count()
    }

    /// The kinds of a side other than its king.
    pub(crate) fn side(&self, side: Side) -> &[Kind] {
        &self.0[side as usize]
    }

    /// The kings, then White's other men, then Black's.
    pub(crate) fn list(&self) -> Vec<Man> {
        let mut men: Vec<Man> = Side::BOTH
            .map(|side| Man { side, kind: KING })
            .into_iter()
            .collect();
        for side in Side::BOTH {
            let kinds = self.side(side).iter();
            men.extend(kinds.map(|&kind| Man { side, kind }));
        }
        men
    }

    /// The image under a symmetry, with the sides exchanged or not; `None` if the symmetry does not apply.
    pub(crate) fn image(&self, symmetry: &Symmetry, exchanged: bool) -> Option<Material> {
        let holds = if exchanged {
            symmetry.exchanges_pawns
        } else {
            symmetry.keeps_pawns
        };
        if self.has_pawns() && !holds {
            return None;
        }
        let image = |kinds: &Vec<Kind>| {
            let kinds = kinds.iter().map(|&k| symmetry.kinds[usize::from(k)]);
            kinds.collect::<Option<Vec<Kind>>>()
        };
        let (white, black) = (image(&self.0[0])?, image(&self.0[1])?);
        Some(Material::new(if exchanged {
            [black, white]
        } else {
            [white, black]
        }))
    }

    /// Of all material that is the same by symmetry, the one that has the table: more men for White, then
    /// stronger ones.
    pub(crate) fn canonical(&self, rules: &Rules) -> Material {
        let images = rules.symmetries.iter().flat_map(|symmetry| {
            let images = [false, true].map(|exchanged| self.image(symmetry, exchanged));
            images.into_iter().flatten()
        });
        let least = images.min_by_key(|image| {
            let ranks = image.0.each_ref();
            let ranks = ranks.map(|s| s.iter().map(|&k| rank(k)).collect::<Vec<_>>());
            (Reverse(image.0[0].len()), ranks)
        });
        least.unwrap_or_else(|| self.clone())
    }

    /// The material that a table of this one refers to, after a capture, a promotion or both; all canonical, and
    /// none without a table.
    pub(crate) fn needs(&self, rules: &Rules) -> Vec<Material> {
        let mut needs = Vec::new();
        let mut add = |sides: [Vec<Kind>; 2]| {
            let material = Material::new(sides);
            let canonical = material.canonical(rules);
            if canonical.has_table(rules) && !needs.contains(&canonical) {
                needs.push(canonical);
            }
        };
        let without = |kinds: &[Kind], at: usize| {
            let mut kinds = kinds.to_vec();
            kinds.remove(at);
            kinds
        };
        for side in [0, 1] {
            let (own, others) = (&self.0[side], &self.0[1 - side]);
            let both = |own: Vec<Kind>, others: Vec<Kind>| {
                if side == 0 {
                    [own, others]
                } else {
                    [others, own]
                }
            };
            for at in 0..own.len() {
                add(both(without(own, at), others.clone()));
                if own[at] != PAWN {
                    continue;
                }
                for kind in rules.promoted() {
                    let mut own = without(own, at);
                    own.push(kind);
                    add(both(own.clone(), others.clone()));
                    for victim in 0..others.len() {
                        add(both(own.clone(), without(others, victim)));
                    }
                }
            }
        }
        needs
    }

    /// Itself and everything that it refers to, directly or not, in the order of building.
    pub fn with_needs(&self, rules: &Rules) -> Vec<Material> {
        let mut all = vec![self.canonical(rules)];
        let mut next = 0;
        while next < all.len() {
            for need in all[next].needs(rules) {
                if !all.contains(&need) {
                    all.push(need);
                }
            }
            next += 1;
        }
        all.sort_by_key(Material::order);
        all
    }
}

impl Rules {
    /// The kinds that a pawn may promote to.
    fn promoted(&self) -> impl Iterator<Item = Kind> + use<'_> {
        let any = |k: &Kind| {
            self.geometry
                .promotions
                .iter()
                .any(|kinds| kinds.contains(k))
        };
        self.officers().filter(any)
    }
}

/// Every multiset of `count` of the kinds.
fn multisets(kinds: &[Kind], count: usize) -> Vec<Vec<Kind>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (i, &kind) in kinds.iter().enumerate() {
        for mut rest in multisets(&kinds[i..], count - 1) {
            rest.insert(0, kind);
            out.push(rest);
        }
    }
    out
}

/// Shows the numbers of the kinds; [`Material::name`] has the letters.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} against {:?}", self.0[0], self.0[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Chromatic3, GameId, Glinski};

    /// A game of kings and rooks on rows of these lengths.
    fn board_of(rows: &[&str]) -> Rules {
        let text = format!(
            "format = 1\nname = 'large'\ntitle = 'Large'\n[board]\nrows = {rows:?}\nother_side = 'half turn'\n\
             [pieces]\nK = {{ name = 'king', leaps = ['edges'] }}\nR = {{ name = 'rook', slides = ['edges'] }}\n\
             [pawn]\nsteps = ['e2']\ncaptures = []\n[start]\nwhite = 'Ka1'\n"
        );
        match GameId::from_text(&text) {
            Ok(GameId::LargeGame(game)) => Rules::of(game),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn boards_with_more_cells_than_bytes_have_no_tables() {
        let rules = board_of(&["a-p"; 16]);
        let error = Material::parse(&rules, "KRK").unwrap_err().to_string();
        assert!(
            error.starts_with("large has 256 cells; ") && error.contains("at most 255"),
            "{error}"
        );
        assert!(Material::all(&rules, 3).is_empty());
        let rules = board_of(&["a-q"; 15]);
        assert!(Material::parse(&rules, "KRK").is_ok());
    }

    #[test]
    fn names_are_read_and_written() {
        let rules = Rules::of(Glinski);
        let parse = |text| Material::parse(&rules, text).map(|m| m.name(&rules));
        assert_eq!(parse("KQKR").as_deref(), Ok("KQKR"));
        assert_eq!(parse("kpnkrq").as_deref(), Ok("KNPKQR"));
        for bad in ["", "K", "KQ", "QKK", "KQKRK", "KXK", "KQvKR", "KK"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(
            parse("KQQQKRR")
                .unwrap_err()
                .to_string()
                .contains("7 pieces")
        );
        let three = Rules::of(Chromatic3);
        let error = Material::parse(&three, "KPK").unwrap_err();
        assert!(error.to_string().contains("remember"));
    }

    #[test]
    fn one_table_for_all_that_is_the_same() {
        let rules = Rules::of(Glinski);
        let canonical = |text| {
            let material = Material::parse(&rules, text).unwrap();
            material.canonical(&rules).name(&rules)
        };
        assert_eq!(canonical("KRKQ"), "KQKR");
        assert_eq!(canonical("KKBN"), "KBNK");
        assert_eq!(canonical("KPKQ"), "KQKP");
        let three = Rules::of(Chromatic3);
        let material = Material::parse(&three, "KTK").unwrap();
        assert_eq!(material.canonical(&three).name(&three), "KSK");
    }

    #[test]
    fn needs_come_first() {
        let rules = Rules::of(Glinski);
        let material = Material::parse(&rules, "KPKP").unwrap();
        let all = material.with_needs(&rules);
        let names: Vec<String> = all.iter().map(|m| m.name(&rules)).collect();
        for name in ["KQK", "KPK", "KQKR", "KRKP", "KPKP"] {
            assert!(names.iter().any(|n| n == name), "{name} in {names:?}");
        }
        assert_eq!(names.last().map(String::as_str), Some("KPKP"));
        for (i, material) in all.iter().enumerate() {
            for need in material.needs(&rules) {
                assert!(all[..i].contains(&need), "{need} before {material}");
            }
        }
        assert_eq!(Material::all(&rules, 3).len(), 5);
        assert_eq!(Material::all(&rules, 4).len(), 30);
    }
}
