//! PDN
