//! What can be called: a tool's definition as data, ready to be rendered in any dialect.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::JsonMap;

/// Everything that any dialect says about one tool.
#[derive(Debug, Clone)]
pub struct ToolInfo {
    /// The EditorMCP id: `project.info`.
    pub id: &'static str,
    /// The MCP name: the id with `_` for `.`.
    pub mcp_name: String,
    /// The Unity Explorer name, where that interface has the tool.
    pub explorer: Option<&'static str>,
    /// Other names that are accepted on calls.
    pub aliases: &'static [&'static str],
    /// The name for people.
    pub title: &'static str,
    /// Words by which people look for it, besides those of its name and description.
    pub keywords: &'static str,
    /// Limits and caveats.
    pub notes: Option<&'static str>,
    /// The dotted category of spec 003.
    pub category: &'static str,
    /// The group it belongs to; `--toolsets` takes these.
    pub toolset: &'static str,
    /// The engine whose projects it is for; nothing for all.
    pub engine: Option<&'static str>,
    /// Listed by default, without `--toolsets`.
    pub lean: bool,
    /// The tier label.
    pub tier: Tier,
    /// What it may change, under the settings of this server.
    pub safety: Safety,
    /// Whether it starts an engine.
    pub runs: Runs,
    /// It runs other tools; alone it changes nothing.
    pub delegates: bool,
    /// Calling it twice is the same as calling it once.
    pub idempotent: bool,
    /// It answers from memory in microseconds: nothing to report, nothing to cancel.
    pub instant: bool,
    /// Bounds on its work.
    pub limits: Limits,
    /// The long part.
    pub words: LazyWords,
}

/// The long part of a definition. Few of the many tools are ever described, so it is made when it
/// is first asked for.
#[derive(Debug)]
pub struct Words {
    /// What the tool does; its first sentence stands alone.
    pub description: String,
    /// JSON Schema of the arguments.
    pub input: JsonMap,
    /// JSON Schema of the output.
    pub output: JsonMap,
    /// Calls that work on the bundled samples.
    pub examples: Vec<ExampleInfo>,
}

/// [`Words`] in waiting.
#[derive(Clone)]
pub struct LazyWords(Arc<LazyLock<Words, Box<dyn FnOnce() -> Words + Send>>>);

impl LazyWords {
    /// Words that `make` gives when they are needed.
    pub fn new(make: impl FnOnce() -> Words + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl Deref for LazyWords {
    type Target = Words;

    fn deref(&self) -> &Words {
        &self.0
    }
}

impl fmt::Debug for LazyWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LazyWords")
    }
}

/// The first sentence of a description.
pub fn first_sentence(text: &str) -> &str {
    let ends = [". ", ".\n"].into_iter().filter_map(|end| text.find(end)).min();
    ends.map_or(text, |end| &text[..=end])
}

/// One example call.
#[derive(Debug, Clone)]
pub struct ExampleInfo {
    /// What it shows.
    pub description: &'static str,
    /// The arguments.
    pub input: Value,
    /// The output on the bundled samples.
    pub output: Value,
}

/// Bounds on a tool's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// After this it stops and returns what it has, with a diagnostic.
    pub time_guard: Option<Duration>,
    /// After this the call fails.
    pub timeout: Duration,
    /// No list in the output is longer.
    pub max_items: Option<usize>,
}

impl Limits {
    /// Spec 000's default: thirty seconds, nothing else.
    pub const DEFAULT: Self =
        Self { time_guard: None, timeout: Duration::from_secs(30), max_items: None };
}

/// What a tool may change.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Safety {
    /// Reads only.
    ReadOnly,
    /// Changes what can be undone.
    SafeWrite,
    /// Changes what cannot be undone.
    Destructive,
}

impl Safety {
    /// Spec 003's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::SafeWrite => "safe-write",
            Self::Destructive => "destructive",
        }
    }
}

/// Whether a tool starts an engine or code of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Runs {
    /// It does not.
    No,
    /// It does, and changes no file of the project.
    Only,
    /// It does, and changes files as well.
    AndWrites,
}

/// The tier label of a tool, or the highest tier that a server offers.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Free.
    Core,
    /// Indie.
    Tier1,
    /// Pro.
    Tier2,
    /// Studio.
    Tier3,
    /// Enterprise.
    Tier4,
}

impl Tier {
    /// Every tier, lowest first.
    pub const ALL: [Self; 5] = [Self::Core, Self::Tier1, Self::Tier2, Self::Tier3, Self::Tier4];

    /// Spec 003's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Tier1 => "tier1",
            Self::Tier2 => "tier2",
            Self::Tier3 => "tier3",
            Self::Tier4 => "tier4",
        }
    }

    /// Read a tier in spec 003's spelling or by the label that products use.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text.to_ascii_lowercase().as_str() {
            "core" | "base" | "free" => Self::Core,
            "tier1" | "indie" => Self::Tier1,
            "tier2" | "pro" => Self::Tier2,
            "tier3" | "studio" => Self::Tier3,
            "tier4" | "enterprise" => Self::Tier4,
            _ => return None,
        })
    }
}

impl std::str::FromStr for Tier {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text).ok_or_else(|| {
            format!("unknown tier '{text}'; use core, tier1, tier2, tier3 or tier4 (or indie, pro, studio, enterprise)")
        })
    }
}
