//! Passes records, and the games reconstructed from them, to the hall.

use std::{convert::Infallible, path::PathBuf, time::Duration};

use super::recent;
use crate::{
    commands::{
        input::{Input, Layer, Records, report_without_game},
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

/// The hall, and its input.
pub struct Feed {
    records: Records,
    sources: Sources,
    files: Vec<PathBuf>,
    games: Reconstructor,
    /// At the end of the input, the boards that were played on without a game.
    without_game: Vec<BoardName>,
    /// The input has games of its own.
    has_games: bool,
    /// A game began in the input.
    begun: bool,
    /// The rulings in the files, which are read first.
    rulings: Option<Rulings>,
    /// A ruling that is not shown was reported.
    refused: bool,
    /// Watches the file of names.
    names: Keeper,
    dress: Dress,
    /// The time zone in which times are shown.
    pub zone: Zone,
    /// The current state of the hall.
    pub hall: Hall,
    /// Where the reading continues in the only file, when the present was found from its end.
    from: u64,
}

/// An item of the input.
#[derive(Debug, Clone)]
pub enum Item {
    /// A source begins.
    Stream(Stream),
    /// A record of a board.
    Board(BoardRecord),
    /// A record of a game.
    Game(GameRecord),
}

impl Feed {
    /// For these files; games are reconstructed by these options.
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
            has_games: false,
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

    /// Reads no files: records are added by the caller.
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

    /// Reads the rulings in the files, so that games are shown by them from the beginning.
    pub fn begin(&mut self) -> Result<()> {
        let Feed { files, sources, games, .. } = self;
        self.rulings = Some(Rulings::of_files(files, None, true, Bad::default(), |place, mut ruling| {
            sources.game(place, &mut ruling);
            // No game has begun that this ruling could change.
            let Ok(_) = games.ruling(&ruling, |_| Ok::<(), Infallible>(()));
            Ok(())
        })?);
        Ok(())
    }

    /// The input to read.
    pub fn inputs<'a>(&self, files: &'a [PathBuf], follow: bool) -> Inputs<'a> {
        Inputs::of(files).following(follow).from(self.from)
    }

    /// Takes the files out, so that the feed can be changed while they are read.
    pub fn take_files(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.files)
    }

    /// A hall before the first record.
    pub fn new_hall(&self) -> Hall {
        Hall::new(self.dress.clone()).told_in(self.zone.clone())
    }

    /// Reads the file of names; returns who plays, where that has changed.
    pub fn look_at_names(&mut self) -> Option<Dress> {
        let dress = self.names.look().0;
        self.take_names(dress)
    }

    /// Reads the file of names once more, at the end.
    pub fn look_at_names_last(&mut self) {
        let dress = self.names.last_look();
        self.take_names(dress);
    }

    fn take_names(&mut self, dress: Option<Dress>) -> Option<Dress> {
        if let Some(dress) = &dress {
            self.hall.dress_again(dress.clone());
            self.dress = dress.clone();
        }
        dress
    }

    /// Adds a line of the input to the hall.
    pub fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        let mut items = Vec::new();
        self.items(place, line, &mut items)?;
        items.into_iter().try_for_each(|item| self.add(place, item))
    }

    /// Reads a line of the input without adding it to the hall; appends its items to `items`.
    pub fn items(&mut self, place: Place<'_>, line: &[u8], items: &mut Vec<Item>) -> Result<()> {
        match self.records.record(place, line)? {
            Some(Record::Board(mut record)) => {
                if let Some(stream) = self.sources.back_to(place) {
                    self.games.back_to(stream);
                }
                self.sources.record(place, &mut record);
                self.board(record, items);
            }
            Some(Record::Stream(mut stream)) => {
                self.sources.stream(place, &mut stream);
                items.push(Item::Stream(stream.clone()));
                let has_games = self.has_games;
                let Ok(()) = self.games.stream(&stream, |game| keep(items, game, has_games));
            }
            Some(Record::Game(record)) if record.event.is_ruling() && !self.has_games => {
                self.ruling(place, record, items);
            }
            Some(Record::Game(mut record)) => {
                self.sources.game(place, &mut record);
                self.has_games = true;
                self.begun |= matches!(record.event, GameEvent::Game(_));
                items.push(Item::Game(record));
            }
            _ => {}
        }
        Ok(())
    }

    /// An arbiter's ruling that came while the journal was read.
    fn ruling(&mut self, place: Place<'_>, mut record: GameRecord, items: &mut Vec<Item>) {
        let Some(rulings) = &self.rulings else {
            // The number of the game is not certain here.
            return self.refuse(place, "the journal was read from its end");
        };
        if rulings.contains(place) {
            return;
        }
        self.sources.game(place, &mut record);
        let Ok(refused) = self.games.ruling(&record, |game| keep(items, game, false));
        if refused.is_some() {
            self.refuse(place, "that game is over, or the board showed nothing that leads there");
        }
    }

    /// Reports once that a ruling is not shown.
    fn refuse(&mut self, place: Place<'_>, why: &str) {
        if !std::mem::replace(&mut self.refused, true) {
            stdio::say(format_args!("{place}: this ruling is not shown: {why}; `reconstruct` holds it"));
        }
    }

    /// Adds a record of a board, and the games reconstructed from it.
    pub fn board(&mut self, record: BoardRecord, items: &mut Vec<Item>) {
        items.push(Item::Board(record.clone()));
        let has_games = self.has_games;
        let Ok(()) = self.games.record(&record, |game| keep(items, game, has_games));
    }

    /// Ends the input: appends the records of games that were delayed until now.
    pub fn finish(&mut self, items: &mut Vec<Item>) {
        self.without_game = self.games.without_game();
        let has_games = self.has_games;
        let Ok(()) = self.games.finish(|game| keep(items, game, has_games));
    }

    /// Adds an item to the hall.
    pub fn add(&mut self, place: impl std::fmt::Display, item: Item) -> Result<()> {
        add_to(&mut self.hall, item).or_else(|problem| self.records.report(place, problem))
    }

    /// The time until the file of names has to be read again, if it is followed.
    pub fn next_look(&mut self) -> Option<Duration> {
        self.names.look().1
    }

    /// The result, with the bad input counted.
    pub fn done_reading(&self) -> Done {
        self.records.done().and(self.names.done())
    }

    /// The same, with a report where the beginning is missing, unless it was skipped on purpose.
    pub fn done(&self) -> Done {
        if self.from == 0 && !self.has_games {
            report_without_game(&self.without_game);
        }
        let fit = self.dress.fit(&self.hall.boards().map(|(name, _)| name.clone()).collect());
        if self.from == 0 && !fit.idle.is_empty() {
            let missing = boards_of(&fit.idle);
            stdio::say(format_args!("there are names for boards that have no records: {missing}"));
        }
        let names = fit.ambiguity().map(stdio::say).map_or(self.names.done(), |_| Done::BadData);
        if self.from == 0 && self.has_games && !self.begun {
            stdio::say("records of games, but none that begins one: is the beginning missing?");
        }
        self.records.done().and(names)
    }
}

fn keep(items: &mut Vec<Item>, game: GameRecord, has_games: bool) -> std::result::Result<(), Infallible> {
    if !has_games {
        items.push(Item::Game(game));
    }
    Ok(())
}

/// Adds an item to a hall.
///
/// # Errors
/// The problem with a record that does not fit.
pub fn add_to(hall: &mut Hall, item: Item) -> std::result::Result<(), String> {
    match item {
        Item::Stream(stream) => hall.stream(&stream),
        Item::Board(record) => hall.record(&record),
        Item::Game(record) => return hall.play(record),
    }
    Ok(())
}
