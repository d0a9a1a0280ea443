//! Finds adapters from USB to a serial line by their chips, for when the user names no port.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serialport::{SerialPortInfo, SerialPortType, UsbPortInfo};

use crate::{
    bus::link::UsbId,
    error::{Error, Result},
};

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
/// Boards that are hidraw devices: vendor, name.
const HIDRAW: &[(u16, &str)] = &[(0x2d80, "Chessnut board")];
/// The first bytes of the descriptor of the device with the board's reports: the vendor's usage page FF00. The other device of
/// the same board is a keyboard or a mouse for the system.
const OWN_PAGE: &[u8] = &[0x06, 0x00, 0xff];

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

/// A name of a serial port that stays the same when it is plugged in again, by its USB socket; its own name if the system has
/// no such name.
pub fn lasting_name(path: &Path) -> PathBuf {
    let links = fs::read_dir("/dev/serial/by-path").into_iter().flatten().flatten();
    let mut links: Vec<PathBuf> = links.map(|link| link.path()).collect();
    links.sort();
    let device = fs::canonicalize(path).ok();
    let is_it = |link: &PathBuf| device.is_some() && fs::canonicalize(link).ok() == device;
    links.into_iter().find(is_it).unwrap_or_else(|| path.to_owned())
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
    let board = |class: PathBuf| {
        let path = Path::new("/dev").join(class.file_name()?);
        let device = fs::canonicalize(class.join("device")).ok()?;
        let (vendor, _) = usb_ids(&device)?;
        let (_, chip) = HIDRAW.iter().find(|(board, _)| *board == vendor)?;
        let descriptor = fs::read(device.join("report_descriptor")).ok()?;
        descriptor.starts_with(OWN_PAGE).then_some(Adapter { path, chip })
    };
    let devices = fs::read_dir(system.join("class/hidraw")).into_iter().flatten().flatten();
    devices.filter_map(|device| board(device.path())).collect()
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

/// The ids of the USB device of a serial port or a hidraw device, by the description of the system (`/sys`); none if it is not
/// on USB.
pub(super) fn usb_id(system: &Path, port: &Path) -> Option<UsbId> {
    let device = fs::canonicalize(port).ok()?;
    let name = device.file_name()?;
    let class = ["tty", "hidraw"].map(|class| system.join("class").join(class).join(name).join("device"));
    usb_ids(&class.iter().find_map(|path| fs::canonicalize(path).ok())?)
}

/// The ids of the USB device above an interface.
fn usb_ids(device: &Path) -> Option<UsbId> {
    let read = |folder: &Path, file| {
        u16::from_str_radix(fs::read_to_string(folder.join(file)).ok()?.trim(), 16).ok()
    };
    device.ancestors().find_map(|folder| Some((read(folder, "idVendor")?, read(folder, "idProduct")?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The layout of /sys by Documentation/ABI and a machine with an FTDI adapter: idVendor is in a folder above the interface.
    #[test]
    fn the_usb_id_is_that_of_the_parent_device() {
        let folder = tempfile::tempdir().unwrap();
        let system = folder.path().join("sys");
        let usb = system.join("devices/usb1/1-2");
        let interface = usb.join("1-2:1.0/ttyUSB7");
        fs::create_dir_all(&interface).unwrap();
        fs::create_dir_all(system.join("class/tty/ttyUSB7")).unwrap();
        fs::write(usb.join("idVendor"), "045b\n").unwrap();
        fs::write(usb.join("idProduct"), "8111\n").unwrap();
        std::os::unix::fs::symlink(&interface, system.join("class/tty/ttyUSB7/device")).unwrap();
        let (device, link) = (folder.path().join("ttyUSB7"), folder.path().join("by-path"));
        fs::write(&device, "").unwrap();
        std::os::unix::fs::symlink(&device, &link).unwrap();
        assert_eq!(usb_id(&system, &link), Some((0x045b, 0x8111)));
        assert_eq!(usb_id(&system, folder.path()), None);
    }

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
