//! Declarations reduced to what Unity saves: of each class its base, the saved fields in their order
//! with their types and first values, and the classes and enums that these are of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use scenewright_unity::script::{
    Field, Modifier, ScriptFile, ScriptSet, SerializedField, TypeDecl, TypeKind, TypeRef,
    UnityBase, ValueKind, holds_in_editor, is_interface_name,
};

/// Attributes that say something about components, or about how they are saved.
const ATTRIBUTES: [&str; 4] =
    ["Serializable", "RequireComponent", "DisallowMultipleComponent", "Flags"];

/// The classes that components and assets are of, and those of their fields, by the names of the
/// outermost ones.
pub(super) fn all(files: &[Arc<ScriptFile>]) -> BTreeMap<String, String> {
    let set = ScriptSet::new(files.iter().map(|file| &**file));
    let mut types: BTreeMap<String, TypeRef<'_>> = BTreeMap::new();
    let mut open: Vec<TypeRef<'_>> = Vec::new();
    for file in files {
        for decl in file.all_types() {
            let ty = TypeRef { file, decl };
            let is_root = decl.kind == TypeKind::Class
                && matches!(
                    set.unity_base(ty),
                    UnityBase::MonoBehaviour | UnityBase::ScriptableObject
                );
            open.extend(is_root.then_some(ty));
        }
    }
    let mut words: BTreeSet<String> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if types.contains_key(&ty.decl.full_name()) {
            continue;
        }
        types.insert(ty.decl.full_name(), ty);
        open.extend(set.base_types(ty));
        for base in &ty.decl.bases {
            open.extend(names(base).flat_map(|name| set.find(name, ty)));
        }
        for field in fields(&set, ty) {
            let first = field.initializer.as_deref().unwrap_or_default();
            words.extend(names(first).flat_map(|name| name.split('.')).map(str::to_owned));
            let owners =
                names(first).filter_map(|name| name.rsplit_once('.')).map(|(owner, _)| owner);
            let mentioned = names(&field.ty).chain(names(first)).chain(owners);
            open.extend(mentioned.flat_map(|name| set.find(name, ty)));
        }
    }
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        for decl in file.types.iter() {
            let writer = Writer { set: &set, types: &types, words: &words };
            if writer.wants(decl) {
                let text = writer.file(TypeRef { file, decl });
                all.entry(decl.full_name()).or_default().push_str(&text);
            }
        }
    }
    all
}

/// The names in an expression or a type, with their dots.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The saved fields that a type declares itself, in all its parts.
fn fields<'a>(set: &ScriptSet<'a>, ty: TypeRef<'a>) -> Vec<SerializedField> {
    let fields = set.serialized_fields(ty).fields.into_iter();
    let is_compiled =
        |field: &SerializedField| field.condition.as_deref().is_none_or(holds_in_editor);
    fields.filter(is_compiled).collect()
}

struct Writer<'s, 'a> {
    set: &'s ScriptSet<'a>,
    /// The types that are wanted, each by its first part.
    types: &'s BTreeMap<String, TypeRef<'a>>,
    /// The words of all first values: constants that are among them are kept.
    words: &'s BTreeSet<String>,
}

impl<'a> Writer<'_, 'a> {
    /// Whether a type is wanted, or one inside of it.
    fn wants(&self, decl: &TypeDecl) -> bool {
        let name = decl.full_name();
        let inside = format!("{name}.");
        let mut behind = self.types.range(inside.clone()..);
        self.types.contains_key(&name)
            || behind.next().is_some_and(|(key, _)| key.starts_with(&inside))
    }

    fn file(&self, ty: TypeRef<'a>) -> String {
        let mut text = String::new();
        let apart = ["System", "UnityEditor", "Unity.Mathematics", "Unity.Collections"];
        for using in &ty.file.usings {
            let is_apart = apart.iter().any(|name| using.name.starts_with(name));
            if !using.is_static && !is_apart && using.name != "UnityEngine" {
                let alias = using.alias.as_ref().map(|alias| format!("{alias}="));
                let _ = write!(text, "using {}{};", alias.unwrap_or_default(), using.name);
            }
        }
        match &*ty.decl.namespace {
            "" => self.ty(ty, &mut text),
            namespace => {
                let _ = write!(text, "namespace {namespace}{{");
                self.ty(ty, &mut text);
                text.push('}');
            }
        }
        text
    }

    fn ty(&self, ty: TypeRef<'a>, text: &mut String) {
        let decl = ty.decl;
        let known = self.types.get(&decl.full_name());
        // Of a type in several parts the first has all fields.
        let is_first = known.is_some_and(|first| std::ptr::eq(first.decl, decl));
        self.head(decl, is_first, text);
        text.push('{');
        match decl.kind {
            TypeKind::Enum => self.members(ty, text),
            _ if is_first => {
                for field in fields(self.set, ty) {
                    saved(&field, text);
                }
            }
            _ => {}
        }
        decl.fields.iter().for_each(|field| self.constant(field, text));
        for inner in &decl.types {
            if self.wants(inner) {
                self.ty(TypeRef { file: ty.file, decl: inner }, text);
            }
        }
        text.push('}');
    }

    fn head(&self, decl: &TypeDecl, is_first: bool, text: &mut String) {
        for attribute in decl.about.attributes.iter().filter(|_| is_first) {
            let Some(name) = ATTRIBUTES.iter().find(|name| attribute.is(name)) else { continue };
            let arguments: Vec<&str> = attribute.arguments.iter().map(|one| &*one.text).collect();
            let arguments = match arguments.is_empty() {
                true => String::new(),
                false => format!("({})", arguments.join(",")),
            };
            let _ = write!(text, "[{name}{arguments}]");
        }
        for modifier in [Modifier::Abstract, Modifier::Static, Modifier::Partial] {
            if decl.about.modifiers.has(modifier) {
                let _ = write!(text, "{} ", modifier.word());
            }
        }
        let keyword = match decl.kind {
            TypeKind::Struct | TypeKind::RecordStruct => "struct",
            TypeKind::Enum => "enum",
            TypeKind::Interface => "interface",
            _ => "class",
        };
        let _ = write!(text, "{keyword} {}", decl.name);
        if !decl.type_parameters.is_empty() {
            let _ = write!(text, "<{}>", decl.type_parameters.join(","));
        }
        // Interfaces are not saved; what enums are made of is their size.
        if let Some(base) = decl.bases.first().filter(|base| !is_interface_name(base)) {
            let _ = write!(text, ":{base}");
        }
    }

    /// Members with their numbers. One without is counted on from the one before where it is read, so that
    /// one whose number is not known has its expression.
    fn members(&self, ty: TypeRef<'a>, text: &mut String) {
        for member in &ty.decl.enum_members {
            let number = member.value.map(|value| value.to_string());
            let number = number.or_else(|| Some(self.numbers(member.text.as_deref()?, ty)));
            let number = number.map(|number| format!("={number}")).unwrap_or_default();
            let _ = write!(text, "{}{number},", member.name);
        }
    }

    /// An expression with the numbers of other enums in place of their names.
    fn numbers(&self, expression: &str, ty: TypeRef<'a>) -> String {
        let mut found: Vec<&str> = names(expression).collect();
        // `A.BC` before `A.B`.
        found.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let number = |name: &str| {
            let (owner, member) = name.rsplit_once('.')?;
            let owners = self.set.find(owner, ty).into_iter();
            let mut members = owners.flat_map(|owner| &owner.decl.enum_members);
            members.find(|known| known.name == member)?.value
        };
        found.into_iter().fold(bare(expression), |text, name| match number(name) {
            Some(number) => text.replace(name, &number.to_string()),
            None => text,
        })
    }

    fn constant(&self, field: &Field, text: &mut String) {
        let modifiers = field.about.modifiers;
        let is_fixed = modifiers.has(Modifier::Const)
            || (modifiers.has(Modifier::Static) && modifiers.has(Modifier::Readonly));
        if let Some(first) = field.initializer.as_deref()
            && is_fixed
            && self.words.contains(&field.name)
        {
            let word = if modifiers.has(Modifier::Const) { "const" } else { "static readonly" };
            let _ = write!(text, "{word} {} {}={};", field.ty, field.name, bare(first));
        }
    }
}

fn saved(field: &SerializedField, text: &mut String) {
    let word = match field.kind {
        ValueKind::ManagedReference => "SerializeReference",
        _ => "SerializeField",
    };
    let first = field.initializer.as_deref().map(|first| format!("={}", bare(first)));
    let first = first.unwrap_or_default();
    let _ = match field.key.starts_with('<') {
        true => {
            let end = if first.is_empty() { "" } else { ";" };
            write!(text, "[field:{word}]{} {}{{get;set;}}{first}{end}", field.ty, field.name)
        }
        false => write!(text, "[{word}]{} {}{first};", field.ty, field.name),
    };
}

/// An expression without comments, on one line; a name that nothing has, when it is not whole.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    for line in text.lines() {
        let mut in_text = false;
        let mut letters = line.char_indices();
        let end = letters.find(|(at, letter)| {
            in_text ^= *letter == '"';
            !in_text && (line[*at..].starts_with("//") || line[*at..].starts_with("/*"))
        });
        let code = end.map_or(line, |(at, _)| &line[..at]).trim();
        bare.push_str(code);
        bare.push(' ');
    }
    let count = |sign: char| bare.matches(sign).count();
    // Long ones are cut where they are read.
    match count('{') == count('}') && count('(') == count(')') {
        true => bare.trim_end().to_owned(),
        false => "Cut.Short".to_owned(),
    }
}
