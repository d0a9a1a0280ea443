//! Signs for PGN's numeric annotation glyphs, and what they mean in words.

use std::collections::BTreeMap;

use super::Ply;

/// Numbers, signs and meanings, from PGN's specification and its extensions.
const NAGS: [(u8, &str, &str); 36] = [
    (1, "!", "good move"),
    (2, "?", "mistake"),
    (3, "‼", "brilliant move"),
    (4, "⁇", "blunder"),
    (5, "⁉", "interesting move"),
    (6, "⁈", "dubious move"),
    (7, "□", "only move"),
    (8, "□", "only move"),
    (9, "⁇", "worst move"),
    (10, "=", "even"),
    (11, "=", "equal, quiet"),
    (12, "=", "equal, active"),
    (13, "∞", "unclear"),
    (14, "⩲", "White is slightly better"),
    (15, "⩱", "Black is slightly better"),
    (16, "±", "White is better"),
    (17, "∓", "Black is better"),
    (18, "+−", "White is winning"),
    (19, "−+", "Black is winning"),
    (22, "⨀", "White is in zugzwang"),
    (23, "⨀", "Black is in zugzwang"),
    (32, "⟳", "White leads in development"),
    (33, "⟳", "Black leads in development"),
    (36, "↑", "White has the initiative"),
    (37, "↑", "Black has the initiative"),
    (40, "→", "White attacks"),
    (41, "→", "Black attacks"),
    (44, "≈", "White has compensation"),
    (45, "≈", "Black has compensation"),
    (132, "⇆", "White has counterplay"),
    (133, "⇆", "Black has counterplay"),
    (138, "⊕", "White is short of time"),
    (139, "⊕", "Black is short of time"),
    (140, "∆", "with the idea"),
    (142, "⌓", "better is"),
    (146, "N", "novelty"),
];

/// The numbers at the moves of a game, variations included, each with its sign and its meaning.
pub fn in_use(moves: &[Ply]) -> BTreeMap<u8, (String, String)> {
    moves.iter().flat_map(Ply::nags).map(|nag| (nag, words(nag))).collect()
}

/// All meanings.
#[cfg(test)]
pub fn meanings() -> impl Iterator<Item = &'static str> {
    NAGS.iter().map(|(.., meaning)| *meaning)
}

fn words(nag: u8) -> (String, String) {
    match NAGS.iter().find(|(known, ..)| *known == nag) {
        Some((_, sign, meaning)) => (sign.to_string(), meaning.to_string()),
        None => (format!("${nag}"), format!("annotation {nag}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{format::game::Kept, record::Move};

    #[test]
    fn numbers_of_moves_and_variations_have_sign_and_meaning() {
        let aside = Move { nags: vec![15, 200], comment: Some("\"nags\":[3]".into()), ..Move::default() };
        let moves = [
            Move { nags: vec![1], ..Move::default() },
            Move { variations: vec![vec![Move::default(), aside]], ..Move::default() },
        ];
        let plies: Vec<Ply> = moves.into_iter().map(|m| Ply::keep(m, None)).collect();
        let expected =
            [(1, "!", "good move"), (15, "⩱", "Black is slightly better"), (200, "$200", "annotation 200")];
        let expected = expected.map(|(nag, sign, meaning)| (nag, (sign.to_owned(), meaning.to_owned())));
        assert_eq!(in_use(&plies), expected.into());
    }
}
