//! From what is known of the boards to what needs a hand: over the whole input, and at a moment.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    advice::{MANY_ANOMALIES, SET_UP_WRONGLY, advice, advice_on_one_of, alternatives},
    board::{BoardHealth, Boards, Name},
    dropouts::{Culprit, Verdict},
    game::Anomalies,
    limits,
    link::{Link, SPOILT},
    series::Minutes,
    squares::holds,
};
use crate::record::{FaultKind, Finding, FindingKind, Square, Time, Zone};

/// What is wrong with a board now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What it is.
    pub kind: FindingKind,
    /// It in a few words: `lost 40 s`, `e4 flickers`.
    pub words: String,
}

/// Those kinds of trouble of one board that are the line's where most of its boards have them.
const SHARED: [FindingKind; 6] = [
    FindingKind::NoGame,
    FindingKind::Silent,
    FindingKind::Reset,
    FindingKind::Noise,
    FindingKind::Unanswered,
    FindingKind::LineFull,
];

/// Everything that needs a hand, the gravest first.
pub fn findings(boards: &Boards, now: Option<Time>, with_games: bool, zone: &Zone) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    let times = usual_times(boards);
    for ((line, board), health) in boards {
        let usual = usual_of_others(&times[line], health.link.median());
        let others = boards.iter().filter(|((of, other), _)| of == line && other != board);
        let mut found = match twin(health, others.map(|(_, other)| &**other)) {
            // Whatever else is wrong with its answers follows from it.
            Some(twin) => vec![twin],
            None => of_board(health, now, usual, zone),
        };
        let explained = [FindingKind::Twin, FindingKind::DeadSquare];
        if with_games
            && health.games.games == 0
            && health.untold.0 >= limits::CHANGES
            && !found.iter().any(|found| explained.contains(&found.kind))
        {
            let (changes, since) = health.untold;
            let detail = format!("{changes} changes, and no game");
            found.push(Found::new(FindingKind::NoGame, changes, since, detail));
        }
        // What has no address is a board alone, or the line of those that have one.
        let of_line = board.is_none() && boards.keys().any(|(of, other)| of == line && other.is_some());
        all.extend(found.into_iter().map(|found| found.finding(line, *board, of_line)));
    }
    all.retain(|finding| !is_a_cut_between_rounds(boards, finding) && !went_last(boards, finding));
    share(boards, &mut all);
    all.sort_by(|a, b| (a.kind, &a.line, a.board, a.square).cmp(&(b.kind, &b.line, b.board, b.square)));
    all
}

/// A finding of a board that does not know its name yet.
struct Found {
    kind: FindingKind,
    square: Option<Square>,
    one_of: Vec<Square>,
    since: Option<Time>,
    count: u64,
    detail: String,
    /// What to do, where it is not what to do about all of its kind.
    advice: Option<&'static str>,
}

impl Found {
    fn new(kind: FindingKind, count: u64, since: Option<Time>, detail: String) -> Found {
        Found { kind, square: None, one_of: Vec::new(), since, count, detail, advice: None }
    }

    /// The finding of a board, or of a line with its boards.
    fn finding(self, line: &Option<Arc<str>>, board: Option<u16>, of_line: bool) -> Finding {
        let Found { kind, square, one_of, since, count, detail, advice: own } = self;
        let of_kind = || if of_line { of_line_advice(kind) } else { advice(kind) };
        let advice = if one_of.is_empty() {
            own.unwrap_or_else(of_kind).to_owned()
        } else {
            advice_on_one_of(&one_of)
        };
        Finding { kind, line: line.clone(), board, square, one_of, since, count, detail, advice }
    }
}

/// That two boards have one address: the line was found to bear two, or much of what comes from this board, and from no other, is
/// spoilt again and again, which noise on a line does to all.
fn twin<'a>(health: &BoardHealth, others: impl Iterator<Item = &'a BoardHealth>) -> Option<Found> {
    let link = &health.link;
    if link.twin.count > 0 {
        let detail = "two boards have this address".to_owned();
        return Some(Found::new(FindingKind::Twin, link.twin.count.into(), link.twin.first, detail));
    }
    let spoilt = |health: &BoardHealth| health.link.spoilt_answers.count >= limits::SPOILT_TIMES;
    let mut others = others.filter(|other| other.link.answers.asked > 0).peekable();
    if !spoilt(health) || others.peek().is_none() || others.any(spoilt) {
        return None;
    }
    let (series, answers) = (&link.spoilt_answers, &link.answers);
    let share = 100.0 * answers.spoilt as f64 / answers.asked as f64;
    let detail = format!(
        "two boards seem to have this address: {share:.0} % of its answers are spoilt, and of no other board"
    );
    Some(Found::new(FindingKind::Twin, series.count.into(), series.first, detail))
}

/// Everything about one board; `usual` is how long the answers of the others take.
fn of_board(health: &BoardHealth, now: Option<Time>, usual: Option<f64>, zone: &Zone) -> Vec<Found> {
    let mut found = Vec::new();
    of_link(health, now, usual, zone, &mut found);
    of_squares(health, &mut found);
    of_clock(health, &mut found);
    of_games(health, now, &mut found);
    found
}

fn of_link(health: &BoardHealth, now: Option<Time>, usual: Option<f64>, zone: &Zone, found: &mut Vec<Found>) {
    let link = &health.link;
    let resets = &link.resets_in_play;
    if resets.count > 0 {
        let detail = format!("restarted {} in a game", times(resets.count.into()));
        found.push(Found::new(FindingKind::Reset, resets.count.into(), resets.first, detail));
    }
    let (silences, since, longest) = link.silences(now);
    if silences > 0 {
        let detail = match link.silent_since() {
            Some(_) if longest < 1.0 => "lost in a game, and not heard since".to_owned(),
            silent => {
                let still = if silent.is_some() { "and still; " } else { "" };
                format!("silent {} in a game, {still}{} at the longest", times(silences), span(longest))
            }
        };
        found.push(Found::new(FindingKind::Silent, silences, since, detail));
    }
    let spoilt: Vec<&Minutes> = link.spoilt.iter().filter(|minutes| minutes.all.count > 0).collect();
    if link.spoilt.iter().any(too_many) {
        let count: u64 = spoilt.iter().map(|minutes| u64::from(minutes.all.count)).sum();
        let since = spoilt.iter().filter_map(|minutes| minutes.all.first).min();
        let detail = faults_in_words(link, zone).join(", ");
        found.push(Found::new(FindingKind::Noise, count, since, detail));
    }
    let slow = slow(health, usual);
    if let Some((median, usual, since)) = slow {
        let ms = |seconds: f64| (seconds * 1000.0).round();
        let (median, worst, usual) = (ms(median), ms(link.answers.worst_seconds.0), ms(usual));
        let detail = format!("answers take {median} ms, {worst} at most; those of other boards {usual}");
        found.push(Found::new(FindingKind::Slow, link.answers.asked.into(), since, detail));
    } else if too_many(&link.unanswered) {
        let all = &link.unanswered.all;
        let detail = format!("{} questions without an answer{}", all.count, worst(&link.unanswered, zone));
        found.push(Found::new(FindingKind::Unanswered, all.count.into(), all.first, detail));
    }
    if let Some(every) = link.seldom_asked() {
        let detail = format!("asked every {every:.0} s");
        found.push(Found::new(FindingKind::LineFull, link.answers.asked.into(), link.seldom_since, detail));
    }
}

/// Whether there are more than chance brings.
fn too_many(minutes: &Minutes) -> bool {
    minutes.worst().is_some_and(|(_, count)| count >= limits::FAULTS_A_MINUTE)
        || minutes.worst_hour() >= limits::FAULTS_AN_HOUR
}

/// The faults by kind, each with its worst minute.
pub fn faults_in_words(link: &Link, zone: &Zone) -> Vec<String> {
    let counted = SPOILT.iter().zip(&link.spoilt).chain([(&FaultKind::Timeout, &link.unanswered)]);
    counted
        .filter(|(_, minutes)| minutes.all.count > 0)
        .map(|(kind, minutes)| format!("{} {}{}", minutes.all.count, kind.name(), worst(minutes, zone)))
        .collect()
}

/// The worst minute, told with its zone: the record of it has no other time for it.
fn worst(minutes: &Minutes, zone: &Zone) -> String {
    match minutes.worst() {
        Some((minute, count)) if minutes.all.count > 1 && minute.0 > 0 => {
            format!(" ({count} at {})", zone.minute(minute))
        }
        _ => String::new(),
    }
}

/// How long a slow board's answers take, how long those of the others, and since when.
fn slow(health: &BoardHealth, usual: Option<f64>) -> Option<(f64, f64, Option<Time>)> {
    let ((median, since), usual) = (health.link.slow()?, usual?);
    is_slower(median, usual).then_some((median, usual, since))
}

/// In words that a board is slow beside the others of its line, if it is.
fn is_slow(boards: &Boards, name: &Name, health: &BoardHealth) -> Option<String> {
    // Most boards are not, and all the others need not be looked at.
    let median = health.link.slow_now()?;
    let usual = usual_of_others(&usual_times(boards)[&name.0], health.link.median())?;
    is_slower(median, usual).then(|| format!("answers take {:.0} ms", median * 1000.0))
}

fn is_slower(median: f64, usual: f64) -> bool {
    median > usual * limits::SLOWER
}

/// How long the answers of the boards of each line usually take, in order.
fn usual_times(boards: &Boards) -> BTreeMap<&Option<Arc<str>>, Vec<f64>> {
    let mut of_lines: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for ((line, _), health) in boards {
        of_lines.entry(line).or_default().extend(health.link.median());
    }
    of_lines.values_mut().for_each(|times| times.sort_by(f64::total_cmp));
    of_lines
}

/// How long those of the boards beside this one usually take.
pub(super) fn usual_of_others(times: &[f64], own: Option<f64>) -> Option<f64> {
    let own = own.map_or(times.len(), |own| times.partition_point(|time| time.total_cmp(&own).is_lt()));
    let middle = times.len().saturating_sub(usize::from(own < times.len())) / 2;
    times.get(middle + usize::from(own <= middle)).copied()
}

fn of_squares(health: &BoardHealth, found: &mut Vec<Found>) {
    for (square, evidence) in health.dead.verdicts() {
        let one_of = one_of(square, evidence.or);
        let name = if one_of.is_empty() { square.to_string() } else { alternatives(&one_of) };
        let says = if health.dead.has_spoken(square) { "says no more" } else { "never says" };
        let detail = format!("{name} {says} that anything stands on it");
        let dead = Found::new(FindingKind::DeadSquare, evidence.count.into(), evidence.since, detail);
        found.push(Found { square: Some(square), one_of, ..dead });
    }
    for verdict in health.drop_outs.verdicts() {
        let (kind, square) = match verdict.culprit {
            Culprit::Square(square) => (FindingKind::Flicker, square),
            Culprit::Piece(home) => (FindingKind::WeakPiece, home),
        };
        let detail = format!("{}, {}", drops_out(health, &verdict), times(verdict.count.into()));
        let found_here = Found::new(kind, verdict.count.into(), verdict.since, detail);
        found.push(Found { square: Some(square), ..found_here });
    }
}

/// The squares of which one is dead, in the order of the fields; none where it is this one.
fn one_of(square: Square, or: u64) -> Vec<Square> {
    let is_one = |other: &Square| *other == square || holds(or, *other);
    if or == 0 { Vec::new() } else { Square::all().filter(is_one).collect() }
}

/// `e4 flickers`, or which piece drops out.
fn drops_out(health: &BoardHealth, verdict: &Verdict) -> String {
    match verdict.culprit {
        Culprit::Square(square) => format!("{square} flickers"),
        Culprit::Piece(home) => {
            let now = health.pieces.place_of(home).filter(|now| *now != home);
            let now = now.map_or(String::new(), |now| format!(", now on {now},"));
            let on = verdict.on.map_or(String::new(), |on| format!(" on {on}"));
            format!("the piece from {home}{now} drops out{on}")
        }
    }
}

fn of_clock(health: &BoardHealth, found: &mut Vec<Found>) {
    let clock = &health.clock;
    let mut add = |kind, series: &super::series::Series, detail: String| {
        if series.count > 0 {
            found.push(Found::new(kind, series.count.into(), series.first, detail));
        }
    };
    let away = format!("the clock went away {} in a game", times(clock.disconnected.count.into()));
    add(FindingKind::ClockDisconnected, &clock.disconnected, away);
    add(FindingKind::ClockBattery, &clock.low_battery, "the clock's battery is low".to_owned());
    let unmoved = "the clock runs, and nothing moves".to_owned();
    add(FindingKind::NoChange, &clock.unmoved, unmoved);
}

fn of_games(health: &BoardHealth, now: Option<Time>, found: &mut Vec<Found>) {
    let games = &health.games;
    let (mismatches, since, behind) = games.mismatches(now, health.clock.runs());
    if mismatches > 0 {
        let detail = format!("the board does not match the game since {behind}");
        found.push(Found::new(FindingKind::Mismatch, mismatches, since, detail));
    }
    if let Some((count, since, detail)) = set_up_wrongly(health) {
        let found_here = Found::new(FindingKind::Mismatch, count, since, detail);
        found.push(Found { advice: Some(SET_UP_WRONGLY), ..found_here });
    }
    of_anomalies(&games.anomalies, now, health.clock.is_known(), found);
    for (kind, unsure, what) in
        [(FindingKind::Guess, &games.guessed, "guessed"), (FindingKind::Doubt, &games.doubtful, "doubtful")]
    {
        let (count, last) = (unsure.count(), unsure.last());
        if count > 0 {
            let detail = format!("{count} move{} {what}, the last {last}", if count == 1 { "" } else { "s" });
            found.push(Found::new(kind, count, unsure.first(), detail));
        }
    }
}

/// Pieces stand exchanged as the board is set up, or stood so when games began: how many, since when, and which.
fn set_up_wrongly(health: &BoardHealth) -> Option<(u64, Option<Time>, String)> {
    let (games, since, words) = health.games.exchanged.all();
    if games > 0 {
        return Some((
            games.into(),
            since,
            format!("the pieces on {words} stood exchanged when the game began"),
        ));
    }
    let words = health.pieces.exchanged()?;
    Some((1, health.moved, format!("the pieces on {words} stand exchanged")))
}

/// Of what was put right nothing is said, unless there was so much of it that it is none of the players'.
fn of_anomalies(anomalies: &Anomalies, now: Option<Time>, with_clock: bool, found: &mut Vec<Found>) {
    let of_the_board =
        [FindingKind::Reset, FindingKind::DeadSquare, FindingKind::Flicker, FindingKind::WeakPiece];
    let explained = found.iter().any(|found| of_the_board.contains(&found.kind));
    let many = anomalies.are_many && !explained;
    let (count, since, last) = match many {
        true => (anomalies.all.count, anomalies.all.first, &*anomalies.last),
        false => anomalies.unmended(now, with_clock),
    };
    let before = match count {
        0 => return,
        1 => String::new(),
        _ => format!("{}, the last ", times(count.into())),
    };
    let detail = format!("{before}behind {last}");
    let advice = if many { MANY_ANOMALIES } else { advice(FindingKind::Anomaly) };
    let anomaly = Found::new(FindingKind::Anomaly, count.into(), since, detail);
    found.push(Found { advice: Some(advice), ..anomaly });
}

/// What most boards of a line have is the line's.
fn share(boards: &Boards, all: &mut Vec<Finding>) {
    let mut of_line: BTreeMap<&Option<Arc<str>>, usize> = BTreeMap::new();
    for (line, board) in boards.keys() {
        *of_line.entry(line).or_default() += usize::from(board.is_some());
    }
    let mut with: BTreeMap<(Option<Arc<str>>, FindingKind), Vec<Finding>> = BTreeMap::new();
    for finding in all.iter().filter(|finding| SHARED.contains(&finding.kind)) {
        with.entry((finding.line.clone(), finding.kind)).or_default().push(finding.clone());
    }
    with.retain(|(line, kind), with| {
        let boards = of_line[line];
        let is_one = *kind != FindingKind::Reset || at_once(with);
        boards >= limits::SHARED && 2 * with.len() > boards && is_one
    });
    all.retain(|finding| !with.contains_key(&(finding.line.clone(), finding.kind)));
    for ((line, kind), with) in with {
        let count = with.iter().map(|finding| finding.count).sum();
        let since = with.iter().filter_map(|finding| finding.since).min();
        let most = with.iter().max_by_key(|finding| finding.count).unwrap_or(&with[0]);
        let alike = with.iter().all(|finding| finding.count == most.count);
        let most_board = most.board.filter(|_| !alike);
        let board = most_board.map_or(String::new(), |board| format!(", most {board}"));
        let detail = format!("{} of {} boards{board}: {}", with.len(), of_line[&line], most.detail);
        all.push(Found::new(kind, count, since, detail).finding(&line, None, true));
    }
}

/// Whether a board was restarted once, with most boards of its line, of which few had a game in play: the hall's power went
/// between rounds, when games that nobody told the result of seem to be in play.
fn is_a_cut_between_rounds(boards: &Boards, finding: &Finding) -> bool {
    let Some(at) = finding.since.filter(|_| finding.kind == FindingKind::Reset && finding.count == 1) else {
        return false;
    };
    let of_line = || boards.iter().filter(|((line, board), _)| *line == finding.line && board.is_some());
    let links = of_line().map(|(_, health)| &health.link);
    let restarted: Vec<_> = links.filter(|link| link.resets.is_near(at, limits::ONE_SUPPLY)).collect();
    let in_play = restarted.iter().filter(|link| link.resets_in_play.is_near(at, limits::ONE_SUPPLY)).count();
    restarted.len() >= limits::SHARED
        && 2 * restarted.len() > of_line().count()
        && 2 * in_play < restarted.len()
}

/// Whether a board without a clock is gone for good, of whose line others were moved on behind its last change, and none since it
/// went: the round is over, and boards are packed up.
fn went_last(boards: &Boards, finding: &Finding) -> bool {
    if finding.kind != FindingKind::Silent || finding.count > 1 {
        return false;
    }
    let one = boards.get(&(finding.line.clone(), finding.board)).filter(|health| !health.clock.is_known());
    let Some(health) = one else { return false };
    let Some((Some(went), false)) = health.link.silent_since() else { return false };
    let others = boards.iter().filter(|((line, board), _)| *line == finding.line && *board != finding.board);
    let moved = others.filter_map(|(_, other)| other.moved).max();
    moved.is_some_and(|moved| Some(moved) > health.moved && moved < went)
}

/// Whether findings of several boards began together: one supply feeds them.
fn at_once(findings: &[Finding]) -> bool {
    let times = || findings.iter().filter_map(|finding| finding.since);
    let first_and_last = times().min().zip(times().max());
    first_and_last.is_some_and(|(first, last)| first.seconds_until(last) <= limits::ONE_SUPPLY)
}

/// What to do about a trouble that most boards of a line share.
fn of_line_advice(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Silent => "Look at the adapter, its USB plug and the first cable of the line.",
        FindingKind::LineFull => advice(kind),
        FindingKind::NoGame => {
            "Give the journal from its beginning, for the games began before; or give reconstruct the position with --fen, or --midgame for games that were on."
        }
        FindingKind::Reset => {
            "Look at the power supply that these boards share and at its plug: moves made meanwhile are lost."
        }
        _ => "Look at the adapter and the first cable, and take boards off one by one until it stops.",
    }
}

/// What is wrong with a board at a moment, the gravest first; nothing of a board that was never heard of.
pub fn trouble(boards: &Boards, name: &Name, now: Time, zone: &Zone) -> Vec<Trouble> {
    let Some(health) = boards.get(name) else { return Vec::new() };
    let mut all = Vec::new();
    let mut add = |kind, words: String| all.push(Trouble { kind, words });
    let link = &health.link;
    // It was said once; as long as much of what comes from it is spoilt, nothing has changed.
    let spoilt = link.twin.count > 0 && link.spoilt_answers.within(now, limits::TWIN_SAID) > 0;
    if spoilt || link.twin.within(now, limits::TWIN_SAID) > 0 || link.is_drowned() {
        add(FindingKind::Twin, "two boards have this address".to_owned());
    }
    if let Some((since, port)) = link.silent_since() {
        let lost = if port { "port lost" } else { "lost" };
        // What is lost at this very moment, or since nobody knows when, has no time yet.
        let since = since.filter(|since| since.seconds_until(now) >= 1.0);
        let words = since.map(|since| format!("{lost} {}", zone.lasting(since, now, span)));
        add(FindingKind::Silent, words.unwrap_or_else(|| lost.to_owned()));
    }
    if link.resets.within(now, 60.0) > 0 {
        add(FindingKind::Reset, "restarted".to_owned());
    }
    squares_now(health, now, &mut add);
    if let Some(behind) = health.games.is_mismatched(now) {
        add(FindingKind::Mismatch, format!("board does not match the game since {behind}"));
    }
    if let Some(words) = health.games.exchanged.now() {
        add(FindingKind::Mismatch, format!("began with {words} exchanged"));
    } else if let Some(words) = health.pieces.exchanged() {
        add(FindingKind::Mismatch, format!("{words} stand exchanged"));
    }
    if let Some(seconds) = health.clock.still_now(now) {
        let long = zone.lasting(now.after(-seconds), now, |seconds| format!("for {}", span(seconds)));
        add(FindingKind::NoChange, format!("no change {long} while the clock runs"));
    }
    if health.games.anomalies.all.within(now, 60.0) > 0 {
        add(FindingKind::Anomaly, format!("behind {}", health.games.anomalies.last));
    }
    if health.clock.is_away() {
        add(FindingKind::ClockDisconnected, "no clock".to_owned());
    }
    if health.clock.last.as_ref().is_some_and(|clock| clock.low_battery == Some(true)) {
        add(FindingKind::ClockBattery, "clock battery low".to_owned());
    }
    for (kind, minutes) in SPOILT.map(FaultKind::name).iter().zip(&link.spoilt) {
        match minutes.all.within(now, 60.0) {
            0 => {}
            1 => add(FindingKind::Noise, format!("1 {kind} fault in the last minute")),
            n => add(FindingKind::Noise, format!("{n} {kind} faults in the last minute")),
        }
    }
    match link.unanswered.all.within(now, 60.0) {
        0 => {}
        n => add(FindingKind::Unanswered, format!("{n} without an answer in the last minute")),
    }
    if let Some(words) = is_slow(boards, name, health) {
        add(FindingKind::Slow, words);
    }
    all.sort_by_key(|trouble| trouble.kind);
    all
}

/// What is wrong with its squares and pieces at a moment.
fn squares_now(health: &BoardHealth, now: Time, add: &mut impl FnMut(FindingKind, String)) {
    for (square, evidence) in health.dead.verdicts() {
        // Of squares of which one is dead the first says so.
        match one_of(square, evidence.or) {
            squares if squares.is_empty() => {
                let says = if health.dead.has_spoken(square) { "shows nothing any more" } else { "is dead" };
                add(FindingKind::DeadSquare, format!("{square} {says}"));
            }
            squares if squares[0] == square => {
                add(FindingKind::DeadSquare, format!("{} is dead", alternatives(&squares)));
            }
            _ => {}
        }
    }
    for verdict in health.drop_outs.verdicts() {
        if health.drop_outs.is_at_it(verdict.culprit, now) {
            let kind = match verdict.culprit {
                Culprit::Square(_) => FindingKind::Flicker,
                Culprit::Piece(_) => FindingKind::WeakPiece,
            };
            add(kind, drops_out(health, &verdict));
        }
    }
}

/// `once`, `twice`, `7 times`.
fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

/// `40 s`, `12 min`, `3.1 h`.
pub fn span(seconds: f64) -> String {
    let seconds = seconds.max(0.0);
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
