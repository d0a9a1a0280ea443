//! What a game must offer the reconstruction.
