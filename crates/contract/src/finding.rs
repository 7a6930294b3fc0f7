//! What a check found wrong with a project: data that every report format renders.

use std::cmp::Reverse;
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
    /// What one finding of it stands for.
    pub scope: Scope,
}

/// What one finding of a rule stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// One place.
    #[default]
    Place,
    /// One cause, wherever it shows: a package that is not here, say.
    Cause,
    /// This copy of the project, such as a file that was not fetched. A baseline leaves it out.
    Copy,
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
        Self { id, severity, title, help, about, scope: Scope::Place }
    }

    /// The rule with findings that stand for something else than one place.
    #[must_use]
    pub const fn of(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }
}

/// A table of rules: `rule_of` gives the rule of a kind of finding, `rules` all of them.
#[macro_export]
macro_rules! rules {
    ($kind:ident: $($name:ident => $id:literal, $severity:ident, $title:literal, $help:literal, $about:literal $(, $scope:ident)?;)*) => {
        fn rule_of(kind: $kind) -> &'static $crate::finding::Rule {
            use $crate::finding::{Rule, Severity};
            match kind {
                $($kind::$name => const {
                    &Rule::new($id, Severity::$severity, $title, $help, $about)
                        $(.of($crate::finding::Scope::$scope))?
                },)*
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
    /// The number of the object in the file, which stays when the object gets another name.
    pub id: Option<i64>,
    /// What exactly is missing or wrong, by its id or name. Messages get other words, this does not.
    pub subject: Option<Arc<str>>,
    /// Whether the file is in a folder for code of others: an addon, a plugin, a package.
    pub is_vendored: bool,
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
            id: None,
            subject: None,
            is_vendored: false,
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

    /// Say what exactly is missing or wrong.
    #[must_use]
    pub fn about(mut self, subject: impl Into<Arc<str>>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// What is behind it.
    pub fn cause(&self) -> &str {
        self.cause.as_deref().unwrap_or(&self.message)
    }

    /// What stays the same while the file around it is edited; code hosts know findings by it.
    pub fn fingerprint(&self) -> String {
        let object = self.id.map(|id| id.to_string());
        let object = object.as_deref().or(self.object.as_deref()).unwrap_or("");
        let subject = self.subject.as_deref().unwrap_or(&self.message);
        format!("{}|{}|{object}|{subject}", self.rule.id, self.file)
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
    /// Whether all of them are in code of others.
    pub is_vendored: bool,
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

/// Findings by their cause: those of the project's own files before those in code of others, the worst
/// first and of these the most frequent.
pub fn by_cause(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<(&str, Severity, &str), usize> = HashMap::new();
    for finding in findings {
        let cause = finding.cause();
        let key = (finding.rule.id, finding.severity, cause);
        let at = *known.entry(key).or_insert_with(|| {
            let (rule, severity) = (finding.rule, finding.severity);
            groups.push(Group { rule, severity, cause, findings: Vec::new(), is_vendored: true });
            groups.len() - 1
        });
        groups[at].is_vendored &= finding.is_vendored;
        groups[at].findings.push(finding);
    }
    groups
        .sort_by_key(|group| (group.is_vendored, Reverse((group.severity, group.findings.len()))));
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
        // Errors in code of others come after all of the project's own.
        let vendored = |finding: &Finding| Finding {
            is_vendored: finding.rule.id == "lost",
            ..finding.clone()
        };
        let findings = findings.each_ref().map(vendored);
        let told: Vec<_> = by_cause(&findings).iter().map(|g| (g.cause, g.is_vendored)).collect();
        assert_eq!(told, [("strange", false), ("y", true), ("x", true)]);
    }

    #[test]
    fn a_fingerprint_goes_by_the_object_and_not_by_words() {
        static LOST: Rule = Rule::new("lost", Severity::Error, "", "", "");
        let told = |object: &str, message: &str| Finding {
            id: Some(7),
            ..Finding::new(&LOST, "A.unity", message).on_object(object).about("m_Mesh")
        };
        assert_eq!(told("Lamp", "is gone").fingerprint(), "lost|A.unity|7|m_Mesh");
        assert_eq!(told("Light", "is missing").fingerprint(), "lost|A.unity|7|m_Mesh");
    }
}
