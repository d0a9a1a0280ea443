//! The limits of the reconstruction: how long it waits, how sure it must be, how far it looks. What a deviation costs
//! stands in [`super::costs`].
//!
//! Waits are in seconds of record time, leads in the units of costs: a lead of 2 is a likelihood of some 7 to 1.

// When a move is published: waits.

/// The least that is waited for, a millisecond: records tell no shorter time.
pub const TICK: f64 = 0.001;
/// After so long the best explanation is published however small its lead, if it leads at all and explains the board.
pub const PUBLISH_LATEST: f64 = 8.0;
/// The same for a piece that goes home where a clock is in use and was not pressed: it may be set up for the next game.
pub const PUBLISH_LATEST_AT_HOME: f64 = 25.0;
/// Over the wait that the user asks for: a board that still says other things, but no change, rests after so long.
pub const RESTS_UNPOLLED: f64 = 2.0;
/// A poll that finds nothing new finds the board at rest so long after the last change: sooner a hand may have stopped on its
/// way. Boards that are asked once a second, or a little more often, are told to rest once, and that counts.
pub const SEEN_AT_REST: f64 = 0.9;

// Boards that are exchanged.

/// More squares that stand otherwise than moves that were missed leave so.
pub const EXCHANGED: usize = 12;
/// Of two boards that were exchanged the second is back so long after the first, or they were not.
pub const EXCHANGED_WITHIN: f64 = 60.0;
/// No more records of the first are kept until then: those of a minute, wherever they tell no time.
pub const HELD_AT_MOST: usize = 1_000;

// When a move is published: leads and counts.

/// How much better than any other explanation a move must be to be published at its press.
pub const SURE: f32 = 0.9;
/// The same over what else may have been played in its place and the board does not rule out: it is really alive. A stop of a
/// piece, which costs 2, is enough, whatever the last bits of the costs are.
pub const SURE_OF_MEANT: f32 = 1.95;
/// The same to be published because it was replied to, and for a correction.
pub const SURE_WHEN_REPLIED: f32 = 2.0;
/// The same over any explanation in which all squares are sound, for a move to one that is taken for dead.
pub const SURE_OF_SILENCE: f32 = 3.0;
/// Who has a clock presses it before this ply: until then nobody knows that there is none.
pub const PRESSED_BY: u32 = 2;
/// An explanation that leaves so many squares mismatched explains nothing, and corrects nothing.
pub const NO_SENSE: u32 = 6;

/// How sure a move is, is looked at again for so many plies.
pub const DOUBTED: usize = 6;

// How a game ends: waits.

/// A board that shows a result for so long means it.
pub const SIGNAL_STANDS: f64 = 2.0;
/// The same where one of the pieces that show it stood there before: it may still be on its way elsewhere.
pub const HALF_SIGNAL_STANDS: f64 = 6.0;
/// Who signals a result puts the second king where it belongs within so long of the first.
pub const KING_LEFT_ALONE: f64 = 7.0;
/// A result that kings have shown is told when they have stood so for so long: an arbiter may see that they stand on squares of
/// the wrong colour.
pub const RESULT_STANDS: f64 = 15.0;
/// So many squares that other pieces leave or come to, and the board is put away.
pub const PUT_AWAY: usize = 3;
/// A mate or stalemate that stands for so long was meant.
pub const NATURAL_END_STANDS: f64 = 5.0;
/// A board that was still for so long rests: a hand that stops on its way goes on sooner. Polls every two seconds, by which
/// prices were set, see no shorter rest.
pub const WHOLE_REST: f64 = 1.9;
/// The fall of a flag waits so long for hands that play on.
pub const FLAG_STANDS: f64 = 30.0;
/// No increment adds so many seconds: a clock that has gained them was set for another game.
pub const CLOCK_GAINED: f64 = 60.0;

// A board at rest that no move explains: waits.

/// A position that no move explains is an anomaly after so long.
pub const ANOMALY: f64 = 10.0;
/// The same where pieces are only missing, for someone may hold them, and where all is in disorder.
pub const ANOMALY_MISSING: f64 = 30.0;

// A board at rest that no move explains: counts.

/// Up to so many squares that read otherwise may be of pieces that were knocked aside.
pub const DISPLACED: u32 = 4;
/// So many seconds lie between that and a move of the same side that it is no part of.
pub const DISPLACED_APART: f64 = 4.0;
/// A game is lost that was pressed on so often while nothing of it could be told.
pub const LOST: u32 = 8;
/// So many squares that no move explains are no illegal move: the game is over, or something fell.
pub const DISORDER: usize = 8;
/// So many are enough to say, when the game is over, that pieces were being put away.
pub const DISORDER_AT_END: u32 = 2;
/// So many squares that differ from the start, and nothing played: another position. Castling, the longest first move
/// of Chess960, changes fewer, and one in the making no more.
pub const ANOTHER_POSITION: u32 = 5;
/// So many more pawns stand where they began on a board that is turned than seem to on one that is not.
pub const PAWNS_AT_HOME: usize = 4;
/// So many pieces may still be to be placed when a game begins.
pub const NOT_PLACED_YET: u32 = 4;
/// Without a clock so many plies say that a game has begun from such a position.
pub const SURELY_BEGUN: u32 = 4;
/// A game whose first row stood exchanged is told from so many plies on: by then somebody would have noticed.
pub const NOTICED_WITHIN: u32 = 8;
/// A game of so many plies that ended without a result is known again where its last position is set up: that of fewer stands in
/// many a game, before its first press.
pub const ADJOURNED_FROM: u32 = 4;
/// So many of them are kept of a board.
pub const ADJOURNED: usize = 4;
/// Behind one with a clock so many plies that nobody pressed say that another game has begun, and no pieces are put over,
pub const SURELY_ANOTHER: u32 = 16;
/// and so many where the board has not told of a clock since.
pub const SURELY_ANOTHER_UNTOLD: u32 = 12;
/// A game of so few plies that stands at its start again was taken back to its beginning.
pub const BARELY_BEGUN: u32 = 2;
/// Who takes moves back does so at once: so many seconds from one piece that goes back to the next, at most. Boards are asked
/// every two seconds or sooner.
pub const GOES_BACK_WITHIN: f64 = 3.0;
/// So many positions are remembered that stood on a board with a clock, which tells only later that it was stopped.
pub const STOOD: usize = 24;
/// A king that stood in the centre so many seconds before the clock was stopped was not put there for the result.
pub const STOOD_BEFORE_STOP: f64 = 4.0;
/// What a board tells within so many seconds after its clock was stopped may be of a move that was made before, and later where
/// polls are slow.
pub const STILL_PLAYED: f64 = 2.5;
/// A move that ends the game by the rules, within so many seconds.
pub const MATES_WITHIN: f64 = 15.0;
/// Without a clock, who goes back through so many plies looks at the game that is over,
pub const LOOKED_BACK: usize = 4;
/// unless it goes on from there for so many at least, and for as many as were taken back.
pub const LOOKED_BACK_LONGER: usize = 12;
/// Without a clock, so many plies in a row that come as slowly as those of the game, or more that come faster, are play.
pub const RESUMED_BY: f64 = 4.0;
/// What is tried comes after so many seconds in the mean,
pub const TRIED_WITHIN: f64 = 4.0;
/// after so many in which they talk, before the first,
pub const TALKED_FOR: f64 = 30.0;
/// no more than so many in a row,
pub const TRIED_AT_MOST: usize = 8;
/// and in one of so many games before anything is taken back.
pub const TRIED_ON: f64 = 5.0;
/// So many plies players may take back together.
pub const TAKEBACK_PLIES: usize = 20;
/// A captured man that still stands is no anomaly before so many plies were played since.
pub const STANDING_PLIES: u32 = 2;
/// A gap is bridged from so many of the best explanations.
pub const BRIDGED_FROM: usize = 3;

// A change that was misread.

/// A game with one change put right must rank so much better than the game as it was told, if that explains what stands:
/// bytes that pass their checksum wrong are rarer than anything that hands do. Otherwise it may rank so much worse.
pub const MISREAD: f32 = 5.0;
/// No game is gone through again more often than so.
pub const MISREAD_TRIED: usize = 16;
/// So many ways to put it right are tried each time.
pub const MISREAD_INSTEAD: usize = 8;

/// Of a game so many records are kept, to go through them again: a day of moves. Of one that has more nothing is put right any
/// more, and nothing can be ruled while it is in play.
pub const RECORDS_OF_GAME: usize = 32_768;

// A board's own log: counts.

/// A log whose list of the pieces differs in so few squares from the start of the game in play, and is no start, was misread.
pub const LISTED_WRONG: usize = 2;

/// No log has more records.
pub const LOG_RECORDS: u64 = crate::record::RING as u64;
/// No log holds more games.
pub const LOG_GAMES: usize = 16;
/// So many changes, and presses since the last of them, are kept to find where a log without its beginning joins.
pub const LOG_RECENT: usize = 64;
/// So many changes in a row, seen before and standing in the log, show where it joins: fewer may be chance.
pub const LOG_JOINT: usize = 4;
/// Two games are the same if no more plies than these at the end of the one known are missing in the log's.
pub const SAME_GAME_MISSING: usize = 2;
/// And if no more than these follow in the log's: steps to a signal, and pieces set up, for a log knows of no rests.
pub const SAME_GAME_FURTHER: usize = 6;
/// Shorter games are known by all of their moves only.
pub const SAME_GAME_LONG: usize = 6;

/// So many moves to or from a square that says nothing of them make sure that it is dead.
pub const SURELY_DEAD: usize = 2;
/// So many plies of a game that goes on over a piece which is not seen any more make sure that its square has died.
pub const UNDER_ITS_PIECE: usize = 5;

/// So many games that were given up for a better one with the same future are remembered,
pub const MERGED: usize = 6;
/// none that was so much dearer.
pub const MERGED_WITHIN: f32 = 8.0;

// The search: how many explanations it keeps, and how far it looks

/// Hypotheses kept.
pub const BEAM: usize = 14;
/// A hypothesis that ranks this much worse than the best is given up.
pub const MARGIN: f32 = 10.0;
/// The same two when the search goes back and looks again: it may take its time, it seldom does.
pub const BEAM_AGAIN: usize = 24;
/// See [`BEAM_AGAIN`].
pub const MARGIN_AGAIN: f32 = 14.0;
/// So many of what is found may lead to the same as others, and are not kept beside them.
pub const ALIKE: usize = 4;
/// Of two that leave the same over both are kept where the better one has so many changes more that it has not explained: a
/// piece that was set down beside its way has two a square.
pub const OPEN_MORE: usize = 4;
/// How many unexplained changes a hypothesis carries before those of the oldest's square are given up: as an adjustment
/// where the square is right, else as strays.
pub const UNEXPLAINED: usize = 24;
/// Presses that a hypothesis remembers: those of the last plies.
pub const PRESSES: usize = 6;
/// Seconds, by the polls that told of both, from a press to the lifting of a piece, from which on it was for no move of that
/// piece. Where the board says what was quick it is two rests.
pub const PRESSED_FOR_NOTHING: f64 = 2.5;
/// Seconds between two polls from which on the order of what they told is that in which it happened. Sooner polls cut so many
/// scans in two, each of which tells squares in its own order, that going by theirs loses more games than it mends.
pub const POLLED_APART: f64 = 1.5;
/// A change is fresh for so many further changes: a move's changes come close together.
pub const FRESH: u32 = 6;
/// No more changes than so many beyond the first count as overlapping: a slide has as many as it has squares.
pub const OVERLAPS: u32 = 3;
/// How many further moves one change can complete.
pub const CHAIN: usize = 3;
/// How many captures in a row on one square, or moves of men that are taken at once, may be hidden by the next.
pub const HIDDEN: usize = 2;
/// Landings that nobody saw are looked for from hypotheses no more than this much worse than the best.
pub const UNSEEN_WITHIN: f32 = 2.5;
/// Beside a clock a piece is assumed to have landed where nobody saw it, and to go on from there, if the hypothesis costs no more
/// than so much beyond the best.
pub const ASSUMED_WITHIN: f32 = 6.0;
/// The same for men of draughts that are given and taken at once.
pub const HIDDEN_WITHIN: f32 = 8.0;
/// Landings that nobody saw are not looked for where so many squares read otherwise: two or three moves change fewer. Where
/// pieces capture by jumping they may change any number.
pub const UNSEEN_AMONG: u32 = 9;
/// The board rests after a press that is not the last move's: no explanation so much worse than one whose last
/// move was pressed is kept.
pub const UNPRESSED_AT_REST: f32 = 3.0;
/// A piece that is lifted so many seconds after a press before the first move may have been on its way then.
pub const AT_ONCE: f64 = 1.0;
/// So many more presses speak for one way round of the clock than for the other: then it is asked which it is.
pub const SURE_OF_SIDES: i8 = 4;
/// The players sit at the other sides of the clock if the game ranks so much better then.
pub const OTHER_SIDES: f32 = 0.5;

// Going back and looking again

/// Changes between two checkpoints.
pub const CHECKPOINT_EVERY: u32 = 8;
/// Checkpoints kept.
pub const CHECKPOINTS: usize = 5;
/// So many of the best hypotheses are kept at each.
pub const LIKELY: usize = 12;
/// No more observations are kept to be replayed: who plays with the lever of a clock makes no changes.
pub const REPLAYED: usize = 512;
/// It is looked again when the best explanation ranks so much worse than the best did at a checkpoint some changes ago.
pub const DEAR: f32 = 13.0;
/// It is not looked again while so many squares read otherwise than the best explanation says: pieces are pushed about there,
/// and each look costs what a thousand changes cost.
pub const HOPELESS: u32 = 12;
/// Nor while so many pieces that stand otherwise than it says have come home, to where their game began, and no more than one
/// elsewhere: the next game is being set up.
pub const COME_HOME: usize = 3;
/// What is found then must be so much better.
pub const BETTER_AGAIN: f32 = 1.0;
/// So many changes later at the earliest it is looked again, and after that, in vain, at the latest.
pub const WAIT: (u32, u32) = (4, 64);
/// How many changes a look ahead takes in.
pub const WINDOW: u32 = 16;
/// A piece that was lifted lands within so many changes.
pub const LANDS_WITHIN: u32 = 4;
/// So many replies are tried for what a piece did next: for where it can go one is as good as another.
pub const REPLIES: usize = 2;
/// So many pieces that have left or soon will are thought of as those that reply.
pub const REPLYING: usize = 16;
/// So many moves that no one saw land are thought of in one look.
pub const SPECULATIONS: u32 = 4000;

// Gaps

/// A gap is bridged by at most so many plies.
pub const BRIDGE_HIDDEN: u32 = 7;
/// The same where every change was seen, and only its order or its meaning is in doubt.
pub const BRIDGE_SEEN: u32 = 3;
/// The same, and going back by as many, where moves may have been taken back and others played.
pub const BRIDGE_OTHERWISE: u32 = 2;
/// One of so many of the last plies may have been another than was told.
pub const REPLACED: usize = 8;
/// No more moves than this are charged for, which stays below [`MARGIN`]: nothing else explains the board.
pub const BRIDGED_AT_MOST: f32 = 1.5;
/// No more ways through a gap are counted.
pub const WAYS: usize = 1000;
/// How many positions are looked at before a gap is given up.
pub const BRIDGE_BUDGET: u32 = 50_000;
