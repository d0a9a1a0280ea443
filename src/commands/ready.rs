//! Tells a service manager that the process is at work, as sd_notify(3) does.

use std::{
    env,
    os::{
        linux::net::SocketAddrExt,
        unix::{
            ffi::OsStrExt,
            net::{SocketAddr, UnixDatagram},
        },
    },
};

/// Says so where somebody asked, in NOTIFY_SOCKET; who does not listen misses nothing.
pub fn tell() {
    let Some(name) = env::var_os("NOTIFY_SOCKET") else { return };
    let address = match name.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
        _ => SocketAddr::from_pathname(&name),
    };
    if let (Ok(address), Ok(socket)) = (address, UnixDatagram::unbound()) {
        let _ = socket.send_to_addr(b"READY=1", &address);
    }
}
