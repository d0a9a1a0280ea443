//! The tags of a game: for one from a board they come from a roster or pairings; and the order in which all are written.

use std::collections::{BTreeMap, BTreeSet};

use super::{ending::FORFEIT, fen, game_ids};
use crate::{
    format::{
        boards_of,
        game::{Game, Kept, Key},
        roster::Seat,
    },
    record::{CHESS_START, End, EndReason, Rules, Tags, Zone},
};

const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Data of games besides the records of boards.
#[derive(Debug, Clone, Default)]
pub struct Dress {
    /// The seats.
    pub seats: Vec<Seat>,
    /// The round, for all games.
    pub round: Option<String>,
    /// Tags for all games, before all others.
    pub given: Vec<(String, String)>,
    /// The zone of the dates of all games, instead of their own.
    pub zone: Option<Zone>,
}

/// The differences between a roster and the boards that have played.
#[derive(Debug, Default)]
pub struct Fit {
    /// Boards without a seat.
    pub nameless: BTreeSet<Key>,
    /// Seats without a board that has played; and whether these are all seats.
    pub idle: BTreeSet<Key>,
    pub is_all_idle: bool,
    /// Seats without a line, of boards of several lines.
    pub shared: BTreeSet<Key>,
    /// Names at several boards of a round, but not at all boards, as the player of a simul is.
    pub twice: BTreeMap<String, BTreeSet<Key>>,
}

impl Fit {
    /// A message where boards may have the names of others.
    pub fn ambiguity(&self) -> Option<String> {
        (!self.shared.is_empty()).then(|| {
            format!(
                "boards of several lines have the names of {}, though one of them alone can be meant: a roster with a column \
                 `line` says which",
                boards_of(&self.shared)
            )
        })
    }
}

impl Dress {
    /// The tags of a game, the `nth` of its board, from 0. Broadcast servers recognise a game by GameId, Round and Board,
    /// so every game has them; unknown values are question marks.
    fn tags<P: Kept>(&self, game: &Game<P>, nth: usize) -> Tags {
        let mut tags = Tags::default();
        let (line, board) = (game.key.0.as_deref(), game.key.1);
        if let Some(board) = board {
            tags.set("Board", board.to_string());
        }
        if let Some(time) = game.time {
            let own = || game.start.zone.as_deref().and_then(Zone::named);
            let zone = self.zone.clone().or_else(own).unwrap_or_default();
            tags.set("Date", zone.date(time));
            tags.set("UTCDate", Zone::default().date(time));
            tags.set("UTCTime", &time.to_string()[11..19]);
        }
        for (name, value) in self.seat(game, nth).into_iter().flat_map(|seat| &seat.tags) {
            tags.set(name, value.as_str());
        }
        if let Some(round) = &self.round {
            tags.set("Round", round.as_str());
        }
        for (name, value) in &self.given {
            tags.set(name, value.as_str());
        }
        let began = || game.time.map_or_else(|| game.number.to_string(), |time| time.compact());
        let own = || {
            let names = line.map(str::to_owned).into_iter().chain(board.map(|b| b.to_string()));
            names.chain([began()]).collect::<Vec<_>>().join("-")
        };
        // The time at which the game of a pairing will begin is unknown.
        let in_id = ["Board", "Round", "Event"];
        let has_own = self.has_own(game, nth, &in_id, |a, b| game_ids::words(a) == game_ids::words(b));
        let id = has_own.then(|| game_ids::of_table(&tags)).flatten();
        let id = id.or_else(|| (!game.is_pairing).then(own));
        id.into_iter().for_each(|id| tags.set("GameId", id));
        tags
    }

    /// The pairings of every board of the round. None where there are several rounds and none is asked for, since the next
    /// one is unknown.
    pub fn pairings<P: Kept>(&self, rules: Rules) -> Vec<Game<P>> {
        let seats: Vec<&Seat> = self.of_round().collect();
        let rounds: BTreeSet<&str> = seats.iter().filter_map(|seat| seat.tag("Round")).collect();
        if self.round.is_none() && rounds.len() > 1 {
            return Vec::new();
        }
        let key = |seat: &&Seat| (seat.line.as_deref().map(Into::into), Some(seat.board));
        let keys: BTreeSet<Key> = seats.iter().map(key).collect();
        let pairing = |key| {
            let mut pairing = Game::pairing(key, rules);
            self.put_on(&mut pairing, 0);
            pairing
        };
        keys.into_iter().map(pairing).collect()
    }

    /// Gives a game that has begun its tags, in place of those of an earlier dress; a game of a file keeps its own.
    pub fn put_on<P: Kept>(&self, game: &mut Game<P>, nth: usize) {
        if game.is_of_board() {
            let known_by = game.start.tags.get("GameId").map(str::to_owned);
            game.start.tags = self.tags(game, nth);
            // Broadcast servers identify the game by this tag: it stays the same when the players change.
            known_by.into_iter().for_each(|id| game.start.tags.set("GameId", id));
            let is_given = self.given.iter().any(|(name, _)| name == "Board");
            game.has_table =
                is_given || self.has_own(game, nth, &["Board", "Round"], |a, b| leading(a) == leading(b));
        } else {
            self.given.iter().for_each(|(name, value)| game.start.tags.set(name, value.as_str()));
        }
    }

    /// Compares the seats of the round asked for with the boards that have played.
    pub fn fit(&self, played: &BTreeSet<Key>) -> Fit {
        let is_named = |key: &&Key| self.of_round().any(|seat| fits(seat, key));
        let nameless = played.iter().filter(|key| !is_named(key)).cloned().collect();
        let mut fit = Fit { nameless, is_all_idle: true, ..Fit::default() };
        let mut named: BTreeMap<(Option<&str>, &str), BTreeSet<Key>> = BTreeMap::new();
        for seat in self.of_round() {
            let keys: Vec<&Key> = played.iter().filter(|key| fits(seat, key)).collect();
            fit.is_all_idle &= keys.is_empty();
            let has_own = |key: &&&Key| self.of_round().any(|seat| seat.line.is_some() && fits(seat, key));
            let key: Key = (seat.line.as_deref().map(Into::into), Some(seat.board));
            // Shorter ones are placeholders: NN, bye.
            for name in
                ["White", "Black"].into_iter().filter_map(|tag| seat.tag(tag)).filter(|name| name.len() > 3)
            {
                named.entry((seat.tag("Round"), name)).or_default().insert(key.clone());
            }
            if keys.is_empty() {
                fit.idle.insert(key);
            } else if keys.len() > 1 && keys.len() - keys.iter().filter(has_own).count() > 1 {
                fit.shared.insert(key);
            }
        }
        let of_round =
            |round: Option<&str>| self.of_round().filter(|seat| seat.tag("Round") == round).count();
        named.retain(|(round, _), boards| boards.len() > 1 && boards.len() < of_round(*round));
        fit.twice = named.into_iter().map(|((_, name), boards)| (name.to_owned(), boards)).collect();
        fit
    }

    /// The seats of the round asked for.
    pub fn of_round(&self) -> impl Iterator<Item = &Seat> {
        let asked = |seat: &&Seat| match (&self.round, seat.tag("Round")) {
            (Some(asked), Some(round)) => asked == round,
            _ => true,
        };
        self.seats.iter().filter(asked)
    }

    /// The roster's seat for a board: of the round asked for, else the `nth` for that board, or the last.
    pub fn seat<P: Kept>(&self, game: &Game<P>, nth: usize) -> Option<&Seat> {
        let mut seats: Vec<&Seat> = self.of_round().filter(|seat| fits(seat, &game.key)).collect();
        // A seat with this line, or the round asked for, comes before one without.
        let of_line = |seat: &&Seat| seat.line.is_some();
        let of_round = |seat: &&Seat| self.round.is_some() && seat.tag("Round").is_some();
        if seats.iter().any(of_line) {
            seats.retain(of_line);
        }
        if seats.iter().any(of_round) {
            seats.retain(of_round);
        }
        seats.get(nth.min(seats.len().checked_sub(1)?)).copied()
    }

    /// Whether the roster gives a game a table that no other seat of the round has: by these tags, of which `is_same`
    /// compares two values.
    fn has_own<P: Kept>(
        &self,
        game: &Game<P>,
        nth: usize,
        tags: &[&str],
        is_same: impl Fn(&str, &str) -> bool,
    ) -> bool {
        let Some(seat) = self.seat(game, nth).filter(|seat| seat.tag("Board").is_some()) else {
            return false;
        };
        let same = |name: &str, other: &Seat| match (self.value(seat, name), self.value(other, name)) {
            (Some(a), Some(b)) => is_same(a, b),
            (a, b) => a == b,
        };
        let same_table =
            |other: &&Seat| other.tag("Board").is_some() && tags.iter().all(|tag| same(tag, other));
        self.of_round().filter(same_table).count() == 1
    }

    /// The value of a tag of the game at a seat, if the roster has it.
    fn value<'a>(&'a self, seat: &'a Seat, name: &str) -> Option<&'a str> {
        let given = self.given.iter().rfind(|(tag, _)| tag == name).map(|(_, value)| &value[..]);
        let round = || self.round.as_deref().filter(|_| name == "Round");
        given.or_else(round).or_else(|| seat.tag(name))
    }
}

/// Whether a seat is of this board.
fn fits(seat: &Seat, (line, board): &Key) -> bool {
    Some(seat.board) == *board && (seat.line.is_none() || seat.line.as_deref() == line.as_deref())
}

/// The tags in the order of the export format: the seven of the roster, the start position, all others.
pub fn tag_pairs<'a, P: Kept>(game: &'a Game<P>, result: &'a str) -> Vec<(&'a str, &'a str)> {
    let Tags(given) = &game.start.tags;
    let value = |name: &str| game.start.tags.get(name);
    let roster =
        |(name, unknown)| (name, if name == "Result" { result } else { value(name).unwrap_or(unknown) });
    let mut pairs: Vec<(&str, &str)> = ROSTER.into_iter().map(roster).collect();
    if game.start.rules == Rules::Chess960 && value("Variant").is_none() {
        pairs.push(("Variant", "Chess960"));
    }
    let is_usual = game.start.fen == CHESS_START && game.start.rules != Rules::Chess960;
    if !is_usual && !game.start.fen.is_empty() && value("FEN").is_none() {
        pairs.extend([("SetUp", "1"), ("FEN", &game.start.fen)]);
    }
    // A file may have SetUp without FEN.
    let written: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
    let rest = given.iter().filter(|(name, _)| !written.contains(&&name[..]));
    pairs.extend(rest.map(|(name, value)| match &name[..] {
        "FEN" => (&name[..], fen::as_others_read(value, &game.start.fen)),
        name => (name, &value[..]),
    }));
    if value("Termination").is_none()
        && let Some(end) = &game.end
        && let Some(termination) = termination(end)
    {
        pairs.push(("Termination", termination));
    }
    pairs
}

/// The standard's word for the end of a game.
fn termination(end: &End) -> Option<&'static str> {
    match end.reason {
        _ if end.forfeit => Some(FORFEIT),
        // A longer input withdraws this end.
        EndReason::Tag | EndReason::InputEnd => None,
        EndReason::Flag => Some("time forfeit"),
        _ if end.result.is_none() => Some("unterminated"),
        _ => Some("normal"),
    }
}

/// The round and the number of a game in a folder of LiveChess, from its tags: `Round "1.5"` is board 5 of
/// round 1. A game without a round has `nth` + 1, one without a board has its address.
pub fn folder_and_number(game: &Game, nth: usize) -> (u32, u32) {
    let (table, round) = table_and_round(game);
    let number = table.or_else(|| game.key.1.map(u32::from));
    (round.unwrap_or(nth as u32 + 1), number.unwrap_or(game.number))
}

/// The numbers of the table and the round of a game, if its tags have them: the address of its board is no table.
pub fn table_and_round(game: &Game) -> (Option<u32>, Option<u32>) {
    let tag = |name: &str| game.start.tags.get(name).unwrap_or_default();
    let table = leading(tag("Board")).filter(|_| game.has_table || game.key.1.is_none());
    (table.or_else(|| leading(tag("Round").split_once('.')?.1)), leading(tag("Round")))
}

/// The number at the beginning of a value.
fn leading(text: &str) -> Option<u32> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        format::{games::Games, roster},
        record::{GameRecord, Record, parse},
    };

    fn dress(roster: &str) -> Dress {
        Dress { seats: roster::parse(roster).unwrap().seats, ..Dress::default() }
    }

    /// A game that begins on board 7 of a line.
    fn begin(line: &str) -> GameRecord {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let text = format!(
            "{{\"type\":\"game\",\"line\":\"{line}\",\"board\":7,\"game\":1,\"rules\":\"chess\",\"fen\":\"{fen}\"}}"
        );
        match parse(text.as_bytes()) {
            Ok(Record::Game(record)) => record,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_game_keeps_its_id() {
        let (before, after) =
            (dress("board,white,black\n7,A,B\n"), dress("board,table,white,black\n7,1,C,B\n"));
        let mut games: Games = Games::default();
        let (nth, game) = games.apply(begin("a")).unwrap();
        before.put_on(game, nth);
        game.start.tags.set("GameId", "open-3-1");
        let (records, revision) = (games.records(), games.in_order().next().unwrap().1.revision);
        let of = |games: &Games, name: &str| {
            let (_, game) = games.in_order().next().unwrap();
            game.start.tags.get(name).unwrap_or_default().to_owned()
        };
        games.dress_again(|game, nth| before.put_on(game, nth)).unwrap();
        assert_eq!((games.records(), of(&games, "White")), (records, "A".into()));
        games.dress_again(|game, nth| after.put_on(game, nth)).unwrap();
        assert_eq!((of(&games, "White"), of(&games, "Board")), ("C".into(), "1".into()));
        assert!(games.records() > records && games.in_order().next().unwrap().1.revision > revision);
        let (nth, game) = games.apply(begin("a")).unwrap();
        before.put_on(game, nth);
        assert_eq!((of(&games, "White"), of(&games, "Board")), ("A".into(), "7".into()));
        assert_eq!(of(&games, "GameId"), "open-3-1");
    }

    #[test]
    fn specific_seats_come_before_general_ones() {
        let white = |dress: &Dress, line: &str, nth: usize| {
            let mut games: Games = Games::default();
            let (_, game) = games.apply(begin(line)).unwrap();
            dress.put_on(game, nth);
            game.start.tags.get("White").map(str::to_owned).unwrap()
        };
        let of_lines = dress("board,line,white,black\n7,,A,B\n7,b,C,D\n");
        assert_eq!(
            [("a", 0), ("b", 0), ("b", 1)].map(|(line, nth)| white(&of_lines, line, nth)),
            ["A", "C", "C"]
        );
        let of_rounds = dress("board,round,white,black\n7,,A,B\n7,2,C,D\n");
        let of_round = |round: &str| Dress { round: Some(round.to_owned()), ..of_rounds.clone() };
        assert_eq!([of_round("1"), of_round("2")].map(|dress| white(&dress, "a", 0)), ["A", "C"]);
        assert_eq!([0, 1].map(|nth| white(&of_rounds, "a", nth)), ["A", "C"]);
    }
}
