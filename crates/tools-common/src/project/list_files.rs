//! The tool `project.listFiles`: List Project Files.

use scenewright_contract::{Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, files, paths, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.listFiles",
    argument_aliases: &[("path", "root"), ("folder", "root"), ("directory", "root")],
    keywords: "which prefabs materials textures are there list all of a kind in folder directory browse glob tree files under by extension shader contents listing find name png prefab sounds",
    title: "List Project Files",
    category: "project",
    tier: Tier::Tier2,
    limits: Limits { max_items: Some(5000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "List the C# scripts of the Unity sample",
        input: r#"{ "project": "unity", "root": "Assets/", "pattern": "*.cs", "maxResults": 2 }"#,
        output: r#"{
            "success": true,
            "root": "Assets",
            "pattern": "*.cs",
            "files": ["Assets/Scripts/Collectible.cs", "Assets/Scripts/GameState.cs"],
            "truncated": true
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the files below a folder that match a glob, sorted by path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Folder, such as `Assets/Prefabs` or `res://scenes`; `Assets/` in Unity projects and everything
    /// in Godot projects by default.
    root: Option<String>,
    /// Glob with `*`, `?` and `**/`, such as `*.prefab`.
    #[serde(default = "any")]
    pattern: String,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn any() -> String {
    "*".to_owned()
}

fn most() -> usize {
    500
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder, from the project's root.
    root: String,
    /// The glob.
    pattern: String,
    /// Paths from the project's root, sorted.
    files: Vec<String>,
    /// Whether there are more.
    truncated: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let root = input.root.as_deref().unwrap_or(project.engine.layout().searched);
    let root =
        paths::find(cx, project, root, "Root path must be under Assets/", "Folder not found")?;
    let glob = files::glob(&input.pattern)?;
    let (mut found, mut truncated) = (Vec::new(), false);
    files::walk(cx, project, &root.path, &root.name, &mut |_, name| {
        let below = name.strip_prefix(&root.name).unwrap_or(name).trim_start_matches('/');
        if glob.is_match(name) || glob.is_match(below) {
            truncated = found.len() == input.max_results;
            if !truncated {
                found.push(name.to_owned());
            }
        }
        Ok(!truncated)
    })?;
    Ok(Output { success: true, root: root.name, pattern: input.pattern, files: found, truncated })
}
