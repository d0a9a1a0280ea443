//! `boardbus decode`: bytes of a capture to board records.
//!
//! Circle: what the bytes show is a mode as the command takes it, and what was held back is then read in that mode.

mod guess;

use std::{cell::RefCell, sync::Arc};

use clap::{Args, ValueEnum};

use super::{
    arguments::FormatArgs,
    input::{Input, of_records, report_if_nothing},
    pieces::PiecesArgs,
};
use crate::{
    bus::{
        bus_mode::overheard::Overheard,
        certabo::{self, Certabo},
        chessnut::Chessnut,
        driver::Verdict,
        millennium::{self, Millennium},
        single_mode::overheard::OverheardBoard,
        whole_positions::overheard::OverheardReports,
    },
    capture::{self, Direction},
    error::{Done, Error, Result},
    record::{BoardEvent, BoardRecord, Chips, Mode, Stream, Time},
    stdio::{self, Bad, Output, Then},
    wire::{
        self,
        command::BusCommand,
        frame::{self, Decoder, Frame, Request, RequestDecoder},
        records::Recorder,
    },
};
use guess::{ENOUGH, Guess, Held};

/// Turns the bytes of boards into board records
///
/// Reads what a board, or a line of boards, has sent: raw bytes, text of bytes in hex, or a capture with
/// times. Bytes that are no message become fault records; everything before and after them comes through.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  boardbus decode round3.bin | boardbus reconstruct | boardbus to-pgn
  echo '85 00 0a 08 01 40 34 41 24 71' | boardbus decode
  boardbus decode --mode single board.bin")]
pub struct Decode {
    #[command(flatten)]
    input: Input,

    /// The make of the boards, or for DGT boards the mode in which they were asked; `auto` finds that out from the
    /// bytes, and takes `bus` if they do not show it
    #[arg(long, visible_alias = "make", value_enum, default_value_t = ModeChoice::Auto)]
    mode: ModeChoice,

    #[command(flatten)]
    pieces: PiecesArgs,

    /// The name of the line, which every record gets
    #[arg(long, value_name = "NAME")]
    line: Option<Arc<str>>,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeChoice {
    Auto,
    Bus,
    Single,
    Millennium,
    Chessnut,
    Certabo,
}

impl ModeChoice {
    /// The decoder for boards of this mode.
    fn search(self, chips: &Chips) -> ModeSearch {
        let reports = |reports: OverheardReports| ModeSearch::Reports(Box::new(reports));
        match self {
            ModeChoice::Auto => ModeSearch::Guessing(Guess::new(chips)),
            ModeChoice::Bus => ModeSearch::Known(Decoding::new(Mode::Bus)),
            ModeChoice::Single => ModeSearch::Known(Decoding::new(Mode::Single)),
            ModeChoice::Millennium => reports(OverheardReports::new(Millennium::default())),
            ModeChoice::Chessnut => reports(OverheardReports::new(Chessnut::overheard())),
            ModeChoice::Certabo => reports(OverheardReports::new(Certabo::new(chips.clone()))),
        }
    }
}

impl Decode {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        // The stream has no time and no run, so that the same bytes give the same records.
        let stream = Stream::of_run(String::new(), self.line.clone());
        let mut out = self.format.output();
        out.record(&stream)?;
        let writer = Writer { out, line: self.line, strict: self.input.strict, faults: 0, bytes: 0 };
        let writer = RefCell::new(writer);
        let mut lines = self.input.bad();
        let chips = self.pieces.read()?;
        let new = || Source::new(self.mode, &chips);
        let inputs = self.input.inputs().ends_with_reader(true);
        let mut sources: Vec<Source> = (0..inputs.count()).map(|_| new()).collect();
        let read = stdio::each_block(
            inputs,
            || writer.borrow_mut().out.flush(),
            |piece| {
                let (writer, source) = (&mut *writer.borrow_mut(), &mut sources[piece.nth]);
                source.take(piece.file, piece.bytes, writer, &mut lines)?;
                if piece.then != Then::More {
                    source.end(piece.file, writer, &mut lines)?;
                    *source = new();
                }
                Ok(())
            },
        );
        let mut writer = writer.into_inner();
        writer.out.flush()?;
        read?;
        report_if_nothing("bytes", writer.bytes, &lines);
        let done = lines.done("line");
        match writer.faults {
            0 => return Ok(done),
            1 => stdio::say("1 fault in the bytes: see the fault record"),
            n => stdio::say(format_args!("{n} faults in the bytes: see the fault records")),
        }
        Ok(Done::BadData)
    }
}

/// Writes records, and counts faults.
struct Writer {
    out: Output,
    line: Option<Arc<str>>,
    strict: bool,
    faults: u64,
    /// The number of bytes from boards.
    bytes: u64,
}

impl Writer {
    fn write(&mut self, place: &Place<'_>, board: Option<u16>, event: BoardEvent) -> Result<()> {
        if let BoardEvent::Fault(fault) = &event {
            if self.strict {
                return Err(Error::Data(format!("{place}: {}", fault.detail)));
            }
            self.faults += 1;
        }
        let record = BoardRecord { time: place.time, line: self.line.clone(), board, seq: None, event };
        self.out.line(|line| record.write(line))
    }

    fn write_new(&mut self, overheard: &mut Overheard, place: &Place<'_>) -> Result<()> {
        for BoardRecord { time, board, event, .. } in overheard.take_records() {
            self.write(&Place { time, ..*place }, board, event)?;
        }
        Ok(())
    }
}

/// The place of a record in the input.
struct Place<'a> {
    file: &'a str,
    /// The line of the text, from 1; 0 in raw bytes.
    line: u64,
    /// The number of bytes from boards before it.
    offset: u64,
    time: Option<Time>,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: byte {}", self.file, self.offset),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// The state of one file: its form, its mode, and its records.
struct Source {
    form: Form,
    /// The mode that was asked for.
    choice: ModeChoice,
    line_number: u64,
    mode: ModeSearch,
}

enum Form {
    /// Undecided, with the bytes so far.
    Unknown(Vec<u8>),
    Raw,
    Text(Text),
    /// A file of another kind, which was reported.
    Other,
}

impl Form {
    /// The form of a file with this beginning.
    fn of(beginning: &[u8], is_text: bool, name: &str, lines: &mut Bad) -> Result<Form> {
        Ok(match of_records(beginning) {
            Some(what) => {
                lines.report(format_args!("{name}:1"), format_args!("this is no capture but {what}"))?;
                Form::Other
            }
            None if is_text => Form::Text(Text::default()),
            None => Form::Raw,
        })
    }
}

/// A text of a capture that is being read.
#[derive(Default)]
struct Text {
    /// The current line, as far as it was read.
    line: Vec<u8>,
    /// The current line is too long, and is skipped.
    too_long: bool,
    /// A buffer for the bytes of a line.
    bytes: Vec<u8>,
}

/// A line of text longer than this is not of a capture: 1 MiB.
const LONGEST_LINE: usize = 1 << 20;

impl Source {
    fn new(mode: ModeChoice, chips: &Chips) -> Source {
        Source { form: Form::Unknown(Vec::new()), choice: mode, line_number: 0, mode: mode.search(chips) }
    }

    /// Whether printable bytes are what the board sent, not a text of bytes.
    fn is_sent_as(&self, bytes: &[u8]) -> bool {
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let may_be = match self.choice {
            ModeChoice::Certabo | ModeChoice::Millennium => true,
            ModeChoice::Auto => {
                [certabo::heard, millennium::heard].iter().any(|heard| heard(bytes) != Verdict::No)
            }
            _ => false,
        };
        may_be && capture::parse(first, &mut Vec::new()).is_err()
    }

    fn take(&mut self, name: &str, bytes: &[u8], writer: &mut Writer, lines: &mut Bad) -> Result<()> {
        if let Form::Unknown(so_far) = &mut self.form {
            so_far.extend_from_slice(bytes);
            let Some(text) = is_text(so_far) else { return Ok(()) };
            let all = std::mem::take(so_far);
            let text = text && !self.is_sent_as(&all);
            self.form = Form::of(&all, text, name, lines)?;
            return self.take(name, &all, writer, lines);
        }
        if let Form::Other = self.form {
            return Ok(());
        }
        if let Form::Raw = self.form {
            writer.bytes += bytes.len() as u64;
            let place = Place { file: name, line: 0, offset: 0, time: None };
            return self.mode.push(bytes, place, writer);
        }
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let Form::Text(text) = &mut self.form else { return Ok(()) };
            if !text.too_long {
                text.line.extend_from_slice(piece);
                text.too_long = text.line.len() > LONGEST_LINE;
                if text.too_long {
                    text.line = Vec::new();
                    lines.report(
                        format_args!("{name}:{}", self.line_number + 1),
                        "a line of over 1 MiB is none of a capture",
                    )?;
                }
            }
            if !piece.ends_with(b"\n") {
                continue;
            }
            if std::mem::take(&mut text.too_long) {
                self.line_number += 1;
            } else {
                self.text_line(name, writer, lines)?;
            }
        }
        Ok(())
    }

    fn text_line(&mut self, name: &str, writer: &mut Writer, lines: &mut Bad) -> Result<()> {
        let Form::Text(Text { line, bytes, .. }) = &mut self.form else { return Ok(()) };
        self.line_number += 1;
        let traffic = capture::parse(line, bytes);
        line.clear();
        match traffic {
            Ok(Some(traffic)) => {
                writer.bytes += bytes.len() as u64;
                let place = Place { file: name, line: self.line_number, offset: 0, time: traffic.time };
                match traffic.direction {
                    Direction::FromBoards => self.mode.push(bytes, place, writer),
                    Direction::ToBoards => self.mode.asked(bytes, place, writer),
                }
            }
            Ok(None) => Ok(()),
            Err(bad) => lines.report(format_args!("{name}:{}", self.line_number), bad),
        }
    }

    fn end(&mut self, name: &str, writer: &mut Writer, lines: &mut Bad) -> Result<()> {
        if let Form::Unknown(so_far) = &mut self.form {
            let all = std::mem::take(so_far);
            // The whole file is printable: the last line has no line end.
            self.form = Form::of(&all, !self.is_sent_as(&all), name, lines)?;
            self.take(name, &all, writer, lines)?;
        }
        if matches!(&self.form, Form::Text(text) if !text.line.is_empty()) {
            self.text_line(name, writer, lines)?;
        }
        let place = Place { file: name, line: self.line_number, offset: 0, time: None };
        self.mode.finish(place, writer)
    }
}

/// Whether these first bytes are text; none while more are needed to decide. Frames have bit 7 and zeros.
fn is_text(bytes: &[u8]) -> Option<bool> {
    let printable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    if let Some(first) = bytes.iter().find(|byte| !printable(byte)) {
        // A comment may be in any language.
        return Some(*first >= 0x80 && bytes.starts_with(b"#"));
    }
    (bytes.contains(&b'\n') || bytes.len() > LONGEST_LINE).then_some(true)
}

/// Turns the bytes of boards into records as soon as the mode is known.
enum ModeSearch {
    Guessing(Guess),
    Known(Decoding),
    /// The decoder of boards that report whole positions.
    Reports(Box<OverheardReports>),
}

impl ModeSearch {
    fn push(&mut self, bytes: &[u8], place: Place<'_>, writer: &mut Writer) -> Result<()> {
        match self {
            ModeSearch::Known(decoding) => decoding.push(bytes, place, writer),
            ModeSearch::Reports(reports) => {
                let mut records = reports.push(bytes, place.time).into_iter();
                records.try_for_each(|record| {
                    writer.write(&Place { time: record.time, ..place }, record.board, record.event)
                })
            }
            ModeSearch::Guessing(guess) => {
                guess.push(bytes, &place);
                if guess.is_sure() { self.decide(place.file, writer) } else { Ok(()) }
            }
        }
    }

    /// Adds bytes from the host: a command for the bus shows that there is a bus. A ping does not, since it searches
    /// for one.
    fn asked(&mut self, bytes: &[u8], place: Place<'_>, writer: &mut Writer) -> Result<()> {
        if let ModeSearch::Guessing(guess) = self {
            let mut is_ping = true;
            RequestDecoder::default().push(bytes, |request| {
                is_ping &=
                    matches!(request, Ok(Request::Bus { byte, .. }) if byte == BusCommand::Ping.byte());
            });
            if spoken(bytes) != Some(Mode::Bus) || is_ping || !guess.bytes.is_empty() {
                guess.held.push((Held::Asked(bytes.to_vec()), place.line, place.time));
                return if guess.held.len() < ENOUGH { Ok(()) } else { self.decide(place.file, writer) };
            }
            self.decide(place.file, writer)?;
        }
        match self {
            ModeSearch::Known(decoding) => decoding.asked(bytes, spoken(bytes), &place, writer),
            ModeSearch::Guessing(_) | ModeSearch::Reports(_) => Ok(()),
        }
    }

    fn finish(&mut self, place: Place<'_>, writer: &mut Writer) -> Result<()> {
        self.decide(place.file, writer)?;
        match self {
            ModeSearch::Known(decoding) => decoding.finish(place, writer),
            ModeSearch::Guessing(_) | ModeSearch::Reports(_) => Ok(()),
        }
    }

    /// Takes the likelier mode and decodes the buffered bytes.
    fn decide(&mut self, file: &str, writer: &mut Writer) -> Result<()> {
        let ModeSearch::Guessing(guess) = self else { return Ok(()) };
        let known = guess.likelier().search(&guess.chips);
        let ModeSearch::Guessing(guess) = std::mem::replace(self, known) else { return Ok(()) };
        let mut bytes = &guess.bytes[..];
        guess.held.into_iter().try_for_each(|(held, line, time)| {
            let place = Place { file, line, offset: 0, time };
            match held {
                Held::Came(length) => {
                    let (piece, rest) = bytes.split_at(length);
                    bytes = rest;
                    self.push(piece, place, writer)
                }
                Held::Asked(bytes) => self.asked(&bytes, place, writer),
            }
        })
    }
}

/// The mode of the host's command; none where the bytes are no command.
fn spoken(bytes: &[u8]) -> Option<Mode> {
    let mut speaks = None;
    RequestDecoder::default().push(bytes, |request| match request {
        Ok(Request::Bus { .. }) => speaks = Some(Mode::Bus),
        Ok(Request::Single { .. }) => speaks = speaks.or(Some(Mode::Single)),
        Err(_) => {}
    });
    speaks
}

/// Bytes to records in a known mode.
struct Decoding {
    mode: Mode,
    /// The mode of the last command to a board alone, which may answer in bus mode as well.
    speaks: Mode,
    decoder: Decoder,
    records: Records,
    offset: u64,
    time: Option<Time>,
    /// For a bus whose commands are in the capture too.
    overheard: Option<Box<Overheard>>,
}

/// Makes records from frames.
enum Records {
    OfBus(Recorder),
    OfBoardAlone(Box<OverheardBoard>),
}

impl Decoding {
    fn new(mode: Mode) -> Decoding {
        let records = match mode {
            Mode::Bus => Records::OfBus(Recorder::new(mode)),
            _ => Records::OfBoardAlone(Box::default()),
        };
        Decoding {
            mode,
            speaks: mode,
            decoder: Decoder::new(mode),
            records,
            offset: 0,
            time: None,
            overheard: None,
        }
    }

    fn push(&mut self, bytes: &[u8], mut place: Place<'_>, writer: &mut Writer) -> Result<()> {
        if let Some(overheard) = &mut self.overheard {
            overheard.traffic(place.time, Direction::FromBoards, bytes);
            return writer.write_new(overheard, &place);
        }
        let Decoding { decoder, records, offset, time, .. } = self;
        *time = place.time;
        let mut written = Ok(());
        decoder.push(bytes, |event| {
            if written.is_ok() {
                place.offset = *offset;
                written = write_event(records, event, &place, writer, offset);
            }
        });
        written
    }

    /// Adds bytes from the host. After the first command on a bus, records are made as in the program that sent it. A
    /// board alone answers in the mode of the last command, also in bus mode.
    fn asked(
        &mut self,
        bytes: &[u8],
        speaks: Option<Mode>,
        place: &Place<'_>,
        writer: &mut Writer,
    ) -> Result<()> {
        if let Records::OfBoardAlone(alone) = &mut self.records {
            alone.asked();
        }
        let last = Place { file: place.file, ..*place };
        match (self.mode, speaks) {
            (Mode::Single, Some(speaks)) if speaks != self.speaks => {
                self.finish(last, writer)?;
                (self.speaks, self.decoder) = (speaks, Decoder::new(speaks));
            }
            (Mode::Bus, Some(Mode::Bus)) if self.overheard.is_none() => {
                self.finish(last, writer)?;
                self.overheard = Some(Box::default());
            }
            _ => {}
        }
        let Some(overheard) = &mut self.overheard else { return Ok(()) };
        overheard.traffic(place.time, Direction::ToBoards, bytes);
        writer.write_new(overheard, place)
    }

    fn finish(&mut self, mut place: Place<'_>, writer: &mut Writer) -> Result<()> {
        if let Some(overheard) = &mut self.overheard {
            overheard.finish();
            return writer.write_new(overheard, &place);
        }
        let Decoding { decoder, records, offset, time, .. } = self;
        (place.offset, place.time) = (*offset, *time);
        let mut written = Ok(());
        decoder.finish(|event| {
            if written.is_ok() {
                written = write_event(records, event, &place, writer, offset);
            }
        });
        written?;
        let mut written = Ok(());
        let mut write = |board, event| {
            if written.is_ok() {
                written = writer.write(&place, board, event);
            }
        };
        match records {
            Records::OfBus(recorder) => recorder.finish(&mut write),
            Records::OfBoardAlone(alone) => alone.finish(&mut write),
        }
        written
    }
}

fn write_event(
    records: &mut Records,
    event: Result<Frame<'_>, frame::BadBytes<'_>>,
    place: &Place<'_>,
    writer: &mut Writer,
    offset: &mut u64,
) -> Result<()> {
    let frame = match event {
        Ok(frame) => frame,
        Err(fault) => {
            *offset += fault.bytes.len() as u64;
            if let Records::OfBoardAlone(alone) = records {
                alone.spoilt();
            }
            return writer.write(place, None, wire::records::fault(&fault));
        }
    };
    *offset += frame.length() as u64;
    let mut written = Ok(());
    match records {
        Records::OfBus(recorder) => recorder.record(&frame, place.time, |board, event| {
            if written.is_ok() {
                written = writer.write(place, board, event);
            }
        }),
        Records::OfBoardAlone(alone) => alone.record(&frame, place.time, |board, time, event| {
            if written.is_ok() {
                written = writer.write(&Place { time, ..*place }, board, event);
            }
        }),
    }
    written
}
