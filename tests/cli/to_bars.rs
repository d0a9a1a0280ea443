//! `boardbus to-bars`.
