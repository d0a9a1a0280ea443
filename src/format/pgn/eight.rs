//! Tests on eight bytes of a text in one step, as one number with the first byte in the lowest place.

/// One in each of eight bytes.
pub(super) const EACH: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each.
pub(super) const HIGH: u64 = EACH << 7;

/// The high bits of the bytes that are less than this, and perhaps of others: of bytes from 0x80 on, and of bytes after
/// the first that is less.
#[inline(always)]
pub(super) fn below(bytes: u64, least: u8) -> u64 {
    bytes.wrapping_sub(EACH * u64::from(least)) & HIGH
}

/// The same for the bytes that equal this one.
#[inline(always)]
pub(super) fn is(bytes: u64, byte: u8) -> u64 {
    below(bytes ^ (EACH * u64::from(byte)), 1)
}

/// The index of the first byte with its high bit set: 8 where there is none.
#[inline(always)]
pub(super) fn first(high: u64) -> usize {
    high.trailing_zeros() as usize / 8
}
