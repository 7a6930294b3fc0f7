//! A script file at a glance: its types, members and what Unity makes of them.

use super::{
    MainTypeRule, Method, Parameter, Problem, ScriptFile, ScriptSet, SerializedFields, TypeDecl,
    TypeKind, TypeRef, UnityBase, Using, is_message,
};

/// What there is to say about one script file at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptOutline {
    /// The namespace of the main class, or the first one of the file; empty for the global one.
    pub namespace: String,
    /// The full name of the class the asset stands for, and how it was found.
    pub main: Option<(String, MainTypeRule)>,
    /// The `using` directives.
    pub usings: Vec<Using>,
    /// All types, the nested ones after the type around them.
    pub types: Vec<OutlineType>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A type of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineType {
    /// Its name, after the names of the types around it.
    pub name: String,
    /// Its namespace; empty for the global one.
    pub namespace: String,
    /// The keyword it was declared with.
    pub kind: TypeKind,
    /// The class it derives from, as written.
    pub base_class: Option<String>,
    /// The interfaces, as written.
    pub interfaces: Vec<String>,
    /// `public`, `internal` and so on, with the default filled in.
    pub access: &'static str,
    /// The summary of its documentation.
    pub summary: Option<String>,
    /// Which of Unity's classes it derives from.
    pub unity_base: UnityBase,
    /// Line of the name and of the end, from 1.
    pub lines: (u32, u32),
    /// Its methods, without constructors' and operators' special rights.
    pub methods: Vec<OutlineMethod>,
    /// Its properties.
    pub properties: Vec<OutlineProperty>,
    /// Its fields.
    pub fields: Vec<OutlineField>,
    /// The names of its events.
    pub events: Vec<String>,
    /// The members of an enum, with their numbers where those are plain.
    pub enum_members: Vec<(String, Option<i64>)>,
    /// What Unity saves of it.
    pub serialized: SerializedFields,
}

/// A method of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineMethod {
    /// Its name.
    pub name: String,
    /// The type it returns; empty for constructors.
    pub returns: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// `public`, `private` and so on.
    pub access: &'static str,
    /// The engine calls it by its name.
    pub is_message: bool,
    /// Line, from 1.
    pub line: u32,
}

/// A property of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineProperty {
    /// Its name.
    pub name: String,
    /// Its type as written.
    pub ty: String,
    /// `public`, `private` and so on.
    pub access: &'static str,
    /// `get; set;`; empty for `=>`.
    pub accessors: String,
    /// Line, from 1.
    pub line: u32,
}

/// A field of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineField {
    /// Its name.
    pub name: String,
    /// Its type as written.
    pub ty: String,
    /// `public`, `private` and so on.
    pub access: &'static str,
    /// The expression after `=`.
    pub initializer: Option<String>,
    /// Line, from 1.
    pub line: u32,
}

impl<'a> ScriptSet<'a> {
    /// The outline of a file of the set, whose name without `.cs` is `file_stem`.
    pub fn outline(&self, file: &'a ScriptFile, file_stem: &str) -> ScriptOutline {
        let main = self.main_type(file, file_stem);
        let namespace = match &main {
            Some(main) => main.ty.decl.namespace.to_string(),
            None => file.namespaces.first().map(|name| name.to_string()).unwrap_or_default(),
        };
        ScriptOutline {
            namespace,
            main: main.map(|main| (main.ty.decl.full_name(), main.rule)),
            usings: file.usings.clone(),
            types: file.all_types().map(|decl| self.outline_type(TypeRef { file, decl })).collect(),
            problems: file.problems.clone(),
        }
    }

    fn outline_type(&self, ty: TypeRef<'a>) -> OutlineType {
        let decl = ty.decl;
        let unity_base = self.unity_base(ty);
        let (base_class, interfaces) = self.split_bases(ty);
        let names = [&*decl.outer, &*decl.name];
        OutlineType {
            name: names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join("."),
            namespace: decl.namespace.to_string(),
            kind: decl.kind,
            base_class,
            interfaces,
            access: decl.access(),
            summary: decl.about.summary.as_deref().map(str::to_owned),
            lines: (decl.about.line, decl.end_line),
            methods: decl
                .methods
                .iter()
                .map(|method| outline_method(decl, method, &unity_base))
                .collect(),
            properties: decl
                .properties
                .iter()
                .map(|property| OutlineProperty {
                    name: property.name.clone(),
                    ty: property.ty.to_string(),
                    access: decl.member_access(property.about.modifiers),
                    accessors: property.accessors.clone(),
                    line: property.about.line,
                })
                .collect(),
            fields: decl
                .fields
                .iter()
                .map(|field| OutlineField {
                    name: field.name.clone(),
                    ty: field.ty.to_string(),
                    access: decl.member_access(field.about.modifiers),
                    initializer: field.initializer.clone(),
                    line: field.about.line,
                })
                .collect(),
            events: decl.events.iter().map(|event| event.name.clone()).collect(),
            enum_members: decl.enum_members.iter().map(|m| (m.name.clone(), m.value)).collect(),
            serialized: self.serialized_fields(ty),
            unity_base,
        }
    }

    fn split_bases(&self, ty: TypeRef<'a>) -> (Option<String>, Vec<String>) {
        let mut bases = ty.decl.bases.clone();
        let base = match ty.decl.kind {
            TypeKind::Class | TypeKind::Record if !bases.is_empty() => {
                (!self.is_interface(&bases[0], ty)).then(|| bases.remove(0))
            }
            // The underlying type of an enum is no base class.
            TypeKind::Enum => return (None, Vec::new()),
            _ => None,
        };
        (base, bases)
    }
}

fn outline_method(decl: &TypeDecl, method: &Method, base: &UnityBase) -> OutlineMethod {
    OutlineMethod {
        name: method.name.clone(),
        returns: method.returns.clone(),
        parameters: method.parameters.clone(),
        access: decl.member_access(method.about.modifiers),
        is_message: is_message(method, base),
        line: method.about.line,
    }
}
