//! The commands as their users run them: one file for each.

mod case;
mod check;
mod decode;
mod discover;
mod draughts;
mod dump;
mod export_round;
mod faults;
mod follow;
mod from_bars;
mod from_pdn;
mod from_pgn;
mod from_start;
mod generate;
mod hall;
#[cfg(feature = "nats")]
mod halls;
mod handover;
mod house;
mod network;
mod one_terminal;
mod output_files;
mod pgn;
mod picture;
mod program;
mod push_lichess;
mod recipes;
mod reconstruct;
mod rulings;
mod schema;
mod scripts;
mod show;
mod signals;
mod silence;
mod simulate;
mod single;
mod spans;
mod start;
mod terminal;
mod to_bars;
mod to_html;
mod to_pdn;
mod to_pgn;
mod watch;
#[cfg(not(feature = "nats"))]
mod without_network;
