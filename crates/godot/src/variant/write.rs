//! A value as text, in the form that a format of files wants.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::{Number, ResourceId, TupleKind, TypeName, Variant};
use crate::syntax::{escape_all, escape_string};

/// Longer byte arrays need the format that knows base 64, which all of a file's are written in then.
const MAX_LISTED_BYTES: usize = 64;

pub(super) fn write(value: &Variant, format: u32, newline: &str) -> String {
    let mut writer = Writer { text: String::new(), format, newline };
    writer.value(value);
    writer.text
}

pub(super) fn needed_format(value: &Variant) -> u32 {
    let inner = |values: &mut dyn Iterator<Item = &Variant>| values.map(needed_format).max();
    match value {
        Variant::Tuple(TupleKind::PackedVector4Array, _) => 4,
        Variant::Bytes(bytes) if bytes.len() > MAX_LISTED_BYTES => 4,
        Variant::Array(_, items) => inner(&mut items.iter()).unwrap_or(3),
        Variant::Dictionary(_, entries) => {
            inner(&mut entries.iter().flat_map(|(key, value)| [key, value])).unwrap_or(3)
        }
        Variant::Object(_, fields) => {
            inner(&mut fields.iter().map(|(_, value)| value)).unwrap_or(3)
        }
        _ => 3,
    }
}

struct Writer<'a> {
    text: String,
    format: u32,
    newline: &'a str,
}

impl Writer<'_> {
    fn is_old(&self) -> bool {
        self.format == 2
    }

    fn value(&mut self, value: &Variant) {
        match value {
            Variant::Nil => self.text.push_str("null"),
            Variant::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Variant::Number(number) => self.number(number),
            Variant::String(text) => self.quoted("\"", &escape_string(text)),
            // Godot 3 knows the kind but writes it as a string.
            Variant::StringName(text) if self.is_old() => {
                self.quoted("\"", &escape_string(text));
            }
            Variant::StringName(text) => self.quoted("&\"", &escape_all(text)),
            Variant::NodePath(text) => self.call("NodePath", &format!("\"{}\"", escape_all(text))),
            Variant::HtmlColor(text) => self.text.push_str(text),
            Variant::Tuple(kind, numbers) => self.tuple(*kind, numbers),
            Variant::Bytes(bytes) => self.bytes(bytes),
            Variant::Strings(strings) => self.strings(strings),
            Variant::Array(of, items) => self.array(of.as_ref(), items),
            Variant::Dictionary(of, entries) => self.dictionary(of.as_ref(), entries),
            Variant::Object(class, fields) => self.object(class, fields),
            Variant::Resource(paths) => {
                let quoted: Vec<_> =
                    paths.iter().map(|path| format!("\"{}\"", escape_string(path))).collect();
                self.call("Resource", &quoted.join(", "));
            }
            Variant::ExtResource(id) => self.reference("ExtResource", id),
            Variant::SubResource(id) => self.reference("SubResource", id),
            Variant::Rid(None) => self.text.push_str("RID()"),
            Variant::Rid(Some(number)) => self.call("RID", number.text()),
            Variant::Signal => self.text.push_str("Signal()"),
            Variant::Callable => self.text.push_str("Callable()"),
        }
    }

    fn number(&mut self, number: &Number) {
        // Formats before 4 have a word for it.
        let is_word = number.text() == "-inf" && self.format < 4;
        self.text.push_str(if is_word { "inf_neg" } else { number.text() });
    }

    fn quoted(&mut self, open: &str, text: &str) {
        self.text.extend([open, text, "\""]);
    }

    /// Godot 3 sets spaces inside of the parentheses.
    fn call(&mut self, name: &str, inner: &str) {
        match self.is_old() && !matches!(name, "NodePath") {
            true if inner.is_empty() => self.text.extend([name, "(  )"]),
            true => self.text.extend([name, "( ", inner, " )"]),
            false => self.text.extend([name, "(", inner, ")"]),
        }
    }

    fn tuple(&mut self, kind: TupleKind, numbers: &[Number]) {
        let mut inner = Writer { text: String::new(), ..*self };
        for (at, number) in numbers.iter().enumerate() {
            inner.text.push_str(if at > 0 { ", " } else { "" });
            inner.number(number);
        }
        self.call(if self.is_old() { kind.old_name() } else { kind.name() }, &inner.text);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let name = if self.is_old() { "PoolByteArray" } else { "PackedByteArray" };
        if self.format >= 4 && !bytes.is_empty() {
            return self.call(name, &format!("\"{}\"", BASE64_STANDARD.encode(bytes)));
        }
        let numbers: Vec<_> = bytes.iter().map(u8::to_string).collect();
        self.call(name, &numbers.join(", "));
    }

    fn strings(&mut self, strings: &[String]) {
        let name = if self.is_old() { "PoolStringArray" } else { "PackedStringArray" };
        let quoted: Vec<_> =
            strings.iter().map(|text| format!("\"{}\"", escape_string(text))).collect();
        self.call(name, &quoted.join(", "));
    }

    fn reference(&mut self, name: &str, ResourceId(id): &ResourceId) {
        let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        match self.is_old() && is_number {
            true => self.call(name, id),
            false => self.call(name, &format!("\"{}\"", escape_string(id))),
        }
    }

    fn array(&mut self, of: Option<&TypeName>, items: &[Variant]) {
        if let Some(of) = of {
            self.text.push_str("Array[");
            self.type_name(of);
            self.text.push_str("](");
        }
        let (open, close) = if self.is_old() { ("[ ", " ]") } else { ("[", "]") };
        self.text.push_str(open);
        for (at, item) in items.iter().enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            self.value(item);
        }
        self.text.push_str(close);
        self.text.push_str(if of.is_some() { ")" } else { "" });
    }

    fn dictionary(&mut self, of: Option<&(TypeName, TypeName)>, entries: &[(Variant, Variant)]) {
        if let Some((key, value)) = of {
            self.text.push_str("Dictionary[");
            self.type_name(key);
            self.text.push_str(", ");
            self.type_name(value);
            self.text.push_str("](");
        }
        self.text.push('{');
        for (at, (key, value)) in entries.iter().enumerate() {
            self.text.extend([if at > 0 { "," } else { "" }, self.newline]);
            self.value(key);
            self.text.push_str(": ");
            self.value(value);
        }
        self.text.extend([if entries.is_empty() { "" } else { self.newline }, "}"]);
        self.text.push_str(if of.is_some() { ")" } else { "" });
    }

    fn object(&mut self, class: &str, fields: &[(String, Variant)]) {
        self.text.extend(["Object(", class, ","]);
        for (at, (name, value)) in fields.iter().enumerate() {
            self.text.push_str(if at > 0 { "," } else { "" });
            self.quoted("\"", &escape_string(name));
            self.text.push(':');
            self.value(value);
        }
        // Godot ends an object with a line break wherever it stands.
        self.text.extend([")", self.newline]);
    }

    fn type_name(&mut self, name: &TypeName) {
        match name {
            TypeName::Name(name) => self.text.push_str(name),
            TypeName::Script(value) => self.value(value),
        }
    }
}
