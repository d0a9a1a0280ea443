//! The limits from which an observation counts as a finding. Durations are in seconds of record time.

// Pieces that drop out. Hands also lift a piece and put it back: about eight times in ten minutes of a fast game, but
// spread over many pieces.

/// A piece that is gone for longer than this was taken away. Where records carry no time, drop-outs count as this far apart.
pub const DROP_OUT_SECONDS: f64 = 60.0;
/// A square or piece is at fault if it drops out this many times within this many seconds of being occupied (a square) or of
/// standing on the board (a piece). Hands adjust a given piece about once in twenty minutes of blitz and once in many hours of
/// a long game; a bad contact loses its piece several times a minute. On 1,200 healthy days in blitz one piece reached twelve
/// in eighteen minutes.
pub const TOO_MANY_DROP_OUTS: [(usize, f64); 5] =
    [(12, 450.0), (14, 750.0), (16, 1100.0), (20, 2400.0), (26, 5400.0)];
/// The same for a square whose pieces are back within one or two scans, which no hand manages.
pub const TOO_MANY_QUICK_DROP_OUTS: [(usize, f64); 6] =
    [(4, 50.0), (5, 450.0), (6, 750.0), (8, 1100.0), (10, 2400.0), (14, 5400.0)];
/// A player with fewer pieces than this adjusts each of them more often, in proportion. On a healthy day one of two pieces was
/// adjusted 14 times in three minutes.
pub const FEW_PIECES: f64 = 10.0;
/// How often hands lift a given piece and put it back, per second: once in twenty minutes.
pub const LIFTS_PER_SECOND: f64 = 1.0 / 1200.0;
/// Logarithm of the likelihood ratio from which occupation times decide between a square and a piece.
pub const MIN_LOG_RATIO: f64 = 3.0;
/// A weak piece is credited with at most this many times the time that its drop-outs elsewhere need at its own pace: the rest
/// belongs to identical pieces mistaken for it.
pub const MAX_TIME_RATIO: f64 = 3.0;
/// The share of its time elsewhere that counts for a pawn that never dropped out there: it may have been one of eight.
pub const PAWN_TIME_SHARE: f64 = 0.25;
/// Fewer drop-outs than this may be hands once another culprit is known. Identical pieces that are both weak alternate at
/// least this often, in runs of up to as many on average.
pub const MIN_DROP_OUTS: u32 = 3;
/// A square or piece is dropping out now if it did so this many times within this many seconds.
pub const ACTIVE_DROP_OUTS: (usize, f64) = (3, 120.0);

/// Reports per misreading from which on a board that reports whole positions misreads too much: one in 20.
pub const MISREAD: u32 = 20;

// Squares that never report a piece.

/// What lasts this long is deliberate: pieces that stand in a start position are set up, a lifted piece has vanished, and a ply
/// with a time this much later was played again, not corrected.
pub const SETTLED_SECONDS: f64 = 8.0;
/// A set-up may lack up to this many pieces: one row of the board.
pub const MAX_MISSING: usize = 8;
/// A lifted piece has vanished if it is not down after [`SETTLED_SECONDS`] and this many landings of others.
pub const VANISHED_LANDINGS: u32 = 2;
/// A piece put down off the centre of its square is read up to this long after it was lifted.
pub const READ_LATE_SECONDS: f64 = 10.0;
/// On a board without a clock, pieces that vanish this soon before a set-up may have been swept off.
pub const SWEPT_SECONDS: f64 = 180.0;
/// The last square of a move may be read after the press. A piece that is still not down after the board has rested this long
/// stands unseen.
pub const REST_AFTER_PRESS_SECONDS: f64 = 1.0;
/// How many more polls must agree on the side of the clock at which White sits than disagree. No more than twice as many are
/// counted, as the next game may be on a board that is turned.
pub const SIDE_PRESSES: i32 = 3;
/// Weight of a piece that stood unseen on a square: it vanished and came down elsewhere while others moved, or a ply of the
/// game has it there and a piece vanished that may have gone there.
pub const STOOD_UNSEEN_WEIGHT: u32 = 4;
/// Weight of a piece that was lifted before a press and not captured in the game, if no other piece of its colour came down
/// before that press. In blitz its capture may fall within one scan.
pub const PRESSED_WEIGHT: u32 = 3;
/// Evidence from which a square is dead. One piece is enough if its own clock was pressed and the board then rested. Of 7,200
/// healthy boards in blitz three reached this, of 7,200 in rapid none.
pub const DEAD_WEIGHT: u32 = 5;
/// Up to this many squares are few: alternatives named for one dead square; squares that fall silent in a game; squares
/// that have never reported although pieces were all over the board, which is evidence in itself (with a clock only: without
/// one pieces vanish more often); and those from which pieces vanish at a time, if they were not put into their box.
pub const FEW_SQUARES: usize = 3;
/// A square is dead after this many plies with a piece there that the board does not show: no hand holds one so long.
pub const UNSEEN_PLIES: u32 = 3;
/// If more squares than this differ from the game, apart from dead ones, the pieces are being set up or moved by hand.
pub const MAX_DIFFERENCES: usize = 10;
/// A square has fallen silent after this many plies in which it should have shown a piece.
pub const SILENT_PLIES: u32 = 5;
/// A takeback of this many plies is analysis; corrections go back by fewer.
pub const ANALYSIS_TAKEBACK_PLIES: usize = 10;

/// The evidence that makes a square dead; any one kind is enough.
#[derive(Debug, Clone, Copy)]
pub struct Enough {
    /// Games that began with the square empty.
    pub set_ups: u32,
    /// Plies after which a piece stood there unseen.
    pub plies: u32,
    /// Sum of the weights of pieces that vanished.
    pub weight: u32,
}

/// Evidence enough for a square that never reported.
pub const DEAD: Enough = Enough { set_ups: 1, plies: UNSEEN_PLIES, weight: DEAD_WEIGHT };
/// Evidence enough for a square that reported before the last two games. Of 1,000 healthy days in blitz two had
/// twice the evidence of [`DEAD`] for such a square, none three times.
pub const DEAD_RECENTLY: Enough = Enough { set_ups: 2, plies: 3 * UNSEEN_PLIES, weight: 4 * PRESSED_WEIGHT };

// The link.

/// This many faults in one minute are not chance.
pub const FAULTS_PER_MINUTE: u32 = 5;
/// This many faults in one hour are not chance.
pub const FAULTS_PER_HOUR: u32 = 20;
/// A game that may have been over continued after a reset or a loss if it has this many plies more.
pub const PLAYED_ON_PLIES: usize = 4;
/// Up to this many observations of each kind wait for their confirmation, per board.
pub const MAX_PENDING: usize = 64;
/// Shorter silence is a failed exchange.
pub const SILENCE_SECONDS: f64 = 2.0;
/// Events of a line this close together have one cause: a board's return and its power-up, or the resets of several boards.
pub const ONE_CAUSE_SECONDS: f64 = 10.0;
/// A board that was silent, or without a change before it was lost, for longer than this may have been put away after its game:
/// players notice a loss of power sooner, and seldom think that long without a clock.
pub const PUT_AWAY_SECONDS: f64 = 600.0;
/// A board without a clock that was silent for longer was switched off overnight or between two rounds.
pub const OVERNIGHT_SECONDS: f64 = 7200.0;
/// A finding that most boards share is the line's if the line has at least this many boards.
pub const SHARED_BOARDS: usize = 3;
/// Trouble with answers is current for this long after it showed; slow answers over this long count even if the day's median
/// is fast.
pub const LINK_SPELL_SECONDS: f64 = 600.0;
/// Two boards seem to share an address if, of at least this many answers in a report,
pub const MIN_ANSWERS: u32 = 20;
/// at least this share is spoilt,
pub const SPOILT_SHARE: f64 = 0.4;
/// in at least this many reports: a bad cable spoils fewer.
pub const SPOILT_TIMES: u32 = 5;
/// A board is slow if its median answer takes longer than this
pub const SLOW_SECONDS: f64 = 0.04;
/// and more than this many times as long as those of the other boards.
pub const SLOW_RATIO: f64 = 3.0;
/// No valid report of answers covers more than a day.
pub const MAX_REPORT_SECONDS: f64 = 86_400.0;
/// A board that is polled less often than this is polled too seldom.
pub const MAX_POLL_SECONDS: f64 = 5.0;

// The game.

/// A difference between board and game is shown after this long,
pub const MISMATCH_NOW_SECONDS: f64 = 20.0;
/// and is a finding after this long
pub const MISMATCH_SECONDS: f64 = 120.0;
/// and this many presses, which show that the game goes on.
pub const MISMATCH_PRESSES: u32 = 2;
/// Without a clock a game goes on if it has this many plies more: analysis tries fewer.
pub const CONTINUED_PLIES: u32 = 20;
/// Differences on this many squares come of no move.
pub const REARRANGED_SQUARES: u32 = 4;
/// A player may think this long. A clock that runs longer with no change is a finding; a game without a clock that has had no
/// change for longer is not in play.
pub const LONG_THINK_SECONDS: f64 = 1800.0;
/// A running clock sends readings all the time. After this long without one its state is unknown.
pub const UNREAD_SECONDS: f64 = 300.0;
/// This many presses without a change, over this many seconds, are a finding: a change may come one poll after its press.
pub const PRESSES_WITHOUT_CHANGE: (u32, f64) = (4, 20.0);
/// If the clock is stopped this soon after such presses, they belong to the end of the game. Clocks are read every twenty
/// seconds, and one answer may be missed.
pub const STOPPED_WITHIN_SECONDS: f64 = 45.0;
/// This many anomalies of one board within this many games are the board's fault: twelve consecutive games on healthy boards
/// had up to two.
pub const ANOMALIES: (usize, u32) = (6, 12);
/// Without a clock only this many anomalies of one game count.
pub const ANOMALIES_PER_GAME: usize = 2;
/// Without a clock this many plies that were taken back and played again are analysis; with one, more than as many in a row
/// without a press.
pub const ANALYSED_PLIES: u32 = 4;
/// A move with a smaller certainty is a finding: an alternative is nearly as likely. Of 100 healthy days in blitz eight had
/// moves above this, all correct, and six had moves below it, two of them wrong.
pub const CERTAIN: f64 = 0.6;
/// A board with this many changes should have a game.
pub const GAME_CHANGES: u64 = 40;
/// No game has more plies.
pub const MAX_PLIES: usize = 4096;
