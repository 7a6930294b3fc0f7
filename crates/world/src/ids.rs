//! Names of things that live as long as the world does.

use std::fmt;

/// A GameObject: Unity's instance id. Those of loaded scenes are positive and the same at every
/// load; those made while the world runs are negative, as in Unity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub i32);

/// A component, numbered from the same numbers as the objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(pub i32);

/// Why a text is no id of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// It does not begin with `obj:`.
    #[error("Invalid id; expected 'obj:<instanceId>'")]
    NoPrefix,
    /// What follows is no number.
    #[error("Invalid instance id")]
    NoNumber,
}

impl ObjectId {
    /// Read `obj:<instanceId>`.
    pub fn parse(text: &str) -> Result<ObjectId, BadId> {
        let number = text.strip_prefix("obj:").ok_or(BadId::NoPrefix)?;
        number.parse().map(ObjectId).map_err(|_| BadId::NoNumber)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "obj:{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_written() {
        assert_eq!(ObjectId::parse("obj:-12"), Ok(ObjectId(-12)));
        assert_eq!(ObjectId(-12).to_string(), "obj:-12");
        assert_eq!(ObjectId::parse("12"), Err(BadId::NoPrefix));
        assert_eq!(ObjectId::parse("obj:1.5"), Err(BadId::NoNumber));
        assert_eq!(ObjectId::parse("obj:99999999999"), Err(BadId::NoNumber));
    }
}
