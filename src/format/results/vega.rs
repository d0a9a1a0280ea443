//! The tournament that Vega imports: its own report of the state before the pairing, with the round from its list of
//! boards and the certain results. Names are whole again, in a field of 33 bytes: Vega counts bytes.

use std::collections::BTreeMap;

use super::{
    filled::Filled,
    report::{before, column, four, signs},
    verdict::Shown,
};
use crate::format::{
    pairings::{self, Bench, File},
    trf::{Player, Report},
};

/// The bytes of the name, and those before them.
const NAME: usize = 33;
const BEFORE: usize = 14;

/// Writes the round into Vega's report.
pub(super) fn filled(files: &[File], round: u32, results: &BTreeMap<u16, Shown>) -> Result<Filled, String> {
    let Bench { name: file, text, report, tables, byes, names } = pairings::bench(files, round)?;
    let at = |line: usize, problem: String| format!("{file}:{line}: {problem}");
    if !text.lines().any(|line| line.starts_with("142 ")) {
        return Err(at(1, "no number of rounds (142): Vega would take the tournament for over".into()));
    }
    let mut filled = Filled::default();
    let mut entries: BTreeMap<u32, Entry> = BTreeMap::new();
    for (table, [white, black]) in tables {
        let shown = results.get(&table);
        let signs = shown.map(signs);
        if let (Some(None), Some(shown)) = (signs, shown) {
            filled.left.push(format!(
                "table {table}: {} has no sign that every program takes: type it",
                shown.text()
            ));
        }
        filled.has.extend(signs.flatten().map(|_| table));
        let [of_white, of_black] = signs.flatten().unwrap_or([' ', ' ']);
        entries.insert(white, Entry { opponent: black, colour: 'w', sign: of_white });
        entries.insert(black, Entry { opponent: white, colour: 'b', sign: of_black });
    }
    for rank in byes {
        entries.insert(rank, Entry { opponent: 0, colour: '-', sign: 'U' });
    }
    let known = report.players.values().map(|player| played(player).len()).max().unwrap_or_default();
    if known + 1 < round as usize {
        let what = format!("it ends with round {known}: round {round} was paired by hand, and this is older");
        return Err(at(1, what));
    }
    let by_line: BTreeMap<usize, &Player> =
        report.players.values().map(|player| (player.line, player)).collect();
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        match by_line.get(&number) {
            None => filled.text.push_str(line),
            Some(player) => {
                let name = names.get(&player.rank);
                let name = name.ok_or_else(|| {
                    at(
                        number,
                        format!("the whole name of {} is not known: give crosstable.txt too", player.name),
                    )
                })?;
                let own = entries.get(&player.rank).copied().or_else(|| away(&text, player.rank, round));
                let line = of_player(line, player, name, own, round, &report);
                filled.text.push_str(&line.map_err(|problem| at(number, problem))?);
            }
        }
        filled.text.push('\n');
    }
    Ok(filled)
}

/// The content of the columns of a round.
#[derive(Clone, Copy)]
struct Entry {
    /// 0 for no opponent.
    opponent: u32,
    colour: char,
    sign: char,
}

/// The rounds of a player up to the last one with content.
fn played(player: &Player) -> &[crate::format::trf::Pairing] {
    let last = player.rounds.iter().rposition(|round| round.opponent.is_some() || round.result != ' ');
    &player.rounds[..last.map_or(0, |last| last + 1)]
}

/// A bye in a line 240: its letter, the round, the players.
fn away(text: &str, rank: u32, round: u32) -> Option<Entry> {
    let letter = text.lines().filter_map(|line| line.strip_prefix("240 ")).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [letter, of, ranks @ ..] = &words[..] else { return None };
        let is_his = of.parse() == Ok(round) && ranks.iter().any(|other| other.parse() == Ok(rank));
        letter.chars().next().filter(|letter| is_his && "FHZ".contains(*letter))
    });
    letter.map(|sign| Entry { opponent: 0, colour: '-', sign })
}

/// The line of a player with this round in it.
fn of_player(
    line: &str,
    player: &Player,
    name: &str,
    own: Option<Entry>,
    round: u32,
    report: &Report,
) -> Result<String, String> {
    let behind = line.char_indices().nth(BEFORE + NAME).map(|(at, _)| &line[at..]);
    let is_whole = |rest: &&str| rest.get(1..5).is_some_and(|rating| rating.trim() == player.rating);
    let front = line.get(..BEFORE);
    let (Some(front), Some(behind)) = (front, behind.filter(is_whole)) else {
        return Err("its columns are shifted: no result can be put there".into());
    };
    let field: String = {
        let mut end = name.len().min(NAME);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        name[..end].to_owned() + &" ".repeat(NAME - end)
    };
    // The text after the name is ASCII, or none of it is replaced.
    let mut cells: Vec<char> = behind.trim_end().chars().collect();
    let first = column(round) - 1 - (BEFORE + NAME);
    let there: String = cells.iter().skip(first).collect();
    match own {
        Some(_) if !there.trim().is_empty() && !is_same(&there, own) => {
            return Err(format!("something else stands there for round {round} already"));
        }
        None if there.trim().is_empty() => {
            return Err(format!(
                "{name} has neither a board nor a bye in round {round}: write `0000 - H` (half a point) or `0000 - Z` (none) into \
                 columns {} to {} of his line",
                column(round),
                column(round) + 7
            ));
        }
        None => {}
        Some(Entry { opponent, colour, sign }) => {
            cells.resize(first, ' ');
            let opponent = if opponent == 0 { "0000".to_owned() } else { format!("{opponent:>4}") };
            cells.extend(format!("{opponent} {colour} {sign}").chars());
            let rounds =
                player.rounds.iter().take(before(round)).map(|round| report.scoring.of(round.result));
            let points = rounds.sum::<u32>() + report.scoring.of(sign.to_ascii_lowercase());
            let from = 80 - (BEFORE + NAME);
            cells[from..from + 4].iter_mut().zip(four(points).chars()).for_each(|(cell, c)| *cell = c);
        }
    }
    let text: String = cells.into_iter().collect();
    Ok(format!("{front}{field}{}", text.trim_end()))
}

/// Whether the round's columns have this content already.
fn is_same(there: &str, own: Option<Entry>) -> bool {
    let words: Vec<&str> = there.split_whitespace().collect();
    own.is_some_and(|own| words == ["0000", "-", &own.sign.to_string()] && own.opponent == 0)
}
