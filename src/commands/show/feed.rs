//! Records in: what boards reported, and what is made of it, into the hall.

use std::{convert::Infallible, path::PathBuf, time::Duration};

use super::recent;
use crate::{
    commands::{
        input::{Input, Layer, Records, say_without_game},
        names::Keeper,
        rulings::Rulings,
        sources::Sources,
    },
    error::{Done, Result},
    format::{boards_of, pgn::Dress},
    reconstruct::{Options, Reconstructor},
    record::{BoardName, BoardRecord, GameEvent, GameRecord, Record, Stream, Zone},
    screen::Hall,
    stdio::{self, Bad, Inputs, Place},
};

/// The hall, and what it hears.
pub struct Feed {
    records: Records,
    sources: Sources,
    files: Vec<PathBuf>,
    games: Reconstructor,
    /// When the input is over, the boards that were played on without one.
    without_game: Vec<BoardName>,
    /// The input tells what was played itself.
    told: bool,
    /// And how a game began.
    begun: bool,
    /// What arbiters ruled in the files, which is known before they are read.
    rulings: Option<Rulings>,
    /// That a ruling cannot be held was said.
    refused: bool,
    /// Who looks at the file of names.
    names: Keeper,
    dress: Dress,
    /// Where times are told for.
    pub zone: Zone,
    /// The hall as it stands.
    pub hall: Hall,
    /// Where the reading goes on in the only file, when the present was found from its end.
    from: u64,
}

/// What a hall hears.
#[derive(Debug, Clone)]
pub enum Heard {
    /// A source begins.
    Stream(Stream),
    /// What a board reported.
    Board(BoardRecord),
    /// What was played.
    Game(GameRecord),
}

impl Feed {
    /// Reads these files; games are made by these options.
    pub fn new(
        input: &Input,
        lines: &[(String, PathBuf)],
        (dress, names): (Dress, Keeper),
        options: Options,
    ) -> Result<Feed> {
        let mut sources = Sources::new(&input.files, lines)?;
        let files = std::mem::take(&mut sources.files);
        let zone = dress.zone.clone().unwrap_or_else(Zone::here);
        Ok(Feed {
            records: input.records(Layer::Any),
            sources,
            files,
            games: Reconstructor::new(options),
            without_game: Vec::new(),
            told: false,
            begun: false,
            rulings: None,
            refused: false,
            names,
            hall: Hall::new(dress.clone()).told_in(zone.clone()),
            dress,
            zone,
            from: 0,
        })
    }

    /// Reads nothing: somebody hands the records over.
    pub fn empty(names: (Dress, Keeper), options: Options) -> Result<Feed> {
        Feed::new(&Input::none(), &[], names, options)
    }

    /// Finds the present of a long journal from its end, instead of reading all of it.
    pub fn begin_at_the_end(&mut self) -> Result<()> {
        if let [file] = &self.files[..] {
            let file = file.clone();
            self.from = recent::read(&file, &mut |place, line| self.line(place, line))?;
        }
        if self.from == 0 { self.begin() } else { Ok(()) }
    }

    /// Finds what arbiters ruled in the files, so that games are shown as they hold from the first.
    pub fn begin(&mut self) -> Result<()> {
        let Feed { files, sources, games, .. } = self;
        self.rulings = Some(Rulings::of_files(files, None, true, Bad::default(), |place, mut ruling| {
            sources.game(place, &mut ruling);
            // No game has begun that it could change.
            let Ok(_) = games.ruling(&ruling, |_| Ok::<(), Infallible>(()));
            Ok(())
        })?);
        Ok(())
    }

    /// What is to be read.
    pub fn inputs<'a>(&self, files: &'a [PathBuf], follow: bool) -> Inputs<'a> {
        Inputs::of(files).following(follow).from(self.from)
    }

    /// The files to be read; they are given away, so that the feed can be changed while they are read.
    pub fn take_files(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.files)
    }

    /// A hall in which nobody has said anything yet.
    pub fn new_hall(&self) -> Hall {
        Hall::new(self.dress.clone()).told_in(self.zone.clone())
    }

    /// Looks at the file of names: who plays, where that is others by now.
    pub fn look_at_names(&mut self) -> Option<Dress> {
        let dress = self.names.look().0;
        self.take_names(dress)
    }

    /// Looks at it once more, at the end.
    pub fn look_at_names_last(&mut self) {
        let dress = self.names.last_look();
        self.take_names(dress);
    }

    fn take_names(&mut self, dress: Option<Dress>) -> Option<Dress> {
        if let Some(dress) = &dress {
            self.hall.dress_anew(dress.clone());
            self.dress = dress.clone();
        }
        dress
    }

    /// Takes a line of the input into the hall.
    pub fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        let mut heard = Vec::new();
        self.heard(place, line, &mut heard)?;
        heard.into_iter().try_for_each(|heard| self.hear(place, heard))
    }

    /// The same without the hall: what it would hear.
    pub fn heard(&mut self, place: Place<'_>, line: &[u8], heard: &mut Vec<Heard>) -> Result<()> {
        match self.records.record(place, line)? {
            Some(Record::Board(mut record)) => {
                if let Some(stream) = self.sources.back_to(place) {
                    self.games.back_to(stream);
                }
                self.sources.record(place, &mut record);
                self.board(record, heard);
            }
            Some(Record::Stream(mut stream)) => {
                self.sources.stream(place, &mut stream);
                heard.push(Heard::Stream(stream.clone()));
                let told = self.told;
                let Ok(()) = self.games.stream(&stream, |game| keep(heard, game, told));
            }
            Some(Record::Game(record)) if record.event.is_ruling() && !self.told => {
                self.ruling(place, record, heard);
            }
            Some(Record::Game(mut record)) => {
                self.sources.game(place, &mut record);
                self.told = true;
                self.begun |= matches!(record.event, GameEvent::Game(_));
                heard.push(Heard::Game(record));
            }
            _ => {}
        }
        Ok(())
    }

    /// An arbiter ruled while the journal was read.
    fn ruling(&mut self, place: Place<'_>, mut record: GameRecord, heard: &mut Vec<Heard>) {
        let Some(rulings) = &self.rulings else {
            // Nobody knows which of its games is counted there.
            return self.refuse(place, "the journal was read from its end");
        };
        if rulings.contains(place) {
            return;
        }
        self.sources.game(place, &mut record);
        let Ok(refused) = self.games.ruling(&record, |game| keep(heard, game, false));
        if refused.is_some() {
            self.refuse(place, "that game is over, or the board showed nothing that leads there");
        }
    }

    /// Says once that a ruling is not shown.
    fn refuse(&mut self, place: Place<'_>, why: &str) {
        if !std::mem::replace(&mut self.refused, true) {
            stdio::say(format_args!("{place}: this ruling is not shown: {why}; `reconstruct` holds it"));
        }
    }

    /// Takes a record of a board: it, and what is made of it.
    pub fn board(&mut self, record: BoardRecord, heard: &mut Vec<Heard>) {
        heard.push(Heard::Board(record.clone()));
        let told = self.told;
        let Ok(()) = self.games.record(&record, |game| keep(heard, game, told));
    }

    /// The input is over: what was held back is told.
    pub fn finish(&mut self, heard: &mut Vec<Heard>) {
        self.without_game = self.games.without_game();
        let told = self.told;
        let Ok(()) = self.games.finish(|game| keep(heard, game, told));
    }

    /// Lets the hall hear.
    pub fn hear(&mut self, place: impl std::fmt::Display, heard: Heard) -> Result<()> {
        hear(&mut self.hall, heard).or_else(|problem| self.records.report(place, problem))
    }

    /// How long it is until the file of names is to be looked at again, if it is followed.
    pub fn next_look(&mut self) -> Option<Duration> {
        self.names.look().1
    }

    /// What was bad in the input, counted.
    pub fn done_reading(&self) -> Done {
        self.records.done().and(self.names.done())
    }

    /// The same; and whether its beginning is missing, unless it was left out.
    pub fn done(&self) -> Done {
        if self.from == 0 && !self.told {
            say_without_game(&self.without_game);
        }
        let fit = self.dress.fit(&self.hall.boards().map(|(name, _)| name.clone()).collect());
        if self.from == 0 && !fit.idle.is_empty() {
            let missing = boards_of(&fit.idle);
            stdio::say(format_args!("there are names for boards that have no records: {missing}"));
        }
        let names = fit.ambiguity().map(stdio::say).map_or(self.names.done(), |_| Done::BadData);
        if self.from == 0 && self.told && !self.begun {
            stdio::say("records of games, but none that begins one: is the beginning missing?");
        }
        self.records.done().and(names)
    }
}

fn keep(heard: &mut Vec<Heard>, game: GameRecord, told: bool) -> std::result::Result<(), Infallible> {
    if !told {
        heard.push(Heard::Game(game));
    }
    Ok(())
}

/// Lets a hall hear.
///
/// # Errors
/// What is wrong with a record that cannot be.
pub fn hear(hall: &mut Hall, heard: Heard) -> std::result::Result<(), String> {
    match heard {
        Heard::Stream(stream) => hall.stream(&stream),
        Heard::Board(record) => hall.record(&record),
        Heard::Game(record) => return hall.play(record),
    }
    Ok(())
}
