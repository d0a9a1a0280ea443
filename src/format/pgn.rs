//! PGN, both ways.
//!
//! Reading: a [`Cutter`] takes bytes in blocks of any size and returns the text of each game; [`records`] reads it as
//! game records, [`Json`] as their lines. Writing: [`super::game`] collects records into games in their present state,
//! and a [`Style`] writes one in the standard's export format.

mod bounds;
mod claims;
mod comment;
mod cutter;
mod eight;
pub(super) mod ending;
mod eval;
mod fen;
mod flaw;
mod game_ids;
pub(super) mod glyph;
mod judge;
mod legal;
mod lexer;
mod line;
mod no_game;
mod ply;
#[cfg(test)]
mod properties;
mod quick;
mod reader;
mod records;
mod san;
mod short;
mod sink;
mod start;
mod tags;
mod word;
mod writer;

pub use cutter::{Cutter, GameText};
pub use flaw::Flaw;
pub use game_ids::GameIds;
pub use lexer::is_tag_name;
pub use line::Names;
pub use ply::{Named, Ply, Write};
pub(in crate::format) use quick::fen_in;
pub use quick::{QuickPly, quick};
pub use reader::read;
pub use records::{Json, Report, ReportKind, records};
pub use sink::Sink;
pub use tags::{Dress, folder_and_number, table_and_round, tag_pairs};
pub use writer::Style;
