//! The classes that the world knows: the engine's from a table, the project's from its scripts.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::value::Value;

/// Full name of the class that all components share.
pub const COMPONENT: &str = "UnityEngine.Component";
/// Full name of the class of components that can be switched off.
pub(crate) const BEHAVIOUR: &str = "UnityEngine.Behaviour";
/// Full name of the class of scripts.
pub const MONO_BEHAVIOUR: &str = "UnityEngine.MonoBehaviour";

/// Full name of the class of what is drawn on a canvas.
pub(crate) const GRAPHIC: &str = "UnityEngine.UI.Graphic";

/// How far up a chain of base classes is followed; C# forbids cycles, a project in the middle of
/// an edit may have one.
const MAX_BASES: usize = 64;

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// Namespace and name.
    pub full_name: Arc<str>,
    /// Full name of the base class.
    pub base: Option<Arc<str>>,
    /// Name of the assembly that has it.
    pub assembly: Arc<str>,
    /// It has no instances.
    pub is_static: bool,
    /// Fields and properties that it declares itself.
    pub members: Vec<Member>,
    /// Methods that it declares itself.
    pub methods: Vec<Method>,
}

/// A field or a property.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its name in C#.
    pub name: Arc<str>,
    /// Which of both.
    pub kind: MemberKind,
    /// Full name of its type.
    pub type_name: Arc<str>,
    /// Whether it can be set.
    pub can_write: bool,
    /// Whether it belongs to the class and not to each instance.
    pub is_static: bool,
    /// Where its value is.
    pub source: Source,
    /// What its declaration gives it to begin with, as the source has it: `5` also for a `float`.
    pub initial: Option<Initial>,
}

/// What a declaration gives a member to begin with.
#[derive(Debug, Clone, PartialEq)]
pub enum Initial {
    /// This value.
    Value(Value),
    /// What this code of C# gives; it is asked for when somebody reads the member.
    Code(Arc<str>),
}

/// Gives the value of an initialiser's code for a member of a type; nothing when it cannot be told.
pub type Initials = fn(&Arc<Types>, &str, &str) -> Option<Value>;

/// A field or a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum MemberKind {
    Field,
    Property,
}

/// Where the value of a member is.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The world knows it: names, transforms, what is active.
    World,
    /// A saved field at this path, such as `m_Shadows.m_Type`.
    Saved(Arc<str>),
    /// Nowhere until something sets it; then in the world. A field that Unity does not save.
    Memory,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: Arc<str>,
    /// Full name of the type that it returns.
    pub returns: Arc<str>,
    /// Types and names of its parameters.
    pub parameters: Vec<(Arc<str>, Arc<str>)>,
    /// Whether it is called on the class.
    pub is_static: bool,
    /// Whether a derived class may replace it.
    pub is_virtual: bool,
}

/// An enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumType {
    /// Namespace and name.
    pub full_name: Arc<str>,
    /// Names and numbers, in order.
    pub members: Vec<(Arc<str>, i64)>,
}

impl Type {
    /// The name without its namespace.
    pub fn name(&self) -> &str {
        short_name(&self.full_name)
    }
}

impl Method {
    /// As Harmony writes it: `System.Void UnityEngine.GameObject::SetActive(System.Boolean value)`.
    pub fn signature(&self, of: &str) -> String {
        self.describe(of, true)
    }

    /// The same without the names of the parameters.
    pub fn signature_without_names(&self, of: &str) -> String {
        self.describe(of, false)
    }

    fn describe(&self, of: &str, names: bool) -> String {
        let parameter = |(type_name, name): &(Arc<str>, Arc<str>)| match names {
            true => format!("{type_name} {name}"),
            false => type_name.to_string(),
        };
        let parameters: Vec<String> = self.parameters.iter().map(parameter).collect();
        format!(
            "{}{}{} {of}::{}({})",
            if self.is_static { "static " } else { "" },
            if self.is_virtual { "virtual " } else { "" },
            self.returns,
            self.name,
            parameters.join(", ")
        )
    }
}

/// What follows the last dot or plus.
pub fn short_name(full_name: &str) -> &str {
    full_name.rsplit(['.', '+']).next().unwrap_or(full_name)
}

/// All classes and enums of a world.
#[derive(Debug, Clone)]
pub struct Types {
    types: HashMap<Arc<str>, Arc<Type>>,
    enums: HashMap<Arc<str>, Arc<EnumType>>,
    /// Full names by what follows the last dot, lowercase.
    by_short_name: HashMap<String, Vec<Arc<str>>>,
}

impl Default for Types {
    /// The classes of the engine.
    fn default() -> Types {
        NATIVES.clone()
    }
}

impl Types {
    /// The classes of the engine, which nobody adds to.
    pub fn natives() -> &'static Types {
        &NATIVES
    }

    /// Add a class, or replace the one of the same name.
    pub fn add(&mut self, ty: Type) {
        let name = ty.full_name.clone();
        if self.types.insert(name.clone(), Arc::new(ty)).is_none() {
            self.by_short_name.entry(short_name(&name).to_lowercase()).or_default().push(name);
        }
    }

    /// Take note that components have this class. One that no source tells of, or whose base class
    /// is in none, derives from what every component like it does.
    pub(crate) fn add_component(&mut self, full_name: &Arc<str>, base: &str) {
        if self.is_a(full_name, COMPONENT) {
            return;
        }
        match self.chain(full_name).last() {
            Some(last) => self.add(Type { base: Some(base.into()), ..Type::clone(last) }),
            None => self.add(Type {
                full_name: full_name.clone(),
                base: Some(base.into()),
                assembly: "".into(),
                is_static: false,
                members: Vec::new(),
                methods: Vec::new(),
            }),
        }
    }

    /// Add an enum, or replace the one of the same name.
    pub fn add_enum(&mut self, ty: EnumType) {
        self.enums.insert(ty.full_name.clone(), Arc::new(ty));
    }

    /// The class of a full name.
    pub fn get(&self, full_name: &str) -> Option<&Arc<Type>> {
        self.types.get(full_name)
    }

    /// Whether a class is one of the engine's and not the project's.
    pub fn is_native(&self, full_name: &str) -> bool {
        self.types.get(full_name).is_some_and(|ty| ty.assembly.starts_with("UnityEngine"))
    }

    /// The enum of a full name.
    pub fn get_enum(&self, full_name: &str) -> Option<&Arc<EnumType>> {
        self.enums.get(full_name)
    }

    /// The only enum with this name, without its namespace; dots stand between nested names.
    pub fn enum_named(&self, text: &str) -> Option<&Arc<EnumType>> {
        let mut matching = self.enums.values().filter(|ty| {
            let full_name = ty.full_name.replace('+', ".");
            full_name == text
                || full_name.strip_suffix(text).is_some_and(|rest| rest.ends_with('.'))
        });
        matching.next().filter(|_| matching.next().is_none())
    }

    /// Every class, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Type>> {
        self.types.values()
    }

    /// Every enum, in no order.
    pub fn enums(&self) -> impl Iterator<Item = &Arc<EnumType>> {
        self.enums.values()
    }

    /// The class and its bases, nearest first.
    pub fn chain(&self, full_name: &str) -> impl Iterator<Item = &Arc<Type>> {
        let first = self.types.get(full_name);
        std::iter::successors(first, |ty| self.types.get(ty.base.as_deref()?)).take(MAX_BASES)
    }

    /// Whether a class is another one or derived from it.
    pub fn is_a(&self, full_name: &str, base: &str) -> bool {
        full_name == base || self.chain(full_name).any(|ty| &*ty.full_name == base)
    }

    /// What a `type=` filter means: with a dot a full name in any case, without one the only
    /// component class of that name, the project's own before the engine's. Nothing when it is
    /// unknown or means several.
    pub fn find_component(&self, text: &str) -> Option<&Arc<Type>> {
        let candidates = self.by_short_name.get(&short_name(text).to_lowercase())?;
        let is_component = |name: &&Arc<str>| self.is_a(name, COMPONENT);
        let matching = candidates
            .iter()
            .filter(|name| !text.contains('.') || name.eq_ignore_ascii_case(text))
            .filter(is_component);
        // The engine has many classes with common names; a project that has its own means it.
        let (native, own): (Vec<&Arc<str>>, Vec<&Arc<str>>) =
            matching.partition(|name| self.is_native(name));
        match (own.as_slice(), native.as_slice()) {
            ([found], _) | ([], [found]) => self.types.get(*found),
            _ => None,
        }
    }

    /// The classes with this name, with or without their namespace.
    pub fn named(&self, text: &str) -> Vec<&Arc<Type>> {
        if let Some(ty) = self.types.get(text) {
            return vec![ty];
        }
        let candidates = self.by_short_name.get(&text.to_lowercase());
        let names = candidates.into_iter().flatten().filter(|name| short_name(name) == text);
        names.filter_map(|name| self.types.get(name)).collect()
    }

    /// Fields and properties of a class and its bases, the nearest of a name only: first those of
    /// the class itself.
    pub fn members(&self, full_name: &str) -> Vec<&Member> {
        let mut seen = std::collections::HashSet::new();
        let members = self.chain(full_name).flat_map(|ty| &ty.members);
        members.filter(|member| seen.insert(&*member.name)).collect()
    }

    /// The member of a name, in the class or its bases.
    pub fn member(&self, full_name: &str, name: &str) -> Option<&Member> {
        self.chain(full_name).flat_map(|ty| &ty.members).find(|member| &*member.name == name)
    }

    /// Methods of a class and its bases, with the class that declares each.
    pub fn methods(&self, full_name: &str) -> impl Iterator<Item = (&Arc<Type>, &Method)> {
        self.chain(full_name).flat_map(|ty| ty.methods.iter().map(move |method| (ty, method)))
    }
}

/// The full name of a type that C# has a word for.
pub fn full_type_name(word: &str) -> &str {
    match word {
        "bool" => "System.Boolean",
        "byte" => "System.Byte",
        "short" => "System.Int16",
        "int" => "System.Int32",
        "uint" => "System.UInt32",
        "long" => "System.Int64",
        "ulong" => "System.UInt64",
        "float" => "System.Single",
        "double" => "System.Double",
        "decimal" => "System.Decimal",
        "char" => "System.Char",
        "string" => "System.String",
        "object" => "System.Object",
        "void" => "System.Void",
        _ => word,
    }
}

/// Fields of every component that are no members of it.
const HOUSEKEEPING: [&str; 10] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_GameObject",
    "m_Enabled",
    "m_EditorHideFlags",
    "m_Script",
    "m_EditorClassIdentifier",
    "serializedVersion",
];

/// Whether a field is one that every component has and that is no member of it.
pub fn is_housekeeping(field: &str) -> bool {
    HOUSEKEEPING.contains(&field)
}

/// The property that C# most likely has for a field: `useGravity` for `m_UseGravity`.
pub fn property_name(field: &str) -> String {
    let bare = field.strip_prefix("m_").unwrap_or(field);
    let mut name = String::with_capacity(bare.len());
    for (index, word) in bare.split(' ').enumerate() {
        let mut letters = word.chars();
        let Some(first) = letters.next() else { continue };
        match index {
            0 => name.extend(first.to_lowercase()),
            _ => name.extend(first.to_uppercase()),
        }
        name.push_str(letters.as_str());
    }
    name
}

static NATIVES: LazyLock<Types> = LazyLock::new(|| {
    let mut types =
        Types { types: HashMap::new(), enums: HashMap::new(), by_short_name: HashMap::new() };
    let mut open: Option<Type> = None;
    for line in include_str!("../data/natives.txt").lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if line.starts_with(' ') {
            if let Some(ty) = &mut open {
                add_line(ty, text);
            }
            continue;
        }
        types.close(&mut open);
        match text.strip_prefix("enum ") {
            Some(text) => types.add_enum(read_enum(text)),
            None => open = Some(read_head(text)),
        }
    }
    types.close(&mut open);
    types
});

impl Types {
    fn close(&mut self, open: &mut Option<Type>) {
        if let Some(ty) = open.take() {
            self.add(ty);
        }
    }
}

fn read_head(text: &str) -> Type {
    let (name, base) =
        text.split_once(" : ").map_or((text, None), |(name, base)| (name, Some(base)));
    let assembly = match name {
        _ if name.starts_with("UnityEngine.UI.")
            || name.starts_with("UnityEngine.EventSystems.") =>
        {
            "UnityEngine.UI"
        }
        _ => "UnityEngine.CoreModule",
    };
    Type {
        full_name: name.into(),
        base: base.map(Into::into),
        assembly: assembly.into(),
        is_static: false,
        members: Vec::new(),
        methods: Vec::new(),
    }
}

fn add_line(ty: &mut Type, text: &str) {
    let (text, is_static) = match text.strip_prefix("static ") {
        Some(text) => (text, true),
        None => (text, false),
    };
    if let Some(method) = text.strip_prefix("method ") {
        ty.methods.extend(read_method(method, is_static));
        return;
    }
    let (text, can_write) = match text.strip_prefix("ro ") {
        Some(text) => (text, false),
        None => (text, true),
    };
    let mut words = text.splitn(3, ' ');
    let (Some(name), Some(type_name), Some(source)) = (words.next(), words.next(), words.next())
    else {
        return;
    };
    ty.members.push(Member {
        name: name.into(),
        kind: MemberKind::Property,
        type_name: full_type_name(type_name).into(),
        can_write,
        is_static,
        source: if source == "@" { Source::World } else { Source::Saved(source.into()) },
        initial: None,
    });
}

fn read_method(text: &str, is_static: bool) -> Option<Method> {
    let (head, parameters) = text.strip_suffix(')')?.split_once('(')?;
    let (returns, name) = head.split_once(' ')?;
    let parameter = |text: &str| {
        let (type_name, name) = text.trim().split_once(' ')?;
        Some((full_type_name(type_name).into(), name.into()))
    };
    Some(Method {
        name: name.into(),
        returns: full_type_name(returns).into(),
        parameters: parameters.split(',').filter_map(parameter).collect(),
        is_static,
        is_virtual: false,
    })
}

fn read_enum(text: &str) -> EnumType {
    let mut words = text.split(' ');
    let full_name = words.next().unwrap_or_default().into();
    let member = |word: &str| {
        let (name, number) = word.split_once('=')?;
        Some((name.into(), number.parse().ok()?))
    };
    EnumType { full_name, members: words.filter_map(member).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_engine() {
        let types = Types::default();
        assert!(types.is_a("UnityEngine.BoxCollider", COMPONENT));
        assert!(types.is_a("UnityEngine.RectTransform", "UnityEngine.Transform"));
        assert!(!types.is_a("UnityEngine.GameObject", COMPONENT));
        let missing: Vec<_> = types
            .all()
            .filter(|ty| ty.base.as_ref().is_some_and(|base| types.get(base).is_none()))
            .collect();
        assert_eq!(missing, Vec::<&Arc<Type>>::new());
        let member = types.member("UnityEngine.BoxCollider", "size").unwrap();
        assert_eq!(member.source, Source::Saved("m_Size".into()));
        let fov = types.member("UnityEngine.Camera", "fieldOfView").unwrap();
        assert_eq!(fov.source, Source::Saved("field of view".into()));
    }

    #[test]
    fn every_type_of_a_member_is_known_or_plain() {
        let types = Types::default();
        let enums = types.all().flat_map(|ty| &ty.members).filter(|member| {
            let name = &*member.type_name;
            (name.ends_with("Mode") || name.ends_with("Flags")) && types.get_enum(name).is_none()
        });
        assert_eq!(enums.count(), 0);
    }

    #[test]
    fn filters_mean_one_class() {
        let types = Types::default();
        let found = |text| types.find_component(text).map(|ty| ty.full_name.to_string());
        assert_eq!(found("camera").as_deref(), Some("UnityEngine.Camera"));
        assert_eq!(found("unityengine.camera").as_deref(), Some("UnityEngine.Camera"));
        assert_eq!(found("GameObject"), None);
        assert_eq!(found("Wrong.Camera"), None);
    }

    #[test]
    fn signatures_read_like_harmonys() {
        let types = Types::default();
        let (ty, method) = types
            .methods("UnityEngine.GameObject")
            .find(|(_, method)| &*method.name == "SetActive")
            .unwrap();
        assert_eq!(
            method.signature(&ty.full_name),
            "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)"
        );
        assert_eq!(
            method.signature_without_names(&ty.full_name),
            "System.Void UnityEngine.GameObject::SetActive(System.Boolean)"
        );
    }
}
