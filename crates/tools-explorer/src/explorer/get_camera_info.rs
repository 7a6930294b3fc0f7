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
    keywords: "where is the active camera looking position fov field view renders main",
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

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{CAMERA, UnitySample};

    #[test]
    fn without_a_camera_only_the_free_one_sees() {
        let sample = UnitySample::new();
        let see = || sample.ask(super::TOOL.id, json!({})).to_string();
        sample.eval(r#"GameObject.Find("Main Camera").GetComponent<Camera>().fieldOfView = 40f;"#);
        let place = json!({ "X": 1, "Y": 2, "Z": 3 });
        sample.ask("explorer.setFreecamPose", json!({ "pos": place, "rot": place }));
        sample.ask("explorer.setFreecamEnabled", json!({ "enabled": true }));
        let free = sample.ask(super::TOOL.id, json!({}));
        assert_eq!((&free["Name"], &free["Fov"]), (&json!("UE_Freecam"), &json!(40.0)));
        assert_eq!(free["Pos"], json!({ "X": 1.0, "Y": 2.0, "Z": 3.0 }));
        sample.ask("explorer.destroyObject", json!({ "objectId": CAMERA }));
        let fov = sample.ask(super::TOOL.id, json!({}))["Fov"].clone();
        assert_eq!(fov, 60.0, "there is none to take it from");
        sample.ask("explorer.setFreecamEnabled", json!({ "enabled": false }));
        expect![[r#"{"IsFreecam":false,"Name":"<none>","Fov":0.0,"Pos":{"X":0.0,"Y":0.0,"Z":0.0},"Rot":{"X":0.0,"Y":0.0,"Z":0.0}}"#]].assert_eq(&see());
    }

    #[test]
    fn the_first_sees_when_none_is_the_main_one() {
        let sample = UnitySample::new();
        sample.eval(
            r#"GameObject.Find("Main Camera").tag = "Untagged";
            new GameObject("Größe").AddComponent<Camera>();"#,
        );
        let name = || sample.ask(super::TOOL.id, json!({}))["Name"].clone();
        assert_eq!(name(), "Main Camera");
        sample.eval(r#"GameObject.Find("Main Camera").GetComponent<Camera>().enabled = false;"#);
        assert_eq!(name(), "Größe");
    }
}
