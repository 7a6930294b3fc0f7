//! What names of types and members mean.
//!
//! There are three places to look: the world's classes (the engine's and the project's), the table of
//! `data/console.txt`, and the world's enums. For types the world comes first, so that a class of the
//! project may be called as one of .NET; for members both are looked at on every level of the bases,
//! because a class of the engine has its data in the world and its generic methods in the table. What
//! none of them has does not exist: this, and no list of what is forbidden, keeps code in the scene.

use std::sync::Arc;

use scenewright_world::types::{EnumType, Method, Types, full_type_name};

use super::{Binder, Bound};
use crate::library::{self, Entry, EntryKind, Signature};
use crate::refused::unsupported;
use crate::syntax::TypeName;
use crate::ty::Ty;

/// Types up the chain of bases; nothing real is that deep.
const MAX_BASES: usize = 80;

/// A member that an expression names.
pub(super) struct Property {
    pub(super) owner: Arc<str>,
    pub(super) ty: Ty,
    pub(super) can_write: bool,
    /// A field, or a part of a plain value: something whose parts can be set.
    pub(super) is_field: bool,
}

impl Binder<'_> {
    fn types(&self) -> &Types {
        self.world.types()
    }

    /// The type that a name in the source means.
    pub(super) fn type_named(&self, written: &TypeName) -> Bound<Ty> {
        let ty = self.bare_type(written)?;
        match written.nullable && self.is_plain(&ty) {
            true => Ok(Ty::nullable(ty)),
            false => Ok(ty),
        }
    }

    fn bare_type(&self, written: &TypeName) -> Bound<Ty> {
        let mut args = Vec::new();
        for arg in &written.args {
            args.push(self.type_named(arg)?);
        }
        if written.name == "()" {
            let names: Vec<&str> =
                written.names.iter().map(|name| name.as_deref().unwrap_or("")).collect();
            return Ok(Ty::generic(&tuple_name(&names), args));
        }
        if written.name == "[]" {
            return Ok(Ty::generic("Array", args));
        }
        if !args.is_empty() {
            return self.generic_type(written, args);
        }
        self.find_type(&written.name).ok_or_else(|| self.unknown_type(written.at, &written.name))
    }

    fn generic_type(&self, written: &TypeName, args: Vec<Ty>) -> Bound<Ty> {
        let short = written.name.rsplit('.').next().unwrap_or_default();
        let (name, count) = match short {
            "List" | "IList" | "ICollection" => ("List", 1),
            "HashSet" | "ISet" => ("HashSet", 1),
            "IEnumerable" | "IReadOnlyList" | "IReadOnlyCollection" | "IOrderedEnumerable" => {
                ("IEnumerable", 1)
            }
            "Nullable" => ("System.Nullable", 1),
            "Dictionary" | "IDictionary" | "IReadOnlyDictionary" => ("Dictionary", 2),
            "KeyValuePair" => ("KeyValuePair", 2),
            "IGrouping" => ("IGrouping", 2),
            "ValueTuple" => ("()", args.len()),
            "Func" | "Action" => (short, args.len()),
            "Predicate" if args.len() == 1 => {
                return Ok(Ty::generic("Func", [args[0].clone(), Ty::bool()]));
            }
            "Comparison" if args.len() == 1 => {
                return Ok(Ty::generic("Func", [args[0].clone(), args[0].clone(), Ty::int()]));
            }
            _ => {
                let message = format!(
                    "the generic type '{short}' is not supported; there are List, Dictionary, HashSet, Func and Action"
                );
                return Err(self.error(written.at, &message));
            }
        };
        if args.len() != count {
            let message = format!("CS0305: {short} needs {count} type arguments");
            return Err(self.error(written.at, &message));
        }
        Ok(Ty::generic(name, args))
    }

    /// The type of a name without type arguments.
    pub(super) fn find_type(&self, text: &str) -> Option<Ty> {
        let keyword = full_type_name(text);
        match text {
            "ulong" | "decimal" => return None,
            "sbyte" | "ushort" => return Some(Ty::parse(text)),
            "dynamic" => return Some(Ty::dynamic()),
            "Action" | "System.Action" => return Some(Ty::of("Action")),
            "Array" => return Some(Ty::of("System.Array")),
            _ if keyword != text => return Some(Ty::of(keyword)),
            _ => {}
        }
        // A short name of .NET's own table loses to a class of the project.
        match self.types().named(text).as_slice() {
            [ty] => return Some(Ty::of(&ty.full_name)),
            several => {
                let engine = several.iter().find(|ty| ty.full_name.starts_with("UnityEngine."));
                if let Some(ty) = engine {
                    return Some(Ty::of(&ty.full_name));
                }
            }
        }
        if let Some(name) = library::find(text).filter(|name| is_nameable(name)) {
            return Some(Ty::of(name));
        }
        self.find_enum(text).map(|ty| Ty::of(&ty.full_name))
    }

    pub(super) fn find_enum(&self, text: &str) -> Option<&Arc<EnumType>> {
        self.types().get_enum(text).or_else(|| self.types().enum_named(text))
    }

    pub(super) fn unknown_type(&self, at: u32, name: &str) -> super::EvalError {
        let message = match name {
            "var" => "CS0825: var is for variables only".to_owned(),
            "ulong" => "ulong is not supported; use long".to_owned(),
            "decimal" => "decimal is not supported; use double".to_owned(),
            _ if self.types().named(name).len() > 1 => {
                format!("CS0104: several types are named '{name}'; write the full name")
            }
            _ => unsupported(name).unwrap_or_else(|| {
                format!("CS0246: the type '{name}' is unknown: it is no class of the project and none that the console supports")
            }),
        };
        self.error(at, &message)
    }

    pub(super) fn unknown_name(&self, at: u32, name: &str) -> super::EvalError {
        let message = unsupported(name).unwrap_or_else(|| {
            format!("CS0103: the name '{name}' does not exist here; declare it, or find the object with GameObject.Find")
        });
        self.error(at, &message)
    }

    pub(super) fn is_plain(&self, ty: &Ty) -> bool {
        ty.is_plain(|name| self.types().get_enum(name).is_some())
    }

    pub(super) fn is_enum(&self, ty: &Ty) -> bool {
        self.types().get_enum(&ty.name).is_some()
    }

    /// The type, then what it is derived from, nearest first, `object` last.
    pub(super) fn bases(&self, ty: &Ty) -> Vec<Ty> {
        let mut bases: Vec<Ty> = Vec::new();
        let mut open = std::collections::VecDeque::from([ty.clone()]);
        while let Some(ty) = open.pop_front() {
            if bases.len() >= MAX_BASES || bases.contains(&ty) {
                continue;
            }
            if let Some(base) = self.types().get(&ty.name).and_then(|class| class.base.as_deref()) {
                open.push_back(Ty::of(base));
            }
            if let Some(section) = library::section(&ty.name)
                && let Some(base) = &section.base
            {
                open.push_back(substitute(base, &section.parameters, &ty.args));
            }
            if self.types().get_enum(&ty.name).is_some() {
                open.push_back(Ty::of("System.Enum"));
            }
            bases.push(ty);
        }
        bases.push(Ty::object());
        bases
    }

    pub(super) fn is_a(&self, ty: &Ty, base: &str) -> bool {
        self.bases(ty).iter().any(|found| found.is(base))
    }

    /// What a loop over a value of this type meets.
    pub(super) fn item_type(&self, ty: &Ty) -> Option<Ty> {
        if ty.is_dynamic() {
            return Some(Ty::dynamic());
        }
        self.bases(ty).into_iter().find(|base| base.is("IEnumerable")).map(|base| base.arg(0))
    }

    /// The property or field of a name.
    pub(super) fn property(&self, ty: &Ty, name: &str, is_static: bool) -> Option<Property> {
        for base in self.bases(ty) {
            if let Some(found) = self.own_property(&base, name, is_static) {
                return Some(found);
            }
        }
        (!is_static).then(|| self.saved_property(ty, name)).flatten()
    }

    fn own_property(&self, ty: &Ty, name: &str, is_static: bool) -> Option<Property> {
        let member = self.types().get(&ty.name).and_then(|class| {
            class
                .members
                .iter()
                .find(|member| &*member.name == name && member.is_static == is_static)
        });
        if let Some(member) = member {
            return Some(Property {
                owner: ty.name.clone(),
                ty: self.known(Ty::parse(&member.type_name)),
                can_write: member.can_write,
                is_field: member.kind == scenewright_world::types::MemberKind::Field,
            });
        }
        let section = library::section(&ty.name)?;
        let entry = section.entries.iter().find(|entry| {
            &*entry.name == name
                && entry.is_static == is_static
                && matches!(entry.kind, EntryKind::Property { .. })
        })?;
        let EntryKind::Property { ty: found, can_write } = &entry.kind else { return None };
        Some(Property {
            owner: entry.owner.clone(),
            ty: substitute(found, &section.parameters, &ty.args),
            can_write: *can_write,
            // The parts of a vector can be set, as if they were fields.
            is_field: self.is_plain(ty),
        })
    }

    /// A saved field that no class tells of, when a component in the world has it.
    fn saved_property(&self, ty: &Ty, name: &str) -> Option<Property> {
        if !self.types().is_a(&ty.name, scenewright_world::types::COMPONENT) {
            return None;
        }
        let roots = self.world.all_roots();
        let mut components = self.world.descend(&roots).flat_map(|object| object.components());
        let has = components.any(|component| {
            component.type_name().is_some_and(|name| self.types().is_a(name, &ty.name))
                && self.world.member(component.id(), name).is_some()
        });
        has.then(|| Property {
            owner: ty.name.clone(),
            ty: Ty::dynamic(),
            can_write: true,
            is_field: true,
        })
    }

    /// The type, or the one of run time when it is one that nothing tells of.
    pub(super) fn known(&self, ty: Ty) -> Ty {
        if !ty.args.is_empty() {
            let args: Vec<Ty> = ty.args.iter().map(|arg| self.known(arg.clone())).collect();
            let is_generic = library::section(&ty.name).is_some() || ty.is_tuple() || ty.is_func();
            return if is_generic { Ty::generic(&ty.name, args) } else { Ty::dynamic() };
        }
        if ty.is_void() || ty.is("System.Object") || ty.is("System.Type") {
            return ty;
        }
        self.find_type(&ty.name).unwrap_or_else(Ty::dynamic)
    }

    /// The methods of a name, those of each type apart, nearest first.
    pub(super) fn methods(
        &self,
        ty: &Ty,
        name: &str,
        is_static: bool,
    ) -> Vec<Vec<(Arc<str>, Signature)>> {
        let mut levels = Vec::new();
        for base in self.bases(ty) {
            let mut found = Vec::new();
            if let Some(class) = self.types().get(&base.name) {
                let methods = class.methods.iter();
                let named = methods.filter(|m| &*m.name == name && m.is_static == is_static);
                found.extend(named.map(|method| (base.name.clone(), self.signature_of(method))));
            }
            if let Some(section) = library::section(&base.name) {
                let named = section
                    .entries
                    .iter()
                    .filter(|entry| &*entry.name == name && entry.is_static == is_static);
                found.extend(
                    named.filter_map(|entry| method_of(entry, &section.parameters, &base.args)),
                );
            }
            if !found.is_empty() {
                levels.push(found);
            }
        }
        levels
    }

    fn signature_of(&self, method: &Method) -> Signature {
        let parameters = method.parameters.iter();
        Signature {
            returns: self.known(Ty::parse(&method.returns)),
            parameters: parameters
                .map(|(ty, name)| (name.clone(), self.known(Ty::parse(ty))))
                .collect(),
            has_out: false,
            has_rest: false,
            type_parameters: Vec::new(),
        }
    }

    /// Names like the one that was not found.
    pub(super) fn member_names(&self, ty: &Ty, is_static: bool) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for base in self.bases(ty) {
            if let Some(class) = self.types().get(&base.name) {
                let members = class.members.iter().filter(|member| member.is_static == is_static);
                names.extend(members.map(|member| member.name.to_string()));
                let methods = class.methods.iter().filter(|method| method.is_static == is_static);
                names.extend(methods.map(|method| method.name.to_string()));
            }
            if let Some(section) = library::section(&base.name) {
                let entries = section.entries.iter().filter(|entry| entry.is_static == is_static);
                names.extend(entries.map(|entry| entry.name.to_string()));
            }
        }
        names.sort();
        names.dedup();
        names.retain(|name| name != library::NEW);
        names
    }
}

fn method_of(entry: &Entry, parameters: &[Ty], args: &[Ty]) -> Option<(Arc<str>, Signature)> {
    let EntryKind::Method(signature) = &entry.kind else { return None };
    let mut signature = signature.clone();
    signature.returns = substitute(&signature.returns, parameters, args);
    for (_, ty) in &mut signature.parameters {
        *ty = substitute(ty, parameters, args);
    }
    Some((entry.owner.clone(), signature))
}

/// The type with its parameters replaced.
pub(super) fn substitute(ty: &Ty, parameters: &[Ty], args: &[Ty]) -> Ty {
    if let Some(index) = parameters.iter().position(|parameter| parameter == ty) {
        return args.get(index).cloned().unwrap_or_else(Ty::dynamic);
    }
    if ty.args.is_empty() || parameters.is_empty() {
        return ty.clone();
    }
    let inner: Vec<Ty> = ty.args.iter().map(|arg| substitute(arg, parameters, args)).collect();
    Ty::generic(&ty.name, inner)
}

/// The name of a tuple's type, with the names of its parts when it has some.
pub(super) fn tuple_name(names: &[&str]) -> String {
    match names.iter().all(|name| name.is_empty()) {
        true => "()".to_owned(),
        false => format!("({})", names.join(",")),
    }
}

/// Names of the table that stand for other ways to write a type.
fn is_nameable(name: &str) -> bool {
    !matches!(
        name,
        "Array" | "IEnumerable" | "List" | "Dictionary" | "HashSet" | "KeyValuePair" | "IGrouping"
    )
}
