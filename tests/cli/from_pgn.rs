//! `boardbus from-pgn`.
