//! The tool `godotLighting.createLight`, which MCP clients call `create_light`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InNewNode, InScene, NodeMade, Wanted, Write, given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLighting.createLight",
    keywords: "lamp sun torch omni spot directional point shadow bright illuminate flashlight lantern",
    mcp: Some("create_light"),
    title: "Create Light",
    category: "godot.lighting",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let the lamp of the lighthouse shine",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "nodeName": "Glow",
            "parentNodePath": "Lighthouse/Lamp",
            "lightType": "point_2d",
            "color": { "r": 1, "g": 0.9, "b": 0.6 },
            "energy": 1.5,
            "range": 120
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Lighthouse/Lamp/Glow",
            "nodeType": "PointLight2D",
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

/// Add a light to a scene. A point_2d light without a texture gets a round gradient of its range,
/// for without any it would not shine.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// The kind of light.
    light_type: LightType,
    /// `{"r": 1, "g": 0.9, "b": 0.7}` or `"#ffe6b3"`; white by default.
    #[schemars(extend("type" = ["object", "string"]))]
    color: Option<Value>,
    /// Strength; 1 by default.
    #[schemars(range(min = 0))]
    energy: Option<f64>,
    /// How far an omni_3d or spot_3d light reaches in metres, 5 by default; a point_2d light in
    /// pixels, 64 by default.
    #[schemars(extend("exclusiveMinimum" = 0))]
    range: Option<f64>,
    /// Half of a spot_3d's opening, in degrees; 45 by default.
    #[schemars(range(min = 0, max = 180))]
    spot_angle: Option<f64>,
    /// Whether it casts shadows; false by default.
    shadow_enabled: Option<bool>,
    /// Shape of a point_2d light: `res://light.png`.
    texture_path: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
enum LightType {
    #[serde(rename = "directional_3d")]
    Directional3D,
    #[serde(rename = "omni_3d")]
    Omni3D,
    #[serde(rename = "spot_3d")]
    Spot3D,
    #[serde(rename = "point_2d")]
    Point2D,
    #[serde(rename = "directional_2d")]
    Directional2D,
}

impl LightType {
    fn class(self) -> &'static str {
        match self {
            Self::Directional3D => "DirectionalLight3D",
            Self::Omni3D => "OmniLight3D",
            Self::Spot3D => "SpotLight3D",
            Self::Point2D => "PointLight2D",
            Self::Directional2D => "DirectionalLight2D",
        }
    }
}

/// Pixels that a light without a range reaches.
const RANGE_2D: f64 = 64.0;
/// Larger gradients are more than any light needs.
const MAX_RANGE_2D: f64 = 2048.0;

fn run(cx: &Cx, input: Input) -> Result<NodeMade, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let properties = properties(&input)?;
    let wanted = Wanted {
        class: input.light_type.class(),
        name: &input.new.node_name,
        parent: &input.new.parent.parent_node_path,
        properties: &properties,
    };
    godot.make_only(&input.scene, &wanted, input.write)
}

fn properties(input: &Input) -> Result<JsonMap, ToolError> {
    let kind = input.light_type;
    let refuse = |what: &str| {
        let name = json!(kind);
        let text = format!("{} lights have no {what}", name.as_str().unwrap_or_default());
        Err(ToolError::new(ErrorKind::BadArguments, text))
    };
    if input.spot_angle.is_some() && kind != LightType::Spot3D {
        return refuse("spotAngle");
    }
    if input.texture_path.is_some() && kind != LightType::Point2D {
        return refuse("texturePath");
    }
    let is_2d = matches!(kind, LightType::Point2D | LightType::Directional2D);
    let (color, energy) = if is_2d { ("color", "energy") } else { ("light_color", "light_energy") };
    let mut properties = given([
        (color, input.color.clone()),
        (energy, input.energy.map(Value::from)),
        ("shadow_enabled", input.shadow_enabled.map(Value::from)),
    ]);
    let range = input.range.map(Value::from);
    properties.extend(match kind {
        LightType::Omni3D => given([("omni_range", range)]),
        LightType::Spot3D => {
            given([("spot_range", range), ("spot_angle", input.spot_angle.map(Value::from))])
        }
        LightType::Point2D => given([("texture", Some(texture(input)?))]),
        _ if range.is_some() => return refuse("range"),
        _ => JsonMap::new(),
    });
    Ok(properties)
}

/// The picture of a 2D light: a file, or a gradient that ends at the range.
fn texture(input: &Input) -> Result<Value, ToolError> {
    let wrong = |text: String| ToolError::new(ErrorKind::BadArguments, text);
    if let Some(path) = &input.texture_path {
        return match input.range {
            None => Ok(path.as_str().into()),
            Some(_) => Err(wrong("the texture tells how far the light reaches".to_owned())
                .hint("leave range out; edit_node sets texture_scale")),
        };
    }
    let range = input.range.unwrap_or(RANGE_2D);
    if range > MAX_RANGE_2D {
        return Err(wrong(format!("a gradient reaches {MAX_RANGE_2D} pixels at most"))
            .hint("make a smaller one, and set texture_scale with edit_node"));
    }
    let side = (range * 2.0).round().max(2.0) as i64;
    Ok(json!({
        "type": "GradientTexture2D",
        "gradient": { "type": "Gradient", "colors": [1, 1, 1, 1, 0, 0, 0, 1] },
        "width": side,
        "height": side,
        "fill": "radial",
        "fill_from": [0.5, 0.5],
        "fill_to": [1, 0.5],
    }))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "scenePath": "scenes/coin.tscn", "nodeName": "Light" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    fn check(more: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments(more)));
    }

    #[test]
    fn a_2d_light_has_something_to_shine_with() {
        check(
            json!({ "lightType": "point_2d", "range": 20, "energy": 1 }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=6 format=3 uid="uid://da5dy46gvq05t"]
 
                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                @@ -6,6 +6,17 @@
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
 
                +[sub_resource type="Gradient" id="Gradient_nxcqm"]
                +colors = PackedColorArray(1, 1, 1, 1, 0, 0, 0, 1)
                +
                +[sub_resource type="GradientTexture2D" id="GradientTexture2D_mf7dl"]
                +gradient = SubResource("Gradient_nxcqm")
                +width = 40
                +height = 40
                +fill = 1
                +fill_from = Vector2(0.5, 0.5)
                +fill_to = Vector2(1, 0.5)
                +
                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                 collision_mask = 2
                @@ -18,4 +29,7 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
                +[node name="Light" type="PointLight2D" parent="."]
                +texture = SubResource("GradientTexture2D_mf7dl")
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
        check(
            json!({ "lightType": "point_2d", "texturePath": "icon.svg", "shadowEnabled": true }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,7 +1,8 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                +[ext_resource type="Texture2D" uid="uid://dr6nbosst7erv" path="res://icon.svg" id="3_n1mvy"]
 
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
                @@ -18,4 +19,8 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
                +[node name="Light" type="PointLight2D" parent="."]
                +shadow_enabled = true
                +texture = ExtResource("3_n1mvy")
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
    }

    #[test]
    fn each_3d_light_has_its_own_range() {
        check(
            json!({ "lightType": "spot_3d", "range": 12, "spotAngle": 30, "color": "#ffffff80" }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -18,4 +18,9 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
                +[node name="Light" type="SpotLight3D" parent="."]
                +light_color = Color(1, 1, 1, 0.5019608)
                +spot_range = 12.0
                +spot_angle = 30.0
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
        check(
            json!({ "lightType": "omni_3d", "range": 2.5, "energy": 4 }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -18,4 +18,8 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
                +[node name="Light" type="OmniLight3D" parent="."]
                +light_energy = 4.0
                +omni_range = 2.5
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
    }

    #[test]
    fn what_a_light_does_not_have_is_said() {
        let sample = GodotSample::new();
        let refuse = |more| sample.error(super::TOOL.id, arguments(more));
        expect!["omni_3d lights have no spotAngle"]
            .assert_eq(&refuse(json!({ "lightType": "omni_3d", "spotAngle": 3 })));
        expect!["directional_2d lights have no range"]
            .assert_eq(&refuse(json!({ "lightType": "directional_2d", "range": 3 })));
        expect![[r##"OmniLight3D.light_color takes Color, not "sunny"; write "#ff8800" or {"r": 1, "g": 0.5, "b": 0}"##]].assert_eq(&refuse(json!({ "lightType": "omni_3d", "color": "sunny" })));
        expect!["the texture tells how far the light reaches; leave range out; edit_node sets texture_scale"].assert_eq(&refuse(
            json!({ "lightType": "point_2d", "texturePath": "icon.svg", "range": 9 }),
        ));
        expect!["Invalid tool arguments: range is not valid: 0 is less than or equal to the minimum of 0"].assert_eq(&refuse(json!({ "lightType": "omni_3d", "range": 0 })));
    }
}
