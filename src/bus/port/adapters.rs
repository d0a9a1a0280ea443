//! Finds adapters from USB to a serial line by their chips, for when the user names no port.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serialport::{SerialPortInfo, SerialPortType, UsbPortInfo};

use super::hidraw;
use crate::error::{Error, Result};

/// Chips of adapters: vendor, product (none: any other of that vendor), name. From the tables of the Linux drivers
/// `ftdi_sio`, `cp210x`, `pl2303`, `ch341` and `cdc-acm`.
const CHIPS: &[(u16, Option<u16>, &str)] = &[
    (0x0403, Some(0x6001), "FTDI FT232R"),
    (0x0403, Some(0x6010), "FTDI FT2232"),
    (0x0403, Some(0x6011), "FTDI FT4232"),
    (0x0403, Some(0x6014), "FTDI FT232H"),
    (0x0403, Some(0x6015), "FTDI FT231X"),
    (0x0403, None, "FTDI"),
    (0x10c4, None, "CP210x"),
    (0x067b, None, "PL2303"),
    (0x1a86, None, "CH340"),
    (0x045b, Some(0x8111), "DGT board"),
    (0x04d8, Some(0x000a), "DGT board"),
];

/// An adapter that a line may be on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// The serial port.
    pub path: PathBuf,
    /// Its chip: "FTDI FT231X".
    pub chip: &'static str,
}

/// The only adapter of this machine.
///
/// # Errors
/// [`Error::Usage`] if there is none or more than one, with a list of the ports.
pub fn only_adapter() -> Result<Adapter> {
    only_one(&ports(), hidraw_boards(Path::new("/sys")))
}

/// All adapters and hidraw boards of this machine, in the order of their names.
///
/// # Errors
/// [`Error::Usage`] if there is none.
pub fn all_adapters() -> Result<Vec<Adapter>> {
    let (ports, hidraw) = (ports(), hidraw_boards(Path::new("/sys")));
    let mut all: Vec<Adapter> = ports.iter().filter_map(adapter).chain(hidraw.iter().cloned()).collect();
    all.sort_by(|one, other| one.path.cmp(&other.path));
    if all.is_empty() { only_one(&ports, hidraw).map(|only| vec![only]) } else { Ok(all) }
}

/// A name of a port that stays the same when it is plugged in again, by its socket; its own name where the system has no
/// other. The first folder has the names of serial ports, the second those of our own udev rules.
pub fn lasting_name(path: &Path) -> PathBuf {
    let device = fs::canonicalize(path).ok();
    let link_in = |folder: &&str| {
        let links = fs::read_dir(folder).into_iter().flatten().flatten().map(|link| link.path());
        links.filter(|link| device.is_some() && fs::canonicalize(link).ok() == device).min()
    };
    let found = ["/dev/serial/by-path", "/dev/boardbus"].iter().find_map(link_in);
    found.unwrap_or_else(|| path.to_owned())
}

fn ports() -> Vec<SerialPortInfo> {
    // The enumeration of serial ports panics if this folder is missing.
    if Path::new("/sys/class/tty").is_dir() {
        serialport::available_ports().unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// Boards that are hidraw devices, by the description of the system (`/sys`).
fn hidraw_boards(system: &Path) -> Vec<Adapter> {
    hidraw::boards(system).into_iter().map(|(path, chip)| Adapter { path, chip }).collect()
}

/// A serial port as an adapter that a line may be on.
fn adapter(port: &SerialPortInfo) -> Option<Adapter> {
    let SerialPortType::UsbPort(usb) = &port.port_type else { return None };
    Some(Adapter { path: port.port_name.clone().into(), chip: chip(usb)? })
}

fn only_one(ports: &[SerialPortInfo], hidraw: Vec<Adapter>) -> Result<Adapter> {
    let names = |ports: &[SerialPortInfo]| {
        let names: Vec<&str> = ports.iter().map(|port| &port.port_name[..]).collect();
        names.join(", ")
    };
    let adapters: Vec<Adapter> = ports.iter().filter_map(adapter).chain(hidraw).collect();
    let problem = match (&adapters[..], ports) {
        ([only], _) => return Ok(only.clone()),
        ([], []) => "no serial port found: plug the adapter in, or give --port".into(),
        ([], _) => {
            format!("no adapter of a known chip found: give --port, one of {}", names(ports))
        }
        _ => {
            let name = |adapter: &Adapter| format!("{} ({})", adapter.path.display(), adapter.chip);
            let names: Vec<String> = adapters.iter().map(name).collect();
            format!("several adapters found: give --port, one of {}", names.join(", "))
        }
    };
    Err(Error::Usage(problem))
}

/// The chip of an adapter; none of other USB devices.
fn chip(usb: &UsbPortInfo) -> Option<&'static str> {
    let is_it = |(vendor, product, _): &&(u16, Option<u16>, &str)| {
        *vendor == usb.vid && product.is_none_or(|product| product == usb.pid)
    };
    CHIPS.iter().find(is_it).map(|(_, _, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str, ids: Option<(u16, u16)>) -> SerialPortInfo {
        let usb =
            |(vid, pid)| UsbPortInfo { vid, pid, serial_number: None, manufacturer: None, product: None };
        let port_type = ids.map_or(SerialPortType::Unknown, |ids| SerialPortType::UsbPort(usb(ids)));
        SerialPortInfo { port_name: name.into(), port_type }
    }

    // Usage page FF00 is that of the board's reports; 01 is that of its second device.
    #[test]
    fn the_hidraw_device_with_the_vendor_page_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let system = folder.path();
        for (name, vendor, descriptor) in [
            ("hidraw0", "2d80", &[0x05, 0x01][..]),
            ("hidraw1", "2d80", &[0x06, 0x00, 0xff, 0x09]),
            ("hidraw2", "046d", &[0x06, 0x00, 0xff]),
        ] {
            let usb = system.join("devices").join(name);
            let device = usb.join("interface/0003:2D80:8002.0001");
            fs::create_dir_all(&device).unwrap();
            fs::write(usb.join("idVendor"), vendor).unwrap();
            fs::write(usb.join("idProduct"), "8002").unwrap();
            fs::write(device.join("report_descriptor"), descriptor).unwrap();
            fs::create_dir_all(system.join("class/hidraw").join(name)).unwrap();
            std::os::unix::fs::symlink(&device, system.join("class/hidraw").join(name).join("device"))
                .unwrap();
        }
        let boards = hidraw_boards(system);
        assert_eq!(boards, [Adapter { path: "/dev/hidraw1".into(), chip: "Chessnut board" }]);
        assert_eq!(only_one(&[], boards.clone()).unwrap(), boards[0]);
    }

    #[test]
    fn the_one_adapter_is_found_whatever_its_chip() {
        let (plain, other) = (port("/dev/ttyS0", None), port("/dev/ttyACM0", Some((0x2341, 0x0043))));
        for (ids, chip) in [
            ((0x0403, 0x6001), "FTDI FT232R"),
            ((0x0403, 0x6015), "FTDI FT231X"),
            ((0x0403, 0x6011), "FTDI FT4232"),
            ((0x10c4, 0xea60), "CP210x"),
            ((0x10c4, 0xea71), "CP210x"),
            ((0x067b, 0x2303), "PL2303"),
            ((0x067b, 0x23a3), "PL2303"),
            ((0x1a86, 0x7523), "CH340"),
            ((0x1a86, 0x55d4), "CH340"),
            ((0x045b, 0x8111), "DGT board"),
            ((0x04d8, 0x000a), "DGT board"),
        ] {
            let found = only_one(&[plain.clone(), port("/dev/ttyUSB0", Some(ids)), other.clone()], vec![]);
            assert_eq!(found.unwrap(), Adapter { path: "/dev/ttyUSB0".into(), chip });
        }
    }

    #[test]
    fn several_adapters_are_listed_with_their_chips() {
        let (plain, other) = (port("/dev/ttyS0", None), port("/dev/ttyACM0", Some((0x2341, 0x0043))));
        let (one, two) =
            (port("/dev/ttyUSB0", Some((0x0403, 0x6001))), port("/dev/ttyUSB1", Some((0x1a86, 0x7523))));
        for (ports, expected) in [
            (vec![], "no serial port found: plug the adapter in, or give --port"),
            (
                vec![plain.clone(), other],
                "no adapter of a known chip found: give --port, one of /dev/ttyS0, /dev/ttyACM0",
            ),
            (
                vec![plain, one, two],
                "several adapters found: give --port, one of /dev/ttyUSB0 (FTDI FT232R), /dev/ttyUSB1 (CH340)",
            ),
        ] {
            assert_eq!(only_one(&ports, vec![]).unwrap_err().to_string(), expected);
        }
    }
}
