//! The tool `project.open`: Open Project.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.open",
    keywords: "open another add switch load project folder directory path no project is open",
    title: "Open Project",
    notes: Some(
        "Only reads. It opens projects in the folders that the client announces, in the working folder, and below the folders of --allow-projects.",
    ),
    category: "project",
    lean: true,
    at_once: true,
    examples: &[Example {
        description: "Open a project that is open already",
        input: r#"{ "path": "godot" }"#,
        output: r#"{
            "success": true,
            "project": "godot",
            "engine": "godot",
            "root": "samples/godot",
            "wasOpen": true,
            "openProjects": ["unity", "godot"]
        }"#,
        varies: &["root"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Open the Unity or Godot project in a folder, beside those that are open. The tools for its engine
/// are listed from then on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Folder of the project, or one in it or around it; absolute, or from the working folder.
    #[schemars(length(min = 1))]
    path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The id by which calls name the project.
    project: String,
    /// `unity` or `godot`.
    engine: String,
    /// Its folder.
    root: String,
    /// Whether it was open before.
    was_open: bool,
    /// Ids of all open projects.
    open_projects: Vec<String>,
}

fn run(cx: &Cx, Input { path }: Input) -> Result<Output, ToolError> {
    let opened = cx.runner().open_project(&path)?;
    let open = cx.runner().workspace();
    let ids = open.projects().iter().map(|project| project.id.to_string());
    Ok(Output {
        success: true,
        project: opened.project.id.to_string(),
        engine: opened.project.engine.name().to_owned(),
        root: opened.project.root.display().to_string(),
        was_open: opened.was_open,
        open_projects: ids.collect(),
    })
}
