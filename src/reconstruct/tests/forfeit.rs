//! A player who does not come: kings in the centre over a start position from which no move was made.

use super::{GameEvent, Options, START, games, games_of, published, published_so_far, records};
use crate::record::End;

#[test]
fn kings_on_a_rested_start_are_a_forfeit() {
    for clock in ["", "clock", "stopped"] {
        let shown = format!("={START} {clock} @begin . +30 -e1 Ke4 -e8 kd5 +2 .");
        assert_eq!(published_so_far(&format!("{shown} +12 {clock}")), "", "{clock}");
        assert_eq!(published(&format!("{shown} +16 .")), "game [1-0 kings]", "{clock}");
        // Only time passes, as records of another board show.
        assert_eq!(published(&format!("{shown} +16 b2: . +20 .")), "game [1-0 kings]", "{clock}");
        // The next game is another one.
        let next = "-e4 Ke1 -d5 ke8 +2 . +60 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . +9 .";
        let both = games(&format!("{shown} +60 . {next}"));
        assert_eq!(both, ["[1-0 kings]", "d4 d5 [* input-end]"], "{clock}");
    }
    // The absent player lost without play; a draw is no forfeit.
    let forfeits = |shown: &str| {
        let records_of_games =
            games_of(&records(&format!("={START} @begin . +30 {shown} +2 . +16 .")), Options::default());
        records_of_games
            .into_iter()
            .any(|record| matches!(record.event, GameEvent::End(End { forfeit: true, .. })))
    };
    assert!(forfeits("-e1 Ke4 -e8 kd5") && !forfeits("-e1 Ke4 -e8 ke5"));
    // On a turned board, with the start found in a position.
    let turned = "=RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr +30 -d1 ke4 -d8 Kd4 +2 . +16 .";
    assert_eq!(published(turned), "game [1/2-1/2 kings]");
}

#[test]
fn kings_without_a_rested_start_are_no_forfeit() {
    let over = "+2 . +20 .";
    // The kings are put back soon, the start did not stand at rest, or another piece is gone or elsewhere.
    for stream in [
        format!("={START} @begin . +30 -e1 Ke4 -e8 kd5 +2 . +10 -e4 Ke1 -d5 ke8 {over}"),
        format!("={START} @begin +1 -e1 Ke4 -e8 kd5 {over}"),
        format!("={START} @begin . +30 -e1 Ke4 -e8 kd5 -a2 {over}"),
        format!("={START} @begin . +30 -e2 Pe3 +2 . -e1 Ke4 -e8 kd5 {over}"),
    ] {
        assert!(!published(&stream).starts_with("game ["), "{stream}");
    }
    // Pieces are set up around such kings.
    let set_up = "=8/8/8/8/8/8/8/8 Ke4 kd5 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 Ra1 Nb1 Bc1 Qd1 Bf1 Ng1 Rh1 \
                  pa7 pb7 pc7 pd7 pe7 pf7 pg7 ph7 ra8 nb8 bc8 qd8 bf8 ng8 rh8";
    assert_eq!(published(&format!("{set_up} {over}")), "");
}
