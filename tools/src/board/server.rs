//! The server: one address for the page, one for each question, and streams of what a search finds.
//!
//! Connections are served on one thread. Questions are answered on others, and each search has threads of its own;
//! what it finds goes through a channel into the answer. When the browser closes the connection, the channel closes,
//! and the search ends.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, Method, Response, StatusCode};
use futures_core::Stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::error::ApiError;
use super::fields::Fields;
use super::guard::POLICY;
use super::search::Analysis;
use super::shared::{MOST_BODY, Shared, Slot};
use super::{explain, games, matches, page, play, reach, read, review, setup, write};

/// Serves for ever.
///
/// # Errors
/// If the listener breaks.
pub async fn serve(listener: TcpListener, shared: Arc<Shared>) -> std::io::Result<()> {
    let router = Router::new().fallback(answer).with_state(shared);
    axum::serve(listener, router).await
}

/// The answer to any request, with the headers that all answers have.
async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let found = match request.method().as_str() {
        "GET" | "HEAD" => file(&shared, &request),
        "POST" => api(shared, request).await,
        _ => Err(ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "expected GET for the page, POST for /api/...",
        )),
    };
    let mut response = found.unwrap_or_else(|error| error.response());
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// A file of the page.
fn file(shared: &Shared, request: &Request) -> Result<Response<Body>, ApiError> {
    shared.guard.file(request.headers())?;
    let path = request.uri().path();
    if path.starts_with("/api/") {
        let message = format!("{} wants POST", short(path));
        return Err(ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            message,
        ));
    }
    let name = match path {
        "/" => Some("index.html"),
        path => path.strip_prefix("/app/"),
    };
    let content = name.and_then(|name| Some((name, page::file(name)?)));
    let (name, content) = content.ok_or_else(|| nothing_at(path))?;
    let body = match request.method() == Method::HEAD {
        true => Body::empty(),
        false => Body::from(Bytes::from(content.into_owned())),
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(page::media_type(name)),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

fn nothing_at(path: &str) -> ApiError {
    let message = format!(
        "there is nothing at {}; docs/board.md lists the addresses",
        short(path)
    );
    ApiError::new(StatusCode::NOT_FOUND, "path", message)
}

fn short(path: &str) -> String {
    path.chars().take(80).collect()
}

/// The answer to a question.
async fn api(shared: Arc<Shared>, request: Request) -> Result<Response<Body>, ApiError> {
    shared.guard.api(request.headers())?;
    let path = request.uri().path().to_owned();
    let name = path
        .strip_prefix("/api/")
        .ok_or_else(|| nothing_at(&path))?;
    let kind = request
        .headers()
        .get(header::CONTENT_TYPE)
        .map(HeaderValue::as_bytes);
    let kind = kind
        .unwrap_or_default()
        .split(|&b| b == b';')
        .next()
        .unwrap_or_default();
    if !kind.trim_ascii().eq_ignore_ascii_case(b"application/json") {
        let message = "the Content-Type is not application/json";
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "type",
            message,
        ));
    }
    let fields = body(request.into_body()).await?;
    type Answer = fn(&Shared, Fields) -> Result<Value, ApiError>;
    let answer: Answer = match name {
        "hello" => |shared, fields| fields.end().map(|()| shared.hello()),
        "games" => games::list,
        "game" => games::one,
        "position" => games::position,
        "reach" => reach::answer,
        "explain" => explain::evaluation,
        "tables" => explain::tables,
        "read" => read::answer,
        "opened" => read::opened,
        "write" => write::answer,
        "setup" => setup::answer,
        "match" => matches::answer,
        "analyse" => {
            let analysis = elsewhere({
                let shared = Arc::clone(&shared);
                move || Analysis::read(&shared, fields)
            })
            .await?;
            let slot = shared.slot().await?;
            return Ok(stream(slot, move |telling| {
                let tell = &mut |line| telling.line(&line);
                analysis.run(&shared, &|| telling.is_gone(), tell)
            }));
        }
        "review" => {
            let review = elsewhere({
                let shared = Arc::clone(&shared);
                move || review::Order::read(&shared, fields)
            })
            .await?;
            let slot = shared.slot().await?;
            return Ok(stream(slot, move |telling| review.run(&shared, telling)));
        }
        "play" => {
            let order = elsewhere({
                let shared = Arc::clone(&shared);
                move || play::Order::read(&shared, fields)
            })
            .await?;
            let slot = shared.slot().await?;
            // The search ends if nobody waits for its move any more.
            let (sender, mut receiver) = mpsc::channel::<Result<Value, ApiError>>(1);
            tokio::task::spawn_blocking(move || {
                let found = order.run(&shared, &|| sender.is_closed());
                drop(slot);
                // Whoever is gone has no use for it.
                let _ = sender.blocking_send(found);
            });
            let found = receiver.recv().await;
            let found = found.unwrap_or_else(|| Err(ApiError::fault("the search broke off")))?;
            return Ok(object(&found));
        }
        _ => return Err(nothing_at(&path)),
    };
    let found = elsewhere(move || answer(&shared, fields)).await?;
    Ok(object(&found))
}

/// Runs on a thread where it holds nobody up.
async fn elsewhere<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::fault(
            "a fault of hexmate itself; please report what led to it",
        )),
    }
}

/// The fields of a body.
async fn body(body: Body) -> Result<Fields, ApiError> {
    let large = || {
        let message = format!("the request has more than {MOST_BODY} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "size", message)
    };
    if body.size_hint().lower() > MOST_BODY as u64 {
        return Err(large());
    }
    let bytes = to_bytes(body, MOST_BODY).await.map_err(|error| {
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = cause {
            if error.to_string().contains("length limit") {
                return large();
            }
            cause = error.source();
        }
        ApiError::bad("json", "the body breaks off")
    })?;
    Fields::of_body(&bytes)
}

/// An object as an answer.
fn object(value: &Value) -> Response<Body> {
    of_type("application/json", Body::from(value.to_string()))
}

fn of_type(kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Where the lines of a stream go.
pub struct Telling {
    lines: mpsc::Sender<Bytes>,
}

impl Telling {
    /// Sends a line; waits for a slow reader. Whether anybody has read it, [`Telling::is_gone`] says.
    pub fn line(&self, line: &Value) {
        let _ = self.lines.blocking_send(Bytes::from(format!("{line}\n")));
    }

    /// Whether the connection was closed.
    pub fn is_gone(&self) -> bool {
        self.lines.is_closed()
    }
}

/// Answers with the lines that `work` tells on a thread of its own; the slot is free when it is done.
fn stream(
    slot: Slot,
    work: impl FnOnce(&Telling) -> Result<(), ApiError> + Send + 'static,
) -> Response<Body> {
    let (lines, receiver) = mpsc::channel(4);
    tokio::task::spawn_blocking(move || {
        let telling = Telling { lines };
        let work = std::panic::AssertUnwindSafe(|| work(&telling));
        let done = std::panic::catch_unwind(work).unwrap_or_else(|_| {
            Err(ApiError::fault(
                "a fault of hexmate itself; please report what led to it",
            ))
        });
        if let Err(error) = done {
            telling.line(&json!({"type": "error", "error": error.object()}));
        }
        drop(slot);
    });
    of_type("application/x-ndjson", Body::from_stream(Lines(receiver)))
}

/// The lines of a channel as a body. When it is dropped, the channel is closed.
struct Lines(mpsc::Receiver<Bytes>);

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|line| line.map(Ok))
    }
}
