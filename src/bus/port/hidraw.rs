//! Boards that are hidraw devices: which there are, and the names by which one is found again under another number.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::usb;

/// Boards that are hidraw devices: vendor, name.
const BOARDS: &[(u16, &str)] = &[(0x2d80, "Chessnut board")];
/// The beginning of the descriptor of a device with a board's reports: usage page FF00, the makers' own. The system
/// reads the other device of the same board as a keyboard or a mouse.
const OWN_PAGE: &[u8] = &[0x06, 0x00, 0xff];

/// Names of a hidraw device that stay when it gets another number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// The socket into which it is plugged, and its interface: `usb-0000:00:14.0-2/input1`.
    place: String,
    /// Its serial number, where it has one and no other device has the same.
    serial: Option<String>,
    /// Whether it was looked for and its place was empty.
    is_away: bool,
}

impl Names {
    /// The names of the device at this path, from `/sys` (`system`); none of other files, or of a device without names.
    pub fn of(system: &Path, path: &Path) -> Option<Names> {
        let device = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let class = system.join("class/hidraw");
        let place = uevent(&class.join(device.file_name()?), "HID_PHYS")?;
        let serial = uevent(&class.join(device.file_name()?), "HID_UNIQ");
        let is_other = |other: &PathBuf| {
            serial.is_some()
                && uevent(other, "HID_UNIQ") == serial
                && uevent(other, "HID_PHYS").is_none_or(|other| socket(&other) != socket(&place))
        };
        let is_shared = devices(&class).any(|other| is_other(&other));
        Some(Names { serial: serial.filter(|_| !is_shared), place, is_away: false })
    }

    /// Whether this is one of the names; the interface may be left out.
    pub fn contain(&self, name: &str) -> bool {
        name == self.place || name == socket(&self.place) || self.serial.as_deref() == Some(name)
    }

    /// Returns the device that has them now, which was at the path `before`: the one at its place or, if that is empty, the
    /// only one with its serial number. A device with this number that is already there when the place is first found empty
    /// is another board: the number is used no more.
    ///
    /// # Errors
    /// What to do where another board is at that path.
    pub fn device(&mut self, system: &Path, before: &Path) -> Result<PathBuf, String> {
        let class = system.join("class/hidraw");
        let with = |key: &str, value: &str| -> Vec<PathBuf> {
            devices(&class).filter(|device| uevent(device, key).as_deref() == Some(value)).collect()
        };
        let mut found = with("HID_PHYS", &self.place);
        if found.is_empty() {
            if let Some(serial) = &self.serial {
                found = with("HID_UNIQ", serial);
                found.retain(|device| self.is_same_interface(device));
            }
            if !std::mem::replace(&mut self.is_away, true) && !found.is_empty() {
                self.serial = None;
                found.clear();
            }
        }
        if let [device] = &found[..]
            && let Some(name) = device.file_name()
        {
            return Ok(before.with_file_name(name));
        }
        match Names::of(system, before) {
            Some(other) => Err(format!(
                "another board, at {}, has its name now: plug it in at {} as before",
                socket(&other.place),
                socket(&self.place)
            )),
            None => Ok(before.to_owned()),
        }
    }

    /// Whether a device is the same interface of its board as this one: its other interface is a keyboard.
    fn is_same_interface(&self, device: &Path) -> bool {
        let interface = |place: &str| place.strip_prefix(socket(place)).map(str::to_owned);
        uevent(device, "HID_PHYS").is_some_and(|place| interface(&place) == interface(&self.place))
    }
}

/// A place without its interface.
fn socket(place: &str) -> &str {
    place.rsplit_once("/input").map_or(place, |(socket, _)| socket)
}

/// The value of a key in the system's description of a device; none where it is empty.
fn uevent(device: &Path, key: &str) -> Option<String> {
    let lines = fs::read_to_string(device.join("device/uevent")).ok()?;
    let value = lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
    (!value.is_empty()).then(|| value.to_owned())
}

fn devices(class: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(class).into_iter().flatten().flatten().map(|device| device.path())
}

/// All boards, each with its path and name, as the system has them.
pub(super) fn boards(system: &Path) -> Vec<(PathBuf, &'static str)> {
    let board = |class: PathBuf| {
        let path = Path::new("/dev").join(class.file_name()?);
        let device = fs::canonicalize(class.join("device")).ok()?;
        let (vendor, _) = usb::ids(&device)?;
        let (_, chip) = BOARDS.iter().find(|(board, _)| *board == vendor)?;
        is_vendors(system, &path)?.then_some((path, *chip))
    };
    devices(&system.join("class/hidraw")).filter_map(board).collect()
}

/// Whether a hidraw device has the usage page of its vendor; none of a device that the system does not describe.
pub(super) fn is_vendors(system: &Path, path: &Path) -> Option<bool> {
    let device = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let described = system.join("class/hidraw").join(device.file_name()?);
    Some(fs::read(described.join("device/report_descriptor")).ok()?.starts_with(OWN_PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system with these hidraw devices: name, socket and interface, serial number, descriptor.
    fn system(devices: &[(&str, &str, &str, &[u8])]) -> tempfile::TempDir {
        let system = tempfile::tempdir().unwrap();
        for (name, place, serial, descriptor) in devices {
            let device = system.path().join("class/hidraw").join(name).join("device");
            fs::create_dir_all(&device).unwrap();
            let uevent = format!(
                "DRIVER=hid-generic\nHID_ID=0003:00002D80:00008002\nHID_NAME=Chessnut Air\nHID_PHYS={place}\n\
                 HID_UNIQ={serial}\n"
            );
            fs::write(device.join("uevent"), uevent).unwrap();
            fs::write(device.join("report_descriptor"), descriptor).unwrap();
        }
        system
    }

    fn names(system: &tempfile::TempDir, device: &str) -> Names {
        Names::of(system.path(), &Path::new("/dev").join(device)).unwrap()
    }

    // The kernel names the place of a HID interface `usb-BUS-PORTS/inputN`; all Chessnut boards have the serial number
    // "Chessnut".
    #[test]
    fn names_of_a_board_outlast_its_number() {
        let (one, other) = ("usb-0000:00:14.0-2/input1", "usb-0000:00:14.0-3.1/input1");
        let before = system(&[("hidraw1", one, "A1", OWN_PAGE), ("hidraw2", other, "B2", OWN_PAGE)]);
        let mut kept = names(&before, "hidraw1");
        for name in [one, "usb-0000:00:14.0-2", "A1"] {
            assert!(kept.contain(name) && !names(&before, "hidraw2").contain(name), "{name}");
        }
        assert!(!kept.contain("usb-0000:00:14.0") && !kept.contain(""));
        let after = system(&[("hidraw1", other, "B2", OWN_PAGE), ("hidraw4", one, "A1", OWN_PAGE)]);
        let port = Path::new("/dev/hidraw1");
        assert_eq!(kept.device(after.path(), port), Ok("/dev/hidraw4".into()));
        assert_eq!(names(&after, "hidraw4"), kept);
        // The name of a board that is unplugged may be that of another one meanwhile.
        let taken = system(&[("hidraw1", other, "B2", OWN_PAGE)]);
        assert!(
            kept.device(taken.path(), port)
                .is_err_and(|what| what.contains("plug it in at usb-0000:00:14.0-2"))
        );
        assert_eq!(kept.device(system(&[]).path(), port), Ok(port.into()));
    }

    #[test]
    fn a_serial_number_of_several_boards_names_none() {
        let [one, keyboard, other] = ["usb-1/input1", "usb-1/input0", "usb-2/input1"];
        let alone =
            system(&[("hidraw0", keyboard, "Chessnut", &[5, 1]), ("hidraw1", one, "Chessnut", OWN_PAGE)]);
        assert!(names(&alone, "hidraw1").contain("Chessnut"), "its keyboard is the same board");
        let two = system(&[("hidraw1", one, "Chessnut", OWN_PAGE), ("hidraw2", other, "Chessnut", OWN_PAGE)]);
        assert!(!names(&two, "hidraw1").contain("Chessnut"));
        let without = system(&[("hidraw1", one, "", OWN_PAGE)]);
        assert!(!names(&without, "hidraw1").contain(""));
    }

    #[test]
    fn a_board_in_another_socket_has_its_serial_number() {
        let [one, keyboard, other] = ["usb-1/input1", "usb-2/input0", "usb-2/input1"];
        let mut kept = names(&system(&[("hidraw1", one, "A1", OWN_PAGE)]), "hidraw1");
        let port = Path::new("/dev/hidraw1");
        assert_eq!(kept.device(system(&[]).path(), port), Ok(port.into()));
        let moved = system(&[("hidraw3", keyboard, "A1", &[5, 1]), ("hidraw4", other, "A1", OWN_PAGE)]);
        assert_eq!(kept.device(moved.path(), port), Ok("/dev/hidraw4".into()));
        // Two boards with the number: neither is it.
        let two = system(&[("hidraw4", other, "A1", OWN_PAGE), ("hidraw5", "usb-3/input1", "A1", OWN_PAGE)]);
        assert_eq!(kept.device(two.path(), port), Ok(port.into()));
        let none = system(&[("hidraw4", other, "B2", OWN_PAGE)]);
        assert_eq!(kept.device(none.path(), port), Ok(port.into()));
    }

    // All Chessnut boards have the serial number "Chessnut".
    #[test]
    fn a_board_that_was_there_before_is_another() {
        let [one, other] = ["usb-1/input1", "usb-2/input1"];
        let mut kept = names(&system(&[("hidraw1", one, "Chessnut", OWN_PAGE)]), "hidraw1");
        let port = Path::new("/dev/hidraw1");
        let rest = system(&[("hidraw2", other, "Chessnut", OWN_PAGE)]);
        for _ in 0..2 {
            assert_eq!(kept.device(rest.path(), port), Ok(port.into()));
        }
        let back =
            system(&[("hidraw2", other, "Chessnut", OWN_PAGE), ("hidraw3", one, "Chessnut", OWN_PAGE)]);
        assert_eq!(kept.device(back.path(), port), Ok("/dev/hidraw3".into()));
    }

    #[test]
    fn keyboards_of_boards_are_no_boards() {
        let system = system(&[("hidraw0", "", "", &[0x05, 0x01, 0x09]), ("hidraw1", "", "", OWN_PAGE)]);
        let is_vendors = |device: &str| is_vendors(system.path(), &Path::new("/dev").join(device));
        assert_eq!(["hidraw0", "hidraw1", "hidraw2"].map(is_vendors), [Some(false), Some(true), None]);
    }
}
