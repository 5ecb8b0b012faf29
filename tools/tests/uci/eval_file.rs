//! Weights of the evaluation by file: the option `EvalFile`.

use std::fs;

use hexmate_engine::{Weights, WeightsFile};
use hexmate_movegen::Glinski;

use crate::driver::{Uci, last_info, number};

/// Up a knight in an end game, so that weights tell.
const KNIGHT_UP: &str = "1/1k1/5/2p4/9/4p6/4P6/2P8/4N6/5K5/11 w - - 0 1";

fn score(uci: &mut Uci) -> i64 {
    uci.send("ucinewgame");
    uci.send(&format!("position fen {KNIGHT_UP}"));
    number(last_info(&uci.go("nodes 500")), "cp")
}

#[test]
fn the_search_and_eval_go_by_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        format!("setoption name EvalFile value {}", path.display())
    };
    let weights = Weights::<Glinski>::default();
    let doubled: Vec<_> = (weights.values().iter())
        .map(|v| v.map(|v| v * 2))
        .collect();
    let text = weights.with_values(doubled).to_text("for a test");
    let header = WeightsFile::HEADER;
    let double = file("double weights.txt", &format!("{header}\n{text}"));
    let newer = file("newer", &format!("hexmate-weights 9\n{text}"));
    let none = "setoption name EvalFile value <empty>";

    let mut uci = Uci::new();
    let plain = score(&mut uci);
    let explained = uci.ask("eval");
    assert_eq!(uci.ask(&double), [""; 0]);
    let twice = score(&mut uci);
    assert!(twice > plain * 3 / 2, "{plain} {twice}");
    assert_ne!(uci.ask("eval"), explained);
    // A file that cannot be used changes nothing.
    for (bad, parts) in [
        (newer.as_str(), ["version 9", "kept as it was"]),
        (
            "setoption name EvalFile value /no/such",
            ["/no/such", "kept as it was"],
        ),
    ] {
        let told = uci.answer(bad);
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
        assert_eq!(score(&mut uci), twice);
    }
    assert_eq!(uci.ask(none), [""; 0]);
    assert_eq!(score(&mut uci), plain);
    assert_eq!(uci.ask("eval"), explained);

    // Nothing is believed that was found by other weights.
    let searched = |uci: &mut Uci| {
        uci.send(&format!("position fen {KNIGHT_UP}"));
        let lines = uci.go("depth 5");
        let line = last_info(&lines);
        (number(line, "nodes"), number(line, "cp"))
    };
    let [mut new, mut other] = [Uci::new(), Uci::new()];
    searched(&mut other);
    let found = [&mut new, &mut other].map(|uci| {
        uci.ask(&double);
        searched(uci)
    });
    assert_eq!(found[0], found[1]);

    // For a game that the file has nothing of, it is refused; it serves again for its own.
    assert_eq!(uci.ask(&double), [""; 0]);
    let told = uci.ask("setoption name UCI_Variant value hexachess");
    let refused =
        "weights of glinski; expected a section [hexachess]; the weights of the program are used";
    assert!(told.iter().any(|line| line.contains(refused)), "{told:?}");
    uci.go("depth 2");
    let told = uci.ask("setoption name UCI_Variant value glinski");
    assert!(
        told.iter().all(|line| !line.contains("EvalFile")),
        "{told:?}"
    );
    assert_eq!(score(&mut uci), twice);
}
