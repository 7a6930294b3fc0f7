//! The tool `component.list`: List Components.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::objects::{ComponentCard, Wanted};
use crate::base::{INSTANCE_IDS, InUnity, tell_of_instance_ids};

/// EditorMCP's own limit.
const MAX_PROPERTIES: usize = 50;

pub(crate) const TOOL: Tool = Tool {
    id: "component.list",
    keywords: "inspector shows which scripts are on components attached to object monobehaviours",
    title: "List Components",
    category: "component",
    examples: &[Example {
        description: "List the components of the camera of the Unity sample",
        input: r#"{ "hierarchyPath": "Main Camera" }"#,
        output: r#"{
            "success": true,
            "hierarchyPath": "Main Camera",
            "components": [],
            "activeScene": "Assets/Scenes/Main.unity"
        }"#,
        varies: &["components"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the components of one GameObject, with their top-level fields on request. Without a
/// running editor the active scene is the first one of the build settings.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object, such as `Canvas/Panel/Button`.
    hierarchy_path: String,
    /// Whether to return fields, at most 50 of each component.
    #[serde(default)]
    include_properties: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The object.
    hierarchy_path: String,
    /// Its components, in order.
    components: Vec<ComponentCard>,
    /// The scene that was looked at.
    active_scene: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let scene = unity.active_scene(input.scene_path)?;
    let (active_scene, hierarchy) = unity.hierarchy(&scene)?;
    let path = &input.hierarchy_path;
    let missing = format!("GameObject with path '{path}' not found");
    let node = unity.object(&hierarchy, path, &missing)?;
    let fields = if input.include_properties { MAX_PROPERTIES } else { 0 };
    tell_of_instance_ids(cx);
    Ok(Output {
        success: true,
        hierarchy_path: node.path(),
        components: unity.component_cards(&node, &Wanted::all(fields)),
        active_scene,
    })
}
