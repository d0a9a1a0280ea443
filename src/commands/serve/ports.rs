//! The ports on which the server listens.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener},
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::{
    error::{Error, Result},
    serve::CLOSING_MAX,
    stdio,
};

/// How many files are open besides connections and listeners, at most: journals, tables, standard streams.
const OTHER_FILES: usize = 64;

/// LiveChess's port.
const PORT: u16 = 1982;

/// A range of ports.
pub fn range(text: &str) -> std::result::Result<(u16, u16), String> {
    let (from, to) = text.split_once('-').ok_or("not FROM-TO, such as 1982-1990")?;
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 0 < from && from <= to => Ok((from, to)),
        _ => Err("not two ports from 1 to 65535, the lower one first".into()),
    }
}

/// The origin of a site, as browsers send it.
pub fn origin(text: &str) -> std::result::Result<String, String> {
    let plain = text.trim_end_matches('/');
    match plain.split_once("://") {
        Some(("http" | "https", host)) if !host.is_empty() && !host.contains('/') => Ok(plain.to_owned()),
        _ => Err("not an origin such as https://club.example".into()),
    }
}

/// Raises the number of files that this process may open as far as so many clients need it, and returns the number of
/// clients for which there is room.
pub fn room_for(clients: usize, listeners: usize) -> usize {
    let beside = (listeners + CLOSING_MAX + OTHER_FILES) as u64;
    let wanted = clients as u64 + beside;
    let may_open = || getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if may_open() < wanted {
        let maximum = getrlimit(Resource::Nofile).maximum;
        let current = Some(maximum.map_or(wanted, |maximum| maximum.min(wanted)));
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
    let room = may_open().saturating_sub(beside).max(1);
    if room >= clients as u64 {
        return clients;
    }
    stdio::say(format_args!(
        "there is room for {room} connections, not for {clients}: this process may open {} files only (ulimit -n, or \
         LimitNOFILE= of its unit)",
        may_open()
    ));
    room as usize
}

/// Listens on these addresses: on a port for all boards, and on ports for one board each, with the board's number.
/// Where no address was given, an address of IPv6 may be missing.
pub fn listen(
    addresses: &[IpAddr],
    port: Option<u16>,
    ports: Option<(u16, u16)>,
) -> Result<Vec<(TcpListener, Option<usize>)>> {
    let usual = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    let asked = !addresses.is_empty();
    let addresses = if asked { addresses } else { &usual };
    let of_one = ports.map_or(0..0, |(from, to)| usize::from(from)..usize::from(to) + 1);
    if let Some(port) = port.filter(|&port| of_one.contains(&usize::from(port))) {
        return Err(Error::Usage(format!(
            "--port {port} is one of --ports: all boards need a port beside these"
        )));
    }
    let of_all = port.unwrap_or(PORT);
    let of_all = (!of_one.contains(&usize::from(of_all))).then_some((of_all, None));
    let each = of_all.into_iter().chain(of_one.enumerate().map(|(nth, port)| (port as u16, Some(nth))));
    let mut listeners = Vec::new();
    for (port, nth) in each {
        for &address in addresses {
            let place = SocketAddr::new(address, port);
            match bind(place) {
                Ok(listener) => listeners.push((listener, nth)),
                Err(e) if !asked && address.is_ipv6() && e.kind() != io::ErrorKind::AddrInUse => {
                    stdio::say(format_args!("{place} is not listened on: {e}"));
                }
                Err(e) if e.kind() == io::ErrorKind::AddrInUse => {
                    let what =
                        format!("{place} (is LiveChess or another `serve` running? --port takes another)");
                    return Err(Error::io(what, e));
                }
                Err(e) => return Err(Error::io(place, e)),
            }
        }
    }
    Ok(listeners)
}

/// The addresses of all boards, and of one each, in words.
pub fn words(listeners: &[(TcpListener, Option<usize>)]) -> String {
    let places = |all: bool| {
        let these = listeners.iter().filter(|(_, nth)| nth.is_none() == all);
        these.filter_map(|(listener, _)| Some(listener.local_addr().ok()?.to_string())).collect::<Vec<_>>()
    };
    let (all, one) = (places(true), places(false));
    let of_all = (!all.is_empty()).then(|| format!("all boards on {}", all.join(" and ")));
    let of_one =
        one.first().zip(one.last()).map(|(first, last)| format!("one board each on {first} to {last}"));
    of_all.into_iter().chain(of_one).collect::<Vec<_>>().join(", ")
}

fn bind(place: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(place)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_ports_and_origins_are_read_strictly() {
        assert_eq!(range("1982-1990"), Ok((1982, 1990)));
        for wrong in ["1982", "0-1", "2-1", "1-65536", "a-b", ""] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert_eq!(origin("https://club.example/"), Ok("https://club.example".into()));
        for wrong in ["club.example", "https://", "ftp://a", "https://a/b"] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
