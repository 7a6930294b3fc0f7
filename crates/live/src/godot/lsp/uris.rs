//! Paths of files as `file:` addresses, the way Godot writes and reads them.

use std::path::{Path, PathBuf};

/// The address of a file.
pub(super) fn uri(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = "file:///".to_owned();
    for byte in text.trim_start_matches('/').bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                uri.push(byte.into());
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The file of an address; none when it is of something else.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.as_bytes();
    while let [first, after @ ..] = left {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match code {
            Some((high, low)) => {
                bytes.push(high * 16 + low);
                left = &after[2..];
            }
            None => {
                bytes.push(*first);
                left = after;
            }
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/C:/x` is a path of Windows.
    let is_drive =
        matches!(text.as_bytes(), [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
    Some(PathBuf::from(if is_drive { &text[1..] } else { &*text }))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_its_address() {
        for text in ["/a/b.gd", "/with space/é#%41.gd"] {
            assert_eq!(path(&uri(Path::new(text))), Some(PathBuf::from(text)));
        }
        assert_eq!(uri(Path::new("/a b/é.gd")), "file:///a%20b/%C3%A9.gd");
        assert_eq!(uri(Path::new("C:\\a\\b.gd")), "file:///C:/a/b.gd");
        assert_eq!(path("file:///C:/a/b.gd"), Some(PathBuf::from("C:/a/b.gd")));
        assert_eq!(path("file:///a/100%"), Some(PathBuf::from("/a/100%")));
        assert_eq!(path("http://a"), None);
        assert_eq!(path("file:///%FF"), None);
    }
}
