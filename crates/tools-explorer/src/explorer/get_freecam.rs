//! The tool `explorer.getFreecam`, `GetFreecam` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::{Triple, plain};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getFreecam",
    keywords: "fly camera position",
    explorer: Some("GetFreecam"),
    title: "Free Camera",
    category: "explorer",
    examples: &[Example {
        description: "Ask where the free camera is",
        input: r#"{}"#,
        output: r#"{
            "Enabled": false,
            "UsingGameCamera": false,
            "Speed": 10.0,
            "Pos": { "X": 0.0, "Y": 3.0, "Z": -10.0 },
            "Rot": { "X": 15.000001, "Y": 0.0, "Z": 0.0 }
        }"#,
        varies: &["Rot"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell of the free camera: whether it sees, how fast it flies, where it is.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// Whether it is the camera that sees.
    enabled: bool,
    /// Whether it moves the game's own camera; it never does here.
    using_game_camera: bool,
    /// How fast it flies.
    speed: f64,
    /// Where it is.
    pos: Triple,
    /// How it is turned, in degrees about the axes.
    rot: Triple,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    cx.world(|world| {
        let camera = world.freecam();
        let (position, angles) = world.freecam_place();
        Ok(Output {
            enabled: camera.enabled,
            using_game_camera: false,
            speed: plain(camera.speed),
            pos: position.into(),
            rot: angles.into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn it_is_with_the_games_camera_until_somebody_moves_it() {
        let sample = UnitySample::new();
        let place = || sample.ask(super::TOOL.id, json!({}))["Pos"].clone();
        let go = |x: f64| {
            let to = format!("new Vector3({x:.1}f, 0f, 0f)");
            sample.eval(&format!("GameObject.Find(\"Main Camera\").transform.position = {to};"));
        };
        go(5.0);
        assert_eq!(place()["X"], 5.0);
        let pose = json!({ "X": 0.1, "Y": 0, "Z": 0 });
        sample.ask("explorer.setFreecamPose", json!({ "pos": pose, "rot": pose }));
        go(6.0);
        assert_eq!(place(), json!({ "X": 0.1, "Y": 0.0, "Z": 0.0 }));
    }

    #[test]
    fn without_any_camera_it_is_at_the_origin() {
        let camera = UnitySample::of("").ask(super::TOOL.id, json!({}));
        let zero = json!({ "X": 0.0, "Y": 0.0, "Z": 0.0 });
        assert_eq!((&camera["Pos"], &camera["Rot"]), (&zero, &zero));
    }
}
