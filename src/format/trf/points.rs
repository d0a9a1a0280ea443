//! How many points a result is worth in the tournament of a report, in tenths.

use std::collections::BTreeMap;

/// The points of the results that a report says something of, by the letters of TRF26: W, D and L (a game won, drawn, lost), P (a
/// bye that the pairing allotted), A (a round without a game), F (a forfeit lost).
#[derive(Debug, Default)]
pub struct Scoring(BTreeMap<char, u32>);

impl Scoring {
    /// Takes what a line of the report says of points: `162` of TRF26 (a letter and its points, several times), or `BBW` and the
    /// like of bbpPairings; others say nothing of them. False where such a line cannot be read.
    pub fn take(&mut self, code: &str, rest: &str) -> bool {
        let text = match code.strip_prefix("BB") {
            Some(letter) => format!("{letter}{rest}"),
            None if code == "162" => rest.to_owned(),
            None => return true,
        };
        let is_letter = |c: char| c.is_ascii_alphabetic();
        let parts: Vec<&str> = text.split_inclusive(is_letter).collect();
        // Each part ends in the letter of the next one's points.
        parts.windows(2).all(|pair| {
            let letter = pair[0].chars().last().unwrap_or(' ').to_ascii_uppercase();
            let letter = [('U', 'P'), ('Z', 'A')]
                .iter()
                .find(|(of_bbp, _)| *of_bbp == letter)
                .map_or(letter, |other| other.1);
            let points: Option<f64> = pair[1].trim_end_matches(is_letter).trim().parse().ok();
            let points = points.filter(|points| (0.0..1000.0).contains(points));
            points.map(|points| self.0.insert(letter, (points * 10.0).round() as u32)).is_some()
        })
    }

    /// The points for a result, in lower case as [`super::line::Pairing`] has it.
    pub fn of(&self, result: char) -> u32 {
        let said = |letter: char, otherwise: u32| self.0.get(&letter).copied().unwrap_or(otherwise);
        match result {
            '1' | '+' | 'w' | 'f' => said('W', 10),
            '=' | 'd' | 'h' => said('D', 5),
            '0' | 'l' => said('L', 0),
            'u' => said('P', said('W', 10)),
            '-' => said('F', 0),
            _ => said('A', 0),
        }
    }
}
