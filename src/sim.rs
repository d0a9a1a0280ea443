//! The other side of the line: virtual boards, the hands that play on them, the scanner that reads them.
