//! The house keeps its own rules: who may know whom, generated files are fresh.
