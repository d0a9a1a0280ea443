//! A board that is switched on during a game.

use super::{
    GameEvent, OPENED, Options, START, final_moves, games_of, published_so_far, records, spanish,
    without_clock,
};

/// The published games of a stream: the beginning and the final moves of each.
fn starts_and_games(stream: &str, options: Options) -> Vec<(String, String)> {
    let published = games_of(&records(stream), options);
    let begins = published.iter().filter_map(|record| match &record.event {
        GameEvent::Game(game) => Some(game.fen.clone()),
        _ => None,
    });
    let games = begins.zip(final_moves(&published));
    games.filter(|(_, moves)| !moves.starts_with('[')).collect()
}

fn midgame() -> Options {
    Options { midgame: true, ..Options::default() }
}

#[test]
fn a_running_clock_shows_a_game_and_its_turn() {
    let game = vec![(format!("{OPENED} w KQkq - 0 1"), "Bb5 a6 Ba4 Nf6 [* input-end]".to_owned())];
    assert_eq!(
        starts_and_games(&format!("={OPENED} turnL +9 {} +9 .", spanish(4)), Options::default()),
        game
    );
    // The other side's turn, and a turned board.
    let black = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    let on = spanish(4);
    let on = on.split_once("+2 .").unwrap().1;
    let after = vec![(format!("{black} b KQkq - 0 1"), "a6 Ba4 Nf6 [* input-end]".to_owned())];
    assert_eq!(starts_and_games(&format!("={black} turnR +9 {on} +9 ."), Options::default()), after);
    let turned: String = OPENED.chars().rev().collect();
    let on = "-c8 Bg4 R90 +2 . +3 -h2 ph3 L90 +2 . +3 -g4 Bh5 R88 +2 . +3 -b1 nc3 L88 +2 . +9 .";
    assert_eq!(starts_and_games(&format!("={turned} turnR +9 {on}"), Options::default()), game);
}

#[test]
fn nothing_of_it_is_published_before_a_press() {
    let first = format!("={OPENED} turnL +9 -f1 Bb5 +2 . +9 .");
    assert_eq!(published_so_far(&first), "");
    assert_eq!(published_so_far(&format!("{first} L90 +2 .")), "game Bb5");
}

#[test]
fn without_running_clock_only_the_option_joins_games() {
    for clock in ["", "unplugged", "stopped"] {
        let stream = format!("={OPENED} {clock} . +9 {} +9 .", without_clock(&spanish(4)));
        assert_eq!(starts_and_games(&stream, Options::default()), [], "{clock}");
        let game = vec![(format!("{OPENED} w KQkq - 0 1"), "Bb5 a6 Ba4 Nf6 [* input-end]".to_owned())];
        assert_eq!(starts_and_games(&stream, midgame()), game, "{clock}");
    }
    // The side that moves first has the move.
    let on = "-a7 pa6 +2 . +4 -f1 Bc4 +2 . +4 -g8 nf6 +2 . +9 .";
    let game = vec![(format!("{OPENED} b KQkq - 0 1"), "a6 Bc4 Nf6 [* input-end]".to_owned())];
    assert_eq!(starts_and_games(&format!("={OPENED} . +9 {on}"), midgame()), game);
}

#[test]
fn a_press_after_joining_belongs_to_an_earlier_move() {
    // Black has moved, and presses then.
    let game = vec![(format!("{OPENED} w KQkq - 0 1"), "Bb5 a6 Ba4 Nf6 [* input-end]".to_owned())];
    assert_eq!(
        starts_and_games(&format!("={OPENED} turnR +3 R95 +9 {} +9 .", spanish(4)), Options::default()),
        game
    );
    // The knight was in a hand when the position was read.
    let lifted = "r1bqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    assert_eq!(
        starts_and_games(
            &format!("={lifted} turnR +1 nc6 +1 R95 +2 . +9 {} +9 .", spanish(4)),
            Options::default()
        ),
        game
    );
}

#[test]
fn setting_up_and_analysis_are_not_joined() {
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . +9 .";
    let whole = vec![(format!("{START} w KQkq - 0 1"), "d4 d5 [* input-end]".to_owned())];
    // The clock runs while the pieces are corrected; or it is stopped.
    for clock in ["turnL", "stopped"] {
        let stream =
            format!("={OPENED} {clock} +9 -f3 Ng1 +2 . -c6 nb8 +2 . -e4 Pe2 -e5 pe7 +2 . +30 {next}");
        assert_eq!(starts_and_games(&stream, Options::default()), whole, "{clock}");
    }
    // A game had ended on this board.
    let over = format!("={START} turnL @begin . +4 {next} -e1 Ke4 -e8 ke5 +2 . +20 .");
    let analysed = format!("{over} ={OPENED} turnL . +9 {} +9 .", spanish(4));
    assert_eq!(starts_and_games(&analysed, Options::default()).len(), 1);
}

#[test]
fn a_draughts_game_is_joined_too() {
    let stands = "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/1P6/P3P1P1/1P1P1P1P/P1P1P1P1";
    let on = "-f6 Bg5 R90 +2 . +3 -b2 Pc3 L88 +2 . +3 -g7 Bf6 R88 +2 . +9 .";
    // Chess pawns may be used: the rules have to be given.
    let russian = Options { rules: Some(crate::record::Rules::Russian), ..Options::default() };
    for (set, options) in [("B", Options::default()), ("p", russian)] {
        let games = starts_and_games(&format!("={stands} turnR +9 {on}").replace('B', set), options);
        assert_eq!(games.len(), 1, "{games:?}");
        assert!(games[0].0.starts_with("B:"), "{games:?}");
        assert_eq!(games[0].1, "f6-g5 b2-c3 g7-f6 [* input-end]");
    }
}
