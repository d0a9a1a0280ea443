//! The options about the server, the event and the credentials, which `publish` and `subscribe` share.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use super::arguments::span;
use crate::record::is_plain_name;

/// A server and an event.
#[derive(Debug, Args)]
pub(super) struct ServerArgs {
    /// The server, nats://host:4222 or tls://host:4222; several of a cluster with commas
    #[arg(
        long,
        env = "BOARDBUS_SERVER",
        hide_env_values = true,
        value_name = "URL",
        value_delimiter = ',',
        required = true
    )]
    pub server: Vec<String>,

    /// The event: letters, digits, - and _
    #[arg(long, env = "BOARDBUS_EVENT", value_name = "NAME", value_parser = name)]
    pub event: String,

    /// The user's name; the password comes from --password-file or from the variable BOARDBUS_PASSWORD
    #[arg(long, env = "BOARDBUS_USER", value_name = "NAME")]
    pub user: Option<String>,

    /// A file whose first line is the password
    #[arg(long, value_name = "FILE", requires = "user")]
    pub password_file: Option<PathBuf>,

    /// A file whose first line is a token, instead of user and password; or the variable BOARDBUS_TOKEN
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    pub token_file: Option<PathBuf>,

    /// Trust this authority's certificates too (PEM)
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,

    /// Our own certificate (PEM), for a server that asks for one
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,

    /// The key of that certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,

    /// How many servers of a cluster keep each record; set when the event is created on the server
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    pub replicas: u8,

    /// How much the event may hold before the server refuses more; set when the event is created: 500M, 20G [default:
    /// as much as the server allows]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub limit: Option<u64>,

    /// How long to wait for a server that does not answer [default: for ever]: 90s, 1.5m, 1h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub give_up: Option<Duration>,
}

/// Refuses an address with a password, since others can read the command line. It is not a parser of the argument,
/// whose error message would show the password.
#[cfg(any(feature = "nats", test))]
fn address(text: &str) -> Result<(), &'static str> {
    let host = text.split_once("://").map_or(text, |(_, host)| host);
    if host.contains('@') {
        return Err(
            "--server with a password in it, which everybody sees there: give it with --user and --password-file, or in \
             BOARDBUS_PASSWORD",
        );
    }
    if host.is_empty() { Err("--server is not a server such as nats://office:4222") } else { Ok(()) }
}

/// A name that can be part of a subject.
pub(super) fn name(text: &str) -> Result<String, String> {
    if is_plain_name(text) {
        Ok(text.to_owned())
    } else {
        Err("a name has letters, digits, - and _ only, up to 100".into())
    }
}

/// A number of bytes: `500M`, `20G`, or without a unit.
fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let unit: Option<u64> = match unit {
        "" => Some(1),
        "K" => Some(1 << 10),
        "M" => Some(1 << 20),
        "G" => Some(1 << 30),
        "T" => Some(1 << 40),
        _ => None,
    };
    let size = number.parse::<u64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
    size.filter(|&size| size > 0 && size <= i64::MAX as u64)
        .ok_or_else(|| "not a size such as 500M or 20G".into())
}

/// The error of the commands in a build without a network.
#[cfg(not(feature = "nats"))]
pub(super) fn not_built() -> crate::error::Error {
    crate::error::Error::Usage(
        "this boardbus was built without a network: build it with cargo build --release --locked --features nats".into(),
    )
}

#[cfg(feature = "nats")]
mod opened {
    use std::path::Path;

    use super::ServerArgs;
    use crate::{
        error::{Error, Result},
        format::text::{self, Text},
        net::{Event, Server},
        stdio,
    };

    impl ServerArgs {
        /// The server, with the passwords read from their files or variables.
        pub fn server(&self) -> Result<Server> {
            for text in &self.server {
                super::address(text).map_err(|why| Error::Usage(why.into()))?;
            }
            let token = secret(self.token_file.as_deref(), "BOARDBUS_TOKEN")?;
            let user = match &self.user {
                None => None,
                Some(user) => {
                    let Some(password) = secret(self.password_file.as_deref(), "BOARDBUS_PASSWORD")? else {
                        return Err(Error::Usage(
                            "a user without a password: --password-file, or BOARDBUS_PASSWORD".into(),
                        ));
                    };
                    Some((user.clone(), password))
                }
            };
            for file in self.ca.iter().chain(&self.cert) {
                holds(file, "CERTIFICATE")?;
            }
            self.key.iter().try_for_each(|file| holds(file, "PRIVATE KEY"))?;
            Ok(Server {
                addresses: self.server.clone(),
                token: token.filter(|_| user.is_none()),
                user,
                authorities: self.ca.clone(),
                certificate: self.cert.clone().zip(self.key.clone()),
                give_up: self.give_up,
                say: |message| stdio::say(message),
            })
        }

        /// The event, and which of its records.
        pub fn event(&self, games: bool) -> Event {
            Event { name: self.event.clone(), games, replicas: self.replicas.into(), limit: self.limit }
        }
    }

    /// Refuses a file that does not exist or has no such item.
    fn holds(file: &Path, what: &str) -> Result<()> {
        let whole = stdio::read_whole(file)?;
        let begins = text::decode(&whole, None).text.lines().any(|line| {
            line.strip_prefix("-----BEGIN ")
                .and_then(|line| line.trim_end().strip_suffix("-----"))
                .is_some_and(|of| of.ends_with(what))
        });
        if begins {
            Ok(())
        } else {
            Err(Error::Data(format!("{}: no {} in PEM form in it", file.display(), what.to_lowercase())))
        }
    }

    /// The first line of a file, or an environment variable.
    fn secret(file: Option<&Path>, variable: &str) -> Result<Option<String>> {
        let Some(file) = file else {
            return Ok(std::env::var(variable).ok().filter(|secret| !secret.is_empty()));
        };
        let whole = stdio::read_whole(file)?;
        let Text { text, guess } = text::decode(&whole, None);
        let secret = text.lines().next().unwrap_or_default().trim_ascii();
        match guess {
            None if !secret.is_empty() => Ok(Some(secret.to_owned())),
            _ => Err(Error::Data(format!("{}: no secret in its first line", file.display()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_no_place_in_an_address() {
        assert_eq!(address("nats://office:4222"), Ok(()));
        assert!(address("nats://me:word@office").unwrap_err().contains("--password-file"));
        assert!(address("nats://").unwrap_err().contains("nats://office:4222"));
    }

    #[test]
    fn a_size_has_a_unit_or_is_bytes() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("4096"), Ok(4096));
        assert!(["", "G", "1X", "-1", "0", "99999999999T"].iter().all(|text| size(text).is_err()));
    }

    #[test]
    fn names_of_events_and_lines_form_a_subject() {
        assert!(name("open-2026_B").is_ok());
        assert!(["", "a.b", "a b", "*", ">", "ö"].iter().all(|text| name(text).is_err()));
    }
}
