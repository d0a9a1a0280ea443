//! The connection to a server: made, watched, waited for.
//!
//! The client reconnects by itself, but does not find out what happened meanwhile: users of the connection ask for its
//! number ([`Link::connected`]), and read the state again when it has changed.

use std::{
    fmt, io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_nats::{
    Client, ClientError, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError, jetstream, rustls,
};
use tokio::{sync::watch, time::sleep};

use crate::{
    error::{Error, Result},
    stop,
};

/// After this time without data from the server the client sends a ping; two missing answers end the connection. A
/// network that drops everything is detected within 12 s, and one that takes that long for a message is kept.
const PING: Duration = Duration::from_secs(4);
/// The time limit of a connection attempt: with 400 ms delay each way and TLS it takes 2.8 s. When a network is back,
/// an attempt begun during the outage is given up after this time.
const CONNECT: Duration = Duration::from_millis(3500);
/// The pause between two connection attempts.
const AGAIN: Duration = Duration::from_millis(300);
/// The time limit of an answer of the server.
pub(super) const ANSWER: Duration = Duration::from_secs(5);
/// How often signals are checked.
const LOOK: Duration = Duration::from_millis(50);
/// How long messages in flight are awaited after a signal.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// A server, and the credentials.
#[derive(Clone)]
pub struct Server {
    /// Its addresses as the user wrote them, without secrets.
    pub addresses: Vec<String>,
    /// The user's name and password.
    pub user: Option<(String, String)>,
    /// A token instead.
    pub token: Option<String>,
    /// Certificates of authorities that are trusted besides those of the system.
    pub authorities: Vec<PathBuf>,
    /// A certificate of our own, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// How long to wait for an absent server; none: for ever.
    pub give_up: Option<Duration>,
    /// Writes a message to the user.
    pub say: fn(&dyn fmt::Display),
}

impl Server {
    /// The name of the server in messages.
    pub fn name(&self) -> String {
        self.addresses.join(",")
    }

    /// An error for something that the server refuses.
    pub fn refused(&self, what: impl fmt::Display) -> Error {
        Error::io(self.name(), std::io::Error::other(what.to_string()))
    }

    fn options(&self) -> ConnectOptions {
        let mut options = ConnectOptions::new()
            .name("boardbus")
            .ping_interval(PING)
            .connection_timeout(CONNECT)
            .request_timeout(Some(ANSWER))
            .reconnect_delay_callback(|tries| if tries <= 1 { Duration::ZERO } else { AGAIN });
        if let Some((user, password)) = self.user.clone() {
            options = options.user_and_password(user, password);
        }
        if let Some(token) = self.token.clone() {
            options = options.token(token);
        }
        for path in &self.authorities {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = self.certificate.clone() {
            options = options.add_client_certificate(certificate, key);
        }
        options
    }
}

/// The state of the connection.
#[derive(Debug, Clone, Copy)]
struct State {
    /// The time since when there is none.
    lost: Option<Instant>,
    /// The number of connections so far.
    number: u64,
}

/// A connection that is made again whenever it is lost.
pub(super) struct Link {
    pub server: Server,
    pub context: jetstream::Context,
    state: watch::Receiver<State>,
}

impl Link {
    /// Connects, and waits for an absent server.
    pub async fn open(server: &Server) -> Result<Link> {
        let mut addresses = Vec::new();
        for address in &server.addresses {
            let wrong = |e| Error::Usage(format!("{address} is no address of a server: {e}"));
            addresses.push(address.parse::<ServerAddr>().map_err(wrong)?);
        }
        let (state_sender, state) = watch::channel(State { lost: None, number: 1 });
        let state_sender = Arc::new(state_sender);
        let (begun, mut said) = (Instant::now(), false);
        let client = loop {
            let watching = Arc::new(Watching {
                state_sender: state_sender.clone(),
                server: server.clone(),
                last: Mutex::default(),
            });
            let options = server.options().event_callback(move |event| {
                watching.event(&event);
                std::future::ready(())
            });
            let error = match options.connect(&addresses[..]).await {
                Ok(client) => break client,
                Err(error) => error,
            };
            let why = causes(&error);
            match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    return Err(server.refused("it does not let us in: wrong user, password or token"));
                }
                _ if is_of_tls(&error) => {
                    return Err(server.refused(format_args!(
                        "no encrypted connection: {why} (--ca names an authority to trust, --cert and --key our own certificate)"
                    )));
                }
                ConnectErrorKind::ServerParse => return Err(Error::Usage(why)),
                _ => {}
            }
            if server.give_up.is_some_and(|limit| begun.elapsed() >= limit) {
                return Err(Error::port(server.name(), format_args!("no server answers: {why}")));
            }
            if !std::mem::replace(&mut said, true) {
                (server.say)(&format_args!("{}: no server answers ({why}): waiting for it", server.name()));
            }
            sleep(AGAIN).await;
        };
        let mut context = jetstream::new(client);
        context.set_timeout(ANSWER);
        Ok(Link { server: server.clone(), context, state })
    }

    /// Waits until there is a connection; returns its number.
    pub async fn connected(&self) -> u64 {
        let mut state = self.state.clone();
        let number = state.wait_for(|state| state.lost.is_none()).await.map(|state| state.number);
        match number {
            Ok(number) => number,
            // The client ended with the runtime, so that no event will come any more.
            Err(_) => std::future::pending().await,
        }
    }

    /// Waits until the connection with this number is lost.
    pub async fn lost(&self, number: u64) {
        let mut state = self.state.clone();
        let gone = state.wait_for(|state| state.lost.is_some() || state.number != number).await.is_ok();
        if !gone {
            std::future::pending::<()>().await;
        }
    }

    /// Waits for a signal, and a little longer for messages in flight; or until the server has been absent for too
    /// long, which is an error.
    pub async fn ended(&self) -> Result<()> {
        let mut heard: Option<Instant> = None;
        loop {
            sleep(LOOK).await;
            if stop::requested().is_some() && heard.get_or_insert_with(Instant::now).elapsed() >= LAST_WORDS {
                return Ok(());
            }
            let lost = self.state.borrow().lost;
            if let (Some(limit), Some(lost)) = (self.server.give_up, lost)
                && lost.elapsed() >= limit
            {
                return Err(Error::port(self.server.name(), "the server is away for too long"));
            }
        }
    }

    /// Waits a little before a retry.
    pub async fn pause(&self) {
        sleep(AGAIN).await;
    }

    pub fn client(&self) -> Client {
        self.context.client()
    }
}

/// Receives the events of the client's connection.
struct Watching {
    state_sender: Arc<watch::Sender<State>>,
    server: Server,
    /// The last message about an outage.
    last: Mutex<String>,
}

impl Watching {
    fn event(&self, event: &Event) {
        let name = self.server.name();
        match event {
            Event::Disconnected => {
                self.state_sender
                    .send_modify(|state| state.lost = Some(state.lost.unwrap_or_else(Instant::now)));
                self.say(format!("{name}: the connection is lost: what comes now is kept until it is back"));
            }
            Event::Connected => {
                let was_lost = self.state_sender.borrow().lost.is_some();
                self.state_sender.send_modify(|state| {
                    state.lost = None;
                    state.number += 1;
                });
                if was_lost {
                    self.say(format!("{name}: connected again"));
                }
            }
            Event::ServerError(ServerError::AuthorizationViolation) => {
                self.say(format!(
                    "{name}: it does not let us in: wrong user, password or token; trying again"
                ));
            }
            Event::ServerError(error) => self.say(format!("{name}: {error}")),
            Event::ClientError(ClientError::Other(_)) | Event::ClientError(_) => {}
            Event::LameDuckMode => self.say(format!("{name}: this server is being shut down")),
            Event::SlowConsumer(_) | Event::Draining | Event::Closed => {}
        }
    }

    /// Writes a message, once until another one.
    fn say(&self, what: String) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if *last != what {
            (self.server.say)(&what);
            *last = what;
        }
    }
}

/// Whether client and server cannot agree on an encrypted connection, rather than that there is none now.
fn is_of_tls(error: &async_nats::ConnectError) -> bool {
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if cause.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
            return true;
        }
        next = cause.source();
    }
    error.kind() == ConnectErrorKind::Tls
}

/// The text of an error with its causes.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text
}
