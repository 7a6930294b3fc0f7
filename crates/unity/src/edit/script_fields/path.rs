//! What a path in an object of a script class is, by the names of the file or of the source.

use super::engine;
use super::values::simple_type;
use super::walk::{Place, Saved, saved};
use crate::edit::enums;
use crate::script::{Collection, ScriptSet, TypeRef, ValueKind};
use crate::types::{Node, Version};

/// What a field of a script class holds.
#[derive(Debug, Clone)]
pub enum FieldType<'a> {
    /// A number, a character or a truth value.
    Primitive(Primitive),
    /// Text.
    String,
    /// A number that stands for a name.
    Enum {
        /// The enum, with its namespace when its source is here.
        name: String,
        /// Its members with their numbers; none when its source is not here and it is not one of the
        /// engine that is known.
        members: Vec<(String, i64)>,
        /// `[Flags]`: numbers of several members are joined.
        is_flags: bool,
        /// The type of its numbers.
        number: Primitive,
    },
    /// A structure of the engine by its simple name: `Vector3`, `AnimationCurve`, `UnityEvent`.
    Engine(String),
    /// A part of a structure of the engine.
    Native(Node<'static>),
    /// A reference to an object of this class, by its full name when its source is here.
    Object(String),
    /// A class or structure saved in place.
    Nested(TypeRef<'a>),
    /// `[SerializeReference]`: an object of this class or one that derives from it.
    Managed(String),
    /// Several of them.
    List(Box<FieldType<'a>>),
    /// The type is declared elsewhere.
    Unknown(String),
}

/// A number, a character or a truth value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Primitive {
    Bool,
    Char,
    Int { bytes: u8, is_signed: bool },
    Float,
    Double,
}

/// A field that was found.
#[derive(Debug, Clone)]
pub struct FieldAt<'a> {
    /// Its path as the file and overrides have it: `slots.Array.data[2].item`.
    pub path: String,
    /// What it holds.
    pub ty: FieldType<'a>,
}

/// There is no such field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoField {
    /// What was found of the path.
    pub within: String,
    /// The name that is not there.
    pub name: String,
    /// The names that are, as the source has them.
    pub choices: Vec<String>,
}

/// What a path in an object of a class is: `slots[2].item`, `m_Slots.Array.data[2].item`,
/// `slots.Array.size`. Names are those of the source or those of the file.
pub fn field_type<'a>(
    set: &ScriptSet<'a>,
    ty: TypeRef<'a>,
    path: &str,
    version: Version,
) -> Result<FieldAt<'a>, NoField> {
    let mut place = Place::of(ty);
    let (mut found, mut rest) = (String::new(), path);
    loop {
        let (name, after) = rest.split_at(name_end(rest));
        let fields = saved(set, &place);
        let Some(field) = fields.iter().find(|saved| is_named(saved, name)) else {
            let choices = fields.into_iter().map(|saved| saved.field.name).collect();
            return Err(NoField { within: found, name: name.to_owned(), choices });
        };
        push_name(&mut found, &field.field.key);
        let mut ty = type_of(set, field);
        rest = after;
        while let FieldType::List(element) = &ty {
            if rest == ".Array.size" {
                found.push_str(rest);
                let ty = FieldType::Primitive(Primitive::Int { bytes: 4, is_signed: true });
                return Ok(FieldAt { path: found, ty });
            }
            let Some((index, after)) = index(rest) else { break };
            found.push_str(&format!(".Array.data[{index}]"));
            ty = (**element).clone();
            rest = after;
        }
        let Some(inner) = rest.strip_prefix('.') else {
            let no_field =
                || NoField { within: found.clone(), name: rest.to_owned(), choices: Vec::new() };
            return if rest.is_empty() { Ok(FieldAt { path: found, ty }) } else { Err(no_field()) };
        };
        let inner_place = match &ty {
            FieldType::Nested(_) => Place::named(set, &field.element, field.from, &field.place),
            _ => None,
        };
        match inner_place {
            Some(inner_place) => place = inner_place,
            None => return inside(&ty, found, inner, version),
        }
        rest = inner;
    }
}

/// A name with brackets in it would be that of a hidden field: `<Speed>k__BackingField` has none.
fn name_end(path: &str) -> usize {
    path.find(['.', '[']).unwrap_or(path.len())
}

fn is_named(saved: &Saved<'_>, name: &str) -> bool {
    let field = &saved.field;
    field.key == name || field.name == name || field.former_names.iter().any(|known| known == name)
}

fn push_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

/// `[2]` or `.Array.data[2]`, and what follows.
fn index(path: &str) -> Option<(usize, &str)> {
    let path = path.strip_prefix(".Array.data").unwrap_or(path);
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// A part of a structure of the engine.
fn inside<'a>(
    ty: &FieldType<'a>,
    found: String,
    path: &str,
    version: Version,
) -> Result<FieldAt<'a>, NoField> {
    let at = |ty| Ok(FieldAt { path: format!("{found}.{path}"), ty });
    let FieldType::Engine(name) = ty else {
        return Err(NoField { within: found, name: path.to_owned(), choices: Vec::new() });
    };
    if let Some(parts) = engine::parts(name) {
        let whole = FieldType::Primitive(Primitive::Int { bytes: 4, is_signed: true });
        return match parts.contains(&path) {
            true if name.starts_with("double") => at(FieldType::Primitive(Primitive::Double)),
            true if name.starts_with("bool") => at(FieldType::Primitive(Primitive::Bool)),
            true if name.ends_with("Int") || name.contains("int") || name == "RectOffset" => {
                at(whole)
            }
            true => at(FieldType::Primitive(Primitive::Float)),
            false => Err(NoField {
                within: found,
                name: path.to_owned(),
                choices: parts.iter().map(|part| (*part).to_owned()).collect(),
            }),
        };
    }
    let layout = engine::layout(name, version);
    match layout.and_then(|layout| layout.find(path)) {
        Some(node) => at(FieldType::Native(node)),
        None => {
            let names = layout.into_iter().flat_map(Node::children).map(Node::name);
            let choices = names.map(str::to_owned).collect();
            Err(NoField { within: found, name: path.to_owned(), choices })
        }
    }
}

/// What a saved field holds.
pub(super) fn type_of<'a>(set: &ScriptSet<'a>, saved: &Saved<'a>) -> FieldType<'a> {
    let element = element_type(set, saved);
    match saved.collection {
        Collection::One => element,
        Collection::Array | Collection::List => FieldType::List(Box::new(element)),
    }
}

fn element_type<'a>(set: &ScriptSet<'a>, saved: &Saved<'a>) -> FieldType<'a> {
    let declared = set.find(&saved.element, saved.from).into_iter().next();
    let name = declared.map_or_else(|| saved.element.clone(), |ty| ty.decl.full_name());
    match saved.kind {
        ValueKind::Primitive => FieldType::Primitive(primitive(simple_type(&saved.element))),
        ValueKind::String => FieldType::String,
        ValueKind::Enum => {
            let own = declared.into_iter().flat_map(|ty| &ty.decl.enum_members);
            let own = own.filter_map(|known| Some((known.name.clone(), known.value?)));
            let of_engine = enums::members(simple_type(&name)).filter(|_| declared.is_none());
            let of_engine = of_engine.into_iter().flatten();
            let of_engine = of_engine.map(|(name, number)| ((*name).to_owned(), *number));
            let members = own.chain(of_engine);
            let is_flags = declared.is_some_and(|ty| ty.decl.about.attribute("Flags").is_some());
            let number = declared.and_then(|ty| ty.decl.bases.first());
            let number = primitive(number.map_or("int", |base| simple_type(base)));
            FieldType::Enum { name, members: members.collect(), is_flags, number }
        }
        ValueKind::EngineValue => FieldType::Engine(simple_type(&saved.element).to_owned()),
        ValueKind::Object => FieldType::Object(name),
        ValueKind::ManagedReference => FieldType::Managed(name),
        ValueKind::Nested => match declared {
            Some(ty) if is_event(set, ty) => FieldType::Engine("UnityEvent".to_owned()),
            Some(ty) => FieldType::Nested(ty),
            None => FieldType::Unknown(name),
        },
        ValueKind::Unknown => FieldType::Unknown(name),
    }
}

fn is_event<'a>(set: &ScriptSet<'a>, ty: TypeRef<'a>) -> bool {
    let base = Place::of(ty).library_base(set);
    base.is_some_and(|base| simple_type(&base) == "UnityEvent")
}

fn primitive(name: &str) -> Primitive {
    let int = |bytes, is_signed| Primitive::Int { bytes, is_signed };
    match name {
        "bool" | "Boolean" => Primitive::Bool,
        "char" | "Char" => Primitive::Char,
        "float" | "Single" => Primitive::Float,
        "double" | "Double" => Primitive::Double,
        "byte" | "Byte" => int(1, false),
        "sbyte" | "SByte" => int(1, true),
        "short" | "Int16" => int(2, true),
        "ushort" | "UInt16" => int(2, false),
        "uint" | "UInt32" => int(4, false),
        "long" | "Int64" => int(8, true),
        "ulong" | "UInt64" => int(8, false),
        _ => int(4, true),
    }
}
