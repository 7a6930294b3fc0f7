//! Bytes read one thing after the other, in either order of bytes; nothing is read past the end.

use super::BinaryError;

/// The bytes of a file and where reading is.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
    pub(super) big_endian: bool,
    /// What is being read, for the error when it is cut off.
    pub(super) what: &'static str,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(all: &'a [u8], what: &'static str) -> Bytes<'a> {
        Bytes { all, at: 0, big_endian: true, what }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], BinaryError> {
        let rest = self.all.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.get(..count) else { return Err(self.ends()) };
        self.at += count;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], BinaryError> {
        let mut bytes = *self.take(N)?.first_chunk().expect("as many as were taken");
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, BinaryError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, BinaryError> {
        self.number().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, BinaryError> {
        self.number().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, BinaryError> {
        self.number().map(i32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, BinaryError> {
        self.number().map(u64::from_le_bytes)
    }

    pub(super) fn i64(&mut self) -> Result<i64, BinaryError> {
        self.number().map(i64::from_le_bytes)
    }

    /// A count of things that take at least `least` bytes each: no more than are left for them, so
    /// that room may be made for that many.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, BinaryError> {
        let at = self.at;
        let count = self.u32()?;
        let most = (self.all.len() - self.at) / least;
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(BinaryError::Impossible { what: self.what, at, number: count.into() }),
        }
    }

    /// A text that ends with a zero. Longer ones than any name are not looked through.
    pub(super) fn text(&mut self) -> Result<&'a str, BinaryError> {
        let text = text_at(self.all, self.at).ok_or_else(|| self.ends())?;
        self.at += text.len() + 1;
        Ok(text)
    }

    /// Goes on to the next multiple of four.
    pub(super) fn align(&mut self) {
        self.at = self.at.next_multiple_of(4);
    }

    fn ends(&self) -> BinaryError {
        BinaryError::Ends { what: self.what, at: self.at }
    }
}

/// No name or path in a file is longer.
const LONGEST: usize = 4096;

/// The text at a place up to the zero behind it.
pub(super) fn text_at(bytes: &[u8], at: usize) -> Option<&str> {
    let rest = bytes.get(at..)?;
    let rest = &rest[..rest.len().min(LONGEST)];
    str::from_utf8(&rest[..memchr::memchr(0, rest)?]).ok()
}
