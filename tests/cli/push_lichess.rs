//! `scripts/push-lichess`, against a server that answers as the documentation says.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::{Command, Output},
    thread,
};

/// Runs the script against a server that answers once; gives what it was sent, and how the script ended.
fn push(status: &str, answer: &str) -> Option<(String, String, Output)> {
    // The script needs Python, the project does not.
    Command::new("python3").arg("--version").output().ok()?;
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    let reply = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
        answer.len()
    );
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
        stream.write_all(reply.as_bytes()).unwrap();
        (head, String::from_utf8(body).unwrap())
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[White \"Ås\"]\n\n1. e4 *\n\n").unwrap();
    let output = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/push-lichess"))
        .arg("abcd1234")
        .arg(file.path())
        .env("LICHESS_TOKEN", "lip_secret")
        .env("LICHESS_URL", url)
        .env("no_proxy", "*")
        .output()
        .unwrap();
    let (head, body) = served.join().unwrap();
    Some((head, body, output))
}

#[test]
fn a_round_is_pushed_by_the_documented_call() {
    let answer = r#"{"games":[{"tags":{"White":"Ås"},"moves":1}]}"#;
    let Some((head, body, output)) = push("200 OK", answer) else { return };
    assert!(head.starts_with("POST /api/broadcast/round/abcd1234/push HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nAuthorization: Bearer lip_secret\r\n"), "{head}");
    assert!(head.to_lowercase().contains("\r\ncontent-type: text/plain"), "{head}");
    assert_eq!(body, "[White \"Ås\"]\n\n1. e4 *\n\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "push-lichess: 1 games, 1 plies taken\n");
}

#[test]
fn a_refused_game_and_a_busy_server_are_told_apart() {
    let answer = r#"{"games":[{"tags":{"White":"Ås","Black":"B"},"error":"Cannot play e9"}]}"#;
    let Some((_, _, output)) = push("200 OK", answer) else { return };
    assert_eq!(output.status.code(), Some(4));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("push-lichess: refused: Ås - B: Cannot play e9\n"), "{errors}");
    let Some((_, _, output)) = push("429 Too Many Requests", "{}") else { return };
    assert_eq!(output.status.code(), Some(3));
    let Some((_, _, output)) = push("401 Unauthorized", "{\"error\":\"No such token\"}") else { return };
    assert_eq!(output.status.code(), Some(4));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("401") && !errors.contains("lip_secret"), "{errors}");
}
