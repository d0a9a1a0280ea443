//! A game that is over, and goes on, or never was.

use super::{START, hear, heard, words};
use crate::health::Health;

#[test]
fn a_game_goes_on_behind_kings_that_were_no_end_and_one_that_never_was_is_not_counted() {
    const GAME: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    const E4: &str = r#""type":"move","game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#;
    const E5: &str = r#""type":"move","game":1,"ply":2,"san":"e5","uci":"e7e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#;
    const KINGS: &str = r#""type":"end","game":1,"result":"1-0","reason":"kings""#;
    // It stands otherwise than its game for long: nothing is wrong with that when the game is over.
    let stands = [(40.0, "p4k3/8/8/8/8/8/8/4K3"), (41.0, "."), (90.0, ".")];
    let mut over = heard(&[(0.0, START), (0.0, GAME), (10.0, E4), (20.0, KINGS), (25.0, E4)]);
    hear(&mut over, &stands);
    assert_eq!(words(&over, 100.0), [""; 0]);
    let mut goes_on = heard(&[(0.0, START), (0.0, GAME), (10.0, E4), (20.0, KINGS), (30.0, E5)]);
    hear(&mut goes_on, &stands);
    assert_eq!(words(&goes_on, 100.0), ["board does not match the game since 1...e5"]);
    let games = |health: &Health| health.summaries()[0].games;
    assert_eq!(games(&goes_on), 1);
    hear(&mut goes_on, &[(110.0, r#""type":"ruling","game":1,"void":true"#)]);
    assert_eq!(games(&goes_on), 0);
    hear(&mut goes_on, &[(120.0, r#""type":"ruling","game":1,"withdraw":true"#)]);
    assert_eq!(games(&goes_on), 1);
}
