//! Who may ask: the page that this server has sent, on this machine, and programs that were given the token.
//!
//! A page of another site can send requests to a server on this machine, and by rebinding its name it can even be of
//! the same origin in the eyes of the browser. So `Host` must be our own, a browser must not say that the request
//! comes from elsewhere, and the token must be there, which only our page knows.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use super::error::ApiError;

/// The header of the token.
pub const TOKEN: &str = "x-hexmate-token";

/// What a page may do: load what this server sends, and nothing else.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Knows our own addresses and the token.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: [String; 2],
    token: String,
}

impl Guard {
    /// The guard of a server at this port.
    pub fn new(port: u16, token: String) -> Guard {
        Guard {
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            token,
        }
    }

    /// The address to open, with the token.
    pub fn address(&self) -> String {
        format!("http://{}/#token={}", self.hosts[0], self.token)
    }

    /// Whether a request for a file of the page may be answered.
    ///
    /// # Errors
    /// If it was not sent to this server, or by another site; following a link is allowed.
    pub fn file(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        self.host(headers)?;
        let is = |name: &str, value: &str| headers.get(name).is_some_and(|v| v == value);
        let follows = is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document");
        if follows { Ok(()) } else { Self::site(headers) }
    }

    /// Whether a request to the API may be answered.
    ///
    /// # Errors
    /// If it was not sent to this server, or by another site, or without the token.
    pub fn api(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        self.host(headers)?;
        Self::site(headers)?;
        let origins = headers.get_all(header::ORIGIN);
        let ours = |origin: &HeaderValue| {
            let host = origin.as_bytes().strip_prefix(b"http://");
            host.is_some_and(|host| self.hosts.iter().any(|own| own.as_bytes() == host))
        };
        if !origins.iter().all(ours) {
            return Err(refused(
                "origin",
                "the request comes from a page of another site",
            ));
        }
        let mut tokens = headers.get_all(TOKEN).iter();
        let (token, more) = (tokens.next(), tokens.next());
        let same = token.is_some_and(|token| same(token.as_bytes(), self.token.as_bytes()));
        if !same || more.is_some() {
            return Err(refused(
                "token",
                "the token is missing or wrong; open the address that hexmate board prints",
            ));
        }
        Ok(())
    }

    fn host(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (host, more) = (hosts.next(), hosts.next());
        let ours = host.is_some_and(|host| self.hosts.iter().any(|own| own == host));
        if !ours || more.is_some() {
            let [own, _] = &self.hosts;
            let message = format!("the request is for another host; this is http://{own}");
            return Err(refused("host", &message));
        }
        Ok(())
    }

    /// Browsers tell where a request comes from.
    fn site(headers: &HeaderMap) -> Result<(), ApiError> {
        let ours = |site: &HeaderValue| site == "same-origin" || site == "none";
        if !headers.get_all("sec-fetch-site").iter().all(ours) {
            return Err(refused(
                "origin",
                "the request comes from a page of another site",
            ));
        }
        Ok(())
    }
}

fn refused(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, code, message)
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
fn same(given: &[u8], own: &[u8]) -> bool {
    let differ = given
        .iter()
        .zip(own)
        .fold(0, |differ, (a, b)| differ | (a ^ b));
    given.len() == own.len() && std::hint::black_box(differ) == 0
}

/// A token that nobody can guess: 128 random bits.
///
/// # Errors
/// If the system has none.
pub fn new_token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| anyhow::anyhow!("no random numbers: {e}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_our_own_page_and_those_with_the_token() {
        let guard = Guard::new(80, "secret".to_owned());
        let good = [("host", "127.0.0.1:80"), (TOKEN, "secret")];
        assert_eq!(guard.api(&headers(&good)), Ok(()));
        let with = |name: &'static str, value| {
            let mut list: Vec<_> = good.into_iter().filter(|h| h.0 != name).collect();
            list.push((name, value));
            guard
                .api(&headers(&list))
                .map_err(|e| e.object()["code"].clone())
        };
        assert_eq!(with("host", "localhost:80"), Ok(()));
        assert_eq!(with("origin", "http://localhost:80"), Ok(()));
        assert_eq!(with("sec-fetch-site", "same-origin"), Ok(()));
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:8080",
            "evil.example:80",
            "127.0.0.1:80.evil",
        ] {
            assert_eq!(with("host", host).unwrap_err(), "host", "{host}");
        }
        for origin in [
            "null",
            "http://evil.example",
            "https://127.0.0.1:80",
            "http://127.0.0.1:81",
        ] {
            assert_eq!(with("origin", origin).unwrap_err(), "origin", "{origin}");
        }
        for site in ["cross-site", "same-site", "anything"] {
            assert_eq!(
                with("sec-fetch-site", site).unwrap_err(),
                "origin",
                "{site}"
            );
        }
        for token in ["", "secre", "secret1", "Secret"] {
            assert_eq!(with(TOKEN, token).unwrap_err(), "token", "{token}");
        }
        for again in good {
            let twice = headers(&[good[0], good[1], again]);
            assert!(guard.api(&twice).is_err(), "{again:?}");
        }
        let link = [
            good[0],
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert_eq!(guard.file(&headers(&link)), Ok(()));
        let image = [
            link[0],
            link[1],
            ("sec-fetch-mode", "no-cors"),
            ("sec-fetch-dest", "image"),
        ];
        assert!(guard.file(&headers(&image)).is_err());
    }

    #[test]
    fn tokens_are_new_each_time() {
        let (one, two) = (new_token().unwrap(), new_token().unwrap());
        assert_eq!(one.len(), 32);
        assert_ne!(one, two);
    }
}
