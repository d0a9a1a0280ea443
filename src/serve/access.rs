//! Access control of requests: by address, `Host`, `Origin` and token.
//!
//! As with LiveChess, a page of any site may request LiveChess's own paths on this machine's loopback: sites such as
//! lichess.org depend on that. Paths that LiveChess does not have are for pages of this server and of the sites that
//! were named. A request for a host name that is not one of this server's is refused (DNS rebinding).

use std::net::IpAddr;

use super::reports::{Reason, Why};

/// The rules for access.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Origins whose pages may request everything.
    pub origins: Vec<String>,
    /// The names of this server.
    pub hosts: Vec<String>,
    /// The token that programs on other machines have to send.
    pub token: Option<String>,
}

/// The parts of a request that decide about access.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    pub host: Option<&'a str>,
    pub origin: Option<&'a str>,
    pub token: Option<&'a str>,
    /// Both ends are on this machine.
    pub is_loopback: bool,
    /// The path is one of LiveChess's.
    pub is_of_livechess: bool,
}

impl Access {
    /// Why a request is refused, if it is: the HTTP status, and a sentence with what to do.
    pub fn refuses(&self, asked: &Asked<'_>) -> Option<(u16, Why)> {
        let Some(host) = asked.host else {
            return Some((400, (Reason::Host, "a request without a Host".into())));
        };
        if !self.is_ours(host) {
            let name = name_of(host);
            let why = format!("this server is not known as {name}: serve --host {name} would make it so");
            return Some((403, (Reason::Host, why)));
        }
        let shows_token = match (&self.token, asked.token) {
            (Some(token), Some(shown)) => is_same(token, shown),
            _ => false,
        };
        match asked.origin {
            Some(_) if shows_token => None,
            Some(_) if asked.is_of_livechess && asked.is_loopback => None,
            Some(origin) if self.is_welcome(origin, host) => None,
            // A page from a file or in a sandboxed frame has the origin "null", which --origin cannot name.
            Some("null") => {
                let why = "pages without a site, for example from a file, may not use this";
                Some((403, (Reason::Origin, why.into())))
            }
            Some(origin) => {
                let why =
                    format!("pages of {origin} may not ask for this: serve --origin {origin} would let them");
                Some((403, (Reason::Origin, why)))
            }
            None if asked.is_loopback || shows_token => None,
            None => {
                let why =
                    "from another machine a token is needed: serve --token, and ?token= after the address";
                Some((403, (Reason::Token, why.into())))
            }
        }
    }

    /// Whether this is an address, or a name of this server.
    fn is_ours(&self, host: &str) -> bool {
        let name = name_of(host);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let is_address = bare.parse::<IpAddr>().is_ok();
        let is_local = name.eq_ignore_ascii_case("localhost");
        is_address || is_local || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Whether a page is one of this server's own, or of a site that was named.
    fn is_welcome(&self, origin: &str, host: &str) -> bool {
        let same = origin.split_once("://").is_some_and(|(scheme, authority)| {
            let usual = if scheme == "https" { ":443" } else { ":80" };
            let plain = |text: &str| text.strip_suffix(usual).unwrap_or(text).to_ascii_lowercase();
            matches!(scheme, "http" | "https") && plain(authority) == plain(host)
        });
        same || self.origins.iter().any(|named| named.trim_end_matches('/').eq_ignore_ascii_case(origin))
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rfind(']') {
        Some(end) if host.starts_with('[') => {
            let behind = &host[end + 1..];
            let is_port = behind.is_empty() || behind.strip_prefix(':').is_some_and(is_number);
            if is_port { &host[..=end] } else { host }
        }
        _ => match host.split_once(':') {
            Some((name, port)) if is_number(port) => name,
            _ => host,
        },
    }
}

fn is_number(text: &str) -> bool {
    text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a client's token is the right one. The time of the comparison does not show how many characters match.
fn is_same(token: &str, shown: &str) -> bool {
    let differs = token.bytes().zip(shown.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    token.len() == shown.len() && differs == 0 && !token.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Asked<'_> = Asked {
        host: Some("localhost:1982"),
        origin: None,
        token: None,
        is_loopback: true,
        is_of_livechess: true,
    };

    fn status(access: &Access, asked: Asked<'_>) -> u16 {
        access.refuses(&asked).map_or(200, |(status, _)| status)
    }

    #[test]
    fn a_name_that_is_not_ours_is_refused() {
        let access = Access { hosts: vec!["Hall.example".into()], ..Access::default() };
        let of = |host| status(&access, Asked { host, ..OURS });
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:1982",
            "[::1]:1982",
            "[::1]",
            "192.168.1.7",
            "hall.example:8080",
        ] {
            assert_eq!(of(Some(host)), 200, "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:1982",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "127.0.0.1@evil",
            "[::1",
            "[::1]evil:1",
            "localhost:x",
            "localhost:1982:3",
            "",
            "hall.example.",
            " localhost",
        ] {
            assert_eq!(of(Some(host)), 403, "{host}");
        }
        assert_eq!(of(None), 400);
    }

    #[test]
    fn foreign_pages_reach_livechess_paths_on_loopback_only() {
        let access = Access { origins: vec!["https://club.example".into()], ..Access::default() };
        let of = |origin, is_loopback, is_of_livechess| {
            status(&access, Asked { origin: Some(origin), is_loopback, is_of_livechess, ..OURS })
        };
        assert_eq!(of("https://lichess.org", true, true), 200);
        assert_eq!(of("null", true, true), 200);
        assert_eq!(of("https://lichess.org", true, false), 403);
        assert_eq!(of("https://lichess.org", false, true), 403);
        for welcome in ["http://localhost:1982", "https://club.example", "https://localhost:1982"] {
            assert_eq!((of(welcome, true, false), of(welcome, false, true)), (200, 200), "{welcome}");
        }
        for stranger in [
            "http://localhost",
            "http://localhost:80",
            "null",
            "https://club.example.evil",
            "file://localhost:1982",
        ] {
            assert_eq!(of(stranger, true, false), 403, "{stranger}");
        }
        let of_no_site = Asked { origin: Some("null"), is_of_livechess: false, ..OURS };
        let words = access.refuses(&of_no_site).map(|(_, (_, words))| words);
        assert_eq!(words.as_deref(), Some("pages without a site, for example from a file, may not use this"));
        let at_80 = Asked {
            host: Some("localhost"),
            origin: Some("http://localhost:80"),
            is_of_livechess: false,
            ..OURS
        };
        assert_eq!(status(&access, at_80), 200);
    }

    #[test]
    fn a_program_of_another_machine_needs_the_token() {
        let access = Access { token: Some("secret".into()), ..Access::default() };
        let of = |access: &Access, token| status(access, Asked { token, is_loopback: false, ..OURS });
        let shown = [None, Some(""), Some("secre"), Some("secretx"), Some("secret")];
        assert_eq!(shown.map(|token| of(&access, token)), [403, 403, 403, 403, 200]);
        assert_eq!(of(&Access::default(), Some("")), 403);
        assert_eq!(of(&Access { token: Some(String::new()), ..Access::default() }, Some("")), 403);
    }
}
