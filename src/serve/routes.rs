//! The routes of requests, by their paths.

use super::hall::{Board, Hall};

/// The path of LiveChess's interface.
const API: &str = "/api/v1.0";

/// The boards that a client sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// All of them.
    All,
    /// The board with this serial number.
    Board(String),
    /// The board with this place in the order of first records, from 0.
    Nth(usize),
}

/// The target of a path.
#[derive(Debug, PartialEq, Eq)]
pub enum Route {
    /// LiveChess's interface, over WebSocket; a page that explains it, over HTTP.
    Api(View),
    /// A part of it over HTTP, with the rest of the path.
    Rest(View, String),
    /// The feed of records.
    Records,
    /// The page of the hall.
    Page,
    /// The page that LiveChess has at `/doc/`.
    Doc,
    /// There is nothing at this path.
    None,
}

impl Route {
    /// The route of a path, on the port of all boards or on the port of the `nth` board.
    pub fn of(path: &str, nth: Option<usize>) -> Route {
        let view = nth.map_or(View::All, View::Nth);
        match path {
            "/" => return Route::Page,
            "/records" => return Route::Records,
            _ if path.starts_with("/doc/") || path == "/doc" => return Route::Doc,
            _ => {}
        }
        let of_board = path.strip_prefix("/board/").and_then(|rest| rest.split_once('/'));
        let (view, path) = match of_board {
            Some((serial, _)) => (View::Board(decoded(serial)), &path["/board/".len() + serial.len()..]),
            None => (view, path),
        };
        match path.strip_prefix(API) {
            Some("" | "/") => Route::Api(view),
            Some(rest) if rest.starts_with('/') => Route::Rest(view, rest[1..].to_owned()),
            _ => Route::None,
        }
    }

    /// Whether LiveChess has it too, so that any page may request it.
    pub fn is_of_livechess(&self) -> bool {
        matches!(self, Route::Api(_) | Route::Rest(..) | Route::Doc)
    }
}

impl View {
    /// Whether the client sees this board.
    pub fn has(&self, hall: &Hall, at: usize) -> bool {
        match self {
            View::All => true,
            View::Board(serial) => hall.find(serial) == Some(at),
            View::Nth(nth) => *nth == at,
        }
    }

    /// The boards, those that answer first.
    pub fn boards<'a>(&'a self, hall: &'a Hall) -> impl Iterator<Item = (usize, &'a Board)> {
        hall.in_order().filter(|(at, _)| self.has(hall, *at))
    }
}

/// Text with its percent-encoded characters decoded.
pub fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The value of a field of a query.
pub fn asked(query: &str, name: &str) -> Option<String> {
    all_asked(query, name).next()
}

/// The values of a field of a query that may be given again.
pub fn all_asked(query: &str, name: &str) -> impl Iterator<Item = String> {
    let fields = query.split('&').filter_map(|field| field.split_once('='));
    fields.filter(move |(field, _)| *field == name).map(|(_, value)| decoded(&value.replace('+', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_asks_for_boards_and_what_of_them() {
        let of = |path| Route::of(path, None);
        assert_eq!(of("/api/v1.0"), Route::Api(View::All));
        assert_eq!(Route::of("/api/v1.0", Some(2)), Route::Api(View::Nth(2)));
        assert_eq!(Route::of("/board/1027/api/v1.0", Some(2)), Route::Api(View::Board("1027".into())));
        assert_eq!(of("/board/hall%201-7/api/v1.0"), Route::Api(View::Board("hall 1-7".into())));
        assert_eq!(of("/api/v1.0/eboards"), Route::Rest(View::All, "eboards".into()));
        assert_eq!(of("/api/v1.0/round/a-b/0"), Route::Rest(View::All, "round/a-b/0".into()));
        assert_eq!(
            [of("/"), of("/records"), of("/doc/index.html")],
            [Route::Page, Route::Records, Route::Doc]
        );
        for path in ["/api/v1.00", "/api", "/board/1027", "/records/x", "", "*", "/board//x", "/%"] {
            assert_eq!(of(path), Route::None, "{path}");
        }
        assert_eq!(decoded("%41%zz%"), "A%zz%");
        assert_eq!(asked("run=a%2Bb&seq=7&run=c", "run"), Some("a+b".into()));
        assert_eq!(asked("", "run"), None);
    }
}
