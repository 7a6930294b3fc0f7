//! Hooks: methods that are watched, and the code that runs with them.

use std::sync::Arc;

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
}

/// All hooks, in the order they were made.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    pub(crate) list: Vec<Hook>,
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
}
