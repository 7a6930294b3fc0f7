//! The versions of Godot that have a table.

use std::fmt;

/// A version of Godot 4 with a class table of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Godot 4.2
    V4_2,
    /// Godot 4.3
    V4_3,
    /// Godot 4.4
    V4_4,
    /// Godot 4.5
    V4_5,
    /// Godot 4.6
    #[default]
    V4_6,
    /// Godot 4.7
    V4_7,
}

impl Version {
    /// All of them, oldest first.
    pub const ALL: [Version; 6] =
        [Version::V4_2, Version::V4_3, Version::V4_4, Version::V4_5, Version::V4_6, Version::V4_7];

    /// The table for a project that names this version among its features: the newest that is not
    /// newer, the oldest for 4.0 and 4.1, and the default for anything but Godot 4.
    pub fn of(feature: &str) -> Version {
        let Some(minor) = feature.trim().strip_prefix("4.") else { return Version::default() };
        let minor = minor.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let Ok(minor) = minor.parse::<u32>() else { return Version::default() };
        let not_newer = Version::ALL.into_iter().rev().find(|version| version.minor() <= minor);
        not_newer.unwrap_or(Version::V4_2)
    }

    fn minor(self) -> u32 {
        self as u32 + 2
    }

    /// Its bit in the table.
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "4.{}", self.minor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_nearest_that_is_not_newer() {
        let cases = [
            ("4.4", "4.4"),
            ("4.4.1", "4.4"),
            ("4.0", "4.2"),
            ("4.12", "4.7"),
            ("4.99999999999", "4.6"),
            ("3.5", "4.6"),
            ("C#", "4.6"),
            ("", "4.6"),
        ];
        let found = cases.map(|(feature, _)| Version::of(feature).to_string());
        assert_eq!(found, cases.map(|(_, version)| version));
    }
}
