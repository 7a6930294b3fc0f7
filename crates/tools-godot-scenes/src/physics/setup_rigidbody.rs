//! The tool `godotPhysics.setupRigidbody`, which MCP clients call `setup_rigidbody`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InScene, OpenScene, Write, given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotPhysics.setupRigidbody",
    keywords: "mass gravity friction bounce fall dynamic heavier lighter floaty weight heavy light physics damping freeze physical",
    mcp: Some("setup_rigidbody"),
    title: "Setup RigidBody",
    category: "godot.physics",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Let a crate be heavy and slow",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "nodePath": "Crate",
            "mass": 12,
            "linear_damp": 0.5
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Crate",
            "nodeType": "RigidBody2D",
            "properties": { "mass": 12.0, "linear_damp": 0.5 },
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "godotScene.addNode",
        input: r#"{
            "projectPath": "godot", "scenePath": "res://scenes/level.tscn",
            "nodeType": "RigidBody2D", "nodeName": "Crate"
        }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set how a RigidBody2D or RigidBody3D behaves. What is left out stays as it is.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the body from the scene's root.
    node_path: String,
    /// `static` and `kinematic` freeze it in that mode. A new body is dynamic.
    body_type: Option<BodyType>,
    /// Kilograms; a new body has 1.
    #[schemars(extend("exclusiveMinimum" = 0))]
    mass: Option<f64>,
    /// How much gravity counts; a new body has 1.
    #[serde(rename = "gravity_scale")]
    gravity_scale: Option<f64>,
    /// How fast it gets slower.
    #[serde(rename = "linear_damp")]
    #[schemars(range(min = 0))]
    linear_damp: Option<f64>,
    /// How fast it stops to turn.
    #[serde(rename = "angular_damp")]
    #[schemars(range(min = 0))]
    angular_damp: Option<f64>,
    /// A PhysicsMaterial: `res://ice.tres`.
    #[serde(rename = "physics_material")]
    physics_material: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum BodyType {
    Dynamic,
    Static,
    Kinematic,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the body from the scene's root.
    node_path: String,
    /// Its class.
    node_type: String,
    /// What was set.
    properties: JsonMap,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let node_path = godot.node(&open, &input.node_path)?;
    let node_type = body_class(&godot, &open, &node_path)?;
    let frozen = input.body_type.map(|body| body != BodyType::Dynamic);
    let mode = input.body_type.filter(|body| *body != BodyType::Dynamic);
    let properties = given([
        ("mass", input.mass.map(Value::from)),
        ("physics_material_override", input.physics_material.map(Value::from)),
        ("gravity_scale", input.gravity_scale.map(Value::from)),
        ("freeze", frozen.map(Value::from)),
        ("freeze_mode", mode.map(|mode| json!(mode))),
        ("linear_damp", input.linear_damp.map(Value::from)),
        ("angular_damp", input.angular_damp.map(Value::from)),
    ]);
    godot.set_node(&mut open, &node_path, &properties)?;
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, node_path, node_type, properties, written })
}

/// The class of a rigid body, or what to use for another node.
fn body_class(godot: &Godot<'_>, open: &OpenScene, path: &str) -> Result<String, ToolError> {
    let tree = godot.tree_of(open);
    let class = tree.node(path).and_then(|node| node.class.as_deref()).unwrap_or("unknown");
    let is = |base: &str| godot.classes().inherits(class, base);
    if is("RigidBody2D") || is("RigidBody3D") {
        return Ok(class.to_owned());
    }
    Err(ToolError::new(ErrorKind::BadArguments, format!("{path} is {class}, no rigid body"))
        .hint("add_node makes a RigidBody2D or RigidBody3D"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    fn sample() -> GodotSample {
        let sample = GodotSample::new();
        let body = json!({
            "scenePath": "scenes/coin.tscn", "nodeType": "RigidBody2D", "nodeName": "Body",
            "properties": { "mass": 3, "angular_velocity": 2 },
        });
        sample.call("godotScene.addNode", body).unwrap();
        sample
    }

    #[test]
    fn properties_stand_in_the_order_of_the_engine_and_others_stay() {
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "nodePath": "Body", "bodyType": "kinematic",
            "gravityScale": 0.5,
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -20,6 +20,9 @@
 
             [node name="Body" type="RigidBody2D" parent="."]
             mass = 3.0
            +gravity_scale = 0.5
            +freeze = true
            +freeze_mode = 1
             angular_velocity = 2.0
 
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_a_body_has_anyway_is_not_written() {
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "nodePath": "Body", "bodyType": "dynamic", "mass": 1,
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -19,7 +19,6 @@
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
             [node name="Body" type="RigidBody2D" parent="."]
            -mass = 3.0
             angular_velocity = 2.0
 
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_body_of_an_instance_is_overridden() {
        let sample = sample();
        let arguments = json!({
            "scenePath": "scenes/main.tscn", "nodePath": "Coins/Coin2/Body", "mass": 1,
        });
        expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -35,6 +35,9 @@
             [node name="Coin2" parent="Coins" instance=ExtResource("3_c8r3i")]
             position = Vector2(216, 224)
 
            +[node name="Body" parent="Coins/Coin2" index="2"]
            +mass = 1.0
            +
             [node name="Coin3" parent="Coins" groups=["high"] instance=ExtResource("3_c8r3i")]
             position = Vector2(352, 208)
 
            @@ -113,3 +116,4 @@
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]
 
             [editable path="Level"]
            +[editable path="Coins/Coin2"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
        let again = json!({
            "scenePath": "scenes/main.tscn", "nodePath": "Coins/Coin2/Body", "mass": 2,
        });
        expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -36,7 +36,7 @@
             position = Vector2(216, 224)
 
             [node name="Body" parent="Coins/Coin2" index="2"]
            -mass = 1.0
            +mass = 2.0
 
             [node name="Coin3" parent="Coins" groups=["high"] instance=ExtResource("3_c8r3i")]
             position = Vector2(352, 208)
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, again));
    }

    #[test]
    fn what_is_no_body_is_said() {
        let sample = sample();
        let place = |node: &str| json!({ "scenePath": "scenes/coin.tscn", "nodePath": node });
        expect![". is Area2D, no rigid body; add_node makes a RigidBody2D or RigidBody3D"]
            .assert_eq(&sample.error(super::TOOL.id, place(".")));
        let mut material = place("Body");
        material["physics_material"] = "resources/theme.tres".into();
        expect!["resources/theme.tres is a Theme, and a PhysicsMaterial is needed"]
            .assert_eq(&sample.error(super::TOOL.id, material));
        let mut massless = place("Body");
        massless["mass"] = 0.into();
        expect![
            "Invalid tool arguments: mass is not valid: 0 is less than or equal to the minimum of 0"
        ]
        .assert_eq(&sample.error(super::TOOL.id, massless));
    }
}
