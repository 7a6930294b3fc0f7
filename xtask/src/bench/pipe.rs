//! Load over one byte stream: stdio lines or u32-LE frames on a socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::call::{self, Call, Reply};

const READ_LIMIT: Duration = Duration::from_secs(20);
const LARGEST_FRAME: usize = 64 << 20;

#[derive(Clone, Copy)]
enum Framing {
    Lines,
    LengthPrefixed,
}

pub(crate) struct Pipe {
    framing: Framing,
    reader: BufReader<Box<dyn Read + Send>>,
    writer: Box<dyn Write + Send>,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
    next_id: u64,
}

impl Pipe {
    pub(crate) fn stdio(stdin: ChildStdin, stdout: ChildStdout) -> Pipe {
        Pipe::new(Framing::Lines, Box::new(stdout), Box::new(stdin))
    }

    pub(crate) fn framed(address: &str) -> Result<Pipe> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_LIMIT))?;
        let reader = stream.try_clone()?;
        Ok(Pipe::new(Framing::LengthPrefixed, Box::new(reader), Box::new(stream)))
    }

    fn new(framing: Framing, reader: Box<dyn Read + Send>, writer: Box<dyn Write + Send>) -> Pipe {
        let reader = BufReader::with_capacity(64 << 10, reader);
        Pipe { framing, reader, writer, outgoing: Vec::new(), incoming: Vec::new(), next_id: 1 }
    }

    /// The MCP handshake of the versions before 2026-07-28.
    pub(crate) fn shake_hands(&mut self) -> Result<()> {
        self.ask(&call::initialize())?;
        self.queue(call::INITIALIZED);
        self.flush()
    }

    pub(crate) fn ask(&mut self, call: &Call) -> Result<Value> {
        self.queue_call(call);
        self.flush()?;
        self.receive()?;
        call::parse_result(&self.incoming)
    }

    /// Say something; whether and how it is answered is the caller's.
    pub(crate) fn send(&mut self, message: &str) -> Result<()> {
        self.queue(message);
        self.flush()
    }

    /// The next message of the server, whatever it is.
    pub(crate) fn next_message(&mut self) -> Result<&[u8]> {
        self.read_message()?;
        Ok(&self.incoming)
    }

    /// Ask, and tell how many seconds it took until the whole answer was there. What this side then
    /// does with it is not the server's time.
    pub(crate) fn ask_timed(&mut self, call: &Call) -> Result<(f64, Value)> {
        let (_, seconds) = self.exchange(call)?;
        Ok((seconds, call::parse_result(&self.incoming)?))
    }

    /// Ask, and tell how many bytes the answer has and how many seconds it took.
    pub(crate) fn exchange(&mut self, call: &Call) -> Result<(usize, f64)> {
        self.queue_call(call);
        let asked = Instant::now();
        self.flush()?;
        loop {
            self.read_message()?;
            let seconds = asked.elapsed().as_secs_f64();
            if call::classify(&self.incoming)? == Reply::Result {
                return Ok((self.incoming.len(), seconds));
            }
        }
    }

    /// Bytes of the whole tool list, all its pages.
    pub(crate) fn list_tools(&mut self) -> Result<usize> {
        let mut bytes = 0;
        let mut params = json!({});
        loop {
            let page = self.ask(&Call::new("tools/list", &params))?;
            bytes += self.incoming.len();
            let Some(cursor) = page["nextCursor"].as_str() else { return Ok(bytes) };
            params = json!({ "cursor": cursor });
        }
    }

    /// Keep `in_flight` calls open for the window and count the answers.
    pub(crate) fn calls_per_second(
        &mut self,
        call: &Call,
        in_flight: usize,
        window: Duration,
    ) -> Result<f64> {
        self.answers_in(call, in_flight, window / 10)?; // Warm up.
        let answers = self.answers_in(call, in_flight, window)?;
        Ok(answers as f64 / window.as_secs_f64())
    }

    fn answers_in(&mut self, call: &Call, in_flight: usize, window: Duration) -> Result<u64> {
        (0..in_flight).for_each(|_| self.queue_call(call));
        let started = Instant::now();
        self.flush()?;
        let mut answers = 0;
        loop {
            self.receive()?;
            if started.elapsed() >= window {
                break;
            }
            answers += 1;
            self.queue_call(call);
            // While answers wait in the buffer, gather requests; one write then carries them all.
            if self.reader.buffer().is_empty() {
                self.flush()?;
            }
        }
        // Whatever is still queued was never sent; its answers are not owed.
        let unsent = std::mem::take(&mut self.outgoing);
        let owed = in_flight - 1 - self.count_messages(&unsent);
        for _ in 0..owed {
            self.receive()?;
        }
        Ok(answers)
    }

    fn count_messages(&self, mut bytes: &[u8]) -> usize {
        match self.framing {
            Framing::Lines => bytes.iter().filter(|byte| **byte == b'\n').count(),
            Framing::LengthPrefixed => {
                let mut count = 0;
                while let Some((length, rest)) = bytes.split_first_chunk() {
                    bytes = &rest[u32::from_le_bytes(*length) as usize..];
                    count += 1;
                }
                count
            }
        }
    }

    fn queue_call(&mut self, call: &Call) {
        let message = call.with_id(self.next_id);
        self.next_id += 1;
        self.queue(&message);
    }

    fn queue(&mut self, message: &str) {
        if let Framing::LengthPrefixed = self.framing {
            let length = u32::try_from(message.len()).expect("our requests are short");
            self.outgoing.extend(length.to_le_bytes());
        }
        self.outgoing.extend(message.as_bytes());
        if let Framing::Lines = self.framing {
            self.outgoing.push(b'\n');
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.write_all(&self.outgoing)?;
        self.outgoing.clear();
        Ok(self.writer.flush()?)
    }

    /// Read up to the next answer; notifications are passed over.
    fn receive(&mut self) -> Result<()> {
        loop {
            self.read_message()?;
            if call::classify(&self.incoming)? == Reply::Result {
                return Ok(());
            }
        }
    }

    fn read_message(&mut self) -> Result<()> {
        self.incoming.clear();
        match self.framing {
            Framing::Lines => {
                let length = self.reader.read_until(b'\n', &mut self.incoming)?;
                ensure!(length > 0, "the server closed its stdout");
            }
            Framing::LengthPrefixed => {
                let mut length = [0; 4];
                self.reader.read_exact(&mut length)?;
                let length = u32::from_le_bytes(length) as usize;
                ensure!(length <= LARGEST_FRAME, "a frame of {length} bytes");
                self.incoming.resize(length, 0);
                self.reader.read_exact(&mut self.incoming)?;
            }
        }
        Ok(())
    }
}
