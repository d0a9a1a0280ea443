//! The clock message: seven bytes of two times, a status, or an acknowledgement.
