//! Going back: when the best explanation becomes expensive within a few changes, an explanation is missing.
//!
//! The search makes a checkpoint at regular intervals and keeps its observations since the oldest one. To go back it
//! starts another beam from the oldest checkpoint and replays the observations, with wider limits and with the later
//! ones in view: a piece may have landed unseen, if later changes show where. That beam replaces the current one if it
//! is better.
//!
//! The tracked game uses this search; it contains the beam, which does not depend on it.

use std::{collections::VecDeque, rc::Rc};

use super::{
    beam::Beam,
    hypothesis::Hypothesis,
    limits,
    observe::{BoardState, Observation, clock_sides::ClockSides, lookahead::Lookahead},
    options::{Options, Width},
    propose::Boxes,
    rulings::GameRulings,
    tree::node::Node,
};
use crate::{
    record::Time,
    rules::{Game, Squares, squares},
};

/// A state of the search to go back to.
struct Checkpoint<G: Game> {
    /// The number of observations before it, counted as in [`Replay::forgotten`].
    observed: u64,
    hypotheses: Boxes<G>,
    state: BoardState,
    /// The rank of the best hypothesis.
    rank: f32,
}

/// The recent observations, and the checkpoints from which they can be replayed.
struct Replay<G: Game> {
    observations: VecDeque<Observation>,
    /// The number of observations before the first one kept.
    forgotten: u64,
    checkpoints: VecDeque<Checkpoint<G>>,
}

/// Copies of hypotheses without what was computed for their positions.
fn bare<'a, G: Game + 'a>(hypotheses: impl Iterator<Item = &'a Hypothesis<G>>) -> Boxes<G> {
    hypotheses.map(|hypothesis| Box::new(hypothesis.bare())).collect()
}

impl<G: Game> Replay<G> {
    /// Drops everything: the search was changed by something that cannot be replayed.
    fn forget(&mut self) {
        self.forgotten += self.observations.len() as u64;
        self.observations.clear();
        self.checkpoints.clear();
    }

    /// Makes a checkpoint of the beam.
    fn checkpoint(&mut self, beam: &Beam<G>) {
        self.checkpoints.push_back(Checkpoint {
            observed: self.forgotten + self.observations.len() as u64,
            hypotheses: bare(beam.hypotheses()),
            state: *beam.state(),
            rank: beam.best().rank(),
        });
        if self.checkpoints.len() > limits::CHECKPOINTS_KEPT {
            self.checkpoints.pop_front();
            let old = self.checkpoints[0].observed - self.forgotten;
            self.observations.drain(..old as usize);
            self.forgotten += old;
        }
    }

    /// A beam of this width that starts from the oldest checkpoint and replays the observations with a look ahead.
    fn replayed(&self, width: Width, sides: ClockSides, rulings: &Rc<GameRulings>) -> Option<Beam<G>> {
        let checkpoint = self.checkpoints.front()?;
        let observations = self.observations.iter().skip((checkpoint.observed - self.forgotten) as usize);
        let lookahead = Lookahead::after(&checkpoint.state, observations.clone());
        // What is computed on the way is not kept with the checkpoint.
        let hypotheses = bare(checkpoint.hypotheses.iter().map(Box::as_ref));
        let mut beam = Beam::of(checkpoint.state, hypotheses, width, lookahead, rulings);
        beam.sides = sides;
        for &observation in observations {
            beam.observe(observation);
        }
        Some(beam)
    }
}

/// The search for the most plausible game on one board since its start.
pub struct Search<G: Game> {
    beam: Beam<G>,
    /// The width of the beam for new observations.
    width: Width,
    replay: Replay<G>,
    /// The change from which on the next replay may be tried, and how many changes to wait after that.
    next: u32,
    wait: u32,
    /// Something may have changed since [`Search::take_changed`].
    changed: bool,
    /// Counts the changes of the search.
    revision: u64,
    /// The codes of the start position.
    start: [u8; 64],
}

/// By how much the best hypothesis is cheaper than its rivals.
pub struct Leads {
    /// Than those whose game differs up to the ply,
    pub over_all: f32,
    /// than those of them that have another move there,
    pub over_others: f32,
    /// and than those of the latter whose position the board may be meant to show.
    pub over_meant: f32,
}

impl<G: Game> Search<G> {
    /// A game that starts now, from `game`, on a board that shows its placement; `turned` by 180°.
    pub fn new(
        game: G,
        turned: bool,
        options: &Options,
        rulings: &Rc<GameRulings>,
        time: Option<Time>,
    ) -> Search<G> {
        let replay = Replay { observations: VecDeque::new(), forgotten: 0, checkpoints: VecDeque::new() };
        let start = *game.placement().codes();
        Search {
            beam: Beam::new(game, turned, options, rulings, time),
            width: options.width,
            replay,
            next: 0,
            wait: limits::REPLAY_WAIT_CHANGES.0,
            changed: true,
            revision: 0,
            start,
        }
    }

    /// Whether anything may have changed since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Marks the search as changed: whoever uses its results has to ask again.
    pub fn mark_changed(&mut self) {
        self.changed = true;
        self.revision += 1;
    }

    /// The number of changes of the search; while it is the same, all results are the same.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The state of the board.
    pub fn state(&self) -> &BoardState {
        self.beam.state()
    }

    /// The rulings on the game.
    pub fn rulings(&self) -> &Rc<GameRulings> {
        self.beam.rulings()
    }

    /// The hypotheses, best first; never empty.
    pub fn hypotheses(&self) -> impl Iterator<Item = &Hypothesis<G>> {
        self.beam.hypotheses()
    }

    /// The hypotheses, best first, except those that take all dead squares of the best one for dead, and more.
    pub fn sound(&self) -> impl Iterator<Item = &Hypothesis<G>> {
        let dead = self.best().position.game.dead();
        self.hypotheses().filter(move |h| {
            let own = h.position.game.dead();
            own == dead || dead & !own != 0
        })
    }

    /// The best hypothesis.
    pub fn best(&self) -> &Hypothesis<G> {
        self.beam.best()
    }

    /// Whether the players sit at the other sides of the clock than the presses are labelled with.
    pub fn sides_swapped(&self) -> bool {
        self.beam.sides.swapped
    }

    /// Sets the sides from an earlier game.
    pub fn expect_sides_swapped(&mut self, swapped: bool) {
        self.beam.sides.swapped = swapped;
    }

    /// These squares of the board have reported pieces before this game.
    pub fn mark_reported(&mut self, squares: Squares) {
        self.beam.mark_reported(squares);
    }

    /// The best hypothesis with another game than the best one's up to `ply`.
    pub fn rival(&self, ply: u32) -> Option<&Hypothesis<G>> {
        let line = self.best().node.at(ply)?.line_hash;
        self.hypotheses().find(|h| h.node.at(ply).is_none_or(|node| node.line_hash != line))
    }

    /// The leads of the best hypothesis at `ply`, in units of cost: infinite without rivals, and zero where it has no such
    /// ply.
    pub fn leads(&self, ply: u32) -> Leads {
        let alike = |lead| Leads { over_all: lead, over_others: lead, over_meant: lead };
        let Some(node) = self.best().node.at(ply) else { return alike(0.0) };
        let mut leads = alike(f32::INFINITY);
        for hypothesis in self.hypotheses() {
            let at = hypothesis.node.at(ply);
            if at.as_ref().is_some_and(|same| same.line_hash == node.line_hash) {
                continue;
            }
            // Two hypotheses with different dead squares may have the same move.
            if hypothesis.position.game.dead() != self.best().position.game.dead()
                && at.as_ref().is_some_and(|at| at.mv.is_some() && at.mv == node.mv)
            {
                continue;
            }
            // No rival: it has the same move with the same position, at this ply or up to two plies before.
            let same = |other: &Rc<Node<G>>| {
                node.mv.is_some() && other.mv == node.mv && other.placement_hash == node.placement_hash
            };
            let mut recent = hypothesis.node.walk_back().take_while(|other| other.ply + 2 >= node.ply);
            if recent.any(same) {
                continue;
            }
            let lead = hypothesis.rank() - self.best().rank();
            leads.over_all = leads.over_all.min(lead);
            if at.is_some() {
                leads.over_others = leads.over_others.min(lead);
                if hypothesis.may_be_meant(self.state()) {
                    leads.over_meant = leads.over_meant.min(lead);
                }
            }
        }
        leads
    }

    /// Adds an observation, and replays where the result is poor.
    pub fn observe(&mut self, observation: Observation) {
        self.mark_changed();
        if self.replay.observations.len() == limits::REPLAY_MAX_OBSERVATIONS {
            self.replay.forget();
        }
        if self.replay.checkpoints.is_empty() {
            self.replay.checkpoint(&self.beam);
        }
        self.beam.observe(observation);
        self.replay.observations.push_back(observation);
        if self.beam.sides.swapped != self.beam.sides.seem_swapped() {
            self.try_other_sides();
        }
        if self.state().index >= self.next && self.has_become_dear() {
            self.replay_wider();
        }
        if self.replay.checkpoints.back().is_none_or(|checkpoint| self.is_due(checkpoint)) {
            self.replay.checkpoint(&self.beam);
        }
    }

    /// Whether a checkpoint is old enough for another one.
    fn is_due(&self, checkpoint: &Checkpoint<G>) -> bool {
        self.state().index >= checkpoint.state.index + limits::CHECKPOINT_CHANGES
    }

    /// Whether the best explanation ranks far worse than the best one some changes ago. False while kings signal a
    /// result, which is expensive and no play.
    fn has_become_dear(&self) -> bool {
        let recent = self.replay.checkpoints.iter().rev().find(|checkpoint| self.is_due(checkpoint));
        let signal = || G::signal(&self.state().board, self.best().node.game.dead());
        self.best().mismatched.count_ones() < limits::REPLAY_BELOW_SQUARES
            && recent
                .is_some_and(|checkpoint| self.best().rank() > checkpoint.rank + limits::REPLAY_WHEN_DEARER)
            && signal().is_none()
            && !self.is_being_set_up()
    }

    /// Whether the pieces are being set up for the next game: most mismatched pieces stand on their start squares.
    fn is_being_set_up(&self) -> bool {
        let board = &self.state().board;
        let came = squares(self.best().mismatched).filter(|&at| board[at as usize] != 0);
        let (home, away): (Vec<u8>, Vec<u8>) =
            came.partition(|&at| board[at as usize] == self.start[at as usize]);
        home.len() >= limits::COME_HOME_PIECES && away.len() <= 1
    }

    /// Replays the recent observations with a wider beam, and takes the result if it is better, or if only it explains
    /// the board.
    pub fn replay_wider(&mut self) {
        let Some(again) = self.replay.replayed(self.width.for_replay(), self.beam.sides, self.beam.rulings())
        else {
            return;
        };
        let explains_board = |beam: &Beam<G>| beam.hypotheses().any(|h| h.mismatched == 0);
        let better = again.best().rank() + limits::REPLAY_MIN_GAIN < self.best().rank()
            || (explains_board(&again) && !explains_board(&self.beam));
        self.wait = if better {
            limits::REPLAY_WAIT_CHANGES.0
        } else {
            (2 * self.wait).min(limits::REPLAY_WAIT_CHANGES.1)
        };
        self.next = self.state().index + self.wait;
        if better {
            self.mark_changed();
            self.beam.replace(again);
        }
    }

    /// The presses are evidence that the players sit at the other sides of the clock: swaps the sides if a replay from
    /// the start ranks better then.
    fn try_other_sides(&mut self) {
        let mut other = self.beam.sides;
        other.swapped = !other.swapped;
        let whole = self.replay.forgotten == 0;
        let again = if whole { self.replay.replayed(self.width, other, self.beam.rulings()) } else { None };
        match again.filter(|again| again.best().rank() + limits::REPLAY_MIN_GAIN <= self.best().rank()) {
            Some(again) => {
                self.beam.sides = other;
                self.beam.replace(again);
                self.replay.forget();
            }
            None => self.beam.sides.undecided(),
        }
    }

    /// Adds a hypothesis that was found by other means.
    pub fn add(&mut self, hypothesis: Hypothesis<G>) {
        self.mark_changed();
        self.beam.add(hypothesis);
        self.replay.forget();
    }

    /// The board shows the position of this node, and all other hypotheses are dropped.
    pub fn stand_at(&mut self, node: Rc<Node<G>>) {
        self.mark_changed();
        self.beam.stand_at(node);
        self.replay.forget();
    }

    /// See [`Beam::prefer_standing`].
    pub fn prefer_standing(&mut self) {
        if self.beam.prefer_standing() {
            self.mark_changed();
            self.replay.forget();
        }
    }

    /// See [`Beam::keep_standing`].
    pub fn keep_standing(&mut self) {
        if self.beam.keep_standing() {
            self.mark_changed();
            self.replay.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::{reconstruct::observe::Known, record::Piece, rules::chess::ChessGame};

    fn code(letter: u8) -> u8 {
        Piece::from_letter(letter).map_or(0, Piece::code)
    }

    fn change(search: &mut Search<ChessGame>, square: u8, new: u8) {
        let how = Known::Seen { quick: None };
        search.observe(Observation::Change { square, new, how, time: None });
    }

    /// Puts a queen on each square in turn, and takes them off again. Returns from which change on the next replay may
    /// be tried, and the number of mismatched squares.
    fn push(search: &mut Search<ChessGame>, squares: Range<u8>) -> (u32, u32) {
        let queen = code(b'Q');
        for (square, new) in
            squares.clone().map(|square| (square, queen)).chain(squares.map(|square| (square, 0)))
        {
            change(search, square, new);
        }
        (search.next, search.best().mismatched.count_ones())
    }

    /// A search that replays, since pieces are pushed about on its board.
    fn that_replays() -> Search<ChessGame> {
        let mut search = Search::new(ChessGame::start(), false, &Options::default(), &Rc::default(), None);
        let (looked, mismatched) = [(); 4].map(|()| push(&mut search, 12..20))[3];
        assert!(looked != 0 && mismatched < limits::REPLAY_BELOW_SQUARES, "{looked}, {mismatched}");
        search
    }

    #[test]
    fn a_board_not_played_on_is_not_replayed() {
        let mut search = that_replays();
        // All pieces are cleared away, and the pushing goes on.
        push(&mut search, 48..64);
        let cleared = push(&mut search, 0..8);
        assert!(cleared.1 >= limits::REPLAY_BELOW_SQUARES);
        assert_eq!([(); 8].map(|()| push(&mut search, 30..34)), [cleared; 8]);
    }

    #[test]
    fn pieces_on_start_squares_are_being_set_up() {
        let [white, black] = [code(b'P'), code(b'p')];
        let mut search = Search::new(ChessGame::start(), false, &Options::default(), &Rc::default(), None);
        // e4 e5 d4 d5 c4 c5: fields are counted from a8.
        for file in [4, 3, 2] {
            for (from, to, pawn) in [(48 + file, 32 + file, white), (8 + file, 24 + file, black)] {
                change(&mut search, from, 0);
                change(&mut search, to, pawn);
            }
        }
        assert!(search.best().node.ply == 6 && !search.is_being_set_up());
        let mut home = |square: u8, piece: u8| {
            change(&mut search, square, piece);
            search.is_being_set_up()
        };
        assert_eq!(
            [(50, white), (12, black), (51, white)].map(|(at, piece)| home(at, piece)),
            [false, false, true]
        );
        let queen = code(b'Q');
        assert_eq!([40, 41].map(|at| home(at, queen)), [true, false], "with two pieces elsewhere it is play");
    }

    #[test]
    fn kings_in_the_centre_prevent_a_replay() {
        let goes_on = |king: u8| {
            let mut search = that_replays();
            [(60, 0), (36, code(b'K')), (4, 0), (king, code(b'k'))]
                .into_iter()
                .for_each(|(square, new)| change(&mut search, square, new));
            let before = search.next;
            (0..16).for_each(|_| _ = push(&mut search, 30..34));
            search.next != before
        };
        let [d5, d6] = [27, 19];
        assert!(!goes_on(d5) && goes_on(d6));
    }
}
