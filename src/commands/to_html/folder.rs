//! The folder of a site: its owner, the files in it, and writing files into it.

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

/// A folder into which only this process writes.
pub struct Folder {
    dir: PathBuf,
    files: BTreeMap<String, Published>,
    /// Files that are no longer updated.
    written: BTreeMap<String, Written>,
    /// The lock on the folder, held while the process runs.
    _lock: File,
}

#[derive(Deserialize)]
struct OnlyTags {
    tags: Vec<(String, String)>,
    #[serde(default)]
    pairing: bool,
}

impl Folder {
    /// Creates the folder where it is missing, and removes files that a killed run left incomplete.
    pub fn open(dir: PathBuf) -> Result<Folder> {
        let failed = |e| Error::io(dir.display(), e);
        fs::create_dir_all(&dir).map_err(failed)?;
        let lock = File::open(&dir).map_err(failed)?;
        // On a file system without locks, other runs are not excluded.
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

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Writes a file, unless it has this content already.
    pub fn write(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.file(name)?.publish(content)
    }

    /// Writes two files: as it is, and as a script, for pages that were opened from a disk.
    pub fn write_both(&mut self, name: &str, json: &[u8]) -> Result<()> {
        let script = [format!("boardbus(\"{name}\",").as_bytes(), json, b")\n"].concat();
        let done = self.write(&format!("{name}.js"), &script);
        self.write(&format!("{name}.json"), json).and(done)
    }

    /// Appends to a file that is put in place at the end.
    pub fn append(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.file(name)?.append(content)
    }

    /// Puts the appended file in place.
    pub fn finish(&mut self) -> Result<()> {
        self.files.values_mut().try_for_each(Published::finish)
    }

    /// Removes the files of a game that will not be written again from the list.
    pub fn forget(&mut self, id: &str) {
        for name in files_of(id) {
            if let Some(written) = self.files.remove(&name).and_then(|file| file.written()) {
                self.written.insert(name, written);
            }
        }
    }

    /// Whether the files of a game are as they were written, and no other program removed or changed one.
    pub fn is_unchanged(&self, id: &str) -> bool {
        files_of(id).iter().all(|name| {
            let in_hand = self.files.get(name).and_then(Published::written);
            in_hand
                .or_else(|| self.written.get(name).copied())
                .is_some_and(|file| file.stands(&self.dir.join(name)))
        })
    }

    /// The files that are no longer updated and that another program removed or changed.
    pub fn changed_by_others(&self) -> Vec<&str> {
        let changed_by_others = self.written.iter().filter(|(name, file)| !file.stands(&self.dir.join(name)));
        changed_by_others.map(|(name, _)| &name[..]).collect()
    }

    /// Removes the files of a game that was withdrawn.
    pub fn remove(&mut self, id: &str) {
        self.forget(id);
        for name in files_of(id) {
            self.written.remove(&name);
            // A file that does not exist needs no removal.
            let _ = fs::remove_file(self.dir.join(name));
        }
    }

    /// Whether this process wrote the file.
    pub fn is_ours(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Whether a file exists, whoever wrote it.
    pub fn has(&self, name: &str) -> bool {
        self.dir.join(name).exists()
    }

    /// Whether the files of a game of this name are free for one with this GameId: missing, those of the same game, or
    /// of a pairing that was never played.
    pub fn is_free_for(&self, id: &str, game_id: Option<&str>) -> bool {
        let Ok(text) = fs::read(self.dir.join(format!("game-{id}.json"))) else { return true };
        let Ok(OnlyTags { tags, pairing }) = serde_json::from_slice(&text) else { return true };
        pairing || tags.iter().find(|(name, _)| name == "GameId").map(|(_, value)| &value[..]) == game_id
    }

    /// The names of games whose pages are in the folder and that are none of these.
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
