//! The pages for people: the boards, their state, and the addresses for programs.

use super::{hall::Hall, rest::Rest};
use crate::{
    format::{html::STYLE, plain},
    record::CHESS_START,
};

/// What the pages may load: nothing but themselves.
pub const POLICY: &str = "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

/// The page of the hall, for a client that used the name `host`.
pub fn hall(hall: &Hall, rest: &Rest, host: &str, connections: usize) -> String {
    let mut rows = String::new();
    for (_, board) in hall.in_order() {
        let eboard = board.as_eboard();
        let game = rest.game_of(&board.name);
        let last = game.and_then(|game| game.moves.last());
        let doing = match (game, last) {
            (Some(game), Some(mv)) => {
                let name = mv.san.as_ref().or(mv.notation.as_ref()).cloned().unwrap_or_default();
                let over = if game.is_over() { ", over" } else { "" };
                format!("{} {name}{over}", mv.number())
            }
            _ if CHESS_START.starts_with(&eboard.board) => "stands at the start".to_owned(),
            _ => "nothing played yet".to_owned(),
        };
        let clock = eboard.clock.map_or(String::new(), |clock| {
            let runs = |side| if clock.run == Some(side) { " *" } else { "" };
            format!("{}{} – {}{}", time(clock.white), runs(true), time(clock.black), runs(false))
        });
        let address = format!("ws://{host}/board/{}/api/v1.0", encoded(&board.serial));
        let cells = [&board.serial, eboard.state, &rest.players(&board.name), &doing, &clock];
        rows += "<tr>";
        rows.extend(cells.map(|cell| format!("<td>{}</td>", escaped(cell))));
        rows += &format!("<td><code>{}</code></td></tr>\n", escaped(&address));
    }
    let answering = hall.boards.iter().filter(|board| board.answers()).count();
    let connections = match connections {
        1 => "1 connection".to_owned(),
        n => format!("{n} connections"),
    };
    let ended = if hall.has_ended { " The input has ended: this is what was read." } else { "" };
    let body = format!(
        "<h1>boardbus</h1>\n<p>{answering} of {} boards answer; {connections}.{ended}</p>\n\
         <div class=\"scroll\"><table>\n<tr><th>Board</th><th>State</th><th>Players</th><th>Last move</th><th>Clocks</th>\
         <th>For programs that take the first board</th></tr>\n{rows}</table></div>\n\
         <p>All boards, as LiveChess has them: <code>ws://{host}/api/v1.0</code>, <code>http://{host}/api/v1.0/eboards</code>. \
         Records: <code>ws://{host}/records</code>. <a href=\"/doc/index.html\">How programs ask</a>; all of it is in \
         <code>man boardbus-serve</code>.</p>",
        hall.boards.len(),
        host = escaped(host)
    );
    whole("Boards", "<meta http-equiv=\"refresh\" content=\"5\">", &body)
}

/// The page about the interface, in place of LiveChess's. lichess links to it as a test of the connection.
pub fn doc() -> String {
    let body = "<h1>boardbus serves LiveChess's interface</h1>\n\
        <p>You see this, so programs and pages on this machine can reach the boards. <a href=\"/\">Which boards there are</a>.</p>\n\
        <ul>\n<li><code>/api/v1.0</code> over WebSocket: the calls <code>eboards</code>, <code>sources</code>, <code>subscribe</code>, \
        <code>unsubscribe</code>, and <code>call</code> with the methods <code>setup</code> and <code>flip</code>; the feed is \
        <code>eboardevent</code>.</li>\n\
        <li><code>/board/SERIAL/api/v1.0</code>: the same with one board alone, for programs that take the first.</li>\n\
        <li><code>/api/v1.0/eboards</code>, <code>tournaments</code>, <code>tournament/ID</code>, <code>round/ID/N</code>, \
        <code>game/ID</code> over HTTP.</li>\n\
        <li><code>/records</code> over WebSocket: the records of boards and games.</li>\n</ul>\n\
        <p>All of it is in <code>man boardbus-serve</code>.</p>";
    whole("boardbus", "", body)
}

fn whole(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{head}<title>{title}</title>\n\
         <style>{STYLE}\nmain {{ padding: 1rem; }} .scroll {{ overflow-x: auto; }} td, th {{ text-align: left; padding: .2rem .8rem .2rem 0; white-space: nowrap; }} p code {{ overflow-wrap: anywhere; }}</style>\n\
         </head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
}

fn time(seconds: i64) -> String {
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    if minutes < 60 {
        format!("{minutes}:{seconds:02}")
    } else {
        format!("{}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
    }
}

/// Text escaped for a page.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\'' => "&#39;".to_owned(),
        c => c.to_string(),
    };
    plain(text).chars().map(escape).collect()
}

/// Text escaped for an address.
fn encoded(text: &str) -> String {
    let mut address = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => address.push(byte.into()),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}
