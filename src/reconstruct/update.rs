//! What is published of the games of one board, and what stands of a game once it is over, for those who want each ply
//! once.

use crate::record::{End, GameEvent, Move, Time};

/// A game record of one board, not yet with the board's name.
#[derive(Debug, Clone)]
pub struct Update {
    /// The game, counted from 1 on its board.
    pub game: u32,
    /// When it happened.
    pub time: Option<Time>,
    /// What happened.
    pub event: GameEvent,
}

/// What was published of a game, without what was withdrawn or replaced.
#[derive(Default)]
pub struct FinalMoves(Vec<Update>);

impl FinalMoves {
    /// Something more was published.
    pub fn add(&mut self, update: Update) {
        let ply = |update: &Update| match &update.event {
            GameEvent::Move(mv) => mv.ply,
            _ => None,
        };
        // Plies stand in their order, so that what is looked for is not far from the end.
        let from = |wanted| self.0.iter().rposition(|u| ply(u).is_some_and(|ply| ply <= wanted));
        match &update.event {
            GameEvent::Takeback(back) => {
                let stand = from(back.ply).map_or(0, |last| last + 1);
                let later = self.0.split_off(stand);
                self.0.extend(later.into_iter().filter(|u| ply(u).is_none()));
            }
            GameEvent::Move(mv) => match mv.ply.and_then(from).filter(|&at| ply(&self.0[at]) == mv.ply) {
                Some(at) => self.0[at] = update,
                None => self.0.push(update),
            },
            _ => self.0.push(update),
        }
    }

    /// The moves that stand, with their times.
    pub fn moves(&self) -> impl Iterator<Item = (&Move, Option<Time>)> {
        self.0.iter().filter_map(|update| match &update.event {
            GameEvent::Move(mv) => Some((&**mv, update.time)),
            _ => None,
        })
    }

    /// All that stands.
    pub fn into_updates(self) -> Vec<Update> {
        self.0
    }

    /// All that stands, if the game is over: nothing of one of which all was taken back when the next one began.
    pub fn take_if_over(&mut self) -> Option<Vec<Update>> {
        let GameEvent::End(end) = &self.0.last()?.event else { return None };
        let is_next = *end == End::BY_THE_NEXT;
        let told = std::mem::take(&mut self.0);
        let is_any = |update: &Update| !matches!(update.event, GameEvent::Game(_) | GameEvent::End(_));
        Some(if is_next && !told.iter().any(is_any) { Vec::new() } else { told })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Anomaly, Takeback};

    fn told(event: GameEvent) -> Update {
        Update { game: 1, time: None, event }
    }

    fn ply(ply: u32) -> Update {
        told(GameEvent::Move(Box::new(Move { ply: Some(ply), ..Move::default() })))
    }

    #[test]
    fn the_last_word_for_each_ply_stands_and_anomalies_stay() {
        let mut game = FinalMoves::default();
        let anomaly: Anomaly = serde_json::from_str(r#"{"ply":2,"kind":"gap"}"#).unwrap();
        for update in [ply(1), ply(2), told(GameEvent::Anomaly(anomaly)), ply(3)] {
            game.add(update);
        }
        let other = Move { ply: Some(2), san: Some("e5".into()), ..Move::default() };
        game.add(told(GameEvent::Move(Box::new(other))));
        game.add(told(GameEvent::Takeback(Takeback { ply: 2 })));
        let kinds: Vec<_> = game.0.iter().map(|update| update.event.kind()).collect();
        assert_eq!(kinds, ["move", "move", "anomaly"]);
        assert_eq!(game.moves().nth(1).unwrap().0.san.as_deref(), Some("e5"));
    }

    #[test]
    fn a_long_game_costs_as_much_a_ply_as_a_short_one() {
        // Quadratic, half a million plies would take hours.
        let mut game = FinalMoves::default();
        for number in 1..=500_000 {
            game.add(ply(number));
            if number % 3 == 0 {
                game.add(told(GameEvent::Takeback(Takeback { ply: number - 1 })));
                game.add(ply(number));
            }
        }
        assert_eq!(game.moves().count(), 500_000);
    }
}
