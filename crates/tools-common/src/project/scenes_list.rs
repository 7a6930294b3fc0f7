//! The tool `project.scenes.list`: List Project Scenes.

use std::collections::BTreeMap;

use scenewright_contract::ToolError;
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::{InUnity, tell_scenes};
use scenewright_unity::index::{Asset, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.scenes.list",
    keywords: "build scenes in the build settings all levels unity files order index enabled ship",
    engine: Some("unity"),
    title: "List Project Scenes",
    category: "project",
    examples: &[Example {
        description: "List the scenes of the Unity sample",
        input: "{}",
        output: r#"{
            "scenes": [
                { "path": "Assets/Scenes/Cellar.unity", "name": "Cellar", "enabledInBuild": true, "buildIndex": 1, "exists": true },
                { "path": "Assets/Scenes/Main.unity", "name": "Main", "enabledInBuild": true, "buildIndex": 0, "exists": true }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the scenes of a Unity project with their place in the build settings, sorted by path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Only scenes that are, or are not, in the build settings.
    include_in_build: Option<bool>,
    /// Whether to list scenes that are not in the build settings; true unless said otherwise.
    include_all_scenes: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// The scenes, sorted by path.
    scenes: Vec<Scene>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Scene {
    /// The scene file.
    path: String,
    /// Its name.
    name: String,
    /// Whether it is in the build settings and switched on.
    enabled_in_build: bool,
    /// Its number in a build; -1 for scenes that are not in it.
    build_index: i64,
    /// Whether the file is there.
    exists: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let facts = unity.unity.settings.facts().map_err(unreadable)?;
    tell_scenes(cx, &facts);
    // Whether the build settings list it, and what is known of it.
    let mut scenes: BTreeMap<String, (bool, Scene)> = BTreeMap::new();
    for asset in unity.index.of_kind(AssetKind::Scene) {
        let path = asset.path();
        if path.starts_with("Assets/") && asset.is_there() {
            scenes.insert(path.clone(), (false, scene(&path, false, -1, true)));
        }
    }
    let mut next = 0;
    for built in facts.scenes_in_build {
        let exists = unity.index.by_path(&built.path).is_some_and(Asset::is_there);
        // As Unity counts: scenes that are switched off have no number.
        let index = if built.enabled { next } else { -1 };
        next += i64::from(built.enabled);
        let scene = scene(&built.path, built.enabled, index, exists);
        scenes.insert(built.path, (true, scene));
    }
    let all = input.include_all_scenes.unwrap_or(true);
    let keep = |in_build: bool| {
        input.include_in_build.map_or(all || in_build, |wanted| in_build == wanted)
    };
    let kept = scenes.into_values().filter(|(in_build, _)| keep(*in_build));
    Ok(Output { scenes: kept.map(|(_, scene)| scene).collect() })
}

fn scene(path: &str, enabled_in_build: bool, build_index: i64, exists: bool) -> Scene {
    let file = path.rsplit('/').next().unwrap_or(path);
    let name = file.strip_suffix(".unity").unwrap_or(file).to_owned();
    Scene { path: path.to_owned(), name, enabled_in_build, build_index, exists }
}
