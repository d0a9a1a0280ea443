//! `boardbus reconstruct`.
