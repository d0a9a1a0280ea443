//! Closed games on which an arbiter ruled: the files of `reconstruct` are read again for what their boards said.

use std::{convert::Infallible, path::PathBuf};

use super::sources::Sources;
use crate::{
    error::Result,
    reconstruct::{Options, Reconstructor, Refused, differences},
    record::{GameEvent, GameRecord, Record, Ruled, parse},
    stdio::{self, Inputs},
};

/// What is needed to reconstruct a game once more.
pub(super) struct Reopened {
    options: Options,
    files: Vec<PathBuf>,
    /// The rulings that hold, in their order.
    hold: Vec<GameRecord>,
}

impl Reopened {
    /// Of the games in these files.
    pub fn new(options: &Options, files: &[PathBuf]) -> Reopened {
        Reopened {
            options: Options { final_only: false, ..options.clone() },
            files: files.to_vec(),
            hold: Vec::new(),
        }
    }

    /// A ruling holds.
    pub fn hold(&mut self, ruling: &GameRecord) {
        self.hold.push(ruling.clone());
    }

    /// Whether all that was read can be read again: files on a disk, and no pipe.
    fn can_be_read_again(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|file| file.is_file())
    }

    /// What has to be told of a closed game so that it stands as it was ruled.
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
        let reaches = |told: &[GameRecord]| ruled.ply.is_none_or(|ply| differences::plies(told) >= ply);
        let cut_off = (reaches(&before) && !reaches(&after)).then_some(Refused::Impossible);
        if let Some(refused) = refused.or(cut_off) {
            self.hold.pop();
            return Ok(Err(refused));
        }
        // That an earlier ruling holds no more is in nothing that is reconstructed by now.
        let withdrawn = (ruled.ruled == Ruled::Withdraw).then(|| ruling.clone());
        let told = withdrawn.into_iter().chain(differences::records(before, after, ruling.time));
        Ok(Ok(told.collect()))
    }

    /// All that is told of the game of a ruling, by the rulings that hold, and why this one does not, if it turns out so.
    fn reconstructed(
        &self,
        ruling: &GameRecord,
        sources: &Sources,
    ) -> Result<(Vec<GameRecord>, Option<Refused>)> {
        let mut games = Reconstructor::new(self.options.clone());
        let mut told = Vec::new();
        let wanted = (&ruling.line, ruling.board, ruling.game);
        let mut keep = |record: GameRecord| {
            if (&record.line, record.board, record.game) == wanted {
                told.push(record);
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
                // What is no record was said when it was read first, and rulings are known.
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
        Ok((told, refused.map(|(_, why)| why)))
    }
}
