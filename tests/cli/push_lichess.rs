//! `scripts/boardbus-push-lichess`, against a server that answers as the documentation says.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::{Command, Output},
    thread,
    time::Duration,
};

/// The file of one game.
const ONE: &str = "[White \"Ås\"]\n\n1. e4 *\n\n";

/// Runs the script against a server that answers once; gives what it was sent, and how the script ended.
fn push(status: &str, answer: &str) -> Option<(String, String, Output)> {
    push_and_get(reply(status, answer))
}

fn reply(status: &str, answer: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
        answer.len()
    )
}

/// The same with these games.
fn push_games(pgn: &str, answer: &str) -> Option<(String, String, Output)> {
    push_file(pgn, reply("200 OK", answer))
}

/// The same against a server that answers with just this.
fn push_and_get(reply: String) -> Option<(String, String, Output)> {
    push_file(ONE, reply)
}

fn push_file(pgn: &str, reply: String) -> Option<(String, String, Output)> {
    // The script needs Python, the project does not.
    Command::new("python3").arg("--version").output().ok()?;
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let _ = stream.write_all(reply.as_bytes());
        (head, String::from_utf8(body).unwrap())
    });
    let output = run_script(pgn, &url, "30");
    let (head, body) = served.join().unwrap();
    Some((head, body, output))
}

/// Runs the script with these games, for a server that may take so many seconds.
fn run_script(pgn: &str, url: &str, patience: &str) -> Output {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pgn).unwrap();
    Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-push-lichess"))
        .arg("abcd1234")
        .arg(file.path())
        .env("LICHESS_TOKEN", "lip_secret")
        .env("LICHESS_URL", url)
        .env("LICHESS_TIMEOUT", patience)
        .env("no_proxy", "*")
        .output()
        .unwrap()
}

#[test]
fn a_round_is_pushed_by_the_documented_call() {
    let answer = r#"{"games":[{"tags":{"White":"Ås"},"moves":1}]}"#;
    let Some((head, body, output)) = push("200 OK", answer) else { return };
    assert!(head.starts_with("POST /api/broadcast/round/abcd1234/push HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nAuthorization: Bearer lip_secret\r\n"), "{head}");
    assert!(head.to_lowercase().contains("\r\ncontent-type: text/plain"), "{head}");
    assert_eq!(body, ONE);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "boardbus-push-lichess: 1 games, 1 plies taken\n");
}

#[test]
fn evaluations_are_not_pushed() {
    let answer = r#"{"games":[{"tags":{"White":"A"},"moves":3}]}"#;
    let pgn = "[White \"A\"]\n\n1. e4 {[%eval 0.2]\n[%clk 0:05:00]} 1... e5 {[%eval -0.1]} 2. Nf3 {[%eval #3] good} *\n";
    let Some((_, body, output)) = push_games(pgn, answer) else { return };
    assert_eq!(body, "[White \"A\"]\n\n1. e4 {[%clk 0:05:00]} 1... e5 2. Nf3 {good} *\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn refused_games_differ_from_busy_servers() {
    let answer = r#"{"games":[{"tags":{"White":"Ås","Black":"B"},"error":"Cannot play e9"}]}"#;
    let Some((_, _, output)) = push("200 OK", answer) else { return };
    assert_eq!(output.status.code(), Some(4));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("boardbus-push-lichess: refused: Ås - ?: Cannot play e9\n"), "{errors}");
    let Some((_, _, output)) = push("429 Too Many Requests", "{}") else { return };
    assert_eq!(output.status.code(), Some(3));
    let Some((_, _, output)) = push("401 Unauthorized", "{\"error\":\"No such token\"}") else { return };
    assert_eq!(output.status.code(), Some(4));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("401") && !errors.contains("lip_secret"), "{errors}");
}

/// A game of a board as to-pgn writes it, the second of its board perhaps.
fn game(board: u32, nth: u32) -> String {
    let id = format!("{board}-20261128T1{nth}0000");
    format!(
        "[Event \"Spring \\\"Open\\\"\"]\n[White \"W {board}\"]\n[Black \"B {board}\"]\n[Board \"{board}\"]\n[GameId \"{id}\"]\n\n\
         1. e4 {{ [%clk 1:30:00] }} 1... c5 (1... e5 2. Nf3 (2. f4)) 2. Nf3 $1 {{ a) b }} 2... d6\n3. d4 1/2-1/2\n"
    )
}

/// What the server answers for a game of which it took so many plies.
fn took(board: u32, nth: u32, plies: u32) -> String {
    format!(
        "{{\"tags\":{{\"White\":\"W {board}\",\"GameId\":\"{board}-20261128T1{nth}0000\"}},\"moves\":{plies}}}"
    )
}

fn answer(games: &[String]) -> String {
    format!("{{\"games\":[{}]}}", games.join(","))
}

// Lichess reads a hundred games of a push and answers 200 for them, without a word on the others.
#[test]
fn beyond_a_hundred_games_only_the_newest_are_pushed() {
    // The first game of each of 60 boards, then the second of each: as to-pgn orders them.
    let all: Vec<(u32, u32)> = (1..=2).flat_map(|nth| (1001..=1060).map(move |board| (board, nth))).collect();
    let text = |games: &[(u32, u32)]| games.iter().map(|&(b, n)| game(b, n)).collect::<Vec<_>>().join("\n");
    let (sent, left_out): (Vec<_>, Vec<_>) = all.iter().partition(|&&(board, nth)| nth == 2 || board <= 1040);
    let answers: Vec<String> = sent.iter().map(|&(board, nth)| took(board, nth, 5)).collect();
    let Some((_, body, output)) = push_games(&text(&all), &answer(&answers)) else { return };
    assert_eq!(body, text(&sent));
    let errors = String::from_utf8(output.stderr).unwrap();
    let names: Vec<String> = left_out.iter().map(|(b, _)| format!("board {b} (W {b} - B {b})")).collect();
    let expected = format!(
        "boardbus-push-lichess: Lichess takes 100 games at once: 20 are left out: {}\n\
         boardbus-push-lichess: 100 games, 500 plies taken\n",
        names.join(", ")
    );
    assert_eq!((errors, output.status.code()), (expected, Some(1)));
    // A hundred are not too many.
    let Some((_, body, output)) = push_games(&text(&sent), &answer(&answers)) else { return };
    assert_eq!((body, output.status.code()), (text(&sent), Some(0)));
    // Of more boards than that the first.
    let boards: Vec<(u32, u32)> = (1001..=1101).map(|board| (board, 1)).collect();
    let answers: Vec<String> = boards[..100].iter().map(|&(board, nth)| took(board, nth, 5)).collect();
    let Some((_, body, output)) = push_games(&text(&boards), &answer(&answers)) else { return };
    assert_eq!((body, output.status.code()), (text(&boards[..100]), Some(1)));
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("1 are left out: board 1101 (W 1101 - B 1101)\n")
    );
}

#[test]
fn server_changes_to_pushed_games_are_reported() {
    let pgn = [1, 2, 3, 4].map(|board| game(board, 1)).join("\n");
    // All the same, in whatever order.
    let same = answer(&[took(1, 1, 5), took(3, 1, 5), took(2, 1, 5), took(4, 1, 5)]);
    let Some((_, _, output)) = push_games(&pgn, &same) else { return };
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let other = answer(&[took(1, 1, 5), took(2, 1, 4), took(4, 1, 5), took(7, 1, 5)]);
    let Some((_, _, output)) = push_games(&pgn, &other) else { return };
    let expected = "boardbus-push-lichess: board 2 (W 2 - B 2): 5 plies were sent, the server took 4\n\
                    boardbus-push-lichess: board 3 (W 3 - B 3): the server's answer has no such game\n\
                    boardbus-push-lichess: the server's answer has a game that was not sent: W 7 - ?\n\
                    boardbus-push-lichess: 4 games, 19 plies taken\n";
    assert_eq!(
        (String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()),
        (expected, Some(1))
    );
    // What it refused outweighs that; without GameIds games are known by their names.
    let named = r#"{"games":[{"tags":{"White":"W 1"},"error":"no"},{"tags":{"White":"W 3"},"moves":5},{"tags":{},"moves":5}]}"#;
    let Some((_, _, output)) = push_games(&pgn, named) else { return };
    let expected = "boardbus-push-lichess: refused: board 1 (W 1 - B 1): no\n\
                    boardbus-push-lichess: board 4 (W 4 - B 4): the server's answer has no such game\n\
                    boardbus-push-lichess: 2 games, 10 plies taken\n";
    assert_eq!(
        (String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()),
        (expected, Some(4))
    );
}

#[test]
fn nonsense_answers_exit_for_a_retry_without_traceback() {
    let json = |body: &str| {
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
    };
    for reply in [
        "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"games\":[]}".into(),
        "HTTP/1.1 500 Oops\r\nContent-Length: 500\r\n\r\ncut short".into(),
        "220 smtp.example.org ready\r\n\r\n".into(),
        "HTTP/1.1 abc\r\n\r\n".into(),
        String::new(),
        json(""),
        json("[]"),
        json("null"),
        json("{}"),
        json("{\"games\":{\"a\":1}}"),
        json("<html>maintenance</html>"),
        json(&"[".repeat(100_000)),
    ] {
        let Some((_, _, output)) = push_and_get(reply.clone()) else { return };
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(3), 1), "{reply:.80}: {errors}");
    }
    let odd = "{\"games\":[1,null,{\"moves\":\"x\",\"tags\":7,\"error\":\"bad \\u001b[31m lip_secret\"},{\"moves\":2}]}";
    let Some((_, _, output)) = push_and_get(json(odd)) else { return };
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{errors}");
    let expected = "boardbus-push-lichess: refused: Ås - ?: bad \\x1b[31m ***\n\
        boardbus-push-lichess: the server's answer has a game that was not sent: ? - ?\n\
        boardbus-push-lichess: 1 games, 2 plies taken\n";
    assert_eq!(errors, expected);
}

#[test]
fn dripping_servers_delay_the_next_push_by_the_limit() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    for begin in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 503 Busy\r\n\r\n"] {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.local_addr().unwrap());
        let served = thread::spawn(move || {
            let (mut stream, _) = server.accept().unwrap();
            let mut drop = stream.write_all(begin.as_bytes());
            // A drop now and then, until the other side has gone: no read of it waits long.
            while drop.is_ok() {
                thread::sleep(Duration::from_millis(20));
                drop = stream.write_all(b"x");
            }
        });
        let output = run_script(ONE, &url, "1");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(3), 1), "{begin:?}: {errors}");
        served.join().unwrap();
    }
}

#[test]
fn a_redirect_is_refused_and_the_token_stays_here() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let to = elsewhere.local_addr().unwrap();
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        let reply = format!("HTTP/1.1 {status}\r\nLocation: http://{to}/\r\nContent-Length: 0\r\n\r\n");
        let Some((_, _, output)) = push_and_get(reply) else { return };
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{errors}");
        assert!(errors.contains("names another address"), "{errors}");
    }
    assert!(elsewhere.accept().is_err(), "somebody came");
}

#[test]
fn requests_are_checked_before_sending() {
    let run = |arguments: &[&str], token: &str, url: &str, patience: &str| {
        let mut script = Command::new("python3");
        script.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-push-lichess")).args(arguments);
        script
            .env("LICHESS_TOKEN", token)
            .env("LICHESS_URL", url)
            .env("LICHESS_TIMEOUT", patience)
            .output()
            .ok()
    };
    let server = "https://127.0.0.1:1";
    for (arguments, token, url, says) in [
        (&["../../x", "f.pgn"][..], "lip_a", server, "no ROUND_ID"),
        (&["abcd1234/x", "f.pgn"], "lip_a", server, "no ROUND_ID"),
        (&["abcd1234", "f.pgn", "--every", "nan"], "lip_a", server, "--every takes seconds"),
        (&["abcd1234", "f.pgn", "--every", "0"], "lip_a", server, "--every takes seconds"),
        (&["abcd1234", "f.pgn", "--every", "-5"], "lip_a", server, "--every takes seconds"),
        (&["abcd1234", "f.pgn", "--every", "soon"], "lip_a", server, "--every takes seconds"),
        (&["abcd1234", "f.pgn"], "lip_a\nX-Header: 1", server, "LICHESS_TOKEN is no token"),
        (&["abcd1234", "f.pgn"], "", server, "set LICHESS_TOKEN"),
        (&["abcd1234", "f.pgn"], "lip_a", "file:///etc", "LICHESS_URL is no address"),
        (&["abcd1234", "f.pgn"], "lip_a", "https://user:pw@example.org", "LICHESS_URL is no address"),
    ] {
        let Some(output) = run(arguments, token, url, "30") else { return };
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{arguments:?}: {errors}");
        assert!(errors.contains(says) && !errors.contains("lip_a") && !errors.contains("pw"), "{errors}");
    }
    let Some(output) = run(&["abcd1234", "f.pgn"], "lip_a", server, "0") else { return };
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("LICHESS_TIMEOUT takes seconds from 1 to 3600, not 0"), "{errors}");
}
