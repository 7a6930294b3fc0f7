//! What a field holds, as far as its class tells.

use std::sync::Arc;

use crate::hierarchy::{Data, Effective};
use crate::types::Node;

/// What a field holds.
#[derive(Debug, Clone, Default)]
pub enum Kind {
    /// Nothing tells but what the file has there.
    #[default]
    Unknown,
    /// A field of a native class.
    Native(Node<'static>),
    /// `1` or `0`.
    Bool,
    /// A whole number between these.
    Int(i64, i64),
    /// A number of 64 bits without sign.
    Long,
    /// A number of single precision.
    Float,
    /// A number of double precision.
    Double,
    /// Text.
    Text,
    /// A number that stands for a name, and the bounds of such numbers.
    Enum(Arc<Vec<(String, i64)>>, (i64, i64)),
    /// An object or asset of this class, or of any.
    Reference(Option<String>),
    /// A structure on one line with these keys, all of them numbers of single precision.
    Inline(&'static [&'static str]),
    /// The same with whole numbers.
    InlineInt(&'static [&'static str]),
    /// A rotation of a script: its four numbers on one line, which three angles give, too.
    Turn,
    /// A mask of layers.
    LayerMask,
    /// A structure: its keys and what they hold.
    Fields(Arc<Vec<(String, Kind)>>),
    /// A list of these.
    List(Arc<Kind>),
    /// Calls that are made when something happens.
    Event,
    /// An object kept beside the others of its owner, of any class that is one of this; of any, where
    /// that is not declared here.
    Managed(Option<String>),
}

/// The parts of the engine's structures that stand on one line.
pub(super) const INLINE: [(&str, &[&str]); 6] = [
    ("Vector2f", &["x", "y"]),
    ("Vector3f", &["x", "y", "z"]),
    ("Vector4f", &["x", "y", "z", "w"]),
    ("Quaternionf", &["x", "y", "z", "w"]),
    ("float3", &["x", "y", "z"]),
    ("ColorRGBA", &["r", "g", "b", "a"]),
];

impl Kind {
    /// The numbers of enums whose type is not known to be a smaller one.
    pub(super) const ENUM: (i64, i64) = (i32::MIN as i64, u32::MAX as i64);
    /// The parts of a rotation.
    pub(super) const TURN: &'static [&'static str] = &["x", "y", "z", "w"];

    /// A field of a native class, put in plainer words where there are some.
    pub fn of(node: Node<'static>) -> Kind {
        const SHORT: [(&str, i64, i64); 8] = [
            ("SInt8", i8::MIN as i64, i8::MAX as i64),
            ("char", i8::MIN as i64, u8::MAX as i64),
            ("SInt16", i16::MIN as i64, i16::MAX as i64),
            ("UInt16", 0, u16::MAX as i64),
            ("int", i32::MIN as i64, u32::MAX as i64),
            ("unsigned int", 0, u32::MAX as i64),
            ("SInt32", i32::MIN as i64, i32::MAX as i64),
            ("SInt64", i64::MIN, i64::MAX),
        ];
        let name = node.type_name();
        if let Some((_, low, high)) = SHORT.iter().find(|(known, ..)| *known == name) {
            return Kind::Int(*low, *high);
        }
        match name {
            "bool" => Kind::Bool,
            "UInt8" => Kind::Int(0, 255),
            "UInt64" | "FileSize" => Kind::Long,
            "float" => Kind::Float,
            "double" => Kind::Double,
            "string" => Kind::Text,
            "BitField" => Kind::LayerMask,
            "int2_storage" => Kind::InlineInt(&["x", "y"]),
            "int3_storage" => Kind::InlineInt(&["x", "y", "z"]),
            "ColorRGBA" if node.child("r").is_none() => Kind::Native(node),
            _ => Kind::of_structure(node),
        }
    }

    fn of_structure(node: Node<'static>) -> Kind {
        if let Some((_, keys)) = INLINE.iter().find(|(name, _)| *name == node.type_name()) {
            return Kind::Inline(keys);
        }
        if let Some(class) = node.reference_class() {
            let class = class.trim_start_matches('$');
            return Kind::Reference(Some(class.to_owned()).filter(|class| class != "Object"));
        }
        match node.element() {
            Some(element) if node.type_name() != "TypelessData" => {
                Kind::List(Arc::new(Kind::of(element)))
            }
            // A class is told by its number.
            _ if node.type_name().ends_with('*') => Kind::Int(i32::MIN.into(), u32::MAX.into()),
            _ => Kind::Native(node),
        }
    }

    /// Whether what a file has is of this form. An older version of Unity wrote other keys.
    pub(super) fn fits(&self, data: &Data) -> bool {
        let is_scalar = matches!(
            self,
            Kind::Bool | Kind::Int(..) | Kind::Long | Kind::Float | Kind::Double | Kind::Enum(..)
        );
        match (self, data) {
            (Kind::Unknown | Kind::Event | Kind::Managed(_), _) => true,
            (Kind::Reference(_), data) => matches!(data, Data::Reference(_)),
            (_, Data::Reference(_)) => false,
            (Kind::List(item), Data::List(items)) => {
                items.first().is_none_or(|first| item.fits(&first.data))
            }
            (Kind::List(item), Data::Map(fields)) => match item.field("second") {
                Some(second) if item.is_pair() => {
                    fields.iter().all(|(_, value)| second.fits(&value.data))
                }
                _ => false,
            },
            (Kind::List(_), data) => matches!(data, Data::Text(_)),
            (Kind::Text, data) => matches!(data, Data::Text(_)),
            (_, Data::Text(_)) => is_scalar,
            (_, Data::List(_)) => false,
            (_, Data::Map(_)) if is_scalar => false,
            (kind, Data::Map(fields)) => match kind.entry(fields) {
                Some((second, value)) => second.fits(value),
                None => fields.iter().all(|(key, value)| {
                    key == "serializedVersion"
                        || kind.field(key).is_some_and(|inner| inner.fits(&value.data))
                }),
            },
        }
    }

    /// What the value of a dictionary's entry is, and its value: an entry has its name as the key.
    fn entry<'d>(&self, fields: &'d [(String, Effective)]) -> Option<(Kind, &'d Data)> {
        match fields {
            [(key, value)] if self.is_pair() && key != "first" => {
                Some((self.field("second")?, &value.data))
            }
            _ => None,
        }
    }

    /// Whether it is an entry of a dictionary.
    pub(super) fn is_pair(&self) -> bool {
        self.keys() == ["first", "second"]
    }

    /// How many bytes each item has where files have a list of these as one text: whole numbers,
    /// truth values, members of enums.
    pub(super) fn packed(&self) -> Option<usize> {
        const SIZES: [(i64, i64, usize); 3] = [
            (i8::MIN as i64, u8::MAX as i64, 1),
            (i16::MIN as i64, u16::MAX as i64, 2),
            (i32::MIN as i64, u32::MAX as i64, 4),
        ];
        match self {
            Kind::Bool => Some(1),
            Kind::Long => Some(8),
            Kind::Int(low, high) | Kind::Enum(_, (low, high)) => {
                let fits = |(least, most, _): &&(i64, i64, usize)| least <= low && high <= most;
                Some(SIZES.iter().find(fits).map_or(8, |(.., size)| *size))
            }
            _ => None,
        }
    }

    /// Whether a number of this kind may be below zero.
    pub(super) fn is_signed(&self) -> bool {
        match self {
            Kind::Int(low, _) | Kind::Enum(_, (low, _)) => *low < 0,
            _ => false,
        }
    }

    /// What every item is, of a list.
    pub fn item(&self) -> Option<Kind> {
        match self {
            Kind::List(item) => Some(Kind::clone(item)),
            _ => None,
        }
    }

    /// The keys that it has, of a structure.
    pub fn keys(&self) -> Vec<String> {
        match self {
            Kind::Native(node) => node.children().map(|child| child.name().to_owned()).collect(),
            Kind::Fields(fields) => fields.iter().map(|(key, _)| key.clone()).collect(),
            Kind::Inline(keys) | Kind::InlineInt(keys) => {
                keys.iter().map(|key| (*key).to_owned()).collect()
            }
            Kind::Turn => Kind::Inline(Kind::TURN).keys(),
            Kind::LayerMask => vec!["m_Bits".to_owned()],
            _ => Vec::new(),
        }
    }

    /// What a key of it holds.
    pub fn field(&self, key: &str) -> Option<Kind> {
        match self {
            Kind::Native(node) => node.child(key).map(Kind::of),
            Kind::Fields(fields) => {
                fields.iter().find(|(known, _)| known == key).map(|(_, kind)| kind.clone())
            }
            Kind::Inline(keys) => keys.contains(&key).then_some(Kind::Float),
            Kind::Turn => Kind::Inline(Kind::TURN).field(key),
            Kind::InlineInt(keys) => {
                keys.contains(&key).then_some(Kind::Int(i32::MIN.into(), i32::MAX.into()))
            }
            Kind::LayerMask => (key == "m_Bits").then_some(Kind::Int(0, u32::MAX.into())),
            // Files have some lists of pairs as maps.
            Kind::List(item) if item.is_pair() => item.field("second"),
            _ => None,
        }
    }

    /// The kind in words, for who gave another.
    pub fn words(&self) -> String {
        match self {
            Kind::Bool => "true or false".to_owned(),
            Kind::Int(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Long => "a whole number that is not negative".to_owned(),
            Kind::Float | Kind::Double => "a number".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Enum(members, _) => {
                let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
                format!("one of {}, or its number", names.join(", "))
            }
            Kind::Reference(Some(class)) => format!("a reference to a {class}"),
            Kind::Reference(None) => "a reference".to_owned(),
            Kind::Inline(keys) | Kind::InlineInt(keys) => {
                let hex = if keys.contains(&"r") { ", or #rrggbb" } else { "" };
                format!("[{}] or an object with these keys{hex}", keys.join(", "))
            }
            Kind::Turn => "[x, y, z, w], or three angles [x, y, z]".to_owned(),
            Kind::LayerMask => "a mask of layers: a number, or names of layers".to_owned(),
            Kind::List(item) => format!("a list, each item {}", item.words()),
            Kind::Event => "a list of calls".to_owned(),
            Kind::Managed(_) => "null, or an object with type and value".to_owned(),
            Kind::Native(_) | Kind::Fields(_) => {
                format!("an object with some of the keys {}", self.keys().join(", "))
            }
            Kind::Unknown => "another kind of value".to_owned(),
        }
    }
}
