//! `boardbus simulate`.
