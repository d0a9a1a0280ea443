//! `boardbus to-results`: what is sure goes into the file of the pairing program, and nothing else does.

mod generated;
mod hall_of_64;

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::program::run;

const PLAYERS: &str = "\
Nr;Name;Titel;Identnr;EloNat;EloInt;Geburt;Fed;Sex;Typ;Gr;KlubNr;Klub;FideIdent;Quelle;Pkt;Wtg1;Rang;Nachname;Vorname;Atitel\r
1;Aalto Eeva;WGM;;2300;2290;;FIN;W;;;0;Tapiola;0;;1;1;1;Aalto;Eeva;\r
2;Berg Jörg;;;0;0;;NED;;;;0;;0;;½;1;2;Berg;Jörg;\r
3;Öz Can;FM;;2100;0;;TUR;;;;0;;0;;0;1;3;Öz;Can;\r
4;Li Wei;;;0;1800;;CHN;;;;0;;0;;1;1;4;Li;Wei;\r
5;Novak Ota;;;0;1700;;CZE;;;;0;;0;;1;1;5;Novak;Ota;\r
6;Ruiz Ana;;;0;1600;;ESP;;;;0;;0;;1;1;6;Ruiz;Ana;\r
7;Sand Ole;;;0;1500;;NOR;;;;0;;0;;1;1;7;Sand;Ole;\r
";
const HEAD: &str = "Runde;Brett;IdentW;IdentS;NrW;NrS;ErgW;ErgS;Kontumaz;Erg;Mnr;ErgEloW;ErgEloS\r\n";
/// What is left of the file when round 3 is paired.
const BEFORE: &str = "2;1;0;0;2;1;1;0;;1:0;0;;\r\n";
const DRAW: [&str; 4] = [
    "3;1;0;0;4;2;0;0;;0:0;0;;\r\n",
    "3;2;0;0;1;3;0;0;;0:0;0;;\r\n",
    "3;3;0;0;5;6;0;0;;0:0;0;;\r\n",
    "3;4;0;0;7;-1;0;0;;0:0;0;;\r\n",
];

/// A folder with files of a round.
pub struct Files(tempfile::TempDir);

impl Files {
    pub fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn swiss_manager(draw: &str) -> Files {
        let files = Files::new();
        files.write("p.txt", PLAYERS);
        files.write("d.txt", &(HEAD.to_owned() + BEFORE + draw));
        files
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// What the command prints, what it says without its name, and its exit code; a word with a dot is a file of the folder.
    pub fn results(&self, arguments: &[&str], records: &str) -> (String, String, i32) {
        let place = |word: &&str| match word.contains('.') {
            true => self.path(word).to_str().unwrap().to_owned(),
            false => (*word).to_owned(),
        };
        let arguments: Vec<String> = arguments.iter().map(place).collect();
        let arguments: Vec<&str> =
            std::iter::once("to-results").chain(arguments.iter().map(String::as_str)).collect();
        let (output, said, code) = run(&arguments, records);
        let folder = format!("{}/", self.0.path().display());
        (output, said.replace("boardbus to-results: ", "").replace(&folder, ""), code)
    }
}

const BOTH: [&str; 5] = ["--pairings", "p.txt", "d.txt", "--round", "3"];
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A record of a board's game, at a minute after ten.
pub fn of(board: u16, game: u32, minute: u32, rest: &str) -> String {
    format!("{{\"time\":\"2026-11-21T10:{minute:02}:00.000Z\",\"board\":{board},\"game\":{game},{rest}}}\n")
}

pub fn begun(board: u16, game: u32, minute: u32) -> String {
    let moves = ["e4", "e5"].iter().enumerate().map(|(at, san)| {
        let ply = at + 1;
        format!(r#""type":"move","ply":{ply},"san":"{san}","uci":"e2e4","fen":"x""#)
    });
    let begin = format!(r#""type":"game","rules":"chess","fen":"{START}""#);
    std::iter::once(begin).chain(moves).map(|rest| of(board, game, minute, &rest)).collect()
}

pub fn end(result: &str, reason: &str) -> String {
    format!(r#""type":"end","result":"{result}","reason":"{reason}""#)
}

/// A game whose result this board showed with its kings.
pub fn over(board: u16, result: &str) -> String {
    begun(board, 1, 0) + &of(board, 1, 30, &end(result, "kings"))
}

fn draw() -> String {
    DRAW.concat()
}

#[test]
fn rows_of_a_round_change_only_by_certain_results() {
    let files = Files::swiss_manager(&draw());
    let records = over(1, "1-0") + &over(2, "1/2-1/2") + &begun(3, 1, 0);
    let (output, said, code) = files.results(&BOTH, &records);
    let expected =
        [HEAD, "3;1;0;0;4;2;1;0;;1:0;0;;\r\n", "3;2;0;0;1;3;0,5;0,5;;0,5:0,5;0;;\r\n", DRAW[2], DRAW[3]];
    assert_eq!(output, expected.concat());
    assert_eq!((&*said, code), ("no result, still played: tables 3\n", 1));
    let all = records + &of(3, 1, 40, &end("0-1", "result-piece"));
    let (output, said, code) = files.results(&BOTH, &all);
    assert_eq!(output, expected.concat().replace(DRAW[2], "3;3;0;0;5;6;0;1;;0:1;0;;\r\n"));
    assert_eq!((&*said, code), ("", 0));
}

#[test]
fn forfeits_are_ruled_on_boards_without_moves() {
    let files = Files::swiss_manager(&draw());
    let rule = |board: u16, result: &str| {
        of(board, 1, 50, &format!(r#""type":"ruling","result":"{result}","forfeit":true"#))
    };
    files.write("r.jsonl", &(rule(1, "1-0") + &rule(2, "0-1") + &rule(3, "0-0")));
    let arguments = [&BOTH[..], &["--rulings", "r.jsonl"]].concat();
    let (output, said, code) = files.results(&arguments, "");
    let expected = [
        HEAD,
        "3;1;0;0;4;2;1;0;K;1:0K;0;;\r\n",
        "3;2;0;0;1;3;0;1;K;0:1K;0;;\r\n",
        "3;3;0;0;5;6;0;0;K;0:0K;0;;\r\n",
        DRAW[3],
    ];
    assert_eq!(output, expected.concat());
    assert!(!said.contains("no result"), "{said}");
    assert_eq!(code, 0, "{said}");
    // His word holds whatever the board shows, and is of that game alone.
    let (output, ..) = files.results(&arguments, &over(1, "0-1"));
    assert!(output.contains("3;1;0;0;4;2;1;0;K;1:0K;0;;"), "{output}");
    files.write("r.jsonl", &rule(1, "1-0").replace("\"game\":1", "\"game\":2"));
    let (output, ..) = files.results(&arguments, &over(1, "0-1"));
    assert!(output.contains("3;1;0;0;4;2;0;1;;0:1;0;;"), "{output}");
}

#[test]
fn what_needs_a_look_stays_empty_and_is_named() {
    let files = Files::swiss_manager(&draw());
    let last = |san: &str, more: &str| {
        of(1, 1, 20, &format!(r#""type":"move","ply":3,"san":"{san}","uci":"d1h5","fen":"x"{more}"#))
    };
    let ended = |result: &str, reason: &str| of(1, 1, 30, &end(result, reason));
    let anomaly = of(1, 1, 29, r#""type":"anomaly","ply":2,"kind":"unexplained""#);
    for (records, why) in [
        (last("Qh5#", "") + &ended("0-1", "kings"), "the board showed 0-1, but the last move is mate"),
        (
            last("Qh5#", r#","certainty":0.7"#) + &ended("1-0", "checkmate"),
            "checkmate by a move that is not certain",
        ),
        (
            anomaly + &ended("1-0", "kings"),
            "what stood on the board at the end is not explained by its moves",
        ),
        (ended("0-1", "flag"), "a flag fell, and the board showed no result"),
        (ended("*", "new-game"), "it is over, and the board showed no result"),
        (ended("1-0", "kings") + &begun(1, 2, 40), "2 games on this board: which is of the round?"),
    ] {
        let (output, said, code) = files.results(&BOTH, &(begun(1, 1, 0) + &records));
        assert!(output.contains(DRAW[0]), "{why}: {output}");
        let named = format!("table 1, board 1, Li, Wei - Berg, Jörg: it needs a look: {why}");
        assert!(said.contains(&named) && code == 1, "{why}: {said}");
    }
    // Who insists; and an arbiter's word, which is sure.
    let flag = begun(1, 1, 0) + &ended("0-1", "flag");
    let (output, ..) = files.results(&[&BOTH[..], &["--include-doubtful"]].concat(), &flag);
    assert!(output.contains("3;1;0;0;4;2;0;1;;0:1;0;;"), "{output}");
    let ruled = flag
        + &of(1, 1, 40, r#""type":"ruling","result":"1/2-1/2""#)
        + &of(1, 1, 40, &end("1/2-1/2", "flag"));
    assert!(files.results(&BOTH, &ruled).0.contains("3;1;0;0;4;2;0,5;0,5;;0,5:0,5;0;;"));
    // Which of two games is of the round, he says by having the other void.
    let two = over(1, "1-0") + &begun(1, 2, 40) + &of(1, 2, 50, &end("0-1", "kings"));
    let void = two + &of(1, 2, 55, r#""type":"ruling","void":true"#);
    assert!(files.results(&BOTH, &void).0.contains("3;1;0;0;4;2;1;0;;1:0;0;;"));
    // Mate, and the kings show it.
    let (output, ..) = files.results(&BOTH, &(begun(1, 1, 0) + &last("Qh5#", "") + &ended("1-0", "kings")));
    assert!(output.contains("3;1;0;0;4;2;1;0;;1:0;0;;"), "{output}");
}

#[test]
fn journals_of_several_rounds_need_the_round_beginning() {
    let files = Files::swiss_manager(&draw());
    let second = |board: u16, result: &str| begun(board, 2, 40) + &of(board, 2, 50, &end(result, "kings"));
    // Boards 1 and 2 have played in two rounds, board 3 in the first alone, which was ruled.
    let ruled = begun(3, 1, 0)
        + &of(3, 1, 30, r#""type":"ruling","result":"1-0""#)
        + &of(3, 1, 30, &end("1-0", "kings"));
    let day = over(1, "1-0") + &over(2, "1-0") + &ruled + &second(1, "0-1") + &second(2, "1/2-1/2");
    let (output, said, code) = files.results(&BOTH, &day);
    assert_eq!((output, code), (HEAD.to_owned() + &draw(), 1));
    assert!(
        said.contains("table 1, board 1, Li, Wei - Berg, Jörg: it needs a look: 2 games on this board"),
        "{said}"
    );
    assert!(said.contains("it was over before other boards began their next games"), "{said}");
    let (output, said, _) =
        files.results(&[&BOTH[..], &["--since", "2026-11-21T11:40:00+01:00"]].concat(), &day);
    let expected =
        "3;1;0;0;4;2;0;1;;0:1;0;;\r\n3;2;0;0;1;3;0,5;0,5;;0,5:0,5;0;;\r\n".to_owned() + DRAW[2] + DRAW[3];
    assert_eq!(output, HEAD.to_owned() + &expected, "{said}");
    let (output, ..) = files.results(&[&BOTH[..], &["--until", "2026-11-21T11:40:00+01:00"]].concat(), &day);
    assert!(
        output.contains("3;1;0;0;4;2;1;0;;1:0;0;;") && output.contains("3;3;0;0;5;6;1;0;;1:0;0;;"),
        "{output}"
    );
    // What is tried on the board behind the game of the round shows no result; one that does needs a look.
    let since = [&BOTH[..], &["--since", "2026-11-21T10:00:00Z"]].concat();
    let (output, ..) = files.results(&since, &(over(1, "1-0") + &begun(1, 2, 40)));
    assert!(output.contains("3;1;0;0;4;2;1;0;;1:0;0;;"), "{output}");
    assert!(files.results(&since, &(over(1, "1-0") + &second(1, "0-1"))).0.contains(DRAW[0]));
}

#[test]
fn ends_younger_than_a_minute_are_no_results() {
    let files = Files::swiss_manager(&draw());
    let now = jiff::Timestamp::now();
    let young = over(1, "1-0").replace("2026-11-21T10:30:00.000Z", &format!("{now:.3}"));
    let (output, said, code) = files.results(&BOTH, &young);
    assert!(output.contains(DRAW[0]) && code == 1, "{output}");
    assert!(said.contains("still played: tables 1\n"), "{said}");
}

#[test]
fn typed_results_stay_and_unspellable_ones_are_reported() {
    let typed = draw().replace(DRAW[0], "3;1;0;0;4;2;0;1;;0:1;0;;\r\n");
    let files = Files::swiss_manager(&typed);
    let (output, said, code) = files.results(&BOTH, &(over(1, "1-0") + &over(2, "1-0") + &over(3, "1-0")));
    assert!(output.contains("3;1;0;0;4;2;0;1;;0:1;0;;\r\n"), "{output}");
    let what = "table 1: Swiss-Manager has 0:1, and it ended 1-0: its row is left as it came\n";
    assert_eq!((&*said, code), (what, 1));
    let files = Files::swiss_manager(&draw());
    let ruled = begun(1, 1, 0) + &of(1, 1, 40, r#""type":"ruling","result":"0-0""#);
    let (output, said, _) = files.results(&BOTH, &ruled);
    assert!(
        output.contains(DRAW[0]) && said.contains("table 1: 0-0 has no spelling here: type it"),
        "{said}"
    );
}

#[test]
fn rosters_with_other_players_drop_results_of_pairings() {
    let files = Files::swiss_manager(&draw());
    files.write("r.csv", "board,table,white,black\n1,1,Somebody,Else\n");
    let (output, said, code) = files.results(&[&BOTH[..], &["--roster", "r.csv"]].concat(), &over(1, "1-0"));
    assert!(output.contains(DRAW[0]) && code == 1, "{output}");
    assert!(
        said.contains(
            "table 1, board 1, Somebody - Else: no board of the pairings has these players: 1-0 is left out"
        ),
        "{said}"
    );
}

#[test]
fn reports_get_results_and_points_and_stay_unchanged_otherwise() {
    let files = Files::new();
    let line = |rank: u32, name: &str, points: &str, rounds: &str| {
        format!(
            "001 {rank:>4} m    {name:<33} 2000 NOR {:>11} 1990/11/30 {points:>4} {rank:>4}  {rounds}\r\n",
            99
        )
    };
    let report = |points: [&str; 4], signs: [char; 4]| {
        let of = |at: usize| (points[at], signs[at]);
        let rounds = ["   2 w 1     3 b", "   1 b 0     4 w", "   4 w =     1 w", "   3 b =     2 b"];
        let lines = (0..4).map(|at| {
            let (points, sign) = of(at);
            let rounds = format!("{} {sign}", rounds[at]);
            line(at as u32 + 1, ["Ås, A", "Two, B", "Three, C", "Four, D"][at], points, rounds.trim_end())
        });
        "012 Open\r\n### kept\r\n".to_owned() + &lines.collect::<String>()
    };
    let before = report(["1.0", "0.0", "0.5", "0.5"], [' '; 4]);
    files.write("o.trf", &before);
    // Three against one at table 1, two against four at table 2.
    let (output, said, code) =
        files.results(&["--pairings", "o.trf", "--round", "2"], &(over(1, "1/2-1/2") + &over(2, "1-0")));
    assert_eq!(output, report(["1.5", "1.0", "1.0", "0.5"], ['=', '1', '=', '0']));
    assert_eq!((&*said, code), ("", 0));
    // Letters that are no UTF-8 stay the bytes that they are.
    let bytes: Vec<u8> = before.chars().map(|c| c as u8).collect();
    fs::write(files.path("o.trf"), &bytes).unwrap();
    files.results(&["--pairings", "o.trf", "--round", "2", "--output", "out.trf"], &over(2, "1-0"));
    let expected = report(["1.0", "1.0", "0.5", "0.5"], [' ', '1', ' ', '0']);
    let expected: Vec<u8> = expected.chars().map(|c| c as u8).collect();
    assert_eq!(fs::read(files.path("out.trf")).unwrap(), expected);
}

const LIST: &str = "\
Cup: Pairing of round 2 sorted by name

==========================================================================================
Berg, Jörg            plays with white VS         Öz, Can                in board    1
BYE                   plays with black VS         Li, Wei                in board    2
Li, Wei               plays with white VS         BYE                    in board    2
Öz, Can               plays with black VS         Berg, Jörg             in board    1

 Generated by Vega - www.vegachess.com
";

#[test]
fn vega_gets_whole_names_in_33_bytes() {
    let files = Files::new();
    let line = |rank: u32, name: &str, rating: u32, points: &str, rounds: &str| {
        let name = format!("{name}{}", " ".repeat(33 - name.len()));
        format!(
            "001 {rank:>4} m FM {name} {rating:>4} SUI           0 1990       {points:>4} {rank:>4}  {rounds}\n"
        )
    };
    let head = "012 Cup\n142 5\n162  W 1.0    D 0.5    L 0.0    P 1.0\n";
    let engine = |absent: &str| {
        head.to_owned()
            + &line(1, "BergJörg", 2201, "1.0", "   2 w 1")
                .replace("   2 w 1", "   2 w 1\u{20}")
                .replace(" \n", "\n")
            + &line(2, "ÖzCan", 2100, "0.0", "   1 b 0")
            + &line(3, "LiWei", 1900, "0.5", "0000 - H")
            + &line(4, "AwayAnn", 1800, "1.0", &format!("0000 - U{absent}"))
    };
    files.write("SortedPairs.txt", LIST);
    files.write("engine26.trf", &engine("  0000 - H"));
    let folder = files.path("").display().to_string();
    let arguments = ["to-results", "--pairings", &folder, "--round", "2"];
    // A name that stands nowhere whole is not made up.
    let (output, said, code) = run(&arguments, over(1, "0-1"));
    assert!(output.is_empty() && code == 1, "{output}");
    assert!(said.contains("engine26.trf:7: the whole name of AwayAnn is not known: give crosstable.txt too: nothing is written"), "{said}");
    let cross = "Cup\n\n Cross Table at round 1\n\n  N NAME   Rtg   T  Fed  Pts |   1\n  4 Away, Ann            1800  FM SUI  1.0 | +PAB\n";
    files.write("crosstable.txt", cross);
    let (output, said, code) = run(&arguments, over(1, "0-1"));
    let expected = head.to_owned()
        + &line(1, "Berg, Jörg", 2201, "1.0", "   2 w 1     2 w 0")
        + &line(2, "Öz, Can", 2100, "1.0", "   1 b 0     1 b 1")
        + &line(3, "Li, Wei", 1900, "1.5", "0000 - H  0000 - U")
        + &line(4, "Away, Ann", 1800, "1.0", "0000 - U  0000 - H");
    assert_eq!((output, code), (expected, 0), "{said}");
    // Who has neither a board nor a bye would lose half a point.
    files.write("engine26.trf", &engine(""));
    let (output, said, code) = run(&arguments, over(1, "0-1"));
    assert!(output.is_empty() && code == 1, "{output}");
    assert!(said.contains("engine26.trf:7: Away, Ann has neither a board nor a bye in round 2"), "{said}");
    files.write("engine26.trf", &engine("").replace("162", "240 H 2 4\n162"));
    let (output, ..) = run(&arguments, over(1, "0-1"));
    assert!(output.contains(&line(4, "Away, Ann", 1800, "1.5", "0000 - U  0000 - H")), "{output}");
    // Paired by hand: the report is a round behind.
    files.write(
        "engine26.trf",
        &(head.to_owned()
            + &line(1, "BergJörg", 1, "0.0", "")
            + &line(2, "ÖzCan", 1, "0.0", "")
            + &line(3, "LiWei", 1, "0.0", "")),
    );
    let (output, said, _) = run(&arguments, over(1, "0-1"));
    assert!(output.is_empty() && said.contains("it ends with round 0: round 2 was paired by hand"), "{said}");
}

#[test]
fn lists_are_for_people_and_scripts() {
    let files = Files::swiss_manager(&draw());
    let records = over(1, "1-0") + &begun(2, 1, 0) + &of(2, 1, 30, &end("0-1", "flag"));
    let (csv, said, code) = files.results(&[&BOTH[..], &["--format", "csv"]].concat(), &records);
    let expected = "table,board,line,game,white,black,result,reason,plies,certainty,state,note\n\
        1,1,,1,\"Li, Wei\",\"Berg, Jörg\",1-0,kings,2,1.0000,over,\n\
        2,2,,1,\"Aalto, Eeva\",\"Öz, Can\",,,2,1.0000,look,\"a flag fell, and the board showed no result\"\n\
        3,3,,1,\"Novak, Ota\",\"Ruiz, Ana\",,,0,,waiting,\n";
    assert_eq!((&*csv, code), (expected, 1), "{said}");
    assert!(said.contains("no result, nobody has moved: tables 3"), "{said}");
    let (text, ..) = files.results(&[&BOTH[..], &["--format", "text"]].concat(), &records);
    let expected = "Over (1)\n    1  Li, Wei - Berg, Jörg    1-0      kings, 2 plies\n\n\
        Needs a look (1)\n    2  Aalto, Eeva - Öz, Can   0-1      a flag fell, and the board showed no result\n\n\
        Nobody has moved (1)\n    3  Novak, Ota - Ruiz, Ana\n";
    assert_eq!(text, expected);
    // What the arbiter has taken is confirmed, and no more open.
    files.write("d.txt", &(HEAD.to_owned() + &draw().replace(DRAW[1], "3;2;0;0;1;3;0;1;;0:1;0;;\r\n")));
    let (text, said, _) = files.results(&[&BOTH[..], &["--format", "text"]].concat(), &records);
    let confirmed = "Confirmed: the pairings have a result (1)\n    2  Aalto, Eeva - Öz, Can";
    assert!(text.contains(confirmed) && !said.contains("needs a look"), "{text} {said}");
    files.write("p.txt", &PLAYERS.replace("Li Wei", "Li <b> Wei").replace("Li;Wei", "Li <b>;Wei"));
    let (page, ..) = files.results(&[&BOTH[..], &["--format", "html"]].concat(), &records);
    assert!(page.contains("<h1>Results, not yet confirmed</h1>\n<h2>Over (1)</h2>"), "{page}");
    assert!(page.contains("<td>1</td><td>Li &lt;b&gt;, Wei - Berg, Jörg</td><td>1-0 "), "{page}");
}

#[test]
fn an_arbiter_rules_by_table_and_names() {
    let files = Files::swiss_manager(&draw());
    let (csv, ..) = files.results(&[&BOTH[..], &["--format", "csv"]].concat(), &over(1, "1-0"));
    files.write("results.csv", &csv);
    let rule = |table: &str, names: &str, result: &str| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/boardbus-rule");
        let mut command = std::process::Command::new(script);
        command.args(["--results", "results.csv", "rulings.jsonl", table, names, result]);
        let output = command.current_dir(files.path("")).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    };
    assert_eq!(rule("1", "Li - Berg", "1/2-1/2"), (String::new(), 0));
    assert_eq!(rule("3", "novak - RUIZ, A", "-/+"), (String::new(), 0));
    for (table, names, because) in [
        ("2", "Li - Berg", "at table 2 sit Aalto, Eeva - Öz, Can, not Li - Berg"),
        ("9", "Li - Berg", "there is no table 9 in results.csv"),
        ("1", "Li", "`Li` are not two names"),
    ] {
        let (said, code) = rule(table, names, "1-0");
        assert!(said.contains(because) && code == 2, "{said}");
    }
    let rulings = files.read("rulings.jsonl");
    let ruled = over(1, "1-0") + rulings.lines().next().unwrap();
    let (output, said, _) = files.results(&[&BOTH[..], &["--rulings", "rulings.jsonl"]].concat(), &ruled);
    assert!(output.contains("3;1;0;0;4;2;0,5;0,5;;0,5:0,5;0;;"), "{output} {said}");
    assert!(output.contains("3;3;0;0;5;6;0;1;K;0:1K;0;;"), "{output} {said}");
}

#[test]
fn games_begun_with_other_players_prevent_writing() {
    let files = Files::swiss_manager(&draw());
    let arguments = [&BOTH[..], &["--output", "out.txt"]].concat();
    let (_, said, code) = files.results(&arguments, &(over(1, "1-0") + &begun(2, 1, 0)));
    assert_eq!(code, 1, "{said}");
    let before = files.read("out.txt");
    assert!(before.contains("3;1;0;0;4;2;1;0;;1:0;0;;"), "{before}");
    // Boards 2 and 3 are paired again; on 2 they have begun, on 3 not.
    let again = draw().replace("2;0;0;1;3", "2;0;0;1;6").replace("3;0;0;5;6", "3;0;0;5;3");
    files.write("d.txt", &(HEAD.to_owned() + &again));
    let all = over(1, "1-0") + &over(2, "0-1") + &over(3, "1-0");
    let (_, said, code) = files.results(&arguments, &all);
    let named =
        "board 2: Aalto, Eeva - Ruiz, Ana by the pairings now, but its game began as Aalto, Eeva - Öz, Can\n";
    assert!(said.contains(named) && said.contains("nothing is written") && code == 1, "{said}");
    assert_eq!(files.read("out.txt"), before);
    // Where that was wrong before, the arbiter says so.
    fs::remove_file(files.path("out.txt.began")).unwrap();
    let (_, said, code) = files.results(&arguments, &all);
    assert_eq!((&*said, code), ("", 0));
    let expected = "3;1;0;0;4;2;1;0;;1:0;0;;\r\n3;2;0;0;1;6;0;1;;0:1;0;;\r\n3;3;0;0;5;3;1;0;;1:0;0;;\r\n";
    assert_eq!(files.read("out.txt"), HEAD.to_owned() + expected + DRAW[3]);
}

#[test]
fn forfeits_go_to_the_players_paired_at_that_time() {
    let files = Files::swiss_manager(&draw());
    let forfeit = r#""type":"ruling","result":"1-0","forfeit":true"#;
    files.write("r.jsonl", &of(2, 1, 5, forfeit));
    // Kings over a start position that nobody moved from.
    let begin = format!(r#""type":"game","rules":"chess","fen":"{START}""#);
    let shown =
        of(1, 1, 0, &begin) + &of(1, 1, 5, r#""type":"end","result":"0-1","reason":"kings","forfeit":true"#);
    let arguments = [&BOTH[..], &["--rulings", "r.jsonl", "--output", "out.txt"]].concat();
    let (_, said, _) = files.results(&arguments, &shown);
    let before = files.read("out.txt");
    assert!(
        before.contains("3;1;0;0;4;2;0;1;K;0:1K;0;;") && before.contains("3;2;0;0;1;3;1;0;K;1:0K;0;;"),
        "{before} {said}"
    );
    let again = draw()
        .replace("1;0;0;4;2", "1;0;0;4;6")
        .replace("2;0;0;1;3", "2;0;0;5;3")
        .replace("3;0;0;5;6", "3;0;0;1;2");
    files.write("d.txt", &(HEAD.to_owned() + &again));
    let (_, said, code) = files.results(&arguments, &shown);
    assert_eq!((files.read("out.txt"), code), (before, 1), "{said}");
    for board in ["board 1: Li, Wei - Ruiz, Ana by", "board 2: Novak, Ota - Öz, Can by"] {
        assert!(said.contains(board), "{said}");
    }
}

#[test]
fn the_file_keeps_its_line_ends_and_encoding() {
    let files = Files::swiss_manager(&draw());
    let records = over(1, "1-0") + &over(2, "0-1") + &over(3, "1-0");
    let (expected, _, code) = files.results(&BOTH, &records);
    assert_eq!((expected.lines().count(), code), (5, 0));
    let whole = HEAD.to_owned() + BEFORE + &draw();
    for end in ["\r", "\n"] {
        files.write("d.txt", &whole.replace("\r\n", end));
        assert_eq!(files.results(&BOTH, &records), (expected.replace("\r\n", end), String::new(), 0));
    }
    // The players are in Windows-1252, which says nothing of the boards.
    files.write("d.txt", &format!("\u{feff}{whole}"));
    let latin: Vec<u8> = PLAYERS.replace('½', "0").chars().map(|c| c as u8).collect();
    fs::write(files.path("p.txt"), latin).unwrap();
    let (output, _, code) = files.results(&BOTH, &records);
    assert_eq!((output, code), (format!("\u{feff}{expected}"), 0));
    // Whether Swiss-Manager takes UTF-16 back nobody has seen.
    files.write("p.txt", PLAYERS);
    let wide: Vec<u8> = format!("\u{feff}{whole}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(files.path("d.txt"), wide).unwrap();
    let said = "d.txt:1: it is in UTF-16: save it as UTF-8: nothing is written\n";
    assert_eq!(files.results(&BOTH, &records), (String::new(), said.to_owned(), 1));
}

#[test]
fn a_nameless_player_differs_from_the_replacement() {
    let files = Files::swiss_manager(&draw());
    files.write("p.txt", &PLAYERS.replace("4;Li Wei;", "4;Lo Wei;"));
    let arguments = [&BOTH[..], &["--output", "o.txt"]].concat();
    let records = over(1, "1-0") + &over(2, "0-1") + &over(3, "1-0");
    assert_eq!(files.results(&arguments, &records).2, 0);
    let written = files.read("o.txt");
    assert!(written.contains("3;1;0;0;4;2;1;0;;1:0;0;;"), "{written}");
    // Paired again: 7, who had the bye, has the place of 4.
    let again = draw().replace(";4;2;", ";7;2;").replace(";7;-1;", ";4;-1;");
    files.write("d.txt", &(HEAD.to_owned() + BEFORE + &again));
    let (_, said, code) = files.results(&arguments, &records);
    let named = "board 1: Sand, Ole - Berg, Jörg by the pairings now, but its game began as ? - Berg, Jörg\n";
    assert!(said.contains(named), "{said}");
    assert_eq!((files.read("o.txt"), code), (written, 1));
}

#[test]
fn what_cannot_be_asked_for_is_refused() {
    let files = Files::swiss_manager(&draw());
    assert_eq!(files.results(&[], "").2, 2);
    assert_eq!(files.results(&[&BOTH[..], &["--format", "trf"]].concat(), "").2, 2);
    files.write("r.csv", "board,white,black\n1,A,B\n");
    assert_eq!(files.results(&["--roster", "r.csv", "--format", "swiss-manager"], "").2, 2);
    let (csv, _, code) = files.results(&["--roster", "r.csv"], &over(1, "1-0"));
    assert!(csv.contains(",1,,1,A,B,1-0,kings,2,") && code == 0, "{csv}");
    let (_, said, code) = files.results(&["--roster", "r.csv"], &(over(1, "1-0") + &over(9, "0-1")));
    assert!(said.contains("results of boards 9, and nobody is paired there") && code == 0, "{said}");
    // The pairings are not to be replaced by their results.
    let (_, said, code) = files.results(&[&BOTH[..], &["--output", "d.txt"]].concat(), "");
    assert!(code == 2 && Path::new(&files.path("d.txt")).exists(), "{said}");
    let other = files.results(&["--pairings", "p.txt", "d.txt", "--round", "4"], &over(1, "1-0"));
    assert_eq!((&*other.0, other.2), ("", 4), "{}", other.1);
}
