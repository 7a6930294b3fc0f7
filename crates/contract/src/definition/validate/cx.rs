//! What every check has at hand: the profile, the problems so far and the limits.

use std::collections::HashMap;

use serde_json::Value;

use super::words::{did_you_mean, found, quoted};
use super::{Problem, Profile, Rule, Severity};
use crate::JsonMap;

/// How deep schemas and values are followed.
pub(super) const MAX_DEPTH: usize = 64;

/// How many schemas, enum choices and example values of one definition are looked at.
pub(super) const MAX_NODES: usize = 10_000;

pub(super) struct Cx<'a> {
    pub(super) profile: Profile,
    pub(super) source: &'a str,
    pub(super) problems: Vec<Problem>,
    /// Where each id was first seen, as source and pointer.
    pub(super) ids: HashMap<&'a str, (&'a str, String)>,
    nodes: usize,
}

impl<'a> Cx<'a> {
    pub(super) fn new(profile: Profile) -> Self {
        Self { profile, source: "", problems: Vec::new(), ids: HashMap::new(), nodes: 0 }
    }

    pub(super) fn start_definition(&mut self) {
        self.nodes = 0;
    }

    pub(super) fn error(&mut self, at: &str, rule: Rule, message: impl Into<String>) {
        self.report(at, rule, Severity::Error, message.into());
    }

    pub(super) fn warn(&mut self, at: &str, rule: Rule, message: impl Into<String>) {
        self.report(at, rule, Severity::Warning, message.into());
    }

    fn report(&mut self, at: &str, rule: Rule, severity: Severity, message: String) {
        let (source, pointer) = (self.source.to_owned(), at.to_owned());
        self.problems.push(Problem { source, pointer, rule, severity, message });
    }

    /// Count one more nested thing; `false` when the definition has had its share.
    pub(super) fn visit(&mut self, at: &str) -> bool {
        self.nodes = self.nodes.saturating_add(1);
        if self.nodes == MAX_NODES + 1 {
            let message = format!(
                "more than {MAX_NODES} nested schemas and values; those from here on were not \
                 checked, so make the definition smaller"
            );
            self.error(at, Rule::SchemaCompleteness, message);
        }
        self.nodes <= MAX_NODES
    }

    pub(super) fn wrong_type(&mut self, at: &str, wanted: &str, value: &Value) {
        self.error(at, Rule::TypeConsistency, format!("must be {wanted}; found {}", found(value)));
    }

    pub(super) fn object<'v>(
        &mut self,
        at: &str,
        wanted: &str,
        value: &'v Value,
    ) -> Option<&'v JsonMap> {
        if !value.is_object() {
            self.wrong_type(at, wanted, value);
        }
        value.as_object()
    }

    /// The text of a string that must say something.
    pub(super) fn text<'v>(&mut self, at: &str, value: &'v Value) -> Option<&'v str> {
        let Some(text) = value.as_str() else {
            self.wrong_type(at, "a string", value);
            return None;
        };
        if text.trim().is_empty() {
            self.error(at, Rule::RequiredFields, "must not be empty");
            return None;
        }
        Some(text)
    }

    /// Report each of `fields` (name, what to write) that `object` lacks.
    pub(super) fn check_present(&mut self, at: &str, object: &JsonMap, fields: &[(&str, &str)]) {
        for (key, write) in fields {
            if !object.contains_key(*key) {
                let message = format!("{} is missing; write {write}", quoted(key));
                self.error(at, Rule::RequiredFields, message);
            }
        }
    }

    pub(super) fn unknown_key(&mut self, at: &str, key: &str, known: &[&str]) {
        let hint = did_you_mean(key, known.iter().copied())
            .unwrap_or_else(|| format!("the keys here are {}", known.join(", ")));
        self.warn(at, Rule::Advice, format!("unknown key {}; {hint}", quoted(key)));
    }
}

/// The pointer to member `key` of what `at` points to.
pub(super) fn join(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}
