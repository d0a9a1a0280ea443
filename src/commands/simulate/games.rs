//! The games of PGN files, to be played.

use std::{fs::File, ops::ControlFlow, path::Path, sync::Arc};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

use crate::{
    error::{Error, Result},
    record::Outcome,
    sim::game::{Builder, Game},
    stdio::Bad,
};

/// Reads the games of a PGN file that have moves.
pub fn read(path: &Path, games: &mut Vec<Arc<Game>>, bad: &mut Bad) -> Result<()> {
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
