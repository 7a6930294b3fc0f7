//! The tool `explorer.addComponent`, `AddComponent` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Refused;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.addComponent",
    keywords: "rigidbody boxcollider attach script to game object running world live",
    explorer: Some("AddComponent"),
    title: "Add a Component",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Put a light on the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "type": "UnityEngine.Light" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put a component on an object. Its class must be on the interface's component allowlist, if
/// it has one.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the class, as it is on the allowlist.
    r#type: String,
}

fn run(cx: &Cx, Input { object_id: id, r#type: class }: Input) -> Result<Done, ToolError> {
    allowed::component(cx, &class)?;
    let id = object_id(&id)?;
    // What is wrong with the class is said first.
    cx.world(|world| match world.add_component(id, &class) {
        Err(Refused::NotFound) => found(world, id).map(drop),
        done => done.map(drop).map_err(refused),
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    #[test]
    fn what_cannot_be_added_is_refused_and_nothing_is() {
        let sample = UnitySample::new();
        let list = ["Zork", "LanternKeep.GameState", "UnityEngine.Transform", "UnityEngine.Light"];
        sample.ask("explorer.setConfig", json!({ "componentAllowlist": list }));
        let mut text = String::new();
        for (id, class) in [
            (PLAYER, "Zork"),
            (PLAYER, "LanternKeep.GameState"),
            (PLAYER, "UnityEngine.Transform"),
            // The list has full names, in their own case.
            (PLAYER, "Light"),
            (PLAYER, "unityengine.light"),
            (NOBODY, "UnityEngine.Light"),
        ] {
            let said = sample.refusal(super::TOOL.id, json!({ "objectId": id, "type": class }));
            text += &format!("{id} {class}\n    {said}\n");
        }
        expect![[r#"
            obj:1616470424 Zork
                BadArguments: Type not found or not a Component
            obj:1616470424 LanternKeep.GameState
                BadArguments: Type not found or not a Component
            obj:1616470424 UnityEngine.Transform
                BadArguments: Can't add Transform because every object has one
            obj:1616470424 Light
                Denied: Denied by allowlist; SetConfig sets componentAllowlist: full names of classes
            obj:1616470424 unityengine.light
                Denied: Denied by allowlist; SetConfig sets componentAllowlist: full names of classes
            obj:5 UnityEngine.Light
                EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others
        "#]].assert_eq(&text);
        let player = sample.ask("explorer.getObject", json!({ "id": PLAYER }));
        assert_eq!(player["ComponentCount"], 4);
    }

    #[test]
    fn a_class_of_the_project_comes_with_its_members() {
        let sample = UnitySample::new();
        let class = "LanternKeep.Collectible";
        sample.ask("explorer.setConfig", json!({ "componentAllowlist": [class] }));
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER, "type": class }));
        let member = json!({ "objectId": PLAYER, "componentType": class, "name": "kind" });
        let kind = sample.ask("explorer.readComponentMember", member);
        assert_eq!(kind["valueJson"], "Coin");
    }
}
