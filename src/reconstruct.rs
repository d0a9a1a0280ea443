//! Board records to game records: what was played.
