//! The board's own log, as it is kept in its EEPROM and sent over the wire.
