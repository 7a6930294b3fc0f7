//! The tool `project.references.missing`: Find Missing References.

use std::time::Duration;

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, TimeGuard, Tool, call, schema};
use scenewright_tools_unity::base::{self, InUnity};
use scenewright_unity::check::{self, Finding, FindingKind, Scope, Watcher};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::causes::{self, Cause};

pub(crate) const TOOL: Tool = Tool {
    id: "project.references.missing",
    keywords: "null none lost broken script guid objects with scripts missing monobehaviour pink links reference link object prefab material magenta unassigned gone deleted",
    engine: Some("unity"),
    title: "Find Missing References",
    notes: Some("Scripts and assets of packages whose files are not here are not called missing."),
    category: "project",
    limits: Limits { time_guard: Some(Duration::from_secs(15)), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Check that the prefabs of the Unity sample are whole",
        input: r#"{ "scope": "prefabs" }"#,
        output: r#"{ "causes": [], "missingScripts": [], "brokenReferences": [], "checked": 3 }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find components whose script is gone and references that lead nowhere, in scenes, prefabs and
/// other assets of a Unity project. References are judged after prefabs are expanded.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// What to look through.
    #[serde(default)]
    scope: ScopeName,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ScopeName {
    #[default]
    All,
    Scenes,
    Prefabs,
    Assets,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// What is missing, the most wanted first: many broken references have few targets.
    causes: Vec<Cause>,
    /// Components and assets whose script is gone, by path, object and component.
    missing_scripts: Vec<MissingScript>,
    /// References that lead nowhere, by path.
    broken_references: Vec<BrokenReference>,
    /// How many files were judged.
    checked: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MissingScript {
    /// The file.
    path: String,
    /// The object in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_object_path: Option<String>,
    /// The component's place on the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    component_index: Option<usize>,
    /// The guid of the script, unless even that is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    /// What was found.
    context: String,
    /// The line in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BrokenReference {
    /// The file.
    path: String,
    /// The object in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_object_path: Option<String>,
    /// The property that holds it, such as `m_Materials.Array.data[0]`.
    reference_path: String,
    /// What was found.
    message: String,
    /// The guid that leads nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_guid: Option<String>,
    /// The line in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// Stops a scan when its time is over or nobody waits any more.
struct Guarded<'a>(&'a Cx, &'a TimeGuard);

impl Watcher for Guarded<'_> {
    fn step(&self, done: usize, total: usize) -> bool {
        self.0.progress(done as f64, Some(total as f64), "files judged");
        !self.1.expired() && !self.0.cancel().is_cancelled()
    }

    fn stop(&self) -> Box<dyn Fn() -> bool + Sync + '_> {
        Box::new(|| self.1.expired() || self.0.cancel().is_cancelled())
    }
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let scope = match input.scope {
        ScopeName::All => Scope::All,
        ScopeName::Scenes => Scope::Scenes,
        ScopeName::Prefabs => Scope::Prefabs,
        ScopeName::Assets => Scope::Assets,
    };
    let guard = cx.time_guard();
    let report = check::references(&unity.index, &unity.expander, scope, &Guarded(cx, &guard));
    cx.check_cancelled()?;
    if report.checked < report.total {
        guard.report(cx, report.checked, Some(report.total));
    }
    report.notes.into_iter().for_each(|note| cx.diagnose(note));
    let told = report.findings.iter().filter(|finding| is_script(finding).is_some());
    let told: Vec<_> = told.cloned().map(base::finding).collect();
    let mut output = Output {
        causes: causes::of(&told),
        missing_scripts: Vec::new(),
        broken_references: Vec::new(),
        checked: report.checked,
    };
    for finding in report.findings {
        match is_script(&finding) {
            Some(true) => output.missing_scripts.push(missing(finding)),
            Some(false) => output.broken_references.push(broken(finding)),
            None => {}
        }
    }
    Ok(output)
}

/// Whether a finding is about a script or another reference; nothing for others.
fn is_script(finding: &Finding) -> Option<bool> {
    match finding.kind {
        FindingKind::MissingScript | FindingKind::ScriptWithoutClass => Some(true),
        FindingKind::BrokenReference
        | FindingKind::MismatchedReference
        | FindingKind::MissingPrefab => Some(false),
        _ => None,
    }
}

fn missing(finding: Finding) -> MissingScript {
    MissingScript {
        path: finding.file.to_string(),
        game_object_path: finding.object.map(|object| object.to_string()),
        component_index: finding.component,
        guid: finding.guid.map(|guid| guid.to_string()),
        context: finding.message.to_string(),
        line: finding.line,
    }
}

fn broken(finding: Finding) -> BrokenReference {
    BrokenReference {
        path: finding.file.to_string(),
        game_object_path: finding.object.map(|object| object.to_string()),
        reference_path: finding.field.unwrap_or_default().to_string(),
        message: finding.message.to_string(),
        reference_guid: finding.guid.map(|guid| guid.to_string()),
        line: finding.line,
    }
}
