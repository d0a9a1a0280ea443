//! Messages: what a board says to a host.
