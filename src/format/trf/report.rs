//! A tournament report as a whole: its players' lines, and the pairings that both lines name.

use std::collections::BTreeMap;

use super::{
    line::{self, Pairing, Player},
    points::Scoring,
    teams::Teams,
    time_control,
};

/// White and Black of a table.
pub type Pair<'a> = (&'a Player, &'a Player);

/// A report, as far as it says who plays whom.
#[derive(Debug, Default)]
pub struct Report {
    pub event: String,
    pub city: String,
    pub time_control: Option<String>,
    pub scoring: Scoring,
    pub teams: Teams,
    /// By starting rank.
    pub players: BTreeMap<u32, Player>,
}

impl Report {
    /// Reads a report; what was read otherwise than it stands, or left out, goes to `notes`.
    pub fn read(text: &str, notes: &mut Vec<String>) -> Result<Report, String> {
        let mut report = Report::default();
        let mut in_words = None;
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
                "012" => report.event = rest.trim().to_owned(),
                "022" => report.city = rest.trim().to_owned(),
                "122" => in_words = time_control::in_words(rest),
                "222" => report.time_control = time_control::exact(rest),
                "092" | "192" => report.teams.take_type(rest),
                "013" | "300" | "310" => report.teams.take(&code, line).map_err(at)?,
                _ if !report.scoring.take(&code, rest) => notes.push(at("its points cannot be read".into())),
                _ => {}
            }
        }
        if report.players.is_empty() {
            return Err("1: no line of a player (001): this is no tournament report".into());
        }
        report.time_control = report.time_control.or(in_words);
        Ok(report)
    }

    /// The pairings of a round, White first, each named by both its lines; in the order of their first line.
    pub fn pairs(&self, round: usize) -> Result<Vec<Pair<'_>>, String> {
        let of = |player: &Player| round.checked_sub(1).and_then(|at| player.rounds.get(at)).copied();
        let mut by_line: Vec<&Player> = self.players.values().collect();
        by_line.sort_by_key(|player| player.line);
        let mut pairs = Vec::new();
        for player in by_line {
            let Some(Pairing { opponent: Some(rank), colour, .. }) = of(player) else { continue };
            let at = |problem: String| format!("{}: {}, round {round}: {problem}", player.line, player.name);
            let opponent =
                self.players.get(&rank).ok_or_else(|| at(format!("plays rank {rank}, who is not there")))?;
            let (ours, line) = (player.rank, opponent.line);
            let Some(theirs) = of(opponent).filter(|theirs| theirs.opponent == Some(ours)) else {
                return Err(at(format!("plays rank {rank}, whose line {line} does not name rank {ours}")));
            };
            match (colour, theirs.colour) {
                ('w', 'b') if player.line < line => pairs.push((player, opponent)),
                ('b', 'w') if player.line < line => pairs.push((opponent, player)),
                ('w', 'b') | ('b', 'w') => {}
                (_, other) => {
                    return Err(at(format!("colours `{colour}` here and `{other}` in line {line}")));
                }
            }
        }
        if pairs.is_empty() {
            return Err(format!("round {round}: no pairings"));
        }
        Ok(pairs)
    }
}
