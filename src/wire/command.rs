//! Commands: what a host says to a board.
