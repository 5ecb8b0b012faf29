//! When games and matches end: `-sprt`, `-resign`, `-draw`, and what a stalemate forbids them.

use hexmate_engine::{Wdl, score_of_quarters};

use super::{DialectError, Group, number, refuse, truth};
use crate::matches::options::{DrawRule, Lost, Options, Resign};
use crate::matches::sprt::{MOST_ELO, Model, Sprt};

fn real(whose: &str, text: &str) -> Result<f64, DialectError> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => refuse(format!("{whose}: '{text}': expected a number")),
    }
}

fn elo(whose: &str, text: &str) -> Result<f64, DialectError> {
    match real(whose, text)? {
        elo if elo.abs() <= MOST_ELO => Ok(elo),
        _ => refuse(format!(
            "{whose}: '{text}': expected a number from -{MOST_ELO} to {MOST_ELO}"
        )),
    }
}

pub(super) fn sprt(group: &Group) -> Result<Sprt, DialectError> {
    let (mut elo0, mut elo1) = (None, None);
    let mut sprt = Sprt {
        elo0: 0.0,
        elo1: 0.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Normalised,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-sprt {key}");
        match key {
            "elo0" => elo0 = Some(elo(&whose, value)?),
            "elo1" => elo1 = Some(elo(&whose, value)?),
            "alpha" => sprt.alpha = real(&whose, value)?,
            "beta" => sprt.beta = real(&whose, value)?,
            "model" => {
                sprt.model = match value {
                    "normalized" | "normalised" => Model::Normalised,
                    "logistic" => Model::Logistic,
                    _ => {
                        return refuse(format!(
                            "{whose}: '{value}': expected normalized or logistic"
                        ));
                    }
                };
            }
            _ => return group.unknown(key, "elo0 elo1 alpha beta model"),
        }
    }
    let required = |key, elo: Option<f64>| match elo {
        Some(elo) => Ok(elo),
        None => refuse(format!("-sprt: {key}= is missing; expected elo0=A elo1=B")),
    };
    sprt.elo0 = required("elo0", elo0)?;
    sprt.elo1 = required("elo1", elo1)?;
    let chance = |p: f64| p > 0.0 && p < 1.0;
    if sprt.elo0 >= sprt.elo1 {
        return refuse(format!(
            "-sprt: elo0={} and elo1={}: expected elo0 below elo1",
            sprt.elo0, sprt.elo1
        ));
    }
    if !chance(sprt.alpha) || !chance(sprt.beta) || sprt.alpha + sprt.beta >= 1.0 {
        return refuse(format!(
            "-sprt: alpha={} and beta={}: expected chances between 0 and 1 with a sum below 1",
            sprt.alpha, sprt.beta
        ));
    }
    Ok(sprt)
}

pub(super) fn resign(group: &Group) -> Result<Resign, DialectError> {
    let mut resign = Resign {
        movecount: 1,
        lost: Lost::Score(0),
        twosided: false,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-resign {key}");
        match key {
            "movecount" => resign.movecount = number(&whose, value, 1..=u32::MAX)?,
            "score" | "chance" if resign.lost != Lost::Score(0) => {
                return refuse("-resign: expected score=CENTIPAWNS or chance=PERCENT, not both");
            }
            "score" => resign.lost = Lost::Score(number(&whose, value, 1..=i32::MAX)?),
            "chance" => resign.lost = Lost::Chance(number(&whose, value, 51..=99)?),
            "twosided" => resign.twosided = truth(&whose, value)?,
            _ => return group.unknown(key, "movecount score chance twosided"),
        }
    }
    match resign.lost {
        Lost::Score(0) => refuse("-resign: expected score=CENTIPAWNS or chance=PERCENT"),
        _ => Ok(resign),
    }
}

pub(super) fn draw(group: &Group) -> Result<DrawRule, DialectError> {
    let mut draw = DrawRule {
        movenumber: 0,
        movecount: 1,
        score: 0,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-draw {key}");
        match key {
            "movenumber" => draw.movenumber = number(&whose, value, 0..=u32::MAX)?,
            "movecount" => draw.movecount = number(&whose, value, 1..=u32::MAX)?,
            "score" => draw.score = number(&whose, value, 0..=i32::MAX)?,
            _ => return group.unknown(key, "movenumber movecount score"),
        }
    }
    Ok(draw)
}

/// A stalemate may be worth 3/4 of the point: adjudication must treat it neither as a win nor as a draw.
pub(super) fn check_scores(options: &Options) -> Result<(), DialectError> {
    let spec = options.variant.spec();
    if spec.stalemate_quarters == 2 {
        return Ok(());
    }
    let stalemate = score_of_quarters(4 - spec.stalemate_quarters).abs();
    match options.resign.map(|resign| resign.lost) {
        Some(Lost::Score(score)) if score <= stalemate => {
            return refuse(format!(
                "-resign: score={score}: in {} a stalemate is worth {stalemate} centipawns and no win; expected more",
                spec.name
            ));
        }
        Some(Lost::Chance(percent)) => {
            let model = Wdl::of_name(spec.name).unwrap_or(Wdl::UNMEASURED);
            let [few, all] = [0.0, 1.0].map(|men| model.chances(stalemate, men)[0] * 100.0);
            if f64::from(percent) <= few.max(all) {
                return refuse(format!(
                    "-resign: chance={percent}: in {} a stalemate is worth {stalemate} centipawns, which win {:.0} \
                     per cent of other games, and no win; expected more",
                    spec.name,
                    few.max(all)
                ));
            }
        }
        _ => {}
    }
    if let Some(draw) = options.draw.filter(|d| d.score >= stalemate) {
        return refuse(format!(
            "-draw: score={}: in {} a stalemate is worth {stalemate} centipawns and no draw; expected less",
            draw.score, spec.name
        ));
    }
    Ok(())
}
