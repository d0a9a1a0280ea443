//! A serial port of this machine: opened for us alone, 8N1, with the speed and the levels of DTR and RTS that its make has.
//!
//! Any path is taken, pseudo-terminals and links to them as well.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::{
    fs::OFlags,
    termios::{OptionalActions, SpecialCodeIndex, isatty, tcgetattr, tcsetattr},
};
use serialport::{ClearBuffer, SerialPort, TTYPort};

use super::device::Device;
use crate::bus::{
    Gone,
    link::{Levels, PortSetup},
};

/// An open serial port.
struct Serial {
    port: TTYPort,
    /// The same device, for settings that the library does not have.
    device: File,
    baud: u32,
}

/// Opens a device for us alone.
///
/// # Errors
/// What is wrong and what to do.
pub(super) fn open(path: &Path, setup: PortSetup) -> Result<Box<dyn Device>, String> {
    // Opened before the port is locked. If this fails, the error below comes from the library.
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let device = match what_else(path) {
        Some(what) => return Err(no_port(what)),
        None => File::options().read(true).write(true).custom_flags(flags).open(path),
    };
    if device.as_ref().is_ok_and(|device| !isatty(device)) {
        return Err(no_port("another kind of device"));
    }
    let mut port = serialport::new(path.to_string_lossy(), setup.baud)
        .timeout(Duration::from_millis(100))
        .dtr_on_open(false)
        .open_native()
        .map_err(|e| explain(path, &e))?;
    let failed = |e: io::Error| format!("cannot be set up: {e}");
    let device = device.map_err(failed)?;
    never_wait(&device).and_then(|()| set_speed(&device, setup.baud)).map_err(failed)?;
    set_lines(&mut port, setup.lines);
    let _ = fs::write(latency_timer(Path::new("/sys"), path), "1");
    let _ = port.clear(ClearBuffer::Input);
    Ok(Box::new(Serial { port, device, baud: setup.baud }))
}

impl Device for Serial {
    fn set_up(&mut self, setup: PortSetup) -> Result<(), Gone> {
        if self.baud != setup.baud {
            set_speed(&self.device, setup.baud).map_err(gone)?;
            self.baud = setup.baud;
            // Bytes received at another speed are wrong.
            let _ = self.port.clear(ClearBuffer::Input);
        }
        set_lines(&mut self.port, setup.lines);
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<usize, Gone> {
        self.port.set_timeout(Duration::from_secs(1)).map_err(gone)?;
        match self.port.write(bytes) {
            Ok(0) => Err(Gone("takes no more bytes".into())),
            Ok(n) => Ok(n),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(0),
            Err(e) => Err(gone(e)),
        }
    }

    fn receive(&mut self, block: &mut [u8], wait: Duration) -> Result<usize, Gone> {
        self.port.set_timeout(wait).map_err(gone)?;
        match self.port.read(block) {
            // 0 if another program read the bytes, or if the device has gone; then the next wait fails.
            Ok(n) => Ok(n),
            Err(e) if matches!(e.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Interrupted) => Ok(0),
            Err(e) => Err(gone(e)),
        }
    }
}

/// Sets the speed by the constant for it, where there is one: the library always sets a number, which programs at the
/// other end of a pseudo-terminal do not see by the usual call (serialport 4.10 with glibc 2.36).
fn set_speed(device: &File, baud: u32) -> io::Result<()> {
    let mut settings = tcgetattr(device)?;
    settings.set_speed(baud)?;
    Ok(tcsetattr(device, OptionalActions::Now, &settings)?)
}

/// Makes reads return without waiting for a byte. Otherwise a read would wait for ever if another program took the byte
/// that had just come, since boards send nothing until they are asked.
fn never_wait(device: &File) -> io::Result<()> {
    let mut settings = tcgetattr(device)?;
    settings.special_codes[SpecialCodeIndex::VMIN] = 0;
    settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    Ok(tcsetattr(device, OptionalActions::Now, &settings)?)
}

/// Chains of boards on RS-232 behave strangely with either of these lines high, some boards alone are silent with DTR
/// low. A pseudo-terminal has neither.
fn set_lines(port: &mut dyn SerialPort, levels: Levels) {
    let _ = port.write_data_terminal_ready(levels == Levels::High);
    let _ = port.write_request_to_send(levels == Levels::High);
}

/// The file below `/sys` that sets the latency timer of an FTDI adapter, which otherwise holds bytes back for 16 ms. Writing
/// it may need a permission.
fn latency_timer(system: &Path, port: &Path) -> PathBuf {
    let device = fs::canonicalize(port).unwrap_or_else(|_| port.to_owned());
    let device = device.file_name().unwrap_or_default();
    system.join("bus/usb-serial/devices").join(device).join("latency_timer")
}

/// A vanished device is reported as a broken pipe, which must not look like a reader that has gone.
fn gone(error: impl Into<io::Error>) -> Gone {
    let error = error.into();
    match error.kind() {
        io::ErrorKind::BrokenPipe => Gone("went away".into()),
        _ => Gone(format!("went away ({})", error.to_string().to_lowercase())),
    }
}

/// What kind of file a path is, if it is no character device; such a file is not opened.
fn what_else(path: &Path) -> Option<&'static str> {
    let kind = fs::metadata(path).ok()?.file_type();
    match kind {
        _ if kind.is_char_device() => None,
        _ if kind.is_dir() => Some("a directory"),
        _ if kind.is_file() => Some("a file"),
        _ if kind.is_fifo() => Some("a pipe"),
        _ if kind.is_socket() => Some("a socket"),
        _ => Some("another kind of device"),
    }
}

fn no_port(what: &str) -> String {
    format!(
        "no serial port but {what}: name the adapter's device, such as /dev/ttyUSB0 (ls /dev/serial/by-id)"
    )
}

/// What is wrong and what to do.
fn explain(path: &Path, error: &serialport::Error) -> String {
    use io::ErrorKind as Io;
    use serialport::ErrorKind;
    match error.kind {
        ErrorKind::Io(Io::NotFound) => "no such port: is the adapter plugged in?".into(),
        ErrorKind::Io(Io::PermissionDenied) => {
            "permission denied: join the group that owns it (often dialout), then log in again".into()
        }
        ErrorKind::NoDevice => busy(path),
        _ => format!("cannot be opened as a serial port: {}", error.description.to_lowercase()),
    }
}

/// That a device is busy, by whom, and what to do.
pub(super) fn busy(path: &Path) -> String {
    let holders = holders(path).unwrap_or("another program".into());
    format!("busy, held by {holders}: end that, or read its records instead")
}

/// The programs that have a device open, if the system shows them: "boardbus watch (process 123)".
fn holders(path: &Path) -> Option<String> {
    let device = fs::canonicalize(path).ok()?;
    let own = std::process::id();
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let files = |process: u32| {
        let files = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok())
    };
    let mut holding: Vec<u32> =
        processes.filter(|&process| process != own && files(process).any(|file| file == device)).collect();
    // The process that made a pseudo-terminal is its other end, and does not make it busy.
    let made_it = |process: u32| files(process).any(|file| file.ends_with("ptmx"));
    if device.starts_with("/dev/pts") && !holding.iter().all(|&process| made_it(process)) {
        holding.retain(|&process| !made_it(process));
    }
    let named = holding.into_iter().map(|process| {
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let mut words = line.split(|&byte| byte == 0).map(String::from_utf8_lossy);
        let program = words.next().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_owned();
        let command = words.next().filter(|word| !word.starts_with('-')).unwrap_or_default();
        format!("{} (process {process})", format!("{program} {command}").trim_end())
    });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| named.join(" and "))
}

#[cfg(test)]
mod tests {
    use serialport::{DataBits, Error as Failed, ErrorKind, FlowControl, Parity, Result as Answer, StopBits};

    use super::{super::LISTENING, *};

    /// A port that keeps the levels of DTR and RTS.
    struct Lines(Vec<(&'static str, bool)>);

    impl Read for Lines {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Ok(0)
        }
    }

    impl Write for Lines {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Ok(0)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Methods that are not called.
    macro_rules! unused {
        ($($name:ident($($self:ty),* $(; $argument:ty)?) -> $out:ty,)*) => {
            $(fn $name(self: $($self)* $(, _: $argument)?) -> $out { unreachable!() })*
        };
    }

    impl SerialPort for Lines {
        fn write_request_to_send(&mut self, level: bool) -> Answer<()> {
            self.0.push(("RTS", level));
            Ok(())
        }

        fn write_data_terminal_ready(&mut self, level: bool) -> Answer<()> {
            self.0.push(("DTR", level));
            Err(Failed::new(ErrorKind::Unknown, "not every adapter has it"))
        }

        unused! {
            name(&Self) -> Option<String>,
            baud_rate(&Self) -> Answer<u32>,
            data_bits(&Self) -> Answer<DataBits>,
            flow_control(&Self) -> Answer<FlowControl>,
            parity(&Self) -> Answer<Parity>,
            stop_bits(&Self) -> Answer<StopBits>,
            timeout(&Self) -> Duration,
            set_baud_rate(&mut Self; u32) -> Answer<()>,
            set_data_bits(&mut Self; DataBits) -> Answer<()>,
            set_flow_control(&mut Self; FlowControl) -> Answer<()>,
            set_parity(&mut Self; Parity) -> Answer<()>,
            set_stop_bits(&mut Self; StopBits) -> Answer<()>,
            set_timeout(&mut Self; Duration) -> Answer<()>,
            read_clear_to_send(&mut Self) -> Answer<bool>,
            read_data_set_ready(&mut Self) -> Answer<bool>,
            read_ring_indicator(&mut Self) -> Answer<bool>,
            read_carrier_detect(&mut Self) -> Answer<bool>,
            bytes_to_read(&Self) -> Answer<u32>,
            bytes_to_write(&Self) -> Answer<u32>,
            clear(&Self; ClearBuffer) -> Answer<()>,
            try_clone(&Self) -> Answer<Box<dyn SerialPort>>,
            set_break(&Self) -> Answer<()>,
            clear_break(&Self) -> Answer<()>,
        }
    }

    // Users' pain: the serial line's rule that DTR and RTS are low, in no document (jGeek's blog).
    #[test]
    fn pain_21_dtr_and_rts_are_held_low() {
        for (levels, level) in [(Levels::Low, false), (Levels::High, true)] {
            let mut lines = Lines(Vec::new());
            set_lines(&mut lines, levels);
            assert_eq!(lines.0, [("DTR", level), ("RTS", level)]);
        }
    }

    #[test]
    fn reads_do_not_wait_for_bytes_taken_by_others() {
        let master = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR).unwrap();
        rustix::pty::unlockpt(&master).unwrap();
        let path = rustix::pty::ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let mut port = open(Path::new(&path), LISTENING).unwrap();
        // A read that comes too late returns no bytes.
        let line = File::options().read(true).open(&path);
        // Only root may open it once more.
        if let Ok(mut line) = line {
            assert_eq!(line.read(&mut [0; 8]).unwrap(), 0);
        }
        assert_eq!(port.receive(&mut [0; 8], Duration::from_millis(1)), Ok(0));
        rustix::io::write(&master, b"\x87").unwrap();
        assert_eq!(port.receive(&mut [0; 8], Duration::from_secs(60)), Ok(1));
        drop(master);
        assert!(port.receive(&mut [0; 8], Duration::from_secs(60)).is_err());
    }

    #[test]
    fn the_latency_timer_is_found_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (device, link) = (folder.path().join("ttyUSB3"), folder.path().join("hall"));
        fs::write(&device, "").unwrap();
        std::os::unix::fs::symlink(&device, &link).unwrap();
        for path in [&device, &link] {
            let timer = latency_timer(Path::new("/sys"), path);
            assert_eq!(timer, Path::new("/sys/bus/usb-serial/devices/ttyUSB3/latency_timer"));
        }
    }

    #[test]
    fn errors_of_opening_a_port_have_advice() {
        let message = |kind| explain(Path::new("/dev/ttyUSB9"), &Failed::new(kind, "Whatever"));
        assert!(
            message(ErrorKind::Io(io::ErrorKind::PermissionDenied)).contains("join the group that owns it")
        );
        assert!(message(ErrorKind::Io(io::ErrorKind::NotFound)).contains("is the adapter plugged in?"));
        assert!(message(ErrorKind::NoDevice).contains("busy, held by another program"));
        assert_eq!(message(ErrorKind::Unknown), "cannot be opened as a serial port: whatever");
    }

    #[test]
    fn speeds_are_seen_at_the_other_end_of_a_pty() {
        use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
        // Linux's constants B9600 and B38400, in the bits of CBAUD.
        const CBAUD: u32 = 0o010017;
        let board = openpt(OpenptFlags::RDWR).unwrap();
        unlockpt(&board).unwrap();
        let path = PathBuf::from(ptsname(&board, Vec::new()).unwrap().into_string().unwrap());
        let at = |baud| PortSetup { baud, lines: Levels::Low };
        let seen = || tcgetattr(&board).unwrap().control_modes.bits() & CBAUD;
        let mut port = open(&path, at(38_400)).unwrap();
        assert_eq!(seen(), 0o17);
        port.set_up(at(9600)).unwrap();
        assert_eq!(seen(), 0o15);
    }
}
