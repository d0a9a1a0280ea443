//! A terminal in which `boardbus` runs: keys are pressed there, and it is read what it shows.

use std::{
    fs::File,
    io::{Read, Write},
    os::fd::OwnedFd,
    process::{Child, Command, Stdio},
    time::Instant,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize},
};

use super::hall::DEADLINE;

/// A terminal of that size in which `boardbus` runs.
pub struct Terminal {
    pub child: Child,
    pub master: File,
    pub slave: OwnedFd,
    pub screen: vt100::Parser,
    /// All that was written.
    pub bytes: Vec<u8>,
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// A terminal of that size, in which nothing runs yet: its other end, and itself.
pub fn pair(rows: u16, columns: u16) -> (File, OwnedFd) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let slave = ioctl_tiocgptpeer(&master, flags).unwrap();
    tcsetwinsize(&slave, size(rows, columns)).unwrap();
    rustix::io::ioctl_fionbio(&master, true).unwrap();
    (master.into(), slave)
}

impl Terminal {
    pub fn open(args: &[&str], size: (u16, u16), colours: bool) -> Terminal {
        Terminal::open_as("xterm-256color", args, size, colours)
    }

    pub fn open_as(kind: &str, args: &[&str], (rows, columns): (u16, u16), colours: bool) -> Terminal {
        let (master, slave) = pair(rows, columns);
        let end = || Stdio::from(slave.try_clone().unwrap());
        // Whoever runs the tests may have started them to outlive their terminal.
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_boardbus")]);
        command.args(args).env("LC_ALL", "C.UTF-8").env("TERM", kind).env_remove("NO_COLOR");
        command.env("TZ", "Europe/Berlin");
        if !colours {
            command.env("NO_COLOR", "1");
        }
        let child = command.stdin(end()).stdout(end()).stderr(Stdio::piped()).spawn().unwrap();
        let screen = vt100::Parser::new(rows, columns, 0);
        Terminal { child, master, slave, screen, bytes: Vec::new() }
    }

    /// Reads what was written so far.
    pub fn read(&mut self) {
        let mut block = [0; 65536];
        while let Ok(n @ 1..) = self.master.read(&mut block) {
            self.screen.process(&block[..n]);
            self.bytes.extend_from_slice(&block[..n]);
        }
    }

    /// Until something was written, or a twentieth of a second: then it is looked again.
    pub fn wait(&self) {
        let a_while = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        let _ = poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&a_while));
    }

    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the screen shows all of this; what it shows then.
    pub fn shows(&mut self, what: &[&str]) -> String {
        self.until(&format!("{what:?}"), |text| what.iter().all(|what| text.contains(what)))
    }

    pub fn until(&mut self, what: &str, is: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            self.read();
            let text = self.text();
            if is(&text) {
                return text;
            }
            assert!(began.elapsed() < DEADLINE, "{what}:\n{text}");
            self.wait();
        }
    }

    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    pub fn resize(&mut self, rows: u16, columns: u16) {
        tcsetwinsize(&self.slave, size(rows, columns)).unwrap();
        self.screen.screen_mut().set_size(rows, columns);
    }

    /// Waits until it has ended; how, and that the terminal is as it was.
    pub fn ended(&mut self) -> std::process::ExitStatus {
        let (status, behind) = self.left();
        assert_eq!(behind, "");
        status
    }

    /// The same, and what it wrote when it had left the screen.
    pub fn left(&mut self) -> (std::process::ExitStatus, String) {
        let began = Instant::now();
        let status = loop {
            self.read();
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < DEADLINE);
            self.wait();
        };
        self.read();
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        assert!(text.starts_with("\x1b[?1049h"), "{text:?}");
        let (_, behind) =
            text.rsplit_once("\x1b[0m\x1b[?25h\x1b[?1049l").unwrap_or_else(|| panic!("{text:?}"));
        let modes = tcgetattr(&self.slave).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO));
        (status, behind.to_owned())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
