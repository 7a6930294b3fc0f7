//! The tool `explorer.readComponentMember`, `ReadComponentMember` in the Explorer interface.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::values::ValueCard;
use crate::world::{InWorld, exact_component, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readComponentMember",
    keywords: "current value field variable component",
    explorer: Some("ReadComponentMember"),
    title: "Value of a Member",
    category: "explorer",
    examples: &[Example {
        description: "Read the height of a collider of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "name": "height" }"#,
        output: r#"{ "ok": true, "type": "System.Single", "valueText": "1.8", "valueJson": 1.8, "refId": null }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<ValueCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a field or property of a component.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the component's class, as GetComponents gives it.
    component_type: String,
    /// Name of the field or property.
    name: String,
}

fn run(cx: &Cx, input: Input) -> Result<ValueCard, ToolError> {
    let id = object_id(&input.object_id)?;
    cx.world(|world| {
        let component = exact_component(world, id, &input.component_type)?;
        let members = world.members(component);
        let member = members.iter().find(|member| *member.name == *input.name);
        let value = world.member(component, &input.name);
        let (Some(member), Some(value)) = (member, value) else {
            return Err(ToolError::new(ErrorKind::EngineError, "Member not found")
                .hint(suggest::did_you_mean(
                    &input.name,
                    members.iter().map(|member| &*member.name),
                    "ListComponentMembers names them",
                ))
                .detail("name", input.name));
        };
        Ok(ValueCard::of(world, &cx.holder().refs, &member.type_name, &value))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{GROUND, NOBODY, PLAYER, UnitySample};

    fn arguments(id: &str, class: &str, name: &str) -> Value {
        json!({ "objectId": id, "componentType": class, "name": name })
    }

    #[test]
    fn members_of_nothing() {
        let sample = UnitySample::new();
        let refuse = |id: &str, class: &str, name: &str| {
            sample.refusal(super::TOOL.id, arguments(id, class, name))
        };
        expect!["EngineError: Member not found; did you mean mass?"].assert_eq(&refuse(
            PLAYER,
            "UnityEngine.Rigidbody",
            "Mass",
        ));
        expect!["EngineError: Member not found; there is angularDrag, automaticCenterOfMass, automaticInertiaTensor, centerOfMass, collisionDetectionMode, constraints, drag, excludeLayers, gameObject, hideFlags, includeLayers, inertiaTensor and 8 more; ListComponentMembers names them"]
            .assert_eq(&refuse(PLAYER, "UnityEngine.Rigidbody", ""));
        expect!["EngineError: Component not found; did you mean UnityEngine.Rigidbody or UnityEngine.Transform or UnityEngine.CapsuleCollider?"].assert_eq(&refuse(
            PLAYER,
            "UnityEngine.Light",
            "range",
        ));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(
            NOBODY,
            "UnityEngine.Rigidbody",
            "mass",
        ));
    }

    #[test]
    fn a_list_is_a_preview_with_handles_and_nothing_has_none() {
        let sample = UnitySample::new();
        let read = |id: &str, class: &str, name: &str| {
            sample.without_name(&sample.ask(super::TOOL.id, arguments(id, class, name)))
        };
        expect![[r#"{"ok":true,"type":"UnityEngine.Material[]","valueText":"[1 items]","valueJson":{"kind":"enumerable","count":1,"preview":[{"text":"Stone (UnityEngine.Material)","json":"obj:820567431","refId":"ref:unity:1"}]},"refId":"ref:unity:2"}"#]].assert_eq(&read(GROUND, "UnityEngine.MeshRenderer", "sharedMaterials"));
        expect![[r#"{"ok":true,"type":"UnityEngine.Transform","valueText":"<null>","valueJson":null,"refId":null}"#]].assert_eq(&read(PLAYER, "LanternKeep.PlayerController", "spawnPoint"));
        expect![[r#"{"ok":true,"type":"LanternKeep.MovementMode","valueText":"Walking","valueJson":"Walking","refId":null}"#]].assert_eq(&read(PLAYER, "LanternKeep.PlayerController", "startMode"));
    }

    #[test]
    fn long_texts_are_cut_between_letters() {
        let sample = UnitySample::new();
        sample.eval(
            r#"var name = "";
            for (var n = 0; n < 1025; n++) { name += "ä"; }
            GameObject.Find("Player").name = name;"#,
        );
        let name = sample.ask(super::TOOL.id, arguments(PLAYER, "UnityEngine.Transform", "name"));
        let cut = format!("{}...", "ä".repeat(1024));
        assert_eq!((&name["valueText"], &name["valueJson"]), (&json!(cut), &json!(cut)));
    }
}
