//! Chromatic chess on 169 cells of four colours.

use super::chromatic3::CHROMATIC3;
use crate::rules::spec::*;

const C1: Colours = 1;
const C2: Colours = 2;
const C3: Colours = 4;
const C4: Colours = 8;

const fn path(from: Colours, steps: &'static [Step], reach: u8) -> Path {
    Path { from, steps, reach }
}

/// The 1-color: vertex slides along v3, and the column by double steps over the other colour.
const ONE_COLOR: [Path; 4] = slides(&[V3, NEG_V3, (0, 2), (0, -2)]);

/// The 2-color of neighbours, `high` following `low` (c1 follows c4): the zigzags of its stripe, and
/// jumps onto the partner colour at distance two outside the stripe.
const fn neighbours(low: Colours, high: Colours) -> [Path; 8] {
    [
        path(low, &[NEG_E3, E1], UNLIMITED),
        path(low, &[NEG_E1, E3], UNLIMITED),
        path(high, &[E1, NEG_E3], UNLIMITED),
        path(high, &[E3, NEG_E1], UNLIMITED),
        path(low, &[V1], 1),
        path(low, &[V2], 1),
        path(high, &[NEG_V1], 1),
        path(high, &[NEG_V2], 1),
    ]
}

/// The 2-color of colours two apart: its stripe is the column; jumps as for neighbours.
const OPPOSITES: [Path; 6] = [
    path(ANY, &[E2], UNLIMITED),
    path(ANY, &[NEG_E2], UNLIMITED),
    path(ANY, &[(2, 0)], 1),
    path(ANY, &[(-2, 0)], 1),
    path(ANY, &[(2, 2)], 1),
    path(ANY, &[(-2, -2)], 1),
];

/// The 3-color of colours k, l, m, each following the one before: three steps at most along two
/// staircases, forwards (first line of each colour) or backwards (second line).
const fn three_color(k: Colours, l: Colours, m: Colours) -> [Path; 12] {
    [
        path(k, &[NEG_E3, NEG_E3, NEG_E2], 3),
        path(k, &[E2, E3, E3], 3),
        path(l, &[NEG_E3, NEG_E2, NEG_E3], 3),
        path(l, &[E3, E2, E3], 3),
        path(m, &[NEG_E2, NEG_E3, NEG_E3], 3),
        path(m, &[E3, E3, E2], 3),
        path(k, &[NEG_E1, NEG_E1, NEG_E2], 3),
        path(k, &[E2, E1, E1], 3),
        path(l, &[NEG_E1, NEG_E2, NEG_E1], 3),
        path(l, &[E1, E2, E1], 3),
        path(m, &[NEG_E2, NEG_E1, NEG_E1], 3),
        path(m, &[E1, E1, E2], 3),
    ]
}

/// Chromatic chess of four colours.
pub const CHROMATIC4: GameSpec = GameSpec {
    name: "chromatic4",
    title: "Chromatic chess, four colours",
    source: "G. López Garza, 'Chromatic chess: Appendix' (rules of polychromatic chess)",
    board: BoardSpec {
        shape: Shape::Hexagon(8),
        naming: Naming::Rows("abcdefghijklmno"),
        colouring: Colouring {
            count: 4,
            factor: 2,
        },
        upright_files: false,
    },
    pieces: &[
        PieceSpec::new(b'P', "pawn", &[]).unpromoted(),
        PieceSpec::new(b'K', "aim", &leaps(&ALL_DIRECTIONS)).unpromoted(),
        PieceSpec::new(b'Q', "4-colors", &slides(&ALL_DIRECTIONS)),
        PieceSpec::new(b'B', "1-color", &ONE_COLOR),
        PieceSpec::new(b'N', "anti4", &leaps(&KNIGHT_LEAPS)),
        PieceSpec::new(b'S', "2-colors 12", &neighbours(C1, C2))
            .on(C1 | C2)
            .castling(),
        PieceSpec::new(b'T', "2-colors 13", &OPPOSITES)
            .on(C1 | C3)
            .castling(),
        PieceSpec::new(b'U', "2-colors 14", &neighbours(C4, C1))
            .on(C1 | C4)
            .castling(),
        PieceSpec::new(b'V', "2-colors 23", &neighbours(C2, C3))
            .on(C2 | C3)
            .castling(),
        PieceSpec::new(b'W', "2-colors 24", &OPPOSITES)
            .on(C2 | C4)
            .castling(),
        PieceSpec::new(b'X', "2-colors 34", &neighbours(C3, C4))
            .on(C3 | C4)
            .castling(),
        PieceSpec::new(b'C', "3-colors 123", &three_color(C1, C2, C3)).on(C1 | C2 | C3),
        PieceSpec::new(b'D', "3-colors 124", &three_color(C4, C1, C2)).on(C1 | C2 | C4),
        PieceSpec::new(b'E', "3-colors 134", &three_color(C3, C4, C1)).on(C1 | C3 | C4),
        PieceSpec::new(b'F', "3-colors 234", &three_color(C2, C3, C4)).on(C2 | C3 | C4),
    ],
    pawn: CHROMATIC3.pawn,
    castling: CHROMATIC3.castling,
    // The half turn; it exchanges colours c1 and c3.
    mirror: Mirror {
        a: (-1, 0, 14),
        y: (0, -1, 14),
        exchanges: &[(b'S', b'V'), (b'U', b'X'), (b'D', b'F')],
    },
    start: "xdbqkbft/svebncbwu/pppppppppp/ppppppppppp/12/13/14/15/14/13/12/PPPPPPPPPPP/PPPPPPPPPP/XWBCNBESV/TDBKQBFU \
            w a1,h1,h15,o15 - 0 1",
    stalemate_quarters: 2,
    repetitions: 3,
    no_progress_plies: 100,
    bare_kings_draw: true,
    readings: &[
        Reading {
            about: "start",
            reconstruction: true,
            text: "The figure is lost. This array of 38 a side meets every constraint of the text \
                   that can be met; Black is the half turn with colours c1 and c3 exchanged.",
        },
        Reading {
            about: "3-colors",
            reconstruction: true,
            text: "Staircases of at most three steps along -e3, -e3, -e2 and -e1, -e1, -e2, \
                   forwards or backwards: a reading of an unclear text.",
        },
        Reading {
            about: "2-colors",
            reconstruction: true,
            text: "The jump onto the partner colour at distance two outside the own stripe cannot \
                   be blocked: a reading of an unclear text.",
        },
        Reading {
            about: "1-color",
            reconstruction: true,
            text: "The double step along the column skips a cell of another colour, and what stands \
                   there never blocks it: a reading of an unclear text.",
        },
        Reading {
            about: "4-colors",
            reconstruction: false,
            text: "Its three announced modes add up to any distance in twelve directions: 60 cells \
                   from h8; the appendix's 72 cannot be reached.",
        },
        Reading {
            about: "castling",
            reconstruction: false,
            text: "Of the aim with a 2-color; '3-color piece', 'rook' and 'king' in articles 5 and 7 \
                   are leftovers.",
        },
    ],
    proof: &[46, 2_116, 99_400, 4_668_392],
};
