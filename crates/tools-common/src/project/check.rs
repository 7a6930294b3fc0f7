//! The tool `project.check`: Check Project.

use std::time::Duration;

use scenewright_contract::finding::Severity;
use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::baseline;
use scenewright_toolkit::selection::Selection;
use scenewright_toolkit::workspace::Steps;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::causes::{self, Cause};
use crate::report::lines;

pub(crate) const TOOL: Tool = Tool {
    id: "project.check",
    keywords: "validate verify errors problems wrong project broken references lint is anything health find issues missing duplicate guids warnings sanity everything ok before release quality pink magenta",
    title: "Check Project",
    category: "project",
    lean: true,
    limits: Limits { timeout: Duration::from_secs(300), max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[
        Example {
            description: "Check the Unity sample",
            input: r#"{ "project": "unity" }"#,
            output: r#"{ "causes": [], "findings": [], "errors": 0, "warnings": 0, "remarks": 0, "accepted": 0, "truncated": false }"#,
            varies: &[],
        },
        Example {
            description: "Check the Godot sample",
            input: r#"{ "project": "godot" }"#,
            output: r#"{ "causes": [], "findings": [], "errors": 0, "warnings": 0, "remarks": 0, "accepted": 0, "truncated": false }"#,
            varies: &[],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    text: Some(lines::text),
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Check a project for errors: missing files and scripts, broken references and node paths, lost prefabs
/// and parents, connections without their signal or method, unknown types and properties, duplicate ids,
/// conflicts. The same as `scenewright check`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Whether to report remarks that are usually harmless.
    #[serde(default)]
    all: bool,
    /// Only in these files and folders; also `res://` paths, and patterns such as `maps/**/*.tscn`.
    #[serde(default)]
    #[schemars(length(max = 100), inner(length(max = 1000)))]
    paths: Vec<String>,
    /// How many findings to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// What is behind the findings: in the project's own files first, the worst and most frequent first.
    causes: Vec<Cause>,
    /// What was found: in the project's own files before those of addons and packages, the worst
    /// first, by file and line.
    findings: Vec<Found>,
    /// How many errors there are.
    errors: usize,
    /// How many warnings there are.
    warnings: usize,
    /// How many remarks there are, reported or not.
    remarks: usize,
    /// How many findings the project's baseline accepts, so that they are not reported.
    accepted: usize,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// The rule that found it.
    rule: String,
    /// How bad it is.
    severity: Severity,
    /// The file.
    file: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The object in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    /// What was found.
    message: String,
    /// What is behind it, where that is more than the message says.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    /// The id of the object in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// What is missing or wrong, by its id, path or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// Whether it is in an addon, a plugin or a package.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    vendored: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let progress = |done: usize, total: usize| {
        cx.progress(done as f64, Some(total as f64), "files checked");
    };
    let selection = Selection::in_one(project, &input.paths)?;
    let steps = Steps { progress: &progress, cancel: cx.cancel() };
    let (report, accepted) = baseline::check(project, &selection, &steps)?;
    report.notes.into_iter().for_each(|note| cx.diagnose(note));
    let count = |severity| report.findings.iter().filter(|f| f.severity == severity).count();
    let (errors, warnings, remarks) =
        (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let mut shown: Vec<_> =
        report.findings.into_iter().filter(|f| input.all || f.severity > Severity::Info).collect();
    let causes = causes::of(&shown);
    // Stable: within a severity they stay by file and line.
    shown.sort_by_key(|finding| (finding.is_vendored, std::cmp::Reverse(finding.severity)));
    let truncated = shown.len() > input.max_results;
    let findings = shown.into_iter().take(input.max_results).map(|finding| Found {
        rule: finding.rule.id.to_owned(),
        severity: finding.severity,
        file: finding.file.to_string(),
        line: finding.line,
        object: finding.object.map(|object| object.to_string()),
        cause: finding.cause.filter(|cause| *cause != finding.message).map(|c| c.to_string()),
        message: finding.message.to_string(),
        id: finding.id.map(|id| id.to_string()),
        about: finding.subject.map(|subject| subject.to_string()),
        vendored: finding.is_vendored,
    });
    let findings = findings.collect();
    Ok(Output { causes, findings, errors, warnings, remarks, accepted, truncated })
}
