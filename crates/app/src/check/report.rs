//! Findings for people; the formats for programs are the tools' own.

use std::fmt::Write;

use scenewright_contract::finding::{Finding, Severity};
use scenewright_text::{counted as number, errors_and_warnings};
use scenewright_tools_common::report::lines::{self, Manner, Piece};
pub(crate) use scenewright_tools_common::report::{
    Known, Summary, github, gitlab, json, junit, rules, sarif,
};

use crate::term::{Paint, Style};

/// How many places are shown of one cause.
const EXAMPLES: usize = 3;

/// For people: what has one cause together, the worst first, with what to do.
pub(crate) fn text(findings: &[Finding], summary: &Summary<'_>, paint: Paint) -> String {
    let paint_piece = |piece, text: &str| match piece {
        Piece::Severity(severity) => paint.paint(style_of(severity), text),
        Piece::Cause | Piece::Heading => paint.paint(Style::Bold, text),
        Piece::Rule => paint.paint(Style::Dim, text),
    };
    let manner = Manner { most: EXAMPLES, others: "; --each lists them", paint: &paint_piece };
    let mut report = lines::of(findings, &manner);
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
        let object = finding.object.as_deref().map_or_else(String::new, |path| format!("{path}: "));
        let rule = paint.paint(Style::Dim, &format!("[{}]", finding.rule.id));
        let _ = writeln!(report, "  {line}{severity} {object}{} {rule}", finding.message);
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
            error no script with "guid" <1> — 4 times in 4 files [missing-script]
              Assets/A b.unity:7: Root/Child
              C:7: Root/Child
              D:7: Root/Child
              … and 1 more; --each lists them
            info Assets/B.prefab: stale [missing-script]
            missing-script: Restore the script or remove the component.
            Keep: 4 errors, 0 warnings, 1 remark, 2 accepted by the baseline"#]]
        .assert_eq(&text(&findings, &SUMMARY, Paint::never()));
    }

    #[test]
    fn each_finding_can_be_listed_by_its_file() {
        let plain = Paint::never();
        expect![[r#"
            Assets/A b.unity
              7: error Root/Child: no script with "guid" <1> [missing-script]
            Assets/B.prefab
              info stale [missing-script]
            missing-script: Restore the script or remove the component.
            Keep: 1 error, 0 warnings, 1 remark, 2 accepted by the baseline"#]]
        .assert_eq(&each(&findings(), &SUMMARY, plain));
    }
}
