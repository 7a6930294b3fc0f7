//! The tool `godotLighting.setupLightmapper`, which MCP clients call `setup_lightmapper`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InScene, Wanted, Write, given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLighting.setupLightmapper",
    keywords: "baked lighting lightmap gi global illumination bake static",
    mcp: Some("setup_lightmapper"),
    title: "Setup Lightmapper",
    category: "godot.lighting",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Prepare a scene for baked light",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "quality": "high",
            "bounces": 4,
            "interior": true
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "LightmapGI",
            "created": true,
            "properties": { "quality": "high", "bounces": 4, "interior": true },
            "baked": false,
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

/// Create or change the LightmapGI node of a scene. What is left out stays as it is, or is Godot's
/// own in a new node; baking itself happens in the editor.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// A new node has `medium`.
    quality: Option<Quality>,
    /// How often light is thrown back; 3 in a new node.
    #[schemars(range(min = 0, max = 16))]
    bounces: Option<u32>,
    /// Take noise out of the result; true in a new node.
    use_denoiser: Option<bool>,
    /// Add the node when the scene has none.
    #[serde(default = "yes")]
    create_node: bool,
    /// Bake at once. Godot does that in its editor only, so that this is refused.
    #[serde(default)]
    bake: bool,
    /// Milliseconds that baking may take.
    #[serde(default = "five_minutes")]
    #[schemars(range(min = 10_000, max = 3_600_000))]
    #[expect(
        dead_code,
        reason = "no engine bakes without its editor, and callers may still give it"
    )]
    bake_timeout: u32,
    /// Store where light comes from; false in a new node.
    directional: Option<bool>,
    /// No light from the environment; false in a new node.
    interior: Option<bool>,
    /// Pixels.
    #[schemars(range(min = 128, max = 16_384))]
    max_texture_size: Option<u32>,
    /// Light from around; a new node takes it from the scene.
    environment_mode: Option<EnvironmentMode>,
    /// `{"r": 1, "g": 1, "b": 1}` or `"#ffffff"`, for custom_color.
    #[schemars(extend("type" = ["object", "string"]))]
    environment_color: Option<Value>,
    /// Strength of the light from around.
    #[schemars(range(min = 0))]
    environment_energy: Option<f64>,
    #[serde(flatten)]
    write: Write,
}

fn yes() -> bool {
    true
}

fn five_minutes() -> u32 {
    300_000
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Quality {
    Low,
    Medium,
    High,
    Ultra,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EnvironmentMode {
    Disabled,
    Scene,
    CustomSky,
    CustomColor,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the LightmapGI from the scene's root.
    node_path: String,
    /// Whether it is new.
    created: bool,
    /// What was set.
    properties: JsonMap,
    /// Always false: the editor bakes.
    baked: bool,
    #[serde(flatten)]
    written: Written,
}

const CLASS: &str = "LightmapGI";

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    if input.bake {
        return Err(cannot_bake());
    }
    let mut open = godot.open_scene(&input.scene)?;
    let properties = properties(&input);
    let tree = godot.tree_of(&open);
    let there = tree.nodes().iter().find(|node| node.class.as_deref() == Some(CLASS));
    let there = there.map(|node| node.path.clone());
    let created = there.is_none();
    let node_path = match there {
        Some(path) => {
            godot.set_node(&mut open, &path, &properties)?;
            path
        }
        None if !input.create_node => {
            let text = format!("{} has no {CLASS}", open.path);
            return Err(
                ToolError::new(ErrorKind::BadArguments, text).hint("createNode: true adds one")
            );
        }
        None => {
            let wanted = Wanted { class: CLASS, name: CLASS, parent: ".", properties: &properties };
            godot.make_node(&mut open, &wanted)?
        }
    };
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, node_path, created, properties, baked: false, written })
}

fn cannot_bake() -> ToolError {
    ToolError::new(
        ErrorKind::EngineError,
        "Godot bakes lightmaps only in its editor: no command line or script does",
    )
    .hint("nothing was changed; call this without bake, then press Bake Lightmaps in the editor")
}

fn properties(input: &Input) -> JsonMap {
    given([
        ("quality", input.quality.map(|quality| json!(quality))),
        ("bounces", input.bounces.map(Value::from)),
        ("directional", input.directional.map(Value::from)),
        ("interior", input.interior.map(Value::from)),
        ("use_denoiser", input.use_denoiser.map(Value::from)),
        ("max_texture_size", input.max_texture_size.map(Value::from)),
        ("environment_mode", input.environment_mode.map(|mode| json!(mode))),
        ("environment_custom_color", input.environment_color.clone()),
        ("environment_custom_energy", input.environment_energy.map(Value::from)),
    ])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "scenePath": "scenes/coin.tscn" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn a_node_is_made_and_then_changed() {
        let sample = GodotSample::new();
        let first = json!({
            "quality": "ultra", "bounces": 3, "useDenoiser": false, "maxTextureSize": 2048,
            "environmentMode": "custom_color", "environmentColor": "#ff0000",
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -18,4 +18,11 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="LightmapGI" type="LightmapGI" parent="."]
            +quality = 3
            +use_denoiser = false
            +max_texture_size = 2048
            +environment_mode = 3
            +environment_custom_color = Color(1, 0, 0, 1)
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(first)));
        let second = json!({ "quality": "medium", "directional": true });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -19,7 +19,7 @@
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
             [node name="LightmapGI" type="LightmapGI" parent="."]
            -quality = 3
            +directional = true
             use_denoiser = false
             max_texture_size = 2048
             environment_mode = 3
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(second)));
    }

    #[test]
    fn what_does_not_happen_is_said() {
        let sample = GodotSample::new();
        let refuse = |more| sample.error(super::TOOL.id, arguments(more));
        expect!["Godot bakes lightmaps only in its editor: no command line or script does; nothing was changed; call this without bake, then press Bake Lightmaps in the editor"].assert_eq(&refuse(json!({ "bake": true })));
        expect!["scenes/coin.tscn has no LightmapGI; createNode: true adds one"]
            .assert_eq(&refuse(json!({ "createNode": false })));
        expect!["Invalid tool arguments: bounces must be at most 16"]
            .assert_eq(&refuse(json!({ "bounces": 17 })));
    }
}
