//! Versions of Unity, in order.

use std::fmt;

/// A version of Unity, such as `2022.3.20f1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub(super) u64);

/// In order: alpha, beta, one for China, final, patch, experimental.
const LETTERS: &[u8; 6] = b"abcfpx";
const FINAL: u64 = 3;

impl Version {
    /// Later than every other.
    pub const NEWEST: Version = Version(u64::MAX);

    /// Reads a version as Unity writes it. What follows the number of the release, as in
    /// `2022.3.20f1c1` or `2019.4.2f1-custom`, does not matter.
    ///
    /// ```
    /// use scenewright_unity::types::Version;
    ///
    /// let version = |text| Version::parse(text).expect("a version");
    /// assert!(version("5.6.1p1") < version("2017.1.0b2"));
    /// assert!(version("2022.3.20f1") < version("6000.0.23f1"));
    /// assert_eq!(Version::parse("the newest"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Version> {
        let (major, rest) = text.trim().split_once('.')?;
        let (minor, rest) = rest.split_once('.')?;
        let (patch, rest) = digits(rest);
        let letter = rest.bytes().next();
        let letter = letter.and_then(|letter| LETTERS.iter().position(|known| *known == letter));
        let (number, _) = digits(rest.get(1..).unwrap_or_default());
        let part = |text: &str| text.parse::<u16>().ok().map(u64::from);
        let letter = letter.map_or(FINAL, |letter| letter as u64);
        let number = number.parse::<u8>().map_or(u64::from(!number.is_empty()) * 255, u64::from);
        let release = part(major)? << 48 | part(minor)? << 32 | part(patch)? << 16;
        Some(Version(release | letter << 8 | number))
    }
}

/// The digits that a text starts with, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = [48, 32, 16].map(|shift| self.0 >> shift & 0xffff);
        let letter = LETTERS.get(usize::from((self.0 >> 8) as u8)).map_or('?', |b| char::from(*b));
        write!(f, "{major}.{minor}.{patch}{letter}{}", self.0 & 0xff)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_unity_writes_them() {
        let check = |text: &str, expected: &str| {
            let found = Version::parse(text).map(|version| version.to_string());
            assert_eq!(found.unwrap_or_default(), expected, "{text}");
        };
        check("2022.3.20f1", "2022.3.20f1");
        check("6000.0.23f1", "6000.0.23f1");
        check("5.6.1p1", "5.6.1p1");
        check("2019.3.0a12", "2019.3.0a12");
        check("2022.3.20f1c1", "2022.3.20f1");
        check("2019.4.2f1-custom\n", "2019.4.2f1");
        check("4.7.2", "4.7.2f0");
        check("2019.4.2f999", "2019.4.2f255");
        check("2022.3", "");
        check("99999.3.1f1", "");
        check("2022.3.é1", "");
        check("", "");
    }
}
