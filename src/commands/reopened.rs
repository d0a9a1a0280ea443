//! Rulings on closed games: the files of `reconstruct` are read again for the records of their boards.

use std::{convert::Infallible, path::PathBuf};

use super::sources::Sources;
use crate::{
    error::Result,
    reconstruct::{Options, Reconstructor, Refused, differences},
    record::{GameEvent, GameRecord, Record, Ruled, parse},
    stdio::{self, Inputs},
};

/// What is needed to reconstruct a game again.
pub(super) struct Reopened {
    options: Options,
    files: Vec<PathBuf>,
    /// The rulings that hold, in their order.
    hold: Vec<GameRecord>,
}

impl Reopened {
    /// For games in these files.
    pub fn new(options: &Options, files: &[PathBuf]) -> Reopened {
        Reopened {
            options: Options { final_only: false, ..options.clone() },
            files: files.to_vec(),
            hold: Vec::new(),
        }
    }

    /// Adds a ruling that holds.
    pub fn hold(&mut self, ruling: &GameRecord) {
        self.hold.push(ruling.clone());
    }

    /// Whether all input can be read again: files on a disk, not pipes.
    fn can_be_read_again(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|file| file.is_file())
    }

    /// The records that change a closed game into what was ruled.
    pub fn ruled(
        &mut self,
        ruling: &GameRecord,
        sources: &Sources,
    ) -> Result<std::result::Result<Vec<GameRecord>, Refused>> {
        if !self.can_be_read_again() {
            return Ok(Err(Refused::Closed));
        }
        let (before, _) = self.reconstructed(ruling, sources)?;
        self.hold(ruling);
        let (after, refused) = self.reconstructed(ruling, sources)?;
        let GameEvent::Ruling(ruled) = &ruling.event else { return Ok(Ok(Vec::new())) };
        let reaches = |records: &[GameRecord]| ruled.ply.is_none_or(|ply| differences::plies(records) >= ply);
        let cut_off = (reaches(&before) && !reaches(&after)).then_some(Refused::Impossible);
        if let Some(refused) = refused.or(cut_off) {
            self.hold.pop();
            return Ok(Err(refused));
        }
        // The withdrawal of an earlier ruling leaves no trace in the reconstruction, so its record is added here.
        let withdrawn = (ruled.ruled == Ruled::Withdraw).then(|| ruling.clone());
        let records = withdrawn.into_iter().chain(differences::records(before, after, ruling.time));
        Ok(Ok(records.collect()))
    }

    /// All records of the game of a ruling, by the rulings that hold, and why this one does not, if it does not.
    fn reconstructed(
        &self,
        ruling: &GameRecord,
        sources: &Sources,
    ) -> Result<(Vec<GameRecord>, Option<Refused>)> {
        let mut games = Reconstructor::new(self.options.clone());
        let mut records = Vec::new();
        let wanted = (&ruling.line, ruling.board, ruling.game);
        let mut keep = |record: GameRecord| {
            if (&record.line, record.board, record.game) == wanted {
                records.push(record);
            }
            Ok::<(), Infallible>(())
        };
        for ruling in &self.hold {
            let Ok(_) = games.ruling(ruling, &mut keep);
        }
        let state = &mut (sources.again(), &mut games, &mut keep);
        let inputs = Inputs::of(&self.files);
        stdio::lines(
            inputs,
            state,
            |_| Ok(None),
            |(sources, games, keep), place, line| {
                // Bad lines were reported at the first reading, and the rulings were read then.
                match parse(line) {
                    Ok(Record::Board(mut record)) => {
                        sources.record(place, &mut record);
                        let Ok(()) = games.record(&record, &mut *keep);
                    }
                    Ok(Record::Stream(mut stream)) => {
                        sources.stream(place, &mut stream);
                        let Ok(()) = games.stream(&stream, &mut *keep);
                    }
                    Ok(Record::Game(_) | Record::Other) | Err(_) => {}
                }
                Ok(())
            },
        )?;
        let Ok(()) = games.finish(&mut keep);
        let same = |other: &GameRecord| {
            (&other.line, other.board, other.game, &other.event)
                == (&ruling.line, ruling.board, ruling.game, &ruling.event)
        };
        let refused = games.take_refused().into_iter().find(|(record, _)| same(record));
        Ok((records, refused.map(|(_, why)| why)))
    }
}
