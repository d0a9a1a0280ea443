//! Measures how fast pgn-reader and shakmaty validate the moves of a PGN file and do nothing else, as a yardstick for
//! `from-pgn`. `cargo bench --bench validate -- FILE` prints plies and seconds.

use std::{error::Error, fs::File, hint::black_box, ops::ControlFlow, time::Instant};

use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

#[derive(Default)]
struct Validate {
    games: u64,
    plies: u64,
}

impl Visitor for Validate {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        self.games += 1;
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, pos: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(pos) {
            Ok(m) => {
                pos.play_unchecked(m);
                self.plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, pos: Chess) {
        black_box(pos);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("validate: give a PGN file: cargo bench --bench validate -- FILE");
        return Ok(());
    };
    let mut validate = Validate::default();
    let begin = Instant::now();
    Reader::new(File::open(path)?).visit_all_games(&mut validate)?;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} games, {} plies, {seconds:.3} s", validate.games, validate.plies);
    Ok(())
}
