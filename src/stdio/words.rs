//! Words to a person, on standard error, a line each. They are held back while the terminal shows something else: by this
//! command itself, or by another of the pipe.

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

/// So many words are held back.
const WORDS: usize = 50;
/// So long a command that ends waits for the terminal, where one signal ended it and who has that.
const GIVEN_BACK: Duration = Duration::from_millis(400);
/// How often it is looked for meanwhile.
const LOOK: Duration = Duration::from_millis(10);

static COMMAND: OnceLock<String> = OnceLock::new();
static HELD: Mutex<Option<Held>> = Mutex::new(None);
/// How many words were held back when the last was asked for.
static LAST_HELD: AtomicUsize = AtomicUsize::new(0);
/// Whether another command of the pipe may have drawn a line on the terminal that messages go to: it is written over, and
/// drawn again.
static LINE_OF_ANOTHER: LazyLock<bool> = LazyLock::new(|| io::stderr().is_terminal() && draws());

/// What is held back of what was said.
struct Held {
    lines: VecDeque<String>,
    /// This command shows something itself, and says when that is over.
    ours: bool,
}

/// Names the command in front of every message; `main` calls it once.
pub fn name_command(name: &str) {
    let _ = COMMAND.set(name.to_owned());
}

/// One line to a person, on standard error: `boardbus watch: …`.
pub fn say(message: impl fmt::Display) {
    let command = COMMAND.get().map_or("", String::as_str);
    let space = if command.is_empty() { "" } else { " " };
    // Input quoted in a message must not forge a line or steer a terminal.
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
        // Whoever says the same again and again says enough.
        if lines.len() > WORDS {
            lines.pop_front();
        }
        return;
    }
    let before = held.take();
    drop(held);
    progress::aside(|| write(before.into_iter().flat_map(|held| held.lines).chain([line])));
}

/// Says what came of it all, where that disturbs nobody: on a terminal that another command of the pipe has for its screen
/// nothing is said.
pub fn sum_up(summary: impl fmt::Display) {
    if is_free_at_the_end() {
        say(summary);
    }
}

/// Says what is held back because another command of the pipe has the terminal, at the end, when nobody else would:
/// `main` calls it once.
pub fn last_words() {
    if held().is_some() {
        is_free_at_the_end();
        release_words();
    }
}

/// Whether no other command of the pipe has the terminal; Ctrl-C makes it give that back as it ends this one.
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

/// Holds back what is said, because the terminal shows something else, until [`release_words`].
pub fn hold_words() {
    held().get_or_insert_with(|| Held { lines: VecDeque::new(), ours: true }).ours = true;
}

/// The last word that is held back, once, without the name of the command.
pub fn last_held_word() -> Option<String> {
    let held = held();
    let said = held.as_ref()?.lines.len();
    let fresh = LAST_HELD.swap(said, Ordering::Relaxed) != said;
    let line = held.as_ref()?.lines.back().filter(|_| fresh)?;
    Some(line.split_once(": ").map_or(&**line, |(_, word)| word).trim_end().to_owned())
}

/// Says what was held back.
pub fn release_words() {
    let held = held().take();
    write(held.into_iter().flat_map(|held| held.lines));
}

fn held() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(lines: impl Iterator<Item = String>) {
    for line in lines {
        // A closed standard error is nobody's trouble.
        drop(ToReader::new(rustix::stdio::stderr()).write_all(line.as_bytes()));
    }
}
