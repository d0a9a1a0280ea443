//! `boardbus simulate`: a virtual line of boards on which games are played.

use std::{collections::BTreeSet, fs::File, ops::ControlFlow, path::PathBuf, sync::Arc};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

use crate::{
    error::{Done, Error, Result},
    record::{Outcome, Stream, Time},
    sim::{
        game::{Builder, Game},
        profile::Hands,
        recorder::{Hall, Polling, rounds},
        table::Ending,
    },
    stdio::{Bad, Output},
};

/// More boards than this play only when asked for by number or address.
const BOARDS: usize = 64;

/// A virtual line of boards on which games are played
///
/// Games without moves are left out. Of N boards the first plays the first game, game N+1, game 2N+1 and so on, the
/// second the second game, game N+2, …; between two games the pieces are set up by hand. All follows from the games
/// and the seed: the same command prints the same bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus simulate --pgn games.pgn --records | boardbus reconstruct | boardbus to-pgn
  boardbus simulate --pgn games.pgn --records --hands blitz --seed 7 --no-clock --boards 1")]
pub struct Simulate {
    /// The games to play, in file order
    #[arg(long, value_name = "FILE", required = true)]
    pgn: Vec<PathBuf>,

    /// Print board records as if the boards were polled; no port
    #[arg(long)]
    records: bool,

    /// Seconds between two polls of a board
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = positive)]
    poll: f64,

    /// Whose hands play
    #[arg(long, value_enum, default_value = "classic")]
    hands: Hands,

    /// What all chance follows from
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// How many boards, with addresses from 1025 on [default: one a game, 64 at most]
    #[arg(long, value_name = "N", conflicts_with = "address")]
    boards: Option<usize>,

    /// The boards' addresses: 1025-1032,2054
    #[arg(long, value_name = "LIST", value_parser = addresses)]
    address: Option<Addresses>,

    /// No clock beside the boards
    #[arg(long)]
    no_clock: bool,

    /// Seconds between two readings of a clock
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = positive)]
    clock_every: f64,

    /// How the result is shown on the board after the last move
    #[arg(long, value_enum, default_value = "none")]
    ending: Ending,

    /// When the hall opens, in the records' time
    #[arg(long, value_name = "TIME", default_value = "2026-01-01T10:00:00Z")]
    opening: Time,

    /// Stop at the first game that cannot be played
    #[arg(long)]
    strict: bool,
}

/// A list of bus addresses.
#[derive(Debug, Clone)]
struct Addresses(Vec<u16>);

impl Simulate {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut bad = Bad::new(self.strict);
        let mut games = Vec::new();
        for path in &self.pgn {
            read(path, &mut games, &mut bad)?;
        }
        let addresses = self.addresses(games.len())?;
        if !self.records {
            return Err(Error::Usage("only --records is there yet".into()));
        }
        let polling = Polling {
            opening: self.opening,
            every: self.poll,
            clock: !self.no_clock,
            clock_every: self.clock_every,
            seed: self.seed,
        };
        let mut out = Output::stdout();
        let run = format!("simulate-{}", self.seed);
        let program = concat!("boardbus ", env!("CARGO_PKG_VERSION")).into();
        out.record(&Stream { records: crate::record::VERSION, program, run, line: None }.line())?;
        for record in Hall::new(&addresses, &rounds(games, self.ending), &self.hands.profile(), &polling) {
            out.record(&record)?;
            if crate::stop::requested().is_some() {
                break;
            }
        }
        out.flush()?;
        Ok(bad.done("game"))
    }

    fn addresses(&self, games: usize) -> Result<Vec<u16>> {
        if let Some(Addresses(list)) = &self.address {
            return Ok(list.clone());
        }
        let count = self.boards.unwrap_or(games.clamp(1, BOARDS));
        let last = 1024 + count;
        if count == 0 || last > 0x3fff {
            return Err(Error::Usage("--boards: from 1 to 15359".into()));
        }
        Ok((1025..=last as u16).collect())
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("not a number above 0".into()),
    }
}

fn addresses(text: &str) -> Result<Addresses, String> {
    let number = |text: &str| match text.trim().parse::<u16>() {
        Ok(n @ 1..=0x3fff) => Ok(n),
        _ => Err(format!("`{text}` is not an address from 1 to 16383")),
    };
    let mut list = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(format!("`{part}`: the first address is above the last"));
        }
        list.extend(first..=last);
    }
    let mut seen = BTreeSet::new();
    match list.iter().find(|&&address| !seen.insert(address)) {
        Some(twice) => Err(format!("address {twice} is there twice")),
        None => Ok(Addresses(list)),
    }
}

/// Reads the games of a PGN file that have moves.
fn read(path: &PathBuf, games: &mut Vec<Arc<Game>>, bad: &mut Bad) -> Result<()> {
    let name = path.display();
    let file = File::open(path).map_err(|e| Error::io(name.to_string(), e))?;
    let mut reader =
        Reader::build(file).set_supported_tag_line_length(4096).set_supported_comment_length(4096).finish();
    let mut visitor = Games;
    let mut number = 0;
    while let Some((game, error)) =
        reader.read_game(&mut visitor).map_err(|e| Error::io(name.to_string(), e))?
    {
        number += 1;
        if let Some(error) = error {
            bad.report(format_args!("{name}: game {number}"), format_args!("{error}; played up to there"))?;
        }
        if let Some(game) = game.filter(|game| !game.plies.is_empty()) {
            games.push(Arc::new(game));
        }
    }
    Ok(())
}

/// Makes games to be played of PGN.
struct Games;

/// What the tags of a game say.
#[derive(Default)]
struct Said {
    fen: Option<String>,
    chess960: bool,
    result: Option<Outcome>,
    control: Option<(f64, f64)>,
    flag: bool,
}

struct Playing {
    said: Said,
    builder: Option<Builder>,
    error: Option<String>,
}

impl Visitor for Games {
    type Tags = Said;
    type Movetext = Playing;
    type Output = (Option<Game>, Option<String>);

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Said> {
        ControlFlow::Continue(Said::default())
    }

    fn tag(&mut self, said: &mut Said, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy();
        match name {
            b"FEN" => said.fen = Some(value.into_owned()),
            b"Variant" => said.chess960 = value.contains("960") || value.to_lowercase().contains("fischer"),
            b"Result" => said.result = value.parse().ok(),
            b"TimeControl" => said.control = control(&value),
            b"Termination" => said.flag = value == "Time forfeit",
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, said: Said) -> ControlFlow<Self::Output, Playing> {
        let builder = Builder::new(said.fen.as_deref());
        ControlFlow::Continue(match builder {
            Ok(builder) => {
                let builder = if said.chess960 { builder.chess960() } else { builder };
                Playing { said, builder: Some(builder), error: None }
            }
            Err(error) => Playing { said, builder: None, error: Some(error) },
        })
    }

    fn san(&mut self, playing: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        if let (Some(builder), None) = (&mut playing.builder, &playing.error) {
            playing.error = builder.play(san.san, None).err();
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, playing: &mut Playing, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let (Some(builder), None, Some(seconds)) =
            (&mut playing.builder, &playing.error, clock(comment.as_bytes()))
        {
            builder.clock(seconds);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, playing: Playing) -> Self::Output {
        let said = playing.said;
        let game = playing.builder.map(|builder| builder.finish(said.result, said.control, said.flag));
        (game, playing.error)
    }
}

/// The seconds of a `[%clk 1:29:58]` in a comment.
fn clock(comment: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(comment).ok()?;
    let (_, after) = text.split_once("[%clk")?;
    let (time, _) = after.split_once(']')?;
    time.trim().split(':').try_fold(0.0, |sum, part| Some(sum * 60.0 + part.parse::<f64>().ok()?))
}

/// Base and increment of a `TimeControl` such as `300+3` or `5400+30:1800+30`; the first period counts.
fn control(text: &str) -> Option<(f64, f64)> {
    let period = text.split(':').next()?;
    let period = period.rsplit('/').next()?;
    let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
    Some((base.parse().ok()?, increment.parse().ok()?))
}
