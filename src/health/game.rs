//! The game on a board as the game records tell it: where its pieces should stand, what of it was guessed, what nothing
//! explains.

use std::collections::VecDeque;

use super::{
    clock::ClockWatch, exchanged::Exchanged, limits, looked_at::LookedAt, series::Series, squares::holds,
};
use crate::{
    draughts::Position,
    record::{End, GameEvent, GameRecord, Move, Piece, Placement, Ruled, Time},
};

/// What should stand on a board, by its own numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// Squares with a piece, bit n for field n.
    pub occupied: u64,
    /// Which pieces; of draughts anything may stand for a man.
    pieces: Option<Placement>,
}

impl Expected {
    /// What a FEN of chess or draughts has; none where it is neither.
    fn of(fen: &str, rotated: bool) -> Option<Expected> {
        // One of draughts begins with whose turn it is, and a colon.
        let (mut occupied, pieces) = if fen.as_bytes().get(1) == Some(&b':') {
            (fen.parse::<Position>().ok()?.occupied(), None)
        } else {
            let placement = Placement::of_fen(fen)?;
            (placement.occupied(), Some(placement))
        };
        if rotated {
            occupied = occupied.reverse_bits();
        }
        let pieces = pieces.map(|pieces| if rotated { pieces.turned() } else { pieces });
        Some(Expected { occupied, pieces })
    }

    /// Whether this stands.
    fn is(&self, stands: &Placement) -> bool {
        match &self.pieces {
            Some(pieces) => pieces == stands,
            None => stands.occupied() == self.occupied,
        }
    }

    /// On how many squares something else stands.
    fn differing(&self, stands: &Placement) -> u32 {
        match &self.pieces {
            Some(pieces) => pieces.differing(stands).count() as u32,
            None => (stands.occupied() ^ self.occupied).count_ones(),
        }
    }

    /// Whether this stands but for squares that say nothing, and for pawns that stand for queens: what a dead square does not
    /// show is no flaw of the game.
    fn is_all_that_shows(&self, stands: &Placement, silent: u64) -> bool {
        let code = |on: &Placement, square| on.get(square).map_or(0, Piece::code);
        let stands_for =
            |pieces, square| matches!((code(pieces, square), code(stands, square)), (6, 1) | (12, 7));
        match &self.pieces {
            Some(pieces) => {
                pieces.differing(stands).all(|square| holds(silent, square) || stands_for(pieces, square))
            }
            None => (stands.occupied() ^ self.occupied) & !silent == 0,
        }
    }
}

/// The board stands otherwise than the game.
#[derive(Debug, Clone)]
struct Mismatch {
    since: Option<Time>,
    /// Behind which ply.
    behind: String,
    /// Presses since: the game went on. Without a clock nothing tells it from a look at the game when that is over.
    presses: u32,
    /// It lasted while the game went on, and is counted.
    lasted: bool,
}

impl Mismatch {
    /// Whether it has been there for so long that it is one.
    fn is_long(&self, now: Option<Time>) -> bool {
        self.since.zip(now).is_some_and(|(since, now)| since.seconds_until(now) >= limits::MISMATCH)
    }
}

/// Moves of which it is not sure that they were played.
#[derive(Debug, Clone, Default)]
pub struct Unsure {
    /// Plies of the game in play.
    open: Vec<UnsurePly>,
    /// Those of games that are over: how many, when the first was, and what the last was.
    closed: (u64, Option<Time>, String),
}

/// A ply of the game in play that may have been another.
#[derive(Debug, Clone)]
struct UnsurePly {
    ply: u32,
    time: Option<Time>,
    name: String,
    /// The players played it, and do not look at the game: beside a clock it was pressed for it, or behind it; without one many
    /// plies were.
    played: bool,
}

impl Unsure {
    fn played(&self) -> impl DoubleEndedIterator<Item = &UnsurePly> {
        self.open.iter().filter(|unsure| unsure.played)
    }

    /// How many there are,
    pub fn count(&self) -> u64 {
        self.closed.0 + self.played().count() as u64
    }

    /// when the first was,
    pub fn first(&self) -> Option<Time> {
        self.closed.1.or_else(|| self.played().next()?.time)
    }

    /// and what the last was.
    pub fn last(&self) -> &str {
        self.played().next_back().map_or(&self.closed.2, |unsure| &unsure.name)
    }

    fn add(&mut self, unsure: UnsurePly) {
        if self.open.len() < limits::PLIES {
            self.open.push(unsure);
        }
    }

    fn press(&mut self) {
        self.open.iter_mut().for_each(|unsure| unsure.played = true);
    }

    /// Without a clock: the game has come to this ply.
    fn go_on(&mut self, to: u32) {
        let is_behind = |unsure: &&mut UnsurePly| unsure.ply + limits::PLIES_ON <= to;
        self.open.iter_mut().filter(is_behind).for_each(|unsure| unsure.played = true);
    }

    fn withdraw(&mut self, which: impl Fn(u32) -> bool) {
        self.open.retain(|unsure| !which(unsure.ply));
    }

    fn close(&mut self) {
        self.closed = (self.count(), self.first(), self.last().to_owned());
        self.open.clear();
    }
}

/// Where something was told.
#[derive(Debug, Clone, Copy)]
struct Watched {
    /// The board has a clock.
    with_clock: bool,
    /// The players look at a game that is over.
    looked_at: bool,
}

/// Something that no move explains and that may be put right.
#[derive(Debug, Clone)]
struct Open {
    since: Option<Time>,
    what: String,
    /// A clock was pressed since: the game went on.
    pressed: bool,
    /// So much stood otherwise that it came of no move.
    is_rearranged: bool,
}

/// What no move explains.
#[derive(Debug, Clone, Default)]
pub struct Anomalies {
    /// All of it.
    pub all: Series,
    /// The last of it.
    pub last: String,
    /// What was not put right,
    pub left: Series,
    /// and the last of that.
    pub last_left: String,
    /// What may be yet,
    open: Vec<Open>,
    /// and how many plies were told since.
    plies: u32,
    /// The last one, in which game: while it stands it may be told again behind every ply.
    told: Option<(u32, String)>,
    /// In which games the latest were.
    games: VecDeque<u32>,
    /// There were so many in so few games that they are none of the players'.
    pub are_many: bool,
}

impl Anomalies {
    fn add(&mut self, game: u32, time: Option<Time>, what: (&str, &str, bool), by: Watched) {
        let (behind, detail, is_rearranged) = what;
        if self.told.as_ref().is_some_and(|(told_in, told)| *told_in == game && told == detail) {
            return;
        }
        self.told = Some((game, detail.to_owned()));
        let what = format!("{behind}, {detail}");
        self.all.add(time);
        self.last.clone_from(&what);
        // Without a clock nothing tells a game from a look at it, of which there may be many behind one.
        let of_game = self.games.iter().filter(|counted| **counted == game).count();
        let counts = !by.looked_at && (by.with_clock || of_game < limits::ANOMALIES_OF_GAME);
        if counts {
            self.count(game);
        }
        self.plies = 0;
        // Beside a clock a press tells whether it is of the game.
        if self.open.len() < limits::ANOMALIES.0 && (by.with_clock || !by.looked_at) {
            self.open.push(Open { since: time, what, pressed: false, is_rearranged });
        }
    }

    /// A clock was pressed.
    fn press(&mut self) {
        self.open.iter_mut().for_each(|open| open.pressed = true);
    }

    /// One was in this game.
    fn count(&mut self, game: u32) {
        let (many, games) = limits::ANOMALIES;
        if self.games.len() == many {
            self.games.pop_front();
        }
        self.games.push_back(game);
        self.are_many |= self.games.len() == many && game - self.games[0] < games;
    }

    /// A ply was told. On a board without a clock the game goes on from what stood there, and they do not only look at it
    /// when it is over, where it is many; not even so where much was put elsewhere before them.
    fn go_on(&mut self, with_clock: bool) {
        self.plies += 1;
        if !with_clock && self.plies >= limits::PLIES_ON {
            self.are_left(|open| !open.is_rearranged);
            self.open.clear();
        }
    }

    /// The board stands as its game did before.
    fn are_put_right(&mut self) {
        self.open.clear();
        self.told = None;
    }

    /// The game went on from what these left.
    fn are_left(&mut self, which: impl Fn(&Open) -> bool) {
        for open in std::mem::take(&mut self.open) {
            if which(&open) {
                self.left.add(open.since);
                self.last_left = open.what;
            } else {
                self.open.push(open);
            }
        }
    }

    /// What was not put right up to now, or beside a clock has not been for long: how many, since when, and the last.
    pub fn unmended(&self, now: Option<Time>, with_clock: bool) -> (u32, Option<Time>, &str) {
        let long = |open: &&Open| {
            let long = open.since.zip(now).is_none_or(|(at, now)| at.seconds_until(now) >= limits::MISMATCH);
            with_clock && open.pressed && long
        };
        let open = || self.open.iter().filter(long);
        let first = self.left.first.or_else(|| open().next().and_then(|open| open.since));
        let last = open().next_back().map_or(&self.last_left, |open| &open.what);
        (self.left.count + open().count() as u32, first, last)
    }
}

/// What is known of the games on a board.
#[derive(Debug, Clone, Default)]
pub struct GameWatch {
    /// Games were told of.
    pub games: u32,
    /// So many of them never were.
    void: u32,
    /// The last is one of those.
    is_void: bool,
    /// The number of the last of them.
    number: Option<u32>,
    /// One is in play.
    open: bool,
    rotated: bool,
    /// Since when it explains all that the board showed: since it began, or since the last anomaly.
    explained_since: Option<Time>,
    /// What should stand after each ply of it, from the start on.
    plies: Vec<(Option<Expected>, String)>,
    /// Behind which ply the board last stood as its game.
    matched: String,
    mismatch: Option<Mismatch>,
    /// Mismatches that lasted, in a game that was played on.
    pub mismatches: Series,
    /// Where the last of them began.
    pub mismatched_behind: String,
    /// Those that began with pieces exchanged.
    pub exchanged: Exchanged,
    /// What no move explains.
    pub anomalies: Anomalies,
    /// Moves that were guessed.
    pub guessed: Unsure,
    /// Moves that another would explain nearly as well.
    pub doubtful: Unsure,
    /// Whether they are played, or looked at.
    pub looked_at: LookedAt,
}

impl GameWatch {
    /// Whether a game has begun and is not over; none where no game was told of.
    pub fn in_play(&self) -> Option<bool> {
        (self.games > 0).then_some(self.open)
    }

    /// How many games there were.
    pub fn count(&self) -> u32 {
        self.games - self.void - u32::from(self.is_void)
    }

    /// How many plies were told of the game in play.
    pub fn plies(&self) -> usize {
        if self.open { self.plies.len().saturating_sub(1) } else { 0 }
    }

    /// What should stand.
    pub fn expected(&self) -> Option<Expected> {
        self.plies.last().filter(|_| self.open)?.0
    }

    /// Since when the game in play explains all that the board has shown, if it does and should stand so.
    pub fn explains(&self, stands: &Placement) -> Option<Time> {
        self.expected().filter(|expected| expected.is(stands)).and(self.explained_since)
    }

    /// Whether a record is of the game that was told of last, or begins another. What is told behind it of an earlier one, a
    /// ruling say, changes nothing that counts.
    pub fn is_of_the_last(&self, record: &GameRecord) -> bool {
        matches!(record.event, GameEvent::Game(_)) || self.number.is_none_or(|number| number == record.game)
    }

    /// A record of the last game, or of one that begins; what no move explains while the clock stands is no part of it.
    pub fn record(
        &mut self,
        record: &GameRecord,
        stands: Option<&Placement>,
        silent: u64,
        clock: &ClockWatch,
    ) {
        let with_clock = clock.is_known();
        match &record.event {
            GameEvent::Game(start) => {
                self.close(with_clock);
                (self.open, self.rotated) = (true, start.rotated);
                self.explained_since = record.time;
                if self.number == Some(record.game) && self.is_void {
                    // It is told again.
                    self.games -= 1;
                } else {
                    self.void += u32::from(self.is_void);
                }
                self.is_void = false;
                self.games += 1;
                self.number = Some(record.game);
                self.looked_at.begins();
                let expected = Expected::of(&start.fen, start.rotated);
                self.exchanged.begins(expected.and_then(|from| from.pieces).as_ref(), record.time);
                self.plies = vec![(expected, "the start".to_owned())];
            }
            GameEvent::Move(played) => {
                // Play that goes on takes an end back; what repeats what is known does not.
                self.open |= played.ply.unwrap_or(0) as usize >= self.plies.len();
                self.looked_at.played(played.ply.unwrap_or(0), played.seconds.is_some(), record.time);
                self.played(played, record.time, with_clock);
                self.anomalies.go_on(with_clock);
            }
            GameEvent::Takeback(back) => {
                self.open |= back.ply as usize + 1 < self.plies.len();
                self.plies.truncate(back.ply as usize + 1);
                self.guessed.withdraw(|ply| ply > back.ply);
                self.doubtful.withdraw(|ply| ply > back.ply);
            }
            GameEvent::Anomaly(anomaly) => {
                if clock.runs() != Some(false) {
                    let behind = self.behind().to_owned();
                    let is_rearranged = self.is_rearranged(stands);
                    let what = (&*behind, &*anomaly.detail, is_rearranged);
                    let watched = Watched { with_clock, looked_at: self.looked_at.is_so(with_clock) };
                    self.anomalies.add(self.games, record.time, what, watched);
                    self.looked_at.stands_rearranged(is_rearranged);
                }
                self.explained_since = self.explained_since.max(record.time);
            }
            GameEvent::End(end) => {
                self.is_void |= *end == End::BY_THE_NEXT && self.plies.len() <= 1;
                self.close(with_clock);
            }
            GameEvent::Ruling(ruling) => {
                if ruling.ply.is_none() && self.number == Some(record.game) {
                    self.is_void = ruling.ruled == Ruled::Void;
                }
                let is_ruled = |ply| ruling.ply == Some(ply) && ruling.ruled != Ruled::Withdraw;
                self.guessed.withdraw(is_ruled);
                self.doubtful.withdraw(is_ruled);
            }
            GameEvent::Evaluation(_) => {}
        }
        if let Some(stands) = stands {
            self.look(stands, record.time, false, silent);
        }
    }

    fn played(&mut self, played: &Move, time: Option<Time>, with_clock: bool) {
        let ply = played.ply.unwrap_or(0);
        let stands = (Expected::of(&played.fen, self.rotated), name(played));
        // A move that is told again, only surer now, withdraws none behind it: a takeback does.
        let at = ply.max(1) as usize;
        if at < limits::PLIES {
            if at > self.plies.len() {
                // Nobody saw what stands behind those between.
                if with_clock {
                    self.anomalies.are_left(|open| open.pressed);
                }
                self.plies.resize(at, (None, "what nobody saw".to_owned()));
            }
            match self.plies.get_mut(at) {
                Some(known) => *known = stands,
                None => self.plies.push(stands),
            }
        }
        self.guessed.withdraw(|known| known == ply);
        self.doubtful.withdraw(|known| known == ply);
        let doubtful = played.certainty.is_some_and(|certainty| certainty < limits::CERTAIN);
        if played.guess || doubtful {
            let unsure = if played.guess { &mut self.guessed } else { &mut self.doubtful };
            let is_played = with_clock && played.seconds.is_some();
            unsure.add(UnsurePly { ply, time, name: name(played), played: is_played });
        }
        if !with_clock {
            self.go_on_without_clock();
        }
    }

    /// Without a clock: what was unsure was played if many plies are behind it that were played, and not only looked at.
    fn go_on_without_clock(&mut self) {
        let (looked_at, since) = (self.looked_at.is_so(false), self.looked_at.since());
        let furthest = self.plies.len().saturating_sub(1) as u32;
        for unsure in [&mut self.guessed, &mut self.doubtful] {
            unsure.withdraw(|ply| since.is_some_and(|since| ply + limits::PLIES_ON >= since));
            if !looked_at {
                unsure.go_on(furthest);
            }
        }
    }

    /// Whether the board stands otherwise on more squares than moves leave.
    fn is_rearranged(&self, stands: Option<&Placement>) -> bool {
        let differing = self.expected().zip(stands).map(|(expected, stands)| expected.differing(stands));
        differing.is_some_and(|squares| squares >= limits::REARRANGED)
    }

    /// The squares on which something should stand and nothing does, bit n for field n.
    pub fn missing(&self, stands: Option<&Placement>) -> u64 {
        let missing = |(expected, stands): (Expected, &Placement)| expected.occupied & !stands.occupied();
        self.expected().zip(stands).map_or(0, missing)
    }

    fn close(&mut self, with_clock: bool) {
        self.guessed.close();
        self.doubtful.close();
        // Where nobody pressed a clock behind it they looked at the game, which was over.
        self.anomalies.are_left(|open| with_clock && open.pressed);
        self.anomalies.are_put_right();
        self.exchanged.is_over(self.plies.len() > 1);
        self.open = false;
        (self.mismatch, self.matched) = (None, String::new());
    }

    fn behind(&self) -> &str {
        self.plies.last().map_or("before a game", |(_, name)| name)
    }

    /// A side was pressed: the game goes on, and a mismatch counts that has lasted.
    pub fn press(&mut self, time: Option<Time>) {
        self.looked_at.press();
        self.anomalies.press();
        self.guessed.press();
        self.doubtful.press();
        let Some(mismatch) = &mut self.mismatch else { return };
        mismatch.presses += 1;
        if !mismatch.lasted && mismatch.presses >= limits::MISMATCH_PRESSES && mismatch.is_long(time) {
            mismatch.lasted = true;
            self.mismatches.add(mismatch.since);
            self.mismatched_behind.clone_from(&mismatch.behind);
        }
    }

    /// What stands now, at rest or not, on a board of which these squares say nothing.
    pub fn look(&mut self, stands: &Placement, time: Option<Time>, rests: bool, silent: u64) {
        let Some((Some(expected), behind)) = self.plies.last().filter(|_| self.open) else { return };
        if expected.is(stands) || expected.is_all_that_shows(stands, silent) {
            self.matched.clone_from(behind);
            self.anomalies.are_put_right();
            self.looked_at.stands_rearranged(false);
            self.mismatch = None;
        } else if rests && self.mismatch.is_none() {
            let behind = if self.matched.is_empty() { behind.clone() } else { self.matched.clone() };
            self.mismatch = Some(Mismatch { since: time, behind, presses: 0, lasted: false });
        }
    }

    /// The mismatches up to a moment, the one that is not over too: how many, since when, behind which ply the last.
    pub fn mismatches(&self, now: Option<Time>, runs: Option<bool>) -> (u64, Option<Time>, &str) {
        let all = (u64::from(self.mismatches.count), self.mismatches.first, &*self.mismatched_behind);
        match &self.mismatch {
            Some(mismatch) if !mismatch.lasted && runs == Some(true) && mismatch.is_long(now) => {
                (all.0 + 1, all.1.or(mismatch.since), &mismatch.behind)
            }
            _ => all,
        }
    }

    /// Behind which ply the board has stood otherwise than its game for a while now.
    pub fn is_mismatched(&self, now: Time) -> Option<&str> {
        let mismatch = self.mismatch.as_ref()?;
        let long = mismatch.since.is_some_and(|since| since.seconds_until(now) >= limits::MISMATCH_NOW);
        long.then_some(&*mismatch.behind)
    }
}

/// A ply as people name it: `12.Nf3`, `12...Nf6`.
fn name(played: &Move) -> String {
    let text = played.san.as_deref().or(played.notation.as_deref()).unwrap_or("?");
    played.number() + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_may_stand_for_the_queen_that_it_has_become() {
        let expected = Expected::of("Q3k3/8/8/8/8/8/8/q3K3 w - - 0 5", false).unwrap();
        let is_it = |stands: &str| expected.is_all_that_shows(&stands.parse().unwrap(), 0);
        assert!(is_it("P3k3/8/8/8/8/8/8/p3K3") && is_it("Q3k3/8/8/8/8/8/8/p3K3"));
        assert!(!is_it("p3k3/8/8/8/8/8/8/q3K3") && !is_it("N3k3/8/8/8/8/8/8/q3K3"));
    }
}
