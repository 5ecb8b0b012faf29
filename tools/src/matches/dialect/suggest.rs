//! What a mistyped word was meant to be.

/// The candidate that differs least from a word, if it differs by little: one slip in three letters at most.
pub fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let word = word.to_ascii_lowercase();
    let most = (word.chars().count() / 3).clamp(1, 3);
    let slips = |candidate: &str| slips(&word, &candidate.to_ascii_lowercase());
    candidates
        .map(|candidate| (slips(candidate), candidate))
        .filter(|&(slips, _)| slips <= most)
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// ` (did you mean X?)`, or nothing; what comes before the candidate is `sign`.
pub fn did_you_mean<'c>(
    word: &str,
    sign: &str,
    candidates: impl Iterator<Item = &'c str>,
) -> String {
    nearest(word, candidates)
        .map_or_else(String::new, |near| format!(" (did you mean {sign}{near}?)"))
}

/// How many letters are missing, too many, wrong or exchanged with their neighbour.
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in table.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in table[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let wrong = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (table[i - 1][j] + 1)
                .min(table[i][j - 1] + 1)
                .min(table[i - 1][j - 1] + wrong);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = least;
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger() {
        let known = || ["engine", "each", "rounds", "nodes", "Hash"].into_iter();
        for (word, meant) in [
            ("enigne", Some("engine")),
            ("ENGIN", Some("engine")),
            ("round", Some("rounds")),
            ("noeds", Some("nodes")),
            ("Hahs", Some("Hash")),
            ("eahc", Some("each")),
            ("x", None),
            ("nosuch", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known()), meant, "{word}");
        }
        assert_eq!(
            did_you_mean("enigne", "-", known()),
            " (did you mean -engine?)"
        );
        assert_eq!(did_you_mean("zebra", "-", known()), "");
    }
}
