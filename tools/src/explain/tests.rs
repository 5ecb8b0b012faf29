//! Every claim of an explanation is checked by replaying its lines.

use hexmate_engine::Handmade;
use hexmate_movegen::{
    Bits, Game, GameId, Glinski, Kind, Outcome, PAWN, Position, Record, Side, with_game,
};
use serde_json::json;

use super::*;
use crate::analyse::{Answer, Settings, Worker};
use crate::lines::Line as Text;
use crate::random::SplitMix64;

/// The numbers of men by kind: of `side`, and of the other.
fn men<G: Game>(position: &Position<G>, side: Side) -> [Vec<i32>; 2] {
    [side, side.other()].map(|side| {
        let kinds = 0..position.spec().pieces.len() as Kind;
        kinds
            .map(|kind| position.pieces(kind, side).count() as i32)
            .collect()
    })
}

/// Plays a line of cells, every move of which must be legal.
fn played<G: Game>(record: &Record<G>, line: &[String]) -> Record<G> {
    let mut record = record.clone();
    for text in line {
        let mv = record
            .position()
            .parse_move(text)
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        record.play(mv).unwrap();
    }
    record
}

/// Checks what is said of material by counting men.
fn check_material<G: Game>(
    handmade: &Handmade<G>,
    record: &Record<G>,
    line: &[String],
    side: Side,
    material: &Material,
) {
    let letter = |kind: usize| char::from(record.position().spec().pieces[kind].letter);
    let times =
        |text: &str, kind: usize| text.chars().filter(|&c| c == letter(kind)).count() as i32;
    let end = played(record, line);
    let (before, after) = (men(record.position(), side), men(end.position(), side));
    let pawn = usize::from(PAWN);
    let mut worth = 0;
    for kind in 0..before[0].len() {
        let [lost, won] = [0, 1].map(|i| before[i][kind] - after[i][kind]);
        let mut net = won - lost;
        // Pawns that promote leave the board without being taken.
        let ours = times(&material.promotes, kind);
        let theirs = times(&material.concedes, kind);
        net -= ours - theirs;
        if kind == pawn {
            let all = |text: &str| text.chars().count() as i32;
            net += all(&material.promotes) - all(&material.concedes);
        }
        assert_eq!(
            net,
            times(&material.wins, kind) - times(&material.loses, kind),
            "{line:?}"
        );
        let value = handmade.value(kind as Kind);
        worth += net * value + (ours - theirs) * (value - handmade.value(PAWN));
    }
    assert_eq!(worth, material.worth, "{line:?}: {material:?}");
    for (at, ours, what, pawns) in [
        (material.won_at, true, &material.wins, &material.promotes),
        (material.lost_at, false, &material.loses, &material.concedes),
    ] {
        assert_eq!(at == 0, what.is_empty() && pawns.is_empty(), "{material:?}");
        if at == 0 {
            continue;
        }
        let before = played(record, &line[..at - 1]);
        let mv = before.position().parse_move(&line[at - 1]).unwrap();
        let mover = before.position().side_to_move();
        assert_eq!(mover == side, ours, "ply {at} of {line:?}");
        let after = played(record, &line[..at]);
        let [was, is] = [&before, &after].map(|r| men(r.position(), mover.other())[0].clone());
        let taken = (0..was.len()).find(|&kind| was[kind] > is[kind]);
        // A piece that was a pawn when the line began is taken as one.
        let was_pawn = what.contains(letter(pawn))
            && (1..at).any(|ply| line[ply - 1].ends_with(char::is_alphabetic));
        let counts = taken.is_some_and(|kind| what.contains(letter(kind)) || was_pawn)
            || mv
                .promotion()
                .is_some_and(|kind| pawns.contains(letter(usize::from(kind))));
        assert!(counts, "ply {at} of {line:?}: {material:?}");
    }
}

/// Checks a move and its line. Gives the evaluation of the end.
fn check_way<G: Game>(handmade: &Handmade<G>, record: &Record<G>, way: &Way) -> Option<i32> {
    let side = record.position().side_to_move();
    assert_eq!(way.line.first(), Some(&way.first));
    let end = played(record, &way.line);
    let outcome = end.outcome();
    match way.end {
        End::Mate => assert!(matches!(outcome, Some(Outcome::Checkmate { .. }))),
        End::Stalemate => assert!(matches!(outcome, Some(Outcome::Stalemate { .. }))),
        End::Kings => assert_eq!(outcome, Some(Outcome::BareKings)),
        End::Progress => assert_eq!(outcome, Some(Outcome::NoProgress)),
        End::Repetition => assert!(end.occurrences() > 1, "{way:?}"),
        End::Return => {
            let again = end.position().legal_moves().into_iter().any(|mv| {
                let mut next = end.clone();
                next.play(mv).unwrap();
                next.occurrences() > 1
            });
            assert!(again, "{way:?}");
        }
        End::Rest | End::Open => assert_eq!(outcome, None, "{way:?}"),
    }
    let rests = way.end == End::Rest;
    assert_eq!(rests, way.eval.is_some());
    if rests {
        assert_eq!(handmade.settle(end.position()), Some(Vec::new()), "{way:?}");
        let score = handmade.evaluate(end.position());
        let score = if end.position().side_to_move() == side {
            score
        } else {
            -score
        };
        assert_eq!(way.eval, Some(score));
    }
    check_material(handmade, record, &way.line, side, &way.material);
    way.eval
}

/// Checks a threat: a legal line after a pass, and what it does.
fn check_threat<G: Game>(handmade: &Handmade<G>, at: &Position<G>, threat: &Threat, side: Side) {
    let passed = at.null_move().expect("no check");
    let record = Record::new(passed);
    let own = passed.side_to_move();
    check_material(handmade, &record, &threat.line, own, &threat.material);
    assert_eq!(threat.line.first(), Some(&threat.first));
    match threat.score {
        Score::Mate(moves) => assert_eq!(moves > 0, own == side),
        Score::Cp(_) => assert!(threat.material.worth >= 60),
    }
}

/// Checks all claims of an explanation of the last position of a record.
fn check<G: Game>(handmade: &Handmade<G>, record: &Record<G>, explanation: &Explanation) {
    let position = record.position();
    let side = position.side_to_move();
    let best = check_way(handmade, record, &explanation.best);
    let other = explanation.other.as_ref();
    let eval = other.map(|other| check_way(handmade, record, other));
    assert_eq!(other.is_none(), position.legal_moves().len() == 1);
    if let Some(other) = other {
        assert_ne!(other.first, explanation.best.first);
        let by = match (&explanation.best.score, &other.score) {
            (Score::Cp(best), Score::Cp(other)) => Some(best - other),
            _ => None,
        };
        assert_eq!(explanation.by, by);
    }
    let sum: i32 = explanation.terms.iter().map(|part| part.cp).sum();
    match (best, eval.flatten()) {
        (Some(best), Some(other)) => assert_eq!(sum, best - other),
        _ => assert!(explanation.terms.is_empty()),
    }
    if let Some(threat) = &explanation.threat {
        check_threat(handmade, position, threat, side);
        let costs = worth(&explanation.best.score) - worth(&threat.score);
        assert!(costs >= 100, "{threat:?}");
    }
    if let Some(threat) = &explanation.threatens {
        let after = played(record, &explanation.best.line[..1]);
        check_threat(handmade, after.position(), threat, side);
        let gains = worth(&threat.score) - worth(&explanation.best.score);
        assert!(gains >= 100, "{threat:?}");
    }
    check_words(explanation);
}

/// The parts that are told add up to the difference of the evaluations, which is near that of the scores.
fn check_words(explanation: &Explanation) {
    let words = &explanation.words;
    assert!(
        words.ends_with('.') && !words.contains("  ") && !words.contains('{'),
        "{words}"
    );
    let parts = words
        .split_once(" than ")
        .and_then(|(_, rest)| rest.split_once(": "));
    // A move stands between the two; other sentences have colons, too.
    let parts = parts.filter(|(other, _)| !other.contains([' ', ';', '.']));
    let Some((_, parts)) = parts else { return };
    let (parts, _) = parts
        .split_once(". ")
        .unwrap_or((parts.trim_end_matches('.'), ""));
    let told: f64 = parts
        .split(", ")
        .map(|part| {
            let number = part.rsplit(' ').next().unwrap().replace('−', "-");
            number.parse::<f64>().unwrap_or_else(|_| panic!("{part}"))
        })
        .sum();
    let ends = [Some(&explanation.best), explanation.other.as_ref()];
    let ends = ends.map(|way| f64::from(way.unwrap().eval.unwrap()) / 100.0);
    assert!((told - (ends[0] - ends[1])).abs() < 0.006, "{words}");
    let by = f64::from(explanation.by.unwrap()) / 100.0;
    assert!((told - by).abs() <= (0.4 * by).max(0.2) + 0.006, "{words}");
}

/// Random moves from here, as many as there are up to `plies`.
fn wander<G: Game>(record: &Record<G>, plies: usize, random: &mut SplitMix64) -> Record<G> {
    let mut record = record.clone();
    for _ in 0..plies {
        let moves = record.position().legal_moves();
        if record.outcome().is_some() || moves.is_empty() {
            break;
        }
        record.play(moves[random.below(moves.len())]).unwrap();
    }
    record
}

/// Lines that nobody would play have every kind of capture and promotion.
#[test]
fn what_is_said_of_any_line_is_true() {
    for &game in GameId::shipped() {
        with_game!(game, game => {
            let handmade = Handmade::of(game);
            let mut random = SplitMix64::new(3);
            for _ in 0..12 {
                let plies = random.below(120);
                let record = wander(&Record::new(Position::start_of(game)), plies, &mut random);
                if record.outcome().is_some() {
                    continue;
                }
                let mut lines = Vec::new();
                for mv in record.position().legal_moves().into_iter().take(4) {
                    let mut next = record.clone();
                    next.play(mv).unwrap();
                    let end = wander(&next, random.below(12), &mut random);
                    let score = Score::Cp(random.below(400) as i32 - 200);
                    lines.push(Line {
                        moves: end.moves()[record.moves().len()..].to_vec(),
                        score,
                        bound: None,
                    });
                }
                let question = Question {
                    best: lines[0].clone(),
                    other: lines.get(1).cloned(),
                    alone: true,
                    proven: false,
                    next: lines.get(1).cloned(),
                    passed: None,
                    unanswered: None,
                    searchmoves: Vec::new(),
                };
                if question.other.is_some() {
                    check(&handmade, &record, &explain(&handmade, &record, &question));
                }
            }
        });
    }
}

/// What searches find in games by chance.
#[test]
fn what_is_said_of_searched_moves_is_true() {
    let (mut threats, mut compared) = (0, 0);
    for game in [GameId::Glinski, GameId::Hexachess, GameId::Chromatic3] {
        let settings = Settings {
            game,
            nodes: Some(600),
            explain: true,
            hash_megabytes: 1,
            ..Settings::default()
        };
        let mut worker = Worker::new(settings).unwrap();
        with_game!(game, game => {
            let handmade = Handmade::of(game);
            let mut random = SplitMix64::new(11);
            for _ in 0..8 {
                let plies = 4 + random.below(40);
                let record = wander(&Record::new(Position::start_of(game)), plies, &mut random);
                if record.outcome().is_some() {
                    continue;
                }
                let texts = |moves: &[hexmate_movegen::Move]| -> Vec<String> {
                    moves.iter().map(|mv| mv.text(game)).collect()
                };
                let legal = texts(&record.position().legal_moves());
                let played = &legal[random.below(legal.len())];
                let object = json!({"moves": texts(record.moves()), "played": played});
                let line = Text { number: 1, text: Ok(object.to_string()) };
                let answer = worker.answer(&line);
                let Answer::Analysis(analysis) = &answer else { panic!("{}", answer.json()) };
                let explanation = analysis.found.explanation.as_ref().expect("it was wanted");
                check(&handmade, &record, explanation);
                assert_eq!(Some(&explanation.best.first), analysis.found.bestmove.as_ref());
                if let Some(other) = &explanation.other
                    && *played != explanation.best.first
                {
                    assert_eq!(other.first, *played);
                }
                threats += usize::from(explanation.threat.is_some());
                compared += usize::from(!explanation.terms.is_empty());
                // It depends on nothing that was searched before.
                let Answer::Analysis(again) = worker.answer(&line) else { panic!("it was one") };
                assert_eq!(again.found.explanation, analysis.found.explanation);
            }
        });
    }
    assert!(threats > 0 && compared > 0);
}

/// Where only the other move mates, or only the best one is mated, they are not about equal.
#[test]
fn mates_in_favour_of_the_other_move() {
    let start = Position::<Glinski>::start();
    let handmade = Handmade::of(start.game());
    let line = |text: &str, score| Line {
        moves: vec![start.parse_move(text).unwrap()],
        score,
        bound: None,
    };
    for (best, other) in [
        (Score::Cp(10), Score::Mate(3)),
        (Score::Mate(-3), Score::Cp(10)),
        (Score::Mate(-3), Score::Mate(3)),
    ] {
        let question = Question {
            best: line("h1i3", best),
            other: Some(line("e4e5", other)),
            alone: true,
            proven: false,
            next: None,
            passed: None,
            unanswered: None,
            searchmoves: Vec::new(),
        };
        let words = explain(&handmade, &Record::new(start), &question).words;
        assert!(
            words.starts_with("Searched by itself, e5 comes out better than Ni3: "),
            "{words}"
        );
    }
}

/// A stalemate is worth more than its score promises elsewhere: beside it a level position is a blunder.
#[test]
fn a_stalemate_as_the_only_good_move() {
    let before: Position<Glinski> = "1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1".parse().unwrap();
    let handmade = Handmade::of(before.game());
    let line = |text: &str, cp| Line {
        moves: vec![before.parse_move(text).unwrap()],
        score: Score::Cp(cp),
        bound: None,
    };
    let question = Question {
        best: line("c4b4", 191),
        other: None,
        alone: true,
        proven: false,
        next: Some(line("c4c3", 0)),
        passed: None,
        unanswered: None,
        searchmoves: Vec::new(),
    };
    let next = explain(&handmade, &Record::new(before), &question).next;
    assert_eq!(next.unwrap().first, "c4c3");
}

/// A search that a limit has cut short may win less than its line does.
#[test]
fn a_threat_that_is_cut_short_is_told_as_far_as_it_is_known() {
    let before: Position<Glinski> = "1/3/5/4k2/9/11/1r9/11/11/1Q9/4K6 w - - 0 1"
        .parse()
        .unwrap();
    let handmade = Handmade::of(before.game());
    let line = |at: &Position<Glinski>, text: &str, cp, bound| Line {
        moves: vec![at.parse_move(text).unwrap()],
        score: Score::Cp(cp),
        bound,
    };
    let passed = before.null_move().unwrap();
    for (bound, is_told) in [
        (None, true),
        (Some(Bound::Lower), true),
        (Some(Bound::Upper), false),
    ] {
        let question = Question {
            best: line(&before, "b2b5", 1900, None),
            other: None,
            alone: true,
            proven: false,
            next: None,
            passed: Some(line(&passed, "b5b2", 1400, bound)),
            unanswered: None,
            searchmoves: Vec::new(),
        };
        let threat = explain(&handmade, &Record::new(before), &question).threat;
        assert_eq!(threat.is_some(), is_told, "{bound:?}");
        // From the side to move, as its score is.
        let flipped = bound.map(|_| Bound::Upper);
        assert!(
            threat.is_none_or(|threat| threat.bound == flipped),
            "{bound:?}"
        );
    }
}
