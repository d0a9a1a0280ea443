//! `boardbus start`.
