//! The published moves of one game, and the updates that published them.
//!
//! All updates of a game are made here, so that this list is always what a reader of the updates has. The reasons are
//! decided by the publisher and by the end of a game.

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
    record::{
        Alternative, Explain, GameEvent, GameStart, Move, Ruling, Seconds, Takeback, TakebackReason, Time,
    },
    rules::{self, Game},
};

/// A published move, with what was published besides the data of its node: a hall has thousands of these, and hardly
/// any is published again.
#[derive(Clone)]
pub struct PublishedMove<G: Game> {
    /// The node after the move.
    pub node: Rc<Node<G>>,
    /// The seconds on the mover's clock at its press, as last published.
    pub seconds: Option<Seconds>,
    time: Option<Time>,
    guess: bool,
    claim: Option<&'static str>,
    certainty: Option<f64>,
    alternatives: Vec<Alternative>,
    explain: Option<Box<Explain>>,
    /// See [`certainty::rest`].
    rest: f64,
}

impl<G: Game> PublishedMove<G> {
    /// The move to a node as it can be published now, with its clock time in the best explanation.
    pub fn new(node: &Rc<Node<G>>, search: &Search<G>) -> PublishedMove<G> {
        let (time, rest) = (node.completed_by.stamp.time(), certainty::rest(node));
        let mut published = PublishedMove {
            node: node.clone(),
            seconds: None,
            time,
            guess: node.guess && !search.rulings().rules_ply(node.ply),
            claim: None,
            certainty: None,
            alternatives: Vec::new(),
            explain: None,
            rest,
        };
        if let Some((parent, _)) = played(node) {
            published.seconds = clock_time(node, search.best());
            published.claim = rules::claim(&node.game, parent.walk_back().map(|node| &node.game));
            published.explain = explain(node, search);
            published.set_certainty(Weighed::of(node, rest, search).certainty_to_publish());
        }
        published
    }

    /// Sets its certainty and its alternatives.
    fn set_certainty(&mut self, Certainty { certainty, alternatives }: Certainty) {
        (self.certainty, self.alternatives) = (certainty, alternatives);
    }

    /// The move as last published; none where play went on from an anomaly, for which there is no record.
    pub fn mv(&self) -> Option<Move> {
        let (parent, mv) = played(&self.node)?;
        Some(Move {
            ply: Some(self.node.ply),
            fen: self.node.game.fen(),
            seconds: self.seconds,
            guess: self.guess,
            claim: self.claim.map(str::to_owned),
            explain: self.explain.clone(),
            certainty: self.certainty,
            alternatives: self.alternatives.clone(),
            ..parent.game.describe(mv)
        })
    }

    /// The update that publishes it, in the game with this number.
    fn update(&self, game: u32) -> Option<Update> {
        let event = GameEvent::Move(Box::new(self.mv()?));
        Some(Update { game, time: self.time, event })
    }

    /// Whether its press was published with it.
    pub fn is_pressed(&self) -> bool {
        self.seconds.is_some()
    }
}

/// The move that led to a node, with the node before.
fn played<G: Game>(node: &Node<G>) -> Option<(&Rc<Node<G>>, &G::Move)> {
    node.parent.as_ref().zip(node.mv.as_ref())
}

/// See the module.
pub struct Published<G: Game> {
    /// The number of the game on its board.
    number: u32,
    /// The start of the game, and the time at which the board showed it.
    pub start: GameStart,
    pub began: Option<Time>,
    /// Whether the beginning was published.
    pub begun: bool,
    /// The published moves that remain.
    pub moves: Vec<PublishedMove<G>>,
    /// The ply after which the first remaining anomaly was published.
    anomaly: Option<u32>,
}

impl<G: Game> Published<G> {
    /// Nothing published yet, of a game with this number that begins from `game`.
    pub fn new(game: &G, rotated: bool, number: u32, began: Option<Time>) -> Published<G> {
        let (rules, fen) = (game.rules(), game.fen());
        let start = GameStart { rules, fen, rotated, zone: None, tags: Default::default(), comment: None };
        Published { number, start, began, begun: false, moves: Vec::new(), anomaly: None }
    }

    /// The index of the move at a ply.
    pub fn at(&self, ply: u32) -> Option<usize> {
        // The last one is asked for most often.
        if self.plies() <= ply {
            return self.moves.len().checked_sub(1).filter(|_| self.plies() == ply);
        }
        self.moves.binary_search_by_key(&ply, |published| published.node.ply).ok()
    }

    /// The number of published plies.
    pub fn plies(&self) -> u32 {
        self.moves.last().map_or(0, |published| published.node.ply)
    }

    /// The time of the first move.
    pub fn first_moved(&self) -> Option<Time> {
        self.moves.first()?.time
    }

    /// The index of the move that led to this node.
    pub fn find(&self, node: &Node<G>) -> Option<usize> {
        self.at(node.ply).filter(|&at| self.moves[at].node.line_hash == node.line_hash)
    }

    /// Whether the press of the move that led to this node was published.
    pub fn has_published_press(&self, node: &Node<G>) -> bool {
        self.find(node).is_some_and(|at| self.moves[at].is_pressed())
    }

    /// The nodes on the way to `last` that were not published, and the number of published moves on that way.
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

    /// Publishes an event of this game, after its beginning.
    pub fn event(&mut self, event: GameEvent, time: Option<Time>, updates: &mut Vec<Update>) {
        self.begin(updates);
        if let GameEvent::Anomaly(anomaly) = &event {
            self.anomaly.get_or_insert(anomaly.ply);
        }
        updates.push(Update { game: self.number, time, event });
    }

    /// Whether no anomaly remains published.
    pub fn has_no_anomaly(&self) -> bool {
        self.anomaly.is_none()
    }

    /// Withdraws the moves from the first anomaly on, if the same game was found elsewhere without it and went on: they
    /// are published again later.
    pub fn withdraw_anomaly(&mut self, plies: u32, now: Option<Time>, updates: &mut Vec<Update>) {
        let Some(anomaly) = self.anomaly.filter(|ply| (1..plies).contains(ply)) else { return };
        let stand = self.moves.partition_point(|published| published.node.ply < anomaly);
        self.withdraw(stand, TakebackReason::Corrected, now, updates);
    }

    fn begin(&mut self, updates: &mut Vec<Update>) {
        if !std::mem::replace(&mut self.begun, true) {
            let event = GameEvent::Game(self.start.clone());
            updates.push(Update { game: self.number, time: self.began, event });
        }
    }

    /// Publishes the move that led to a node, with its clock time in the best explanation; or with that of the
    /// withdrawn move in its place, where no explanation remembers a press so long ago.
    pub fn publish(
        &mut self,
        node: &Rc<Node<G>>,
        withdrawn: &[(Rc<Node<G>>, Option<Seconds>)],
        search: &Search<G>,
        updates: &mut Vec<Update>,
    ) {
        let mut published = PublishedMove::new(node, search);
        let forgotten = search.best().presses.oldest().is_some_and(|oldest| oldest.ply > node.ply);
        if forgotten && !published.is_pressed() {
            let before = |node: &Node<G>| node.parent.as_ref().map(|before| before.line_hash);
            let same = |earlier: &Node<G>| {
                earlier.ply == node.ply && (earlier.mv == node.mv || before(earlier) == before(node))
            };
            let earlier = withdrawn.iter().find(|(earlier, _)| same(earlier));
            published.seconds = earlier.and_then(|&(_, seconds)| seconds);
        }
        self.republish(published, updates);
        if let Some(ruling) = &node.ruled_otherwise {
            let time = node.completed_by.stamp.time();
            self.event(GameEvent::Ruling(Box::new(Ruling::clone(ruling))), time, updates);
        }
    }

    /// Publishes a move that was published before, elsewhere or before it was withdrawn.
    pub fn republish(&mut self, published: PublishedMove<G>, updates: &mut Vec<Update>) {
        if let Some(update) = published.update(self.number) {
            self.begin(updates);
            updates.push(update);
        }
        self.moves.push(published);
    }

    /// Publishes moves again whose clock time has changed since they were published.
    pub fn refresh_clocks(&mut self, best: &Hypothesis<G>, updates: &mut Vec<Update>) {
        // The presses are settled when the board is explained.
        let Some(first) = best.presses.oldest().filter(|_| best.mismatched == 0) else { return };
        let recent = self.moves.iter_mut().rev().take_while(|published| published.node.ply >= first.ply);
        for published in recent {
            let seconds = clock_time(&published.node, best);
            let has_changed = seconds != published.seconds && played(&published.node).is_some();
            if has_changed && best.node.leads_from(&published.node) {
                published.seconds = seconds;
                updates.extend(published.update(self.number));
            }
        }
    }

    /// Publishes those of the last moves again whose certainty has come into another band.
    pub fn refresh_certainty(&mut self, search: &Search<G>, updates: &mut Vec<Update>) {
        let mut agreed: Option<Rc<Node<G>>> = None;
        for published in self.moves.iter_mut().rev().take(limits::RECENT_PLIES) {
            let (node, rest) = (&published.node, published.rest);
            if played(node).is_none() {
                continue;
            }
            let now = match agreed.as_ref().is_some_and(|later| later.leads_from(node)) {
                true => Weighed::before_agreed(node, rest, search),
                false => Weighed::of(node, rest, search),
            };
            if now.agreed && agreed.is_none() {
                agreed = Some(node.clone());
            }
            if now.band() != certainty::band(published.certainty) {
                let now = now.certainty_to_publish();
                if published.explain.is_some() && search.best().node.leads_from(node) {
                    published.explain = explain(node, search);
                }
                published.set_certainty(now);
                updates.extend(published.update(self.number));
            }
        }
    }

    /// Withdraws all but the first `stand` moves, if there are more, and returns them.
    pub fn withdraw(
        &mut self,
        stand: usize,
        why: TakebackReason,
        now: Option<Time>,
        updates: &mut Vec<Update>,
    ) -> Vec<PublishedMove<G>> {
        if stand >= self.moves.len() {
            return Vec::new();
        }
        let withdrawn = self.moves.split_off(stand);
        self.anomaly = self.anomaly.filter(|ply| *ply <= self.plies());
        self.event(GameEvent::Takeback(Takeback::to(self.plies(), why)), now, updates);
        withdrawn
    }

    /// Publishes withdrawn moves again, in the place of all but the first `stand`.
    pub fn publish_instead(
        &mut self,
        stand: usize,
        moves: Vec<PublishedMove<G>>,
        why: TakebackReason,
        now: Option<Time>,
        updates: &mut Vec<Update>,
    ) {
        self.withdraw(stand, why, now, updates);
        moves.into_iter().for_each(|published| self.republish(published, updates));
    }

    /// Publishes everything again under this number, from the beginning.
    pub fn publish_again(&mut self, number: u32, updates: &mut Vec<Update>) {
        self.number = number;
        if std::mem::take(&mut self.begun) {
            self.begin(updates);
        }
        for published in std::mem::take(&mut self.moves) {
            self.republish(published, updates);
        }
    }
}

/// The seconds on the mover's clock at its press.
fn clock_time<G: Game>(node: &Node<G>, best: &Hypothesis<G>) -> Option<Seconds> {
    best.pressed(node.ply).map(|press| Seconds(press.seconds))
}
