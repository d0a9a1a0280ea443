//! Frames: where a message begins and ends, in both modes.
