//! Files of games and rulings in the encodings that people save in. The bytes are those that Python's encoders give.

use std::fs;

use super::program::{of, output_of, records, run};

/// `Čížková, Věra`, `Štěpánek, Jiří` in Windows-1250.
const CZECH: &[u8] = b"[White \"\xc8\xed\x9ekov\xe1, V\xecra\"]\n[Black \"\x8at\xecp\xe1nek, Ji\xf8\xed\"]\n\n1. e4 {Dobr\xfd tah} *\n";
const CZECH_READ: [&str; 3] = ["[White \"Čížková, Věra\"]", "[Black \"Štěpánek, Jiří\"]", "{Dobrý tah}"];
/// `Müller, Jörg`, `Lefèvre, François` in Windows-1252.
const WESTERN: &[u8] = b"[White \"M\xfcller, J\xf6rg\"]\n[Black \"Lef\xe8vre, Fran\xe7ois\"]\n\n1. d4 *\n";
const WESTERN_READ: [&str; 2] = ["[White \"Müller, Jörg\"]", "[Black \"Lefèvre, François\"]"];
/// `Иванов, Иван`, `Хороший ход` in Windows-1251.
const RUSSIAN: &[u8] = b"[White \"\xc8\xe2\xe0\xed\xee\xe2, \xc8\xe2\xe0\xed\"]\n\n1. c3-d4 {\xd5\xee\xf0\xee\xf8\xe8\xe9 \xf5\xee\xe4} *\n";

/// What is written of a file, and what was said of it.
fn written(bytes: &[u8], options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, bytes).unwrap();
    let (game, said, code) = run(&[&["from-pgn", path.to_str().unwrap()], options].concat(), "");
    assert_eq!(code, 0, "{said}");
    (output_of(&["to-pgn"], game), said)
}

fn holds(text: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| text.contains(part)), "{parts:?}: {text}");
}

#[test]
fn encodings_are_guessed_over_whole_files_and_reported_once() {
    // A first name that has the same letters in each does not decide.
    let first = b"[White \"Jos\xe9\"]\n\n1. a3 *\n\n".repeat(4000);
    for (bytes, parts, guess) in [
        (CZECH.to_vec(), &CZECH_READ[..], "windows-1250, as in [Č]"),
        ([&first[..], CZECH].concat(), &CZECH_READ, "windows-1250"),
        (WESTERN.to_vec(), &WESTERN_READ, "windows-1252, as in M[ü]ller, J[ö]rg, Lef[è]vre, Fran[ç]ois;"),
    ] {
        let (text, said) = written(&bytes, &[]);
        holds(&text, parts);
        assert!(said.contains("games.pgn: it is no UTF-8: read as ") && said.contains(guess), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let (game, said, _) = run(&["from-pgn"], CZECH);
    holds(&output_of(&["to-pgn"], game), &CZECH_READ);
    assert!(said.contains("standard input: it is no UTF-8"), "{said}");
}

#[test]
fn utf_8_stays_beside_other_encodings() {
    let utf_8 = "[White \"Čížková, Věra\"]\n[Black \"Štěpánek, Jiří\"]\n\n1. e4 {Dobrý tah} *\n\n".as_bytes();
    assert_eq!(written(utf_8, &[]).1, "");
    // However the letters fall onto the ends of what is read at a time.
    for pad in 0..=2 {
        assert_eq!(written(&[&b"\n\n"[..pad], &utf_8.repeat(3000)].concat(), &[]).1, "");
    }
    let (text, _) = written(&[utf_8, WESTERN].concat(), &[]);
    holds(&text, &CZECH_READ);
    holds(&text, &WESTERN_READ);
    let (text, said) = written(CZECH, &["--encoding", "latin1"]);
    // What is Č in the one is È in the other.
    holds(&text, &["[White \"Èí"]);
    assert_eq!(said, "");
    // A letter whose two bytes are UTF-8 for another: Р° in Windows-1251.
    holds(
        &written(b"[White \"\xd0\xb0\"]\n\n1. e4 *\n", &["--encoding", "windows-1251"]).0,
        &["[White \"Р°\"]"],
    );
    let (_, said, code) = run(&["from-pgn", "--encoding", "klingon"], "");
    assert!(code == 2 && said.contains("not an encoding such as windows-1250 or latin1"), "{said}");
}

#[test]
fn utf_16_is_read_with_any_line_ends() {
    let text = "[White \"Čížková, Věra\"]\n[Black \"Štěpánek, Jiří\"]\n\n1. e4 {Dobrý tah} *\n";
    for ends in ["\n", "\r\n", "\r"] {
        let text = format!("\u{feff}{}", text.replace('\n', ends));
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
            let (read, said) = written(&bytes, &[]);
            holds(&read, &CZECH_READ);
            assert_eq!(said, "");
        }
    }
    let bytes: Vec<u8> =
        "\u{feff}[White \"Иванов\"]\n\n1. c3-d4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    holds(&output_of(&["to-pdn"], run(&["from-pdn"], bytes).0), &["[White \"Иванов\"]"]);
}

#[test]
fn encodings_of_draughts_are_guessed_or_given() {
    let (game, said, code) = run(&["from-pdn"], RUSSIAN);
    assert_eq!(code, 0);
    assert!(said.contains("standard input: it is no UTF-8: read as windows-1251"), "{said}");
    holds(&output_of(&["to-pdn"], game), &["[White \"Иванов, Иван\"]", "{Хороший ход}"]);
    let (game, said, _) = run(&["from-pdn", "--encoding", "windows-1250"], CZECH);
    assert_eq!(of(&records(game), "game")[0]["tags"]["White"], "Čížková, Věra", "{said}");
}

#[test]
fn rulings_are_read_in_any_encoding_and_line_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rulings.jsonl");
    let journal = r#"{"type":"position","time":"2026-11-21T10:00:00.000Z","board":7,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}
{"type":"change","time":"2026-11-21T10:00:10.000Z","board":7,"square":"e2","piece":null}
{"type":"change","time":"2026-11-21T10:00:10.000Z","board":7,"square":"e4","piece":"P"}
{"type":"quiet","time":"2026-11-21T10:00:14.000Z","board":7}
"#;
    let rulings = concat!(
        r#"{"type":"ruling","board":7,"game":1,"ply":1,"uci":"e2e4","note":"seen"}"#,
        "\n",
        r#"{"type":"ruling","board":7,"game":1,"result":"1-0","note":"réclamé"}"#,
        "\n"
    );
    let latin: Vec<u8> = rulings.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let wide = format!("\u{feff}{rulings}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let old = rulings.replace('\n', "\r").into_bytes();
    for (bytes, guessed) in [(latin, true), (wide, false), (old, false), (rulings.as_bytes().to_vec(), false)]
    {
        fs::write(&path, bytes).unwrap();
        let (out, said, code) = run(&["reconstruct", "--rulings", path.to_str().unwrap()], journal);
        assert_eq!((code, said.contains("read as windows-1252, as in r[é]clam[é]")), (0, guessed), "{said}");
        let told = records(&out);
        assert_eq!(of(&told, "ruling")[0]["note"], "réclamé", "{out}");
        assert_eq!(of(&told, "end")[0]["result"], "1-0", "{out}");
    }
}
