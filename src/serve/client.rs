//! One connection: an HTTP request and its answer, or a WebSocket. No call here blocks.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

use tungstenite::{
    Bytes, Error, Message, Utf8Bytes, WebSocket,
    error::CapacityError,
    protocol::{CloseFrame, Role, WebSocketConfig, frame::coding::CloseCode},
};

use super::{
    http,
    reports::{Reason, Why},
    routes::View,
};

/// The greatest length of a client's message, in bytes.
const MESSAGE_BYTES_MAX: usize = 64 << 10;
/// How many bytes may wait for a client that does not read.
const QUEUE_BYTES_MAX: usize = 1 << 20;
/// How many bytes are collected before they are written.
const GATHERED_BYTES_MAX: usize = 64 << 10;
/// How long a client may take to send its request, and to take the answer.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(10);
/// A client that sends nothing for this long gets a ping,
const PING_AFTER: Duration = Duration::from_secs(30);
/// and its connection ends after this long.
const END_AFTER: Duration = Duration::from_secs(60);
/// How long a closed connection stays open, so that the last data arrive.
const LINGER: Duration = Duration::from_secs(2);

/// The use of a WebSocket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Use {
    /// Calls of LiveChess's interface.
    Calls(View),
    /// The feed of records.
    Records,
}

/// The result of reading a connection.
#[derive(Debug)]
pub enum Input {
    /// Nothing yet.
    Nothing,
    /// A complete request.
    Request(Box<http::Request>),
    /// A malformed request: the status of the answer, and the reason.
    Refused(u16, String),
    /// A message of a client.
    Call(Vec<u8>),
    /// The connection has ended; the reason, where it should be reported.
    Over(Option<Why>),
}

enum State {
    Http(TcpStream, Step),
    Socket(Box<WebSocket<TcpStream>>, Use),
}

/// The steps of a request over HTTP.
enum Step {
    /// The request is being read: the bytes so far.
    Asking(Vec<u8>),
    /// The answer is being written: its bytes, and the number of bytes written.
    Answering(Vec<u8>, usize),
    /// Everything is sent.
    Closing,
}

/// A connection.
pub struct Client {
    state: State,
    since: Instant,
    /// When data last came, and whether a ping was sent since.
    active: Instant,
    pinged: bool,
    /// Collected data have to be written.
    pub is_full: bool,
    /// The socket cannot take more at the moment.
    pub is_blocked: bool,
}

impl Client {
    /// A new connection.
    pub fn new(stream: TcpStream) -> io::Result<Client> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let (since, state) = (Instant::now(), State::Http(stream, Step::Asking(Vec::new())));
        Ok(Client { state, since, active: since, pinged: false, is_full: false, is_blocked: false })
    }

    /// Its socket.
    pub fn stream(&self) -> &TcpStream {
        match &self.state {
            State::Http(stream, _) => stream,
            State::Socket(socket, _) => socket.get_ref(),
        }
    }

    /// Its use, once it is a WebSocket.
    pub fn used_for(&self) -> Option<&Use> {
        if let State::Socket(_, of) = &self.state { Some(of) } else { None }
    }

    /// Whether it waits for the socket to take data.
    pub fn wants_to_write(&self) -> bool {
        self.is_blocked || matches!(self.state, State::Http(_, Step::Answering(..)))
    }

    /// Whether it has its answer, and only has to be closed.
    pub fn is_closing(&self) -> bool {
        matches!(self.state, State::Http(_, Step::Answering(..) | Step::Closing))
    }

    /// Reads what has arrived, one item at a time.
    pub fn read(&mut self) -> Input {
        match &mut self.state {
            State::Http(stream, Step::Asking(begun)) => read_request(stream, begun),
            State::Http(_, Step::Answering(..)) => Input::Nothing,
            State::Http(stream, Step::Closing) => match stream.read(&mut [0; 4096]) {
                Ok(0) => Input::Over(None),
                Ok(_) => Input::Nothing,
                Err(e) if is_later(&e) => Input::Nothing,
                Err(_) => Input::Over(None),
            },
            State::Socket(socket, _) => match socket.read() {
                Ok(message) => {
                    (self.active, self.pinged) = (Instant::now(), false);
                    self.is_full = true;
                    match message {
                        Message::Text(text) => Input::Call(text.as_bytes().to_vec()),
                        Message::Binary(bytes) => Input::Call(bytes.to_vec()),
                        _ => Input::Call(Vec::new()),
                    }
                }
                Err(error) => over(socket, error),
            },
        }
    }

    /// Answers its request, and ends the connection.
    pub fn answer(&mut self, answer: Vec<u8>) {
        if let State::Http(_, step) = &mut self.state {
            (*step, self.since) = (Step::Answering(answer, 0), Instant::now());
        }
    }

    /// Turns it into a WebSocket; data after its request are its first message.
    pub fn upgrade(&mut self, key: &str, length: usize, of: Use) -> io::Result<()> {
        let State::Http(stream, Step::Asking(begun)) = &mut self.state else { return Ok(()) };
        let mut stream = stream.try_clone()?;
        // The socket of a connection that has sent nothing has room for this.
        stream.write_all(&http::upgrade(key))?;
        let behind = begun.split_off(length.min(begun.len()));
        let socket = WebSocket::from_partially_read(stream, behind, Role::Server, Some(limits()));
        (self.state, self.active) = (State::Socket(Box::new(socket), of), Instant::now());
        Ok(())
    }

    /// Collects a message. An error ends the connection, with a reason where it should be reported.
    pub fn send(&mut self, text: Utf8Bytes) -> Result<(), Option<Why>> {
        let State::Socket(socket, _) = &mut self.state else { return Ok(()) };
        self.is_full = true;
        match socket.write(Message::Text(text)) {
            Ok(()) => Ok(()),
            Err(Error::Io(e)) if is_later(&e) => Ok(()),
            Err(Error::WriteBufferFull(_)) => {
                let why = format!("does not read: {} kB wait for it", QUEUE_BYTES_MAX >> 10);
                Err(Some((Reason::NotReading, why)))
            }
            Err(_) => Err(None),
        }
    }

    /// Writes the collected data, as far as the socket takes them. Returns whether the connection continues.
    pub fn flush(&mut self) -> bool {
        match &mut self.state {
            State::Http(_, Step::Asking(_) | Step::Closing) => true,
            State::Http(stream, step @ Step::Answering(..)) => loop {
                let Step::Answering(answer, sent) = step else { break true };
                match stream.write(&answer[*sent..]) {
                    Ok(0) => break false,
                    Ok(n) => *sent += n,
                    Err(e) if is_later(&e) => break true,
                    Err(_) => break false,
                }
                if *sent == answer.len() {
                    let _ = stream.shutdown(Shutdown::Write);
                    (*step, self.since) = (Step::Closing, Instant::now());
                    break true;
                }
            },
            State::Socket(socket, _) => {
                self.is_full = false;
                let flushed = socket.flush();
                self.is_blocked = matches!(&flushed, Err(Error::Io(e)) if is_later(e));
                flushed.is_ok() || self.is_blocked
            }
        }
    }

    /// Closes the connection because the server ends.
    pub fn close(&mut self) {
        if let State::Socket(socket, _) = &mut self.state {
            close(socket, CloseCode::Away, "the server ends");
        }
    }

    /// Sends a ping to a client that was silent for long. An error ends the connection, with a reason.
    pub fn check(&mut self, now: Instant) -> Result<(), Option<Why>> {
        let waited = |since: Instant| now.saturating_duration_since(since);
        match &mut self.state {
            State::Http(_, Step::Closing) if waited(self.since) > LINGER => Err(None),
            State::Http(..) if waited(self.since) > REQUEST_TIME_MAX => Err(None),
            State::Socket(..) if waited(self.active) > END_AFTER => {
                Err(Some((Reason::Silent, "was silent for 60 s".into())))
            }
            State::Socket(socket, _) if waited(self.active) > PING_AFTER && !self.pinged => {
                (self.pinged, self.is_full) = (true, true);
                let _ = socket.write(Message::Ping(Bytes::new()));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The limits of a WebSocket for received messages and for waiting data.
pub fn limits() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(GATHERED_BYTES_MAX)
        .max_write_buffer_size(QUEUE_BYTES_MAX)
        .max_message_size(Some(MESSAGE_BYTES_MAX))
        .max_frame_size(Some(MESSAGE_BYTES_MAX))
}

/// Whether the operation may succeed later.
pub fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

fn read_request(stream: &mut TcpStream, begun: &mut Vec<u8>) -> Input {
    let mut block = [0; 2048];
    match stream.read(&mut block) {
        Ok(0) => return Input::Over(None),
        Ok(n) => begun.extend_from_slice(&block[..n]),
        Err(e) if is_later(&e) => return Input::Nothing,
        Err(_) => return Input::Over(None),
    }
    match http::read(begun) {
        Ok(Some(request)) => Input::Request(Box::new(request)),
        Ok(None) => Input::Nothing,
        Err((status, why)) => Input::Refused(status, why),
    }
}

/// The result for an error of a WebSocket.
fn over(socket: &mut WebSocket<TcpStream>, error: Error) -> Input {
    match error {
        Error::Io(e) if is_later(&e) => Input::Nothing,
        Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            close(socket, CloseCode::Size, "a message of more than 64 kB");
            Input::Over(Some((Reason::TooLong, "sent a message of more than 64 kB".into())))
        }
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_) => Input::Over(None),
        Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => Input::Over(None),
        Error::Utf8(_) => {
            close(socket, CloseCode::Invalid, "text that is not UTF-8");
            Input::Over(Some((Reason::Protocol, "sent text that is not UTF-8".into())))
        }
        other => {
            close(socket, CloseCode::Protocol, "no WebSocket");
            Input::Over(Some((Reason::Protocol, format!("broke the protocol of WebSocket: {other}"))))
        }
    }
}

fn close(socket: &mut WebSocket<TcpStream>, code: CloseCode, reason: &'static str) {
    let _ = socket.close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = socket.flush();
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A connected WebSocket, and its other end.
    fn connected() -> (Client, WebSocket<TcpStream>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut client = Client::new(listener.accept().unwrap().0).unwrap();
        client.upgrade("x", 0, Use::Records).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            (&peer).read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        (client, WebSocket::from_raw_socket(peer, Role::Client, None))
    }

    #[test]
    fn silent_clients_are_pinged_then_ended() {
        let (mut client, mut peer) = connected();
        let after = |client: &Client, seconds| client.active + Duration::from_secs(seconds);
        let check = |client: &mut Client, seconds| {
            let looked = client.check(after(client, seconds));
            assert!(client.flush());
            looked
        };
        peer.get_ref().set_nonblocking(true).unwrap();
        assert_eq!(check(&mut client, 29), Ok(()));
        assert!(matches!(peer.read(), Err(Error::Io(e)) if is_later(&e)));
        peer.get_ref().set_nonblocking(false).unwrap();
        assert_eq!(check(&mut client, 31), Ok(()));
        assert_eq!(peer.read().unwrap(), Message::Ping(Bytes::new()));
        // One ping, not one a second.
        peer.get_ref().set_nonblocking(true).unwrap();
        assert_eq!(check(&mut client, 45), Ok(()));
        assert!(matches!(peer.read(), Err(Error::Io(e)) if is_later(&e)));
        peer.get_ref().set_nonblocking(false).unwrap();
        assert_eq!(check(&mut client, 61), Err(Some((Reason::Silent, "was silent for 60 s".into()))));
        // The pong that tungstenite has sent counts as activity, and the next silence begins there.
        let silent_since = client.active;
        while matches!(client.read(), Input::Nothing) {}
        assert!(client.active > silent_since);
        assert_eq!(check(&mut client, 59), Ok(()));
        assert_eq!(peer.read().unwrap(), Message::Ping(Bytes::new()));
    }
}
