//! What to do about each kind of finding, in a sentence or two.

use crate::record::{FindingKind, Square};

/// What to do about a finding of this kind.
pub fn advice(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Twin => "Take one of the two boards off the line and give it another address.",
        FindingKind::Silent => {
            "Look at the board's cable and power supply, or restart it: a DGT board with `boardbus reset`, one of another make by its \
             switch. What a DGT board logged meanwhile comes when it answers again."
        }
        FindingKind::Reset => {
            "Look at the power supply and its plug: the board restarts, and moves made meanwhile are lost."
        }
        FindingKind::DeadSquare => {
            "Put another piece on the square and look in `boardbus show --follow`, or in `dump --follow` when nobody records: \
             if nothing shows, replace the board."
        }
        FindingKind::Flicker => {
            "Centre the piece on the square, and replace the board if the next piece there comes and goes as well."
        }
        FindingKind::WeakPiece => {
            "Replace the piece, whose coil is weak or whose bottom is loose; if the next one drops out as well, it is the square."
        }
        FindingKind::Mismatch => {
            "Compare the board with the players' score sheets from that move on, and put right what stands wrong."
        }
        FindingKind::NoChange => {
            "See whether they still play; if they do, lift a piece and see in `boardbus show --follow` whether it disappears."
        }
        FindingKind::NoGame => {
            "See that all pieces stood in a start position. Pass another start position to reconstruct with --fen; for a game already in play when its board was switched on use --midgame."
        }
        FindingKind::Anomaly => "Compare the game with the score sheets after this move.",
        FindingKind::Guess => "Compare the guessed moves with the score sheets.",
        FindingKind::Doubt => "Compare the doubtful moves with the score sheets.",
        FindingKind::ClockDisconnected => "Plug the clock's cable in again at both ends.",
        FindingKind::ClockBattery => "Change the clock's batteries before the next round.",
        FindingKind::Noise => {
            "Look at the plugs and cables next to the board, keep them from mains cables, and try another cable."
        }
        FindingKind::Misread => {
            "Keep other chips, cards and phones off the board, and centre the pieces; try the board with another set of pieces."
        }
        FindingKind::Unanswered => {
            "Look at the board's plugs; if other boards do it too, at the adapter and the length of the line."
        }
        FindingKind::Slow => "Try the board alone on its cable: if it stays slow, replace it.",
        FindingKind::LineFull => "Share the boards out over two lines.",
    }
}

/// What to do about many anomalies of one board that no other finding explains.
pub const MANY_ANOMALIES: &str = "So many point to the board, not the players: after the round lift each piece and put \
                                  it back while `boardbus dump --follow` runs, try the empty squares with one, and replace \
                                  the board if one of them shows nothing.";

/// What to do about pieces that stand exchanged at the start.
pub const SET_UP_WRONGLY: &str = "Exchange them before anybody moves; in a game the arbiter decides whether they are put right, \
                                  or the game is restarted.";

/// What to do if one of several squares is dead and it is unknown which.
pub fn advice_on_one_of(squares: &[Square]) -> String {
    format!(
        "One of them is dead, {}: put a piece on each and look in `boardbus show --follow`, or in `dump --follow` when nobody \
         records, and replace the board if nothing shows on one.",
        alternatives(squares)
    )
}

/// `g5 or g6`; `g4, g5 or g6`.
pub fn alternatives(squares: &[Square]) -> String {
    listed(squares, "or")
}

/// Squares in words, with `word` before the last.
pub fn listed(squares: &[Square], word: &str) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => names.concat(),
    }
}
