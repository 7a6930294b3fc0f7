//! The tool `godotAnimation.createAnimationPlayer`, which MCP clients call `create_animation_player`.

use scenewright_contract::{JsonMap, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InParent, InScene, NodeMade, Wanted, Write};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.createAnimationPlayer",
    keywords: "animate animations node new animationplayer",
    mcp: Some("create_animation_player"),
    title: "Create Animation Player",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Give the level a player for its doors and lamps",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "nodeName": "LevelAnimations"
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "LevelAnimations",
            "nodeType": "AnimationPlayer",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<NodeMade>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add an AnimationPlayer to a scene. Its tracks start from its parent; add_animation fills it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Name of the new node.
    #[serde(default = "default_name")]
    node_name: String,
    #[serde(flatten)]
    parent: InParent,
    #[serde(flatten)]
    write: Write,
}

fn default_name() -> String {
    "AnimationPlayer".to_owned()
}

fn run(cx: &Cx, input: Input) -> Result<NodeMade, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let wanted = Wanted {
        class: "AnimationPlayer",
        name: &input.node_name,
        parent: &input.parent.parent_node_path,
        properties: &JsonMap::new(),
    };
    godot.make_only(&input.scene, &wanted, input.write)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn the_player_stands_below_its_parent() {
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "parentNodePath": "Face" });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -18,4 +18,6 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="AnimationPlayer" type="AnimationPlayer" parent="Face"]
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_name_that_an_instance_brings_is_taken() {
        let arguments = json!({ "scenePath": "scenes/player.tscn" });
        expect![
            "there is already a node `AnimationPlayer`; nothing was changed; choose another name"
        ]
        .assert_eq(&GodotSample::new().error(super::TOOL.id, arguments));
    }
}
