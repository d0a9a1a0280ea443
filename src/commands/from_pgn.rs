//! `boardbus from-pgn`: PGN files to game records.

use crate::{
    commands::Input,
    error::{Done, Result},
    format::pgn::{Cutter, Json},
    record::{self, Stream},
    stdio::{self, Output, Place},
};

/// PGN files to game records
#[derive(Debug, clap::Args)]
pub struct FromPgn {
    #[command(flatten)]
    input: Input,
}

impl FromPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut bad = self.input.bad();
        let mut out = Output::stdout();
        let mut cutter = Cutter::default();
        let mut number = 0;
        let mut no_game = String::new();
        // No name of the run: the same files give the same records.
        let program = concat!("boardbus ", env!("CARGO_PKG_VERSION")).to_owned();
        let source = Stream { records: record::VERSION, program, run: String::new(), line: None };
        let out = std::cell::RefCell::new(&mut out);
        out.borrow_mut().record(&source.line())?;
        stdio::each_block(
            &self.input.files,
            || out.borrow_mut().flush(),
            |name, bytes, _| {
                let mut json = Json::new(name);
                cutter.push(bytes, |game| {
                    number += 1;
                    json.read(game, number);
                    out.borrow_mut().text(&json.out)?;
                    json.out.clear();
                    for report in json.reports.drain(..) {
                        if report.no_game && no_game == name {
                            continue;
                        }
                        if report.no_game {
                            no_game = name.to_owned();
                        }
                        bad.report(Place { file: name, line: report.line }, report.problem)?;
                    }
                    Ok(())
                })
            },
        )?;
        out.borrow_mut().flush()?;
        Ok(bad.done("place"))
    }
}
