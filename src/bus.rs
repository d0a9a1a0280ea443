//! The master of a line: port, discovery, polling, recovery.
