//! The front page of an event: its rounds, which are folders in its folder, and the standings.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::look::Logo;
use crate::{
    error::{Error, Result},
    format::{
        html::{self, Look, page},
        standings::{self, Placed, PlacedTeam, Round, Standings},
    },
    record::Seconds,
    stdio::Published,
};

/// The file of a round's results in its folder.
pub const RESULTS: &str = "results.json";
/// Text in every front page of ours, and in no other page.
const MARK: &[u8] = b"data-kind=\"event\"";

/// The page, and the files beside it.
pub struct Front {
    dir: PathBuf,
    look: Look,
    files: BTreeMap<&'static str, Published>,
}

/// The data of the page, which it fetches again.
#[derive(Serialize)]
struct Event<'a> {
    title: String,
    refresh: Seconds,
    /// Names and addresses of the rounds, with their number of games in play.
    rounds: Vec<(String, String, usize)>,
    standings: &'a [Placed],
    #[serde(skip_serializing_if = "<[PlacedTeam]>::is_empty")]
    teams: &'a [PlacedTeam],
}

impl Front {
    /// A front page in this folder.
    ///
    /// # Errors
    /// When there is another page already, or it cannot be written.
    pub fn new(dir: PathBuf, look: &Look, logo: Option<&Logo>) -> Result<Front> {
        fs::create_dir_all(&dir).map_err(|e| Error::io(dir.display(), e))?;
        let index = dir.join("index.html");
        if fs::read(&index).is_ok_and(|page| memchr::memmem::find(&page, MARK).is_none()) {
            let index = index.display();
            return Err(Error::Usage(format!(
                "{index} is no front page of an event: name another folder, or move it away"
            )));
        }
        let mut front = Front { dir, look: look.clone(), files: BTreeMap::new() };
        front.write("page.js", html::SCRIPT.as_bytes())?;
        front.write("page.css", html::STYLE.as_bytes())?;
        logo.map_or(Ok(()), |logo| front.write(logo.name, &logo.bytes))?;
        Ok(front)
    }

    /// Writes the page for the current rounds. The standings are those of the report, or else follow from the results
    /// of the rounds.
    pub fn update(&mut self, refresh: Seconds, of_report: Option<Standings>) -> Result<()> {
        let rounds = rounds(&self.dir);
        let Standings { rows, teams } =
            of_report.unwrap_or_else(|| standings::of_rounds(rounds.iter().map(|(_, round)| round)));
        let names = |(folder, round): &(String, Round)| {
            let in_play = round.games.iter().filter(|game| game.tenths().is_none()).count();
            let name = match &round.round[..] {
                "" => round.title.clone(),
                number => self.look.text("Round $", &[number]),
            };
            (name, format!("{folder}/index.html"), in_play)
        };
        let mut titles = rounds.iter().map(|(_, round)| &round.event).filter(|event| !event.is_empty());
        let title = titles.next_back().cloned().unwrap_or_else(|| self.look.text("Rounds", &[]));
        let rounds = rounds.iter().map(names).collect();
        let event = Event { title, refresh, rounds, standings: &rows, teams: &teams };
        let json = html::json(&event);
        self.write("index.html", &page::event(&event.title, &json, &self.look))?;
        self.write("event.js", &[b"boardbus(\"event\",", &json[..], b")\n"].concat())?;
        self.write("event.json", &json)
    }

    fn write(&mut self, name: &'static str, content: &[u8]) -> Result<()> {
        if !self.files.contains_key(name) {
            self.files.insert(name, Published::passing(self.dir.join(name))?);
        }
        self.files.get_mut(name).map_or(Ok(()), |file| file.publish(content))
    }
}

/// The rounds in a folder by the names of their folders, in the order of their numbers.
fn rounds(dir: &Path) -> Vec<(String, Round)> {
    let folders = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let read = |folder: String| {
        let text = fs::read(dir.join(&folder).join(RESULTS)).ok()?;
        Some((folder, serde_json::from_slice(&text).ok()?))
    };
    let mut rounds: Vec<(String, Round)> = folders.filter_map(read).collect();
    let number = |round: &Round| round.round.parse::<u32>().unwrap_or(u32::MAX);
    rounds.sort_by(|(a, first), (b, second)| number(first).cmp(&number(second)).then_with(|| a.cmp(b)));
    rounds
}
