//! What was published of one game: its moves as they stand outside, and the updates that made them so.
//!
//! Nothing of a game reaches the outside but through here, so that this list is always what a reader of the updates
//! has. It knows no reasons: the publisher and the end of a game decide.

use std::rc::Rc;

use super::explain::explain;
use crate::{
    reconstruct::{
        backtrack::Search,
        certainty::{self, Certainty, Weighed},
        hypothesis::Hypothesis,
        limits,
        tree::node::Node,
        update::Update,
    },
    record::{GameEvent, GameStart, Move, Ruling, Seconds, Takeback, Time},
    rules::{self, Game},
};

/// A move that was published.
#[derive(Clone)]
pub struct PublishedMove<G: Game> {
    /// Where it led.
    pub node: Rc<Node<G>>,
    /// As it was published last; without a ply where play went on from an anomaly, of which there is no record.
    pub mv: Box<Move>,
    time: Option<Time>,
    /// See [`certainty::rest`].
    rest: f64,
}

impl<G: Game> PublishedMove<G> {
    /// The move that led to a node as it can be published now, with its clock time as the best explanation has it.
    pub fn new(node: &Rc<Node<G>>, search: &Search<G>) -> PublishedMove<G> {
        let (time, rest) = (node.completed_by.stamp.time(), certainty::rest(node));
        let mut published = PublishedMove { node: node.clone(), mv: Box::default(), time, rest };
        if let (Some(parent), Some(mv)) = (&node.parent, &node.mv) {
            let Certainty { certainty, alternatives } = Weighed::of(node, rest, search).tell();
            *published.mv = Move {
                ply: Some(node.ply),
                fen: node.game.fen(),
                seconds: clock_time(node, search.best()),
                guess: node.guess && !search.rulings().speak_of(node.ply),
                claim: rules::claim(&node.game, parent.walk_back().map(|node| &node.game)).map(str::to_owned),
                explain: explain(node, search),
                certainty,
                alternatives,
                ..parent.game.describe(mv)
            };
        }
        published
    }

    /// Whether its press was published with it.
    pub fn is_pressed(&self) -> bool {
        self.mv.seconds.is_some()
    }
}

/// See the module.
pub struct Published<G: Game> {
    /// The game's number on its board.
    number: u32,
    /// How it begins, and when the board showed that.
    pub start: GameStart,
    pub began: Option<Time>,
    /// Whether the beginning was published.
    pub begun: bool,
    /// The moves that stand.
    pub moves: Vec<PublishedMove<G>>,
}

impl<G: Game> Published<G> {
    /// Nothing yet, of a game with this number that begins from `game`.
    pub fn new(game: &G, rotated: bool, number: u32, began: Option<Time>) -> Published<G> {
        let (rules, fen) = (game.rules(), game.fen());
        let start = GameStart { rules, fen, rotated, zone: None, tags: Default::default(), comment: None };
        Published { number, start, began, begun: false, moves: Vec::new() }
    }

    /// Which of the moves is that of a ply.
    pub fn at(&self, ply: u32) -> Option<usize> {
        // Mostly it is asked for the last.
        if self.plies() <= ply {
            return self.moves.len().checked_sub(1).filter(|_| self.plies() == ply);
        }
        self.moves.binary_search_by_key(&ply, |published| published.node.ply).ok()
    }

    /// How many plies were published.
    pub fn plies(&self) -> u32 {
        self.moves.last().map_or(0, |published| published.node.ply)
    }

    /// When the first of its moves was made.
    pub fn first_moved(&self) -> Option<Time> {
        self.moves.first()?.time
    }

    /// Which of the moves led to this very node.
    pub fn find(&self, node: &Node<G>) -> Option<usize> {
        self.at(node.ply).filter(|&at| self.moves[at].node.line_hash == node.line_hash)
    }

    /// Whether the press of the very move that led to this node was published.
    pub fn tells_press_of(&self, node: &Node<G>) -> bool {
        self.find(node).is_some_and(|at| self.moves[at].is_pressed())
    }

    /// The nodes on the way to `last` that were not published, and how many of the published moves stand on that way.
    pub fn missing(&self, last: &Rc<Node<G>>) -> (Vec<Rc<Node<G>>>, usize) {
        let mut stand = 0;
        let missing = |node: &&Rc<Node<G>>| {
            stand = self.find(node).map_or(0, |at| at + 1);
            stand == 0 && node.ply > 0
        };
        let mut nodes: Vec<_> = last.walk_back().take_while(missing).cloned().collect();
        nodes.reverse();
        (nodes, stand)
    }

    /// Publishes something of this game, and its beginning before it.
    pub fn event(&mut self, event: GameEvent, time: Option<Time>, updates: &mut Vec<Update>) {
        self.begin(updates);
        updates.push(Update { game: self.number, time, event });
    }

    fn begin(&mut self, updates: &mut Vec<Update>) {
        if !std::mem::replace(&mut self.begun, true) {
            let event = GameEvent::Game(self.start.clone());
            updates.push(Update { game: self.number, time: self.began, event });
        }
    }

    /// Publishes the move that led to a node, with its clock time as the best explanation has it, or as it was told of a move
    /// in whose place it is, of these, where that was pressed so long ago that no explanation remembers it.
    pub fn publish(
        &mut self,
        node: &Rc<Node<G>>,
        withdrawn: &[(Rc<Node<G>>, Option<Seconds>)],
        search: &Search<G>,
        updates: &mut Vec<Update>,
    ) {
        let mut published = PublishedMove::new(node, search);
        let forgotten = search.best().presses.oldest().is_some_and(|oldest| oldest.ply > node.ply);
        if forgotten && published.mv.seconds.is_none() {
            let before = |node: &Node<G>| node.parent.as_ref().map(|before| before.line_hash);
            let same =
                |told: &Node<G>| told.ply == node.ply && (told.mv == node.mv || before(told) == before(node));
            let told = withdrawn.iter().find(|(told, _)| same(told));
            published.mv.seconds = told.and_then(|&(_, seconds)| seconds);
        }
        self.republish(published, updates);
        if let Some(ruling) = &node.ruled_otherwise {
            let time = node.completed_by.stamp.time();
            self.event(GameEvent::Ruling(Box::new(Ruling::clone(ruling))), time, updates);
        }
    }

    /// Publishes a move that was published before, elsewhere or before it was withdrawn.
    pub fn republish(&mut self, published: PublishedMove<G>, updates: &mut Vec<Update>) {
        if published.mv.ply.is_some() {
            let event = GameEvent::Move(published.mv.clone());
            self.event(event, published.time, updates);
        }
        self.moves.push(published);
    }

    /// Publishes moves again whose clock time has become known, or another, since they were published.
    pub fn refresh_clocks(&mut self, best: &Hypothesis<G>, updates: &mut Vec<Update>) {
        // A press is understood for good when the board is.
        let Some(first) = best.presses.oldest().filter(|_| best.mismatched == 0) else { return };
        let recent = self.moves.iter_mut().rev().take_while(|published| published.node.ply >= first.ply);
        for PublishedMove { node, mv, time, .. } in recent {
            let seconds = clock_time(node, best);
            if seconds != mv.seconds && mv.ply.is_some() && best.node.leads_from(node) {
                mv.seconds = seconds;
                let event = GameEvent::Move(mv.clone());
                updates.push(Update { game: self.number, time: *time, event });
            }
        }
    }

    /// Publishes moves again of which it is known better how sure they are: those of the last plies.
    pub fn refresh_certainty(&mut self, search: &Search<G>, updates: &mut Vec<Update>) {
        let mut agreed: Option<Rc<Node<G>>> = None;
        for PublishedMove { node, mv, time, rest } in self.moves.iter_mut().rev().take(limits::DOUBTED) {
            if mv.ply.is_none() {
                continue;
            }
            let now = match agreed.as_ref().is_some_and(|later| later.leads_from(node)) {
                true => Weighed::before_agreed(node, *rest, search),
                false => Weighed::of(node, *rest, search),
            };
            if now.agreed && agreed.is_none() {
                agreed = Some(node.clone());
            }
            if now.band() != certainty::band(mv.certainty) {
                let now = now.tell();
                (mv.certainty, mv.alternatives) = (now.certainty, now.alternatives);
                if mv.explain.is_some() && search.best().node.leads_from(node) {
                    mv.explain = explain(node, search);
                }
                let event = GameEvent::Move(mv.clone());
                updates.push(Update { game: self.number, time: *time, event });
            }
        }
    }

    /// Withdraws all but the first `stand` moves, if there are more.
    pub fn withdraw(
        &mut self,
        stand: usize,
        now: Option<Time>,
        updates: &mut Vec<Update>,
    ) -> Vec<PublishedMove<G>> {
        if stand >= self.moves.len() {
            return Vec::new();
        }
        let withdrawn = self.moves.split_off(stand);
        self.event(GameEvent::Takeback(Takeback { ply: self.plies() }), now, updates);
        withdrawn
    }

    /// Publishes moves again that were withdrawn, in the place of all but the first `stand`.
    pub fn tell_instead(
        &mut self,
        stand: usize,
        moves: Vec<PublishedMove<G>>,
        now: Option<Time>,
        updates: &mut Vec<Update>,
    ) {
        self.withdraw(stand, now, updates);
        moves.into_iter().for_each(|published| self.republish(published, updates));
    }

    /// Publishes under this number, from its beginning, what was published of the game elsewhere.
    pub fn publish_anew(&mut self, number: u32, updates: &mut Vec<Update>) {
        self.number = number;
        if std::mem::take(&mut self.begun) {
            self.begin(updates);
        }
        for published in std::mem::take(&mut self.moves) {
            self.republish(published, updates);
        }
    }
}

/// What the mover's clock showed at its press.
fn clock_time<G: Game>(node: &Node<G>, best: &Hypothesis<G>) -> Option<Seconds> {
    best.pressed(node.ply).map(|press| Seconds(press.seconds))
}
