//! Measures how exactly games are reconstructed. Simulated hands play the games of PGN and PDN files on boards that are polled
//! every two seconds, and the published games are compared with those played, for boardbus and for a yardstick, the
//! legal-successor method of the open-source boards. `scripts/accuracy` runs it.

mod certainty;
mod days;
mod driver;
mod final_plies;
mod games;
mod odd;
mod parallel;
mod prices;
mod rows;
mod successor;
mod table;
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

/// How exactly played games are reconstructed
///
/// Simulated hands play the games of PGN and PDN files on boards polled every 2 s; one game a board, 64 boards
/// a hall, chess and draughts in separate halls. For each kind of hands, with clocks and without, there is one row for boardbus
/// and one for the legal-successor method, which publishes a move as soon as the board shows it. The same seed gives the same
/// table, apart from the speed.
#[derive(Debug, Parser)]
#[command(
    name = "accuracy",
    after_help = "\
Columns:
  exact     games published from the first to the last move as they were played, and nothing else
  right     plies whose last published move is the one played
  wrong     published moves that were not played, per thousand plies; repeated unchanged they count once
  95%, 99%  seconds from the record of a landing (the first change since) until its move was published correctly
  median    seconds from the landing itself until its move was published correctly,
  95%,      and the 95 % and the
  landing   99 % of that, which is up to a poll longer
  floors    median and 99 % of an observer who has the game and shows a move as soon as its landing and press are reported
  rec/s     board records processed per second on one core, without JSON; accurate on an idle machine only"
)]
struct Options {
    /// PGN and PDN files, and folders whose *.pgn and *.pdn are played; games from other positions than a start
    /// are left out
    paths: Vec<PathBuf>,

    /// Whose hands play
    #[arg(long, value_enum, value_delimiter = ',', default_value = "clean,classic,rapid,blitz,real")]
    hands: Vec<Hands>,

    /// Play this many games, evenly picked [default: all]
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Seconds from one poll of a board to the next
    #[arg(long, value_name = "SECONDS", default_value_t = driver::EVERY)]
    poll: f64,

    /// Play each game this many times, each with its own seed
    #[arg(long, value_name = "N", default_value = "1")]
    seeds: u64,

    /// Instead of single games: this many days of five rounds on one board
    #[arg(long, value_name = "N")]
    days: Option<usize>,

    /// Instead of single games: this many games, each ended by kings put in the centre
    #[arg(long, value_name = "N")]
    kings: Option<usize>,

    /// Instead of single games: this many games for each way in which rounds are odd
    #[arg(long, value_name = "N")]
    odd: Option<usize>,

    /// With --odd: these rows only
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    row: Vec<u8>,

    /// With --odd: write the records and the truth of each board with a wrong result into this folder
    #[arg(long, value_name = "FOLDER")]
    journals: Option<PathBuf>,

    /// Instead of the table: how often each deviation is charged on the true path, beside its price
    #[arg(long)]
    prices: bool,

    /// Instead of the table: the certainty of each move and how often it was right, when first and last published
    #[arg(long)]
    certainty: bool,

    /// Instead of the table: each game published otherwise than played, and whether the played game costs more
    #[arg(long)]
    wrong: bool,

    /// In addition, a search that keeps this many explanations, in the table or with --wrong
    #[arg(long, value_name = "N")]
    beam: Option<usize>,

    /// With --beam: keep those that cost up to this much more than the best
    #[arg(long, value_name = "COST", default_value = "30")]
    margin: f32,

    /// Instead of the table: the worst time and memory per record, on boards without play and in a hall that restarts
    #[arg(long)]
    worst: bool,

    /// How soon moves of games with a clock are published
    #[arg(long, value_enum, default_value = "usual")]
    show: Show,

    /// The pieces for draughts
    #[arg(long, value_enum, default_value = "disks")]
    set: Figures,

    /// Halls played at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    /// The width of the additional search, if one is requested.
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
            let of_kind = if is(&file, "pdn") { &mut draughts } else { &mut chess };
            games::read(&file, options.set, of_kind)?;
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

/// Whether a file has this extension.
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

/// The first columns of a row of a table.
fn hands_and_clock(hands: Hands, clock: bool) -> String {
    let value = hands.to_possible_value();
    let name = value.as_ref().map_or("", |value| value.get_name());
    format!("{name:<7} {:<5}", if clock { "yes" } else { "no" })
}
