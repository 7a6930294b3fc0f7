//! Memory for one file after the other, so that reading a project does not ask for new memory a
//! hundred thousand times.

use std::io::{self, Read};

use crate::Document;

/// Bytes of one file after the other, in memory that is used again.
#[derive(Default)]
pub(super) struct Buffer {
    /// As long as the longest file so far, so that nothing is cleared between reads.
    bytes: Vec<u8>,
    len: usize,
}

/// Memory above this goes back after use: one huge scene must not stay for good.
const KEEP: usize = 16 << 20;

impl Buffer {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Takes other bytes instead of those of the file.
    pub(super) fn replace(&mut self, bytes: Vec<u8>) {
        self.len = bytes.len();
        self.bytes = bytes;
    }

    /// Gives the bytes of the file away.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(std::mem::take(&mut self.len));
        bytes
    }

    /// Forgets the file before.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        if self.bytes.len() > KEEP {
            self.bytes = Vec::new();
        }
    }

    /// Reads on until `end` bytes are there or the file ends. The end is known from the size of the
    /// file, which saves asking for more.
    pub(super) fn fill(&mut self, file: &mut impl Read, end: u64) -> io::Result<()> {
        let end = usize::try_from(end).map_err(io::Error::other)?;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        while self.len < end {
            match file.read(&mut self.bytes[self.len..end]) {
                Ok(0) => break,
                Ok(count) => self.len += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Asks the document layer about the bytes without copying them.
    pub(super) fn with_document<T>(&mut self, ask: impl FnOnce(&Document) -> T) -> T {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(self.len);
        let document = Document::parse(bytes);
        let answer = ask(&document);
        self.bytes = document.into_bytes();
        answer
    }
}
