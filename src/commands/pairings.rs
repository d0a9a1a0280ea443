//! The options that name the pairings of a round, and what is read of them: files of any pairing program, or the folder of Vega.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{Boards, boards_each_once};
use crate::{
    error::{Error, Result},
    format::{
        pairings::{self, File},
        roster::Read,
        trf,
    },
};

/// The files of the pairings, and the boards on which their tables are.
#[derive(Debug, Default, Clone, Args)]
pub(super) struct PairingArgs {
    /// The pairings of a round as the pairing program writes them; needs --round
    ///
    /// A tournament report (TRF16, TRF26), Swiss-Manager's Spielerdaten and Spielerauslosung, Vega's folder or its
    /// SortedPairs.txt and engine26.trf, or PGN of pairings; the content of the files shows which. They are read
    /// again when they change.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "round")]
    pairings: Vec<PathBuf>,

    /// Another name of --pairings, for one file
    #[arg(long, value_name = "FILE", requires = "round", conflicts_with = "pairings")]
    trf: Option<PathBuf>,

    /// Addresses of the boards in the order of the tables: 1025-1032,1040 [default: the numbers of the tables]
    #[arg(long, value_name = "LIST", value_parser = boards_each_once)]
    boards: Option<Boards>,

    /// The order of the pairings of a tournament report at the tables [default: what the report shows]
    #[arg(long, value_enum)]
    order: Option<trf::Order>,
}

/// The files with the pairings in Vega's folder: the list, and files with the players.
const OF_FOLDER: [&str; 3] = ["SortedPairs.txt", "engine26.trf", "crosstable.txt"];

impl PairingArgs {
    /// Whether any are named.
    pub fn any(&self) -> bool {
        self.trf.is_some() || !self.pairings.is_empty()
    }

    /// Refuses options about pairings where there are none.
    pub fn check(&self) -> Result<()> {
        if self.any() || self.boards.is_none() && self.order.is_none() {
            return Ok(());
        }
        Err(Error::Usage(
            "--boards and --order place the tables of pairings: name their files with --pairings".into(),
        ))
    }

    /// The files, with those in a folder in place of the folder.
    pub fn files(&self) -> Vec<PathBuf> {
        self.pairings.iter().chain(&self.trf).flat_map(|path| of_folder(path)).collect()
    }

    /// The order of the pairings of a tournament report, where it was asked for.
    pub fn order(&self) -> Option<trf::Order> {
        self.order
    }

    /// The pairings of a round, with their boards; each note and problem with its file.
    pub fn read(&self, files: &[File], round: u32) -> Result<Read, String> {
        let read = pairings::read(files, round, self.order)?;
        Ok(pairings::lay(read, self.boards.as_ref().map(|Boards(boards)| &boards[..])))
    }
}

fn of_folder(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let [list, others @ ..] = OF_FOLDER.map(|name| path.join(name));
    std::iter::once(list).chain(others.into_iter().filter(|file| file.is_file())).collect()
}
