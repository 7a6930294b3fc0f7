//! The tool `project.getVersion`: Project Version.

use scenewright_contract::{Tier, ToolError};
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::GodotProject;
use scenewright_tools_unity::base::UnityProject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.getVersion",
    keywords: "engine editor version release which unity godot",
    title: "Project Version",
    category: "project",
    tier: Tier::Tier2,
    examples: &[Example {
        description: "Read the versions of the Unity sample",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "engine": "unity",
            "engineVersion": "2022.3.20f1",
            "unityVersion": "2022.3.20f1",
            "projectVersion": "0.3.1",
            "scriptingRuntime": "Mono, .NET Standard 2.1"
        }"#,
        varies: &["scriptingRuntime"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell which engine version the project needs and which version the project itself has.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// `unity` or `godot`.
    engine: String,
    /// Version of the engine that the project was saved with.
    engine_version: String,
    /// The same for Unity; `none` for Godot.
    unity_version: String,
    /// The game's own version; empty when it says none.
    project_version: String,
    /// What its scripts run on.
    scripting_runtime: String,
}

fn run(cx: &Cx, Input { project }: Input) -> Result<Output, ToolError> {
    let project = cx.project(project.as_deref())?;
    let engine = project.engine.name().to_owned();
    if let Some(UnityProject { settings, .. }) = project.of() {
        let facts = settings.facts().map_err(unreadable)?;
        return Ok(Output {
            success: true,
            engine,
            engine_version: settings.version.to_string(),
            unity_version: settings.version.to_string(),
            project_version: facts.bundle_version.unwrap_or_default(),
            scripting_runtime: facts.scripting_runtime,
        });
    }
    let Some(GodotProject { settings, .. }) = project.of() else {
        return Err(project.unknown_engine());
    };
    let facts = settings.facts().map_err(unreadable)?;
    Ok(Output {
        success: true,
        engine,
        engine_version: facts.engine_version.unwrap_or_else(|| "unknown".to_owned()),
        unity_version: "none".to_owned(),
        project_version: facts.version.unwrap_or_default(),
        scripting_runtime: "GDScript".to_owned(),
    })
}
