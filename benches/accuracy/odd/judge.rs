//! The truth about a board's odd day, the games published of it, and their differences.
//!
//! The truth comes from the plans and the hands alone; of the reconstruction only its records are used.

use std::{collections::BTreeMap, convert::Infallible};

use boardbus::{
    health::Health,
    reconstruct::{self, Reconstructor},
    record::{
        AnomalyKind, BoardRecord, EndReason, Finding, FindingKind, GameEvent, GameRecord, Outcome, Placement,
    },
    sim::planned_game::PlannedGame,
};

use super::ways::Ways;

/// The certainty of a record without one.
const SURE: f64 = 1.0;
/// The certainty above which no wrong move may be published without an anomaly.
const SURE_ENOUGH: f64 = 0.99;
/// The most unseen plies that must be bridged: of more, what follows must be right.
pub const BRIDGED_PLIES: usize = 7;
/// The highest certainty of a ply within a gap that is too long to be bridged.
const LONG_GAP_MAX: f64 = 0.9;

/// A game as it was played.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// Where it starts, if that is judged.
    pub start: Option<Placement>,
    /// Its moves.
    pub moves: Vec<String>,
    /// The result that the board showed at last.
    pub result: Option<Outcome>,
    /// Why it ended, if that is judged.
    pub reason: Option<EndReason>,
    /// The plies that were not seen, if any.
    pub gap: Option<Gap>,
    /// The game may be missing or start elsewhere, if a finding points to it.
    pub or_finding: bool,
}

/// Plies that were not seen.
#[derive(Debug, Clone)]
pub struct Gap {
    /// How many plies precede them.
    pub after: usize,
    /// How many there are.
    pub plies: usize,
    /// The legal ways from the position before them to the one after them; none if there are too many to count.
    pub ways: Option<Ways>,
    /// The placement after them.
    pub to: Placement,
}

impl Truth {
    /// A planned game with the result that the board shows, if any.
    pub fn of(game: &PlannedGame, result: Option<Outcome>) -> Truth {
        let moves = game.plies.iter().map(|ply| ply.name.clone()).collect();
        Truth { moves, result, ..Truth::default() }
    }
}

/// A difference between a published game and the truth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flaw {
    /// Its kind, in a word or two.
    pub kind: &'static str,
    /// Nothing published points to it.
    pub silent: bool,
    /// A description.
    pub detail: String,
}

/// A game as it was published at last.
#[derive(Debug, Default)]
struct Published {
    begun: bool,
    start: Option<Placement>,
    moves: Vec<PublishedPly>,
    result: Option<Outcome>,
    reason: Option<EndReason>,
    anomalies: Vec<AnomalyKind>,
}

/// A ply as it was last published.
#[derive(Debug, Clone, Default)]
struct PublishedPly {
    name: String,
    guess: bool,
    certainty: f64,
    after: Option<Placement>,
}

/// Compares what is published of these records with the truth: one of several if more than one is right.
pub fn judge(records: &[BoardRecord], truths: &[Vec<Truth>]) -> Result<(), Flaw> {
    let (published, found) = published(records);
    let mut right: Vec<Vec<Truth>> = truths.to_vec();
    if found {
        // A finding may stand for a game, or for the place where it starts.
        let without = |games: &Vec<Truth>| games.iter().filter(|game| !game.or_finding).cloned().collect();
        right.extend(truths.iter().map(without));
        let mut from_anywhere = truths.to_vec();
        from_anywhere.iter_mut().flatten().filter(|game| game.or_finding).for_each(|game| game.start = None);
        right.extend(from_anywhere);
    }
    let flaws: Vec<Flaw> = right.iter().map_while(|games| differs(&published, games).err()).collect();
    match flaws.len() == right.len() {
        true => flaws.into_iter().next().map_or(Ok(()), Err),
        false => Ok(()),
    }
}

/// The first difference between the published games and the true ones.
fn differs(published: &[Published], truths: &[Truth]) -> Result<(), Flaw> {
    let games: Vec<&Published> =
        published.iter().filter(|game| !game.moves.is_empty() || game.result.is_some()).collect();
    if games.len() != truths.len() {
        let kind = if games.len() > truths.len() { "games too many" } else { "games missing" };
        let silent = published.iter().all(|game| game.anomalies.is_empty());
        let detail = format!("{} games, published {}", truths.len(), games.len());
        return Err(Flaw { kind, silent, detail });
    }
    for (n, (game, truth)) in (1..).zip(games.iter().zip(truths)) {
        game.differs(truth).map_err(|flaw| {
            let silent = flaw.silent && game.anomalies.is_empty();
            Flaw { silent, detail: format!("game {n}: {}", flaw.detail), ..flaw }
        })?;
    }
    Ok(())
}

impl Published {
    fn differs(&self, truth: &Truth) -> Result<(), Flaw> {
        let flaw = |kind, detail: String| Err(Flaw { kind, silent: true, detail });
        if let Some(start) = truth.start.filter(|start| self.start != Some(*start)) {
            let published = self.start.map_or("nothing".to_owned(), |start| start.to_string());
            return flaw("start", format!("it starts from {start}, published {published}"));
        }
        match &truth.gap {
            Some(gap) => self.bridges(gap, &truth.moves)?,
            None => same_moves(&self.moves, &truth.moves, 0)?,
        }
        if self.result != truth.result {
            return flaw(
                "result",
                format!("the result is {:?}, published {:?} ({:?})", truth.result, self.result, self.reason),
            );
        }
        if truth.reason.is_some() && self.reason != truth.reason {
            return flaw(
                "reason",
                format!("it ended for {:?}, published for {:?}", truth.reason, self.reason),
            );
        }
        Ok(())
    }

    /// Whether the plies after a long gap are right, and nothing within it is certain.
    fn leaves_out(&self, gap: &Gap, truth: &[String]) -> Result<(), Flaw> {
        let flaw = |kind, silent, detail: String| Err(Flaw { kind, silent, detail });
        let rest = &truth[gap.after + gap.plies..];
        let first = self.moves.len().saturating_sub(rest.len()).max(gap.after);
        let invented = self.moves[gap.after..first].iter().filter(|ply| !ply.name.is_empty());
        let sure: Vec<&str> =
            invented.filter(|ply| ply.certainty > LONG_GAP_MAX).map(|ply| &*ply.name).collect();
        if !sure.is_empty() {
            return flaw("sure in the gap", true, format!("`{}` after ply {}", sure.join(" "), gap.after));
        }
        if !self.anomalies.contains(&AnomalyKind::Gap) {
            return flaw(
                "no anomaly",
                true,
                format!("{} plies were hidden after ply {}", gap.plies, gap.after),
            );
        }
        same_moves(&self.moves[first..], rest, first)
    }

    /// Whether the unseen plies are bridged by a legal way and all others are right.
    fn bridges(&self, gap: &Gap, truth: &[String]) -> Result<(), Flaw> {
        let flaw = |kind, silent, detail: String| Err(Flaw { kind, silent, detail });
        let before = gap.after.min(self.moves.len());
        same_moves(&self.moves[..before], &truth[..gap.after], 0)?;
        if gap.plies > BRIDGED_PLIES {
            return self.leaves_out(gap, truth);
        }
        let length = gap.ways.as_ref().map_or(gap.plies, |ways| ways.plies);
        let Some(bridge) = self.moves.get(gap.after..gap.after + length) else {
            return flaw("lost plies", true, format!("nothing after the gap that follows ply {}", gap.after));
        };
        if bridge.iter().any(|ply| ply.name.is_empty()) {
            let left_out = bridge.iter().filter(|ply| ply.name.is_empty()).count();
            let detail = format!("{left_out} of {length} plies after ply {} are left out", gap.after);
            return flaw("plies left out", true, detail);
        }
        if bridge.last().is_some_and(|ply| ply.after != Some(gap.to)) {
            let names: Vec<&str> = bridge.iter().map(|ply| &*ply.name).collect();
            let (after, plies, to) = (gap.after, gap.plies, gap.to);
            let names = names.join(" ");
            let detail = format!("after ply {after} `{names}` does not lead to {to}; {plies} were played");
            return flaw("bridge", bridge.iter().all(|ply| ply.certainty > SURE_ENOUGH), detail);
        }
        if let Some(seen) = bridge.iter().find(|ply| !ply.guess) {
            return flaw("no guess", true, format!("{} after ply {} is no guess", seen.name, gap.after));
        }
        let Some(ways) = &gap.ways else {
            return same_moves(&self.moves[gap.after + length..], &truth[gap.after + gap.plies..], gap.after);
        };
        for (n, ply) in bridge.iter().enumerate() {
            let most = ways.share(n, &ply.name);
            if ply.certainty > most + 0.001 {
                let detail = format!(
                    "ply {} `{}` has certainty {:.4}, {} ways allow {most:.4}",
                    gap.after + n + 1,
                    ply.name,
                    ply.certainty,
                    ways.count
                );
                return flaw("certainty", ply.certainty > SURE_ENOUGH, detail);
            }
        }
        if ways.count > 1 && !self.anomalies.contains(&AnomalyKind::Gap) {
            return flaw("no anomaly", true, format!("{} ways, and no anomaly of a gap", ways.count));
        }
        same_moves(&self.moves[gap.after + length..], &truth[gap.after + gap.plies..], gap.after + length)
    }
}

/// Whether these are the moves that were played from ply `from` on.
fn same_moves(published: &[PublishedPly], truth: &[String], from: usize) -> Result<(), Flaw> {
    let same = published.iter().zip(truth).take_while(|(ply, name)| ply.name == **name).count();
    if same == published.len().max(truth.len()) {
        return Ok(());
    }
    let kind = match (same == published.len(), same == truth.len()) {
        (true, _) => "lost plies",
        (_, true) => "invented plies",
        _ => "other plies",
    };
    let wrong = published.get(same..).unwrap_or_default();
    let next = |moves: Vec<&str>| moves.into_iter().take(5).collect::<Vec<_>>().join(" ");
    let detail = format!(
        "from ply {} of {} `{}` was played, `{}` published ({} plies)",
        from + same + 1,
        from + truth.len(),
        next(truth[same..].iter().map(|name| &**name).collect()),
        next(wrong.iter().map(|ply| &*ply.name).collect()),
        from + published.len()
    );
    Err(Flaw { kind, silent: wrong.first().is_none_or(|ply| ply.certainty > SURE_ENOUGH), detail })
}

/// The games published of a board at last, and whether there is a finding that could stand for one.
fn published(records: &[BoardRecord]) -> (Vec<Published>, bool) {
    let mut games: BTreeMap<u32, Published> = BTreeMap::new();
    let mut health = Health::with_games();
    let mut reconstructor = Reconstructor::new(reconstruct::Options::default());
    {
        let mut publish = |record: GameRecord| {
            health.game(&record);
            games.entry(record.game).or_default().take(record.event);
            Ok::<(), Infallible>(())
        };
        for record in records {
            let Ok(()) = reconstructor.record(record, &mut publish);
        }
        let Ok(()) = reconstructor.finish(publish);
    }
    records.iter().for_each(|record| health.board(record));
    // The board has no game for its changes, or the start of its game is uncertain.
    let points_to = |finding: &Finding| {
        finding.kind == FindingKind::NoGame
            || ["--fen", "--midgame"].into_iter().any(|option| finding.advice.contains(option))
    };
    let found = health.findings().iter().any(points_to);
    (games.into_values().filter(|game| game.begun).collect(), found)
}

impl Published {
    fn take(&mut self, event: GameEvent) {
        self.begun = true;
        match event {
            GameEvent::Game(start) => {
                self.start = start.fen.split(' ').next().and_then(|text| text.parse().ok());
            }
            GameEvent::Move(mv) => {
                let ply = mv.ply.unwrap_or(0).saturating_sub(1) as usize;
                self.moves.resize(ply.max(self.moves.len()), PublishedPly::default());
                let published = PublishedPly {
                    name: mv.uci.or(mv.notation).unwrap_or_default(),
                    guess: mv.guess,
                    certainty: mv.certainty.unwrap_or(SURE),
                    after: mv.fen.split(' ').next().and_then(|text| text.parse().ok()),
                };
                match self.moves.get_mut(ply) {
                    Some(known) if known.name == published.name => *known = published,
                    // A different or additional move withdraws an end unless the end is repeated.
                    known => {
                        (self.result, self.reason) = (None, None);
                        match known {
                            Some(known) => *known = published,
                            None => self.moves.push(published),
                        }
                    }
                }
            }
            GameEvent::Takeback(back) => {
                (self.result, self.reason) = (None, None);
                self.moves.truncate(back.ply as usize);
            }
            GameEvent::Anomaly(anomaly) => self.anomalies.push(anomaly.kind),
            GameEvent::End(end) => (self.result, self.reason) = (end.result, Some(end.reason)),
            GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {}
        }
    }
}
