//! The tool `explorer.setMember`, `SetMember` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::{self as world, ObjectId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, component_of, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setMember",
    keywords: "move position rotate scale game object change field value transform light intensity",
    explorer: Some("SetMember"),
    title: "Set a Member",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Move the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.Transform", "member": "localPosition", "jsonValue": "[1, 2, 3]" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set a field or property of a component. `<componentType>.<member>` must be on the interface's
/// member allowlist, if it has one.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the component's class, or of a base of it.
    component_type: String,
    /// Name of the field or property.
    member: String,
    /// The value as JSON text: `5`, `"text"`, `[1,2,3]`, `{"x":1,"y":2,"z":3}`, an enum's name.
    #[schemars(length(max = 4_194_304))]
    json_value: String,
}

fn run(cx: &Cx, input: Input) -> Result<Done, ToolError> {
    allowed::member(cx, &input.component_type, &input.member)?;
    let id = ObjectId::parse(&input.object_id)
        .map_err(|_| ToolError::new(ErrorKind::BadArguments, "Invalid id"))?;
    let json: Value = serde_json::from_str(&input.json_value).map_err(|error| {
        let message = format!("jsonValue is not JSON: {error}");
        ToolError::new(ErrorKind::BadArguments, message).hint("text needs quotes: \"\\\"text\\\"\"")
    })?;
    cx.world(|world| {
        let component = component_of(world, id, &input.component_type)?;
        let members = world.members(component);
        let member = members.iter().find(|member| *member.name == *input.member);
        let member = member.filter(|member| member.can_write && !member.is_static);
        let member =
            member.ok_or_else(|| ToolError::new(ErrorKind::BadArguments, "Member not writable"))?;
        let value = world.value_from_json(&json, &member.type_name).map_err(|error| {
            ToolError::new(ErrorKind::BadArguments, error.to_string())
                .detail("member", &*input.member)
        })?;
        let target = world::Value::Component(component);
        hooks::set_property(world, &target, &input.member, value).map_err(refused)
    })?;
    Ok(Done::OK)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{HAND, NOBODY, PLAYER, UnitySample};

    const PLAYER_CONTROLLER: &str = "LanternKeep.PlayerController";

    fn sample() -> UnitySample {
        let sample = UnitySample::new();
        let list = [
            "UnityEngine.Transform.childCount",
            "UnityEngine.Rigidbody.zork",
            "UnityEngine.Component.tag",
            "UnityEngine.Collider.isTrigger",
            "UnityEngine.Light.color",
            "LanternKeep.PlayerController.Instance",
            "LanternKeep.PlayerController.maxHealth",
            "LanternKeep.PlayerController.spawnPoint",
        ];
        sample.ask("explorer.setConfig", json!({ "reflectionAllowlistMembers": list }));
        sample
    }

    fn arguments(id: &str, class: &str, member: &str, value: &str) -> Value {
        json!({ "objectId": id, "componentType": class, "member": member, "jsonValue": value })
    }

    #[test]
    fn a_tag_must_be_one_of_the_project() {
        let sample = UnitySample::new();
        let tag = |tag: &str| {
            let code = format!(r#"GameObject.Find("Player").tag = "{tag}""#);
            sample.call("explorer.consoleEval", json!({ "code": code }))
        };
        tag("Respawn").unwrap();
        let said = tag("NoSuchTag").unwrap_err().message;
        assert!(said.contains("Tag: NoSuchTag is not defined"), "{said}");
    }

    #[test]
    fn what_cannot_be_set_is_told() {
        let sample = sample();
        let mut text = String::new();
        for (id, class, member, value) in [
            (PLAYER, "UnityEngine.Transform", "childCount", "0"),
            (PLAYER, "UnityEngine.Rigidbody", "zork", "0"),
            (PLAYER, PLAYER_CONTROLLER, "Instance", "null"),
            (PLAYER, "UnityEngine.Component", "tag", "\"A\""),
            (PLAYER, "UnityEngine.Light", "color", "{}"),
            (PLAYER, "UnityEngine.Light", "range", "1"),
            (PLAYER, PLAYER_CONTROLLER, "maxHealth", "1.5"),
            (PLAYER, PLAYER_CONTROLLER, "maxHealth", "NaN"),
            (PLAYER, PLAYER_CONTROLLER, "spawnPoint", "[1,2,3]"),
            (NOBODY, PLAYER_CONTROLLER, "maxHealth", "1"),
        ] {
            let said = sample.refusal(super::TOOL.id, arguments(id, class, member, value));
            text += &format!("{id} {class} {member} {value}\n    {said}\n");
        }
        expect![[r#"
            obj:1616470424 UnityEngine.Transform childCount 0
                BadArguments: Member not writable
            obj:1616470424 UnityEngine.Rigidbody zork 0
                BadArguments: Member not writable
            obj:1616470424 LanternKeep.PlayerController Instance null
                BadArguments: Member not writable
            obj:1616470424 UnityEngine.Component tag "A"
                BadArguments: Ambiguous component type; Use the exact component type (from GetComponents)
            obj:1616470424 UnityEngine.Light color {}
                EngineError: Component not found
            obj:1616470424 UnityEngine.Light range 1
                Denied: Denied by allowlist; SetConfig sets reflectionAllowlistMembers: <Type>.<Member>
            obj:1616470424 LanternKeep.PlayerController maxHealth 1.5
                BadArguments: a Int32 is expected, as plain JSON or an object's id such as "obj:12"; found 1.5
            obj:1616470424 LanternKeep.PlayerController maxHealth NaN
                BadArguments: jsonValue is not JSON: expected value at line 1 column 1; text needs quotes: "\"text\""
            obj:1616470424 LanternKeep.PlayerController spawnPoint [1,2,3]
                BadArguments: a Transform is expected, as plain JSON or an object's id such as "obj:12"; found [1,2,3]
            obj:5 LanternKeep.PlayerController maxHealth 1
                EngineError: Not found
        "#]].assert_eq(&text);
        let health =
            json!({ "objectId": PLAYER, "componentType": PLAYER_CONTROLLER, "name": "maxHealth" });
        assert_eq!(sample.ask("explorer.readComponentMember", health)["valueJson"], 10);
    }

    #[test]
    fn the_base_of_a_class_names_it_when_only_one_derives() {
        let sample = sample();
        sample.ask(super::TOOL.id, arguments(PLAYER, "UnityEngine.Collider", "isTrigger", "true"));
        let member = json!({
            "objectId": PLAYER,
            "componentType": "UnityEngine.CapsuleCollider",
            "name": "isTrigger",
        });
        assert_eq!(sample.ask("explorer.readComponentMember", member)["valueJson"], true);
    }

    #[test]
    fn a_reference_is_an_id_or_nothing() {
        let sample = sample();
        let set = |value: &str| arguments(PLAYER, PLAYER_CONTROLLER, "spawnPoint", value);
        let read =
            json!({ "objectId": PLAYER, "componentType": PLAYER_CONTROLLER, "name": "spawnPoint" });
        let hand = sample.eval(r#"GameObject.Find("Hand").transform.GetInstanceID()"#);
        let hand = format!("\"obj:{}\"", hand["result"].as_str().unwrap());
        sample.ask(super::TOOL.id, set(&hand));
        let value = sample.ask("explorer.readComponentMember", read.clone());
        assert_eq!(value["valueText"], "Hand (UnityEngine.Transform)");
        sample.ask("explorer.destroyObject", json!({ "objectId": HAND }));
        let value = sample.ask("explorer.readComponentMember", read.clone());
        assert_eq!(value["valueText"], "null", "as Unity says of what was destroyed");
        sample.ask(super::TOOL.id, set("null"));
        let value = sample.ask("explorer.readComponentMember", read);
        assert_eq!((&value["valueText"], &value["refId"]), (&json!("<null>"), &json!(null)));
    }
}
