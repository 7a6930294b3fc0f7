//! The tool `scene.objects.find`: Find Scene Objects.

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::objects::{self, Criteria, ObjectCard, Pattern};
use crate::base::{INSTANCE_IDS, InUnity, tell_of_instance_ids};

pub(crate) const TOOL: Tool = Tool {
    id: "scene.objects.find",
    keywords: "rigidbody camera light collider named called on layer with tag locate object in a scene by name component inactive objects have",
    title: "Find Scene Objects",
    category: "scene",
    limits: Limits { max_items: Some(5000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Find the lanterns of the Unity sample that are prefab instances",
        input: r#"{ "scenePath": "Assets/Scenes/Main.unity", "namePattern": "* Lantern", "maxResults": 2 }"#,
        output: r#"{
            "scenePath": "Assets/Scenes/Main.unity",
            "matches": [],
            "totalMatches": 4,
            "truncated": true
        }"#,
        varies: &["matches"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find GameObjects of a scene or prefab that meet all given criteria: component, name, tag,
/// layer. Answers paths and components, sorted by path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab, such as `Assets/Scenes/Main.unity`.
    scene_path: String,
    /// Has a component of this class, such as `Camera` or a script's class.
    component_type: Option<String>,
    /// Name with `*` and `?`, whatever the case.
    name_pattern: Option<String>,
    /// The name contains this text.
    name_contains: Option<String>,
    /// Has this tag.
    tag: Option<String>,
    /// Is on this layer, as an index.
    #[schemars(range(min = 0, max = 31))]
    layer: Option<u32>,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn most() -> usize {
    500
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The scene or prefab.
    scene_path: String,
    /// The objects, sorted by path.
    matches: Vec<ObjectCard>,
    /// How many there are.
    total_matches: usize,
    /// Whether there are more than were returned.
    truncated: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (scene_path, hierarchy) = unity.hierarchy(&input.scene_path)?;
    let criteria = Criteria {
        component: input.component_type,
        name_pattern: input.name_pattern.as_deref().map(Pattern::new),
        name_contains: input.name_contains,
        tag: input.tag,
        layer: input.layer,
        path: None,
    };
    let (mut matches, total) = objects::find(cx, &unity, &hierarchy, &criteria, input.max_results)?;
    matches.sort_by(|a, b| a.path.cmp(&b.path));
    tell_of_instance_ids(cx);
    let truncated = total > matches.len();
    Ok(Output { scene_path, matches, total_matches: total, truncated })
}
