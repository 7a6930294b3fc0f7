//! The tool `explorer.setFreecamPose`, `SetFreecamPose` in the Explorer interface.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::InWorld;
use crate::world::cards::Triple;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setFreecamPose",
    keywords: "teleport move the free camera fly position look",
    explorer: Some("SetFreecamPose"),
    title: "Place the Free Camera",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Look down on the Unity sample",
        input: r#"{ "pos": { "X": 0, "Y": 20, "Z": 0 }, "rot": { "X": 90, "Y": 0, "Z": 0 } }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put the free camera somewhere.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Where.
    pos: Option<Triple>,
    /// Turned how, in degrees about the axes.
    rot: Option<Triple>,
}

fn run(cx: &Cx, input: Input) -> Result<Done, ToolError> {
    let Input { pos: Some(pos), rot: Some(rot) } = input else {
        return Err(ToolError::new(ErrorKind::BadArguments, "pos and rot are required"));
    };
    cx.world(|world| {
        world.freecam_mut().place = Some((pos.into(), rot.into()));
        Ok(Done::OK)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn half_a_pose_moves_nothing() {
        let sample = UnitySample::new();
        let before = sample.ask("explorer.getFreecam", json!({}));
        let pose = json!({ "X": 1, "Y": 2.5, "Z": -3 });
        let refuse = |given| sample.refusal(super::TOOL.id, given);
        expect!["BadArguments: pos and rot are required"].assert_eq(&refuse(json!({})));
        expect!["BadArguments: pos and rot are required"]
            .assert_eq(&refuse(json!({ "pos": pose })));
        expect!["BadArguments: pos and rot are required"]
            .assert_eq(&refuse(json!({ "pos": pose, "rot": null })));
        expect!["BadArguments: Invalid tool arguments: rot.Z is required"]
            .assert_eq(&refuse(json!({ "pos": pose, "rot": { "X": 1, "Y": 2 } })));
        assert_eq!(sample.ask("explorer.getFreecam", json!({})), before);
    }
}
