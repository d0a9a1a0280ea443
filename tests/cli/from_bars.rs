//! `boardbus from-bars`.
