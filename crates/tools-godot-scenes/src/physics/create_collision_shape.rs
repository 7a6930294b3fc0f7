//! The tool `godotPhysics.createCollisionShape`, which MCP clients call `create_collision_shape`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_godot::{TupleKind, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InScene, OpenScene, Wanted, Write, given, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotPhysics.createCollisionShape",
    keywords: "hitbox hurtbox bounds collider circle rectangle capsule polygon box solid wall floor fall through collide",
    mcp: Some("create_collision_shape"),
    title: "Create Collision Shape",
    category: "godot.physics",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make the top of the lighthouse solid",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/level.tscn",
            "parentNodePath": "Lighthouse",
            "nodeName": "Roof",
            "shapeType": "capsule",
            "shapeParams": { "radius": 12, "height": 32 }
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Lighthouse/Roof",
            "nodeType": "CollisionShape2D",
            "shapeType": "CapsuleShape2D",
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

/// Add a collision shape to a body or area. 2D shapes are rectangle, circle, capsule and polygon;
/// 3D shapes are box, sphere, capsule, cylinder and convex.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Name of the new node.
    #[serde(default = "default_name")]
    node_name: String,
    /// Path of the body or area from the scene's root.
    parent_node_path: String,
    /// The shape.
    shape_type: ShapeType,
    /// Whether a capsule is a 3D one; below a 3D body it always is.
    #[serde(default, rename = "is3D")]
    is_3d: bool,
    /// Measures; Godot's own for those that are left out.
    #[serde(default)]
    shape_params: Measures,
    #[serde(flatten)]
    write: Write,
}

fn default_name() -> String {
    "CollisionShape".to_owned()
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ShapeType {
    Rectangle,
    Circle,
    Capsule,
    Polygon,
    Box,
    Sphere,
    Cylinder,
    Convex,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Measures {
    size_x: Option<f64>,
    size_y: Option<f64>,
    size_z: Option<f64>,
    radius: Option<f64>,
    height: Option<f64>,
    /// Corners of a polygon or convex shape, `{"x": 0, "y": 0}`; those of its size by default.
    points: Option<Vec<JsonMap>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its class.
    node_type: &'static str,
    /// Class of its shape.
    shape_type: &'static str,
    #[serde(flatten)]
    written: Written,
}

/// Corners of a shape are no more than this.
const MAX_POINTS: usize = 4096;

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let parent = godot.node(&open, &input.parent_node_path)?;
    let is_3d = dimension(cx, &godot, &open, &parent, &input)?;
    let node_type = if is_3d { "CollisionShape3D" } else { "CollisionShape2D" };
    let (shape_type, mut shape) = shape(&input, is_3d)?;
    shape.insert("type".to_owned(), shape_type.into());
    let shape = match input.shape_type {
        ShapeType::Convex => convex(&mut open, &input.shape_params.corners(is_3d)?)?,
        _ => Value::Object(shape),
    };
    let properties = given([("shape", Some(shape))]);
    let wanted = Wanted {
        class: node_type,
        name: &input.node_name,
        parent: &parent,
        properties: &properties,
    };
    let node_path = godot.make_node(&mut open, &wanted)?;
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, node_path, node_type, shape_type, written })
}

fn bad(text: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, text)
}

fn name(shape: ShapeType) -> String {
    json!(shape).as_str().unwrap_or_default().to_owned()
}

/// Whether the shape is a 3D one, which its type or its parent tells.
fn dimension(
    cx: &Cx,
    godot: &Godot<'_>,
    open: &OpenScene,
    parent: &str,
    input: &Input,
) -> Result<bool, ToolError> {
    let tree = godot.tree_of(open);
    let class = tree.node(parent).and_then(|node| node.class.as_deref()).unwrap_or_default();
    let is = |base: &str| godot.classes().inherits(class, base);
    let is_3d = match input.shape_type {
        ShapeType::Capsule => is("CollisionObject3D") || input.is_3d && !is("CollisionObject2D"),
        shape => matches!(
            shape,
            ShapeType::Box | ShapeType::Sphere | ShapeType::Cylinder | ShapeType::Convex
        ),
    };
    let (own, other) = if is_3d { (3, 2) } else { (2, 3) };
    if is(&format!("CollisionObject{other}D")) {
        return Err(bad(format!(
            "{parent} is {class}, and {} is a {own}D shape",
            name(input.shape_type)
        ))
        .hint(match other {
            2 => "2D shapes are rectangle, circle, capsule and polygon",
            _ => "3D shapes are box, sphere, capsule, cylinder and convex",
        }));
    }
    if input.is_3d && !is_3d {
        return Err(bad(format!("{} is a 2D shape, and is3D is true", name(input.shape_type)))
            .hint("3D shapes are box, sphere, capsule, cylinder and convex"));
    }
    if !is(&format!("CollisionObject{own}D")) {
        cx.diagnose(format!("{parent} is {class}: shapes only work below a body or an area"));
    }
    Ok(is_3d)
}

/// The class of the shape, and its properties.
fn shape(input: &Input, is_3d: bool) -> Result<(&'static str, JsonMap), ToolError> {
    let measures = &input.shape_params;
    let (class, takes): (_, &[&str]) = match input.shape_type {
        ShapeType::Rectangle => ("RectangleShape2D", &["sizeX", "sizeY"]),
        ShapeType::Circle => ("CircleShape2D", &["radius"]),
        ShapeType::Capsule if is_3d => ("CapsuleShape3D", &["radius", "height"]),
        ShapeType::Capsule => ("CapsuleShape2D", &["radius", "height"]),
        ShapeType::Polygon => ("ConvexPolygonShape2D", &["sizeX", "sizeY", "points"]),
        ShapeType::Box => ("BoxShape3D", &["sizeX", "sizeY", "sizeZ"]),
        ShapeType::Sphere => ("SphereShape3D", &["radius"]),
        ShapeType::Cylinder => ("CylinderShape3D", &["radius", "height"]),
        ShapeType::Convex => ("ConvexPolygonShape3D", &["sizeX", "sizeY", "sizeZ", "points"]),
    };
    measures.check(input.shape_type, takes)?;
    let properties = match input.shape_type {
        ShapeType::Rectangle | ShapeType::Box if !measures.has_size() => JsonMap::new(),
        ShapeType::Rectangle | ShapeType::Box => {
            given([("size", Some(json!(measures.size(is_3d))))])
        }
        ShapeType::Polygon => given([("points", Some(json!(measures.corners(is_3d)?)))]),
        ShapeType::Convex => JsonMap::new(),
        _ => given([
            ("radius", measures.radius.map(Value::from)),
            ("height", measures.height.map(Value::from)),
        ]),
    };
    Ok((class, properties))
}

impl Measures {
    /// An error for what the shape does not take, and for what is nothing.
    fn check(&self, shape: ShapeType, takes: &[&str]) -> Result<(), ToolError> {
        let numbers = [
            ("sizeX", self.size_x),
            ("sizeY", self.size_y),
            ("sizeZ", self.size_z),
            ("radius", self.radius),
            ("height", self.height),
        ];
        let given = numbers.iter().filter(|(_, number)| number.is_some()).map(|(key, _)| *key);
        let given = given.chain(self.points.is_some().then_some("points"));
        if let Some(other) = given.clone().find(|key| !takes.contains(key)) {
            return Err(bad(format!("a {} has no {other}", name(shape)))
                .hint(format!("it takes {}", takes.join(", "))));
        }
        for (key, number) in numbers {
            if number.is_some_and(|number| number <= 0.0) {
                return Err(bad(format!("{key} must be more than 0")));
            }
        }
        if shape == ShapeType::Capsule
            && let (Some(radius), Some(height)) = (self.radius, self.height)
            && height < radius * 2.0
        {
            return Err(bad(format!(
                "a capsule is at least as high as it is wide: {}",
                radius * 2.0
            )));
        }
        Ok(())
    }

    fn has_size(&self) -> bool {
        self.size_x.or(self.size_y).or(self.size_z).is_some()
    }

    /// The size, with Godot's own for what is not given.
    fn size(&self, is_3d: bool) -> Vec<f64> {
        let own = if is_3d { 1.0 } else { 20.0 };
        let axes = [self.size_x, self.size_y, self.size_z];
        axes.into_iter().take(2 + usize::from(is_3d)).map(|size| size.unwrap_or(own)).collect()
    }

    /// The corners, those of a box when none are given.
    fn corners(&self, is_3d: bool) -> Result<Vec<Vec<f64>>, ToolError> {
        let Some(points) = &self.points else { return Ok(box_corners(&self.size(is_3d))) };
        let least = if is_3d { 4 } else { 3 };
        if !(least..=MAX_POINTS).contains(&points.len()) {
            return Err(bad(format!("a shape has {least} to {MAX_POINTS} points")));
        }
        if self.has_size() {
            return Err(bad("points and a size contradict each other".to_owned()));
        }
        let axes: &[&str] = if is_3d { &["x", "y", "z"] } else { &["x", "y"] };
        let number = |point: &JsonMap, axis: &str| point.get(axis).and_then(Value::as_f64);
        let corner = |point| axes.iter().map(|axis| number(point, axis)).collect::<Option<_>>();
        let corners: Option<Vec<Vec<f64>>> = points.iter().map(corner).collect();
        let corners = corners.ok_or_else(|| bad(format!("each point has {}", axes.join(", "))))?;
        if !is_3d && !is_convex(&corners) {
            return Err(bad(
                "the points are not the corners of a convex shape, in order".to_owned()
            )
            .hint("divide it into several shapes, or add a CollisionPolygon2D with add_node"));
        }
        Ok(corners)
    }
}

/// A convex shape in the scene. The engine calls its points a list, and writes them packed.
fn convex(open: &mut OpenScene, corners: &[Vec<f64>]) -> Result<Value, ToolError> {
    let points = Variant::tuple(TupleKind::PackedVector3Array, &corners.concat())
        .expect("a packed array has any count of numbers");
    let id = open.scene.change(|document| {
        document.add_sub_resource("ConvexPolygonShape3D", &[("points", points)], None)
    });
    let id = id.map_err(refused)?;
    Ok(Variant::SubResource(id).to_text(3).into())
}

/// The corners of a box around the middle.
fn box_corners(size: &[f64]) -> Vec<Vec<f64>> {
    const AROUND: [[f64; 2]; 4] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let around = AROUND.map(|[x, y]| vec![x * size[0], y * size[1]]);
    let Some(depth) = size.get(2) else { return around.to_vec() };
    let sides = [-0.5, 0.5].map(|z| around.clone().map(|side| [side, vec![z * depth]].concat()));
    sides.concat()
}

/// Whether a way round the points always turns to the same side.
fn is_convex(points: &[Vec<f64>]) -> bool {
    let at = |index: usize| &points[index % points.len()];
    let turns: Vec<f64> = (0..points.len())
        .map(|index| {
            let (a, b, c) = (at(index), at(index + 1), at(index + 2));
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        })
        .collect();
    let turn = |side: fn(&f64) -> bool| turns.iter().any(side);
    turn(|turn| *turn != 0.0) && !(turn(|turn| *turn > 0.0) && turn(|turn| *turn < 0.0))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(shape: &str, measures: Value, expected: Expect) {
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "parentNodePath": ".", "nodeName": "Edge",
            "shapeType": shape, "shapeParams": measures,
        });
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_rectangle_has_a_size() {
        check(
            "rectangle",
            json!({ "sizeX": 4 }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                @@ -6,6 +6,9 @@
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
 
                +[sub_resource type="RectangleShape2D" id="RectangleShape2D_ulej1"]
                +size = Vector2(4, 20)
                +
                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                 collision_mask = 2
                @@ -18,4 +21,7 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
                +[node name="Edge" type="CollisionShape2D" parent="."]
                +shape = SubResource("RectangleShape2D_ulej1")
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
    }

    #[test]
    fn a_polygon_has_corners() {
        let triangle = json!([{ "x": 0, "y": 0 }, { "x": 8, "y": 0 }, { "x": 4, "y": 6.5 }]);
        check(
            "polygon",
            json!({ "points": triangle }),
            expect![[r#"
                --- a/scenes/coin.tscn
                +++ b/scenes/coin.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
                +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]
 
                 [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
                 [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
                @@ -6,6 +6,9 @@
                 [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
                 radius = 7.0
 
                +[sub_resource type="ConvexPolygonShape2D" id="ConvexPolygonShape2D_lk8m8"]
                +points = PackedVector2Array(0, 0, 8, 0, 4, 6.5)
                +
                 [node name="Coin" type="Area2D" groups=["coins"]]
                 collision_layer = 4
                 collision_mask = 2
                @@ -18,4 +21,7 @@
                 [node name="Face" type="Polygon2D" parent="."]
                 polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
                +[node name="Edge" type="CollisionShape2D" parent="."]
                +shape = SubResource("ConvexPolygonShape2D_lk8m8")
                +
                 [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            "#]],
        );
    }

    #[test]
    fn below_a_3d_body_all_shapes_are_3d() {
        let sample = GodotSample::new();
        sample.write(
            "scenes/room.tscn",
            "[gd_scene format=3]\n\n[node name=\"Room\" type=\"StaticBody3D\"]\n",
        );
        for (shape, measures) in [
            ("capsule", json!({ "radius": 0.25 })),
            ("box", json!({})),
            ("cylinder", json!({ "height": 3 })),
            ("convex", json!({ "sizeX": 2 })),
        ] {
            let arguments = json!({
                "scenePath": "scenes/room.tscn", "parentNodePath": ".", "nodeName": shape,
                "shapeType": shape, "shapeParams": measures,
            });
            sample.call(super::TOOL.id, arguments).unwrap();
        }
        expect![[r#"
            [gd_scene format=3]

            [sub_resource type="CapsuleShape3D" id="CapsuleShape3D_plbi7"]
            radius = 0.25

            [sub_resource type="BoxShape3D" id="BoxShape3D_a5uo1"]

            [sub_resource type="CylinderShape3D" id="CylinderShape3D_wlm6w"]
            height = 3.0

            [sub_resource type="ConvexPolygonShape3D" id="ConvexPolygonShape3D_0ueev"]
            points = PackedVector3Array(-1, -0.5, -0.5, 1, -0.5, -0.5, 1, 0.5, -0.5, -1, 0.5, -0.5, -1, -0.5, 0.5, 1, -0.5, 0.5, 1, 0.5, 0.5, -1, 0.5, 0.5)

            [node name="Room" type="StaticBody3D"]

            [node name="capsule" type="CollisionShape3D" parent="."]
            shape = SubResource("CapsuleShape3D_plbi7")

            [node name="box" type="CollisionShape3D" parent="."]
            shape = SubResource("BoxShape3D_a5uo1")

            [node name="cylinder" type="CollisionShape3D" parent="."]
            shape = SubResource("CylinderShape3D_wlm6w")

            [node name="convex" type="CollisionShape3D" parent="."]
            shape = SubResource("ConvexPolygonShape3D_0ueev")
        "#]].assert_eq(&sample.read("scenes/room.tscn"));
    }

    #[test]
    fn what_makes_no_shape_is_said() {
        let sample = GodotSample::new();
        let refuse = |shape: &str, measures: Value| {
            let arguments = json!({
                "scenePath": "scenes/coin.tscn", "parentNodePath": ".", "nodeName": "Edge",
                "shapeType": shape, "shapeParams": measures,
            });
            sample.error(super::TOOL.id, arguments)
        };
        expect![". is Area2D, and box is a 3D shape; 2D shapes are rectangle, circle, capsule and polygon"].assert_eq(&refuse("box", json!({})));
        expect!["a circle has no sizeX; it takes radius"]
            .assert_eq(&refuse("circle", json!({ "sizeX": 3 })));
        expect!["radius must be more than 0"].assert_eq(&refuse("circle", json!({ "radius": 0 })));
        expect!["a capsule is at least as high as it is wide: 8"]
            .assert_eq(&refuse("capsule", json!({ "radius": 4, "height": 6 })));
        let bow =
            json!([{ "x": 0, "y": 0 }, { "x": 1, "y": 1 }, { "x": 1, "y": 0 }, { "x": 0, "y": 1 }]);
        expect!["the points are not the corners of a convex shape, in order; divide it into several shapes, or add a CollisionPolygon2D with add_node"].assert_eq(&refuse("polygon", json!({ "points": bow })));
        expect!["a shape has 3 to 4096 points"]
            .assert_eq(&refuse("polygon", json!({ "points": [] })));
    }
}
