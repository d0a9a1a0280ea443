//! The part of HTTP that is needed here: each connection has one request, or becomes a WebSocket.

use tungstenite::handshake::derive_accept_key;

/// The greatest length of a request in bytes, and its greatest number of fields.
pub const REQUEST_BYTES_MAX: usize = 16 * 1024;
const FIELDS_MAX: usize = 64;

/// A request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub query: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    /// The token after `Bearer`.
    pub bearer: Option<String>,
    /// The key of a request for a WebSocket.
    pub key: Option<String>,
    /// Its length in bytes.
    pub length: usize,
}

/// Reads a request; none while it is incomplete.
///
/// # Errors
/// The status of the answer, and the reason.
pub fn read(bytes: &[u8]) -> Result<Option<Request>, (u16, String)> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS_MAX];
    let mut parsed = httparse::Request::new(&mut fields);
    let length = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) if bytes.len() >= REQUEST_BYTES_MAX => {
            return Err((431, format!("a request of more than {REQUEST_BYTES_MAX} bytes")));
        }
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err((431, format!("more than {FIELDS_MAX} fields"))),
        Err(e) => return Err((400, format!("no request of HTTP: {e}"))),
    };
    let target = parsed.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        length,
        ..Request::default()
    };
    let (mut upgrade, mut version) = (false, None);
    for field in parsed.headers.iter() {
        let Ok(value) = std::str::from_utf8(field.value) else { continue };
        let value = value.trim();
        let once = |known: &mut Option<String>| match known.replace(value.to_owned()) {
            Some(_) => Err((400, format!("{} stands twice", field.name))),
            None => Ok(()),
        };
        match field.name.to_ascii_lowercase().as_str() {
            "host" => once(&mut request.host)?,
            "origin" => once(&mut request.origin)?,
            "upgrade" => {
                upgrade |= value.split(',').any(|word| word.trim().eq_ignore_ascii_case("websocket"))
            }
            "sec-websocket-key" => once(&mut request.key)?,
            "sec-websocket-version" => version = Some(value.to_owned()),
            "authorization" => request.bearer = value.strip_prefix("Bearer ").map(str::to_owned),
            _ => {}
        }
    }
    match (upgrade, &request.key, version.as_deref()) {
        (false, ..) => request.key = None,
        (true, Some(key), Some("13")) if key.len() <= 64 => {}
        (true, Some(_), _) => return Err((426, "a WebSocket of another version than 13".into())),
        (true, None, _) => return Err((400, "an upgrade without a Sec-WebSocket-Key".into())),
    }
    Ok(Some(request))
}

/// An answer with a body.
pub fn answer(status: u16, kind: &str, body: &[u8], fields: &str) -> Vec<u8> {
    let mut answer = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{fields}\r\n",
        reason(status),
        body.len()
    );
    if status == 426 {
        answer = answer.replacen("\r\n", "\r\nSec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n", 1);
    }
    let mut answer = answer.into_bytes();
    answer.extend_from_slice(body);
    answer
}

/// An answer with an error message.
pub fn refusal(status: u16, what: &str) -> Vec<u8> {
    answer(status, "text/plain; charset=utf-8", format!("{what}\n").as_bytes(), "")
}

/// An answer to a browser's preflight request.
pub fn may_ask(fields: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 204 No Content\r\nConnection: close\r\nAccess-Control-Allow-Methods: GET, HEAD\r\n\
         Access-Control-Allow-Headers: *\r\nAccess-Control-Allow-Private-Network: true\r\n{fields}\r\n"
    )
    .into_bytes()
}

/// The answer that turns a connection into a WebSocket.
pub fn upgrade(key: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    )
    .into_bytes()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        426 => "Upgrade Required",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKS: &str = "GET /api/v1.0?token=a HTTP/1.1\r\nHost: localhost:1982\r\nOrigin: https://lichess.org\r\n\
                        Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                        Sec-WebSocket-Version: 13\r\n\r\n";

    #[test]
    fn a_request_is_read_when_it_is_whole() {
        for length in 0..ASKS.len() {
            assert_eq!(read(&ASKS.as_bytes()[..length]), Ok(None), "{length}");
        }
        let request = read(ASKS.as_bytes()).unwrap().unwrap();
        assert_eq!((&*request.method, &*request.path, &*request.query), ("GET", "/api/v1.0", "token=a"));
        assert_eq!(request.origin.as_deref(), Some("https://lichess.org"));
        // The example of RFC 6455, section 1.3.
        let answer = String::from_utf8(upgrade(&request.key.unwrap())).unwrap();
        assert!(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{answer}");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let status = |text: &str| read(text.as_bytes()).map(|_| ()).map_err(|(status, _)| status);
        assert_eq!(status("\u{1}\r\n"), Err(400));
        assert_eq!(status(&ASKS.replace("13", "8")), Err(426));
        assert_eq!(status(&ASKS.replace("Sec-WebSocket-Key", "X")), Err(400));
        assert_eq!(status(&ASKS.replace("Host", "Host: evil\r\nHost")), Err(400));
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(REQUEST_BYTES_MAX))), Err(431));
        assert_eq!(status(&format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(FIELDS_MAX + 1))), Err(431));
    }
}
