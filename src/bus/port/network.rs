//! A serial port that a server offers on the network, byte for byte: `ser2net`, `socat`, a serial server in a box.
//!
//! Only bytes are transferred: speed, parity and the lines DTR and RTS are configured at the server.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream, ToSocketAddrs},
    os::fd::AsFd,
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use rustix::net::sockopt::set_tcp_user_timeout;

use super::device::Device;
use crate::{bus::Gone, stop};

/// The time-out of a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// A server that confirms no bytes for this time is gone: it has no power, or a cable is out. Boards are polled many times a
/// second, so there are always bytes to confirm.
const UNCONFIRMED: Duration = Duration::from_secs(10);
/// The number of last bytes that are kept.
const KEPT_BYTES: usize = 200;
/// Text with fewer letters may be bytes of boards.
const LETTERS_MIN: usize = 4;
/// How often signals are checked while a connection is made.
const PIECE: Duration = Duration::from_millis(100);

/// Connects to a server, `host:port`.
///
/// # Errors
/// What is wrong and what to do.
pub(super) fn open(server: &str) -> Result<Box<dyn Device>, String> {
    let (to, from) = sync_channel(1);
    let name = server.to_owned();
    // In another thread, so that a signal need not wait for the name or the connection.
    let connecting = thread::Builder::new().spawn(move || to.send(connect(&name)));
    connecting.map_err(|e| e.to_string())?;
    loop {
        match from.recv_timeout(PIECE) {
            Ok(connected) => {
                let open = |stream| Box::new(Connection { stream, last: Vec::new() }) as Box<dyn Device>;
                return connected.map(open);
            }
            Err(RecvTimeoutError::Timeout) if stop::requested().is_none() => {}
            Err(_) => return Err("a signal came before it was connected".into()),
        }
    }
}

fn connect(server: &str) -> Result<TcpStream, String> {
    let addresses = server.to_socket_addrs().map_err(|e| match e.kind() {
        ErrorKind::InvalidInput => "name host and port: tcp://host:port".into(),
        _ => format!("no such host ({e})"),
    })?;
    let mut problem = "no such host".into();
    for address in addresses {
        match connect_to(&address) {
            Ok(stream) => return Ok(stream),
            Err(e) => problem = explain(&e),
        }
    }
    Err(problem)
}

fn connect_to(address: &SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(address, CONNECT)?;
    // Commands of four bytes are sent without waiting for more.
    stream.set_nodelay(true)?;
    stream.set_nonblocking(true)?;
    let _ = set_tcp_user_timeout(&stream, UNCONFIRMED.as_millis() as u32);
    Ok(stream)
}

/// A connection, and its last bytes: a server may write its reason before it closes the connection.
struct Connection {
    stream: TcpStream,
    last: Vec<u8>,
}

impl Device for Connection {
    fn send(&mut self, bytes: &[u8]) -> Result<usize, Gone> {
        match self.stream.write(bytes) {
            Ok(n) => Ok(n),
            Err(e) if e.kind() == ErrorKind::Interrupted => Ok(0),
            Err(e) if e.kind() == ErrorKind::WouldBlock => Err(Gone("takes no more bytes".into())),
            Err(e) => Err(self.gone(Some(&e))),
        }
    }

    fn receive(&mut self, block: &mut [u8], wait: Duration) -> Result<usize, Gone> {
        // Checks at least once, so that a delayed process still receives bytes that have come.
        let ready = stop::readable_within(self.stream.as_fd(), wait).map_err(|e| self.gone(Some(&e)))?;
        match if ready { self.stream.read(block) } else { return Ok(0) } {
            Ok(0) => Err(self.gone(None)),
            Ok(n) => {
                self.keep(&block[..n]);
                Ok(n)
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(0),
            Err(e) => Err(self.gone(Some(&e))),
        }
    }
}

impl Connection {
    fn keep(&mut self, bytes: &[u8]) {
        self.last.extend_from_slice(bytes);
        let over = self.last.len().saturating_sub(KEPT_BYTES);
        self.last.drain(..over);
    }

    /// The message about the end of the connection, with the words that the server wrote before.
    fn gone(&mut self, error: Option<&io::Error>) -> Gone {
        // After a failed send there may be bytes that were not read yet.
        let mut block = [0; KEPT_BYTES];
        while let Ok(n @ 1..) = self.stream.read(&mut block) {
            self.keep(&block[..n]);
        }
        let how = match error {
            None => "closed the connection".into(),
            Some(error) => format!("went away ({})", explain(error)),
        };
        Gone(match words(&self.last) {
            Some(words) => format!("{how} after it wrote `{words}`"),
            None => how,
        })
    }
}

/// The words at the end of the last bytes, on one line and without control characters; none if the bytes are those of boards.
fn words(last: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(last);
    let is_text = |&(_, c): &(usize, char)| {
        c != char::REPLACEMENT_CHARACTER && (!c.is_control() || matches!(c, '\r' | '\n' | '\t'))
    };
    let (start, _) = text.char_indices().rev().take_while(is_text).last()?;
    let words = text[start..].split_whitespace().collect::<Vec<_>>().join(" ");
    let is_text = words.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS_MIN;
    is_text.then(|| words.escape_debug().to_string())
}

/// The error, with advice if there is any.
fn explain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => "nobody listens there: is the serial server running?".into(),
        ErrorKind::TimedOut => "no answer from that host: is it switched on?".into(),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => "the connection was closed".into(),
        _ => error.to_string().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn bytes_go_both_ways_until_the_connection_ends() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut device = open(&listener.local_addr().unwrap().to_string()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(device.send(&all), Ok(256));
        let mut heard = [0; 256];
        server.read_exact(&mut heard).unwrap();
        assert_eq!(heard[..], all);
        server.write_all(&all).unwrap();
        let (mut answer, mut block) = (Vec::<u8>::new(), [0; 100]);
        while answer.len() < 256 {
            let n = device.receive(&mut block, Duration::from_secs(10)).unwrap();
            answer.extend(&block[..n]);
        }
        assert_eq!(answer, all);
        assert_eq!(device.receive(&mut block, Duration::from_millis(1)), Ok(0));
        drop(server);
        assert!(device.receive(&mut block, Duration::from_secs(10)).is_err());
    }

    /// The message about the end of a connection on which the server wrote this.
    fn end_of(written: &[&[u8]]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut device = open(&listener.local_addr().unwrap().to_string()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        written.iter().for_each(|bytes| server.write_all(bytes).unwrap());
        drop(server);
        let mut block = [0; 100];
        loop {
            if let Err(Gone(how)) = device.receive(&mut block, Duration::from_secs(10)) {
                return how;
            }
        }
    }

    #[test]
    fn words_of_a_server_that_closes_are_quoted() {
        let closed = "closed the connection";
        assert_eq!(end_of(&[]), closed);
        assert_eq!(
            end_of(&[b"Port already in use\r\n"]),
            format!("{closed} after it wrote `Port already in use`")
        );
        // After bytes of boards and the first bytes of telnet.
        let frame = [0x83, 0x00, 0x46, 0x08, 0x01];
        let all = [&frame[..], &[0xff, 0xfb, 0x01], b"belegt:\r\nsp\xc3\xa4ter \x07\"noch\" mal\r\n"];
        assert_eq!(end_of(&all), format!("{closed} after it wrote `\\\"noch\\\" mal`"));
        assert_eq!(end_of(&[&frame, b"Tag"]), closed);
        let long = end_of(&[&[b'x'; 5000]]);
        assert_eq!(long, format!("{closed} after it wrote `{}`", "x".repeat(KEPT_BYTES)));
    }

    #[test]
    fn words_are_quoted_after_a_failed_send() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut device = open(&listener.local_addr().unwrap().to_string()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        server.write_all(b"Port already in use\r\n").unwrap();
        drop(server);
        let how = loop {
            if let Err(Gone(how)) = device.send(b"\x87") {
                break how;
            }
        };
        assert!(how.ends_with(" after it wrote `Port already in use`"), "{how}");
    }

    #[test]
    fn errors_of_connecting_have_advice() {
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let problem = |server: &str| open(server).err().unwrap();
        assert_eq!(problem(&nobody.to_string()), "nobody listens there: is the serial server running?");
        assert_eq!(problem("127.0.0.1"), "name host and port: tcp://host:port");
    }
}
