//! Progress on a terminal: nothing for what is done within a second, and nothing that stays.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::terminal;

/// Nothing is drawn before.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the time is drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// A bar for this many things, with the rate and the time left; `things` names them.
pub fn bar(length: u64, things: &str) -> ProgressBar {
    let template = format!(
        "{{bar:30}} {{human_pos}} of {{human_len}} {things}  {{msg}}  {{per_sec}}, {{eta}} left"
    );
    later(
        ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()),
        &template,
    )
}

/// The same, but none where the results themselves are printed on the terminal.
pub fn bar_beside(prints: bool, length: u64, things: &str) -> ProgressBar {
    match prints && stdout().is_terminal() {
        true => ProgressBar::hidden(),
        false => bar(length, things),
    }
}

/// A line with the time and a message, for work of unknown length.
pub fn spinner() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    later(bar, "{spinner} {elapsed}  {wide_msg}")
}

/// Draws a bar after a second, if it is still at work then.
pub fn later(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    drawn_later(bar)
}

fn drawn_later(bar: ProgressBar) -> ProgressBar {
    if terminal::shows_progress() {
        let weak = bar.downgrade();
        thread::spawn(move || {
            thread::sleep(PATIENCE);
            if let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
        });
    }
    bar
}

/// Work whose parts are known by their shares of the whole only; the line goes with it.
#[derive(Debug)]
pub struct Share {
    bar: Cleared,
    things: Arc<AtomicU64>,
}

impl Share {
    /// The whole.
    pub const WHOLE: u64 = 1 << 40;

    /// A bar with the rate of some things.
    pub fn new(name: &str) -> Share {
        let things = Arc::<AtomicU64>::default();
        let (counted, name) = (Arc::clone(&things), name.to_owned());
        let rate = move |state: &ProgressState, text: &mut dyn Write| {
            let rate = counted.load(Ordering::Relaxed) as f64 / state.elapsed().as_secs_f64();
            let _ = match rate {
                1e6.. => write!(text, "{:.0} million {name} a second", rate / 1e6),
                _ => write!(text, "{rate:.0} {name} a second"),
            };
        };
        let bar = ProgressBar::with_draw_target(Some(Self::WHOLE), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {percent}%  {rate}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style.with_key("rate", rate));
        }
        Share {
            bar: Cleared(drawn_later(bar)),
            things,
        }
    }

    /// Such a share is done, in which there were so many things.
    pub fn add(&self, share: u64, things: u64) {
        self.things.fetch_add(things, Ordering::Relaxed);
        self.bar.0.inc(share);
    }
}

/// Takes the line away when its owner goes, whatever the reason.
#[derive(Debug)]
pub struct Cleared(pub ProgressBar);

impl Drop for Cleared {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
