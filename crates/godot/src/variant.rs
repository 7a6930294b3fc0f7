//! Values of Godot's text files, decoded and written.

mod decode;
mod number;
mod tuple;
mod write;

#[cfg(test)]
mod tests;

pub use number::Number;
pub use tuple::TupleKind;

use std::fmt;

use crate::syntax::{Fault, Scanner, Token, value};

/// A value as Godot's text files hold it.
#[derive(Clone, Debug, PartialEq)]
pub enum Variant {
    /// `null`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// A whole or floating point number, as it is written.
    Number(Number),
    /// `"text"`.
    String(String),
    /// `&"text"`.
    StringName(String),
    /// `NodePath("path")`.
    NodePath(String),
    /// `#ff8800`, with its `#`.
    HtmlColor(String),
    /// Vectors, colours, transforms and packed arrays of numbers.
    Tuple(TupleKind, Vec<Number>),
    /// `PackedByteArray(…)`.
    Bytes(Vec<u8>),
    /// `PackedStringArray(…)`.
    Strings(Vec<String>),
    /// `[…]` or `Array[T]([…])`.
    Array(Option<TypeName>, Vec<Variant>),
    /// `{…}` or `Dictionary[K, V]({…})`, in file order.
    Dictionary(Option<(TypeName, TypeName)>, Vec<(Variant, Variant)>),
    /// `Object(Class,"property":value)`.
    Object(String, Vec<(String, Variant)>),
    /// `Resource("path")` or `Resource("uid", "path")`.
    Resource(Vec<String>),
    /// `ExtResource("id")`.
    ExtResource(ResourceId),
    /// `SubResource("id")`.
    SubResource(ResourceId),
    /// `RID()` or `RID(1)`.
    Rid(Option<Number>),
    /// `Signal()`.
    Signal,
    /// `Callable()`.
    Callable,
}

/// The id of an external or inner resource in one file; a number in Godot 3.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub String);

/// The type of items, keys or values.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeName {
    /// A type or class of the engine.
    Name(String),
    /// A script: one of the resource values.
    Script(Box<Variant>),
}

/// A text that is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of the value: {message}")]
pub struct VariantError {
    /// Where, from the start of the text.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
}

impl Variant {
    /// The value that a text holds as a whole.
    ///
    /// ```
    /// use scenewright_godot::Variant;
    /// let value = Variant::parse("Vector2(1, 2.5)").unwrap();
    /// assert_eq!(value.to_text(3), "Vector2(1, 2.5)");
    /// assert!(Variant::parse("Vector2(1)").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Variant, VariantError> {
        let error = |Fault { at, message, .. }| VariantError { at, message };
        let mut scanner = Scanner::new(text.as_bytes(), 0);
        let mut decoder = decode::Decoder::new(text.as_bytes());
        value(&mut scanner, &mut decoder).map_err(error)?;
        match scanner.next().map_err(error)? {
            // A zero byte ends the text for the engine, but not for whoever gave it.
            Token::End if scanner.at == text.len() => Ok(decoder.finish()),
            _ => Err(error(scanner.unexpected("the end of the value"))),
        }
    }

    /// The value in bytes that were checked before.
    pub(crate) fn decode(bytes: &[u8]) -> Variant {
        let mut decoder = decode::Decoder::new(bytes);
        // What is left of a value with a fault is a value too.
        let _ = value(&mut Scanner::new(bytes, 0), &mut decoder);
        decoder.finish()
    }

    /// A whole number.
    pub fn int(number: i64) -> Variant {
        Variant::Number(Number::int(number))
    }

    /// A floating point number.
    pub fn float(number: f64) -> Variant {
        Variant::Number(Number::float(number))
    }

    /// A vector, colour, transform or packed array; nothing when the count does not fit.
    pub fn tuple(kind: TupleKind, numbers: &[f64]) -> Option<Variant> {
        let fits = kind.arity().is_none_or(|arity| arity == numbers.len());
        let number = |number: &f64| match kind.is_whole() {
            true => Number::int(*number as i64),
            false => Number::component(*number),
        };
        fits.then(|| Variant::Tuple(kind, numbers.iter().map(number).collect()))
    }

    /// The text of a string, string name or node path.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Variant::String(text) | Variant::StringName(text) | Variant::NodePath(text) => {
                Some(text)
            }
            _ => None,
        }
    }

    /// The value of a whole number.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Variant::Number(number) => number.as_int(),
            _ => None,
        }
    }

    /// The value of any number.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Variant::Number(number) => Some(number.as_float()),
            _ => None,
        }
    }

    /// True or false.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Variant::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items of an array, typed or not.
    pub fn as_array(&self) -> Option<&[Variant]> {
        match self {
            Variant::Array(_, items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a dictionary, typed or not.
    pub fn as_dictionary(&self) -> Option<&[(Variant, Variant)]> {
        match self {
            Variant::Dictionary(_, entries) => Some(entries),
            _ => None,
        }
    }

    /// The strings of a packed or usual array of strings.
    pub fn strings(&self) -> Vec<String> {
        match self {
            Variant::Strings(strings) => strings.clone(),
            Variant::Array(_, items) => {
                items.iter().filter_map(Variant::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value of a dictionary's key that is a string or string name.
    pub fn get(&self, key: &str) -> Option<&Variant> {
        let entries = self.as_dictionary()?;
        entries.iter().rev().find(|(found, _)| found.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Godot's name of the type, such as `Vector2` or `PackedByteArray`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Variant::Nil => "Nil",
            Variant::Bool(_) => "bool",
            Variant::Number(number) if number.is_float() => "float",
            Variant::Number(_) => "int",
            Variant::String(_) => "String",
            Variant::StringName(_) => "StringName",
            Variant::NodePath(_) => "NodePath",
            Variant::HtmlColor(_) => "Color",
            Variant::Tuple(kind, _) => kind.name(),
            Variant::Bytes(_) => "PackedByteArray",
            Variant::Strings(_) => "PackedStringArray",
            Variant::Array(..) => "Array",
            Variant::Dictionary(..) => "Dictionary",
            Variant::Object(..)
            | Variant::Resource(_)
            | Variant::ExtResource(_)
            | Variant::SubResource(_) => "Object",
            Variant::Rid(_) => "RID",
            Variant::Signal => "Signal",
            Variant::Callable => "Callable",
        }
    }

    /// The value as Godot writes it in a file of this format: 2 for Godot 3, then 3 and 4.
    pub fn to_text(&self, format: u32) -> String {
        self.to_text_with(format, "\n")
    }

    /// The same with the line breaks of a file.
    pub(crate) fn to_text_with(&self, format: u32, newline: &str) -> String {
        write::write(self, format, newline)
    }

    /// The lowest format of Godot 4 that can hold the value.
    pub fn needed_format(&self) -> u32 {
        write::needed_format(self)
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
