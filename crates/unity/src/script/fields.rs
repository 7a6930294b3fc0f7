//! What of a class Unity saves, and what looks as if it were saved and is not.

use std::sync::Arc;

use super::{
    About, Attribute, Modifier, Modifiers, ScriptSet, TypeKind, TypeRef, UnityBase, bases, engine,
    set,
};

/// What of a type Unity saves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SerializedFields {
    /// The saved fields, in the order of the files they were read from.
    pub fields: Vec<SerializedField>,
    /// Fields that look as if they were to be saved, and are not.
    pub left_out: Vec<LeftOut>,
}

/// A field that Unity saves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerializedField {
    /// The key in scenes and assets.
    pub key: String,
    /// The name in the source; for a property not that of its hidden field.
    pub name: String,
    /// The type as written.
    pub ty: Arc<str>,
    /// One value or several.
    pub collection: Collection,
    /// What each value is.
    pub kind: ValueKind,
    /// Keys that older files may have for it.
    pub former_names: Vec<String>,
    /// The text of `[Header]` above it.
    pub header: Option<String>,
    /// The text of `[Tooltip]`.
    pub tooltip: Option<String>,
    /// The bounds of `[Range]`, as written.
    pub range: Option<(String, String)>,
    /// The bound of `[Min]`, as written.
    pub min: Option<String>,
    /// `[HideInInspector]`: saved but not shown.
    pub hidden: bool,
    /// The expression after `=`.
    pub initializer: Option<String>,
    /// The `#if` condition around it.
    pub condition: Option<Arc<str>>,
    /// The type that declares it.
    pub declared_in: String,
    /// Line, from 1.
    pub line: u32,
}

/// Whether a field holds one value or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Collection {
    One,
    Array,
    List,
}

/// What a saved value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A number, a character or a truth value.
    Primitive,
    /// Text.
    String,
    /// A number that stands for a name.
    Enum,
    /// A structure of the engine, such as `Vector3`.
    EngineValue,
    /// A reference to an object by file id and guid.
    Object,
    /// A `[Serializable]` type, saved in place.
    Nested,
    /// `[SerializeReference]`: an entry of `references`, by its rid.
    ManagedReference,
    /// The type is declared elsewhere, so whether and how it is saved is not known.
    Unknown,
}

/// A field that looks as if it were to be saved, and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why Unity passes over it.
    pub reason: &'static str,
    /// Line, from 1.
    pub line: u32,
}

/// A field, or the hidden field of a property, before it is judged.
struct Candidate<'a> {
    key: String,
    name: &'a str,
    ty: &'a Arc<str>,
    about: &'a About,
    /// The target an attribute needs to apply to the field.
    target: Option<&'a str>,
    modifiers: Modifiers,
    initializer: &'a Option<String>,
    get_only: bool,
}

impl<'a> ScriptSet<'a> {
    /// What Unity saves of a type and the types of the set it derives from, the base's fields first.
    pub fn all_serialized_fields(&self, ty: TypeRef<'a>) -> SerializedFields {
        let mut all = SerializedFields::default();
        let bases = self.base_types(ty);
        for ty in bases.into_iter().rev().chain([ty]) {
            let own = self.serialized_fields(ty);
            all.fields.extend(own.fields);
            all.left_out.extend(own.left_out);
        }
        all
    }

    /// What Unity saves of a type itself, with all its partial declarations in the set.
    pub fn serialized_fields(&self, ty: TypeRef<'a>) -> SerializedFields {
        let mut own = SerializedFields::default();
        let holds = matches!(ty.decl.kind, TypeKind::Class | TypeKind::Struct | TypeKind::Record);
        if !holds || ty.decl.about.modifiers.has(Modifier::Static) {
            return own;
        }
        for part in self.parts(ty) {
            let fields = part.decl.fields.iter().map(|field| Candidate {
                key: field.name.clone(),
                name: &field.name,
                ty: &field.ty,
                about: &field.about,
                target: None,
                modifiers: field.about.modifiers,
                initializer: &field.initializer,
                get_only: false,
            });
            let properties =
                part.decl.properties.iter().filter(|p| p.auto).map(|property| Candidate {
                    key: format!("<{}>k__BackingField", property.name),
                    name: &property.name,
                    ty: &property.ty,
                    about: &property.about,
                    target: Some("field"),
                    // The hidden field is private, and static with its property.
                    modifiers: property.about.modifiers,
                    initializer: &property.initializer,
                    get_only: !property.accessors.split([' ', ';']).any(|word| word == "set"),
                });
            let mut candidates: Vec<_> = fields.chain(properties).collect();
            candidates.sort_by_key(|c| c.about.line);
            for candidate in candidates {
                match self.judge(part, &candidate) {
                    Some(Ok(field)) => own.fields.push(field),
                    Some(Err(reason)) => own.left_out.push(LeftOut {
                        name: candidate.name.to_owned(),
                        reason,
                        line: candidate.about.line,
                    }),
                    None => {}
                }
            }
        }
        own
    }

    fn judge(
        &self,
        ty: TypeRef<'a>,
        of: &Candidate<'_>,
    ) -> Option<Result<SerializedField, &'static str>> {
        let attributes = || {
            of.about.attributes.iter().filter(|a| {
                let target = a.target.as_deref();
                target == of.target || (of.target.is_none() && target == Some("field"))
            })
        };
        let find = |name: &str| attributes().find(|a| a.is(name));
        let text = |name: &str, place: usize| find(name).and_then(|a: &Attribute| a.value(place));
        let reference = find("SerializeReference").is_some();
        let asked = reference || find("SerializeField").is_some();
        let public = of.target.is_none() && of.modifiers.has(Modifier::Public);
        if !(asked || public) || find("NonSerialized").is_some() {
            return None;
        }
        let fixed = [
            (of.modifiers.has(Modifier::Static), "static"),
            (of.modifiers.has(Modifier::Const), "const"),
            (of.modifiers.has(Modifier::Readonly), "readonly"),
            (of.get_only, "a property without `set`"),
            (of.modifiers.has(Modifier::Fixed), "a fixed buffer"),
        ];
        if let Some((_, reason)) = fixed.into_iter().find(|(is, _)| *is) {
            // A public constant is no surprise; one marked to be saved is.
            return asked.then_some(Err(reason));
        }
        let (collection, kind) = match self.value(of.ty, ty, reference) {
            Ok(value) => value,
            Err(reason) => return Some(Err(reason)),
        };
        let former = attributes().filter(|a| a.is("FormerlySerializedAs"));
        Some(Ok(SerializedField {
            key: of.key.clone(),
            name: of.name.to_owned(),
            ty: of.ty.clone(),
            collection,
            kind,
            former_names: former.filter_map(|a| a.value(0)).collect(),
            header: text("Header", 0),
            tooltip: text("Tooltip", 0),
            range: text("Range", 0).zip(text("Range", 1)),
            min: text("Min", 0),
            hidden: find("HideInInspector").is_some(),
            initializer: of.initializer.clone(),
            condition: of.about.condition.clone(),
            declared_in: ty.decl.full_name(),
            line: of.about.line,
        }))
    }

    /// What a field of this type holds, or why Unity does not save it.
    pub(crate) fn value(
        &self,
        ty: &str,
        from: TypeRef<'a>,
        reference: bool,
    ) -> Result<(Collection, ValueKind), &'static str> {
        let (element, collection) = element(ty)?;
        let kind = self.element(element, from, reference)?;
        let kind = match kind {
            ValueKind::Object if reference => {
                return Err("[SerializeReference] on an object reference");
            }
            ValueKind::Nested | ValueKind::Unknown if reference => ValueKind::ManagedReference,
            kind => kind,
        };
        Ok((collection, kind))
    }

    fn element(
        &self,
        ty: &str,
        from: TypeRef<'a>,
        reference: bool,
    ) -> Result<ValueKind, &'static str> {
        if let Some(inner) = ty.strip_suffix('?') {
            return match self.element(inner.trim_end(), from, reference)? {
                ValueKind::Primitive | ValueKind::Enum | ValueKind::EngineValue => {
                    Err("a nullable value")
                }
                kind => Ok(kind),
            };
        }
        if ty.starts_with('(') {
            return Err("a tuple");
        }
        let (path, _) = set::path_and_arity(ty);
        let simple = path.rsplit('.').next().unwrap_or(&path);
        if from.decl.type_parameters.contains(&path) {
            return Ok(ValueKind::Unknown);
        }
        let found = self.find(ty, from);
        if !found.is_empty() {
            return self.declared(&found, reference);
        }
        Ok(match simple {
            // `System.Object` is the same word with another namespace.
            "Object" if path == "System.Object" => return Err("a type that Unity never saves"),
            "string" | "String" => ValueKind::String,
            _ if engine::is_primitive(simple) => ValueKind::Primitive,
            "object" if reference => ValueKind::ManagedReference,
            _ if engine::is_never_saved(simple) => return Err("a type that Unity never saves"),
            _ if engine::is_value(simple) => ValueKind::EngineValue,
            _ if engine::is_enum(simple) => ValueKind::Enum,
            _ if engine::is_object(simple) || bases::library_base(ty).is_object() => {
                ValueKind::Object
            }
            _ => ValueKind::Unknown,
        })
    }

    /// What a value of a type in the set is.
    fn declared(&self, parts: &[TypeRef<'a>], reference: bool) -> Result<ValueKind, &'static str> {
        let Some(&first) = parts.first() else { return Ok(ValueKind::Unknown) };
        let marked = parts.iter().any(|part| part.decl.about.attribute("Serializable").is_some());
        let has = |modifier| parts.iter().any(|part| part.decl.about.modifiers.has(modifier));
        match first.decl.kind {
            TypeKind::Enum => match first.decl.bases.first().map(String::as_str) {
                Some("long" | "ulong") => Err("an enum of 64 bits"),
                _ => Ok(ValueKind::Enum),
            },
            TypeKind::Delegate => Err("a delegate"),
            TypeKind::Interface if reference => Ok(ValueKind::ManagedReference),
            TypeKind::Interface => Err("an interface without [SerializeReference]"),
            TypeKind::Struct | TypeKind::RecordStruct if reference => {
                Err("[SerializeReference] on a structure")
            }
            TypeKind::Struct | TypeKind::RecordStruct if marked => Ok(ValueKind::Nested),
            TypeKind::Struct | TypeKind::RecordStruct => Err("a structure without [Serializable]"),
            TypeKind::Class | TypeKind::Record => match self.unity_base(first) {
                base if base.is_object() => Ok(ValueKind::Object),
                _ if has(Modifier::Static) => Err("a static class"),
                _ if reference => Ok(ValueKind::ManagedReference),
                _ if marked && has(Modifier::Abstract) => {
                    Err("an abstract class without [SerializeReference]")
                }
                _ if marked => Ok(ValueKind::Nested),
                UnityBase::Unknown(_) => Ok(ValueKind::Unknown),
                _ => Err("a class without [Serializable]"),
            },
        }
    }
}

/// The type of one value, and whether there are several.
pub(crate) fn element(ty: &str) -> Result<(&str, Collection), &'static str> {
    let ty = ty.trim();
    let (element, collection) = match collected(ty.strip_suffix('?').unwrap_or(ty)) {
        Some(found) => found,
        None if ty.ends_with(']') => return Err("an array of more than one dimension"),
        None => return Ok((ty, Collection::One)),
    };
    match collected(element) {
        Some(_) => Err("a collection of collections"),
        None => Ok((element, collection)),
    }
}

fn collected(ty: &str) -> Option<(&str, Collection)> {
    if let Some(array) = ty.strip_suffix(']') {
        let element = array.trim_end().strip_suffix('[')?;
        return Some((element.trim(), Collection::Array));
    }
    let (name, arguments) = ty.strip_suffix('>')?.split_once('<')?;
    let list = name.rsplit(['.', ':']).next()?.trim() == "List";
    list.then(|| (arguments.trim(), Collection::List))
}
