//! The tool `godotScene.createScene`, which MCP clients call `create_scene`.

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::Scene;
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InScene, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.createScene",
    keywords: "make a new scene tscn file root node type empty level screen menu enemy player start",
    mcp: Some("create_scene"),
    title: "Create Scene",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a scene for an enemy",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/sea_gull.tscn",
            "rootNodeType": "CharacterBody2D"
        }"#,
        output: r#"{
            "success": true,
            "scenePath": "scenes/sea_gull.tscn",
            "rootNodeName": "SeaGull",
            "rootNodeType": "CharacterBody2D",
            "uid": "uid://",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo", "uid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a scene with one root node. The folder is made when it is missing; a scene that is there
/// is not replaced.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Class of the root.
    #[serde(default = "node_2d")]
    root_node_type: String,
    /// Name of the root; by default that of the file, in Godot's way: `sea_gull` is SeaGull.
    root_node_name: Option<String>,
    #[serde(flatten)]
    write: Write,
}

fn node_2d() -> String {
    "Node2D".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene, from the project's root.
    scene_path: String,
    /// Name of the root.
    root_node_name: String,
    /// Its class.
    root_node_type: String,
    /// The scene's uid, by which other files can name it.
    uid: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let path = godot.new_path(&input.scene.scene_path, &["tscn"])?;
    let class = godot.class_below(&input.root_node_type, "Node")?;
    let name = input.root_node_name.unwrap_or_else(|| root_name(&path));
    let uid = godot.new_uid(&path);
    let scene = Scene::new(&name, class, Some(&uid)).map_err(refused)?;
    let open = godot.new_scene(path, scene)?;
    let written = open.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        scene_path: open.path.to_string(),
        root_node_name: name,
        root_node_type: class.to_owned(),
        uid,
        written,
    })
}

/// The name of the file as the editor would make it the root's.
fn root_name(path: &ProjectPath) -> String {
    let file = path.as_str().rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let words = stem.split(|char: char| !char.is_alphanumeric());
    let name: String = words
        .filter_map(|word| {
            let first = word.chars().next()?;
            Some(first.to_uppercase().chain(word[first.len_utf8()..].chars()).collect::<String>())
        })
        .collect();
    if name.is_empty() { "Root".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_scene_is_a_header_and_a_root() {
        let sample = GodotSample::new();
        let arguments = json!({ "scenePath": "res://levels/cave-2", "rootNodeType": "Node3D" });
        expect![[r#"
            --- /dev/null
            +++ b/levels/cave-2.tscn
            @@ -0,0 +1,3 @@
            +[gd_scene format=3 uid="uid://ythms3yk0bpb"]
            +
            +[node name="Cave2" type="Node3D"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
        let arguments = json!({ "scenePath": "plain.tscn", "rootNodeName": "World" });
        expect![[r#"
            --- /dev/null
            +++ b/plain.tscn
            @@ -0,0 +1,3 @@
            +[gd_scene format=3 uid="uid://cxcmos2sl0klq"]
            +
            +[node name="World" type="Node2D"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn nothing_is_replaced_or_made_wrongly() {
        let sample = GodotSample::new();
        let refuse = |arguments| sample.error(super::TOOL.id, arguments);
        expect!["scenes/coin.tscn exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse(json!({ "scenePath": "scenes/coin.tscn" })));
        expect!["a.tres ends in .tres, and this makes .tscn"]
            .assert_eq(&refuse(json!({ "scenePath": "a.tres" })));
        expect!["Resource is no Node; search_classes finds the classes below Node"]
            .assert_eq(&refuse(json!({ "scenePath": "a", "rootNodeType": "Resource" })));
        expect!["Godot 4.4 has no class 'Player'; Player is a script of this project (res://scripts/player.gd): make a node of its base class and attach it"].assert_eq(&refuse(json!({ "scenePath": "a", "rootNodeType": "Player" })));
        expect![[
            r#"`a.b` cannot be a name: Godot replaces . : @ / " and % in the names of nodes"#
        ]]
        .assert_eq(&refuse(json!({ "scenePath": "a", "rootNodeName": "a.b" })));
    }
}
