//! Hooks: methods that are watched, and the code that runs with them. They are kept with the world that
//! they watch, so that they go and are copied with it; the world does not know them.

mod invoke;
mod source;

use std::sync::Arc;

use scenewright_world::types::Method;
use scenewright_world::{World, methods_of};

use crate::{EvalError, Program};

pub use invoke::{call, set_property};

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
    list: Vec<Hook>,
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

/// The hooks of a world.
pub fn of(world: &World) -> &Hooks {
    static NONE: Hooks = Hooks { list: Vec::new(), running: Vec::new() };
    world.attached().unwrap_or(&NONE)
}

fn of_mut(world: &mut World) -> &mut Hooks {
    world.attached_mut()
}

/// Watch a method, given by its name or its full signature.
pub fn add(world: &mut World, type_name: &str, method: &str) -> Result<Hook, HookError> {
    let types = world.types().clone();
    if types.get(type_name).is_none() {
        return Err(HookError::NoType);
    }
    let is_signature = method.contains("::") && method.contains('(') && method.contains(')');
    let known = methods_of(&types, type_name);
    let mut matching = known.iter().filter(|(owner, known)| match is_signature {
        true => known.signature(owner) == method || known.signature_without_names(owner) == method,
        false => *known.name == *method,
    });
    let (owner, found) = matching.next().ok_or(HookError::NoMethod)?;
    if matching.next().is_some() {
        let (type_name, method) = (type_name.to_owned(), method.to_owned());
        return Err(HookError::Several { type_name, method, example: found.signature(owner) });
    }
    let signature = found.signature(owner);
    if of(world).list.iter().any(|hook| hook.signature == signature) {
        return Err(HookError::Already);
    }
    if of(world).list.len() >= MAX_HOOKS {
        return Err(HookError::Full);
    }
    let (source, program) = source::generated(world, owner, found)?;
    let hook = Hook {
        type_name: owner.clone(),
        method: found.name.clone(),
        signature,
        parameters: found.parameters.iter().map(|(ty, _)| ty.clone()).collect(),
        enabled: true,
        source,
        code: Compiled(Arc::new(program)),
    };
    of_mut(world).list.push(hook.clone());
    world.hooks_changed();
    Ok(hook)
}

/// Watch a method no longer.
pub fn remove(world: &mut World, signature: &str) -> Result<(), HookError> {
    let at = of(world).list.iter().position(|hook| hook.is(signature));
    of_mut(world).list.remove(at.ok_or(HookError::NotFound)?);
    world.hooks_changed();
    Ok(())
}

/// Let a hook rest, or work again.
pub fn set_enabled(world: &mut World, signature: &str, enabled: bool) -> Result<(), HookError> {
    of_mut(world).find_mut(signature)?.enabled = enabled;
    world.hooks_changed();
    Ok(())
}

/// Give a hook other code: functions named `Prefix` and `Postfix`. The text is kept even when it is
/// wrong; then what ran before runs on.
pub fn set_source(world: &mut World, signature: &str, source: &str) -> Result<(), HookError> {
    let hook = of_mut(world).find_mut(signature)?;
    hook.source = source.to_owned();
    let known = hook.signature.clone();
    let program = source::compiled(world, &parameter_names(&known), source)?;
    of_mut(world).find_mut(signature)?.code = Compiled(Arc::new(program));
    Ok(())
}

/// Names and signatures of the methods of a class that can be watched, by signature; those that have
/// a text in name or signature, in any case.
pub fn methods(
    world: &World,
    type_name: &str,
    filter: &str,
) -> Result<Vec<(String, String)>, HookError> {
    if world.types().get(type_name).is_none() {
        return Err(HookError::NoType);
    }
    let wanted = filter.to_lowercase();
    let mut methods: Vec<(String, String)> = methods_of(world.types(), type_name)
        .into_iter()
        .map(|(owner, method)| (method.name.to_string(), method.signature(&owner)))
        .filter(|(name, signature)| {
            name.to_lowercase().contains(&wanted) || signature.to_lowercase().contains(&wanted)
        })
        .collect();
    methods.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(methods)
}

/// Names of the parameters in a signature.
fn parameter_names(signature: &str) -> Vec<&str> {
    let (_, parameters) = signature.split_once('(').unwrap_or(("", ""));
    let parameters = parameters.trim_end_matches(')').split(", ");
    parameters.filter_map(|parameter| parameter.rsplit_once(' ')).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests;
