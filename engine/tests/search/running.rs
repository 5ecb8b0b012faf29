//! Searches on a thread of their own: how they are stopped, hold back what they found, and fail.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use hexmate_engine::{
    Budget, Engine, Event, Hold, Limits, Report, RunningSearch, Sampling, Table, run_search,
};
use hexmate_movegen::{BuiltIn, Chromatic3, Glinski, Position, Record, for_each_game};

fn start<G: BuiltIn>(limits: Limits<'_>, hold: Hold) -> (RunningSearch<G>, Receiver<Event>) {
    let record = Record::new(Position::start());
    let table = Table::new(1).unwrap();
    RunningSearch::start(Engine::default(), table, &record, limits, hold).unwrap()
}

/// Whether an event is the last one; none may come after it.
fn finished(event: &Event) -> bool {
    matches!(event, Event::Finished(_))
}

const DEPTH_5: Limits<'_> = Limits {
    soft_nodes: None,
    depth: Some(5),
    nodes: None,
    mate: None,
    begin: None,
    time: None,
    stop: None,
    ponder: None,
    counted: None,
    searchmoves: &[],
    multipv: 1,
};

#[test]
fn it_finds_what_a_search_on_the_callers_thread_finds() {
    for_each_game!(G => {
        let record = Record::<G>::new(Position::start());
        let table = Table::new(1).unwrap();
        let mut reports = Vec::new();
        let here = run_search(&mut Engine::default(), &table, &record, DEPTH_5, |report| {
            reports.push(report.clone());
        });
        let here = here.unwrap();
        assert_eq!(reports.last(), Some(&here.report));
        let (search, events) = start::<G>(DEPTH_5, Hold::default());
        let mut events: Vec<Event> = events.iter().collect();
        let (_, table) = search.join().unwrap();
        assert!(table.probe(record.position().key()).is_some());
        let Some(Event::Finished(Ok(end))) = events.pop() else {
            panic!("{events:?}");
        };
        assert_eq!(end.report, here.report, "{}", G::ID);
        let told: Vec<Report> = (events.into_iter())
            .map(|event| match event {
                Event::Progress { found, .. } => found.report,
                Event::Finished(_) => panic!("the last event came twice"),
            })
            .collect();
        assert_eq!(told, reports, "{}", G::ID);
    });
}

#[test]
fn its_engine_and_table_can_search_again() {
    // Deep enough that what is known saves more than half. A shallow search may need more.
    let limits = Limits {
        depth: Some(9),
        ..DEPTH_5
    };
    let (search, events) = start::<Glinski>(limits, Hold::default());
    let first = events.iter().last();
    let (engine, table) = search.join().unwrap();
    let record = Record::new(Position::start());
    let (search, events) =
        RunningSearch::start(engine, table, &record, limits, Hold::default()).unwrap();
    let second = events.iter().last();
    let nodes = |end: Option<Event>| match end {
        Some(Event::Finished(Ok(found))) => found.report.nodes,
        other => panic!("{other:?}"),
    };
    // What the first learnt the second knows.
    assert!(nodes(second) < nodes(first));
    assert!(search.join().is_some());
}

#[test]
fn it_can_be_stopped() {
    let (search, events) = start::<Chromatic3>(Limits::default(), Hold::default());
    let first = events.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(!finished(&first) && !search.is_finished());
    search.stop();
    let last = events.iter().last().unwrap();
    let Event::Finished(Ok(found)) = last else {
        panic!("{last:?}");
    };
    assert!(found.report.best_move().is_some());
    assert!(search.join().is_some());
}

#[test]
fn it_counts_while_no_event_comes() {
    let (search, events) = start::<Chromatic3>(Limits::default(), Hold::default());
    let mut seen = 0;
    for _ in 0..60_000 {
        seen = search.nodes();
        if seen > 20_000 {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    assert!(seen > 20_000, "{seen} in a minute");
    search.stop();
    let Some(Event::Finished(Ok(found))) = events.iter().last() else {
        panic!("no end");
    };
    // The count comes a little late, never early.
    let (told, all) = (search.nodes(), found.report.nodes);
    assert!(seen <= told && told <= all, "{seen} {told} {all}");
    assert!(search.join().is_some());
}

/// A search that has come to its end holds its result back until it is told to give it.
#[test]
fn results_are_held_back() {
    let until_stop = Hold {
        until_stop: true,
        ..Hold::default()
    };
    let until_ponder_hit = Hold {
        until_ponder_hit: true,
        ..Hold::default()
    };
    for hold in [until_stop, until_ponder_hit] {
        let (search, events) = start::<Glinski>(DEPTH_5, hold);
        let mut depth = 0;
        while depth < 5 {
            match events.recv_timeout(Duration::from_secs(60)).unwrap() {
                Event::Progress { found, .. } => depth = found.report.depth,
                Event::Finished(end) => panic!("{end:?}"),
            }
        }
        let waited = events.recv_timeout(Duration::from_millis(100));
        assert!(waited.is_err() && !search.is_finished(), "{waited:?}");
        assert_eq!(search.ponder_hit(), hold.until_ponder_hit);
        assert!(!search.ponder_hit(), "it knows");
        if hold.until_stop {
            let waited = events.recv_timeout(Duration::from_millis(100));
            assert!(waited.is_err() && !search.is_finished(), "{waited:?}");
            search.stop();
        }
        assert!(finished(&events.iter().last().unwrap()));
        assert!(search.join().is_some());
    }
}

/// The clock has started before the search, and it does not end one that ponders.
#[test]
fn the_clock_starts_when_it_is_told() {
    let hour = Duration::from_secs(3600);
    let limits = Limits {
        begin: Instant::now().checked_sub(hour),
        time: Some(Budget::fixed(hour, Duration::ZERO)),
        ..Limits::default()
    };
    let Some(begin) = limits.begin else {
        return; // The machine was started less than an hour ago.
    };
    let (search, events) = start::<Glinski>(limits, Hold::default());
    let last = events.iter().last().unwrap();
    let Event::Finished(Ok(found)) = last else {
        panic!("{last:?}");
    };
    assert!(found.time >= hour && found.time <= begin.elapsed());
    assert_eq!(found.report.depth, 1);
    assert!(search.join().is_some());

    let pondering = Hold {
        until_ponder_hit: true,
        ..Hold::default()
    };
    let (search, events) = start::<Glinski>(limits, pondering);
    let mut hit = false;
    for event in &events {
        match event {
            // The end may tell more of the same depth.
            Event::Progress { found, .. } if found.report.depth >= 4 && !hit => {
                hit = search.ponder_hit();
                assert!(hit, "it ponders until it is told");
            }
            Event::Progress { .. } => {}
            Event::Finished(end) => assert!(end.unwrap().report.depth >= 4),
        }
    }
    assert!(search.join().is_some());
}

#[test]
fn a_search_that_nobody_listens_to_ends() {
    let (search, events) = start::<Glinski>(Limits::default(), Hold::default());
    drop(events);
    assert!(search.join().is_some());
    let (search, events) = start::<Glinski>(Limits::default(), Hold::default());
    drop(search);
    assert!(finished(&events.iter().last().unwrap()));
}

/// Once it is joined nobody could end what holds its result back: it would be waited for for ever.
#[test]
fn nothing_holds_back_a_search_that_is_joined() {
    for until_stop in [true, false] {
        let hold = Hold {
            until_stop,
            until_ponder_hit: !until_stop,
        };
        for heard in [true, false] {
            let (search, events) = start::<Glinski>(DEPTH_5, hold);
            let depth_5 = |event: &Event| matches!(event, Event::Progress { found, .. } if found.report.depth == 5);
            assert!(events.iter().any(|event| depth_5(&event)));
            // The search has come to its end, or nearly.
            thread::sleep(Duration::from_millis(20));
            let events = heard.then_some(events);
            let (joined, end) = channel();
            thread::spawn(move || joined.send(search.join().is_some()));
            let joined = end.recv_timeout(Duration::from_secs(60));
            assert_eq!(joined, Ok(true), "{hold:?}, heard: {heard}");
            let last = events.and_then(|events| events.iter().last());
            assert_eq!(last.is_some_and(|event| finished(&event)), heard);
        }
    }
}

/// A fault of the search costs neither the answer nor the engine.
#[test]
fn faults_are_told_and_outlived() {
    let record = Record::new(Position::<Glinski>::start());
    let searchmoves = [record.position().legal_moves()[7]];
    let limits = Limits {
        searchmoves: &searchmoves,
        ..DEPTH_5
    };
    let at = |depth| {
        move |report: &Report| assert!(report.depth < depth, "depth {} is bad", report.depth)
    };
    for (depth, known) in [(1, 0), (4, 3)] {
        let (search, events) = RunningSearch::start_watched(
            Engine::default(),
            Table::new(1).unwrap(),
            &record,
            limits,
            Hold::default(),
            at(depth),
        )
        .unwrap();
        let last = events.iter().last().unwrap();
        let Event::Finished(Err(fault)) = last else {
            panic!("{last:?}");
        };
        assert_eq!(fault.message, format!("depth {depth} is bad"));
        assert_eq!(fault.before.report.depth, known);
        assert_eq!(fault.before.report.best_move(), Some(searchmoves[0]));
        let (mut engine, table) = search.join().unwrap();
        let again = run_search(&mut engine, &table, &record, limits, |_| {}).unwrap();
        assert_eq!(again.report.depth, 5);
    }
}

/// What was to be sampled still is after a fault, and nothing of what was sampled before is lost.
#[test]
fn a_fault_does_not_end_the_sampling() {
    let record = Record::new(Position::<Glinski>::start());
    let mut engine = Engine::default();
    let sampling = Sampling { one_in: 1, seed: 1 };
    engine.set_sampling(Some(sampling));
    let mut sampled = |bad: bool| {
        let table = Table::new(1).unwrap();
        let found = run_search(&mut engine, &table, &record, DEPTH_5, |report| {
            assert!(!bad || report.depth < 5, "depth 5 is bad");
        });
        assert_eq!(found.is_err(), bad);
        engine.take_evaluated().len()
    };
    let before = sampled(true);
    assert!(before > 100, "{before}");
    let after = sampled(false);
    assert!(after > 100, "{after}");
}
