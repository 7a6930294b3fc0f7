//! The tool `explorer.setFreecamEnabled`, `SetFreecamEnabled` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setFreecamEnabled",
    keywords: "turn on fly cam noclip spectator free look camera off detach",
    explorer: Some("SetFreecamEnabled"),
    title: "Switch the Free Camera",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Look through the free camera",
        input: r#"{ "enabled": true }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let the free camera see, or the game's own.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// On or off.
    enabled: bool,
}

fn run(cx: &Cx, Input { enabled }: Input) -> Result<Done, ToolError> {
    cx.world(|world| {
        // It begins where the game's camera is, and stays there when that moves.
        let place = world.freecam_place();
        let camera = world.freecam_mut();
        camera.enabled = enabled;
        camera.place = Some(place);
        Ok(Done::OK)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn it_stays_when_the_games_camera_moves() {
        let sample = UnitySample::new();
        let before = sample.ask("explorer.getCameraInfo", json!({}))["Pos"].clone();
        sample.ask(super::TOOL.id, json!({ "enabled": true }));
        sample.eval(r#"GameObject.Find("Main Camera").transform.position = Vector3.zero;"#);
        let seen = sample.ask("explorer.getCameraInfo", json!({}));
        assert_eq!((&seen["IsFreecam"], &seen["Pos"]), (&json!(true), &before));
        sample.ask(super::TOOL.id, json!({ "enabled": false }));
        let seen = sample.ask("explorer.getCameraInfo", json!({}));
        assert_eq!((&seen["IsFreecam"], &seen["Pos"]["Z"]), (&json!(false), &json!(0.0)));
        let free = sample.ask("explorer.getFreecam", json!({}));
        assert_eq!((&free["Enabled"], &free["Pos"]), (&json!(false), &before), "where it was left");
    }
}
