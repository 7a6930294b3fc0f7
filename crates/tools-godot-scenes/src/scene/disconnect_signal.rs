//! The tool `godotScene.disconnectSignal`, which MCP clients call `disconnect_signal`.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Connected, InGodot, InScene, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.disconnectSignal",
    keywords: "unsubscribe unhook remove connection unwire event no longer",
    mcp: Some("disconnect_signal"),
    title: "Disconnect Signal",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let the first coin count no more",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/main.tscn",
            "fromNodePath": "Coins/Coin1",
            "signal": "collected",
            "toNodePath": ".",
            "method": "_on_coin_collected"
        }"#,
        output: r#"{
            "success": true,
            "signal": "collected",
            "from": "Coins/Coin1",
            "to": ".",
            "method": "_on_coin_collected",
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

/// Remove a connection that this scene makes. One that an instance or a base scene makes is removed
/// in its own file.
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
    /// The method that is called.
    method: String,
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
    /// The node that sent it.
    from: String,
    /// The node that received it.
    to: String,
    /// The method.
    method: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    // A node that is gone is taken as it is given, so that what is left of it can go.
    let end = |text: &String| godot.node(&open, text).unwrap_or_else(|_| text.clone());
    let (from, to) = (end(&input.from_node_path), end(&input.to_node_path));
    let removed = open.scene.remove_connection(&input.signal, &from, &to, &input.method);
    removed.map_err(|error| {
        let all = godot.connections(&open.scene, &format!("res://{}", open.path));
        match made_elsewhere(&all, &input, &from, &to) {
            Some(file) => ToolError::new(
                ErrorKind::BadArguments,
                format!("{file} makes this connection, and it can only be removed there"),
            )
            .hint(format!("call this with scenePath {file}"))
            .detail("scenePath", file),
            None => refused(error).hint(nearest(&all, &input, &from, &to)),
        }
    })?;
    let written = open.save(&godot, input.write)?;
    Ok(Output { success: true, signal: input.signal, from, to, method: input.method, written })
}

fn made_elsewhere(all: &[Connected], input: &Input, from: &str, to: &str) -> Option<String> {
    let found = all.iter().find(|one| {
        one.signal == input.signal && one.method == input.method && one.from == from && one.to == to
    })?;
    Some(found.file.clone())
}

/// The connections that may be meant.
fn nearest(all: &[Connected], input: &Input, from: &str, to: &str) -> String {
    let told = |from: &str, signal: &str, to: &str, method: &str| {
        format!("{from}::{signal} -> {to}::{method}")
    };
    let known: Vec<String> =
        all.iter().map(|one| told(&one.from, &one.signal, &one.to, &one.method)).collect();
    let asked = told(from, &input.signal, to, &input.method);
    let otherwise = "list_signals shows the connections of a scene";
    suggest::did_you_mean(&asked, known.iter().map(String::as_str), otherwise)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(scene: &str, from: &str, signal: &str, method: &str) -> Value {
        json!({
            "scenePath": scene,
            "fromNodePath": from, "signal": signal, "toNodePath": ".", "method": method,
        })
    }

    #[test]
    fn one_connection_goes() {
        let sample = GodotSample::new();
        let given = arguments(
            "scenes/main.tscn",
            "/root/Main/Coins/GoldCoin",
            "collected",
            "_on_coin_collected",
        );
        expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -107,7 +107,6 @@
             [connection signal="collected" from="Coins/Coin2" to="." method="_on_coin_collected"]
             [connection signal="collected" from="Coins/Coin3" to="." method="_on_coin_collected"]
             [connection signal="collected" from="Coins/Coin4" to="." method="_on_coin_collected"]
            -[connection signal="collected" from="Coins/GoldCoin" to="." method="_on_coin_collected" binds= [&"bonus"]]
             [connection signal="fell" from="Player" to="." method="_on_player_fell" flags=3]
             [connection signal="interacted" from="Player" to="." method="_on_player_interacted"]
             [connection signal="pressed" from="HUD/Root/TopBar/RestartButton" to="." method="_on_restart_pressed"]
        "#]].assert_eq(&sample.diff(super::TOOL.id, given));
    }

    #[test]
    fn what_is_left_of_a_lost_node_goes_too() {
        let sample = GodotSample::new();
        let text = sample.read("scenes/coin.tscn").replace("from=\".\"", "from=\"Gone\"");
        sample.write("scenes/coin.tscn", &text);
        let given = arguments("scenes/coin.tscn", "Gone", "body_entered", "_on_body_entered");
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -17,5 +17,3 @@

             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)
            -
            -[connection signal="body_entered" from="Gone" to="." method="_on_body_entered"]
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, given));
    }

    #[test]
    fn others_are_not_touched() {
        let sample = GodotSample::new();
        let refuse = |given: Value| sample.error(super::TOOL.id, given);
        expect!["there is no connection `Player::jumped -> .::a`; did you mean Player::interacted -> .::_on_player_interacted or Player::fell -> .::_on_player_fell?"].assert_eq(&refuse(arguments("scenes/main.tscn", "Player", "jumped", "a")));
        let mut given = arguments(
            "scenes/main.tscn",
            "Player/CoyoteTimer",
            "timeout",
            "_on_coyote_timer_timeout",
        );
        given["toNodePath"] = "Player".into();
        expect!["res://scenes/player.tscn makes this connection, and it can only be removed there; call this with scenePath res://scenes/player.tscn"].assert_eq(&refuse(given));
    }
}
