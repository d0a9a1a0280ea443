//! Attacks: each takes arbitrary bytes and asserts what must hold for all of them.
//!
//! A fuzzer calls them (`scripts/fuzz`), and so does `tests/attack` with the inputs committed in `fuzz/corpus/`. An attack
//! panics if an assertion fails. If raw bytes alone would not get far, they choose what is done: [`bytes`].

pub mod bytes;
pub mod draughts;
pub mod fen;
pub mod hall;
pub mod master;
pub mod people;
pub mod pgn;
pub mod reconstruct;
pub mod record;
pub mod serve;
pub mod wire;

/// An attack, which takes an input.
pub type Attack = fn(&[u8]);

/// All attacks with their names, which are those of the targets and of the folders of the corpus.
pub const ATTACKS: [(&str, Attack); 15] = [
    ("bars", draughts::bars),
    ("capture", wire::capture),
    ("decode", wire::decode),
    ("eeprom", wire::eeprom),
    ("fen", fen::fen),
    ("hall", hall::hall),
    ("master", master::master),
    ("pairings", people::pairings),
    ("pdn", draughts::pdn),
    ("pgn", pgn::pgn),
    ("reconstruct", reconstruct::reconstruct),
    ("record", record::record),
    ("roster", people::roster),
    ("serve", serve::serve),
    ("trf", people::trf),
];
