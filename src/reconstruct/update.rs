//! The updates of the games of one board; and the final moves of a game, for readers who want each ply once.

use std::collections::BTreeMap;

use crate::record::{End, GameEvent, Move, Time};

/// A game record of one board, without the board's name.
#[derive(Debug, Clone)]
pub struct Update {
    /// The game, counted from 1 on its board.
    pub game: u32,
    /// When it happened.
    pub time: Option<Time>,
    /// What happened.
    pub event: GameEvent,
}

/// The games of one board that are not final: a game is final when the next one has a move, or the input is over.
#[derive(Default)]
pub struct FinalGames {
    /// The remaining updates of each game.
    open: BTreeMap<u32, FinalMoves>,
    /// All games before this one are final.
    first: u32,
}

impl FinalGames {
    /// Adds an update; returns the remaining updates of games that are final now. A later ruling on a final game is
    /// returned as it is.
    pub fn add(&mut self, update: Update) -> Vec<Update> {
        if update.game < self.first {
            return vec![update];
        }
        let (game, begins) = (update.game, matches!(update.event, GameEvent::Move(_)));
        self.open.entry(game).or_default().add(update);
        if begins { self.before(game) } else { Vec::new() }
    }

    /// The remaining updates of all games: the input is over.
    pub fn rest(&mut self) -> Vec<Update> {
        self.before(u32::MAX)
    }

    fn before(&mut self, game: u32) -> Vec<Update> {
        self.first = game;
        let open = self.open.split_off(&game);
        let over = std::mem::replace(&mut self.open, open);
        over.into_values().flat_map(FinalMoves::into_game).collect()
    }
}

/// The updates of a game, without those withdrawn or replaced.
#[derive(Default)]
pub struct FinalMoves(Vec<Update>);

impl FinalMoves {
    /// Adds an update.
    pub fn add(&mut self, update: Update) {
        let ply = |update: &Update| match &update.event {
            GameEvent::Move(mv) => mv.ply,
            _ => None,
        };
        // Plies are in order, so that a search from the end is short.
        let from = |wanted| self.0.iter().rposition(|u| ply(u).is_some_and(|ply| ply <= wanted));
        let known = match &update.event {
            GameEvent::Move(mv) => mv.ply.and_then(from).filter(|&at| ply(&self.0[at]) == mv.ply),
            GameEvent::Takeback(back) => Some(from(back.ply).map_or(0, |last| last + 1)),
            _ => None,
        };
        // A move takes back an end, and an end replaces the previous one.
        let withdraws = match &update.event {
            GameEvent::Move(_) => known.is_none(),
            event => matches!(event, GameEvent::Takeback(_) | GameEvent::End(_)),
        };
        self.0.pop_if(|last| withdraws && matches!(last.event, GameEvent::End(_)));
        match &update.event {
            GameEvent::Takeback(_) => {
                let stand = known.unwrap_or_default();
                let later = self.0.split_off(stand);
                self.0.extend(later.into_iter().filter(|u| ply(u).is_none()));
            }
            _ => match known {
                Some(at) => self.0[at] = update,
                None => self.0.push(update),
            },
        }
    }

    /// The remaining moves, with their times.
    pub fn moves(&self) -> impl Iterator<Item = (&Move, Option<Time>)> {
        self.0.iter().filter_map(|update| match &update.event {
            GameEvent::Move(mv) => Some((&**mv, update.time)),
            _ => None,
        })
    }

    /// All remaining updates.
    pub fn into_updates(self) -> Vec<Update> {
        self.0
    }

    /// The remaining updates of a final game: none if all of it was withdrawn when the next one began.
    fn into_game(self) -> Vec<Update> {
        let is_any = |update: &Update| !matches!(update.event, GameEvent::Game(_) | GameEvent::End(_));
        let is_next = matches!(&self.0.last(), Some(Update { event: GameEvent::End(end), .. }) if *end == End::BY_THE_NEXT);
        if is_next && !self.0.iter().any(is_any) { Vec::new() } else { self.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Anomaly, Takeback};

    fn update(event: GameEvent) -> Update {
        Update { game: 1, time: None, event }
    }

    fn ply(ply: u32) -> Update {
        update(GameEvent::Move(Box::new(Move { ply: Some(ply), ..Move::default() })))
    }

    #[test]
    fn the_last_record_of_each_ply_remains() {
        let mut game = FinalMoves::default();
        let anomaly: Anomaly = serde_json::from_str(r#"{"ply":2,"kind":"gap"}"#).unwrap();
        for update in [ply(1), ply(2), update(GameEvent::Anomaly(anomaly)), ply(3)] {
            game.add(update);
        }
        let other = Move { ply: Some(2), san: Some("e5".into()), ..Move::default() };
        game.add(update(GameEvent::Move(Box::new(other))));
        game.add(update(GameEvent::Takeback(Takeback { ply: 2, reason: None })));
        let kinds: Vec<_> = game.0.iter().map(|update| update.event.kind()).collect();
        assert_eq!(kinds, ["move", "move", "anomaly"]);
        assert_eq!(game.moves().nth(1).unwrap().0.san.as_deref(), Some("e5"));
    }

    #[test]
    fn a_game_is_final_when_the_next_moves() {
        let of = |game, update: Update| Update { game, ..update };
        let end = || update(GameEvent::End(End::of(None, crate::record::EndReason::Kings)));
        let mut games = FinalGames::default();
        for update in [ply(1), end(), ply(2), end()] {
            assert!(games.add(update).is_empty());
        }
        let first = games.add(of(2, ply(1)));
        let kinds: Vec<_> = first.iter().map(|update| (update.game, update.event.kind())).collect();
        assert_eq!(kinds, [(1, "move"), (1, "move"), (1, "end")]);
        assert_eq!(games.add(end()).len(), 1, "what is ruled of it later follows it");
        assert_eq!(games.rest().len(), 1);
    }

    #[test]
    fn the_cost_of_a_ply_does_not_grow() {
        // A quadratic algorithm would take hours for half a million plies.
        let mut game = FinalMoves::default();
        for number in 1..=500_000 {
            game.add(ply(number));
            if number % 3 == 0 {
                game.add(update(GameEvent::Takeback(Takeback { ply: number - 1, reason: None })));
                game.add(ply(number));
            }
        }
        assert_eq!(game.moves().count(), 500_000);
    }
}
