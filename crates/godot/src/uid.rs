//! Godot's uids, as text and as numbers.

use std::fmt;

/// The number that Godot knows a file by, wherever it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uid(u64);

/// Godot leaves out `z` and `9`.
const DIGITS: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";

/// Uids are never negative, so one bit of 64 is left unused.
const MAX: u64 = i64::MAX as u64;

impl Uid {
    /// Reads a uid as Godot does: of a longer text than it writes, only the last bits count.
    ///
    /// ```
    /// use scenewright_godot::Uid;
    /// let uid = Uid::parse("uid://da5dy46gvq05t").unwrap();
    /// assert_eq!(uid.to_string(), "uid://da5dy46gvq05t");
    /// assert_eq!(Uid::parse("uid://<invalid>"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Uid> {
        let digits = text.strip_prefix("uid://").filter(|digits| !digits.is_empty())?;
        let number = digits.bytes().try_fold(0_u64, |number, byte| {
            let digit = DIGITS.iter().position(|digit| *digit == byte)?;
            Some(number.wrapping_mul(34).wrapping_add(digit as u64))
        })?;
        Some(Uid(number & MAX))
    }

    /// A uid for a new file: always the same for the same path, and one that is not taken.
    pub fn for_path(path: &str, is_taken: impl Fn(&str) -> bool) -> Uid {
        let mut uids = (0..).map(|salt| Uid(hash(path, salt) & MAX));
        uids.find(|uid| !is_taken(&uid.to_string())).expect("no project has 2^63 files")
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = Vec::new();
        let mut rest = self.0;
        loop {
            digits.push(DIGITS[(rest % 34) as usize]);
            rest /= 34;
            if rest == 0 {
                break;
            }
        }
        f.write_str("uid://")?;
        digits.iter().rev().try_for_each(|digit| write!(f, "{}", char::from(*digit)))
    }
}

/// FNV-1a with its bits mixed at the end, because paths often differ in one letter only.
fn hash(path: &str, salt: u64) -> u64 {
    let bytes = path.bytes().chain(salt.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_as_godot_does() {
        // As `ResourceUID.id_to_text` of Godot 4.6 answered.
        for (number, text) in [
            (0, "uid://a"),
            (24, "uid://y"),
            (25, "uid://0"),
            (33, "uid://8"),
            (34, "uid://ba"),
            (1000, "uid://4o"),
            (123_456_789, "uid://cyncsb"),
            (4_611_686_018_427_387_904, "uid://b6x62a7vjuo45"),
            (i64::MAX as u64, "uid://d4n4ub6itg400"),
        ] {
            assert_eq!(Uid(number).to_string(), text);
            assert_eq!(Uid::parse(text), Some(Uid(number)));
        }
    }

    #[test]
    fn refuses_what_is_none() {
        for text in ["", "uid://", "da5dy46gvq05t", "uid://z", "uid://A"] {
            assert_eq!(Uid::parse(text), None, "{text}");
        }
    }

    /// An addon has such a file, and scenes that name it as Godot writes it.
    #[test]
    fn a_longer_text_wraps_as_in_godot() {
        let uid = |text| Uid::parse(text).map(|uid| uid.to_string());
        assert_eq!(uid("uid://bc2tn187qiatpcheck").as_deref(), Some("uid://b8hhnqsugykly"));
        assert_eq!(uid("uid://d4n4ub6itg401").as_deref(), Some("uid://a"));
    }

    #[test]
    fn new_ones_are_stable_and_free() {
        let first = Uid::for_path("a.gd", |_| false);
        assert_eq!(first, Uid::for_path("a.gd", |_| false));
        assert_ne!(first, Uid::for_path("b.gd", |_| false));
        let taken = first.to_string();
        assert_ne!(first, Uid::for_path("a.gd", |text| text == taken));
    }
}
