//! The verdict on each table: its players, the shown result, and why a person should check it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    format::{
        game::{Game, Key},
        games::Games,
        pgn::Dress,
        roster::Seat,
        words,
    },
    record::{End, EndReason, Move, Outcome, Ruled, Time},
};

/// A game whose last move is less likely than this has no certain end.
const SURE: f64 = 0.9;

/// A result, and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub outcome: Outcome,
    /// One side, or both, lost without play.
    pub forfeit: bool,
    /// The source in one word: `kings`, `ruled`, …
    pub reason: &'static str,
}

impl Shown {
    fn of(end: &End) -> Option<Shown> {
        let reason = words::of_end(end.reason).unwrap_or("end");
        end.result.map(|outcome| Shown { outcome, forfeit: end.forfeit, reason })
    }

    /// The result as people write it, forfeits as tables do.
    pub fn text(&self) -> &'static str {
        match (self.outcome, self.forfeit) {
            (Outcome::WhiteWins, true) => "+/-",
            (Outcome::BlackWins, true) => "-/+",
            (Outcome::BothLose, true) => "-/-",
            (outcome, _) => outcome.text(),
        }
    }
}

/// The state of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No move yet.
    Waiting,
    /// The game is in play.
    Playing,
    /// It has just ended: play may continue.
    Young(Shown),
    /// It has ended for good.
    Sure(Shown),
    /// A person should check it: the shown result, if any, and the reason.
    Doubtful(Option<Shown>, String),
}

impl Verdict {
    /// The result that may be written.
    pub fn shown(&self, with_doubtful: bool) -> Option<&Shown> {
        match self {
            Verdict::Sure(shown) => Some(shown),
            Verdict::Doubtful(Some(shown), _) if with_doubtful => Some(shown),
            _ => None,
        }
    }
}

/// A table of the round.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub seat: Seat,
    /// The line of the board, where its game has one.
    pub line: Option<String>,
    /// The number of its game on the board, or of its next game; none where its game is not certain.
    pub game: Option<u32>,
    /// When it began.
    pub time: Option<Time>,
    pub plies: usize,
    /// The certainty of its least certain move.
    pub certainty: f64,
    pub verdict: Verdict,
}

impl Line {
    /// Its name in messages.
    pub fn words(&self) -> String {
        let tag = |name: &str| self.seat.tag(name).unwrap_or("?");
        let table = self.seat.tag("Board").map_or(String::new(), |table| format!("table {table}, "));
        format!("{table}board {}, {} - {}", self.seat.board, tag("White"), tag("Black"))
    }

    /// The number of the table, if it has one.
    pub fn number(&self) -> Option<u16> {
        self.seat.tag("Board")?.parse().ok()
    }

    /// What the table is called in lists: its number, or else the address of its board.
    pub fn table(&self) -> String {
        self.seat.tag("Board").map_or_else(|| self.seat.board.to_string(), str::to_owned)
    }
}

/// Data of the games besides their records.
#[derive(Debug, Default)]
pub struct Beside {
    /// Ends that have not settled.
    pub young: BTreeMap<(Key, u32), End>,
    /// The rulings, also on boards without a game: the number that the game has or would have, and its result.
    pub ruled: BTreeMap<(Key, u32), Shown>,
    /// The times between which the games of the round began: other games are of other rounds.
    pub span: [Option<Time>; 2],
}

impl Beside {
    /// Whether a game began in the time of the round.
    fn is_of_round(&self, game: &Game) -> bool {
        let [since, until] = self.span;
        let is_in =
            |time: Time| since.is_none_or(|since| time >= since) && until.is_none_or(|until| time < until);
        game.time.is_none_or(is_in)
    }

    fn ruled_of(&self, game: &Game) -> Option<Shown> {
        let (line, board) = &game.key;
        let of = |line: &Option<std::sync::Arc<str>>| self.ruled.get(&((line.clone(), *board), game.number));
        of(line).or_else(|| of(&None)).cloned()
    }
}

/// The tables of the round, in order.
pub fn lines(dress: &Dress, games: &Games, beside: &Beside) -> Vec<Line> {
    let seats: Vec<&Seat> = dress.of_round().collect();
    let mut of_seats: Vec<Vec<&Game>> = vec![Vec::new(); seats.len()];
    for (nth, game) in games.in_order().filter(|(_, game)| !game.is_pairing) {
        let seat = dress.seat(game, nth);
        let at = seat.and_then(|seat| seats.iter().position(|other| std::ptr::eq(*other, seat)));
        at.into_iter().for_each(|at| of_seats[at].push(game));
    }
    let next_round = next_round(&of_seats, beside);
    let mut lines: Vec<Line> =
        seats.iter().zip(of_seats).map(|(seat, games)| line(seat, &games, beside, next_round)).collect();
    let number =
        |line: &Line| line.seat.tag("Board").and_then(|table| table.parse().ok()).unwrap_or(u32::MAX);
    lines.sort_by_cached_key(|line| (number(line), line.seat.board));
    lines
}

/// The boards with a result in a game of the round, but without a pairing.
pub fn without_seat(dress: &Dress, games: &Games, beside: &Beside) -> Vec<u16> {
    let has_result = |game: &Game| game.end.as_ref().is_some_and(|end| end.result.is_some());
    let lost = games.in_order().filter(|(nth, game)| {
        !game.is_pairing && has_result(game) && beside.is_of_round(game) && dress.seat(game, *nth).is_none()
    });
    let boards: BTreeSet<u16> = lost.filter_map(|(_, game)| game.key.1).collect();
    boards.into_iter().collect()
}

/// The games of a board that may be of the round.
fn played<'a>(games: &[&'a Game], beside: &Beside) -> Vec<&'a Game> {
    let is_played = |game: &Game| {
        let has_result = game.end.as_ref().is_some_and(|end| end.result.is_some());
        !game.moves.is_empty() || has_result || ruled(game, beside).is_some()
    };
    games.iter().copied().filter(|game| beside.is_of_round(game) && is_played(game)).collect()
}

/// The time at which the first of several boards began another game: where the beginning of the round is not given, games
/// that were over by then may belong to the previous round.
fn next_round(of_seats: &[Vec<&Game>], beside: &Beside) -> Option<Time> {
    let several = of_seats.iter().map(|games| played(games, beside)).filter(|games| games.len() > 1);
    let began: Vec<Option<Time>> = several.map(|games| games.last().and_then(|game| game.time)).collect();
    let is_said = beside.span[0].is_some() || began.len() < 2;
    began.into_iter().flatten().min().filter(|_| !is_said)
}

fn line(seat: &Seat, games: &[&Game], beside: &Beside, next_round: Option<Time>) -> Line {
    let played = played(games, beside);
    // The number of the next game on a board without one.
    let next = games.iter().map(|game| game.number).max().unwrap_or(0) + 1;
    let (verdict, game) = match &played[..] {
        [] => (without_game(seat, next, beside), None),
        [game] => match (verdict(game, beside), next_round) {
            (Verdict::Sure(shown), Some(began)) if game.last < Some(began) => {
                let why = "it was over before other boards began their next games: --since has the time of the round";
                (doubt(Some(shown), why), Some(*game))
            }
            (verdict, _) => (verdict, Some(*game)),
        },
        // The beginning of the round was given: moves tried after its game show no result.
        [first, others @ ..]
            if beside.span[0].is_some() && others.iter().all(|game| is_without_result(game, beside)) =>
        {
            (verdict(first, beside), Some(*first))
        }
        several => {
            let what = "games on this board: which is of the round? Say with --since when it began, or have the others void";
            (doubt(None, &format!("{} {what}", several.len())), None)
        }
    };
    let certainty = game.map_or(1.0, |game| {
        game.moves.iter().filter_map(|m| m.certainty).fold(1.0, |least: f64, certainty| least.min(certainty))
    });
    Line {
        seat: seat.clone(),
        line: game.and_then(|game| game.key.0.as_deref()).or(seat.line.as_deref()).map(str::to_owned),
        game: game.map(|game| game.number).or(played.is_empty().then_some(next)),
        time: game.and_then(|game| game.time),
        plies: game.map_or(0, |game| game.moves.len()),
        certainty,
        verdict,
    }
}

/// The result that an arbiter ruled of a game.
fn ruled(game: &Game, beside: &Beside) -> Option<Shown> {
    let own = game.rulings.iter().find_map(|ruling| match ruling.ruled {
        Ruled::Result { result: Some(outcome), forfeit } if ruling.ply.is_none() => {
            Some(Shown { outcome, forfeit, reason: "ruled" })
        }
        _ => None,
    });
    own.or_else(|| beside.ruled_of(game))
}

fn is_without_result(game: &Game, beside: &Beside) -> bool {
    let has_result = game.end.as_ref().is_some_and(|end| end.result.is_some());
    let is_young = beside.young.contains_key(&(game.key.clone(), game.number));
    !has_result && !is_young && ruled(game, beside).is_none()
}

fn doubt(shown: Option<Shown>, why: &str) -> Verdict {
    Verdict::Doubtful(shown, why.to_owned())
}

/// A board without a game, on whose next game an arbiter may have ruled.
fn without_game(seat: &Seat, next: u32, beside: &Beside) -> Verdict {
    let is_of_seat = |(line, board): &Key| {
        *board == Some(seat.board)
            && (seat.line.is_none() || line.is_none() || seat.line.as_deref() == line.as_deref())
    };
    let found = beside.ruled.iter().filter(|((key, game), _)| is_of_seat(key) && *game >= next);
    let found: Vec<&Shown> = found.map(|(_, shown)| shown).collect();
    match &found[..] {
        [] => Verdict::Waiting,
        [shown] => Verdict::Sure((*shown).clone()),
        _ => doubt(None, "more than one result is ruled of this board, which has no game"),
    }
}

fn verdict(game: &Game, beside: &Beside) -> Verdict {
    if let Some(shown) = ruled(game, beside) {
        return Verdict::Sure(shown);
    }
    let young = beside.young.get(&(game.key.clone(), game.number)).and_then(Shown::of);
    if let Some(shown) = young {
        return Verdict::Young(shown);
    }
    let Some(end) = game.end.as_ref() else { return Verdict::Playing };
    let Some(shown) = Shown::of(end) else {
        return match end.reason {
            EndReason::InputEnd => Verdict::Playing,
            _ => doubt(None, "it is over, and the board showed no result"),
        };
    };
    let last = game.moves.last();
    let is_unsure = |m: &Move| m.guess || m.certainty.is_some_and(|certainty| certainty < SURE);
    let is_troubled = game.anomalies.iter().any(|anomaly| anomaly.ply as usize >= game.moves.len());
    // The winner, if the last move is mate.
    let mated = last.filter(|m| m.san.as_deref().is_some_and(|san| san.ends_with('#'))).map(|_| {
        let is_white = (game.moves.len() % 2 == 1) != game.black_begins();
        if is_white { Outcome::WhiteWins } else { Outcome::BlackWins }
    });
    let why = match end.reason {
        _ if mated.is_some_and(|winner| winner != shown.outcome) => {
            Some(format!("the board showed {}, but the last move is mate", shown.text()))
        }
        EndReason::Checkmate | EndReason::Stalemate | EndReason::NoMoves
            if last.is_some_and(is_unsure) || is_troubled =>
        {
            Some(format!("{} by a move that is not certain", shown.reason))
        }
        EndReason::Kings | EndReason::ResultPiece if is_troubled => {
            Some("what stood on the board at the end is not explained by its moves".into())
        }
        EndReason::Flag => Some("a flag fell, and the board showed no result".into()),
        EndReason::NewGame | EndReason::InputEnd | EndReason::Tag => {
            Some("the board showed no result".into())
        }
        _ => None,
    };
    match why {
        None => Verdict::Sure(shown),
        Some(why) => Verdict::Doubtful(Some(shown), why),
    }
}
