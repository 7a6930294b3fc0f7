//! The tool `godotParticles.createGpuParticles`, which MCP clients call `create_gpu_particles`.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InNewNode, InScene, NodeMade, Wanted, Write, given};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotParticles.createGpuParticles",
    keywords: "smoke fire sparks explosion dust rain snow emitter effect vfx particle system magic trail",
    mcp: Some("create_gpu_particles"),
    title: "Create GPU Particles",
    category: "godot.particles",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Sparks when a coin is collected",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/coin.tscn",
            "nodeName": "Sparks",
            "amount": 12,
            "lifetime": 0.6,
            "oneShot": true,
            "emitting": false
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Sparks",
            "nodeType": "GPUParticles2D",
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

/// Add particles to a scene. Without materialPath they get a plain material that falls down, and in
/// 3D a quad to be drawn as.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// GPUParticles3D instead of GPUParticles2D.
    #[serde(default, rename = "is3D")]
    is_3d: bool,
    /// How many at once; 8 by default.
    #[schemars(range(min = 1, max = 1_000_000))]
    amount: Option<u32>,
    /// Seconds that each lives; 1 by default.
    #[schemars(extend("exclusiveMinimum" = 0))]
    lifetime: Option<f64>,
    /// Emit once and stop.
    one_shot: Option<bool>,
    /// Seconds that have passed already when it starts.
    #[schemars(range(min = 0))]
    preprocess: Option<f64>,
    /// Whether it emits from the start; true by default.
    emitting: Option<bool>,
    /// A ParticleProcessMaterial or ShaderMaterial: `res://sparks.tres`.
    material_path: Option<String>,
    #[serde(flatten)]
    write: Write,
}

fn run(cx: &Cx, input: Input) -> Result<NodeMade, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let class = if input.is_3d { "GPUParticles3D" } else { "GPUParticles2D" };
    let material = match (input.material_path, input.is_3d) {
        (Some(path), _) => path.into(),
        (None, true) => json!({ "type": "ParticleProcessMaterial" }),
        // In pixels and without depth, as the editor makes it.
        (None, false) => json!({
            "type": "ParticleProcessMaterial",
            "particle_flag_disable_z": true,
            "gravity": [0, 98, 0],
        }),
    };
    let properties = given([
        ("emitting", input.emitting.map(Value::from)),
        ("amount", input.amount.map(Value::from)),
        ("lifetime", input.lifetime.map(Value::from)),
        ("one_shot", input.one_shot.map(Value::from)),
        ("preprocess", input.preprocess.map(Value::from)),
        ("process_material", Some(material)),
        ("draw_pass_1", input.is_3d.then(|| json!({ "type": "QuadMesh" }))),
    ]);
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
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "scenePath": "scenes/coin.tscn", "nodeName": "Sparks" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn particles_have_what_they_need_to_be_seen() {
        let more = json!({ "is3D": true, "amount": 8, "lifetime": 2, "preprocess": 0.5 });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=6 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            @@ -6,6 +6,10 @@
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
 
            +[sub_resource type="ParticleProcessMaterial" id="ParticleProcessMaterial_x1hfk"]
            +
            +[sub_resource type="QuadMesh" id="QuadMesh_urf68"]
            +
             [node name="Coin" type="Area2D" groups=["coins"]]
             collision_layer = 4
             collision_mask = 2
            @@ -18,4 +22,10 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Sparks" type="GPUParticles3D" parent="."]
            +lifetime = 2.0
            +preprocess = 0.5
            +process_material = SubResource("ParticleProcessMaterial_x1hfk")
            +draw_pass_1 = SubResource("QuadMesh_urf68")
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments(more)));
    }

    #[test]
    fn a_material_is_named_by_its_path() {
        let sample = GodotSample::new();
        let material = json!({ "materialPath": "res://sparks.tres", "spread": 10 });
        sample.call("godotParticles.createParticleMaterial", material).unwrap();
        let more = json!({ "materialPath": "sparks.tres", "oneShot": true, "emitting": true });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,7 +1,8 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            +[ext_resource type="ParticleProcessMaterial" path="res://sparks.tres" id="3_wkt4x"]
 
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
            @@ -18,4 +19,8 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
            +[node name="Sparks" type="GPUParticles2D" parent="."]
            +one_shot = true
            +process_material = ExtResource("3_wkt4x")
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments(more)));
    }

    #[test]
    fn what_is_no_material_is_said() {
        let sample = GodotSample::new();
        let refuse = |more| sample.error(super::TOOL.id, arguments(more));
        expect!["resources/theme.tres is a Theme, and a ParticleProcessMaterial is needed"]
            .assert_eq(&refuse(json!({ "materialPath": "resources/theme.tres" })));
        expect!["file not found: nope.tres; there is resources/theme.tres, resources/tiles.tres, resources/coin_settings.tres, default_bus_layout.tres"]
            .assert_eq(&refuse(json!({ "materialPath": "nope.tres" })));
        expect!["Invalid tool arguments: amount must be at least 1"]
            .assert_eq(&refuse(json!({ "amount": 0 })));
    }
}
