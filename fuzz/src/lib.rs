//! Attacks: each takes bytes that anybody may have made and holds what must be true of them, whatever they are.
//!
//! A fuzzer calls them (`scripts/fuzz`), and `tests/attack.rs` with the inputs that are committed in `fuzz/corpus/`. An
//! attack panics when something does not hold. Where bytes alone would get nowhere they say what is done: [`bytes`].

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

/// What takes an input.
pub type Attack = fn(&[u8]);

/// All attacks by their names, which are those of the targets and of the folders of the corpus.
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
