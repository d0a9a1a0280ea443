//! `boardbus watch`.
