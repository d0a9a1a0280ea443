//! The text of a game that a visitor can download from its page.

use crate::format::{game::Game, html::Ply, pdn, pgn, russian};

/// Its format, `pgn` or `pdn`, and the text.
pub fn of(game: &Game<Ply>, hide_results: bool) -> (&'static str, String) {
    let mut game = game.with_moves(game.moves.iter().map(Ply::to_move).collect());
    if hide_results {
        game.end = None;
        game.start.tags.0.retain(|(name, _)| !["Result", "Termination"].contains(&&name[..]));
    }
    let elapsed = !game.is_of_board();
    if !game.start.rules.has_pgn() {
        let played = russian::Game::played(&game).map(|(game, _)| game);
        let style = pdn::Style { elapsed, ..pdn::Style::default() };
        return ("pdn", played.map_or_else(|_| String::new(), |game| style.text(&game)));
    }
    let mut text = Vec::new();
    pgn::Style { elapsed, openings: true, ..pgn::Style::default() }.write(&mut text, &game);
    ("pgn", String::from_utf8_lossy(&text).into_owned())
}
