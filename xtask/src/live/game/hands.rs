//! Input and the user interface of a running game.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::super::Client;
use super::super::cases::{Cases, column, has, same};
use super::value;

pub(super) fn run(cases: &mut Cases, client: &mut Client) {
    cases.case("the interface as texts", || {
        let said = client.call("game_ui", &json!({}))?;
        let texts = column(&said["controls"], "text");
        same("texts", texts, vec!["Start", "Under", "Off", "Twin", "Twin", ""])?;
        same("where Start is", &said["controls"][0]["rect"], &json!([0.0, 0.0, 100.0, 31.0]))?;
        same("Off", &said["controls"][2]["isDisabled"], true)?;
        let all = client.call("game_ui", &json!({ "all": true }))?;
        same("with those without a text", &all["total"], 8)?;
        Ok("six with places, two more when asked".to_owned())
    });
    cases.case("click by text", || {
        let said = client.call("game_click", &json!({ "text": "start" }))?;
        same(
            "pressed",
            (&said["isPressed"], &said["path"]),
            (&json!(true), &json!("/root/Cases/Start")),
        )?;
        same(
            "the game heard",
            heard(client)?,
            vec!["mouse 1 true", "mouse 1 false", "pressed Start"],
        )?;
        Ok("Start was pressed, once".to_owned())
    });
    cases.case("clicks that come to nobody", || {
        let said = client.refusal("game_click", &json!({ "text": "Under" }))?;
        has("a covered button", &said, "/root/Cases/Lid is above it")?;
        let said = client.refusal("game_click", &json!({ "text": "Off" }))?;
        has("a disabled one", &said, "is disabled")?;
        let said = client.refusal("game_click", &json!({ "text": "Twin" }))?;
        has("two of a text", &said, "/root/Cases/TwinA, /root/Cases/TwinB")?;
        let said = client.refusal("game_click", &json!({ "text": "Finish" }))?;
        has("nobody", &said, "nothing on the screen says 'Finish'")?;
        let heard = heard(client)?;
        ensure!(
            !heard.iter().any(|line| line.starts_with("pressed")),
            "something was pressed: {heard:?}"
        );
        let said = client.call("game_click", &json!({ "nodePath": "TwinB" }))?;
        same("by path", &said["isPressed"], true)?;
        Ok("covered, disabled, twice there, not there: each an error".to_owned())
    });
    cases.case("action, key, mouse, touch", || {
        heard(client)?;
        let mut press = |event: Value, expected: &[&str]| -> Result<()> {
            client.call("game_input", &json!({ "events": [event] }))?;
            same(&event.to_string(), heard(client)?, expected)
        };
        press(json!({ "action": "jump" }), &["action jump true", "action jump false"])?;
        press(json!({ "key": "K", "frames": 2 }), &["key K true", "key K false"])?;
        press(json!({ "key": "K", "pressed": true }), &["key K true"])?;
        press(json!({ "key": "K", "pressed": false }), &["key K false"])?;
        press(
            json!({ "mouse": [300, 300], "button": "right" }),
            &["mouse 2 true", "mouse 2 false"],
        )?;
        // The engine makes a click of a touch, unless a project does not want it.
        let touched = ["mouse 1 true", "touch 1 true", "mouse 1 false", "touch 1 false"];
        press(json!({ "touch": [300, 300], "finger": 1 }), &touched)?;
        let said = client
            .refusal("game_input", &json!({ "events": [{ "key": "K" }, { "action": "jmup" }] }))?;
        has("no such action", &said, "there is no action 'jmup'")?;
        same("nothing was begun", heard(client)?, Vec::<String>::new())?;
        Ok("as a player gives them, down and up".to_owned())
    });
    cases.case("text into a field", || {
        client.call("game_click", &json!({ "nodePath": "Field" }))?;
        client.call("game_input", &json!({ "events": [{ "text": "Ahoy, é 1!" }] }))?;
        same("the field", value(client, "Field", "text")?, "Ahoy, é 1!")?;
        Ok("letter by letter".to_owned())
    });
}

/// What the scene heard since it was asked before.
fn heard(client: &mut Client) -> Result<Vec<String>> {
    let said = value(client, ".", "heard")?;
    client.call("game_call", &json!({ "expression": "scene.heard.clear()" }))?;
    let lines = said.as_array().into_iter().flatten();
    Ok(lines.filter_map(|line| line.as_str().map(str::to_owned)).collect())
}
