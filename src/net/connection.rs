//! The connection to a server: made, watched, waited for.
//!
//! The client connects again by itself. What it does not do is to look what happened meanwhile: whoever uses the connection
//! asks for its number ([`Link::connected`]), and looks anew when that has changed.

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

/// When nothing has come from the server for so long it is asked whether it is still there; two answers that do not come are
/// the end of a connection. A network that swallows everything is so noticed within 12 s, and one that takes so long for a
/// message is not given up.
const PING: Duration = Duration::from_secs(4);
/// How long a connection may take to be made: with 400 ms to each word and TLS, 2.8 s. When a network is back, one that was begun
/// while it was away is not waited for any longer.
const CONNECT: Duration = Duration::from_millis(3500);
/// How long it is waited between two tries to connect.
const AGAIN: Duration = Duration::from_millis(300);
/// How long an answer of the server is waited for.
pub(super) const ANSWER: Duration = Duration::from_secs(5);
/// How often signals are asked for.
const LOOK: Duration = Duration::from_millis(50);
/// How long after a signal what is on its way is waited for.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// A server, and how to get in.
#[derive(Clone)]
pub struct Server {
    /// Its addresses, as the user wrote them, none with a secret in it.
    pub addresses: Vec<String>,
    /// The user's name and password.
    pub user: Option<(String, String)>,
    /// A token instead.
    pub token: Option<String>,
    /// Certificates of authorities that are trusted beside those of the system.
    pub authorities: Vec<PathBuf>,
    /// A certificate of our own, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// How long to wait for a server that is not there; none: for ever.
    pub give_up: Option<Duration>,
    /// Gets what a person should know.
    pub say: fn(&dyn fmt::Display),
}

impl Server {
    /// The server as messages name it.
    pub fn name(&self) -> String {
        self.addresses.join(",")
    }

    /// Something that the server refuses.
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

/// Whether there is a connection, and which.
#[derive(Debug, Clone, Copy)]
struct State {
    /// Since when there is none.
    lost: Option<Instant>,
    /// How many there were.
    number: u64,
}

/// A connection that is made again whenever it is lost.
pub(super) struct Link {
    pub server: Server,
    pub context: jetstream::Context,
    state: watch::Receiver<State>,
}

impl Link {
    /// Connects; a server that is not there is waited for.
    pub async fn open(server: &Server) -> Result<Link> {
        let mut addresses = Vec::new();
        for address in &server.addresses {
            let wrong = |e| Error::Usage(format!("{address} is no address of a server: {e}"));
            addresses.push(address.parse::<ServerAddr>().map_err(wrong)?);
        }
        let (told, state) = watch::channel(State { lost: None, number: 1 });
        let told = Arc::new(told);
        let (begun, mut said) = (Instant::now(), false);
        let client = loop {
            let watching =
                Arc::new(Watching { told: told.clone(), server: server.clone(), last: Mutex::default() });
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

    /// Waits until there is a connection; brings its number.
    pub async fn connected(&self) -> u64 {
        let mut state = self.state.clone();
        let number = state.wait_for(|state| state.lost.is_none()).await.map(|state| state.number);
        match number {
            Ok(number) => number,
            // Nobody tells any more what becomes of the connection: the client is gone with the runtime.
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

    /// Waits for a signal, and a little longer for what is on its way; or until the server has been away for too long,
    /// which is an error.
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

    /// Waits a little before something is tried again.
    pub async fn pause(&self) {
        sleep(AGAIN).await;
    }

    pub fn client(&self) -> Client {
        self.context.client()
    }
}

/// Hears what the client tells of its connection.
struct Watching {
    told: Arc<watch::Sender<State>>,
    server: Server,
    /// What was said last of an outage.
    last: Mutex<String>,
}

impl Watching {
    fn event(&self, event: &Event) {
        let name = self.server.name();
        match event {
            Event::Disconnected => {
                self.told.send_modify(|state| state.lost = Some(state.lost.unwrap_or_else(Instant::now)));
                self.say(format!("{name}: the connection is lost: what comes now is kept until it is back"));
            }
            Event::Connected => {
                let was_lost = self.told.borrow().lost.is_some();
                self.told.send_modify(|state| {
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

    /// Says something, once until there is something else to say.
    fn say(&self, what: String) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if *last != what {
            (self.server.say)(&what);
            *last = what;
        }
    }
}

/// Whether the two cannot agree on an encrypted connection, rather than that there is none now.
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

/// An error with what led to it.
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
