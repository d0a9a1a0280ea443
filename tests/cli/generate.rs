//! `boardbus generate`.
