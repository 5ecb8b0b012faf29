//! Placements that list the board by files: `6/P5p/RP4pr/…`, as several programs for Gliński's chess
//! write them. Each file is listed from White's end to Black's, beginning with file a; letters and numbers
//! mean what they mean by rows. Some programs list each file from Black's end.

use std::collections::HashMap;

use hexmate_movegen::{Bits, Cell, Game};

/// In which order the cells of a file are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FileOrder {
    /// From White's end of the board: `6/P5p/…`
    Up,
    /// From Black's end: `6/p5P/…`
    Down,
}

/// The files of a game's board, each in this order.
fn files<G: Game>(game: G, order: FileOrder) -> Vec<Vec<Cell>> {
    let board = &game.tables().board;
    let mut files = vec![Vec::new(); board.letters().len()];
    // Cells are numbered from White's edge.
    for &cell in board.cells() {
        files[board.at(cell).0 as usize].push(cell);
    }
    if order == FileOrder::Down {
        files.iter_mut().for_each(|file| file.reverse());
    }
    files
}

/// The lists of a placement: for each the letters on its cells, `None` where a cell is empty. `None` if a
/// number is 0 or beyond any board.
fn lists(placement: &str) -> Option<Vec<Vec<Option<char>>>> {
    placement.split('/').map(list).collect()
}

fn list(text: &str) -> Option<Vec<Option<char>>> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            cells.push(Some(letter));
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let empty: u8 = rest[..digits].parse().ok()?;
        if empty == 0 {
            return None;
        }
        cells.extend(std::iter::repeat_n(None, empty.into()));
        rest = &rest[digits..];
    }
    Some(cells)
}

fn text(lists: impl Iterator<Item = Vec<Option<char>>>) -> String {
    let one = |cells: Vec<Option<char>>| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in cells.into_iter().chain([Some('\0')]) {
            let Some(letter) = cell else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            if letter != '\0' {
                text.push(letter);
            }
        }
        text
    };
    lists.map(one).collect::<Vec<_>>().join("/")
}

/// How many cells each file of a game's board has.
pub fn lengths_of_files<G: Game>(game: G) -> Vec<usize> {
    files(game, FileOrder::Up).iter().map(Vec::len).collect()
}

/// Whether this game's board is listed alike by files and by rows, so that a text does not tell which is meant.
pub fn look_like_rows<G: Game>(game: G) -> bool {
    let rows = game.tables().board.rows().iter();
    rows.map(Vec::len).eq(lengths_of_files(game))
}

/// Whether a position text lists this game's board by files, and cannot be meant by rows.
pub fn is_by_files<G: Game>(game: G, fen: &str) -> bool {
    !look_like_rows(game) && to_rows(game, fen, FileOrder::Up).is_some()
}

/// The position text with its placement listed by rows, which was by files.
///
/// What follows the placement is kept. `None` if the lists are not as long as the files.
pub fn to_rows<G: Game>(game: G, fen: &str, order: FileOrder) -> Option<String> {
    let files = files(game, order);
    let placement = fen.split_whitespace().next().unwrap_or_default();
    // No placement is longer than its cells and what stands between them.
    if placement.len() > G::Bits::SIZE + files.len() {
        return None;
    }
    relist(fen, &files, game.tables().board.rows())
}

/// The position text with its placement listed by files, which was by rows.
pub fn to_files<G: Game>(game: G, fen: &str, order: FileOrder) -> Option<String> {
    relist(fen, game.tables().board.rows(), &files(game, order))
}

fn relist(fen: &str, from: &[Vec<Cell>], to: &[Vec<Cell>]) -> Option<String> {
    let fen = fen.trim();
    let end = fen.find(char::is_whitespace).unwrap_or(fen.len());
    let (placement, rest) = fen.split_at(end);
    let lists = lists(placement)?;
    if !lists.iter().map(Vec::len).eq(from.iter().map(Vec::len)) {
        return None;
    }
    let cells = from.iter().flatten().copied();
    let letters: HashMap<Cell, Option<char>> = cells.zip(lists.into_iter().flatten()).collect();
    let to = to.iter();
    let placement = text(to.map(|list| list.iter().map(|c| letters[c]).collect()));
    Some(placement + rest)
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{GameId, Glinski, Position, with_game};

    use super::*;

    const UP: &str = "6/P5p/RP4pr/N1P3p1n/Q2P2p2q/BBB1P1p1bbb/K2P2p2k/N1P3p1n/RP4pr/P5p/6";
    const DOWN: &str = "6/p5P/rp4PR/n1p3P1N/q2p2P2Q/bbb1p1P1BBB/k2p2P2K/n1p3P1N/rp4PR/p5P/6";

    #[test]
    fn the_start_of_glinski_both_ways() {
        let start = Position::<Glinski>::start().to_string();
        let rest = " w - - 0 1";
        for (order, placement) in [(FileOrder::Up, UP), (FileOrder::Down, DOWN)] {
            let text = format!("{placement}{rest}");
            assert!(is_by_files(Glinski, &text));
            assert_eq!(to_rows(Glinski, &text, order), Some(start.clone()));
            assert_eq!(to_files(Glinski, &start, order), Some(text));
        }
        assert!(!is_by_files(Glinski, &start));
    }

    #[test]
    fn games_whose_files_look_like_rows() {
        let alike = |name: &&str| {
            let game: GameId = name.parse().unwrap();
            with_game!(game, game => look_like_rows(game))
        };
        let games =
            "glinski hexachess mccooey chromatic3 chromatic4 shafran devasa brusky minihexchess";
        let alike: Vec<&str> = games.split(' ').filter(alike).collect();
        assert_eq!(alike, ["chromatic3", "chromatic4", "devasa"]);
    }

    #[test]
    fn what_is_not_by_files() {
        for text in [
            "",
            "6/P5p w",
            "hello",
            "0/7/8/9/10/11/10/9/8/7/6",
            "6/7/8/9/10/999999999999/10/9/8/7/6",
        ] {
            assert_eq!(to_rows(Glinski, text, FileOrder::Up), None, "{text}");
            assert_eq!(to_files(Glinski, text, FileOrder::Up), None, "{text}");
        }
    }
}
