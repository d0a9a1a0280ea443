//! The folder of a site: whose it is, what lies in it already, and how a file gets into it.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{
    error::{Error, Result},
    stdio::{Published, Written},
};

/// How the names of a site's files begin.
const OURS: [&str; 9] =
    ["game-", "games.", "index.html", "live.", "logo.", "page.", "past.", "results.", "standings."];

/// A folder that this process alone writes into.
pub struct Folder {
    dir: PathBuf,
    files: BTreeMap<String, Published>,
    /// Files that are not in hand any more.
    written: BTreeMap<String, Written>,
    /// Held as long as we live.
    _lock: File,
}

#[derive(Deserialize)]
struct OnlyTags {
    tags: Vec<(String, String)>,
    #[serde(default)]
    pairing: bool,
}

impl Folder {
    /// Makes the folder where it is missing, and clears away what a killed run left half-written.
    pub fn open(dir: PathBuf) -> Result<Folder> {
        let failed = |e| Error::io(dir.display(), e);
        fs::create_dir_all(&dir).map_err(failed)?;
        let lock = File::open(&dir).map_err(failed)?;
        // Where a file system knows no locks, nobody is kept out.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            let dir = dir.display();
            return Err(Error::Usage(format!(
                "{dir} is kept by another `boardbus to-html`: name another folder"
            )));
        }
        for name in names(&dir).map_err(failed)? {
            let hidden = name.strip_prefix('.').unwrap_or_default();
            if OURS.iter().any(|begin| hidden.starts_with(begin)) && name.ends_with(".tmp") {
                let _ = fs::remove_file(dir.join(name));
            }
        }
        Ok(Folder { dir, files: BTreeMap::new(), written: BTreeMap::new(), _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Makes a file hold this, if it does not.
    pub fn write(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.file(name)?.publish(content)
    }

    /// Makes two files hold this: as it is, and as a script, for pages that were opened from a disk.
    pub fn write_both(&mut self, name: &str, json: &[u8]) -> Result<()> {
        let script = [format!("boardbus(\"{name}\",").as_bytes(), json, b")\n"].concat();
        let done = self.write(&format!("{name}.js"), &script);
        self.write(&format!("{name}.json"), json).and(done)
    }

    /// Adds to a file that is put in its place at the end.
    pub fn append(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.file(name)?.append(content)
    }

    /// Puts in its place what was appended.
    pub fn finish(&mut self) -> Result<()> {
        self.files.values_mut().try_for_each(Published::finish)
    }

    /// Forgets the files of a game that will not be written again.
    pub fn forget(&mut self, id: &str) {
        for name in files_of(id) {
            if let Some(written) = self.files.remove(&name).and_then(|file| file.written()) {
                self.written.insert(name, written);
            }
        }
    }

    /// Whether the files of a game stand as they were written, and no other program removed or changed one.
    pub fn stands(&self, id: &str) -> bool {
        files_of(id).iter().all(|name| {
            let in_hand = self.files.get(name).and_then(Published::written);
            in_hand
                .or_else(|| self.written.get(name).copied())
                .is_some_and(|file| file.stands(&self.dir.join(name)))
        })
    }

    /// The files that are not in hand any more and do not stand as they were written.
    pub fn spoilt(&self) -> Vec<&str> {
        let spoilt = self.written.iter().filter(|(name, file)| !file.stands(&self.dir.join(name)));
        spoilt.map(|(name, _)| &name[..]).collect()
    }

    /// Removes the files of a game that never was.
    pub fn remove(&mut self, id: &str) {
        self.forget(id);
        for name in files_of(id) {
            self.written.remove(&name);
            // What is not there is gone too.
            let _ = fs::remove_file(self.dir.join(name));
        }
    }

    /// Whether we wrote a file, and may again.
    pub fn is_ours(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Whether a file is there, whoever wrote it.
    pub fn has(&self, name: &str) -> bool {
        self.dir.join(name).exists()
    }

    /// Whether the files of a game of this name are free for one with this GameId: not there, those of the same game, or of a
    /// pairing that was never played.
    pub fn is_free_for(&self, id: &str, game_id: Option<&str>) -> bool {
        let Ok(text) = fs::read(self.dir.join(format!("game-{id}.json"))) else { return true };
        let Ok(OnlyTags { tags, pairing }) = serde_json::from_slice(&text) else { return true };
        pairing || tags.iter().find(|(name, _)| name == "GameId").map(|(_, value)| &value[..]) == game_id
    }

    /// The games whose pages lie here and are none of these, by name.
    pub fn others<'a>(&self, ours: impl Iterator<Item = &'a str>) -> Vec<String> {
        let ours: BTreeSet<&str> = ours.collect();
        let mut others: Vec<String> = names(&self.dir).unwrap_or_default();
        others.retain_mut(|name| {
            match name.strip_prefix("game-").and_then(|name| name.strip_suffix(".html")) {
                Some(id) if !ours.contains(id) => {
                    *name = id.to_owned();
                    true
                }
                _ => false,
            }
        });
        others.sort();
        others
    }

    fn file(&mut self, name: &str) -> Result<&mut Published> {
        self.written.remove(name);
        Ok(match self.files.entry(name.to_owned()) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(place) => place.insert(Published::passing(self.dir.join(name))?),
        })
    }
}

fn files_of(id: &str) -> [String; 3] {
    ["json", "js", "html"].map(|ending| format!("game-{id}.{ending}"))
}

fn names(dir: &PathBuf) -> std::io::Result<Vec<String>> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
    Ok(fs::read_dir(dir)?.filter_map(name).collect())
}
