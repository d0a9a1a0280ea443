//! From when on something counts. Times are in seconds of record time.

// Pieces that drop out. Hands lift a piece and put it back, too: in fast games eight times in ten minutes, but not the
// same piece.

/// A piece that is gone for longer was taken away.
pub const GONE: f64 = 60.0;
/// So many drop-outs of one square or one piece within so many seconds in which something stood there, or it on the board,
/// are no hands: hands lift a piece that they do not move once in twenty plies, whichever it is, which is once in twenty
/// minutes for each piece of a game of blitz and once in many hours of a long one. A bad contact loses its piece several
/// times a minute. Up to twelve in eighteen minutes were seen of one piece on 1,200 healthy days in blitz.
pub const NO_HANDS: [(usize, f64); 5] = [(12, 450.0), (14, 750.0), (16, 1100.0), (20, 2400.0), (26, 5400.0)];
/// The same of a square to which pieces are back within a scan or two, as no hand puts one back.
pub const NO_QUICK_HANDS: [(usize, f64); 6] =
    [(4, 50.0), (5, 450.0), (6, 750.0), (8, 1100.0), (10, 2400.0), (14, 5400.0)];
/// A player with fewer pieces than so many lifts each of them more often, in proportion. Of two, one was put right 14 times in
/// three minutes on a healthy day.
pub const FEW_PIECES: f64 = 10.0;
/// Hands lift each piece so often in a second, and put it back: once in twenty minutes.
pub const HANDS_A_SECOND: f64 = 1.0 / 1200.0;
/// So much likelier, as a logarithm, must be what the times for which pieces stood say of a square and of a piece, to count.
pub const TIMES_SAY: f64 = 3.0;
/// Of the time that a weak piece stands elsewhere it is there for one part of so many at least: pieces alike are taken for it.
pub const TAKEN_FOR: f64 = 3.0;
/// Of the time that one of eight pawns stands elsewhere so much counts, where it never dropped out there.
pub const OF_PAWNS: f64 = 0.25;
/// Where no times are told, so many seconds are taken to lie between two drop-outs.
pub const UNTIMED: f64 = 60.0;
/// Drop-outs of a piece on the square on which it began its game say which of several alike it is, so many times more
/// than others: later they may have been taken for each other.
pub const AT_HOME: u32 = 2;
/// So few of one piece on one square may be hands, where something else is found that drops out.
pub const HANDS: u32 = 3;
/// Of two pieces alike one that is taken for the other now and then seems to drop out too, for so many drop-outs in a row
/// on average. Two that do both take turns, and so often at least.
pub const IN_A_ROW: u32 = 3;
/// See [`IN_A_ROW`].
pub const TURNS: u32 = 3;
/// A square or a piece drops out now if it did so many times within this time.
pub const NOW: (usize, f64) = (3, 120.0);

// Squares that never say that something stands on them.

/// A board that stands so for this long stands set up.
pub const SET_UP: f64 = 8.0;
/// Up to so many squares may be missing of those set up: a row of a board.
pub const MISSING: usize = 8;
/// A piece that is lifted and does not come down in so long, in seconds, while so many others do, stands unseen.
pub const VANISHED: (f64, u32) = (8.0, 2);
/// A piece that is put down off the centre of its square is read at most so many seconds after it was lifted.
pub const READ_LATE: f64 = 10.0;
/// What vanishes so long before the pieces are set up, in seconds, on a board without a clock, may have been swept off.
pub const SWEPT: f64 = 180.0;
/// A piece that is not down so long after its clock was pressed, in seconds, while the board rests, is not about to come
/// down: a press may come before the last square of its move.
pub const RESTED: f64 = 1.0;
/// So many more polls that tell of a press of White's at one side, or of Black's at the other, than the other way round, before
/// it is known who sits where.
pub const PRESSES_KNOW: i32 = 3;
/// No more are counted, for the next game may be on a board that is turned.
pub const PRESSES_KNOWN: i32 = 6;
/// More than so many at a time are put into their box.
pub const VANISHED_AT_ONCE: usize = 3;
/// What a piece says that vanished, or cannot have gone where it came down in one move, for each square on which it may have
/// stood and which never said anything: hands in blitz hold pieces, and captures are not always seen as such.
pub const VANISHED_WEIGHT: u32 = 1;
/// The same of one that vanished while others moved, and came down elsewhere: it stood somewhere.
pub const CAME_BACK_WEIGHT: u32 = 4;
/// The same of one that was lifted, and a clock was pressed before another of its colour came down, if no game explains it:
/// whoever pressed had moved it. In blitz the next may have captured it there within a scan.
pub const PRESSED_WEIGHT: u32 = 3;
/// The same of one whose own clock was pressed, and then the board rested: it stands somewhere.
pub const RESTED_WEIGHT: u32 = 5;
/// So many presses must follow its vanishing, so that it was no piece that was put away with the clock.
pub const PRESSES_AFTER: u32 = 1;
/// What each ply says after which the game has a piece on a square that never said anything, and the board has none, where
/// a piece vanished that may have gone there.
pub const UNSEEN_PLY_WEIGHT: u32 = 4;
/// So many times as much must speak for a square to which only pawns may have gone that captured there.
pub const UNSEEN_CAPTURE: u32 = 2;
/// So many pieces that may have stood on two squares alike stood on the one that is not at the rim.
pub const RIM: usize = 2;
/// A square for which so much speaks is dead. Of 7,200 healthy boards in blitz three had so much, of 7,200 in rapid none.
pub const DEAD_WEIGHT: u32 = 5;
/// Where no more squares than these have never said anything, pieces have been all over the board, and that one of them is
/// silent speaks against it. (Without clocks pieces vanish more often than that weighs.)
pub const FEW_SILENT: usize = 3;
/// So many squares at most are named where each explains all as well.
pub const ONE_OF: usize = 3;
/// So many plies with a piece on a square that the board shows empty: no hand holds it so long.
pub const UNSEEN_PLIES: u32 = 3;
/// While a ply is told no more squares than so many stand otherwise than the game has it, but for those that are dead: hands.
pub const OTHERWISE: usize = 10;
/// So many squares at most fall silent under their pieces, and nothing else stands otherwise: more is a row, or no game.
pub const UNHEARD: usize = 3;
/// So many plies, all told while the board stood so, and nothing heard of the square meanwhile.
pub const UNHEARD_PLIES: u32 = 5;
/// Whoever takes back so many plies goes back to look at a game; what is put right goes back by fewer.
pub const WENT_BACK: usize = 10;
/// How much must speak for a square's being dead.
#[derive(Debug, Clone, Copy)]
pub struct Enough {
    /// So many games that began without it.
    pub set_ups: u32,
    /// So many plies after which a piece stood there unseen.
    pub plies: u32,
    /// Pieces that vanished, by what they say.
    pub weight: u32,
}

/// What is enough for a square that never spoke, and for one that did so before the last two games. Of 1,000 healthy days in
/// blitz two had twice as much for one of those, and none three times as much.
pub const DEAD: Enough = Enough { set_ups: 1, plies: UNSEEN_PLIES, weight: DEAD_WEIGHT };
/// See [`DEAD`].
pub const DEAD_LATELY: Enough = Enough { set_ups: 2, plies: 3 * UNSEEN_PLIES, weight: 4 * PRESSED_WEIGHT };

// The link.

/// So many faults in a minute are no chance.
pub const FAULTS_A_MINUTE: u32 = 5;
/// So many in an hour.
pub const FAULTS_AN_HOUR: u32 = 20;
/// A game that may have been over went on behind a reset if so many plies were played in it since.
pub const RESET_PLAYED_ON: usize = 4;
/// So many resets wait for that.
pub const OPEN_RESETS: usize = 64;
/// A board that was reset says so within so long of being found again.
pub const RESET_SAYS_SO: f64 = 10.0;
/// Silence for less than this is an exchange that went wrong.
pub const SILENCE: f64 = 2.0;
/// A board that comes back after longer may have been switched off behind its game, before it told that its clock was stopped:
/// who loses the power of a game in play sees to it sooner.
pub const SWITCHED_OFF: f64 = 600.0;
/// A board without a clock that was silent for longer was switched off over night, or between two rounds.
pub const AWAY: f64 = 7200.0;
/// One that was lost so long after its last change was packed up: who has no clock thinks for as long, but seldom.
pub const STILL: f64 = 600.0;
/// On a line with so many boards that most of them share, a trouble is the line's.
pub const SHARED: usize = 3;
/// Boards that were first reset within so many seconds of each other were so by one cause.
pub const ONE_SUPPLY: f64 = 10.0;
/// That two boards have one address is said for so long after it showed.
pub const TWIN_SAID: f64 = 600.0;
/// How many answers must have been asked for, of which such a share came spoilt, so often, to say that two boards spoil each
/// other's: a cable that spoils one board's spoils fewer.
pub const ANSWERS: u32 = 20;
pub const SPOILT_SHARE: f64 = 0.4;
pub const SPOILT_TIMES: u32 = 5;
/// A board whose answers usually take longer than this is slow,
pub const SLOW: f64 = 0.04;
/// if those of the other boards are so many times faster,
pub const SLOWER: f64 = 3.0;
/// or if its answers take so long for so many seconds on end: it may have become so in the midst of a day.
pub const SLOW_FOR: f64 = 600.0;
/// No record tells how answers came over so many seconds.
pub const TOLD_OF: f64 = 86_400.0;
/// A board that is asked less often than this is asked too seldom.
pub const ASKED_EVERY: f64 = 5.0;

// The game.

/// A board that has stood otherwise than its game for so long is said to.
pub const MISMATCH_NOW: f64 = 20.0;
/// The same, to be a finding.
pub const MISMATCH: f64 = 120.0;
/// So many presses say that the game goes on.
pub const MISMATCH_PRESSES: u32 = 2;
/// Without a clock a game goes on that has so many plies more: who looks at one tries fewer.
pub const PLIES_ON: u32 = 20;
/// What stands otherwise than the game on so many squares was put there by no move.
pub const REARRANGED: u32 = 4;
/// A clock that runs for so long with nothing moving.
pub const NO_CHANGE: f64 = 1800.0;
/// A clock that runs is told of again and again: if it was not for so long, in seconds, nobody knows whether it does.
pub const UNREAD: f64 = 300.0;
/// So many presses with nothing moving, and for so long: a change may come a poll after its press.
pub const PRESSES: (u32, f64) = (4, 20.0);
/// A clock that is stopped so many seconds behind the last of these was pressed to no purpose; clocks are read every twenty, and
/// one answer may be missed.
pub const STOPPED_WITHIN: f64 = 45.0;
/// So many anomalies on a board in so many games are none of its players: twelve games in a row on healthy boards had up to
/// two.
pub const ANOMALIES: (usize, u32) = (6, 12);
/// Without a clock so many of them in one game count.
pub const ANOMALIES_OF_GAME: usize = 2;
/// Who plays with a clock forgets it for no more plies than so: then they look at the game.
pub const PLIES_UNPRESSED: u32 = 4;
/// A ply that is told again as played so many seconds later was taken back; where it happens so often, without a clock, they
/// look at the game.
pub const PLAYED_AGAIN: (f64, u32) = (8.0, 4);
/// A move that is less likely than this to be what was played asks for a look at the score sheets: another is nearly as
/// likely. Of 100 healthy days in blitz eight had some that were surer, and all were as told; six had some that were not, two of
/// them wrong ones.
pub const CERTAIN: f64 = 0.6;
/// A game without a clock is in play for so long after its last change.
pub const IN_PLAY: f64 = 1800.0;
/// A board with so many changes should have a game.
pub const CHANGES: u64 = 40;
/// No game has more plies.
pub const PLIES: usize = 4096;
