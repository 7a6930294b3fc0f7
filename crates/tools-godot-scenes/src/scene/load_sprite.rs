//! The tool `godotScene.loadSprite`, which MCP clients call `load_sprite`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InScene, Write, find_node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Properties that hold the picture of a node, the usual one first.
const PICTURES: [&str; 4] = ["texture", "texture_normal", "icon", "texture_albedo"];

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.loadSprite",
    keywords: "texture picture onto sprite2d image assign png sprite icon art graphic skin replace show",
    mcp: Some("load_sprite"),
    title: "Load Sprite",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Put the icon on the restart button",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/main.tscn",
            "nodePath": "HUD/Root/TopBar/RestartButton",
            "texturePath": "res://icon.svg"
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "HUD/Root/TopBar/RestartButton",
            "property": "icon",
            "texturePath": "icon.svg",
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

/// Give a sprite or another node that shows a picture its texture: Sprite2D, Sprite3D, TextureRect,
/// Button, Polygon2D, particles and so on.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    node_path: String,
    /// The picture: an image or a texture resource of the project.
    texture_path: String,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node from the scene's root.
    node_path: String,
    /// The property that holds it.
    property: String,
    /// The picture, from the project's root.
    texture_path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    let kind = godot.kind_of(node);
    let property = picture_property(&godot, &kind.class)?;
    let texture = godot.path(&input.texture_path)?;
    godot.own_section(&mut open, &tree, node)?;
    let values = JsonMap::from_iter([(property.to_owned(), format!("res://{texture}").into())]);
    godot.set_properties(&mut open, &tree, node, &values)?;
    open.tidy()?;
    let written = open.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        node_path: node.path.clone(),
        property: property.to_owned(),
        texture_path: texture.to_string(),
        written,
    })
}

fn picture_property(godot: &Godot<'_>, class: &str) -> Result<&'static str, ToolError> {
    let classes = godot.classes();
    let is_picture = |name: &&&str| {
        let property = classes.property(class, name);
        property.is_some_and(|property| property.value.accepts(classes, "ImageTexture"))
    };
    if let Some(found) = PICTURES.iter().find(is_picture) {
        return Ok(found);
    }
    let none =
        ToolError::new(ErrorKind::BadArguments, format!("a {class} has no texture of its own"));
    Err(match class {
        "AnimatedSprite2D" | "AnimatedSprite3D" => none.hint(
            "it plays SpriteFrames: make them with create_resource and set sprite_frames with edit_node",
        ),
        _ => none.hint("add a Sprite2D, Sprite3D or TextureRect below it"),
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn the_picture_is_an_external_resource() {
        let sample = GodotSample::new();
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "nodePath": "Face", "texturePath": "art/tiles.png",
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,7 +1,8 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]

             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            +[ext_resource type="Texture2D" uid="uid://d3e45u6gwk2sl" path="res://art/tiles.png" id="3_2ptw6"]

             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
            @@ -16,6 +17,7 @@
             shape = SubResource("CircleShape2D_o7u2a")

             [node name="Face" type="Polygon2D" parent="."]
            +texture = ExtResource("3_2ptw6")
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)

             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn only_pictures_go_on_what_shows_them() {
        let sample = GodotSample::new();
        let refuse = |node: &str, texture: &str| {
            sample.error(
                super::TOOL.id,
                json!({ "scenePath": "scenes/coin.tscn", "nodePath": node, "texturePath": texture }),
            )
        };
        expect!["a CollisionShape2D has no texture of its own; add a Sprite2D, Sprite3D or TextureRect below it"].assert_eq(&refuse("Shape", "icon.svg"));
        expect!["file not found: no.png; there is art/tiles.png"]
            .assert_eq(&refuse("Face", "no.png"));
        expect!["scripts/coin.gd is a Script, and a Texture2D is needed"]
            .assert_eq(&refuse("Face", "scripts/coin.gd"));
    }
}
