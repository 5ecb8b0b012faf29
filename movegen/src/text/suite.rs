//! Perft suites as text: one position per line, followed by `;Dn count` for each depth n.

/// One line of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteCase<'t> {
    /// The position text, not yet read.
    pub fen: &'t str,
    /// Depths and the expected counts, in the order of the line.
    pub counts: Vec<(u32, u64)>,
}

/// Why a line is not a suite line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SuiteError {
    #[error("'{0}' is not a count; expected 'Dn count', like 'D3 137858'")]
    Count(String),
    #[error("no count: expected ';D1 51' or the like behind the position")]
    NoCount,
}

impl<'t> SuiteCase<'t> {
    /// Reads one line; `None` for a blank line or a `#` comment.
    ///
    /// # Errors
    /// If a count cannot be read, or there is none.
    pub fn parse(line: &'t str) -> Result<Option<Self>, SuiteError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().unwrap_or_default();
        let counts = parts
            .filter(|p| !p.is_empty())
            .map(|part| parse_count(part).ok_or_else(|| SuiteError::Count(part.to_owned())))
            .collect::<Result<Vec<_>, _>>()?;
        if counts.is_empty() {
            return Err(SuiteError::NoCount);
        }
        Ok(Some(SuiteCase { fen, counts }))
    }
}

fn parse_count(part: &str) -> Option<(u32, u64)> {
    let (depth, count) = part.strip_prefix(['D', 'd'])?.split_once(' ')?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}
