//! The project's own classes, as its scripts declare them.

use std::sync::Arc;

use rayon::prelude::*;
use scenewright_console::{Limits, eval};
use scenewright_contract::ToolError;
use scenewright_toolkit::Cx;
use scenewright_tools_unity::base::Unity;
use scenewright_unity::script::{
    self, MAX_SOURCE_BYTES, MethodKind, Modifier, ScriptFile, ScriptSet, TypeKind, TypeRef,
};
use scenewright_unity::types::Version;
use scenewright_world::types::{
    EnumType, Initial, MONO_BEHAVIOUR, Member, MemberKind, Method, Source, Type, Types,
    full_type_name,
};
use scenewright_world::{Value, World};

use super::natives;

/// More scripts than any project of people has are not read.
const MAX_SCRIPTS: usize = 50_000;

/// Structures of the engine that fields are often of.
const STRUCTURES: [&str; 14] = [
    "Vector2",
    "Vector3",
    "Vector4",
    "Quaternion",
    "Color",
    "Color32",
    "Rect",
    "Bounds",
    "LayerMask",
    "AnimationCurve",
    "Gradient",
    "Matrix4x4",
    "Vector2Int",
    "Vector3Int",
];

/// The engine's classes and the project's.
pub(super) fn read(cx: &Cx, unity: &Unity<'_>) -> Result<Types, ToolError> {
    let sources: Vec<_> = unity
        .index
        .assets()
        .filter(|asset| asset.name().ends_with(".cs") && asset.size() <= MAX_SOURCE_BYTES as u64)
        .take(MAX_SCRIPTS)
        .collect();
    cx.check_cancelled()?;
    // A script that is gone since it was indexed declares nothing.
    let files: Vec<ScriptFile> = sources
        .par_iter()
        .filter_map(|asset| asset.read().ok())
        .map(|bytes| script::parse_bytes(&bytes))
        .collect();
    cx.check_cancelled()?;
    let set = ScriptSet::new(&files);
    let mut types = Types::default();
    let version = Version::parse(&unity.unity.settings.version.text).unwrap_or(Version::NEWEST);
    natives::add(&mut types, version);
    let natives = types.clone();
    for file in &files {
        for decl in file.all_types() {
            let ty = TypeRef { file, decl };
            match decl.kind {
                TypeKind::Enum => types.add_enum(enum_type(ty)),
                TypeKind::Interface | TypeKind::Delegate => {}
                _ => types.add(class(ty, &set, &natives)),
            }
        }
    }
    Ok(types)
}

fn enum_type(ty: TypeRef<'_>) -> EnumType {
    let mut next = 0;
    let members = ty.decl.enum_members.iter().map(|member| {
        let number = member.value.unwrap_or(next);
        next = number.wrapping_add(1);
        (Arc::from(member.name.as_str()), number)
    });
    EnumType { full_name: ty.decl.full_name().into(), members: members.collect() }
}

fn class(ty: TypeRef<'_>, set: &ScriptSet<'_>, natives: &Types) -> Type {
    let name = |written: &str| resolve(written, ty, set, natives);
    let base = ty.decl.bases.first().map(|base| name(base)).filter(|base| {
        natives.get(base).is_some() || !set.get(base).is_empty() || &**base == MONO_BEHAVIOUR
    });
    let saved = set.serialized_fields(ty);
    let key = |field: &str| saved.fields.iter().find(|saved| saved.name == field);
    let fields = ty.decl.fields.iter().map(|field| Member {
        name: field.name.as_str().into(),
        kind: MemberKind::Field,
        type_name: name(&field.ty),
        can_write: !field.about.modifiers.has(Modifier::Readonly)
            && !field.about.modifiers.has(Modifier::Const),
        is_static: field.about.modifiers.has(Modifier::Static)
            || field.about.modifiers.has(Modifier::Const),
        source: key(&field.name)
            .map_or(Source::Memory, |saved| Source::Saved(saved.key.as_str().into())),
        initial: field
            .initializer
            .as_deref()
            .map(|text| initial(text, || enum_literal(text, &field.ty, ty, set))),
    });
    let properties = ty.decl.properties.iter().filter(|property| property.name != "this");
    let properties = properties.map(|property| Member {
        name: property.name.as_str().into(),
        kind: MemberKind::Property,
        type_name: name(&property.ty),
        can_write: property.accessors.contains("set"),
        is_static: property.about.modifiers.has(Modifier::Static),
        source: key(&property.name)
            .map_or(Source::Memory, |saved| Source::Saved(saved.key.as_str().into())),
        initial: property
            .initializer
            .as_deref()
            .map(|text| initial(text, || enum_literal(text, &property.ty, ty, set))),
    });
    let methods = ty.decl.methods.iter().filter(|method| method.kind == MethodKind::Method);
    let methods = methods.map(|method| Method {
        name: method.name.as_str().into(),
        returns: name(&method.returns),
        parameters: method
            .parameters
            .iter()
            .map(|parameter| (name(&parameter.ty), parameter.name.as_str().into()))
            .collect(),
        is_static: method.about.modifiers.has(Modifier::Static),
        is_virtual: method.about.modifiers.has(Modifier::Virtual)
            || method.about.modifiers.has(Modifier::Override),
    });
    Type {
        full_name: ty.decl.full_name().into(),
        base,
        assembly: "Assembly-CSharp".into(),
        is_static: ty.decl.about.modifiers.has(Modifier::Static),
        members: fields.chain(properties).collect(),
        methods: methods.collect(),
    }
}

/// The full name of a type as a script writes it; as written when nothing tells more.
fn resolve(written: &str, from: TypeRef<'_>, set: &ScriptSet<'_>, natives: &Types) -> Arc<str> {
    let written = written.trim().trim_end_matches('?');
    if let Some(item) = written.strip_suffix("[]") {
        return format!("{}[]", resolve(item, from, set, natives)).into();
    }
    if let Some((head, rest)) = written.split_once('<')
        && let Some(items) = rest.strip_suffix('>')
    {
        // One argument is enough for lists; the others are kept as written.
        let items = match items.contains([',', '<']) {
            true => Arc::from(items),
            false => resolve(items, from, set, natives),
        };
        return format!("{head}<{items}>").into();
    }
    let word = full_type_name(written);
    if word != written {
        return word.into();
    }
    if let Some(found) = set.find(written, from).first() {
        return found.decl.full_name().into();
    }
    if STRUCTURES.contains(&written) {
        return format!("UnityEngine.{written}").into();
    }
    match natives.named(written).first() {
        Some(native) => native.full_name.clone(),
        None => written.into(),
    }
}

/// What an initialiser gives: at once what is plain, and the rest when somebody asks.
fn initial(text: &str, other: impl FnOnce() -> Option<Value>) -> Initial {
    match literal(text).or_else(other) {
        Some(value) => Initial::Value(value),
        None => Initial::Code(text.trim().into()),
    }
}

/// The value of an initialiser that is more than a literal, such as `new Vector3(1, 2, 3)`: run as
/// code of the console in a world with nothing in it.
pub(super) fn evaluate(types: &Arc<Types>, code: &str, type_name: &str) -> Option<Value> {
    let limits = Limits { steps: 10_000, memory: 1 << 20, ..Limits::default() };
    let run = |code: &str| {
        let given = eval(&mut World::new(types.clone()), code, &limits);
        given.ok().map(|given| given.value).filter(|value| *value != Value::Null)
    };
    // With its type, `new(1, 2)` and `{ 1, 2 }` have a meaning; some types are not known to code.
    let given = run(&format!("{type_name} given = {code};\nreturn given;"))
        .or_else(|| run(&format!("return {code};")))?;
    match &given {
        // A letter is a number wherever members have one.
        Value::Text(text) if type_name == "System.Char" => {
            text.encode_utf16().next().map(|unit| Value::Int(unit.into()))
        }
        _ => Some(given),
    }
}

/// The number of `Mode.Fast`, for a field of an enum of the project.
fn enum_literal(text: &str, ty: &str, from: TypeRef<'_>, set: &ScriptSet<'_>) -> Option<Value> {
    let (_, name) = text.trim().rsplit_once('.')?;
    let found = set.find(ty, from).into_iter().find(|ty| ty.decl.kind == TypeKind::Enum)?;
    let known = enum_type(found);
    let (_, number) = known.members.iter().find(|(known, _)| **known == *name)?;
    Some(Value::Int(*number))
}

/// The value of a plain literal; what would have to be computed is nothing.
fn literal(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['"', '\\'])).then(|| Value::text(inner));
    }
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        "null" => return Some(Value::Null),
        _ => {}
    }
    if let Ok(number) = text.parse::<i64>() {
        return Some(Value::Int(number));
    }
    match text.strip_suffix(['f', 'F']) {
        Some(number) => number.parse().ok().map(Value::Float),
        None => text.parse().ok().map(Value::Double),
    }
}

#[cfg(test)]
mod tests;
