//! The journal of a watch: what was told is on disk before it is printed and before its board is asked again.
