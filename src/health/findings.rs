//! Findings from the state of the boards: what was wrong over the whole input, and what is wrong at a moment.

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
use crate::record::{FaultKind, Finding, FindingKind, Readings, Square, Time, Zone};

/// What is wrong with a board now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What it is.
    pub kind: FindingKind,
    /// A few words: `lost 40 s`, `e4 flickers`.
    pub words: String,
}

/// Findings reported for the line when most of its boards have them.
const SHARED: [FindingKind; 6] = [
    FindingKind::NoGame,
    FindingKind::Silent,
    FindingKind::Reset,
    FindingKind::Noise,
    FindingKind::Unanswered,
    FindingKind::LineFull,
];

/// Everything that needs attention, the most serious first.
pub fn findings(boards: &Boards, now: Option<Time>, with_games: bool, zone: &Zone) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    let times = usual_times(boards);
    for ((line, board), health) in boards {
        let usual = usual_of_others(&times[line], health.link.median());
        let others = boards.iter().filter(|((of, other), _)| of == line && other != board);
        let mut found = match twin(health, others.map(|(_, other)| &**other)) {
            // A shared address explains whatever else is wrong with the answers.
            Some(twin) => vec![twin],
            None => of_board(health, now, usual, zone),
        };
        let explained = [FindingKind::Twin, FindingKind::DeadSquare];
        if with_games
            && health.games.games == 0
            && health.changes_without_game.0 >= limits::GAME_CHANGES
            && !found.iter().any(|found| explained.contains(&found.kind))
        {
            let (changes, since) = health.changes_without_game;
            let detail = format!("{changes} changes, and no game");
            found.push(Found::new(FindingKind::NoGame, changes, since, detail));
        }
        // A finding without an address concerns a single board, or the line if it has boards with addresses.
        let of_line = board.is_none() && boards.keys().any(|(of, other)| of == line && other.is_some());
        all.extend(found.into_iter().map(|found| found.finding(line, *board, of_line)));
    }
    all.retain(|finding| !is_a_cut_between_rounds(boards, finding) && !is_packed_up_last(boards, finding));
    merge_shared(boards, &mut all);
    all.sort_by(|a, b| (a.kind, &a.line, a.board, a.square).cmp(&(b.kind, &b.line, b.board, b.square)));
    all
}

/// A finding without the name of its board.
struct Found {
    kind: FindingKind,
    square: Option<Square>,
    one_of: Vec<Square>,
    since: Option<Time>,
    count: u64,
    detail: String,
    /// What to do, if it differs from the advice for its kind.
    advice: Option<&'static str>,
}

impl Found {
    fn new(kind: FindingKind, count: u64, since: Option<Time>, detail: String) -> Found {
        Found { kind, square: None, one_of: Vec::new(), since, count, detail, advice: None }
    }

    /// The complete finding. `of_line`: the line has it, with its boards.
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

/// The finding that two boards have the same address: the recorder detected it, or in several reports many answers of
/// this board are spoilt and of no other. Noise on a line spoils those of all boards.
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

/// All findings of one board. `usual`: the median answer time of the others, in seconds.
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
            Some(_) if longest < 1.0 => "lost in a game and not back since".to_owned(),
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
    let Readings { reports, ghosts, missed, square } = link.readings;
    let misread = ghosts.saturating_add(missed);
    if misread > reports / limits::MISREAD {
        let detail = format!("{ghosts} ghosts and {missed} missed pieces in {reports} reports");
        let found_now = Found::new(FindingKind::Misread, misread.into(), link.read_since, detail);
        found.push(Found { square, ..found_now });
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

/// Whether there are more than chance causes.
fn too_many(minutes: &Minutes) -> bool {
    minutes.worst().is_some_and(|(_, count)| count >= limits::FAULTS_PER_MINUTE)
        || minutes.worst_hour() >= limits::FAULTS_PER_HOUR
}

/// The faults in words, by kind, each with its worst minute.
pub fn faults_in_words(link: &Link, zone: &Zone) -> Vec<String> {
    let counted = SPOILT.iter().zip(&link.spoilt).chain([(&FaultKind::Timeout, &link.unanswered)]);
    counted
        .filter(|(_, minutes)| minutes.all.count > 0)
        .map(|(kind, minutes)| format!("{} {}{}", minutes.all.count, kind.name(), worst(minutes, zone)))
        .collect()
}

/// The worst minute in words, with its zone: no field of the record has this time.
fn worst(minutes: &Minutes, zone: &Zone) -> String {
    match minutes.worst() {
        Some((minute, count)) if minutes.all.count > 1 && minute.0 > 0 => {
            format!(" ({count} at {})", zone.minute(minute))
        }
        _ => String::new(),
    }
}

/// The answer time of a slow board, that of the others, both in seconds, and since when it is slow.
fn slow(health: &BoardHealth, usual: Option<f64>) -> Option<(f64, f64, Option<Time>)> {
    let ((median, since), usual) = (health.link.slow()?, usual?);
    is_slower(median, usual).then_some((median, usual, since))
}

/// In words that a board is slow now compared to the others of its line; none if it is not.
fn slow_now(boards: &Boards, name: &Name, health: &BoardHealth) -> Option<String> {
    // Most boards are fast, which spares the comparison.
    let median = health.link.slow_now()?;
    let usual = usual_of_others(&usual_times(boards)[&name.0], health.link.median())?;
    is_slower(median, usual).then(|| format!("answers take {:.0} ms", median * 1000.0))
}

fn is_slower(median: f64, usual: f64) -> bool {
    median > usual * limits::SLOW_RATIO
}

/// For each line the median answer times of its boards in seconds, in ascending order.
fn usual_times(boards: &Boards) -> BTreeMap<&Option<Arc<str>>, Vec<f64>> {
    let mut of_lines: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for ((line, _), health) in boards {
        of_lines.entry(line).or_default().extend(health.link.median());
    }
    of_lines.values_mut().for_each(|times| times.sort_by(f64::total_cmp));
    of_lines
}

/// The median of these sorted times without that of the board itself, `own`.
pub(super) fn usual_of_others(times: &[f64], own: Option<f64>) -> Option<f64> {
    let own = own.map_or(times.len(), |own| times.partition_point(|time| time.total_cmp(&own).is_lt()));
    let middle = times.len().saturating_sub(usize::from(own < times.len())) / 2;
    times.get(middle + usize::from(own <= middle)).copied()
}

fn of_squares(health: &BoardHealth, found: &mut Vec<Found>) {
    for (square, evidence) in health.dead.verdicts() {
        let one_of = one_of(square, evidence.alternatives);
        let name = if one_of.is_empty() { square.to_string() } else { alternatives(&one_of) };
        let verb = if health.dead.has_reported(square) { "no longer reports" } else { "never reports" };
        let detail = format!("{name} {verb} a piece");
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

/// The squares of which one is dead, in field order; empty if it is surely this one.
fn one_of(square: Square, alternatives: u64) -> Vec<Square> {
    let is_one = |other: &Square| *other == square || holds(alternatives, *other);
    if alternatives == 0 { Vec::new() } else { Square::all().filter(is_one).collect() }
}

/// The culprit in words: `e4 flickers`, or the piece that drops out.
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
    let (mismatches, since, after) = games.mismatches(now, health.clock.runs());
    if mismatches > 0 {
        let detail = format!("the board does not match the game since {after}");
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

/// Pieces that stand exchanged now, or did when games began: how many times, since when, and a description.
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

/// Anomalies that were put right are not reported unless there are so many that the board must be at fault.
fn of_anomalies(anomalies: &Anomalies, now: Option<Time>, with_clock: bool, found: &mut Vec<Found>) {
    let of_the_board =
        [FindingKind::Reset, FindingKind::DeadSquare, FindingKind::Flicker, FindingKind::WeakPiece];
    let explained = found.iter().any(|found| of_the_board.contains(&found.kind));
    let many = anomalies.are_many && !explained;
    let (count, since, last) = match many {
        true => (anomalies.all.count, anomalies.all.first, &*anomalies.last),
        false => anomalies.not_put_right(now, with_clock),
    };
    let before = match count {
        0 => return,
        1 => String::new(),
        _ => format!("{}, the last ", times(count.into())),
    };
    let detail = format!("{before}after {last}");
    let advice = if many { MANY_ANOMALIES } else { advice(FindingKind::Anomaly) };
    let anomaly = Found::new(FindingKind::Anomaly, count.into(), since, detail);
    found.push(Found { advice: Some(advice), ..anomaly });
}

/// Merges findings that most boards of a line share into one of the line.
fn merge_shared(boards: &Boards, all: &mut Vec<Finding>) {
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
        boards >= limits::SHARED_BOARDS && 2 * with.len() > boards && is_one
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

/// Whether a board was restarted once, together with most boards of its line, few of which had a game in play: the power was cut
/// between rounds, when games without a reported result still seem to be in play.
fn is_a_cut_between_rounds(boards: &Boards, finding: &Finding) -> bool {
    let Some(at) = finding.since.filter(|_| finding.kind == FindingKind::Reset && finding.count == 1) else {
        return false;
    };
    let of_line = || boards.iter().filter(|((line, board), _)| *line == finding.line && board.is_some());
    let links = of_line().map(|(_, health)| &health.link);
    let restarted: Vec<_> = links.filter(|link| link.resets.is_near(at, limits::ONE_CAUSE_SECONDS)).collect();
    let in_play =
        restarted.iter().filter(|link| link.resets_in_play.is_near(at, limits::ONE_CAUSE_SECONDS)).count();
    restarted.len() >= limits::SHARED_BOARDS
        && 2 * restarted.len() > of_line().count()
        && 2 * in_play < restarted.len()
}

/// Whether a board without a clock was lost for good after its round: other boards of its line were moved after its last change,
/// and none since it was lost, so the boards are being packed up.
fn is_packed_up_last(boards: &Boards, finding: &Finding) -> bool {
    if finding.kind != FindingKind::Silent || finding.count > 1 {
        return false;
    }
    let one = boards.get(&(finding.line.clone(), finding.board)).filter(|health| !health.clock.is_known());
    let Some(health) = one else { return false };
    let Some((Some(lost), false)) = health.link.silent_since() else { return false };
    let others = boards.iter().filter(|((line, board), _)| *line == finding.line && *board != finding.board);
    let moved = others.filter_map(|(_, other)| other.moved).max();
    moved.is_some_and(|moved| Some(moved) > health.moved && moved < lost)
}

/// Whether the findings of several boards began together, which suggests a shared power supply.
fn at_once(findings: &[Finding]) -> bool {
    let times = || findings.iter().filter_map(|finding| finding.since);
    let first_and_last = times().min().zip(times().max());
    first_and_last.is_some_and(|(first, last)| first.seconds_until(last) <= limits::ONE_CAUSE_SECONDS)
}

/// What to do about a finding that most boards of a line share.
fn of_line_advice(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Silent => "Look at the adapter, its USB plug and the first cable of the line.",
        FindingKind::LineFull => advice(kind),
        FindingKind::NoGame => {
            "Read the journal from its beginning, as the games began before this part; or pass the position to reconstruct with --fen, or use --midgame for games already in play."
        }
        FindingKind::Reset => {
            "Look at the power supply that these boards share and at its plug: moves made meanwhile are lost."
        }
        _ => "Look at the adapter and the first cable, and take boards off one by one until it stops.",
    }
}

/// What is wrong with a board at this moment, the most serious first; empty for an unknown board.
pub fn trouble(boards: &Boards, name: &Name, now: Time, zone: &Zone) -> Vec<Trouble> {
    let Some(health) = boards.get(name) else { return Vec::new() };
    let mut all = Vec::new();
    let mut add = |kind, words: String| all.push(Trouble { kind, words });
    let link = &health.link;
    // The fault is reported once; the address is still shared while many answers are spoilt.
    let spoilt = link.twin.count > 0 && link.spoilt_answers.within(now, limits::LINK_SPELL_SECONDS) > 0;
    if spoilt || link.twin.within(now, limits::LINK_SPELL_SECONDS) > 0 || link.is_unreadable() {
        add(FindingKind::Twin, "two boards have this address".to_owned());
    }
    if let Some((since, port)) = link.silent_since() {
        let lost = if port { "port lost" } else { "lost" };
        // A board lost just now, or at an unknown time, has no duration yet.
        let since = since.filter(|since| since.seconds_until(now) >= 1.0);
        let words = since.map(|since| format!("{lost} {}", zone.lasting(since, now, span)));
        add(FindingKind::Silent, words.unwrap_or_else(|| lost.to_owned()));
    }
    if link.resets.within(now, 60.0) > 0 {
        add(FindingKind::Reset, "restarted".to_owned());
    }
    squares_now(health, now, &mut add);
    if let Some(after) = health.games.mismatch_now(now) {
        add(FindingKind::Mismatch, format!("board does not match the game since {after}"));
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
        add(FindingKind::Anomaly, format!("after {}", health.games.anomalies.last));
    }
    if health.clock.is_disconnected() {
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
    if let Some(words) = slow_now(boards, name, health) {
        add(FindingKind::Slow, words);
    }
    all.sort_by_key(|trouble| trouble.kind);
    all
}

/// What is wrong with a board's squares and pieces at this moment.
fn squares_now(health: &BoardHealth, now: Time, add: &mut impl FnMut(FindingKind, String)) {
    for (square, evidence) in health.dead.verdicts() {
        // Of alternatives only the first is reported, with the names of all.
        match one_of(square, evidence.alternatives) {
            squares if squares.is_empty() => {
                let verb =
                    if health.dead.has_reported(square) { "no longer reports a piece" } else { "is dead" };
                add(FindingKind::DeadSquare, format!("{square} {verb}"));
            }
            squares if squares[0] == square => {
                add(FindingKind::DeadSquare, format!("{} is dead", alternatives(&squares)));
            }
            _ => {}
        }
    }
    for verdict in health.drop_outs.verdicts() {
        if health.drop_outs.is_active(verdict.culprit, now) {
            let kind = match verdict.culprit {
                Culprit::Square(_) => FindingKind::Flicker,
                Culprit::Piece(_) => FindingKind::WeakPiece,
            };
            add(kind, drops_out(health, &verdict));
        }
    }
}

/// A count in words: `once`, `twice`, `7 times`.
fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

/// A duration in words: `40 s`, `12 min`, `3.1 h`.
pub fn span(seconds: f64) -> String {
    let seconds = seconds.max(0.0);
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
