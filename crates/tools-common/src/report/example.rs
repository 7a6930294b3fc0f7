//! Findings that every format of a report is tested with, here and where reports are for people.

use scenewright_contract::finding::{Finding, Rule, Scope, Severity};

use super::Summary;

static RULE: Rule = Rule {
    id: "missing-script",
    severity: Severity::Error,
    title: "Missing script",
    help: "Restore the script or remove the component.",
    about: "",
    scope: Scope::Place,
};

/// What is said besides the findings.
pub const SUMMARY: Summary<'_> = Summary { project: "Keep", accepted: 2, known: None, notes: &[] };

/// One with a place and letters that formats have to write otherwise, one without.
pub fn findings() -> Vec<Finding> {
    vec![
        Finding::new(&RULE, "Assets/A b.unity", "no script with \"guid\" <1>")
            .at_line(7)
            .on_object("Root/Child"),
        Finding { severity: Severity::Info, ..Finding::new(&RULE, "Assets/B.prefab", "stale") },
    ]
}
