//! Lines: how they end, and where an offset is.

use memchr::{memchr_iter, memrchr};

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineEnding {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnding {
    /// The bytes that end a line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }
}

/// How most lines of a text end; the first line decides a draw, and a text of one line says `\n`.
pub fn line_ending(bytes: &[u8]) -> LineEnding {
    // Most files have no return at all, which is told much faster than how their lines end.
    if memchr::memchr(b'\r', bytes).is_none() {
        return LineEnding::Lf;
    }
    let (mut lf, mut crlf, mut first) = (0_usize, 0_usize, None);
    for at in memchr_iter(b'\n', bytes) {
        let has_return = at > 0 && bytes[at - 1] == b'\r';
        let ending = if has_return { LineEnding::CrLf } else { LineEnding::Lf };
        first.get_or_insert(ending);
        *(if has_return { &mut crlf } else { &mut lf }) += 1;
    }
    match lf.cmp(&crlf) {
        std::cmp::Ordering::Less => LineEnding::CrLf,
        std::cmp::Ordering::Equal => first.unwrap_or_default(),
        std::cmp::Ordering::Greater => LineEnding::Lf,
    }
}

/// Line and column of an offset, both from 1. The column counts characters; an offset behind the end
/// is the end.
pub fn line_column(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset.min(bytes.len())];
    let start = memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = memchr_iter(b'\n', before).count() + 1;
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_lines_decide_the_ending() {
        assert_eq!(line_ending(b""), LineEnding::Lf);
        assert_eq!(line_ending(b"\n"), LineEnding::Lf);
        assert_eq!(line_ending(b"a\r\nb\r\nc\n"), LineEnding::CrLf);
        assert_eq!(line_ending(b"a\nb\nc\r\n"), LineEnding::Lf);
        assert_eq!(line_ending(b"a\r\nb\n"), LineEnding::CrLf);
        assert_eq!(line_ending(b"a\nb\r\n"), LineEnding::Lf);
        assert_eq!((LineEnding::Lf.as_str(), LineEnding::CrLf.as_str()), ("\n", "\r\n"));
    }

    #[test]
    fn offsets_have_a_line_and_a_column() {
        let text = "ab\r\nä€c\n".as_bytes();
        let places = [0, 2, 4, 6, 9, 10, 11, 99].map(|offset| line_column(text, offset));
        let expected = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 1)];
        assert_eq!(places, expected);
        assert_eq!(line_column(b"\xff\xffx", 2), (1, 3));
    }
}
