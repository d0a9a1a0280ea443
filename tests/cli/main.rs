//! The commands as their users run them: one file for each.

mod decode;
mod discover;
mod draughts;
mod dump;
mod export_round;
mod from_bars;
mod from_pdn;
mod from_pgn;
mod from_start;
mod generate;
mod hall;
mod house;
mod pgn;
mod program;
mod push_lichess;
mod reconstruct;
mod scripts;
mod signals;
mod simulate;
mod single;
mod start;
mod to_bars;
mod to_html;
mod to_pdn;
mod to_pgn;
mod watch;
