//! How many pixels an image has, told from the head of its file.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _};

/// So much of a file tells whether it has an alpha channel.
const HEAD: u64 = 64;
/// Photographs have previews before their size; more than this is not searched.
const MAX_JPEG_HEAD: u64 = 1 << 20;

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

/// The size of the image in a file of this name; none when its format is not known or it is broken.
pub fn read(file: &File, name: &str) -> Option<Pixels> {
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).ok()?;
    let from_start = || (&*file).rewind().ok();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_targa = ending.eq_ignore_ascii_case("tga");
    let pixels = match head[..] {
        // Targa is the one format without a mark of its own.
        _ if is_targa => targa(&head)?,
        [0xff, 0xd8, ..] => {
            head.clear();
            from_start()?;
            file.take(MAX_JPEG_HEAD).read_to_end(&mut head).ok()?;
            jpeg(&head)?
        }
        _ => {
            from_start()?;
            let size = imagesize::reader_size(BufReader::new(file)).ok()?;
            let [width, height] = [size.width, size.height].map(u32::try_from);
            // A bitmap of negative height has its rows stored from the top.
            let is_upside_down = head.starts_with(b"BM") && height.is_ok_and(|h| h > 1 << 31);
            let height = match height.ok()? {
                height if is_upside_down => height.cast_signed().unsigned_abs(),
                height => height,
            };
            Pixels { width: width.ok()?, height, alpha: has_alpha(&head) }
        }
    };
    (pixels.width > 0 && pixels.height > 0).then_some(pixels)
}

fn has_alpha(head: &[u8]) -> bool {
    let byte = |at: usize| head.get(at).copied().unwrap_or(0);
    match head {
        [0x89, b'P', b'N', b'G', ..] => matches!(byte(25), 4 | 6),
        [b'8', b'B', b'P', b'S', ..] => u16::from_be_bytes([byte(12), byte(13)]) > 3,
        [b'B', b'M', ..] => byte(14) != 12 && u16::from_le_bytes([byte(28), byte(29)]) == 32,
        // Either its extended header says so, or it is of the kind that always has a channel.
        [b'R', b'I', b'F', b'F', ..] if head.get(8..15) == Some(b"WEBPVP8") => match byte(15) {
            b'X' => byte(20) & 0x10 != 0,
            b'L' => byte(24) & 0x10 != 0,
            _ => false,
        },
        _ => false,
    }
}

/// The frame header stands behind any number of other segments. Read here, because `imagesize` gives
/// up at the filling bytes that may stand before each.
fn jpeg(head: &[u8]) -> Option<Pixels> {
    let number = |at: usize| Some(u16::from_be_bytes([*head.get(at)?, *head.get(at + 1)?]));
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
            let (height, width) = (number(at + 5)?.into(), number(at + 7)?.into());
            return Some(Pixels { width, height, alpha: false });
        }
        let is_alone = matches!(marker, 0x01 | 0xd0..=0xd8);
        at += 2 + if is_alone { 0 } else { usize::from(number(at + 2)?).max(2) };
    }
}

fn targa(head: &[u8]) -> Option<Pixels> {
    if !matches!(head.get(2)?, 1 | 2 | 3 | 9 | 10 | 11) {
        return None;
    }
    let number = |at: usize| Some(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?]).into());
    Some(Pixels { width: number(12)?, height: number(14)?, alpha: *head.get(16)? == 32 })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    fn check(name: &str, bytes: &[u8]) -> Option<(u32, u32, bool)> {
        let folder = Folder::files("");
        folder.write(name, bytes);
        read(&File::open(folder.path(name)).unwrap(), name)
            .map(|pixels| (pixels.width, pixels.height, pixels.alpha))
    }

    #[test]
    fn heads_tell_the_size() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\0\x08\x06\0\0\0";
        assert_eq!(check("a.png", png), Some((512, 256, true)));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\0\x10\0\x20\x03";
        assert_eq!(check("a.jpg", jpeg), Some((32, 16, false)));
        assert_eq!(check("a.gif", b"GIF89a\x03\0\x02\0\0\0"), Some((3, 2, false)));
        let psd = b"8BPS\0\x01\0\0\0\0\0\0\0\x04\0\0\0\x07\0\0\0\x05\0\x08\0\x03";
        assert_eq!(check("a.psd", psd), Some((5, 7, true)));
        let mut bmp = b"BM".to_vec();
        bmp.resize(30, 0);
        (bmp[14], bmp[18], bmp[22], bmp[28]) = (40, 9, 0xfe, 24);
        bmp[23..26].fill(0xff);
        assert_eq!(check("a.bmp", &bmp), Some((9, 2, false)));
        let mut tga = vec![0; 18];
        (tga[2], tga[12], tga[14], tga[16]) = (2, 4, 6, 32);
        assert_eq!(check("a.TGA", &tga), Some((4, 6, true)));
        let webp = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\x07\0\0\x03\0\0";
        assert_eq!(check("a.webp", webp), Some((8, 4, true)));
    }

    #[test]
    fn broken_heads_tell_nothing() {
        for head in [&b""[..], b"\x89PNG", b"\xff\xd8\xff\xe0\0\0", b"\xff\xd8ab", b"BM", b"text"] {
            assert_eq!(check("a.png", head), None, "{head:?}");
        }
        assert_eq!(check("a.tga", b"\0\0\x07"), None);
    }
}
