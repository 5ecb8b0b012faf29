//! The moves of a game that was read, made on the board.

use hexmate_movegen::{
    AnyPosition, AnyRecord, Game, GameId, Letters, NotationError, Position, Record, read_move, san,
};

use super::words::glyph;
use super::{GIVE_THE_FILE, PgnError, ReadGame, ReadLine, ReadMove, game_named, is_of_any};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Notation {
    /// Standard algebraic notation: Qc3, exd6, f11=Q
    San,
    /// Two cells, as hexmate writes moves: e1c3, e5d6, f10f11q
    #[default]
    Cells,
}

impl Notation {
    /// The text of a legal move.
    pub fn text(self, position: &AnyPosition, mv: hexmate_movegen::Move) -> String {
        match self {
            Notation::San => san(position, mv),
            Notation::Cells => position.text(mv),
        }
    }
}

/// A game whose moves were written again.
#[derive(Debug)]
pub struct Rewritten {
    /// The game as it was played, up to its first fault.
    pub record: AnyRecord,
    /// That fault.
    pub broken: Option<PgnError>,
    /// What is wrong with its variations, which end before that, and the other slips.
    pub variations: Vec<PgnError>,
}

impl ReadGame {
    fn fault(&self, problem: String) -> PgnError {
        PgnError {
            line: self.line,
            column: None,
            ply: None,
            problem,
        }
    }

    /// Which game it is, by the tag `Variant`.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game(&self, default: GameId) -> Result<GameId, PgnError> {
        self.tag("Variant").map_or(Ok(default), |name| {
            if name.eq_ignore_ascii_case(default.name()) || is_of_any(name) {
                return Ok(default);
            }
            game_named(name).map_err(|e| {
                self.fault(format!(
                    "Variant: {e}; expected one of these in the tag, or no tag and --game; {GIVE_THE_FILE}"
                ))
            })
        })
    }

    /// The position before the first move, by the tag `FEN`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first(&self, game: GameId) -> Result<AnyPosition, PgnError> {
        let fen = self.tag("FEN");
        fen.map_or_else(
            || Ok(AnyPosition::start(game)),
            |fen| AnyPosition::from_fen(game, fen).map_err(|e| self.fault(format!("FEN: {e}"))),
        )
    }

    /// The game itself, without variations, as far as its moves can be made, and what is wrong with the next one or
    /// with the rest.
    pub fn play(&self, first: AnyPosition, letters: &Letters) -> (AnyRecord, Option<PgnError>) {
        let mut record = AnyRecord::new(first);
        for (i, mv) in self.main.moves.iter().enumerate() {
            match read_move(&record.position(), &mv.text, letters) {
                Ok(mv) => record.play_move(mv).expect("a move that was read is legal"),
                Err(error) => return (record, Some(mv.fault(i + 1, &error))),
            }
        }
        (record, self.fault.clone())
    }

    /// The game with its moves checked, or the first of them up to a number.
    ///
    /// # Errors
    ///
    /// If the position or a move cannot be read, or a move is illegal.
    pub fn record<G: Game>(&self, game: G, plies: Option<usize>) -> Result<Record<G>, PgnError> {
        let fault = |e| self.fault(format!("FEN: {e}"));
        let start = self.tag("FEN").map_or_else(
            || Ok(Position::start_of(game)),
            |fen| Position::from_fen(game, fen).map_err(fault),
        )?;
        let mut record = Record::new(start);
        let most = plies.unwrap_or(usize::MAX);
        for (i, mv) in self.main.moves.iter().take(most).enumerate() {
            let here = AnyPosition::from(*record.position());
            let found = read_move(&here, &mv.text, &Letters::Own);
            let found = found.map_err(|e| mv.fault(i + 1, &e))?;
            record.play(found).expect("a move that was read is legal");
        }
        Ok(record)
    }

    /// Writes all moves in another notation, those of variations, too, and annotations like `!?` as glyphs. Each line
    /// ends before its first fault.
    ///
    /// # Errors
    /// If the game or its first position cannot be read.
    pub fn rewrite(
        &mut self,
        default: GameId,
        letters: &Letters,
        notation: Notation,
    ) -> Result<Rewritten, PgnError> {
        let game = self.game(default)?;
        letters
            .check(game.spec())
            .map_err(|e| self.fault(format!("--letters: {e}")))?;
        let first = self.first(game)?;
        let mut writing = Writing {
            letters,
            notation,
            faults: Vec::new(),
        };
        let mut record = AnyRecord::new(first);
        let broken = writing.line(&mut self.main, first, 0, Some(&mut record));
        let mut variations = self.slips.clone();
        variations.extend(writing.faults);
        Ok(Rewritten {
            record,
            broken: broken.or_else(|| self.fault.clone()),
            variations,
        })
    }
}

impl ReadMove {
    /// What is wrong with this move.
    pub(crate) fn fault(&self, ply: usize, error: &NotationError) -> PgnError {
        PgnError {
            line: self.line,
            column: Some(self.column),
            ply: Some(ply),
            problem: error.to_string(),
        }
    }

    /// The glyphs that its text ends with.
    pub(crate) fn take_glyphs(&mut self) {
        // Behind them an N may say that the move is new.
        let text = self.text.strip_suffix('N').unwrap_or(&self.text);
        let signs = text.trim_end_matches(['!', '?']).len();
        let Some(Some(number)) = glyph(&text[signs..]) else {
            return;
        };
        if !self.glyphs.contains(&number) {
            self.glyphs.insert(0, number);
        }
    }
}

/// Writes lines of moves again.
struct Writing<'w> {
    letters: &'w Letters,
    notation: Notation,
    /// Those of variations.
    faults: Vec<PgnError>,
}

impl Writing<'_> {
    /// A line from a position after so many plies, up to the fault that is returned; the record is that of the game
    /// itself.
    fn line(
        &mut self,
        line: &mut ReadLine,
        first: AnyPosition,
        plies: usize,
        mut record: Option<&mut AnyRecord>,
    ) -> Option<PgnError> {
        let mut position = first;
        for i in 0..line.moves.len() {
            let mv = &mut line.moves[i];
            match read_move(&position, &mv.text, self.letters) {
                Ok(found) => {
                    mv.take_glyphs();
                    mv.text = self.notation.text(&position, found);
                    for variation in &mut mv.variations {
                        let fault = self.line(variation, position, plies + i, None);
                        self.faults.extend(fault);
                    }
                    position = position.after(found);
                    if let Some(record) = &mut record {
                        record
                            .play_move(found)
                            .expect("a move that was read is legal");
                    }
                }
                Err(error) => {
                    let fault = mv.fault(plies + i + 1, &error);
                    line.moves.truncate(i);
                    return Some(fault);
                }
            }
        }
        None
    }
}
