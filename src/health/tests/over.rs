//! Games that are over, go on after their end, or are ruled void.

use super::{feed, health_of, words};
use crate::health::Health;

#[test]
fn games_continue_after_kings_or_are_void() {
    let kings = r#""type":"end","game":1,"result":"1-0","reason":"kings""#;
    // A lasting difference is no trouble after the game.
    let stands = [(40.0, "p4k3/8/8/8/8/8/8/4K3"), (41.0, "."), (90.0, ".")];
    let mut over = health_of(&[(0.0, "start"), (0.0, "game"), (10.0, "e4"), (20.0, kings), (25.0, "e4")]);
    feed(&mut over, &stands);
    assert_eq!(words(&over, 100.0), [""; 0]);
    let mut goes_on = health_of(&[(0.0, "start"), (0.0, "game"), (10.0, "e4"), (20.0, kings), (30.0, "e5")]);
    feed(&mut goes_on, &stands);
    assert_eq!(words(&goes_on, 100.0), ["board does not match the game since 1...e5"]);
    let games = |health: &Health| health.summaries()[0].games;
    assert_eq!(games(&goes_on), 1);
    feed(&mut goes_on, &[(110.0, r#""type":"ruling","game":1,"void":true"#)]);
    assert_eq!(games(&goes_on), 0);
    feed(&mut goes_on, &[(120.0, r#""type":"ruling","game":1,"withdraw":true"#)]);
    assert_eq!(games(&goes_on), 1);
}
