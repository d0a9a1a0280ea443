//! The lines of the Universal Chess Interface: those sent to an engine, and its answers.

use std::{fmt, time::Duration};

use crate::record::{Bound, Score};

/// The extent of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// This many nodes; many engines ignore this.
    Nodes(u64),
    /// This depth.
    Depth(u32),
    /// This time.
    Time(Duration),
}

/// The extent of an evaluation, with the time after which it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The extent asked for.
    pub aim: Aim,
    /// The time after which it is stopped, if it has not reached that.
    pub at_most: Option<Duration>,
}

impl Limit {
    /// A limit without a time.
    pub fn of(aim: Aim) -> Limit {
        Limit { aim, at_most: None }
    }

    /// The same, with a time limit.
    pub fn at_most(self, time: Duration) -> Limit {
        Limit { at_most: Some(time), ..self }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aim::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Aim::Depth(depth) => write!(f, "depth {depth}"),
            Aim::Time(time) => write!(f, "movetime {}", time.as_millis().max(1)),
        }
    }
}

/// A line of an engine.
#[derive(Debug, PartialEq)]
pub(super) enum Said<'a> {
    /// Its name.
    Name(String),
    /// An option that it has.
    Option(Offered),
    /// The end of its identification.
    UciOk,
    /// It has processed its input.
    ReadyOk,
    /// Its evaluation so far.
    Info(Info<'a>),
    /// Its move, which ends the evaluation. Engines without a move write anything here.
    Best(&'a str),
    /// A line without meaning here, or an empty one.
    Other,
}

/// An option of an engine.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Offered {
    /// As the engine writes it: some engines accept no other spelling.
    pub name: String,
    /// The least and the greatest value, where it is a number.
    pub range: Option<(i64, i64)>,
}

/// An engine's evaluation so far, from the view of the side to move.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Info<'a> {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub score: Option<Score>,
    pub bound: Option<Bound>,
    /// The number of this line, from 1.
    pub multipv: Option<u32>,
    pub pv: Vec<&'a str>,
    /// The engine reports the move it works on: a sign of life.
    pub works: bool,
}

/// Reads a line.
pub(super) fn read(line: &str) -> Said<'_> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("id") if words.next() == Some("name") => Said::Name(words.collect::<Vec<_>>().join(" ")),
        Some("option") => option(words).map_or(Said::Other, Said::Option),
        Some("uciok") => Said::UciOk,
        Some("readyok") => Said::ReadyOk,
        Some("bestmove") => Said::Best(words.next().unwrap_or_default()),
        Some("info") => Said::Info(info(&words.collect::<Vec<_>>())),
        _ => Said::Other,
    }
}

fn option<'a>(words: impl Iterator<Item = &'a str>) -> Option<Offered> {
    const PARTS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let (mut name, mut part) = (Vec::new(), "");
    let (mut min, mut max) = (None, None);
    for word in words {
        match part {
            // A name may contain the name of a part, except of the part after it.
            "name" if word != "type" => name.push(word),
            _ if PARTS.contains(&word) => part = word,
            "min" => min = word.parse().ok(),
            "max" => max = word.parse().ok(),
            _ => {}
        }
    }
    let range = min.zip(max).filter(|(min, max)| min <= max);
    (!name.is_empty()).then(|| Offered { name: name.join(" "), range })
}

/// The words may be in any order, and engines add words of their own.
fn info<'a>(words: &[&'a str]) -> Info<'a> {
    let mut info = Info::default();
    let mut at = 0;
    let number = |at: usize| words.get(at).copied().unwrap_or_default();
    while at < words.len() {
        at += 1;
        match words[at - 1] {
            "depth" => info.depth = number(at).parse().ok(),
            "nodes" => info.nodes = number(at).parse().ok(),
            "multipv" => info.multipv = number(at).parse().ok(),
            "currmove" => info.works = true,
            "score" => {
                info.score = match (number(at), number(at + 1).parse()) {
                    ("cp", Ok(cp)) => Some(Score::Cp(cp)),
                    ("mate", Ok(mate)) if mate != 0 => Some(Score::Mate(mate)),
                    _ => None,
                };
            }
            "lowerbound" => info.bound = Some(Bound::Lower),
            "upperbound" => info.bound = Some(Bound::Upper),
            "pv" => info.pv = words[at..].iter().copied().take_while(|word| is_move(word)).collect(),
            "string" => break,
            _ => {}
        }
    }
    info.works |= info.depth.is_some() || info.nodes.is_some();
    info
}

fn is_move(word: &str) -> bool {
    let square = |square: &[u8]| (b'a'..=b'h').contains(&square[0]) && (b'1'..=b'8').contains(&square[1]);
    let bytes = word.as_bytes();
    (4..=5).contains(&bytes.len()) && square(bytes) && square(&bytes[2..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_of_real_engines_are_read() {
        let stockfish = "info depth 12 seldepth 17 multipv 1 score cp -34 upperbound nodes 14321 nps 1431 hashfull 7 tbhits 0 time 10 pv e7e5 g1f3";
        let Said::Info(read_of) = read(stockfish) else { panic!() };
        assert_eq!((read_of.depth, read_of.nodes, read_of.multipv), (Some(12), Some(14321), Some(1)));
        assert_eq!((read_of.score, read_of.bound), (Some(Score::Cp(-34)), Some(Bound::Upper)));
        assert_eq!(read_of.pv, ["e7e5", "g1f3"]);
        // Toga has another order of words, and Ethereal blanks at the end.
        let toga = "info multipv 1 depth 5 seldepth 9 score mate -2 time 0 nodes 99 pv a7a8q h7h8 ";
        let Said::Info(read_of) = read(toga) else { panic!() };
        assert_eq!((read_of.score, &*read_of.pv), (Some(Score::Mate(-2)), &["a7a8q", "h7h8"][..]));
        let Said::Info(read_of) = read("info string depth 7 score cp 9 pv e2e4") else { panic!() };
        assert_eq!(read_of, Info::default());
        let Said::Info(read_of) = read("info depth 1 score mate 0") else { panic!() };
        assert_eq!(read_of.score, None);
        let Said::Info(read_of) = read("info pv e2e4 e7e5 score cp 8 nodes") else { panic!() };
        assert_eq!((read_of.pv.len(), read_of.score, read_of.nodes), (2, Some(Score::Cp(8)), None));
        assert_eq!(read("bestmove a1a1 "), Said::Best("a1a1"));
        assert_eq!(read("bestmove (none)"), Said::Best("(none)"));
        assert_eq!(read("id name Stockfish 15.1"), Said::Name("Stockfish 15.1".into()));
        assert_eq!(read("\u{1b}[31m?"), Said::Other);
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in prop_oneof![any::<String>(), words()]) {
            let read_of = read(&line);
            if let Said::Info(info) = &read_of {
                prop_assert!(info.pv.iter().all(|mv| line.contains(mv)));
            }
        }
    }

    /// Words of the protocol in any order.
    fn words() -> impl Strategy<Value = String> {
        let word = proptest::sample::select(vec![
            "info",
            "bestmove",
            "option",
            "id",
            "name",
            "type",
            "min",
            "max",
            "score",
            "cp",
            "mate",
            "lowerbound",
            "depth",
            "nodes",
            "pv",
            "e2e4",
            "é2e4",
            "string",
            "-1",
            "99999999999999999999",
            "",
        ]);
        proptest::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
    }

    #[test]
    fn options_are_read_with_the_numbers_they_may_be() {
        let of = |name: &str, range| Said::Option(Offered { name: name.into(), range });
        assert_eq!(
            read("option name Number of Threads type spin default 1 min 1 max 16"),
            of("Number of Threads", Some((1, 16)))
        );
        assert_eq!(read("option name OwnBook type check default true"), of("OwnBook", None));
        assert_eq!(read("option name Clear Hash type button"), of("Clear Hash", None));
        assert_eq!(read("option name Style type combo default Solid var Solid var Risky"), of("Style", None));
        assert_eq!(read("option name Odd type spin default 1 min 9 max 2"), of("Odd", None));
        assert_eq!(read("option"), Said::Other);
    }

    #[test]
    fn requests_are_written_as_in_the_protocol() {
        assert_eq!(Aim::Nodes(5000).to_string(), "nodes 5000");
        assert_eq!(Aim::Depth(18).to_string(), "depth 18");
        assert_eq!(Aim::Time(Duration::from_millis(100)).to_string(), "movetime 100");
        assert_eq!(Aim::Time(Duration::ZERO).to_string(), "movetime 1");
    }
}
