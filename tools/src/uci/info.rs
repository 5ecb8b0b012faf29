//! What is said of a search while it runs.

use std::time::Duration;

use hexmate_engine::{Bound, Line, Report, Shown};
use hexmate_movegen::{Game, Move, Position};

use crate::chances::wdl;

/// The `info` lines of a report, best move first.
/// `position` is what was searched, if the chances behind each score are wanted.
pub fn lines<G: Game>(
    game: G,
    report: &Report,
    time: Duration,
    hashfull: u32,
    position: Option<&Position<G>>,
) -> String {
    let nps = (report.nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let end = format!(
        "nodes {} nps {nps} hashfull {hashfull} time {}",
        report.nodes,
        time.as_millis()
    );
    let end = match report.tbhits {
        0 => end,
        hits => format!("{end} tbhits {hits}"),
    };
    let lines: Vec<String> = report
        .lines
        .iter()
        .enumerate()
        .map(|(i, line)| {
            let Line {
                depth, seldepth, ..
            } = line;
            let number = i + 1;
            let score = score(line, position);
            let mut text =
                format!("info depth {depth} seldepth {seldepth} multipv {number} {score} {end}");
            if !line.pv.is_empty() {
                text.push_str(" pv");
            }
            for mv in &line.pv {
                text.push(' ');
                text.push_str(&mv.text(game));
            }
            text
        })
        .collect();
    lines.join("\n")
}

fn score<G: Game>(line: &Line, position: Option<&Position<G>>) -> String {
    let mut text = match Shown::from(line.score) {
        Shown::Centipawns(cp) => format!("score cp {cp}"),
        Shown::Mate(moves) => format!("score mate {moves}"),
    };
    text.push_str(match line.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact | Bound::None => "",
    });
    if let Some(position) = position {
        let [win, draw, loss] = wdl(line.score, position, &line.pv);
        text += &format!(" wdl {win} {draw} {loss}");
    }
    text
}

/// The answer to a `go` that cannot be obeyed: who waits for an answer must not wait for ever.
pub const NO_MOVE: &str = "bestmove 0000";

/// The line that ends a search.
pub fn best_move<G: Game>(game: G, report: &Report) -> String {
    let text = |mv: &Move| mv.text(game);
    match report.pv() {
        [] => NO_MOVE.to_owned(),
        [best] => format!("bestmove {}", text(best)),
        [best, answer, ..] => format!("bestmove {} ponder {}", text(best), text(answer)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_engine::MATE;
    use hexmate_movegen::{Glinski, Position};

    #[test]
    fn a_line_for_each_move() {
        let start = Position::<Glinski>::start();
        let mv = |text| start.parse_move(text).unwrap();
        let line = |score, bound, pv: &[Move]| Line {
            score,
            bound,
            depth: 3,
            seldepth: 5,
            pv: pv.to_vec(),
        };
        let mut report = Report {
            depth: 3,
            seldepth: 5,
            nodes: 2_000,
            tbhits: 0,
            no_mate_in: None,
            lines: vec![
                line(0, Bound::Lower, &[mv("e4e5"), mv("d3d5")]),
                line(7 - MATE, Bound::Exact, &[mv("d3d5")]),
            ],
        };
        let told = lines(Glinski, &report, Duration::from_millis(500), 7, None);
        let expected = "\
info depth 3 seldepth 5 multipv 1 score cp 0 lowerbound nodes 2000 nps 4000 hashfull 7 time 500 pv e4e5 d3d5
info depth 3 seldepth 5 multipv 2 score mate -3 nodes 2000 nps 4000 hashfull 7 time 500 pv d3d5";
        assert_eq!(told, expected);
        report.tbhits = 3;
        let told_hits = lines(Glinski, &report, Duration::from_millis(500), 7, None);
        assert!(told_hits.contains(" time 500 tbhits 3 pv e4e5 d3d5\n"));
        report.tbhits = 0;
        let told = lines(Glinski, &report, Duration::ZERO, 7, Some(&start));
        let [win, draw, loss] = wdl(0, &start, &[]);
        assert_eq!(win, loss);
        assert!(told.contains(&format!(
            " score cp 0 lowerbound wdl {win} {draw} {loss} nodes "
        )));
        assert!(told.contains(" score mate -3 wdl 0 0 1000 nodes "));
        assert_eq!(best_move(Glinski, &report), "bestmove e4e5 ponder d3d5");
        report.lines.remove(0);
        assert_eq!(best_move(Glinski, &report), "bestmove d3d5");
        report.lines[0].pv.clear();
        assert_eq!(best_move(Glinski, &report), "bestmove 0000");
        let told = lines(Glinski, &report, Duration::ZERO, 0, None);
        assert!(told.ends_with(" time 0"));
    }

    #[test]
    fn a_stalemate_is_neither_a_win_nor_a_draw() {
        let fen = "1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1";
        let before: Position<Glinski> = fen.parse().unwrap();
        let line = Line {
            score: 191,
            bound: Bound::Exact,
            depth: 1,
            seldepth: 1,
            pv: vec![before.parse_move("c4b4").unwrap()],
        };
        assert_eq!(score(&line, Some(&before)), "score cp 191 wdl 500 500 0");
    }
}
