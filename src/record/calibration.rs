//! Which pieces the chips are in that a board reports: boards of Certabo's read the number of a chip, and no piece.

use std::{collections::BTreeMap, fmt, str::FromStr};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::Piece;

/// The number of the chip in a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chip(pub [u8; 5]);

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Chip {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Chip, Self::Err> {
        const WRONG: &str = "the number of a chip has ten hex digits";
        if text.len() != 10 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(WRONG);
        }
        let number = u64::from_str_radix(text, 16).map_err(|_| WRONG)?;
        let [_, _, _, chip @ ..] = number.to_be_bytes();
        Ok(Chip(chip))
    }
}

impl TryFrom<String> for Chip {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Chip, Self::Error> {
        text.parse()
    }
}

impl From<Chip> for String {
    fn from(chip: Chip) -> String {
        chip.to_string()
    }
}

/// Chips with the pieces that they are in; [`Piece::UNKNOWN`] for a chip that was seen and not named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Chips(pub BTreeMap<Chip, Piece>);

impl Chips {
    /// The piece with this chip; unknown where nobody named it.
    pub fn piece(&self, chip: Chip) -> Piece {
        self.0.get(&chip).copied().unwrap_or(Piece::UNKNOWN)
    }

    /// Takes in what others name; a chip that has no name there keeps the one it has.
    pub fn learn(&mut self, others: &Chips) {
        for (&chip, &piece) in &others.0 {
            let known = self.0.entry(chip).or_insert(piece);
            if piece != Piece::UNKNOWN {
                *known = piece;
            }
        }
    }
}

/// How chips came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CalibrationReason {
    /// By a file, or by the journal of an earlier run.
    Given,
    /// They stood on their squares of the start position.
    StartPosition,
    /// They stand on the board and are not known: they are to be named.
    Unknown,
}

/// Chips of pieces, each with its piece. A file of pieces has such lines; of what several say of a chip the last one holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Calibration {
    /// The chips, by number.
    pub chips: Chips,
    /// How they came to be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<CalibrationReason>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_are_written_as_ten_digits_and_read_again() {
        let text = r#"{"chips":{"0300540203":"Q","03005502ff":"?"},"reason":"start-position"}"#;
        let calibration: Calibration = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&calibration).unwrap(), text);
        assert_eq!(calibration.chips.piece(Chip([3, 0, 84, 2, 3])).text(), "Q");
        assert_eq!(calibration.chips.piece(Chip([3, 0, 84, 2, 4])), Piece::UNKNOWN);
        for wrong in ["", "03005402", "030054020g", "+300540203", "03005402030"] {
            assert!(wrong.parse::<Chip>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_replace_missing_and_different_names() {
        let chip = Chip([3, 0, 84, 2, 3]);
        let mut chips = Chips::default();
        for (names, then) in [("?", "?"), ("Q", "Q"), ("?", "Q"), ("q", "q")] {
            chips.learn(&Chips([(chip, names.parse().unwrap())].into()));
            assert_eq!(chips.piece(chip).text(), then);
        }
    }
}
