//! With endgame tables the engine wins in time what is won and holds what is drawn.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hexmate_engine::{Engine, Limits, MATE, Report, Shown, Table, is_mate, score_of_quarters};
use hexmate_movegen::{
    Bits, BuiltIn, GameId, Glinski, Move, Outcome as End, PAWN, Position, Record, Unchecked,
    with_built_in,
};
use hexmate_tablebases::{Category, Folder, Material, Random, Rules, Tablebases, Value};

pub(super) struct Tables {
    rules: Arc<Rules>,
    folder: Folder,
    pub(super) all: Arc<Tablebases>,
}

impl Tables {
    pub(super) fn of<G: BuiltIn>(place: &Path) -> Tables {
        let rules = Arc::new(Rules::of(G::GAME));
        let (all, faults) = Tablebases::open(&rules, place).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        Tables {
            folder: Folder::new(Arc::clone(&rules), place),
            rules,
            all: Arc::new(all),
        }
    }

    pub(super) fn built<G: BuiltIn>(place: &Path, names: &[&str]) -> Tables {
        let mut tables = Tables::of::<G>(place);
        let wanted = names
            .iter()
            .map(|n| Material::parse(&tables.rules, n).unwrap());
        let wanted: Vec<Material> = wanted.collect();
        for plan in tables.folder.plan(&wanted) {
            let stop = AtomicBool::new(false);
            tables.folder.build(&plan, None, &stop, &|_| {}).unwrap();
        }
        Tables::of::<G>(place)
    }

    /// A random position of a random table of so many men.
    pub(super) fn random<G: BuiltIn>(
        &mut self,
        men: usize,
        random: &mut Random,
    ) -> (Position<G>, Value) {
        let mut all = self.folder.list().unwrap();
        all.retain(|m| m.men() == men);
        loop {
            let table = self.folder.table(&all[random.below(all.len())]).unwrap();
            if let Some((position, value)) = table.random(G::GAME, &self.rules, random) {
                return (position, value);
            }
        }
    }

    pub(super) fn engine<G: BuiltIn>(&self) -> Engine<G> {
        let mut engine = Engine::<G>::default();
        engine.set_tables(Some(Arc::clone(&self.all)));
        engine
    }
}

pub(super) fn search<G: BuiltIn>(
    engine: &mut Engine<G>,
    memory: &Table,
    game: &Record<G>,
) -> Report {
    let limits = Limits {
        nodes: Some(2_000),
        ..Limits::default()
    };
    engine.analyse(memory, game, limits, |_| {})
}

/// Plays on with the engine for the side that wins or stalemates, against the longest defence; whether it
/// was in time. A game that the rule of no progress ends first is not.
fn converts<G: BuiltIn>(tables: &Tables, start: Position<G>, value: Value) -> bool {
    let mut engine = tables.engine::<G>();
    let memory = Table::new(1).unwrap();
    let mut game = Record::new(start);
    for ply in 0..=value.plies {
        if let Some(end) = game.outcome() {
            return match end {
                End::Checkmate { winner } => {
                    value.category == Category::Win && winner == start.side_to_move()
                }
                End::Stalemate { stalemated } => {
                    value.category == Category::GivesStalemate && stalemated != start.side_to_move()
                }
                _ => false,
            };
        }
        let mv = if ply % 2 == 0 {
            search(&mut engine, &memory, &game).best_move().unwrap()
        } else {
            tables.all.moves(game.position()).unwrap()[0].0
        };
        game.play(mv).unwrap();
    }
    false
}

/// Plays on with the engine for the side to move against moves that keep the draw; whether it stays one.
fn holds<G: BuiltIn>(tables: &Tables, start: Position<G>, random: &mut Random) -> bool {
    let mut engine = tables.engine::<G>();
    let memory = Table::new(1).unwrap();
    let mut game = Record::new(start);
    for ply in 0..60 {
        if game.outcome().is_some() {
            break;
        }
        let mv = if ply % 2 == 0 {
            search(&mut engine, &memory, &game).best_move().unwrap()
        } else {
            let mut moves = tables.all.moves(game.position()).unwrap();
            moves.retain(|(_, value)| value.category == Category::Draw);
            moves[random.below(moves.len())].0
        };
        game.play(mv).unwrap();
        if tables.all.probe(game.position()).unwrap().category != Category::Draw {
            return false;
        }
    }
    true
}

/// Plays out so many random positions of each sort.
fn play<G: BuiltIn>(tables: &mut Tables, men: usize, count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let (mut won, mut drawn, mut late) = (0, 0, 0);
    while won < count || drawn < count {
        let (position, value) = tables.random::<G>(men, &mut random);
        match value.category {
            Category::Win | Category::GivesStalemate if won < count => {
                won += 1;
                let converted = converts(tables, position, value);
                if value.plies > G::SPEC.no_progress_plies && !converted {
                    late += 1;
                    continue;
                }
                assert!(converted, "{position}: {value:?}");
            }
            Category::Draw if drawn < count && position.has_legal_move() => {
                drawn += 1;
                assert!(holds(tables, position, &mut random), "{position}");
            }
            _ => {}
        }
    }
    println!(
        "{}: {won} won, {drawn} drawn; the rule of no progress ended {late}",
        G::SPEC.name
    );
}

#[test]
fn three_men_are_converted_and_held() {
    let place = tempfile::TempDir::new().unwrap();
    let mut tables = Tables::built::<Glinski>(place.path(), &["KPK"]);
    play::<Glinski>(&mut tables, 3, 150, 1);
}

/// `hexmate tb build GAME --men 4 --tb DIR` makes the tables of a folder `HEXMATE_TB`.
#[test]
#[ignore = "needs HEXMATE_TB"]
fn four_men_are_converted_and_held() {
    let place = std::env::var("HEXMATE_TB").expect("HEXMATE_TB names a folder of tables");
    let place = Path::new(&place);
    let there = |game: &&GameId| place.join(game.to_string()).is_dir();
    let games: Vec<&GameId> = GameId::ALL.iter().filter(there).collect();
    assert!(!games.is_empty(), "no tables in {}", place.display());
    for game in games {
        with_built_in!(*game, G => play::<G>(&mut Tables::of::<G>(place), 4, 1_000, 1));
    }
}

fn scored<G: BuiltIn>(tables: &Tables, fen: &str, nodes: u64) -> Report {
    let game = Record::new(fen.parse::<Position<G>>().unwrap());
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let memory = Table::new(1).unwrap();
    tables.engine::<G>().analyse(&memory, &game, limits, |_| {})
}

#[test]
fn scores_are_exact_and_lines_lead_to_the_mate() {
    let place = tempfile::TempDir::new().unwrap();
    let mut tables = Tables::built::<Glinski>(place.path(), &["KRK", "KNK"]);
    let mut random = Random::new(4);
    let mut seen = [0; 3];
    let mut draws = 0;
    while seen.iter().any(|&n| n < 20) {
        let (position, value) = tables.random::<Glinski>(3, &mut random);
        // Most are drawn, and searched to the last node.
        let drawn = value.category == Category::Draw;
        draws += usize::from(drawn);
        if drawn && draws > 50 {
            continue;
        }
        let report = scored::<Glinski>(&tables, &position.to_string(), 5_000);
        if value.plies == 0 {
            continue;
        }
        match value.category {
            Category::Win => {
                assert_eq!(report.score(), MATE - i32::from(value.plies), "{position}");
                assert_eq!(report.pv().len(), usize::from(value.plies), "{position}");
                seen[0] += 1;
            }
            Category::Loss => assert_eq!(report.score(), i32::from(value.plies) - MATE),
            Category::GivesStalemate => {
                assert_eq!(report.score(), score_of_quarters(3), "{position}");
                seen[1] += 1;
            }
            Category::Stalemated => assert_eq!(report.score(), score_of_quarters(1), "{position}"),
            Category::Draw => assert_eq!(report.score(), 0, "{position}"),
        }
        seen[2] += usize::from(report.tbhits > 0);
        // One ply is enough, and no more is searched: but for draws, of which one may be better.
        assert!(drawn || report.nodes < 200, "{position}: {}", report.nodes);
    }
}

#[test]
fn a_win_that_comes_too_late_is_none() {
    let place = tempfile::TempDir::new().unwrap();
    let tables = Tables::built::<Glinski>(place.path(), &["KRK"]);
    let at = |clock| format!("1/3/2k2/7/9/11/11/4K6/11/11/R10 w - - {clock} 1");
    let position: Position<Glinski> = at(0).parse().unwrap();
    let value = tables.all.probe(&position).unwrap();
    assert_eq!(value.category, Category::Win);
    let last = 100 - value.plies;
    let mate = MATE - i32::from(value.plies);
    assert_eq!(scored::<Glinski>(&tables, &at(last), 5_000).score(), mate);
    let late = scored::<Glinski>(&tables, &at(last + 2), 5_000);
    assert!(!is_mate(late.score()), "{:?}", Shown::from(late.score()));
    // Even then it goes the shortest way.
    let best = tables.all.moves(&position).unwrap()[0].1;
    let mut after = position;
    after.play(late.best_move().unwrap()).unwrap();
    assert_eq!(tables.all.probe(&after).unwrap().before(), best);
}

/// The positions after all legal moves.
pub(super) fn successors<G: BuiltIn>(position: &Position<G>) -> impl Iterator<Item = Position<G>> {
    let after = |mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        next
    };
    position.legal_moves().into_iter().map(after)
}

/// Whether the side to move can force a capture in so many moves of its own.
fn captures_in<G: BuiltIn>(position: &Position<G>, moves: u32) -> bool {
    let men = position.occupied().count();
    successors(position).any(|next| {
        next.occupied().count() < men
            || (moves > 1
                && next.has_legal_move()
                && successors(&next).all(|reply| captures_in(&reply, moves - 1)))
    })
}

#[test]
fn the_search_chooses_among_moves_that_draw() {
    let place = tempfile::TempDir::new().unwrap();
    let mut tables = Tables::built::<Glinski>(place.path(), &["KPK"]);
    let mut random = Random::new(9);
    let (mut seen, mut best_keeps, mut first_keeps) = (0, 0, 0);
    while seen < 40 {
        let (position, value) = tables.random::<Glinski>(3, &mut random);
        let own_pawn = position.pieces(PAWN, position.side_to_move()).any();
        if value.category != Category::Draw || !own_pawn {
            continue;
        }
        // Some moves that draw keep the pawn for a while, others do not.
        let after = |mv| {
            let mut next = position;
            next.play(mv).unwrap();
            next
        };
        let moves = tables.all.moves(&position).unwrap();
        let drawn = moves.iter().filter(|m| m.1.category == Category::Draw);
        let drawn: Vec<Move> = drawn.map(|m| m.0).collect();
        let keeps = |mv| !captures_in(&after(mv), 3);
        let kept = drawn.iter().filter(|&&mv| keeps(mv)).count();
        if kept == 0 || kept == drawn.len() {
            continue;
        }
        seen += 1;
        first_keeps += usize::from(keeps(drawn[0]));
        let game = Record::new(position);
        for multipv in [1, 2] {
            let limits = Limits {
                nodes: Some(2_000),
                multipv,
                ..Limits::default()
            };
            let memory = Table::new(1).unwrap();
            let mut engine = tables.engine::<Glinski>();
            let report = engine.analyse(&memory, &game, limits, |report| {
                assert_eq!(report.score(), 0, "{position}");
            });
            assert!(report.lines.iter().all(|l| l.score == 0), "{position}");
            assert!(report.tbhits > 0, "{position}");
            let best = report.best_move().unwrap();
            assert!(drawn.contains(&best), "{position}");
            best_keeps += usize::from(keeps(best));
        }
    }
    // Some pawns are lost a little later, whatever is played.
    println!("{best_keeps} of 80 keep the pawn, of the first moves {first_keeps} of 40");
    assert!(
        best_keeps >= 60,
        "{best_keeps} of 80, first {first_keeps} of 40"
    );
}

#[test]
fn without_a_table_the_search_is_the_same() {
    let place = tempfile::TempDir::new().unwrap();
    let tables = Tables::built::<Glinski>(place.path(), &["KRK"]);
    let start = Position::<Glinski>::start().to_string();
    let game = Record::new(Position::<Glinski>::start());
    let limits = Limits {
        depth: Some(5),
        ..Limits::default()
    };
    let memory = Table::new(1).unwrap();
    let plain = Engine::<Glinski>::default().analyse(&memory, &game, limits, |_| {});
    let memory = Table::new(1).unwrap();
    let asked = tables
        .engine::<Glinski>()
        .analyse(&memory, &game, limits, |_| {});
    assert_eq!(plain, asked, "{start}");
    assert_eq!(asked.tbhits, 0);
}
