//! A server of its own for each test, and requests to it, down to single bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::NamedTempFile;

/// A running `hexmate board`; it is ended with the value.
pub struct Board {
    child: Child,
    pub out: BufReader<ChildStdout>,
    pub port: u16,
    pub token: String,
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program with these arguments of `board`.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexmate"));
    command.arg("board").args(arguments);
    command.stdin(Stdio::null());
    command
}

impl Board {
    /// Starts it.
    pub fn start(arguments: &[&str]) -> Board {
        Board::spawn(command(arguments))
    }

    /// Starts it, and gives the file that has what it says in its terminal.
    pub fn logged(arguments: &[&str]) -> (Board, NamedTempFile) {
        let log = NamedTempFile::new().unwrap();
        let mut command = command(arguments);
        command.stderr(log.reopen().unwrap());
        (Board::spawn(command), log)
    }

    /// Starts it by a command.
    pub fn spawn(mut command: Command) -> Board {
        command.args(["--no-open", "--port", "0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        out.read_line(&mut address).unwrap();
        let rest = address.trim_end().strip_prefix("http://127.0.0.1:");
        let rest = rest.unwrap_or_else(|| panic!("no address: {address:?}"));
        let (port, token) = rest.split_once("/#token=").unwrap();
        Board {
            child,
            out,
            port: port.parse().unwrap(),
            token: token.to_owned(),
        }
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end; its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// A new connection.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// The host of good requests.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The text of a good request.
    pub fn post(&self, name: &str, body: &str) -> Vec<u8> {
        let host = self.host();
        let length = body.len();
        let token = &self.token;
        format!(
            "POST /api/{name} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Hexmate-Token: {token}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .into_bytes()
    }

    /// Sends bytes and closes that direction; the answer, which is empty if the server has hung up.
    pub fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has seen enough hangs up before it has read everything.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::parse(&answer)
    }

    /// Asks a question.
    pub fn ask(&self, name: &str, fields: &Value) -> Answer {
        self.send_whole(&self.post(name, &fields.to_string()))
    }

    /// The same with both directions open until the answer is complete.
    pub fn send_whole(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Answer::parse(&answer)
    }

    /// The answer to a question that must be answered.
    pub fn good(&self, name: &str, fields: &Value) -> Value {
        let answer = self.ask(name, fields);
        assert_eq!(answer.status, 200, "{name} {fields}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{}", answer.body))
    }

    /// The lines of a stream that must be answered.
    pub fn stream(&self, name: &str, fields: &Value) -> Vec<Value> {
        let answer = self.ask(name, fields);
        assert_eq!(answer.status, 200, "{name} {fields}: {}", answer.body);
        let lines = answer.body.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Asks what must be refused with this status and code; the error.
    pub fn bad(&self, name: &str, fields: &Value, status: u16, code: &str) -> Value {
        let answer = self.ask(name, fields);
        let error = answer.error();
        assert_eq!(
            (answer.status, &error["code"]),
            (status, &json!(code)),
            "{name} {fields}: {error}"
        );
        error
    }

    /// How many searches run.
    pub fn running(&self) -> u64 {
        self.good("hello", &json!({}))["running"].as_u64().unwrap()
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// 0 without an answer.
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let (head, rest) = text.split_once("\r\n\r\n").unwrap_or_default();
        let head = head.to_ascii_lowercase();
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|s| s.parse().ok())
            .unwrap_or(0);
        let body = match head.contains("transfer-encoding: chunked") {
            true => unchunked(rest),
            // What follows is the answer to something else on the same connection.
            false => rest.get(..length(&head)).unwrap_or(rest).to_owned(),
        };
        Answer { status, head, body }
    }

    /// The error of an answer that is one; panics otherwise.
    pub fn error(&self) -> Value {
        let object: Value = serde_json::from_str(&self.body)
            .unwrap_or_else(|_| panic!("no error object: {self:?}"));
        let error = &object["error"];
        assert!(
            error["code"].is_string() && error["message"].is_string(),
            "{object}"
        );
        assert_eq!(object.as_object().unwrap().len(), 1);
        error.clone()
    }
}

/// The length that a head tells.
fn length(head: &str) -> usize {
    let told = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    told.and_then(|told| told.trim().parse().ok())
        .unwrap_or(usize::MAX)
}

/// The content of a chunked body.
fn unchunked(mut text: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        // A character may be cut where the text is lossy; sizes are those of bytes.
        let Some(chunk) = rest.get(..size).filter(|_| size > 0) else {
            break;
        };
        whole += chunk;
        text = rest[size..].strip_prefix("\r\n").unwrap_or("");
    }
    whole
}
