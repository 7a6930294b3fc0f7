//! The tool `godotAnimation.createAnimationTree`, which MCP clients call `create_animation_tree`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{relative_path, resolve_path};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::trees::STATE_MACHINE;
use scenewright_tools_godot::base::{
    Godot, InGodot, InNewNode, InScene, OpenScene, Wanted, Write, child_path, given,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.createAnimationTree",
    keywords: "animation tree blend state animationtree controller machine player character",
    mcp: Some("create_animation_tree"),
    title: "Create Animation Tree",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let actors switch between their animations",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/actor.tscn",
            "nodeName": "AnimationTree",
            "animPlayerPath": "AnimationPlayer",
            "processCallback": "physics"
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "AnimationTree",
            "animPlayerPath": "AnimationPlayer",
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

/// Add an AnimationTree with an empty state machine to a scene. setup_state_machine and
/// blend_animations fill it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// The AnimationPlayer whose animations it plays, from the scene's root or from the new node.
    anim_player_path: Option<String>,
    /// The track that moves the character: `Skeleton3D:Root`, from the tree's root node.
    root_motion_track: Option<String>,
    /// When it advances; `idle` with each frame.
    process_callback: Option<ProcessCallback>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ProcessCallback {
    Idle,
    Physics,
    Manual,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the tree from the scene's root.
    node_path: String,
    /// Path of its player from the scene's root.
    #[serde(skip_serializing_if = "Option::is_none")]
    anim_player_path: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let parent = godot.node(&open, &input.new.parent.parent_node_path)?;
    let tree = child_path(&parent, &input.new.node_name);
    let player = input.anim_player_path.as_deref();
    let player = player.map(|text| find_player(&godot, &open, &tree, text)).transpose()?;
    let properties = given([
        ("root_motion_track", input.root_motion_track.map(Value::from)),
        ("callback_mode_process", input.process_callback.map(|callback| json!(callback))),
        ("tree_root", Some(json!({ "type": STATE_MACHINE }))),
        ("anim_player", player.as_deref().map(|path| relative_path(&tree, path).into())),
    ]);
    let wanted = Wanted {
        class: "AnimationTree",
        name: &input.new.node_name,
        parent: &parent,
        properties: &properties,
    };
    let node_path = godot.make_node(&mut open, &wanted)?;
    if player.is_none() {
        cx.diagnose("the tree plays nothing until anim_player is set: edit_node sets it");
    }
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, node_path, anim_player_path: player, written })
}

/// The path of the player, given from the root of the scene or from the tree that is to be.
fn find_player(
    godot: &Godot<'_>,
    open: &OpenScene,
    tree: &str,
    text: &str,
) -> Result<String, ToolError> {
    let nodes = godot.tree_of(open);
    let relative = resolve_path(tree, text).filter(|path| nodes.node(path).is_some());
    let path = match relative.filter(|_| text.starts_with("..")) {
        Some(path) => path,
        None => godot.node(open, text)?,
    };
    let class = nodes.node(&path).and_then(|node| node.class.as_deref());
    match class {
        Some(class) if !godot.classes().inherits(class, "AnimationPlayer") => Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{path} is {class}, no AnimationPlayer"),
        )
        .hint("find_nodes finds the players of a scene")),
        _ => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn the_tree_names_its_player_from_itself() {
        let arguments = json!({
            "scenePath": "scenes/actor.tscn", "nodeName": "Tree", "parentNodePath": "Body",
            "animPlayerPath": "Actor/AnimationPlayer", "rootMotionTrack": "Body:position",
            "processCallback": "manual",
        });
        expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=7 format=3 uid="uid://u4ujiidj5i7c"]
            +[gd_scene load_steps=8 format=3 uid="uid://u4ujiidj5i7c"]
 
             [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
            @@ -86,6 +86,8 @@
             &"idle": SubResource("Animation_i6d1e")
             }
 
            +[sub_resource type="AnimationNodeStateMachine" id="AnimationNodeStateMachine_u6lm6"]
            +
             [node name="Actor" type="CharacterBody2D"]
             script = ExtResource("1_a9c2f")
 
            @@ -97,5 +99,11 @@
             color = Color(0.55, 0.55, 0.6, 1)
             polygon = PackedVector2Array(-6, 0, -6, -14, 0, -20, 6, -14, 6, 0)
 
            +[node name="Tree" type="AnimationTree" parent="Body"]
            +root_motion_track = NodePath("Body:position")
            +callback_mode_process = 2
            +tree_root = SubResource("AnimationNodeStateMachine_u6lm6")
            +anim_player = NodePath("../../AnimationPlayer")
            +
             [node name="AnimationPlayer" type="AnimationPlayer" parent="."]
             libraries = {
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_player_of_an_instance_will_do() {
        let arguments = json!({
            "scenePath": "scenes/player.tscn", "nodeName": "Tree",
            "animPlayerPath": "../AnimationPlayer",
        });
        expect![[r#"
            --- a/scenes/player.tscn
            +++ b/scenes/player.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=4 format=3 uid="uid://daw60r51yjit"]
            +[gd_scene load_steps=5 format=3 uid="uid://daw60r51yjit"]
 
             [ext_resource type="PackedScene" uid="uid://u4ujiidj5i7c" path="res://scenes/actor.tscn" id="1_p1g6j"]
             [ext_resource type="Script" uid="uid://disjhmid1oh4h" path="res://scripts/player.gd" id="2_z8n4u"]
            @@ -7,6 +7,8 @@
             radius = 6.0
             height = 20.0
 
            +[sub_resource type="AnimationNodeStateMachine" id="AnimationNodeStateMachine_5sbcc"]
            +
             [node name="Player" groups=["player"] instance=ExtResource("1_p1g6j")]
             collision_layer = 2
             floor_snap_length = 4.0
            @@ -30,4 +32,8 @@
             wait_time = 0.1
             one_shot = true
 
            +[node name="Tree" type="AnimationTree" parent="."]
            +tree_root = SubResource("AnimationNodeStateMachine_5sbcc")
            +anim_player = NodePath("../AnimationPlayer")
            +
             [connection signal="timeout" from="CoyoteTimer" to="." method="_on_coyote_timer_timeout"]
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_is_no_player_is_said() {
        let sample = GodotSample::new();
        let refuse = |player: &str| -> String {
            let arguments: Value = json!({
                "scenePath": "scenes/actor.tscn", "nodeName": "Tree", "animPlayerPath": player,
            });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["Body is Polygon2D, no AnimationPlayer; find_nodes finds the players of a scene"]
            .assert_eq(&refuse("Body"));
        expect!["node not found: Player; there is Shape, Body, AnimationPlayer, ."]
            .assert_eq(&refuse("Player"));
    }
}
