//! `boardbus to-pdn`.
