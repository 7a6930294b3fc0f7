//! Exported variables of scripts, which are properties of the nodes and resources that have them.

use std::borrow::Cow;

use scenewright_godot::classes::Builtin;
use scenewright_godot::{Script, Variant};

use crate::base::Godot;

/// Scripts that extend each other further than this lead in a circle.
const MAX_BASES: usize = 32;

/// What an exported variable takes, as far as its declaration tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportType {
    /// A value of a builtin type.
    Builtin(Builtin),
    /// A list of such values.
    List(Box<ExportType>, String),
    /// A node of the scene, which the file names by its path.
    Node,
    /// A resource: the engine's class that it comes down to.
    Resource(String),
    /// Anything: the value decides.
    Unknown,
}

impl ExportType {
    /// Whether the file names nodes, which it lists in `node_paths`.
    pub fn is_nodes(&self) -> bool {
        match self {
            ExportType::Node => true,
            ExportType::List(item, _) => **item == ExportType::Node,
            _ => false,
        }
    }
}

impl Godot<'_> {
    /// What a script declares; one that waits in a batch counts too.
    pub fn script(&self, text: &str) -> Option<Cow<'_, Script>> {
        let path = self.path(text).ok()?;
        if let Some(bytes) = self.staged(&path) {
            return Some(Cow::Owned(Script::parse(&String::from_utf8_lossy(&bytes))));
        }
        self.index.by_path(path.as_str())?.script.as_ref().map(Cow::Borrowed)
    }

    /// A script and those that it extends, each with its `res://` path.
    pub fn script_chain(&self, text: &str) -> Vec<(String, Cow<'_, Script>)> {
        let mut chain: Vec<(String, Cow<'_, Script>)> = Vec::new();
        let mut next = Some(text.to_owned());
        while let Some(path) = next.take().filter(|_| chain.len() < MAX_BASES) {
            let Some(script) = self.script(&path) else { break };
            next = script.base.as_deref().and_then(|base| {
                let class = self.index.class(base).map(|file| file.res_path());
                class.or_else(|| base.ends_with(".gd").then(|| base.to_owned()))
            });
            chain.push((path, script));
        }
        chain
    }

    /// The names of the exported variables of a script and of those that it extends.
    pub fn export_names(&self, script: &str) -> Vec<String> {
        let chain = self.script_chain(script);
        let exports = chain.iter().flat_map(|(_, script)| &script.exports);
        exports.map(|declared| declared.name.clone()).collect()
    }

    /// What an exported variable of a script takes; nothing when there is none of this name.
    pub fn export_type(&self, script: &str, name: &str) -> Option<ExportType> {
        let chain = self.script_chain(script);
        let mut exports = chain.iter().flat_map(|(_, script)| &script.exports);
        let declared = exports.find(|declared| declared.name == name)?;
        Some(match type_name(&declared.detail) {
            Some(name) => self.named_type(&name),
            None => ExportType::Unknown,
        })
    }

    fn named_type(&self, name: &str) -> ExportType {
        if let Some(item) = name.strip_prefix("Array[").and_then(|rest| rest.strip_suffix(']')) {
            let item = item.trim();
            return match item.contains('[') {
                true => ExportType::Builtin(Builtin::Array),
                false => ExportType::List(Box::new(self.named_type(item)), item.to_owned()),
            };
        }
        let plain = name.split('[').next().unwrap_or(name);
        if let Some(builtin) = Builtin::named(plain).filter(|found| *found != Builtin::Object) {
            return ExportType::Builtin(builtin);
        }
        let Some(class) = self.index.engine_base(name) else { return ExportType::Unknown };
        let classes = self.classes();
        if classes.inherits(class, "Node") {
            ExportType::Node
        } else if classes.inherits(class, "Resource") {
            ExportType::Resource(class.to_owned())
        } else {
            ExportType::Unknown
        }
    }
}

/// The type in what follows the name of a variable: `: float = 1.5`, `:= 2`, `= ""`.
fn type_name(detail: &str) -> Option<String> {
    let detail = detail.trim();
    let (said, value) = match detail.split_once('=') {
        Some((said, value)) => (said, value.trim()),
        None => (detail, ""),
    };
    let said = said.trim().trim_start_matches(':').trim();
    if !said.is_empty() {
        // A variable with a setter has one more colon behind its type.
        return Some(said.trim_end_matches(':').trim().to_owned());
    }
    let value = value.split(" setget ").next().unwrap_or(value);
    let known = Variant::parse(value).ok().filter(|value| *value != Variant::Nil)?;
    Some(known.type_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn types_are_said_or_seen() {
        let check = |detail: &str, expected: Option<&str>| {
            assert_eq!(type_name(detail).as_deref(), expected, "{detail}");
        };
        check(": float = 1.5", Some("float"));
        check(": Array[StringName] = []", Some("Array[StringName]"));
        check(": Player", Some("Player"));
        check(":= 2", Some("int"));
        check("= Vector2(1, 2)", Some("Vector2"));
        check("= \"\"", Some("String"));
        check(":= Color.WHITE", None);
        check("", None);
    }
}
