//! Networks against plain arithmetic, against the symmetries, and files that are spoilt.

use hexmate_movegen::{Bits, Game, GameId, Position, Setup, Simd, Unchecked};
use hexmate_movegen::{BuiltIn, Chromatic4, Glinski, Hexachess, Side, for_each_game, with_game};

use super::features::Fnv;
use super::*;
use crate::eval::facts::Facts;
use crate::eval::handmade::symmetry::Reflection;

/// Numbers that are the same in every run.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// A network of random weights, so large that sums are clamped on both sides.
fn network<G: Game>(game: G, size: usize, buckets: usize) -> NetworkWeights {
    let mut state = 0x243f_6a88_85a3_08d3;
    let mut numbers = |count: usize, spread: f32| -> Vec<f32> {
        let one = |_| ((random(&mut state) >> 40) as f32 / (1 << 24) as f32 - 0.5) * spread;
        (0..count).map(one).collect()
    };
    let inputs = Features::new(game).count();
    let numbers = Numbers {
        size,
        buckets,
        hidden: numbers(inputs * size, 0.7),
        hidden_bias: numbers(size, 1.0),
        output: numbers(2 * size * buckets, 1.2),
        output_bias: numbers(buckets, 0.5),
    };
    NetworkWeights::round(game, &numbers, "random").unwrap()
}

/// Walks along random games, goes back at times, passes at times, and does not always ask.
fn updates_are_exact<G: Game>(game: G, simd: Simd) {
    let mut network = Network::new(game, network(game, 64, 4));
    network.simd = simd;
    let mut state = network.new_state();
    let mut seed = 0x9e37_79b9_7f4a_7c15;
    let mut asked = 0;
    for _ in 0..3 {
        let start = Position::start_of(game);
        network.reset(&mut state, &start);
        let mut line = vec![start];
        for _ in 0..150 {
            let position = line[line.len() - 1];
            let choice = random(&mut seed);
            if !choice.is_multiple_of(3) {
                let fresh = network.evaluate(&position);
                assert_eq!(
                    network.static_eval(&mut state, &position),
                    fresh,
                    "{position}"
                );
                asked += 1;
            }
            let moves = position.legal_moves();
            let back = random(&mut seed) % 5;
            if moves.is_empty() || (back == 0 && line.len() > 1) {
                network.pop(&mut state);
                line.pop();
                if line.is_empty() {
                    break;
                }
                continue;
            }
            let mut next = position;
            if back == 1 && !position.in_check() {
                network.push(&mut state, &position, None);
                next.play_null_unchecked();
            } else {
                // Castling and promotions are rare among random moves.
                let rare = |mv: &&Move| {
                    mv.promotion().is_some()
                        || position.piece_on(mv.from).is_some_and(|p| p.kind == 1)
                };
                let rare = moves
                    .iter()
                    .find(rare)
                    .filter(|_| random(&mut seed).is_multiple_of(4));
                let mv = *rare.unwrap_or(&moves[random(&mut seed) as usize % moves.len()]);
                network.push(&mut state, &position, Some(mv));
                next.play_unchecked(mv);
            }
            line.push(next);
        }
    }
    assert!(asked > 100);
}

#[test]
fn updated_sums_are_those_of_the_position_in_all_games_and_backends() {
    for simd in Simd::available() {
        for &id in GameId::shipped() {
            with_game!(id, game => updates_are_exact(game, simd));
        }
    }
}

/// The position with sides exchanged, and the one with left and right exchanged if the game knows that.
fn images<G: Game>(position: &Position<G>) -> [Option<Position<G>>; 2] {
    let game = position.game();
    let build = |image: &dyn Fn(u8, u8, Side) -> (u8, u8, Side), side: Side| {
        let mut setup = Setup::new(game);
        for cell in position.occupied().cells() {
            let piece = position.piece_on(cell)?;
            let (cell, kind, side) = image(cell, piece.kind, piece.side);
            setup.set(cell, Some(hexmate_movegen::Piece { kind, side }));
        }
        setup.side = side;
        setup.build().ok()
    };
    let (tables, spec) = (game.tables(), game.spec());
    let turned = |cell: u8, kind, side: Side| {
        (
            tables.mirrored[usize::from(cell)],
            spec.mirrored_kind(kind),
            side.other(),
        )
    };
    let reflection = Reflection::find(&Facts::of(game));
    let reflected = reflection.and_then(|r| {
        let image = |cell: u8, kind: u8, side| {
            (r.cells[usize::from(cell)], r.kinds[usize::from(kind)], side)
        };
        // A king in the middle file is in neither half.
        let off = |side| image(position.king(side), 1, side).0 != position.king(side);
        let off = off(Side::White) && off(Side::Black);
        build(&image, position.side_to_move()).filter(|_| off)
    });
    [build(&turned, position.side_to_move().other()), reflected]
}

fn images_score_the_same<G: BuiltIn>() {
    let network = Network::new(G::GAME, network(G::GAME, 32, 8));
    let mut seed = 77;
    let mut compared = [0; 2];
    for _ in 0..4 {
        let mut position = Position::<G>::start();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random(&mut seed) as usize % moves.len()]);
            for (image, count) in images(&position).iter().zip(&mut compared) {
                if let Some(image) = image {
                    assert_eq!(
                        network.evaluate(image),
                        network.evaluate(&position),
                        "{position}, {image}"
                    );
                    *count += 1;
                }
            }
        }
    }
    assert!(compared[0] > 50, "{}: {compared:?}", G::ID);
    assert_eq!(
        compared[1] > 0,
        Reflection::find(&Facts::of(G::GAME)).is_some(),
        "{}: {compared:?}",
        G::ID
    );
}

#[test]
fn positions_alike_score_the_same() {
    for_each_game!(G => images_score_the_same::<G>());
}

#[test]
fn networks_come_back_from_their_files() {
    for (size, buckets) in [(32, 1), (96, 8)] {
        let weights = network(Chromatic4, size, buckets);
        let bytes = weights.to_bytes();
        assert!(NetworkWeights::is_network(&bytes));
        assert_eq!(NetworkWeights::game(&bytes), Ok(Some(GameId::Chromatic4)));
        let read = NetworkWeights::parse(Chromatic4, &bytes).unwrap();
        assert_eq!(read, weights);
        assert_eq!(
            (read.size(), read.buckets(), read.comment()),
            (size, buckets, "random")
        );
        let again = NetworkWeights::round(Chromatic4, &read.numbers(), "random");
        assert_eq!(again, Ok(weights));
    }
}

/// The bytes with a checksum that is right for them.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let mut check = Fnv::default();
    check.add(&bytes[..end]);
    bytes[end..].copy_from_slice(&check.0.to_le_bytes());
    bytes
}

#[test]
fn spoilt_files_are_refused() {
    let parse = |bytes: &[u8]| NetworkWeights::parse(Glinski, bytes);
    let weights = network(Glinski, 32, 2);
    let bytes = weights.to_bytes();
    for at in (0..400)
        .chain((400..bytes.len()).step_by(997))
        .chain(bytes.len() - 40..bytes.len())
    {
        let mut spoilt = bytes.clone();
        spoilt[at] ^= 1;
        assert!(parse(&spoilt).is_err(), "byte {at}");
        assert!(parse(&bytes[..at]).is_err(), "{at} bytes");
    }
    let mut longer = bytes.clone();
    longer.extend([0; 8]);
    assert!(
        parse(&sealed(longer))
            .unwrap_err()
            .to_string()
            .contains("longer")
    );
    assert_eq!(
        parse(b"hexmate-weights 1\n"),
        Err(NetworkError::NotANetwork)
    );
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(parse(&newer), Err(NetworkError::OtherVersion { found: 2 }));
    let foreign = NetworkWeights::parse(Hexachess, &bytes)
        .unwrap_err()
        .to_string();
    assert_eq!(foreign, "a network of glinski; expected one of hexachess");
    // A file with sums that could overflow, in all else as it should be.
    let front = bytes.len() - 8 - 2 * 4 - 2 * 64 - 2 * 32 - 2 * 32 * Features::new(Glinski).count();
    let mut large = bytes.clone();
    for cell in 0..91 {
        let at = front + 2 * 32 * cell;
        large[at..at + 2].copy_from_slice(&400i16.to_le_bytes());
    }
    let overflow = parse(&sealed(large)).unwrap_err();
    assert!(
        matches!(overflow, NetworkError::HiddenOverflow { place: 0, .. }),
        "{overflow}"
    );
    let told = overflow.to_string();
    assert!(told.ends_with("expected -32768 to 32767"), "{told}");
    let mut output = bytes.clone();
    let at = bytes.len() - 8 - 2 * 4 - 1;
    output[at] = 0x80;
    let weight = parse(&sealed(output)).unwrap_err();
    assert_eq!(weight, NetworkError::OutputWeight(-128));
    let told = weight.to_string();
    assert_eq!(told, "an output weight of -128; expected -127 to 127");
    let mut bias = bytes.clone();
    let at = bytes.len() - 8 - 4;
    bias[at..at + 4].copy_from_slice(&i32::MIN.to_le_bytes());
    let told = parse(&sealed(bias)).unwrap_err().to_string();
    assert!(told.ends_with("expected -16777216 to 16777216"), "{told}");
    let mut odd = bytes.clone();
    odd[front - 8] = 31;
    assert_eq!(parse(&sealed(odd)), Err(NetworkError::HiddenSize(31)));
}

/// The largest sums that a file may have come out right.
#[test]
fn the_largest_sums_do_not_overflow() {
    let inputs = Features::new(Glinski).count();
    for sign in [-1.0, 1.0] {
        let numbers = Numbers {
            size: 128,
            buckets: 1,
            hidden: vec![1.4; inputs * 128],
            hidden_bias: vec![0.0; 128],
            output: vec![sign * Numbers::MOST; 2 * 128],
            output_bias: vec![0.0],
        };
        let weights = NetworkWeights::round(Glinski, &numbers, "").unwrap();
        for simd in Simd::available() {
            let mut network = Network::new(Glinski, weights.clone());
            network.simd = simd;
            let start = Position::<Glinski>::start();
            let score = network.static_eval(&mut network.new_state(), &start);
            assert_eq!(score, network.evaluate(&start));
            assert!(
                score.signum() as f32 == sign && score.abs() > 30_000,
                "{score}"
            );
        }
        let more = Numbers {
            size: 160,
            hidden: vec![1.4; inputs * 160],
            hidden_bias: vec![0.0; 160],
            output: vec![sign * Numbers::MOST; 2 * 160],
            ..numbers
        };
        let refused = NetworkWeights::round(Glinski, &more, "").unwrap_err();
        assert!(
            matches!(refused, NetworkError::OutputOverflow { .. }),
            "{refused}"
        );
    }
}

/// As a diverged training, or a mistake of a caller, would have them.
#[test]
fn numbers_that_make_no_network_are_refused() {
    let inputs = Features::new(Glinski).count();
    let good = Numbers {
        size: 32,
        buckets: 2,
        hidden: vec![0.0; 32 * inputs],
        hidden_bias: vec![0.0; 32],
        output: vec![0.5; 2 * 2 * 32],
        output_bias: vec![0.0; 2],
    };
    let refused = |numbers: &Numbers| NetworkWeights::round(Glinski, numbers, "").unwrap_err();
    type Array = fn(&mut Numbers) -> &mut Vec<f32>;
    let arrays: [(&str, Array); 4] = [
        ("hidden weights", |numbers| &mut numbers.hidden),
        ("hidden biases", |numbers| &mut numbers.hidden_bias),
        ("output weights", |numbers| &mut numbers.output),
        ("output biases", |numbers| &mut numbers.output_bias),
    ];
    for (name, array) in arrays {
        let expected = array(&mut good.clone()).len();
        for length in [expected - 1, expected + 1] {
            let mut numbers = good.clone();
            array(&mut numbers).resize(length, 0.0);
            let told = refused(&numbers).to_string();
            assert_eq!(told, format!("{length} {name}; expected {expected}"));
        }
        for bad in [f32::NAN, f32::INFINITY] {
            let mut numbers = good.clone();
            array(&mut numbers)[1] = bad;
            let told = refused(&numbers).to_string();
            assert!(
                told.starts_with(&format!("number 1 of the {name} ")),
                "{told}"
            );
        }
    }
    let mut none = good.clone();
    none.output_bias.clear();
    assert_eq!(refused(&none).to_string(), "0 output biases; expected 2");
    let mut more = good.clone();
    more.hidden.resize(32 * (inputs + 1), 0.0);
    let found = inputs + 1;
    assert_eq!(
        refused(&more),
        NetworkError::Inputs {
            found,
            expected: inputs
        }
    );
    // What is accepted can be written and read again, and what could not is refused.
    let longest = "x".repeat(usize::from(u16::MAX));
    let weights = NetworkWeights::round(Glinski, &good, &longest).unwrap();
    assert_eq!(
        NetworkWeights::parse(Glinski, &weights.to_bytes()),
        Ok(weights)
    );
    let longer = "é".repeat(40_000);
    assert_eq!(
        NetworkWeights::round(Glinski, &good, &longer),
        Err(NetworkError::Comment(80_000))
    );
}

#[test]
#[should_panic(expected = "no output buckets")]
fn without_buckets_there_is_none_to_evaluate_by() {
    let _ = Numbers::bucket(Glinski, 0);
}
