//! HTTP as hosts of this interface speak it: one request a connection.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use super::Address;

/// A host that is there takes a connection sooner than this.
const CONNECT: Duration = Duration::from_secs(2);
/// No answer, and no message of a stream, may be longer.
const MAX_ANSWER: usize = 64 * 1024 * 1024;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Nobody took the connection, so nothing was asked.
    Unreachable(String),
    /// It broke off after the question; what the host did is not known.
    Broken(String),
    /// What answered does not speak this interface, or not with us.
    Foreign(String),
}

impl Trouble {
    /// The reason, in words.
    pub(super) fn problem(&self) -> &str {
        match self {
            Self::Unreachable(problem) | Self::Broken(problem) | Self::Foreign(problem) => problem,
        }
    }
}

/// Ask one thing, and read the whole answer as JSON, whatever its status.
pub(super) async fn ask(
    address: &Address,
    token: Option<&HeaderValue>,
    message: &Value,
) -> Result<Value, Trouble> {
    let (status, mut body) = post(address, token, message).await?;
    let mut bytes = BytesMut::new();
    while let Some(part) = next(&mut body).await? {
        if bytes.len() + part.len() > MAX_ANSWER {
            let most = MAX_ANSWER / (1024 * 1024);
            return Err(Trouble::Foreign(format!("its answer is longer than {most} MiB")));
        }
        bytes.extend_from_slice(&part);
    }
    let answer: Option<Value> = serde_json::from_slice(&bytes).ok();
    let answer = answer.filter(|answer| {
        answer.get("result").is_some() || answer["error"].get("message").is_some()
    });
    let answer = answer.ok_or_else(|| foreign(status))?;
    match answer["error"]["code"].as_i64() {
        // We ask only what the interface has, so this is something else: a server without a world.
        Some(-32700 | -32601 | -32600) => {
            let said = answer["error"]["message"].as_str().unwrap_or_default();
            Err(Trouble::Foreign(format!("it does not speak that interface ({said})")))
        }
        _ => Ok(answer),
    }
}

/// A stream of JSON lines.
pub(super) struct Lines {
    body: Incoming,
    rest: BytesMut,
}

/// Ask for a stream. It is open when the host has begun to answer.
pub(super) async fn stream(
    address: &Address,
    token: Option<&HeaderValue>,
    message: &Value,
) -> Result<Lines, Trouble> {
    let (status, body) = post(address, token, message).await?;
    if !status.is_success() {
        return Err(foreign(status));
    }
    Ok(Lines { body, rest: BytesMut::new() })
}

impl Lines {
    /// The next line; none at the end. A call that is given up loses nothing.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Trouble> {
        let mut seen = 0;
        loop {
            if let Some(end) = self.rest[seen..].iter().position(|byte| *byte == b'\n') {
                return Ok(Some(self.rest.split_to(seen + end + 1).freeze()));
            }
            seen = self.rest.len();
            let Some(part) = next(&mut self.body).await? else { return Ok(None) };
            if seen + part.len() > MAX_ANSWER {
                return Err(Trouble::Foreign("it sends a line without end".to_owned()));
            }
            self.rest.extend_from_slice(&part);
        }
    }
}

/// Whether anyone still takes connections there.
pub(super) async fn connect(address: &Address) -> Result<TcpStream, Trouble> {
    match tokio::time::timeout(CONNECT, TcpStream::connect(address.target())).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(Trouble::Unreachable(error.to_string())),
        Err(_) => Err(Trouble::Unreachable("nobody took the connection in time".to_owned())),
    }
}

async fn post(
    address: &Address,
    token: Option<&HeaderValue>,
    message: &Value,
) -> Result<(StatusCode, Incoming), Trouble> {
    let stream = connect(address).await?;
    // Without this a small request may wait for the host's delayed acknowledgement.
    let _ = stream.set_nodelay(true);
    let broken = |error: hyper::Error| Trouble::Broken(error.to_string());
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // It ends with the request and its body, whose other half it is.
    tokio::spawn(connection);
    let mut request = Request::post("/message")
        .header(header::HOST, address.authority())
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json");
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, token);
    }
    let request = request
        .body(Full::new(Bytes::from(ascii(&message.to_string()))))
        .map_err(|error| Trouble::Foreign(error.to_string()))?;
    let response = sender.send_request(request).await.map_err(broken)?;
    Ok((response.status(), response.into_body()))
}

async fn next(body: &mut Incoming) -> Result<Option<Bytes>, Trouble> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
            Some(Err(error)) => return Err(Trouble::Broken(error.to_string())),
        }
    }
}

fn foreign(status: StatusCode) -> Trouble {
    Trouble::Foreign(match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("it turned us away (HTTP {}); it may want a token", status.as_u16())
        }
        StatusCode::TOO_MANY_REQUESTS => "it has no room for us (HTTP 429)".to_owned(),
        _ => format!("no answer of that interface (HTTP {})", status.as_u16()),
    })
}

/// JSON in ASCII: hosts count characters where HTTP counts bytes, and wait for what never comes.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_ascii() {
        let message = serde_json::json!({ "name": "Tür 🚪", "n": 1 });
        let text = ascii(&message.to_string());
        assert_eq!(text, r#"{"name":"T\u00fcr \ud83d\udeaa","n":1}"#);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), message);
    }
}
