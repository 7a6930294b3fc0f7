//! The tool `godotAnimation.addAnimation`, which MCP clients call `add_animation`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{ResourceId, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, Held, InGodot, InScene, OpenScene, Write, refused, section_of, split_name,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.addAnimation",
    keywords: "clip new length loop fade walk idle run jump animate movement tween create",
    mcp: Some("add_animation"),
    title: "Add Animation",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Give every actor a walk cycle",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/actor.tscn",
            "playerNodePath": "AnimationPlayer",
            "animationName": "walk",
            "length": 0.8,
            "loop": true
        }"#,
        output: r#"{
            "success": true,
            "playerNodePath": "AnimationPlayer",
            "animationName": "walk",
            "length": 0.8,
            "loop": true,
            "path": "scenes/actor.tscn",
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

/// Add an animation to an AnimationPlayer. It has no tracks yet: add_animation_track adds them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the player from the scene's root.
    player_node_path: String,
    /// Its name: `walk`, or `library/walk` for a library of that name.
    animation_name: String,
    /// Seconds.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    length: f64,
    /// Play it again and again.
    #[serde(default, rename = "loop")]
    is_loop: bool,
    #[serde(flatten)]
    write: Write,
}

fn one() -> f64 {
    1.0
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the player from the scene's root.
    player_node_path: String,
    /// The name that plays it.
    animation_name: String,
    /// Seconds.
    length: f64,
    /// Whether it is played again and again.
    #[serde(rename = "loop")]
    is_loop: bool,
    /// The file that holds it.
    path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let animations = godot.animations(&open, &input.player_node_path)?;
    let (library_name, name) = split_name(&input.animation_name)?;
    let mut library = match animations.library(&godot, &open, library_name)? {
        Some(library) => library,
        None => animations.add_library(&godot, &mut open, library_name)?,
    };
    add(&godot, &mut open, &mut library, name, &input)?;
    let written = library.save(&open, &godot, input.write)?;
    Ok(Output {
        success: true,
        player_node_path: animations.player,
        path: library.path(&open).to_owned(),
        animation_name: input.animation_name,
        length: input.length,
        is_loop: input.is_loop,
        written,
    })
}

fn add(
    godot: &Godot<'_>,
    open: &mut OpenScene,
    library: &mut Held,
    name: &str,
    input: &Input,
) -> Result<(), ToolError> {
    let data = library.property(open, "_data");
    let mut entries = data.as_ref().and_then(Variant::as_dictionary).unwrap_or_default().to_vec();
    if entries.iter().any(|(known, _)| known.as_str() == Some(name)) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("there is already an animation '{}'", input.animation_name),
        )
        .hint("nothing was changed; add_animation_track adds to it"));
    }
    let mut properties = vec![("resource_name", Variant::String(name.to_owned()))];
    // Godot leaves out what an animation is anyway.
    if input.length != one() {
        properties.push(("length", Variant::float(input.length)));
    }
    if input.is_loop {
        properties.push(("loop_mode", Variant::int(1)));
    }
    library.change(open, |document, own: Option<&ResourceId>| {
        let id = document.add_sub_resource("Animation", &properties, own).map_err(refused)?;
        entries.push((Variant::StringName(name.to_owned()), Variant::SubResource(id)));
        entries.sort_by(|one, two| one.0.as_str().cmp(&two.0.as_str()));
        let section =
            section_of(document, own).ok_or_else(|| ToolError::failed("the library is gone"))?;
        let data = Variant::Dictionary(None, entries);
        godot.set_value(document, section, "AnimationLibrary", ("_data", &data), false)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn an_animation_stands_above_its_library_and_is_sorted_into_it() {
        check(
            json!({
                "scenePath": "scenes/actor.tscn", "playerNodePath": "Actor/AnimationPlayer",
                "animationName": "fall", "length": 0.5,
            }),
            expect![[r#"
                --- a/scenes/actor.tscn
                +++ b/scenes/actor.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=7 format=3 uid="uid://u4ujiidj5i7c"]
                +[gd_scene load_steps=8 format=3 uid="uid://u4ujiidj5i7c"]
 
                 [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
                @@ -79,9 +79,14 @@
                 "values": [0.0, 0.06, 0.0]
                 }
 
                +[sub_resource type="Animation" id="Animation_kcy4n"]
                +resource_name = "fall"
                +length = 0.5
                +
                 [sub_resource type="AnimationLibrary" id="AnimationLibrary_l4b8y"]
                 _data = {
                 &"RESET": SubResource("Animation_r0s3t"),
                +&"fall": SubResource("Animation_kcy4n"),
                 &"hop": SubResource("Animation_h0p5w"),
                 &"idle": SubResource("Animation_i6d1e")
                 }
            "#]],
        );
    }

    #[test]
    fn a_new_library_is_listed_by_the_player() {
        check(
            json!({
                "scenePath": "scenes/actor.tscn", "playerNodePath": "AnimationPlayer",
                "animationName": "fx/blink", "loop": true,
            }),
            expect![[r#"
                --- a/scenes/actor.tscn
                +++ b/scenes/actor.tscn
                @@ -1,4 +1,4 @@
                -[gd_scene load_steps=7 format=3 uid="uid://u4ujiidj5i7c"]
                +[gd_scene load_steps=9 format=3 uid="uid://u4ujiidj5i7c"]
 
                 [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
                @@ -86,6 +86,15 @@
                 &"idle": SubResource("Animation_i6d1e")
                 }
 
                +[sub_resource type="Animation" id="Animation_31yn0"]
                +resource_name = "blink"
                +loop_mode = 1
                +
                +[sub_resource type="AnimationLibrary" id="AnimationLibrary_gwois"]
                +_data = {
                +&"blink": SubResource("Animation_31yn0")
                +}
                +
                 [node name="Actor" type="CharacterBody2D"]
                 script = ExtResource("1_a9c2f")
 
                @@ -99,6 +108,7 @@
 
                 [node name="AnimationPlayer" type="AnimationPlayer" parent="."]
                 libraries = {
                -&"": SubResource("AnimationLibrary_l4b8y")
                +&"": SubResource("AnimationLibrary_l4b8y"),
                +&"fx": SubResource("AnimationLibrary_gwois")
                 }
                 autoplay = "idle"
            "#]],
        );
    }

    #[test]
    fn a_player_without_libraries_gets_one_as_its_version_writes_them() {
        let sample = GodotSample::new();
        let player = json!({ "scenePath": "scenes/coin.tscn" });
        sample.call("godotAnimation.createAnimationPlayer", player).unwrap();
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "playerNodePath": "AnimationPlayer",
            "animationName": "spin", "dryRun": true,
        });
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=6 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            @@ -6,6 +6,14 @@
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
 
            +[sub_resource type="Animation" id="Animation_s3jnl"]
            +resource_name = "spin"
            +
            +[sub_resource type="AnimationLibrary" id="AnimationLibrary_tnwf0"]
            +_data = {
            +&"spin": SubResource("Animation_s3jnl")
            +}
            +
             [node name="Coin" type="Area2D" groups=["coins"]]
             collision_layer = 4
             collision_mask = 2
            @@ -19,5 +27,8 @@
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
             [node name="AnimationPlayer" type="AnimationPlayer" parent="."]
            +libraries = {
            +&"": SubResource("AnimationLibrary_tnwf0")
            +}
 
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments.clone()));
        let settings = sample.read("project.godot").replace("\"4.4\"", "\"4.6\"");
        sample.write("project.godot", &settings);
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=6 format=3 uid="uid://da5dy46gvq05t"]
 
             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            @@ -6,6 +6,14 @@
             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
 
            +[sub_resource type="Animation" id="Animation_iu6po"]
            +resource_name = "spin"
            +
            +[sub_resource type="AnimationLibrary" id="AnimationLibrary_tnwf0"]
            +_data = {
            +&"spin": SubResource("Animation_iu6po")
            +}
            +
             [node name="Coin" type="Area2D" groups=["coins"]]
             collision_layer = 4
             collision_mask = 2
            @@ -19,5 +27,6 @@
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
 
             [node name="AnimationPlayer" type="AnimationPlayer" parent="."]
            +libraries/ = SubResource("AnimationLibrary_tnwf0")
 
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_library_in_a_file_of_its_own_is_changed_there() {
        let sample = GodotSample::new();
        sample.write(
            "fx.tres",
            "[gd_resource type=\"AnimationLibrary\" format=3]\n\n[resource]\n_data = {}\n",
        );
        let scene = sample.read("scenes/coin.tscn").replace(
            "\n[sub_resource",
            "[ext_resource type=\"AnimationLibrary\" path=\"res://fx.tres\" id=\"9_fx\"]\n\n[sub_resource",
        ) + "\n[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n&\"fx\": ExtResource(\"9_fx\")\n}\n";
        sample.write("scenes/coin.tscn", &scene);
        let arguments = json!({
            "scenePath": "scenes/coin.tscn", "playerNodePath": "P", "animationName": "fx/spin",
        });
        expect![[r#"
            --- a/fx.tres
            +++ b/fx.tres
            @@ -1,4 +1,9 @@
             [gd_resource type="AnimationLibrary" format=3]
 
            +[sub_resource type="Animation" id="Animation_ouman"]
            +resource_name = "spin"
            +
             [resource]
            -_data = {}
            +_data = {
            +&"spin": SubResource("Animation_ouman")
            +}
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |scene: &str, player: &str, name: &str| {
            sample.error(
                super::TOOL.id,
                json!({ "scenePath": scene, "playerNodePath": player, "animationName": name }),
            )
        };
        expect!["there is already an animation 'hop'; nothing was changed; add_animation_track adds to it"]
            .assert_eq(&refuse("scenes/actor.tscn", "AnimationPlayer", "hop"));
        expect!["'a:b' cannot be the name of an animation; names have no : , [ and at most one / behind the name of a library"].assert_eq(&refuse("scenes/actor.tscn", "AnimationPlayer", "a:b"));
        expect!["Body is Polygon2D, and this works on AnimationPlayer; get_node_tree shows the nodes with their classes"].assert_eq(&refuse("scenes/actor.tscn", "Body", "x"));
        expect!["AnimationPlayer comes from res://scenes/actor.tscn, and what it holds is changed there; call this with scenePath res://scenes/actor.tscn"].assert_eq(&refuse("scenes/player.tscn", "AnimationPlayer", "x"));
        expect!["Player/AnimationPlayer comes from res://scenes/actor.tscn, and what it holds is changed there; call this with scenePath res://scenes/actor.tscn"].assert_eq(&refuse("scenes/main.tscn", "Player/AnimationPlayer", "x"));
    }
}
