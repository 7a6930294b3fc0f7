//! The tool `explorer.removeComponent`, `RemoveComponent` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Refused;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, exact_component, found, full_class, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.removeComponent",
    keywords: "delete script live",
    explorer: Some("RemoveComponent"),
    title: "Remove a Component",
    category: "explorer",
    safety: Safety::Destructive,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Take the rigidbody off the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "typeOrIndex": "UnityEngine.Rigidbody" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take a component off an object, by its class (on the component allowlist, if there is one) or by
/// its place in the list of components.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the class, or the place from 0.
    type_or_index: String,
}

fn run(cx: &Cx, Input { object_id: id, type_or_index: which }: Input) -> Result<Done, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        let component = match which.trim().parse::<usize>() {
            Ok(place) => {
                let component = object.components().get(place).map(|component| component.id());
                component.ok_or(Refused::NoComponent).map_err(refused)?
            }
            Err(_) => {
                allowed::component(cx, &full_class(world, id, &which))?;
                exact_component(world, id, &which)?
            }
        };
        world.remove_component(component).map_err(refused)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    #[test]
    fn what_cannot_be_removed_stays() {
        let sample = UnitySample::new();
        let list = ["UnityEngine.Transform", "UnityEngine.Light", "UnityEngine.Collider"];
        sample.ask("explorer.setConfig", json!({ "componentAllowlist": list }));
        let mut text = String::new();
        for (id, which) in [
            (PLAYER, "0"),
            (PLAYER, "UnityEngine.Transform"),
            (PLAYER, "4"),
            (PLAYER, "UnityEngine.Light"),
            // The base of a class does not name it.
            (PLAYER, "UnityEngine.Collider"),
            (PLAYER, "-1"),
            (NOBODY, "1"),
        ] {
            let given = json!({ "objectId": id, "typeOrIndex": which });
            text += &format!("{id} {which}\n    {}\n", sample.refusal(super::TOOL.id, given));
        }
        expect![[r#"
            obj:1616470424 0
                BadArguments: Can't remove Transform because every object has one
            obj:1616470424 UnityEngine.Transform
                BadArguments: Can't remove Transform because every object has one
            obj:1616470424 4
                EngineError: Component not found
            obj:1616470424 UnityEngine.Light
                EngineError: Component not found; did you mean UnityEngine.Rigidbody or UnityEngine.Transform or UnityEngine.CapsuleCollider?
            obj:1616470424 UnityEngine.Collider
                EngineError: Component not found; did you mean UnityEngine.CapsuleCollider or UnityEngine.Rigidbody or UnityEngine.Transform?
            obj:1616470424 -1
                Denied: Denied by allowlist; SetConfig sets componentAllowlist: full names of classes
            obj:5 1
                EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others
        "#]].assert_eq(&text);
        let player = sample.ask("explorer.getObject", json!({ "id": PLAYER }));
        assert_eq!(player["ComponentCount"], 4);
    }

    #[test]
    fn of_two_of_a_class_the_first_goes() {
        let sample = UnitySample::new();
        let class = "UnityEngine.BoxCollider";
        sample.ask("explorer.setConfig", json!({ "componentAllowlist": [class] }));
        sample.eval(
            r#"var player = GameObject.Find("Player");
            player.AddComponent<BoxCollider>().isTrigger = true;
            player.AddComponent<BoxCollider>();"#,
        );
        sample.ask(super::TOOL.id, json!({ "objectId": PLAYER, "typeOrIndex": class }));
        let member = json!({ "objectId": PLAYER, "componentType": class, "name": "isTrigger" });
        assert_eq!(sample.ask("explorer.readComponentMember", member)["valueJson"], false);
    }
}
