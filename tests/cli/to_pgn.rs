//! `boardbus to-pgn`.
