//! Game records: what was played.

use std::{borrow::Cow, collections::HashMap, fmt, sync::Arc};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
    ser::SerializeMap,
};

use super::{
    evaluation::Evaluation,
    result,
    ruling::Ruling,
    value::{Outcome, Placement, Seconds, Time},
};

/// A game record: an event with the fields common to all game records.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// When the host received the event; none from a reader of files.
    pub time: Option<Time>,
    /// The name of the line the board is on.
    pub line: Option<Arc<str>>,
    /// The board; none from a reader of files.
    pub board: Option<u16>,
    /// 1, 2, … for each board; readers of files count through all files of a run.
    pub game: u32,
    /// What happened.
    pub event: GameEvent,
    /// Its number among the reconstructed records of this line, from 1; none from a reader of files.
    pub seq: Option<u64>,
}

impl GameRecord {
    /// A record read from a file: without time and board.
    pub fn read_from_file(game: u32, event: GameEvent) -> GameRecord {
        GameRecord { time: None, line: None, board: None, game, event, seq: None }
    }
}

/// The event of a game record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(!untagged, tag = "type", rename_all = "lowercase"))]
pub enum GameEvent {
    /// A game began.
    Game(GameStart),
    /// A ply was played; a later record of the same game and ply replaces it.
    Move(Box<Move>),
    /// The game stands after an earlier ply.
    Takeback(Takeback),
    /// Something an arbiter should look at.
    Anomaly(Anomaly),
    /// The game is over, unless play goes on.
    End(End),
    /// An arbiter's ruling.
    Ruling(Box<Ruling>),
    /// An engine's evaluation of a position of the game.
    Evaluation(Box<Evaluation>),
}

impl GameEvent {
    /// Whether it is a ruling, which may be among the records of either layer.
    pub fn is_ruling(&self) -> bool {
        matches!(self, GameEvent::Ruling(_))
    }
}

/// The rules a game is played by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// Chess.
    Chess,
    /// Chess960, Fischer's random chess.
    Chess960,
    /// Russian draughts.
    Russian,
    /// Rules, or a start position, that are not known here.
    Other,
}

impl Rules {
    /// Whether PGN can represent its games: moves in SAN, positions as FEN with fields. Draughts have PDN.
    pub fn has_pgn(self) -> bool {
        match self {
            Rules::Chess | Rules::Chess960 | Rules::Other => true,
            Rules::Russian => false,
        }
    }
}

/// A game began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(try_from = "StartFields")]
#[cfg_attr(test, schemars(!try_from))]
pub struct GameStart {
    /// The rules.
    pub rules: Rules,
    /// The start position: FEN, for draughts PDN's, algebraic; for other rules as the file has it, or empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fen: String,
    /// The board stands turned by 180°.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rotated: bool,
    /// The time zone of the place, by IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Arc<str>>,
    /// Tags, when read from a file.
    #[serde(skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The comment before the first move, when read from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// The fields of a beginning in a record.
#[derive(Deserialize)]
struct StartFields {
    rules: Rules,
    fen: Option<String>,
    #[serde(default)]
    rotated: bool,
    zone: Option<Arc<str>>,
    #[serde(default)]
    tags: Tags,
    comment: Option<String>,
}

impl TryFrom<StartFields> for GameStart {
    type Error = &'static str;

    fn try_from(fields: StartFields) -> Result<GameStart, Self::Error> {
        let StartFields { rules, fen, rotated, zone, tags, comment } = fields;
        let fen = match fen {
            None if rules != Rules::Other => return Err("missing field `fen`"),
            fen => fen.unwrap_or_default(),
        };
        Ok(GameStart { rules, fen, rotated, zone, tags, comment })
    }
}

/// Tag pairs in the order of the file; written as an object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place when it is there, else at the end.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }
}

/// Up to this many tags are searched one by one: a game has some dozen.
const FEW: usize = 64;

/// An index of the tags that are collected at the end: a file may have tens of thousands in a game.
#[derive(Debug, Default)]
pub struct TagPlaces {
    /// The places of the first `known` tags, once there are more than a few.
    places: HashMap<String, usize>,
    known: usize,
}

impl TagPlaces {
    /// The place of the tag with this name among `tags`, which have only grown since the last call.
    pub fn find(&mut self, tags: &Tags, name: &str) -> Option<usize> {
        if tags.0.len() <= FEW {
            return tags.0.iter().position(|(known, _)| known == name);
        }
        for (at, (name, _)) in tags.0.iter().enumerate().skip(self.known) {
            self.places.entry(name.clone()).or_insert(at);
        }
        self.known = tags.0.len();
        self.places.get(name).copied()
    }
}

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tags, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tags")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let (mut tags, mut places) = (Tags::default(), TagPlaces::default());
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    match places.find(&tags, &name) {
                        Some(at) => tags.0[at].1 = value,
                        None => tags.0.push((name, value)),
                    }
                }
                Ok(tags)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A list of moves: a variation.
pub type Variation = Vec<Move>;

/// A ply was played.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default)]
pub struct Move {
    /// 1, 2, …; moves of a variation have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// Chess: the move in SAN; `--` for a null move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Chess: the move in UCI, castling as e1g1 (Chess960: the king takes its rook); `0000` for a null move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    /// Draughts: the move with its full path, "f4:d6:b8".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// Draughts: the squares of the path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Draughts: the squares of the captured, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub captured: Vec<String>,
    /// The position after the move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fen: String,
    /// The mover's clock after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Seconds>,
    /// Seconds used for the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed: Option<Seconds>,
    /// A gap in the data was bridged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guess: bool,
    /// A draw that could now be claimed: `threefold`, `fifty-moves`, for draughts the rule's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// PGN's numeric annotation glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// The comment before the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_before: Option<String>,
    /// The comment after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The comment after the move's variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_after: Option<String>,
    /// Alternatives to this move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// The probability that this was played, 0 to 1; none where that is above 0.9999, and from a reader of files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<f64>,
    /// Other moves that fit nearly as well, the likeliest first; only where the certainty is below 0.99.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// The charges and the rival of this move, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Box<Explain>>,
}

impl Move {
    /// Number and side in the usual form: `23.` is White's, `23...` Black's.
    pub fn number(&self) -> String {
        let ply = self.ply.unwrap_or(1);
        // Of the six fields of a FEN the second is the side to move, and the last the number.
        let turn = self.fen.split_once(' ').map(|(_, fields)| fields.as_bytes().first());
        let number = self.fen.rsplit_once(' ').and_then(|(_, number)| number.parse::<u32>().ok());
        match (turn.flatten(), number) {
            (Some(b'b'), Some(number)) => numbered(number.into(), true),
            (Some(b'w'), Some(number)) => numbered(number.saturating_sub(1).into(), false),
            // Draughts: the position begins with the side to move, and has no number.
            _ if self.fen.starts_with('B') => ply_number(ply, true),
            _ if self.fen.starts_with('W') => ply_number(ply, false),
            _ => ply_number(ply, ply % 2 == 1),
        }
    }
}

/// The move number of a ply in a game that begins with move 1, of either side, with the side.
pub fn ply_number(ply: u32, white: bool) -> String {
    // Where White has the even plies, Black began.
    let black_began = white == ply.is_multiple_of(2);
    numbered((u64::from(ply) + 1 + u64::from(black_began)) / 2, white)
}

/// A number in the usual form before a move of White or Black.
fn numbered(number: u64, white: bool) -> String {
    number.to_string() + if white { "." } else { "..." }
}

/// Another move that may have been what was played.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default)]
pub struct Alternative {
    /// Chess: the move in SAN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Chess: the move in UCI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    /// Draughts: the move with its full path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// Its probability, 0 to 1.
    pub certainty: f64,
}

/// The evidence for a move of a reconstructed game.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default)]
pub struct Explain {
    /// The deviations it was charged with, and those since the move before it, each with what it cost.
    pub charges: Vec<(Cow<'static, str>, f64)>,
    /// The best other explanation's move at this ply, in UCI or in the notation of draughts; none where that has no
    /// such ply, or where there is no other explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// By how much that other explanation costs more, when the move was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<f64>,
}

/// The game stands after an earlier ply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Takeback {
    /// The last ply that stands, 0 for none; later ones are withdrawn.
    pub ply: u32,
    /// Why; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<TakebackReason>,
}

impl Takeback {
    /// The takeback to this ply, for this reason.
    pub fn to(ply: u32, reason: TakebackReason) -> Takeback {
        Takeback { ply, reason: Some(reason) }
    }
}

/// Why plies that were published are withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TakebackReason {
    /// A better explanation was found: something else was played.
    Corrected,
    /// The players took them back.
    TakenBack,
    /// Play went on after an end, and its last move was withdrawn.
    Resumed,
    /// The players analysed the game, which is no part of it.
    LookedAt,
    /// Pieces were set up.
    SetUp,
    /// An arbiter ruled.
    Ruled,
    /// A reason that this version does not recognise.
    #[serde(other)]
    Other,
}

/// Something an arbiter should look at; the game goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Anomaly {
    /// The last good ply before it.
    pub ply: u32,
    /// Its class.
    pub kind: AnomalyKind,
    /// What stood on the board, as the players see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// A description in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What was left unread of a file because of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// Its place in the input, `file:line`; writers of files leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Anomaly {
    /// An anomaly after the ply `ply`, in words.
    pub fn new(ply: u32, kind: AnomalyKind, detail: impl Into<String>) -> Anomaly {
        Anomaly { ply, kind, placement: None, detail: detail.into(), unread: None, source: None }
    }
}

/// Classes of anomalies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AnomalyKind {
    /// A position that one illegal move explains.
    Illegal,
    /// A position that nothing explains.
    Unexplained,
    /// Moves are missing.
    Gap,
    /// Text that is no move.
    Unreadable,
}

impl AnomalyKind {
    /// Its name in the records.
    pub fn name(self) -> &'static str {
        match self {
            AnomalyKind::Illegal => "illegal",
            AnomalyKind::Unexplained => "unexplained",
            AnomalyKind::Gap => "gap",
            AnomalyKind::Unreadable => "unreadable",
        }
    }
}

/// The game is over: final when the next one on its board has begun, taken back by play that goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct End {
    /// The result; none is written `*`.
    #[serde(with = "result")]
    #[cfg_attr(test, schemars(schema_with = "super::schema::result_or_open"))]
    pub result: Option<Outcome>,
    /// How it became known.
    pub reason: EndReason,
    /// One side, or with 0-0 both, lost without play, or by being absent: `+` and `-` in tables.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// Play will not go on: the pieces or the clock were put away since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settled: bool,
}

impl End {
    /// The end of a game without a result that the next one on its board ended.
    pub const BY_THE_NEXT: End = End::of(None, EndReason::NewGame);

    /// The end of a game that was played.
    pub const fn of(result: Option<Outcome>, reason: EndReason) -> End {
        End { result, reason, forfeit: false, settled: false }
    }

    /// Whether play may take it back: not where another game has begun or a flag fell, nor where it has settled.
    pub fn may_be_withdrawn(&self) -> bool {
        match self.reason {
            EndReason::Kings
            | EndReason::ResultPiece
            | EndReason::Checkmate
            | EndReason::Stalemate
            | EndReason::NoMoves => !self.settled,
            EndReason::Flag | EndReason::NewGame | EndReason::InputEnd | EndReason::Tag => false,
        }
    }
}

/// How the end of a game became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The kings were put in the centre.
    Kings,
    /// A result piece was put on the board.
    ResultPiece,
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Draughts: the side to move has no move.
    NoMoves,
    /// A flag fell.
    Flag,
    /// The next game began.
    NewGame,
    /// The input ended; a longer input takes it back.
    InputEnd,
    /// The file's Result tag or terminator.
    Tag,
}
