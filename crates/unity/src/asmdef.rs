//! Assembly definitions: how the C# code of a project is cut into assemblies, and whether the
//! references among them hold.

mod graph;
#[cfg(test)]
mod tests;

pub use graph::{Finding, FindingKind, Graph, Presence, Report};

use std::fmt;

use serde_json::Value;

use crate::{Guid, file};

/// An `.asmdef`: the assembly of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// Path from the project's root.
    pub path: String,
    /// Guid of the asset; nothing without a meta.
    pub guid: Option<Guid>,
    /// The name of the assembly.
    pub name: String,
    /// The namespace that new scripts of it get; empty for none.
    pub root_namespace: String,
    /// The assemblies that it uses.
    pub references: Vec<Link>,
    /// It is compiled for the editor alone.
    pub editor_only: bool,
    /// It holds tests, which are in no build unless somebody asks for them.
    pub is_test: bool,
}

/// An `.asmref`: a folder that joins an assembly defined elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// Path from the project's root.
    pub path: String,
    /// The assembly that is joined.
    pub target: Link,
}

/// How a file names an assembly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// By the name of the assembly.
    Name(String),
    /// By the guid of its `.asmdef`: `GUID:…`.
    Guid(Guid),
}

/// Why a file is no assembly definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AsmdefError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(String),
    /// JSON, but something is missing in it.
    #[error("it has no \"{0}\"")]
    Missing(&'static str),
}

impl Assembly {
    /// Reads the content of an `.asmdef`.
    pub fn parse(path: &str, guid: Option<Guid>, bytes: &[u8]) -> Result<Assembly, AsmdefError> {
        let json = parse_json(bytes)?;
        let name = json["name"].as_str().filter(|name| !name.is_empty());
        let platforms = words(&json["includePlatforms"]);
        // A constraint of this symbol holds in the editor alone.
        let constraints = words(&json["defineConstraints"]);
        let constrained = constraints.contains(&"UNITY_EDITOR");
        let is_test = constraints.contains(&"UNITY_INCLUDE_TESTS")
            || words(&json["optionalUnityReferences"]).contains(&"TestAssemblies");
        Ok(Assembly {
            path: path.to_owned(),
            guid,
            name: name.ok_or(AsmdefError::Missing("name"))?.to_owned(),
            root_namespace: json["rootNamespace"].as_str().unwrap_or_default().trim().to_owned(),
            references: words(&json["references"]).into_iter().filter_map(Link::parse).collect(),
            editor_only: platforms == ["Editor"] || constrained,
            is_test,
        })
    }
}

impl Extension {
    /// Reads the content of an `.asmref`.
    pub fn parse(path: &str, bytes: &[u8]) -> Result<Extension, AsmdefError> {
        let json = parse_json(bytes)?;
        let target = json["reference"].as_str().and_then(Link::parse);
        let target = target.ok_or(AsmdefError::Missing("reference"))?;
        Ok(Extension { path: path.to_owned(), target })
    }
}

impl Link {
    /// Reads `GUID:…` or a name; empty text names nothing.
    pub fn parse(text: &str) -> Option<Link> {
        let text = text.trim();
        let (head, guid) = text.split_at_checked(5).unwrap_or((text, ""));
        if head.eq_ignore_ascii_case("guid:")
            && let Some(guid) = Guid::parse(guid.trim())
        {
            return Some(Link::Guid(guid));
        }
        (!text.is_empty()).then(|| Link::Name(text.to_owned()))
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::Name(name) => f.write_str(name),
            Link::Guid(guid) => write!(f, "GUID:{guid}"),
        }
    }
}

fn parse_json(bytes: &[u8]) -> Result<Value, AsmdefError> {
    serde_json::from_str(&file::text(bytes)).map_err(|error| AsmdefError::Json(error.to_string()))
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
