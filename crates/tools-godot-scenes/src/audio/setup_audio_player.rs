//! The tool `godotAudio.setupAudioPlayer`, which MCP clients call `setup_audio_player`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InNewNode, InScene, OpenScene, Wanted, Write, child_path, given,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) const TOOL: Tool = Tool {
    id: "godotAudio.setupAudioPlayer",
    keywords: "sound effect music play stream background node footsteps 2d 3d loop autoplay volume song mp3 ogg",
    mcp: Some("setup_audio_player"),
    title: "Setup Audio Player",
    category: "godot.audio",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Prepare the coin for a sound",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/coin.tscn",
            "nodeName": "Chime",
            "bus": "SFX",
            "volumeDb": -4.5
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Chime",
            "nodeType": "AudioStreamPlayer2D",
            "created": true,
            "properties": { "volume_db": -4.5, "bus": "SFX" },
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

/// Add an audio player to a scene, or change the one of this name. What is left out stays as it is,
/// or is Godot's own in a new player.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// AudioStreamPlayer3D instead of AudioStreamPlayer2D.
    #[serde(default, rename = "is3D")]
    is_3d: bool,
    /// False for an AudioStreamPlayer, which is heard the same everywhere.
    #[serde(default = "yes")]
    positional: bool,
    /// The sound: `res://chime.wav`.
    stream_path: Option<String>,
    /// A bus of the project; a new player has `Master`.
    bus: Option<String>,
    /// Play from the start; false in a new player.
    autoplay: Option<bool>,
    /// Decibels; 0 in a new player.
    volume_db: Option<f64>,
    #[serde(flatten)]
    write: Write,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the player from the scene's root.
    node_path: String,
    /// Its class.
    node_type: String,
    /// Whether it is new.
    created: bool,
    /// What was set.
    properties: JsonMap,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    if let Some(bus) = &input.bus {
        godot.bus_layout()?.find(bus)?;
    }
    let node_type = match (input.positional, input.is_3d) {
        (false, _) => "AudioStreamPlayer",
        (true, true) => "AudioStreamPlayer3D",
        (true, false) => "AudioStreamPlayer2D",
    };
    let mut open = godot.open_scene(&input.scene)?;
    let parent = godot.node(&open, &input.new.parent.parent_node_path)?;
    let properties = given([
        ("stream", input.stream_path.map(Value::from)),
        ("volume_db", input.volume_db.map(Value::from)),
        ("autoplay", input.autoplay.map(Value::from)),
        ("bus", input.bus.map(Value::from)),
    ]);
    let path = child_path(&parent, &input.new.node_name);
    let created = !is_there(&godot, &open, &path, node_type)?;
    let node_path = if created {
        let name = &input.new.node_name;
        let wanted = Wanted { class: node_type, name, parent: &parent, properties: &properties };
        godot.make_node(&mut open, &wanted)?
    } else {
        godot.set_node(&mut open, &path, &properties)?;
        path
    };
    let written = open.save(&godot, input.write)?;
    let node_type = node_type.to_owned();
    Ok(Output { success: true, node_path, node_type, created, properties, written })
}

/// Whether the player is there already; an error when something else has its name.
fn is_there(
    godot: &Godot<'_>,
    open: &OpenScene,
    path: &str,
    class: &str,
) -> Result<bool, ToolError> {
    let tree = godot.tree_of(open);
    let Some(node) = tree.node(path) else { return Ok(false) };
    match node.class.as_deref() {
        Some(found) if found == class => Ok(true),
        found => Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{path} is there and is {}, no {class}", found.unwrap_or("of another class")),
        )
        .hint("choose another name; is3D and positional tell the class")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "scenePath": "scenes/coin.tscn", "nodeName": "Chime" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn a_player_is_made_and_then_changed() {
        let sample = GodotSample::new();
        sample.write("chime.wav", "");
        let first = json!({ "streamPath": "res://chime.wav", "bus": "SFX", "autoplay": true });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,7 +1,8 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            +[ext_resource type="AudioStreamWAV" path="res://chime.wav" id="3_bdwdn"]
 
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
            @@ -18,4 +19,9 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Chime" type="AudioStreamPlayer2D" parent="."]
            +stream = ExtResource("3_bdwdn")
            +autoplay = true
            +bus = &"SFX"
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments(first)));
        let second = json!({ "volumeDb": -6, "bus": "Master" });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -21,7 +21,7 @@
 
             [node name="Chime" type="AudioStreamPlayer2D" parent="."]
             stream = ExtResource("3_bdwdn")
            +volume_db = -6.0
             autoplay = true
            -bus = &"SFX"
 
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(second)));
    }

    #[test]
    fn a_player_may_be_heard_everywhere_or_from_a_place_in_space() {
        let sample = GodotSample::new();
        let everywhere = json!({ "positional": false, "volumeDb": 0 });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -18,4 +18,6 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Chime" type="AudioStreamPlayer" parent="."]
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(everywhere)));
        let space = json!({ "is3D": true, "nodeName": "Far" });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -20,4 +20,6 @@
 
             [node name="Chime" type="AudioStreamPlayer" parent="."]
 
            +[node name="Far" type="AudioStreamPlayer3D" parent="."]
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(space)));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |more| sample.error(super::TOOL.id, arguments(more));
        expect!["bus not found: Sfx; did you mean SFX?"]
            .assert_eq(&refuse(json!({ "bus": "Sfx" })));
        expect!["Face is there and is Polygon2D, no AudioStreamPlayer2D; choose another name; is3D and positional tell the class"].assert_eq(&refuse(json!({ "nodeName": "Face" })));
        expect!["icon.svg is a Texture2D, and a AudioStream is needed"]
            .assert_eq(&refuse(json!({ "streamPath": "icon.svg" })));
        expect!["file not found: nope.ogg; project_listFiles shows what is there"]
            .assert_eq(&refuse(json!({ "streamPath": "nope.ogg" })));
    }
}
