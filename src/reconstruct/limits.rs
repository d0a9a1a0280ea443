//! The limits of the reconstruction: how long it waits, how large a lead it asks for, how far it searches. What a
//! deviation costs is in [`super::costs`].
//!
//! Waits are in seconds of record time; their names end in `_SECONDS`. Leads and `_DEARER` limits are in the units of
//! costs: a lead of 2 makes the better explanation about 7 times as likely.

// When a move is published: waits.

/// The shortest wait: times in records have a resolution of one millisecond.
pub const SHORTEST_WAIT_SECONDS: f64 = 0.001;
/// After this time the best explanation is published however small its lead, if it has one and explains the board.
pub const PUBLISH_LATEST_SECONDS: f64 = 8.0;
/// A poll without changes finds the board at rest if the last change is at least this old; a hand may stop on its way
/// for less, and a piece lifted within this time after a press before the first move may have been under way at the press.
/// Boards that are polled about once a second publish only one rest, so that one has to count.
pub const SEEN_AT_REST_SECONDS: f64 = 0.9;

// Boards that are exchanged.

/// Two boards may have been exchanged only if their positions differ on more squares than this: moves that were missed
/// change fewer.
pub const EXCHANGED_ABOVE_SQUARES: usize = 12;
/// Of two exchanged boards the second one must answer again within this time after the first one.
pub const EXCHANGED_WITHIN_SECONDS: f64 = 60.0;
/// Up to this many records of the first board are buffered while the second one is awaited: about a minute of records,
/// which also limits the wait where records have no time.
pub const EXCHANGE_MAX_BUFFERED: usize = 1_000;

// When a move is published: leads and counts.

/// The lead over every other explanation with which a move is published at its press.
pub const LEAD_AT_PRESS: f32 = 0.9;
/// The lead over those explanations that end at this ply in a position that the board may be meant to show; that with
/// which a move is published because it was replied to; and that of a correction. It is just below 2, the price of a piece
/// that stands on its way, so that rounding of costs does not matter.
pub const LEAD: f32 = 1.95;
/// The lead over every explanation without dead squares with which a move to a square that is taken for dead is
/// published.
pub const LEAD_OF_DEAD_SQUARE: f32 = 3.0;

// How a game ends: waits.

/// A player who signals a result puts the second king on its square within this time after the first. Where one of the
/// pieces that show a result stood there before, they show it once they have stood as long: it may be on its way elsewhere.
pub const HALF_SIGNAL_STANDS_SECONDS: f64 = 6.0;
/// A result shown by kings is published once they have stood this long: before that an arbiter may correct kings on
/// squares of the wrong colour.
pub const RESULT_STANDS_SECONDS: f64 = 15.0;
/// The board is put away when other pieces leave or reach at least this many squares.
pub const PUT_AWAY_SQUARES: usize = 3;
/// What stands this long was meant: a mate or stalemate, and a king that stood in the centre before the clock was stopped,
/// which shows no result. A piece that is knocked aside moves at least this long before or after the last move of its side.
pub const MEANT_SECONDS: f64 = 5.0;
/// A board without changes for this long is at rest: a hand that stops on its way goes on sooner. The prices were
/// fitted with polls every two seconds, which detect no shorter rest. A board that publishes records other than changes
/// rests after that time and the `settle` time that the user asks for.
pub const WHOLE_REST_SECONDS: f64 = 1.9;
/// A clock that gained more than this was set for another game: no increment is this long.
pub const CLOCK_GAINED_SECONDS: f64 = 60.0;

// A board at rest that no move explains: waits.

/// A position that no move explains is reported as an anomaly after this time.
pub const ANOMALY_SECONDS: f64 = 10.0;
/// What somebody may be about to do is done within this time: play on after a flag fell; put down a piece that is missing
/// from an unexplained position, or bring a board in disorder into order; or set up the next game beside a clock that was
/// not pressed, so that a piece on its start square is published as moved only then.
pub const CONTINUED_WITHIN_SECONDS: f64 = 30.0;

// A board at rest that no move explains: counts.

/// A game counts as lost when clocks were pressed this often while nothing could be published.
pub const LOST_AFTER_PRESSES: u32 = 8;
/// At least this many squares that no move explains are no illegal move: the game is over, or pieces fell.
pub const DISORDER_SQUARES: u32 = 8;
/// When the game is over, this many unexplained squares are enough to report that pieces were being put away.
pub const DISORDER_AT_END_SQUARES: u32 = 2;
/// An explanation that leaves at least this many squares mismatched is worthless and corrects nothing.
pub const NONSENSE_SQUARES: u32 = 6;
/// No move changes more squares; castling in Chess960 changes as many. A board without moves that differs from the start
/// on more shows another position, and more mismatched squares are not due to pieces that were knocked aside.
pub const MOVE_MAX_SQUARES: u32 = 4;
/// A board is turned if at least this many more pawns stand on their start squares when it is read turned.
pub const TURNED_BY_PAWNS: usize = 4;
/// A game may begin while up to this many pieces are not yet on their squares.
pub const NOT_PLACED_MAX_PIECES: u32 = 4;
/// This many consecutive plies are play. Without a clock a game that began while pieces were missing is certain then, and
/// play has resumed, where plies faster than the game's own pace count for less. A game of fewer plies is not recognised
/// when its last position is set up again: that occurs in many games before their first press.
pub const PLAY_PLIES: u32 = 4;
/// A game whose first row was set up in another order is published from that order once it has this many plies: by then
/// the players would have corrected a mistake.
pub const WRONG_START_NOTICED_PLIES: u32 = 8;
/// A game of up to this many plies has barely begun. If it stands at its start position again it was taken back to its
/// beginning, and it is open whether there is a clock: a player with one has pressed it by this ply.
pub const BARELY_BEGUN_PLIES: u32 = 2;
/// Up to this many past positions are kept for a board with a clock: that the clock was stopped is reported later.
pub const STOOD_POSITIONS_KEPT: usize = 24;
/// A move within this time after the clock was stopped may end the game by the rules.
pub const MATES_WITHIN_SECONDS: f64 = 15.0;
/// Without a clock, players who go back this many plies analyse a game that is over,
pub const ANALYSIS_MIN_BACK: usize = 4;
/// unless play continues from there for at least this many plies, and for as many as were taken back. After a game with a
/// clock, as many without a press mean that another game has begun and no pieces are being put away.
pub const RESUME_MIN_PLIES: u32 = 12;
/// Mean time between moves that are tried in analysis,
pub const TRIED_MEAN_SECONDS: f64 = 4.0;
/// and mean time that players talk before the first of them.
pub const TALKED_MEAN_SECONDS: f64 = 30.0;
/// At most this many consecutive plies at the end of a game are taken for such tries.
pub const TRIED_MAX_PLIES: usize = 8;
/// In one of this many games players try moves before they take anything back.
pub const TRIED_ONE_GAME_IN: f64 = 5.0;
/// Players may take back up to this many plies together.
pub const TAKEBACK_MAX_PLIES: usize = 20;
/// A captured man that is still on the board is reported as an anomaly once this many plies have followed.
pub const STANDING_MIN_PLIES: u32 = 2;
/// A gap is bridged from up to this many of the best hypotheses.
pub const BRIDGED_FROM_HYPOTHESES: usize = 3;

// A change that was misread.

/// With one change corrected the game must rank this much better than the published game, if the published game
/// explains the board: a wrong byte with a valid checksum is rarer than anything hands do. If the uncorrected game does
/// not explain the board, the corrected one may rank up to this much worse.
pub const MISREAD_LEAD: f32 = 5.0;
/// A game is replayed with corrections up to this many times.
pub const MISREAD_MAX_REPLAYS: usize = 16;
/// Each time up to this many corrections are tried.
pub const MISREAD_MAX_CORRECTIONS: usize = 8;

/// Up to this many records of a game are kept for replay: a day of moves. A longer game is not corrected any more, and
/// no ruling is accepted while it is in play.
pub const GAME_MAX_RECORDS: usize = 32_768;

// A board's own log: counts.

/// A log whose list of pieces differs on up to this many squares from the start of the game in play, and is no start
/// position, was misread.
pub const LISTING_MAX_WRONG: usize = 2;

/// A log has up to this many games, and as many adjourned ones are kept for each board.
pub const GAMES_KEPT: usize = 16;
/// Up to this many recent changes, with the presses since the last one, are kept to find where a log without its
/// beginning joins.
pub const LOG_RECENT_EVENTS: usize = 64;
/// This many consecutive changes that were seen before show where a log joins; fewer may match by chance.
pub const LOG_JOINT_CHANGES: usize = 4;
/// Two games are the same if the log lacks up to this many plies at the end of the known one,
pub const SAME_GAME_MAX_MISSING: usize = 2;
/// This holds for games of at least this many plies, shorter ones are the same only if all their moves are; and the log
/// may have up to as many more: kings on their way to a signal, and pieces that are set up, since a log has no rests.
pub const SAME_GAME_PLIES: usize = 6;

/// This many unreported moves to or from a square make it certain that the square is dead.
pub const SURELY_DEAD_MOVES: usize = 2;
/// This many plies played on after a piece disappeared make it certain that its square died.
pub const DIED_UNDER_PIECE_PLIES: usize = 5;

/// Up to this many games that were dropped for a better one with the same future are remembered, each if it is up to
/// [`BEAM_MARGIN`] dearer.
pub const MERGED_KEPT: usize = 6;

// The search: how many explanations it keeps, and how far it looks

/// The hypotheses kept.
pub const BEAM_WIDTH: usize = 14;
/// A hypothesis that ranks this much worse than the best is dropped.
pub const BEAM_MARGIN: f32 = 10.0;
/// The number kept during a replay, which is rare and may take longer.
pub const REPLAY_BEAM_WIDTH: usize = 24;
/// The margin during a replay.
pub const REPLAY_BEAM_MARGIN: f32 = 14.0;
/// This many hypotheses found may be duplicates of others, for which room is kept besides.
pub const ALIKE_MAX: usize = 4;
/// A worse hypothesis with the same future is kept if the better one has at least this many more unexplained changes: a
/// piece set down beside its way makes two for each square.
pub const MORE_UNEXPLAINED: usize = 4;
/// Up to this many unexplained changes are kept in a hypothesis. Beyond that the changes of the oldest one's square are
/// charged: as an adjustment where the square reads right, as strays elsewhere.
pub const UNEXPLAINED_MAX: usize = 24;
/// Of this many of the last plies a hypothesis keeps the presses, and the certainty is looked at again after each record.
pub const RECENT_PLIES: usize = 6;
/// Boards are polled at least every two seconds: a change up to this long after the clock was stopped may belong to a move
/// made before, longer where polls are slow; and a press this long before a piece is lifted belongs to no move of that
/// piece. Where the board reports quick changes two rests are required for that instead. Players who take moves back do so
/// without a pause: at most this long passes from one returned piece to the next.
pub const POLLED_WITHIN_SECONDS: f64 = 2.5;
/// Changes of polls this far apart happened in that order. For closer polls the order is not used: they split many
/// scans, each in its own order of squares, and using it loses more games than it repairs.
pub const POLLED_APART_SECONDS: f64 = 1.5;
/// An unexplained change does not age during this many further changes, and a lifted piece lands within as many: the
/// changes of a move come close together.
pub const FRESH_CHANGES: u32 = 6;
/// Beyond the first, at most this many overlapping changes are charged: a slide has a change for each of its squares.
pub const OVERLAP_MAX_CHANGES: u32 = 3;
/// One change can complete up to this many further moves.
pub const CHAIN_MAX_MOVES: usize = 3;
/// Up to this many captures in a row on one square, or moves of men that are taken at once, can be hidden by the next
/// move.
pub const HIDDEN_MAX_MOVES: usize = 2;
/// Unseen landings are looked for from hypotheses up to this much worse than the best.
pub const UNSEEN_MAX_DEARER: f32 = 2.5;
/// With a clock, a piece is assumed to have landed unseen and gone on only in hypotheses that cost up to this much more
/// than the best.
pub const ASSUMED_MAX_DEARER: f32 = 6.0;
/// Unseen landings are looked for while fewer squares than this are mismatched: two or three moves change fewer. The
/// limit does not hold for captures by jumping.
pub const UNSEEN_BELOW_SQUARES: u32 = 9;
/// On a board that rests after a press, explanations whose last move was not pressed are dropped when they rank this
/// much worse than one whose last move was.
pub const UNPRESSED_MAX_DEARER: f32 = 3.0;
/// When presses speak by this many more for the other sides of the clock, those are tried.
pub const SIDES_BY_PRESSES: i8 = 4;

// Going back and replaying

/// The number of changes between two checkpoints.
pub const CHECKPOINT_CHANGES: u32 = 8;
/// The checkpoints kept.
pub const CHECKPOINTS_KEPT: usize = 5;
/// Up to this many observations are kept for a replay. Playing with the lever of a clock makes many, and no changes.
pub const REPLAY_MAX_OBSERVATIONS: usize = 512;
/// A replay is tried when the best explanation ranks this much worse than the best one at a recent checkpoint,
pub const REPLAY_WHEN_DEARER: f32 = 13.0;
/// while fewer squares than this are mismatched (on more, pieces are pushed about, and a replay costs as much as a
/// thousand changes),
pub const REPLAY_BELOW_SQUARES: u32 = 12;
/// and while fewer than this many mismatched pieces stand on their start squares with at most one elsewhere: otherwise
/// the next game is being set up.
pub const COME_HOME_PIECES: usize = 3;
/// A replay, or a replay with the players at the other sides of the clock, replaces the beam if it ranks this much better.
pub const REPLAY_MIN_GAIN: f32 = 1.0;
/// The fewest and the most changes to wait before the next replay; the wait doubles after a replay in vain.
pub const REPLAY_WAIT_CHANGES: (u32, u32) = (4, 64);
/// A replay looks ahead by this many changes.
pub const LOOKAHEAD_CHANGES: u32 = 16;
/// Up to this many replies are tried to find out what a piece did next, which depends little on the reply.
pub const REPLIES_TRIED: usize = 2;
/// Up to this many pieces that have left their squares, or soon will, are considered as the replying one.
pub const REPLYING_PIECES: usize = 16;
/// Up to this many unseen landings are considered in one replay.
pub const SPECULATIONS_MAX: u32 = 4000;

// Gaps

/// A gap in the data is bridged by up to this many plies,
pub const BRIDGE_MAX_PLIES: u32 = 7;
/// one without lost changes, where only the order or the meaning is in doubt, by up to this many,
pub const BRIDGE_SEEN_MAX_PLIES: u32 = 3;
/// and one where other moves may have been played after a takeback by up to this many, after a takeback of as many.
pub const BRIDGE_OTHER_MAX_PLIES: u32 = 2;
/// One of the last this many plies may have been another than the published one.
pub const REPLACED_MAX_PLIES: usize = 8;
/// Up to this many ways through a gap are counted.
pub const WAYS_MAX: usize = 1000;
/// Up to this many moves are tried in search of a bridge.
pub const BRIDGE_MAX_MOVES: u32 = 500_000;
