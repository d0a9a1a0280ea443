//! How exactly played games are found again: simulated hands play the games of PGN and PDN files, halls of boards are
//! polled every two seconds, and what is told is held against what was played, for the product and for a
//! yardstick, the legal-successor method of the open-source boards. `scripts/accuracy` runs it.

mod certainty;
mod days;
mod driver;
mod games;
mod odd;
mod parallel;
mod prices;
mod rows;
mod successor;
mod table;
mod told;
mod worst;
mod wrong;

use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
};

use boardbus::{
    reconstruct::{Show, Width},
    sim::{planned_game::russian::Figures, profile::Hands},
};
use clap::{Parser, ValueEnum};
use table::Kind;

/// How exactly played games are found again
///
/// Simulated hands play the games of PGN and PDN files on boards polled every 2 s; one game a board, 64 boards
/// a hall, chess and draughts each in halls of their own. For each kind of hands, with clocks and without, one row for boardbus and one for the
/// legal-successor method: a move as soon as the board shows it. The same seed gives the same table, but for
/// the speed.
#[derive(Debug, Parser)]
#[command(
    name = "accuracy",
    after_help = "\
Columns:
  exact     games told from the first to the last move as they were played, and nothing else
  right     plies whose last word is the move played
  wrong     moves told that were not played, a thousand plies; told again unchanged they count once
  95%, 99%  seconds from the record of a landing (the first change since) until its move was rightly told
  median    seconds from the landing itself until its move was rightly told,
  95%,      and the 95 % and the
  landing   99 % of that, which is up to a poll longer
  floors    median and 99 % of who knows the game, and shows each move as soon as its landing and its press are told
  rec/s     board records taken in per second on one core, without JSON; fair on an idle machine only"
)]
struct Options {
    /// PGN and PDN files, and folders whose *.pgn and *.pdn are played; games from other positions than a start
    /// are left out
    paths: Vec<PathBuf>,

    /// Whose hands play
    #[arg(long, value_enum, value_delimiter = ',', default_value = "clean,classic,rapid,blitz,real")]
    hands: Vec<Hands>,

    /// Play so many games, evenly picked [default: all]
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// What all chance follows from
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Seconds from one poll of a board to the next
    #[arg(long, value_name = "SECONDS", default_value_t = driver::EVERY)]
    poll: f64,

    /// Play each game so many times, with a seed of its own each
    #[arg(long, value_name = "N", default_value = "1")]
    seeds: u64,

    /// Instead of single games: so many days of five rounds on one board
    #[arg(long, value_name = "N")]
    days: Option<usize>,

    /// Instead of single games: so many games, each ended by kings put in the centre
    #[arg(long, value_name = "N")]
    kings: Option<usize>,

    /// Instead of single games: so many games for each way in which rounds are odd
    #[arg(long, value_name = "N")]
    odd: Option<usize>,

    /// With --odd: these rows only
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    row: Vec<u8>,

    /// With --odd: write what was reported of each board that was published wrongly, and what is true of it, into this folder
    #[arg(long, value_name = "FOLDER")]
    journals: Option<PathBuf>,

    /// Instead of the table: how often each deviation is charged on the true path, beside its price
    #[arg(long)]
    prices: bool,

    /// Instead of the table: how sure each move was said to be, and how often it was right, first told and last
    #[arg(long)]
    certainty: bool,

    /// Instead of the table: each game that was told otherwise than it was played, and whether what was played costs more
    #[arg(long)]
    wrong: bool,

    /// Besides, a search that keeps so many explanations, in the table or with --wrong
    #[arg(long, value_name = "N")]
    beam: Option<usize>,

    /// With --beam: those that cost so much more than the best
    #[arg(long, value_name = "COST", default_value = "30")]
    margin: f32,

    /// Instead of the table: what a record costs at worst, on boards that nobody plays on and in a hall that begins anew
    #[arg(long)]
    worst: bool,

    /// How soon moves beside a clock are told
    #[arg(long, value_enum, default_value = "usual")]
    show: Show,

    /// What draughts are played with
    #[arg(long, value_enum, default_value = "disks")]
    set: Figures,

    /// Halls played at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    /// The wider search that is asked for.
    fn width(&self) -> Option<Width> {
        self.beam.map(|beam| Width { beam, margin: self.margin })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.paths.is_empty() {
        println!("accuracy: give PGN or PDN files or folders of them: scripts/accuracy FOLDER_OR_FILE...");
        return Ok(());
    }
    let (mut chess, mut draughts) = (Vec::new(), Vec::new());
    for path in &options.paths {
        for file in files(path)? {
            let of_its_kind = if is(&file, "pdn") { &mut draughts } else { &mut chess };
            games::read(&file, options.set, of_its_kind)?;
        }
    }
    if options.worst {
        worst::print(&chess, options.seed);
        return Ok(());
    }
    if options.days.is_some() || options.kings.is_some() {
        return days::print(&chess, &options);
    }
    if let Some(count) = options.odd {
        return odd::print([&chess, &draughts], &options, count);
    }
    let both = !chess.is_empty() && !draughts.is_empty();
    for (kind, games) in [(Kind::Chess, chess), (Kind::Draughts, draughts)] {
        if both {
            println!("{kind:?}");
        }
        if games.is_empty() {
            continue;
        }
        match &options {
            Options { prices: true, .. } => prices::print(&games, &options)?,
            Options { certainty: true, .. } => certainty::print(&games, &options)?,
            Options { wrong: true, .. } => wrong::print(&games, &options)?,
            _ => table::print(kind, &games, &options)?,
        }
    }
    Ok(())
}

/// Whether a file's name ends so.
fn is(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|e| e == extension)
}

/// The file itself, or every `*.pgn` and `*.pdn` of a folder by name.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
    files.retain(|file| is(file, "pgn") || is(file, "pdn"));
    files.sort();
    Ok(files)
}

/// The first columns of a row.
fn hands_and_clock(hands: Hands, clock: bool) -> String {
    let value = hands.to_possible_value();
    let name = value.as_ref().map_or("", |value| value.get_name());
    format!("{name:<7} {:<5}", if clock { "yes" } else { "no" })
}
