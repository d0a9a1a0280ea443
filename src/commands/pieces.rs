//! Files of pieces: which chip is in which piece, for boards that report chips (Certabo).
//!
//! Such a file has `calibration` records, one on each line, and may have any others: a journal is one too. Calibrations
//! from a start position are added to the first file that was given.

use std::{
    collections::BTreeSet,
    fs::{File, OpenOptions},
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;

use crate::{
    error::{Error, Result},
    record::{BoardEvent, BoardRecord, CalibrationReason, Chips, Piece, Placement, Record, Square, parse},
    stdio,
};

/// The files of pieces that a command reads.
#[derive(Debug, Clone, Default, Args)]
pub struct PiecesArgs {
    /// For boards that report the chips in their pieces (Certabo): a file with the piece of each chip, one for each
    /// set of pieces; may be given again. `watch` makes the first file from a start position
    #[arg(long, value_name = "FILE")]
    pieces: Vec<PathBuf>,
}

impl PiecesArgs {
    /// Whether there is any.
    pub fn is_given(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Reads all files.
    ///
    /// # Errors
    /// [`Error::Io`] when one cannot be read, [`Error::Data`] when one has no calibration.
    pub fn read(&self) -> Result<Chips> {
        let mut chips = Chips::default();
        for path in &self.pieces {
            let bytes = stdio::read_whole(path)?;
            chips.learn(&calibrations(path, &bytes)?);
        }
        Ok(chips)
    }

    /// Reads all files, and keeps the first, which may be new, open: calibrations are added to it.
    ///
    /// # Errors
    /// [`Error::Io`] when one cannot be read, or the first cannot be written; [`Error::Data`] when one has no calibration.
    pub fn open(&self) -> Result<Pieces> {
        let Some((first, others)) = self.pieces.split_first() else { return Ok(Pieces::default()) };
        let file = OpenOptions::new().append(true).create(true).open(first);
        let file = file.map_err(|error| cannot_write(first, error))?;
        let bytes = stdio::read_whole(first)?;
        let mut chips = if bytes.is_empty() { Chips::default() } else { calibrations(first, &bytes)? };
        chips.learn(&PiecesArgs { pieces: others.to_vec() }.read()?);
        let starts_line = bytes.last().is_none_or(|&byte| byte == b'\n');
        Ok(Pieces { chips, file: Some((first.clone(), file)), starts_line, ..Pieces::default() })
    }
}

fn cannot_write(path: &Path, error: std::io::Error) -> Error {
    if error.kind() != ErrorKind::PermissionDenied {
        return Error::io(path.display(), error);
    }
    let what = format!(
        "{}: what a start position shows of chips is added to it, and it may not be written (does root own it? \
         Make it yours with chown, or give a copy)",
        path.display()
    );
    Error::io(what, error)
}

/// The calibrations in a file.
fn calibrations(path: &Path, bytes: &[u8]) -> Result<Chips> {
    let (mut chips, mut is_none) = (Chips::default(), true);
    for (n, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let record = parse(line).map_err(|bad| {
            Error::Data(format!(
                "{}:{}: {bad}: a file of pieces has calibration records",
                path.display(),
                n + 1
            ))
        })?;
        if let Record::Board(BoardRecord { event: BoardEvent::Calibration(calibration), .. }) = record {
            chips.learn(&calibration.chips);
            is_none = false;
        }
    }
    if is_none {
        let path = path.display();
        return Err(Error::Data(format!("{path}: no calibration record: this is no file of pieces")));
    }
    Ok(chips)
}

/// The calibrated chips, and the file to which new ones are added.
#[derive(Default)]
pub struct Pieces {
    chips: Chips,
    file: Option<(PathBuf, File)>,
    starts_line: bool,
    /// The boards, by line and number, that were reported to have only unknown pieces.
    unknown: BTreeSet<(Option<Arc<str>>, Option<u16>)>,
}

impl Pieces {
    /// The chips from these files, or else those from a journal.
    pub fn beside(&self, journal: Chips) -> Chips {
        let mut chips = journal;
        chips.learn(&self.chips);
        chips
    }

    /// Takes a record of a board: a calibration is added to the file and reported, and so are boards without a known piece.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be written.
    pub fn take(&mut self, record: &BoardRecord) -> Result<()> {
        let calibration = match &record.event {
            BoardEvent::Calibration(calibration) => calibration,
            BoardEvent::Position(position) => {
                self.report_unknown(record, &position.placement);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let is_new = |(chip, piece): (_, &Piece)| self.chips.0.get(chip) != Some(piece);
        let is_given = calibration.reason == Some(CalibrationReason::Given);
        if is_given || !calibration.chips.0.iter().any(is_new) {
            return Ok(());
        }
        self.chips.learn(&calibration.chips);
        let count = calibration.chips.0.len();
        let place = self.file.as_ref().map(|(path, _)| path.display().to_string());
        match (calibration.reason, place) {
            (Some(CalibrationReason::Unknown), place) => {
                let chips: Vec<String> = calibration.chips.0.keys().map(ToString::to_string).collect();
                let name_it = place.map_or_else(
                    || "give --pieces FILE to name it in".into(),
                    |path| format!("write its letter in place of `?` in {path}"),
                );
                stdio::say(format_args!("a piece is not known, chip {}: {name_it}", chips.join(", ")));
            }
            (_, Some(path)) => stdio::say(format_args!("{path}: {count} chips named by the start position")),
            (_, None) => stdio::say(format_args!(
                "{count} chips named by the start position: give --pieces FILE to keep them for another journal"
            )),
        }
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut line = if self.starts_line { Vec::new() } else { b"\n".to_vec() };
        let _ = record.write(&mut line);
        line.push(b'\n');
        self.starts_line = true;
        file.write_all(&line).map_err(|error| Error::io(path.display(), error))
    }

    /// Reports once for each board that none of its pieces is known, unless it may be in the start position, which names them.
    fn report_unknown(&mut self, record: &BoardRecord, placement: &Placement) {
        let mut pieces = Square::all().filter_map(|square| placement.get(square)).peekable();
        let is_unknown = pieces.peek().is_some() && pieces.all(|piece| piece == Piece::UNKNOWN);
        let start = Placement::start();
        let may_be_start =
            Square::all().all(|square| placement.get(square).is_some() == start.get(square).is_some());
        if !is_unknown || may_be_start || !self.unknown.insert((record.line.clone(), record.board)) {
            return;
        }
        let board = record.board.map_or_else(|| "the board".to_owned(), |board| format!("board {board}"));
        stdio::say(format_args!(
            "{board}: none of its pieces is known: give the --pieces FILE of this set, or set up the start position"
        ));
    }
}
