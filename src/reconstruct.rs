//! Board records to game records: reconstructs what was played.
//!
//! This page explains the algorithm; each file has its details. Prices are in `costs`, limits of time and of the search in
//! `limits`. The room handles neither bytes nor file formats, and uses games through [`crate::rules::Game`].
//!
//! # Why looking for legal moves is not enough
//!
//! A board reads its squares one by one, four or five times a second. A queen that slides from c1 to c4 is seen on c2 and
//! c3, each of which is a legal move. A piece is seen on its new square before its old one is read empty. A capture may
//! never show the square empty, or may show the captured piece again. Hands touch pieces, put them down on the way, take
//! moves back, and in fast games reply before the other hand has left. So a position that a legal move explains is no proof
//! of that move. The proof comes later: with the next changes, the press of the clock, or the board at rest.
//!
//! # Hypotheses
//!
//! A **hypothesis** is a game that may have been played, with the observations that it does not explain. It stands at a
//! node of the tree of games (`tree::node`: position, ply, the move that led there); hypotheses share their nodes. It also
//! holds
//!
//! * the squares on which the board differs from its position (**mismatched**), and those on which captured men of draughts
//!   may still stand;
//! * the changes that none of its moves has explained (**unexplained**), oldest first;
//! * the presses of the last plies, and for each side the number of presses less the number of moves
//!   (`hypothesis::presses`);
//! * its **account**: the cost of everything that it has explained.
//!
//! Invariants: a square that is neither mismatched nor held by a captured man reads as in the position; a mismatched square
//! has changed since it was right; a cost never falls, though a rank does when an explanation is found. So a hypothesis
//! that costs too much can be dropped for good.
//!
//! # Costs and rank
//!
//! Hands cannot be seen, so everything is possible at a price. A **deviation** is what happens besides the plain move: a
//! square passed, a piece touched, a move begun before the last one was over, a press missing. `costs` lists them in one
//! table, each with its price, its cause (a scanner, hands, a clock, the players' agreement, or an assumption), and its
//! frequency with simulated hands; a price is roughly minus the logarithm of the frequency. An assumption costs more than
//! what was seen in its place: an unseen landing implies two overlaps, so it costs more than two.
//!
//! The **rank** of a hypothesis is its cost plus 0.7 for each unexplained change: the price of the explanation that is
//! still to be found. It is higher for an old change, and lower where a piece under way may just have passed.
//!
//! # One change
//!
//! Every change goes to all hypotheses. Each updates its mismatched squares and adds the change to the unexplained ones.
//! Then the proposers (`propose`) list what the change may mean in that hypothesis, and each answer becomes a child. The
//! parent stays, so that a stop on the way is undone by its better sibling.
//!
//! * **A legal move is complete** (`propose::legal`) when all squares that it changes read as they should after it, or did
//!   so until the reply changed them, and this change touched one of them. Up to three more moves may be complete with it.
//! * **The last move was withdrawn** (`propose::withdrawal`): its squares read as before it; or the last moves of both
//!   sides were (`propose::taken_back`), the later one first. A move that was pressed and stood goes back only by
//!   agreement, which the next press confirms: nothing of it is published before.
//! * **A landing was never seen** (`propose::unseen_landing`): the reply captured there at once, or the piece went on at
//!   once. Then no single move explains the mismatched squares, but two or three moves do. Only looked for where two
//!   squares or more are mismatched, in hypotheses that rank little worse than the best.
//! * **A capture hides the move before it** (`propose::hidden_capture`): men of draughts that are given and taken at once.
//! * **A landing was never seen, and later changes show it** (`propose::foreseen_landing`): only during a replay, see
//!   below.
//! * **A square is dead** (`propose::dead_landing`): a piece left its square, then both clocks were pressed or the board
//!   rests, and a square where the piece may be has never reported anything. See below, too.
//!
//! A child is made in three steps (`hypothesis::apply_move`): every unexplained change is **classified** (as a change of
//! the move itself, on its way, a detour, the reply's, another's), then deviations are **priced** (early changes, the order
//! of hands, presses), then the **child** keeps the changes that remain unexplained.
//!
//! The **beam** sorts all by rank, keeps one of each group with the same future (position, ply, mismatched squares), at
//! most 14, and none that ranks 10 worse than the best.
//!
//! # Presses, rests and time
//!
//! The n-th press of a side ends its n-th move; but a press may come before the last square of its move, two may come
//! swapped, and some are lost. A move that was pressed and then stood on a board at rest is final: it was no stop on the
//! way, and it is withdrawn only when the board comes to rest without it. Polls come seconds apart, so the times of changes
//! mean little; the board reports only which changes were less than 250 ms apart. `Event::rests` counts those that were
//! farther apart. When a poll that reported a press is over, everything seen by then has been reported: a mismatched piece
//! of the side that pressed is charged, since polls seldom end between a press and the next scan.
//!
//! # Going back
//!
//! When the best explanation becomes expensive within a few changes, an explanation is missing. The search (`backtrack`)
//! keeps checkpoints, eight changes apart. From the oldest it **replays** its observations with a wider beam and with the
//! later ones in view (`observe::lookahead`): where another piece comes to a square, or a piece goes on from there, one may
//! have landed unseen. If the replay explains the game better, it replaces the beam. A swapped clock is detected in the
//! same way.
//!
//! # A board at rest
//!
//! A position at rest that no hypothesis explains was reached in another way (`tracked_game::resting`): both players went
//! back to an earlier position of the game, or an arbiter sent one of them back; or they took moves back and played others;
//! or changes were lost. In the last case, if there is exactly one shortest sequence of legal moves, it bridges the gap and
//! is marked as a guess (`gap`). What remains unexplained becomes an anomaly, and play may go on from there.
//!
//! # The phases of a game
//!
//! Changes mean something else before a game, during it and after it: a game has one phase, and beside it the state of its
//! clock. `tracked_game::phase` has both, the evidence that changes them, and an example.
//!
//! # Dead squares
//!
//! A sensor may be broken; then the board never reports a piece above it, neither in changes nor in positions. The first
//! missing report of a square is expensive (8), each further one is cheap (0.5), since dead squares stay dead. Each
//! hypothesis has its own set of dead squares. Its position contains the set (`dead_square`), and shows no changes on them:
//! a move to a dead square is complete when its piece has left, one from there when its piece has come, a capture there is
//! a piece that left, and castling is seen on three squares. A sound board costs nothing.
//!
//! A square can be taken for dead only if it has never reported anything. If it reports something after all, it is no
//! longer dead, at a price (4). Where two squares are possible (1. e3 or 1. e4?) both hypotheses live on, the likelier
//! first, until one square reports or one hypothesis explains more. A board on which up to four pieces are missing from the
//! start begins a game from what stands; that game is held back until it has surely begun (`session::beginning`). Only
//! where earlier games have shown a square to be dead is its piece assumed there unseen. If a piece later comes from a
//! square where none stood, the tracked board reconstructs the game again from the complete start. A square that was dead
//! twice in a game, or at its start, is dead in the next game on that board.
//!
//! # When a move is published
//!
//! The tracked game publishes the moves of the best hypothesis one by one, each as soon as it is **ready**
//! (`tracked_game::ready`): no other move may be likely in its place, and there must be evidence that the hand has left. If
//! the move ended on a square that is taken for dead, its explanation must be far better than any without dead squares.
//! With a clock the evidence is the press, if the piece surely stood by then: it was first seen there after the press, or a
//! while after it was lifted, or something followed a scan later, or it cannot go further; otherwise a position read after
//! the press. All records of a poll have the same time: where more of them may contradict a move, the next time in the
//! records is awaited. Without a clock the evidence is the board at rest, or the piece that stood from one poll to the
//! next; in both cases the reply. After eight seconds (30 for a piece that returns to its start square beside a clock,
//! which may be set up for the next game) the best explanation is published however small its lead, if it has one and
//! explains the board. When another hypothesis becomes the best, the moves that differ are withdrawn and the new ones
//! published. That both players went back is published only when they play on from there, since pieces that are set up pass
//! through earlier positions too.
//!
//! Each move has a certainty (`certainty`), and is published again when that comes into another band. Of two games with the
//! same position and the same future the beam keeps the better one; it remembers the other, which no later move can refute:
//! where they differ only in what was not seen, neither is certain.
//!
//! # Six plies, step by step
//!
//! The game is 1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5, on a board with a clock, in the notation of this room's tests: `-e2` the
//! square became empty, `pd6` a piece stands there now, `L900` the left clock was pressed and shows 900 seconds, `+2` two
//! seconds pass, `.` an empty poll.
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
//!     // unexplained changes, 0.7 each, and a press before its move was complete, 0.3.
//!     ("e4", vec![], None, Some(1.7)),
//!     // The pawn slid over d6: seen there (0.05) and gone again (0.05). A move to d6 would leave two changes
//!     // unexplained: 1.4, less the 0.1 paid here.
//!     ("d5", vec![("transit", 0.05), ("transit", 0.05)], Some("d7d6"), Some(1.3)),
//!     // The captured pawn was lifted first; the clock was pressed before the scan saw the captor on d5.
//!     ("exd5", vec![("press-early", 0.3)], None, Some(2.1)),
//!     // A capture at the end of a slide that passed d7 and d6. Qd6 would leave three changes unexplained.
//!     ("Qxd5", vec![("transit", 0.05); 4], Some("d8d6"), Some(2.0)),
//!     // The scan read c3 before b1, which costs nothing: what counts is that both squares are right. Black's queen was
//!     // lifted in between; that change stays unexplained and belongs to the reply. While the queen is in a hand the press
//!     // belongs to no move yet: this move is published with its reply, when the poll that reported the press is over.
//!     ("Nc3", vec![], None, Some(5.7)),
//!     // So the reply began before this move was over (overlap), and its piece left before White's was seen to have left
//!     // (inverted). That the queen is still on its way would explain as much, until the poll of its press is over: 2.0.
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
//! * `observe` has what a board did, `tree` the positions that it may have gone through; `hypothesis` is a legal game with
//!   the observations that it leaves unexplained, `propose` finds the moves that may explain them, `costs` has the prices,
//!   `limits` the limits; `beam` keeps the best, `backtrack` replays where the result is poor, `gap` finds moves that were
//!   missed;
//! * `tracked_game` is one game: the search, and which of its moves can be published; `any_game` is one under either rules,
//!   `game_line` recognises a game, `update` is what is published of it and its final moves;
//! * `rulings` has what arbiters ruled, which binds every explanation; `differences` lists the differences after a game was
//!   reconstructed again;
//! * `session` follows one board from game to game, and joins one that has begun; `adjourned` has games that may be
//!   continued, `start` the rules that a start position belongs to, and `options` the allowed ones; `tracked_board` also
//!   reads the board's own `log`, and corrects what was `misread`;
//! * [`Reconstructor`] does that for every board of a stream; `handover` moves a game to another board, `exchange` detects
//!   exchanged boards, `steady_time` corrects a clock that was put back.
//!
//! Circle: `exchange` is a step of [`Reconstructor::record`] and a subject of its own.

mod adjourned;
mod any_game;
mod backtrack;
mod beam;
mod certainty;
mod costs;
mod dead_square;
pub mod differences;
mod exchange;
mod game_line;
mod gap;
mod handover;
mod hypothesis;
mod limits;
mod line;
mod listing;
mod log;
mod misread;
mod observe;
mod options;
mod propose;
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

use std::{collections::HashMap, rc::Rc, sync::Arc};

pub use costs::{Cause, Deviation, PRICES, Price};
pub use options::{Options, Show, Start, Width};
pub use tracked_board::Refused;

use exchange::Exchanges;
use handover::{Handovers, Whose};
use line::Line;
use tracked_board::TrackedBoard;
use update::{FinalGames, Update};

use crate::record::{
    BoardEvent, BoardName, BoardRecord, ByLine, GameEvent, GameRecord, Ruling, Seen, Stream, Time,
};

/// A board of the stream.
struct NamedBoard {
    name: BoardName,
    tracked: TrackedBoard,
    /// The final moves of its open games, if only final moves are wanted.
    final_games: FinalGames,
    /// Its line, in [`Reconstructor::lines`], and its number among the boards of that line.
    line: usize,
    nth: usize,
    /// The time of its last record, in the steady time of its line.
    last: Option<Time>,
    /// The board does not answer, or has not answered since its source began again.
    lost: bool,
}

/// Follows every board of a stream.
#[derive(Default)]
pub struct Reconstructor {
    options: Rc<Options>,
    seen: Seen,
    boards: Vec<NamedBoard>,
    lines: ByLine<Line>,
    /// The updates of the current board.
    updates: Vec<Update>,
    handovers: Handovers,
    exchanges: Exchanges,
    /// Rulings that could not be applied, and why.
    refused: Vec<(GameRecord, Refused)>,
    /// The time zones of the lines.
    zones: HashMap<Option<Arc<str>>, Arc<str>>,
}

impl Reconstructor {
    /// A reconstructor without boards.
    pub fn new(options: Options) -> Reconstructor {
        let handovers = Handovers::new(&options.continued);
        Reconstructor { options: Rc::new(options), handovers, ..Reconstructor::default() }
    }

    /// The games that were to continue on another board and did not, because it never showed their position.
    pub fn not_continued(&self) -> impl Iterator<Item = (u16, u16)> {
        self.handovers.missing()
    }

    /// Boards that were replaced, by which, and on which another game was played afterwards that is not published.
    pub fn played_on(&self) -> impl Iterator<Item = (u16, u16)> {
        self.handovers.played_on()
    }

    /// Boards that were exchanged during their games without notice; the games keep the numbers under which they began.
    pub fn exchanged(&self) -> &[[u16; 2]] {
        self.exchanges.unannounced()
    }

    /// Whether the sequence numbers show that two sources were mixed in one stream.
    pub fn is_mixed(&self) -> bool {
        self.seen.is_mixed()
    }

    /// Boards with changes and without a game, in the order of their names.
    pub fn without_game(&self) -> Vec<BoardName> {
        let taken = |board: &NamedBoard| board.name.1.is_some_and(|board| self.handovers.has_taken(board));
        let without =
            self.boards.iter().filter(|board| board.tracked.has_changes_and_no_game() && !taken(board));
        let mut names: Vec<BoardName> = without.map(|board| board.name.clone()).collect();
        names.sort();
        names
    }

    /// A source begins: its line starts again.
    pub fn stream<E>(
        &mut self,
        stream: &Stream,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.release_line(&stream.line, &mut publish)?;
        self.seen.stream(stream);
        if let Some(zone) = &stream.zone {
            self.zones.insert(stream.line.clone(), zone.clone());
        }
        for at in 0..self.boards.len() {
            if self.boards[at].name.0 == stream.line {
                self.boards[at].lost = true;
                self.boards[at].tracked.source_begins(&mut self.updates);
                self.publish_valid(at, &mut publish)?;
            }
        }
        Ok(())
    }

    /// A source continues that was interrupted by another one.
    pub fn back_to(&mut self, stream: &Stream) {
        self.seen.stream(stream);
    }

    /// Reads a record; `publish` gets the game records that follow from it, in order.
    pub fn record<E>(
        &mut self,
        record: &BoardRecord,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.seen.again(record) {
            return Ok(());
        }
        self.buffer_or_read(record, &mut publish)
    }

    /// Reads a record whose board is certain, as far as it can be.
    fn read_record<E>(
        &mut self,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.hand_over(record, publish)? {
            return Ok(());
        }
        let first;
        let record = match self.handovers.board_for(record) {
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
        let time = record.time.map(|time| self.lines[line].clock.read(last, time));
        let steady;
        let record = if time == record.time {
            record
        } else {
            steady = BoardRecord { time, ..record.clone() };
            &steady
        };
        self.boards[at].tracked.record(record, &mut self.updates);
        self.publish_valid(at, publish)?;
        // The time of one board is the time of its line: whatever was due by then is done.
        let Some(now) = record.time else { return Ok(()) };
        let mut first = 0;
        while let Some(nth) = self.lines[line].next_due(first, now) {
            let at = self.lines[line].boards()[nth];
            // At its own time: later times mean nothing for this board. Something that stays due, such as a fallen flag
            // without play, is done once.
            let mut done = None;
            while let Some(due) = self.lines[line].due(nth, now).filter(|&due| Some(due) > done) {
                done = Some(due);
                self.boards[at].tracked.tick(Some(due), &mut self.updates);
                self.publish_valid(at, publish)?;
            }
            first = nth + 1;
        }
        Ok(())
    }

    /// Reads an arbiter's ruling; `publish` gets the differences. Returns why the ruling cannot be applied, if it
    /// cannot.
    pub fn ruling<E>(
        &mut self,
        record: &GameRecord,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Option<Refused>, E> {
        let GameEvent::Ruling(ruling) = &record.event else { return Ok(None) };
        self.release_line(&record.line, &mut publish)?;
        let at = self.place(&record.line, record.board);
        let time = record.time.map(|time| self.lines[self.boards[at].line].clock.steady(time));
        let ruled = self.boards[at].tracked.rule(record.game, ruling, time, &mut self.updates);
        self.publish_updates(at, &mut publish)?;
        Ok(ruled.err())
    }

    /// Takes the rulings that could not be applied since the last call, and why.
    pub fn take_refused(&mut self) -> Vec<(GameRecord, Refused)> {
        std::mem::take(&mut self.refused)
    }

    /// Lets the game of another board continue on this one, if that was asked for and this board shows the same
    /// position. Returns whether the record is still to be read.
    fn hand_over<E>(
        &mut self,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<bool, E> {
        if !self.handovers.may_be() {
            return Ok(true);
        }
        // A board is counted from its first record on, whatever becomes of its game.
        let (at, settled) = match self.handovers.board_for(record) {
            Whose::Own => {
                let at = self.place(&record.line, record.board);
                (Some(at), self.boards[at].tracked.settles(record))
            }
            Whose::First(_) => return Ok(true),
            Whose::Replaced => {
                (None, self.handovers.replaced_board_stands(record).map(|stands| (stands, false)))
            }
        };
        let Some((stands, explained)) = settled else { return Ok(true) };
        let line = self.lines.number(&record.line, Line::default);
        // Two games may begin alike, before either has a move.
        let has_own = self.handovers.is_to_continue_elsewhere(record);
        let own = at.filter(|_| has_own).map(|at| &self.boards[at].tracked);
        let may_be = |board: &NamedBoard| match own {
            Some(own) => !explained && (board.lost || own.stands_far_from(&stands)),
            None => !explained || board.lost && !has_own,
        };
        let taken = self.handovers.expected_on(record).into_iter().find_map(|game| {
            let first = self.lines[line].find(Some(game.begun_on))?;
            let board = Some(&self.boards[first]).filter(|board| may_be(board))?;
            Some((game, first, board.tracked.continues_from(&stands)?))
        });
        let Some((game, first, turned)) = taken else { return Ok(true) };
        self.handovers.take_over(record, game, self.boards[first].tracked.board_position(), turned);
        let here = if turned { stands.turned() } else { stands };
        let time = record.time.map(|time| self.lines[line].clock.steady(time));
        self.boards[first].tracked.continue_at(here, time, &mut self.updates);
        self.publish_valid(first, publish)?;
        let goes_on = self.handovers.is_to_continue_elsewhere(record);
        if let Some(at) = at {
            if goes_on {
                self.boards[at].tracked.source_begins(&mut self.updates);
            } else {
                // The changes while its pieces were set up are no game.
                let left = self.boards[first].last;
                self.boards[at].tracked.give_up(left, &mut self.updates);
            }
            self.publish_valid(at, publish)?;
        }
        Ok(!matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_)))
    }

    /// The input is over: open games are closed.
    pub fn finish<E>(&mut self, mut publish: impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        self.release_all(&mut publish)?;
        // In the order of their names: the order of their first records is chance.
        let mut order: Vec<usize> = (0..self.boards.len()).collect();
        order.sort_by(|&a, &b| self.boards[a].name.cmp(&self.boards[b].name));
        for at in order {
            self.boards[at].tracked.finish(&mut self.updates);
            self.publish_valid(at, &mut publish)?;
            self.updates.extend(self.boards[at].final_games.rest());
            self.publish_updates(at, &mut publish)?;
        }
        Ok(())
    }

    /// The index of the board with this address, which is added if it is new.
    fn place(&mut self, name: &Option<Arc<str>>, board: Option<u16>) -> usize {
        let line = self.lines.number(name, Line::default);
        if let Some(at) = self.lines[line].find(board) {
            return at;
        }
        let at = self.boards.len();
        let nth = self.lines[line].add(board, at);
        let (tracked, final_games) = (TrackedBoard::new(&self.options), FinalGames::default());
        let (name, last, lost) = ((name.clone(), board), None, false);
        self.boards.push(NamedBoard { name, tracked, final_games, line, nth, last, lost });
        at
    }

    /// Publishes the updates of a board, without those of void games.
    fn publish_valid<E>(
        &mut self,
        at: usize,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let rulings = self.boards[at].tracked.rulings();
        if rulings.are_any() {
            let all = std::mem::take(&mut self.updates);
            self.updates.extend(all.into_iter().flat_map(|update| rulings.without_void(update)));
        }
        self.publish_updates(at, publish)
    }

    /// Publishes the updates of a board with its name, and renews its deadline.
    fn publish_updates<E>(
        &mut self,
        at: usize,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let NamedBoard { name: (line, board), tracked, final_games, line: of, nth, .. } =
            &mut self.boards[at];
        tracked.limit_certainty(&mut self.updates);
        for (game, ruling, why) in tracked.take_refused() {
            let event = GameEvent::Ruling(Box::new(Ruling::clone(&ruling)));
            let record = GameRecord { time: None, line: line.clone(), board: *board, game, event, seq: None };
            self.refused.push((record, why));
        }
        let line_of = &mut self.lines[*of];
        line_of.set_deadline(*nth, tracked.deadline());
        let clock = &line_of.clock;
        let mut publish_one = |Update { game, time, event }| {
            let time = time.map(|time| clock.clock_time(time));
            publish(GameRecord { time, line: line.clone(), board: *board, game, event, seq: None })
        };
        for mut update in self.updates.drain(..) {
            if let GameEvent::Game(start) = &mut update.event {
                start.zone = self.zones.get(line).cloned();
            }
            match self.options.final_only {
                true => final_games.add(update).into_iter().try_for_each(&mut publish_one)?,
                false => publish_one(update)?,
            }
        }
        Ok(())
    }
}
