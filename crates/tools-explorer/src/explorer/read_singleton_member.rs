//! The tool `explorer.readSingletonMember`, `ReadSingletonMember` in the Explorer interface.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::values::ValueCard;
use crate::world::{InWorld, singletons};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readSingletonMember",
    explorer: Some("ReadSingletonMember"),
    title: "Value of a Singleton's Member",
    category: "explorer",
    examples: &[Example {
        description: "Read a member of a singleton of the Unity sample",
        input: r#"{ "singletonId": "singleton:LanternKeep.PlayerController", "name": "name" }"#,
        output: r#"{
            "ok": true,
            "type": "System.String",
            "valueText": "Player",
            "valueJson": "Player",
            "refId": null
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<ValueCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a field or property of a singleton's instance.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `singleton:<declaringType>`, as SearchSingletons gives it.
    singleton_id: String,
    /// Name of the field or property.
    name: String,
}

fn run(cx: &Cx, Input { singleton_id, name }: Input) -> Result<ValueCard, ToolError> {
    cx.world(|world| {
        let instance = singletons::find(world, &singleton_id)?;
        let members = world.members(instance);
        let member = members.iter().find(|member| *member.name == *name);
        let (Some(member), Some(value)) = (member, world.member(instance, &name)) else {
            return Err(ToolError::new(ErrorKind::EngineError, "Member not found")
                .hint(suggest::did_you_mean(
                    &name,
                    members.iter().map(|member| &*member.name),
                    "ListSingletonMembers names them",
                ))
                .detail("name", name));
        };
        Ok(ValueCard::of(world, &cx.holder().refs, &member.type_name, &value))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn it_is_the_value_of_the_instance_now() {
        let sample = UnitySample::new();
        let given = |name: &str| json!({ "singletonId": "singleton:LanternKeep.PlayerController", "name": name });
        expect!["EngineError: Member not found; did you mean Health?"]
            .assert_eq(&sample.refusal(super::TOOL.id, given("health")));
        let member = "LanternKeep.PlayerController.maxHealth";
        sample.ask("explorer.setConfig", json!({ "reflectionAllowlistMembers": [member] }));
        let set = json!({
            "objectId": PLAYER,
            "componentType": "LanternKeep.PlayerController",
            "member": "maxHealth",
            "jsonValue": "12",
        });
        sample.ask("explorer.setMember", set);
        assert_eq!(sample.ask(super::TOOL.id, given("maxHealth"))["valueJson"], 12);
        sample.ask("explorer.destroyObject", json!({ "objectId": PLAYER }));
        expect!["EngineError: Not found; SearchSingletons finds them"]
            .assert_eq(&sample.refusal(super::TOOL.id, given("maxHealth")));
    }
}
