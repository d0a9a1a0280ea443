//! `boardbus from-pdn`.
