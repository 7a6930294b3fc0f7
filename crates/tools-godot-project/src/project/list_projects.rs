//! The tool `godotProject.listProjects`, which MCP clients call `list_projects`.

use std::path::{Path, PathBuf};

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::places;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Folders deeper than this are not looked into.
const MAX_DEPTH: usize = 10;
/// So many folders are looked into.
const MAX_FOLDERS: usize = 20_000;
/// So many projects are listed.
const MAX_PROJECTS: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.listProjects",
    keywords: "find projects games on disk folder godot folders",
    mcp: Some("list_projects"),
    title: "List Godot Projects",
    notes: Some(
        "Looks only into the folders that the open projects are in. Links and hidden folders are passed over, and so are folders inside of a project.",
    ),
    category: "godot.project",
    limits: Limits { max_items: Some(MAX_PROJECTS), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Find the projects beside the open ones",
        input: "{}",
        output: r#"{
            "success": true,
            "directory": "/home/me/games",
            "count": 1,
            "projects": [{ "path": "/home/me/games/godot", "name": "Lighthouse Run", "godotVersion": "4.4", "project": "godot" }],
            "truncated": false
        }"#,
        varies: &["directory", "projects"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find folders that hold a Godot project, sorted by path.
#[derive(Deserialize, JsonSchema)]
struct Input {
    /// Folder to look in; by default the one that the first open project is in.
    directory: Option<String>,
    /// Look below folders that are no projects, too, ten deep.
    #[serde(default)]
    recursive: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder that was looked into.
    directory: String,
    /// How many projects are listed.
    count: usize,
    /// The projects.
    projects: Vec<Found>,
    /// Whether there may be more.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// Its folder.
    path: String,
    /// Its name.
    name: String,
    /// The version of Godot that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot_version: Option<String>,
    /// The id that calls name it by, if it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let folder = places::find(cx.workspace(), input.directory.as_deref().unwrap_or(""))?;
    if !folder.is_dir() {
        return Err(ToolError::not_found("folder", &folder.display().to_string()));
    }
    let depth = if input.recursive { MAX_DEPTH } else { 1 };
    let (mut roots, truncated) = find_roots(cx, &folder, depth)?;
    roots.sort();
    let projects: Vec<Found> = roots.iter().map(|root| found(cx, root)).collect();
    Ok(Output {
        success: true,
        directory: folder.display().to_string(),
        count: projects.len(),
        projects,
        truncated,
    })
}

fn find_roots(cx: &Cx, folder: &Path, depth: usize) -> Result<(Vec<PathBuf>, bool), ToolError> {
    let mut roots = Vec::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    let mut seen = 0;
    while let Some((folder, level)) = waiting.pop() {
        cx.check_cancelled()?;
        seen += 1;
        if seen > MAX_FOLDERS || roots.len() == MAX_PROJECTS {
            return Ok((roots, true));
        }
        if scenewright_godot::Project::is_root(&folder) {
            roots.push(folder);
            continue;
        }
        if level < depth {
            waiting.extend(folders_in(&folder).into_iter().map(|path| (path, level + 1)));
        }
    }
    Ok((roots, false))
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_own = |entry: &std::fs::DirEntry| {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_hidden
    };
    let mut folders: Vec<PathBuf> =
        entries.filter_map(Result::ok).filter(is_own).map(|entry| entry.path()).collect();
    folders.sort_by(|a, b| b.cmp(a));
    folders
}

fn found(cx: &Cx, root: &Path) -> Found {
    let facts = scenewright_godot::Project::open(root).and_then(|project| project.facts()).ok();
    let folder = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let open = cx.workspace().projects().iter().find(|project| project.root == root);
    Found {
        path: root.display().to_string(),
        name: facts.as_ref().map_or(folder, |facts| facts.name.clone()),
        godot_version: facts.and_then(|facts| facts.engine_version),
        project: open.map(|project| project.id.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_project_is_found_with_its_name() {
        let sample = GodotSample::new();
        let root = sample.root();
        let found = sample.call(super::TOOL.id, json!({ "directory": root })).unwrap();
        assert_eq!(found["count"], 1);
        assert_eq!(found["projects"][0]["name"], "Lighthouse Run");
        assert_eq!(found["projects"][0]["godotVersion"], "4.4");
        assert_eq!(found["projects"][0]["path"], root);
    }

    #[test]
    fn nothing_outside_is_looked_into() {
        let sample = GodotSample::new();
        for folder in ["../..", "/", "a/../../b"] {
            let error = sample.error(super::TOOL.id, json!({ "directory": folder }));
            let start = format!("That folder is not open here: {folder}; name one below ");
            assert!(error.starts_with(&start), "{error}");
        }
        let error = sample.error(super::TOOL.id, json!({ "directory": "no such folder" }));
        assert!(error.starts_with("folder not found: "), "{error}");
    }
}
