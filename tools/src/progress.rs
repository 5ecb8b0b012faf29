//! Progress on a terminal: nothing for what is done within a second, and nothing that stays.

use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    later(ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()), &template)
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

/// Takes the line away when its owner goes, whatever the reason.
#[derive(Debug)]
pub struct Cleared(pub ProgressBar);

impl Drop for Cleared {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
