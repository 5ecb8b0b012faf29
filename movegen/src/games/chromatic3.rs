//! Chromatic chess on 127 cells of three colours.

use crate::rules::spec::*;

const C1: Colours = 1;
const C2: Colours = 2;
const C3: Colours = 4;

/// Zigzags that begin with a step to the next colour (mod 3) and come back with another one.
const UP: [&[Step]; 6] = [
    &[E2, E1],
    &[E2, E3],
    &[NEG_E3, E1],
    &[NEG_E3, NEG_E2],
    &[NEG_E1, E3],
    &[NEG_E1, NEG_E2],
];
/// The same zigzags from the other colour.
const DOWN: [&[Step]; 6] = [
    &[E1, E2],
    &[E3, E2],
    &[E1, NEG_E3],
    &[NEG_E2, NEG_E3],
    &[E3, NEG_E1],
    &[NEG_E2, NEG_E1],
];

/// The 2-color of colours `low` and `high`, where `high` follows `low` (c1 follows c3).
const fn two_color(low: Colours, high: Colours) -> [Path; 12] {
    let mut out = [Path {
        from: low,
        steps: &[],
        reach: UNLIMITED,
    }; 12];
    let mut i = 0;
    while i < 6 {
        out[i].steps = UP[i];
        out[i + 6].from = high;
        out[i + 6].steps = DOWN[i];
        i += 1;
    }
    out
}

/// Chromatic chess of three colours.
pub const CHROMATIC3: GameSpec = GameSpec {
    name: "chromatic3",
    title: "Chromatic chess, three colours",
    source: "G. López Garza, 'Chromatic chess: Appendix' (rules of polychromatic chess)",
    board: BoardSpec {
        shape: Shape::Hexagon(7),
        naming: Naming::Rows("abcdefghijklm"),
        colouring: Colouring {
            count: 3,
            factor: 1,
        },
        upright_files: false,
    },
    pieces: &[
        PieceSpec::new(b'P', "pawn", &[]).unpromoted(),
        PieceSpec::new(b'K', "aim", &leaps(&ALL_DIRECTIONS)).unpromoted(),
        PieceSpec::new(b'Q', "1&3-colors", &slides(&ALL_DIRECTIONS)),
        PieceSpec::new(b'R', "3-color", &slides(&EDGES)),
        PieceSpec::new(b'B', "1-color", &slides(&VERTICES)),
        PieceSpec::new(b'N', "anti-1&3", &leaps(&KNIGHT_LEAPS)),
        PieceSpec::new(b'S', "2-color c1c2", &two_color(C1, C2))
            .on(C1 | C2)
            .castling(),
        PieceSpec::new(b'T', "2-color c1c3", &two_color(C3, C1))
            .on(C1 | C3)
            .castling(),
        PieceSpec::new(b'U', "2-color c2c3", &two_color(C2, C3))
            .on(C2 | C3)
            .castling(),
    ],
    pawn: PawnSpec {
        steps: &[E1, E2],
        captures: &[V1, V2, NEG_V3],
        first: &[FirstMove {
            cells: CellRule::Rows(&[3, 4]),
            steps: 2,
            captures: &[],
        }],
        remembers_first_move: true,
        en_passant: true,
        blocked_by_enemy: false,
        promotes_on: None,
    },
    castling: Some(CastlingSpec::Towards {
        directions: &[E3, NEG_E3],
        gap: 2,
    }),
    // Mirrored in row 7.
    mirror: Mirror {
        a: (1, -1, 6),
        y: (0, -1, 12),
        exchanges: &[],
    },
    start: "trbkbrs/snbuuqnt/ppppppppp/pppppppppp/11/12/13/12/11/PPPPPPPPPP/PPPPPPPPP/SNBUUQNT/TRBKBRS \
            w a1,g1,g13,m13 - 0 1",
    stalemate_quarters: 2,
    repetitions: 3,
    no_progress_plies: 100,
    bare_kings_draw: true,
    readings: &[
        Reading {
            about: "start",
            reconstruction: true,
            text: "The figure is lost, and the text's 36 pieces do not fit rows 1 to 4. This array \
                   of 34 a side meets every constraint of the text that can be met; Black is the \
                   mirror image in row 7.",
        },
        Reading {
            about: "colours",
            reconstruction: false,
            text: "colour = (a + y) mod 3, the only proper colouring with A1 = c1 and B1 = c2; the \
                   row texts for rows 7 and 9-13 and 'A2 with c3' are slips.",
        },
        Reading {
            about: "2-color",
            reconstruction: false,
            text: "A zigzag of any length: an edge step onto the partner colour, another edge step \
                   (not back, not the same) onto the own colour, and so on.",
        },
        Reading {
            about: "promotion row",
            reconstruction: false,
            text: "Row 13 for White; 'row 15' in the article is a slip.",
        },
        Reading {
            about: "castling",
            reconstruction: false,
            text: "Of the aim with a 2-color; '3-color piece', 'rook' and 'king' in articles 5 and 7 \
                   are leftovers.",
        },
    ],
    proof: &[44, 1_936, 87_524, 3_956_204],
};
