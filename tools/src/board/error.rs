//! What is wrong with a request, as the page is told it.

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use hexmate_movegen::FenError;
use serde_json::{Value, json};

/// An error object and its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    field: Option<String>,
    offset: Option<usize>,
}

impl ApiError {
    /// An error with this status and word; docs/board.md lists both.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        ApiError {
            status,
            code,
            message: message.into(),
            field: None,
            offset: None,
        }
    }

    /// Something in the request cannot be used.
    pub fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// A field cannot be used.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::bad("field", message).of(field)
    }

    /// A position text cannot be used.
    pub fn fen(error: &FenError) -> Self {
        Self::bad("fen", error.to_string())
            .of("fen")
            .at(error.offset)
    }

    /// A fault of the program itself.
    pub fn fault(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", message)
    }

    /// The same, of a field.
    #[must_use]
    pub fn of(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same, at a place of the field.
    #[must_use]
    pub fn at(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    /// What is within the outer object.
    pub fn object(&self) -> Value {
        let mut object = json!({"code": self.code, "message": self.message});
        if let Some(field) = &self.field {
            object["field"] = json!(field);
        }
        if let Some(offset) = self.offset {
            object["offset"] = json!(offset);
        }
        object
    }

    /// The answer.
    pub fn response(&self) -> Response<Body> {
        let text = json!({"error": self.object()}).to_string();
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = self.status;
        let json = header::HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}
