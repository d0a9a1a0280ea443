//! The USB device behind a port, as the system (`/sys`) describes it.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::bus::link::UsbId;

/// The USB device behind a serial port or a hidraw device, from `/sys` (`system`); none of a port that is not on USB.
pub(super) fn id(system: &Path, port: &Path) -> Option<UsbId> {
    ids(&interface(system, port)?)
}

/// The text that distinguishes the device behind a port from others: its USB ids, serial number and socket; without
/// USB, when and where it was created. None of a port that is no device of this machine.
pub(super) fn identity(system: &Path, port: &Path) -> Option<String> {
    let usb = interface(system, port).and_then(|interface| device_above(&interface).map(Path::to_owned));
    if let Some(usb) = usb {
        let read = |file| fs::read_to_string(usb.join(file)).unwrap_or_default();
        let [vendor, product, serial] = ["idVendor", "idProduct", "serial"].map(read);
        return Some(format!("{vendor} {product} {serial} {}", usb.display()));
    }
    let device = fs::canonicalize(port).ok()?;
    let made = fs::metadata(&device).ok()?;
    Some(format!("{} {} {}.{}", device.display(), made.ino(), made.ctime(), made.ctime_nsec()))
}

/// The interface behind a serial port or a hidraw device.
fn interface(system: &Path, port: &Path) -> Option<PathBuf> {
    let device = fs::canonicalize(port).ok()?;
    let name = device.file_name()?;
    let class = ["tty", "hidraw"].map(|class| system.join("class").join(class).join(name).join("device"));
    class.iter().find_map(|path| fs::canonicalize(path).ok())
}

/// The USB device above an interface.
fn device_above(interface: &Path) -> Option<&Path> {
    interface.ancestors().find(|folder| folder.join("idVendor").exists())
}

/// The ids of the USB device above an interface.
pub(super) fn ids(interface: &Path) -> Option<UsbId> {
    let usb = device_above(interface)?;
    let read = |file| u16::from_str_radix(fs::read_to_string(usb.join(file)).ok()?.trim(), 16).ok();
    Some((read("idVendor")?, read("idProduct")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The layout of /sys by Documentation/ABI and a machine with an FTDI adapter: idVendor stands above the interface.
    #[test]
    fn ports_have_the_usb_id_above_them() {
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
        assert_eq!(id(&system, &link), Some((0x045b, 0x8111)));
        assert_eq!(id(&system, folder.path()), None);
        let of_one = identity(&system, &link);
        assert_eq!(identity(&system, &device), of_one);
        fs::write(usb.join("serial"), "3000147740\n").unwrap();
        assert_ne!(identity(&system, &link), of_one);
    }

    // A pseudo-terminal that is made after another one ended has its number.
    #[test]
    fn devices_made_again_are_other_ones() {
        let folder = tempfile::tempdir().unwrap();
        let device = folder.path().join("0");
        fs::write(&device, "").unwrap();
        let of_one = identity(folder.path(), &device);
        assert!(of_one.is_some() && identity(folder.path(), &device) == of_one);
        fs::write(folder.path().join("1"), "").unwrap();
        fs::rename(folder.path().join("1"), &device).unwrap();
        assert_ne!(identity(folder.path(), &device), of_one);
        assert_eq!(identity(folder.path(), Path::new("tcp://hall:2000")), None);
    }
}
