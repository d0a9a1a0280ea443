//! `boardbus serve`: LiveChess's local interface, and a feed of records.

mod ports;
mod reader;

use std::{
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool, mpsc::sync_channel},
    thread,
    time::Duration,
};

use super::{
    arguments::{MidgameArgs, span},
    input::Input,
    names::Names,
    show::Feed,
    sources,
};
use crate::{
    error::{Done, Error, Result},
    serve::{Access, Server, Settings, Waker},
    stdio,
};
use reader::Reader;

/// How many items may wait between the thread that reads records and the one that serves them.
const QUEUE_ITEMS: usize = 4096;

/// LiveChess's interface for other programs, and a feed of records
///
/// Reads board records, or game records, from journals or standard input, and serves the local interface of LiveChess
/// 2, by WebSocket and HTTP: lichess.org's board page, overlays and other tools find every board of the hall there.
/// Besides, /records serves the records themselves, and / shows what each board is doing. It runs until a signal ends
/// it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus serve --roster players.csv --round 3
  boardbus serve --follow round3.jsonl
  boardbus serve --follow round3.jsonl --ports 1982-1990
  boardbus serve --follow round3.jsonl --delay 15m --listen 0.0.0.0 --token SECRET")]
pub struct Serve {
    #[command(flatten)]
    input: Input,

    /// Read this journal too, and give its line this name; may be given again
    #[arg(long = "line", value_name = "NAME=FILE", value_parser = sources::named)]
    lines: Vec<(String, PathBuf)>,

    #[command(flatten)]
    names: Names,

    #[command(flatten)]
    midgame: MidgameArgs,

    /// The TCP port for all boards [default: 1982, unless --ports has it]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// TCP ports for one board each, the first board on the first port: 1982-1990
    #[arg(long, value_name = "FROM-TO", value_parser = ports::range)]
    ports: Option<(u16, u16)>,

    /// The address to listen on, 0.0.0.0 for all; may be given again [default: 127.0.0.1 and ::1]
    #[arg(long, value_name = "ADDRESS")]
    listen: Vec<IpAddr>,

    /// A name by which programs may address this server, besides its addresses and localhost; may be given again
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// A site whose pages may use everything: https://club.example; may be given again
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = ports::origin)]
    origins: Vec<String>,

    /// The token that programs on other machines have to send, as ?token= after the address or as Authorization: Bearer
    #[arg(long, value_name = "TOKEN", env = "BOARDBUS_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// Up to this number of connections at once
    #[arg(long, value_name = "N", default_value_t = 1000)]
    clients: usize,

    /// Publish a move in `san` only when its squares have been unchanged for this long, where players take moves back:
    /// 4.5s, 1m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    certain_after: Option<Duration>,

    /// Publish each record only when it is this old by its `time`: 90s, 15m, 1.5h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    delay: Option<Duration>,
}

impl Serve {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let listeners = ports::listen(&self.listen, self.port, self.ports)?;
        stdio::say(format_args!("serves {}", ports::words(&listeners)));
        let round = self.names.pairings().1.max(1) as usize;
        let (dress, keeper) = self.names.dress()?;
        let access = Access { origins: self.origins, hosts: self.hosts, token: self.token };
        let certain_after = self.certain_after.unwrap_or_default().as_secs_f64();
        let delay = self.delay.unwrap_or_default();
        let clients = ports::room_for(self.clients, listeners.len());
        let settings = Settings { access, clients, round, certain_after, delay };
        let failed = |e| Error::io("sockets", e);
        let (waker, woken) = Waker::pair().map_err(failed)?;
        let reading = Arc::new(AtomicBool::new(false));
        let of_reader = reading.clone();
        let (sender, items) = sync_channel(QUEUE_ITEMS);
        let serve = move || Server::new(settings, listeners, items, (woken, of_reader)).run();
        let server = thread::Builder::new().name("sockets".into()).spawn(serve).map_err(failed)?;
        let feed = Feed::new(&self.input, &self.lines, (dress.clone(), keeper), self.midgame.options())?;
        let reader = Reader::new(feed, dress, self.delay, (sender, waker, reading))?;
        let done = reader.run(self.input.follow);
        match server.join() {
            Ok(served) => served.and(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
