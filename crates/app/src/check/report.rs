//! Findings for people; the formats for programs are the tools' own.

use std::fmt::Write;

use scenewright_contract::finding::{Finding, Severity};
pub(crate) use scenewright_tools_common::report::{Summary, github, json, junit, rules, sarif};

use crate::term::{Paint, Style};

/// For people: grouped by file, with what to do.
pub(crate) fn text(findings: &[Finding], summary: &Summary<'_>, paint: Paint) -> String {
    let mut report = String::new();
    let mut file = "";
    for finding in findings {
        if finding.file != file {
            file = &finding.file;
            let _ = writeln!(report, "{}", paint.paint(Style::Bold, file));
        }
        let style = match finding.severity {
            Severity::Error => Style::Red,
            Severity::Warning => Style::Yellow,
            Severity::Info => Style::Dim,
        };
        let line = finding.line.map_or_else(String::new, |line| format!("{line}: "));
        let severity = paint.paint(style, finding.severity.as_str());
        let object =
            finding.object.as_deref().map_or_else(String::new, |path| format!(" [{path}]"));
        let rule = paint.paint(Style::Dim, finding.rule.id);
        let _ = writeln!(report, "  {line}{severity} {}{object} {rule}", finding.message);
    }
    for rule in rules(findings) {
        let id = paint.paint(Style::Cyan, rule.id);
        let _ = writeln!(report, "{id}: {}", rule.help);
    }
    for note in summary.notes {
        let _ = writeln!(report, "note: {note}");
    }
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let _ = write!(
        report,
        "{}: {} errors, {} warnings",
        summary.project,
        count(Severity::Error),
        count(Severity::Warning)
    );
    match count(Severity::Info) {
        0 => {}
        infos => drop(write!(report, ", {infos} remarks")),
    }
    match summary.accepted {
        0 => {}
        accepted => drop(write!(report, ", {accepted} accepted by the baseline")),
    }
    report
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_tools_common::report::example::{SUMMARY, findings};

    use super::*;

    #[test]
    fn people_see_files_lines_and_what_to_do() {
        let plain = Paint::never();
        expect![[r#"
            Assets/A b.unity
              7: error no script with "guid" <1> [Root/Child] missing-script
            Assets/B.prefab
              info stale missing-script
            missing-script: Restore the script or remove the component.
            Keep: 1 errors, 0 warnings, 1 remarks, 2 accepted by the baseline"#]]
        .assert_eq(&text(&findings(), &SUMMARY, plain));
    }
}
