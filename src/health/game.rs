//! The game on a board according to the game records: where its pieces should stand, which moves are guessed, and which
//! changes no move explains.

use std::collections::VecDeque;

use super::{
    analysis::Analysis, clock::ClockWatch, exchanged::Exchanged, limits, series::Series, squares::holds,
};
use crate::{
    draughts::Position,
    record::{End, GameEvent, GameRecord, Move, Piece, Placement, Ruled, Time},
};

/// The position that should stand on a board, in the board's own numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// Squares with a piece, bit n for field n.
    pub occupied: u64,
    /// Which pieces; none for draughts, where a man may be represented by any piece.
    pieces: Option<Placement>,
}

impl Expected {
    /// The position of a FEN of chess or draughts; none if it is neither.
    fn of(fen: &str, rotated: bool) -> Option<Expected> {
        // A FEN of draughts begins with the side to move and a colon.
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

    /// Whether the board shows exactly this position.
    fn is(&self, stands: &Placement) -> bool {
        match &self.pieces {
            Some(pieces) => pieces == stands,
            None => stands.occupied() == self.occupied,
        }
    }

    /// The number of squares that differ from the board.
    fn differing(&self, stands: &Placement) -> u32 {
        match &self.pieces {
            Some(pieces) => pieces.differing(stands).count() as u32,
            None => (stands.occupied() ^ self.occupied).count_ones(),
        }
    }

    /// Whether the board differs only on silent squares (bit n for field n) or by pawns that stand for promoted queens. What a
    /// dead square does not show is no mismatch.
    fn matches_visible(&self, stands: &Placement, silent: u64) -> bool {
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

/// The board differs from the game.
#[derive(Debug, Clone)]
struct Mismatch {
    since: Option<Time>,
    /// The last ply after which it matched.
    after: String,
    /// Presses since, which show that the game goes on. Without a clock the players may be analysing it after its end.
    presses: u32,
    /// It lasted while the game went on, and has been counted.
    lasted: bool,
}

impl Mismatch {
    /// Whether it has lasted long enough to count.
    fn is_long(&self, now: Option<Time>) -> bool {
        self.since.zip(now).is_some_and(|(since, now)| since.seconds_until(now) >= limits::MISMATCH_SECONDS)
    }
}

/// Moves that may not have been played so.
#[derive(Debug, Clone, Default)]
pub struct Unsure {
    /// Plies of the current game.
    open: Vec<UnsurePly>,
    /// Those of earlier games: how many, when the first was, and the name of the last.
    closed: (u64, Option<Time>, String),
}

/// A ply of the current game that may have been another.
#[derive(Debug, Clone)]
struct UnsurePly {
    ply: u32,
    time: Option<Time>,
    name: String,
    /// It is not analysis: with a clock, because it or a later ply was pressed; without one, because many plies followed.
    played: bool,
}

impl Unsure {
    fn played(&self) -> impl DoubleEndedIterator<Item = &UnsurePly> {
        self.open.iter().filter(|unsure| unsure.played)
    }

    /// How many plies there are.
    pub fn count(&self) -> u64 {
        self.closed.0 + self.played().count() as u64
    }

    /// When the first was.
    pub fn first(&self) -> Option<Time> {
        self.closed.1.or_else(|| self.played().next()?.time)
    }

    /// The name of the last.
    pub fn last(&self) -> &str {
        self.played().next_back().map_or(&self.closed.2, |unsure| &unsure.name)
    }

    fn add(&mut self, unsure: UnsurePly) {
        if self.open.len() < limits::MAX_PLIES {
            self.open.push(unsure);
        }
    }

    fn press(&mut self) {
        self.open.iter_mut().for_each(|unsure| unsure.played = true);
    }

    /// Without a clock: the game has reached ply `to`.
    fn confirm_up_to(&mut self, to: u32) {
        let is_confirmed = |unsure: &&mut UnsurePly| unsure.ply + limits::CONTINUED_PLIES <= to;
        self.open.iter_mut().filter(is_confirmed).for_each(|unsure| unsure.played = true);
    }

    fn withdraw(&mut self, which: impl Fn(u32) -> bool) {
        self.open.retain(|unsure| !which(unsure.ply));
    }

    fn close(&mut self) {
        self.closed = (self.count(), self.first(), self.last().to_owned());
        self.open.clear();
    }
}

/// The circumstances of an anomaly.
#[derive(Debug, Clone, Copy)]
struct Watched {
    /// The board has a clock.
    with_clock: bool,
    /// The players are analysing a game that is over.
    is_analysis: bool,
}

/// An anomaly that may still be put right.
#[derive(Debug, Clone)]
struct Open {
    since: Option<Time>,
    what: String,
    /// A clock was pressed since: the game went on.
    pressed: bool,
    /// The position differs from the game on more squares than a move changes.
    is_rearranged: bool,
}

/// The anomalies of a board.
#[derive(Debug, Clone, Default)]
pub struct Anomalies {
    /// All of them.
    pub all: Series,
    /// The last of them.
    pub last: String,
    /// Those that were not put right.
    pub lasting: Series,
    /// The last of these.
    pub last_lasting: String,
    /// Those that may still be put right.
    open: Vec<Open>,
    /// How many plies were reported since the last of them.
    plies: u32,
    /// The game and detail of the last one, which may be reported again after every ply while it stands.
    last_reported: Option<(u32, String)>,
    /// The games of the latest ones.
    games: VecDeque<u32>,
    /// There were so many in so few games that the board must be at fault.
    pub are_many: bool,
}

impl Anomalies {
    fn add(&mut self, game: u32, time: Option<Time>, what: (&str, &str, bool), by: Watched) {
        let (after, detail, is_rearranged) = what;
        if self.last_reported.as_ref().is_some_and(|(of, last)| *of == game && last == detail) {
            return;
        }
        self.last_reported = Some((game, detail.to_owned()));
        let what = format!("{after}, {detail}");
        self.all.add(time);
        self.last.clone_from(&what);
        // Without a clock the analysis after a game cannot be distinguished from it, and may have many anomalies.
        let of_game = self.games.iter().filter(|counted| **counted == game).count();
        let counts = !by.is_analysis && (by.with_clock || of_game < limits::ANOMALIES_PER_GAME);
        if counts {
            self.count(game);
        }
        self.plies = 0;
        // With a clock a press shows whether the anomaly belongs to the game.
        if self.open.len() < limits::ANOMALIES.0 && (by.with_clock || !by.is_analysis) {
            self.open.push(Open { since: time, what, pressed: false, is_rearranged });
        }
    }

    /// A clock was pressed.
    fn press(&mut self) {
        self.open.iter_mut().for_each(|open| open.pressed = true);
    }

    /// Counts one anomaly of this game.
    fn count(&mut self, game: u32) {
        let (many, games) = limits::ANOMALIES;
        if self.games.len() == many {
            self.games.pop_front();
        }
        self.games.push_back(game);
        self.are_many |= self.games.len() == many && game - self.games[0] < games;
    }

    /// A ply was reported. Without a clock many plies show that the game went on from the anomaly and is not being analysed, unless
    /// many pieces were rearranged before them.
    fn ply_played(&mut self, with_clock: bool) {
        self.plies += 1;
        if !with_clock && self.plies >= limits::CONTINUED_PLIES {
            self.keep(|open| !open.is_rearranged);
            self.open.clear();
        }
    }

    /// The board matches its game again.
    fn are_put_right(&mut self) {
        self.open.clear();
        self.last_reported = None;
    }

    /// The game went on from the open anomalies that `which` selects: they were not put right.
    fn keep(&mut self, which: impl Fn(&Open) -> bool) {
        for open in std::mem::take(&mut self.open) {
            if which(&open) {
                self.lasting.add(open.since);
                self.last_lasting = open.what;
            } else {
                self.open.push(open);
            }
        }
    }

    /// The anomalies that were not put right, including open ones that have lasted long with a clock: how many, since when, and
    /// the last.
    pub fn not_put_right(&self, now: Option<Time>, with_clock: bool) -> (u32, Option<Time>, &str) {
        let long = |open: &&Open| {
            let long =
                open.since.zip(now).is_none_or(|(at, now)| at.seconds_until(now) >= limits::MISMATCH_SECONDS);
            with_clock && open.pressed && long
        };
        let open = || self.open.iter().filter(long);
        let first = self.lasting.first.or_else(|| open().next().and_then(|open| open.since));
        let last = open().next_back().map_or(&self.last_lasting, |open| &open.what);
        (self.lasting.count + open().count() as u32, first, last)
    }
}

/// The games on a board.
#[derive(Debug, Clone, Default)]
pub struct GameWatch {
    /// How many games were reported.
    pub games: u32,
    /// How many of them are void, the last not counted.
    void: u32,
    /// The last one is void.
    is_void: bool,
    /// The number of the last one in its records.
    number: Option<u32>,
    /// The last one is in play.
    open: bool,
    rotated: bool,
    /// Since when the game explains all that the board showed: since it began, or since the last anomaly.
    explained_since: Option<Time>,
    /// The position after each ply of the game and the ply's name, from the start on.
    plies: Vec<(Option<Expected>, String)>,
    /// The last ply after which the board matched the game.
    matched: String,
    mismatch: Option<Mismatch>,
    /// Mismatches that lasted while the game went on.
    pub mismatches: Series,
    /// The last ply before the last of these.
    pub mismatched_after: String,
    /// Games that began with pieces exchanged.
    pub exchanged: Exchanged,
    /// Changes that no move explains.
    pub anomalies: Anomalies,
    /// Moves that were guessed.
    pub guessed: Unsure,
    /// Moves for which another is nearly as likely.
    pub doubtful: Unsure,
    /// Whether the moves are play or analysis.
    pub analysis: Analysis,
}

impl GameWatch {
    /// Whether a game has begun and is not over; none before the first game.
    pub fn in_play(&self) -> Option<bool> {
        (self.games > 0).then_some(self.open)
    }

    /// How many games there were, without void ones.
    pub fn count(&self) -> u32 {
        self.games - self.void - u32::from(self.is_void)
    }

    /// How many plies the current game has.
    pub fn plies(&self) -> usize {
        if self.open { self.plies.len().saturating_sub(1) } else { 0 }
    }

    /// The position that should stand; none without a game in play.
    pub fn expected(&self) -> Option<Expected> {
        self.plies.last().filter(|_| self.open)?.0
    }

    /// Since when the game in play explains all that the board showed; none if the board does not match it.
    pub fn explains(&self, stands: &Placement) -> Option<Time> {
        self.expected().filter(|expected| expected.is(stands)).and(self.explained_since)
    }

    /// Whether a record belongs to the last game or begins another. A later record of an earlier game, such as a ruling, changes
    /// nothing that counts here.
    pub fn is_of_last_game(&self, record: &GameRecord) -> bool {
        matches!(record.event, GameEvent::Game(_)) || self.number.is_none_or(|number| number == record.game)
    }

    /// Takes a record of the last game, or of one that begins. Anomalies while the clock stands do not belong to the game.
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
                    // The same game is reported again.
                    self.games -= 1;
                } else {
                    self.void += u32::from(self.is_void);
                }
                self.is_void = false;
                self.games += 1;
                self.number = Some(record.game);
                self.analysis.begins();
                let expected = Expected::of(&start.fen, start.rotated);
                self.exchanged.begins(expected.and_then(|from| from.pieces).as_ref(), record.time);
                self.plies = vec![(expected, "the start".to_owned())];
            }
            GameEvent::Move(played) => {
                // A further ply withdraws the end of the game; one that is repeated does not.
                self.open |= played.ply.unwrap_or(0) as usize >= self.plies.len();
                self.analysis.played(played.ply.unwrap_or(0), played.seconds.is_some(), record.time);
                self.played(played, record.time, with_clock);
                self.anomalies.ply_played(with_clock);
            }
            GameEvent::Takeback(back) => {
                self.open |= back.ply as usize + 1 < self.plies.len();
                self.plies.truncate(back.ply as usize + 1);
                self.guessed.withdraw(|ply| ply > back.ply);
                self.doubtful.withdraw(|ply| ply > back.ply);
            }
            GameEvent::Anomaly(anomaly) => {
                if clock.runs() != Some(false) {
                    let after = self.last_ply_name().to_owned();
                    let is_rearranged = self.is_rearranged(stands);
                    let what = (&*after, &*anomaly.detail, is_rearranged);
                    let watched = Watched { with_clock, is_analysis: self.analysis.is_analysis(with_clock) };
                    self.anomalies.add(self.games, record.time, what, watched);
                    self.analysis.set_rearranged(is_rearranged);
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
            self.compare(stands, record.time, false, silent);
        }
    }

    fn played(&mut self, played: &Move, time: Option<Time>, with_clock: bool) {
        let ply = played.ply.unwrap_or(0);
        let stands = (Expected::of(&played.fen, self.rotated), name(played));
        // A ply that is repeated, perhaps with more certainty, withdraws no later ones: a takeback does.
        let at = ply.max(1) as usize;
        if at < limits::MAX_PLIES {
            if at > self.plies.len() {
                // The positions in between were not seen.
                if with_clock {
                    self.anomalies.keep(|open| open.pressed);
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

    /// Without a clock an unsure ply was played if many plies followed that are not analysis.
    fn go_on_without_clock(&mut self) {
        let (is_analysis, since) = (self.analysis.is_analysis(false), self.analysis.since_ply());
        let furthest = self.plies.len().saturating_sub(1) as u32;
        for unsure in [&mut self.guessed, &mut self.doubtful] {
            unsure.withdraw(|ply| since.is_some_and(|since| ply + limits::CONTINUED_PLIES >= since));
            if !is_analysis {
                unsure.confirm_up_to(furthest);
            }
        }
    }

    /// Whether the board differs from the game on more squares than moves change.
    fn is_rearranged(&self, stands: Option<&Placement>) -> bool {
        let differing = self.expected().zip(stands).map(|(expected, stands)| expected.differing(stands));
        differing.is_some_and(|squares| squares >= limits::REARRANGED_SQUARES)
    }

    /// The squares that should be occupied and are empty, bit n for field n.
    pub fn missing(&self, stands: Option<&Placement>) -> u64 {
        let missing = |(expected, stands): (Expected, &Placement)| expected.occupied & !stands.occupied();
        self.expected().zip(stands).map_or(0, missing)
    }

    fn close(&mut self, with_clock: bool) {
        self.guessed.close();
        self.doubtful.close();
        // If nobody pressed a clock after it the players were analysing the game, which was over.
        self.anomalies.keep(|open| with_clock && open.pressed);
        self.anomalies.are_put_right();
        self.exchanged.is_over(self.plies.len() > 1);
        self.open = false;
        (self.mismatch, self.matched) = (None, String::new());
    }

    fn last_ply_name(&self) -> &str {
        self.plies.last().map_or("before a game", |(_, name)| name)
    }

    /// A side was pressed: the game goes on, and a mismatch that has lasted counts.
    pub fn press(&mut self, time: Option<Time>) {
        self.analysis.press();
        self.anomalies.press();
        self.guessed.press();
        self.doubtful.press();
        let Some(mismatch) = &mut self.mismatch else { return };
        mismatch.presses += 1;
        if !mismatch.lasted && mismatch.presses >= limits::MISMATCH_PRESSES && mismatch.is_long(time) {
            mismatch.lasted = true;
            self.mismatches.add(mismatch.since);
            self.mismatched_after.clone_from(&mismatch.after);
        }
    }

    /// Compares the board, at rest or not, with the game. `silent`: squares that report nothing, bit n for field n.
    pub fn compare(&mut self, stands: &Placement, time: Option<Time>, rests: bool, silent: u64) {
        let Some((Some(expected), last)) = self.plies.last().filter(|_| self.open) else { return };
        if expected.is(stands) || expected.matches_visible(stands, silent) {
            self.matched.clone_from(last);
            self.anomalies.are_put_right();
            self.analysis.set_rearranged(false);
            self.mismatch = None;
        } else if rests && self.mismatch.is_none() {
            let after = if self.matched.is_empty() { last.clone() } else { self.matched.clone() };
            self.mismatch = Some(Mismatch { since: time, after, presses: 0, lasted: false });
        }
    }

    /// The mismatches up to `now`, including the current one: how many, since when, and the ply before the last.
    pub fn mismatches(&self, now: Option<Time>, runs: Option<bool>) -> (u64, Option<Time>, &str) {
        let all = (u64::from(self.mismatches.count), self.mismatches.first, &*self.mismatched_after);
        match &self.mismatch {
            Some(mismatch) if !mismatch.lasted && runs == Some(true) && mismatch.is_long(now) => {
                (all.0 + 1, all.1.or(mismatch.since), &mismatch.after)
            }
            _ => all,
        }
    }

    /// The ply since which the board has differed from its game for some time.
    pub fn mismatch_now(&self, now: Time) -> Option<&str> {
        let mismatch = self.mismatch.as_ref()?;
        let long =
            mismatch.since.is_some_and(|since| since.seconds_until(now) >= limits::MISMATCH_NOW_SECONDS);
        long.then_some(&*mismatch.after)
    }
}

/// The name of a ply: `12.Nf3`, `12...Nf6`.
fn name(played: &Move) -> String {
    let text = played.san.as_deref().or(played.notation.as_deref()).unwrap_or("?");
    played.number() + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawn_may_stand_for_promoted_queen() {
        let expected = Expected::of("Q3k3/8/8/8/8/8/8/q3K3 w - - 0 5", false).unwrap();
        let is_it = |stands: &str| expected.matches_visible(&stands.parse().unwrap(), 0);
        assert!(is_it("P3k3/8/8/8/8/8/8/p3K3") && is_it("Q3k3/8/8/8/8/8/8/p3K3"));
        assert!(!is_it("p3k3/8/8/8/8/8/8/q3K3") && !is_it("N3k3/8/8/8/8/8/8/q3K3"));
    }
}
