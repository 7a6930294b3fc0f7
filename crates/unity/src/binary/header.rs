//! The first bytes of a binary file.

use super::BinaryError;
use super::bytes::Bytes;

/// Unity 3; what is older writes no version of Unity.
const OLDEST: u32 = 7;
const NEWEST: u32 = 23;
/// From this one on the lists stand before the objects.
const LISTS_FIRST: u32 = 9;
/// From this one on files may be larger than 4 GB.
const LARGE: u32 = 22;

#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) file_size: u64,
    /// Where the objects start.
    pub(super) data: u64,
    /// Where the lists of what is in the file start.
    pub(super) lists: u64,
    /// The order of bytes after the header; the header itself is always big-endian. None: the first
    /// byte of the lists says it.
    pub(super) big_endian: Option<bool>,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Header, BinaryError> {
        not_something_else(bytes)?;
        let mut read = Bytes::new(bytes, "the header");
        let (mut lists_size, mut file_size) = (u64::from(read.u32()?), u64::from(read.u32()?));
        let (format, mut data) = (read.u32()?, u64::from(read.u32()?));
        // What is no binary file at all would be told a meaningless number.
        if !(1..=0xff).contains(&format) {
            return Err(BinaryError::Other("it does not start like one"));
        }
        if !(OLDEST..=NEWEST).contains(&format) {
            return Err(BinaryError::Format(format));
        }
        let mut big_endian = None;
        if format >= LISTS_FIRST {
            big_endian = Some(read.u8()? != 0);
            read.take(3)?;
        }
        if format >= LARGE {
            lists_size = read.u32()?.into();
            (file_size, data) = (read.u64()?, read.u64()?);
            read.u64()?;
        }
        if data > file_size || lists_size > file_size {
            return Err(BinaryError::Other("its header contradicts itself"));
        }
        let lists = if format >= LISTS_FIRST { read.at() as u64 } else { file_size - lists_size };
        Ok(Header { format, file_size, data, lists, big_endian })
    }
}

fn not_something_else(bytes: &[u8]) -> Result<(), BinaryError> {
    let others: [(&[u8], &str); 6] = [
        (b"%YAML", "it is text"),
        (b"\xef\xbb\xbf%YAML", "it is text"),
        (b"version https://git-lfs", "it is a pointer of Git LFS; `git lfs pull` brings the file"),
        (b"UnityFS", "it is an asset bundle"),
        (b"UnityWeb", "it is an asset bundle"),
        (b"UnityRaw", "it is an asset bundle"),
    ];
    match others.iter().find(|(start, _)| bytes.starts_with(start)) {
        Some((_, what)) => Err(BinaryError::Other(what)),
        None => Ok(()),
    }
}
