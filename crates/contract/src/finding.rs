//! What a check found wrong with a project: data that every report format renders.

use std::collections::HashMap;
use std::sync::Arc;

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
    /// What the engine makes of it, and how sure the check is.
    pub about: &'static str,
}

impl Rule {
    /// A rule; `const { &Rule::new(…) }` lives for ever.
    pub const fn new(
        id: &'static str,
        severity: Severity,
        title: &'static str,
        help: &'static str,
        about: &'static str,
    ) -> Self {
        Self { id, severity, title, help, about }
    }
}

/// A table of rules: `rule_of` gives the rule of a kind of finding, `rules` all of them.
#[macro_export]
macro_rules! rules {
    ($kind:ident: $($name:ident => $id:literal, $severity:ident, $title:literal, $help:literal, $about:literal;)*) => {
        fn rule_of(kind: $kind) -> &'static $crate::finding::Rule {
            use $crate::finding::{Rule, Severity};
            match kind {
                $($kind::$name => const { &Rule::new($id, Severity::$severity, $title, $help, $about) },)*
            }
        }

        pub(super) fn rules() -> Vec<&'static $crate::finding::Rule> {
            vec![$(rule_of($kind::$name)),*]
        }
    };
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

/// One thing that is wrong. A project may have a hundred thousand, so their texts are shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How bad it is here.
    pub severity: Severity,
    /// The file, from the project's root, with `/`.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The object in the file, as a path in its hierarchy.
    pub object: Option<Arc<str>>,
    /// What was found.
    pub message: Arc<str>,
    /// What is behind it, where one thing is behind many findings; the message where nothing is said.
    pub cause: Option<Arc<str>>,
}

impl Finding {
    /// A finding of `rule` in `file`.
    pub fn new(
        rule: &'static Rule,
        file: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Self {
        Self {
            rule,
            severity: rule.severity,
            file: file.into(),
            line: None,
            object: None,
            message: message.into(),
            cause: None,
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
    pub fn on_object(mut self, path: impl Into<Arc<str>>) -> Self {
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

/// Findings that have one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    /// The rule that found them.
    pub rule: &'static Rule,
    /// How bad they are.
    pub severity: Severity,
    /// What is behind them.
    pub cause: &'a str,
    /// The findings, in their order.
    pub findings: Vec<&'a Finding>,
}

impl Group<'_> {
    /// How many files they are in.
    pub fn files(&self) -> usize {
        let mut files: Vec<&str> = self.findings.iter().map(|found| &*found.file).collect();
        files.sort_unstable();
        files.dedup();
        files.len()
    }
}

/// Findings by their cause, the worst first and of these the most frequent.
pub fn by_cause(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<(&str, Severity, &str), usize> = HashMap::new();
    for finding in findings {
        let cause = finding.cause.as_deref().unwrap_or(&finding.message);
        let key = (finding.rule.id, finding.severity, cause);
        let at = *known.entry(key).or_insert_with(|| {
            let (rule, severity) = (finding.rule, finding.severity);
            groups.push(Group { rule, severity, cause, findings: Vec::new() });
            groups.len() - 1
        });
        groups[at].findings.push(finding);
    }
    groups.sort_by_key(|group| std::cmp::Reverse((group.severity, group.findings.len())));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cause_is_told_once_and_the_worst_first() {
        static LOST: Rule = Rule::new("lost", Severity::Error, "", "", "");
        static ODD: Rule = Rule::new("odd", Severity::Warning, "", "", "");
        let lost = |file: &str, cause: &str| {
            let cause = Some(cause.into());
            Finding { cause, ..Finding::new(&LOST, file, format!("{file} lost")) }
        };
        let findings = [
            Finding::new(&ODD, "a", "strange"),
            lost("a", "x"),
            Finding::new(&ODD, "b", "strange"),
            lost("b", "y"),
            lost("b", "y"),
        ];
        let groups = by_cause(&findings);
        let told: Vec<_> = groups.iter().map(|g| (g.cause, g.findings.len(), g.files())).collect();
        assert_eq!(told, [("y", 2, 1), ("x", 1, 1), ("strange", 2, 2)]);
    }
}
