//! The tool `explorer.loadScene`, `LoadScene` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WORLD;
use crate::world::{InWorld, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.loadScene",
    explorer: Some("LoadScene"),
    title: "Load a Scene",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Load the cellar of the Unity sample",
        input: r#"{ "name": "Cellar" }"#,
        output: r#"{ "ok": true, "name": "Cellar", "mode": "single" }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Load a scene of the project into the world: in place of the loaded ones, or beside them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A name of ListBuildScenes, or the path of a scene file.
    name: String,
    /// In place of the loaded scenes, or beside them.
    #[serde(default)]
    mode: Mode,
}

/// Where a scene is loaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// In place of the loaded scenes.
    #[default]
    Single,
    /// Beside them.
    Additive,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The scene, as it was asked for.
    name: String,
    /// How it was loaded.
    mode: Mode,
}

fn run(cx: &Cx, Input { name, mode }: Input) -> Result<Output, ToolError> {
    if name.trim().is_empty() {
        return Err(ToolError::new(ErrorKind::BadArguments, "name is required"));
    }
    let listed = cx.world(|world| {
        let mut scenes = world.build_scenes().iter();
        Ok(scenes.find(|scene| *scene.name == *name).map(|scene| scene.path.to_string()))
    })?;
    let path = listed.unwrap_or_else(|| name.clone());
    let data = cx.scene_data(&path)?;
    cx.world(|world| world.load(data, mode == Mode::Additive).map_err(refused))?;
    Ok(Output { ok: true, name, mode })
}
