//! Which weights a game has, and where each lies in the one array of all.

use hexmate_movegen::{Bits, Cell, KING, Kind, PAWN, Side};

use super::geometry::{Geometry, is_colour_bound, most_seen};
use super::symmetry::{Part, Symmetry};
use crate::eval::facts::Facts;

/// The most attacked cells of a king's zone that are told apart.
pub(super) const MOST_HITS: usize = 5;
/// The most attackers of a king's zone, or guards in it, that are told apart.
pub(super) const MOST_AROUND: usize = 7;
/// The most cells seen from the king that are told apart.
pub(super) const MOST_EXPOSED: usize = 31;
/// The longest way of a king to a pawn that is told apart.
pub(super) const MOST_MOVES: usize = 7;

/// The terms that are weighed. The order is that of the weights and of explanations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Term {
    Material,
    /// By the steps to the nearest edge.
    Inside,
    /// By the pawn steps to the far edge.
    Ahead,
    /// Cell by cell.
    Cell,
    /// By the number of cells that a piece may safely go to.
    Mobility,
    /// For each piece attacked that is worth more or has no pawn to protect it.
    Threat,
    /// By the cells of the enemy king's zone that a piece attacks.
    KingHits,
    /// For each piece attacked by a pawn.
    PawnThreat,
    /// By the colours that pieces bound to one colour have between them.
    Colours,
    /// By the number of pieces that attack the enemy king's zone.
    Attackers,
    /// By the cells of the enemy king's zone that pawns attack.
    PawnHits,
    /// By the own pawns in the king's zone.
    Shelter,
    /// By the other own pieces in the king's zone.
    Guards,
    /// By the cells that the farthest-sighted piece would see from the king's cell.
    Exposure,
    Doubled,
    Isolated,
    Chained,
    Blocked,
    /// By the steps to promotion, and so the next two.
    Passed,
    PassedFree,
    PassedChained,
    /// By the king's moves to a passed pawn.
    PassedKing,
    PassedEnemyKing,
    Tempo,
}

impl Term {
    pub const ALL: [Term; 24] = [
        Term::Material,
        Term::Inside,
        Term::Ahead,
        Term::Cell,
        Term::Mobility,
        Term::Threat,
        Term::KingHits,
        Term::PawnThreat,
        Term::Colours,
        Term::Attackers,
        Term::PawnHits,
        Term::Shelter,
        Term::Guards,
        Term::Exposure,
        Term::Doubled,
        Term::Isolated,
        Term::Chained,
        Term::Blocked,
        Term::Passed,
        Term::PassedFree,
        Term::PassedChained,
        Term::PassedKing,
        Term::PassedEnemyKing,
        Term::Tempo,
    ];

    /// The name in weights files and explanations.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Inside => "inside",
            Term::Ahead => "ahead",
            Term::Cell => "cell",
            Term::Mobility => "mobility",
            Term::Threat => "threat",
            Term::KingHits => "king-hits",
            Term::PawnThreat => "pawn-threat",
            Term::Colours => "colours",
            Term::Attackers => "attackers",
            Term::PawnHits => "pawn-hits",
            Term::Shelter => "shelter",
            Term::Guards => "guards",
            Term::Exposure => "exposure",
            Term::Doubled => "doubled",
            Term::Isolated => "isolated",
            Term::Chained => "chained",
            Term::Blocked => "blocked",
            Term::Passed => "passed",
            Term::PassedFree => "passed-free",
            Term::PassedChained => "passed-chained",
            Term::PassedKing => "passed-king",
            Term::PassedEnemyKing => "passed-enemy-king",
            Term::Tempo => "tempo",
        }
    }
}

/// Weights of one term, side by side in the array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub term: Term,
    /// The part that they are for, unless for all.
    pub part: Option<Part>,
    /// The place of the first.
    pub start: usize,
    pub len: usize,
}

/// Where the weights of a kind lie. Places are of the first of a table.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct KindPlaces {
    pub mobility: usize,
    pub threat: usize,
    pub king_hits: usize,
    pub pawn_threat: usize,
    pub colours: usize,
}

/// Where the terms lie that are the same for all kinds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Places {
    pub attackers: usize,
    pub pawn_hits: usize,
    pub shelter: usize,
    pub guards: usize,
    pub exposure: usize,
    pub doubled: usize,
    pub isolated: usize,
    pub chained: usize,
    pub blocked: usize,
    pub passed: usize,
    pub passed_free: usize,
    pub passed_chained: usize,
    pub passed_king: usize,
    pub passed_enemy_king: usize,
    pub tempo: usize,
}

/// The weights of a piece that stands somewhere.
pub(super) type Standing = [u16; 4];

/// The layout of a game's weights.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// All weights, group by group.
    pub groups: Vec<Group>,
    /// The number of weights.
    pub len: usize,
    pub(super) places: Places,
    /// For each side and kind.
    pub(super) kinds: [Vec<KindPlaces>; 2],
    /// For each side, kind and cell (row by row) the weights of standing there: material, inside,
    /// ahead and cell.
    pub(super) standing: [Vec<Standing>; 2],
}

impl Layout {
    /// Lays out the weights of a game.
    pub fn new<B: Bits>(facts: &Facts<B>, geometry: &Geometry<B>) -> Self {
        let symmetry = Symmetry::find(facts);
        let kinds = 0..facts.spec.pieces.len() as Kind;
        let mut layout = Layout {
            groups: Vec::new(),
            len: 0,
            places: Places::default(),
            kinds: Side::each(|_| vec![KindPlaces::default(); kinds.len()]),
            standing: Side::each(|_| vec![[0; 4]; kinds.len() * B::SIZE]),
        };
        // The cells of White's that a part has weights for.
        let cells_of = |kind: Kind| -> Vec<Cell> {
            let cells = facts.stands_on[usize::from(kind)].cells();
            cells
                .filter(|&c| symmetry.stand_in(Side::White, kind, c) == c)
                .collect()
        };
        let most = |values: &[u8]| usize::from(values.iter().copied().max().unwrap_or(0));
        let most_ahead = most(&geometry.ahead[0]);
        let colours = usize::from(facts.spec.board.colouring.count);
        for term in Term::ALL {
            let shared = match term {
                Term::Attackers | Term::Shelter | Term::Guards => Some(MOST_AROUND + 1),
                Term::PawnHits => Some(MOST_HITS + 1),
                Term::Exposure => Some(MOST_EXPOSED + 1),
                Term::Doubled | Term::Isolated | Term::Chained | Term::Blocked | Term::Tempo => {
                    Some(1)
                }
                Term::Passed | Term::PassedFree | Term::PassedChained => Some(most_ahead + 1),
                Term::PassedKing | Term::PassedEnemyKing => Some(MOST_MOVES + 1),
                _ => None,
            };
            if let Some(len) = shared {
                layout.add(term, None, len);
                continue;
            }
            for kind in kinds.clone() {
                if symmetry.part(Side::White, kind) != usize::from(kind) {
                    continue;
                }
                let piece = kind != PAWN && kind != KING;
                let len = match term {
                    Term::Inside => most(&geometry.inside) + 1,
                    Term::Ahead => most_ahead + 1,
                    Term::Cell => cells_of(kind).len(),
                    Term::Material if kind != KING => 1,
                    Term::Mobility if piece => most_seen(facts, kind) as usize + 1,
                    Term::Threat | Term::PawnThreat if piece => 1,
                    Term::KingHits if piece => MOST_HITS + 1,
                    Term::Colours if piece && is_colour_bound(facts, kind) => colours + 1,
                    _ => 0,
                };
                if len > 0 {
                    layout.add(term, Some(usize::from(kind)), len);
                }
            }
        }
        layout.place_all();
        for side in Side::BOTH {
            for kind in kinds.clone() {
                let part = symmetry.part(side, kind);
                layout.kinds[side as usize][usize::from(kind)] = layout.kind_places(part);
                let cells = cells_of(part as Kind);
                // The king has no material.
                let material = layout.find(Term::Material, Some(part));
                let material = material.map_or(NOTHING, |g| g.start as u16);
                let [inside, ahead, own] = [Term::Inside, Term::Ahead, Term::Cell]
                    .map(|term| layout.start(term, Some(part)) as u16);
                for cell in facts.stands_on[usize::from(kind)].cells() {
                    let stand_in = symmetry.stand_in(side, kind, cell);
                    let place = cells.iter().position(|&c| c == stand_in).unwrap_or(0);
                    let at = usize::from(cell);
                    let row = usize::from(kind) * B::SIZE + at;
                    layout.standing[side as usize][row] = [
                        material,
                        inside + u16::from(geometry.inside[at]),
                        ahead + u16::from(geometry.ahead[side as usize][at]),
                        own + place as u16,
                    ];
                }
            }
        }
        layout
    }

    fn add(&mut self, term: Term, part: Option<Part>, len: usize) {
        self.groups.push(Group {
            term,
            part,
            start: self.len,
            len,
        });
        self.len += len;
    }

    pub fn find(&self, term: Term, part: Option<Part>) -> Option<&Group> {
        self.groups
            .iter()
            .find(|g| g.term == term && g.part == part)
    }

    /// Where a group begins; 0 if there is none, for those who will not ask it.
    fn start(&self, term: Term, part: Option<Part>) -> usize {
        self.find(term, part).map_or(0, |g| g.start)
    }

    fn kind_places(&self, part: Part) -> KindPlaces {
        let at = |term| self.start(term, Some(part));
        KindPlaces {
            mobility: at(Term::Mobility),
            threat: at(Term::Threat),
            king_hits: at(Term::KingHits),
            pawn_threat: at(Term::PawnThreat),
            colours: at(Term::Colours),
        }
    }

    fn place_all(&mut self) {
        let at = |term| self.start(term, None);
        self.places = Places {
            attackers: at(Term::Attackers),
            pawn_hits: at(Term::PawnHits),
            shelter: at(Term::Shelter),
            guards: at(Term::Guards),
            exposure: at(Term::Exposure),
            doubled: at(Term::Doubled),
            isolated: at(Term::Isolated),
            chained: at(Term::Chained),
            blocked: at(Term::Blocked),
            passed: at(Term::Passed),
            passed_free: at(Term::PassedFree),
            passed_chained: at(Term::PassedChained),
            passed_king: at(Term::PassedKing),
            passed_enemy_king: at(Term::PassedEnemyKing),
            tempo: at(Term::Tempo),
        };
    }
}

/// In [`Standing`]: no weight.
pub(super) const NOTHING: u16 = u16::MAX;
