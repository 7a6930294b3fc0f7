//! The tool `godotAnimation.setKeyframe`, which MCP clients call `set_keyframe`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::classes::Builtin;
use scenewright_godot::{Document, Key, TrackKind, TupleKind, Variant, set_key};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Expected, Godot, Held, InGodot, InScene, OpenScene, Target, Write, find_target, read_untyped,
    read_value, refused, section_of, to_json,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.setKeyframe",
    keywords: "insert add key track time value at second tween keyframe animate fade move over seconds",
    mcp: Some("set_keyframe"),
    title: "Set Keyframe",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Let the hop squash in the middle",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/actor.tscn",
            "playerNodePath": "AnimationPlayer",
            "animationName": "hop",
            "trackIndex": 0,
            "time": 0.3,
            "value": { "x": 0, "y": -2 },
            "transition": 0.5
        }"#,
        output: r#"{
            "success": true,
            "animationName": "hop",
            "trackIndex": 0,
            "trackPath": "Body:position",
            "time": 0.3,
            "value": { "x": 0, "y": -2 },
            "replaced": false,
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

/// Set a key of an animation track; one at the same time is replaced. The value is checked against
/// the animated property.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the player from the scene's root.
    player_node_path: String,
    /// The animation: `walk` or `library/walk`.
    animation_name: String,
    /// Number of the track, from 0.
    track_index: usize,
    /// Seconds from the start.
    #[schemars(range(min = 0))]
    time: f64,
    /// The property's value; `{"method": "jump", "args": [1]}` for a method track, `{"stream":
    /// "res://step.wav"}` for an audio track, the name of an animation, or a number or `{"value":
    /// 1, "inHandle": {"x": -0.2, "y": 0}, "outHandle": {"x": 0.2, "y": 0}}` for a bezier track.
    value: Value,
    /// How the value goes on to the next key: 1 evenly, more starts slowly, less ends slowly.
    transition: Option<f64>,
    /// The same as transition.
    easing: Option<f64>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The animation.
    animation_name: String,
    /// Number of the track.
    track_index: usize,
    /// What the track animates.
    track_path: String,
    /// Seconds from the start.
    time: f64,
    /// The value as it is stored.
    value: Value,
    /// Whether there was a key at this time.
    replaced: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let animations = godot.animations(&open, &input.player_node_path)?;
    let mut animation = animations.find(&godot, &open, &input.animation_name)?;
    let track = Track::find(&open, &animation, input.track_index)?;
    let transition = transition(&track, &input)?;
    let (node, property) = track.path.split_once(':').unwrap_or((&track.path, ""));
    let target = find_target(&godot, &open, &animations, node).ok();
    let (stored, replaced) = animation.change(&mut open, |document, own| {
        let value = read(&godot, document, &track, target.as_ref(), property, &input.value)?;
        let key = Key { time: input.time, transition, value: value.clone() };
        let set = set_key(track.kind, &track.keys, &key);
        let (keys, replaced) = set.map_err(|error| {
            ToolError::new(ErrorKind::BadArguments, format!("track {}: {error}", input.track_index))
        })?;
        let section =
            section_of(document, own).ok_or_else(|| ToolError::failed("the animation is gone"))?;
        let key = format!("tracks/{}/keys", input.track_index);
        document.set_property(section, &key, &keys).map_err(refused)?;
        Ok((to_json(document, &value), replaced))
    })?;
    note_end(cx, &open, &animation, input.time);
    let written = animation.save(&open, &godot, input.write)?;
    Ok(Output {
        success: true,
        animation_name: input.animation_name,
        track_index: input.track_index,
        track_path: track.path,
        time: input.time,
        value: stored,
        replaced,
        written,
    })
}

/// A track as it is written.
struct Track {
    kind: TrackKind,
    path: String,
    keys: Variant,
}

impl Track {
    fn find(open: &OpenScene, animation: &Held, index: usize) -> Result<Track, ToolError> {
        let part = |key: &str| animation.property(open, &format!("tracks/{index}/{key}"));
        let (Some(name), Some(path)) = (part("type"), part("path")) else {
            let keys = animation.keys(open);
            let paths =
                keys.iter().filter(|key| key.starts_with("tracks/") && key.ends_with("/path"));
            let shown = paths.filter_map(|key| {
                let number = key.split('/').nth(1)?;
                let path = animation.property(open, key)?;
                Some(format!("{number} {}", path.as_str()?))
            });
            let shown: Vec<String> = shown.take(50).collect();
            let hint = match shown.len() {
                0 => "the animation has none; add_animation_track adds one".to_owned(),
                _ => format!("the tracks are {}", shown.join(", ")),
            };
            return Err(ToolError::not_found("track", &index.to_string()).hint(hint));
        };
        let name = name.as_str().unwrap_or_default().to_owned();
        let kind = TrackKind::of_name(&name).zip(part("keys"));
        let (kind, keys) = kind.ok_or_else(|| {
            ToolError::new(
                ErrorKind::EngineError,
                format!("track {index} has no keys as text: it is compressed, or of Godot 3"),
            )
        })?;
        Ok(Track { kind, path: path.as_str().unwrap_or_default().to_owned(), keys })
    }
}

fn transition(track: &Track, input: &Input) -> Result<Option<f64>, ToolError> {
    let given = input.transition.or(input.easing);
    if let (Some(one), Some(two)) = (input.transition, input.easing)
        && one != two
    {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "transition and easing are the same thing in Godot, and two values were given",
        ));
    }
    let none = matches!(track.kind, TrackKind::Bezier | TrackKind::Audio | TrackKind::Animation);
    if given.is_some() && none {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("keys of a {} track have no transition", track.kind.name()),
        ));
    }
    Ok(given)
}

/// The value of a key, as the kind of the track wants it.
fn read(
    godot: &Godot<'_>,
    document: &mut Document,
    track: &Track,
    target: Option<&Target>,
    property: &str,
    value: &Value,
) -> Result<Variant, ToolError> {
    let node = Expected { class: "Node3D", script: None };
    match track.kind {
        TrackKind::Value => read_property(godot, document, target, property, value),
        TrackKind::Position3D => read_value(godot, document, node, "position", value),
        TrackKind::Scale3D => read_value(godot, document, node, "scale", value),
        TrackKind::Rotation3D if is_quaternion(value) => {
            read_value(godot, document, node, "quaternion", value)
        }
        TrackKind::Rotation3D => {
            read_value(godot, document, node, "rotation", value).map(|angles| quaternion(&angles))
        }
        TrackKind::BlendShape => number(value).map(Variant::float),
        TrackKind::Bezier => bezier(value),
        TrackKind::Method => method(godot, document, value),
        TrackKind::Audio => audio(godot, document, value),
        TrackKind::Animation => match value.as_str() {
            Some(name) => Ok(Variant::String(name.to_owned())),
            None => Err(wrong("the name of an animation", value)),
        },
    }
}

fn read_property(
    godot: &Godot<'_>,
    document: &mut Document,
    target: Option<&Target>,
    property: &str,
    value: &Value,
) -> Result<Variant, ToolError> {
    let place = format!("the track of {property}");
    let Some(target) = target else { return read_untyped(godot, document, &place, value) };
    match (property.contains(':'), target.value_type(godot, property)?, target.expected()) {
        (false, Some(_), Some(expected)) => read_value(godot, document, expected, property, value),
        (true, Some(Builtin::Float), _) => number(value).map(Variant::float),
        _ => read_untyped(godot, document, &place, value),
    }
}

fn is_quaternion(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.contains_key("w"),
        Value::Array(items) => items.len() == 4,
        Value::String(text) => text.starts_with("Quaternion"),
        _ => false,
    }
}

/// The rotation by angles in radians, as `Node3D.rotation` has them: about Y, then X, then Z.
fn quaternion(angles: &Variant) -> Variant {
    let Variant::Tuple(_, numbers) = angles else { return angles.clone() };
    let half: Vec<(f64, f64)> =
        numbers.iter().map(|angle| (angle.as_float() / 2.0).sin_cos()).collect();
    let [(sx, cx), (sy, cy), (sz, cz)] = half[..] else { return angles.clone() };
    let parts = [
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    ];
    // Godot keeps them as 32-bit floats.
    let parts = parts.map(|part| f64::from(part as f32));
    Variant::tuple(TupleKind::Quaternion, &parts).expect("a quaternion has four numbers")
}

fn number(value: &Value) -> Result<f64, ToolError> {
    value.as_f64().ok_or_else(|| wrong("a number", value))
}

/// A value and its two handles.
fn bezier(value: &Value) -> Result<Variant, ToolError> {
    let mut numbers = vec![number(value.get("value").unwrap_or(value))?];
    for key in ["inHandle", "outHandle"] {
        let handle = value.get(key);
        for axis in ["x", "y"] {
            let part = handle.map(|handle| handle.get(axis).unwrap_or(&Value::Null));
            numbers.push(part.map_or(Ok(0.0), number)?);
        }
    }
    let known = ["value", "inHandle", "outHandle"];
    let mut keys = value.as_object().into_iter().flat_map(|members| members.keys());
    if keys.any(|key| !known.contains(&key.as_str())) {
        return Err(wrong("a number, or value, inHandle and outHandle", value));
    }
    Ok(Variant::tuple(TupleKind::PackedFloat32Array, &numbers)
        .expect("a packed array has any count of numbers"))
}

/// A call: `{"method": "jump", "args": [1]}`, or only the name.
fn method(godot: &Godot<'_>, document: &mut Document, value: &Value) -> Result<Variant, ToolError> {
    let name = value.get("method").unwrap_or(value);
    let name = name.as_str().ok_or_else(|| wrong("{\"method\": …, \"args\": […]}", value))?;
    let empty = json!([]);
    let args = value.get("args").unwrap_or(&empty);
    if !args.is_array() {
        return Err(wrong("a list of args", args));
    }
    let args = read_untyped(godot, document, "args", args)?;
    Ok(dictionary([("args", args), ("method", Variant::StringName(name.to_owned()))]))
}

/// A sound: `{"stream": "res://step.wav", "startOffset": 0, "endOffset": 0}`, or only the path.
fn audio(godot: &Godot<'_>, document: &mut Document, value: &Value) -> Result<Variant, ToolError> {
    let stream = value.get("stream").unwrap_or(value);
    let stream = stream.as_str().ok_or_else(|| wrong("{\"stream\": \"res://…\"}", value))?;
    let id = godot.reference(document, stream, "AudioStream")?;
    let offset = |key: &str| value.get(key).map_or(Ok(0.0), number).map(Variant::float);
    Ok(dictionary([
        ("end_offset", offset("endOffset")?),
        ("start_offset", offset("startOffset")?),
        ("stream", Variant::ExtResource(id)),
    ]))
}

fn dictionary<const N: usize>(entries: [(&str, Variant); N]) -> Variant {
    let entries = entries.map(|(key, value)| (Variant::String(key.to_owned()), value));
    Variant::Dictionary(None, entries.to_vec())
}

fn wrong(wanted: &str, value: &Value) -> ToolError {
    let shown: String = value.to_string().chars().take(80).collect();
    ToolError::new(ErrorKind::BadArguments, format!("this track takes {wanted}, not {shown}"))
}

/// A key behind the end of the animation is kept, but never reached.
fn note_end(cx: &Cx, open: &OpenScene, animation: &Held, time: f64) {
    let length = animation.property(open, "length").and_then(|length| length.as_float());
    let length = length.unwrap_or(1.0);
    if time > length {
        cx.diagnose(format!("the animation ends at {length} s, before this key"));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn key(track: usize, time: f64, value: Value) -> Value {
        json!({
            "scenePath": "scenes/actor.tscn", "playerNodePath": "AnimationPlayer",
            "animationName": "hop", "trackIndex": track, "time": time, "value": value,
        })
    }

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_key_is_sorted_in() {
        check(
            key(0, 0.3, json!([0, -2.5])),
            expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -42,10 +42,10 @@
             tracks/0/interp = 1
             tracks/0/loop_wrap = true
             tracks/0/keys = {
            -"times": PackedFloat32Array(0, 0.15, 0.4),
            -"transitions": PackedFloat32Array(1, 0.5, 1),
            +"times": PackedFloat32Array(0, 0.15, 0.3, 0.4),
            +"transitions": PackedFloat32Array(1, 0.5, 1, 1),
             "update": 0,
            -"values": [Vector2(0, 0), Vector2(0, -4), Vector2(0, 0)]
            +"values": [Vector2(0, 0), Vector2(0, -4), Vector2(0, -2.5), Vector2(0, 0)]
             }
             tracks/1/type = "method"
             tracks/1/imported = false
        "#]],
        );
    }

    #[test]
    fn a_key_at_the_same_time_is_replaced_and_keeps_its_transition() {
        let sample = GodotSample::new();
        let output = sample.call(super::TOOL.id, key(0, 0.15, json!({ "x": 1, "y": 2 }))).unwrap();
        assert_eq!(output["replaced"], true);
        expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -45,7 +45,7 @@
             "times": PackedFloat32Array(0, 0.15, 0.4),
             "transitions": PackedFloat32Array(1, 0.5, 1),
             "update": 0,
            -"values": [Vector2(0, 0), Vector2(0, -4), Vector2(0, 0)]
            +"values": [Vector2(0, 0), Vector2(1, 2), Vector2(0, 0)]
             }
             tracks/1/type = "method"
             tracks/1/imported = false
        "#]]
        .assert_eq(output["changes"][0]["diff"].as_str().unwrap());
    }

    #[test]
    fn a_call_has_a_method_and_arguments() {
        check(
            key(1, 0.4, json!({ "method": "puff", "args": [1.5] })),
            expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -54,10 +54,13 @@
             tracks/1/interp = 1
             tracks/1/loop_wrap = true
             tracks/1/keys = {
            -"times": PackedFloat32Array(0.1),
            -"transitions": PackedFloat32Array(1),
            +"times": PackedFloat32Array(0.1, 0.4),
            +"transitions": PackedFloat32Array(1, 1),
             "values": [{
             "args": [0.5],
             "method": &"puff"
            +}, {
            +"args": [1.5],
            +"method": &"puff"
             }]
             }
        "#]],
        );
    }

    #[test]
    fn angles_become_a_quaternion_and_numbers_a_curve() {
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

[node name="Steps" type="AudioStreamPlayer3D" parent="."]

[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
libraries/ = SubResource("AnimationLibrary_1")
"#,
        );
        sample.write("step.ogg", "");
        let place = json!({
            "scenePath": "scenes/room.tscn", "playerNodePath": "AnimationPlayer",
            "animationName": "idle",
        });
        let call = |tool: &str, more: Value| {
            let mut arguments = place.clone();
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            sample.call(tool, arguments).unwrap();
        };
        let tracks = [
            ("rotation_3d", "Box", json!({ "x": 0.1, "y": 0.2, "z": 0.3 })),
            ("bezier", "Box:position:y", json!({ "value": 2, "outHandle": { "x": 0.25, "y": 0 } })),
            ("audio", "Steps", json!({ "stream": "res://step.ogg", "startOffset": 0.1 })),
            ("animation", "AnimationPlayer", json!("idle")),
            ("value", "Box:visible", json!(false)),
            ("scale_3d", "Box", json!([1, 2, 1])),
        ];
        for (index, (track, path, value)) in tracks.into_iter().enumerate() {
            let new = json!({ "trackType": track, "nodePath": path });
            call("godotAnimation.addAnimationTrack", new);
            call(super::TOOL.id, json!({ "trackIndex": index, "time": 0.5, "value": value }));
        }
        expect![[r#"
            [gd_scene format=3]

            [ext_resource type="AudioStreamOggVorbis" path="res://step.ogg" id="1_f4nb1"]

            [sub_resource type="Animation" id="Animation_1"]
            tracks/0/type = "rotation_3d"
            tracks/0/imported = false
            tracks/0/enabled = true
            tracks/0/path = NodePath("Box")
            tracks/0/interp = 1
            tracks/0/loop_wrap = true
            tracks/0/keys = PackedFloat32Array(0.5, 1, 0.06407135, 0.09115755, 0.14357218, 0.9833474)
            tracks/1/type = "bezier"
            tracks/1/imported = false
            tracks/1/enabled = true
            tracks/1/path = NodePath("Box:position:y")
            tracks/1/interp = 1
            tracks/1/loop_wrap = true
            tracks/1/keys = {
            "handle_modes": PackedInt32Array(0),
            "points": PackedFloat32Array(2, 0, 0, 0.25, 0),
            "times": PackedFloat32Array(0.5)
            }
            tracks/2/type = "audio"
            tracks/2/imported = false
            tracks/2/enabled = true
            tracks/2/path = NodePath("Steps")
            tracks/2/interp = 1
            tracks/2/loop_wrap = true
            tracks/2/keys = {
            "clips": [{
            "end_offset": 0.0,
            "start_offset": 0.1,
            "stream": ExtResource("1_f4nb1")
            }],
            "times": PackedFloat32Array(0.5)
            }
            tracks/2/use_blend = true
            tracks/3/type = "animation"
            tracks/3/imported = false
            tracks/3/enabled = true
            tracks/3/path = NodePath("AnimationPlayer")
            tracks/3/interp = 1
            tracks/3/loop_wrap = true
            tracks/3/keys = {
            "clips": PackedStringArray("idle"),
            "times": PackedFloat32Array(0.5)
            }
            tracks/4/type = "value"
            tracks/4/imported = false
            tracks/4/enabled = true
            tracks/4/path = NodePath("Box:visible")
            tracks/4/interp = 1
            tracks/4/loop_wrap = true
            tracks/4/keys = {
            "times": PackedFloat32Array(0.5),
            "transitions": PackedFloat32Array(1),
            "update": 1,
            "values": [false]
            }
            tracks/5/type = "scale_3d"
            tracks/5/imported = false
            tracks/5/enabled = true
            tracks/5/path = NodePath("Box")
            tracks/5/interp = 1
            tracks/5/loop_wrap = true
            tracks/5/keys = PackedFloat32Array(0.5, 1, 1, 2, 1)

            [sub_resource type="AnimationLibrary" id="AnimationLibrary_1"]
            _data = {
            &"idle": SubResource("Animation_1")
            }

            [node name="Room" type="Node3D"]

            [node name="Box" type="MeshInstance3D" parent="."]

            [node name="Steps" type="AudioStreamPlayer3D" parent="."]

            [node name="AnimationPlayer" type="AnimationPlayer" parent="."]
            libraries/ = SubResource("AnimationLibrary_1")
        "#]].assert_eq(&sample.read("scenes/room.tscn"));
    }

    #[test]
    fn what_does_not_fit_the_track_is_said() {
        let sample = GodotSample::new();
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        expect![[r#"Polygon2D.position takes Vector2, not "up"; write {"x": 1, "y": 2}"#]]
            .assert_eq(&refuse(key(0, 0.0, json!("up"))));
        expect![[r#"this track takes {"method": …, "args": […]}, not 5"#]].assert_eq(&refuse(key(
            1,
            0.0,
            json!(5),
        )));
        expect!["track not found: 7; the tracks are 0 Body:position, 1 ."].assert_eq(&refuse(key(
            7,
            0.0,
            json!(5),
        )));
        let mut both = key(0, 0.0, json!([0, 0]));
        both["transition"] = 1.into();
        both["easing"] = 2.into();
        expect!["transition and easing are the same thing in Godot, and two values were given"]
            .assert_eq(&refuse(both));
    }
}
