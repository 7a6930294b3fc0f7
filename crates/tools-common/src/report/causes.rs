//! What is behind many findings, for the answers of tools.

use scenewright_contract::finding::{Finding, Group, Severity, by_cause};
use schemars::JsonSchema;
use serde::Serialize;

/// More causes are left out; the findings have them.
const MAX_CAUSES: usize = 50;
/// Places of a cause that are named.
const EXAMPLES: usize = 3;

/// What is behind some findings.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Cause {
    /// The rule that found it.
    rule: String,
    /// How bad it is.
    severity: Severity,
    /// What is behind the findings.
    cause: String,
    /// How many findings it has.
    count: usize,
    /// In how many files.
    files: usize,
    /// Some of the places.
    examples: Vec<String>,
    /// What to do about it.
    help: String,
}

/// The causes of findings: those of the project's own files first, the worst and most frequent first.
pub(crate) fn of(findings: &[Finding]) -> Vec<Cause> {
    let groups = by_cause(findings).into_iter().take(MAX_CAUSES);
    let cause = |group: Group<'_>| Cause {
        rule: group.rule.id.to_owned(),
        severity: group.severity,
        cause: group.cause.to_owned(),
        count: group.findings.len(),
        files: group.files(),
        examples: examples(&group.findings),
        help: group.rule.help.to_owned(),
    };
    groups.map(cause).collect()
}

/// Different places: an object with two wrong fields is one.
fn examples(findings: &[&Finding]) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for place in findings.iter().map(|finding| place(finding)) {
        if !examples.contains(&place) {
            examples.push(place);
        }
        if examples.len() == EXAMPLES {
            break;
        }
    }
    examples
}

fn place(finding: &Finding) -> String {
    match (finding.line, &finding.object) {
        (_, Some(object)) => format!("{} ({object})", finding.file),
        (Some(line), None) => format!("{}:{line}", finding.file),
        (None, None) => finding.file.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use scenewright_contract::finding::Rule;

    use super::*;

    #[test]
    fn a_place_is_named_once() {
        static LOST: Rule = Rule::new("lost", Severity::Error, "", "", "");
        let at = |object: &str, field: &str| {
            let cause = Some("the mesh is gone".into());
            let finding = Finding::new(&LOST, "A.unity", field).on_object(object);
            Finding { cause, ..finding }
        };
        let findings = [at("Lamp", "a"), at("Lamp", "b"), at("Door", "a")];
        let causes = of(&findings);
        assert_eq!(causes.len(), 1);
        assert_eq!(causes[0].count, 3);
        assert_eq!(causes[0].examples, ["A.unity (Lamp)", "A.unity (Door)"]);
    }
}
