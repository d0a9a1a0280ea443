//! A table in the hall: one board, two players, a clock, round after round; what the board sees of it.

use std::sync::Arc;

use super::{
    Instant, SECOND,
    clock::{Face, Ticking},
    game::Game,
    hands::{Gesture, Player, Touch},
    profile::Profile,
    random::Random,
    scanner::{Scanner, Seen},
    seconds,
    setting::{self, Doings},
};
use crate::record::{Outcome, Placement, Side, Square};

/// Two presses closer than this may be one in the board's log.
const PRESSES_APART: Instant = 250_000;
/// A hand that waits at the clock presses so many seconds after the other one has.
const BETWEEN_PRESSES: (f64, f64) = (0.2, 0.5);

/// How players show the result on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Ending {
    /// The pieces stay as they are
    None,
    /// The kings are put in the centre
    Kings,
    /// A result piece is put on the board
    Piece,
}

/// One game of a table's day.
#[derive(Debug, Clone)]
pub struct Round {
    /// What is played.
    pub game: Arc<Game>,
    /// The board stands turned: White sits at rank 8 of the board's own numbering, and on the clock's right.
    pub rotated: bool,
    /// How the result is shown.
    pub ending: Ending,
    /// Whether the players look at the game again afterwards.
    pub analysis: bool,
    /// From which part of the game (0 to 1) on the board loses its power, where it does, as soon as that hides one
    /// ply at most; a
    /// [`recorder`](super::recorder) heeds it, a line has mishaps of its own.
    pub power_cut: Option<f64>,
}

impl Round {
    /// A game on a board that is not turned, with nothing after it.
    pub fn new(game: Arc<Game>, ending: Ending) -> Round {
        Round { game, rotated: false, ending, analysis: false, power_cut: None }
    }

    /// The start position in the board's own numbering.
    pub fn start(&self) -> Placement {
        if self.rotated { self.game.start.turned() } else { self.game.start }
    }
}

/// Something the board notices at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// When.
    pub at: Instant,
    /// What.
    pub what: What,
}

/// What a board can notice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What {
    /// A square changed.
    Seen(Seen),
    /// A side's clock was halted, showing so many whole seconds.
    Press(Side, f64),
}

/// A round, from the set-up to the last piece pushed about after it.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// All the board notices, in order of time.
    pub entries: Vec<Entry>,
    /// The clock, in order of time; none without one.
    pub faces: Vec<Face>,
    /// When the pieces stood ready.
    pub ready: Instant,
    /// When the last piece of each ply landed.
    pub landings: Vec<Instant>,
    /// When the game was over.
    pub over: Instant,
    /// When nothing more happens.
    pub ended: Instant,
}

/// One board's place in the hall.
#[derive(Debug, Clone)]
pub struct Table {
    profile: Profile,
    clock: bool,
    random: Random,
    scanner: Scanner,
    stands: Placement,
    result_piece: Option<Square>,
    now: Instant,
}

impl Table {
    /// A table whose board stands as `stands`; with a clock or without.
    pub fn new(profile: Profile, clock: bool, stands: Placement, mut random: Random) -> Table {
        let scanner = Scanner::new(stands, &mut random);
        Table { profile, clock, scanner, stands, result_piece: None, now: 0, random }
    }

    /// How the board stands, in its own numbering.
    pub fn stands(&self) -> &Placement {
        &self.stands
    }

    /// The time up to which everything has happened.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Plays a round: sets the pieces up where they do not stand ready, plays, shows the result.
    pub fn play(&mut self, round: &Round) -> Session {
        let mut session = Session::default();
        let mut presses = Vec::new();
        let mut doings = Doings::new(self.now, self.stands);
        let mut player = Player { profile: &self.profile, random: &mut self.random };
        if doings.stands != round.start() || self.result_piece.is_some() {
            doings.now += player.time((60.0, 300.0));
            if let Some(square) = self.result_piece.take() {
                doings.touches.push(Touch { at: doings.now, square, piece: None });
                doings.now += SECOND;
            }
            setting::set_up(&mut player, &mut doings, &round.start());
        }
        session.ready = doings.now;
        let white_is = if round.rotated { Side::Right } else { Side::Left };
        let mut clock = Ticking::new(round.game.control.unwrap_or(self.profile.control), white_is);
        let white_begins = round.game.plies.first().is_none_or(|ply| ply.white);
        let pause = if self.now == 0 { (8.0, 30.0) } else { (90.0, 240.0) };
        session.faces.push(clock.face(doings.now, white_begins, false));
        let begin = doings.now + player.time(pause);
        session.faces.push(clock.face(begin, white_begins, true));

        let mut play = Play { round, clock, session, touches: Vec::new(), presses: &mut presses };
        let over = play.through(&mut player, begin);
        doings.touches.extend(play.touches);
        let Play { mut clock, session: played, .. } = play;
        session = played;
        doings.stands = if round.rotated { round.game.last().turned() } else { round.game.last() };

        // The clock goes on for those who must still move, until somebody stops it.
        let to_move = round.game.plies.last().is_some_and(|ply| !ply.white);
        let left = clock.has(to_move);
        let until_stopped = if round.game.flag && left < 600.0 { left + 2.0 } else { left.min(15.0) };
        session.over = over;
        let stopped =
            over + seconds(until_stopped * if round.game.flag { 1.0 } else { player.random.unit() });
        session.faces.push(clock.stop(stopped, to_move));
        doings.now = stopped;

        if let Some(result) = round.game.result {
            show(&mut player, &mut doings, round, result, &mut self.result_piece);
        }
        if round.analysis {
            doings.now += player.time((5.0, 30.0));
            setting::analyse(&mut player, &mut doings, &round.game, round.rotated);
        }
        if !self.clock {
            session.faces.clear();
            presses.clear();
        }
        doings.touches.sort_by_key(|touch| touch.at);
        let seen = self.scanner.watch(&doings.touches);
        session.entries.extend(seen.into_iter().map(|seen| Entry { at: seen.at, what: What::Seen(seen) }));
        session.entries.extend(presses);
        session.entries.sort_by_key(|entry| entry.at);
        self.stands = doings.stands;
        // The scanner may take a full scan more to see the last of it.
        session.ended = doings.now + 2 * self.scanner.scan();
        self.now = session.ended;
        session
    }
}

/// Shows the result on the board.
fn show(
    player: &mut Player<'_>,
    doings: &mut Doings,
    round: &Round,
    result: Outcome,
    result_piece: &mut Option<Square>,
) {
    doings.now += player.time((2.0, 20.0));
    match round.ending {
        Ending::None => {}
        // The four squares of the centre are their own turned images, colours and all.
        Ending::Kings => setting::kings(player, doings, result),
        Ending::Piece => *result_piece = setting::result_piece(player, doings, result),
    }
}

/// A game while it is played.
struct Play<'a> {
    round: &'a Round,
    clock: Ticking,
    session: Session,
    touches: Vec<Touch>,
    presses: &'a mut Vec<Entry>,
}

impl Play<'_> {
    /// Plays all plies; when the last clock is pressed.
    fn through(&mut self, player: &mut Player<'_>, begin: Instant) -> Instant {
        let game = &self.round.game;
        // When a square was last touched, when a hand last left the clock (White's, Black's).
        let mut last: [Instant; 64] = [0; 64];
        let mut idle = [begin; 2];
        let mut free = begin;
        let mut lifted = begin;
        let mut landed = begin;
        let mut pressed = begin;
        // Captured men that stand still, each with the ply before which somebody takes it off.
        let mut forgotten: Vec<(Square, usize)> = Vec::new();
        for (n, ply) in game.plies.iter().enumerate() {
            let before = game.after(n);
            let hand = usize::from(!ply.white);
            let overlaps = n > 0 && player.random.chance(player.profile.overlap);
            let gesture =
                if overlaps { player.ply(&before, ply) } else { player.ply_with_detours(&before, ply) };
            let to_clock = player.time(player.profile.press);
            let mut lift = if overlaps {
                let early = player.time((0.0, 0.35));
                landed.saturating_sub(early).max(lifted + 50_000)
            } else {
                let used = self.thought(player, n);
                (self.clock.began() + used)
                    .saturating_sub(gesture.landed + to_clock)
                    .max(free.max(pressed) + player.time((0.05, 0.3)))
            };
            // However early a reply begins, it ends after what it replies to.
            lift = lift.max(idle[hand] + 100_000).max((landed + 50_000).saturating_sub(gesture.landed));
            for touch in &gesture.touches {
                lift = lift.max((last[touch.square.field() as usize] + 1_000).saturating_sub(touch.at));
            }
            if !overlaps {
                self.fidget(player, &before, free, lift, &mut last);
            }
            // Off before this ply, too, where it would be in the way.
            let needed = |s: Square| s == ply.to || gesture.touches.iter().any(|touch| touch.square == s);
            for (square, _) in forgotten.extract_if(.., |(square, due)| *due <= n || needed(*square)) {
                let at = (landed + 10_000).max(lift.saturating_sub(player.time((0.2, 1.0))));
                self.set(&Gesture::taking_off(square), at, &mut last);
                lift = lift.max(at + 100_000);
            }
            self.set(&gesture, lift, &mut last);
            forgotten
                .extend(gesture.forgotten.iter().map(|&square| (square, n + 2 + player.random.below(6))));
            lifted = lift;
            landed = lift + gesture.landed;
            free = free.max(lift + gesture.free);
            let after_theirs = player.time(BETWEEN_PRESSES);
            let press = (landed + to_clock).max(pressed + after_theirs);
            self.press(player, n, press, pressed);
            pressed = press;
            idle[hand] = press.max(lift + gesture.free);
            self.session.landings.push(landed);
        }
        for (square, _) in forgotten {
            free = free.max(pressed) + player.time((0.5, 3.0));
            self.set(&Gesture::taking_off(square), free, &mut last);
        }
        free.max(pressed)
    }

    /// How long the mover of ply `n` thinks, from the turn's beginning to the press.
    fn thought(&self, player: &mut Player<'_>, n: usize) -> Instant {
        let ply = &self.round.game.plies[n];
        let has = self.clock.has(ply.white);
        let used = match ply.seconds {
            // The screens show whole seconds: where within them the press came is not known.
            Some(shows) => has + self.clock.increment() - shows - player.random.unit(),
            None => {
                let (median, sigma) = player.profile.think;
                let known = if n < 12 { 0.3 } else { 1.0 };
                player.random.log_normal(median * known, sigma).min(has * 0.2)
            }
        };
        seconds(used.max(0.0))
    }

    /// What a hand does while its player thinks: adjusts a piece, now and then.
    fn fidget(
        &mut self,
        player: &mut Player<'_>,
        before: &Placement,
        from: Instant,
        until: Instant,
        last: &mut [Instant; 64],
    ) {
        if !player.random.chance(player.profile.adjust) {
            return;
        }
        let gesture = player.adjust(before);
        let room = until.saturating_sub(from).saturating_sub(gesture.free);
        if room < SECOND {
            return;
        }
        let at = from + 50_000 + (player.random.unit() * (room - 100_000) as f64) as Instant;
        self.set(&gesture, at, last);
    }

    fn set(&mut self, gesture: &Gesture, at: Instant, last: &mut [Instant; 64]) {
        for touch in &gesture.touches {
            let at = at + touch.at;
            let field = &mut last[touch.square.field() as usize];
            *field = at.max(*field);
            let square = if self.round.rotated { touch.square.turned() } else { touch.square };
            self.touches.push(Touch { at, square, piece: touch.piece });
        }
    }

    fn press(&mut self, player: &mut Player<'_>, n: usize, press: Instant, before: Instant) {
        let ply = &self.round.game.plies[n];
        let shows = self.clock.press(press, ply.white, ply.seconds);
        // The makers' header: when moves are made very fast the storage may be skipped.
        let skipped = press - before < PRESSES_APART && player.random.chance(0.5);
        if !skipped {
            self.presses.push(Entry { at: press, what: What::Press(self.clock.side(ply.white), shows) });
        }
        self.session.faces.push(self.clock.face(press, !ply.white, true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        draughts::Position,
        sim::{
            game::{
                Game,
                russian::{Builder, Figures},
            },
            profile::Hands,
        },
    };

    const ALL: [Hands; 4] = [Hands::Clean, Hands::Classic, Hands::Rapid, Hands::Blitz];

    fn games() -> Vec<Arc<Game>> {
        let castling = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6 Be3 Bg4 Nbd2 Qd7 c3 O-O-O Bxc5 dxc5 h3 Bxf3 Qxf3";
        let pawns = "e4 d5 e5 f5 exf6 d4 c4 dxc3 fxg7 cxb2 gxh8=N bxa1=Q Nf3 Qxa2";
        let chess960 = Some("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1");
        [
            (None, castling, Outcome::WhiteWins),
            (None, pawns, Outcome::BlackWins),
            (chess960, "Ng3 Ng6 O-O O-O", Outcome::Draw),
        ]
        .map(|(fen, sans, result)| Arc::new(Game::from_sans(fen, sans.split(' '), Some(result)).unwrap()))
        .into()
    }

    /// How the board shows after each of these entries, with the entry's time.
    fn shown(from: Placement, session: &Session) -> Vec<(Instant, Placement)> {
        let mut placement = from;
        let mut all = vec![(0, from)];
        for entry in &session.entries {
            if let What::Seen(seen) = entry.what {
                placement.set(seen.square, seen.piece);
                all.push((entry.at, placement));
            }
        }
        all
    }

    fn table(hands: Hands, clock: bool, round: &Round, seed: u64) -> Table {
        Table::new(hands.profile(), clock, round.start(), Random::new(seed))
    }

    #[test]
    fn the_board_shows_the_position_after_every_ply_that_is_given_time() {
        for hands in ALL {
            for seed in 0..40 {
                for (game, rotated) in games().into_iter().zip([false, true, false]) {
                    let round = Round { rotated, ..Round::new(game.clone(), Ending::None) };
                    let session = table(hands, true, &round, seed).play(&round);
                    let shown = shown(round.start(), &session);
                    let view = |p: Placement| if rotated { p.turned() } else { p };
                    assert_eq!(shown.last().unwrap().1, view(game.last()), "{hands:?} {seed}");
                    assert_eq!(session.landings.len(), game.plies.len());
                    for n in 1..game.plies.len() {
                        let (landed, next) = (session.landings[n - 1], session.landings[n]);
                        // Replies within six seconds may hide it: a knocked piece, a slow scan, an overlap.
                        if next - landed > 6 * SECOND {
                            let mut between = shown.iter().filter(|(at, _)| (landed..next).contains(at));
                            let want = view(game.after(n));
                            assert!(
                                between.any(|(_, placement)| *placement == want),
                                "{hands:?} seed {seed} ply {n}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_of_draughts_ends_as_it_was_played_with_no_man_left_standing() {
        let mut builder = Builder::new(Position::start(), Figures::Colour);
        let moves = "g3f4 d6e5 f4d6 e7c5 c3b4 f8e7 b4d6f8 d8e7 f8d6 c7e5";
        for m in moves.split(' ') {
            let path: Vec<String> = (0..m.len() / 2).map(|n| m[2 * n..2 * n + 2].to_owned()).collect();
            builder.play(&path, None).unwrap();
        }
        let game = Arc::new(builder.finish(None, None));
        for (hands, seed) in ALL.into_iter().flat_map(|hands| (0..200).map(move |seed| (hands, seed))) {
            let round = Round::new(game.clone(), Ending::None);
            let session = table(hands, true, &round, seed).play(&round);
            assert_eq!(shown(round.start(), &session).last().unwrap().1, game.last(), "{hands:?} {seed}");
        }
    }

    #[test]
    fn entries_tell_only_news_in_order_of_time() {
        for hands in ALL {
            let round = Round::new(games()[0].clone(), Ending::Kings);
            let session = table(hands, true, &round, 3).play(&round);
            assert!(session.entries.is_sorted_by_key(|entry| entry.at));
            assert!(session.landings.is_sorted());
            let mut known = round.start();
            for entry in &session.entries {
                if let What::Seen(seen) = entry.what {
                    assert_ne!(known.get(seen.square), seen.piece, "{hands:?} {}", seen.square);
                    known.set(seen.square, seen.piece);
                }
            }
        }
    }

    #[test]
    fn clean_hands_press_once_a_ply_and_touch_only_its_squares() {
        for seed in 0..20 {
            let game = games()[0].clone();
            let round = Round::new(game.clone(), Ending::None);
            let session = table(Hands::Clean, true, &round, seed).play(&round);
            let presses: Vec<Side> = session
                .entries
                .iter()
                .filter_map(|entry| match entry.what {
                    What::Press(side, _) => Some(side),
                    What::Seen(_) => None,
                })
                .collect();
            let sides = [Side::Left, Side::Right];
            assert_eq!(presses, (0..game.plies.len()).map(|n| sides[n % 2]).collect::<Vec<_>>());
            // Two squares a ply, four in castling; a captured piece goes at once or leaves its square empty.
            let changes = session.entries.len() - presses.len();
            assert!((21 * 2 + 4..=21 * 2 + 4 + 4).contains(&changes), "{changes}");
        }
    }

    #[test]
    fn without_a_clock_nothing_is_pressed() {
        let round = Round::new(games()[1].clone(), Ending::None);
        let session = table(Hands::Blitz, false, &round, 1).play(&round);
        assert!(session.faces.is_empty());
        assert!(session.entries.iter().all(|entry| matches!(entry.what, What::Seen(_))));
    }

    #[test]
    fn a_day_sets_each_next_start_position_up_and_ends_as_asked() {
        for seed in 0..30 {
            let games = games();
            let ends = [Ending::Kings, Ending::Piece, Ending::None];
            let rounds: Vec<Round> = (0..6)
                .map(|n| Round {
                    rotated: n % 4 > 1,
                    analysis: n % 2 == 1,
                    ..Round::new(games[n % 3].clone(), ends[n % 3])
                })
                .collect();
            let mut table = table(Hands::Rapid, true, &rounds[0], seed);
            let mut known = rounds[0].start();
            for round in &rounds {
                let session = table.play(round);
                let shown = shown(known, &session);
                let ready = shown.iter().rev().find(|(at, _)| *at <= session.ready + SECOND).unwrap();
                assert_eq!(ready.1, round.start(), "seed {seed}");
                known = shown.last().unwrap().1;
                assert_eq!(known, *table.stands(), "seed {seed}");
            }
        }
    }

    #[test]
    fn kings_in_the_centre_tell_the_result() {
        for (game, light) in games().into_iter().zip([2, 0, 1]) {
            for (seed, rotated) in (0..20).flat_map(|seed| [(seed, false), (seed, true)]) {
                let round = Round { rotated, ..Round::new(game.clone(), Ending::Kings) };
                let mut table = table(Hands::Classic, true, &round, seed);
                table.play(&round);
                let king = |square: &str| {
                    let piece = table.stands().get(square.parse().unwrap()).and_then(|p| p.letter());
                    matches!(piece, Some('K' | 'k'))
                };
                let on = |squares: [&str; 2]| squares.into_iter().filter(|square| king(square)).count();
                assert_eq!((on(["e4", "d5"]), on(["d4", "e5"])), (light, 2 - light));
            }
        }
    }
}
