//! Moves that lost much, by a rule on winning chances.
//!
//! The conversion of a score to winning chances (<https://lichess.org/page/accuracy>), and the loss of chances by an
//! inaccuracy, a mistake and a blunder (`Advice.scala` of lila), are those of Lichess.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::SanPlus, uci::UciMove};

use super::ply::Write;
use crate::{
    format::game::Game,
    record::{CHESS_START, Score},
};

/// The loss of the mover's chances, from -1 to 1, with its name and its glyph; the worst first.
const LOSSES: [(f64, &str, u8); 3] = [(0.3, "Blunder", 4), (0.2, "Mistake", 2), (0.1, "Inaccuracy", 6)];
/// The score of the position in which chess begins.
const AT_THE_START: Score = Score::Cp(15);
/// Glyphs that judge a move.
const JUDGED: std::ops::RangeInclusive<u8> = 1..=6;

/// The judgement of a move.
#[derive(Debug, PartialEq)]
pub(super) struct Judged {
    pub nag: u8,
    pub words: String,
}

/// White's chances, from -1 to 1.
fn chances(score: Score) -> f64 {
    match score {
        Score::Mate(mate) => f64::from(mate.signum()),
        Score::Cp(cp) => 2.0 / (1.0 + (-0.003_682_08 * f64::from(cp)).exp()) - 1.0,
    }
}

/// The judgement of a move between two scores, as White sees them; none where it lost little.
fn verdict(before: Score, after: Score, is_whites: bool) -> Option<(&'static str, u8)> {
    let fell = chances(before) - chances(after);
    let lost = if is_whites { fell } else { -fell };
    LOSSES.iter().find(|(least, ..)| lost >= *least).map(|(_, name, nag)| (*name, *nag))
}

/// The moves of a game that lost much, by ply. A move with a judgement is skipped.
pub(super) fn judge(game: &Game<impl Write>) -> BTreeMap<usize, Judged> {
    let exact = |ply: u32| game.evaluations.get(&ply).filter(|evaluation| evaluation.bound.is_none());
    let at_the_start = (game.start.fen == CHESS_START).then_some(AT_THE_START);
    let mut found = BTreeMap::new();
    for (&ply, evaluation) in &game.evaluations {
        let before = if ply == 1 { at_the_start } else { exact(ply - 1).map(|before| before.score) };
        let (Some(before), Some(after)) = (before, exact(ply)) else { continue };
        let is_whites = (ply % 2 == 1) != game.black_begins();
        let m = game.moves.get(ply as usize - 1);
        let is_judged = m.is_some_and(|m| m.written().rest.nags.iter().any(|nag| JUDGED.contains(nag)));
        if let Some((name, nag)) = verdict(before, after.score, is_whites).filter(|_| !is_judged) {
            let words = format!("{name} ({} to {}).", before.text(), evaluation.score.text());
            found.insert(ply as usize, Judged { nag, words });
        }
    }
    if !found.is_empty() {
        add_best(game, &mut found);
    }
    found
}

/// Adds the better moves: the first moves of the best lines of the positions before.
fn add_best(game: &Game<impl Write>, found: &mut BTreeMap<usize, Judged>) {
    let Ok(setup) = game.start.fen.parse::<Fen>().map(Fen::into_setup) else { return };
    let mode = CastlingMode::detect(&setup);
    let Ok(mut position) = setup.position::<Chess>(mode) else { return };
    for (at, m) in game.moves.iter().enumerate() {
        let best = game.evaluations.get(&(at as u32)).and_then(|before| before.pv.first());
        let best = best.and_then(|best| best.parse::<UciMove>().ok()?.to_move(&position).ok());
        let san = m.written().san.and_then(|san| SanPlus::from_ascii(san).ok());
        let played = san.and_then(|san| san.san.to_move(&position).ok());
        if let (Some(judged), Some(best)) = (found.get_mut(&(at + 1)), best)
            && Some(best) != played
        {
            let best = SanPlus::from_move(position.clone(), best);
            judged.words.push_str(&format!(" {best} was best."));
        }
        // If the move cannot be played, no better one is given.
        let Some(played) = played else { return };
        position.play_unchecked(played);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From python: `2 / (1 + exp(-0.00368208 * cp)) - 1`.
    #[test]
    fn chances_agree_with_lichess() {
        for (cp, expected) in [(0, 0.0), (100, 0.182_052), (-300, -0.502_251), (1000, 0.950_895)] {
            assert!((chances(Score::Cp(cp)) - expected).abs() < 1e-5, "{cp}: {}", chances(Score::Cp(cp)));
        }
        assert_eq!((chances(Score::Mate(3)), chances(Score::Mate(-1))), (1.0, -1.0));
    }

    #[test]
    fn judgements_follow_the_lost_chances() {
        let of = |before, after, is_whites| verdict(before, after, is_whites).map(|(_, nag)| nag);
        for (before, after, nag) in [
            (Score::Cp(0), Score::Cp(-50), None),
            (Score::Cp(0), Score::Cp(-60), Some(6)),
            (Score::Cp(0), Score::Cp(-120), Some(2)),
            (Score::Cp(0), Score::Cp(-180), Some(4)),
            (Score::Cp(50), Score::Mate(-4), Some(4)),
            (Score::Mate(4), Score::Cp(900), None),
            (Score::Mate(4), Score::Cp(100), Some(4)),
            (Score::Mate(4), Score::Mate(9), None),
            (Score::Cp(-100), Score::Cp(200), None),
        ] {
            assert_eq!(of(before, after, true), nag, "{before:?} {after:?}");
            assert_eq!(of(before.reversed(), after.reversed(), false), nag, "Black: {before:?} {after:?}");
        }
    }
}
