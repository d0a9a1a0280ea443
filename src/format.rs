//! Game records to and from files.
