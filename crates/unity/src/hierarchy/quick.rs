//! GameObjects and transforms as Unity writes them, read line by line.
//!
//! They are most of what a hierarchy is made of, and the way through all their values costs ten
//! times as much. Whatever is not written in the usual way is left to that.

mod instance;

pub(super) use instance::{instance, stand_in};

use memchr::{memchr, memchr2};

use super::read::{RawObject, RawTransform};

/// A GameObject; nothing when it is written in an unusual way. `text` starts with its header.
pub(super) fn object(text: &[u8], id: i64, offset: usize) -> Option<RawObject> {
    let (mut name, mut active, mut components) = (None, None, None);
    for field in Fields::new(text)? {
        match field? {
            Field::Value(b"m_Name", value) => set(&mut name, plain(value)?)?,
            Field::Value(b"m_IsActive", b"0") => set(&mut active, false)?,
            Field::Value(b"m_IsActive", b"1") => set(&mut active, true)?,
            Field::Value(b"m_IsActive", _) => return None,
            Field::Value(b"m_Component", b"") => set(&mut components, Vec::new())?,
            Field::Value(b"m_Component", _) | Field::Inner(b"m_Component" | b"m_Name") => {
                return None;
            }
            Field::Item(b"m_Component", item) => {
                let (_, value) = split(item)?;
                components.as_mut()?.push(local(value)?);
            }
            _ => {}
        }
    }
    let (name, active, components) = (name?.into(), active?, components?);
    Some(RawObject { id, offset, name, active, components })
}

/// A transform; nothing when it is written in an unusual way.
pub(super) fn transform(text: &[u8], id: i64, offset: usize) -> Option<RawTransform> {
    let (mut owner, mut father, mut children, mut root_order) = (None, None, None, None);
    for field in Fields::new(text)? {
        match field? {
            Field::Value(b"m_GameObject", value) => set(&mut owner, local(value)?)?,
            Field::Value(b"m_Father", value) => set(&mut father, local(value)?)?,
            Field::Value(b"m_RootOrder", value) => {
                let order = std::str::from_utf8(value).ok()?.parse().ok()?;
                set(&mut root_order, order)?;
            }
            Field::Value(b"m_Children", b"" | b"[]") => set(&mut children, Vec::new())?,
            Field::Value(b"m_Children", _) => return None,
            Field::Item(b"m_Children", item) => children.as_mut()?.push(local(item)?),
            Field::Inner(b"m_GameObject" | b"m_Father" | b"m_RootOrder" | b"m_Children") => {
                return None;
            }
            _ => {}
        }
    }
    let (object, father, children) = (owner?, father?, children?);
    Some(RawTransform { id, offset, object, father, children, root_order })
}

/// The GameObject of a component; nothing when that is written in an unusual way.
pub(super) fn owner(text: &[u8]) -> Option<i64> {
    // It is one of the first lines, before any text that may look like it.
    let mut lines = text.split(|byte| *byte == b'\n').skip(2).take(8);
    let is_text = |line: &[u8]| memchr2(b'\'', b'"', line).is_some();
    let line = lines.find(|line| line.starts_with(b"  m_GameObject: ") || is_text(line))?;
    local(line.strip_prefix(b"  m_GameObject: ")?.trim_ascii_end())
}

/// One line of an object.
enum Field<'t> {
    /// A key of the object and what stands behind it on its line.
    Value(&'t [u8], &'t [u8]),
    /// An item of the list that this key has.
    Item(&'t [u8], &'t [u8]),
    /// Something deeper inside the value of this key.
    Inner(&'t [u8]),
}

/// The lines of an object, without its header and its class.
struct Fields<'t> {
    rest: &'t [u8],
    key: &'t [u8],
}

impl<'t> Fields<'t> {
    /// Nothing when there are quotes: text in them may look like anything.
    fn new(text: &'t [u8]) -> Option<Fields<'t>> {
        memchr2(b'\'', b'"', text).is_none().then_some(())?;
        let mut fields = Fields { rest: text, key: b"" };
        fields.line()?;
        fields.line()?.strip_suffix(b":")?;
        Some(fields)
    }

    fn line(&mut self) -> Option<&'t [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or(b"");
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn field(&mut self, line: &'t [u8]) -> Option<Field<'t>> {
        let line = line.strip_prefix(b"  ")?;
        match line {
            [b' ', ..] => Some(Field::Inner(self.key)),
            [b'-', b' ', item @ ..] => Some(Field::Item(self.key, item)),
            _ => {
                let (key, value) = split(line)?;
                self.key = key;
                Some(Field::Value(key, value))
            }
        }
    }
}

impl<'t> Iterator for Fields<'t> {
    type Item = Option<Field<'t>>;

    fn next(&mut self) -> Option<Option<Field<'t>>> {
        let line = self.line()?;
        Some(self.field(line))
    }
}

/// A key and its value, which may be empty.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    // Keys are short, and one look at each byte costs less than a search and a check.
    let end = line.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    match &line[end..] {
        [b':'] => Some((&line[..end], b"")),
        [b':', b' ', value @ ..] => Some((&line[..end], value.trim_ascii())),
        _ => None,
    }
}

/// Of equal keys only one is expected.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// Text that means itself.
fn plain(value: &[u8]) -> Option<&str> {
    let starts_plain = value.first()?.is_ascii_alphanumeric();
    let has_mark = value.windows(2).any(|pair| matches!(pair, b": " | b" #"));
    let is_plain = starts_plain && !has_mark && !value.ends_with(b":") && value.is_ascii();
    is_plain.then(|| std::str::from_utf8(value).ok())?
}

/// The id of `{fileID: 1}`.
fn local(value: &[u8]) -> Option<i64> {
    let number = value.strip_prefix(b"{fileID: ")?.strip_suffix(b"}")?;
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(number).ok()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::hierarchy::read;

    /// The quick way must give what the long way gives, or nothing.
    fn agree(text: &str) -> bool {
        let document = Document::parse(text);
        let object = document.object_at(0).unwrap();
        let (id, span) = (object.file_id().0, object.span());
        let bytes = &text.as_bytes()[span];
        let slow = (read::read_object(object, 0), read::read_transform(object, 0));
        let quick = (self::object(bytes, id, 0), transform(bytes, id, 0));
        if let Some(quick) = &quick.0 {
            let key =
                |raw: &RawObject| (raw.id, raw.name.clone(), raw.active, raw.components.clone());
            assert_eq!(key(quick), key(&slow.0), "{text}");
        }
        if let Some(quick) = &quick.1 {
            let key = |raw: &RawTransform| {
                (raw.id, raw.object, raw.father, raw.children.clone(), raw.root_order)
            };
            assert_eq!(key(quick), key(&slow.1), "{text}");
        }
        quick.0.is_some() || quick.1.is_some()
    }

    const OBJECT: &str = "--- !u!1 &-7\nGameObject:\n  m_ObjectHideFlags: 0\n  m_Component:\n  - component: {fileID: 2}\n  - component: {fileID: -3}\n  m_Name: Old Door (1)\n  m_IsActive: 0\n";
    const TRANSFORM: &str = "--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_LocalScale: {x: 1, y: 1,\n    z: 1}\n  m_Children:\n  - {fileID: 4}\n  m_Father: {fileID: 0}\n  m_RootOrder: 3\n";

    #[test]
    fn the_usual_is_read_quickly() {
        for text in [OBJECT, TRANSFORM] {
            assert!(agree(text));
            assert!(agree(&text.replace('\n', "\r\n")));
            assert!(agree(text.trim_end()));
        }
        assert!(agree(&TRANSFORM.replace("\n  - {fileID: 4}", " []")));
        assert!(agree(&OBJECT.replace("component:", "4:")));
    }

    #[test]
    fn the_object_of_a_component_is_read_quickly() {
        let text = "--- !u!54 &2\nRigidbody:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: -7}\n  m_Mass: 1\n";
        assert_eq!(owner(text.as_bytes()), Some(-7));
        assert_eq!(owner(text.replace('\n', "\r\n").as_bytes()), Some(-7));
        let quoted =
            text.replace("m_ObjectHideFlags: 0", "m_Note: 'a\n\n  m_GameObject: {fileID: 1}'");
        assert_eq!(owner(quoted.as_bytes()), None);
        assert_eq!(owner(b"--- !u!54 &2\nRigidbody:\n  m_Mass: 1\n"), None);
    }

    #[test]
    fn the_unusual_is_left_to_others() {
        for (part, other) in [
            ("Old Door", "'Old'' Door'"),
            ("Old Door (1)", "Old\n    Door"),
            ("Old Door (1)", "Old: Door"),
            ("Old Door (1)", "Old #Door"),
            ("Old Door (1)", "Tür"),
            ("Old Door (1)", ""),
            ("m_IsActive: 0", "m_IsActive: {x: 1}"),
            ("m_IsActive: 0", "m_Name: b\n  m_IsActive: 0"),
            ("{fileID: -3}", "{fileID: -3, guid: 0a}"),
            ("\n  m_Name", "\n m_Name"),
        ] {
            assert!(!agree(&OBJECT.replace(part, other)), "{other}");
        }
        for (part, other) in [
            ("{fileID: 1}", "{fileID:\n    1}"),
            ("\n  - {fileID: 4}", " [{fileID: 4}]"),
            ("m_RootOrder: 3", "m_RootOrder: x"),
            ("m_RootOrder: 3", "m_Father: {fileID: 9}"),
        ] {
            assert!(!agree(&TRANSFORM.replace(part, other)), "{other}");
        }
    }
}
