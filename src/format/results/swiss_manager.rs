//! Swiss-Manager's boards with results: the rows of the round stay as they are, except for the certain results.

use std::collections::BTreeMap;

use super::{
    filled::{Filled, whole_lines},
    verdict::Shown,
};
use crate::{
    format::pairings::{File, draw},
    record::Outcome,
};

/// The columns of a result.
const RESULT: [&str; 4] = ["ErgW", "ErgS", "Kontumaz", "Erg"];
/// The content of these columns without a result.
const OPEN: [&str; 4] = ["0", "0", "", "0:0"];

/// Writes results into the rows of a round.
pub(super) fn filled(files: &[File], round: u32, results: &BTreeMap<u16, Shown>) -> Result<Filled, String> {
    let file = draw(files).ok_or("Spielerauslosung (Text-File) is missing")?;
    let mut filled = Filled::default();
    let mut columns: Option<Vec<&str>> = None;
    for whole in whole_lines(&file.text) {
        let row = whole.trim_end_matches(['\r', '\n']);
        let end = &whole[row.len()..];
        if row.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = row.split(';').collect();
        let Some(columns) = &columns else {
            columns = Some(row.trim_start_matches('\u{feff}').split(';').map(str::trim).collect());
            filled.text.push_str(whole);
            continue;
        };
        let at = |name: &str| columns.iter().position(|column| *column == name);
        let field = |name: &str| at(name).and_then(|at| fields.get(at)).map_or("", |field| field.trim());
        if field("Runde") != round.to_string() {
            continue;
        }
        let is_bye =
            ["NrW", "NrS"].iter().any(|name| !field(name).parse::<i32>().is_ok_and(|number| number > 0));
        let table = field("Brett").parse::<u16>().ok().filter(|_| !is_bye);
        let shown = table.and_then(|table| Some((table, results.get(&table)?)));
        let before = RESULT.map(field);
        filled.has.extend(table.filter(|_| before != OPEN));
        let put = match shown {
            None => None,
            Some((table, shown)) => match spelled(shown) {
                None => {
                    filled
                        .left
                        .push(format!("table {table}: {} has no spelling here: type it", shown.text()));
                    None
                }
                Some(now) if before == OPEN => {
                    filled.has.insert(table);
                    Some(now)
                }
                Some(now) if before == now => None,
                Some(_) => {
                    let [.., before] = before;
                    filled.left.push(format!(
                        "table {table}: Swiss-Manager has {before}, and it ended {}: its row is left as it came",
                        shown.text()
                    ));
                    None
                }
            },
        };
        let Some(put) = put else {
            filled.text.push_str(whole);
            continue;
        };
        let mut fields: Vec<&str> = fields;
        for (name, value) in RESULT.iter().zip(put) {
            at(name).and_then(|at| fields.get_mut(at)).into_iter().for_each(|field| *field = value);
        }
        filled.text.push_str(&fields.join(";"));
        filled.text.push_str(end);
    }
    Ok(filled)
}

/// A result in Swiss-Manager's spelling; none where that was never seen.
fn spelled(shown: &Shown) -> Option<[&'static str; 4]> {
    match (shown.outcome, shown.forfeit) {
        (Outcome::WhiteWins, false) => Some(["1", "0", "", "1:0"]),
        (Outcome::BlackWins, false) => Some(["0", "1", "", "0:1"]),
        (Outcome::Draw, false) => Some(["0,5", "0,5", "", "0,5:0,5"]),
        (Outcome::WhiteWins, true) => Some(["1", "0", "K", "1:0K"]),
        (Outcome::BlackWins, true) => Some(["0", "1", "K", "0:1K"]),
        (Outcome::BothLose, true) => Some(["0", "0", "K", "0:0K"]),
        _ => None,
    }
}
