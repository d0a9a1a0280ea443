//! Swiss-Manager's two text files: players by starting numbers, and boards by the numbers of their players.

use std::collections::{BTreeSet, HashMap};

use super::{
    files::{File, Kind},
    seat::{Once, Player, letters, seat, table},
};
use crate::format::roster::Read;

/// The rows under a header, whose columns are found by their names, since the tournament decides which there are.
struct Sheet<'a> {
    file: &'a File,
    columns: Vec<&'a str>,
    /// The number of each line, and its fields.
    rows: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Sheet<'a> {
    /// Reads a file that must have these columns.
    fn read(file: &'a File, needed: &[&str]) -> Result<Sheet<'a>, String> {
        let lines = file.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
        let (first, header) = lines.next().unwrap_or((1, ""));
        let columns: Vec<&str> = header.split(';').map(str::trim).collect();
        if let Some(missing) = needed.iter().find(|name| !columns.contains(name)) {
            return Err(file.at(first, format_args!("no column `{missing}`")));
        }
        let rows = lines.map(|(line, text)| {
            let fields: Vec<&str> = text.split(';').map(str::trim).collect();
            match fields.len() == columns.len() {
                true => Ok((line, fields)),
                false => Err(file
                    .at(line, format_args!("{} fields under a header of {}", fields.len(), columns.len()))),
            }
        });
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(Sheet { file, columns, rows })
    }

    /// The field of a row in a column; empty where there is no such column.
    fn field(&self, row: &[&'a str], column: &str) -> &'a str {
        self.columns.iter().position(|name| *name == column).map_or("", |at| row[at])
    }

    /// A whole number.
    fn number(&self, line: usize, row: &[&'a str], column: &str) -> Result<i32, String> {
        let text = self.field(row, column);
        let is_number = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_number);
        number.ok_or_else(|| self.file.at(line, format_args!("{column} is `{text}`, which is no number")))
    }
}

/// A row of a board with two players: White, Black.
struct Pairing<'a> {
    line: usize,
    table: u16,
    players: [i32; 2],
    /// Their ids in this file, and the columns of the ids.
    ids: [[&'a str; 2]; 2],
}

/// The boards of a round with two players: a bye has an opponent below 1.
fn pairings<'a>(sheet: &Sheet<'a>, round: u32) -> Result<Vec<Pairing<'a>>, String> {
    let (mut rounds, mut found) = (BTreeSet::new(), Vec::new());
    let (mut tables, mut players) = (Once::default(), Once::default());
    for (line, row) in &sheet.rows {
        let number = |column: &str| sheet.number(*line, row, column);
        let (of, white, black) = (number("Runde")?, number("NrW")?, number("NrS")?);
        rounds.insert(of);
        if i64::from(of) != i64::from(round) {
            continue;
        }
        for player in [white, black].into_iter().filter(|player| *player > 0) {
            players.take(sheet.file, *line, player, format_args!("player {player}"))?;
        }
        if white > 0 && black > 0 {
            let table = table(sheet.file, *line, sheet.field(row, "Brett"))?;
            tables.take(sheet.file, *line, table, format_args!("board {table}"))?;
            let ids = ["IdentW", "IdentS"].map(|column| [sheet.field(row, column), column]);
            found.push(Pairing { line: *line, table, players: [white, black], ids });
        }
    }
    if !rounds.contains(&(round as i32)) {
        let others: Vec<String> = rounds.iter().map(i32::to_string).collect();
        let others = if others.is_empty() { "no round".into() } else { others.join(", ") };
        return Err(sheet.file.at(1, format_args!("no line here is of round {round}, but of {others}")));
    }
    Ok(found)
}

/// The columns that a file of boards must have.
const DRAW: [&str; 8] = ["Runde", "Brett", "NrW", "NrS", "ErgW", "ErgS", "Kontumaz", "Erg"];

/// The file of boards among these.
pub fn draw(files: &[File]) -> Option<&File> {
    files.iter().find(|file| file.kind() == Ok(Kind::Draw))
}

/// The seats of a round.
pub(super) fn seats(files: &[File], round: u32) -> Result<Read, String> {
    let draw = Sheet::read(draw(files).ok_or("Spielerauslosung (Text-File) is missing")?, &DRAW)?;
    let players = files.iter().find(|file| file.kind() == Ok(Kind::Players));
    let mut notes = Vec::new();
    let players = players_of(players.ok_or("Spielerdaten (Text-File) is missing")?, &mut notes)?;
    let seats = pairings(&draw, round)?.into_iter().map(|Pairing { line, table, players: [white, black], ids }| {
        let of = |number: i32, [id, column]: [&str; 2]| {
            let found = players.get(&number).ok_or_else(|| {
                let what = "is not among the players: are both files of one tournament, and the players as new as the boards?";
                draw.file.at(line, format_args!("starting number {number} {what}"))
            });
            let (player, ids) = found?;
            let is_other = |id: &str| !["", "0"].contains(&id);
            if is_other(id) && ids.iter().any(|own| is_other(own)) && !ids.iter().any(|own| own == id) {
                let what = format!("{column} is {id}, and the player with the number {number} has another: these files are of two tournaments");
                return Err(draw.file.at(line, what));
            }
            Ok(player)
        };
        let (white, black) = (of(white, ids[0])?, of(black, ids[1])?);
        Ok(seat(table, round, &[], white, black))
    });
    Ok(Read { seats: seats.collect::<Result<_, String>>()?, notes })
}

/// Players by their starting numbers, each with the ids that a file of boards may contain.
type Players = HashMap<i32, (Player, [String; 2])>;

/// The players of a file.
fn players_of(file: &File, notes: &mut Vec<String>) -> Result<Players, String> {
    let sheet = Sheet::read(file, &["Nr", "Name", "Nachname", "Vorname"])?;
    let (mut numbers, mut ids, mut players) = (Once::default(), Once::default(), HashMap::new());
    for (line, row) in &sheet.rows {
        let field = |column: &str| sheet.field(row, column).to_owned();
        let number = sheet.number(*line, row, "Nr")?;
        numbers.take(file, *line, number, format_args!("starting number {number}"))?;
        let fide_id = field("FideIdent");
        if !["", "0"].contains(&&fide_id[..]) {
            ids.take(file, *line, fide_id.clone(), format_args!("the player with FIDE id {fide_id}"))?;
        }
        let (surname, given, whole) = (field("Nachname"), field("Vorname"), field("Name"));
        let mut name = match (&surname[..], &given[..]) {
            ("", _) => whole.clone(),
            (surname, "") => surname.to_owned(),
            (surname, given) => format!("{surname}, {given}"),
        };
        if letters(&name) != letters(&whole) {
            let what = format!("the name is `{whole}` and `{name}`: it is left out");
            notes.push(file.at(*line, what));
            name.clear();
        }
        let rating = ["EloInt", "EloNat"].map(field).into_iter().find(|elo| is_rating(elo));
        let player = Player {
            name,
            title: field("Titel"),
            rating: rating.unwrap_or_default(),
            fide_id,
            federation: field("Fed"),
            team: field("Klub"),
        };
        let ids = [player.fide_id.clone(), field("Identnr")];
        players.insert(number, (player, ids));
    }
    Ok(players)
}

fn is_rating(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|rating| (1..10_000).contains(&rating))
}
