//! A tournament report with results: the players' lines stay as they are, except for the certain results of the round
//! and the points that follow from them.

use std::collections::BTreeMap;

use super::{
    filled::{Filled, whole_lines},
    verdict::Shown,
};
use crate::{
    format::{
        pairings::File,
        trf::{self, Order, Player, Report},
    },
    record::Outcome,
};

/// The first column of a round, counted from 1.
pub(super) fn column(round: u32) -> usize {
    92 + 10 * before(round)
}

/// The number of rounds before this one.
pub(super) fn before(round: u32) -> usize {
    (round as usize).saturating_sub(1)
}

/// The signs of White and Black; none for a result without signs that every program accepts.
pub(super) fn signs(shown: &Shown) -> Option<[char; 2]> {
    match (shown.outcome, shown.forfeit) {
        (Outcome::WhiteWins, false) => Some(['1', '0']),
        (Outcome::BlackWins, false) => Some(['0', '1']),
        (Outcome::Draw, false) => Some(['=', '=']),
        (Outcome::WhiteWins, true) => Some(['+', '-']),
        (Outcome::BlackWins, true) => Some(['-', '+']),
        (Outcome::BothLose, true) => Some(['-', '-']),
        _ => None,
    }
}

/// Writes results into the report.
pub(super) fn filled(
    file: &File,
    round: u32,
    order: Option<Order>,
    results: &BTreeMap<u16, Shown>,
) -> Result<Filled, String> {
    let mut lines: Vec<String> = whole_lines(&file.text).into_iter().map(str::to_owned).collect();
    let plain: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect();
    let problem = |problem: String| format!("{}:{problem}", file.name);
    let text = plain.join("\n");
    let report = Report::read(&text, &mut Vec::new()).map_err(problem)?;
    let tables = trf::ranks(&text, round as usize, order).map_err(problem)?;
    let mut filled = Filled::default();
    for (ranks, table) in tables.into_iter().zip(1_u16..) {
        let players = ranks.map(|rank| report.players.get(&rank));
        let [Some(white), Some(black)] = players else { continue };
        let stood = [white, black].map(|player| sign_of(player, round));
        if stood != [' ', ' '] {
            filled.has.insert(table);
        }
        let Some(shown) = results.get(&table) else { continue };
        let Some(signs) = signs(shown) else {
            filled.left.push(format!(
                "table {table}: {} has no sign that every program takes: type it",
                shown.text()
            ));
            continue;
        };
        filled.has.insert(table);
        if stood == signs {
            continue;
        }
        if stood != [' ', ' '] {
            filled.left.push(format!(
                "table {table}: the report has {} and {}, and it ended {}: its lines are left as they came",
                stood[0],
                stood[1],
                shown.text()
            ));
            continue;
        }
        for (player, sign) in [white, black].into_iter().zip(signs) {
            let line = &mut lines[player.line - 1];
            let put = put(line, player, round, sign, &report);
            *line = put.ok_or_else(|| {
                format!("{}:{}: its columns are shifted: no result can be put there", file.name, player.line)
            })?;
        }
    }
    filled.text = lines.concat();
    Ok(filled)
}

fn sign_of(player: &Player, round: u32) -> char {
    player.rounds.get(before(round)).map_or(' ', |pairing| pairing.result)
}

/// A player's line with a sign in a round, and with the points that follow.
fn put(line: &str, player: &Player, round: u32, sign: char, report: &Report) -> Option<String> {
    let whole = line.trim_end_matches(['\r', '\n']);
    let end = &line[whole.len()..];
    let is_whole = |cells: &[char]| {
        let text = |from: usize, to: usize| -> String {
            (from..=to).map(|column| cells.get(column - 1).copied().unwrap_or(' ')).collect()
        };
        let opponent = player.rounds.get(before(round))?.opponent?;
        let first = column(round);
        let fits = text(first, first + 3).trim().parse() == Ok(opponent)
            && text(5, 8).trim().parse() == Ok(player.rank)
            && text(first + 6, first + 9).trim().is_empty();
        fits.then_some(())
    };
    // Letters in columns of their own, or counted by their bytes.
    let letters: Vec<char> = whole.chars().collect();
    let bytes: Vec<char> = whole
        .chars()
        .flat_map(|c| std::iter::once(c).chain(std::iter::repeat_n('\0', c.len_utf8() - 1)))
        .collect();
    let mut cells = [letters, bytes].into_iter().find(|cells| is_whole(cells).is_some())?;
    let at = column(round) + 6;
    if cells.len() <= at {
        cells.resize(at + 1, ' ');
    }
    cells[at] = sign;
    if let Some(points) = points(player, round, sign, report) {
        cells[80..84].iter_mut().zip(points.chars()).for_each(|(cell, c)| *cell = c);
    }
    let text: String = cells.into_iter().filter(|c| *c != '\0').collect();
    Some(text + end)
}

/// Columns 81 to 84 with this round counted; none where they do not show the points of the rounds before.
fn points(player: &Player, round: u32, sign: char, report: &Report) -> Option<String> {
    let rounds = player.rounds.iter().take(before(round));
    let points: u32 = rounds.map(|round| report.scoring.of(round.result)).sum();
    let is_last = player.rounds.len() <= round as usize;
    (is_last && player.points == Some(points)).then(|| four(points + report.scoring.of(sign)))
}

/// Tenths of points in four columns.
pub(super) fn four(tenths: u32) -> String {
    format!("{:>4}", format!("{}.{}", tenths / 10, tenths % 10))
}
