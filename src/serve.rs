//! What other programs ask of LiveChess: its local interface over WebSocket and HTTP, and a feed of records.
//!
//! One thread owns all sockets and what they show; another reads records and hands them over, held back as long as `--delay`
//! says, so that no path shows anything sooner. Nothing that a client sends reaches a board or a file.
//!
//! * `hall` is the boards as LiveChess lists them, `livechess` the calls and answers of its interface, `json` how it prints;
//! * `desk` answers calls and sends to the feeds, which `feeds` keeps; `tracker` follows the game that a client has set up on a
//!   feed, and `certain` decides when a move of it is sure enough to be published: such a move cannot be taken back;
//! * `rest` is tournaments, rounds and games over HTTP, `page` the pages for people, `records` the feed of records;
//! * `http` reads requests and writes answers, `access` decides who may ask for what, `routes` what is asked for;
//! * `sockets` is the loop: who connects, what comes, what goes out; `client` one connection; `reports` what is reported of them.

mod access;
mod certain;
mod client;
mod desk;
mod feeds;
mod hall;
mod http;
mod json;
mod livechess;
mod page;
mod records;
mod reports;
mod rest;
mod routes;
mod sockets;
mod tracker;

pub use access::Access;
pub use client::limits;
pub use desk::Desk;
pub use feeds::Outbox;
pub use http::{Request, read as read_request};
pub use routes::{Route, View};
pub use sockets::{Item, Server, Settings, Waker};
