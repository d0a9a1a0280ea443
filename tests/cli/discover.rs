//! `boardbus discover`.
