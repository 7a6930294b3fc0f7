//! The tool `godotAnimation.blendAnimations`, which MCP clients call `blend_animations`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{ResourceId, TupleKind, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_tools_godot::base::animations::check_animation;
use scenewright_tools_godot::base::trees::{
    AUTO, BLEND_TREE, START, STATE_MACHINE, Transition, check_name,
};
use scenewright_tools_godot::base::{
    AnimationGraph, Godot, InGodot, InScene, OpenScene, Write, is_default,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.blendAnimations",
    keywords: "blend space mix transition between animations walk run speed 1d 2d locomotion",
    mcp: Some("blend_animations"),
    title: "Blend Animations",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Go from standing to hopping by one number",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/actor.tscn",
            "animTreePath": "SpeedTree",
            "blendSpaceName": "Speed",
            "type": "1d",
            "points": [
                { "animation": "idle", "position": 0 },
                { "animation": "hop", "position": 1 }
            ],
            "minSpace": 0
        }"#,
        output: r#"{
            "success": true,
            "animTreePath": "SpeedTree",
            "blendSpaceName": "Speed",
            "type": "1d",
            "pointsAdded": 2,
            "parameter": "parameters/Speed/blend_position",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "godotAnimation.createAnimationTree",
        input: r#"{
            "projectPath": "godot", "scenePath": "res://scenes/actor.tscn",
            "nodeName": "SpeedTree", "animPlayerPath": "AnimationPlayer"
        }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put a blend space into an AnimationTree: a state of its state machine, or a node of its blend
/// tree. A blend space of this name is replaced; the first node of a machine becomes its start.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the AnimationTree from the scene's root.
    anim_tree_path: String,
    /// Name of the state or node.
    blend_space_name: String,
    /// One number chooses the mix, or two.
    #[serde(rename = "type")]
    space: Space,
    /// Animations and their places: `position` in 1d, `positionX` and `positionY` in 2d.
    #[schemars(length(min = 1, max = 64))]
    points: Vec<Point>,
    /// Lowest position; -1 unless a point is lower.
    min_space: Option<f64>,
    /// Highest position; 1 unless a point is higher.
    max_space: Option<f64>,
    /// The same for Y in 2d.
    min_space_y: Option<f64>,
    /// The same for Y in 2d.
    max_space_y: Option<f64>,
    /// How neighbours mix; `interpolated` by default.
    blend_mode: Option<BlendMode>,
    /// Let animations that are not heard go on in time.
    sync: Option<bool>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
enum Space {
    #[serde(rename = "1d")]
    One,
    #[serde(rename = "2d")]
    Two,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Point {
    animation: String,
    position: Option<f64>,
    position_x: Option<f64>,
    position_y: Option<f64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum BlendMode {
    Interpolated,
    Discrete,
    Carry,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the tree from the scene's root.
    anim_tree_path: String,
    /// Name of the state or node.
    blend_space_name: String,
    /// Its dimensions.
    #[serde(rename = "type")]
    space: Space,
    /// How many points it has.
    points_added: usize,
    /// The property of the tree that chooses the position.
    parameter: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    check_name(&input.blend_space_name)?;
    let space = Shape::of(&input)?;
    let mut open = godot.open_scene(&input.scene)?;
    let mut graph = godot.animation_graph(&mut open, &input.anim_tree_path)?;
    if graph.class != STATE_MACHINE && graph.class != BLEND_TREE {
        return Err(bad(format!(
            "the tree_root of {} is {}, which has no nodes by name",
            graph.tree, graph.class
        ))
        .hint("create_animation_tree makes a tree with a state machine"));
    }
    let name = &input.blend_space_name;
    if let Some((_, class)) = graph.node(&open, name).filter(|(_, class)| !is_space(class)) {
        return Err(bad(format!("{name} is {class}, no blend space"))
            .hint("nothing was changed; choose another name"));
    }
    graph.replacing(&mut open, |graph, open| {
        let id = space.make(&godot, open, graph, &input)?;
        graph.set_node(open, name, &id)?;
        connect(open, graph, name)
    })?;
    let written = graph.root.save(&open, &godot, input.write)?;
    Ok(Output {
        success: true,
        anim_tree_path: graph.tree,
        parameter: format!("parameters/{}/blend_position", input.blend_space_name),
        blend_space_name: input.blend_space_name,
        space: input.space,
        points_added: input.points.len(),
        written,
    })
}

fn bad(text: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, text)
}

fn is_space(class: &str) -> bool {
    class.starts_with("AnimationNodeBlendSpace")
}

/// Where the points are and how far the space goes, for each axis.
struct Shape {
    points: Vec<Vec<f64>>,
    min: Vec<f64>,
    max: Vec<f64>,
}

impl Shape {
    fn of(input: &Input) -> Result<Shape, ToolError> {
        let two = input.space == Space::Two;
        if !two && (input.min_space_y.is_some() || input.max_space_y.is_some()) {
            return Err(bad("a 1d blend space has no Y".to_owned()));
        }
        let points: Vec<Vec<f64>> =
            input.points.iter().map(|point| place(point, two)).collect::<Result<_, _>>()?;
        let bounds = [
            (input.min_space, input.max_space),
            (input.min_space_y.or(input.min_space), input.max_space_y.or(input.max_space)),
        ];
        let (mut min, mut max) = (Vec::new(), Vec::new());
        for (axis, (lowest, highest)) in bounds.into_iter().take(1 + usize::from(two)).enumerate() {
            let along = || points.iter().map(|point| point[axis]);
            let lowest = lowest.unwrap_or_else(|| along().fold(-1.0, f64::min));
            let highest = highest.unwrap_or_else(|| along().fold(1.0, f64::max));
            if lowest >= highest {
                return Err(bad(format!("the space is empty: it goes from {lowest} to {highest}")));
            }
            if let Some(outside) = along().find(|at| !(lowest..=highest).contains(at)) {
                return Err(bad(format!(
                    "a point at {outside} is outside of {lowest} to {highest}"
                )));
            }
            min.push(lowest);
            max.push(highest);
        }
        Ok(Shape { points, min, max })
    }

    fn make(
        &self,
        godot: &Godot<'_>,
        open: &mut OpenScene,
        graph: &mut AnimationGraph,
        input: &Input,
    ) -> Result<ResourceId, ToolError> {
        let mut points = Vec::new();
        for (number, (point, place)) in input.points.iter().zip(&self.points).enumerate() {
            check_animation(graph.animations.as_ref(), &point.animation)?;
            let plays = [("animation", Variant::StringName(point.animation.clone()))];
            let id = graph.add_resource(open, "AnimationNodeAnimation", &plays)?;
            points.push((format!("blend_point_{number}/node"), Variant::SubResource(id)));
            points.push((format!("blend_point_{number}/pos"), vector(place)));
        }
        let class = match input.space {
            Space::One => "AnimationNodeBlendSpace1D",
            Space::Two => "AnimationNodeBlendSpace2D",
        };
        let mut properties: Vec<_> =
            points.iter().map(|(key, value)| (&**key, value.clone())).collect();
        properties.push(("min_space", vector(&self.min)));
        properties.push(("max_space", vector(&self.max)));
        properties.extend(input.blend_mode.map(|mode| ("blend_mode", Variant::int(mode as i64))));
        properties.extend(input.sync.map(|sync| ("sync", Variant::Bool(sync))));
        properties.retain(|(key, value)| !is_default(godot.classes(), class, key, value));
        graph.add_resource(open, class, &properties)
    }
}

fn place(point: &Point, two: bool) -> Result<Vec<f64>, ToolError> {
    match (two, point.position, point.position_x, point.position_y) {
        (false, Some(at), None, None) => Ok(vec![at]),
        (true, None, Some(x), Some(y)) => Ok(vec![x, y]),
        (false, ..) => {
            Err(bad(format!("the point of {} needs position alone in 1d", point.animation)))
        }
        (true, ..) => Err(bad(format!(
            "the point of {} needs positionX and positionY in 2d",
            point.animation
        ))),
    }
}

fn vector(numbers: &[f64]) -> Variant {
    match numbers {
        [x, y] => Variant::tuple(TupleKind::Vector2, &[*x, *y]).expect("a vector has two numbers"),
        _ => Variant::float(numbers.first().copied().unwrap_or_default()),
    }
}

/// Let the tree reach a node that is its only one.
fn connect(open: &mut OpenScene, graph: &mut AnimationGraph, name: &str) -> Result<(), ToolError> {
    if graph.nodes(open).len() > 1 {
        return Ok(());
    }
    if graph.class == BLEND_TREE {
        if graph.root.property(open, "node_connections").is_some() {
            return Ok(());
        }
        let output = Variant::StringName("output".to_owned());
        let items = vec![output, Variant::int(0), Variant::StringName(name.to_owned())];
        return graph.set_list(open, "node_connections", items);
    }
    if !graph.transitions(open).is_empty() {
        return Ok(());
    }
    let advance = [("advance_mode", Variant::int(AUTO))];
    let id = graph.add_resource(open, "AnimationNodeStateMachineTransition", &advance)?;
    let (from, to) = (START.to_owned(), name.to_owned());
    graph.set_transitions(open, &[Transition { from, to, resource: Variant::SubResource(id) }])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn sample() -> GodotSample {
        let sample = GodotSample::new();
        let tree = json!({
            "scenePath": "scenes/actor.tscn", "nodeName": "Tree",
            "animPlayerPath": "AnimationPlayer",
        });
        sample.call("godotAnimation.createAnimationTree", tree).unwrap();
        sample
    }

    fn space(kind: &str, points: Value) -> Value {
        json!({
            "scenePath": "scenes/actor.tscn", "animTreePath": "Tree", "blendSpaceName": "Move",
            "type": kind, "points": points,
        })
    }

    fn line() -> Value {
        json!([{ "animation": "idle", "position": 0 }, { "animation": "hop", "position": 2.5 }])
    }

    #[test]
    fn a_line_is_the_first_state_and_is_replaced_by_a_plane() {
        let sample = sample();
        let mut arguments = space("1d", line());
        arguments["sync"] = true.into();
        arguments["blendMode"] = "carry".into();
        expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=8 format=3 uid="uid://u4ujiidj5i7c"]
            +[gd_scene load_steps=12 format=3 uid="uid://u4ujiidj5i7c"]
 
             [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
            @@ -86,7 +86,28 @@
             &"idle": SubResource("Animation_i6d1e")
             }
 
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_e6la7"]
            +animation = &"idle"
            +
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_hqwsa"]
            +animation = &"hop"
            +
            +[sub_resource type="AnimationNodeBlendSpace1D" id="AnimationNodeBlendSpace1D_ny5c0"]
            +blend_point_0/node = SubResource("AnimationNodeAnimation_e6la7")
            +blend_point_0/pos = 0.0
            +blend_point_1/node = SubResource("AnimationNodeAnimation_hqwsa")
            +blend_point_1/pos = 2.5
            +max_space = 2.5
            +blend_mode = 2
            +sync = true
            +
            +[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_briqx"]
            +advance_mode = 2
            +
             [sub_resource type="AnimationNodeStateMachine" id="AnimationNodeStateMachine_u6lm6"]
            +states/Move/node = SubResource("AnimationNodeBlendSpace1D_ny5c0")
            +states/Move/position = Vector2(380, 100)
            +transitions = ["Start", "Move", SubResource("AnimationNodeStateMachineTransition_briqx")]
 
             [node name="Actor" type="CharacterBody2D"]
             script = ExtResource("1_a9c2f")
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
        let plane = json!([
            { "animation": "idle", "positionX": 0, "positionY": 0 },
            { "animation": "hop", "positionX": 1, "positionY": 0.5 },
            { "animation": "hop", "positionX": -1, "positionY": 0.5 },
        ]);
        expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=12 format=3 uid="uid://u4ujiidj5i7c"]
            +[gd_scene load_steps=13 format=3 uid="uid://u4ujiidj5i7c"]
 
             [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
            @@ -86,26 +86,28 @@
             &"idle": SubResource("Animation_i6d1e")
             }
 
            -[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_e6la7"]
            +[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_briqx"]
            +advance_mode = 2
            +
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_3bsuv"]
             animation = &"idle"
 
            -[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_hqwsa"]
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_3471q"]
             animation = &"hop"
 
            -[sub_resource type="AnimationNodeBlendSpace1D" id="AnimationNodeBlendSpace1D_ny5c0"]
            -blend_point_0/node = SubResource("AnimationNodeAnimation_e6la7")
            -blend_point_0/pos = 0.0
            -blend_point_1/node = SubResource("AnimationNodeAnimation_hqwsa")
            -blend_point_1/pos = 2.5
            -max_space = 2.5
            -blend_mode = 2
            -sync = true
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_fs11g"]
            +animation = &"hop"
 
            -[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_briqx"]
            -advance_mode = 2
            +[sub_resource type="AnimationNodeBlendSpace2D" id="AnimationNodeBlendSpace2D_o503d"]
            +blend_point_0/node = SubResource("AnimationNodeAnimation_3bsuv")
            +blend_point_0/pos = Vector2(0, 0)
            +blend_point_1/node = SubResource("AnimationNodeAnimation_3471q")
            +blend_point_1/pos = Vector2(1, 0.5)
            +blend_point_2/node = SubResource("AnimationNodeAnimation_fs11g")
            +blend_point_2/pos = Vector2(-1, 0.5)
 
             [sub_resource type="AnimationNodeStateMachine" id="AnimationNodeStateMachine_u6lm6"]
            -states/Move/node = SubResource("AnimationNodeBlendSpace1D_ny5c0")
            +states/Move/node = SubResource("AnimationNodeBlendSpace2D_o503d")
             states/Move/position = Vector2(380, 100)
             transitions = ["Start", "Move", SubResource("AnimationNodeStateMachineTransition_briqx")]
 
        "#]].assert_eq(&sample.diff(super::TOOL.id, space("2d", plane)));
    }

    #[test]
    fn a_blend_tree_gets_a_node() {
        let sample = GodotSample::new();
        sample.write(
            "scenes/room.tscn",
            "[gd_scene format=3]\n\n[sub_resource type=\"AnimationNodeBlendTree\" id=\"T_1\"]\n\n[node name=\"Room\" type=\"Node3D\"]\n\n[node name=\"Tree\" type=\"AnimationTree\" parent=\".\"]\ntree_root = SubResource(\"T_1\")\n",
        );
        let mut arguments = space("1d", line());
        arguments["scenePath"] = "scenes/room.tscn".into();
        expect![[r#"
            --- a/scenes/room.tscn
            +++ b/scenes/room.tscn
            @@ -1,6 +1,22 @@
             [gd_scene format=3]
 
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_xfst1"]
            +animation = &"idle"
            +
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_1u77g"]
            +animation = &"hop"
            +
            +[sub_resource type="AnimationNodeBlendSpace1D" id="AnimationNodeBlendSpace1D_qy372"]
            +blend_point_0/node = SubResource("AnimationNodeAnimation_xfst1")
            +blend_point_0/pos = 0.0
            +blend_point_1/node = SubResource("AnimationNodeAnimation_1u77g")
            +blend_point_1/pos = 2.5
            +max_space = 2.5
            +
             [sub_resource type="AnimationNodeBlendTree" id="T_1"]
            +nodes/Move/node = SubResource("AnimationNodeBlendSpace1D_qy372")
            +nodes/Move/position = Vector2(380, 100)
            +node_connections = [&"output", 0, &"Move"]
 
             [node name="Room" type="Node3D"]
 
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = sample();
        let refuse = |change: Value| {
            let mut arguments = space("1d", line());
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["animation not found: hopp; did you mean hop?"]
            .assert_eq(&refuse(json!({ "points": [{ "animation": "hopp", "position": 0 }] })));
        expect!["the point of idle needs positionX and positionY in 2d"]
            .assert_eq(&refuse(json!({ "type": "2d" })));
        expect!["a point at 2.5 is outside of -1 to 2"]
            .assert_eq(&refuse(json!({ "maxSpace": 2 })));
        expect!["the space is empty: it goes from 3 to 2"]
            .assert_eq(&refuse(json!({ "minSpace": 3, "maxSpace": 2 })));
        expect!["a 1d blend space has no Y"].assert_eq(&refuse(json!({ "maxSpaceY": 2 })));
        expect!["'End' is there already and cannot be set; name Start and End in transitions, or give startState"].assert_eq(&refuse(json!({ "blendSpaceName": "End" })));
    }
}
