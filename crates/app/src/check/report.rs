//! Findings for people; the formats for programs are the tools' own.

use std::fmt::Write;

use scenewright_contract::finding::{Finding, Severity, by_cause};
use scenewright_text::{counted as number, errors_and_warnings};
pub(crate) use scenewright_tools_common::report::{
    Known, Summary, github, gitlab, json, junit, rules, sarif,
};

use crate::term::{Paint, Style};

/// How many places are shown of one cause.
const EXAMPLES: usize = 3;

/// For people: what has one cause together, the worst first, with what to do.
pub(crate) fn text(findings: &[Finding], summary: &Summary<'_>, paint: Paint) -> String {
    let mut report = String::new();
    for group in by_cause(findings) {
        let severity = paint.paint(style_of(group.severity), group.severity.as_str());
        let rule = paint.paint(Style::Dim, group.rule.id);
        let (count, files) = (group.findings.len(), group.files());
        let cause = paint.paint(Style::Bold, group.cause);
        let places = match (count, files) {
            (1, _) => String::new(),
            (_, 1) => format!(" — {count} times in one file"),
            _ => format!(" — {count} times in {files} files"),
        };
        let _ = writeln!(report, "{severity} {cause}{places} {rule}");
        for finding in group.findings.iter().take(EXAMPLES) {
            let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
            let object =
                finding.object.as_deref().map_or_else(String::new, |path| format!(" [{path}]"));
            // The cause stands above.
            let message = finding.message.strip_suffix(group.cause);
            let message =
                message.map_or(&*finding.message, |rest| rest.trim_end_matches([':', ' ']));
            let space = if message.is_empty() { "" } else { " " };
            let _ = writeln!(report, "  {}{line}{object}{space}{message}", finding.file);
        }
        if count > EXAMPLES {
            let _ = writeln!(report, "  … and {} more; --each lists them", count - EXAMPLES);
        }
    }
    end(&mut report, findings, summary, paint);
    report
}

/// For people: every finding, by its file.
pub(crate) fn each(findings: &[Finding], summary: &Summary<'_>, paint: Paint) -> String {
    let mut report = String::new();
    let mut file = "";
    for finding in findings {
        if *finding.file != *file {
            file = &finding.file;
            let _ = writeln!(report, "{}", paint.paint(Style::Bold, file));
        }
        let line = finding.line.map_or_else(String::new, |line| format!("{line}: "));
        let severity = paint.paint(style_of(finding.severity), finding.severity.as_str());
        let object =
            finding.object.as_deref().map_or_else(String::new, |path| format!(" [{path}]"));
        let rule = paint.paint(Style::Dim, finding.rule.id);
        let _ = writeln!(report, "  {line}{severity} {}{object} {rule}", finding.message);
    }
    end(&mut report, findings, summary, paint);
    report
}

fn style_of(severity: Severity) -> Style {
    match severity {
        Severity::Error => Style::Red,
        Severity::Warning => Style::Yellow,
        Severity::Info => Style::Dim,
    }
}

/// What to do, what was not judged, and how much there is.
fn end(report: &mut String, findings: &[Finding], summary: &Summary<'_>, paint: Paint) {
    for rule in rules(findings) {
        let id = paint.paint(Style::Cyan, rule.id);
        let _ = writeln!(report, "{id}: {}", rule.help);
    }
    for note in summary.notes {
        let _ = writeln!(report, "note: {note}");
    }
    let _ = write!(report, "{}: {}", summary.project, counted(findings));
    match findings.iter().filter(|finding| finding.severity == Severity::Info).count() {
        0 => {}
        infos => drop(write!(report, ", {}", number(infos, "remark"))),
    }
    match summary.accepted {
        0 => {}
        accepted => drop(write!(report, ", {accepted} accepted by the baseline")),
    }
    match &summary.known {
        Some(known) if known.count > 0 => drop(write!(report, "; {}", known.words())),
        _ => {}
    }
}

/// How many errors and warnings there are.
pub(crate) fn counted(findings: &[Finding]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    errors_and_warnings(count(Severity::Error), count(Severity::Warning))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_tools_common::report::example::{SUMMARY, findings};

    use super::*;

    #[test]
    fn people_see_causes_with_places_and_what_to_do() {
        let mut findings = findings();
        let more = |file: &str| Finding { file: file.into(), ..findings[0].clone() };
        let more: Vec<Finding> = ["C", "D", "E"].into_iter().map(more).collect();
        findings.extend(more);
        expect![[r#"
            error no script with "guid" <1> — 4 times in 4 files missing-script
              Assets/A b.unity:7 [Root/Child]
              C:7 [Root/Child]
              D:7 [Root/Child]
              … and 1 more; --each lists them
            info stale missing-script
              Assets/B.prefab
            missing-script: Restore the script or remove the component.
            Keep: 4 errors, 0 warnings, 1 remark, 2 accepted by the baseline"#]]
        .assert_eq(&text(&findings, &SUMMARY, Paint::never()));
    }

    #[test]
    fn each_finding_can_be_listed_by_its_file() {
        let plain = Paint::never();
        expect![[r#"
            Assets/A b.unity
              7: error no script with "guid" <1> [Root/Child] missing-script
            Assets/B.prefab
              info stale missing-script
            missing-script: Restore the script or remove the component.
            Keep: 1 error, 0 warnings, 1 remark, 2 accepted by the baseline"#]]
        .assert_eq(&each(&findings(), &SUMMARY, plain));
    }
}
