//! Signs behind moves: those that have a number of their own (NAG), and those that say what the position says.

/// Longer signs stand before those they begin with.
const GLYPHS: [(&str, Option<u8>); 31] = [
    ("!!", Some(3)),
    ("!?", Some(5)),
    ("!", Some(1)),
    ("??", Some(4)),
    ("?!", Some(6)),
    ("?", Some(2)),
    ("+/-", Some(16)),
    ("-/+", Some(17)),
    ("+/=", Some(14)),
    ("=/+", Some(15)),
    ("+-", Some(18)),
    ("-+", Some(19)),
    ("+=", Some(14)),
    ("=+", Some(15)),
    ("=", Some(10)),
    ("‼", Some(3)),
    ("⁇", Some(4)),
    ("⁉", Some(5)),
    ("⁈", Some(6)),
    ("□", Some(7)),
    ("∞", Some(13)),
    ("⩲", Some(14)),
    ("⩱", Some(15)),
    ("±", Some(16)),
    ("∓", Some(17)),
    ("+", None),
    ("#", None),
    ("e.p.", None),
    ("ep", None),
    ("mate", None),
    ("ch", None),
];

/// The sign that a text begins with, its number, and its length.
pub(in crate::format) fn at_begin(text: &[u8]) -> Option<(Option<u8>, usize)> {
    match text {
        b"N" => return Some((Some(146), 1)),
        b"D" => return Some((Some(220), 1)),
        _ => {}
    }
    GLYPHS.iter().find(|(sign, _)| text.starts_with(sign.as_bytes())).map(|&(sign, nag)| (nag, sign.len()))
}
