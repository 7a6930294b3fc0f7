//! Hooks: methods that are watched, and the code that runs with them.

pub(crate) mod invoke;
mod native;
mod source;

use std::collections::HashSet;
use std::sync::Arc;

use crate::console::{EvalError, Program};
use crate::types::{Member, MemberKind, Method, Types};
use crate::world::World;

/// The most hooks there may be.
pub const MAX_HOOKS: usize = 1000;

/// A watched method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Full name of the class that declares it.
    pub type_name: Arc<str>,
    /// Its name.
    pub method: Arc<str>,
    /// Its signature, by which the hook is known.
    pub signature: String,
    /// Full names of the types of its parameters.
    pub parameters: Vec<Arc<str>>,
    /// Whether it is watched now.
    pub enabled: bool,
    /// The code that runs with it.
    pub source: String,
    code: Compiled,
}

/// Code that is ready to run. Two are the same when they are one.
#[derive(Debug, Clone)]
struct Compiled(Arc<Program>);

impl PartialEq for Compiled {
    fn eq(&self, other: &Compiled) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Compiled {}

/// All hooks, in the order they were made.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    pub(crate) list: Vec<Hook>,
    /// Signatures of the hooks whose code is running: what it calls is not hooked again.
    running: Vec<String>,
}

/// Why a hook could not be made or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// No class has that name.
    #[error("Type not found")]
    NoType,
    /// The class has no such method.
    #[error("Method not found")]
    NoMethod,
    /// The name means several methods.
    #[error("Multiple overloads found for '{type_name}.{method}'.")]
    Several {
        /// Full name of the class.
        type_name: String,
        /// The name.
        method: String,
        /// The signature of one of them.
        example: String,
    },
    /// It is watched already.
    #[error("Method is already hooked")]
    Already,
    /// Nothing with that signature is watched.
    #[error("Hook not found")]
    NotFound,
    /// There are enough.
    #[error("there are {MAX_HOOKS} hooks and no more may be made")]
    Full,
    /// The source is wrong. It is kept, and what ran before runs on.
    #[error("Unable to compile the code: {0}")]
    Compile(#[from] EvalError),
}

impl HookError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            HookError::Several { example, .. } => {
                Some(format!("pass the full signature in method (example: {example})"))
            }
            _ => None,
        }
    }
}

impl Hooks {
    /// All of them, in the order they were made.
    pub fn list(&self) -> &[Hook] {
        &self.list
    }

    /// The hook of a signature, with or without names of parameters.
    pub fn find(&self, signature: &str) -> Option<&Hook> {
        self.list.iter().find(|hook| hook.is(signature))
    }

    fn find_mut(&mut self, signature: &str) -> Result<&mut Hook, HookError> {
        self.list.iter_mut().find(|hook| hook.is(signature)).ok_or(HookError::NotFound)
    }
}

impl Hook {
    /// Whether a signature means this hook.
    pub fn is(&self, signature: &str) -> bool {
        self.signature == signature || {
            let (head, _) = self.signature.split_once('(').unwrap_or((&self.signature, ""));
            let types: Vec<&str> = self.parameters.iter().map(|name| &**name).collect();
            format!("{head}({})", types.join(", ")) == signature
        }
    }

    fn watches(&self, type_name: &str, method: &Method) -> bool {
        self.enabled
            && *self.method == *method.name
            && *self.type_name == *type_name
            && self.parameters.iter().eq(method.parameters.iter().map(|(ty, _)| ty))
    }
}

impl World {
    /// The hooks.
    pub fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    /// Watch a method, given by its name or its full signature.
    pub fn hook_add(&mut self, type_name: &str, method: &str) -> Result<Hook, HookError> {
        let types = self.types().clone();
        if types.get(type_name).is_none() {
            return Err(HookError::NoType);
        }
        let is_signature = method.contains("::") && method.contains('(') && method.contains(')');
        let known = methods_of(&types, type_name);
        let mut matching = known.iter().filter(|(owner, known)| match is_signature {
            true => {
                known.signature(owner) == method || known.signature_without_names(owner) == method
            }
            false => *known.name == *method,
        });
        let (owner, found) = matching.next().ok_or(HookError::NoMethod)?;
        if matching.next().is_some() {
            let (type_name, method) = (type_name.to_owned(), method.to_owned());
            return Err(HookError::Several { type_name, method, example: found.signature(owner) });
        }
        let signature = found.signature(owner);
        if self.hooks.list.iter().any(|hook| hook.signature == signature) {
            return Err(HookError::Already);
        }
        if self.hooks.list.len() >= MAX_HOOKS {
            return Err(HookError::Full);
        }
        let (source, program) = source::generated(self, owner, found)?;
        let hook = Hook {
            type_name: owner.clone(),
            method: found.name.clone(),
            signature,
            parameters: found.parameters.iter().map(|(ty, _)| ty.clone()).collect(),
            enabled: true,
            source,
            code: Compiled(Arc::new(program)),
        };
        self.hooks.list.push(hook.clone());
        self.changed.hooks = true;
        Ok(hook)
    }

    /// Watch a method no longer.
    pub fn hook_remove(&mut self, signature: &str) -> Result<(), HookError> {
        let at = self.hooks.list.iter().position(|hook| hook.is(signature));
        self.hooks.list.remove(at.ok_or(HookError::NotFound)?);
        self.changed.hooks = true;
        Ok(())
    }

    /// Let a hook rest, or work again.
    pub fn hook_set_enabled(&mut self, signature: &str, enabled: bool) -> Result<(), HookError> {
        self.hooks.find_mut(signature)?.enabled = enabled;
        self.changed.hooks = true;
        Ok(())
    }

    /// Give a hook other code: functions named `Prefix` and `Postfix`. The text is kept even when it
    /// is wrong; then what ran before runs on.
    pub fn hook_set_source(&mut self, signature: &str, source: &str) -> Result<(), HookError> {
        let hook = self.hooks.find_mut(signature)?;
        hook.source = source.to_owned();
        let known = hook.signature.clone();
        let program = source::compiled(self, &parameter_names(&known), source)?;
        self.hooks.find_mut(signature)?.code = Compiled(Arc::new(program));
        Ok(())
    }

    /// Names and signatures of the methods of a class that can be watched, by signature; those that
    /// have a text in name or signature, in any case.
    pub fn hook_methods(
        &self,
        type_name: &str,
        filter: &str,
    ) -> Result<Vec<(String, String)>, HookError> {
        if self.types().get(type_name).is_none() {
            return Err(HookError::NoType);
        }
        let wanted = filter.to_lowercase();
        let mut methods: Vec<(String, String)> = methods_of(self.types(), type_name)
            .into_iter()
            .map(|(owner, method)| (method.name.to_string(), method.signature(&owner)))
            .filter(|(name, signature)| {
                name.to_lowercase().contains(&wanted) || signature.to_lowercase().contains(&wanted)
            })
            .collect();
        methods.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(methods)
    }
}

/// Names of the parameters in a signature.
fn parameter_names(signature: &str) -> Vec<&str> {
    let (_, parameters) = signature.split_once('(').unwrap_or(("", ""));
    let parameters = parameters.trim_end_matches(')').split(", ");
    parameters.filter_map(|parameter| parameter.rsplit_once(' ')).map(|(_, name)| name).collect()
}

/// The methods of a class and its bases, accessors of properties among them, each with the class
/// that declares it. Of one that is overridden, the nearest.
pub(crate) fn methods_of(types: &Types, type_name: &str) -> Vec<(Arc<str>, Method)> {
    let mut methods: Vec<(Arc<str>, Method)> = Vec::new();
    let mut seen: HashSet<(Arc<str>, Vec<Arc<str>>)> = HashSet::new();
    for class in types.chain(type_name) {
        let accessors = class.members.iter().flat_map(accessors);
        for method in class.methods.iter().cloned().chain(accessors) {
            let parameters = method.parameters.iter().map(|(ty, _)| ty.clone()).collect();
            if seen.insert((method.name.clone(), parameters)) {
                methods.push((class.full_name.clone(), method));
            }
        }
    }
    methods
}

/// `get_x` and `set_x` of a property.
fn accessors(member: &Member) -> Vec<Method> {
    if member.kind == MemberKind::Field {
        return Vec::new();
    }
    let type_name =
        if member.type_name.is_empty() { "System.Object".into() } else { member.type_name.clone() };
    let mut methods = vec![Method {
        name: format!("get_{}", member.name).into(),
        returns: type_name.clone(),
        parameters: Vec::new(),
        is_static: member.is_static,
        is_virtual: false,
    }];
    if member.can_write {
        methods.push(Method {
            name: format!("set_{}", member.name).into(),
            returns: "System.Void".into(),
            parameters: vec![(type_name, "value".into())],
            is_static: member.is_static,
            is_virtual: false,
        });
    }
    methods
}

#[cfg(test)]
mod tests;
