//! `boardbus show` leaves the terminal as it was, for good and for a while.

use std::{fs, os::unix::process::ExitStatusExt};

use rustix::{
    process::{Pid, Signal, kill_process},
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr},
};

use super::{super::terminal::Terminal, WALL, journal};

/// The screen of a journal, and what stands on it.
fn screen(journal: &str) -> (Terminal, String) {
    let mut terminal = Terminal::open(&["show", journal], (24, 80), true);
    let text = terminal.shows(&["1027 lost", "q leave"]);
    (terminal, text)
}

/// A screen that was stopped goes on, stands as before, and is left.
fn goes_on(mut terminal: Terminal, before: &str) {
    kill_process(Pid::from_child(&terminal.child), Signal::CONT).unwrap();
    terminal.until("the same as before", |text| text == before);
    assert!(terminal.screen.screen().hide_cursor());
    terminal.press("q");
    assert!(terminal.ended().success());
}

#[test]
fn continued_screens_take_the_terminal_again() {
    let (_folder, journal, _) = journal();
    let (mut terminal, before) = screen(&journal);
    let child = Pid::from_child(&terminal.child);
    kill_process(child, Signal::STOP).unwrap();
    // As a shell does, which takes the terminal meanwhile.
    let mut modes = tcgetattr(&terminal.slave).unwrap();
    modes.local_modes |= LocalModes::ICANON | LocalModes::ECHO;
    tcsetattr(&terminal.slave, OptionalActions::Now, &modes).unwrap();
    rustix::io::write(&terminal.slave, &[b"\x1b[?25h", WALL].concat()).unwrap();
    terminal.shows(&["coffee"]);
    goes_on(terminal, &before);
}

#[test]
fn stopped_screens_leave_the_terminal_and_return() {
    let (_folder, journal, _) = journal();
    let (mut terminal, before) = screen(&journal);
    let modes = tcgetattr(&terminal.slave).unwrap();
    assert_eq!(modes.special_codes[SpecialCodeIndex::VSUSP], 0x1a, "Ctrl-Z is its signal");
    let child = Pid::from_child(&terminal.child);
    kill_process(child, Signal::TSTP).unwrap();
    let stands = format!("/proc/{}/stat", terminal.child.id());
    terminal.until("stopped", |_| fs::read_to_string(&stands).unwrap().contains(") T "));
    terminal.read();
    let (text, screen) = (terminal.text(), terminal.screen.screen());
    assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{text}");
    let modes = tcgetattr(&terminal.slave).unwrap().local_modes;
    assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO));
    goes_on(terminal, &before);
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let (_folder, journal, _) = journal();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
        terminal.shows(&["1025", "q leave"]);
        kill_process(Pid::from_child(&terminal.child), signal).unwrap();
        assert_eq!(terminal.ended().signal(), Some(signal.as_raw()));
    }
    // What would end it at once, without a word, is a wish to leave.
    for signal in [Signal::QUIT, Signal::ABORT] {
        let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
        terminal.shows(&["1025", "q leave"]);
        kill_process(Pid::from_child(&terminal.child), signal).unwrap();
        assert!(terminal.ended().success(), "{signal:?}");
    }
}

/// By most terminals a signal too, of which no program hears that is to leave the terminal as it was.
#[test]
fn ctrl_backslash_leaves_as_the_key_does() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    terminal.shows(&["3 boards", "q leave"]);
    terminal.press("\x1c");
    assert!(terminal.ended().success());
    // A search takes letters for its own.
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    terminal.shows(&["3 boards", "q leave"]);
    terminal.press("/la\x1c");
    assert!(terminal.ended().success());
}
