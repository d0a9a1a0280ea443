//! `boardbus from-start`.
