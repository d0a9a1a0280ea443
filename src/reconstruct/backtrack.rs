//! Going back: when the best explanation has become dear within a few changes, something was not thought of.
//!
//! Every so many changes the search makes a checkpoint and keeps what it observes after it. When it goes back it
//! starts another beam from the oldest checkpoint and replays the observations, with wider limits and with what came
//! after in view: a piece may have landed where no one saw it, if what follows shows where that was. What that beam
//! makes of it takes the place of what there was if it is better.
//!
//! This is the search as the tracked game knows it; the beam knows nothing of it.

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

/// A place to go back to: what the search knew then.
struct Checkpoint<G: Game> {
    /// What was observed up to here, counted as in [`Replay::forgotten`].
    observed: u64,
    hypotheses: Boxes<G>,
    state: BoardState,
    /// The rank of the best.
    rank: f32,
}

/// What was observed of late, and from where it can be replayed.
struct Replay<G: Game> {
    observations: VecDeque<Observation>,
    /// How much was observed before the first of them.
    forgotten: u64,
    checkpoints: VecDeque<Checkpoint<G>>,
}

/// Hypotheses as they are kept.
fn bare<'a, G: Game + 'a>(hypotheses: impl Iterator<Item = &'a Hypothesis<G>>) -> Boxes<G> {
    hypotheses.map(|hypothesis| Box::new(hypothesis.bare())).collect()
}

impl<G: Game> Replay<G> {
    /// What was observed cannot be replayed: the search learned of something else.
    fn forget(&mut self) {
        self.forgotten += self.observations.len() as u64;
        self.observations.clear();
        self.checkpoints.clear();
    }

    /// Makes a checkpoint of the beam as it is.
    fn checkpoint(&mut self, beam: &Beam<G>) {
        self.checkpoints.push_back(Checkpoint {
            observed: self.forgotten + self.observations.len() as u64,
            hypotheses: bare(beam.hypotheses().take(limits::LIKELY)),
            state: *beam.state(),
            rank: beam.best().rank(),
        });
        if self.checkpoints.len() > limits::CHECKPOINTS {
            self.checkpoints.pop_front();
            let old = self.checkpoints[0].observed - self.forgotten;
            self.observations.drain(..old as usize);
            self.forgotten += old;
        }
    }

    /// What a beam of this width would be had it known, from the oldest checkpoint, what is known now.
    fn replayed(&self, width: Width, sides: ClockSides, rulings: &Rc<GameRulings>) -> Option<Beam<G>> {
        let checkpoint = self.checkpoints.front()?;
        let observations = self.observations.iter().skip((checkpoint.observed - self.forgotten) as usize);
        let lookahead = Lookahead::after(&checkpoint.state, observations.clone());
        // What is worked out on the way is not left with the checkpoint.
        let hypotheses = bare(checkpoint.hypotheses.iter().map(Box::as_ref));
        let mut beam = Beam::of(checkpoint.state, hypotheses, width, lookahead, rulings);
        beam.sides = sides;
        for &observation in observations {
            beam.observe(observation);
        }
        Some(beam)
    }
}

/// The search for what was most plausibly played on one board since the start of its game.
pub struct Search<G: Game> {
    beam: Beam<G>,
    /// How wide it is for what comes in.
    width: Width,
    replay: Replay<G>,
    /// From which change on it may be looked again, and how many changes it waits after that.
    next: u32,
    wait: u32,
    /// It may know something else than when that was last asked.
    news: bool,
    /// How often it may have come to know something else.
    learned: u64,
    /// What stands where at the start of the game.
    start: [u8; 64],
}

impl<G: Game> Search<G> {
    /// A game that starts now, from `game`, on a board that shows its placement.
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
            wait: limits::WAIT.0,
            news: true,
            learned: 0,
            start,
        }
    }

    /// Whether it may know something else than when this was last asked.
    pub fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    /// It may know something else from here on: what is asked of it, it is to be asked again.
    pub fn is_news(&mut self) {
        self.news = true;
        self.learned += 1;
    }

    /// How often it may have come to know something else: while that is the same, so is all that it knows.
    pub fn learned(&self) -> u64 {
        self.learned
    }

    /// What stands on the board, and what is known of how it came to.
    pub fn state(&self) -> &BoardState {
        self.beam.state()
    }

    /// What arbiters ruled of the game.
    pub fn rulings(&self) -> &Rc<GameRulings> {
        self.beam.rulings()
    }

    /// The hypotheses, best first; never empty.
    pub fn hypotheses(&self) -> impl Iterator<Item = &Hypothesis<G>> {
        self.beam.hypotheses()
    }

    /// The hypotheses, best first, but for those that take all squares for dead that the best does, and more.
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

    /// Whether the players sit at the other sides of the clock than presses say.
    pub fn sides_swapped(&self) -> bool {
        self.beam.sides.swapped
    }

    /// What was learned of it before this game.
    pub fn expect_sides_swapped(&mut self, swapped: bool) {
        self.beam.sides.swapped = swapped;
    }

    /// What was heard of its board before this game: of these squares.
    pub fn have_spoken(&mut self, squares: Squares) {
        self.beam.have_spoken(squares);
    }

    /// The best hypothesis that does not have the best's game up to `ply`.
    pub fn rival(&self, ply: u32) -> Option<&Hypothesis<G>> {
        let line = self.best().node.at(ply)?.line_hash;
        self.hypotheses().find(|h| h.node.at(ply).is_none_or(|node| node.line_hash != line))
    }

    /// By how much the best leads all that do not have its game up to `ply`; those of them that have another move there; and
    /// those of these that may be meant to stand as they do. Nothing where the best has no such ply.
    pub fn leads(&self, ply: u32) -> [f32; 3] {
        let Some(node) = self.best().node.at(ply) else { return [0.0; 3] };
        let mut leads = [f32::INFINITY; 3];
        for hypothesis in self.hypotheses() {
            let at = hypothesis.node.at(ply);
            if at.as_ref().is_some_and(|same| same.line_hash == node.line_hash) {
                continue;
            }
            // Where another square is taken for dead the same moves are played.
            if hypothesis.position.game.dead() != self.best().position.game.dead()
                && at.as_ref().is_some_and(|at| at.mv.is_some() && at.mv == node.mv)
            {
                continue;
            }
            // Where other moves were played before, but this one too and to the same end, it is as sure.
            let same = |other: &Rc<Node<G>>| {
                node.mv.is_some() && other.mv == node.mv && other.placement_hash == node.placement_hash
            };
            let mut lately = hypothesis.node.walk_back().take_while(|other| other.ply + 2 >= node.ply);
            if lately.any(same) {
                continue;
            }
            let lead = hypothesis.rank() - self.best().rank();
            let meant = at.is_some() && hypothesis.may_be_meant(self.state());
            for (of, known) in [true, at.is_some(), meant].into_iter().zip(&mut leads) {
                *known = if of { known.min(lead) } else { *known };
            }
        }
        leads
    }

    /// Takes in what was observed, and looks again where that makes no sense.
    pub fn observe(&mut self, observation: Observation) {
        self.is_news();
        if self.replay.observations.len() == limits::REPLAYED {
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
            self.look_again();
        }
        if self.replay.checkpoints.back().is_none_or(|checkpoint| self.is_due(checkpoint)) {
            self.replay.checkpoint(&self.beam);
        }
    }

    /// Whether a checkpoint is so old that another may follow it.
    fn is_due(&self, checkpoint: &Checkpoint<G>) -> bool {
        self.state().index >= checkpoint.state.index + limits::CHECKPOINT_EVERY
    }

    /// Whether the best explanation ranks far worse than the best did some changes ago, on a board that is played on: kings
    /// in the centre are dear, and mean that it is not.
    fn has_become_dear(&self) -> bool {
        let lately = self.replay.checkpoints.iter().rev().find(|checkpoint| self.is_due(checkpoint));
        let signal = || G::signal(&self.state().board, self.best().node.game.dead());
        self.best().mismatched.count_ones() < limits::HOPELESS
            && lately.is_some_and(|checkpoint| self.best().rank() > checkpoint.rank + limits::DEAR)
            && signal().is_none()
            && !self.is_being_set_up()
    }

    /// Whether the pieces are being set up for the next game: most that stand otherwise than the best explanation says have
    /// come home.
    fn is_being_set_up(&self) -> bool {
        let board = &self.state().board;
        let came = squares(self.best().mismatched).filter(|&at| board[at as usize] != 0);
        let (home, away): (Vec<u8>, Vec<u8>) =
            came.partition(|&at| board[at as usize] == self.start[at as usize]);
        home.len() >= limits::COME_HOME && away.len() <= 1
    }

    /// Replays what was observed of late, wider, and takes what that makes of it if it is better; or any that makes
    /// something of the board as it stands, when nothing else does.
    pub fn look_again(&mut self) {
        let Some(again) = self.replay.replayed(self.width.again(), self.beam.sides, self.beam.rulings())
        else {
            return;
        };
        let stands = |beam: &Beam<G>| beam.hypotheses().any(|h| h.mismatched == 0);
        let better = again.best().rank() + limits::BETTER_AGAIN < self.best().rank()
            || (stands(&again) && !stands(&self.beam));
        self.wait = if better { limits::WAIT.0 } else { (2 * self.wait).min(limits::WAIT.1) };
        self.next = self.state().index + self.wait;
        if better {
            self.is_news();
            self.beam.replace(again);
        }
    }

    /// The presses say that the clock stands the other way round: so it does if the game from its start makes more
    /// sense then.
    fn try_other_sides(&mut self) {
        let mut other = self.beam.sides;
        other.swapped = !other.swapped;
        let whole = self.replay.forgotten == 0;
        let again = if whole { self.replay.replayed(self.width, other, self.beam.rulings()) } else { None };
        match again.filter(|again| again.best().rank() + limits::OTHER_SIDES <= self.best().rank()) {
            Some(again) => {
                self.beam.sides = other;
                self.beam.replace(again);
                self.replay.forget();
            }
            None => self.beam.sides.undecided(),
        }
    }

    /// Puts a hypothesis that was found by other means beside the others.
    pub fn add(&mut self, hypothesis: Hypothesis<G>) {
        self.is_news();
        self.beam.add(hypothesis);
        self.replay.forget();
    }

    /// The board stands as at this node, and nothing else is thought of.
    pub fn stand_at(&mut self, node: Rc<Node<G>>) {
        self.is_news();
        self.beam.stand_at(node);
        self.replay.forget();
    }

    /// See [`Beam::prefer_standing`].
    pub fn prefer_standing(&mut self) {
        if self.beam.prefer_standing() {
            self.is_news();
            self.replay.forget();
        }
    }

    /// See [`Beam::keep_standing`].
    pub fn keep_standing(&mut self) {
        if self.beam.keep_standing() {
            self.is_news();
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

    /// A queen is put on each square in turn, and taken off again. Gives from which change on it may look again, and how
    /// many squares are mismatched.
    fn push(search: &mut Search<ChessGame>, squares: Range<u8>) -> (u32, u32) {
        let queen = code(b'Q');
        for (square, new) in
            squares.clone().map(|square| (square, queen)).chain(squares.map(|square| (square, 0)))
        {
            change(search, square, new);
        }
        (search.next, search.best().mismatched.count_ones())
    }

    /// A search on a board on which pieces are pushed about, so that it looks again.
    fn that_looks_again() -> Search<ChessGame> {
        let mut search = Search::new(ChessGame::start(), false, &Options::default(), &Rc::default(), None);
        let (looked, mismatched) = [(); 4].map(|()| push(&mut search, 12..20))[3];
        assert!(looked != 0 && mismatched < limits::HOPELESS, "{looked}, {mismatched}");
        search
    }

    #[test]
    fn on_a_board_that_is_not_played_on_it_does_not_look_again() {
        let mut search = that_looks_again();
        // All pieces are cleared away, and somebody goes on.
        push(&mut search, 48..64);
        let cleared = push(&mut search, 0..8);
        assert!(cleared.1 >= limits::HOPELESS);
        assert_eq!([(); 8].map(|()| push(&mut search, 30..34)), [cleared; 8]);
    }

    #[test]
    fn pieces_that_come_home_are_being_set_up() {
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
        assert_eq!([40, 41].map(|at| home(at, queen)), [true, false], "two that stand elsewhere are played");
    }

    #[test]
    fn while_kings_in_the_centre_tell_the_result_it_does_not_look_again() {
        let goes_on = |king: u8| {
            let mut search = that_looks_again();
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
