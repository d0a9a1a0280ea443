//! A day on one board: rounds one after the other, played by simulated hands and seen by the board's scanner.
//!
//! Each round is set up, played, its result shown and the game analysed, as its [`Round`] defines. The result is a
//! [`PlayedRound`], which a [`PolledBoard`](super::polled_board::PolledBoard) turns into records, or a
//! [`SimulatedBoard`](super::simulated_board::SimulatedBoard) into bytes on a line.

use super::{
    Micros, SECOND,
    between_games::BetweenGames,
    board_fault::{Ailments, Stretch},
    clock::{ClockFace, GameClock},
    gesture::Touch,
    played_round::{PlayedRound, Signal},
    profile::Profile,
    random::Random,
    round::{LostClock, Round},
    scanner::Scanner,
    seconds,
    simulated_game::SimulatedGame,
    simulated_player::SimulatedPlayer,
};
use crate::record::{Piece, Placement, Side, Square};

/// The seconds from the landing of a ply to the moment when the clock is unplugged or stopped,
const UNPLUGGED: (f64, f64) = (0.5, 5.0);
/// and from there, if it is stopped first, until it is unplugged.
const TAKEN_AWAY: f64 = 40.0;

/// One board's day: its position, its players, and the time.
#[derive(Debug, Clone)]
pub struct SimulatedDay {
    profile: Profile,
    has_clock: bool,
    random: Random,
    scanner: Scanner,
    stands: Placement,
    result_piece: Option<Square>,
    ailments: Ailments,
    now: Micros,
}

impl SimulatedDay {
    /// A day on a board with the position `stands`, with or without a clock.
    pub fn new(profile: Profile, has_clock: bool, stands: Placement, mut random: Random) -> SimulatedDay {
        let scanner = Scanner::new(stands, &mut random);
        let ailments = Ailments::default();
        SimulatedDay { profile, has_clock, scanner, stands, result_piece: None, ailments, now: 0, random }
    }

    /// The same day on a board with these faults.
    pub fn with(mut self, ailments: Ailments) -> SimulatedDay {
        self.scanner.known = ailments.seen(&self.stands).codes().map(Piece::from_code);
        self.ailments = ailments;
        self
    }

    /// The same day on a board whose full scan takes this time.
    pub fn scanning(mut self, scan: Micros) -> SimulatedDay {
        self.scanner = Scanner::of(scan, self.scanner);
        self
    }

    /// Plays a round: sets the pieces up if they are not, plays, shows the result.
    pub fn play(&mut self, round: &Round) -> PlayedRound {
        let mut player = SimulatedPlayer { profile: &self.profile, random: &mut self.random };
        let mut around = BetweenGames::new(self.now, self.stands);
        if around.stands != round.start() || self.result_piece.is_some() {
            around.now += player.time((60.0, 300.0));
            if let Some(square) = self.result_piece.take() {
                around.touches.push(Touch { at: around.now, square, piece: None });
                around.now += SECOND;
            }
            around.set_up(&mut player, &round.start());
        }
        let ready = around.now;
        let white_is = if round.rotated { Side::Right } else { Side::Left };
        let mut clock = GameClock::new(round.game.control.unwrap_or(self.profile.control), white_is);
        let white_begins = round.game.plies.first().is_none_or(|ply| ply.white);
        let pause = if self.now == 0 { (8.0, 30.0) } else { (90.0, 240.0) };
        let begin = ready + player.time(pause);
        let faces = [(ready, false), (begin, true)].map(|(at, runs)| clock.face(at, white_begins, runs));

        let mut game = SimulatedGame::new(round, clock, faces.into(), begin);
        let over = game.play(&mut player);
        // The clock continues to run for the side to move, until it is stopped.
        let to_move = round.game.plies.last().is_some_and(|ply| !ply.white);
        let left = game.clock.has(to_move);
        around.now = over
            + seconds(match round.game.flag {
                true if left < 600.0 => left + 2.0,
                true => left.min(15.0),
                false => left.min(15.0) * player.random.unit(),
            });
        game.stop_clock(around.now, to_move);
        let SimulatedGame { mut clock_faces, mut presses, touches, landings, mut noticed, stands, .. } = game;
        around.touches.extend(touches);
        around.stands = if round.rotated { stands.turned() } else { stands };
        let clock_gone = round.clock_loss.map(|loss| {
            let played = loss.ply.checked_sub(1).and_then(|n| landings.get(n));
            let at = played.map_or(begin, |&landed| landed) + player.time(UNPLUGGED);
            without_clock(loss.how, at, &mut clock_faces, &mut presses, &mut noticed)
        });
        if !self.has_clock {
            clock_faces.clear();
            presses.clear();
            noticed.fill(None);
        }

        finish(round, &mut around, &mut player, &mut self.result_piece);
        around.touches.sort_by_key(|touch| touch.at);
        let stretch = Stretch { stands: self.stands, from: self.now, ready, until: around.now };
        let (touches, unseen) = self.ailments.disturb(around.touches, &stretch, &mut self.random);
        let changes = self.scanner.watch(&touches).into_iter().map(Signal::Change);
        let mut signals: Vec<Signal> = changes.chain(presses).collect();
        signals.sort_by_key(Signal::at);
        self.stands = around.stands;
        // The scanner may take one more full scan to see the last touch.
        self.now = around.now + 2 * self.scanner.scan;
        PlayedRound {
            signals,
            clock_faces,
            clock_gone,
            ready,
            landings,
            noticed,
            over,
            ended: self.now,
            unseen,
        }
    }
}

/// After a game: shows the result, analyses the game and sets up the next one, as the round defines.
fn finish(
    round: &Round,
    around: &mut BetweenGames,
    player: &mut SimulatedPlayer<'_>,
    result_piece: &mut Option<Square>,
) {
    if let Some(result) = round.game.result {
        around.now += player.time((2.0, 20.0));
        *result_piece = around.show(player, round.ending, result);
    }
    if let Some(study) = &round.study {
        around.now += player.time((5.0, 60.0));
        around.study(player, &round.game, study, round.rotated);
        *result_piece = None;
    }
    if round.analysis {
        around.now += player.time((5.0, 30.0));
        around.analyse(player, &round.game, round.rotated);
    }
    if let Some(next) = &round.set_up_next {
        around.now += player.time((60.0, 300.0));
        if let Some(square) = result_piece.take() {
            around.put(player, square, None);
        }
        around.set_up(player, next);
    }
}

/// Removes the clock from a game: after this moment there are no presses. Returns when the clock is gone, and whether the
/// board reports that.
fn without_clock(
    how: LostClock,
    at: Micros,
    clock_faces: &mut Vec<ClockFace>,
    presses: &mut Vec<Signal>,
    noticed: &mut [Option<Micros>],
) -> (Micros, bool) {
    presses.retain(|press| press.at() < at);
    noticed.iter_mut().for_each(|press| *press = press.filter(|press| *press < at));
    clock_faces.retain(|face| face.since < at);
    if how != LostClock::TakenAway {
        return (at, how == LostClock::Unplugged);
    }
    let running = clock_faces.last().copied();
    clock_faces.extend(running.map(|face| face.stopped(at)));
    (at + seconds(TAKEN_AWAY), true)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use clap::ValueEnum;

    use super::*;
    use crate::{
        draughts::Position,
        record::Outcome,
        sim::{
            planned_game::{
                PlannedGame, chess,
                russian::{self, Figures},
            },
            profile::Hands,
            round::{ClockLoss, Ending, Incident, Interruption, Line, LostClock, Study},
            scanner::SquareChange,
        },
    };

    fn games() -> Vec<Arc<PlannedGame>> {
        let castling = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6 Be3 Bg4 Nbd2 Qd7 c3 O-O-O Bxc5 dxc5 h3 Bxf3 Qxf3";
        let pawns = "e4 d5 e5 f5 exf6 d4 c4 dxc3 fxg7 cxb2 gxh8=N bxa1=Q Nf3 Qxa2";
        let chess960 = Some("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1");
        [
            (None, castling, Outcome::WhiteWins),
            (None, pawns, Outcome::BlackWins),
            (chess960, "Ng3 Ng6 O-O O-O", Outcome::Draw),
        ]
        .map(|(fen, sans, result)| {
            let sans: Vec<&str> = sans.split(' ').collect();
            Arc::new(chess::tests::planned(fen, &sans, Some(result)).unwrap())
        })
        .into()
    }

    fn changes(played: &PlayedRound) -> impl Iterator<Item = &SquareChange> {
        played.signals.iter().filter_map(|signal| match signal {
            Signal::Change(change) => Some(change),
            Signal::Press { .. } => None,
        })
    }

    /// The position that the board sees after each change, with the change's time.
    fn shown(from: Placement, played: &PlayedRound) -> Vec<(Micros, Placement)> {
        let mut placement = from;
        let mut all = vec![(0, from)];
        for change in changes(played) {
            placement.set(change.square, change.piece);
            all.push((change.at, placement));
        }
        all
    }

    fn day(hands: Hands, has_clock: bool, round: &Round, seed: u64) -> SimulatedDay {
        SimulatedDay::new(hands.profile(), has_clock, round.start(), Random::new(seed))
    }

    #[test]
    fn the_position_after_each_slow_ply_is_seen() {
        for &hands in Hands::value_variants() {
            for seed in 0..40 {
                for (game, rotated) in games().into_iter().zip([false, true, false]) {
                    let round = Round { rotated, ..Round::new(game.clone(), Ending::None) };
                    let played = day(hands, true, &round, seed).play(&round);
                    let shown = shown(round.start(), &played);
                    let view = |p: Placement| if rotated { p.turned() } else { p };
                    assert_eq!(shown.last().unwrap().1, view(game.last()), "{hands:?} {seed}");
                    assert_eq!(played.landings.len(), game.plies.len());
                    for n in 1..game.plies.len() {
                        let (landed, next) = (played.landings[n - 1], played.landings[n]);
                        // A reply within six seconds may hide it: by a knocked piece, a slow scan or an overlap.
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
    fn captured_men_are_off_at_the_end_of_draughts() {
        let moves =
            ["g3:f4", "d6:e5", "f4:d6", "e7:c5", "c3:b4", "f8:e7", "b4:d6:f8", "d8:e7", "f8:d6", "c7:e5"];
        let start = Position::start().to_string();
        let game = Arc::new(russian::tests::planned(&start, Figures::Colour, &moves));
        let all = Hands::value_variants().iter();
        for (&hands, seed) in all.flat_map(|hands| (0..200).map(move |seed| (hands, seed))) {
            let round = Round::new(game.clone(), Ending::None);
            let played = day(hands, true, &round, seed).play(&round);
            assert_eq!(shown(round.start(), &played).last().unwrap().1, game.last(), "{hands:?} {seed}");
        }
    }

    #[test]
    fn signals_are_real_changes_in_order_of_time() {
        for &hands in Hands::value_variants() {
            let round = Round::new(games()[0].clone(), Ending::Kings);
            let played = day(hands, true, &round, 3).play(&round);
            assert!(played.signals.is_sorted_by_key(Signal::at));
            assert!(played.landings.is_sorted());
            let mut known = round.start();
            for change in changes(&played) {
                assert_ne!(known.get(change.square), change.piece, "{hands:?} {}", change.square);
                known.set(change.square, change.piece);
            }
        }
    }

    #[test]
    fn clean_hands_touch_only_the_squares_of_a_ply() {
        for seed in 0..20 {
            let game = games()[0].clone();
            let round = Round::new(game.clone(), Ending::None);
            let played = day(Hands::Clean, true, &round, seed).play(&round);
            let presses: Vec<Side> = played
                .signals
                .iter()
                .filter_map(|signal| match signal {
                    Signal::Press { side, .. } => Some(*side),
                    Signal::Change(_) => None,
                })
                .collect();
            let sides = [Side::Left, Side::Right];
            assert_eq!(presses, (0..game.plies.len()).map(|n| sides[n % 2]).collect::<Vec<_>>());
            // Two squares a ply, four in castling; a captured piece may leave its square empty for a moment.
            let changes = played.signals.len() - presses.len();
            assert!((21 * 2 + 4..=21 * 2 + 4 + 4).contains(&changes), "{changes}");
        }
    }

    #[test]
    fn without_a_clock_nothing_is_pressed() {
        let round = Round::new(games()[1].clone(), Ending::None);
        let played = day(Hands::Blitz, false, &round, 1).play(&round);
        assert!(played.clock_faces.is_empty());
        assert!(played.signals.iter().all(|signal| matches!(signal, Signal::Change(_))));
    }

    #[test]
    fn each_round_of_a_day_is_set_up() {
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
            let mut day = day(Hands::Rapid, true, &rounds[0], seed);
            let mut known = rounds[0].start();
            for round in &rounds {
                let played = day.play(round);
                let shown = shown(known, &played);
                let ready = shown.iter().rev().find(|(at, _)| *at <= played.ready + SECOND).unwrap();
                assert_eq!(ready.1, round.start(), "seed {seed}");
                known = shown.last().unwrap().1;
                assert_eq!(known, day.stands, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_result_shown_during_a_game_is_put_back() {
        let light = ["e4", "d5"].map(|square| square.parse::<Square>().unwrap());
        let king = |p: &Placement, square| matches!(p.get(square).and_then(Piece::letter), Some('K' | 'k'));
        for (stops_clock, seed) in
            [true, false].into_iter().flat_map(|stops| (0..20).map(move |n| (stops, n)))
        {
            let incident = Incident::Shown { ending: Ending::Kings, result: Outcome::WhiteWins, lasts: 20.0 };
            let interruption = Interruption { ply: 8, incident, stops_clock, puts_back: true };
            let game = games()[0].clone();
            let rotated = seed % 2 == 1;
            let interruption = Some(interruption);
            let round = Round { rotated, interruption, ..Round::new(game.clone(), Ending::None) };
            let played = day(Hands::Rapid, true, &round, seed).play(&round);
            let shown = shown(round.start(), &played);
            let (from, until) = (played.landings[7], played.landings[8]);
            let between = |at: Micros| (from..until).contains(&at);
            let signalled = |p: &Placement| light.iter().all(|&square| king(p, square));
            let (at, _) = shown.iter().find(|(at, p)| between(*at) && signalled(p)).expect("the kings");
            let view = if rotated { game.after(8).turned() } else { game.after(8) };
            assert!(shown.iter().any(|(back, p)| back > at && between(*back) && *p == view), "seed {seed}");
            let stopped = played.clock_faces.iter().any(|face| !face.running && between(face.since));
            assert_eq!(stopped, stops_clock, "seed {seed}");
            let last = if rotated { game.last().turned() } else { game.last() };
            assert_eq!(shown.last().unwrap().1, last);
        }
    }

    #[test]
    fn a_game_continues_after_an_incident() {
        let game = games()[0].clone();
        let taken = Incident::KingTaken {
            illegal: ("e1".parse().unwrap(), "e2".parse().unwrap()),
            by: "c5".parse().unwrap(),
        };
        let beside = Incident::KingBeside { white: true, lasts: 5.0 };
        let shaken = |game: &Placement, p: &Placement| p.count() + 3 <= game.count();
        let taken_off = |_: &Placement, p: &Placement| {
            Square::all().all(|s| p.get(s).and_then(Piece::letter) != Some('K'))
        };
        let begins = |_: &Placement, p: &Placement| *p == Placement::start();
        type Seen = fn(&Placement, &Placement) -> bool;
        let castles =
            |_: &Placement, p: &Placement| p.get("g1".parse().unwrap()).and_then(Piece::letter) == Some('K');
        let kinds: [(Incident, Seen); 6] = [
            (Incident::Withdrawn(Box::new(game.plies[6].clone()), 5.0), castles),
            (Incident::TimeAdded(1800.0), |game, p| game == p),
            (Incident::Shaken(12), shaken),
            (taken, taken_off),
            (beside, taken_off),
            (Incident::PlayedThrough, begins),
        ];
        for ((incident, seen), seed) in
            kinds.into_iter().flat_map(|kind| (0..10).map(move |n| (kind.clone(), n)))
        {
            let interruption = Interruption { ply: 6, incident, stops_clock: true, puts_back: true };
            let round = Round { interruption: Some(interruption), ..Round::new(game.clone(), Ending::None) };
            let played = day(Hands::Classic, true, &round, seed).play(&round);
            let (from, until) = (played.landings[5], played.landings[6]);
            let shown = shown(round.start(), &played);
            let between: Vec<_> = shown.iter().filter(|(at, _)| (from..until).contains(at)).collect();
            let odd = between.iter().position(|(_, p)| seen(&game.after(6), p)).expect("it happens");
            assert!(between[odd..].iter().any(|(_, p)| *p == game.after(6)), "seed {seed}");
            assert_eq!(shown.last().unwrap().1, game.last(), "seed {seed}");
        }
    }

    #[test]
    fn a_lost_clock_is_not_pressed() {
        let game = games()[0].clone();
        for how in [LostClock::Unplugged, LostClock::Dead, LostClock::TakenAway] {
            let clock_loss = Some(ClockLoss { ply: 8, how });
            let round = Round { clock_loss, ..Round::new(game.clone(), Ending::None) };
            let played = day(Hands::Classic, true, &round, 1).play(&round);
            let (gone, reported) = played.clock_gone.unwrap();
            assert!(gone > played.landings[7]);
            assert_eq!(reported, how != LostClock::Dead);
            let presses = played.signals.iter().filter(|signal| matches!(signal, Signal::Press { .. }));
            assert_eq!(presses.filter(|press| press.at() < gone).count(), 8);
            assert_eq!(played.noticed.iter().flatten().count(), 8);
            let stopped = played.clock_faces.last().is_some_and(|face| !face.running);
            assert_eq!(stopped, how == LostClock::TakenAway);
        }
    }

    #[test]
    fn lines_are_tried_from_positions_of_the_game() {
        let game = games()[0].clone();
        let line = |sans: &str, from: usize| {
            let sans: Vec<&str> = sans.split(' ').collect();
            let plies = chess::tests::planned(None, &sans, None).unwrap().plies.split_off(from);
            Line { from, plies }
        };
        let first = "e4 e5 Nf3 Nc6";
        let lines = vec![line(&format!("{first} d4 exd4 Nxd4"), 4), line("e4 e5 Nc3 Nf6", 2)];
        for (seed, rotated) in (0..20).flat_map(|seed| [(seed, false), (seed, true)]) {
            let study = Some(Study { lines: lines.clone(), lasts: 1200.0 });
            let round = Round { rotated, study, ..Round::new(game.clone(), Ending::Kings) };
            let played = day(Hands::Classic, true, &round, seed).play(&round);
            let view = |p: Placement| if rotated { p.turned() } else { p };
            let after: Vec<(Micros, Placement)> =
                shown(round.start(), &played).into_iter().filter(|(at, _)| *at > played.over).collect();
            let mut after = after.iter();
            let expected = [game.last(), game.after(4)].into_iter();
            let tried = lines[0].plies.iter().map(|ply| ply.after);
            let other = [game.after(2)].into_iter().chain(lines[1].plies.iter().map(|ply| ply.after));
            for (n, placement) in expected.chain(tried).chain(other).enumerate() {
                assert!(after.any(|(_, p)| *p == view(placement)), "seed {seed}, position {n}");
            }
            let round = Round { study: Some(Study { lines: lines.clone(), lasts: 0.0 }), ..round };
            let played = day(Hands::Classic, true, &round, seed).play(&round);
            assert_eq!(shown(round.start(), &played).last().unwrap().1, view(game.last()), "seed {seed}");
        }
    }

    #[test]
    fn kings_in_the_centre_show_the_result() {
        for (game, light) in games().into_iter().zip([2, 0, 1]) {
            for (seed, rotated) in (0..20).flat_map(|seed| [(seed, false), (seed, true)]) {
                let round = Round { rotated, ..Round::new(game.clone(), Ending::Kings) };
                let mut day = day(Hands::Classic, true, &round, seed);
                day.play(&round);
                let king = |square: &str| {
                    let piece = day.stands.get(square.parse().unwrap()).and_then(|p| p.letter());
                    matches!(piece, Some('K' | 'k'))
                };
                let on = |squares: [&str; 2]| squares.into_iter().filter(|square| king(square)).count();
                assert_eq!((on(["e4", "d5"]), on(["d4", "e5"])), (light, 2 - light));
            }
        }
    }
}
