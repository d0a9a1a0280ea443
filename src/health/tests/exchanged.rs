//! Pieces that stand exchanged when a game begins.

use super::{feed, health_of, words};
use crate::{health::Health, record::FindingKind};

/// The health after 1. e4 from a start with black's king and queen exchanged.
fn began_exchanged() -> Health {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1""#;
    let e4 = r#""type":"move","game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbkqbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQ - 0 1""#;
    let stands = "prnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    health_of(&[(0.0, stands), (10.0, "-e2"), (11.0, "+Pe4"), (12.0, "."), (12.0, game), (12.0, e4)])
}

/// The findings with their details.
fn found(health: &Health) -> Vec<(FindingKind, String)> {
    let findings = health.findings();
    findings.into_iter().map(|finding| (finding.kind, finding.detail)).collect()
}

#[test]
fn exchanged_king_and_queen_are_found() {
    let mut health = health_of(&[(0.0, "prnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), (2.0, ".")]);
    assert_eq!(words(&health, 3.0), ["d8 and e8 stand exchanged"]);
    let standing = (FindingKind::Mismatch, "the pieces on d8 and e8 stand exchanged".to_owned());
    assert_eq!(found(&health), [standing]);
    // Once put right they are not reported.
    feed(&mut health, &[(4.0, "-d8"), (5.0, "-e8"), (6.0, "+qd8"), (7.0, "+ke8"), (8.0, ".")]);
    assert_eq!((words(&health, 9.0), found(&health)), (vec![], vec![]));
    // A game that began so is trouble until its end, and a finding for ever.
    let mut health = began_exchanged();
    assert_eq!(words(&health, 13.0), ["began with d8 and e8 exchanged"]);
    feed(&mut health, &[(60.0, "over")]);
    assert_eq!(words(&health, 61.0), [""; 0]);
    let began = "the pieces on d8 and e8 stood exchanged when the game began";
    assert_eq!(found(&health), [(FindingKind::Mismatch, began.to_owned())]);
}

#[test]
fn exchange_in_unplayed_game_and_chess960_are_ignored() {
    let back = r#""type":"takeback","game":1,"ply":0"#;
    let mut health = began_exchanged();
    feed(&mut health, &[(20.0, back), (20.0, "over"), (21.0, "p8/8/8/8/8/8/8/8")]);
    assert_eq!(found(&health), []);
    let health = health_of(&[(0.0, "pbqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN"), (2.0, ".")]);
    assert_eq!((words(&health, 3.0), found(&health)), (vec![], vec![]));
}
