//! C# scripts, read from their source without a compiler: what a file declares, which of its
//! fields Unity saves, and which class a script asset stands for.
//!
//! Names are matched as text. Overloads, generic arguments and symbols set by a build are not
//! worked out; where that matters the answer says `Unknown`.
//!
//! ```
//! let file = scenewright_unity::script::parse("class Door : MonoBehaviour { public int locks; }");
//! assert_eq!(file.types[0].fields[0].name, "locks");
//! ```

mod bases;
mod engine;
mod fields;
mod identifier;
mod known;
mod messages;
mod modifiers;
mod outline;
mod read;
mod scan;
mod set;
mod shipped;
mod shown;
mod template;
#[cfg(test)]
mod tests;
mod text;

pub use bases::{
    BINDS_BY_CLASS, MainType, MainTypeRule, UnityBase, is_interface_name, is_outside, main_class,
    simple_name,
};
pub(crate) use fields::element as field_element;
pub use fields::{Collection, LeftOut, SerializedField, SerializedFields, ValueKind};
pub use identifier::{ClassIdentifier, declares_class, library_names, type_names};
pub use known::{
    DllScript, PackageScript, ScriptKind, dll_file_id, dll_script, package_component,
    package_component_named, package_components, package_script,
};
pub(crate) use known::{library_has, package_has};
pub use messages::is_message;
pub use modifiers::{Modifier, Modifiers};
pub use outline::{OutlineField, OutlineMethod, OutlineProperty, OutlineType, ScriptOutline};
pub use read::{parse, parse_bytes, parse_declarations};
pub use scan::{breaks_in_strings, code_lines, holds_in_editor};
pub use set::{ScriptSet, TypeRef};
pub(crate) use shipped::shipped_classes;
pub use shipped::{Has, shipped};
pub(crate) use shown::{script_class, shown_class, stem};
pub use template::{Template, is_identifier};
pub(crate) use text::string_literal;

use std::sync::Arc;

/// The largest source that is read.
pub const MAX_SOURCE_BYTES: usize = 4 << 20;

/// What one C# source declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptFile {
    /// The `using` directives, in order.
    pub usings: Vec<Using>,
    /// Every namespace the file declares into, once, in order of appearance.
    pub namespaces: Vec<Arc<str>>,
    /// The types outside other types.
    pub types: Vec<TypeDecl>,
    /// What could not be read; the rest was.
    pub problems: Vec<Problem>,
}

/// Something in a source that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// A `using` directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Using {
    /// The namespace or type that is used.
    pub name: String,
    /// The short name of `using Short = Long.Name;`.
    pub alias: Option<String>,
    /// `using static`: the members of a type, not the types of a namespace.
    pub is_static: bool,
    /// The namespace whose block holds the directive; empty for the whole file.
    pub within: Arc<str>,
}

/// The kind of a type declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are C#'s own")]
pub enum TypeKind {
    Class,
    Struct,
    Interface,
    Enum,
    Record,
    RecordStruct,
    Delegate,
}

/// A type declaration, or one part of a partial one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeDecl {
    /// The keyword it was declared with.
    pub kind: TypeKind,
    /// Its namespace; empty for the global one.
    pub namespace: Arc<str>,
    /// The types around it, outermost first, joined by dots; empty for most.
    pub outer: Arc<str>,
    /// Its name without type parameters.
    pub name: String,
    /// The names of its type parameters.
    pub type_parameters: Vec<String>,
    /// Base class and interfaces as written; for an enum the underlying type.
    pub bases: Vec<String>,
    /// Parameters of a delegate, a record or a primary constructor.
    pub parameters: Vec<Parameter>,
    /// The type a delegate returns.
    pub returns: Option<String>,
    /// What stands around every declaration.
    pub about: About,
    /// The last line of the declaration, from 1.
    pub end_line: u32,
    /// Fields, one for each name.
    pub fields: Vec<Field>,
    /// Properties and indexers.
    pub properties: Vec<Property>,
    /// Methods, constructors and operators.
    pub methods: Vec<Method>,
    /// Events.
    pub events: Vec<Event>,
    /// The members of an enum.
    pub enum_members: Vec<EnumMember>,
    /// Types declared inside.
    pub types: Vec<TypeDecl>,
}

/// What every declaration has besides its own parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Attributes of the declaration, shared by the names of one field declaration.
    pub attributes: Arc<[Attribute]>,
    /// The modifiers as written; an absent access modifier is not filled in.
    pub modifiers: Modifiers,
    /// The `<summary>` of the documentation comment, on one line.
    pub summary: Option<Arc<str>>,
    /// The `#if` condition around the declaration.
    pub condition: Option<Arc<str>>,
    /// The line of the name, from 1.
    pub line: u32,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// `field`, `return` and the like, for `[field: SerializeField]`.
    pub target: Option<String>,
    /// The name as written.
    pub name: String,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
}

/// An argument of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The name in `order = 1` or `order: 1`.
    pub name: Option<String>,
    /// The expression as written.
    pub text: String,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type as written.
    pub ty: Arc<str>,
    /// The expression after `=`, cut when it is long.
    pub initializer: Option<String>,
    /// What stands around every declaration.
    pub about: About,
}

/// A property or an indexer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Its name, `this` for an indexer, with the interface before it when that is explicit.
    pub name: String,
    /// Its type as written.
    pub ty: Arc<str>,
    /// The accessors as written without bodies, such as `get; private set;`; empty for `=>`.
    pub accessors: String,
    /// Whether the compiler makes the field behind it.
    pub auto: bool,
    /// The expression after `=`, cut when it is long.
    pub initializer: Option<String>,
    /// What stands around every declaration.
    pub about: About,
}

/// The kind of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are C#'s own")]
pub enum MethodKind {
    Method,
    Constructor,
    Destructor,
    Operator,
}

/// A method, constructor or operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// What it is.
    pub kind: MethodKind,
    /// Its name, with the interface before it when that is explicit.
    pub name: String,
    /// The type it returns; empty for constructors.
    pub returns: String,
    /// The names of its type parameters.
    pub type_parameters: Vec<String>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What a `Reset` without parameters does, statement by statement; nothing of others, and where that was
    /// passed over.
    pub statements: Option<Vec<String>>,
    /// What stands around every declaration.
    pub about: About,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type as written.
    pub ty: String,
    /// `ref`, `out`, `in`, `this`, `params`; empty for most.
    pub modifiers: String,
    /// The default value as written.
    pub default: Option<String>,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The delegate type as written.
    pub ty: Arc<str>,
    /// What stands around every declaration.
    pub about: About,
}

/// A member of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumMember {
    /// Its name.
    pub name: String,
    /// The expression after `=`.
    pub text: Option<String>,
    /// The number, when it follows from literals, shifts, `|` and the members before.
    pub value: Option<i64>,
    /// What stands around every declaration.
    pub about: About,
}

impl ScriptFile {
    /// Every type of the file, the nested ones after the type around them.
    pub fn all_types(&self) -> impl Iterator<Item = &TypeDecl> {
        let mut open: Vec<&TypeDecl> = self.types.iter().rev().collect();
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.types.iter().rev());
            Some(next)
        })
    }
}

impl TypeDecl {
    /// Namespace, surrounding types and name, joined by dots.
    pub fn full_name(&self) -> String {
        let parts = [&*self.namespace, &*self.outer, &*self.name];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
    }

    /// The access the type has, with C#'s default filled in.
    pub fn access(&self) -> &'static str {
        let default = if self.outer.is_empty() { "internal" } else { "private" };
        self.about.modifiers.access().unwrap_or(default)
    }

    /// The access of a member with these modifiers.
    pub fn member_access(&self, modifiers: Modifiers) -> &'static str {
        let public = matches!(self.kind, TypeKind::Interface | TypeKind::Enum);
        modifiers.access().unwrap_or(if public { "public" } else { "private" })
    }
}

impl About {
    /// The attribute of this name that applies to the declaration itself.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.target.is_none() && a.is(name))
    }
}

impl Attribute {
    /// Whether this is the attribute of that simple name, `Attribute` suffix or not.
    pub fn is(&self, name: &str) -> bool {
        let own = self.name.rsplit(['.', ':']).next().unwrap_or_default();
        own == name || own.strip_suffix("Attribute") == Some(name)
    }

    /// The text of the argument at that place, with string literals decoded.
    pub fn value(&self, place: usize) -> Option<String> {
        let argument = self.arguments.get(place)?;
        Some(text::string_literal(&argument.text).unwrap_or_else(|| argument.text.clone()))
    }
}
