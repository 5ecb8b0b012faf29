//! How strongly the levels play: against each other, and against somebody who moves at random.

use serde_json::{Value, json};

use crate::client::Board;

/// Who moves at random, in the place of a level.
const RANDOM: u64 = 0;

/// A number that depends on two others in no simple way.
fn mixed(a: u64, b: u64) -> u64 {
    let mut z = (a << 32 | b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 31)
}

/// A game between two levels, the first with White: what it gets of the point. A game that is not over after
/// `most_plies` is won by whoever is four pawns ahead then, or drawn.
fn play(board: &Board, game: &str, levels: [u64; 2], seed: u64, most_plies: u64) -> f64 {
    let mut moves: Vec<Value> = Vec::new();
    for ply in 0..most_plies {
        let level = levels[(ply % 2) as usize];
        let seed = mixed(seed, ply) >> 1;
        if level == RANDOM {
            let position = board.good("position", &json!({"game": game, "moves": moves}));
            if position["outcome"].is_object() {
                break;
            }
            let legal = position["legal"].as_array().unwrap();
            let chosen = &legal[(seed % legal.len() as u64) as usize];
            moves.push(chosen["move"].clone());
            continue;
        }
        let fields = json!({"game": game, "level": level, "moves": moves, "seed": seed});
        let answer = board.ask("play", &fields);
        if answer.status == 409 {
            break;
        }
        assert_eq!(answer.status, 200, "{}", answer.body);
        let found: Value = serde_json::from_str(&answer.body).unwrap();
        moves.push(found["move"]["move"].clone());
    }
    let end = json!({"game": game, "moves": moves});
    if let Some(quarters) = board.good("position", &end)["outcome"]["quarters"][0].as_f64() {
        return quarters / 4.0;
    }
    match board.good("explain", &end)["score"].as_i64().unwrap() {
        400.. => 1.0,
        ..=-400 => 0.0,
        _ => 0.5,
    }
}

/// Points of the first level against the second, sides in turn.
fn points(board: &Board, game: &str, levels: [u64; 2], games: u64, most_plies: u64) -> f64 {
    let point = |number: u64| {
        let seed = number / 2 * 2 + 1;
        match number % 2 {
            0 => play(board, game, levels, seed, most_plies),
            _ => 1.0 - play(board, game, [levels[1], levels[0]], seed, most_plies),
        }
    };
    (0..games).map(point).sum()
}

/// Seeds make the games the same each time, as none of these levels needs the clock.
#[test]
fn higher_levels_win() {
    let board = Board::start(&[]);
    for levels in [[6, 2], [7, 4]] {
        let points = points(&board, "minihexchess", levels, 8, 120);
        assert!(points >= 6.5, "{levels:?}: {points}");
    }
}

/// The figures of docs/board.md: plays games between each two levels that follow each other, and against somebody who
/// moves at random, and compares. `HEXMATE_LEVELS` is how many games of each pair (30; the more, the narrower the
/// bounds), `HEXMATE_PAIRS` names some pairs (`1-0,2-1`; 0 moves at random), `HEXMATE_GAMES` games (glinski,hexachess).
#[test]
#[ignore = "an hour and more; docs/board.md says how to run it"]
fn figures_of_the_levels() {
    /// Games, and points in them of each level against the one below, from level 1 against random moves; by game.
    const FIGURES: [(&str, &[(f64, f64)]); 2] = [
        (
            "glinski",
            &[
                (23.5, 24.0),
                (28.5, 40.0),
                (30.0, 40.0),
                (30.0, 40.0),
                (17.0, 30.0),
                (19.5, 30.0),
                (15.0, 20.0),
                (13.5, 16.0),
            ],
        ),
        (
            "hexachess",
            &[(0.0, 0.0), (16.0, 20.0), (16.0, 20.0), (10.5, 20.0)],
        ),
    ];
    let word = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let games: u64 = word("HEXMATE_LEVELS", "30").parse().unwrap();
    assert!(games > 0, "HEXMATE_LEVELS: expected 1 game at least");
    let board = Board::start(&[]);
    let mut wrong = Vec::new();
    for game in word("HEXMATE_GAMES", "glinski,hexachess").split(',') {
        let figures = FIGURES.iter().find(|(name, _)| *name == game);
        let figures = figures.map_or(&[][..], |(_, figures)| figures);
        for pair in word("HEXMATE_PAIRS", "1-0,2-1,3-2,4-3,5-4,6-5,7-6,8-7").split(',') {
            let (a, b) = pair.split_once('-').unwrap();
            let levels: [u64; 2] = [a.parse().unwrap(), b.parse().unwrap()];
            let points = points(&board, game, levels, games, 200);
            let mean = points / games as f64;
            let elo = -400.0 * (1.0 / mean - 1.0).log10();
            let told =
                format!("{game}: level {a} against {b}: {points} of {games} ({elo:+.0} Elo)");
            println!("{told}");
            let known = (levels[0] == levels[1] + 1).then(|| figures.get(levels[1] as usize));
            let (lowest, highest) = match known.flatten() {
                Some(&(won, of)) if of > 0.0 => bounds(won / of, of, games as f64),
                // Nobody has measured it: the higher level does not lose.
                _ => (0.5, 1.0),
            };
            if !(lowest..=highest).contains(&mean) {
                wrong.push(format!(
                    "{told}; expected {lowest:.2} to {highest:.2} of each"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where the mean of so many games lies, if the true one is that of games played before: three standard errors of both
/// runs together, and for draws no less. One mean of a thousand lies outside.
fn bounds(mean: f64, of: f64, games: f64) -> (f64, f64) {
    // A mean of 23.5 of 24 may as well be that of a player who scores 22.
    let spread = (mean * (1.0 - mean)).max(0.05).sqrt();
    let error = 3.0 * spread * (1.0 / of + 1.0 / games).sqrt();
    ((mean - error).max(0.0), (mean + error).min(1.0))
}

#[test]
fn bounds_of_figures() {
    let (lowest, highest) = bounds(0.75, 40.0, 40.0);
    assert!(
        (0.45..0.47).contains(&lowest) && highest == 1.0,
        "{lowest} {highest}"
    );
    let (lowest, _) = bounds(23.5 / 24.0, 24.0, 24.0);
    assert!((0.75..0.8).contains(&lowest), "{lowest}");
}
