//! An arbiter's word: what was played, whatever the board showed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{result, value::Outcome};

/// What an arbiter ruled of one game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "ToldRuling", into = "ToldRuling")]
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
    /// The result of the game; none is `*`.
    Result(Option<Outcome>),
    /// There never was such a game.
    Void,
    /// Earlier rulings are taken back: those on the ply, without one those on the game as a whole.
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
            (Ruled::Result(result), _) => result.map_or("*", Outcome::text).to_owned(),
            (Ruled::Void, _) => "no game".to_owned(),
            (_, Some(ply)) => format!("nothing at ply {ply}"),
            (_, None) => "nothing".to_owned(),
        }
    }
}

/// The fields of a ruling as a record has them.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct ToldRuling {
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
    result: Option<ToldResult>,
    /// There never was such a game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    void: bool,
    /// Earlier rulings are taken back: those on the ply, without one those on the game as a whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    withdraw: bool,
    /// Why, in the arbiter's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A result that may be open, `*`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct ToldResult(
    #[serde(with = "result")]
    #[schemars(schema_with = "super::schema::result_or_open")]
    Option<Outcome>,
);

impl TryFrom<ToldRuling> for Ruling {
    type Error = &'static str;

    fn try_from(told: ToldRuling) -> Result<Ruling, Self::Error> {
        let ToldRuling { ply, uci, san, notation, fen, result, void, withdraw, note } = told;
        let said = [
            uci.map(Ruled::Uci),
            san.map(Ruled::San),
            notation.map(Ruled::Notation),
            fen.map(Ruled::Fen),
            result.map(|ToldResult(result)| Ruled::Result(result)),
            void.then_some(Ruled::Void),
            withdraw.then_some(Ruled::Withdraw),
        ];
        let mut said = said.into_iter().flatten();
        let (Some(ruled), None) = (said.next(), said.next()) else {
            return Err("a ruling says one of `uci`, `san`, `notation`, `fen`, `result`, `void`, `withdraw`");
        };
        match (&ruled, ply) {
            (_, Some(0)) => Err("plies count from 1"),
            (Ruled::Result(_) | Ruled::Void, Some(_)) => Err("a ruling on a whole game has no `ply`"),
            (Ruled::Uci(_) | Ruled::San(_) | Ruled::Notation(_) | Ruled::Fen(_), None) => {
                Err("missing field `ply`")
            }
            _ => Ok(Ruling { ply, ruled, note }),
        }
    }
}

impl From<Ruling> for ToldRuling {
    fn from(Ruling { ply, ruled, note }: Ruling) -> ToldRuling {
        let told = ToldRuling { ply, note, ..ToldRuling::default() };
        match ruled {
            Ruled::Uci(uci) => ToldRuling { uci: Some(uci), ..told },
            Ruled::San(san) => ToldRuling { san: Some(san), ..told },
            Ruled::Notation(notation) => ToldRuling { notation: Some(notation), ..told },
            Ruled::Fen(fen) => ToldRuling { fen: Some(fen), ..told },
            Ruled::Result(result) => ToldRuling { result: Some(ToldResult(result)), ..told },
            Ruled::Void => ToldRuling { void: true, ..told },
            Ruled::Withdraw => ToldRuling { withdraw: true, ..told },
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
    fn every_form_reads_and_is_written_as_it_was() {
        let forms = [
            r#""ply":41,"uci":"e7e3""#,
            r#""ply":41,"san":"Re3+","note":"seen by the arbiter""#,
            r#""ply":7,"notation":"c3:e5""#,
            r#""ply":41,"fen":"8/8/8/8/8/4k3/8/4K2R w K - 0 60""#,
            r#""result":"1/2-1/2""#,
            r#""result":"*""#,
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
    fn a_ruling_says_one_thing_of_what_it_can_be_about() {
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
