//! The options for the user's own words, logo and links in pages.

use std::path::{Path, PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD};
use clap::Args;

use crate::{
    error::{Error, Result},
    format::html::Look,
    stdio,
};

/// The largest sizes in bytes; these are part of every page.
const WORDS_MAX_BYTES: usize = 1 << 16;
const LOGO_MAX_BYTES: usize = 1 << 19;

/// The user's own parts of pages.
#[derive(Debug, Args)]
pub(super) struct LookArgs {
    /// The words of the pages: en, de, or a file with a line `English = other word` for each
    ///
    /// The German words are such a file: share/boardbus/de.words, where boardbus was installed.
    #[arg(long, value_name = "FILE", default_value = "en")]
    words: PathBuf,

    /// A picture above every page: PNG, JPEG, GIF, WebP or SVG, up to 512 kB
    #[arg(long, value_name = "FILE")]
    logo: Option<PathBuf>,

    /// A link at the head of every page, to an http, https or mailto address or a page beside these; may be given again
    #[arg(long = "link", value_name = "NAME=URL", value_parser = link)]
    links: Vec<(String, String)>,
}

/// A logo as a file of a site.
pub(super) struct Logo {
    /// Its file name in the site.
    pub name: &'static str,
    /// Its media type.
    kind: &'static str,
    pub bytes: Vec<u8>,
}

fn link(text: &str) -> Result<(String, String), String> {
    let (name, address) = text.split_once('=').ok_or("not NAME=URL")?;
    let (name, address) = (name.trim(), address.trim());
    let scheme = address.split(['/', '?', '#']).next().and_then(|begin| begin.split_once(':'));
    let is_known =
        scheme.is_none_or(|(scheme, _)| ["http", "https", "mailto"].contains(&&*scheme.to_ascii_lowercase()));
    if !is_known || address.is_empty() || address.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err("links lead to http:, https: or mailto: addresses, or to pages beside these".into());
    }
    if name.is_empty() {
        Err("a link has a name: NAME=URL".into())
    } else {
        Ok((name.into(), address.into()))
    }
}

impl LookArgs {
    /// The words, logo and links of a page without other files.
    pub fn of_single(&self) -> Result<Look> {
        let inline =
            |Logo { kind, bytes, .. }: Logo| format!("data:{kind};base64,{}", STANDARD.encode(bytes));
        Ok(Look { logo: self.logo()?.map(inline), ..self.words()? })
    }

    /// The words, logo and links of the pages of a site, and the file of the logo.
    pub fn of_site(&self) -> Result<(Look, Option<Logo>)> {
        let logo = self.logo()?;
        Ok((Look { logo: logo.as_ref().map(|logo| logo.name.to_owned()), ..self.words()? }, logo))
    }

    fn words(&self) -> Result<Look> {
        let look = match self.words.to_str() {
            Some("en") => Look::english(),
            Some("de") => Look::german(),
            _ => {
                let name = self.words.display();
                let text = String::from_utf8(read(&self.words, WORDS_MAX_BYTES)?);
                let text =
                    text.map_err(|_| Error::Usage(format!("{name} is no UTF-8: save the words as UTF-8")))?;
                let (look, notes) = Look::of(&text).map_err(|why| Error::Usage(format!("{name}:{why}")))?;
                notes.iter().for_each(|note| stdio::say(format_args!("{name}:{note}")));
                look
            }
        };
        Ok(Look { links: self.links.clone(), ..look })
    }

    fn logo(&self) -> Result<Option<Logo>> {
        let Some(path) = &self.logo else { return Ok(None) };
        let bytes = read(path, LOGO_MAX_BYTES)?;
        let begins = |with: &[u8]| bytes.starts_with(with);
        let (name, kind) = match () {
            () if begins(b"\x89PNG\r\n\x1a\n") => ("logo.png", "image/png"),
            () if begins(b"\xff\xd8\xff") => ("logo.jpg", "image/jpeg"),
            () if begins(b"GIF8") => ("logo.gif", "image/gif"),
            () if begins(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => ("logo.webp", "image/webp"),
            () if memchr::memmem::find(&bytes, b"<svg").is_some() => ("logo.svg", "image/svg+xml"),
            () => {
                let path = path.display();
                return Err(Error::Usage(format!(
                    "{path} is no picture: give a PNG, JPEG, GIF, WebP or SVG"
                )));
            }
        };
        Ok(Some(Logo { name, kind, bytes }))
    }
}

/// Reads a file of up to `largest` bytes.
fn read(path: &Path, largest: usize) -> Result<Vec<u8>> {
    let bytes = stdio::read_packed(path, largest)?;
    if bytes.len() > largest {
        let (path, largest) = (path.display(), largest >> 10);
        return Err(Error::Usage(format!(
            "{path} has more than {largest} kB, which is the most, since every page carries it"
        )));
    }
    Ok(bytes)
}
