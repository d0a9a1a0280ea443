//! The folder of Vega: the list of the boards with the names of both players, and files with the data of the players.
//!
//! Each board is in the list twice, once for each player; otherwise it is damaged. The list contains names alone:
//! titles, ratings and the like come from `engine26.trf`, whose names are squashed ("BaumannLukas"), or
//! `crosstable.txt`, and are joined by letters and digits.

use std::collections::BTreeMap;

use super::{
    files::{File, Kind},
    seat::{Once, Player, letters, seat, spaced, table},
};
use crate::format::{
    roster::Read,
    trf::{self, Report},
};

/// A pairing, from one line of the list.
#[derive(Debug)]
struct Entry {
    line: usize,
    table: u16,
    /// Whether the line is that of White.
    is_white: bool,
    /// White, Black.
    names: [String; 2],
    /// The name fills its column, and may have been cut.
    may_be_cut: bool,
}

/// A table of the list.
#[derive(Debug)]
struct Pairing {
    pub table: u16,
    /// The lines of White and Black.
    pub lines: [usize; 2],
    pub names: [String; 2],
    may_be_cut: bool,
}

/// The table of a bye.
const BYE: &str = "BYE";

/// The list of boards.
#[derive(Debug)]
struct List {
    event: String,
    pub pairings: Vec<Pairing>,
    /// The players with a bye in the list, with the line.
    byes: Vec<(usize, String)>,
}

impl List {
    /// Reads the list of a round.
    pub fn read(file: &File, round: u32) -> Result<List, String> {
        let titled = file.text.lines().enumerate().find_map(|(at, line)| {
            line.split_once(": Pairing of round ").map(|(event, rest)| (at + 1, event, rest))
        });
        let (at, event, rest) = titled.ok_or_else(|| file.at(1, "no title with the round"))?;
        let of = rest.split_whitespace().next().unwrap_or_default();
        if of != round.to_string() {
            return Err(
                file.at(at, format_args!("these are the pairings of round {of}, not of round {round}"))
            );
        }
        let entries = file.text.lines().enumerate().skip(at);
        let entries = entries.filter_map(|(at, line)| entry(file, at + 1, line).transpose());
        let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
        let event = event.trim_start_matches("(copy licensed to: unregistered)").trim().to_owned();
        both(file, event, entries)
    }
}

/// The pairing in a line; none for a line without one.
fn entry(file: &File, line: usize, text: &str) -> Result<Option<Entry>, String> {
    let colours = [("plays with white VS", true), ("plays with black VS", false)];
    let found = colours.iter().find_map(|(words, is_white)| Some((text.split_once(words)?, *is_white)));
    let Some(((own, rest), is_white)) = found else {
        return match text.contains("in board") || text.contains("plays with") {
            true => Err(file.at(line, "no board and its two players")),
            false => Ok(None),
        };
    };
    let (other, number) =
        rest.rsplit_once("in board").ok_or_else(|| file.at(line, "no number of a board"))?;
    let may_be_cut = [own, other].iter().any(|name| !name.ends_with(' '));
    let names = [own.trim().to_owned(), other.trim().to_owned()];
    if names.iter().any(String::is_empty) {
        return Err(file.at(line, "a player without a name"));
    }
    let [own, other] = names;
    let names = if is_white { [own, other] } else { [other, own] };
    Ok(Some(Entry { line, table: table(file, line, number)?, is_white, names, may_be_cut }))
}

/// The tables that both their lines contain, and the byes.
fn both(file: &File, event: String, entries: Vec<Entry>) -> Result<List, String> {
    let mut tables: BTreeMap<u16, Vec<Entry>> = BTreeMap::new();
    for entry in entries {
        tables.entry(entry.table).or_default().push(entry);
    }
    let (mut pairings, mut byes) = (Vec::new(), Vec::new());
    for (table, mut entries) in tables {
        entries.sort_by_key(|entry| !entry.is_white);
        let lines = match &entries[..] {
            [white, black] if white.is_white && !black.is_white && white.names == black.names => {
                [white.line, black.line]
            }
            entries => {
                let last = entries.iter().map(|entry| entry.line).max().unwrap_or_default();
                let what = "does not stand here twice, once for each of its two players";
                return Err(file.at(last, format_args!("board {table} {what}")));
            }
        };
        let may_be_cut = entries.iter().any(|entry| entry.may_be_cut);
        let names = std::mem::take(&mut entries[0].names);
        match names.iter().position(|name| name == BYE) {
            Some(at) => byes.push((lines[1 - at], names[1 - at].clone())),
            None => pairings.push(Pairing { table, lines, names, may_be_cut }),
        }
    }
    if pairings.is_empty() {
        return Err(file.at(1, "no board stands here"));
    }
    Ok(List { event, pairings, byes })
}

/// Data of players from another file of the folder.
struct Book<'a> {
    file: &'a File,
    event: String,
    /// Players by the letters of their names; several where these are the same.
    players: BTreeMap<String, Vec<Player>>,
}

/// The data for filling Vega's report.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The name of the report in messages.
    pub name: &'a str,
    /// Its lines, each letter in a column of its own.
    pub text: String,
    /// The data in them.
    pub report: Report,
    /// The starting ranks of White and Black at each table.
    pub tables: Vec<(u16, [u32; 2])>,
    /// The starting ranks of the players with a bye in the list.
    pub byes: Vec<u32>,
    /// The whole names by starting rank, where the list or the cross table contains them.
    pub names: BTreeMap<u32, String>,
}

/// Joins the list of a round to Vega's report.
///
/// # Errors
/// The list or the report is missing, or a line of the list is not found in the report.
pub fn bench(files: &[File], round: u32) -> Result<Bench<'_>, String> {
    // `seats` makes all checks of names.
    seats(files, round)?;
    let (file, list) = list(files, round)?;
    let is_report = |file: &&File| file.kind() == Ok(Kind::Report);
    let engine = files.iter().find(is_report);
    let engine = engine.ok_or_else(|| file.at(1, "results go back into engine26.trf: give it too"))?;
    let text = by_letters(&engine.text);
    let report = Report::read(&text, &mut Vec::new());
    let report = report.map_err(|problem| format!("{}:{problem}", engine.name))?;
    let mut ranks: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for player in report.players.values() {
        ranks.entry(letters(&player.name)).or_default().push(player.rank);
    }
    let mut names = BTreeMap::new();
    let mut rank = |line: usize, name: &str| match ranks.get(&letters(name)).map(Vec::as_slice) {
        Some(&[rank]) => {
            names.insert(rank, spaced(name));
            Ok(rank)
        }
        Some(_) => Err(file.at(line, format_args!("`{name}` is there more than once in {}", engine.name))),
        None => Err(file.at(line, format_args!("`{name}` is not in {}", engine.name))),
    };
    let mut tables = Vec::new();
    for Pairing { table, lines, names, .. } in &list.pairings {
        tables.push((*table, [rank(lines[0], &names[0])?, rank(lines[1], &names[1])?]));
    }
    let byes = list.byes.iter().map(|(line, name)| rank(*line, name)).collect::<Result<Vec<u32>, _>>()?;
    let is_cross_table = |file: &&File| file.kind() == Ok(Kind::CrossTable);
    let books = files.iter().filter(is_cross_table).map(of_cross_table).collect::<Result<Vec<_>, _>>()?;
    for (key, players) in books.iter().flat_map(|book| &book.players) {
        if let ([player], Some(&[rank])) = (&players[..], ranks.get(key).map(Vec::as_slice)) {
            names.entry(rank).or_insert_with(|| spaced(&player.name));
        }
    }
    Ok(Bench { name: &engine.name, text, report, tables, byes, names })
}

/// The list of boards among these files.
fn list(files: &[File], round: u32) -> Result<(&File, List), String> {
    let file = files.iter().find(|file| file.kind() == Ok(Kind::SortedPairs));
    let file = file.ok_or("SortedPairs.txt is missing")?;
    Ok((file, List::read(file, round)?))
}

/// The seats of a round.
pub(super) fn seats(files: &[File], round: u32) -> Result<Read, String> {
    let (file, list) = list(files, round)?;
    let mut notes = Vec::new();
    let books = files.iter().filter_map(|file| match file.kind() {
        Ok(Kind::Report) => Some(of_report(file, &mut notes)),
        Ok(Kind::CrossTable) => Some(of_cross_table(file)),
        _ => None,
    });
    let books: Vec<Book<'_>> = books.collect::<Result<_, _>>()?;
    let other = |book: &&Book<'_>| {
        let events = [&book.event, &list.event].map(|event| letters(event));
        events[0] != events[1] && !events.iter().any(String::is_empty)
    };
    if let Some(book) = books.iter().find(other) {
        return Err(file.at(
            1,
            format_args!(
                "`{}` is another tournament than `{}` of {}",
                list.event, book.event, book.file.name
            ),
        ));
    }
    if books.is_empty() {
        notes.push(file.at(1, "no titles and ratings: engine26.trf or crosstable.txt beside it has them"));
    }
    let mut once = Once::default();
    let mut seats = Vec::new();
    for pairing in &list.pairings {
        let mut of = |side: usize| player(file, &books, pairing, side, &mut once, &mut notes);
        let (white, black) = (of(0)?, of(1)?);
        seats.push(seat(pairing.table, round, &[("Event", &list.event)], &white, &black));
    }
    Ok(Read { seats, notes })
}

/// The player at a side of a table.
fn player(
    file: &File,
    books: &[Book<'_>],
    pairing: &Pairing,
    side: usize,
    once: &mut Once<String>,
    notes: &mut Vec<String>,
) -> Result<Player, String> {
    let (name, line) = (&pairing.names[side], pairing.lines[side]);
    let key = letters(name);
    let found: &[Player] = books.iter().find_map(|book| book.players.get(&key)).map_or(&[], Vec::as_slice);
    if found.is_empty() && !books.is_empty() {
        let books: Vec<&str> = books.iter().map(|book| &book.file.name[..]).collect();
        return Err(file.at(
            line,
            format_args!(
                "`{name}` is not in {}: it is of another tournament, or older than the pairings (crosstable.txt is newer where a \
                 round was paired by hand)",
                books.join(" and ")
            ),
        ));
    }
    if books.is_empty() && pairing.may_be_cut {
        return Err(
            file.at(line, "a name fills its column and may be cut: give engine26.trf or crosstable.txt too")
        );
    }
    match found {
        [_, _, ..] => notes.push(file.at(
            line,
            format_args!("`{name}` is there more than once: title, rating and the like are left out"),
        )),
        _ => once.take(file, line, key, format_args!("`{name}`"))?,
    }
    let known = if let [known] = found { known.clone() } else { Player::default() };
    Ok(Player { name: spaced(name), ..known })
}

/// The bytes of the name in a line of a player, and those before them.
const NAME: std::ops::Range<usize> = 14..47;

/// Vega's report with each letter of a name in a column of its own: it pads names to 33 bytes.
fn by_letters(text: &str) -> String {
    let line = |line: &str| {
        // After the name there are a blank, four columns of the rating, another blank, and the federation.
        let is_by_bytes = line.get(NAME.end..).is_some_and(|behind| {
            let field = |from: usize, to: usize| behind.get(from..to).map(str::trim);
            let is_blank = [0, 5, 9].iter().all(|at| behind.as_bytes().get(*at) == Some(&b' '));
            let is_federation = |text: &str| text.is_empty() || is_federation(text);
            is_blank && field(1, 5).is_some_and(is_rating) && field(6, 9).is_some_and(is_federation)
        });
        match line.get(NAME).filter(|_| line.starts_with("001") && is_by_bytes && !line.is_ascii()) {
            Some(name) => {
                let more = " ".repeat(name.len() - name.chars().count());
                format!("{}{more}{}", &line[..NAME.end], &line[NAME.end..])
            }
            None => line.to_owned(),
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

fn of_report<'a>(file: &'a File, notes: &mut Vec<String>) -> Result<Book<'a>, String> {
    let mut own = Vec::new();
    let report = Report::read(&by_letters(&file.text), &mut own)
        .map_err(|problem| format!("{}:{problem}", file.name))?;
    notes.extend(own.into_iter().map(|note| format!("{}:{note}", file.name)));
    let mut players: BTreeMap<String, Vec<Player>> = BTreeMap::new();
    for player in report.players.values() {
        let trf::Player { name, title, rating, fide_id, federation, rank, .. } = player.clone();
        let team = report.teams.name_of(rank).to_owned();
        let key = letters(&name);
        players.entry(key).or_default().push(Player { name, title, rating, fide_id, federation, team });
    }
    let event = report.tags.get("Event").cloned();
    Ok(Book { file, event: event.unwrap_or_default(), players })
}

/// The cross table: number, name, rating, title (optional), federation and points come before a bar.
fn of_cross_table(file: &File) -> Result<Book<'_>, String> {
    let mut players: BTreeMap<String, Vec<Player>> = BTreeMap::new();
    let mut numbers = Once::default();
    for (at, line) in file.text.lines().enumerate() {
        let Some((who, _)) = line.split_once('|') else { continue };
        let Some((number, rest)) = who.trim_start().split_once(' ') else { continue };
        // The heading.
        let Ok(number) = number.parse::<u32>() else { continue };
        numbers.take(file, at + 1, number, format_args!("number {number}"))?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (title, at_rating) = match &words[..] {
            [_, .., rating, federation, _points] if is_rating(rating) && is_federation(federation) => {
                ("", words.len() - 3)
            }
            [_, .., rating, title, federation, _points] if is_rating(rating) && is_federation(federation) => {
                (*title, words.len() - 4)
            }
            _ => return Err(file.at(at + 1, "no number, name, rating, federation and points")),
        };
        let name = words[..at_rating].join(" ");
        let player = Player {
            name: name.clone(),
            title: title.to_owned(),
            rating: words[at_rating].to_owned(),
            federation: words[words.len() - 2].to_owned(),
            ..Player::default()
        };
        players.entry(letters(&name)).or_default().push(player);
    }
    let event = file.text.lines().next().unwrap_or_default().trim().to_owned();
    Ok(Book { file, event, players })
}

fn is_rating(text: &str) -> bool {
    text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_federation(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}
