//! The three games on the board of eleven upright files, 91 cells: `glinski`, `hexachess`, `mccooey`.
//!
//! They share the board, the pieces and the promotion cells (every cell from which a pawn has no step
//! left: the ends of the files); they differ in pawns, array and the worth of a stalemate.

use crate::rules::spec::*;

const BOARD: BoardSpec = BoardSpec {
    shape: Shape::Hexagon(6),
    naming: Naming::Files("abcdefghikl"),
    colouring: Colouring {
        count: 3,
        factor: 1,
    },
    upright_files: true,
};

const PIECES: &[PieceSpec] = &[
    PieceSpec::new(b'P', "pawn", &[]).unpromoted(),
    PieceSpec::new(b'K', "king", &leaps(&ALL_DIRECTIONS)).unpromoted(),
    PieceSpec::new(b'Q', "queen", &slides(&ALL_DIRECTIONS)),
    PieceSpec::new(b'R', "rook", &slides(&EDGES)),
    PieceSpec::new(b'B', "bishop", &slides(&VERTICES)),
    PieceSpec::new(b'N', "knight", &leaps(&KNIGHT_LEAPS)),
];

const MIRROR: Mirror = Mirror {
    a: (1, 0, 0),
    y: (1, -1, 5),
    exchanges: &[],
};

const INSUFFICIENT: Reading = Reading {
    about: "insufficient material",
    reconstruction: false,
    text: "Only king against king is dead. King and knight or bishop against king contain mates, so \
           they are played on.",
};

/// Gliński's chess.
pub const GLINSKI: GameSpec = GameSpec {
    name: "glinski",
    title: "Gliński's hexagonal chess",
    source: "S-1/H leaflet of a board maker, and a French leaflet",
    board: BOARD,
    pieces: PIECES,
    pawn: PawnSpec {
        steps: &[E2],
        captures: &[E1, E3],
        // A pawn comes onto another start cell only by a capture towards the f file, and then has
        // the double step again: nothing needs to be remembered.
        first: &[FirstMove {
            cells: CellRule::Names("b1 c2 d3 e4 f5 g4 h3 i2 k1"),
            steps: 2,
            captures: &[],
        }],
        remembers_first_move: false,
        en_passant: true,
        blocked_by_enemy: false,
        promotes_on: None,
    },
    castling: None,
    mirror: MIRROR,
    start: "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1",
    stalemate_quarters: 1,
    repetitions: 3,
    no_progress_plies: 100,
    bare_kings_draw: true,
    readings: &[
        Reading {
            about: "double step",
            reconstruction: false,
            text: "From every start cell of the side's pawns, also one reached by a capture.",
        },
        Reading {
            about: "corner moves",
            reconstruction: false,
            text: "'Pieces between can be ignored' means the two cells beside a corner, never a \
                   piece on the diagonal itself.",
        },
        Reading {
            about: "stalemate",
            reconstruction: false,
            text: "Listed among the draws and then scored: 3/4 to the side that gave it, 1/4 to \
                   the stalemated side.",
        },
        INSUFFICIENT,
    ],
    proof: &[51, 2_586, 137_858, 7_282_418],
};

/// The game of the encyclopedia entry, taken at its word: Gliński's array, pawns capturing on vertices.
pub const HEXACHESS: GameSpec = GameSpec {
    name: "hexachess",
    title: "Hexachess of the encyclopedia entry",
    source: "an encyclopedia entry, 'Hexagonal chess', 2003",
    pawn: PawnSpec {
        captures: &[V1, V2],
        ..GLINSKI.pawn
    },
    readings: &[
        Reading {
            about: "pawn captures",
            reconstruction: false,
            text: "Forward vertices, as the entry says. As a description of Gliński's game that is \
                   an error (its other sources agree on the edges), but it is a consistent game.",
        },
        Reading {
            about: "files",
            reconstruction: false,
            text: "'a to k without j' would be ten; the files are a to l without j.",
        },
        Reading {
            about: "stalemate",
            reconstruction: false,
            text: "3/4 to the side that gave it, 1/4 to the stalemated side.",
        },
        INSUFFICIENT,
    ],
    proof: &[51, 2_595, 139_095, 7_405_413],
    ..GLINSKI
};

/// McCooey's chess.
pub const MCCOOEY: GameSpec = GameSpec {
    name: "mccooey",
    title: "McCooey's hexagonal chess",
    source: "rules page of McCooey's hexagonal chess",
    pawn: PawnSpec {
        captures: &[V1, V2],
        // All start cells but the centre pawn's, f4.
        first: &[FirstMove {
            cells: CellRule::Names("c1 d2 e3 g3 h2 i1"),
            steps: 2,
            captures: &[],
        }],
        ..GLINSKI.pawn
    },
    start: "b/qbk/rnbnr/ppppppp/9/11/11/5P5/4PBP4/3PNBNP3/2PRQBKRP2 w - - 0 1",
    stalemate_quarters: 2,
    readings: &[INSUFFICIENT],
    proof: &[31, 947, 33_307, 1_157_852],
    ..GLINSKI
};
