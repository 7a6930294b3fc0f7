//! The tool `ci.exportResults`: Export Results.

use std::time::Duration;

use scenewright_contract::finding::Severity;
use scenewright_contract::{ErrorKind, Limits, Safety, Tier, ToolError};
use scenewright_toolkit::baseline;
use scenewright_toolkit::door::{self, Plan, ProjectPath, UndoId};
use scenewright_toolkit::selection::Selection;
use scenewright_toolkit::workspace::Steps;
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::{self, Summary};

/// More than this is not repeated in a dry run's answer.
const MAX_CONTENT: usize = 20_000;

/// Folders that belong to an engine, to its packages or to version control.
const FOREIGN: [&str; 7] =
    ["Packages", "ProjectSettings", "UserSettings", "Library", "Temp", "Logs", "obj"];

pub(crate) const TOOL: Tool = Tool {
    id: "ci.exportResults",
    keywords: "junit report file test results jenkins github actions pipeline write check result",
    title: "Export Results",
    notes: Some("A file that is no earlier export is never replaced."),
    category: "ci",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    limits: Limits { timeout: Duration::from_secs(300), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Write the check of the Unity sample for a build server",
        input: r#"{ "project": "unity", "resultsPath": "check-results.xml", "format": "junit" }"#,
        output: r#"{
            "success": true,
            "resultsPath": "check-results.xml",
            "format": "junit",
            "exported": true,
            "sizeBytes": 163,
            "findings": 0,
            "undo": 1
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Check a project and write the result as JSON, XML or JUnit to a file inside the project. The
/// same findings as project_check; an earlier export at that path is replaced, any other file is
/// not.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The file to write, from the project's root, such as `check-results.xml`. Its folder must
    /// exist; the name ends in `.json` or `.xml`, as the format says.
    results_path: String,
    /// `json`, `xml` or `junit`.
    #[serde(default = "json")]
    format: String,
    /// Whether to write remarks that are usually harmless, the object of each finding, and what
    /// could not be judged.
    #[serde(default = "yes")]
    include_details: bool,
    /// Whether to return what would be written instead of writing it.
    #[serde(default)]
    dry_run: bool,
}

fn json() -> String {
    "json".to_owned()
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    results_path: String,
    /// Its format.
    format: String,
    /// Whether the file was written, and read again to be sure; false in a dry run.
    exported: bool,
    /// Size of the file.
    size_bytes: usize,
    /// How many findings are in it.
    findings: usize,
    /// Pass this to project_undoLast to take it back; absent when nothing changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<UndoId>,
    /// What would be written, in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let extension = match input.format.as_str() {
        "json" => "json",
        "xml" | "junit" => "xml",
        _ => {
            return Err(ToolError::new(ErrorKind::BadArguments, "Invalid export format")
                .hint("format is json, xml or junit")
                .detail("format", input.format));
        }
    };
    let project = cx.project(input.project.as_deref())?;
    let target = Target::find(cx, project, &input.results_path, extension)?;
    let (content, findings) = render(cx, project, &input)?;
    cx.check_cancelled()?;
    let undo = target.write(cx, project, &content, input.dry_run)?;
    let is_long = content.len() > MAX_CONTENT;
    if input.dry_run && is_long {
        cx.diagnose(format!("The content has {} bytes and is not shown", content.len()));
    }
    Ok(Output {
        success: true,
        results_path: target.path.to_string(),
        format: input.format,
        exported: !input.dry_run,
        size_bytes: content.len(),
        findings,
        undo,
        content: (input.dry_run && !is_long).then_some(content),
    })
}

/// The text of the file and how many findings are in it.
fn render(cx: &Cx, project: &Project, input: &Input) -> Result<(String, usize), ToolError> {
    let progress = |done: usize, total: usize| {
        cx.progress(done as f64, Some(total as f64), "files checked");
    };
    let steps = Steps { progress: &progress, cancel: cx.cancel() };
    let (mut results, accepted) =
        baseline::check(project, &Selection::default(), &steps).map_err(|error| {
            match error.kind {
                ErrorKind::NotReady => {
                    ToolError::new(ErrorKind::NotReady, "No results to export").hint(error.message)
                }
                _ => error,
            }
        })?;
    if !input.include_details {
        results.findings.retain(|finding| finding.severity > Severity::Info);
        results.findings.iter_mut().for_each(|finding| finding.object = None);
        results.notes.clear();
    }
    let name = project.id.to_string();
    let summary = Summary { project: &name, accepted, known: None, notes: &results.notes };
    let mut text = match input.format.as_str() {
        "junit" => report::junit(&results.findings, &summary),
        "xml" => report::xml(&results.findings, &summary),
        _ => {
            let report = report::json(&results.findings, &summary);
            serde_json::to_string_pretty(&report).unwrap_or_default()
        }
    };
    text.push('\n');
    // JUnit knows failures only.
    let is_written = |severity| input.format != "junit" || severity > Severity::Info;
    let count = results.findings.iter().filter(|finding| is_written(finding.severity)).count();
    Ok((text, count))
}

/// A place inside the project where an export may be written.
struct Target {
    path: ProjectPath,
    /// The earlier export that is there.
    before: Option<Vec<u8>>,
}

impl Target {
    fn find(cx: &Cx, project: &Project, text: &str, extension: &str) -> Result<Self, ToolError> {
        let bad = |why: &str| refused(ErrorKind::BadArguments, text, why);
        let gone = |why: &str| refused(ErrorKind::EngineError, text, why);
        let path = ProjectPath::parse(project, text)
            .map_err(|_| bad("name a file inside the project, from its root"))?;
        let (folder, file) = path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()));
        if path.parts().any(|part| part.starts_with('.')) || is_foreign(folder) {
            return Err(bad("that folder is the engine's or hidden; write elsewhere"));
        }
        if !file.to_ascii_lowercase().ends_with(&format!(".{extension}")) {
            return Err(bad(&format!("a file of this format ends in .{extension}")));
        }
        let root = project.root.canonicalize().unwrap_or_else(|_| project.root.clone());
        let real = project.root.join(folder).canonicalize().ok().filter(|folder| folder.is_dir());
        let real = real.ok_or_else(|| gone("its folder does not exist; make it first"))?;
        // A link may lead to another part of the project, and that may be the engine's, too.
        if real.strip_prefix(&root).map_or(true, |inside| is_foreign(&inside.to_string_lossy())) {
            return Err(bad("the path leaves the project through a link"));
        }
        let there = real.join(file);
        if there.symlink_metadata().is_err() {
            return Ok(Self { path, before: None });
        }
        let before = (!there.is_symlink()).then(|| door::read(cx, project, &path).ok()).flatten();
        match before.filter(|bytes| is_export(bytes)) {
            Some(before) => Ok(Self { path, before: Some(before) }),
            None => Err(gone("what is there is no earlier export, so it is not replaced")),
        }
    }

    fn write(
        &self,
        cx: &Cx,
        project: &Project,
        content: &str,
        dry_run: bool,
    ) -> Result<Option<UndoId>, ToolError> {
        let mut plan = Plan::new(project);
        plan.write(&self.path, self.before.as_deref(), content.as_bytes());
        let written =
            plan.commit(cx, dry_run, |_, _| Ok(())).map_err(|error| match error.kind {
                ErrorKind::Cancelled => error,
                _ => refused(ErrorKind::EngineError, self.path.as_str(), &error.text()),
            })?;
        Ok(written.undo)
    }
}

fn refused(kind: ErrorKind, path: &str, why: &str) -> ToolError {
    ToolError::new(kind, "Results path not writable").hint(why).detail("resultsPath", path)
}

/// Whether a folder is not a place for results: the engine's, its packages', or hidden.
fn is_foreign(folder: &str) -> bool {
    let first = folder.split(['/', '\\']).next().unwrap_or_default();
    first.starts_with('.') || FOREIGN.iter().any(|other| other.eq_ignore_ascii_case(first))
}

/// Whether a file is one that this tool or `scenewright check` wrote.
fn is_export(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let xml = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if let Some(xml) = xml {
        return xml.starts_with("<testsuite name=\"scenewright ")
            || xml.starts_with("<results tool=\"scenewright\"");
    }
    let json: Option<serde_json::Value> = serde_json::from_str(text).ok();
    json.is_some_and(|json| {
        ["project", "accepted", "notes", "findings"].iter().all(|key| json.get(key).is_some())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    fn check(folder: &Folder, arguments: serde_json::Value) -> Result<serde_json::Value, String> {
        call_writing(folder, "ci.exportResults", arguments)
            .map(|outcome| outcome.output.into_value())
            .map_err(|error| error.text())
    }

    const BROKEN: &str = "//- Assets/A.unity.meta\nguid: a0000000000000000000000000000001\n";

    #[test]
    fn exports_are_written_replaced_and_tried() {
        let folder = Folder::unity(BROKEN);
        let tried = check(&folder, json!({ "resultsPath": "r.json", "dryRun": true })).unwrap();
        assert_eq!((&tried["exported"], &tried["findings"]), (&json!(false), &json!(1)));
        assert!(!folder.path("r.json").exists());
        for _ in 0..2 {
            let done = check(&folder, json!({ "resultsPath": "r.json" })).unwrap();
            assert_eq!(done["exported"], true);
            let text = fs::read_to_string(folder.path("r.json")).unwrap();
            assert_eq!(tried["content"], text.as_str());
            let report: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(report["findings"][0]["rule"], "meta-without-asset");
        }
        for format in ["xml", "junit"] {
            let done = check(&folder, json!({ "resultsPath": "r.xml", "format": format })).unwrap();
            let size = fs::metadata(folder.path("r.xml")).unwrap().len();
            assert_eq!((&done["findings"], &done["sizeBytes"]), (&json!(1), &json!(size)));
        }
        let left = fs::read_dir(folder.path("")).unwrap().flatten().map(|entry| entry.file_name());
        let left: Vec<_> = left.filter(|name| name != ".scenewright").collect();
        assert_eq!(left.len(), 5, "{left:?}");
    }

    #[test]
    fn nothing_but_exports_inside_the_project_is_written() {
        let folder = Folder::unity("//- own.json\n{}\n//- Packages/manifest.json\n{}\n");
        for path in [
            "../r.json",
            "/tmp/r.json",
            "Assets/../../r.json",
            "C:/r.json",
            ".git/r.json",
            "Packages/manifest.json",
            "packages/r.json",
            "ProjectSettings/r.json",
            "Missing/r.json",
            "own.json",
            "Assets",
            "r.xml",
            "",
        ] {
            let error = check(&folder, json!({ "resultsPath": path })).unwrap_err();
            assert!(error.starts_with("Results path not writable"), "{path}: {error}");
        }
        let error =
            check(&folder, json!({ "resultsPath": "r.yml", "format": "yaml" })).unwrap_err();
        assert!(error.starts_with("Invalid export format"), "{error}");
        assert_eq!(fs::read_to_string(folder.path("own.json")).unwrap(), "{}\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        let (folder, other) = (Folder::unity(""), Folder::unity("//- r.json\n{}\n"));
        std::os::unix::fs::symlink(other.path(""), folder.path("out")).unwrap();
        std::os::unix::fs::symlink(other.path("r.json"), folder.path("r.json")).unwrap();
        std::os::unix::fs::symlink(folder.path("ProjectSettings"), folder.path("in")).unwrap();
        for path in ["out/new.json", "r.json", "in/r.json"] {
            assert!(check(&folder, json!({ "resultsPath": path })).is_err(), "{path}");
        }
        assert!(!other.path("new.json").exists());
    }
}
