//! A device that is read and written in separate reports: a hidraw device of Linux.
//!
//! A unix socket of packets (`SOCK_SEQPACKET`) to a simulator can replace it: each packet is read whole, as each report is.

use std::{
    fs,
    io::ErrorKind,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::FileTypeExt,
    },
    path::Path,
    time::Duration,
};

use rustix::{
    fs::{FlockOperation, Mode, OFlags},
    io::Errno,
    net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType},
};

use super::{device::Device, hidraw, serial};
use crate::{
    bus::{Gone, link::LinkKind},
    stop,
};

/// Whether this path is a hidraw device, or a socket that replaces one.
pub(super) fn are_read_from(path: &Path) -> bool {
    let is_socket = fs::metadata(path).is_ok_and(|found| found.file_type().is_socket());
    let device = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = device.file_name().unwrap_or_default().to_string_lossy();
    is_socket || device.starts_with("/dev") && name.starts_with("hidraw")
}

/// Opens it.
///
/// # Errors
/// What is wrong and what to do.
pub(super) fn open(path: &Path) -> Result<Box<dyn Device>, String> {
    let is_socket = fs::metadata(path).is_ok_and(|found| found.file_type().is_socket());
    // A device that the system does not describe counts as a board.
    if !is_socket && hidraw::is_vendors(Path::new("/sys"), path) == Some(false) {
        return Err(
            "the keyboard's side of a board, or another device: name the other hidraw device of the board"
                .into(),
        );
    }
    let opened = if is_socket {
        connect(path)
    } else {
        rustix::fs::open(path, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())
    };
    let opened = opened.map_err(explain)?;
    // The system lets several programs read such a device.
    if !is_socket && rustix::fs::flock(&opened, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Err(serial::busy(path));
    }
    Ok(Box::new(Reports(opened)))
}

fn connect(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket)
}

fn explain(error: Errno) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such port: is the board plugged in and switched on?".into(),
        ErrorKind::PermissionDenied => {
            "permission denied: a udev rule for hidraw devices gives it to you (see FILES in man boardbus-watch)"
                .into()
        }
        ErrorKind::ConnectionRefused => "nobody listens on this socket".into(),
        _ if error == Errno::PROTOTYPE => "no socket of packets (SOCK_SEQPACKET): name the board's device".into(),
        _ => format!("cannot be opened: {}", error.to_string().to_lowercase()),
    }
}

/// An open device.
struct Reports(OwnedFd);

impl Device for Reports {
    fn kind(&self) -> LinkKind {
        LinkKind::Reports
    }

    fn send(&mut self, bytes: &[u8]) -> Result<usize, Gone> {
        match rustix::io::write(&self.0, bytes) {
            Ok(n) if n < bytes.len() => Err(Gone("takes no whole report".into())),
            Ok(n) => Ok(n),
            Err(Errno::INTR) => Ok(0),
            Err(Errno::AGAIN) => Err(Gone("takes no more reports".into())),
            Err(e) => Err(gone(e)),
        }
    }

    fn receive(&mut self, block: &mut [u8], wait: Duration) -> Result<usize, Gone> {
        if !stop::readable_within(self.0.as_fd(), wait).map_err(|e| Gone(format!("went away ({e})")))? {
            return Ok(0);
        }
        match rustix::io::read(&self.0, block) {
            // A socket whose other end was closed; a device that has gone gives an error.
            Ok(0) => Err(Gone("went away".into())),
            Ok(n) => Ok(n),
            Err(Errno::INTR | Errno::AGAIN) => Ok(0),
            Err(e) => Err(gone(e)),
        }
    }
}

fn gone(error: Errno) -> Gone {
    Gone(format!("went away ({})", error.to_string().to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Link, port::Port};

    /// A socket at this path that stands for a device.
    fn device(path: &Path) -> OwnedFd {
        let listening =
            rustix::net::socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
                .unwrap();
        rustix::net::bind(&listening, &SocketAddrUnix::new(path).unwrap()).unwrap();
        rustix::net::listen(&listening, 1).unwrap();
        listening
    }

    #[test]
    fn boards_are_found_again_by_serial_number() {
        let folder = tempfile::tempdir().unwrap();
        let (devices, system) = (folder.path().join("dev"), folder.path().join("sys"));
        fs::create_dir(&devices).unwrap();
        let plug = |name: &str, place: &str| {
            let described = system.join("class/hidraw").join(name).join("device");
            fs::create_dir_all(&described).unwrap();
            fs::write(described.join("uevent"), format!("HID_PHYS={place}\nHID_UNIQ=A1\n")).unwrap();
            device(&devices.join(name))
        };
        let unplug = |name: &str| {
            fs::remove_dir_all(system.join("class/hidraw").join(name)).unwrap();
            fs::remove_file(devices.join(name)).unwrap();
        };
        let mut port = Port::closed(&devices.join("hidraw1"), None, None);
        port.system = system.clone();
        drop(plug("hidraw1", "usb-1/input1"));
        unplug("hidraw1");
        assert!(port.reopen().is_err());
        for (number, place) in [(1, "usb-1/input1"), (5, "usb-1/input1"), (4, "usb-2.3/input1")] {
            let name = format!("hidraw{number}");
            let board = plug(&name, place);
            port.reopen().unwrap();
            let board = rustix::net::accept(&board).unwrap();
            rustix::io::write(&board, &[number]).unwrap();
            let (mut heard, until) = (Vec::new(), port.now() + Duration::from_secs(60));
            port.receive(&mut heard, until).unwrap();
            assert_eq!(heard, [number]);
            assert!(port.is_another_device());
            port.settle();
            drop(board);
            unplug(&name);
            assert!(port.reopen().is_err());
        }
    }

    #[test]
    fn a_device_that_is_read_already_is_busy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hidraw1");
        fs::write(&path, "").unwrap();
        let first = open(&path).unwrap();
        let second = open(&path).map(|_| ()).unwrap_err();
        assert!(second.contains("busy, held by"), "{second}");
        drop(first);
        assert!(open(&path).is_ok());
    }

    #[test]
    fn reports_keep_their_borders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hidraw");
        let listening = device(&path);
        let mut port = Port::closed(&path, None, None).opened().unwrap();
        assert_eq!(port.kind(), LinkKind::Reports);
        let board = rustix::net::accept(&listening).unwrap();
        rustix::io::write(&board, &[1, 2]).unwrap();
        rustix::io::write(&board, &[3]).unwrap();
        let until = port.now() + Duration::from_secs(60);
        for report in [&[1, 2][..], &[3]] {
            let mut heard = Vec::new();
            port.receive(&mut heard, until).unwrap();
            assert_eq!(heard, report);
        }
        port.send(&[0x21, 1, 0]).unwrap();
        let mut written = [0; 8];
        let length = rustix::io::read(&board, &mut written).unwrap();
        assert_eq!(written[..length], [0x21, 1, 0]);
        drop(board);
        assert_eq!(port.receive(&mut Vec::new(), until), Err(Gone("went away".into())));
    }
}
