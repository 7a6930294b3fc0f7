//! Findings in the formats that other programs read.

pub(crate) mod causes;
#[doc(hidden)]
pub mod example;
pub mod lines;

use std::collections::HashMap;
use std::fmt::Write;

use scenewright_contract::finding::{Finding, Rule, Severity};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a report says besides the findings.
pub struct Summary<'a> {
    /// The project's name.
    pub project: &'a str,
    /// Findings that a baseline accepts.
    pub accepted: usize,
    /// Findings that were there before, where only new ones are reported.
    pub known: Option<Known>,
    /// Remarks: what could not be judged.
    pub notes: &'a [String],
}

/// Findings that are not new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Known {
    /// How many.
    pub count: usize,
    /// Where they were already: at a revision; in the parents of a merge when nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

impl Known {
    /// None yet of a revision or a merge; nothing when neither was asked for.
    pub fn of(since: Option<&str>, merge: Option<&str>) -> Option<Known> {
        let is_asked = since.is_some() || merge.is_some();
        is_asked.then(|| Known { count: 0, since: since.map(str::to_owned) })
    }

    /// Where they were, in words.
    pub fn words(&self) -> String {
        let Known { count, since } = self;
        match since {
            Some(revision) => format!("{count} in changed files were there at {revision}"),
            None => format!("{count} were there before the merge"),
        }
    }
}

/// Each rule that found something, once, in the order of its id.
pub fn rules(findings: &[Finding]) -> Vec<&'static Rule> {
    let mut rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_by_key(|rule| rule.id);
    rules.dedup_by_key(|rule| rule.id);
    rules
}

/// Everything, for programs. It is written piece by piece: of a large project it is tens of megabytes.
pub fn json<'a>(findings: &'a [Finding], summary: &'a Summary<'_>) -> impl Serialize + 'a {
    #[derive(Serialize)]
    struct Report<'a> {
        project: &'a str,
        accepted: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        known: Option<&'a Known>,
        notes: &'a [String],
        findings: Entries<'a>,
    }
    struct Entries<'a>(&'a [Finding]);
    impl Serialize for Entries<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.0.iter().map(Entry::of))
        }
    }
    #[derive(Serialize)]
    struct Entry<'a> {
        rule: &'a str,
        severity: Severity,
        file: &'a str,
        line: Option<usize>,
        object: Option<&'a str>,
        message: &'a str,
        help: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        about: Option<&'a str>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        vendored: bool,
    }
    impl<'a> Entry<'a> {
        fn of(finding: &'a Finding) -> Entry<'a> {
            Entry {
                rule: finding.rule.id,
                severity: finding.severity,
                file: &finding.file,
                line: finding.line,
                object: finding.object.as_deref(),
                message: &finding.message,
                help: finding.rule.help,
                cause: finding.cause.as_deref().filter(|cause| **cause != *finding.message),
                id: finding.id.map(|id| id.to_string()),
                about: finding.subject.as_deref(),
                vendored: finding.is_vendored,
            }
        }
    }
    let Summary { project, accepted, ref known, notes } = *summary;
    Report { project, accepted, known: known.as_ref(), notes, findings: Entries(findings) }
}

/// SARIF 2.1.0, which code hosts show beside the code.
pub fn sarif(findings: &[Finding]) -> String {
    let level = |severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let rules: Vec<Value> = rules(findings)
        .into_iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.title },
                "help": { "text": rule.help },
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        })
        .collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let mut location = json!({
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(&finding.file), "uriBaseId": "%SRCROOT%" },
                    "region": { "startLine": finding.line.unwrap_or(1) },
                },
            });
            if let Some(object) = &finding.object {
                location["logicalLocations"] = json!([{ "fullyQualifiedName": **object }]);
            }
            json!({
                "ruleId": finding.rule.id,
                "level": level(finding.severity),
                "message": { "text": *finding.message },
                "locations": [location],
                "partialFingerprints": { "scenewright/v2": finding.fingerprint() },
            })
        })
        .collect();
    let report = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "scenewright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&report).unwrap_or_default()
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

/// JUnit, which build servers show as tests: one for each file with findings.
pub fn junit(findings: &[Finding], summary: &Summary<'_>) -> String {
    let counted: Vec<&Finding> =
        findings.iter().filter(|finding| finding.severity > Severity::Info).collect();
    let mut report = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let count = counted.len();
    let _ = writeln!(
        report,
        "<testsuite name=\"scenewright {}\" tests=\"{}\" failures=\"{count}\">",
        safe_xml(summary.project),
        count.max(1)
    );
    if counted.is_empty() {
        report.push_str("  <testcase name=\"check\" classname=\"scenewright\"/>\n");
    }
    for finding in counted {
        let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
        let object = finding.object.as_deref().map_or_else(String::new, |path| format!(" {path}"));
        let name = safe_xml(&format!("{}{line}{object}", finding.file));
        let _ = write!(
            report,
            "  <testcase name=\"{name}\" classname=\"{}\">\n    <failure type=\"{}\" message=\"{}\">{}</failure>\n  </testcase>\n",
            finding.rule.id,
            finding.severity.as_str(),
            safe_xml(&finding.message),
            safe_xml(finding.rule.help)
        );
    }
    report.push_str("</testsuite>");
    report
}

/// Everything as plain XML, for programs that read no JSON.
pub fn xml(findings: &[Finding], summary: &Summary<'_>) -> String {
    let mut report = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        report,
        "<results tool=\"scenewright\" project=\"{}\" accepted=\"{}\" findings=\"{}\">",
        safe_xml(summary.project),
        summary.accepted,
        findings.len()
    );
    for note in summary.notes {
        let _ = writeln!(report, "  <note>{}</note>", safe_xml(note));
    }
    for finding in findings {
        let _ = write!(
            report,
            "  <finding rule=\"{}\" severity=\"{}\" file=\"{}\"",
            finding.rule.id,
            finding.severity.as_str(),
            safe_xml(&finding.file)
        );
        if let Some(line) = finding.line {
            let _ = write!(report, " line=\"{line}\"");
        }
        if let Some(object) = &finding.object {
            let _ = write!(report, " object=\"{}\"", safe_xml(object));
        }
        let (message, help) = (safe_xml(&finding.message), safe_xml(finding.rule.help));
        let _ = writeln!(report, " help=\"{help}\">{message}</finding>");
    }
    report.push_str("</results>");
    report
}

/// Text inside XML; control characters have no place there.
fn safe_xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(' '),
            c if c < ' ' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Workflow commands of GitHub, which become remarks at the lines of a change.
pub fn github(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| {
            let command = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let line = finding.line.map_or_else(String::new, |line| format!(",line={line}"));
            let object = finding.object.as_deref().map_or_else(String::new, |o| format!(" [{o}]"));
            format!(
                "::{command} file={}{line},title={}::{}",
                escaped(&finding.file, true),
                finding.rule.id,
                escaped(&format!("{}{object}", finding.message), false)
            )
        })
        .collect();
    lines.join("\n")
}

/// Code quality as GitLab shows it beside a merge request.
pub fn gitlab(findings: &[Finding]) -> String {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let entries: Vec<Value> = findings
        .iter()
        .map(|finding| {
            // GitLab shows one of those that have one fingerprint, so the second of the same is told apart.
            let known = finding.fingerprint();
            let count = seen.entry(known.clone()).or_default();
            *count += 1;
            let digest = Sha256::digest(format!("{known}|{count}"));
            let fingerprint: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let object = finding.object.as_deref().map_or_else(String::new, |o| format!(" [{o}]"));
            json!({
                "description": format!("{}{object}", finding.message),
                "check_name": finding.rule.id,
                "fingerprint": fingerprint,
                "severity": match finding.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Info => "info",
                },
                "location": {
                    "path": *finding.file,
                    "lines": { "begin": finding.line.unwrap_or(1) },
                },
            })
        })
        .collect();
    serde_json::to_string_pretty(&entries).unwrap_or_default()
}

fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::example::{SUMMARY, findings};
    use super::*;

    #[test]
    fn github_gets_commands() {
        expect![[r#"
            ::error file=Assets/A b.unity,line=7,title=missing-script::no script with "guid" <1> [Root/Child]
            ::notice file=Assets/B.prefab,title=missing-script::stale"#]]
        .assert_eq(&github(&findings()));
    }

    #[test]
    fn gitlab_tells_findings_apart_and_knows_them_on_another_line() {
        let read =
            |findings: &[Finding]| -> Value { serde_json::from_str(&gitlab(findings)).unwrap() };
        let mut findings = findings();
        let first = read(&findings);
        assert_eq!(
            first[0]["location"],
            json!({ "path": "Assets/A b.unity", "lines": { "begin": 7 } })
        );
        assert_eq!(first[0]["description"], "no script with \"guid\" <1> [Root/Child]");
        assert_eq!(
            (&first[0]["severity"], &first[1]["severity"]),
            (&json!("major"), &json!("info"))
        );
        assert_eq!(first[1]["location"]["lines"]["begin"], 1);
        findings[0].line = Some(9);
        findings.push(Finding { line: Some(30), ..findings[0].clone() });
        let second = read(&findings);
        assert_eq!(first[0]["fingerprint"], second[0]["fingerprint"]);
        assert_ne!(second[0]["fingerprint"], second[2]["fingerprint"]);
        assert_eq!(gitlab(&[]), "[]");
    }

    #[test]
    fn junit_is_well_formed_and_counts_failures() {
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="scenewright Keep" tests="1" failures="1">
              <testcase name="Assets/A b.unity:7 Root/Child" classname="missing-script">
                <failure type="error" message="no script with &quot;guid&quot; &lt;1&gt;">Restore the script or remove the component.</failure>
              </testcase>
            </testsuite>"#]]
        .assert_eq(&junit(&findings(), &SUMMARY));
    }

    #[test]
    fn xml_is_well_formed_and_complete() {
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <results tool="scenewright" project="Keep" accepted="2" findings="2">
              <finding rule="missing-script" severity="error" file="Assets/A b.unity" line="7" object="Root/Child" help="Restore the script or remove the component.">no script with &quot;guid&quot; &lt;1&gt;</finding>
              <finding rule="missing-script" severity="info" file="Assets/B.prefab" help="Restore the script or remove the component.">stale</finding>
            </results>"#]]
        .assert_eq(&xml(&findings(), &SUMMARY));
    }

    #[test]
    fn sarif_has_rules_places_and_fingerprints() {
        let report: Value = serde_json::from_str(&sarif(&findings())).unwrap();
        let run = &report["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "missing-script");
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "Assets/A%20b.unity");
        assert_eq!(place["region"]["startLine"], 7);
        assert_eq!(run["results"][1]["level"], "note");
    }
}
