//! What the evaluation and the endgame tables say of a position.

use axum::http::StatusCode;
use hexmate_engine::Evaluator;
use hexmate_movegen::{Game, Position, Side, san, with_position};
use hexmate_tablebases::{Tablebases, Value as TableValue};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::shared::Shared;

/// `/api/explain`.
pub fn evaluation(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let record = place::record(&mut fields, shared)?;
    fields.end()?;
    Ok(with_position!(&record.position(), position => terms(position)))
}

fn terms<G: Game>(position: &Position<G>) -> Value {
    let evaluator = Evaluator::of(position.game());
    let evaluation = evaluator.handmade();
    let terms = evaluation.explain(position).into_iter().map(|(name, white, black)| {
        json!({"name": name, "white": white, "black": black, "sum": white - black})
    });
    let score = evaluation.evaluate(position);
    json!({
        "score": match position.side_to_move() {
            Side::White => score,
            Side::Black => -score,
        },
        "check": position.in_check(),
        "terms": terms.collect::<Vec<_>>(),
    })
}

/// `/api/tables`.
pub fn tables(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let record = place::record(&mut fields, shared)?;
    fields.end()?;
    let tables = shared.tables.get(&record.game()).ok_or_else(|| {
        let message = format!(
            "there are no endgame tables of {}; hexmate board --tb names their folder",
            record.game().name()
        );
        ApiError::new(StatusCode::NOT_FOUND, "tables", message)
    })?;
    let verdicts = with_position!(&record.position(), position => verdicts(tables, position));
    shared.tell_damage(record.game());
    Ok(verdicts)
}

fn verdicts<G: Game>(tables: &Tablebases, position: &Position<G>) -> Value {
    let most_men = tables.most_men();
    let (Some(value), Some(moves)) = (tables.probe(position), tables.moves(position)) else {
        return json!({"covered": false, "most_men": most_men});
    };
    let any = (*position).into();
    let moves = moves.into_iter().map(|(mv, value)| {
        let mut object = verdict(value);
        object["move"] = json!(mv.text(position.game()));
        object["san"] = json!(san(&any, mv));
        object
    });
    json!({
        "covered": true,
        "most_men": most_men,
        "verdict": verdict(value),
        "moves": moves.collect::<Vec<_>>(),
    })
}

fn verdict(value: TableValue) -> Value {
    let name = value.category.name();
    let words = match value {
        TableValue::DRAW => name.to_owned(),
        TableValue { plies: 1, .. } => format!("{name} in 1 ply"),
        TableValue { plies, .. } => format!("{name} in {plies} plies"),
    };
    json!({"category": name, "plies": value.plies, "words": words})
}
