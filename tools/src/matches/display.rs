//! The display while games are played: lines of events on standard output and, on a terminal, the current
//! standings below them.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::files;
use super::options::Options;
use super::schedule::Schedule;
use super::standing::{Standing, points};
use crate::progress;

/// The display of a match.
pub struct Display {
    bar: ProgressBar,
    /// Whether lines go to standard error, since something else goes to standard output.
    aside: bool,
}

impl Display {
    /// A display; without animation if standard error is not a terminal.
    pub fn new(options: &Options, schedule: &Schedule) -> Self {
        let bar = ProgressBar::with_draw_target(
            Some(schedule.len() as u64),
            ProgressDrawTarget::stderr(),
        );
        let template = "{msg}\n{bar:40} {pos}/{len} games  {elapsed} elapsed{left}";
        if let Ok(style) = progress::style(template) {
            bar.set_style(style);
        }
        if !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Display {
            bar,
            aside: files::use_stdout(options),
        }
    }

    /// Prints a line.
    pub fn line(&self, line: &str) {
        self.block(&format!("{line}\n"));
    }

    /// Prints text. A reader that has gone away does not end the match.
    pub fn block(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = self.write(text);
        });
    }

    fn write(&self, text: &str) -> io::Result<()> {
        if self.aside {
            return io::stderr().lock().write_all(text.as_bytes());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    }

    /// Prints how the match ended.
    ///
    /// # Errors
    /// If that cannot be printed.
    pub fn last(&self, text: &str) -> io::Result<()> {
        self.write(text)
    }

    /// Prints a warning.
    pub fn warn(&self, warning: &str) {
        self.bar.suspend(|| eprintln!("{warning}"));
    }

    /// Updates the standings.
    pub fn update(&self, options: &Options, standing: &Standing, counted: usize, all: usize) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_length(all as u64);
        self.bar.set_position(counted as u64);
        let mut rows: Vec<String> = Vec::new();
        for engine in standing.ranking() {
            let total = standing.total(engine);
            let games: u64 = total.iter().sum();
            rows.push(format!(
                "{:20} {:8.2} of {:5}  {:6.2} %  Elo {}",
                options.engines[engine].name,
                points(total),
                games,
                100.0 * points(total) / games.max(1) as f64,
                standing.engine(engine).elo()
            ));
        }
        if let Some(sprt) = &options.sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.log_likelihood_ratio(standing.pairing(0));
            rows.push(format!("LLR {llr:.2} ({lower:.2}, {upper:.2})"));
        }
        self.bar.set_message(rows.join("\n"));
    }

    /// Removes the standings.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
