//! The points of results in the tournament of a report, in tenths; the points of players before a round, and the order
//! that follows from points.

use std::{cmp::Reverse, collections::BTreeMap};

use super::line::{Pair, Player};

/// The points of results as given in a report, by the letters of TRF26: W, D and L (a game won, drawn, lost), P (a bye
/// that the pairing allotted), A (a round without a game), F (a forfeit lost); or of bbpPairings, which has U for P and
/// Z for A.
#[derive(Debug, Default)]
pub struct Scoring(BTreeMap<char, u32>);

impl Scoring {
    /// Adds letters, each with its points after it. Returns false where these cannot be read.
    pub fn take(&mut self, text: &str) -> bool {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        text.char_indices().filter(|(_, c)| is_letter(*c)).all(|(at, letter)| {
            let points = text[at + 1..].split(is_letter).next().unwrap_or_default().trim().parse();
            let points = points.ok().filter(|points: &f64| (0.0..1000.0).contains(points));
            let tenths = points.map(|points| (points * 10.0).round() as u32);
            tenths.map(|tenths| self.0.insert(letter.to_ascii_uppercase(), tenths)).is_some()
        })
    }

    /// The points of a result, in lower case as in [`super::line::Pairing`].
    pub fn of(&self, result: char) -> u32 {
        let points = |letter: char, otherwise: u32| self.0.get(&letter).copied().unwrap_or(otherwise);
        match result {
            '1' | '+' | 'w' | 'f' => points('W', 10),
            '=' | 'd' | 'h' => points('D', 5),
            '0' | 'l' => points('L', 0),
            'u' => points('P', points('U', points('W', 10))),
            '-' => points('F', 0),
            _ => points('A', points('Z', 0)),
        }
    }

    /// The points of each of the players before a round with these pairings.
    ///
    /// # Errors
    /// When they are unknown.
    pub fn before(
        &self,
        round: usize,
        players: &BTreeMap<u32, Player>,
        pairs: &[Pair<'_>],
    ) -> Result<impl Fn(&Player) -> u32, String> {
        let of_rounds = |player: &Player, rounds: usize| -> u32 {
            player.rounds.iter().take(rounds).map(|round| self.of(round.result)).sum()
        };
        let is_played =
            |player: &Player| player.rounds.get(round - 1).is_some_and(|round| round.result != ' ');
        let is_next = !pairs.iter().any(|(white, black)| is_played(white) || is_played(black));
        // Columns 81 to 84 are the tournament's own points, however it counts results.
        let is_counted = players.values().all(|player| player.points.is_some());
        if !is_next && is_counted && round > 1 {
            // Byes of the next round may be in the file already, without being counted.
            let last_over = |player: &Player| {
                player.rounds.iter().rposition(|round| round.opponent.is_some() && round.result != ' ')
            };
            let over = players.values().filter_map(last_over).max().map_or(0, |at| at + 1);
            let differs = |rounds: usize| {
                players.values().find(|player| Some(of_rounds(player, rounds)) != player.points)
            };
            if let (Some(player), Some(_)) = (differs(over), differs(usize::MAX)) {
                let both = [player.points.unwrap_or_default(), of_rounds(player, over)];
                let [counted, found] = both.map(|tenths| f64::from(tenths) / 10.0);
                return Err(format!(
                    "{}: {} has {counted:.1} points in columns 81 to 84, and {found:.1} by the results: what they are worth \
                     (line 162) is not known, so the order of round {round} is not",
                    player.line, player.name
                ));
            }
        }
        Ok(move |player: &Player| match player.points {
            Some(points) if is_next && is_counted => points,
            _ => of_rounds(player, round - 1),
        })
    }
}

/// The key by which tables, and matches, are ordered, of players or teams with these points and numbers: FIDE C.04.2,
/// the points of the higher ranked of both (with more points or, with equal points, the smaller number); the points of
/// the other; the number of the higher ranked.
pub fn place(both: [(u32, u32); 2]) -> impl Ord {
    let mut ranked = both.map(|(points, number)| (Reverse(points), number));
    ranked.sort_unstable();
    let [(higher, number), (lower, _)] = ranked;
    (higher, lower, number)
}
