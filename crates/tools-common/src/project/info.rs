//! The tool `project.info`: Project Info.

use scenewright_contract::ToolError;
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use scenewright_tools_godot::GodotProject;
use scenewright_tools_unity::base::UnityProject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.info",
    keywords: "overview what is this project unity version packages build scenes structure describe summary about render pipeline urp hdrp name company product platform built-in target",
    title: "Project Info",
    notes: Some(
        "From files alone the active build target of a Unity project is not known; it is editor state.",
    ),
    category: "project",
    lean: true,
    examples: &[
        Example {
            description: "Read the Unity sample",
            input: r#"{ "project": "unity" }"#,
            output: r#"{
                "success": true,
                "engine": "unity",
                "projectName": "Lantern Keep",
                "productName": "Lantern Keep",
                "companyName": "Scenewright Samples",
                "version": "0.3.1",
                "engineVersion": "2022.3.20f1",
                "unityVersion": "2022.3.20f1",
                "renderPipeline": "Built-in",
                "buildTargets": ["Android", "Standalone", "iOS", "tvOS"],
                "platform": "unknown",
                "activeBuildTarget": "unknown",
                "mainScene": "Assets/Scenes/Main.unity",
                "projectPath": "samples/unity"
            }"#,
            varies: &["projectPath"],
        },
        Example {
            description: "Read the Godot sample",
            input: r#"{ "project": "godot" }"#,
            output: r#"{
                "success": true,
                "engine": "godot",
                "projectName": "Lighthouse Run",
                "productName": "Lighthouse Run",
                "version": "0.2.0",
                "engineVersion": "4.4",
                "unityVersion": "none",
                "renderPipeline": "GL Compatibility",
                "buildTargets": ["Linux", "Web"],
                "platform": "unknown",
                "activeBuildTarget": "unknown",
                "mainScene": "uid://dsckkculads6k",
                "projectPath": "samples/godot"
            }"#,
            varies: &["projectPath", "engineVersion"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Overview of a project: name, engine and package versions, render pipeline, build targets, main scene
/// of a Unity or Godot project. Works from the files, with no editor running.
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
    /// The game's name.
    project_name: String,
    /// The same, under EditorMCP's other name.
    product_name: String,
    /// Who makes it, where the project says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    company_name: Option<String>,
    /// The game's own version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Version of the engine that the project was saved with.
    engine_version: String,
    /// The same for Unity; `none` for Godot.
    unity_version: String,
    /// `Built-in`, `URP`, `HDRP` or `Unknown`; for Godot its renderer.
    render_pipeline: String,
    /// Platforms that the settings or export presets mention, sorted.
    build_targets: Vec<String>,
    /// Platform of a connected editor; `unknown` from files.
    platform: String,
    /// Build target of a connected editor; `unknown` from files.
    active_build_target: String,
    /// First enabled build scene, or Godot's main scene, as the settings name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    main_scene: Option<String>,
    /// The project's folder.
    project_path: String,
}

fn run(cx: &Cx, Input { project }: Input) -> Result<Output, ToolError> {
    let project = cx.project(project.as_deref())?;
    if let Some(unity) = project.of::<UnityProject>() {
        return unity_info(cx, project, &unity.settings);
    }
    match project.of::<GodotProject>() {
        Some(godot) => godot_info(cx, project, &godot.settings),
        None => Err(project.unknown_engine()),
    }
}

fn unity_info(
    cx: &Cx,
    project: &Project,
    unity: &scenewright_unity::Project,
) -> Result<Output, ToolError> {
    let facts = unity.facts().map_err(unreadable)?;
    facts.notes.iter().for_each(|note| cx.diagnose(note.clone()));
    let main_scene =
        facts.scenes_in_build.iter().find(|scene| scene.enabled).map(|scene| scene.path.clone());
    Ok(Output {
        success: true,
        engine: project.engine.name().to_owned(),
        project_name: facts.product_name.clone(),
        product_name: facts.product_name,
        company_name: facts.company_name,
        version: facts.bundle_version,
        engine_version: unity.version.to_string(),
        unity_version: unity.version.to_string(),
        render_pipeline: facts.render_pipeline.to_string(),
        build_targets: facts.build_targets,
        platform: "unknown".to_owned(),
        active_build_target: "unknown".to_owned(),
        main_scene,
        project_path: project.root.display().to_string(),
    })
}

fn godot_info(
    cx: &Cx,
    project: &Project,
    godot: &scenewright_godot::Project,
) -> Result<Output, ToolError> {
    let facts = godot.facts().map_err(unreadable)?;
    facts.notes.iter().for_each(|note| cx.diagnose(note.clone()));
    let mut build_targets: Vec<String> =
        facts.export_presets.into_iter().map(|preset| preset.platform).collect();
    build_targets.sort();
    build_targets.dedup();
    Ok(Output {
        success: true,
        engine: project.engine.name().to_owned(),
        project_name: facts.name.clone(),
        product_name: facts.name,
        company_name: None,
        version: facts.version,
        engine_version: facts.engine_version.unwrap_or_else(|| "unknown".to_owned()),
        unity_version: "none".to_owned(),
        render_pipeline: facts.renderer.unwrap_or_else(|| "Unknown".to_owned()),
        build_targets,
        platform: "unknown".to_owned(),
        active_build_target: "unknown".to_owned(),
        main_scene: facts.main_scene,
        project_path: project.root.display().to_string(),
    })
}
