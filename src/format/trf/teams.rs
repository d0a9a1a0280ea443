//! The teams of a report, with their players in the order of boards.

use std::collections::BTreeMap;

use super::cells::Cells;

/// A team.
#[derive(Debug)]
pub struct Team {
    pub name: String,
    /// The starting ranks of its players, by boards.
    players: Vec<u32>,
}

/// The teams in a report.
#[derive(Debug, Default)]
pub struct Teams {
    /// By their numbers.
    teams: BTreeMap<u32, Team>,
    /// The players of a team in a round with another order, by round and number of the team.
    other_orders: BTreeMap<(usize, u32), Vec<u32>>,
    /// Whether the type of the tournament is one of teams; none where it shows neither.
    is_of_teams: Option<bool>,
}

impl Teams {
    /// Reads lines 092 and 192: the type of the tournament.
    pub fn take_type(&mut self, text: &str) {
        let text = text.to_lowercase();
        let is_single = text.contains("individual") || text.trim_start().starts_with("fide_");
        let says_so = || is_single.then_some(false);
        self.is_of_teams = if text.contains("team") { Some(true) } else { self.is_of_teams.or_else(says_so) };
    }

    /// The order of a team's players in a round, of line 300: round, team, players.
    ///
    /// # Errors
    /// The problem with the line.
    pub fn take_order(&mut self, text: &str) -> Result<(), String> {
        let numbers: Option<Vec<u32>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
        let Some([round, team, players @ ..]) = numbers.as_deref() else {
            return Err("no round, team and players".into());
        };
        self.other_orders.insert((*round as usize, *team), players.to_vec());
        Ok(())
    }

    /// A line of a team, `310` or, without a number, `013` of TRF16.
    ///
    /// # Errors
    /// The problem with the line.
    pub fn take(&mut self, line: &str) -> Result<(), String> {
        let next = self.teams.len() as u32 + 1;
        let read = |cells: Cells| {
            let (number, name, from) = match line.starts_with("013") {
                true => (next, cells.columns(5, 36), 37),
                false => (cells.number(5, 7).ok()??, cells.columns(9, 40), 74),
            };
            // A blank separates the ranks.
            let rank = |column| match column == from || cells.at(column - 1) == ' ' {
                true => cells.number(column, column + 3),
                false => Err(()),
            };
            let players = (from..=cells.width()).step_by(5).filter_map(|column| rank(column).transpose());
            let players: Vec<u32> = players.collect::<Result<_, _>>().ok()?;
            Some((number, name.trim().to_owned(), players))
        };
        // Some programs pad names by their bytes.
        let (number, name, players) =
            read(Cells::of_letters(line))
                .or_else(|| read(Cells::of_bytes(line)))
                .ok_or("the players of a team are starting ranks, each in four columns of its own")?;
        if let Some(first) = self.teams.get(&number) {
            return Err(format!("team {number} is {} already", first.name));
        }
        if let Some(rank) = players.iter().find(|rank| self.of(**rank).is_some()) {
            return Err(format!("rank {rank} plays for {} already", self.name_of(*rank)));
        }
        self.teams.insert(number, Team { name, players });
        Ok(())
    }

    /// Whether teams play each other; none where the report does not show it.
    pub fn is_team_event(&self) -> Option<bool> {
        if self.teams.is_empty() { Some(false) } else { self.is_of_teams }
    }

    /// The number and the team of the player with this starting rank.
    pub fn of(&self, rank: u32) -> Option<(u32, &Team)> {
        self.teams.iter().find(|(_, team)| team.players.contains(&rank)).map(|(number, team)| (*number, team))
    }

    /// The name of the player's team; empty for none.
    pub fn name_of(&self, rank: u32) -> &str {
        self.of(rank).map_or("", |(_, team)| &team.name)
    }

    /// The place of a player in the team in a round.
    pub fn place(&self, rank: u32, round: usize) -> Option<usize> {
        let (number, team) = self.of(rank)?;
        let order = self.other_orders.get(&(round, number)).unwrap_or(&team.players);
        order.iter().position(|other| *other == rank)
    }
}
