//! A player's line of a tournament report, by its columns; and where it was shifted, which shift alone makes it whole.
//!
//! Columns count from 1 as in FIDE's text. What says who plays whom (starting rank, opponents, colours, results and the blanks
//! between them) must hold, and so must the name; of the other fields one may be bad and is left out, two are a shift.

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
    /// The rounds, the first one first.
    pub rounds: Vec<Pairing>,
}

/// What a line says of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The opponent's starting rank; none for nobody.
    pub opponent: Option<u32>,
    /// `w` or `b`; a blank for no colour.
    pub colour: char,
    /// A letter or sign of the standard, in lower case; a blank for none.
    pub result: char,
}

/// Where names begin.
const NAME: usize = 15;
/// The shifts that are looked for: before which columns blanks are missing, so many, or too many (negative). They are those of the
/// starting rank, of the name and of what stands behind a name that was padded wrongly; of more that is missing there it cannot be
/// told whether it was blanks.
const SHIFTS: [(usize, isize); 9] =
    [(4, 1), (4, -1), (14, 1), (14, -1), (48, 1), (48, -1), (48, -2), (48, -3), (48, -4)];
/// The columns of the first round: four for the opponent, the colour behind a blank, and the result behind another.
const FIRST_ROUND: usize = 92;
const COLUMNS_OF_ROUND: usize = 10;

/// What cannot be what it should.
#[derive(Debug, Default)]
struct Bad {
    /// The first on which hangs who plays whom, and how he is called.
    pairing: Option<String>,
    /// All other fields.
    fields: Vec<&'static str>,
}

impl Bad {
    fn pairing(&mut self, what: String) {
        self.pairing.get_or_insert(what);
    }
}

/// What cells say, and what is wrong with them.
fn read(number: usize, cells: &Cells) -> (Player, Bad) {
    let mut bad = Bad::default();
    if let Some((column, sign)) = cells.control() {
        let what = if sign == '\t' { "a tab" } else { "a control character" };
        bad.pairing(format!("{what} in column {column}"));
    }
    let rank = match cells.number(5, 8) {
        Ok(Some(rank)) if rank > 0 && cells.is_blank(4) && cells.is_blank(9) => rank,
        _ => {
            bad.pairing("no starting rank in columns 5 to 8".into());
            0
        }
    };
    // A field stands behind a blank.
    let mut field = |from: usize, to: usize, what: &'static str, is_good: fn(&str) -> bool| {
        let text = cells.columns(from, to);
        if (text.trim().is_empty() || is_good(&text)) && (from == 11 || cells.is_blank(from - 1)) {
            return text.trim().to_owned();
        }
        match from {
            NAME => bad.pairing(format!("{what} cannot be one")),
            _ => bad.fields.push(what),
        }
        String::new()
    };
    field(10, 10, "the sex in column 10", |text| "mwfMWF".contains(text));
    let title = field(11, 13, "the title in columns 11 to 13", |text| {
        text.trim().chars().all(|c| c.is_ascii_alphabetic())
    });
    let name = field(NAME, 47, "the name in columns 15 to 47", |text| !text.starts_with(' '));
    let rating = field(49, 52, "the rating in columns 49 to 52", is_number);
    let federation = field(54, 56, "the federation in columns 54 to 56", |text| {
        text.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    let fide_id = field(58, 68, "the FIDE number in columns 58 to 68", is_number);
    field(70, 79, "the birthday in columns 70 to 79", |text| {
        text.trim().bytes().all(|byte| byte.is_ascii_digit() || b"/.-".contains(&byte))
    });
    let points = field(81, 84, "the points in columns 81 to 84", |text| tenths(text).is_some());
    field(86, 89, "the rank in columns 86 to 89", is_number);
    let rounds = rounds(cells, &mut bad);
    let points = tenths(&points);
    (Player { line: number, rank, name, title, rating, fide_id, federation, points, rounds }, bad)
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

fn rounds(cells: &Cells, bad: &mut Bad) -> Vec<Pairing> {
    if !cells.is_blank(FIRST_ROUND - 1) {
        bad.pairing("no blank in column 91".into());
    }
    let mut rounds = Vec::new();
    while let column = FIRST_ROUND + COLUMNS_OF_ROUND * rounds.len()
        && column <= cells.width()
    {
        let round = rounds.len() + 1;
        let opponent = cells.number(column, column + 3);
        let (colour, result) = (cells.sign(column + 5), cells.sign(column + 7));
        let blank = [4, 6, 8, 9].iter().all(|&behind| cells.is_blank(column + behind));
        let opponent = match opponent {
            Ok(opponent) if blank => opponent.filter(|rank| *rank != 0),
            _ => {
                bad.pairing(format!(
                    "no opponent, colour and result of round {round} in columns {column} to {}",
                    column + 7
                ));
                None
            }
        };
        if !matches!(colour, 'w' | 'b' | '-' | ' ') {
            bad.pairing(format!("`{colour}` is no colour (round {round}, column {})", column + 5));
        }
        if !"10=+-wdlhfuz ".contains(result) {
            bad.pairing(format!("`{result}` is no result (round {round}, column {})", column + 7));
        }
        rounds.push(Pairing { opponent, colour: if colour == '-' { ' ' } else { colour }, result });
    }
    rounds
}

/// Reads a player's line; with what is to be reported of it.
///
/// # Errors
/// What is wrong with it, where neither it nor it put right by one shift is a player's line.
pub fn player(number: usize, line: &str) -> Result<(Player, Option<String>), String> {
    let (player, bad) = read(number, &Cells::of_letters(line));
    match (&bad.pairing, &bad.fields[..]) {
        (None, []) => return Ok((player, None)),
        (None, [what]) => return Ok((player, Some(format!("{what} cannot be one: it is left out")))),
        _ => {}
    }
    let bytes = (Cells::of_bytes(line), "its columns are counted in bytes, and read so".to_owned());
    let shifted = SHIFTS.into_iter().filter_map(|(column, by)| {
        let (many, what) = (by.unsigned_abs(), if by > 0 { "missing" } else { "too many" });
        let blanks = if many == 1 { "a blank is".to_owned() } else { format!("{many} blanks are") };
        let why = format!("{blanks} {what} before column {column}: it is read as if that were right");
        Some((Cells::shifted(line, column, by)?, why))
    });
    let mut found: Option<(Player, Option<String>)> = None;
    for (cells, why) in std::iter::once(bytes).chain(shifted) {
        let (player, bad) = read(number, &cells);
        let is_whole = bad.pairing.is_none() && bad.fields.is_empty();
        let is_seen = player.rounds.iter().any(|round| round.opponent.is_some());
        // What is too much, or missing, may be in the name.
        let is_name = !player.name.contains("  ") && !player.name.ends_with(',');
        match &found {
            _ if !is_whole || !is_seen || !is_name => {}
            Some((other, _)) if *other == player => {}
            Some(_) => return Err("it is shifted, and more than one shift would make it whole".into()),
            None => found = Some((player, Some(why))),
        }
    }
    let Bad { pairing, fields } = bad;
    found.ok_or_else(|| {
        pairing.unwrap_or_else(|| format!("it is shifted: {} cannot be right", fields.join(" and ")))
    })
}
