//! The tool `godotPhysics.configurePhysicsLayers`, which MCP clients call `configure_physics_layers`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{Config, Variant};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, Write, refused, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotPhysics.configurePhysicsLayers",
    keywords: "name collision layers mask bits who collides with whom rename layer names collide ignore",
    mcp: Some("configure_physics_layers"),
    title: "Configure Physics Layers",
    category: "godot.physics",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Name the layer of enemies",
        input: r#"{
            "projectPath": "godot",
            "dimension": "2d",
            "layers": [{ "layer": 4, "name": "enemies" }]
        }"#,
        output: r#"{
            "success": true,
            "layers": [
                { "layer": 1, "name": "world" },
                { "layer": 2, "name": "player" },
                { "layer": 3, "name": "pickups" },
                { "layer": 4, "name": "enemies" }
            ],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Name physics layers of the project. An empty name takes a layer's name away; others stay.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Whose layers.
    dimension: Dimension,
    /// Layers to name.
    #[schemars(length(min = 1, max = 32))]
    layers: Vec<Layer>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
enum Dimension {
    #[serde(rename = "2d")]
    Two,
    #[serde(rename = "3d")]
    Three,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Layer {
    /// Number of the layer, from 1.
    #[schemars(range(min = 1, max = 32))]
    layer: u32,
    name: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// All layers of the dimension that have a name now.
    layers: Vec<Layer>,
    #[serde(flatten)]
    written: Written,
}

const SECTION: &str = "layer_names";

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path("project.godot")?;
    let before = godot.read(&path)?;
    let mut settings = Config::parse(before.clone());
    let start = match input.dimension {
        Dimension::Two => "2d_physics/layer_",
        Dimension::Three => "3d_physics/layer_",
    };
    for (at, layer) in input.layers.iter().enumerate() {
        if input.layers[..at].iter().any(|other| other.layer == layer.layer) {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("layer {} is named twice", layer.layer),
            ));
        }
        let key = format!("{start}{}", layer.layer);
        if layer.name.is_empty() {
            settings.remove(SECTION, &key).map_err(refused)?;
        } else {
            settings.set(SECTION, &key, &Variant::String(layer.name.clone())).map_err(refused)?;
        }
    }
    let mut plan = Plan::new(godot.project);
    plan.write(&path, Some(&before), settings.as_bytes());
    let written = saved(&godot, plan, input.write)?;
    Ok(Output { success: true, layers: named(&settings, start), written })
}

fn named(settings: &Config, start: &str) -> Vec<Layer> {
    let layer = |layer: u32| {
        let name = settings.find(SECTION, &format!("{start}{layer}"))?.as_str()?.into_owned();
        (!name.is_empty()).then_some(Layer { layer, name })
    };
    (1..=32).filter_map(layer).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn names_are_set_and_taken_away() {
        let sample = GodotSample::new();
        let arguments = json!({
            "dimension": "2d",
            "layers": [{ "layer": 3, "name": "" }, { "layer": 1, "name": "the \"ground\"" }],
        });
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -62,9 +62,8 @@
 
             [layer_names]
 
            -2d_physics/layer_1="world"
            +2d_physics/layer_1="the \"ground\""
             2d_physics/layer_2="player"
            -2d_physics/layer_3="pickups"
 
             [rendering]
 
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
        let arguments = json!({ "dimension": "3d", "layers": [{ "layer": 2, "name": "walls" }] });
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -64,6 +64,7 @@
 
             2d_physics/layer_1="the \"ground\""
             2d_physics/layer_2="player"
            +3d_physics/layer_2="walls"
 
             [rendering]
 
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_section_comes_where_godot_sorts_it() {
        let sample = GodotSample::new();
        let settings = sample.read("project.godot");
        let (head, _) = settings.split_once("[layer_names]").unwrap();
        sample.write("project.godot", &format!("{head}[rendering]\n\na=1\n"));
        let arguments = json!({ "dimension": "2d", "layers": [{ "layer": 9, "name": "sky" }] });
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -60,6 +60,10 @@
             ]
             }
 
            +[layer_names]
            +
            +2d_physics/layer_9="sky"
            +
             [rendering]
 
             a=1
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_is_no_layer_is_said() {
        let sample = GodotSample::new();
        let refuse =
            |layers| sample.error(super::TOOL.id, json!({ "dimension": "2d", "layers": layers }));
        expect!["Invalid tool arguments: layers.0.layer must be at most 32"]
            .assert_eq(&refuse(json!([{ "layer": 33, "name": "x" }])));
        expect!["layer 2 is named twice"]
            .assert_eq(&refuse(json!([{ "layer": 2, "name": "x" }, { "layer": 2, "name": "y" }])));
        expect!["Invalid tool arguments: layers is not valid: [] has less than 1 item"]
            .assert_eq(&refuse(json!([])));
    }
}
