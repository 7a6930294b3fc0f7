//! The parameters of a message by their names, found once. Their values are left as they were
//! written, for whoever knows what they mean.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::envelope::Text;

/// The members of a JSON object, in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// A member is there twice, so nobody knows which one is meant.
#[derive(Debug)]
pub(crate) struct Twice;

impl<'a> Members<'a> {
    /// The members of `value`; none when it is no object.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        if !value.get().starts_with('{') {
            return None;
        }
        serde_json::from_str(value.get()).ok()
    }

    /// The one member that has any of these names. `null` is as good as none.
    pub(crate) fn one(&self, names: &[&str]) -> Result<Option<&'a RawValue>, Twice> {
        let mut found = self.0.iter().filter(|(name, _)| names.contains(&&**name));
        let first = found.next().map(|(_, value)| *value);
        match found.next() {
            Some(_) => Err(Twice),
            None => Ok(first.filter(|value| value.get() != "null")),
        }
    }

    /// The last member of this name, be it `null`; what most readers of JSON would see.
    pub(crate) fn last(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(given, _)| given == name).map(|(_, value)| *value)
    }

    /// All members of this name, in the order they came.
    pub(super) fn every(&self, name: &str) -> impl Iterator<Item = &'a RawValue> {
        self.0.iter().filter(move |(given, _)| given == name).map(|(_, value)| *value)
    }

    /// Whether there are no members but these.
    pub(crate) fn are_among(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(name, _)| names.contains(&&**name))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Entries)
    }
}

/// A value that is a text.
pub(crate) fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(value.get()).ok().map(|text| text.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Members<'_> {
        Members::of(serde_json::from_str(text).unwrap()).unwrap()
    }

    #[test]
    fn values_are_found_as_they_were_written() {
        let members = members(r#"{"a":{ "b" : 1.0 }, "\u0062": null,"c":1,"c":null}"#);
        let one = |names: &[&str]| members.one(names).map(|value| value.map(RawValue::get));
        assert_eq!(one(&["a"]).unwrap(), Some(r#"{ "b" : 1.0 }"#));
        assert_eq!(one(&["b"]).unwrap(), None);
        assert_eq!(one(&["d"]).unwrap(), None);
        assert!(one(&["c"]).is_err() && one(&["a", "b"]).is_err());
        assert_eq!(members.last("c").map(RawValue::get), Some("null"));
        assert!(members.are_among(&["a", "b", "c"]) && !members.are_among(&["a", "b"]));
    }

    #[test]
    fn only_objects_have_members() {
        for text in ["[]", "1", "\"{}\""] {
            assert!(Members::of(serde_json::from_str(text).unwrap()).is_none(), "{text}");
        }
    }
}
