//! The tool `godotScene.listSignals`, which MCP clients call `list_signals`.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Connected, InGodot, InScene, Signals, find_node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Connections that are returned; more are counted.
const MAX_LISTED: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.listSignals",
    keywords: "where is a signal connected handler callback connections emitted events who listens what signals has node to the happens function called wired",
    mcp: Some("list_signals"),
    title: "List Signals",
    category: "godot.scene",
    examples: &[Example {
        description: "Show what is connected to the player, its timer included",
        input: r#"{ "projectPath": "godot", "scenePath": "scenes/player.tscn" }"#,
        output: r#"{
            "scenePath": "scenes/player.tscn",
            "signals": [],
            "connections": [{
                "signal": "timeout",
                "from": "CoyoteTimer",
                "to": ".",
                "method": "_on_coyote_timer_timeout",
                "flags": 2,
                "madeIn": "res://scenes/player.tscn"
            }],
            "connectionCount": 1
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the connections of a scene, those that its instances and base scenes make included. With a
/// node, also the signals that its class and its script declare, and only its connections.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of a node from the scene's root.
    node_path: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The scene, from the project's root.
    scene_path: String,
    /// Path of the node that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    node_path: Option<String>,
    /// The signals of that node: its scripts', then its classes'.
    signals: Vec<Signal>,
    /// What is connected, at most 500.
    connections: Vec<Shown>,
    /// How many connections there are.
    connection_count: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Signal {
    /// Its name.
    name: String,
    /// What a connected method receives.
    #[serde(skip_serializing_if = "String::is_empty")]
    arguments: String,
    /// The class or script that declares it.
    declared_by: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Shown {
    /// The signal.
    signal: String,
    /// The node that sends it.
    from: String,
    /// The node that receives it.
    to: String,
    /// The method that is called.
    method: String,
    /// Godot's flags: 1 deferred, 2 persistent, 4 one shot.
    flags: i64,
    /// How many of the signal's arguments are dropped.
    #[serde(skip_serializing_if = "is_zero")]
    unbinds: i64,
    /// Values that follow the signal's arguments, as Godot writes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    binds: Vec<String>,
    /// The file that makes the connection.
    made_in: String,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = input.node_path.as_deref().map(|path| find_node(cx, &tree, &open.path, path));
    let node = node.transpose()?;
    let is_wanted =
        |one: &Connected| node.is_none_or(|node| one.from == node.path || one.to == node.path);
    let mut connections = godot.connections(&open.scene, &format!("res://{}", open.path));
    connections.retain(is_wanted);
    let kind = node.map(|node| godot.kind_of(node));
    let declared = kind.as_ref().map(|kind| Signals::of(&godot, kind).declared());
    let signal = |(name, arguments, declared_by)| Signal { name, arguments, declared_by };
    Ok(Output {
        scene_path: open.path.to_string(),
        node_path: node.map(|node| node.path.clone()),
        signals: declared.unwrap_or_default().into_iter().map(signal).collect(),
        connection_count: connections.len(),
        connections: connections.into_iter().take(MAX_LISTED).map(shown).collect(),
    })
}

fn shown(one: Connected) -> Shown {
    let Connected { signal, from, to, method, flags, unbinds, binds, file } = one;
    Shown { signal, from, to, method, flags, unbinds, binds, made_in: file }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_toolkit::testing::call;
    use serde_json::{Value, json};

    use crate::scene::edit_node;
    use crate::testing::GodotSample;

    fn list(key: &str, arguments: Value) -> String {
        let output = GodotSample::new().call(super::TOOL.id, arguments).unwrap();
        let lines = output[key].as_array().unwrap().iter().map(Value::to_string);
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Ten instances in ten instances, and so on: as many as nobody could go through one by one.
    #[test]
    fn scenes_in_each_other_end_early_and_the_answer_says_so() {
        let sample = GodotSample::new();
        for number in 0..12 {
            let nodes = (0..10).map(|at| {
                format!("[node name=\"N{at}\" parent=\".\" instance=ExtResource(\"1\")]\n")
            });
            let scene = format!(
                "[gd_scene format=3]\n[ext_resource type=\"PackedScene\" path=\"res://s{}.tscn\" id=\"1\"]\n[node name=\"R\" type=\"Node\"]\n{}",
                number + 1,
                nodes.collect::<String>()
            );
            sample.write(&format!("s{number}.tscn"), &scene);
        }
        let leaf = "[gd_scene format=3]\n[node name=\"R\" type=\"Node\"]\n";
        let timer = "[node name=\"T\" type=\"Timer\" parent=\".\"]\n[connection signal=\"timeout\" from=\"T\" to=\".\" method=\"queue_free\"]\n";
        for (last, count, cut) in [
            (leaf.to_owned(), 0, "more nodes than are built"),
            (format!("{leaf}{timer}"), 10_000, "Only the first 10000 connections"),
        ] {
            sample.write("s12.tscn", &last);
            let arguments = json!({ "scenePath": "s0.tscn" });
            let listed = call(sample.runner(), super::TOOL.id, arguments).unwrap();
            assert_eq!(listed.output["connectionCount"], count);
            let said = listed.diagnostics.join("\n");
            assert_eq!(said.matches(cut).count(), 1, "{said}");
        }
        let arguments = json!({ "scenePath": "s0.tscn", "nodePath": "N9", "properties": { "process_mode": 3 } });
        assert_eq!(sample.call(edit_node::TOOL.id, arguments).unwrap()["success"], true);
    }

    #[test]
    fn scripts_and_classes_declare_signals() {
        let all = list("signals", json!({ "scenePath": "scenes/main.tscn", "nodePath": "Player" }));
        let some: Vec<&str> = all.lines().take(7).collect();
        expect![[r#"
            {"name":"jumped","declaredBy":"res://scripts/player.gd"}
            {"name":"interacted","arguments":"at: Vector2","declaredBy":"res://scripts/player.gd"}
            {"name":"fell","declaredBy":"res://scripts/player.gd"}
            {"name":"puffed","arguments":"strength: float","declaredBy":"res://scripts/actor.gd"}
            {"name":"input_event","arguments":"viewport: Node, event: InputEvent, shape_idx: int","declaredBy":"CollisionObject2D"}
            {"name":"mouse_entered","declaredBy":"CollisionObject2D"}
            {"name":"mouse_exited","declaredBy":"CollisionObject2D"}"#]].assert_eq(&some.join("\n"));
        assert!(
            all.contains(
                r#"{"name":"child_entered_tree","arguments":"node: Node","declaredBy":"Node"}"#
            ),
            "{all}"
        );
    }

    #[test]
    fn connections_of_instances_are_told_too() {
        expect![[r#"
            {"signal":"collected","from":"Coins/Coin1","to":".","method":"_on_coin_collected","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"collected","from":"Coins/Coin2","to":".","method":"_on_coin_collected","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"collected","from":"Coins/Coin3","to":".","method":"_on_coin_collected","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"collected","from":"Coins/Coin4","to":".","method":"_on_coin_collected","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"collected","from":"Coins/GoldCoin","to":".","method":"_on_coin_collected","flags":2,"binds":["&\"bonus\""],"madeIn":"res://scenes/main.tscn"}
            {"signal":"fell","from":"Player","to":".","method":"_on_player_fell","flags":3,"madeIn":"res://scenes/main.tscn"}
            {"signal":"interacted","from":"Player","to":".","method":"_on_player_interacted","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"pressed","from":"HUD/Root/TopBar/RestartButton","to":".","method":"_on_restart_pressed","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"body_entered","from":"Coins/Coin1","to":"Coins/Coin1","method":"_on_body_entered","flags":2,"madeIn":"res://scenes/coin.tscn"}
            {"signal":"body_entered","from":"Coins/Coin2","to":"Coins/Coin2","method":"_on_body_entered","flags":2,"madeIn":"res://scenes/coin.tscn"}
            {"signal":"body_entered","from":"Coins/Coin3","to":"Coins/Coin3","method":"_on_body_entered","flags":2,"madeIn":"res://scenes/coin.tscn"}
            {"signal":"body_entered","from":"Coins/Coin4","to":"Coins/Coin4","method":"_on_body_entered","flags":2,"madeIn":"res://scenes/coin.tscn"}
            {"signal":"body_entered","from":"Coins/GoldCoin","to":"Coins/GoldCoin","method":"_on_body_entered","flags":2,"madeIn":"res://scenes/coin.tscn"}
            {"signal":"timeout","from":"Player/CoyoteTimer","to":"Player","method":"_on_coyote_timer_timeout","flags":2,"madeIn":"res://scenes/player.tscn"}"#]].assert_eq(&list("connections", json!({ "scenePath": "scenes/main.tscn" })));
        expect![[r#"
            {"signal":"collected","from":"Coins/Coin1","to":".","method":"_on_coin_collected","flags":2,"madeIn":"res://scenes/main.tscn"}
            {"signal":"body_entered","from":"Coins/Coin1","to":"Coins/Coin1","method":"_on_body_entered","flags":2,"madeIn":"res://scenes/coin.tscn"}"#]].assert_eq(&list("connections", json!({ "scenePath": "scenes/main.tscn", "nodePath": "Coins/Coin1" })));
    }
}
