//! Progress on a terminal: nothing for what is done within a second, and nothing that stays.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::terminal;

/// Nothing is drawn before.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the time is drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// A bar for this many things, with the rate and the time left; `things` names them.
pub fn bar(length: u64, things: &str) -> ProgressBar {
    let template =
        format!("{{bar:30}} {{human_pos}} of {{human_len}} {things}  {{msg}}{{rate}}{{left}}");
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
    if let Ok(style) = style(template) {
        bar.set_style(style);
    }
    drawn_later(bar)
}

/// The same for a bar of which some part took no time, like the answers of an earlier run: how long the rest takes is
/// told by what is done beyond it.
pub fn later_beyond(bar: ProgressBar, template: &str, part: Arc<AtomicU64>) -> ProgressBar {
    let left = move |state: &ProgressState, text: &mut dyn Write| {
        let part = part.load(Ordering::Relaxed);
        let left = state
            .len()
            .and_then(|all| time_left(state.elapsed(), part, state.pos(), all));
        write_left(left, text);
    };
    if let Ok(style) = style(template) {
        bar.set_style(style.with_key("left", left));
    }
    drawn_later(bar)
}

/// A style with two keys of its own, `{rate}` and `{left}`: how many are done a second, and how much time is left. Each
/// brings what separates it from what stands before it, and is nothing as long as nobody knows.
///
/// # Errors
/// If the template is none.
pub fn style(template: &str) -> Result<ProgressStyle> {
    // Until something was done.
    let is_known = |state: &ProgressState| state.per_sec() > 0.0;
    let rate = move |state: &ProgressState, text: &mut dyn Write| {
        let _ = match state.per_sec() {
            10.0.. => write!(text, "  {:.0}/s", state.per_sec()),
            0.1.. => write!(text, "  {:.1}/s", state.per_sec()),
            _ if is_known(state) => write!(text, "  {:.3}/s", state.per_sec()),
            _ => Ok(()),
        };
    };
    let left = move |state: &ProgressState, text: &mut dyn Write| {
        write_left(is_known(state).then(|| state.eta()), text);
    };
    let style = ProgressStyle::with_template(template)?;
    Ok(style.with_key("rate", rate).with_key("left", left))
}

fn write_left(left: Option<Duration>, text: &mut dyn Write) {
    if let Some(left) = left {
        let _ = write!(text, ", {:#} left", HumanDuration(left));
    }
}

/// The time that is left when so much of `all` is done, of which a part took none; `None` if nobody knows.
fn time_left(elapsed: Duration, part: u64, done: u64, all: u64) -> Option<Duration> {
    let beyond = done.checked_sub(part).filter(|&beyond| beyond > 0)?;
    let seconds = elapsed.as_secs_f64() * all.saturating_sub(done) as f64 / beyond as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

fn drawn_later(bar: ProgressBar) -> ProgressBar {
    if terminal::shows_progress() {
        let weak = bar.downgrade();
        // Without a thread nothing is drawn.
        let _ = thread::Builder::new().spawn(move || {
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
        if let Ok(style) = style("{bar:30} {percent}%  {rate}{left}") {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_no_time_tells_nothing_of_the_rest() {
        let second = Duration::from_secs(1);
        assert_eq!(time_left(second, 0, 0, 100), None);
        assert_eq!(time_left(second, 40, 40, 100), None);
        assert_eq!(time_left(second, 50, 40, 100), None);
        assert_eq!(time_left(second, 0, 50, 100), Some(second));
        assert_eq!(time_left(second, 40, 50, 100), Some(5 * second));
        assert_eq!(time_left(second, 40, 100, 100), Some(Duration::ZERO));
    }
}
