//! The tool `explorer.listComponentMembers`, `ListComponentMembers` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{PAGE, Page, Range};
use crate::world::values::{self, MemberCard};
use crate::world::{InWorld, exact_component, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listComponentMembers",
    keywords: "fields properties values component inspector live variables",
    explorer: Some("ListComponentMembers"),
    title: "Members of a Component",
    category: "explorer",
    examples: &[Example {
        description: "List the first member of a collider of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "limit": 1 }"#,
        output: r#"{ "Total": 1, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MemberCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the fields and properties of a component, and its methods if they are wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the component's class, as GetComponents gives it.
    component_type: String,
    /// Methods, too.
    #[serde(default)]
    include_methods: bool,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberCard>, ToolError> {
    let id = object_id(&input.object_id)?;
    cx.world(|world| {
        let component = exact_component(world, id, &input.component_type)?;
        let cards = values::component_cards(world, component, input.include_methods);
        Ok(Range { limit: input.limit, offset: input.offset }.page(cards, PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    const PLAYER_CONTROLLER: &str = "LanternKeep.PlayerController";

    fn arguments(id: &str, class: &str) -> Value {
        json!({ "objectId": id, "componentType": class })
    }

    #[test]
    fn methods_follow_when_they_are_wanted() {
        let sample = UnitySample::new();
        let list = |given: Value| sample.ask(super::TOOL.id, given);
        let kinds = |page: &Value| -> Vec<String> {
            let items = page["Items"].as_array().unwrap().iter();
            let mut kinds: Vec<_> =
                items.map(|item| item["Kind"].as_str().unwrap().to_owned()).collect();
            kinds.dedup();
            kinds
        };
        let mut given = arguments(PLAYER, PLAYER_CONTROLLER);
        let plain = list(given.clone());
        assert_eq!(kinds(&plain), ["field", "property"]);
        given["includeMethods"] = json!(true);
        given["offset"] = plain["Total"].clone();
        let methods = list(given);
        assert_eq!(kinds(&methods), ["method"]);
        expect![[r#"{"Name":"Heal","Kind":"method","Type":"System.Void(System.Int32)","CanRead":false,"CanWrite":false}"#]].assert_eq(&methods["Items"][3].to_string());
    }

    #[test]
    fn static_members_are_not_of_a_component() {
        let sample = UnitySample::new();
        let names = sample.page(super::TOOL.id, arguments(PLAYER, PLAYER_CONTROLLER), "Name");
        assert!(names.contains("Health") && !names.contains("Instance"), "{names}");
    }

    #[test]
    fn the_class_must_be_the_components_own() {
        let sample = UnitySample::new();
        let refuse = |id: &str, class: &str| sample.refusal(super::TOOL.id, arguments(id, class));
        expect!["EngineError: Component not found; did you mean UnityEngine.CapsuleCollider or UnityEngine.Rigidbody or UnityEngine.Transform?"]
            .assert_eq(&refuse(PLAYER, "UnityEngine.Collider"));
        let names = sample.page(super::TOOL.id, arguments(PLAYER, "PlayerController"), "Name");
        assert!(names.contains("Health"), "the short name is enough: {names}");
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY, PLAYER_CONTROLLER));
    }
}
