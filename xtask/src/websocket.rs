//! A minimal WebSocket client: whole text messages there and back.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

const READ_LIMIT: Duration = Duration::from_secs(60);
const LARGEST_MESSAGE: u64 = 64 << 20;

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;
const LAST: u8 = 0x80;

#[derive(Debug)]
pub(crate) struct WebSocket {
    stream: BufReader<TcpStream>,
}

impl WebSocket {
    /// Open one that speaks a subprotocol.
    pub(crate) fn open(host: &str, path: &str, protocol: &str) -> Result<WebSocket> {
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_LIMIT))?;
        let mut socket = WebSocket { stream: BufReader::new(stream) };
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2NlbmV3cmlnaHQgdGVzdA==\r\n\
             Sec-WebSocket-Protocol: {protocol}\r\n\r\n"
        );
        socket.stream.get_mut().write_all(request.as_bytes())?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            socket.stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head);
        ensure!(head.starts_with("HTTP/1.1 101 "), "no WebSocket: {head}");
        Ok(socket)
    }

    pub(crate) fn send(&mut self, message: &str) -> Result<()> {
        self.write_frame(TEXT, message.as_bytes())
    }

    /// The next whole message.
    pub(crate) fn receive(&mut self) -> Result<Vec<u8>> {
        let mut message = Vec::new();
        loop {
            let [first, second] = self.read_array()?;
            let length = match second & 0x7f {
                126 => u64::from(u16::from_be_bytes(self.read_array()?)),
                127 => u64::from_be_bytes(self.read_array()?),
                short => u64::from(short),
            };
            ensure!(length <= LARGEST_MESSAGE, "a frame of {length} bytes");
            let mut content = vec![0; length as usize];
            self.stream.read_exact(&mut content)?;
            match first & 0xf {
                PING => self.write_frame(PONG, &content)?,
                PONG => {}
                CLOSE => bail!("the server closed the connection"),
                _ => {
                    message.extend(content);
                    if first & LAST != 0 {
                        return Ok(message);
                    }
                }
            }
        }
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn write_frame(&mut self, kind: u8, content: &[u8]) -> Result<()> {
        let mut frame = head(kind, content.len());
        frame.extend(content);
        Ok(self.stream.get_mut().write_all(&frame)?)
    }
}

/// What stands before the content of a client's frame. Clients must mask; a mask of zeros is one,
/// and leaves the content as it is.
fn head(kind: u8, length: usize) -> Vec<u8> {
    let mut head = vec![LAST | kind];
    match length {
        0..=125 => head.push(0x80 | length as u8),
        126..=0xffff => {
            head.push(0x80 | 126);
            head.extend((length as u16).to_be_bytes());
        }
        _ => {
            head.push(0x80 | 127);
            head.extend((length as u64).to_be_bytes());
        }
    }
    head.extend([0; 4]);
    head
}

#[cfg(test)]
mod tests {
    use super::{TEXT, head};

    #[test]
    fn says_how_long_a_frame_is() {
        assert_eq!(head(TEXT, 5), [0x81, 0x85, 0, 0, 0, 0]);
        assert_eq!(head(TEXT, 300)[..4], [0x81, 0xfe, 1, 44]);
        assert_eq!(head(TEXT, 1 << 16)[..10], [0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]);
    }
}
