//! The tool `explorer.setMember`, `SetMember` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::{self as world, World};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, component_of, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setMember",
    keywords: "move position rotate scale game object change field value transform light intensity variable live running",
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
    /// Name of the component's class, with its namespace or without; or of a base of it, with it.
    component_type: String,
    /// Name of the field or property.
    member: String,
    /// The value, as JSON or as its text: `5`, `"text"`, `[1,2,3]`, `{"x":1,"y":2,"z":3}`, an
    /// enum's name.
    #[schemars(schema_with = "schema::any_value")]
    json_value: Value,
}

fn run(cx: &Cx, input: Input) -> Result<Done, ToolError> {
    let (class, id) = allowed::call(cx, &input.object_id, &input.component_type, &input.member)?;
    cx.world(|world| {
        let component = component_of(world, id, &class)?;
        let members = world.members(component);
        let member = members.iter().find(|member| *member.name == *input.member);
        let member = member.filter(|member| member.can_write && !member.is_static);
        let member = member.ok_or_else(|| {
            let writable = members.iter().filter(|member| member.can_write && !member.is_static);
            let known = writable.map(|member| &*member.name);
            ToolError::new(ErrorKind::BadArguments, "Member not writable").hint(
                suggest::did_you_mean(&input.member, known, "ListComponentMembers names them"),
            )
        })?;
        let value = value_of(world, &input.json_value, &member.type_name)
            .map_err(|error| error.detail("member", &*input.member))?;
        let target = world::Value::Component(component);
        hooks::set_property(world, &target, &input.member, value).map_err(refused)
    })?;
    Ok(Done::OK)
}

/// A value as JSON, as the text of JSON, or as the text that it is.
fn value_of(world: &World, json: &Value, class: &str) -> Result<world::Value, ToolError> {
    let bad = |message: String| ToolError::new(ErrorKind::BadArguments, message);
    let read = |json: &Value| world.value_from_json(json, class);
    let Value::String(text) = json else {
        return read(json).map_err(|error| bad(error.to_string()));
    };
    match serde_json::from_str(text) {
        // A text may look like a number.
        Ok(parsed) => read(&parsed).or_else(|error| read(json).map_err(|_| bad(error.to_string()))),
        Err(error) => read(json).map_err(|_| {
            bad(format!("jsonValue is not JSON: {error}"))
                .hint("text needs quotes: \"\\\"text\\\"\"")
        }),
    }
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
    fn any_json_and_the_short_name_of_a_class_are_taken() {
        let sample = sample();
        let set = |class: &str, member: &str, value: Value| {
            let mut arguments = arguments(PLAYER, class, member, "");
            arguments["jsonValue"] = value;
            sample.call(super::TOOL.id, arguments)
        };
        for value in [json!(7), json!("7")] {
            set("PlayerController", "maxHealth", value).unwrap();
        }
        for tag in [json!("Respawn"), json!("\"Respawn\"")] {
            set("UnityEngine.Transform", "tag", tag.clone()).unwrap_err();
            let tagged = set("UnityEngine.Component", "tag", tag).map_err(|error| error.message);
            assert_eq!(tagged.err().as_deref(), Some("Ambiguous component type"));
        }
        // The allowlist is about classes, whatever they are called by.
        let denied = set("PlayerController", "moveSpeed", json!(1)).unwrap_err();
        assert_eq!(denied.message, "Denied by allowlist");
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
                BadArguments: Member not writable; there is position, rotation, localEulerAngles, parent, localPosition, localRotation, eulerAngles, hasChanged, localScale, forward, right, name and 2 more; ListComponentMembers names them
            obj:1616470424 UnityEngine.Rigidbody zork 0
                BadArguments: Member not writable; there is constraints, automaticInertiaTensor, drag, useGravity, angularDrag, isKinematic, inertiaTensor, automaticCenterOfMass, inertiaTensorRotation, collisionDetectionMode, centerOfMass, interpolation and 5 more; ListComponentMembers names them
            obj:1616470424 LanternKeep.PlayerController Instance null
                BadArguments: Member not writable; there is startMode, tag, enabled, name, onRespawned, spawnPoint, heldLantern, startPosition, jumpForce, maxHealth, moveSpeed, groundMask and 3 more; ListComponentMembers names them
            obj:1616470424 UnityEngine.Component tag "A"
                BadArguments: Ambiguous component type; Use the exact component type (from GetComponents)
            obj:1616470424 UnityEngine.Light color {}
                EngineError: Component not found; did you mean UnityEngine.Rigidbody or UnityEngine.Transform or UnityEngine.CapsuleCollider?
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
