//! Moves as text: written with their whole path or as short as possible, read in all forms in use.

use std::fmt;

use super::{
    moves::Move,
    position::Position,
    square::{Numbering, Square},
};

/// A move that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The move; of several paths with one result the one with the nearest landings.
    pub m: Move,
    /// Whether the text fixes the path.
    pub certain: bool,
}

/// Why a text names no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMove {
    /// It is not squares with `-`, `:` or `x` between them.
    #[error("`{0}` is no move")]
    Unreadable(String),
    /// No legal move goes that way.
    #[error("`{0}` is not legal")]
    Illegal(String),
    /// Something can be captured, and the move does not.
    #[error("`{0}` is not legal: a capture is compulsory ({1})")]
    Quiet(String, String),
    /// The capture has to go on.
    #[error("`{0}` is not legal: the capture goes on ({1})")]
    Unfinished(String, String),
    /// Several moves with different results fit.
    #[error("`{0}` can be {1}: the whole path is needed")]
    Ambiguous(String, String),
}

impl fmt::Display for Move {
    /// The whole path: `c3-d4`, `f4:d6:b8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.is_capture() { ":" } else { "-" };
        for (n, square) in self.path().enumerate() {
            write!(f, "{}{square}", if n > 0 { separator } else { "" })?;
        }
        Ok(())
    }
}

impl Position {
    /// The squares that identify a legal move: its first and last where [`Position::find`] returns the move for these,
    /// else the whole path.
    pub fn shortest(&self, m: &Move) -> Vec<Square> {
        let ends = [m.from(), m.to()];
        match self.find(&ends) {
            Ok(found) if found.m == *m => ends.to_vec(),
            _ => m.path().collect(),
        }
    }

    /// The legal move over these squares: its whole path, or its ends and any landings between, as long as all matching
    /// moves lead to one position.
    pub fn find(&self, over: &[Square]) -> Result<Found, BadMove> {
        self.find_named(over, || {
            let names: Vec<String> = over.iter().map(Square::to_string).collect();
            names.join(":")
        })
    }

    /// [`Position::find`], with the name of the move for errors.
    fn find_named(&self, over: &[Square], text: impl FnOnce() -> String) -> Result<Found, BadMove> {
        let (Some(first), Some(last)) = (over.first(), over.last()) else {
            return Err(BadMove::Unreadable(text()));
        };
        let legal = self.legal_moves();
        // No two moves have the same path, and a capture of one piece has only its ends as a name.
        if let Some(m) = legal.iter().find(|m| m.path().eq(over.iter().copied())) {
            return Ok(Found { m: *m, certain: true });
        }
        let fits = |m: &&Move| {
            let mut path = m.path();
            (m.from(), m.to()) == (*first, *last) && over.iter().all(|square| path.any(|on| on == *square))
        };
        let fitting: Vec<&Move> = legal.iter().filter(fits).collect();
        match fitting[..] {
            [] => Err(self.why_not(&legal, over, text())),
            [m] => Ok(Found { m: *m, certain: true }),
            [m, ref others @ ..] if others.iter().all(|other| other.same_result(m)) => {
                Ok(Found { m: *m, certain: false })
            }
            _ => Err(BadMove::Ambiguous(text(), list(&fitting))),
        }
    }

    /// The legal move of a text: squares by letter and digit or by number, with `-`, `:`, `x` or their look-alikes
    /// between them, or nothing between letters and digits (`a3b4`).
    pub fn read_move(&self, text: &str, numbering: Numbering) -> Result<Found, BadMove> {
        let over = read_squares(text, numbering).ok_or_else(|| BadMove::Unreadable(text.to_owned()))?;
        self.find_named(&over, || text.to_owned())
    }

    /// Why a move is not legal, as far as that can be found out.
    fn why_not(&self, legal: &[Move], over: &[Square], text: String) -> BadMove {
        let begun: Vec<&Move> = legal
            .iter()
            .filter(|m| {
                m.is_capture() && m.path().len() > over.len() && m.path().zip(over).all(|(a, b)| a == *b)
            })
            .collect();
        if !begun.is_empty() {
            return BadMove::Unfinished(text, list(&begun));
        }
        let quiet = self.get(over[0]).is_some_and(|piece| piece.colour == self.turn())
            && over.len() == 2
            && self.get(over[1]).is_none();
        if quiet && self.must_capture() && !legal.iter().any(|m| m.from() == over[0]) {
            return BadMove::Quiet(text, list(&legal.iter().collect::<Vec<_>>()));
        }
        BadMove::Illegal(text)
    }
}

/// A few moves for a message.
fn list(moves: &[&Move]) -> String {
    let names: Vec<String> = moves.iter().take(4).map(|m| m.to_string()).collect();
    let more = if moves.len() > 4 { " …" } else { "" };
    names.join(" or ") + more
}

/// The squares in a move's text; none when it is no move.
fn read_squares(text: &str, numbering: Numbering) -> Option<Vec<Square>> {
    let mut squares = Vec::new();
    let mut chars = text.chars().map(latin).peekable();
    let mut parted = true;
    while let Some(&c) = chars.peek() {
        match c {
            '-' | ':' | 'x' | '*' if !parted => {
                chars.next();
                parted = true;
            }
            'a'..='h' => {
                chars.next();
                squares.push(format!("{c}{}", chars.next()?).parse().ok()?);
                parted = false;
            }
            '0'..='9' if parted => {
                let mut number = 0;
                let mut digits = 0;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)).filter(|_| digits < 2) {
                    number = number * 10 + digit as u8;
                    digits += 1;
                    chars.next();
                }
                squares.push(Square::from_number(number, numbering)?);
                parted = false;
            }
            _ => return None,
        }
    }
    (squares.len() > 1 && !parted).then_some(squares)
}

/// The Latin letter that is meant: Russian keyboards have Cyrillic letters of the same shape, and dashes and crosses
/// have several lengths.
fn latin(c: char) -> char {
    match c {
        'а' | 'А' => 'a',
        'в' | 'В' => 'b',
        'с' | 'С' => 'c',
        'е' | 'Е' => 'e',
        'х' | 'Х' | 'X' | '×' => 'x',
        '–' | '—' | '−' => '-',
        _ => c.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::draughts::{Colour, Piece};

    /// Positions with many kings, where paths are long and of many kinds.
    fn crowded() -> impl Strategy<Value = Position> {
        let piece = (0u8..32, any::<bool>(), prop::bool::weighted(0.6));
        (prop::collection::vec(piece, 2..14), any::<bool>()).prop_filter_map(
            "no position",
            |(pieces, white)| {
                let colour = |white| if white { Colour::White } else { Colour::Black };
                let pieces = pieces.into_iter().filter_map(|(number, white, king)| {
                    Some((
                        Square::from_number(number + 1, Numbering::B8)?,
                        Piece { colour: colour(white), king },
                    ))
                });
                Position::new(pieces, colour(white)).ok()
            },
        )
    }

    proptest! {
        #[test]
        fn shortest_names_and_paths_identify_moves(position in crowded()) {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
            for m in position.legal_moves() {
                let whole = position.read_move(&m.to_string(), Numbering::B8);
                prop_assert_eq!(whole, Ok(Found { m, certain: true }));
                prop_assert_eq!(position.find(&position.shortest(&m)).map(|found| found.m), Ok(m));
                let after = position.play(&m);
                prop_assert_eq!(after.occupied().count_ones() + m.captured_set().count_ones(), position.occupied().count_ones());
            }
        }
    }

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn read(position: &Position, text: &str) -> Result<String, String> {
        let found = position.read_move(text, Numbering::B8).map_err(|e| e.to_string())?;
        Ok(format!("{}{}", found.m, if found.certain { "" } else { " ?" }))
    }

    #[test]
    fn all_ways_to_write_a_move_are_read() {
        let start = Position::start();
        for text in ["c3-d4", "c3d4", "C3-D4", "c3:d4", "22-18", "22x18", "c3–d4", "с3-d4"] {
            assert_eq!(read(&start, text), Ok("c3-d4".into()), "{text}");
        }
        let capture = position("W:Wb4:Bc5,e7");
        for text in ["b4:d6:f8", "b4:f8", "b4xf8", "b4xd6xf8", "17x10x3", "b4*f8", "b4×f8", "b4хf8", "b4f8"]
        {
            assert_eq!(read(&capture, text), Ok("b4:d6:f8".into()), "{text}");
        }
        for text in
            ["", "c3", "c3-", "-c3d4", "c3--d4", "c3-d9", "33-18", "Kc3-d4", "c3 - d4", "0-0", "223-18"]
        {
            assert_eq!(read(&start, text), Err(format!("`{text}` is no move")));
        }
    }

    #[test]
    fn an_illegal_move_is_refused_with_a_reason() {
        let start = Position::start();
        assert_eq!(read(&start, "c3-e5"), Err("`c3-e5` is not legal".into()));
        let capture = position("W:Wb4,h2:Bc5,e7");
        let compulsory = "`h2-g3` is not legal: a capture is compulsory (b4:d6:f8)";
        assert_eq!(read(&capture, "h2-g3"), Err(compulsory.into()));
        let unfinished = "`b4:d6` is not legal: the capture goes on (b4:d6:f8)";
        assert_eq!(read(&capture, "b4:d6"), Err(unfinished.into()));
    }

    #[test]
    fn ambiguous_paths_are_read_as_the_nearest() {
        // Landing on e5 or f4 makes no difference to the position.
        let twin = position("W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1");
        assert_eq!(read(&twin, "b8:h2"), Ok("b8:e5:h2 ?".into()));
        assert_eq!(read(&twin, "b8:f4:h2"), Ok("b8:f4:h2".into()));
        let [near, far] = ["b8:e5:h2", "b8:f4:h2"].map(|text| twin.read_move(text, Numbering::B8).unwrap().m);
        assert!(near.same_result(&far) && near != far);
        assert_eq!(twin.shortest(&near).len(), 2);
        assert_eq!(twin.shortest(&far).len(), 3);
    }

    #[test]
    fn ambiguous_results_need_the_whole_path() {
        let fork = position("W:WKf6,Ke5:Bb6,b4,d4,a3,g3");
        assert_eq!(read(&fork, "e5:c3:a5:c7:h2"), Ok("e5:c3:a5:c7:h2".into()));
        assert_eq!(read(&fork, "e5:h2"), Ok("e5:h2".into()), "the whole path of a capture of one");
        let ways = position("B:Wd6,b4,d4,e3,f2:BKc7,Kg7,Kh4");
        let paths = "c7:e5:c3:a5 or c7:f4:d2:a5 or c7:g3:e1:a5";
        assert_eq!(read(&ways, "c7:a5"), Err(format!("`c7:a5` can be {paths}: the whole path is needed")));
        assert_eq!(read(&ways, "c7:g3:a5"), Ok("c7:g3:e1:a5".into()), "one landing distinguishes them");
        assert_eq!(read(&ways, "g7:a5"), Ok("g7:c3:a5".into()));
        for m in ways.legal_moves() {
            assert_eq!(m.path().eq(ways.shortest(&m)), m.from().to_string() == "c7", "{m}");
        }
    }
}
