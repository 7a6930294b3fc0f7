//! How many pixels an image has, told from the first bytes of its file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Photographs have previews before their size; more than this is not searched.
const MAX_HEAD: u64 = 1 << 20;

/// The size of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pixels {
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
    /// Whether it has an alpha channel, as far as the head tells.
    pub alpha: bool,
}

/// The size of the image in a file; none when its format is not known or it is broken.
pub fn read(path: &Path) -> Option<Pixels> {
    let mut head = Vec::new();
    let is_targa = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tga"));
    File::open(path).ok()?.take(64).read_to_end(&mut head).ok()?;
    if head.starts_with(&[0xff, 0xd8]) {
        head.clear();
        File::open(path).ok()?.take(MAX_HEAD).read_to_end(&mut head).ok()?;
    }
    // Targa is the one format without a mark of its own.
    if is_targa { targa(&head) } else { parse(&head) }
        .filter(|size| size.width > 0 && size.height > 0)
}

fn parse(head: &[u8]) -> Option<Pixels> {
    match head {
        [0x89, b'P', b'N', b'G', ..] => png(head),
        [0xff, 0xd8, ..] => jpeg(head),
        [b'G', b'I', b'F', b'8', ..] => Some(Pixels {
            width: u32::from(u16_le(head, 6)?),
            height: u32::from(u16_le(head, 8)?),
            alpha: false,
        }),
        [b'8', b'B', b'P', b'S', ..] => Some(Pixels {
            height: u32_be(head, 14)?,
            width: u32_be(head, 18)?,
            alpha: u16_be(head, 12)? > 3,
        }),
        [b'B', b'M', ..] => bitmap(head),
        _ => None,
    }
}

fn png(head: &[u8]) -> Option<Pixels> {
    if head.get(12..16)? != b"IHDR" {
        return None;
    }
    let alpha = matches!(head.get(25)?, 4 | 6);
    Some(Pixels { width: u32_be(head, 16)?, height: u32_be(head, 20)?, alpha })
}

/// The frame header stands behind any number of other segments.
fn jpeg(head: &[u8]) -> Option<Pixels> {
    let mut at = 2;
    loop {
        while *head.get(at)? == 0xff && *head.get(at + 1)? == 0xff {
            at += 1;
        }
        if *head.get(at)? != 0xff {
            return None;
        }
        let marker = *head.get(at + 1)?;
        let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            let (height, width) = (u16_be(head, at + 5)?, u16_be(head, at + 7)?);
            return Some(Pixels { width: width.into(), height: height.into(), alpha: false });
        }
        let is_alone = matches!(marker, 0x01 | 0xd0..=0xd8);
        at += 2 + if is_alone { 0 } else { usize::from(u16_be(head, at + 2)?).max(2) };
    }
}

fn bitmap(head: &[u8]) -> Option<Pixels> {
    if u32_le(head, 14)? == 12 {
        let (width, height) = (u16_le(head, 18)?, u16_le(head, 20)?);
        return Some(Pixels { width: width.into(), height: height.into(), alpha: false });
    }
    // A negative height means that the rows are stored from the top.
    let height = u32_le(head, 22)?.cast_signed().unsigned_abs();
    Some(Pixels { width: u32_le(head, 18)?, height, alpha: u16_le(head, 28)? == 32 })
}

fn targa(head: &[u8]) -> Option<Pixels> {
    if !matches!(head.get(2)?, 1 | 2 | 3 | 9 | 10 | 11) {
        return None;
    }
    Some(Pixels {
        width: u16_le(head, 12)?.into(),
        height: u16_le(head, 14)?.into(),
        alpha: *head.get(16)? == 32,
    })
}

fn bytes<const N: usize>(head: &[u8], at: usize) -> Option<[u8; N]> {
    head.get(at..at + N)?.try_into().ok()
}

fn u16_be(head: &[u8], at: usize) -> Option<u16> {
    bytes(head, at).map(u16::from_be_bytes)
}

fn u16_le(head: &[u8], at: usize) -> Option<u16> {
    bytes(head, at).map(u16::from_le_bytes)
}

fn u32_be(head: &[u8], at: usize) -> Option<u32> {
    bytes(head, at).map(u32::from_be_bytes)
}

fn u32_le(head: &[u8], at: usize) -> Option<u32> {
    bytes(head, at).map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(width: u32, height: u32, alpha: bool) -> Option<Pixels> {
        Some(Pixels { width, height, alpha })
    }

    #[test]
    fn heads_tell_the_size() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\0\x08\x06\0\0\0";
        assert_eq!(parse(png), sized(512, 256, true));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\0\x10\0\x20\x03";
        assert_eq!(parse(jpeg), sized(32, 16, false));
        assert_eq!(parse(b"GIF89a\x03\0\x02\0"), sized(3, 2, false));
        let psd = b"8BPS\0\x01\0\0\0\0\0\0\0\x04\0\0\0\x07\0\0\0\x05\0\x08\0\x03";
        assert_eq!(parse(psd), sized(5, 7, true));
        let mut bmp = b"BM".to_vec();
        bmp.resize(30, 0);
        (bmp[14], bmp[18], bmp[22], bmp[28]) = (40, 9, 0xfe, 24);
        bmp[23..26].fill(0xff);
        assert_eq!(parse(&bmp), sized(9, 2, false));
        let mut tga = vec![0; 18];
        (tga[2], tga[12], tga[14], tga[16]) = (2, 4, 6, 32);
        assert_eq!(targa(&tga), sized(4, 6, true));
    }

    #[test]
    fn broken_heads_tell_nothing() {
        for head in [&b""[..], b"\x89PNG", b"\xff\xd8\xff\xe0\0\0", b"\xff\xd8ab", b"BM", b"text"] {
            assert_eq!(parse(head), None, "{head:?}");
        }
        assert_eq!(targa(b"\0\0\x07"), None);
    }
}
