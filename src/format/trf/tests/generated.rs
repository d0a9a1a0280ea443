//! Three hundred random reports, half of them with one damaged line: no name may be on another's board.

use super::{super::seats, line};
use crate::format::{tests::chance::Chance, text};

const SURNAMES: [&str; 8] =
    ["Müller", "Núñez", "Smith", "Åström", "O'Hara", "Łuczak", "Čížek", "van den Berg"];

/// A report of a single event before its last round, and the names on its tables.
struct Made {
    lines: Vec<String>,
    tables: Vec<(String, String)>,
    round: usize,
}

fn name(chance: &mut Chance, rank: usize) -> String {
    // Each name is unique.
    format!("{}, {}{rank}", SURNAMES[chance.below(SURNAMES.len())], ["Ana", "Jörg", "Żofia"][chance.below(3)])
}

/// The line of a program without federations, FIDE numbers and birthdays.
fn bare(line: &str) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    letters[52..79].fill(' ');
    letters.into_iter().collect()
}

fn made(chance: &mut Chance) -> Made {
    let most = if chance.below(10) == 0 { 300 } else { 40 };
    let players = 1 + chance.below(most);
    let before = chance.below(4);
    let names: Vec<String> = (1..=players).map(|rank| name(chance, rank)).collect();
    let mut points = vec![0_usize; players];
    let mut rounds = vec![String::new(); players];
    let mut tables = Vec::new();
    for round in 0..=before {
        let mut order: Vec<usize> = (0..players).collect();
        chance.shuffle(&mut order);
        let away = players % 2 + 2 * chance.below(2).min(players / 2);
        let byes = order.split_off(players - away);
        for rank in byes {
            // A bye of the next round is in the file already, and counted.
            let (sign, worth) = [('U', 10), ('H', 5), ('Z', 0), ('F', 10)][chance.below(4)];
            rounds[rank] += &format!("  0000 - {sign}");
            points[rank] += worth;
        }
        let mut pairs = Vec::new();
        for pair in order.chunks(2) {
            let [white, black] = [pair[0], pair[1]];
            let (of_white, of_black, worth) =
                [('1', '0', [10, 0]), ('0', '1', [0, 10]), ('=', '=', [5, 5]), ('+', '-', [10, 0])]
                    [chance.below(4)];
            let (of_white, of_black, worth) =
                if round == before { (' ', ' ', [0, 0]) } else { (of_white, of_black, worth) };
            let (w, b) = if chance.below(4) == 0 { ('W', 'B') } else { ('w', 'b') };
            rounds[white] += &format!("  {:>4} {w} {of_white}", black + 1);
            rounds[black] += &format!("  {:>4} {b} {of_black}", white + 1);
            pairs.push((white, black));
            (points[white], points[black]) = (points[white] + worth[0], points[black] + worth[1]);
        }
        if round == before {
            // FIDE C.04.2: points of the higher ranked player, points of both, rank of the higher ranked player.
            pairs.sort_by_key(|&(white, black)| {
                let (a, b) = (points[white], points[black]);
                let higher = if a == b {
                    white.min(black)
                } else if a > b {
                    white
                } else {
                    black
                };
                (usize::MAX - a.max(b), usize::MAX - a - b, higher)
            });
            tables = pairs
                .into_iter()
                .map(|(white, black)| (names[white].clone(), names[black].clone()))
                .collect();
        }
    }
    let mut lines: Vec<String> = (0..players)
        .map(|at| {
            let points = format!("{}.{}", points[at] / 10, points[at] % 10);
            let title = ["", "GM", "f"][chance.below(3)];
            let line = line(at as u32 + 1, title, &names[at], 2600 - at as u32, &points, &rounds[at]);
            let line = if chance.below(2) == 0 { bare(&line) } else { line };
            line.trim_end().to_owned()
        })
        .collect();
    if chance.below(2) == 0 {
        chance.shuffle(&mut lines);
    }
    lines.insert(0, "012 An Open".into());
    lines.push("### by chance".into());
    Made { lines, tables, round: before + 1 }
}

/// Damages one player's line.
fn damage(chance: &mut Chance, lines: &mut [String]) {
    let at = 1 + chance.below(lines.len() - 2);
    let letters: Vec<char> = lines[at].chars().collect();
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let blank = |chance: &mut Chance| {
        let blanks: Vec<usize> = (4..letters.len()).filter(|&at| letters[at] == ' ').collect();
        blanks[chance.below(blanks.len())]
    };
    lines[at] = match chance.below(7) {
        0 => {
            let at = blank(chance);
            text(&[&letters[..at], &[' '][..], &letters[at..]].concat())
        }
        1 => {
            let at = blank(chance);
            text(&[&letters[..at], &letters[at + 1..]].concat())
        }
        // Padded by bytes, or by more than that.
        2 => lines[at].replacen("      ", &" ".repeat(2 + chance.below(9)), 1),
        3 => text(&letters[..4 + chance.below(letters.len() - 4)]),
        4 => {
            let at = blank(chance);
            text(&[&letters[..at], &['\t'][..], &letters[at + 1..]].concat())
        }
        5 => {
            let mut letters = letters.clone();
            let digits: Vec<usize> = (91..letters.len()).filter(|&at| letters[at].is_ascii_digit()).collect();
            if let Some(&at) = digits.get(chance.below(digits.len().max(1))) {
                letters[at] = char::from(b'0' + chance.below(10) as u8);
            }
            text(&letters)
        }
        _ => {
            let other = 1 + chance.below(lines.len() - 2);
            lines[at].replacen(&lines[at][..8], &lines[other][..8], 1)
        }
    };
}

#[test]
fn names_are_on_their_boards_in_reports() {
    let mut chance = Chance(20_261_128);
    let boards: Vec<u16> = (1..=300).collect();
    let (mut read, mut refused) = (0, 0);
    for n in 0..300 {
        let mut made = made(&mut chance);
        let is_damaged = n % 2 == 1;
        if is_damaged {
            damage(&mut chance, &mut made.lines);
        }
        let end = ["\n", "\r\n", "\r"][chance.below(3)];
        let text = made.lines.iter().map(|line| line.to_owned() + end).collect::<String>();
        let latin = text::encoding("windows-1250").unwrap();
        let (in_latin, _, is_lossy) = latin.encode(&text);
        let (bytes, asked) = match chance.below(3) {
            0 => (text.encode_utf16().flat_map(u16::to_le_bytes).collect(), None),
            1 if !is_lossy => (in_latin.into_owned(), Some(latin)),
            _ => (text.clone().into_bytes(), None),
        };
        let text = text::decode(&bytes, asked).text;
        let found = match seats(&text, made.round, &boards, None) {
            Ok(found) => found.seats,
            Err(problem) => {
                assert!(is_damaged || made.tables.is_empty(), "report {n}: {problem}\n{text}");
                refused += 1;
                continue;
            }
        };
        read += 1;
        let named =
            |at: usize, colour: &str| found.get(at).and_then(|seat| seat.tag(colour)).unwrap_or_default();
        let names: Vec<_> = (0..found.len()).map(|at| (named(at, "White"), named(at, "Black"))).collect();
        let expected: Vec<_> = made.tables.iter().map(|(white, black)| (&**white, &**black)).collect();
        // Names may differ in blanks.
        let plain = |names: &[(&str, &str)]| format!("{names:?}").split_whitespace().collect::<String>();
        assert_eq!(plain(&names), plain(&expected), "report {n}\n{text}");
    }
    assert!(read > 150 && refused > 50, "{read} read, {refused} refused");
}
