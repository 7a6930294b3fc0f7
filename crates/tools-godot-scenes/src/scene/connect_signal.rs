//! The tool `godotScene.connectSignal`, which MCP clients call `connect_signal`.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_godot::NewConnection;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InScene, Kind, Signals, Write, find_node, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `CONNECT_PERSIST`: without it the editor would drop the connection when it saves.
const PERSIST: i64 = 2;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.connectSignal",
    keywords: "hook up timer timeout button pressed function callback event handler body entered subscribe listen wire bind to method body_entered happens call trigger click pushed clicked touched runs out",
    mcp: Some("connect_signal"),
    title: "Connect Signal",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Restart, deferred, when the player jumps",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/main.tscn",
            "fromNodePath": "Player",
            "signal": "jumped",
            "toNodePath": ".",
            "method": "_on_restart_pressed",
            "flags": 1
        }"#,
        output: r#"{
            "success": true,
            "signal": "jumped",
            "from": "Player",
            "to": ".",
            "method": "_on_restart_pressed",
            "flags": 3,
            "methodFound": true,
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

/// Connect a signal of one node to a method of another. The signal must be one of the class or the
/// script; a method that is not there yet is connected and said.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node that sends it; `.` is the root.
    from_node_path: String,
    /// The signal.
    signal: String,
    /// Path of the node that receives it.
    to_node_path: String,
    /// The method to call.
    method: String,
    /// Godot's flags to add: 1 deferred, 4 one shot.
    #[serde(default)]
    #[schemars(range(min = 0, max = 63))]
    flags: i64,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The signal.
    signal: String,
    /// The node that sends it.
    from: String,
    /// The node that receives it.
    to: String,
    /// The method.
    method: String,
    /// Godot's flags as they are in the file; 2 is always among them.
    flags: i64,
    /// Whether the receiver has the method.
    method_found: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let from = find_node(cx, &tree, &open.path, &input.from_node_path)?;
    let to = find_node(cx, &tree, &open.path, &input.to_node_path)?;
    must_have_signal(&godot, &godot.kind_of(from), &from.path, &input.signal)?;
    let receiver = godot.kind_of(to);
    let methods = Signals::of(&godot, &receiver);
    let method_found = methods.has_method(&input.method);
    if !method_found {
        cx.diagnose(no_method(&receiver, &to.path, &input.method, methods.is_known()));
    }
    godot.show_inside(&mut open, &tree, from)?;
    let flags = input.flags | PERSIST;
    let new = NewConnection::new(&input.signal, &from.path, &to.path, &input.method);
    open.scene.add_connection(&NewConnection { flags, ..new }).map_err(refused)?;
    let written = open.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        signal: input.signal,
        from: from.path.clone(),
        to: to.path.clone(),
        method: input.method,
        flags,
        method_found,
        written,
    })
}

fn must_have_signal(
    godot: &Godot<'_>,
    kind: &Kind,
    path: &str,
    signal: &str,
) -> Result<(), ToolError> {
    let signals = Signals::of(godot, kind);
    let declared = signals.declared();
    let names: Vec<&str> = declared.iter().map(|(name, ..)| name.as_str()).collect();
    // A class of an extension or a script in another language may declare any.
    if names.contains(&signal) || !signals.is_known() {
        return Ok(());
    }
    let what = kind.script.as_deref().map_or(String::new(), |script| format!(" with {script}"));
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("`{path}`, a {}{what}, has no signal '{signal}'", kind.class),
    )
    .hint(suggest::did_you_mean(signal, names, "list_signals shows the signals of a node")))
}

fn no_method(receiver: &Kind, path: &str, method: &str, is_known: bool) -> String {
    match &receiver.script {
        Some(script) if is_known => {
            format!("{script} on `{path}` has no method {method} yet: add it, or the signal fails")
        }
        Some(script) => format!("whether {script} on `{path}` has {method} is not known"),
        None => format!("`{path}` has no script and its class no method {method}: attach one"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(from: &str, signal: &str, to: &str, method: &str) -> Value {
        json!({
            "scenePath": "scenes/main.tscn",
            "fromNodePath": from, "signal": signal, "toNodePath": to, "method": method,
        })
    }

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_connection_stands_behind_the_others() {
        check(
            arguments("Player", "jumped", "Main", "_on_restart_pressed"),
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -111,5 +111,6 @@
             [connection signal="fell" from="Player" to="." method="_on_player_fell" flags=3]
             [connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]
            +[connection signal="jumped" from="Player" to="." method="_on_restart_pressed"]

             [editable path="Level"]
        "#]],
        );
        check(
            arguments("Player/AnimationPlayer", "animation_finished", ".", "queue_free"),
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -111,5 +111,7 @@
             [connection signal="fell" from="Player" to="." method="_on_player_fell" flags=3]
             [connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]
            +[connection signal="animation_finished" from="Player/AnimationPlayer" to="." method="queue_free"]

             [editable path="Level"]
            +[editable path="Player"]
        "#]],
        );
    }

    #[test]
    fn a_missing_method_is_said_and_connected() {
        let sample = GodotSample::new();
        let mut given = arguments("Player", "puffed", "Coins", "_on_puff");
        given["dryRun"] = true.into();
        let output = sample.call(super::TOOL.id, given).unwrap();
        assert_eq!((&output["methodFound"], &output["filesChanged"]), (&json!(false), &json!(1)));
    }

    #[test]
    fn what_cannot_be_connected_is_refused() {
        let sample = GodotSample::new();
        let refuse = |given: Value| sample.error(super::TOOL.id, given);
        expect!["`Player`, a CharacterBody2D with res://scripts/player.gd, has no signal 'jumpd'; did you mean jumped?"].assert_eq(&refuse(arguments("Player", "jumpd", ".", "a")));
        expect!["`Coins`, a Node2D, has no signal 'collected'; there is renamed, script_changed, child_entered_tree, child_order_changed, child_exiting_tree, editor_state_changed, editor_description_changed, tree_exited, tree_entered, item_rect_changed, property_list_changed, ready and 5 more; list_signals shows the signals of a node"]
        .assert_eq(&refuse(arguments("Coins", "collected", ".", "a")));
        expect!["there is already a connection `Player::fell -> .::_on_player_fell`; nothing was changed; list_signals shows the connections"].assert_eq(&refuse(arguments("Player", "fell", ".", "_on_player_fell")));
        expect!["`` cannot be a name: signals and methods are identifiers"]
            .assert_eq(&refuse(arguments("Player", "fell", ".", "")));
        expect!["node not found: Plaer; did you mean Player?"]
            .assert_eq(&refuse(arguments("Player", "fell", "Plaer", "a")));
    }
}
