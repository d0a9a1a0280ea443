//! LiveChess's local interface for other programs, over WebSocket and HTTP, and a feed of records.
//!
//! One thread owns all sockets and the state that they show; another reads records and passes them on, delayed by
//! `--delay`, so that no path shows anything sooner. Data from clients reach neither boards nor files.
//!
//! * `hall` is the boards as LiveChess lists them, `livechess` the calls and answers of its interface, `json` its format;
//! * `desk` answers calls and sends to the feeds, which `feeds` keeps; `tracker` follows the game that a client has set
//!   up on a feed, and `certain` decides when a move of it may be published, since it cannot be withdrawn;
//! * `rest` is tournaments, rounds and games over HTTP, `page` the pages for people, `records` the feed of records;
//! * `http` reads requests and writes answers, `access` decides which are allowed, `routes` what their paths mean;
//! * `sockets` is the event loop, `client` one connection, `reports` the messages about connections.

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
pub use sockets::{CLOSING_MAX, Item, Server, Settings, Waker};
