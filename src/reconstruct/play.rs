//! One game in play: the search for what is played, and what of it can be told.
//!
//! A move is told once it cannot reasonably be a stop on the way; when the search learns better, the game is
//! taken back to where it was right and told again.

mod ending;

use std::rc::Rc;

use super::{
    Options, Told,
    bridge::{self, Bridge},
    costs,
    hypothesis::{Event, Hypothesis, Node, Press},
    position::Position,
    search::Search,
    session::seconds_between,
};
use crate::{
    record::{
        Anomaly, AnomalyKind, End, GameEvent, GameStart, Move, Outcome, Placement, Seconds, Takeback, Time,
    },
    rules::{Colour, Game, Squares, squares},
};

/// How much better than any other explanation a move must be to be told at its press.
const SURE: f32 = 0.9;
/// The same to be told because it was replied to, and for telling a correction.
const REPLIED: f32 = 2.0;
/// After so many seconds of record time the best explanation is told, however little better it is.
const LATEST: f64 = 8.0;
/// A board that shows a result for so long means it.
const ANNOUNCED: f64 = 2.0;
/// The same where one of the pieces that show it stood there before: it may still be on its way elsewhere.
const HALF_ANNOUNCED: f64 = 6.0;
/// A mate or stalemate that stands for so long was meant.
const MATED: f64 = 5.0;
/// A position at rest that no move explains is an anomaly after so long.
const ILLEGAL: f64 = 10.0;
/// The same where pieces are only missing: someone may hold them.
const MISSING: f64 = 30.0;
/// A gap is bridged from so many of the best explanations.
const BRIDGED_FROM: usize = 3;
/// How many plies both players may take back.
const TAKEBACKS: u32 = 20;

/// A move that was told.
struct Shown<G: Game> {
    node: Rc<Node<G>>,
    told: Move,
    time: Option<Time>,
}

/// See the module.
pub struct Play<G: Game> {
    start: G,
    rotated: bool,
    began: Option<Time>,
    number: u32,
    search: Search<G>,
    begun: bool,
    shown: Vec<Shown<G>>,
    /// Of the last change, and of the last record.
    changed: Option<Time>,
    now: Option<Time>,
    /// The board rests: an empty poll since the last change.
    quiet: bool,
    /// The board has rested so long since the last change that its position was meant.
    held: bool,
    /// The board does not answer: nothing is known to rest.
    lost: bool,
    announced: Option<Outcome>,
    /// Since when the board has shown a result.
    signalled: Option<(Outcome, Option<Time>)>,
    /// Changes were missed: moves may be bridged.
    gap: bool,
    /// The board that an anomaly was told of, or that could not be bridged.
    stuck: Option<[u8; 64]>,
    reported: Option<[u8; 64]>,
    /// Captured men left standing that were told of.
    left: Squares,
}

impl<G: Game> Play<G> {
    /// A game with this number that may begin from `game`.
    pub fn new(game: G, rotated: bool, number: u32, time: Option<Time>) -> Play<G> {
        Play {
            search: Search::new(game.clone(), time),
            start: game,
            rotated,
            began: time,
            number,
            begun: false,
            shown: Vec::new(),
            changed: None,
            now: time,
            quiet: false,
            held: false,
            lost: false,
            announced: None,
            signalled: None,
            gap: false,
            stuck: None,
            reported: None,
            left: 0,
        }
    }

    /// Plies of the best explanation.
    pub fn plies(&self) -> u32 {
        self.search.best().node.ply
    }

    /// Whether the mating side could still win.
    pub fn can_win(&self, side: Colour) -> bool {
        self.search.best().node.game.can_win(side)
    }

    /// Whether a start position that now stands belongs to this game: the moves explain it.
    pub fn explains_board(&self) -> bool {
        let best = self.search.best();
        best.wrong == 0 && best.node.ply > 0 && best.node.game.placement() == self.start.placement()
    }

    /// Whether a start position that now stands is this game taken back to its beginning.
    pub fn barely_begun(&self) -> bool {
        (1..=2).contains(&self.plies()) || (self.plies() == 0 && self.begun)
    }

    /// Whether the board shows another position than this game's start: not a first move, nor one in the making,
    /// which a start mark may find.
    pub fn is_another_position(&self) -> bool {
        let best = self.search.best();
        best.node.ply == 0 && best.wrong.count_ones() > 4
    }

    /// See [`Search::sides_swapped`].
    pub fn sides_swapped(&self) -> bool {
        self.search.sides_swapped()
    }

    /// See [`Search::expect_sides_swapped`].
    pub fn expect_sides_swapped(&mut self, swapped: bool) {
        self.search.expect_sides_swapped(swapped);
    }

    /// Whether nothing was told of this game.
    pub fn untouched(&self) -> bool {
        self.shown.is_empty() && !self.begun
    }

    /// A square changed.
    pub fn change(&mut self, field: u8, code: u8, quick: Option<bool>, time: Option<Time>) {
        self.search.change(field, code, quick, time);
        self.note_change(time);
    }

    fn note_change(&mut self, time: Option<Time>) {
        self.changed = time;
        (self.quiet, self.held, self.lost) = (false, false, false);
        self.signalled = G::signal(self.search.board()).map(|(outcome, _)| match self.signalled {
            Some((same, since)) if same == outcome => (same, since),
            _ => (outcome, time),
        });
    }

    /// The board was found to stand so: changes were missed.
    pub fn jump(&mut self, placement: &Placement, time: Option<Time>) {
        self.lost = false;
        let now = *self.search.board();
        let (mut lifted, mut landed) = (Vec::new(), Vec::new());
        for (at, (&code, &old)) in placement.codes().iter().zip(&now).enumerate() {
            if code != old {
                if code == 0 { &mut lifted } else { &mut landed }.push((at as u8, code));
            }
        }
        self.gap |= !(lifted.is_empty() && landed.is_empty());
        // More than a move's two squares may hide several moves, in any order: a bridge knows whether there is but one.
        let one_move = lifted.len() + landed.len() <= 2;
        for (at, code) in lifted.into_iter().chain(landed) {
            self.search.found(at, code, one_move, time);
            self.note_change(time);
        }
        if self.gap && self.search.best().wrong != 0 {
            self.bridge();
        }
    }

    /// A side's clock was halted.
    pub fn press(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        self.search.press(side, seconds, time);
    }

    /// The board had nothing to tell.
    pub fn quiet(&mut self) {
        self.lost = false;
        if !self.quiet {
            self.quiet = true;
            self.search.rest();
        }
    }

    /// The board does not answer any more.
    pub fn lose(&mut self) {
        self.lost = true;
    }

    /// A result piece was put on the board.
    pub fn announce(&mut self, result: Outcome) {
        self.announced = Some(result);
    }

    /// A better search for the same game, from the board's own log.
    pub fn replace(&mut self, other: Play<G>) {
        self.search = other.search;
        self.gap = false;
        self.stuck = None;
    }

    /// Nothing of this game was told yet, under this number.
    pub fn tell_again(&mut self, number: u32) {
        self.number = number;
        self.begun = false;
        self.shown.clear();
    }

    /// The board's own log told this game to its end, under a number of its own: tells what was not told.
    pub fn complete_from<'a>(mut self, game: impl Iterator<Item = &'a Told>, end: End, out: &mut Vec<Told>) {
        let mut moves: Vec<(&Move, Option<Time>)> = Vec::new();
        for told in game {
            match &told.event {
                GameEvent::Move(mv) => {
                    moves.truncate(mv.ply.unwrap_or(0).saturating_sub(1) as usize);
                    moves.push((mv, told.time));
                }
                GameEvent::Takeback(back) => moves.truncate(back.ply as usize),
                _ => {}
            }
        }
        let same = |(shown, (mv, _)): &(&Shown<G>, &(&Move, _))| {
            (&shown.told.uci, &shown.told.path) == (&mv.uci, &mv.path)
        };
        let common = self.shown.iter().zip(&moves).take_while(same).count();
        if common < self.shown.len() {
            self.take_back(common, out);
        }
        for &(mv, time) in &moves[common..] {
            out.push(Told { game: self.number, time, event: GameEvent::Move(Box::new(mv.clone())) });
        }
        out.push(Told { game: self.number, time: self.now, event: GameEvent::End(end) });
    }

    /// A record comes at record time `now`: whether the board had rested for long before it.
    pub fn had_rested(&mut self, now: Option<Time>) -> bool {
        self.now = now.max(self.now);
        let long = self.passed(self.changed, LATEST);
        if long && !self.held {
            self.held = true;
            self.search.rest_long();
        }
        long
    }

    /// Looks at what is known at record time `now` and tells what can be told.
    pub fn advance(&mut self, now: Option<Time>, options: &Options, out: &mut Vec<Told>) {
        self.now = now.max(self.now);
        if self.search.best().wrong != 0 && self.rests(options) {
            self.explain_rest();
        }
        if !options.last_word_only {
            self.tell(out, options);
        }
    }

    /// Record time since `then`.
    fn since(&self, then: Option<Time>) -> Option<f64> {
        Some(seconds_between(then?, self.now?))
    }

    fn passed(&self, then: Option<Time>, seconds: f64) -> bool {
        !self.lost && self.since(then).is_some_and(|passed| passed >= seconds)
    }

    /// The pieces rest: a poll found nothing new, or time enough has passed.
    fn rests(&self, options: &Options) -> bool {
        self.quiet || self.passed(self.changed, options.settle + 2.0)
    }

    /// The board rests and the best explanation leaves something over: a takeback or a gap.
    fn explain_rest(&mut self) {
        let board = *self.search.board();
        if self.stuck == Some(board) {
            return;
        }
        self.stuck = Some(board);
        if self.search.hypotheses().any(|h| h.wrong == 0) {
            // One of them explains all of it; which is right will show.
            return;
        }
        let best = self.search.best();
        let cost = best.rank() + costs::TAKEBACK;
        let mut node = best.node.parent.clone();
        if best.was_meant() {
            // Not by one player alone.
            node = node.and_then(|node| node.parent.clone());
        }
        for _ in 0..TAKEBACKS {
            let Some(earlier) = node else { break };
            if *earlier.game.placement().codes() == board {
                self.search.add(Hypothesis::stand_at(earlier, cost));
                self.search.prefer_standing();
                return;
            }
            node = earlier.parent.clone();
        }
        let only_missing = squares(best.wrong).all(|at| board[at as usize] == 0);
        if self.gap {
            self.bridge();
        } else if !only_missing && !self.bridge() {
            self.play_otherwise();
        }
    }

    /// The last moves may have been taken back and others played.
    fn play_otherwise(&mut self) {
        let (board, event) = (*self.search.board(), self.unseen());
        let best = self.search.best();
        let cost = best.rank() + costs::TAKEBACK;
        let mut node = best.node.parent.clone();
        for back in 1..=costs::BRIDGE_OTHERWISE {
            let Some(earlier) = node else { return };
            let position = Position::new(earlier.game.clone());
            for plies in 1..=back {
                if let Bridge::One(last) = bridge::bridge(&earlier, &position, &board, event, plies) {
                    self.search.add(Hypothesis::stand_at(last, cost));
                    return;
                }
            }
            node = earlier.parent.clone();
        }
    }

    /// Looks for the moves that lead from the best explanations to the board as it stands; whether there is an answer.
    fn bridge(&mut self) -> bool {
        let board = *self.search.board();
        let event = self.unseen();
        let longest = if self.gap { costs::BRIDGE_HIDDEN } else { costs::BRIDGE_SEEN };
        let mut from: Vec<&Hypothesis<G>> = Vec::new();
        for hypothesis in self.search.hypotheses() {
            if from.len() < BRIDGED_FROM && from.iter().all(|h| h.node.line != hypothesis.node.line) {
                from.push(hypothesis);
            }
        }
        // The shortest way is the likeliest, from whichever of them.
        let ways = (1..=longest).flat_map(|plies| from.iter().map(move |&h| (h, plies)));
        let mut bridged = None;
        for (hypothesis, plies) in ways {
            match bridge::bridge(&hypothesis.node, &hypothesis.position, &board, event, plies) {
                Bridge::One(node) => {
                    let cost = (costs::BRIDGED * plies as f32).min(costs::BRIDGED_AT_MOST);
                    bridged = Some(Hypothesis::stand_at(node, hypothesis.cost + cost));
                    break;
                }
                Bridge::Many if self.gap => return true,
                Bridge::Many | Bridge::None => {}
            }
        }
        let found = bridged.is_some();
        if let Some(bridged) = bridged {
            self.search.add(bridged);
            self.gap = false;
        }
        found
    }

    /// An event that stands for what was not seen.
    fn unseen(&self) -> Event {
        let done = self.search.best().node.done;
        Event { index: self.search.changes(), stamp: self.changed.into(), seen: false, ..done }
    }

    /// What was told at a ply.
    fn told_at(&self, ply: u32) -> Option<usize> {
        self.shown.binary_search_by_key(&ply, |shown| shown.node.ply).ok()
    }

    /// The nodes on the way to `last` that were not told, and how many of those told stand.
    fn untold(&self, last: &Rc<Node<G>>) -> (Vec<Rc<Node<G>>>, usize) {
        let mut nodes = Vec::new();
        let mut node = Some(last.clone());
        let mut stand = 0;
        while let Some(n) = node.filter(|n| n.ply > 0) {
            if let Some(at) = self.told_at(n.ply).filter(|&at| self.shown[at].node.line == n.line) {
                stand = at + 1;
                break;
            }
            node = n.parent.clone();
            nodes.push(n);
        }
        nodes.reverse();
        (nodes, stand)
    }

    /// Tells corrections, then the plies that are ready.
    fn tell(&mut self, out: &mut Vec<Told>, options: &Options) {
        let best = self.search.best();
        let (nodes, stand) = self.untold(&best.node);
        if stand < self.shown.len() {
            // The search has changed its mind; so do we, once it is sure, or nothing else speaks for what we said.
            let (ply, line) = self.shown.last().map_or((0, 0), |said| (said.node.ply, said.node.line));
            let still = |h: &&Hypothesis<G>| h.node.at(ply).is_some_and(|node| node.line == line);
            let better =
                self.search.hypotheses().find(still).is_none_or(|h| h.rank() - best.rank() >= REPLIED);
            if !better && !self.quiet {
                return;
            }
            self.take_back(stand, out);
        }
        for node in nodes {
            if !self.ready(&node, options) {
                break;
            }
            self.show(&node, out);
        }
        self.refresh_clocks(out);
    }

    /// Whether the move to `node`, on the best line, can be told.
    fn ready(&self, node: &Node<G>, options: &Options) -> bool {
        let best = self.search.best();
        let lead = self.search.lead(node.ply);
        // With a clock only a reply that was pressed is one: pieces that are set up again reply to each other.
        let clock = self.search.clock_in_use();
        let replied = best.node.ply > node.ply && (!clock || best.pressed(node.ply + 1).is_some());
        if (replied && lead >= REPLIED)
            || (self.passed(node.done.stamp.time(), LATEST) && lead > 0.0 && best.wrong == 0)
        {
            return true;
        }
        if clock {
            let Some(press) = best.pressed(node.ply) else { return false };
            // What the board contradicts may have been put back: the press was for another move.
            if best.node.ply == node.ply && best.wrong & node.own != 0 {
                return false;
            }
            // Where the piece could still go on the next look at the board decides, unless it was first seen there
            // after the press.
            let looked = self.quiet
                || self.now > press.stamp.time().max(node.done.stamp.time())
                || node.hand.landing.is_some_and(|landing| press.index < landing.index)
                || node.beyond == 0;
            looked && lead >= SURE
        } else {
            let settled = self.quiet || self.passed(self.changed, options.settle.max(0.001));
            best.wrong == 0 && settled && lead >= SURE
        }
    }

    fn begin(&mut self, out: &mut Vec<Told>) {
        if !self.begun {
            self.begun = true;
            let start = GameStart {
                rules: self.start.rules(),
                fen: self.start.fen(),
                rotated: self.rotated,
                tags: Default::default(),
                comment: None,
            };
            out.push(Told { game: self.number, time: self.began, event: GameEvent::Game(start) });
        }
    }

    fn show(&mut self, node: &Rc<Node<G>>, out: &mut Vec<Told>) {
        self.begin(out);
        let mut told = Move::default();
        let time = node.done.stamp.time();
        // Where play went on from a position that no move explains, the anomaly was told when it stood.
        if let (Some(parent), Some(mv)) = (&node.parent, &node.mv) {
            told = parent.game.describe(mv);
            told.ply = Some(node.ply);
            told.fen = node.game.fen();
            told.seconds = self.search.best().pressed(node.ply).map(|press| Seconds(press.seconds));
            told.guess = node.guess;
            told.claim = claim(node).map(str::to_owned);
            out.push(Told { game: self.number, time, event: GameEvent::Move(Box::new(told.clone())) });
        }
        self.shown.push(Shown { node: node.clone(), told, time });
    }

    /// Tells moves again whose clock time has become known after they were told.
    fn refresh_clocks(&mut self, out: &mut Vec<Told>) {
        for Press { ply, seconds, .. } in self.search.best().presses.clone() {
            let Some(at) = self.told_at(ply) else { continue };
            let Shown { told, time, .. } = &mut self.shown[at];
            if told.seconds.is_none() && told.ply.is_some() {
                told.seconds = Some(Seconds(seconds));
                out.push(Told {
                    game: self.number,
                    time: *time,
                    event: GameEvent::Move(Box::new(told.clone())),
                });
            }
        }
    }

    /// Withdraws all but the first moves told.
    fn take_back(&mut self, stand: usize, out: &mut Vec<Told>) {
        self.shown.truncate(stand);
        let ply = self.shown.last().map_or(0, |shown| shown.node.ply);
        out.push(Told { game: self.number, time: self.now, event: GameEvent::Takeback(Takeback { ply }) });
    }

    /// Tells, once, that the board stands in a way nothing explains.
    pub fn look_for_anomaly(&mut self, options: &Options, out: &mut Vec<Told>) {
        self.look_for_men_left(options, out);
        let best = self.search.best();
        let board = *self.search.board();
        if best.wrong == 0 || self.signalled.is_some() || self.reported == Some(board) || !self.rests(options)
        {
            return;
        }
        let codes = best.node.game.placement().codes();
        let wrong: Vec<u8> = squares(best.wrong).collect();
        let (gone, come): (Vec<u8>, Vec<u8>) = wrong.iter().partition(|&&at| board[at as usize] == 0);
        let one_moved =
            gone.len() == 1 && come.len() == 1 && codes[gone[0] as usize] == board[come[0] as usize];
        let after = if come.is_empty() { MISSING } else { ILLEGAL };
        if !self.passed(self.changed, after) {
            return;
        }
        self.reported = Some(board);
        if self.search.hypotheses().any(|h| h.wrong == 0) {
            // Something unlikely explains it after all, and nothing likelier has come.
            self.search.prefer_standing();
            return;
        }
        let (kind, detail) = if one_moved {
            let piece = crate::record::Piece::from_code(board[come[0] as usize])
                .map_or(String::new(), |p| p.to_string());
            (
                AnomalyKind::Illegal,
                format!("{piece} from {} to {} is no legal move", name(gone[0]), name(come[0])),
            )
        } else if self.gap {
            (AnomalyKind::Gap, "moves are missing and no single way leads to this position".to_owned())
        } else {
            let at: Vec<String> = wrong.iter().copied().map(name).collect();
            (AnomalyKind::Unexplained, format!("no legal move explains {}", at.join(", ")))
        };
        let ply = best.node.ply;
        self.resume(kind);
        let anomaly = Anomaly { ply, kind, placement: Some(Placement::from_codes(board)), detail };
        self.begin(out);
        out.push(Told { game: self.number, time: self.changed, event: GameEvent::Anomaly(anomaly) });
    }

    /// Tells, once, that captured men were left standing: the board has rested so, or play has gone on.
    fn look_for_men_left(&mut self, options: &Options, out: &mut Vec<Told>) {
        let best = self.search.best();
        self.left &= best.late;
        // After the moves told: who reads of the men shall know of their capture.
        let told = self.shown.last().filter(|_| !options.last_word_only);
        let Some(node) = best.node.at(told.map_or(best.node.ply, |shown| shown.node.ply)) else { return };
        let own = |from: &Rc<Node<G>>, to: u32| {
            let mut set = 0;
            let mut node = Some(from);
            while let Some(n) = node.filter(|n| n.ply > to) {
                set |= n.own;
                node = n.parent.as_ref();
            }
            set
        };
        let late = best.late & !own(&best.node, node.ply);
        let recent = own(&node, node.ply.saturating_sub(2));
        let due = if self.passed(self.changed, ILLEGAL) { late } else { late & !recent };
        if due & !self.left != 0 {
            let ply = node.ply;
            self.left |= late;
            let names: Vec<String> = squares(late).map(name).collect();
            let detail = format!("captured and still standing: {}", names.join(", "));
            let placement = Some(Placement::from_codes(*self.search.board()));
            self.begin(out);
            let anomaly = Anomaly { ply, kind: AnomalyKind::Illegal, placement, detail };
            out.push(Told { game: self.number, time: self.changed, event: GameEvent::Anomaly(anomaly) });
        }
    }

    /// Play may go on from a position that no move explains: after an illegal move with the other side, after
    /// a gap with either.
    fn resume(&mut self, kind: AnomalyKind) {
        let (board, event) = (*self.search.board(), self.unseen());
        let best = self.search.best();
        let (node, cost) = (best.node.clone(), best.rank() + costs::RESUMED);
        let turn = node.game.turn();
        let turns = if kind == AnomalyKind::Illegal { &[turn.other()][..] } else { &[turn.other(), turn] };
        for &turn in turns {
            if let Some(node) = Node::resumed(&node, &board, turn, event) {
                self.search.add(Hypothesis::stand_at(Rc::new(node), cost));
            }
        }
        if kind == AnomalyKind::Gap {
            self.search.prefer_standing();
        }
    }

    /// When, in record time, something is due though nothing comes in.
    pub fn deadline(&self) -> Option<Time> {
        let later = |time: Option<Time>, seconds: f64| time.map(|t| Time(t.0 + (seconds * 1000.0) as i64));
        let best = self.search.best();
        let unshown = self.shown.last().map_or(0, |shown| shown.node.ply) < best.node.ply;
        let due = [
            self.signalled.and_then(|(_, since)| later(since, ANNOUNCED)),
            self.signalled.and_then(|(_, since)| later(since, HALF_ANNOUNCED)),
            if unshown { later(best.node.done.stamp.time(), LATEST) } else { None },
            if best.node.ply > 0 && best.wrong == 0 {
                later(best.node.done.stamp.time(), MATED)
            } else {
                None
            },
            if best.wrong | best.late != 0 { later(self.changed, ILLEGAL) } else { None },
            if best.wrong != 0 { later(self.changed, MISSING) } else { None },
        ];
        due.into_iter().flatten().filter(|&due| self.now.is_none_or(|now| due > now)).min()
    }
}

/// The name of a field.
fn name(field: u8) -> String {
    crate::record::Square::from_field(field).map_or(String::new(), |square| square.to_string())
}

/// A draw that could be claimed in this position.
fn claim<G: Game>(node: &Rc<Node<G>>) -> Option<&'static str> {
    let mut times = 1;
    let mut earlier = node.parent.clone();
    let mut left = node.game.reversible();
    while let Some(n) = earlier.filter(|_| left > 0) {
        left -= 1;
        if n.game.repeats(&node.game) {
            times += 1;
        }
        earlier = n.parent.clone();
    }
    if times >= 3 { Some("threefold") } else { node.game.claim() }
}
