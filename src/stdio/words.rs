//! Messages to the user, on standard error, one line each. They are held back while the terminal shows something else:
//! by this command itself, or by another of the pipe.

use std::{
    collections::VecDeque,
    fmt,
    io::{self, IsTerminal, Write},
    sync::{
        LazyLock, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::to_reader::ToReader;
use crate::{
    progress::{self, draws},
    stop,
};

/// Up to this many messages are held back.
const WORDS: usize = 50;
/// How long a command that ends waits for the terminal, where one signal ended both it and the owner of the terminal.
const GIVEN_BACK: Duration = Duration::from_millis(400);
/// How often the terminal is checked meanwhile.
const LOOK: Duration = Duration::from_millis(10);

static COMMAND: OnceLock<String> = OnceLock::new();
static HELD: Mutex<Option<Held>> = Mutex::new(None);
/// The number of messages held back at the last call of [`last_held_word`].
static LAST_HELD: AtomicUsize = AtomicUsize::new(0);
/// Whether another command of the pipe may have drawn a line on the terminal of the messages: it is overwritten, and
/// drawn again.
static LINE_OF_ANOTHER: LazyLock<bool> = LazyLock::new(|| io::stderr().is_terminal() && draws());

/// Messages that are held back.
struct Held {
    lines: VecDeque<String>,
    /// This command itself uses the terminal, and will release the messages.
    ours: bool,
}

/// Sets the name of the command for messages; `main` calls it once.
pub fn name_command(name: &str) {
    let _ = COMMAND.set(name.to_owned());
}

/// Writes one line to the user, on standard error: `boardbus watch: …`.
pub fn say(message: impl fmt::Display) {
    let command = COMMAND.get().map_or("", String::as_str);
    let space = if command.is_empty() { "" } else { " " };
    // Input quoted in a message must not forge a line or control a terminal.
    let mut line = format!("{}boardbus{space}{command}: ", if *LINE_OF_ANOTHER { "\r\x1b[K" } else { "" });
    for c in message.to_string().chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line.push('\n');
    let mut held = held();
    let free = !held.as_ref().is_some_and(|held| held.ours) && !progress::is_taken();
    if !free {
        let lines = &mut held.get_or_insert_with(|| Held { lines: VecDeque::new(), ours: false }).lines;
        lines.push_back(line);
        // Messages beyond the limit are repetitions.
        if lines.len() > WORDS {
            lines.pop_front();
        }
        return;
    }
    let before = held.take();
    drop(held);
    progress::aside(|| write(before.into_iter().flat_map(|held| held.lines).chain([line])));
}

/// Writes a summary, except on a terminal that another command of the pipe uses for its screen.
pub fn sum_up(summary: impl fmt::Display) {
    if is_free_at_the_end() {
        say(summary);
    }
}

/// Writes the messages that are held back because another command of the pipe uses the terminal, at the end: `main`
/// calls it once.
pub fn last_words() {
    if held().is_some() {
        is_free_at_the_end();
        release_words();
    }
}

/// Whether no other command of the pipe uses the terminal; Ctrl-C ends that command too.
fn is_free_at_the_end() -> bool {
    let began = Instant::now();
    while progress::is_taken() {
        if stop::requested().is_none() || began.elapsed() >= GIVEN_BACK {
            return false;
        }
        thread::sleep(LOOK);
    }
    true
}

/// Holds messages back, because the terminal shows something else, until [`release_words`].
pub fn hold_words() {
    held().get_or_insert_with(|| Held { lines: VecDeque::new(), ours: true }).ours = true;
}

/// The last message held back, once, without the name of the command.
pub fn last_held_word() -> Option<String> {
    let held = held();
    let said = held.as_ref()?.lines.len();
    let fresh = LAST_HELD.swap(said, Ordering::Relaxed) != said;
    let line = held.as_ref()?.lines.back().filter(|_| fresh)?;
    Some(line.split_once(": ").map_or(&**line, |(_, word)| word).trim_end().to_owned())
}

/// Writes the messages that were held back.
pub fn release_words() {
    let held = held().take();
    write(held.into_iter().flat_map(|held| held.lines));
}

fn held() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(lines: impl Iterator<Item = String>) {
    for line in lines {
        // A closed standard error is ignored.
        drop(ToReader::new(rustix::stdio::stderr()).write_all(line.as_bytes()));
    }
}
