//! Messages behind a `Content-Length` header, as Godot's language and debug servers send them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use serde_json::Value;

/// A longer message is no answer to anything that is asked here.
const MAX_MESSAGE: u64 = 64 << 20;
/// A header has one or two lines.
const MAX_HEADER: u64 = 4096;
/// So many messages wait; then the server has to.
const MAX_WAITING: usize = 4096;
/// A caller who gives up is noticed within this time.
const LOOK: Duration = Duration::from_millis(20);
/// What is written is taken from us within this time.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// A connection to a server of the editor on this machine.
#[derive(Debug)]
pub(super) struct Frames {
    stream: TcpStream,
    incoming: Receiver<Value>,
    /// Who is spoken to, for errors.
    who: &'static str,
}

/// Which messages are of use; the others are dropped as they come.
pub(super) type Wanted = fn(&Value) -> bool;

impl Frames {
    /// Connect to a port of the loopback address.
    pub(super) fn connect(
        who: &'static str,
        port: u16,
        time: Duration,
        wanted: Wanted,
    ) -> std::io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let stream = TcpStream::connect_timeout(&address, time)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        let reader = stream.try_clone()?;
        let (sender, incoming) = sync_channel(MAX_WAITING);
        std::thread::spawn(move || read(BufReader::new(reader), &sender, wanted));
        Ok(Self { stream, incoming, who })
    }

    /// Send a message.
    pub(super) fn send(&mut self, message: &Value) -> Result<(), ToolError> {
        let body = message.to_string();
        // Bytes are counted, not characters.
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(framed.as_bytes()).map_err(|_| self.ended())
    }

    /// The next message. Fails when the connection ends, the time is over, or the caller gives up.
    pub(super) fn next(&self, until: Instant, cancel: &Cancel) -> Result<Value, ToolError> {
        self.next_within(until, cancel)?.ok_or_else(|| {
            ToolError::new(
                ErrorKind::NotReady,
                format!("the {} of the editor does not answer", self.who),
            )
            .hint("call again: what does not answer is replaced by a new one")
        })
    }

    /// The next message; none when the time is over.
    pub(super) fn next_within(
        &self,
        until: Instant,
        cancel: &Cancel,
    ) -> Result<Option<Value>, ToolError> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left.min(LOOK)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    return Err(ToolError::cancelled());
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn ended(&self) -> ToolError {
        ToolError::new(ErrorKind::NotReady, format!("the {} of the editor is gone", self.who))
            .hint("the editor was ended; call again, and another one is started")
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        // The thread that reads notices by this.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn read(mut reader: impl BufRead, sender: &SyncSender<Value>, wanted: Wanted) {
    while let Some(message) = read_message(&mut reader) {
        if wanted(&message) && sender.send(message).is_err() {
            return;
        }
    }
}

/// A message; none at the end of the stream, or when it is no such stream.
fn read_message(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    let mut header = reader.take(MAX_HEADER);
    loop {
        let mut line = Vec::new();
        header.read_until(b'\n', &mut line).ok()?;
        let text = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?.trim_end();
        if text.is_empty() {
            break;
        }
        if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok().filter(|length| *length <= MAX_MESSAGE);
        }
    }
    let mut body = Vec::new();
    let length = length?;
    reader.take(length).read_to_end(&mut body).ok()?;
    (body.len() as u64 == length).then(|| serde_json::from_slice(&body).ok())?
}

/// A server for tests: answers each message by a script of its own.
#[cfg(test)]
pub(super) mod fake {
    use std::net::TcpListener;

    use super::*;

    /// Serve one connection on a free port; `answer` gives the messages that follow each one.
    pub(crate) fn serve(
        mut answer: impl FnMut(Value) -> Option<Vec<Value>> + Send + 'static,
    ) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let Ok((stream, _)) = listener.accept() else { return };
            let mut writer = stream.try_clone().unwrap();
            let mut reader = BufReader::new(stream);
            while let Some(message) = read_message(&mut reader) {
                // Nothing to say any more: the connection ends.
                let Some(answers) = answer(message) else { break };
                for message in answers {
                    let body = message.to_string();
                    let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
                    if writer.write_all(framed.as_bytes()).is_err() {
                        return;
                    }
                }
            }
            let _ = writer.shutdown(Shutdown::Both);
        });
        port
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use serde_json::json;

    use super::*;

    #[test]
    fn lengths_are_bytes_and_what_is_no_message_ends_the_stream() {
        let body = json!({ "text": "é😀" }).to_string();
        let both = format!(
            "Content-Type: x\r\ncontent-length: {0}\r\n\r\n{body}Content-Length: {0}\r\n\r\n{body}",
            body.len()
        );
        let mut reader = Cursor::new(both);
        for _ in 0..2 {
            assert_eq!(read_message(&mut reader).unwrap()["text"], "é😀");
        }
        assert_eq!(read_message(&mut reader), None);
        for bad in [
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: 5\r\n\r\n{}",
            "No-Length: 2\r\n\r\n{}",
            "Content-Length: 2\r\n\r\nxx",
        ] {
            assert_eq!(read_message(&mut Cursor::new(bad)), None, "{bad}");
        }
        assert_eq!(read_message(&mut Cursor::new("x".repeat(1 << 20))), None);
    }

    #[test]
    fn silence_an_end_and_a_caller_who_leaves_are_told_apart() {
        let cancel = Cancel::default();
        let soon = || Instant::now() + Duration::from_millis(50);
        let port = fake::serve(|message| (message != json!("end")).then(Vec::new));
        let mut frames = Frames::connect("server", port, Duration::from_secs(5), |_| true).unwrap();
        frames.send(&json!("hello")).unwrap();
        let silent = frames.next(soon(), &cancel).unwrap_err();
        assert_eq!(silent.message, "the server of the editor does not answer");
        frames.send(&json!("end")).unwrap();
        let ended = frames.next(Instant::now() + Duration::from_secs(10), &cancel).unwrap_err();
        assert_eq!(ended.message, "the server of the editor is gone");
        let port = fake::serve(|_| Some(Vec::new()));
        let frames = Frames::connect("server", port, Duration::from_secs(5), |_| true).unwrap();
        cancel.cancel();
        let left = frames.next(Instant::now() + Duration::from_secs(10), &cancel).unwrap_err();
        assert_eq!(left.kind, ErrorKind::Cancelled);
    }
}
