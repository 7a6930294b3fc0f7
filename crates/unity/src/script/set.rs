//! Scripts that know of each other, and what a name means in one of them.

use std::collections::HashMap;

use super::{ScriptFile, TypeDecl};

/// Sources that know of each other, so that names lead from one file to the next.
#[derive(Debug, Default)]
pub struct ScriptSet<'a> {
    by_name: HashMap<String, Vec<TypeRef<'a>>>,
}

/// A type declaration and the file it stands in.
#[derive(Debug, Clone, Copy)]
pub struct TypeRef<'a> {
    /// The file, whose `using` directives matter for the names in the type.
    pub file: &'a ScriptFile,
    /// The declaration.
    pub decl: &'a TypeDecl,
}

impl<'a> ScriptSet<'a> {
    /// Gathers the types of these files.
    pub fn new(files: impl IntoIterator<Item = &'a ScriptFile>) -> ScriptSet<'a> {
        let mut set = ScriptSet::default();
        for file in files {
            for decl in file.all_types() {
                set.by_name.entry(decl.full_name()).or_default().push(TypeRef { file, decl });
            }
        }
        set
    }

    /// The type of that full name, with all its partial declarations.
    pub fn get(&self, full_name: &str) -> &[TypeRef<'a>] {
        self.by_name.get(full_name).map(Vec::as_slice).unwrap_or_default()
    }

    /// All partial declarations of a type, itself first.
    pub fn parts(&self, ty: TypeRef<'a>) -> Vec<TypeRef<'a>> {
        let arity = ty.decl.type_parameters.len();
        let others = self.get(&ty.decl.full_name()).iter().copied().filter(|other| {
            !std::ptr::eq(other.decl, ty.decl)
                && other.decl.type_parameters.len() == arity
                && other.decl.about.modifiers.has(super::Modifier::Partial)
        });
        std::iter::once(ty).chain(others.collect::<Vec<_>>()).collect()
    }

    /// The type that a name written inside `from` means, following C#'s order: the types and
    /// namespaces around it, then the `using` directives. Empty when no file declares it.
    pub fn find(&self, name: &str, from: TypeRef<'a>) -> Vec<TypeRef<'a>> {
        let (mut path, arity) = path_and_arity(name);
        let usings = &from.file.usings;
        let (first, rest) = path.split_once('.').unwrap_or((&path, ""));
        if let Some(using) = usings.iter().find(|u| u.alias.as_deref() == Some(first)) {
            path =
                if rest.is_empty() { using.name.clone() } else { format!("{}.{rest}", using.name) };
        }
        let look = |within: &str| {
            let full = if within.is_empty() { path.clone() } else { format!("{within}.{path}") };
            let found = self.get(&full).iter().copied();
            found.filter(|ty| ty.decl.type_parameters.len() == arity).collect::<Vec<_>>()
        };
        let mut around = from.decl.full_name();
        loop {
            let found = look(&around);
            if !found.is_empty() || around.is_empty() {
                if !found.is_empty() {
                    return found;
                }
                break;
            }
            around.truncate(around.rfind('.').unwrap_or(0));
        }
        let spaces = usings.iter().filter(|u| u.alias.is_none()).take(200);
        spaces.map(|using| look(&using.name)).find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// `A.List<X, Y>` is the path `A.List` with two type arguments.
pub(super) fn path_and_arity(name: &str) -> (String, usize) {
    let name = name.trim().trim_start_matches("global::");
    let (mut path, mut depth, mut arity) = (String::new(), 0usize, 0);
    for c in name.chars() {
        match c {
            '<' => {
                depth += 1;
                arity = if depth == 1 { 1 } else { arity };
            }
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => arity += 1,
            '.' if depth == 0 => {
                arity = 0;
                path.push('.');
            }
            c if depth == 0 && !c.is_whitespace() => path.push(c),
            _ => {}
        }
    }
    (path, arity)
}
