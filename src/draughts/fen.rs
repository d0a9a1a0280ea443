//! The FEN of draughts as PDN has it: `W:Wa3,Kc3:Bb8,h8`.

use std::{fmt, str::FromStr};

use super::{
    position::{BadPosition, Colour, Piece, Position},
    square::{Numbering, Square},
};

/// Why a text is no FEN of Russian draughts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFen {
    /// It is not side to move, White's and Black's pieces between colons.
    #[error("not a draughts FEN like W:Wa1,Kc3:Bb8")]
    Shape,
    /// One entry of a list is wrong.
    #[error("`{0}` is not a dark square or its number")]
    Square(String),
    /// Two pieces on one square.
    #[error("{0} is listed twice")]
    Twice(Square),
    /// The pieces make no position.
    #[error(transparent)]
    Position(#[from] BadPosition),
}

impl Position {
    /// Reads a FEN; squares may be algebraic or numbers, with ranges of numbers (`1-12`), a trailing dot and further
    /// fields after the pieces (`:H0:F1`).
    pub fn from_fen(text: &str, numbering: Numbering) -> Result<Position, BadFen> {
        let text = text.trim();
        let mut parts = text.strip_suffix('.').unwrap_or(text).split(':');
        let turn = match parts.next().map(str::trim) {
            Some("W" | "w") => Colour::White,
            Some("B" | "b") => Colour::Black,
            _ => return Err(BadFen::Shape),
        };
        let mut pieces: Vec<(Square, Piece)> = Vec::new();
        let mut sides = Vec::new();
        for part in parts {
            let part = part.trim();
            let colour = match part.as_bytes().first() {
                Some(b'W' | b'w') => Colour::White,
                Some(b'B' | b'b') => Colour::Black,
                // Some servers append counters of moves.
                Some(b'H' | b'F') if sides.len() == 2 => continue,
                _ => return Err(BadFen::Shape),
            };
            if sides.contains(&colour) {
                return Err(BadFen::Shape);
            }
            sides.push(colour);
            for entry in part[1..].split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
                for (square, king) in entries(entry, numbering)? {
                    if pieces.iter().any(|(taken, _)| *taken == square) {
                        return Err(BadFen::Twice(square));
                    }
                    pieces.push((square, Piece { colour, king }));
                }
            }
        }
        if sides.len() != 2 {
            return Err(BadFen::Shape);
        }
        Ok(Position::new(pieces, turn)?)
    }
}

/// One entry of a list: a square, or a range of numbers.
fn entries(entry: &str, numbering: Numbering) -> Result<Vec<(Square, bool)>, BadFen> {
    let wrong = || BadFen::Square(entry.to_owned());
    let (king, name) = match entry.strip_prefix(['K', 'k']) {
        Some(name) => (true, name.trim()),
        None => (false, entry),
    };
    if let Ok(square) = name.to_ascii_lowercase().parse() {
        return Ok(vec![(square, king)]);
    }
    let (first, last) = name.split_once('-').unwrap_or((name, name));
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| wrong());
    let range = number(first)?..=number(last)?;
    if range.is_empty() {
        return Err(wrong());
    }
    range.map(|n| Square::from_number(n, numbering).map(|square| (square, king)).ok_or_else(wrong)).collect()
}

impl FromStr for Position {
    type Err = BadFen;

    /// Reads a FEN; numbers count from b8.
    fn from_str(text: &str) -> Result<Position, BadFen> {
        Position::from_fen(text, Numbering::default())
    }
}

impl fmt::Display for Position {
    /// The FEN, algebraic, pieces in field order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |colour| if colour == Colour::White { 'W' } else { 'B' };
        write!(f, "{}", letter(self.turn()))?;
        for colour in [Colour::White, Colour::Black] {
            write!(f, ":{}", letter(colour))?;
            let own = self.pieces().filter(|(_, piece)| piece.colour == colour);
            for (n, (square, piece)) in own.enumerate() {
                let comma = if n > 0 { "," } else { "" };
                write!(f, "{comma}{}{square}", if piece.king { "K" } else { "" })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6";

    #[test]
    fn the_start_position_is_written_algebraically_and_read_back() {
        assert_eq!(Position::start().to_string(), START);
        assert_eq!(START.parse(), Ok(Position::start()));
    }

    #[test]
    fn all_forms_of_fen_are_read() {
        let start = Position::start();
        for text in [
            "W:W21-32:B1-12",
            "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12.",
            "W:B1-12:W21-32:H0:F1",
            " w:w21-32 : b 1-12 ",
        ] {
            assert_eq!(text.parse(), Ok(start), "{text}");
        }
        assert_eq!(Position::from_fen("W:W1-12:B21-32", Numbering::A1), Ok(start));
        assert_eq!("B:WKe1:B".parse::<Position>().unwrap().to_string(), "B:WKe1:B");
        assert_eq!("B:WK30:BK 1".parse::<Position>().unwrap().to_string(), "B:WKc1:BKb8");
    }

    #[test]
    fn a_bad_position_is_refused_with_a_reason() {
        let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
        assert_eq!(error("W:Wa3"), "not a draughts FEN like W:Wa1,Kc3:Bb8");
        assert_eq!(error("rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1"), "not a draughts FEN like W:Wa1,Kc3:Bb8");
        assert_eq!(error("W:Wa2:Bb8"), "`a2` is not a dark square or its number");
        assert_eq!(error("W:W33:B1"), "`33` is not a dark square or its number");
        assert_eq!(error("W:W12-1:B1"), "`12-1` is not a dark square or its number");
        assert_eq!(error("W:Wa1:Ba1"), "a1 is listed twice");
        assert_eq!(error("W:Wb8:Ba7"), "a white man cannot stand on b8: it would be a king there");
        assert_eq!(error("W:Wc3:Bg1"), "a black man cannot stand on g1: it would be a king there");
        assert_eq!(error("W:W13-25:B1"), "white has more than twelve pieces");
    }
}
