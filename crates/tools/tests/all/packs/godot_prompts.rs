//! Prompts and completions, as clients ask for them.

use expect_test::{Expect, expect};
use scenewright_contract::ErrorKind;
use scenewright_contract::prompt::{CompletionOf, PromptValues};
use scenewright_toolkit::prompts::{complete, fill};

use crate::packs::GodotSample;

fn values(given: &[(&str, &str)]) -> PromptValues {
    given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn check(name: &str, given: &[(&str, &str)], expected: Expect) {
    let sample = GodotSample::new();
    let id = sample.runner().workspace().projects()[0].id.to_string();
    let text = fill(sample.runner(), name, &values(given)).unwrap();
    expected.assert_eq(&text.replace(&id, "ID"));
}

fn check_refused(name: &str, given: &[(&str, &str)], expected: Expect) {
    let sample = GodotSample::new();
    let error = fill(sample.runner(), name, &values(given)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadEnvelope);
    let id = sample.runner().workspace().projects()[0].id.to_string();
    let shown = format!("{}; {}", error.message, error.hint.unwrap_or_default());
    expected.assert_eq(&shown.replace(&id, "ID"));
}

fn check_completion(
    of: CompletionOf<'_>,
    argument: &str,
    typed: &str,
    others: &[(&str, &str)],
    expected: &[&str],
) {
    let sample = GodotSample::new();
    let found = complete(sample.runner(), of, argument, typed, &values(others));
    assert_eq!(found.unwrap(), expected, "{argument}");
}

#[test]
fn a_scene_is_shown_with_its_nodes_and_connections() {
    check(
        "optimize_scene",
        &[("scenePath", "res://scenes/coin.tscn")],
        expect![[r#"
        Make the scene `res://scenes/coin.tscn` lighter without changing what it does. Look for nodes that only group, things that repeat and should be one instanced scene or a MultiMesh, materials and shapes that could be shared, nodes that process while nobody sees them, and resources that are declared and unused. Give one change a line, the safest first, with what it saves.

        ## The project `ID`

        - Name: Lighthouse Run
        - Godot: 4.4
        - Renderer: GL Compatibility
        - Main scene: res://scenes/main.tscn
        - Autoloads: GameState (res://autoload/game_state.gd)
        - Input actions: move_left, move_right, jump, interact
        - Layers: 2d_physics/layer_1=world, 2d_physics/layer_2=player, 2d_physics/layer_3=pickups
        - Classes of its scripts: Actor extends CharacterBody2D, Coin extends Area2D, CoinSettings extends Resource, Player extends Actor
        - Scenes: scenes/actor.tscn, scenes/coin.tscn, scenes/level.tscn, scenes/main.tscn, scenes/player.tscn
        - Groups: bonus, coins, high, player

        ## The scene `scenes/coin.tscn`

        ```
        Coin (Area2D) script=res://scripts/coin.gd
          Shape (CollisionShape2D)
          Face (Polygon2D)
        ```
        - `.` sends body_entered to _on_body_entered of `.`

        ## How to work

        Use the names that the project already has: its input actions, classes, groups and layers. Find tools with tools_search and name the project `ID`. Write typed GDScript for the version above, and use no class or method that it does not have. Make the changes with the tools of this server: try each with dryRun first, and look at the scene tree or run project_check when you are done.
    "#]],
    );
}

#[test]
fn classes_of_the_version_are_shown() {
    check(
        "create_collectible",
        &[("itemType", "coin"), ("is3D", "true")],
        expect![[r#"
        Build something to collect: coin. Three dimensions: true. An area finds the player by layer or group; the item counts once even if two bodies touch it in the same frame, plays its effect, and leaves when the effect has ended. What it is worth is exported; who keeps the count hears of it by a signal or through the autoload that the project has for it.

        ## The project `ID`

        - Name: Lighthouse Run
        - Godot: 4.4
        - Renderer: GL Compatibility
        - Main scene: res://scenes/main.tscn
        - Autoloads: GameState (res://autoload/game_state.gd)
        - Input actions: move_left, move_right, jump, interact
        - Layers: 2d_physics/layer_1=world, 2d_physics/layer_2=player, 2d_physics/layer_3=pickups
        - Classes of its scripts: Actor extends CharacterBody2D, Coin extends Area2D, CoinSettings extends Resource, Player extends Actor
        - Scenes: scenes/actor.tscn, scenes/coin.tscn, scenes/level.tscn, scenes/main.tscn, scenes/player.tscn
        - Groups: bonus, coins, high, player

        ## Classes of Godot 4.4 for this

        - Area2D (inherits CollisionObject2D); properties: monitoring, monitorable, priority, gravity_space_override, gravity_point, gravity_point_unit_distance, gravity_point_center, gravity_direction, gravity, linear_damp_space_override, linear_damp, angular_damp_space_override, angular_damp, audio_bus_override, audio_bus_name; signals: body_shape_entered, body_shape_exited, body_entered, body_exited, area_shape_entered, area_shape_exited, area_entered, area_exited
        - Area3D (inherits CollisionObject3D); properties: monitoring, monitorable, priority, gravity_space_override, gravity_point, gravity_point_unit_distance, gravity_point_center, gravity_direction, gravity, linear_damp_space_override, linear_damp, angular_damp_space_override, angular_damp, wind_force_magnitude, wind_attenuation_factor, wind_source_path, audio_bus_override, audio_bus_name, reverb_bus_enabled, reverb_bus_name, reverb_bus_amount, reverb_bus_uniformity; signals: body_shape_entered, body_shape_exited, body_entered, body_exited, area_shape_entered, area_shape_exited, area_entered, area_exited

        ## How to work

        Use the names that the project already has: its input actions, classes, groups and layers. Find tools with tools_search and name the project `ID`. Write typed GDScript for the version above, and use no class or method that it does not have. Make the changes with the tools of this server: try each with dryRun first, and look at the scene tree or run project_check when you are done.
    "#]],
    );
}

#[test]
fn a_script_is_shown_with_who_uses_it() {
    check(
        "debug_script",
        &[("scriptPath", "scripts/coin_settings.gd")],
        expect![[r#"
        Find out what is wrong with the script `scripts/coin_settings.gd`. What was seen: nothing yet: look for what will fail. Read the script and those it extends, and the scenes that use it: node paths, exported properties and connections must fit. Name the line, explain the cause in one sentence, and give the smallest change that cures it. Do not rewrite what works.

        ## The project `ID`

        - Name: Lighthouse Run
        - Godot: 4.4
        - Renderer: GL Compatibility
        - Main scene: res://scenes/main.tscn
        - Autoloads: GameState (res://autoload/game_state.gd)
        - Input actions: move_left, move_right, jump, interact
        - Layers: 2d_physics/layer_1=world, 2d_physics/layer_2=player, 2d_physics/layer_3=pickups
        - Classes of its scripts: Actor extends CharacterBody2D, Coin extends Area2D, CoinSettings extends Resource, Player extends Actor
        - Scenes: scenes/actor.tscn, scenes/coin.tscn, scenes/level.tscn, scenes/main.tscn, scenes/player.tscn
        - Groups: bonus, coins, high, player

        ## The script `scripts/coin_settings.gd`

        ```gdscript
        class_name CoinSettings
        extends Resource
        ## What a kind of coin is worth and how it looks.

        enum Metal { COPPER, SILVER, GOLD }

        @export var title: String = "Coin"
        @export_range(1, 100) var value: int = 1
        @export var metal: Metal = Metal.COPPER
        @export var tint: Color = Color.WHITE
        @export_range(0.0, 8.0, 0.5, "suffix:px") var bob_height: float = 2.0
        @export var tags: Array[StringName] = []
        ```

        Used by resources/coin_settings.tres, scenes/main.tscn.

        ## How to work

        Use the names that the project already has: its input actions, classes, groups and layers. Find tools with tools_search and name the project `ID`. Write typed GDScript for the version above, and use no class or method that it does not have. Make the changes with the tools of this server: try each with dryRun first, and look at the scene tree or run project_check when you are done.
    "#]],
    );
}

#[test]
fn problems_are_shown() {
    let sample = GodotSample::new();
    sample.write("broken.gd", "extends Nothing\n");
    let id = sample.runner().workspace().projects()[0].id.to_string();
    let text = fill(sample.runner(), "analyze_project", &values(&[("projectPath", &id)])).unwrap();
    assert!(
        text.contains(
            "1 error, 0 warnings.\n\n- error broken.gd: the script extends `Nothing`, which \
             neither Godot 4.4 nor a script declares\n"
        ),
        "{text}"
    );
}

#[test]
fn every_prompt_fills_and_needs_what_it_says() {
    let sample = GodotSample::new();
    let id = sample.runner().workspace().projects()[0].id.to_string();
    for prompt in sample.runner().prompts().iter().filter(|prompt| prompt.name != "explain_tool") {
        let given: PromptValues = prompt
            .arguments
            .iter()
            .map(|argument| {
                let value = match argument.name {
                    "project" | "projectPath" => &id,
                    "scenePath" => "scenes/main.tscn",
                    "scriptPath" => "scripts/main.gd",
                    _ => "something",
                };
                (argument.name.to_owned(), value.to_owned())
            })
            .collect();
        let text = fill(sample.runner(), prompt.name, &given);
        let text = text.unwrap_or_else(|error| panic!("{}: {}", prompt.name, error.text()));
        assert!(text.len() > 200, "{}: {text}", prompt.name);
        for needed in prompt.arguments.iter().filter(|argument| argument.required) {
            let mut without = given.clone();
            without.remove(needed.name);
            let error = fill(sample.runner(), prompt.name, &without).unwrap_err();
            assert!(error.message.contains(needed.name), "{}: {}", prompt.name, error.message);
        }
    }
}

#[test]
fn what_is_not_there_is_refused() {
    check_refused(
        "optimize_scene",
        &[("scenePath", "scenes/coyn.tscn")],
        expect!["no file is called scenes/coyn.tscn; did you mean scenes/coin.tscn?"],
    );
    check_refused(
        "optimize_scene",
        &[("scenePath", " ")],
        expect![
            "prompt optimize_scene needs the argument 'scenePath': The scene, as a path from the project's root; "
        ],
    );
    check_refused(
        "debug_script",
        &[("scriptPath", "scenes/coin.tscn")],
        expect!["scenes/coin.tscn is no script; "],
    );
    check_refused(
        "analyze_project",
        &[("projectPath", "nope")],
        expect!["project not found: nope; the open projects are ID"],
    );
    check_refused(
        "optimise_scene",
        &[],
        expect!["no prompt is called 'optimise_scene'; did you mean optimize_scene?"],
    );
}

#[test]
fn blanks_of_prompts_are_completed() {
    let of = CompletionOf::Prompt;
    let scenes = ["scenes/main.tscn"];
    check_completion(of("optimize_scene"), "scenePath", "scenes/m", &[], &scenes);
    check_completion(of("optimize_scene"), "scenePath", "res://scenes/m", &[], &scenes);
    check_completion(of("optimize_scene"), "scenePath", "mai", &[], &scenes);
    check_completion(
        of("debug_script"),
        "scriptPath",
        "coin",
        &[],
        &["scripts/coin.gd", "scripts/coin_settings.gd"],
    );
    let coin = [("scenePath", "scenes/coin.tscn")];
    check_completion(of("debug_physics"), "nodePath", "", &coin, &[".", "Face", "Shape"]);
    check_completion(of("debug_physics"), "nodePath", "", &[], &[]);
    let root = [("scenePath", "scenes/coin.tscn"), ("nodePath", ".")];
    check_completion(of("refactor_scene"), "signal", "co", &root, &["collected"]);
    check_completion(
        of("refactor_scene"),
        "signal",
        "body_e",
        &root,
        &["body_entered", "body_exited"],
    );
    check_completion(
        of("create_enemy_ai"),
        "behavior",
        "",
        &[],
        &["boss", "chase", "flee", "patrol"],
    );
    check_completion(of("create_enemy_ai"), "nothing", "", &[], &[]);
}

#[test]
fn blanks_of_templates_are_completed() {
    let of = CompletionOf::Template;
    check_completion(of("godot://scene/{path}"), "path", "pl", &[], &["scenes/player.tscn"]);
    check_completion(of("godot://script/{path}"), "path", "pl", &[], &["scripts/player.gd"]);
    check_completion(of("godot://uid/{path}"), "path", "icon", &[], &["icon.svg"]);
    check_completion(of("godot://class/{class}"), "class", "tilemapl", &[], &["TileMapLayer"]);
    check_completion(
        of("godot://project/settings/{section}"),
        "section",
        "a",
        &[],
        &["application", "autoload"],
    );
    check_completion(
        of("godot://assets/{category}"),
        "category",
        "s",
        &[],
        &["scenes", "scripts", "shaders"],
    );
}

#[test]
fn what_is_not_there_is_not_completed() {
    let sample = GodotSample::new();
    for of in [CompletionOf::Prompt("nothing"), CompletionOf::Template("godot://nothing/{path}")] {
        let refused = complete(sample.runner(), of, "path", "", &PromptValues::new()).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::BadEnvelope, "{of:?}");
    }
}
