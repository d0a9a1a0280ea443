//! `boardbus decode`.
