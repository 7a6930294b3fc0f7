//! The tool `godotNavigation.createNavigationRegion`, which MCP clients call `create_navigation_region`.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InNewNode, InScene, NodeMade, Wanted, Write, given};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotNavigation.createNavigationRegion",
    keywords: "walkable area pathfinding agents enemies navmesh navigate ai walk path find way around obstacles agent",
    mcp: Some("create_navigation_region"),
    title: "Create Navigation Region",
    category: "godot.navigation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Tell where one may walk in the level",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "nodeName": "Walkable"
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Walkable",
            "nodeType": "NavigationRegion2D",
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

/// Add a navigation region to a scene. Without navigationMeshPath it gets an empty mesh of its own,
/// to be baked.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// A NavigationRegion3D instead of a NavigationRegion2D.
    #[serde(default, rename = "is3D")]
    is_3d: bool,
    /// A NavigationPolygon, or NavigationMesh in 3D: `res://walk.tres`.
    navigation_mesh_path: Option<String>,
    #[serde(flatten)]
    write: Write,
}

fn run(cx: &Cx, input: Input) -> Result<NodeMade, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let (class, key, mesh) = match input.is_3d {
        false => ("NavigationRegion2D", "navigation_polygon", "NavigationPolygon"),
        true => ("NavigationRegion3D", "navigation_mesh", "NavigationMesh"),
    };
    let mesh = input.navigation_mesh_path.map_or_else(|| json!({ "type": mesh }), Value::from);
    let properties = given([(key, Some(mesh))]);
    let wanted = Wanted {
        class,
        name: &input.new.node_name,
        parent: &input.new.parent.parent_node_path,
        properties: &properties,
    };
    godot.make_only(&input.scene, &wanted, input.write)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_region_has_a_mesh_of_its_own_or_that_of_a_file() {
        let sample = GodotSample::new();
        let own = json!({ "scenePath": "scenes/coin.tscn", "nodeName": "Walk", "is3D": true });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            @@ -6,6 +6,8 @@
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
 
            +[sub_resource type="NavigationMesh" id="NavigationMesh_okutt"]
            +
             [node name="Coin" type="Area2D" groups=["coins"]]
             collision_layer = 4
             collision_mask = 2
            @@ -18,4 +20,7 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Walk" type="NavigationRegion3D" parent="."]
            +navigation_mesh = SubResource("NavigationMesh_okutt")
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, own));
        let mesh = json!({ "meshPath": "res://walk.tres" });
        sample.call("godotNavigation.bakeNavigationMesh", mesh).unwrap();
        let named = json!({
            "scenePath": "scenes/coin.tscn", "nodeName": "Way", "parentNodePath": "Face",
            "navigationMeshPath": "walk.tres",
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,7 +1,8 @@
            -[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=6 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            +[ext_resource type="NavigationPolygon" path="res://walk.tres" id="3_7kq8m"]
 
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
            @@ -20,5 +21,8 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Way" type="NavigationRegion2D" parent="Face"]
            +navigation_polygon = ExtResource("3_7kq8m")
            +
             [node name="Walk" type="NavigationRegion3D" parent="."]
             navigation_mesh = SubResource("NavigationMesh_okutt")
        "#]].assert_eq(&sample.diff(super::TOOL.id, named));
    }

    #[test]
    fn a_mesh_of_the_other_dimension_is_refused() {
        let sample = GodotSample::new();
        sample.call("godotNavigation.bakeNavigationMesh", json!({ "meshPath": "walk" })).unwrap();
        let named = json!({
            "scenePath": "scenes/coin.tscn", "nodeName": "Way", "is3D": true,
            "navigationMeshPath": "walk.tres",
        });
        expect!["walk.tres is a NavigationPolygon, and a NavigationMesh is needed"]
            .assert_eq(&sample.error(super::TOOL.id, named));
    }
}
