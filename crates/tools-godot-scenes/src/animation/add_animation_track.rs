//! The tool `godotAnimation.addAnimationTrack`, which MCP clients call `add_animation_track`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::classes::Builtin;
use scenewright_godot::{TrackKind, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::tracks::is_gradual;
use scenewright_tools_godot::base::{
    Godot, Held, InGodot, InScene, OpenScene, Target, Write, find_target, refused, section_of,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.addAnimationTrack",
    keywords: "animate property track channel position rotation scale modulate opacity value method call",
    mcp: Some("add_animation_track"),
    title: "Add Animation Track",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let the idle animation call methods of the actor",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/actor.tscn",
            "playerNodePath": "AnimationPlayer",
            "animationName": "idle",
            "trackType": "method",
            "nodePath": "."
        }"#,
        output: r#"{
            "success": true,
            "animationName": "idle",
            "trackIndex": 1,
            "trackType": "method",
            "trackPath": ".",
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

/// Add a track to an animation, so far without keys: set_keyframe sets them. The 2D types are value
/// tracks of that property, as Godot 4 has them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the player from the scene's root.
    player_node_path: String,
    /// The animation: `walk` or `library/walk`.
    animation_name: String,
    /// What the track animates.
    track_type: TrackType,
    /// The animated node, from the player's root node (its parent) or from the scene's root.
    node_path: String,
    /// The property of a value or bezier track: `position`, `modulate:a`. A bone of a Skeleton3D,
    /// or the name of a blend shape.
    property: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
enum TrackType {
    #[serde(rename = "value")]
    Value,
    #[serde(rename = "position_2d")]
    Position2D,
    #[serde(rename = "position_3d")]
    Position3D,
    #[serde(rename = "rotation_2d")]
    Rotation2D,
    #[serde(rename = "rotation_3d")]
    Rotation3D,
    #[serde(rename = "scale_2d")]
    Scale2D,
    #[serde(rename = "scale_3d")]
    Scale3D,
    #[serde(rename = "blend_shape")]
    BlendShape,
    #[serde(rename = "method")]
    Method,
    #[serde(rename = "bezier")]
    Bezier,
    #[serde(rename = "audio")]
    Audio,
    #[serde(rename = "animation")]
    Animation,
}

impl TrackType {
    /// The kind, the property that it is always about, and the classes that can have it.
    fn meaning(self) -> (TrackKind, Option<&'static str>, &'static [&'static str]) {
        const PLAYERS: [&str; 3] =
            ["AudioStreamPlayer", "AudioStreamPlayer2D", "AudioStreamPlayer3D"];
        const NODE_2D: [&str; 2] = ["Node2D", "Control"];
        match self {
            Self::Value => (TrackKind::Value, None, &[]),
            Self::Position2D => (TrackKind::Value, Some("position"), &NODE_2D),
            Self::Rotation2D => (TrackKind::Value, Some("rotation"), &NODE_2D),
            Self::Scale2D => (TrackKind::Value, Some("scale"), &NODE_2D),
            Self::Position3D => (TrackKind::Position3D, Some("position"), &["Node3D"]),
            Self::Rotation3D => (TrackKind::Rotation3D, Some("rotation"), &["Node3D"]),
            Self::Scale3D => (TrackKind::Scale3D, Some("scale"), &["Node3D"]),
            Self::BlendShape => (TrackKind::BlendShape, None, &["MeshInstance3D"]),
            Self::Method => (TrackKind::Method, None, &[]),
            Self::Bezier => (TrackKind::Bezier, None, &[]),
            Self::Audio => (TrackKind::Audio, None, &PLAYERS),
            Self::Animation => (TrackKind::Animation, None, &["AnimationPlayer"]),
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The animation.
    animation_name: String,
    /// Number of the track, for set_keyframe.
    track_index: usize,
    /// Godot's type of the track.
    track_type: &'static str,
    /// What it animates, from the player's root node.
    track_path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let animations = godot.animations(&open, &input.player_node_path)?;
    let mut animation = animations.find(&godot, &open, &input.animation_name)?;
    let (node_path, property) = match input.node_path.split_once(':') {
        Some((node, property)) if input.property.is_none() => (node, Some(property)),
        _ => (input.node_path.as_str(), input.property.as_deref()),
    };
    let target = find_target(&godot, &open, &animations, node_path)?;
    let (kind, _, classes) = input.track_type.meaning();
    check_class(&godot, &target, classes)?;
    let property = animated(&godot, input.track_type, &target, property)?;
    let track_path = match &property {
        Some(property) => format!("{}:{property}", target.path),
        None => target.path.clone(),
    };
    let discrete = match (kind, &property) {
        (TrackKind::Value, Some(property)) => {
            target.value_type(&godot, property)?.is_some_and(|value| !is_gradual(value))
        }
        _ => false,
    };
    let track_index = add(&mut open, &mut animation, kind, &track_path, discrete)?;
    let written = animation.save(&open, &godot, input.write)?;
    Ok(Output {
        success: true,
        animation_name: input.animation_name,
        track_index,
        track_type: kind.name(),
        track_path,
        written,
    })
}

fn check_class(godot: &Godot<'_>, target: &Target, bases: &[&str]) -> Result<(), ToolError> {
    let Some(class) = target.class.as_deref().filter(|_| !bases.is_empty()) else { return Ok(()) };
    if bases.iter().any(|base| godot.classes().inherits(class, base)) {
        return Ok(());
    }
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("{} is {class}, and such a track needs {}", target.path, bases.join(" or ")),
    ))
}

/// What stands behind the `:` of the track's path.
fn animated(
    godot: &Godot<'_>,
    track: TrackType,
    target: &Target,
    property: Option<&str>,
) -> Result<Option<String>, ToolError> {
    let wrong = |text: String| Err(ToolError::new(ErrorKind::BadArguments, text));
    let (kind, fixed, _) = track.meaning();
    let is_skeleton = target.class.as_deref() == Some("Skeleton3D");
    match (kind, fixed, property) {
        (TrackKind::Value, Some(fixed), given) => match given {
            Some(other) if other != fixed => {
                wrong(format!("this type is about {fixed}, not {other}; use the type value"))
            }
            _ => Ok(Some(fixed.to_owned())),
        },
        (_, Some(fixed), Some(given)) if given != fixed => match is_skeleton {
            true => Ok(Some(given.to_owned())),
            false => wrong(format!("{} has no bones, and the property is {fixed}", target.path)),
        },
        (_, Some(_), _) => Ok(None),
        (TrackKind::Value | TrackKind::Bezier, None, Some(property)) => {
            let value = target.value_type(godot, property)?;
            if kind == TrackKind::Bezier
                && value.is_some_and(|value| !matches!(value, Builtin::Float | Builtin::Int))
            {
                return wrong(format!(
                    "a bezier track animates one number, and {property} has several: name one, \
                     as position:x"
                ));
            }
            Ok(Some(property.to_owned()))
        }
        (TrackKind::BlendShape, None, Some(shape)) => Ok(Some(shape.to_owned())),
        (TrackKind::Value | TrackKind::Bezier | TrackKind::BlendShape, None, None) => {
            wrong(format!("a {} track needs a property", kind.name()))
        }
        (_, None, Some(_)) => wrong(format!("a {} track has no property", kind.name())),
        (_, None, None) => Ok(None),
    }
}

/// Write the track as the last one and return its number.
fn add(
    open: &mut OpenScene,
    animation: &mut Held,
    kind: TrackKind,
    path: &str,
    discrete: bool,
) -> Result<usize, ToolError> {
    let count = track_count(&animation.keys(open));
    let may_repeat = matches!(kind, TrackKind::Method | TrackKind::Audio | TrackKind::Animation);
    for index in (0..count).filter(|_| !may_repeat) {
        let text = |key: &str| animation.property(open, &format!("tracks/{index}/{key}"));
        let is = |key, wanted: &str| text(key).is_some_and(|found| found.as_str() == Some(wanted));
        if is("type", kind.name()) && is("path", path) {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("track {index} animates {path} already"),
            )
            .hint(format!("set_keyframe with trackIndex {index} sets its keys")));
        }
    }
    let mut properties = vec![
        ("type", Variant::String(kind.name().to_owned())),
        ("imported", Variant::Bool(false)),
        ("enabled", Variant::Bool(true)),
        ("path", Variant::NodePath(path.to_owned())),
        ("interp", Variant::int(1)),
        ("loop_wrap", Variant::Bool(true)),
        ("keys", kind.no_keys(discrete)),
    ];
    if kind == TrackKind::Audio {
        properties.push(("use_blend", Variant::Bool(true)));
    }
    animation.change(open, |document, own| {
        for (key, value) in &properties {
            let section = section_of(document, own)
                .ok_or_else(|| ToolError::failed("the animation is gone"))?;
            let key = format!("tracks/{count}/{key}");
            document.set_property(section, &key, value).map_err(refused)?;
        }
        Ok(count)
    })
}

/// How many tracks an animation has.
fn track_count(keys: &[String]) -> usize {
    let number = |key: &String| key.strip_prefix("tracks/")?.split('/').next()?.parse().ok();
    keys.iter().filter_map(number).max().map_or(0, |last: usize| last.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(scene: &str, track: &str, node: &str, property: Option<&str>) -> Value {
        let mut arguments = json!({
            "scenePath": scene, "playerNodePath": "AnimationPlayer", "animationName": "idle",
            "trackType": track, "nodePath": node,
        });
        if let Some(property) = property {
            arguments["property"] = property.into();
        }
        arguments
    }

    fn check(track: &str, node: &str, property: Option<&str>, expected: Expect) {
        let arguments = arguments("scenes/actor.tscn", track, node, property);
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_value_track_is_behind_the_others() {
        check(
            "value",
            "Body",
            Some("visible"),
            expect![[r#"
                --- a/scenes/actor.tscn
                +++ b/scenes/actor.tscn
                @@ -78,6 +78,18 @@
                 "update": 0,
                 "values": [0.0, 0.06, 0.0]
                 }
                +tracks/1/type = "value"
                +tracks/1/imported = false
                +tracks/1/enabled = true
                +tracks/1/path = NodePath("Body:visible")
                +tracks/1/interp = 1
                +tracks/1/loop_wrap = true
                +tracks/1/keys = {
                +"times": PackedFloat32Array(),
                +"transitions": PackedFloat32Array(),
                +"update": 1,
                +"values": []
                +}
 
                 [sub_resource type="AnimationLibrary" id="AnimationLibrary_l4b8y"]
                 _data = {
            "#]],
        );
    }

    #[test]
    fn types_of_2d_are_value_tracks_and_calls_have_no_property() {
        check(
            "scale_2d",
            "Actor/Body",
            None,
            expect![[r#"
                --- a/scenes/actor.tscn
                +++ b/scenes/actor.tscn
                @@ -78,6 +78,18 @@
                 "update": 0,
                 "values": [0.0, 0.06, 0.0]
                 }
                +tracks/1/type = "value"
                +tracks/1/imported = false
                +tracks/1/enabled = true
                +tracks/1/path = NodePath("Body:scale")
                +tracks/1/interp = 1
                +tracks/1/loop_wrap = true
                +tracks/1/keys = {
                +"times": PackedFloat32Array(),
                +"transitions": PackedFloat32Array(),
                +"update": 0,
                +"values": []
                +}
 
                 [sub_resource type="AnimationLibrary" id="AnimationLibrary_l4b8y"]
                 _data = {
            "#]],
        );
        check(
            "bezier",
            "Body:position:x",
            None,
            expect![[r#"
                --- a/scenes/actor.tscn
                +++ b/scenes/actor.tscn
                @@ -78,6 +78,17 @@
                 "update": 0,
                 "values": [0.0, 0.06, 0.0]
                 }
                +tracks/1/type = "bezier"
                +tracks/1/imported = false
                +tracks/1/enabled = true
                +tracks/1/path = NodePath("Body:position:x")
                +tracks/1/interp = 1
                +tracks/1/loop_wrap = true
                +tracks/1/keys = {
                +"handle_modes": PackedInt32Array(),
                +"points": PackedFloat32Array(),
                +"times": PackedFloat32Array()
                +}
 
                 [sub_resource type="AnimationLibrary" id="AnimationLibrary_l4b8y"]
                 _data = {
            "#]],
        );
        check(
            "method",
            ".",
            None,
            expect![[r#"
                --- a/scenes/actor.tscn
                +++ b/scenes/actor.tscn
                @@ -78,6 +78,17 @@
                 "update": 0,
                 "values": [0.0, 0.06, 0.0]
                 }
                +tracks/1/type = "method"
                +tracks/1/imported = false
                +tracks/1/enabled = true
                +tracks/1/path = NodePath(".")
                +tracks/1/interp = 1
                +tracks/1/loop_wrap = true
                +tracks/1/keys = {
                +"times": PackedFloat32Array(),
                +"transitions": PackedFloat32Array(),
                +"values": []
                +}
 
                 [sub_resource type="AnimationLibrary" id="AnimationLibrary_l4b8y"]
                 _data = {
            "#]],
        );
    }

    #[test]
    fn each_kind_of_3d_track_is_as_godot_writes_it() {
        let sample = GodotSample::new();
        sample.write(
            "scenes/room.tscn",
            r#"[gd_scene format=3]

[sub_resource type="Animation" id="Animation_1"]

[sub_resource type="AnimationLibrary" id="AnimationLibrary_1"]
_data = {
&"idle": SubResource("Animation_1")
}

[node name="Room" type="Node3D"]

[node name="Box" type="MeshInstance3D" parent="."]

[node name="Bones" type="Skeleton3D" parent="."]

[node name="Steps" type="AudioStreamPlayer3D" parent="."]

[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("AnimationLibrary_1")
}
"#,
        );
        let add = |track: &str, node: &str, property: Option<&str>| {
            let arguments = arguments("scenes/room.tscn", track, node, property);
            sample.call(super::TOOL.id, arguments).unwrap();
        };
        add("position_3d", "Box", None);
        add("rotation_3d", "Bones", Some("Hip"));
        add("blend_shape", "Box", Some("smile"));
        add("audio", "Steps", None);
        add("animation", "AnimationPlayer", None);
        expect![[r#"
            [gd_scene format=3]

            [sub_resource type="Animation" id="Animation_1"]
            tracks/0/type = "position_3d"
            tracks/0/imported = false
            tracks/0/enabled = true
            tracks/0/path = NodePath("Box")
            tracks/0/interp = 1
            tracks/0/loop_wrap = true
            tracks/0/keys = PackedFloat32Array()
            tracks/1/type = "rotation_3d"
            tracks/1/imported = false
            tracks/1/enabled = true
            tracks/1/path = NodePath("Bones:Hip")
            tracks/1/interp = 1
            tracks/1/loop_wrap = true
            tracks/1/keys = PackedFloat32Array()
            tracks/2/type = "blend_shape"
            tracks/2/imported = false
            tracks/2/enabled = true
            tracks/2/path = NodePath("Box:smile")
            tracks/2/interp = 1
            tracks/2/loop_wrap = true
            tracks/2/keys = PackedFloat32Array()
            tracks/3/type = "audio"
            tracks/3/imported = false
            tracks/3/enabled = true
            tracks/3/path = NodePath("Steps")
            tracks/3/interp = 1
            tracks/3/loop_wrap = true
            tracks/3/keys = {
            "clips": [],
            "times": PackedFloat32Array()
            }
            tracks/3/use_blend = true
            tracks/4/type = "animation"
            tracks/4/imported = false
            tracks/4/enabled = true
            tracks/4/path = NodePath("AnimationPlayer")
            tracks/4/interp = 1
            tracks/4/loop_wrap = true
            tracks/4/keys = {
            "clips": PackedStringArray(),
            "times": PackedFloat32Array()
            }

            [sub_resource type="AnimationLibrary" id="AnimationLibrary_1"]
            _data = {
            &"idle": SubResource("Animation_1")
            }

            [node name="Room" type="Node3D"]

            [node name="Box" type="MeshInstance3D" parent="."]

            [node name="Bones" type="Skeleton3D" parent="."]

            [node name="Steps" type="AudioStreamPlayer3D" parent="."]

            [node name="AnimationPlayer" type="AnimationPlayer" parent="."]
            libraries = {
            &"": SubResource("AnimationLibrary_1")
            }
        "#]]
        .assert_eq(&sample.read("scenes/room.tscn"));
    }

    #[test]
    fn what_cannot_be_animated_is_said() {
        let sample = GodotSample::new();
        let refuse = |track: &str, node: &str, property: Option<&str>| {
            sample.error(super::TOOL.id, arguments("scenes/actor.tscn", track, node, property))
        };
        expect!["track 0 animates Body:skew already; set_keyframe with trackIndex 0 sets its keys"]
            .assert_eq(&refuse("value", "Body", Some("skew")));
        expect!["Polygon2D has no property 'positon'; did you mean position?"].assert_eq(&refuse(
            "value",
            "Body",
            Some("positon"),
        ));
        expect!["a value track needs a property"].assert_eq(&refuse("value", "Body", None));
        expect!["node not found: Bdy; did you mean Body?"].assert_eq(&refuse(
            "value",
            "Bdy",
            Some("skew"),
        ));
        expect![
            "a bezier track animates one number, and position has several: name one, as position:x"
        ]
        .assert_eq(&refuse("bezier", "Body", Some("position")));
        expect!["Body is Polygon2D, and such a track needs Node3D"].assert_eq(&refuse(
            "position_3d",
            "Body",
            None,
        ));
        expect!["a method track has no property"].assert_eq(&refuse("method", ".", Some("puff")));
        let mut unknown = arguments("scenes/actor.tscn", "method", ".", None);
        unknown["animationName"] = "run".into();
        expect!["animation not found: run; it has RESET, hop, idle"]
            .assert_eq(&sample.error(super::TOOL.id, unknown));
    }
}
