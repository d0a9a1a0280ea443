//! A player's line of a tournament report, by its columns; and the only shift that makes a damaged line valid.
//!
//! Columns count from 1 as in FIDE's text. The columns of pairings (starting rank, opponents, colours, results and the
//! blanks between them) must be valid, and so must the name; of the other fields one may be bad and is left out, two
//! are a shift.

use super::cells::Cells;

/// A player, as one line has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The number of the line in its file, from 1.
    pub line: usize,
    /// The starting rank.
    pub rank: u32,
    /// Name, title, rating, FIDE id and federation; empty where there is none.
    pub name: String,
    pub title: String,
    pub rating: String,
    pub fide_id: String,
    pub federation: String,
    /// Tenths of points so far; none where the file has none.
    pub points: Option<u32>,
    /// The player's place in the file; none where it has none.
    pub place: Option<u32>,
    /// The rounds, the first one first.
    pub rounds: Vec<Pairing>,
}

/// White and Black of a table.
pub type Pair<'a> = (&'a Player, &'a Player);

/// A round in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The opponent's starting rank; none without an opponent.
    pub opponent: Option<u32>,
    /// `w` or `b`; a blank for no colour.
    pub colour: char,
    /// A letter or sign of the standard, in lower case; a blank for none.
    pub result: char,
}

/// The first column of names.
const NAME: usize = 15;
/// The shifts that are tried: the column before which a blank is missing (1), or the number of surplus blanks there
/// (negative). They concern the starting rank, the name, and the columns after a name with wrong padding; where more is
/// missing, it may not have been blanks.
const SHIFTS: [(usize, isize); 9] =
    [(4, 1), (4, -1), (14, 1), (14, -1), (48, 1), (48, -1), (48, -2), (48, -3), (48, -4)];
/// The columns of the first round: four for the opponent, the colour after a blank, and the result after another.
const FIRST_ROUND: usize = 92;
const COLUMNS_OF_ROUND: usize = 10;

/// Invalid fields, and whether they decide a pairing or a name.
type Bad = Vec<(bool, String)>;

/// The content of cells, and their problems.
fn read(number: usize, cells: &Cells) -> (Player, Bad) {
    let mut bad = Bad::new();
    if let Some(column) = cells.control() {
        let what = if cells.at(column) == '\t' { "a tab" } else { "a control character" };
        bad.push((true, format!("{what} in column {column}")));
    }
    let rank = cells.number(5, 8).ok().flatten().unwrap_or_default();
    if rank == 0 || cells.at(4) != ' ' || cells.at(9) != ' ' {
        bad.push((true, "no starting rank in columns 5 to 8".into()));
    }
    // A blank comes before every field except the title.
    let mut field = |from: usize, to: usize, what: &str, is_good: fn(&str) -> bool| {
        let text = cells.columns(from, to);
        if (text.trim().is_empty() || is_good(&text)) && (from == 11 || cells.at(from - 1) == ' ') {
            return text.trim().to_owned();
        }
        let columns = if from == to { format!("column {from}") } else { format!("columns {from} to {to}") };
        bad.push((from == NAME, format!("the {what} in {columns} cannot be one")));
        String::new()
    };
    field(10, 10, "sex", |text| "mwfMWF".contains(text));
    let title = field(11, 13, "title", |text| text.trim().bytes().all(|byte| byte.is_ascii_alphabetic()));
    let name = field(NAME, 47, "name", |text| !text.starts_with(' '));
    let rating = field(49, 52, "rating", is_number);
    let federation = field(54, 56, "federation", |text| text.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let fide_id = field(58, 68, "FIDE number", is_number);
    field(70, 79, "birthday", |text| text.trim().bytes().all(|byte| b"0123456789/.-".contains(&byte)));
    let points = tenths(&field(81, 84, "points", |text| tenths(text).is_some()));
    let place = field(86, 89, "rank", is_number).parse().ok();
    let rounds = rounds(cells, &mut bad);
    (Player { line: number, rank, name, title, rating, fide_id, federation, points, place, rounds }, bad)
}

fn is_number(text: &str) -> bool {
    !text.trim().is_empty() && text.trim().bytes().all(|byte| byte.is_ascii_digit())
}

/// Points with one decimal, which end in the last column, in tenths.
fn tenths(text: &str) -> Option<u32> {
    let (whole, tenth) = text.trim_start().split_once(['.', ','])?;
    let is_one = tenth.len() == 1 && is_number(whole) && is_number(tenth);
    is_one.then(|| 10 * whole.parse::<u32>().unwrap_or_default() + tenth.parse::<u32>().unwrap_or_default())
}

/// The rounds; their problems go to `bad`.
fn rounds(cells: &Cells, bad: &mut Bad) -> Vec<Pairing> {
    if cells.at(FIRST_ROUND - 1) != ' ' {
        bad.push((true, "no blank in column 91".into()));
    }
    let columns = (FIRST_ROUND..=cells.width()).step_by(COLUMNS_OF_ROUND).enumerate();
    let pairings = columns.map(|(at, column)| {
        let (round, opponent) = (at + 1, cells.number(column, column + 3));
        let (colour, result) = (cells.at(column + 5), cells.at(column + 7));
        let is_parted = [4, 6, 8, 9].iter().all(|&behind| cells.at(column + behind) == ' ');
        if opponent.is_err() || !is_parted {
            let columns = format!("columns {column} to {}", column + 7);
            bad.push((true, format!("no opponent, colour and result of round {round} in {columns}")));
        }
        if !"wb- ".contains(colour) {
            bad.push((true, format!("`{colour}` is no colour (round {round}, column {})", column + 5)));
        }
        if !"10=+-wdlhfuz ".contains(result) {
            bad.push((true, format!("`{result}` is no result (round {round}, column {})", column + 7)));
        }
        let opponent = opponent.ok().flatten().filter(|rank| *rank != 0);
        Pairing { opponent, colour: if colour == '-' { ' ' } else { colour }, result }
    });
    pairings.collect()
}

/// Reads a player's line; returns notes to report too.
///
/// # Errors
/// The problem, when neither the line nor one of its shifts is a player's line.
pub fn player(number: usize, line: &str) -> Result<(Player, Option<String>), String> {
    let (player, bad) = read(number, &Cells::of_letters(line));
    match &bad[..] {
        [] => return Ok((player, None)),
        [(false, what)] => return Ok((player, Some(format!("{what}: it is left out")))),
        _ => {}
    }
    let bytes = (Cells::of_bytes(line), "its columns are counted in bytes, and read so".to_owned());
    let shifted = SHIFTS.into_iter().filter_map(|(column, by)| {
        let (many, what) = (by.unsigned_abs(), if by > 0 { "missing" } else { "too many" });
        let blanks = if many == 1 { "a blank is".to_owned() } else { format!("{many} blanks are") };
        let why = format!("{blanks} {what} before column {column}: it is read as if that were right");
        Some((Cells::shifted(line, column, by)?, why))
    });
    let mut found: Vec<(Player, String)> = Vec::new();
    for (cells, why) in std::iter::once(bytes).chain(shifted) {
        let (player, bad) = read(number, &cells);
        let is_seen = player.rounds.iter().any(|round| round.opponent.is_some());
        // The surplus, or the gap, may be in the name.
        let is_name = !player.name.contains("  ") && !player.name.ends_with(',');
        if bad.is_empty() && is_seen && is_name && found.iter().all(|(other, _)| *other != player) {
            found.push((player, why));
        }
    }
    match (found.pop(), bad.iter().find(|(is_of_pairing, _)| *is_of_pairing)) {
        (Some(_), _) if !found.is_empty() => {
            Err("it is shifted, and more than one shift would make it whole".into())
        }
        (Some((player, why)), _) => Ok((player, Some(why))),
        // One bad field may be a slip; fields that are bad together are shifted.
        (None, Some((_, what))) if bad.len() > 1 => Err(format!("it seems to be shifted: {what}")),
        (None, Some((_, what))) => Err(what.clone()),
        (None, None) => {
            let fields: Vec<_> = bad.into_iter().map(|(_, what)| what).collect();
            Err(format!("it is shifted: {}", fields.join(", and ")))
        }
    }
}
