//! What a deviation from the plain move costs: minus the logarithm of how rarely hands and scanners do it,
//! roughly. One place for all numbers of the search.
//!
//! The order that matters: everything a scanner does is nearly free; what a hand does now and then costs a
//! few units; what has to be assumed without being seen costs more than anything seen.

/// A hypothesis ranks worse by this for each square change that it has not explained yet.
pub const UNEXPLAINED: f32 = 0.7;
/// So many changes later it grows, by [`AGEING`] for each further change.
pub const FRESH: u32 = 6;
/// See [`FRESH`].
pub const AGEING: f32 = 0.25;
/// A change not explained yet of a piece that is under way and has left the square again.
pub const PASSED: f32 = 0.1;
/// A piece seen on a square on the way of its move, or clearing it late.
pub const TRANSIT: f32 = 0.05;
/// A piece lifted and put back on its square by the side to move.
pub const ADJUST_OWN: f32 = 2.5;
/// The same by the other side.
pub const ADJUST_OTHER: f32 = 3.5;
/// The moving piece itself was lifted and put back, or set down and lifted, within its move.
pub const HESITATE: f32 = 0.5;
/// The moving piece was seen on its old square again.
pub const HESITATE_FROM: f32 = 1.5;
/// The moving piece stood on a square on its way for longer than a scan.
pub const STOOD: f32 = 2.0;
/// The moving piece was set down on a square where it does not pass, and moved on.
pub const DETOUR: f32 = 3.5;
/// A square of a piece that changed for no reason known.
pub const STRAY: f32 = 4.5;
/// The first change of a move came before the last change of the move before.
pub const OVERLAP: f32 = 0.8;
/// Each change of a move beyond the first that came before the last change of the move before.
pub const OVERLAP_MORE: f32 = 0.5;
/// No more than so many of them count: a slide has as many as it has squares.
pub const OVERLAPS: u32 = 3;
/// An overlap although the board says that more than 250 ms lay between.
pub const OVERLAP_SLOW: f32 = 1.5;
/// A move's first or last change came before the same of the move before.
pub const INVERTED: f32 = 1.0;
/// The same although the board says that more than 250 ms lay between.
pub const INVERTED_SLOW: f32 = 3.0;
/// A move began before its own side's last move was over.
pub const OWN_OVERLAP: f32 = 2.0;
/// A capture's square never showed the first capturer, because the reply captured there.
pub const DEBT_RECAPTURE: f32 = 3.4;
/// The same where the capture was en passant: two squares were not seen in time.
pub const DEBT_EN_PASSANT: f32 = 1.0;
/// A man of draughts was captured before it was seen to have moved.
pub const EXCHANGE: f32 = 2.0;
/// A piece's square on the way of two moves of its own was never seen.
pub const DEBT_WENT_ON: f32 = 3.5;
/// A piece whose landing no one saw is said to have gone where it could be taken at a profit.
pub const EN_PRISE: f32 = 0.8;
/// For the logarithm of the number of replies that such a landing left.
pub const CHOICE: f32 = 0.5;
/// The board rests though a square is not as it should be, each.
pub const REST_WRONG: f32 = 3.5;
/// The board rests after a press that is not the last move's: no explanation so much worse than one whose last
/// move was pressed.
pub const UNPRESSED_AT_REST: f32 = 3.0;
/// A square is not as it should be for so long that no hand is at work, though another explanation has all
/// squares right.
pub const LONG_WRONG: f32 = 4.0;
/// A change older than all of a move is still unexplained when the move is complete: the other side's.
pub const LEFT_OPEN: f32 = 0.5;
/// The same of the mover's own side.
pub const LEFT_OPEN_OWN: f32 = 2.0;
/// A position that stands and that no move explains is where the game goes on from.
pub const RESUMED: f32 = 8.0;
/// The same piece goes on along its way as its side's next move, with hardly any time between.
pub const WENT_ON: f32 = 4.0;
/// A captured man still stands though its captor has landed, each: a hand comes for it in time, or forgets it.
pub const LATE: f32 = 1.0;
/// The part of [`WENT_ON`] that is left when its side pressed the clock between.
pub const WENT_ON_PRESSED: f32 = 0.25;
/// Moves that a gap in the data hides, each.
pub const BRIDGED: f32 = 6.0;
/// No more than so much for all of them, less than [`MARGIN`]: nothing else explains the board.
pub const BRIDGED_AT_MOST: f32 = 9.0;
/// A move completed without its mover's earlier move having been pressed, with a clock in use.
pub const NO_PRESS: f32 = 1.5;
/// A press although the presser's last press has no move yet.
pub const PRESS_TWICE: f32 = 3.5;
/// A press before the last square of its move.
pub const PRESS_EARLY: f32 = 0.3;
/// A press before anything of its move was seen.
pub const PRESS_FIRST: f32 = 0.7;
/// A move was seen to land only when the clock had long been pressed.
pub const LONG_PRESSED: f32 = 3.0;
/// A press was lost: the next one of its side is for the move that was lifted before it.
pub const LIFTED_BEFORE_PRESS: f32 = 1.5;
/// A move that is complete before the move before it was pressed.
pub const REPLY_BEFORE_PRESS: f32 = 0.4;
/// A legal move was made and withdrawn before the clock was pressed.
pub const WITHDRAWN: f32 = 4.0;
/// The same after it.
pub const WITHDRAWN_PRESSED: f32 = 8.0;
/// Both players go back to an earlier position of the game, where others of its moves may follow.
pub const TAKEBACK: f32 = 9.0;
/// The same by moves that look legal, but were not pressed with a clock in use.
pub const WENT_BACK: f32 = 2.0;

/// Hypotheses kept.
pub const BEAM: usize = 14;
/// A hypothesis this much worse than the best is given up.
pub const MARGIN: f32 = 10.0;
/// Moves that nobody saw land are looked for from hypotheses no more than this much worse than the best.
pub const DEBT_WITHIN: f32 = 4.0;
/// The same for men of draughts that are given and taken at once.
pub const EXCHANGE_WITHIN: f32 = 8.0;
/// A gap is bridged by at most so many plies.
pub const BRIDGE_HIDDEN: u32 = 6;
/// The same where every change was seen, and only its order or its meaning is in doubt.
pub const BRIDGE_SEEN: u32 = 3;
/// The same, and going back by as many, where moves may have been taken back and others played.
pub const BRIDGE_OTHERWISE: u32 = 2;
/// It is looked again when the best explanation has become so much dearer within a few changes.
pub const DEAR: f32 = 13.0;
/// The players sit at the other sides of the clock if the game makes so much more sense then.
pub const OTHER_SIDES: f32 = 0.5;
/// What is found on looking again must be so much better.
pub const BETTER_AGAIN: f32 = 1.0;
/// Hypotheses kept when looking again.
pub const BEAM_AGAIN: usize = 48;
/// The same as [`MARGIN`] when looking again.
pub const MARGIN_AGAIN: f32 = 14.0;
/// So many moves that no one saw land are thought of in one look.
pub const SPECULATIONS: u32 = 4000;
