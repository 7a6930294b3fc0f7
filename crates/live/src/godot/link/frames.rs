//! Frames of spec 002: a length of four bytes, least first, then JSON.

use std::io::{self, Read, Write};

/// The longest frame that is taken from who has proved the token.
pub(super) const MAX_FRAME: usize = 32 << 20;

pub(super) fn write(to: &mut impl Write, message: &serde_json::Value) -> io::Result<()> {
    let text = message.to_string();
    let length = u32::try_from(text.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut frame = Vec::with_capacity(text.len() + 4);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(text.as_bytes());
    to.write_all(&frame)
}

/// The next frame, of so many bytes at most; nothing at the end of the stream.
pub(super) fn read(from: &mut impl Read, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame is too long"));
    }
    let mut text = Vec::new();
    // A length that is announced is not yet sent.
    let read = from.take(length as u64).read_to_end(&mut text)?;
    if read < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::{MAX_FRAME, read, write};

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let mut bytes = Vec::new();
        write(&mut bytes, &serde_json::json!({ "a": "é" })).unwrap();
        assert_eq!(bytes[..4], [10, 0, 0, 0]);
        let mut from = bytes.as_slice();
        assert_eq!(
            read(&mut from, MAX_FRAME).unwrap().unwrap(),
            br#"{"a":"#.iter().copied().chain("\"é\"}".bytes()).collect::<Vec<_>>()
        );
        assert!(read(&mut from, MAX_FRAME).unwrap().is_none());
    }

    #[test]
    fn half_a_frame_and_one_too_long_are_errors() {
        assert!(read(&mut [9, 0, 0, 0, b'{'].as_slice(), MAX_FRAME).is_err());
        assert!(read(&mut [0, 0, 0, 64, b'{'].as_slice(), MAX_FRAME).is_err());
        assert!(read(&mut [2, 0, 0, 0, b'{', b'}'].as_slice(), 1).is_err());
    }
}
