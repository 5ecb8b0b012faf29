//! Which weights a game has, and where each lies in the one array of all.

use hexmate_movegen::{Bits, Cell, Game, KING, Kind, PAWN, Side};

use super::geometry::{Geometry, is_colour_bound, most_seen};
use super::symmetry::{Part, Symmetry};

/// The most attacked cells of a king's zone that are told apart.
pub(super) const MOST_HITS: usize = 5;
/// The most attackers of a king's zone, or guards in it, that are told apart.
pub(super) const MOST_AROUND: usize = 7;
/// The most cells seen from the king that are told apart.
pub(super) const MOST_EXPOSED: usize = 31;
/// The longest way of a king to a pawn that is told apart.
pub(super) const MOST_MOVES: usize = 7;

/// The ideas that are weighed. The order is that of the weights and of explanations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Idea {
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

impl Idea {
    pub const ALL: [Idea; 24] = [
        Idea::Material,
        Idea::Inside,
        Idea::Ahead,
        Idea::Cell,
        Idea::Mobility,
        Idea::Threat,
        Idea::KingHits,
        Idea::PawnThreat,
        Idea::Colours,
        Idea::Attackers,
        Idea::PawnHits,
        Idea::Shelter,
        Idea::Guards,
        Idea::Exposure,
        Idea::Doubled,
        Idea::Isolated,
        Idea::Chained,
        Idea::Blocked,
        Idea::Passed,
        Idea::PassedFree,
        Idea::PassedChained,
        Idea::PassedKing,
        Idea::PassedEnemyKing,
        Idea::Tempo,
    ];

    /// The name in weights files and explanations.
    pub const fn name(self) -> &'static str {
        match self {
            Idea::Material => "material",
            Idea::Inside => "inside",
            Idea::Ahead => "ahead",
            Idea::Cell => "cell",
            Idea::Mobility => "mobility",
            Idea::Threat => "threat",
            Idea::KingHits => "king-hits",
            Idea::PawnThreat => "pawn-threat",
            Idea::Colours => "colours",
            Idea::Attackers => "attackers",
            Idea::PawnHits => "pawn-hits",
            Idea::Shelter => "shelter",
            Idea::Guards => "guards",
            Idea::Exposure => "exposure",
            Idea::Doubled => "doubled",
            Idea::Isolated => "isolated",
            Idea::Chained => "chained",
            Idea::Blocked => "blocked",
            Idea::Passed => "passed",
            Idea::PassedFree => "passed-free",
            Idea::PassedChained => "passed-chained",
            Idea::PassedKing => "passed-king",
            Idea::PassedEnemyKing => "passed-enemy-king",
            Idea::Tempo => "tempo",
        }
    }
}

/// Weights of one idea, side by side in the array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub idea: Idea,
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

/// Where the ideas lie that are the same for all kinds.
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
    pub fn new<G: Game>(geometry: &Geometry<G>) -> Self {
        let symmetry = Symmetry::<G>::find();
        let tables = G::tables();
        let kinds = 0..G::SPEC.pieces.len() as Kind;
        let mut layout = Layout {
            groups: Vec::new(),
            len: 0,
            places: Places::default(),
            kinds: Side::BOTH.map(|_| vec![KindPlaces::default(); kinds.len()]),
            standing: Side::BOTH.map(|_| vec![[0; 4]; kinds.len() * G::Bits::SIZE]),
        };
        // The cells of White's that a part has weights for.
        let cells_of = |kind: Kind| -> Vec<Cell> {
            let cells = tables.stands_on[usize::from(kind)].cells();
            cells
                .filter(|&c| symmetry.stand_in(Side::White, kind, c) == c)
                .collect()
        };
        let most = |values: &[u8]| usize::from(values.iter().copied().max().unwrap_or(0));
        let most_ahead = most(&geometry.ahead[0]);
        let colours = tables.colours.len();
        for idea in Idea::ALL {
            let shared = match idea {
                Idea::Attackers | Idea::Shelter | Idea::Guards => Some(MOST_AROUND + 1),
                Idea::PawnHits => Some(MOST_HITS + 1),
                Idea::Exposure => Some(MOST_EXPOSED + 1),
                Idea::Doubled | Idea::Isolated | Idea::Chained | Idea::Blocked | Idea::Tempo => {
                    Some(1)
                }
                Idea::Passed | Idea::PassedFree | Idea::PassedChained => Some(most_ahead + 1),
                Idea::PassedKing | Idea::PassedEnemyKing => Some(MOST_MOVES + 1),
                _ => None,
            };
            if let Some(len) = shared {
                layout.add(idea, None, len);
                continue;
            }
            for kind in kinds.clone() {
                if symmetry.part(Side::White, kind) != usize::from(kind) {
                    continue;
                }
                let piece = kind != PAWN && kind != KING;
                let len = match idea {
                    Idea::Inside => most(&geometry.inside) + 1,
                    Idea::Ahead => most_ahead + 1,
                    Idea::Cell => cells_of(kind).len(),
                    Idea::Material if kind != KING => 1,
                    Idea::Mobility if piece => most_seen::<G>(kind) as usize + 1,
                    Idea::Threat | Idea::PawnThreat if piece => 1,
                    Idea::KingHits if piece => MOST_HITS + 1,
                    Idea::Colours if piece && is_colour_bound::<G>(kind) => colours + 1,
                    _ => 0,
                };
                if len > 0 {
                    layout.add(idea, Some(usize::from(kind)), len);
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
                let material = layout.find(Idea::Material, Some(part));
                let material = material.map_or(NOTHING, |g| g.start as u16);
                let [inside, ahead, own] = [Idea::Inside, Idea::Ahead, Idea::Cell]
                    .map(|idea| layout.start(idea, Some(part)) as u16);
                for cell in tables.stands_on[usize::from(kind)].cells() {
                    let stand_in = symmetry.stand_in(side, kind, cell);
                    let place = cells.iter().position(|&c| c == stand_in).unwrap_or(0);
                    let at = usize::from(cell);
                    let row = usize::from(kind) * G::Bits::SIZE + at;
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

    fn add(&mut self, idea: Idea, part: Option<Part>, len: usize) {
        self.groups.push(Group {
            idea,
            part,
            start: self.len,
            len,
        });
        self.len += len;
    }

    pub fn find(&self, idea: Idea, part: Option<Part>) -> Option<&Group> {
        self.groups
            .iter()
            .find(|g| g.idea == idea && g.part == part)
    }

    /// Where a group begins; 0 if there is none, for those who will not ask it.
    fn start(&self, idea: Idea, part: Option<Part>) -> usize {
        self.find(idea, part).map_or(0, |g| g.start)
    }

    fn kind_places(&self, part: Part) -> KindPlaces {
        let at = |idea| self.start(idea, Some(part));
        KindPlaces {
            mobility: at(Idea::Mobility),
            threat: at(Idea::Threat),
            king_hits: at(Idea::KingHits),
            pawn_threat: at(Idea::PawnThreat),
            colours: at(Idea::Colours),
        }
    }

    fn place_all(&mut self) {
        let at = |idea| self.start(idea, None);
        self.places = Places {
            attackers: at(Idea::Attackers),
            pawn_hits: at(Idea::PawnHits),
            shelter: at(Idea::Shelter),
            guards: at(Idea::Guards),
            exposure: at(Idea::Exposure),
            doubled: at(Idea::Doubled),
            isolated: at(Idea::Isolated),
            chained: at(Idea::Chained),
            blocked: at(Idea::Blocked),
            passed: at(Idea::Passed),
            passed_free: at(Idea::PassedFree),
            passed_chained: at(Idea::PassedChained),
            passed_king: at(Idea::PassedKing),
            passed_enemy_king: at(Idea::PassedEnemyKing),
            tempo: at(Idea::Tempo),
        };
    }
}

/// In [`Standing`]: no weight.
pub(super) const NOTHING: u16 = u16::MAX;
