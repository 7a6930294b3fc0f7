//! A value from the events of the grammar.

use std::ops::Range;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;

use super::{Number, ResourceId, TypeName, Variant};
use crate::syntax::{Event, Group, Sink, Word, decode_string};

/// Builds a value from its parts.
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    /// The groups that are open, with what is in them so far.
    open: Vec<(Group, Items)>,
    done: Variant,
}

/// What is in a group. Large scenes are mostly numbers, so those are kept as what they become.
enum Items {
    Values(Vec<Variant>),
    Numbers(Vec<Number>),
    Bytes(Vec<u8>),
}

impl Items {
    fn of(group: Group) -> Items {
        match group {
            Group::Tuple(_) => Items::Numbers(Vec::new()),
            Group::Bytes => Items::Bytes(Vec::new()),
            _ => Items::Values(Vec::new()),
        }
    }

    fn push(&mut self, value: Variant) {
        match (self, value) {
            (Items::Values(values), value) => values.push(value),
            (Items::Numbers(numbers), Variant::Number(number)) => numbers.push(number),
            // The engine keeps the low eight bits.
            (Items::Bytes(bytes), Variant::Number(number)) => {
                bytes.push(number.as_float() as i64 as u8);
            }
            (Items::Bytes(bytes), Variant::String(text)) => *bytes = from_base64(&text),
            _ => {}
        }
    }
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { bytes, open: Vec::new(), done: Variant::Nil }
    }

    pub(super) fn finish(self) -> Variant {
        self.done
    }

    fn push(&mut self, value: Variant) {
        match self.open.last_mut() {
            Some((_, items)) => items.push(value),
            None => self.done = value,
        }
    }

    fn string(&self, range: Range<usize>) -> String {
        decode_string(&self.bytes[range]).into_owned()
    }

    fn text(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(&self.bytes[range]).into_owned()
    }
}

impl Sink for Decoder<'_> {
    fn event(&mut self, event: Event) {
        let value = match event {
            Event::Word(word) => of_word(word),
            Event::Number(range) => Variant::Number(Number::spelled(&self.text(range))),
            Event::String(range) => Variant::String(self.string(range)),
            Event::StringName(range) => Variant::StringName(self.string(range)),
            Event::Color(range) => Variant::HtmlColor(self.text(range)),
            Event::Type(range) => Variant::String(self.text(range)),
            Event::Open(group) => return self.open.push((group, Items::of(group))),
            Event::Close => {
                let Some((group, items)) = self.open.pop() else { return };
                match (group, items) {
                    (Group::Tuple(kind), Items::Numbers(numbers)) => Variant::Tuple(kind, numbers),
                    (_, Items::Bytes(bytes)) => Variant::Bytes(bytes),
                    (group, Items::Values(values)) => of_group(group, values),
                    _ => Variant::Nil,
                }
            }
        };
        self.push(value);
    }
}

fn of_word(word: Word) -> Variant {
    match word {
        Word::Null => Variant::Nil,
        Word::True => Variant::Bool(true),
        Word::False => Variant::Bool(false),
        Word::Inf => Variant::float(f64::INFINITY),
        Word::NegInf => Variant::float(f64::NEG_INFINITY),
        Word::Nan => Variant::float(f64::NAN),
    }
}

fn of_group(group: Group, items: Vec<Variant>) -> Variant {
    let mut items = items.into_iter();
    match group {
        Group::Array => Variant::Array(None, items.collect()),
        Group::Dictionary => Variant::Dictionary(None, pairs(items)),
        Group::TypedArray => match (items.next(), items.next()) {
            (Some(item), Some(Variant::Array(_, values))) => {
                Variant::Array(Some(of_type(item)), values)
            }
            _ => Variant::Nil,
        },
        Group::TypedDictionary => match (items.next(), items.next(), items.next()) {
            (Some(key), Some(value), Some(Variant::Dictionary(_, entries))) => {
                Variant::Dictionary(Some((of_type(key), of_type(value))), entries)
            }
            _ => Variant::Nil,
        },
        // These two never hold values.
        Group::Tuple(_) | Group::Bytes => Variant::Nil,
        Group::Strings => Variant::Strings(items.filter_map(string).collect()),
        Group::NodePath => Variant::NodePath(items.find_map(string).unwrap_or_default()),
        Group::Rid => Variant::Rid(items.find_map(number)),
        Group::Signal => Variant::Signal,
        Group::Callable => Variant::Callable,
        Group::Object => {
            let class = items.next().and_then(string).unwrap_or_default();
            let fields = pairs(items).into_iter();
            Variant::Object(class, fields.filter_map(|(k, v)| Some((string(k)?, v))).collect())
        }
        Group::Resource => Variant::Resource(items.filter_map(string).collect()),
        Group::SubResource => Variant::SubResource(id(items.next())),
        Group::ExtResource => Variant::ExtResource(id(items.next())),
    }
}

fn pairs(mut items: impl Iterator<Item = Variant>) -> Vec<(Variant, Variant)> {
    let mut pairs = Vec::new();
    while let (Some(key), Some(value)) = (items.next(), items.next()) {
        pairs.push((key, value));
    }
    pairs
}

fn of_type(value: Variant) -> TypeName {
    match value {
        Variant::String(name) => TypeName::Name(name),
        script => TypeName::Script(Box::new(script)),
    }
}

fn number(value: Variant) -> Option<Number> {
    match value {
        Variant::Number(number) => Some(number),
        _ => None,
    }
}

fn string(value: Variant) -> Option<String> {
    match value {
        Variant::String(text) => Some(text),
        _ => None,
    }
}

fn id(value: Option<Variant>) -> ResourceId {
    ResourceId(match value {
        Some(Variant::Number(number)) => number.text().into(),
        Some(Variant::String(text)) => text,
        _ => String::new(),
    })
}

fn from_base64(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    STANDARD.decode(digits).unwrap_or_default()
}
