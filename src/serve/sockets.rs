//! The event loop: connections, their requests and their messages. One thread waits for all sockets.

use std::{
    collections::BTreeMap,
    fmt::Display,
    io::{self, Read, Write},
    net::{IpAddr, SocketAddr, TcpListener},
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, TryRecvError},
    },
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use super::{
    access::{Access, Asked},
    client::{Client, Input, Use, is_later},
    desk::Desk,
    feeds::Outbox,
    http::{self, Request},
    page,
    records::{Records, Wanted},
    reports::{Reason, Reports, Why},
    rest::Rest,
    routes::{Route, asked},
};
use crate::{
    error::{Error, Result},
    format::pgn::Dress,
    record::{BoardRecord, GameRecord, Seen, Stream, Time},
    stdio,
};

/// Messages within this time are written together: each write to a socket costs more than the messages in it.
const GATHER_TIME: Duration = Duration::from_millis(10);
/// The interval at which silent connections are checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How many items of the input are taken before sockets are served again.
const BATCH_ITEMS: usize = 256;
/// The milliseconds between checks for items while records are being read. Meanwhile no move is published because of
/// the server's time.
const READING_CHECK_MS: i64 = 20;
/// How many connections may be open besides those of clients, while they get their answer or are closed.
pub const CLOSING_MAX: usize = 64;
/// How long a slow client is waited for while records come in bulk.
const WAIT_FOR_SLOW: Duration = Duration::from_millis(500);

/// An item of the input.
#[derive(Debug)]
pub enum Item {
    /// A source of board records begins.
    Stream(Stream),
    /// A run of game records begins.
    Games(Stream),
    /// A record of a board.
    Board(BoardRecord),
    /// A record of a game.
    Game(GameRecord),
    /// Players or tables have changed.
    Dress(Dress),
    /// All existing input has been read: from now on clients are accepted, and see the present.
    Open,
    /// The input has ended.
    End,
    /// The server has to end.
    Close,
}

/// The rules for access, and the limits.
#[derive(Debug, Clone)]
pub struct Settings {
    pub access: Access,
    /// The greatest number of connections.
    pub clients: usize,
    /// The number of the round.
    pub round: usize,
    /// For this many seconds at least a move has stood before a client that plays by it receives it.
    pub certain_after: f64,
    /// How much later than its time each record comes.
    pub delay: Duration,
}

/// Wakes the loop when there are items.
#[derive(Debug)]
pub struct Waker(UnixStream);

impl Waker {
    /// A waker, and the socket on which the loop waits.
    pub fn pair() -> io::Result<(Waker, UnixStream)> {
        let (woken, waker) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        Ok((Waker(waker), woken))
    }

    /// Wakes the loop; does nothing where it was woken already.
    pub fn wake(&self) {
        let _ = (&self.0).write(&[0]);
    }
}

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
struct Peer {
    from: SocketAddr,
    /// Both ends are on this machine.
    is_loopback: bool,
    /// The board that it sees, on a port for one board.
    nth: Option<usize>,
}

/// The server.
pub struct Server {
    settings: Settings,
    /// The listeners; on a port for one board with the number of that board.
    listeners: Vec<(TcpListener, Option<usize>)>,
    items: Receiver<Item>,
    woken: UnixStream,
    /// Records are being read: more may follow those that were passed on so far.
    reading: Arc<AtomicBool>,
    clients: BTreeMap<u64, (Client, Peer)>,
    next_client: u64,
    seen: Seen,
    desk: Desk,
    records: Records,
    rest: Rest,
    reports: Reports,
    out: Outbox,
    /// When the collected messages are written.
    flush_at: Option<Instant>,
    /// Since when records wait for a slow client.
    slow_since: Option<Instant>,
    /// Clients are accepted,
    is_open: bool,
    /// from this moment on.
    accepts_at: Instant,
    closes: bool,
    /// Connections with requests that were read and not answered yet.
    again: Vec<u64>,
}

impl Server {
    /// Without connections yet.
    pub fn new(
        settings: Settings,
        listeners: Vec<(TcpListener, Option<usize>)>,
        items: Receiver<Item>,
        (woken, reading): (UnixStream, Arc<AtomicBool>),
    ) -> Server {
        Server {
            rest: Rest::new(settings.round),
            desk: Desk::new(settings.certain_after, settings.delay),
            settings,
            listeners,
            items,
            woken,
            reading,
            clients: BTreeMap::new(),
            next_client: 0,
            seen: Seen::default(),
            records: Records::default(),
            reports: Reports::default(),
            out: Outbox::new(),
            flush_at: None,
            slow_since: None,
            is_open: false,
            accepts_at: Instant::now(),
            closes: false,
            again: Vec::new(),
        }
    }

    /// Serves until it has to close.
    pub fn run(mut self) -> Result<()> {
        let mut looked = Instant::now();
        while !self.closes {
            let bulk = self.take_items();
            // A record that was not read yet may show that the piece was moved on.
            let is_behind = bulk || self.reading.load(Ordering::Acquire);
            let due =
                if is_behind { Some(READING_CHECK_MS) } else { self.desk.check(Time::now(), &mut self.out) };
            self.deliver();
            if bulk || self.flush_at.is_some_and(|at| at <= Instant::now()) {
                self.flush();
            }
            let now = Instant::now();
            if now.duration_since(looked) >= CHECK_INTERVAL {
                looked = now;
                self.check(now);
            }
            std::mem::take(&mut self.again).into_iter().for_each(|number| self.read(number));
            let mut wait = if self.again.is_empty() { CHECK_INTERVAL } else { Duration::ZERO };
            wait = due.map_or(wait, |due| wait.min(Duration::from_millis(due.max(0) as u64)));
            wait = self.flush_at.map_or(wait, |at| wait.min(at.saturating_duration_since(now)));
            if bulk && self.slow_since.is_none() {
                wait = Duration::ZERO;
            }
            self.wait(wait)?;
        }
        self.clients.values_mut().for_each(|(client, _)| client.close());
        self.reports.rest(Instant::now()).into_iter().for_each(stdio::say);
        Ok(())
    }

    /// Takes items of the input; returns whether there are more.
    fn take_items(&mut self) -> bool {
        let is_slow = self.clients.values().any(|(client, _)| client.is_blocked);
        if let Some(since) = self.slow_since
            && is_slow
            && since.elapsed() < WAIT_FOR_SLOW
        {
            return true;
        }
        self.slow_since = None;
        let _ = self.woken.read(&mut [0; 512]);
        for _ in 0..BATCH_ITEMS {
            match self.items.try_recv() {
                Ok(item) => self.take(item),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => {
                    self.closes = true;
                    return false;
                }
            }
        }
        self.slow_since = is_slow.then(Instant::now);
        true
    }

    fn take(&mut self, item: Item) {
        let (now, out) = (Time::now(), &mut self.out);
        match item {
            Item::Stream(stream) => {
                self.seen.stream(&stream);
                self.records.stream(&stream, out);
                self.desk.stream(&stream, now, out);
            }
            Item::Games(stream) => self.records.stream(&stream, out),
            Item::Board(record) => {
                if self.seen.again(&record) {
                    return;
                }
                let mut text = Vec::new();
                if record.write(&mut text).is_ok() {
                    let name = (record.line.clone(), record.board);
                    let text = String::from_utf8(text).unwrap_or_default();
                    self.records.record(name, false, record.seq, text, out);
                }
                self.desk.record(&record, now, out);
            }
            Item::Game(record) => {
                let mut text = Vec::new();
                if record.write(&mut text).is_ok() {
                    let name = (record.line.clone(), record.board);
                    let text = String::from_utf8(text).unwrap_or_default();
                    self.records.record(name, true, record.seq, text, out);
                }
                self.rest.game(record);
            }
            Item::Dress(dress) => self.rest.dress(dress),
            Item::Open => self.is_open = true,
            Item::End => self.desk.end(now, out),
            Item::Close => self.closes = true,
        }
    }

    /// Passes messages to their connections.
    fn deliver(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let mut over = Vec::new();
        for (number, text) in self.out.drain(..) {
            if let Some((client, _)) = self.clients.get_mut(&number)
                && let Err(why) = client.send(text)
            {
                over.push((number, why));
            }
        }
        over.into_iter().for_each(|(number, why)| self.end(number, why));
        self.flush_at.get_or_insert_with(|| Instant::now() + GATHER_TIME);
    }

    /// Writes the collected messages.
    fn flush(&mut self) {
        self.flush_at = None;
        let full = self.clients.iter_mut().filter(|(_, (client, _))| client.is_full);
        let over: Vec<u64> =
            full.filter_map(|(&number, (client, _))| (!client.flush()).then_some(number)).collect();
        over.into_iter().for_each(|number| self.end(number, None));
        let behind: Vec<u64> = self.records.behind().collect();
        for number in behind {
            let is_blocked = self.clients.get(&number).is_some_and(|(client, _)| client.is_blocked);
            if !is_blocked && !self.records.catch_up(number, &mut self.out) {
                let why = "does not read as fast as records come".into();
                self.end(number, Some((Reason::NotReading, why)));
            }
        }
        self.deliver();
    }

    /// Checks connections that send nothing.
    fn check(&mut self, now: Instant) {
        let looked = self.clients.iter_mut();
        let over: Vec<_> =
            looked.filter_map(|(&number, (client, _))| Some((number, client.check(now).err()?))).collect();
        over.into_iter().for_each(|(number, why)| self.end(number, why));
        self.reports.due(now).into_iter().for_each(stdio::say);
        self.flush();
    }

    /// Ends a connection; reports the reason, if there is one.
    fn end(&mut self, number: u64, why: Option<Why>) {
        let Some((client, Peer { from, .. })) = self.clients.remove(&number) else { return };
        if client.used_for().is_some() {
            self.desk.remove_client(number);
            self.records.remove_client(number);
        }
        if let Some((reason, why)) = why {
            self.report(from, reason, format_args!("{why}: its connection is ended"));
        }
    }

    fn report(&mut self, from: SocketAddr, reason: Reason, why: impl Display) {
        if let Some(line) = self.reports.line(Instant::now(), (from, reason), why) {
            stdio::say(line);
        }
    }

    /// Waits for events, or for this time.
    fn wait(&mut self, wait: Duration) -> Result<()> {
        let failed = |e: Errno| Error::io("sockets", e.into());
        let mut fds = vec![PollFd::from_borrowed_fd(self.woken.as_fd(), PollFlags::IN)];
        let has_room = self.clients.len() <= self.settings.clients + CLOSING_MAX;
        let has_room = self.is_open && has_room && self.accepts_at <= Instant::now();
        let listens = if has_room { PollFlags::IN } else { PollFlags::empty() };
        fds.extend(
            self.listeners.iter().map(|(listener, _)| PollFd::from_borrowed_fd(listener.as_fd(), listens)),
        );
        let numbers: Vec<u64> = self.clients.keys().copied().collect();
        fds.extend(self.clients.values().map(|(client, _)| {
            let out = if client.wants_to_write() { PollFlags::OUT } else { PollFlags::empty() };
            PollFd::from_borrowed_fd(client.stream().as_fd(), PollFlags::IN | out)
        }));
        let wait = Timespec { tv_sec: wait.as_secs() as _, tv_nsec: wait.subsec_nanos() as _ };
        match poll(&mut fds, Some(&wait)) {
            Ok(0) | Err(Errno::INTR) => return Ok(()),
            polled => polled.map_err(failed)?,
        };
        let came: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        let (listened, of_clients) = came[1..].split_at(self.listeners.len());
        for (at, _) in listened.iter().enumerate().filter(|(_, came)| came.contains(PollFlags::IN)) {
            self.accept(at);
        }
        for (number, came) in numbers.into_iter().zip(of_clients).filter(|(_, came)| !came.is_empty()) {
            if came.contains(PollFlags::OUT)
                && let Some((client, _)) = self.clients.get_mut(&number)
                && !client.flush()
            {
                self.end(number, None);
            }
            if came.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
                self.read(number);
            }
        }
        Ok(())
    }

    /// Accepts the connections at a listener.
    fn accept(&mut self, at: usize) {
        for _ in 0..BATCH_ITEMS {
            let listener = &self.listeners[at].0;
            let (stream, from) = match listener.accept() {
                Ok(accepted) => accepted,
                Err(e) if is_later(&e) || e.kind() == io::ErrorKind::ConnectionAborted => return,
                Err(e) => {
                    // It would be tried again at once, since the connection still waits.
                    self.accepts_at = Instant::now() + CHECK_INTERVAL;
                    if let Ok(own) = listener.local_addr() {
                        self.report(
                            own,
                            Reason::Full,
                            format_args!("accepts no connection at the moment: {e}"),
                        );
                    }
                    return;
                }
            };
            let Ok(mut client) = Client::new(stream) else { continue };
            let count = self.clients.values().filter(|(client, _)| !client.is_closing()).count();
            if count >= self.settings.clients {
                client.answer(http::refusal(503, "too many connections: serve --clients N allows more"));
                client.flush();
                self.report(
                    from,
                    Reason::Full,
                    format_args!("is refused: there are {count} connections (--clients)"),
                );
            }
            let is_local = client.stream().local_addr().is_ok_and(|own| is_loopback(own.ip()));
            let is_loopback = is_local && is_loopback(from.ip());
            self.next_client += 1;
            let nth = self.listeners[at].1;
            self.clients.insert(self.next_client, (client, Peer { from, is_loopback, nth }));
        }
    }

    /// Reads from a connection.
    fn read(&mut self, number: u64) {
        for _ in 0..16 {
            let Some((client, Peer { from, .. })) = self.clients.get_mut(&number) else { return };
            match client.read() {
                Input::Nothing => return,
                Input::Over(why) => return self.end(number, why),
                Input::Refused(status, why) => {
                    let from = *from;
                    client.answer(http::refusal(status, &why));
                    self.report(from, Reason::Status(status), format_args!("is refused: {why}"));
                    return self.flush_one(number);
                }
                Input::Request(request) => {
                    self.request(number, &request);
                    self.deliver();
                    self.flush_one(number);
                }
                Input::Call(text) => {
                    let view = client.used_for().cloned();
                    if let (Some(Use::Calls(view)), false) = (view, text.is_empty()) {
                        self.desk.call(number, &view, &text, Time::now(), &mut self.out);
                        self.deliver();
                    }
                    self.flush_one(number);
                }
            }
        }
        self.again.push(number);
    }

    fn flush_one(&mut self, number: u64) {
        if let Some((client, _)) = self.clients.get_mut(&number)
            && !client.flush()
        {
            self.end(number, None);
        }
    }

    /// Answers a request.
    fn request(&mut self, number: u64, request: &Request) {
        let Some(&(_, Peer { from, is_loopback, nth })) = self.clients.get(&number) else { return };
        let route = Route::of(&request.path, nth);
        let token = request.bearer.clone().or_else(|| asked(&request.query, "token"));
        let asked = Asked {
            host: request.host.as_deref(),
            origin: request.origin.as_deref(),
            token: token.as_deref(),
            is_loopback,
            is_of_livechess: route.is_of_livechess(),
        };
        let refused = self.settings.access.refuses(&asked);
        let path = request.path.escape_debug();
        if let Some((_, (reason, why))) = &refused {
            self.report(from, *reason, format_args!("is refused {path}: {why}"));
        }
        let shared = request.origin.as_deref().filter(|_| refused.is_none());
        let fields = shared.map_or(String::new(), |origin| {
            format!("Access-Control-Allow-Origin: {origin}\r\nVary: Origin\r\n")
        });
        let answer = match (refused, &*request.method, &request.key) {
            (Some((status, (_, why))), ..) => http::refusal(status, &why),
            (None, "GET", Some(key)) => match self.upgrade(number, request, key, route) {
                Ok(()) => return,
                Err((status, why)) => {
                    self.report(from, Reason::Status(status), format_args!("is refused {path}: {why}"));
                    http::refusal(status, &why)
                }
            },
            (None, "GET" | "HEAD", None) => self.page(request, &route, &fields),
            (None, "OPTIONS", _) => http::may_ask(&fields),
            _ => http::refusal(405, "only GET is answered here"),
        };
        let answer = if request.method == "HEAD" { without_body(answer) } else { answer };
        if let Some((client, _)) = self.clients.get_mut(&number) {
            client.answer(answer);
        }
    }

    fn upgrade(
        &mut self,
        number: u64,
        request: &Request,
        key: &str,
        route: Route,
    ) -> Result<(), (u16, String)> {
        let Some((client, _)) = self.clients.get_mut(&number) else { return Ok(()) };
        let failed = |e: io::Error| (400, e.to_string());
        match route {
            // A board that has no records yet may be switched on later: its list is empty until then.
            Route::Api(view) => client.upgrade(key, request.length, Use::Calls(view)).map_err(failed),
            Route::Records => {
                let wanted = Wanted::of(&request.query).map_err(|why| (400, why))?;
                let from = self.records.find(&wanted).map_err(|why| (410, why))?;
                client.upgrade(key, request.length, Use::Records).map_err(failed)?;
                self.records.follow(number, wanted, from, &mut self.out);
                Ok(())
            }
            _ => Err((404, "no WebSocket is here: /api/v1.0 and /records have one".into())),
        }
    }

    /// The answer over HTTP.
    fn page(&self, request: &Request, route: &Route, fields: &str) -> Vec<u8> {
        const HTML: &str = "text/html; charset=utf-8";
        let hall = &self.desk.hall;
        match route {
            Route::Rest(view, what) => match self.rest.answer(hall, view, what) {
                Some(json) => http::answer(200, "application/json", &json, fields),
                None => http::refusal(404, &format!("there is no {}", what.escape_debug())),
            },
            Route::Page => {
                let host = request.host.as_deref().unwrap_or_default();
                let page = page::hall(hall, &self.rest, host, self.clients.len());
                http::answer(200, HTML, page.as_bytes(), &format!("{}{fields}", page::POLICY))
            }
            Route::Doc | Route::Api(_) => {
                http::answer(200, HTML, page::doc().as_bytes(), &format!("{}{fields}", page::POLICY))
            }
            Route::Records => http::refusal(426, "records come over a WebSocket: ws://…/records"),
            Route::None => http::refusal(404, "there is no such page: / lists what there is"),
        }
    }
}

/// Whether an address is this machine's own, including an IPv4 address in IPv6.
fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// The head of an answer, without its body.
fn without_body(mut answer: Vec<u8>) -> Vec<u8> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    answer.truncate(end);
    answer
}
