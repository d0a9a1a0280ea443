//! What is sure of games, and the files that programs take back.
