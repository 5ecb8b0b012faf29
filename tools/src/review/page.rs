//! Reviews as a page.

use std::fmt::Write as _;

use hexmate_movegen::{AnyPosition, GameId, Move};

use super::graph::{graph, move_words};
use super::judge::{About, Judged, Review, Sum, Unread};
use super::text::{accuracy, better, breaks_off, plies};
use crate::analyse::{counted, text_of};
use crate::pages::{self, MOST_GAMES, Mark, Shown, Still};
use crate::plots::{escape, isolated, standalone};

/// The page of all reviews, as it grows.
#[derive(Default)]
pub struct Page {
    sections: String,
    index: String,
    titles: Vec<String>,
    /// The games that could not be reviewed, as items of a list.
    unread: Vec<String>,
    games: Vec<GameId>,
    /// How positions were searched.
    how: String,
}

impl Page {
    /// A page of no reviews; `how` says how positions are searched.
    pub fn new(how: String) -> Self {
        Page {
            how,
            ..Page::default()
        }
    }

    /// Adds a review.
    pub fn add(&mut self, review: &Review) {
        let number = self.titles.len() + 1;
        let is_shown = number <= MOST_GAMES;
        let (title, heading) = (title(review), heading(review));
        let link = match is_shown {
            true => format!("<a href=\"#g{number}\">{heading}</a>"),
            false => heading.clone(),
        };
        let result = review.about.result.as_deref().unwrap_or("");
        let broken = match review.error {
            Some(_) => " <span class=\"mistake\">breaks off</span>",
            None => "",
        };
        let _ = writeln!(
            self.index,
            "<tr><td>{number}<td class=\"wide\">{link}{broken}<td>{}<td>{}<td>{}<td>{}</tr>",
            escape(result),
            accuracy(&review.white),
            accuracy(&review.black),
            review.white.blunders + review.black.blunders
        );
        if is_shown {
            self.sections += &section(review, number, &title, &heading);
        }
        self.titles.push(title);
        self.games.push(review.rules);
    }

    /// Adds a game that could not be reviewed.
    pub fn add_unread(&mut self, unread: &Unread) {
        let (names, error) = (names(&unread.about), escape(&unread.error));
        self.unread.push(format!("<li>{names}: {error}</li>\n"));
    }

    /// How many games are in the index only.
    pub fn left_off(&self) -> usize {
        self.titles.len().saturating_sub(MOST_GAMES)
    }

    /// The page as text.
    pub fn text(self) -> String {
        let (title, has_index) = match (&self.titles[..], &self.unread[..]) {
            ([one], []) => (one.clone(), false),
            (all, _) => (format!("Review of {}", counted(all.len(), "game")), true),
        };
        let mut page = pages::begin(&title);
        if has_index {
            let _ = writeln!(page, "<h1>{}</h1>", escape(&title));
        }
        if has_index && !self.titles.is_empty() {
            let _ = writeln!(
                page,
                "<div class=\"scroll\"><table>\n<tr><th>#<th class=\"name\">Game<th>Result<th>White<th>Black<th>Blunders</tr>\n{}</table></div>\n<p class=\"note\">White and Black: the accuracy of each side.</p>",
                self.index
            );
        }
        if !self.unread.is_empty() {
            let _ = writeln!(
                page,
                "<p>{} could not be reviewed:</p>\n<ul>\n{}</ul>",
                counted(self.unread.len(), "game"),
                self.unread.concat()
            );
        }
        page += &self.sections;
        if self.left_off() > 0 {
            let _ = writeln!(
                page,
                "<p class=\"note\">These are the first {MOST_GAMES} games; hexmate review --format jsonl prints all of them.</p>"
            );
        }
        let _ = writeln!(
            page,
            "<p class=\"note\">{}. A move’s loss is the share of the point that its player may expect less after it than after the best move: from 0.05 on it is an inaccuracy, from 0.10 a mistake, from 0.15 a blunder. Made by hexmate {}.</p>",
            escape(&self.how),
            env!("CARGO_PKG_VERSION")
        );
        page + &pages::end(&self.games)
    }
}

/// What a game is called: its players, or its id.
fn title(review: &Review) -> String {
    match &review.about.players {
        [None, None] => format!("Game {}", text_of(&review.id)),
        _ => review.about.names().join(" – "),
    }
}

/// The same as HTML.
fn heading(review: &Review) -> String {
    match &review.about.players {
        [None, None] => escape(&title(review)),
        _ => names(&review.about),
    }
}

/// The players as HTML.
fn names(about: &About) -> String {
    about.names().map(isolated).join(" – ")
}

fn section(review: &Review, number: usize, title: &str, heading: &str) -> String {
    let result = review.about.result.as_deref().unwrap_or("");
    let occasion = review.about.occasion_parts();
    let occasion: Vec<String> = occasion.iter().map(|part| isolated(part)).collect();
    let about = [occasion.join(", "), escape(review.rules.spec().title)];
    let about: Vec<String> = about.into_iter().filter(|part| !part.is_empty()).collect();
    let mut page = format!(
        "<section id=\"g{number}\">\n<h1>{heading} <span class=\"result\">{}</span></h1>\n<p class=\"quiet\">{}, {}</p>\n",
        escape(result),
        about.join(" · "),
        plies(review)
    );
    if let Some(words) = breaks_off(review) {
        let _ = writeln!(page, "<p class=\"mistake\">{}.</p>", escape(&words));
    }
    page += "<div class=\"sides\">\n";
    let [white, black] = review.about.names();
    for (side, name, sum) in [
        ("White", white, &review.white),
        ("Black", black, &review.black),
    ] {
        page += &card(side, name, sum);
    }
    page += "</div>\n";
    if review.moves.is_empty() {
        return page + "<p>No moves were played.</p>\n</section>\n";
    }
    let place = |ply: usize| format!("g{number}-{}", ply + 1);
    let picture = graph(review, |ply| Some(place(ply)));
    let _ = writeln!(
        page,
        "<figure class=\"card\">{picture}<figcaption class=\"note\">What White may expect of the point, move by move; the dots are inaccuracies, mistakes and blunders.</figcaption></figure>"
    );
    page += &game(review, number, title);
    let bad: Vec<(usize, &Judged)> = review
        .moves
        .iter()
        .enumerate()
        .filter(|(_, one)| one.judgement.is_some())
        .collect();
    if bad.is_empty() {
        return page + "<p>No move lost more than 0.05 of the point.</p>\n</section>\n";
    }
    page += "<h2>What might have been better</h2>\n<p class=\"note\">The orange arrow was played, the green one is better.</p>\n<div class=\"mistakes\">\n";
    for (ply, one) in bad {
        page += &mistake(review, number, ply, one, &place(ply));
    }
    page + "</div>\n</section>\n"
}

/// The accuracy of a side, and what it did wrong.
fn card(side: &str, name: &str, sum: &Sum) -> String {
    let who = match name == side {
        true => escape(name),
        false => format!("{} <span class=\"quiet\">{side}</span>", isolated(name)),
    };
    let count = |n: usize, one: &str, many: &str| {
        let class = match (n, one) {
            (0, _) => "quiet",
            (_, "inaccuracy") => "inaccuracy",
            (_, "mistake") => "mistake",
            _ => "blunder",
        };
        format!(
            "<span class=\"{class}\">{n} {}</span>",
            if n == 1 { one } else { many }
        )
    };
    format!(
        "<div class=\"card\"><h2>{who}</h2><p class=\"figure\">{}</p><p class=\"quiet\">accuracy</p><p>{} · {} · {}</p></div>\n",
        accuracy(sum),
        count(sum.inaccuracies, "inaccuracy", "inaccuracies"),
        count(sum.mistakes, "mistake", "mistakes"),
        count(sum.blunders, "blunder", "blunders")
    )
}

/// The moves of a review as moves, with the position before each.
fn positions(review: &Review) -> Vec<(AnyPosition, Move)> {
    let read = |one: &Judged| {
        let position = AnyPosition::from_fen(review.rules, &one.fen).ok()?;
        let mv = position.parse_move(&one.played).ok()?;
        Some((position, mv))
    };
    review.moves.iter().map_while(read).collect()
}

/// The game to step through.
fn game(review: &Review, number: usize, title: &str) -> String {
    let positions = positions(review);
    let Some(&(first, _)) = positions.first() else {
        return String::new();
    };
    let moves: Vec<Move> = positions.iter().map(|(_, mv)| *mv).collect();
    let marks = review.moves.iter().map(|one| {
        one.judgement.map_or_else(Mark::default, |judgement| Mark {
            class: judgement.name(),
            sign: judgement.sign(),
        })
    });
    let best = review
        .moves
        .iter()
        .zip(&positions)
        .map(|(one, (position, _))| {
            let best = one.best.as_deref()?;
            position.parse_move(best).ok()
        });
    pages::viewer(&Shown {
        id: &format!("g{number}-board"),
        first,
        moves: &moves,
        marks: &marks.collect::<Vec<_>>(),
        best: &best.collect::<Vec<_>>(),
        start: moves.len(),
        picture: true,
        label: title,
    })
}

/// A move that lost something, on a board.
fn mistake(review: &Review, number: usize, ply: usize, one: &Judged, place: &str) -> String {
    let name = one.judgement.map_or("", |judgement| judgement.name());
    let words = escape(&move_words(one));
    let read = |one: &Judged| {
        let position = AnyPosition::from_fen(review.rules, &one.fen).ok()?;
        let mv = position.parse_move(&one.played).ok()?;
        Some((position, mv))
    };
    let before = ply.checked_sub(1).and_then(|ply| review.moves.get(ply));
    let board = read(one).map_or_else(String::new, |(position, played)| {
        let better = one
            .best
            .as_deref()
            .and_then(|b| position.parse_move(b).ok());
        pages::still(&Still {
            position,
            last_move: before.and_then(|one| Some(read(one)?.1)),
            played,
            better: better.filter(|&mv| mv != played),
            label: &format!("the position before {}", move_words(one)),
        })
    });
    let why = one
        .explanation
        .as_ref()
        .map(|why| format!("<p>{}</p>\n", escape(&why.words)));
    let mover = review.about.names()[usize::from(!one.white)];
    let own = |share: super::judge::Share| {
        let points = share.points();
        100.0 * if one.white { points } else { 1.0 - points }
    };
    format!(
        "<article class=\"card\" id=\"{place}\">{board}<div><h3><a href=\"#g{number}-board\" data-show=\"g{number}-board\" data-at=\"{}\">{words}</a> <span class=\"{name}\">{name}</span></h3>\n\
<p>{} could expect {:.0} % of the point before it, and {:.0} % after it.</p>\n{}<p class=\"line\">Better: {}</p></div></article>\n",
        ply + 1,
        isolated(mover),
        own(one.before),
        own(one.after),
        why.unwrap_or_default(),
        escape(&better(one))
    )
}

/// The graph as a file.
pub fn picture(review: &Review) -> String {
    standalone(&graph(review, |_| None))
}

#[cfg(test)]
mod tests {
    use super::super::judge::Share;
    use super::*;

    #[test]
    fn a_page_of_very_many_games_has_the_first_ones_on_boards() {
        let review = Review {
            id: 1.into(),
            game: GameId::Glinski.name(),
            rules: GameId::Glinski,
            about: About::default(),
            fen: GameId::Glinski.spec().start.to_owned(),
            expected: Share::default(),
            white: Sum::default(),
            black: Sum::default(),
            moves: Vec::new(),
            error: None,
        };
        let mut page = Page::default();
        for _ in 0..MOST_GAMES {
            page.add(&review);
        }
        assert_eq!(page.left_off(), 0);
        page.add(&review);
        assert_eq!(page.left_off(), 1);
        let text = page.text();
        assert!(text.contains("id=\"g5000\"") && !text.contains("g5001"));
        assert!(text.contains("<td>5001<td") && text.contains("These are the first 5000 games"));
    }
}
