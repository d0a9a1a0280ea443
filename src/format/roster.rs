//! Rosters: CSV or JSON lines with the players of boards, to the tags of games.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

/// The data known beforehand of the games of a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seat {
    /// The name of the board's line; none fits any.
    pub line: Option<String>,
    /// The board's address on its bus.
    pub board: u16,
    /// The tags, in the order of the columns; no value is empty.
    pub tags: Vec<(String, String)>,
}

impl Seat {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// The content of a roster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Read {
    /// The seats.
    pub seats: Vec<Seat>,
    /// Values that were changed or left out in reading, each as text.
    pub notes: Vec<String>,
}

/// Tags whose spelling does not follow from a column's name in lower case.
const KNOWN: &str = "Event Site Date Round Board White Black WhiteElo BlackElo WhiteTitle BlackTitle WhiteFideId BlackFideId \
    WhiteFederation BlackFederation WhiteTeam BlackTeam WhiteNA BlackNA TimeControl ECO Section Stage UTCDate UTCTime WhiteClock BlackClock Annotator";

/// Tags that come from the game itself.
pub const OF_THE_GAME: [&str; 6] = ["Result", "FEN", "SetUp", "Variant", "GameId", "Termination"];

/// The line of a row, from 1, and its fields with their names.
type Row = (usize, Vec<(String, String)>);

/// Reads a roster: JSON lines when it begins with a bracket, else CSV with a header line. An error contains the line. A
/// roster without columns for the names of both players, or without boards, is refused: every game would be written
/// without names, unnoticed.
pub fn parse(text: &str) -> Result<Read, String> {
    let rows = if text.trim_start().starts_with(['{', '[']) { objects(text)? } else { table(text)? };
    if rows.is_empty() {
        return Err("1: no board stands here: below board,white,black comes a line for each board".into());
    }
    let (mut seats, mut places) = (Vec::new(), HashMap::new());
    for (line, fields) in rows {
        let seat = seat(fields).map_err(|why| format!("{line}: {why}"))?;
        let place = (seat.board, seat.line.clone(), seat.tag("Round").map(str::to_owned));
        if let Some(first) = places.insert(place, line) {
            return Err(format!("{line}: board {} stands in line {first} already", seat.board));
        }
        seats.push(seat);
    }
    Ok(Read { seats, notes: Vec::new() })
}

/// Refuses a roster whose lines are all of other rounds than this one: games would have no names, unnoticed.
pub fn of_round(read: Read, round: Option<u32>) -> Result<Read, String> {
    let rounds: Option<BTreeSet<&str>> = read.seats.iter().map(|seat| seat.tag("Round")).collect();
    match (rounds, round.map(|round| round.to_string())) {
        (Some(rounds), Some(round)) if !rounds.contains(&round[..]) => {
            let others = Vec::from_iter(rounds).join(", ");
            Err(format!("1: no line here is of round {round}, but of {others}"))
        }
        _ => Ok(read),
    }
}

/// Refuses a header without a required column.
fn needed(columns: &[String], without: &str, example: &str) -> Result<(), String> {
    let is_missing = |name: &&str| !columns.iter().any(|column| column.eq_ignore_ascii_case(name));
    let missing: Vec<&str> = ["board", "white", "black"].into_iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join("` and `");
    Err(format!(
        "{without} `{missing}`, which must be there: write {example}; a name that is not known may be empty"
    ))
}

fn objects(text: &str) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let object: Map<String, Value> = serde_json::from_str(line)
            .map_err(|e| format!("{}: no whole object of JSON in this line: {e}", at + 1))?;
        let fields = object.into_iter().map(|(name, value)| match value {
            Value::String(text) => (name, text),
            Value::Null => (name, String::new()),
            other => (name, other.to_string()),
        });
        rows.push((at + 1, fields.collect()));
    }
    let columns: Vec<_> = rows.iter().flat_map(|(_, fields)| fields).map(|(name, _)| name.clone()).collect();
    needed(&columns, "1: no line here has", r#"{"board":1025,"white":"Tal","black":""}"#)?;
    Ok(rows)
}

/// The rows of CSV that are not empty, without the header. Fields are separated by commas, semicolons or tabs,
/// whichever the header has first, or as in Excel's first line `sep=;`.
fn table(text: &str) -> Result<Vec<Row>, String> {
    let (first, below) = text.split_once('\n').unwrap_or((text, ""));
    let given = first.trim().strip_prefix("sep=").and_then(|separator| separator.bytes().next());
    let (text, before) = if given.is_some() { (below, 1) } else { (text, 0) };
    let of_header = || text.trim_start().lines().next()?.bytes().find(|byte| b",;\t".contains(byte));
    let separator = given.or_else(of_header).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(separator).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let (mut rows, mut header): (Vec<Row>, Option<(Vec<String>, bool)>) = Default::default();
    for record in reader.into_records() {
        let record = record.map_err(|e| format!("1: {e}"))?;
        let (at, line) = record.position().map_or((0, 1), |at| (at.byte() as usize, at.line() as usize));
        let line = before + line + text[at..].bytes().take_while(|byte| *byte == b'\n').count();
        if record.iter().any(|field| field.contains('\n')) {
            return Err(format!("{line}: a quote is not closed"));
        }
        // `1025,Carlsen, M` is no row of three fields, but only the blank shows it.
        let has_blank = separator == b',' && record.iter().skip(1).any(|field| field.starts_with(' '));
        let fields: Vec<String> = record.iter().map(|field| field.trim().to_owned()).collect();
        match &header {
            _ if fields.iter().all(String::is_empty) => {}
            None => {
                let example = "board,white,black and what else there is in the first line";
                needed(&fields, &format!("{line}: no heading"), example)?;
                header = Some((fields, has_blank));
            }
            Some((_, false)) if has_blank => {
                return Err(format!(
                    "{line}: a blank behind a comma: a name with a comma stands in quotes, \"Carlsen, M\""
                ));
            }
            Some((names, _)) if fields.len() != names.len() => {
                return Err(format!("{line}: {} fields under a header of {}", fields.len(), names.len()));
            }
            Some((names, _)) => rows.push((line, names.iter().cloned().zip(fields).collect())),
        }
    }
    Ok(rows)
}

fn seat(fields: Vec<(String, String)>) -> Result<Seat, String> {
    let mut seat = Seat::default();
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        let tag = match name.to_lowercase().as_str() {
            "table" => "Board".to_owned(),
            lower @ ("board" | "line") => lower.to_owned(),
            _ => tag_name(&name)?,
        };
        // It is unknown which of two values is right.
        if let Some(before) = seat.tag(&tag).filter(|before| *before != value) {
            return Err(format!("{name} is `{value}` and `{before}`: leave out one of the two"));
        }
        seat.tags.push((tag, value));
    }
    let board = seat.tag("board").unwrap_or_default();
    let address = board.parse().ok().filter(|address| (1..1 << 14).contains(address));
    seat.board = address.ok_or_else(|| format!("board `{board}` is no address from 1 to 16383"))?;
    seat.line = seat.tag("line").map(str::to_owned);
    seat.tags.retain(|(tag, _)| tag != "board" && tag != "line");
    Ok(seat)
}

/// The tag that a column is: `white_elo`, `White Elo` and `WhiteElo` are one.
pub fn tag_name(column: &str) -> Result<String, String> {
    let mut plain: String = column.chars().filter(|c| ![' ', '_', '-'].contains(c)).collect();
    if plain.is_empty() || !plain.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(format!("`{column}` cannot be the name of a tag"));
    }
    if let Some((side, "fed" | "country")) = plain.to_lowercase().split_at_checked("white".len()) {
        plain = format!("{side}federation");
    }
    if let Some(known) = KNOWN.split(' ').find(|known| known.eq_ignore_ascii_case(&plain)) {
        return Ok(known.to_owned());
    }
    if OF_THE_GAME.iter().any(|tag| tag.eq_ignore_ascii_case(&plain)) {
        return Err(format!("{column} comes from the game itself"));
    }
    let capital =
        |word: &str| word.get(..1).unwrap_or_default().to_uppercase() + word.get(1..).unwrap_or_default();
    Ok(column.split([' ', '_', '-']).map(capital).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(text: &str) -> Vec<Seat> {
        parse(text).unwrap().seats
    }

    #[test]
    fn csv_and_json_lines_agree() {
        let csv = "board,line,table,white,white_elo,White FideID,Black,white_federation\r\n\
                   1025,,1,\"Carlsen, \"\"M\"\"\",2830,1503014,Nn,NOR\r\n\r\n1026,hall-2,2,,,,Zz,\r\n";
        let json = "{\"board\":1025,\"table\":1,\"white\":\"Carlsen, \\\"M\\\"\",\"WhiteElo\":2830,\
                    \"white_fide_id\":1503014,\"black\":\"Nn\",\"whiteFederation\":\"NOR\"}\n\
                    {\"board\":1026,\"line\":\"hall-2\",\"table\":\"2\",\"black\":\"Zz\"}\n";
        let seats = seats(csv);
        let mut read = self::seats(json);
        // Objects have no order of their own.
        read.iter_mut().for_each(|seat| seat.tags.sort());
        let mut sorted = seats.clone();
        sorted.iter_mut().for_each(|seat| seat.tags.sort());
        assert_eq!(sorted, read);
        let tags = [
            ("Board", "1"),
            ("White", "Carlsen, \"M\""),
            ("WhiteElo", "2830"),
            ("WhiteFideId", "1503014"),
            ("Black", "Nn"),
            ("WhiteFederation", "NOR"),
        ];
        assert_eq!(seats[0].tags, tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!((seats[1].line.as_deref(), seats[1].tag("Board")), (Some("hall-2"), Some("2")));
    }

    #[test]
    fn an_error_names_the_line() {
        assert_eq!(
            parse("board,white,black\n1,a,b\nx,b,c\n").unwrap_err(),
            "3: board `x` is no address from 1 to 16383"
        );
        assert_eq!(parse("board,white,black\n1\n").unwrap_err(), "2: 1 fields under a header of 3");
        let of_the_game = "board,white,black,result\n1,a,b,1-0\n";
        assert_eq!(parse(of_the_game).unwrap_err(), "2: result comes from the game itself");
        let twice = "board,white,black\n1,a,b\n1,b,c\n";
        assert_eq!(parse(twice).unwrap_err(), "3: board 1 stands in line 2 already");
        let boardless = parse("{\"board\":null,\"white\":\"a\",\"black\":\"\"}\n").unwrap_err();
        assert_eq!(boardless, "1: board `` is no address from 1 to 16383");
        // A quadratic count would take too long; the line number is right after blank lines.
        let many = format!("board,white,black\n{}\n\n1,c\n", "1,a,b\n\n".repeat(100_000));
        assert_eq!(parse(&many).unwrap_err(), "200004: 2 fields under a header of 3");
        let split = parse("board,white,black\n1,A,B\n2,Larsen, Bent\n").unwrap_err();
        assert!(split.starts_with("3: a blank behind a comma: "), "{split}");
        let spaced = seats("board, white, black\n1, A, B\n");
        assert_eq!((spaced[0].tag("White"), spaced[0].tag("Black")), (Some("A"), Some("B")));
        for headless in ["white\na\n", "1025,Carlsen,Nn\n", "1025;Carlsen;Nn\n1026;A;B\n"] {
            let what = "1: no heading `board` and ";
            assert!(parse(headless).unwrap_err().starts_with(what), "{headless}");
        }
        assert_eq!(seats("Board,White,BLACK\n1,a,\n").len(), 1);
        assert!(parse("{\"board\":\n").unwrap_err().starts_with("1: "));
    }

    #[test]
    fn contradicting_columns_are_refused() {
        for (roster, because) in [
            ("board,white,black,White\n1,A,B,A\n2,A,B,C\n", "3: White is `C` and `A`: "),
            (
                "board,white,black,white_fed,white_country\n1,A,B,NED,GER\n",
                "2: white_country is `GER` and `NED`: ",
            ),
            ("board,white,black,board\n1,A,B,2\n", "2: board is `2` and `1`: "),
            ("{\"board\":1,\"white\":\"A\",\"White\":\"B\",\"black\":\"C\"}\n", "1: white is `A` and `B`: "),
        ] {
            let said = parse(roster).unwrap_err();
            assert!(said.starts_with(because), "{roster:?}: {said}");
        }
        // Each line has the name once.
        let once =
            seats("board,white,black,white_fed,white_country\n1,A,B,NED,\n2,C,D,,GER\n3,E,F,FRA,FRA\n");
        let federations = once.iter().map(|seat| seat.tag("WhiteFederation"));
        assert_eq!(federations.collect::<Vec<_>>(), [Some("NED"), Some("GER"), Some("FRA")]);
    }

    #[test]
    fn a_roster_of_other_rounds_is_refused() {
        let of = |roster: &str, round| parse(roster).and_then(|read| of_round(read, Some(round))).map(|_| ());
        let two = "board,round,white,black\n1,1,A,B\n1,2,C,D\n";
        assert_eq!(of(two, 3).unwrap_err(), "1: no line here is of round 3, but of 1, 2");
        assert_eq!(of(two, 2), Ok(()));
        // A player without a round plays in all rounds.
        assert_eq!(of("board,round,white,black\n1,1,A,B\n2,,C,D\n", 3), Ok(()));
    }

    #[test]
    fn a_roster_without_names_is_refused() {
        let refused = [
            ("board\n1025\n", "1: no heading `white` and `black`, "),
            ("\nboard,table\n1025,1\n", "2: no heading `white` and `black`, "),
            // The file was cut off.
            ("board,white,bla\n1025,A,B\n", "1: no heading `black`, "),
            ("board,whi", "1: no heading `white` and `black`, "),
            ("board,White Name,black\n1025,A,B\n", "1: no heading `white`, "),
            ("{\"board\":1025}\n{\"board\":1026}\n", "1: no line here has `white` and `black`, "),
            ("{\"board\":1025,\"white\":\"A\"}\n", "1: no line here has `black`, "),
            ("[{\"board\":1025}]\n", "1: no whole object of JSON in this line: invalid type: sequence"),
            ("", "1: no board stands here: "),
            ("board,white,black\n", "1: no board stands here: "),
        ];
        for (roster, because) in refused {
            let said = parse(roster).unwrap_err();
            assert!(said.starts_with(because), "{roster:?}: {said}");
        }
        // Some boards have no names.
        assert_eq!(seats("board,white,black\n1025,A,\n1026,,\n").len(), 2);
        assert_eq!(seats("{\"board\":1,\"white\":\"A\"}\n{\"board\":2,\"black\":\"B\"}\n").len(), 2);
    }
}
