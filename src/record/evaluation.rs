//! An engine's evaluation of a position of a game.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An engine's evaluation of the position after a ply. A later one of the ply replaces it, and it goes with its move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(try_from = "EvaluationFields", into = "EvaluationFields")]
pub struct Evaluation {
    /// The ply after which the position stands, from 1.
    pub ply: u32,
    /// The score.
    pub score: Score,
    /// The score is no more than a bound, as White sees it.
    pub bound: Option<Bound>,
    /// How deep the engine looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// The best line in UCI, as in the field `uci` of moves.
    pub pv: Vec<String>,
    /// The engine, by its own name.
    pub engine: Option<String>,
}

/// Who stands better, as White sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// In hundredths of a pawn; more than 0 is good for White.
    Cp(i32),
    /// Mate in so many moves: White's, or with less than 0 Black's. Never 0.
    Mate(i32),
}

impl Score {
    /// The same score as the other side sees it.
    pub fn reversed(self) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp(cp.saturating_neg()),
            Score::Mate(mate) => Score::Mate(mate.saturating_neg()),
        }
    }

    /// As people and PGN's `%eval` write it: `0.31`, `-1.20`, `#-3`.
    pub fn text(self) -> String {
        match self {
            Score::Cp(cp) => {
                let sign = if cp < 0 { "-" } else { "" };
                format!("{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
            }
            Score::Mate(mate) => format!("#{mate}"),
        }
    }
}

/// The side of a bound, where the engine has not found the exact score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// White stands at least as well.
    Lower,
    /// White stands at most as well.
    Upper,
}

/// The fields of an evaluation as a record has them.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct EvaluationFields {
    /// The ply after which the position stands, from 1.
    ply: u32,
    /// The score in hundredths of a pawn; more than 0 is good for White.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Instead: mate in so many moves, White's, or with less than 0 Black's.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// The score is no more than a bound: White stands at least (`lower`) or at most (`upper`) as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Bound>,
    /// How deep the engine looked, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// How many positions it looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// The best line in UCI, castling as in the moves of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pv: Vec<String>,
    /// The engine, by its own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
}

impl TryFrom<EvaluationFields> for Evaluation {
    type Error = &'static str;

    fn try_from(read: EvaluationFields) -> Result<Evaluation, Self::Error> {
        let EvaluationFields { ply, cp, mate, bound, depth, nodes, pv, engine } = read;
        let score = match (cp, mate) {
            _ if ply == 0 => return Err("plies count from 1"),
            (_, Some(0)) => return Err("`mate` is never 0: a position that is mate has no evaluation"),
            (Some(cp), None) => Score::Cp(cp),
            (None, Some(mate)) => Score::Mate(mate),
            _ => return Err("an evaluation has one of `cp`, `mate`"),
        };
        Ok(Evaluation { ply, score, bound, depth, nodes, pv, engine })
    }
}

impl From<Evaluation> for EvaluationFields {
    fn from(evaluation: Evaluation) -> EvaluationFields {
        let Evaluation { ply, score, bound, depth, nodes, pv, engine } = evaluation;
        let (cp, mate) = match score {
            Score::Cp(cp) => (Some(cp), None),
            Score::Mate(mate) => (None, Some(mate)),
        };
        EvaluationFields { ply, cp, mate, bound, depth, nodes, pv, engine }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, parse};

    fn evaluation(fields: &str) -> String {
        format!(r#"{{"type":"evaluation","line":"hall-1","board":1027,"game":2,{fields}}}"#)
    }

    #[test]
    fn every_form_is_written_as_it_was_read() {
        let forms = [
            r#""ply":41,"cp":31,"depth":18,"nodes":100021,"pv":["g1f3","d7d5"],"engine":"Stockfish 15.1""#,
            r#""ply":1,"cp":-31,"bound":"upper","depth":18"#,
            r#""ply":2,"mate":-3,"bound":"lower""#,
            r#""ply":2,"cp":0"#,
        ];
        for line in forms.map(evaluation) {
            let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
        }
    }

    #[test]
    fn an_evaluation_has_exactly_one_score() {
        let error = |fields| parse(evaluation(fields).as_bytes()).unwrap_err().to_string();
        assert!(error(r#""ply":41,"depth":7"#).contains("one of `cp`, `mate`"));
        assert!(error(r#""ply":41,"cp":7,"mate":7"#).contains("one of `cp`, `mate`"));
        assert!(error(r#""ply":41,"mate":0"#).contains("never 0"));
        assert!(error(r#""ply":0,"cp":7"#).contains("from 1"));
        assert!(error(r#""cp":7"#).contains("missing field `ply`"));
        assert!(error(r#""ply":1,"cp":7,"bound":"left""#).contains("`left`"));
    }

    #[test]
    fn a_score_is_written_as_in_pgn() {
        for (score, text) in [
            (Score::Cp(31), "0.31"),
            (Score::Cp(-5), "-0.05"),
            (Score::Cp(0), "0.00"),
            (Score::Cp(-1234), "-12.34"),
            (Score::Cp(i32::MIN), "-21474836.48"),
            (Score::Mate(3), "#3"),
            (Score::Mate(-1), "#-1"),
        ] {
            assert_eq!(score.text(), text);
        }
        assert_eq!(Score::Mate(-3).reversed(), Score::Mate(3));
    }
}
