//! Judging the moves of a game by answers to its positions.

use std::collections::{BTreeMap, HashMap};

use hexmate::analyse::Answer;
use hexmate::explain::Explanation;
use hexmate::review::{About, Review};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::rules::game;

fn answer(text: &str) -> PyResult<Answer> {
    Answer::of_json(text).map_err(|e| PyValueError::new_err(format!("answers: {e}")))
}

/// The review of a game as JSON text: `answers` are those to all of its positions, `alone` those to searches of single
/// moves by their places, `tags` those of PGN, and `explanations` what separates the best moves from those at the places.
#[pyfunction]
// Python's values come as values.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn judge(
    id: &str,
    rules: &Bound<'_, PyAny>,
    played: Vec<String>,
    answers: Vec<String>,
    alone: Vec<(usize, String)>,
    tags: HashMap<String, String>,
    explanations: Vec<(usize, String)>,
) -> PyResult<String> {
    let answers = answers.iter().map(|text| answer(text));
    let answers = answers.collect::<PyResult<Vec<Answer>>>()?;
    let mut others = BTreeMap::new();
    for (place, text) in &alone {
        others.insert(*place, answer(text)?);
    }
    let played: Vec<&str> = played.iter().map(String::as_str).collect();
    let tag = |name: &str| tags.get(name).cloned();
    let about = About {
        players: [tag("White"), tag("Black")],
        event: tag("Event"),
        date: tag("Date"),
        round: tag("Round"),
        result: tag("Result"),
        ..About::default()
    };
    let game = game(rules)?;
    let review = Review::of(&id.into(), game, about, &played, &answers, &others);
    let mut review = review.map_err(PyValueError::new_err)?;
    for (place, text) in &explanations {
        let explanation: Explanation = serde_json::from_str(text)
            .map_err(|e| PyValueError::new_err(format!("explanations: {e}")))?;
        if let Some(judged) = review.moves.get_mut(*place) {
            judged.explain(Some(explanation), game);
        }
    }
    Ok(serde_json::to_string(&review).expect("texts and numbers are JSON"))
}
