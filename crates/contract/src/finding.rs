//! What a check found wrong with a project: data that every report format renders.

use schemars::JsonSchema;
use serde::Serialize;

/// One thing that a check looks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its stable id: `missing-script`.
    pub id: &'static str,
    /// How bad a finding is, unless the finding says otherwise.
    pub severity: Severity,
    /// What it looks for, in a few words.
    pub title: &'static str,
    /// What to do about a finding.
    pub help: &'static str,
}

impl Rule {
    /// A rule; `const { &Rule::new(…) }` lives for ever.
    pub const fn new(
        id: &'static str,
        severity: Severity,
        title: &'static str,
        help: &'static str,
    ) -> Self {
        Self { id, severity, title, help }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing, usually harmless; reports leave it out unless asked.
    Info,
    /// Probably wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How bad it is here.
    pub severity: Severity,
    /// The file, from the project's root, with `/`.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The object in the file, as a path in its hierarchy.
    pub object: Option<String>,
    /// What was found.
    pub message: String,
}

impl Finding {
    /// A finding of `rule` in `file`.
    pub fn new(rule: &'static Rule, file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            file: file.into(),
            line: None,
            object: None,
            message: message.into(),
        }
    }

    /// Say on which line it is.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// Say which object it is about.
    #[must_use]
    pub fn on_object(mut self, path: impl Into<String>) -> Self {
        self.object = Some(path.into());
        self
    }

    /// What stays the same while the file around it is edited; a baseline knows findings by it.
    pub fn fingerprint(&self) -> String {
        let object = self.object.as_deref().unwrap_or("");
        format!("{}|{}|{object}|{}", self.rule.id, self.file, self.message)
    }

    /// The order of every report: by file, line, rule, object, message.
    pub fn sort_key(&self) -> (&str, usize, &str, Option<&str>, &str) {
        let line = self.line.unwrap_or(0);
        (&self.file, line, self.rule.id, self.object.as_deref(), &self.message)
    }
}
