//! The tool `scene.components.list`: List Scene Components.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::objects::{ComponentCard, Wanted};
use crate::base::pose::{self, Pose};
use crate::base::{INSTANCE_IDS, InUnity, tell_of_instance_ids};

pub(crate) const TOOL: Tool = Tool {
    id: "scene.components.list",
    keywords: "field values of an object size collider transform position world pose inspector shows on a component inspect read properties light intensity rigidbody mass fields settings have stands colour details information about gameobject",
    title: "List Scene Components",
    category: "scene",
    lean: true,
    examples: &[Example {
        description: "List the components of the player of the Unity sample, without fields",
        input: r#"{ "scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "maxFields": 0 }"#,
        output: r#"{
            "scenePath": "Assets/Scenes/Main.unity",
            "gameObjectPath": "Player",
            "layer": "Default",
            "components": []
        }"#,
        varies: &["components", "world"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the components of a GameObject with their field values (position, colour, references, any other), as
/// they are after all prefab overrides.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab, such as `Assets/Scenes/Main.unity`.
    scene_path: String,
    /// Such as `Canvas/Panel/Button`.
    game_object_path: String,
    /// Only these classes.
    #[serde(default)]
    types: Vec<String>,
    /// Only these, such as `intensity`.
    #[serde(default)]
    fields: Vec<String>,
    /// Whether to show fields that only tie a component to its object and its prefab.
    #[serde(default)]
    include_plumbing: bool,
    /// How many fields of each component to return.
    #[serde(default = "most")]
    #[schemars(range(min = 0, max = 500))]
    max_fields: usize,
}

fn most() -> usize {
    50
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The scene or prefab.
    scene_path: String,
    /// The object.
    game_object_path: String,
    /// Its layer, by name or index.
    layer: String,
    /// Where it is in the world; not for what a canvas places.
    #[serde(skip_serializing_if = "Option::is_none")]
    world: Option<Pose>,
    /// Its components, in order.
    components: Vec<ComponentCard>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (scene_path, hierarchy) = unity.hierarchy(&input.scene_path)?;
    let path = &input.game_object_path;
    let missing = format!("GameObject with path '{path}' not found in scene");
    let node = unity.object(&hierarchy, path, &missing)?;
    tell_of_instance_ids(cx);
    let wanted = Wanted {
        most: input.max_fields,
        types: input.types,
        fields: input.fields,
        plumbing: input.include_plumbing,
    };
    let components = unity.component_cards(&node, &wanted);
    if components.is_empty() && !wanted.types.is_empty() {
        let has = unity.told_components(&node);
        return Err(ToolError::bad_argument("types", "names none that the object has")
            .hint(format!("it has {has}")));
    }
    Ok(Output {
        scene_path,
        game_object_path: node.path(),
        layer: unity.layer_name(&node),
        world: pose::of(&node),
        components,
    })
}
