//! An arbiter's ruling: what was played, whatever the board showed.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    result,
    value::{Outcome, Placement, Square},
};

/// What an arbiter ruled of one game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(try_from = "RulingFields", into = "RulingFields")]
pub struct Ruling {
    /// The ply that it is about, from 1; none where it is about the game as a whole.
    pub ply: Option<u32>,
    /// What holds.
    pub ruled: Ruled,
    /// Why, in the arbiter's words.
    pub note: Option<String>,
}

/// What holds by a ruling. Of several on the same ply the last one does.
#[derive(Debug, Clone, PartialEq)]
pub enum Ruled {
    /// Chess: the move of the ply, in UCI.
    Uci(String),
    /// Chess: the move of the ply, in SAN.
    San(String),
    /// Draughts: the move of the ply.
    Notation(String),
    /// The position after the ply, as FEN.
    Fen(String),
    /// The result of the game.
    Result {
        /// None is `*`.
        result: Option<Outcome>,
        /// As in [`super::End`].
        forfeit: bool,
    },
    /// The game is void.
    Void,
    /// Earlier rulings are withdrawn: those on the ply, without one those on the game as a whole.
    Withdraw,
}

impl Ruling {
    /// The ruling in a few words, for messages.
    pub fn words(&self) -> String {
        match (&self.ruled, self.ply) {
            (Ruled::Uci(mv) | Ruled::San(mv) | Ruled::Notation(mv), Some(ply)) => {
                format!("{mv} at ply {ply}")
            }
            (Ruled::Fen(fen), Some(ply)) => format!("{fen} after ply {ply}"),
            (Ruled::Result { result, forfeit }, _) => {
                let by = if *forfeit { " by forfeit" } else { "" };
                format!("{}{by}", result.map_or("*", Outcome::text))
            }
            (Ruled::Void, _) => "no game".to_owned(),
            (_, Some(ply)) => format!("that nothing is ruled of ply {ply}"),
            (_, None) => "that nothing is ruled of the game as a whole".to_owned(),
        }
    }
}

impl Ruled {
    /// Why this ruling makes no sense in any game; none where it may.
    fn makes_no_sense(&self) -> Option<&'static str> {
        let (makes_sense, why) = match self {
            Ruled::Uci(uci) => (is_uci(uci.as_bytes()), "`uci` is no move in UCI, as `e7e3` is"),
            Ruled::San(san) => (is_san(san), "`san` is no move in SAN, as `Re3` is"),
            Ruled::Notation(notation) => {
                (is_path(notation), "`notation` is no move of draughts, as `c3:e5` is")
            }
            Ruled::Fen(fen) => (is_fen(fen), "`fen` is no position in FEN"),
            Ruled::Result { .. } | Ruled::Void | Ruled::Withdraw => return None,
        };
        (!makes_sense).then_some(why)
    }
}

fn is_square(text: &[u8]) -> bool {
    Square::of_text(text).is_some()
}

fn is_uci(uci: &[u8]) -> bool {
    let uci = uci.to_ascii_lowercase();
    uci.len() >= 4
        && is_square(&uci[..2])
        && is_square(&uci[2..4])
        && matches!(uci[4..], [] | [b'q' | b'r' | b'b' | b'n'])
}

fn is_san(san: &str) -> bool {
    let san = san.trim_end_matches(['+', '#', '!', '?']);
    let to = san.trim_end_matches(['Q', 'R', 'B', 'N']).trim_end_matches('=').as_bytes();
    matches!(san, "O-O" | "O-O-O" | "0-0" | "0-0-0")
        || to.len() >= 2
            && is_square(&to[to.len() - 2..])
            && matches!(to[0], b'K' | b'Q' | b'R' | b'B' | b'N' | b'a'..=b'h')
}

/// Whether a move of draughts has two squares or more.
fn is_path(notation: &str) -> bool {
    let path = path_of(notation);
    path.len() >= 2 && path.iter().all(|square| is_square(square.as_bytes()))
}

/// The squares of a move of draughts, with any separators.
pub fn path_of(notation: &str) -> Vec<&str> {
    notation.split(|c: char| !c.is_ascii_alphanumeric() || c == 'x').collect()
}

/// FENs of draughts have colons; the game itself is checked where the ruling is applied.
fn is_fen(fen: &str) -> bool {
    fen.contains(':') || fen.split(' ').next().is_some_and(|placement| placement.parse::<Placement>().is_ok())
}

/// The fields of a ruling in a record.
#[derive(Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default)]
struct RulingFields {
    /// The ply that it is about, from 1; none where it is about the game as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    /// Chess: the move of the ply, in UCI.
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    /// Chess: the move of the ply, in SAN.
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    /// Draughts: the move of the ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<String>,
    /// The position after the ply, as FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// The result of the game; `*` is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultField>,
    /// With a result: one side, or with 0-0 both, lost without play.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forfeit: bool,
    /// The game is void.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    void: bool,
    /// Earlier rulings are withdrawn: those on the ply, without one those on the game as a whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    withdraw: bool,
    /// Why, in the arbiter's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A result that may be open, `*`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(transparent)]
struct ResultField(
    #[serde(with = "result")]
    #[cfg_attr(test, schemars(schema_with = "super::schema::result_or_open"))]
    Option<Outcome>,
);

impl TryFrom<RulingFields> for Ruling {
    type Error = &'static str;

    fn try_from(fields: RulingFields) -> Result<Ruling, Self::Error> {
        let RulingFields { ply, uci, san, notation, fen, result, forfeit, void, withdraw, note } = fields;
        let said = [
            uci.map(Ruled::Uci),
            san.map(Ruled::San),
            notation.map(Ruled::Notation),
            fen.map(Ruled::Fen),
            result.map(|ResultField(result)| Ruled::Result { result, forfeit }),
            void.then_some(Ruled::Void),
            withdraw.then_some(Ruled::Withdraw),
        ];
        let mut said = said.into_iter().flatten();
        let (Some(ruled), None) = (said.next(), said.next()) else {
            return Err("a ruling says one of `uci`, `san`, `notation`, `fen`, `result`, `void`, `withdraw`");
        };
        match (&ruled, ply) {
            (Ruled::Result { result: None, .. }, _) if forfeit => Err("a `forfeit` is won, or lost by both"),
            (other, _) if forfeit && !matches!(other, Ruled::Result { .. }) => {
                Err("`forfeit` stands beside a `result`")
            }
            (_, Some(0)) => Err("plies count from 1"),
            (Ruled::Result { .. } | Ruled::Void, Some(_)) => Err("a ruling on a whole game has no `ply`"),
            (Ruled::Uci(_) | Ruled::San(_) | Ruled::Notation(_) | Ruled::Fen(_), None) => {
                Err("missing field `ply`")
            }
            _ => match ruled.makes_no_sense() {
                Some(why) => Err(why),
                None => Ok(Ruling { ply, ruled, note }),
            },
        }
    }
}

impl From<Ruling> for RulingFields {
    fn from(Ruling { ply, ruled, note }: Ruling) -> RulingFields {
        let fields = RulingFields { ply, note, ..RulingFields::default() };
        match ruled {
            Ruled::Uci(uci) => RulingFields { uci: Some(uci), ..fields },
            Ruled::San(san) => RulingFields { san: Some(san), ..fields },
            Ruled::Notation(notation) => RulingFields { notation: Some(notation), ..fields },
            Ruled::Fen(fen) => RulingFields { fen: Some(fen), ..fields },
            Ruled::Result { result, forfeit } => {
                RulingFields { result: Some(ResultField(result)), forfeit, ..fields }
            }
            Ruled::Void => RulingFields { void: true, ..fields },
            Ruled::Withdraw => RulingFields { withdraw: true, ..fields },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::record::{Record, parse};

    fn ruling(fields: &str) -> String {
        format!(r#"{{"type":"ruling","board":1027,"game":2,{fields}}}"#)
    }

    #[test]
    fn every_form_is_written_as_it_was_read() {
        let forms = [
            r#""ply":41,"uci":"e7e3""#,
            r#""ply":41,"san":"Re3+","note":"seen by the arbiter""#,
            r#""ply":7,"notation":"c3:e5""#,
            r#""ply":41,"fen":"8/8/8/8/8/4k3/8/4K2R w K - 0 60""#,
            r#""result":"1/2-1/2""#,
            r#""result":"*""#,
            r#""result":"1/2-0""#,
            r#""result":"0-0","forfeit":true"#,
            r#""void":true"#,
            r#""ply":41,"withdraw":true"#,
            r#""withdraw":true"#,
        ];
        for line in forms.map(ruling) {
            let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
        }
    }

    #[test]
    fn an_impossible_move_is_no_ruling() {
        let may_be = |field: &str, text: &str| {
            parse(ruling(&format!(r#""ply":41,"{field}":"{text}""#)).as_bytes()).map_err(|e| e.to_string())
        };
        for uci in ["e7e8q", "E7E3", "e1h1"] {
            assert!(may_be("uci", uci).is_ok(), "{uci}");
        }
        for san in ["e4", "exd5", "Nf3", "Ngf3!?", "R1xd2+", "Qh4e1#", "O-O", "0-0-0+", "e8=Q", "bxa1N+"] {
            assert!(may_be("san", san).is_ok(), "{san}");
        }
        for notation in ["c3-d4", "c3:e5", "f4xd6xb8", "a1:b8"] {
            assert!(may_be("notation", notation).is_ok(), "{notation}");
        }
        assert!(may_be("fen", "W:Wa1:Bh8").is_ok() && may_be("fen", "8/8/8/8/8/4k3/8/4K2R").is_ok());
        for (field, text) in [
            ("uci", "zzzz"),
            ("uci", "Nf3"),
            ("uci", "e7e9"),
            ("uci", "e7e8k"),
            ("uci", "é7e8"),
            ("san", "e7e9"),
            ("san", "Zf3"),
            ("san", "O-O-O-O"),
            ("san", ""),
            ("notation", "c3"),
            ("notation", "c3:j9"),
            ("fen", "nonsense"),
        ] {
            let why = may_be(field, text).unwrap_err();
            assert!(why.contains(&format!("`{field}` is no")), "{field} {text}: {why}");
        }
    }

    #[test]
    fn a_ruling_has_one_subject() {
        let error = |fields| parse(ruling(fields).as_bytes()).unwrap_err().to_string();
        assert!(error(r#""ply":41"#).contains("says one of"));
        assert!(error(r#""ply":41,"uci":"e7e3","san":"Re3""#).contains("says one of"));
        assert!(error(r#""uci":"e7e3""#).contains("missing field `ply`"));
        assert!(error(r#""ply":0,"uci":"e7e3""#).contains("from 1"));
        assert!(error(r#""ply":3,"void":true"#).contains("no `ply`"));
        assert!(error(r#""result":"2-0""#).contains("`2-0`"));
        let nowhere = r#"{"type":"ruling","board":1027,"void":true}"#;
        assert!(parse(nowhere.as_bytes()).unwrap_err().to_string().contains("missing field `game`"));
    }
}
