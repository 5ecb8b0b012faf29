//! Perft suites as text: one position per line, followed by `;Dn count` for each depth n.

use std::num::IntErrorKind;

/// One line of a suite.
///
/// ```
/// use hexmate_movegen::suite::SuiteCase;
///
/// let case = SuiteCase::parse("3/2k1/5/K4/5/4/3 w - - 0 1 ;D1 5 ;D2 20").unwrap().unwrap();
/// assert_eq!(case.counts, [(1, 5), (2, 20)]);
/// assert_eq!(SuiteCase::parse("# a comment"), Ok(None));
/// ```
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
    #[error("'{0}': too large a count; expected at most {max}", max = u64::MAX)]
    TooLarge(String),
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
            .map(parse_count)
            .collect::<Result<Vec<_>, _>>()?;
        if counts.is_empty() {
            return Err(SuiteError::NoCount);
        }
        Ok(Some(SuiteCase { fen, counts }))
    }
}

fn parse_count(part: &str) -> Result<(u32, u64), SuiteError> {
    let none = || SuiteError::Count(part.to_owned());
    let words = part
        .strip_prefix(['D', 'd'])
        .and_then(|p| p.split_once(' '));
    let (depth, count) = words.ok_or_else(none)?;
    let depth = depth.parse().map_err(|_| none())?;
    match count.trim().parse::<u64>() {
        Ok(count) => Ok((depth, count)),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
            Err(SuiteError::TooLarge(part.to_owned()))
        }
        Err(_) => Err(none()),
    }
}
