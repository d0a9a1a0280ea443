//! What messages say, as board records.
