//! The file of results that is kept up to date, and beside it the players with whom each game began.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    error::{Error, Result},
    format::results::{Began, Line},
    stdio::Published,
};

/// The files, if there are any; the players are also kept in memory.
pub(super) struct Files {
    results: Option<Published>,
    began: Began,
    /// The file of the players, its path, and its current content.
    kept: Option<(Published, PathBuf, String)>,
}

impl Files {
    /// Reads what an earlier run kept.
    pub fn new(output: Option<&Path>) -> Result<Files> {
        let Some(output) = output else {
            return Ok(Files { results: None, began: Began::default(), kept: None });
        };
        let results = Published::new(output.to_owned())?;
        let mut name = output.as_os_str().to_owned();
        name.push(".began");
        let path = PathBuf::from(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(Error::io(path.display(), e)),
        };
        let began = Began::parse(&text).map_err(|problem| {
            Error::Data(format!(
                "{}:{problem}: with which players games began cannot be read: remove it",
                path.display()
            ))
        })?;
        Ok(Files { results: Some(results), began, kept: Some((Published::new(path.clone())?, path, text)) })
    }

    /// Whether there is a file to keep up to date.
    pub fn any(&self) -> bool {
        self.results.is_some()
    }

    /// Adds the players of games that have begun; returns the games that have other players now.
    pub fn began(&mut self, lines: &[Line]) -> Result<Vec<String>, String> {
        let others = self.began.look(lines);
        if let Some((file, _, stands)) = &mut self.kept {
            let text = self.began.text();
            if text != *stands {
                file.publish(text.as_bytes()).map_err(|e| e.to_string())?;
                *stands = text;
            }
        }
        Ok(others)
    }

    /// What to do where games have other players.
    pub fn advice(&self) -> String {
        let advice = match &self.kept {
            Some((_, path, _)) => format!("where these are right, remove {} and start again", path.display()),
            None => "where these are right, run this again".to_owned(),
        };
        format!("nothing is written, for the pairing program would take the pairings too; {advice}")
    }

    /// Writes the results.
    pub fn publish(&mut self, text: &[u8]) -> Result<()> {
        self.results.as_mut().map_or(Ok(()), |file| file.publish(text))
    }
}
