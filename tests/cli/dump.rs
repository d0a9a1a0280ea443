//! `boardbus dump`.
