//! The standing of two engines in the form of `cutechess`: `-output format=cutechess`.

use super::options::Options;
use super::standing::{Quarters, Standing, games, points};

/// The standing.
pub fn duel(options: &Options, standing: &Standing, a: usize, b: usize) -> String {
    let names = [a, b].map(|e| options.engines[e].name.as_str());
    let [white, black] = [
        standing.with_white(a, b),
        reversed(standing.with_white(b, a)),
    ];
    let all = standing.against(a, b);
    let whites = sum(white, reversed(black));
    let pad = "...".to_owned() + &" ".repeat("Score of".len() - 2);
    let lines = [
        format!("Score of {} vs {}: {}", names[0], names[1], score(all)),
        format!("{pad}{} playing White: {}", names[0], score(white)),
        format!("{pad}{} playing Black: {}", names[0], score(black)),
        format!("{pad}White vs Black: {}", score(whites)),
    ];
    let samples = standing.pairing(0);
    let drawn = 100.0 * all[2] as f64 / games(all).max(1) as f64;
    let superior = match samples.samples() {
        0 => "nan".to_owned(),
        _ => format!("{:.1}", 100.0 * samples.likelihood_of_superiority()),
    };
    let mut text = lines.join("\n");
    text += &format!(
        "\nElo difference: {}, LOS: {superior} %, DrawRatio: {drawn:.1} %\n",
        samples.elo()
    );
    if let Some(sprt) = &options.sprt {
        let (lower, upper) = sprt.bounds();
        let llr = sprt.log_likelihood_ratio(samples);
        let bound = if llr < 0.0 { lower } else { upper };
        let share = 100.0 * llr / bound;
        text +=
            &format!("SPRT: llr {llr:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}\n");
    }
    text
}

/// Won, lost, drawn, the share of the points and the games; quarter points where there are any.
fn score(quarters: Quarters) -> String {
    let [lost, quarter, drawn, three, won] = quarters;
    let played = games(quarters);
    let share = match played {
        0 => 0.5,
        n => points(quarters) / n as f64,
    };
    let stalemates = match quarter + three {
        0 => String::new(),
        _ => format!(", 3/4: {three}, 1/4: {quarter}"),
    };
    format!("{won} - {lost} - {drawn}  [{share:.3}] {played}{stalemates}")
}

/// The same games from the other side.
fn reversed(mut quarters: Quarters) -> Quarters {
    quarters.reverse();
    quarters
}

fn sum(a: Quarters, b: Quarters) -> Quarters {
    std::array::from_fn(|i| a[i] + b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        assert_eq!(score([1, 0, 2, 0, 3]), "3 - 1 - 2  [0.667] 6");
        assert_eq!(
            score([0, 1, 0, 3, 0]),
            "0 - 0 - 0  [0.625] 4, 3/4: 3, 1/4: 1"
        );
        assert_eq!(score(reversed([0, 0, 0, 0, 1])), "0 - 1 - 0  [0.000] 1");
        assert_eq!(score([0; 5]), "0 - 0 - 0  [0.500] 0");
    }
}
