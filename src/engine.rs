//! Engines that evaluate positions: which positions they get, in which order, and how their answers are checked.
//!
//! - `position`: a position as an engine gets it, and the key by which it is recognised;
//! - `uci`: the lines of the protocol, read and written, nothing else;
//! - `process`: one engine, from its start to its end, without waiting for one that does not answer;
//! - `pool`: engines at work, a thread each;
//! - `behind`: the record of an evaluation;
//! - `in_order`: positions of files, whose evaluations are always in the same place;
//! - `live`: positions of boards in play, the newest first.
//!
//! The output of an engine is input like any other: only what the rules of the game allow is accepted, and nothing that
//! an engine does, or fails to do, ends or delays the passing on of records.

mod behind;
mod in_order;
mod live;
mod pool;
mod position;
mod process;
mod uci;

pub use in_order::InOrder;
pub use live::{Live, Plan};
pub use pool::{Desk, Pool};
pub use process::{Program, Settings};
pub use uci::{Aim, Limit};
