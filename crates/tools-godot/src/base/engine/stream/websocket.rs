//! As much of RFC 6455 as a server needs that only talks: the handshake, text frames, pings and
//! the end.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha1::{Digest, Sha1};

/// A longer request or frame is not one of a client that listens.
const MAX_BYTES: usize = 16 * 1024;
/// A client that says or takes nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(10);
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xA;

/// An open connection.
pub(super) struct Socket {
    stream: TcpStream,
    /// What came and is no whole frame yet.
    pending: Vec<u8>,
}

/// Answer a client's handshake, or refuse it.
pub(super) fn accept(mut stream: TcpStream) -> Result<Socket> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = read_request(&mut stream)?;
    match answer(&request) {
        Ok(key) => {
            let head =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
            write!(stream, "{head}Sec-WebSocket-Accept: {key}\r\n\r\n")?;
            stream.set_nonblocking(true)?;
            Ok(Socket { stream, pending: Vec::new() })
        }
        Err(status) => {
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
            Err(ErrorKind::InvalidInput.into())
        }
    }
}

fn read_request(stream: &mut TcpStream) -> Result<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 1024];
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&buffer[..read]),
        }
        if bytes.len() > MAX_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
    }
    String::from_utf8(bytes).map_err(Error::other)
}

/// The key that accepts a request, or the status that refuses it.
fn answer(request: &str) -> std::result::Result<String, &'static str> {
    let header = |name: &str| {
        request.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.trim().eq_ignore_ascii_case(name).then(|| value.trim())
        })
    };
    if !request.starts_with("GET ") {
        return Err("405 Method Not Allowed");
    }
    // A page of the web can make a browser connect here, under its own name or a borrowed one.
    let origin = header("origin").map(|origin| origin.split("://").nth(1).unwrap_or(origin));
    if !header("host").is_some_and(is_loopback) || !origin.is_none_or(is_loopback) {
        return Err("403 Forbidden");
    }
    let upgrades = header("upgrade").is_some_and(|to| to.eq_ignore_ascii_case("websocket"));
    match header("sec-websocket-key").filter(|_| upgrades) {
        Some(key) => Ok(accept_key(key)),
        None => Err("426 Upgrade Required"),
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    matches!(name, "localhost" | "127.0.0.1" | "::1")
}

fn accept_key(key: &str) -> String {
    let digest = Sha1::digest(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    BASE64_STANDARD.encode(digest)
}

impl Socket {
    /// Send a text.
    pub(super) fn send(&mut self, text: &str) -> Result<()> {
        self.frame(0x1, text.as_bytes())
    }

    /// Say goodbye.
    pub(super) fn close(&mut self) -> Result<()> {
        self.frame(CLOSE, &1000_u16.to_be_bytes())
    }

    fn frame(&mut self, kind: u8, payload: &[u8]) -> Result<()> {
        let mut bytes = vec![0x80 | kind];
        match payload.len() {
            short @ 0..126 => bytes.push(short as u8),
            medium @ 126..=0xffff => {
                bytes.push(126);
                bytes.extend_from_slice(&(medium as u16).to_be_bytes());
            }
            long => {
                bytes.push(127);
                bytes.extend_from_slice(&(long as u64).to_be_bytes());
            }
        }
        bytes.extend_from_slice(payload);
        self.stream.set_nonblocking(false)?;
        let sent = self.stream.write_all(&bytes);
        self.stream.set_nonblocking(true)?;
        sent
    }

    /// Hear what the client says: pings are answered, texts passed over. False when it leaves.
    pub(super) fn is_open(&mut self) -> Result<bool> {
        let mut buffer = [0; 1024];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(read) => self.pending.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
            if self.pending.len() > MAX_BYTES {
                return Err(ErrorKind::InvalidData.into());
            }
        }
        while let Some((kind, payload, used)) = parse(&self.pending)? {
            self.pending.drain(..used);
            match kind {
                CLOSE => {
                    self.close()?;
                    return Ok(false);
                }
                PING => self.frame(PONG, &payload)?,
                _ => {}
            }
        }
        Ok(true)
    }
}

/// The first frame: its kind, its payload without the mask, and its length.
fn parse(bytes: &[u8]) -> Result<Option<(u8, Vec<u8>, usize)>> {
    let [first, second, ..] = bytes else { return Ok(None) };
    // Clients mask what they send, and what is this long they do not send.
    if second & 0x80 == 0 || second & 0x7f == 127 {
        return Err(ErrorKind::InvalidData.into());
    }
    let (length, mask_at) = match (second & 0x7f, bytes) {
        (126, [_, _, high, low, ..]) => (usize::from(u16::from_be_bytes([*high, *low])), 4),
        (126, _) => return Ok(None),
        (short, _) => (usize::from(short), 2),
    };
    let end = mask_at + 4 + length;
    if bytes.len() < end {
        return if end > MAX_BYTES { Err(ErrorKind::InvalidData.into()) } else { Ok(None) };
    }
    let mask = &bytes[mask_at..mask_at + 4];
    let payload = &bytes[mask_at + 4..end];
    let plain = payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
    Ok(Some((first & 0x0f, plain, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(lines: &[&str]) -> String {
        format!("GET / HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"))
    }

    #[test]
    fn the_key_of_the_standard_is_accepted() {
        let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        let good = request(&["Host: localhost:9999", "Upgrade: WebSocket", key]);
        assert_eq!(answer(&good).as_deref(), Ok("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    }

    #[test]
    fn pages_of_others_and_other_requests_are_refused() {
        let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        let check = |lines: &[&str]| answer(&request(lines)).unwrap_err();
        let foreign =
            ["Host: 127.0.0.1:9999", "Origin: https://evil.example", "Upgrade: websocket", key];
        assert_eq!(check(&foreign), "403 Forbidden");
        assert_eq!(check(&["Host: evil.example:9999", "Upgrade: websocket", key]), "403 Forbidden");
        assert_eq!(check(&["Upgrade: websocket", key]), "403 Forbidden");
        assert_eq!(
            check(&["Host: [::1]:9999", "Origin: http://localhost:3000"]),
            "426 Upgrade Required"
        );
        assert_eq!(answer("POST / HTTP/1.1\r\n\r\n"), Err("405 Method Not Allowed"));
    }

    #[test]
    fn frames_are_read_when_they_are_whole() {
        let ping = [0x89, 0x82, 1, 2, 3, 4, b'h' ^ 1, b'i' ^ 2, 0x88];
        assert_eq!(parse(&ping).unwrap(), Some((PING, b"hi".to_vec(), 8)));
        assert_eq!(parse(&ping[..7]).unwrap(), None);
        assert_eq!(parse(&ping[..1]).unwrap(), None);
        assert!(parse(&[0x81, 0x02, b'h', b'i']).is_err());
        assert!(parse(&[0x81, 0xff, 0, 0]).is_err());
        assert!(parse(&[0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0]).is_err());
    }
}
