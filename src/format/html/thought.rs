//! An engine's evaluations of a game's positions, in the form of pages.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, fen::Fen, san::SanPlus, uci::UciMove};

use super::Ply;
use crate::{
    format::{game::Game, pgn::fen_in},
    record::{Bound, Evaluation, Rules, Score},
};

/// How many plies of the best line are shown.
const LINE: usize = 8;

/// A score: a number is hundredths of a pawn, a text such as `#-3` a mate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    Cp(i32),
    Mate(String),
}

/// An evaluation as a list: the score, the depth, the best line in SAN, and the sign of a bound.
pub type Thought = (Shown, Option<u32>, String, &'static str);

/// A score in the form of pages.
pub fn shown(score: Score) -> Shown {
    match score {
        Score::Cp(cp) => Shown::Cp(cp),
        Score::Mate(_) => Shown::Mate(score.text()),
    }
}

/// The evaluations of the positions of a game, by their plies.
pub fn thoughts(game: &Game<Ply>) -> BTreeMap<u32, Thought> {
    let of_ply = |(&ply, evaluation): (&u32, &Evaluation)| {
        let Evaluation { score, bound, depth, pv, .. } = evaluation;
        let fen = game.moves.get(ply as usize - 1).map_or("", |played| fen_in(played.fields()));
        let sign = match bound {
            Some(Bound::Lower) => "≥",
            Some(Bound::Upper) => "≤",
            None => "",
        };
        (ply, (shown(*score), *depth, line(game.start.rules, fen, pv), sign))
    };
    game.evaluations.iter().map(of_ply).collect()
}

/// A line of moves in UCI as SAN, up to the first that cannot be played.
fn line(rules: Rules, fen: &str, pv: &[String]) -> String {
    let mode = if rules == Rules::Chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let start = fen.parse::<Fen>().ok().filter(|_| rules.has_pgn());
    let Some(mut position) = start.and_then(|fen| fen.into_position::<Chess>(mode).ok()) else {
        return String::new();
    };
    let mut names = Vec::new();
    for uci in pv.iter().take(LINE) {
        let played = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
        let Some(played) = played else { break };
        names.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
    }
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_lines_are_written_up_to_an_unplayable_move() {
        let shown =
            |rules, fen, pv: &str| line(rules, fen, &pv.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(shown(Rules::Chess, start, "g1f3 d7d5 f3g7"), "Nf3 d5");
        assert_eq!(shown(Rules::Chess, start, "e2e5"), "");
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(shown(Rules::Chess, castling, "e1g1 e8c8"), "O-O O-O-O");
        assert_eq!(shown(Rules::Chess960, castling, "e1h1 e8a8"), "O-O O-O-O");
        assert_eq!(shown(Rules::Chess, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"), "Ra8#");
        assert_eq!(shown(Rules::Russian, "W:Wa1:Bb8", "a1b2"), "");
        assert_eq!(shown(Rules::Chess, "", "e2e4"), "");
    }
}
