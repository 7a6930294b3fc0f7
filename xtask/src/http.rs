//! A minimal HTTP/1.1 client: a connection that stays open, and bodies that may never end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

/// Longer than the server takes for anything: a busy machine is no failure of the server.
const READ_LIMIT: Duration = Duration::from_secs(90);
const LARGEST_BODY: usize = 64 << 20;

/// The host and the path of a URL.
pub(crate) fn split(url: &str) -> Result<(&str, &str)> {
    let address = url.strip_prefix("http://").context("only http:// is spoken here")?;
    let path = address.find('/').context("the URL has no path")?;
    Ok(address.split_at(path))
}

/// A connection to a server, opened anew when an answer closed it.
#[derive(Debug)]
pub(crate) struct Connection {
    host: String,
    stream: BufReader<TcpStream>,
    /// Of the last answer.
    pub(crate) body: Vec<u8>,
    /// The MCP session that an answer opened.
    pub(crate) session: Option<String>,
}

/// How an answer says where its body ends.
#[derive(Debug, Clone, Copy)]
enum Length {
    Known(usize),
    Chunked,
    ToTheEnd,
}

impl Connection {
    pub(crate) fn open(host: &str) -> Result<Connection> {
        Ok(Connection {
            host: host.into(),
            stream: connect(host)?,
            body: Vec::new(),
            session: None,
        })
    }

    /// Send a request, whose head lacks only the length, and read the whole answer.
    pub(crate) fn exchange(&mut self, head: &str, body: &str) -> Result<u16> {
        self.send(head, body)?;
        let (status, length, keep) = self.read_head()?;
        self.read_body(length)?;
        if !keep || matches!(length, Length::ToTheEnd) {
            self.stream = connect(&self.host)?;
        }
        Ok(status)
    }

    /// Send a request whose answer comes bit by bit.
    pub(crate) fn stream(mut self, head: &str, body: &str) -> Result<Incoming> {
        self.send(head, body)?;
        let (status, length, _) = self.read_head()?;
        ensure!(status == 200, "HTTP {status} for a stream");
        Ok(match length {
            Length::Chunked => Incoming::Chunked(BufReader::new(Chunks::new(self.stream))),
            Length::Known(_) | Length::ToTheEnd => Incoming::Plain(self.stream),
        })
    }

    fn send(&mut self, head: &str, body: &str) -> Result<()> {
        let message = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        Ok(self.stream.get_mut().write_all(message.as_bytes())?)
    }

    fn read_head(&mut self) -> Result<(u16, Length, bool)> {
        let status = read_line(&mut self.stream)?;
        let code = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let code = code.with_context(|| format!("not an HTTP status line: {status:?}"))?;
        let (mut length, mut keep) = (Length::ToTheEnd, true);
        loop {
            let line = read_line(&mut self.stream)?;
            if line.is_empty() {
                return Ok((code, length, keep));
            }
            let (name, value) = line.split_once(':').context("a header without a colon")?;
            let (name, value) = (name.to_ascii_lowercase(), value.trim());
            match name.as_str() {
                "content-length" => length = Length::Known(value.parse()?),
                "transfer-encoding" if value.eq_ignore_ascii_case("chunked") => {
                    length = Length::Chunked;
                }
                "mcp-session-id" => self.session = Some(value.to_owned()),
                "connection" if value.eq_ignore_ascii_case("close") => keep = false,
                _ => {}
            }
        }
    }

    fn read_body(&mut self, length: Length) -> Result<()> {
        self.body.clear();
        let limit = LARGEST_BODY as u64;
        match length {
            Length::Known(length) => {
                ensure!(length <= LARGEST_BODY, "a body over {LARGEST_BODY} bytes");
                self.body.resize(length, 0);
                self.stream.read_exact(&mut self.body)?;
            }
            Length::Chunked => {
                let mut chunks = Chunks::new(&mut self.stream);
                chunks.by_ref().take(limit).read_to_end(&mut self.body)?;
                ensure!(chunks.is_over, "a body over {LARGEST_BODY} bytes");
            }
            Length::ToTheEnd => {
                self.stream.by_ref().take(limit).read_to_end(&mut self.body)?;
            }
        }
        Ok(())
    }
}

/// A body that comes bit by bit.
#[derive(Debug)]
pub(crate) enum Incoming {
    Chunked(BufReader<Chunks<BufReader<TcpStream>>>),
    Plain(BufReader<TcpStream>),
}

impl Incoming {
    /// The next line, without its ending, in place of what `line` held; false at the end.
    pub(crate) fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        let read = match self {
            Incoming::Chunked(body) => body.take(LARGEST_BODY as u64).read_until(b'\n', line)?,
            Incoming::Plain(body) => body.take(LARGEST_BODY as u64).read_until(b'\n', line)?,
        };
        line.truncate(line.trim_ascii_end().len());
        Ok(read > 0)
    }

    /// A second hand on the connection, to end it from elsewhere.
    pub(crate) fn handle(&self) -> Result<TcpStream> {
        let stream = match self {
            Incoming::Chunked(body) => body.get_ref().stream.get_ref(),
            Incoming::Plain(body) => body.get_ref(),
        };
        Ok(stream.try_clone()?)
    }
}

/// The content of a chunked body.
#[derive(Debug)]
pub(crate) struct Chunks<R> {
    stream: R,
    /// What is still to come of the chunk.
    left: usize,
    is_over: bool,
}

impl<R: BufRead> Chunks<R> {
    pub(crate) fn new(stream: R) -> Chunks<R> {
        Chunks { stream, left: 0, is_over: false }
    }

    fn next_chunk(&mut self) -> Result<()> {
        let line = read_line(&mut self.stream)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        self.left = usize::from_str_radix(size, 16).with_context(|| format!("chunk {line:?}"))?;
        if self.left == 0 {
            self.is_over = true;
            self.end_chunk()?;
        }
        Ok(())
    }

    /// After a chunk comes an empty line; after the last one trailers, then an empty line.
    fn end_chunk(&mut self) -> Result<()> {
        while !read_line(&mut self.stream)?.is_empty() {}
        Ok(())
    }
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.left == 0 && !self.is_over {
            self.next_chunk().map_err(io::Error::other)?;
        }
        if self.is_over {
            return Ok(0);
        }
        let most = buffer.len().min(self.left);
        let read = self.stream.read(&mut buffer[..most])?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= read;
        if self.left == 0 {
            self.end_chunk().map_err(io::Error::other)?;
        }
        Ok(read)
    }
}

fn read_line(stream: &mut impl BufRead) -> Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        bail!("the server closed the connection");
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn connect(host: &str) -> Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(host).with_context(|| format!("could not reach {host}"))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(READ_LIMIT))?;
    Ok(BufReader::new(stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(body: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Chunks::new(body).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn puts_chunks_together() {
        let body = b"3\r\nabc\r\n2;x=1\r\nde\r\n0\r\nTrailer: 1\r\n\r\nnext";
        assert_eq!(content(body).ok().as_deref(), Some("abcde"));
    }

    #[test]
    fn knows_a_body_that_was_cut_off() {
        assert!(content(b"3\r\nab").is_err());
        assert!(content(b"3\r\nabc\r\n").is_err());
        assert!(content(b"zz\r\n").is_err());
    }

    #[test]
    fn takes_a_url_apart() {
        assert_eq!(split("http://127.0.0.1:9/mcp").ok(), Some(("127.0.0.1:9", "/mcp")));
        assert!(split("https://127.0.0.1/").is_err());
    }
}
