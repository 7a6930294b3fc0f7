//! What all fields of a script class hold, for values that are set.

use std::sync::Arc;

use super::engine;
use super::path::{FieldType, Primitive, type_of};
use super::walk::{Place, Saved, saved};
use crate::edit::kind::Kind;
use crate::script::{ScriptSet, TypeRef};
use crate::types::Version;

/// As deep as Unity saves classes in classes, and then some.
const DEEPEST: usize = 8;
/// More fields than this are judged by what the file has.
const MOST: usize = 4_000;

/// The keys of a class, and what they hold.
pub fn field_kinds<'a>(
    set: &ScriptSet<'a>,
    ty: TypeRef<'a>,
    version: Version,
) -> Vec<(String, Kind)> {
    Reader { set, version, left: MOST }.fields(&Place::of(ty), 0)
}

struct Reader<'s, 'a> {
    set: &'s ScriptSet<'a>,
    version: Version,
    left: usize,
}

impl<'a> Reader<'_, 'a> {
    fn fields(&mut self, place: &Place<'a>, depth: usize) -> Vec<(String, Kind)> {
        let mut fields = Vec::new();
        for saved in saved(self.set, place) {
            self.left = self.left.saturating_sub(1);
            let kind = self.kind(&type_of(self.set, &saved), &saved, depth);
            fields.push((saved.field.key, kind));
        }
        fields
    }

    fn kind(&mut self, ty: &FieldType<'a>, saved: &Saved<'a>, depth: usize) -> Kind {
        match ty {
            FieldType::Primitive(primitive) => of_primitive(*primitive),
            FieldType::String => Kind::Text,
            FieldType::Enum { members, number, .. } => {
                let bounds = match of_primitive(*number) {
                    Kind::Int(low, high) if high <= u16::MAX.into() => (low, high),
                    _ => Kind::ENUM,
                };
                match members.is_empty() {
                    true => Kind::Int(bounds.0, bounds.1),
                    false => Kind::Enum(Arc::new(members.clone()), bounds),
                }
            }
            FieldType::Engine(name) => of_engine(name, self.version),
            FieldType::Native(node) => Kind::of(*node),
            FieldType::Object(class) => {
                let short = class.rsplit('.').next().unwrap_or(class);
                Kind::Reference(Some(short.to_owned()).filter(|class| class != "Object"))
            }
            FieldType::Nested(_) if depth == DEEPEST || self.left == 0 => Kind::Unknown,
            FieldType::Nested(_) => {
                let inner = Place::named(self.set, &saved.element, saved.from, &saved.place);
                inner.map_or(Kind::Unknown, |inner| {
                    Kind::Fields(Arc::new(self.fields(&inner, depth + 1)))
                })
            }
            FieldType::Managed(class) => {
                let is_here = !self.set.find(&saved.element, saved.from).is_empty();
                Kind::Managed(is_here.then(|| class.clone()))
            }
            FieldType::List(item) => Kind::List(Arc::new(self.kind(item, saved, depth))),
            FieldType::Unknown(_) => Kind::Unknown,
        }
    }
}

fn of_primitive(primitive: Primitive) -> Kind {
    match primitive {
        Primitive::Bool => Kind::Bool,
        Primitive::Char => Kind::Int(0, u16::MAX.into()),
        Primitive::Float => Kind::Float,
        Primitive::Double => Kind::Double,
        Primitive::Int { bytes: 8, is_signed: false } => Kind::Long,
        Primitive::Int { bytes: 8, .. } => Kind::Int(i64::MIN, i64::MAX),
        Primitive::Int { bytes, is_signed: false } => Kind::Int(0, (1 << (8 * bytes)) - 1),
        Primitive::Int { bytes, .. } => {
            let half = 1 << (8 * bytes - 1);
            Kind::Int(-half, half - 1)
        }
    }
}

fn of_engine(name: &str, version: Version) -> Kind {
    if name.starts_with("UnityEvent") {
        return Kind::Event;
    }
    if name == "Quaternion" {
        return Kind::Turn;
    }
    if let Some(node) = engine::layout(name, version) {
        return Kind::of(node);
    }
    match engine::parts(name) {
        Some(parts) if name.ends_with("Int") => Kind::InlineInt(parts),
        Some(parts)
            if name.starts_with(|c: char| c.is_ascii_uppercase()) && name != "RectOffset" =>
        {
            Kind::Inline(parts)
        }
        Some(parts) => {
            let whole = name.starts_with("int") || name.starts_with("uint") || name == "RectOffset";
            let part = match name {
                _ if whole => Kind::Int(i32::MIN.into(), u32::MAX.into()),
                _ if name.starts_with("bool") => Kind::Bool,
                _ if name.starts_with("double") => Kind::Double,
                _ => Kind::Float,
            };
            let fields = parts.iter().map(|key| ((*key).to_owned(), part.clone()));
            Kind::Fields(Arc::new(fields.collect()))
        }
        None => Kind::Unknown,
    }
}
