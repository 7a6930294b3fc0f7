//! Line ends, byte order mark and last line break: ours are kept, and those of others do not count.

use std::borrow::Cow;

use scenewright_text::{LineEnding, line_ending};

use crate::Inputs;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How ours is written.
pub(crate) struct Manners {
    has_mark: bool,
    ends_open: bool,
    pub(crate) line_break: &'static str,
}

impl Manners {
    pub(crate) fn of(inputs: Inputs<'_>) -> Manners {
        let ours = inputs.ours;
        Manners {
            has_mark: ours.starts_with(BOM),
            ends_open: !ours.is_empty() && !ours.ends_with(b"\n"),
            line_break: if is_crlf(ours) { "\r\n" } else { "\n" },
        }
    }

    /// The versions without mark, with the line ends of ours and a line break at the end.
    pub(crate) fn plain<'a>(&self, texts: [Cow<'a, [u8]>; 3]) -> [Cow<'a, [u8]>; 3] {
        let is_crlf = self.line_break.len() == 2;
        texts.map(|mut text| {
            if text.starts_with(BOM) {
                text.to_mut().drain(..BOM.len());
            }
            let mut text = match (is_crlf, self::is_crlf(&text)) {
                (false, true) => without_returns(&text).into(),
                (true, false) => with_returns(&text).into(),
                _ => text,
            };
            if !text.is_empty() && !text.ends_with(b"\n") {
                text.to_mut().extend(self.line_break.as_bytes());
            }
            text
        })
    }

    /// The result as ours is written.
    pub(crate) fn dressed(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if self.ends_open {
            let end = bytes.strip_suffix(self.line_break.as_bytes()).map(<[u8]>::len);
            bytes.truncate(end.unwrap_or(bytes.len()));
        }
        match self.has_mark {
            true => [BOM, &bytes].concat(),
            false => bytes,
        }
    }
}

/// By most of the lines.
fn is_crlf(bytes: &[u8]) -> bool {
    line_ending(bytes) == LineEnding::CrLf
}

fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                text.extend(line);
                text.push(b'\n');
            }
            None => text.extend(line),
        }
    }
    text
}

fn with_returns(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                text.extend(line.strip_suffix(b"\r").unwrap_or(line));
                text.extend(b"\r\n");
            }
            None => text.extend(line),
        }
    }
    text
}
