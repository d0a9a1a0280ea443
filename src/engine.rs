//! Engines that evaluate positions: what they are asked, in which order, and what is believed of what they answer.
//!
//! * `position`: a position as an engine is asked for it, and by what it is known again;
//! * `uci`: the lines of the protocol, read and written, nothing else;
//! * `process`: one engine, from its start to its end, which never waits for one that does not answer;
//! * `pool`: engines at work, a thread each;
//! * `behind`: the record of an evaluation;
//! * `in_order`: positions of files, whose evaluations stand where the same input always has them;
//! * `live`: positions of boards in play, the newest first.
//!
//! What an engine prints is input like any other: nothing in it is believed that the rules of the game do not allow, and
//! nothing that it does, or does not do, ends or delays the passing on of records.

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
