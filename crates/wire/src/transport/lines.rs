//! Lines of bounded length from a byte stream.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// One line, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// It is in the buffer, without its end.
    Read,
    /// It had this many bytes, too many; it was skipped.
    TooLong(u64),
    /// The stream has ended.
    End,
}

/// Read the next line into `buffer`. A line over `most` bytes is skipped to its end, so that the
/// one after it can be read.
pub(crate) async fn read(
    from: &mut (impl AsyncBufRead + Unpin),
    buffer: &mut Vec<u8>,
    most: usize,
) -> std::io::Result<Line> {
    buffer.clear();
    let mut skipped = 0_u64;
    loop {
        let available = from.fill_buf().await?;
        if available.is_empty() {
            return Ok(match (skipped, buffer.is_empty()) {
                (0, true) => Line::End,
                (0, false) => Line::Read,
                (length, _) => Line::TooLong(length),
            });
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(available.len());
        if skipped > 0 || buffer.len() + taken > most {
            skipped += (buffer.len() + taken) as u64;
            buffer.clear();
        } else {
            buffer.extend_from_slice(&available[..taken]);
        }
        from.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Ok(if skipped > 0 { Line::TooLong(skipped) } else { Line::Read });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_long_line_is_skipped_and_the_next_is_read() {
        let text = b"short\nthis one is far too long\n\nlast".as_slice();
        // A tiny buffer makes the long line come in pieces.
        let mut from = tokio::io::BufReader::with_capacity(4, text);
        let mut line = Vec::new();
        let mut seen = Vec::new();
        loop {
            match read(&mut from, &mut line, 8).await.unwrap() {
                Line::End => break,
                Line::Read => seen.push(String::from_utf8(line.clone()).unwrap()),
                Line::TooLong(length) => seen.push(format!("too long: {length}")),
            }
        }
        assert_eq!(seen, ["short", "too long: 24", "", "last"]);
    }
}
