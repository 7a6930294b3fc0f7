//! The tool `explorer.listSingletonMembers`, `ListSingletonMembers` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{PAGE, Page, Range};
use crate::world::values::{self, MemberCard};
use crate::world::{InWorld, singletons};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listSingletonMembers",
    explorer: Some("ListSingletonMembers"),
    title: "Members of a Singleton",
    category: "explorer",
    examples: &[Example {
        description: "List members of a singleton of the Unity sample",
        input: r#"{ "singletonId": "singleton:LanternKeep.PlayerController" }"#,
        output: r#"{ "Total": 0, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MemberCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the fields and properties of a singleton's instance, and its methods if they are wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `singleton:<declaringType>`, as SearchSingletons gives it.
    singleton_id: String,
    /// Methods, too.
    #[serde(default)]
    include_methods: bool,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberCard>, ToolError> {
    cx.world(|world| {
        let instance = singletons::find(world, &input.singleton_id)?;
        let cards = values::component_cards(world, instance, input.include_methods);
        Ok(Range { limit: input.limit, offset: input.offset }.page(cards, PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    const ID: &str = "singleton:LanternKeep.PlayerController";

    #[test]
    fn members_of_the_instance_and_not_the_one_that_keeps_it() {
        let sample = UnitySample::new();
        let names = sample.page(super::TOOL.id, json!({ "singletonId": ID }), "Name");
        assert!(names.contains("Health") && !names.contains("Instance"), "{names}");
        let second = json!({ "singletonId": ID, "limit": 1, "offset": 1 });
        let second = sample.ask(super::TOOL.id, second);
        expect![[r#"[{"Name":"jumpForce","Kind":"field","Type":"System.Single","CanRead":true,"CanWrite":true}]"#]].assert_eq(&second["Items"].to_string());
    }

    #[test]
    fn methods_follow_when_they_are_wanted() {
        let sample = UnitySample::new();
        let given = json!({ "singletonId": ID, "includeMethods": true });
        let names = sample.page(super::TOOL.id, given, "Name");
        assert!(names.contains("Health") && names.contains("Heal, "), "{names}");
    }

    #[test]
    fn ids_of_nothing() {
        let sample = UnitySample::new();
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "singletonId": id }));
        expect!["BadArguments: Invalid id; expected 'singleton:<declaringType>'"]
            .assert_eq(&refuse("LanternKeep.PlayerController"));
        expect!["EngineError: Not found; SearchSingletons finds them"]
            .assert_eq(&refuse("singleton:LanternKeep.GameState"));
        expect!["EngineError: Not found; SearchSingletons finds them"]
            .assert_eq(&refuse("singleton:"));
    }
}
