//! What a network sees of packed positions.

use hexmate_engine::{Features, Score, View};
use hexmate_movegen::{Cell, Game, GameId, KING, Kind, Side, with_game};

use crate::packed::{Format, Origin, Piece};

/// A position as a network sees it.
pub struct Inputs {
    /// The inputs that are on, as the side to move sees it and as the other one does.
    pub on: [Vec<u16>; 2],
    /// From the side to move, in centipawns.
    pub score: Score,
    /// The share of the side to move, 0 to 1.
    pub result: f32,
    /// Where it is from.
    pub origin: Origin,
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            on: Default::default(),
            score: 0,
            result: 0.0,
            origin: Origin::Game,
        }
    }
}

/// Makes inputs of packed positions of one game.
pub struct Eyes {
    format: Format,
    cells: usize,
    kinds: usize,
    /// How many inputs there are.
    count: usize,
    /// For each side whether its view is reflected, by the place of its king.
    reflected: [Vec<bool>; 2],
    /// For each side and reflection the input of each side's kinds, place by place.
    inputs: [[Vec<u16>; 2]; 2],
}

impl Eyes {
    /// For a game.
    pub fn new(game: GameId) -> Self {
        with_game!(game, game => {
            let features = Features::new(game);
            Eyes::of(
                Format::of(game),
                game.tables().board.cells(),
                game.spec().pieces.len(),
                &|side, king| features.view(side, king),
                &|view, owner, kind, cell| features.input(view, owner, kind, cell),
            )
        })
    }

    /// Not generic, so it is compiled once.
    fn of(
        format: Format,
        cells: &[Cell],
        kinds: usize,
        view: &dyn Fn(Side, Cell) -> View,
        input: &dyn Fn(View, Side, Kind, Cell) -> usize,
    ) -> Self {
        let reflected = Side::each(|side| {
            let views = cells.iter().map(|&king| view(side, king));
            views.map(|view| view.reflected).collect()
        });
        let inputs = Side::each(|side| {
            [false, true].map(|reflected| {
                let view = View { side, reflected };
                let mut inputs = Vec::with_capacity(2 * kinds * cells.len());
                for owner in Side::BOTH {
                    for kind in 0..kinds {
                        let input = |&cell| input(view, owner, kind as Kind, cell) as u16;
                        inputs.extend(cells.iter().map(input));
                    }
                }
                inputs
            })
        });
        Eyes {
            format,
            cells: cells.len(),
            kinds,
            count: 2 * kinds * cells.len(),
            reflected,
            inputs,
        }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.count
    }

    /// How many cells the board has; inputs that differ by a multiple of this are on the same cell.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Takes the first record of `bytes` apart, and gives its length; `None` if it is no record of the game, or not each
    /// side has one king.
    pub fn look(&self, bytes: &[u8], out: &mut Inputs) -> Option<usize> {
        let none = Piece {
            place: 0,
            kind: 0,
            side: Side::White,
        };
        let mut pieces = [none; 256];
        let mut men = 0;
        let mut kings = [None; 2];
        let mut too_many = false;
        let packed = self.format.read(bytes, |piece| {
            pieces[men] = piece;
            men += 1;
            if piece.kind == KING {
                too_many |= kings[piece.side as usize].replace(piece.place).is_some();
            }
        })?;
        let ([Some(white), Some(black)], false) = (kings, too_many) else {
            return None;
        };
        let kings = [white, black];
        let viewers = [packed.side, packed.side.other()];
        for (viewer, on) in viewers.into_iter().zip(&mut out.on) {
            let viewer = viewer as usize;
            let reflected = self.reflected[viewer][usize::from(kings[viewer])];
            let inputs = &self.inputs[viewer][usize::from(reflected)];
            on.clear();
            on.extend(pieces[..men].iter().map(|piece| {
                let row = piece.side as usize * self.kinds + usize::from(piece.kind);
                inputs[row * self.cells + usize::from(piece.place)]
            }));
        }
        out.score = packed.score;
        out.result = f32::from(packed.quarters) / 4.0;
        out.origin = packed.origin;
        Some(packed.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::Position;

    use super::*;
    use crate::packed::{Codec, Sample};

    /// A packed position has the inputs that the engine finds for the position, whoever moves.
    fn inputs_are_those_of_the_engine<G: Game>(game: G) {
        let (codec, eyes, features) = (Codec::new(game), Eyes::new(game.id()), Features::new(game));
        let mut position = Position::start_of(game);
        for ply in 0..60 {
            let sample = Sample {
                position,
                score: 25,
                quarters: 3,
                ply,
                origin: Origin::Leaf,
            };
            let mut bytes = Vec::new();
            codec.write(&sample, &mut bytes);
            let mut found = Inputs::default();
            assert_eq!(eyes.look(&bytes, &mut found), Some(bytes.len()));
            let found: [Vec<usize>; 2] =
                (found.on).map(|on| on.into_iter().map(usize::from).collect());
            assert_eq!(found, features.of(&position), "{position}");
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(usize::from(ply) * 7 % moves.len().max(1)) else {
                break;
            };
            position.play(mv).expect("it is one of the legal moves");
        }
    }

    #[test]
    fn inputs_of_all_games_are_those_of_the_engine() {
        for &id in GameId::shipped() {
            with_game!(id, game => inputs_are_those_of_the_engine(game));
        }
    }
}
