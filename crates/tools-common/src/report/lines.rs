//! Findings as lines of text, for people and for models: `path: object: message [rule]`, those of one
//! cause together, the project's own files before addons and packages.

use std::collections::BTreeMap;
use std::fmt::Write;

use scenewright_contract::finding::{Finding, Severity, by_cause};
use scenewright_text::{counted, errors_and_warnings};
use serde_json::Value;

/// A piece of a line, which a terminal may show in a style of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// `error`.
    Severity(Severity),
    /// What is behind several findings.
    Cause,
    /// The id of a rule.
    Rule,
    /// What stands above a part of the report.
    Heading,
}

/// How lines are written.
pub struct Manner<'a> {
    /// How many places of one cause are named.
    pub most: usize,
    /// What to do to see the others.
    pub others: &'a str,
    /// Puts a piece into its style.
    pub paint: &'a dyn Fn(Piece, &str) -> String,
}

/// Findings that have one cause.
struct Block<'a> {
    severity: Severity,
    rule: &'a str,
    cause: &'a str,
    /// How many there are, of which only some may be at hand.
    count: usize,
    files: usize,
    is_vendored: bool,
    places: Vec<Place<'a>>,
}

struct Place<'a> {
    file: &'a str,
    line: Option<u64>,
    object: Option<&'a str>,
    message: &'a str,
}

/// What stands above what is not the project's own.
const VENDORED: &str = "In addons, plugins and packages:";

/// Findings by their causes, one line each or one below their cause.
pub fn of(findings: &[Finding], manner: &Manner<'_>) -> String {
    let blocks = by_cause(findings).into_iter().map(|group| Block {
        severity: group.severity,
        rule: group.rule.id,
        cause: group.cause,
        count: group.findings.len(),
        files: group.files(),
        is_vendored: group.is_vendored,
        places: group.findings.iter().take(manner.most).map(|found| Place::of(found)).collect(),
    });
    write(blocks, manner)
}

impl<'a> Place<'a> {
    fn of(finding: &'a Finding) -> Place<'a> {
        Place {
            file: &finding.file,
            line: finding.line.and_then(|line| line.try_into().ok()),
            object: finding.object.as_deref(),
            message: &finding.message,
        }
    }

    /// `path:7: object: message`, without what is said above it.
    fn write(&self, cause: &str, out: &mut String) {
        out.push_str(self.file);
        if let Some(line) = self.line {
            let _ = write!(out, ":{line}");
        }
        // The root of a scene is the scene.
        if let Some(object) = self.object.filter(|object| *object != ".") {
            let _ = write!(out, ": {object}");
        }
        let rest = self.message.strip_suffix(cause).map(|rest| rest.trim_end_matches([':', ' ']));
        match rest.unwrap_or(self.message) {
            "" => {}
            message => drop(write!(out, ": {message}")),
        }
    }
}

fn write<'a>(blocks: impl Iterator<Item = Block<'a>>, manner: &Manner<'_>) -> String {
    let paint = manner.paint;
    let mut out = String::new();
    let (mut has_own, mut is_below) = (false, false);
    for block in blocks {
        if block.is_vendored && !is_below {
            is_below = true;
            let gap = if has_own { "\n" } else { "" };
            let _ = writeln!(out, "{gap}{}", paint(Piece::Heading, VENDORED));
        }
        has_own = true;
        let severity = paint(Piece::Severity(block.severity), block.severity.as_str());
        let rule = paint(Piece::Rule, &format!("[{}]", block.rule));
        let _ = write!(out, "{severity} ");
        if let ([only], 1) = (block.places.as_slice(), block.count) {
            only.write("", &mut out);
            let _ = writeln!(out, " {rule}");
            continue;
        }
        let places = match (block.count, block.files) {
            (count, 1) => format!("{count} times in one file"),
            (count, files) => format!("{count} times in {files} files"),
        };
        let _ = writeln!(out, "{} — {places} {rule}", paint(Piece::Cause, block.cause));
        for place in block.places.iter().take(manner.most) {
            out.push_str("  ");
            place.write(block.cause, &mut out);
            out.push('\n');
        }
        let shown = block.places.len().min(manner.most);
        if block.count > shown {
            let _ = writeln!(out, "  … and {} more{}", block.count - shown, manner.others);
        }
    }
    out
}

/// What the tool `project.check` answers, as lines.
pub fn text(output: &Value) -> String {
    let list = |key: &str| output[key].as_array().map_or(&[][..], Vec::as_slice);
    // What is behind findings that are not all at hand is told with their number.
    let totals: BTreeMap<(&str, &str), &Value> = list("causes")
        .iter()
        .filter_map(|cause| Some(((word(cause, "rule")?, word(cause, "cause")?), cause)))
        .collect();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for found in list("findings") {
        let (Some(rule), Some(file), Some(message)) =
            (word(found, "rule"), word(found, "file"), word(found, "message"))
        else {
            continue;
        };
        let cause = word(found, "cause").unwrap_or(message);
        let severity = severity(found);
        let (line, object) = (found["line"].as_u64(), word(found, "object"));
        let place = Place { file, line, object, message };
        let is_vendored = found["vendored"].as_bool().unwrap_or_default();
        let is_same = |block: &&mut Block<'_>| {
            (block.rule, block.severity, block.cause) == (rule, severity, cause)
        };
        if let Some(block) = blocks.iter_mut().find(is_same) {
            block.is_vendored &= is_vendored;
            block.places.push(place);
            continue;
        }
        blocks.push(Block {
            severity,
            rule,
            cause,
            count: 0,
            files: 0,
            is_vendored,
            places: vec![place],
        });
    }
    for block in &mut blocks {
        let number = |key| {
            let number = totals.get(&(block.rule, block.cause))?[key].as_u64()?;
            usize::try_from(number).ok()
        };
        let mut files: Vec<&str> = block.places.iter().map(|place| place.file).collect();
        files.sort_unstable();
        files.dedup();
        block.count = number("count").unwrap_or_default().max(block.places.len());
        block.files = number("files").unwrap_or_default().max(files.len());
    }
    blocks.sort_by_key(|block| block.is_vendored);
    let plain = |_, text: &str| text.to_owned();
    let manner = Manner { most: usize::MAX, others: "", paint: &plain };
    let mut out = write(blocks.into_iter(), &manner);
    let help: BTreeMap<&str, &str> = list("causes")
        .iter()
        .filter_map(|cause| Some((word(cause, "rule")?, word(cause, "help")?)))
        .collect();
    for (rule, help) in help {
        let _ = writeln!(out, "{rule}: {help}");
    }
    out + &ending(output)
}

/// How much there is, in one line.
fn ending(output: &Value) -> String {
    let number = |key: &str| {
        output[key].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
    };
    let mut line = errors_and_warnings(number("errors"), number("warnings"));
    if number("remarks") > 0 {
        let _ = write!(line, ", {}", counted(number("remarks"), "remark"));
    }
    if number("accepted") > 0 {
        let _ = write!(line, ", {} accepted by the baseline", number("accepted"));
    }
    if output["truncated"].as_bool().unwrap_or_default() {
        line.push_str("; not all findings are listed");
    }
    line
}

fn word<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value[key].as_str()
}

fn severity(found: &Value) -> Severity {
    match word(found, "severity") {
        Some("error") => Severity::Error,
        Some("warning") => Severity::Warning,
        _ => Severity::Info,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;
    use crate::report::causes;
    use crate::report::example;

    fn check(findings: &[Finding], expected: Expect) {
        let plain = |_, text: &str| text.to_owned();
        let manner = Manner { most: 3, others: "; --each lists them", paint: &plain };
        expected.assert_eq(&of(findings, &manner));
    }

    /// One finding at several places, and one in an addon.
    fn several() -> Vec<Finding> {
        let mut findings = example::findings();
        let more = |file: &str| Finding { file: file.into(), ..findings[0].clone() };
        let more: Vec<Finding> = ["C", "D", "E"].into_iter().map(more).collect();
        findings.extend(more);
        let foreign =
            Finding { severity: Severity::Error, is_vendored: true, ..findings[1].clone() };
        findings.push(Finding { file: "addons/a/b.tscn".into(), ..foreign });
        findings
    }

    #[test]
    fn one_finding_is_one_line() {
        check(
            &example::findings(),
            expect![[r#"
                error Assets/A b.unity:7: Root/Child: no script with "guid" <1> [missing-script]
                info Assets/B.prefab: stale [missing-script]
            "#]],
        );
    }

    #[test]
    fn what_has_one_cause_is_below_it_and_addons_come_last() {
        check(
            &several(),
            expect![[r#"
                error no script with "guid" <1> — 4 times in 4 files [missing-script]
                  Assets/A b.unity:7: Root/Child
                  C:7: Root/Child
                  D:7: Root/Child
                  … and 1 more; --each lists them
                info Assets/B.prefab: stale [missing-script]

                In addons, plugins and packages:
                error addons/a/b.tscn: stale [missing-script]
            "#]],
        );
    }

    #[test]
    fn an_answer_reads_like_the_report() {
        let findings = several();
        let found = findings.iter().map(|finding| {
            json!({
                "rule": finding.rule.id, "severity": finding.severity, "file": &*finding.file,
                "line": finding.line, "object": finding.object.as_deref(),
                "message": &*finding.message, "vendored": finding.is_vendored,
            })
        });
        let causes = serde_json::to_value(causes::of(&findings)).unwrap();
        let output = json!({
            "causes": causes, "findings": found.take(3).collect::<Vec<_>>(), "errors": 5,
            "warnings": 0, "remarks": 1, "accepted": 2, "truncated": true,
        });
        expect![[r#"
            error no script with "guid" <1> — 4 times in 4 files [missing-script]
              Assets/A b.unity:7: Root/Child
              C:7: Root/Child
              … and 2 more
            info Assets/B.prefab: stale [missing-script]
            missing-script: Restore the script or remove the component.
            5 errors, 0 warnings, 1 remark, 2 accepted by the baseline; not all findings are listed"#]]
        .assert_eq(&text(&output));
    }

    #[test]
    fn an_answer_without_findings_says_so() {
        let output = json!({ "causes": [], "findings": [], "errors": 0, "warnings": 0 });
        assert_eq!(text(&output), "0 errors, 0 warnings");
    }
}
