//! How many points a result is worth in the tournament of a report, in tenths.

/// The points for each result.
#[derive(Debug, Clone)]
pub struct Scoring {
    win: u32,
    draw: u32,
    loss: u32,
    /// A bye that the pairing allotted.
    allotted_bye: u32,
    /// A round without a game and without a bye.
    absence: u32,
    forfeit_loss: u32,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring { win: 10, draw: 5, loss: 0, allotted_bye: 10, absence: 0, forfeit_loss: 0 }
    }
}

/// A number of points, in tenths.
fn tenths(text: &str) -> Option<u32> {
    let points: f64 = text.trim().parse().ok()?;
    (0.0..1000.0).contains(&points).then(|| (points * 10.0).round() as u32)
}

impl Scoring {
    /// Takes what a line of the report says of points: `162` of TRF26 (a letter and its points, several times), or `BBW` and the
    /// like of bbpPairings; others say nothing of them. False where such a line cannot be read.
    pub fn take(&mut self, code: &str, rest: &str) -> bool {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        let letters: Vec<(&str, &str)> = match code.strip_prefix("BB") {
            Some(letter) => vec![(letter, rest)],
            None if code == "162" => {
                let at: Vec<usize> = rest.match_indices(is_letter).map(|(at, _)| at).collect();
                let ends = at.iter().skip(1).copied().chain([rest.len()]);
                at.iter().zip(ends).map(|(&at, end)| (&rest[at..=at], &rest[at + 1..end])).collect()
            }
            None => return true,
        };
        letters.into_iter().all(|(letter, points)| {
            let Some(points) = tenths(points) else { return false };
            match letter.to_ascii_uppercase().as_str() {
                "W" => {
                    // A bye is worth a win where nothing else is said, which may stand further on.
                    if self.allotted_bye == self.win {
                        self.allotted_bye = points;
                    }
                    self.win = points;
                }
                "D" => self.draw = points,
                "L" => self.loss = points,
                "P" | "U" => self.allotted_bye = points,
                "A" | "Z" => self.absence = points,
                "F" => self.forfeit_loss = points,
                _ => {}
            }
            true
        })
    }

    /// The points for a result, in lower case as [`super::line::Pairing`] has it.
    pub fn of(&self, result: char) -> u32 {
        match result {
            '1' | '+' | 'w' | 'f' => self.win,
            '=' | 'd' | 'h' => self.draw,
            '0' | 'l' => self.loss,
            'u' => self.allotted_bye,
            '-' => self.forfeit_loss,
            _ => self.absence,
        }
    }
}
