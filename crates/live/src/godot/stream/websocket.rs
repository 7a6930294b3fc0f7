//! The WebSocket of a stream: who may connect, and text out. What clients say is passed over.

use std::io::{Error, ErrorKind, Result};
use std::net::TcpStream;
use std::time::Duration;

use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::StatusCode;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

/// A longer message is not one of a client that listens.
const MAX_BYTES: usize = 16 * 1024;
/// A client that says or takes nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open connection.
pub(super) struct Socket(WebSocket<TcpStream>);

/// Answer a client's handshake, or refuse it.
pub(super) fn accept(stream: TcpStream) -> Result<Socket> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_BYTES))
        .max_frame_size(Some(MAX_BYTES));
    let socket = tungstenite::accept_hdr_with_config(stream, admit, Some(config));
    let socket = socket.map_err(|error| Error::new(ErrorKind::InvalidInput, error.to_string()))?;
    socket.get_ref().set_nonblocking(true)?;
    Ok(Socket(socket))
}

/// A page of the web can make a browser connect here, under its own name or a borrowed one.
#[expect(clippy::result_large_err, reason = "the type is the library's")]
fn admit(request: &Request, response: Response) -> std::result::Result<Response, ErrorResponse> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let origin = header("origin").map(|origin| origin.split("://").nth(1).unwrap_or(origin));
    if header("host").is_some_and(is_loopback) && origin.is_none_or(is_loopback) {
        return Ok(response);
    }
    let mut refusal = ErrorResponse::new(None);
    *refusal.status_mut() = StatusCode::FORBIDDEN;
    Err(refusal)
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    matches!(name, "localhost" | "127.0.0.1" | "::1")
}

impl Socket {
    /// Send a text.
    pub(super) fn send(&mut self, text: &str) -> Result<()> {
        self.waiting(|socket| socket.send(Message::text(text)))
    }

    /// Say goodbye.
    pub(super) fn close(&mut self) -> Result<()> {
        self.waiting(|socket| {
            socket.close(None)?;
            socket.flush()
        })
    }

    /// Writing waits for a slow client, as long as one is waited for; reading never does.
    fn waiting(
        &mut self,
        write: impl FnOnce(&mut WebSocket<TcpStream>) -> tungstenite::Result<()>,
    ) -> Result<()> {
        self.0.get_ref().set_nonblocking(false)?;
        let written = write(&mut self.0).map_err(Error::other);
        self.0.get_ref().set_nonblocking(true)?;
        written
    }

    /// Hear what the client says: pings are answered, texts passed over. False when it leaves.
    pub(super) fn is_open(&mut self) -> Result<bool> {
        loop {
            match self.0.read() {
                Ok(Message::Close(_)) => {
                    // The answer to a goodbye is written here; that nobody waits for it is no news.
                    let _ = self.waiting(WebSocket::flush);
                    return Ok(false);
                }
                Ok(Message::Ping(_)) => self.waiting(WebSocket::flush)?,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    return Ok(true);
                }
                Err(tungstenite::Error::ConnectionClosed) => return Ok(false),
                Err(error) => return Err(Error::other(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// The first line of the answer to a handshake with these headers, and whether it was taken.
    fn shake(headers: &[&str]) -> (String, bool) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || accept(listener.accept().unwrap().0).is_ok());
        let mut client = TcpStream::connect(address).unwrap();
        let key = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        write!(client, "GET / HTTP/1.1\r\n{key}\r\n{}\r\n\r\n", headers.join("\r\n")).unwrap();
        client.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut answer = [0; 12];
        client.read_exact(&mut answer).unwrap();
        (String::from_utf8_lossy(&answer).into_owned(), server.join().unwrap())
    }

    #[test]
    fn pages_of_others_are_refused() {
        let taken = ("HTTP/1.1 101".to_owned(), true);
        let refused = ("HTTP/1.1 403".to_owned(), false);
        assert_eq!(shake(&["Host: localhost:9999"]), taken);
        assert_eq!(shake(&["Host: [::1]:9999", "Origin: http://localhost:3000"]), taken);
        assert_eq!(shake(&["Host: 127.0.0.1:9999", "Origin: https://evil.example"]), refused);
        assert_eq!(shake(&["Host: evil.example:9999"]), refused);
    }

    #[test]
    fn pings_are_answered_and_a_goodbye_ends_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let mut socket = accept(listener.accept().unwrap().0).unwrap();
            socket.send("hello").unwrap();
            while socket.is_open().unwrap() {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (mut client, _) = tungstenite::client(format!("ws://{address}/"), stream).unwrap();
        assert_eq!(client.read().unwrap(), Message::text("hello"));
        client.send(Message::Ping("hi".into())).unwrap();
        assert_eq!(client.read().unwrap(), Message::Pong("hi".into()));
        client.close(None).unwrap();
        assert!(matches!(client.read(), Ok(Message::Close(_))));
        server.join().unwrap();
    }
}
