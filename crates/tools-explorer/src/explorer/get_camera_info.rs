//! The tool `explorer.getCameraInfo`, `GetCameraInfo` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::{Triple, plain};

/// The name of no camera.
const NONE: &str = "<none>";

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getCameraInfo",
    explorer: Some("GetCameraInfo"),
    title: "Active Camera",
    category: "explorer",
    examples: &[Example {
        description: "Ask from where the Unity sample is seen",
        input: "{}",
        output: r#"{
            "IsFreecam": false,
            "Name": "Main Camera",
            "Fov": 60.0,
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

/// Tell of the camera that sees: the free one, the main one, or else the first.
#[derive(Deserialize, JsonSchema)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// Whether it is the free camera.
    is_freecam: bool,
    /// Its object's name; `<none>` when there is no camera.
    name: String,
    /// The angle from bottom to top, in degrees.
    fov: f64,
    /// Where it is.
    pos: Triple,
    /// How it is turned, in degrees about the axes.
    rot: Triple,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    cx.world(|world| {
        let zero = Triple { x: 0.0, y: 0.0, z: 0.0 };
        Ok(match world.view() {
            Some(view) => Output {
                is_freecam: view.is_freecam,
                name: view.name,
                fov: plain(view.fov),
                pos: view.pose.position.into(),
                rot: view.pose.rotation.to_euler().into(),
            },
            None => {
                Output { is_freecam: false, name: NONE.to_owned(), fov: 0.0, pos: zero, rot: zero }
            }
        })
    })
}
