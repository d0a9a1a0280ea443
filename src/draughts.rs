//! Russian draughts.
