//! The rulings of arbiters on the games of a board, and which explanations agree with them.
//!
//! The search asks for every explanation that it makes; one with another move at a ruled ply is dropped, or gets the
//! ruled move instead (`propose`). The session asks for results, the tracked board for void games.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    observe::event::Event,
    tree::{node::Node, position::Position},
    update::Update,
};
use crate::{
    record::{End, EndReason, GameEvent, Move, Outcome, Ruled, Ruling, Time, path_of},
    rules::{Candidate, Game},
};

/// The rulings on the games of one board.
#[derive(Debug, Clone, Default)]
pub struct Rulings(BTreeMap<u32, Rc<GameRulings>>);

impl Rulings {
    /// Adds a ruling, given at this time if known: the last one on a ply holds.
    pub fn add(&mut self, game: u32, ruling: &Ruling, time: Option<Time>) {
        Rc::make_mut(self.0.entry(game).or_default()).add(ruling, time);
    }

    /// Whether there are any rulings.
    pub fn are_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// The rulings on one game, if any.
    pub fn of(&self, game: u32) -> Option<&Rc<GameRulings>> {
        self.0.get(&game)
    }

    /// Removes the ruling on a ply because it cannot be applied: the one before it holds again.
    pub fn refuse(&mut self, game: u32, ply: u32) -> Option<Rc<Ruling>> {
        let GameRulings { plies, before, .. } = Rc::make_mut(self.0.get_mut(&game)?);
        let refused = plies.remove(&ply)?;
        if let Some(at) = before.iter().rposition(|ruling| ruling.ply == Some(ply)) {
            plies.insert(ply, before.remove(at));
        }
        Some(refused)
    }

    /// The updates to publish for this one: a void game is published as such, in its place, since later games keep
    /// their numbers.
    pub fn without_void(&self, update: Update) -> impl Iterator<Item = Update> + use<> {
        let void = self.of(update.game).and_then(|rulings| rulings.whole.as_ref());
        let void = void.filter(|(ruling, _)| ruling.ruled == Ruled::Void);
        let Update { game, time, .. } = update;
        let update_of = |event| Update { game, time, event };
        let updates = match (void, &update.event) {
            (None, _) => [Some(update), None, None],
            (Some((ruling, _)), GameEvent::Game(_)) => {
                let (end, ruling) = (GameEvent::End(End::BY_THE_NEXT), Box::new(Ruling::clone(ruling)));
                [Some(update), Some(update_of(GameEvent::Ruling(ruling))), Some(update_of(end))]
            }
            (Some(_), _) => [None, None, None],
        };
        updates.into_iter().flatten()
    }

    /// The rulings on games after this number.
    pub fn after(&self, games: u32) -> impl Iterator<Item = (u32, &Rc<Ruling>)> {
        self.0.range(games + 1..).flat_map(|(&game, rulings)| rulings.all().map(move |ruling| (game, ruling)))
    }

    /// Whether the game was ruled void.
    pub fn is_void(&self, game: u32) -> bool {
        self.of(game).is_some_and(|rulings| rulings.of_whole() == Some(&Ruled::Void))
    }
}

/// The rulings on one game.
#[derive(Debug, Clone, Default)]
pub struct GameRulings {
    /// The rulings on plies: the move of each, or the position after it.
    plies: BTreeMap<u32, Rc<Ruling>>,
    /// Rulings that later ones on the same ply replaced.
    before: Vec<Rc<Ruling>>,
    /// The ruling on the game as a whole, and its time.
    whole: Option<(Rc<Ruling>, Option<Time>)>,
}

impl GameRulings {
    fn add(&mut self, ruling: &Ruling, time: Option<Time>) {
        match (&ruling.ruled, ruling.ply) {
            (Ruled::Withdraw, Some(ply)) => {
                self.plies.remove(&ply);
                self.before.retain(|ruling| ruling.ply != Some(ply));
            }
            (Ruled::Withdraw, None) => self.whole = None,
            (_, Some(ply)) => self.before.extend(self.plies.insert(ply, Rc::new(ruling.clone()))),
            (_, None) => self.whole = Some((Rc::new(ruling.clone()), time)),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Rc<Ruling>> {
        self.plies.values().chain(self.whole.iter().map(|(ruling, _)| ruling))
    }

    /// The rulings on plies after `plies`.
    pub fn beyond(&self, plies: u32) -> impl Iterator<Item = &Rc<Ruling>> {
        self.plies.range(plies + 1..).map(|(_, ruling)| ruling)
    }

    fn of_whole(&self) -> Option<&Ruled> {
        self.whole.as_ref().map(|(ruling, _)| &ruling.ruled)
    }

    /// The ruling on the result.
    pub fn result(&self) -> Option<&Rc<Ruling>> {
        let (ruling, _) = self.whole.as_ref()?;
        matches!(ruling.ruled, Ruled::Result { .. }).then_some(ruling)
    }

    /// The end of the game, with the ruled result.
    pub fn end(&self, end: End) -> End {
        match self.of_whole() {
            Some(&Ruled::Result { result, forfeit }) => End { result, forfeit, ..end },
            _ => end,
        }
    }

    /// The time and the end of a game in play whose result was ruled; none where the time is not known, or the ruling
    /// is that there is no result yet.
    pub fn ends(&self) -> Option<(Time, End)> {
        let &Ruled::Result { result: result @ Some(_), forfeit } = self.of_whole()? else { return None };
        self.whole.as_ref().and_then(|&(_, time)| Some((time?, GameRulings::ended(result, forfeit))))
    }

    /// The end of a game whose result is ruled while the game is in play.
    pub fn ended(result: Option<Outcome>, forfeit: bool) -> End {
        // The ruling is published before it; earlier readers have no reason for rulings.
        End { forfeit, ..End::of(result, EndReason::ResultPiece) }
    }

    /// Whether no move and no position is ruled.
    pub fn leave_open(&self) -> bool {
        self.plies.is_empty()
    }

    /// Whether a move or a position is ruled for this ply.
    pub fn rules_ply(&self, ply: u32) -> bool {
        self.plies.contains_key(&ply)
    }

    /// Whether the game that leads to this node agrees with the rulings.
    pub fn allow<G: Game>(&self, node: &Rc<Node<G>>) -> bool {
        self.plies
            .range(..=node.ply)
            .all(|(&ply, ruling)| node.at(ply).is_none_or(|node| keeps_to(node, &ruling.ruled)))
    }

    /// Whether this move may be the one at the ply.
    pub fn allow_move<G: Game>(&self, ply: u32, game: &G, candidate: &Candidate<G::Move>) -> bool {
        self.plies.get(&ply).is_none_or(|ruling| match &ruling.ruled {
            Ruled::Fen(fen) => same_position(&game.after(candidate).fen(), fen),
            ruled => fits(&game.describe(&candidate.mv), ruled),
        })
    }

    /// The node after the ruling on the next ply; none where it is impossible.
    pub fn next<G: Game>(&self, node: &Rc<Node<G>>, event: Event) -> Option<Rc<Node<G>>> {
        let ply = node.ply + 1;
        let ruling = self.plies.get(&ply)?;
        let position = Position::new(node.game.clone());
        let found = position.moves().find(|candidate| self.allow_move(ply, &node.game, candidate));
        let mut next = match (found, &ruling.ruled) {
            (Some(mv), _) => Node::child(node, &mv, &position.after(&mv), event, false),
            // After a ply the other side is to move.
            (None, Ruled::Fen(fen)) => {
                let game = node.game.read_fen(fen).filter(|game| game.turn() != node.game.turn())?;
                Node::ruled(node, game, ply, event)
            }
            _ => return None,
        };
        next.ruled_otherwise = Some(ruling.clone());
        Some(Rc::new(next))
    }
}

fn keeps_to<G: Game>(node: &Node<G>, ruled: &Ruled) -> bool {
    match (ruled, &node.parent, &node.mv) {
        (Ruled::Fen(fen), ..) => same_position(&node.game.fen(), fen),
        (ruled, Some(parent), Some(mv)) => fits(&parent.game.describe(mv), ruled),
        _ => false,
    }
}

/// Whether two FENs have the same pieces and the same side to move: an arbiter may leave out rights and counters.
fn same_position(ours: &str, ruled: &str) -> bool {
    ours.split(' ').take(2).eq(ruled.split(' ').take(2))
}

/// Whether a move is the ruled one, in any notation.
fn fits(mv: &Move, ruled: &Ruled) -> bool {
    match ruled {
        Ruled::Uci(uci) => mv.uci.as_ref().is_some_and(|ours| ours.eq_ignore_ascii_case(uci)),
        Ruled::San(san) => {
            mv.san.as_ref().zip(mv.uci.as_ref()).is_some_and(|(ours, uci)| is_san_of(san, ours, uci))
        }
        Ruled::Notation(notation) => {
            let squares = path_of(notation);
            let ends = |path: &[String]| path.first().zip(path.last()).map(|(a, b)| [a.clone(), b.clone()]);
            mv.path == squares
                || (squares.len() == 2 && ends(&mv.path).is_some_and(|ends| ends[..] == squares))
        }
        Ruled::Fen(_) | Ruled::Result { .. } | Ruled::Void | Ruled::Withdraw => false,
    }
}

/// Whether a SAN is the move that is `ours` in SAN and `uci` in UCI: it may have more of the origin than necessary, and
/// lack signs.
fn is_san_of(san: &str, ours: &str, uci: &str) -> bool {
    // The piece with its target and promotion, and the origin as far as given.
    let parts = |san: &str| {
        let bare = san.trim_end_matches(['+', '#', '!', '?']).replace('0', "O").replace(['x', '='], "");
        let rank = bare.rfind(|c: char| c.is_ascii_digit()).filter(|&rank| rank > 0);
        let Some(rank) = rank else { return (bare, String::new()) };
        let (before, to) = bare.split_at(rank - 1);
        let (piece, from): (String, String) = before.chars().partition(|c| c.is_ascii_uppercase());
        (piece + to, from)
    };
    let ((goes, must), (ruled, from)) = (parts(ours), parts(san));
    goes == ruled && must.chars().all(|c| from.contains(c)) && from.chars().all(|c| uci[..2].contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(san: &str, uci: &str, path: &[&str]) -> Move {
        let path = path.iter().map(|&square| square.to_owned()).collect();
        Move { san: Some(san.into()), uci: Some(uci.into()), path, ..Move::default() }
    }

    #[test]
    fn a_ruled_move_matches_in_any_notation() {
        let check = mv("Re3+", "e7e3", &[]);
        for san in ["Re3", "Re3+", "Re3#", "Re3!?"] {
            assert!(fits(&check, &Ruled::San(san.into())), "{san}");
        }
        assert!(!fits(&check, &Ruled::San("Re2".into())));
        assert!(fits(&check, &Ruled::Uci("E7E3".into())) && !fits(&check, &Ruled::Uci("e7e2".into())));
        assert!(fits(&mv("O-O", "e1g1", &[]), &Ruled::San("0-0".into())));
        assert!(!fits(&mv("O-O", "e1g1", &[]), &Ruled::San("O-O-O".into())));
        let knight = mv("Ngf3", "g1f3", &[]);
        for (san, is_it) in
            [("Ngf3", true), ("Ng1f3", true), ("Nf3", false), ("Nef3", false), ("Ng2f3", false)]
        {
            assert_eq!(fits(&knight, &Ruled::San(san.into())), is_it, "{san}");
        }
        for (ours, uci, san) in [
            ("exd5", "e4d5", "ed5"),
            ("exd5", "e4d5", "e4xd5"),
            ("Bb5", "f1b5", "Bfb5"),
            ("dxe8=Q+", "d7e8q", "dxe8Q"),
        ] {
            assert!(fits(&mv(ours, uci, &[]), &Ruled::San(san.into())), "{san}");
        }
        let promotes = mv("e8=Q", "e7e8q", &[]);
        assert!(!fits(&promotes, &Ruled::San("e8=R".into())) && !fits(&promotes, &Ruled::San("e8".into())));
        assert!(!fits(&mv("Bxc3", "b4c3", &[]), &Ruled::San("bxc3".into())));
        let capture = mv("", "", &["f4", "d6", "b8"]);
        for notation in ["f4:d6:b8", "f4xd6xb8", "f4:b8"] {
            assert!(fits(&capture, &Ruled::Notation(notation.into())), "{notation}");
        }
        assert!(!fits(&capture, &Ruled::Notation("f4:d6".into())));
    }

    #[test]
    fn the_last_ruling_holds_and_may_be_withdrawn() {
        let ruling = |ply, ruled| Ruling { ply, ruled, note: None };
        let mut rulings = Rulings::default();
        rulings.add(2, &ruling(Some(3), Ruled::San("Nf3".into())), None);
        rulings.add(2, &ruling(Some(3), Ruled::San("Nc3".into())), None);
        rulings.add(
            2,
            &ruling(None, Ruled::Result { result: Some(Outcome::HalfToWhite), forfeit: false }),
            Some(Time(7)),
        );
        let of = rulings.of(2).unwrap();
        assert_eq!(of.plies[&3].ruled, Ruled::San("Nc3".into()));
        assert_eq!(of.ends(), Some((Time(7), End::of(Some(Outcome::HalfToWhite), EndReason::ResultPiece))));
        rulings.add(2, &ruling(Some(3), Ruled::Withdraw), None);
        rulings.add(2, &ruling(None, Ruled::Void), None);
        assert!(rulings.of(2).unwrap().leave_open() && rulings.is_void(2) && !rulings.is_void(1));
        rulings.add(2, &ruling(None, Ruled::Withdraw), None);
        assert!(!rulings.is_void(2));
    }
}
