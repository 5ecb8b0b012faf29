//! `hexmate games check`: reads a game, draws it, and compares the generator with a plain walk over the rules.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Context, Result};
use hexmate_movegen::walk::{PlainMove, PlainPosition, Walk};
use hexmate_movegen::{
    AnyPosition, Bits, Cell, Game, GameId, Kind, PAWN, Side, compile_limits, with_game,
};

use crate::drawing;
use crate::exit::Exit;
use crate::game_names::GameNames;
use crate::games::nearest;
use crate::random::SplitMix64;
use crate::stdout::CANNOT_PRINT;

/// Check games in files: read each, draw its board and its pieces' moves, play random games against a plain walk over
/// the rules, and count what the file proves. Exit code 2 if a file is no game or there is nothing to check, 1 if a
/// count or a move is wrong.
#[derive(clap::Args)]
pub struct Arguments {
    /// The files, or names of games
    #[arg(required = true)]
    games: Vec<String>,
    /// Random games to play
    #[arg(long, default_value_t = 20)]
    random: u32,
    /// Plies of each at most
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// Leaf counts of the file are checked up to this number of leaves; that of depth 1 always
    #[arg(long, default_value_t = 100_000_000)]
    max_nodes: u64,
    /// The seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print faults alone
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let names = GameNames::default();
    let mut exit = Exit::Success;
    let mut out = std::io::stdout();
    for name in &arguments.games {
        let game = match names.find(name, GameId::Glinski) {
            Ok(game) => game,
            Err(error) => {
                eprintln!("hexmate: {error}");
                exit = Exit::BadInput;
                continue;
            }
        };
        if !arguments.quiet {
            write!(out, "{}", with_game!(game, game => picture(game))).context(CANNOT_PRINT)?;
        }
        if game.spec().proof.is_empty() && arguments.random == 0 {
            eprintln!(
                "hexmate: {name}: nothing to check: the file has no leaf counts under [proof]; expected --random of 1 \
                 or more"
            );
            exit = Exit::BadInput;
            continue;
        }
        let checked = check(game, arguments);
        match (checked.faults.is_empty(), arguments.quiet) {
            (true, true) => {}
            (true, false) => writeln!(out, "{}", summary(game, checked.counts, arguments))
                .context(CANNOT_PRINT)?,
            (false, _) => {
                for fault in checked.faults {
                    eprintln!("hexmate: {name}: {fault}");
                }
                if matches!(exit, Exit::Success) {
                    exit = Exit::Failed;
                }
            }
        }
    }
    Ok(exit)
}

/// The board with names and with colours, and what each piece sees.
fn picture<G: Game>(game: G) -> String {
    let (spec, tables) = (game.spec(), game.tables());
    let board = &tables.board;
    let mut text = format!(
        "{} ({}), {} cells, {} kinds of piece\n\n{}",
        spec.title,
        spec.name,
        board.cells().len(),
        spec.pieces.len(),
        drawing::map(board, |cell| board.name(cell)),
    );
    if spec.board.colouring.count > 1 {
        let colour = |cell| format!(" {}", board.colour(cell) + 1);
        let _ = write!(text, "\ncolours:\n{}", drawing::map(board, colour));
    }
    let start = AnyPosition::start(game.id());
    let letter = |cell: Cell| match start.piece_on(cell) {
        Some(piece) => format!(" {}", spec.piece_letter(piece)),
        None => " .".to_owned(),
    };
    let _ = write!(text, "\nstart:\n{}", drawing::map(board, letter));
    for kind in 0..spec.pieces.len() as Kind {
        let piece = &spec.pieces[usize::from(kind)];
        let Some(from) = nearest(board, tables.stands_on[usize::from(kind)].cells()) else {
            continue;
        };
        let (to, steps) = if kind == PAWN {
            let steps = spec.pawn.steps.iter();
            let steps: Vec<Cell> = steps.filter_map(|&s| board.step(from, s)).collect();
            (tables.pawn_attacks(Side::White, from), steps)
        } else {
            (tables.attacks(kind, from, G::Bits::EMPTY), Vec::new())
        };
        let what = match kind {
            PAWN => "steps to + and captures on *".to_owned(),
            _ => format!("reaches {} cells", to.count()),
        };
        let _ = writeln!(
            text,
            "\n{} {} on {} {what}:",
            char::from(piece.letter),
            piece.name,
            board.name(from),
        );
        text += &drawing::map(board, |cell| {
            let mark = match cell {
                _ if cell == from => char::from(piece.letter),
                _ if to.has(cell) => '*',
                _ if steps.contains(&cell) => '+',
                _ => '.',
            };
            format!(" {mark}")
        });
    }
    text
}

/// What came of the check of a game that could be read.
struct Checked {
    /// What is wrong.
    faults: Vec<String>,
    /// How many leaf counts are right.
    counts: usize,
}

fn check(game: GameId, arguments: &Arguments) -> Checked {
    let spec = game.spec();
    let (mut faults, mut counts) = (Vec::new(), 0);
    let start = AnyPosition::start(game);
    for (depth, &expected) in (1..).zip(spec.proof) {
        // The moves of one position are always cheap to count.
        if depth > 1 && expected > arguments.max_nodes {
            break;
        }
        let found = leaves(&start, depth, arguments.max_nodes);
        if found == Some(expected) {
            counts += 1;
            continue;
        }
        let found = found.map_or_else(
            || format!("more than {}", arguments.max_nodes),
            |found| found.to_string(),
        );
        faults.push(format!(
            "[proof] says {expected} leaves at depth {depth}, but there are {found}"
        ));
        // Deeper counts would be wrong as well, and may be anything.
        break;
    }
    let walk = Walk::new(spec);
    let mut random = SplitMix64::new(arguments.seed);
    for _ in 0..arguments.random {
        if let Some(fault) = differs(&walk, start, arguments.plies, &mut random) {
            faults.push(fault);
            break;
        }
    }
    Checked { faults, counts }
}

/// The number of leaves, unless there are more than `most`: then it stops soon after these.
fn leaves(position: &AnyPosition, depth: u32, most: u64) -> Option<u64> {
    // So near to the leaves there are few, and perft counts them faster.
    if depth <= 2 {
        let found = position.perft(depth);
        return (depth == 1 || found <= most).then_some(found);
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        sum += leaves(&position.after(mv), depth - 1, most - sum)?;
    }
    Some(sum)
}

/// Plays a random game; the first position in which generator and walk disagree.
fn differs(
    walk: &Walk,
    mut position: AnyPosition,
    plies: u32,
    random: &mut SplitMix64,
) -> Option<String> {
    let mut state: PlainPosition = walk.start();
    for _ in 0..plies {
        let found = position.move_texts();
        let mut expected = walk.texts(&state);
        expected.sort_unstable();
        if found != expected {
            return Some(format!(
                "the generator and a plain walk over the rules disagree in {position}: {}",
                difference(&found, &expected)
            ));
        }
        // Rare moves more often: castling, en passant, promotions, long first steps.
        let legal = walk.legal(&state);
        let rarest = legal.iter().map(PlainMove::rarity).max()?;
        let rare: Vec<_> = legal.iter().filter(|m| m.rarity() == rarest).collect();
        let mv = if random.next().is_multiple_of(3) {
            rare[random.below(rare.len())]
        } else {
            &legal[random.below(legal.len())]
        };
        position.play(&walk.text(mv)).expect("both have this move");
        state = walk.after(&state, mv);
        if position.outcome().is_some() {
            return None;
        }
    }
    None
}

/// In what the sorted moves of the generator and of the walk differ: up to five of each sort.
fn difference(found: &[String], expected: &[String]) -> String {
    let several = |moves: &mut dyn Iterator<Item = &String>| {
        let mut several: Vec<&str> = moves.map(String::as_str).collect();
        several.dedup();
        several.truncate(5);
        several.join(" ")
    };
    let only = |these: &[String], those: &[String]| {
        several(&mut these.iter().filter(|m| !those.contains(m)))
    };
    let mut parts = vec![
        format!("only the generator has [{}]", only(found, expected)),
        format!("only the walk has [{}]", only(expected, found)),
    ];
    for (name, moves) in [("generator", found), ("walk", expected)] {
        let again = moves.windows(2).filter(|pair| pair[0] == pair[1]);
        let again = several(&mut again.map(|pair| &pair[0]));
        if !again.is_empty() {
            parts.push(format!("the {name} has [{again}] more than once"));
        }
    }
    parts.join(", ")
}

/// What was checked.
fn summary(game: GameId, counts: usize, arguments: &Arguments) -> String {
    let spec = game.spec();
    let counted = match (counts, spec.proof.len()) {
        (0, _) => "the file has no leaf count to check".to_owned(),
        (1, 1) => "a leaf count of the file is right".to_owned(),
        (n, all) if n == all => format!("{n} leaf counts of the file are right"),
        (n, all) => format!(
            "{n} of {all} leaf counts of the file are right (the next one exceeds --max-nodes)"
        ),
    };
    let mut text = format!(
        "\n{}: {counted}, and {} random games agree with a plain walk over the rules.",
        spec.name, arguments.random
    );
    let limits = compile_limits(spec);
    // A copy of its file is the same game.
    let compiled = |known: &GameId| known.fingerprint() == game.fingerprint();
    if GameId::ALL.iter().any(compiled) {
        text += "\nIt is compiled into the program.";
    } else if limits.is_empty() {
        text += "\nIt could be compiled into the program.";
    } else {
        let _ = write!(
            text,
            "\nIt cannot be compiled into the program: {}.",
            limits.join("; ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_move_that_is_found_twice_is_named() {
        let moves = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        for (found, expected, told) in [
            (
                "a1a2 b1b2",
                "a1a2 c1c2",
                "only the generator has [b1b2], only the walk has [c1c2]",
            ),
            (
                "a1a2 b1b2 b1b2 b1b2",
                "a1a2 b1b2",
                "only the generator has [], only the walk has [], the generator has [b1b2] more than once",
            ),
        ] {
            assert_eq!(difference(&moves(found), &moves(expected)), told);
        }
    }
}
