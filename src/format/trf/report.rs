//! A tournament report as a whole: its players' lines, and the pairings that both lines name.

use std::collections::BTreeMap;

use super::{
    line::{self, Pair, Pairing, Player},
    points::Scoring,
    teams::Teams,
    time_control,
};

/// A report, as far as it has pairings.
#[derive(Debug, Default)]
pub struct Report {
    /// The tags of all games.
    pub tags: BTreeMap<&'static str, String>,
    pub scoring: Scoring,
    pub teams: Teams,
    /// The players by starting rank.
    pub players: BTreeMap<u32, Player>,
}

impl Report {
    /// Reads a report; corrections, and parts that were left out, go to `notes`.
    pub fn read(text: &str, notes: &mut Vec<String>) -> Result<Report, String> {
        let mut report = Report::default();
        let (mut exact, mut in_words) = (None, None);
        for (at, line) in text.lines().enumerate() {
            let number = at + 1;
            let at = |problem: String| format!("{number}: `{}`: {problem}", line.trim_end());
            let Some((code, rest)) = line.split_at_checked(3) else { continue };
            let code = code.to_ascii_uppercase();
            match code.as_str() {
                "001" => {
                    let (player, note) = line::player(number, line).map_err(at)?;
                    notes.extend(note.map(at));
                    let rank = player.rank;
                    if let Some(Player { line: first, .. }) = report.players.insert(rank, player) {
                        return Err(at(format!("starting rank {rank} stands in line {first} already")));
                    }
                }
                "012" => drop(report.tags.insert("Event", rest.trim().to_owned())),
                "022" => drop(report.tags.insert("Site", rest.trim().to_owned())),
                "122" => in_words = time_control::in_words(rest),
                "222" => exact = time_control::exact(rest),
                "092" | "192" => report.teams.take_type(rest),
                "013" | "310" => report.teams.take(line).map_err(at)?,
                "300" => report.teams.take_order(rest).map_err(at)?,
                // bbpPairings has a line for each letter.
                _ if (code == "162" || code.starts_with("BB")) && !report.scoring.take(&line[2..]) => {
                    notes.push(at("its points cannot be read".into()));
                }
                _ => {}
            }
        }
        if report.players.is_empty() {
            return Err("1: no line of a player (001): this is no tournament report".into());
        }
        report.tags.extend(exact.or(in_words).map(|time_control| ("TimeControl", time_control)));
        Ok(report)
    }

    /// The pairings of a round, White first, each named by both its lines; in the order of their first line.
    pub fn pairs(&self, round: usize) -> Result<Vec<Pair<'_>>, String> {
        let of = |player: &Player| round.checked_sub(1).and_then(|at| player.rounds.get(at)).copied();
        let mut pairs = Vec::new();
        for player in self.players.values() {
            let Some(Pairing { opponent: Some(rank), colour, .. }) = of(player) else { continue };
            let at = |problem: String| format!("{}: {}, round {round}: {problem}", player.line, player.name);
            let opponent =
                self.players.get(&rank).ok_or_else(|| at(format!("plays rank {rank}, who is not there")))?;
            let (ours, line) = (player.rank, opponent.line);
            let Some(theirs) = of(opponent).filter(|theirs| theirs.opponent == Some(ours)) else {
                return Err(at(format!("plays rank {rank}, whose line {line} does not name rank {ours}")));
            };
            match (colour, theirs.colour) {
                ('w', 'b') => pairs.push((player, opponent)),
                ('b', 'w') => {}
                (_, other) => {
                    return Err(at(format!("colours `{colour}` here and `{other}` in line {line}")));
                }
            }
        }
        pairs.sort_by_key(|(white, black)| white.line.min(black.line));
        if pairs.is_empty() {
            return Err(format!("round {round}: no pairings: save the report again once it is paired"));
        }
        Ok(pairs)
    }
}
