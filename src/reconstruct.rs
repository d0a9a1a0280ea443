//! Board records to game records: what was played.
//!
//! This page teaches the algorithm; the files say the details. What a number is worth stands in `costs`, how far and how
//! long something is looked for in `limits`. The room knows no bytes and no file format; games come in through
//! [`crate::rules::Game`].
//!
//! # Why it is not enough to look for legal moves
//!
//! A board reads its squares one by one, four or five times a second. A queen that slides from c1 to c4 is seen on c2 and
//! c3, each of which is a legal move. A piece is seen on its new square before its old one is read empty. A capture may
//! never show the square empty, or may show the captured piece again. Hands touch pieces, put them down on the way, take
//! moves back, and in fast games reply before the other hand has left. So a position that is the successor of the last one
//! proves nothing, and what it was shows later: in the next changes, in the press of the clock, in the board at rest.
//!
//! # Hypotheses
//!
//! A **hypothesis** is a game that may have been played, with what it leaves unexplained. It stands at a node of the tree of
//! games (`tree::node`: position, ply, the move that led there); hypotheses share their nodes. Besides it holds
//!
//! * the squares on which the board differs from its position (**mismatched**), and those on which captured men of draughts
//!   may still stand;
//! * the changes that no move of it has explained (**unexplained**), oldest first;
//! * the presses of the last plies, and of each side how many there were more than moves (`hypothesis::presses`);
//! * its **account**: what all that it has explained cost.
//!
//! These hold at all times: a square that is neither mismatched nor held by a captured man reads as the position has it;
//! a mismatched square has changed since it was right; a cost never falls, though a rank does when an explanation is found.
//! So a hypothesis that costs too much can be given up for good.
//!
//! # Costs and rank
//!
//! Nobody sees hands, so everything is possible at a price. A **deviation** is what happens beside the plain move: a square
//! passed, a piece touched, a move begun before the last was over, a press missing. `costs` has one table of them, each with
//! its price, who causes it (a scanner, hands, a clock, the players' agreement, or nobody that was seen), and how often it
//! happens when simulated hands play: a price is roughly minus the logarithm of that. Most of what scanners do is nearly
//! free, what hands and clocks do costs up to a few units, what players agree on several; and what is assumed without being
//! seen costs more than what was seen in its place: an unseen landing implies two overlaps, so it costs more than two.
//!
//! The **rank** of a hypothesis is its cost plus 0.7 for each unexplained change, more as the change grows old, less where a
//! piece under way may just have passed: the price of the explanation that is still to be found. Without it the hypothesis
//! that explains nothing would always be the best.
//!
//! # One change
//!
//! Every change goes to all hypotheses. Each takes note of it: the square is right now, or mismatched; the change is
//! unexplained. Then each is asked what the change may mean (`propose`), and for each answer a child is made; the parent
//! stays, so that a stop on the way is undone by its better sibling.
//!
//! * **A legal move is complete** (`propose::legal`) when all squares that it changes read as they should after it, or did so
//!   until the reply changed them, and this change touched one of them. Up to three more may be complete with it.
//! * **The last move was withdrawn** (`propose::withdrawal`): its squares read as before it; or the last of both sides were
//!   (`propose::taken_back`), the later one first. What was pressed and stood goes back by agreement, which the next press
//!   shows: until then nothing of it is told.
//! * **A landing was never seen** (`propose::unseen_landing`): the reply captured there at once, or the piece went on at once.
//!   Then a square is mismatched in a way that no one move explains, but two or three do. Only looked for where
//!   two squares or more are mismatched, by hypotheses that rank little worse than the best.
//! * **A capture hides the move before it** (`propose::hidden_capture`): men of draughts, given and taken at once.
//! * **The same, foreseen** (`propose::foreseen_landing`): only when the search looks again, see below.
//! * **A square is dead** (`propose::silence`): a piece left its square, both clocks were pressed since, or the board rests, and
//!   nothing was ever heard of a square where the piece may be. See below, too.
//!
//! What the child pays is worked out in three steps (`hypothesis::apply_move`): every unexplained change is **classified** (a
//! change of the move itself, on its way, a detour, the reply's, another's), then what is not plain is **priced** (early
//! changes, the order of hands, presses), then the **child** keeps what is left unexplained.
//!
//! The **beam** sorts all by rank, keeps one of each that stand for the same (position, ply, squares left over), the best 14,
//! and none that ranks 10 worse than the best.
//!
//! # Presses, rests and time
//!
//! The n-th press of a side ends its n-th move; but a press may come before the last square of its move, two may come
//! swapped, and some are lost. A move that was pressed and then stood on a board at rest was meant: it is not withdrawn any
//! more but by a board that stands without it, and no stop on the way. Polls come seconds apart, so the times of changes say
//! little; the board says only which changes were less than 250 ms apart, and `Event::rests` counts those that surely were
//! not: longer than one scan takes. When a poll is over that told of a press, all is told that was seen by then: a piece of
//! who pressed that is not where it should be is odd, for polls seldom end in the moment between a press and the next scan.
//!
//! # Going back
//!
//! When the best explanation has become dear within a few changes, something was not thought of. The search (`backtrack`)
//! keeps checkpoints, eight changes apart. From the oldest it **replays** what it has observed since, with a wider beam and
//! with what came after in view (`observe::lookahead`): where another piece comes to a square, or a piece goes on from there,
//! one may have landed that nobody saw. If that explains it better, it takes the place of what there was. In the same way it
//! finds out that the clock stands the other way round. A board that reads otherwise on a dozen squares is not played on:
//! there it does not look again.
//!
//! # A board at rest
//!
//! A position that stands and that no hypothesis explains was reached otherwise (`tracked_game::resting`): both players
//! went back to an earlier position of the game, or one of them where an arbiter said so; or they took moves back and
//! played others; or changes were lost, and if there is exactly one shortest way of legal moves to it, that is bridged and
//! marked as a guess (`gap`). What stays inexplicable becomes an anomaly, and play may go on from there.
//!
//! # The phases of a game
//!
//! What hands do means something else before a game, in it and behind it: a game has one phase, and beside it stands what
//! kind of clock there is. `tracked_game::phase` has both, what moves them on, and a game that goes through them:
//!
//! * being set up -- begun --> in play -- the clock stops --> interrupted -- hands --> looked at -- it runs --> in play
//! * in play -- the board goes back far, without a clock --> looked at -- moves as slow as the game's --> in play
//! * any -- the end is published --> over -- play goes on --> in play; without a clock: resumed -- for long --> in play
//!
//! # Dead squares
//!
//! A sensor may be broken, and the board never says what stands above it, neither in changes nor in positions. That is not a
//! flaw of the data that has to be paid for each time, but something that is so once and for all: the first silence of a
//! square is dear (8), each further one is not (0.5), and evidence adds up by itself. So which squares are dead is part of
//! what a hypothesis takes for true. Its position knows them (`dead_square`), and shows none of what changes there: a move to
//! a dead square is complete when its piece has left, one from there when its piece has come, a capture there is a piece that
//! left, and castling is seen on three squares. Comparisons with what stands leave such squares out. All else of the
//! search need not know of it, and pays nothing on a board that is sound.
//!
//! A square can be taken for dead only if nothing was ever heard of it. If it speaks after all, it is dead no more, for a
//! price (4). Where two squares come into question (1. e3 or 1. e4?) both live on, the likelier one first, until one speaks
//! or explains what the other does not. A board that stands set up but for up to four pieces begins a game from what stands,
//! which is held back until it has surely begun (`session::beginning`); only where earlier games have shown a square to be
//! dead does its piece stand there unseen. If a piece comes later from where none stood, the tracked board goes through the
//! game again, from the whole start. What has been dead twice in a game, or was at its start, is so in the next on that board.
//!
//! # When a move is shown
//!
//! The tracked game publishes the moves of the best hypothesis one by one, each as soon as it is **ready**
//! (`tracked_game::ready`): no other move may be likely in its place, and something must say that the hand has
//! left; where it ended on a square that is taken for dead, that must be likelier by far than that all squares are sound.
//! With a clock that is its press, if its piece surely stood by then: it was first seen there after the press, or a
//! while after it was lifted, or something came a scan later, or it can go no further; else a look at the board after the
//! press. Who presses has nothing in hand, so that a press while another piece is off its square belongs to no move yet.
//! All that a board says at a poll comes with one time: where more of it may contradict a move, the next time that anybody
//! tells is waited for. Without a clock it is the board at rest, or the piece that stood from one poll to another; in both
//! cases the reply. After eight seconds (25 for a piece that goes home beside a clock: it may be set up for the next game) the best
//! explanation is published however small its lead, if it leads at all and explains the board. When the best hypothesis later
//! is another, what was published is taken back and said again; that both players went back is said only when they play on
//! from there, for pieces that are set up pass through earlier positions too.
//!
//! Each move says how sure it is (`certainty`), and is told again when that has come into another band. Of two games that led
//! to the same and have the same future the beam keeps the better one; it remembers the other, which no later move can
//! refute: where only what nobody saw is different between them, neither is sure.
//!
//! # Six plies, step by step
//!
//! The game is 1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5, on a board with a clock, in the words of this room's tests: `-e2` the square
//! became empty, `pd6` a piece stands there now, `L900` the left clock was pressed and shows 900 seconds, `+2` two seconds pass,
//! `.` an empty poll.
//!
//! ```
//! # use boardbus::{reconstruct::{Options, Reconstructor}, record::{GameEvent, GameRecord, Record, parse}};
//! let played = "
//!     +4 -e2 Pe4 L900
//!     +2 -d7 pd6 -d6 pd5 R900
//!     +2 -d5 -e4 L880 Pd5
//!     +2 -d8 qd7 -d7 qd6 -d5 -d6 qd5 R870
//!     +2 Nc3 -d5 -b1 L860
//!     +2 qc5 -c5 qa5 R850
//!     +2 . +2 .";
//! let explained = [
//!     // Two changes, both of the move: nothing to pay. The only other explanation is that nothing was played: two
//!     // changes unexplained, 0.7 each, and a press before its move was complete, 0.3.
//!     ("e4", vec![], None, Some(1.7)),
//!     // The pawn slid over d6: seen there (0.05) and gone again (0.05). That it stopped there, as d6, leaves two changes
//!     // unexplained: 1.4, less the 0.1 that this one paid.
//!     ("d5", vec![("transit", 0.05), ("transit", 0.05)], Some("d7d6"), Some(1.3)),
//!     // The captured pawn was lifted first; the clock was pressed before the scan saw the captor on d5.
//!     ("exd5", vec![("press-early", 0.3)], None, Some(2.1)),
//!     // A capture at the end of a slide: d7 and d6 were passed. Qd6 would leave three changes unexplained.
//!     ("Qxd5", vec![("transit", 0.05); 4], Some("d8d6"), Some(2.0)),
//!     // The scan read c3 before b1, which costs nothing: all that counts is that both squares are right. Black's queen was
//!     // lifted in between; that stays unexplained and is the reply's. As long as it is in a hand the press belongs to no
//!     // move yet: this one is shown with its reply, when the poll that told of that is over.
//!     ("Nc3", vec![], None, Some(5.7)),
//!     // So the reply began before this move was over (overlap), and its piece left before White's was seen to have left
//!     // (inverted). That the queen is still on its way explains no less, but not when the poll of its press is over: 2.0.
//!     ("Qa5", vec![("transit", 0.05), ("transit", 0.05), ("overlap", 0.8), ("inverted", 1.0)], None, Some(2.0)),
//! ];
//! # let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
//! # let mut lines = vec![format!(r#""type":"position","placement":"{start}","time":"2026-11-21T10:00:00Z""#)];
//! # let mut now = 0;
//! # for word in played.split_whitespace() {
//! #     let (first, rest) = word.split_at(1);
//! #     let (piece, square) = word.split_at(word.len().saturating_sub(2));
//! #     let press = |side| format!(r#""type":"press","side":"{side}","seconds":{rest}"#);
//! #     let event = match first {
//! #         "+" => { now += rest.parse::<u32>().unwrap(); continue }
//! #         "." => r#""type":"quiet""#.to_owned(),
//! #         "L" => press("left"),
//! #         "R" if rest.parse::<u32>().is_ok() => press("right"),
//! #         "-" => format!(r#""type":"change","square":"{square}","piece":null"#),
//! #         _ => format!(r#""type":"change","square":"{square}","piece":"{piece}""#),
//! #     };
//! #     lines.push(format!(r#"{event},"time":"2026-11-21T10:00:{now:02}Z""#));
//! # }
//! let mut reconstructor = Reconstructor::new(Options { explain: true, ..Options::default() });
//! let mut moves = Vec::new();
//! for line in lines {
//!     let Record::Board(record) = parse(format!(r#"{{"board":1,{line}}}"#).as_bytes())? else { unreachable!() };
//!     reconstructor.record(&record, |published: GameRecord| {
//!         if let GameEvent::Move(mv) = published.event {
//!             moves.push(*mv);
//!         }
//!         Ok::<(), std::convert::Infallible>(())
//!     })?;
//! }
//! assert_eq!(moves.len(), explained.len());
//! for (mv, (san, charges, runner_up, lead)) in moves.iter().zip(explained) {
//!     let explain = mv.explain.as_ref().unwrap();
//!     let charged: Vec<(&str, f64)> = explain.charges.iter().map(|(name, cost)| (&**name, *cost)).collect();
//!     assert_eq!((mv.san.as_deref(), charged), (Some(san), charges));
//!     assert_eq!((explain.runner_up.as_deref(), explain.lead), (runner_up, lead), "{san}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The files
//!
//! * `observe` is what a board did, `tree` the positions that it may have gone through; `hypothesis` is a legal game and
//!   what it leaves unexplained of what was observed, `propose` finds the moves that may explain it, `costs` what that
//!   costs, `limits` how far and how long; `beam` keeps the best, `backtrack` goes back where they make no sense, `gap`
//!   finds moves that were missed;
//! * `tracked_game` is one game: the search, and what of it can be published by now; `any_game` is one of whichever
//!   rules, `game_line` how it is known again, `update` what is published of it and what stands in the end;
//! * `rulings` is what arbiters ruled, which every explanation is held to; `retold` says what is otherwise when a game was
//!   reconstructed anew;
//! * `session` follows one board from game to game, and joins one that is on; `adjourned` knows games that may go on, `start` which rules a board is
//!   set up for, and `options` which are looked for; `tracked_board` takes in the board's own `log` as well, and puts right
//!   what was `misread`;
//! * [`Reconstructor`] does that for every board of a stream; `handover` knows games that go on on another board,
//!   `exchange` boards that change places though nobody says so, `steady_time` a clock that was put back.
//!
//! Circle: `exchange` is a part of what [`Reconstructor`] does with a record, and is a subject of its own.

mod adjourned;
mod any_game;
mod backtrack;
mod beam;
mod certainty;
mod costs;
mod dead_square;
mod exchange;
mod game_line;
mod gap;
mod handover;
mod hypothesis;
mod limits;
mod listing;
mod log;
mod misread;
mod observe;
mod options;
mod propose;
pub mod retold;
mod rulings;
mod session;
mod shown_result;
mod start;
mod steady_time;
#[cfg(test)]
mod tests;
mod tracked_board;
mod tracked_game;
mod tree;
mod update;

use std::{
    collections::{BTreeMap, HashMap},
    rc::Rc,
    sync::Arc,
};

pub use costs::{Cause, Deviation, PRICES, Price};
pub use options::{Options, Show, Start, Width};
pub use tracked_board::Refused;

use exchange::Exchanges;
use handover::{Handovers, Whose};
use steady_time::SteadyTime;
use tracked_board::TrackedBoard;
use update::{FinalGames, Update};

use crate::record::{
    BoardEvent, BoardName, BoardRecord, ByLine, GameEvent, GameRecord, Ruling, Seen, Stream, Time,
};

/// A board of the stream.
struct NamedBoard {
    name: BoardName,
    tracked: TrackedBoard,
    /// What stands of its games that are not final, if only final moves are wanted.
    final_games: FinalGames,
    /// When it has something to do though nothing comes in.
    deadline: Option<Time>,
    /// Its line, in [`Reconstructor::lines`].
    line: usize,
    /// When it said something last, in the time that goes on.
    last: Option<Time>,
    /// It does not answer, or was not heard of since its source began anew.
    lost: bool,
}

/// The boards of a line, which have one clock: that of the machine that watches it. Those of other lines may be wrong by
/// hours beside it, and what comes of a line must not hang on them.
#[derive(Default)]
struct Line {
    /// In the order in which they were heard of, and where each address stands in [`Reconstructor::boards`].
    boards: Vec<usize>,
    places: BTreeMap<Option<u16>, usize>,
    /// The earliest of the boards' deadlines.
    earliest: Option<Time>,
    clock: SteadyTime,
}

/// Follows every board of a stream.
#[derive(Default)]
pub struct Reconstructor {
    options: Rc<Options>,
    seen: Seen,
    boards: Vec<NamedBoard>,
    lines: ByLine<Line>,
    /// What a board has just published.
    updates: Vec<Update>,
    handovers: Handovers,
    exchanges: Exchanges,
    /// Rulings that turned out to hold for nothing, and why.
    refused: Vec<(GameRecord, Refused)>,
    /// Where the lines are.
    zones: HashMap<Option<Arc<str>>, Arc<str>>,
}

impl Reconstructor {
    /// Nothing known yet.
    pub fn new(options: Options) -> Reconstructor {
        let handovers = Handovers::new(&options.continued);
        Reconstructor { options: Rc::new(options), handovers, ..Reconstructor::default() }
    }

    /// Games that were to go on on another board, and did not: that never stood as the first did.
    pub fn not_continued(&self) -> impl Iterator<Item = (u16, u16)> {
        self.handovers.missing()
    }

    /// Boards that were replaced, by which, and on which another game was played afterwards that is not told.
    pub fn played_on(&self) -> impl Iterator<Item = (u16, u16)> {
        self.handovers.played_on()
    }

    /// Boards that were exchanged for each other in the midst of their games, which go on under the numbers under which they
    /// began, though nobody had said so.
    pub fn exchanged(&self) -> &[[u16; 2]] {
        self.exchanges.unasked()
    }

    /// Whether numbers of records show that two sources were mixed in one stream.
    pub fn is_mixed(&self) -> bool {
        self.seen.is_mixed()
    }

    /// Boards of which changes came and no game, in the order of their names.
    pub fn without_game(&self) -> Vec<BoardName> {
        let taken = |board: &NamedBoard| board.name.1.is_some_and(|board| self.handovers.has_taken(board));
        let without =
            self.boards.iter().filter(|board| board.tracked.has_changes_and_no_game() && !taken(board));
        let mut names: Vec<BoardName> = without.map(|board| board.name.clone()).collect();
        names.sort();
        names
    }

    /// A source begins: what it was saying before, it does not go on with.
    pub fn stream<E>(
        &mut self,
        stream: &Stream,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.let_line_go(&stream.line, &mut publish)?;
        self.seen.stream(stream);
        if let Some(zone) = &stream.zone {
            self.zones.insert(stream.line.clone(), zone.clone());
        }
        for at in 0..self.boards.len() {
            if self.boards[at].name.0 == stream.line {
                self.boards[at].lost = true;
                self.boards[at].tracked.source_begins(&mut self.updates);
                self.pass_on(at, &mut publish)?;
            }
        }
        Ok(())
    }

    /// What follows is of a source again that began before, and was interrupted by another.
    pub fn back_to(&mut self, stream: &Stream) {
        self.seen.stream(stream);
    }

    /// Takes in a record; `publish` gets what follows from it, in order.
    pub fn record<E>(
        &mut self,
        record: &BoardRecord,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.seen.again(record) {
            return Ok(());
        }
        self.sort_out(record, &mut publish)
    }

    /// Takes in a record of which it is known whose it is, as far as it can be.
    fn take_in<E>(
        &mut self,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.hand_over(record, publish)? {
            return Ok(());
        }
        let first;
        let record = match self.handovers.whose(record) {
            Whose::Own => record,
            Whose::First(rewritten) => {
                first = rewritten;
                &first
            }
            Whose::Replaced => return Ok(()),
        };
        let at = self.place(&record.line, record.board);
        self.boards[at].lost = matches!(record.event, BoardEvent::Lost(_));
        let line = self.boards[at].line;
        let last = &mut self.boards[at].last;
        let time = record.time.map(|time| self.lines[line].clock.comes(last, time));
        let steady;
        let record = if time == record.time {
            record
        } else {
            steady = BoardRecord { time, ..record.clone() };
            &steady
        };
        self.boards[at].tracked.record(record, &mut self.updates);
        self.pass_on(at, publish)?;
        // The time of one board is the time of its line: what only waited for it is due.
        if let Some(now) = record.time
            && self.lines[line].earliest.is_some_and(|earliest| earliest <= now)
        {
            for at in 0..self.lines[line].boards.len() {
                let at = self.lines[line].boards[at];
                // At its own time: what comes in later says nothing of this board. What was due and stays so, as a fallen flag
                // beside which nothing is played, is looked at once.
                let mut done = None;
                while let Some(due) = self.boards[at].deadline.filter(|&due| due <= now && Some(due) > done) {
                    done = Some(due);
                    self.boards[at].tracked.tick(Some(due), &mut self.updates);
                    self.pass_on(at, publish)?;
                }
            }
            let boards = self.lines[line].boards.iter();
            self.lines[line].earliest = boards.filter_map(|&at| self.boards[at].deadline).min();
        }
        Ok(())
    }

    /// An arbiter ruled; `publish` gets what is otherwise now. Why it cannot be held, if it cannot.
    pub fn ruling<E>(
        &mut self,
        record: &GameRecord,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Option<Refused>, E> {
        let GameEvent::Ruling(ruling) = &record.event else { return Ok(None) };
        self.let_line_go(&record.line, &mut publish)?;
        let at = self.place(&record.line, record.board);
        let time = record.time.map(|time| self.lines[self.boards[at].line].clock.of(time));
        let ruled = self.boards[at].tracked.rule(record.game, ruling, time, &mut self.updates);
        self.tell(at, &mut publish)?;
        Ok(ruled.err())
    }

    /// The rulings that turned out to hold for nothing since this was last asked, and why.
    pub fn take_refused(&mut self) -> Vec<(GameRecord, Refused)> {
        std::mem::take(&mut self.refused)
    }

    /// Lets the game of another board go on on this one, if it is to and this one will stand as that does. Whether there is
    /// anything else to hear in the record.
    fn hand_over<E>(
        &mut self,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<bool, E> {
        if !self.handovers.may_be() {
            return Ok(true);
        }
        // A board is there from its first record on, whatever becomes of its game.
        let (at, settled) = match self.handovers.whose(record) {
            Whose::Own => {
                let at = self.place(&record.line, record.board);
                (Some(at), self.boards[at].tracked.settles(record))
            }
            Whose::First(_) => return Ok(true),
            Whose::Replaced => (None, self.handovers.unheard(record).map(|stands| (stands, false))),
        };
        let Some((stands, explained)) = settled else { return Ok(true) };
        let line = self.lines.number(&record.line, Line::default);
        // Two games may begin alike, and neither has moved.
        let has_own = self.handovers.goes_on(record);
        let own = at.filter(|_| has_own).map(|at| &self.boards[at].tracked);
        let may_be = |board: &NamedBoard| match own {
            Some(own) => !explained && (board.lost || own.stands_far_from(&stands)),
            None => !explained || board.lost && !has_own,
        };
        let taken = self.handovers.expected_on(record).into_iter().find_map(|game| {
            let first = *self.lines[line].places.get(&Some(game.begun_on))?;
            let board = Some(&self.boards[first]).filter(|board| may_be(board))?;
            Some((game, first, board.tracked.goes_on_from(&stands)?))
        });
        let Some((game, first, turned)) = taken else { return Ok(true) };
        self.handovers.take_over(record, game, self.boards[first].tracked.stands(), turned);
        let here = if turned { stands.turned() } else { stands };
        let time = record.time.map(|time| self.lines[line].clock.of(time));
        self.boards[first].tracked.go_on(here, time, &mut self.updates);
        self.pass_on(first, publish)?;
        let goes_on = self.handovers.goes_on(record);
        if let Some(at) = at {
            if goes_on {
                self.boards[at].tracked.source_begins(&mut self.updates);
            } else {
                // What was made of its pieces' being set up is no game.
                let left = self.boards[first].last;
                self.boards[at].tracked.give_up(left, &mut self.updates);
            }
            self.pass_on(at, publish)?;
        }
        Ok(!matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_)))
    }

    /// The input is over: games that were begun are closed.
    pub fn finish<E>(&mut self, mut publish: impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        self.let_all_go(&mut publish)?;
        // In the order of their names: that in which they were heard of is chance.
        let mut order: Vec<usize> = (0..self.boards.len()).collect();
        order.sort_by(|&a, &b| self.boards[a].name.cmp(&self.boards[b].name));
        for at in order {
            self.boards[at].tracked.finish(&mut self.updates);
            self.pass_on(at, &mut publish)?;
            self.updates.extend(self.boards[at].final_games.rest());
            self.tell(at, &mut publish)?;
        }
        Ok(())
    }

    /// Where the board with this address stands, new if nothing is known of it.
    fn place(&mut self, name: &Option<Arc<str>>, board: Option<u16>) -> usize {
        let line = self.lines.number(name, Line::default);
        let Line { boards, places, .. } = &mut self.lines[line];
        *places.entry(board).or_insert_with(|| {
            let at = self.boards.len();
            boards.push(at);
            let (tracked, final_games) = (TrackedBoard::new(&self.options), FinalGames::default());
            let (name, deadline, last, lost) = ((name.clone(), board), None, None, false);
            self.boards.push(NamedBoard { name, tracked, final_games, deadline, line, last, lost });
            at
        })
    }

    /// Passes on what the board published of games that are any.
    fn pass_on<E>(
        &mut self,
        at: usize,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let rulings = self.boards[at].tracked.rulings();
        if rulings.are_any() {
            let told = std::mem::take(&mut self.updates);
            self.updates.extend(told.into_iter().flat_map(|update| rulings.without_void(update)));
        }
        self.tell(at, publish)
    }

    /// Passes on what the board published, with its name, and asks for its next deadline.
    fn tell<E>(&mut self, at: usize, publish: &mut impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        let NamedBoard { name: (line, board), tracked, final_games, deadline, line: of, .. } =
            &mut self.boards[at];
        *deadline = tracked.deadline();
        for (game, ruling, why) in tracked.take_refused() {
            let event = GameEvent::Ruling(Box::new(Ruling::clone(&ruling)));
            let record = GameRecord { time: None, line: line.clone(), board: *board, game, event, seq: None };
            self.refused.push((record, why));
        }
        let Line { earliest, clock, .. } = &mut self.lines[*of];
        *earliest = [*earliest, *deadline].into_iter().flatten().min();
        let mut pass_on = |Update { game, time, event }| {
            let time = time.map(|time| clock.told(time));
            publish(GameRecord { time, line: line.clone(), board: *board, game, event, seq: None })
        };
        for mut update in self.updates.drain(..) {
            if let GameEvent::Game(start) = &mut update.event {
                start.zone = self.zones.get(line).cloned();
            }
            if !self.options.final_only {
                pass_on(update)?;
                continue;
            }
            final_games.add(update).into_iter().try_for_each(&mut pass_on)?;
        }
        Ok(())
    }
}
