//! The teams of a report, with their players in the order of boards.

use std::collections::BTreeMap;

use super::cells::Cells;

/// A team.
#[derive(Debug)]
pub struct Team {
    number: u32,
    pub name: String,
    /// The starting ranks of its players, by boards.
    pub players: Vec<u32>,
}

/// What a report says of teams.
#[derive(Debug, Default)]
pub struct Teams {
    /// In the order of their numbers.
    pub teams: Vec<Team>,
    /// The players of a team in a round in which they sit in another order, by round and number of the team.
    other_orders: BTreeMap<(u32, u32), Vec<u32>>,
    /// Whether the type of the tournament says that teams play, if it says either.
    says: Option<bool>,
}

impl Teams {
    /// What lines 092 and 192 say: the type of the tournament.
    pub fn take_type(&mut self, text: &str) {
        let text = text.to_lowercase();
        if text.contains("team") {
            self.says = Some(true);
        } else if text.contains("individual") || text.trim_start().starts_with("fide_") {
            self.says = self.says.or(Some(false));
        }
    }

    /// A line of a team (`013`, `310`), or of the order in which one plays in a round (`300`: round, team, players).
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn take(&mut self, code: &str, line: &str) -> Result<(), String> {
        if code == "300" {
            let numbers: Option<Vec<u32>> = line[3..].split_whitespace().map(|n| n.parse().ok()).collect();
            let Some([round, team, players @ ..]) = numbers.as_deref() else {
                return Err("no round, team and players".into());
            };
            self.other_orders.insert((*round, *team), players.to_vec());
            return Ok(());
        }
        // In TRF16 a team has no number.
        let next = self.teams.len() as u32 + 1;
        let read = |cells: Cells| {
            let (number, name, from) = match code {
                "013" => (next, cells.columns(5, 36), 37),
                _ => (cells.number(5, 7).ok()??, cells.columns(9, 40), 74),
            };
            Some(Team { number, name: name.trim().to_owned(), players: players(&cells, from)? })
        };
        // Some programs pad names by their bytes.
        let team = read(Cells::of_letters(line)).or_else(|| read(Cells::of_bytes(line)));
        let what = "the players of a team are starting ranks, each in four columns of its own";
        self.add(team.ok_or(what)?)
    }

    fn add(&mut self, team: Team) -> Result<(), String> {
        if let Some(first) = self.teams.iter().find(|first| first.number == team.number) {
            return Err(format!("team {} is {} already", team.number, first.name));
        }
        if let Some(rank) = team.players.iter().find(|rank| self.of(**rank).is_some()) {
            return Err(format!("rank {rank} plays for {} already", self.name_of(*rank)));
        }
        let at = self.teams.partition_point(|other| other.number < team.number);
        self.teams.insert(at, team);
        Ok(())
    }

    /// Whether teams play each other; none where the report does not say.
    pub fn is_team_event(&self) -> Option<bool> {
        if self.teams.is_empty() { Some(false) } else { self.says }
    }

    /// The name of the team of the player with this starting rank; empty for none.
    pub fn name_of(&self, rank: u32) -> &str {
        self.of(rank).map_or("", |at| &self.teams[at].name)
    }

    /// Which team, counted from 0, the player with this starting rank is of.
    pub fn of(&self, rank: u32) -> Option<usize> {
        self.teams.iter().position(|team| team.players.contains(&rank))
    }

    /// The players of a team in the order in which they sit in a round.
    pub fn order(&self, team: usize, round: usize) -> &[u32] {
        let Team { number, players, .. } = &self.teams[team];
        self.other_orders.get(&(round as u32, *number)).unwrap_or(players)
    }
}

/// The starting ranks from a column on: four columns each, which a blank parts.
fn players(cells: &Cells, from: usize) -> Option<Vec<u32>> {
    let mut players = Vec::new();
    for column in (from..=cells.width()).step_by(5) {
        if column > from && !cells.is_blank(column - 1) {
            return None;
        }
        players.extend(cells.number(column, column + 3).ok()?);
    }
    Some(players)
}
